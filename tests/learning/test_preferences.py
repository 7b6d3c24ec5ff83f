"""What of a person's words is a standing wish, and what only sounds like one."""

import pytest

from ace_reflect.learning.preferences import read_preferences


@pytest.mark.parametrize(
    "said",
    [
        "In future, ask me before you push.", "In the future please run the tests first", "please ask me first in the future", "use `uv` instead of pip in the future",
        "From now on, if a test fails, stop and tell me", "from now on, when you finish a task, run make lint", "Going forward, all commits must be signed",
        "please don't add comments going forward", "From today on use conventional commits", "from now on no more mocks please", "No, use bun from now on.",
        "For future reference, always use the staging api", "In future, don't touch the vendored code.", "stop adding emojis from now on", "For the future: ask before you install anything",
        "When you change the schema, always run the migrations", "When in doubt, always ask me.", "Every time you edit the API, update the docs too.", "In tests, never mock the database",
        "you must never force push", "I told you to always use pnpm", "make sure you never delete tests", "I'd like you to always add a changelog entry.",
        "I trust you a lot here, but branch protection must never be overridden by you, ever.", "We never commit directly to main.", "we always squash commits before merging",
        "Verwende immer pnpm statt npm", "Ab jetzt bitte immer die Tests laufen lassen", "Niemals auf main pushen", "In Zukunft frag mich vorher bitte", "Du sollst immer zuerst die Tests laufen lassen",
        "Utilise toujours pnpm", "Ne pousse jamais sur main", "Désormais, lance les tests avant de finir", "Ne jamais modifier les fichiers générés", "N'utilise jamais npm ici",
        "A partir de ahora escribe los commits en inglés", "Siempre usa pnpm", "Nunca hagas push a main", "De ahora en adelante, no uses mocks", "En el futuro, pregunta antes de instalar algo",
    ],
)  # fmt: skip
def test_a_standing_order_is_a_preference(said: str) -> None:
    assert len(read_preferences(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "you can make a note of this in the docs, if some task needs the local api in future but most tasks should use staging",
        "You could add a comment here, in case we use it in the future.", "you may want to use a queue in the future", "From now on you may skip the linter", "we can always revert it later",
        "du kannst das in Zukunft verwenden", "puedes usar esto en el futuro", "We might use this from now on, not sure",
    ],
)  # fmt: skip
def test_what_may_be_done_is_no_order(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "If in the future someone needs this, make a helper", "If you ever need the old data in the future, it is in the backup bucket", "let me know if in future you need more details",
        "Whenever you click the button, it crashes", "Every time I run it, it crashes", "if it always fails, use the other one", "If the header is missing, always add it on the server",
        "Any findings that can be postponed should first become a todo to ensure that these are tracked going forward.", "Write the plan so the agent can use it in the future",
        "can you explain how this will work going forward", "Immer wenn ich das starte, stürzt es ab",
    ],
)  # fmt: skip
def test_a_time_word_in_a_clause_of_its_own_orders_nothing(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "In future we may want to support several accounts", "In the future this should be configurable.", "In the future, add support for OAuth", "reject dates in the future",
        "add a check that the date is in the future", "keep the old endpoint, we will remove it in the future", "Use it as the default in future releases", "create a plan for going forward",
        "In Zukunft soll das konfigurierbar sein", "yes, going forward with option 2", "from now on it fails with a timeout", "from here on the code is messy", "From now on, the API returns 410",
    ],
)  # fmt: skip
def test_plans_and_what_the_program_does_are_no_orders(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "Always returns null here", "Always fails on CI", "Never gets called", "never seen that before", "you should never have committed that", "You should always see the banner",
        "Always show the spinner while loading", "we only create commits on the shadow branch", "we never use this variable", "I'd prefer a dropdown instead of a text field", "I prefer option B over option A",
        "The user should always be able to cancel", "whenever you're ready, start", "I think we should always use the cache, maybe", "immer noch kaputt hier", "Nie funktioniert das hier",
        "toujours pas de résultat ici", "Ne marche jamais chez moi", "siempre falla el test", "nunca funciona la primera vez", "By default, make the panel collapsed",
    ],
)  # fmt: skip
def test_a_complaint_a_description_or_a_choice_is_no_preference(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "should I always rebase before pushing?", "use pnpm from now on?", "do we need this from now on",
        "for this feature always use the old api", "from now on use port 3000 for this session",
        "The docs say always use sudo", "the reviewer told me to never use eval from now on", 'it says "from now on use v2"',
        "coderabbit says:\nAlways validate the input of handlers.", "Here is the feedback:\n\n- Never use eval in code\n- always add tests",
        "You are a careful reviewer. Always answer in JSON. Never add prose.", "# Rules\nAlways use tabs here\n# More\nNever use npm here",
    ],
)  # fmt: skip
def test_a_question_a_wish_for_once_and_other_peoples_words_are_none(said: str) -> None:
    assert read_preferences(said) == []


def test_rules_under_a_heading_of_the_persons_own_are_theirs() -> None:
    said = "Please note the following:\n- always use pnpm\n- never commit to main\nAnd from now on, please: no emojis in commit messages"
    assert [found.text for found in read_preferences(said)] == [
        "Always use pnpm.",
        "Never commit to main.",
        "From now on, please: no emojis in commit messages.",
    ]


def test_what_the_person_says_before_the_pasted_review_is_still_theirs() -> None:
    (found,) = read_preferences("Never commit .env files.\nThe reviewer wrote:\nAlways use eval.")
    assert found.text == "Never commit .env files."


@pytest.mark.parametrize(
    "said",
    [
        "can you write commit messages in english from now on?", "Could you please always run prettier before committing?", "could you never commit without asking me?",
        "Kannst du ab jetzt auf Deutsch antworten?", "Peux-tu désormais utiliser pnpm ?", "¿Puedes usar pnpm a partir de ahora?",
    ],
)  # fmt: skip
def test_a_request_for_good_in_the_form_of_a_question(said: str) -> None:
    assert len(read_preferences(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "Can you explain how this works going forward?", "can you make the header always visible?", "could you check why it never stops?", "can you use pnpm for this?",
        "would you always recommend redis here?", "can you always see the banner?", "kannst du das immer so lassen?", "Kannst du die Tests ausführen?",
    ],
)  # fmt: skip
def test_a_question_or_a_request_for_once_is_none(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "Sempre use pnpm", "A partir de agora use pnpm", "nunca edite arquivos gerados", "Daqui pra frente, rode os testes antes de terminar",
        "usa sempre pnpm", "d'ora in poi usa pnpm", "non modificare mai i file generati",
        "gebruik altijd pnpm", "gebruik voortaan pnpm", "vanaf nu gebruik je altijd pnpm",
        "всегда используй pnpm", "отныне используй pnpm", "впредь не трогай сгенерированные файлы",
        "以后都用pnpm", "永远不要修改生成的文件", "从现在开始，请用中文回答",
        "今後は常にpnpmを使ってください", "今後はコミットメッセージを英語で書いてください",
        "Nie wieder generierte Dateien bearbeiten!", "As a rule, use tabs", "make it a habit to run the linter after each edit",
    ],
)  # fmt: skip
def test_standing_orders_in_more_words_and_languages(said: str) -> None:
    assert len(read_preferences(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "o teste sempre falha", "sempre dá erro", "nunca usa o cache", "no futuro vamos suportar várias contas",
        "il test fallisce sempre", "usa sempre pnpm per ora", "de parser gebruikt altijd tabs", "in de toekomst willen we dit ondersteunen",
        "тест всегда падает", "тест всегда использует моки", "пока всегда используй старый API",
        "测试总是失败", "以后再说", "以后用户要登录", "永远不会返回null", "今后要支持多个账号",
        "テストがいつも失敗する", "今後の対応を教えてください", "必ずテストを実行して", "いつも失敗するテストを直してください",
        "Nie wieder!", "as a rule the parser skips blank lines", "never do that again",
    ],
)  # fmt: skip
def test_what_only_sounds_like_one_in_them(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "Please remember: we target Python 3.9, so no match statements.", "Keep in mind that our codebase targets ES2019", "bear in mind we don't use lodash",
        "For future reference: the staging db is read-only.", "Merk dir: die Tests laufen nur mit Docker.",
        "I prefer small commits", "I strongly prefer named exports.", "Ich bevorzuge kurze Commit-Nachrichten auf Englisch", "Je préfère les messages de commit en français.", "Prefiero comillas simples en JavaScript",
        "We use fetch everywhere in this codebase.", "In this repo we only use pnpm", "In diesem Projekt verwenden wir immer Yarn statt npm.",
        "Отныне всегда запускай линтер", "Voortaan altijd in het Nederlands antwoorden", "Od teraz zawsze uruchamiaj testy", "Nigdy nie pushuj na main", "Bundan sonra her zaman pnpm kullan", "Asla main'e pushlama",
        "从现在开始,提交前一定要运行测试。", "永远不要直接推送到 main 分支。", "앞으로는 항상 pnpm을 사용해 주세요.", "절대 main에 푸시하지 마세요",
    ],
)  # fmt: skip
def test_what_is_to_be_remembered_and_a_taste_in_how_it_is_written(said: str) -> None:
    assert len(read_preferences(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "Remember that we changed the API yesterday, so update the client.", "Keep in mind that we need to support IE here", "remember we use UTC in the db so convert the date first", "For future reference", "Merk dir die ID in einer Variable",
        "I prefer tabs in the settings page", "I prefer comments from the reviewers to be inline", "Je préfère les cartes bleues", "Ich bevorzuge die zweite Variante",
        "we use this hook everywhere, refactor it", "In this repo we only have two tests, add a third", "in this project we use Django",
        "Сервер всегда должен отвечать 200", "nooit gezien", "Dlaczego test zawsze pada?", "Od teraz przycisk ma być zielony", "Kullanıcı her zaman giriş yapmalı", "Neden her zaman hata veriyor?",
        "从现在开始这个接口只能读,请删除写入代码", "항상 실패하는 테스트를 고쳐 주세요", "앞으로 이 기능을 추가해 주세요",
    ],
)  # fmt: skip
def test_a_circumstance_of_this_task_and_a_taste_in_the_product_are_none(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "Can you please always format with black before finishing?",
            "Always format with black before finishing.",
        ),
        (
            "今後は必ずコミット前にテストを実行してください。",
            "今後は必ずコミット前にテストを実行してください。",
        ),
        ("앞으로는 항상 pnpm을 사용해 주세요.", "앞으로는 항상 pnpm을 사용해 주세요."),
    ],
)
def test_the_key_point_ends_as_a_sentence_does(said: str, text: str) -> None:
    assert [found.text for found in read_preferences(said)] == [text]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (
            "You do understand that I trust you with these keys, and that is fine, but branch protection should not ever be overridden by you, ever.",
            "Branch protection should not ever be overridden by you, ever.",
        ),
        ("I know that the deadline is close, but never skip the pre-commit hooks.", "Never skip the pre-commit hooks."),
        ("Das war gut, aber verwende immer unser eigenes Logging.", "Verwende immer unser eigenes Logging."),
        ("no, i said this before: never use mocks in integration tests", "Never use mocks in integration tests."),
        ("One thing though: always use absolute imports.", "Always use absolute imports."),
        ("we always use UTC in the backend, so change the dates in report.py", "We always use UTC in the backend."),
        ("We don't use classes here, we use functions; so please rewrite Cart", "We don't use classes here, we use functions."),
        (
            "Please remember that the staging database is read-only for us, then carry on with the migration",
            "Remember that the staging database is read-only for us.",
        ),
        ("Never commit to main, ok?", "Never commit to main."),
        ("no more emojis in commit messages please", "No more emojis in commit messages please."),
        ("no, always use tabs", "Always use tabs."),
        ("great work, but please always link the ticket in the commit", "Always link the ticket in the commit."),
        ("Next time, show me the diff before you commit.", "Next time, show me the diff before you commit."),
        ("quick reminder: never log tokens, not even in debug mode", "Never log tokens, not even in debug mode."),
        ("It's fine for now, but in future always use the design tokens.", "In future always use the design tokens."),
        ("Could you, from now on, put the summary at the top?", "From now on, put the summary at the top."),
        ("Always run the formatter (`just fmt`) after editing Rust", "Always run the formatter (`just fmt`) after editing Rust."),
        (
            "From now on, when I say 'ship it' I mean: run the tests, commit and push.",
            "From now on, when I say 'ship it' I mean: run the tests, commit and push.",
        ),
    ],
)  # fmt: skip
def test_the_key_point_is_the_rule_without_the_talk_around_it(said: str, text: str) -> None:
    assert [found.text for found in read_preferences(said)] == [text]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Always use tabs, but never in YAML files.", "Always use tabs, but never in YAML files."),
        ("Never use npm, so use pnpm instead.", "Never use npm, so use pnpm instead."),
        ("Always run the tests, then the linter.", "Always run the tests, then the linter."),
    ],
)
def test_what_belongs_to_the_rule_stays_in_it(said: str, text: str) -> None:
    assert [found.text for found in read_preferences(said)] == [text]


@pytest.mark.parametrize(
    "said",
    [
        "great work, but the footer is never shown on mobile", "in future show the date in the header", "Add a retry to the client, but never retry on 4xx.", "The endpoint is public, but it should never return addresses", "The docs are old, but the guide says never use eval",
        "we always get a 500 here, so check the handler", "I told you the page is always empty after login!", "when I say hello the bot must answer hello, ok?",
    ],
)  # fmt: skip
def test_a_task_and_what_must_not_be_done_meanwhile_is_no_rule(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "stop adding comments to every line, it's unreadable", "stop apologising", "And stop pushing without asking!", "stop using lodash",
        "don't run the whole test suite every time, only the tests you touched", "Don't ask me for confirmation every time.",
        "You keep creating summary files after each task. Stop doing that.", "you keep writing long summaries at the end! stop it",
        "hör auf, Emojis zu verwenden", "Arrête d'ajouter des commentaires partout.", "Deja de crear archivos de resumen, por favor.",
    ],
)  # fmt: skip
def test_a_habit_of_the_agents_that_is_to_end_is_a_preference(said: str) -> None:
    assert len(read_preferences(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "stop the dev server", "stop, that's the wrong file", "stop using the old endpoint in client.ts", "please stop adding rows when the limit is reached",
        "stop writing and listen", "don't fetch the list every time, cache it", "You keep breaking the login page. Stop that and look at the logs.",
        "arrête le serveur et supprime le conteneur", "deja de lado el login y mira el carrito",
    ],
)  # fmt: skip
def test_what_is_to_stop_now_is_no_habit(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "said",
    [
        "We don't use npm here, we use pnpm.", "We don't use Redux in this project.", "next time ask before you delete a branch", "La prochaine fois, demande avant de supprimer une branche.",
        "Commits should never have you as co-author.", "remember: all endpoints here are versioned under /v2", "ok. also for the future: screenshots go to docs/img, not to the root",
        "以后请始终用中文回复。", "以后提交信息一律用英文写", "Our convention is that flags are named ff_team_name.", "Please don't create new files unless I ask for it, ever.",
        "don't use the word 'robust' anymore, anywhere", "I'd rather you never touch the Makefile", "whenever you add a dependency, say why in the PR", "From here on out, small commits only please",
        "Nas próximas vezes, pergunta antes de instalar pacotes.",
    ],
)  # fmt: skip
def test_more_ways_to_say_how_the_work_is_done_here(said: str) -> None:
    assert len(read_preferences(said)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "we don't use the cache here, so the value is read twice", "We don't use it here anymore, remove the import.", "next time the user opens the app the banner must be gone",
        "commits should always have a trailer in the hook's output", "please remember that it was slow yesterday, so measure first", "remember: the button is blue", "for the future: maybe several accounts",
        "Always run it twice", "never use this library again", "always run them first", "以后用户要一个按钮",
        "no more mocks left in here", "don't use this component anymore", "For this feature use the old api, but always log", "people say always use tabs", "この関数は決してnullを返さないようにしてください",
    ],
)  # fmt: skip
def test_what_holds_for_this_place_or_hangs_in_the_air_is_none(said: str) -> None:
    assert read_preferences(said) == []


@pytest.mark.parametrize(
    "unit", ["stop adding ", "but never ", ", but you ", "“” ", "please remember that ", "so, "]
)
def test_a_long_sentence_is_read_in_a_moment(unit: str) -> None:
    read_preferences(unit * (290 // len(unit)))
    read_preferences(unit * 300)
