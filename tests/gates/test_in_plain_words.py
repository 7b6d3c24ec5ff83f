"""Words of an ordinary working day, in several languages: what they leave out, what they order, and what is near to them."""

import pytest

from ace_reflect.gates.honesty import admits
from ace_reflect.gates.model import State
from ace_reflect.gates.stop_kind import announces_step
from ace_reflect.gates.words import read_words
from support.work import Work, checkout

BY_REQUEST = checkout(wants_pr="All changes go through pull requests.")


def waived(text: str) -> set[str]:
    return {waiver.gate for waiver in read_words(text).waivers}


@pytest.mark.parametrize(
    "text",
    [
        "nvm the tests, just land the one line fix",
        "never mind the tests, rename it",
        "the suite was green an hour ago, so rename it and don't re-run it",
        "поменяй порт, тесты не запускай",
        "переименуй функцию, юнит тесты пока не гоняй",
        "fix the pager (tests: skip)",
        "Fix the pager. Tests: none.",
        "fix the pager, don't run or write tests",
        "fix the pager, don't add or run any tests",
        "fix the pager w/o running anything",
        "Tests mach ich, ändere nur den Port",
        "die tests laufen bei mir, ändere nur den port",
        "les tests c'est moi qui les lance, change le port",
        "tests will be run by the reviewer, change the port",
        "my colleague runs the tests later, change the port",
        "CI runs the tests, so don't bother",
        "our ci already does the tests, just change the port",
        "edit only, i verify",
        "The tests are slow here. skip 'em.",
        "wip is fine here, get the shape of the parser down, I'll fill in the rest",
        "Commit it as 'wip: parser', I will finish the rest tomorrow.",
        "Sketch the parser. I take it from there.",
        "Stub the parser out, I'll implement it myself",
        "Mach den Parser nur im Ansatz, den Rest mache ich selbst",
        "Commence le parser, je m'occupe du reste",
        "Empieza el parser, me encargo del resto",
        "This is a throwaway prototype: add the parser",
        "I need a throw-away script to dump the table, add it to tools.py",
        "Fix the parser; I have the test watcher open on my second screen",
        "Fix the parser. vitest --watch is running on my side",
        "Change the color, I'll eyeball it.",
        "rename foo to bar, I'll run everything in a minute",
        "Fix the parser, our CI will tell us",
        "Fix the parser. The test database is down today so don't bother",
    ],
)
def test_the_tests_are_left_out(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "no new tests needed, just fix the loader",
        "fix the loader, no additional tests please",
        "we don't need new tests, fix the loader",
        "nevermind the last message, fix the loader and test it",
        "тесты не проходят, почини загрузчик",
        "тесты не трогай, почини загрузчик",
        "Tests: no failures yet, keep it so",
        "don't write or change tests",
        "die Tests laufen bei mir nicht durch, bitte beheben",
        "fix the page where the tests are run by the scheduler",
        "my colleague runs the testserver",
        "don't change anything without a reason",
        "if CI runs the tests on every push, cache node_modules",
        "the CI runs the tests twice, fix that",
        "I verify it with the public key and it fails",
    ],
)
def test_to_write_none_or_to_leave_them_alone_is_not_to_leave_out_their_run(text: str) -> None:
    assert "tests" not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fix the parser and fill in the rest of the fields",
        "Then finish the rest yourself and fix the parser",
        "I'll finish the rest of the review tomorrow. Fix the parser",
        "Implement it yourself, and I'll write the changelog later",
        "Handle the rest parameters, I'll do the rest arguments docs",
        "den Rest der Tests bitte auch reparieren",
        "Corrige le parser et le reste des tests",
        "Detect throwaway script names in the linter",
        "The throw-away code path leaks, fix it",
        "The test watcher is broken. Fix the parser",
        "vitest --watch is broken on Windows, fix the config",
        "I have the test watcher config open, it is wrong. Fix it",
        "Our CI will tell you what broke: read it and fix the parser",
        "CI will check the formatting only",
        "The bot says it will eyeball the page. Fix the bot",
        "Don't bother me with questions. Fix the parser",
    ],
)
def test_the_rest_and_a_watcher_of_the_program_waive_nothing(text: str) -> None:
    assert "tests" not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "nur editieren, nichts ausführen",
        "modifie juste le fichier, n'exécute rien",
        "solo edita el archivo, no ejecutes nada",
        "só edita, não rode nada",
        "только правь код, ничего не запускай",
        "只改代码，什么都不要运行",
        "コードだけ変更して、何も実行しないで",
    ],
)
def test_who_wants_nothing_run_wants_no_tests_and_no_build(text: str) -> None:
    assert {"tests", "build"} <= waived(text)


@pytest.mark.parametrize(
    "text", ["nichts ändern außer dem Port", "ne casse rien", "no toques nada más", "не ломай ничего", "什么都不能少"]
)
def test_to_change_or_break_nothing_is_something_else(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "rename the prop, i'll do the build myself",
        "i'll run the build later",
        "renomme la prop, pas besoin de build",
        "pas besoin de lancer le build",
        "cambia el color, no hagas el build",
        "no hace falta hacer el build",
        "muda a cor, não precisa fazer o build",
    ],
)
def test_the_build_is_left_out(text: str) -> None:
    assert "build" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "i'll do the build config myself",
        "i'll handle the build failures on windows",
        "pas de souci avec le build",
        "no rompas el build",
    ],
)
def test_what_belongs_to_the_build_is_not_the_build(text: str) -> None:
    assert "build" not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "fix it but wait with the pr",
        "hold off on the PR until I reviewed it",
        "hold off on opening a PR for now",
        "fix the pager. PR: no.",
        "почини, PR не создавай",
        "почини и не открывай pull request",
        "just commit locally",
        "mach es, aber bitte noch nicht pushen",
        "don't commit any files",
        "don't commit these changes",
    ],
)
def test_the_pull_request_is_left_out_or_put_off(text: str) -> None:
    assert "pr" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "the wait on the PR page is too long",
        "wait for the PR checks",
        "don't commit the .env file",
        "never commit secrets",
        "don't push generated files",
        "commit locally first, then push",
    ],
)
def test_a_file_that_stays_out_of_it_or_a_wait_puts_nothing_off(text: str) -> None:
    assert "pr" not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "commit and push it, but don't commit the .env file",
        "push everything, don't commit debug.log",
        "conserta, commita e dá push",
        "arréglalo y súbelo",
        "fix it & git push",
        "fix it && push it",
    ],
)
def test_a_push_is_ordered(text: str) -> None:
    assert read_words(text).asks_push


@pytest.mark.parametrize(
    "text", ["não dê push", "don't push & don't commit", "don't commit or push .", "fix the R & D page"]
)
def test_a_push_is_not_ordered(text: str) -> None:
    assert not read_words(text).asks_push


@pytest.mark.parametrize(
    "text", ["fix it, don't forget the PR", "do not forget the pull request", "直してPRを作成して", "修复分页并提交PR"]
)
def test_a_pull_request_is_ordered(text: str) -> None:
    assert read_words(text).asks_pr


@pytest.mark.parametrize(
    "text", ["don't forget the PR description", "PR 的标题不对", "直してからPRを見て", "provide an SPR を作成して"]
)
def test_a_pull_request_is_not_ordered(text: str) -> None:
    assert not read_words(text).asks_pr


@pytest.mark.parametrize(
    "prompt", ["Fix the pager and push", "Behebe es und pushe auf main", "修复并推送到main", "直してmainにプッシュして"]
)
def test_the_order_to_push_leaves_no_pull_request_to_make_of_what_went_to_the_default_branch(prompt: str) -> None:
    work = Work(prompt).edit().run().commit().push(branch="main", to_default=True).say("Pushed.")

    assert work.gate("pr", BY_REQUEST).state is State.NOT_APPLICABLE
    assert work.judge(BY_REQUEST).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("prompt", "branch"),
    [("Fix the pager and push", "fix/pager"), ("Fix the pager", "main"), ("Fix it and push the branch", "main")],
)
def test_one_is_still_called_for_where_there_is_something_to_make_it_of_or_nobody_asked(
    prompt: str, branch: str
) -> None:
    work = Work(prompt).edit().run().commit().push(branch=branch, to_default=branch == "main").say("Pushed.")

    assert work.gate("pr", BY_REQUEST).state is State.DISPROVEN


@pytest.mark.parametrize(
    "prompt", ["Fix the pager, maybe we should add a test later", "Fix it and perhaps write a test next week"]
)
def test_a_test_for_later_is_not_asked_for_now(prompt: str) -> None:
    assert Work(prompt).edit().run().say("Fixed.").gate("remaining_work", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        ("I fixed paginate(), but could not run the tests: pytest isn't installed here.", "not-run", "environment"),
        ("The loader is fixed; however the tests couldn't run: the db refuses connections.", "not-run", "environment"),
        ("It is resolved, but I couldn't run the tests as I can't start Docker.", "not-run", "environment"),
        ("It's fixed but I did not run the tests.", "not-run", ""),
        ("The pager is fixed, but two tests fail.", "failing", ""),
        ("Two tests fail, but that is unrelated.", "failing", "excuse"),
    ],
)
def test_what_is_said_behind_the_fix_is_heard(answer: str, kind: str, reason: str) -> None:
    admitted = admits(answer)

    assert (admitted.kind, admitted.reason) == (kind, reason)


def test_that_the_tests_could_not_be_started_is_heard_in_another_order() -> None:
    admitted = admits("Исправил, но pytest здесь не установлен, поэтому запустить тесты не удалось.")

    assert (admitted.kind, admitted.reason) == ("not-run", "environment")


@pytest.mark.parametrize(
    "answer",
    [
        "He encontrado el error. Ahora lo voy a corregir:",
        "找到问题了，现在我来修复它：",
        "Нашёл причину. Сейчас исправлю:",
        "Сначала посмотрю файл:",
        "Fehler gefunden, jetzt passe ich die Funktion an:",
    ],
)
def test_a_step_is_announced(answer: str) -> None:
    assert announces_step(answer)


@pytest.mark.parametrize(
    "answer",
    ["Ответ, коротко: деление", "我看了代码，没有问题。", "Теперь всё работает.", "Die Ursache, kurz gesagt: Division"],
)
def test_no_step_is_announced(answer: str) -> None:
    assert not announces_step(answer)


@pytest.mark.parametrize(
    "text",
    [
        "round totals, I don't care about tests here",
        "quick and dirty: round totals, zero tests",
        "round totals; the suite is broken since yesterday so don't bother",
        "round totals. skip verification",
        "round totals, testing's on me",
        "just hack it in, not testing this",
        "round totals, I've got the tests running in watch mode",
        "Runde die Summen. Die Tests laufen in der CI.",
        "Runde mal die Summen, Tests später",
        "Runde die Summen; kein pytest",
        "Arrondis les totaux, ne lance pas pytest",
        "Arrondis les totaux, on testera plus tard",
        "Redondea los totales, las pruebas corren en la CI",
        "Arrondis les totaux, les tests tournent en CI",
        "I couldn't care less about the tests right now, round totals",
        "with zero testing please: round totals",
        "Redondea los totales, pruebas más tarde",
        "Arrotonda i totali, i test più tardi",
        "Rond de totalen af, tests later",
        "Округли суммы, тесты потом",
    ],
)
def test_the_tests_are_put_off_left_to_others_or_done_without(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "I care about the tests here, round totals",
        "zero tests fail, round totals",
        "the tests are slow, so don't bother the user with a spinner",
        "skip verification of the address in dev mode",
        "not testing the empty cart was a mistake",
        "I've got the tests red since Monday",
        "Die Tests laufen in der CI nicht durch",
        "Die Tests laufen in der CI rot",
        "les tests tournent en CI sans la base, répare ça",
        "with no testing framework in sight, add one",
        "Runde die Summen und erst dann die Tests",
        "kein pytest-Fehler darf bleiben",
        "on testera le total avec trois valeurs dans le fichier",
        "Lance les tests, plus tard on verra",
        "потом тесты, сначала суммы",
    ],
)
def test_what_only_sounds_like_it_puts_off_nothing(text: str) -> None:
    assert "tests" not in waived(text)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("pytest hangs at collection here (it waits for Postgres), so this is untested.", "environment"),
        ("I could not run the tests: the suite needs a running Redis.", "environment"),
        ("The tests were not run. The retry waits for the lock.", ""),
    ],
)
def test_what_the_suite_waits_for_is_why_it_did_not_run(answer: str, reason: str) -> None:
    admission = admits(answer)

    assert (admission.kind, admission.reason) == ("not-run", reason)


@pytest.mark.parametrize(
    ("prompt", "asked"),
    [
        ("explain in the README: fork, push, open a PR", False),
        ("Add to the contributing guide: name the branch and open a PR", False),
        ("Fix the README, then open a PR", True),
        ("Update the README: the link is dead. Then open a PR", True),
    ],
)
def test_a_pull_request_in_the_text_that_is_to_be_written_is_not_asked_for(prompt: str, asked: bool) -> None:
    assert bool(read_words(prompt).asks_pr) is asked
