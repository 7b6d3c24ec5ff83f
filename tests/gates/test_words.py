"""The person's words: what they waive, what they ask for, and what they do not do."""

import pytest

from ace_reflect.gates.words import ALL, read_words


def waived(text: str) -> set[str]:
    return {waiver.gate for waiver in read_words(text).waivers}


@pytest.mark.parametrize(
    "text",
    [
        "skip gates",
        "please skip gates",
        '"skip gates"',
        "“skip gates”",
        "fix it, skip the gates",
        "ignore the checks for now",
        "gates off",
        "turn the gates off",
        "can you skip the gates this time?",
        "Überspringe die Gates",
        "ignore les gates",
        "sin gates por favor",
    ],
)
def test_words_that_switch_all_gates_off(text: str) -> None:
    assert ALL in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "don't run the tests",
        "don’t run the tests",
        "fix it but don't run tests",
        "commit but don't run tests",
        "I'll test it myself",
        "tests are broken, ignore",
        "skip the tests for this session",
        "can you skip the tests this time?",
        "no tests please",
        "no need to run the tests",
        "just fix the typo, without running the test suite",
        "Do not run pytest, I will run the tests on my machine.",
        "you don't need to run the tests",
        "don't bother with tests",
        "the tests can't run here",
        "Führe keine Tests aus",
        "Bitte ohne Tests",
        "ich teste selbst",
        "ne lance pas les tests",
        "no ejecutes los tests",
        "sem testes",
        "non eseguire i test",
        "geen tests",
        "не запускай тесты",
        "不要运行测试",
        "テストは実行しないで",
        "테스트 실행하지 마",
    ],
)
def test_words_that_waive_the_tests(text: str) -> None:
    assert "tests" in waived(text)
    assert ALL not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "no PR",
        "no pull request please",
        "commit it, no PR",
        "don't open a PR",
        "don't create a PR yet",
        "kein PR",
        "pas de PR",
        "sin PR",
        "push directly to main",
        "don't push",
    ],
)
def test_words_that_waive_the_pull_request(text: str) -> None:
    assert "pr" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "why did it skip gates?",
        "did you skip the tests?",
        "should I skip gates?",
        'what does "skip gates" do?',
        "add a skip gates command",
        "implement the `no PR` flag",
        "fix the skip tests option",
        "don't skip the tests",
        "never skip the gates",
        "there are no tests for this module, add some",
        "no tests cover this function",
        "skip the tests that need network",
        "never run the tests in parallel",
        "don't run all the tests, only the parser ones",
        "You said skip tests",
        "the log says: skip gates",
        "If I say skip gates, what happens?",
        "> skip gates",
        "```\nskip gates\n```",
        "<output>\nskip gates\n</output>",
        "ERROR skip gates",
        'The message was "skip gates for this session" and nothing happened.',
        "update the PR description",
        "don't touch the tests",
        "Write tests, no mocks",
        "without tests this is useless",
        "",
        "?",
    ],
)
def test_asking_quoting_or_naming_a_waiver_waives_nothing(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "skip gates for this session",
        "from now on, don't run the tests",
        "Keine Tests für diese Sitzung",
        "no PR for the rest of this session",
    ],
)
def test_a_waiver_for_the_session_says_so(text: str) -> None:
    assert all(waiver.session for waiver in read_words(text).waivers)
    assert read_words(text).waivers


def test_a_waiver_without_those_words_is_for_its_prompt() -> None:
    assert not any(waiver.session for waiver in read_words("skip gates").waivers)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("commit and push", "asks_push"),
        ("commit and hpush", "asks_push"),
        ("and push", "asks_push"),
        ("Fix it, commit and push to origin", "asks_push"),
        ("/ship now", "asks_push"),
        ("open a PR", "asks_pr"),
        ("commit, push and pr it", "asks_pr"),
        ("can you create a pull request?", "asks_pr"),
        ("run the tests", "asks_tests"),
        ("make sure the build works", "asks_build"),
        ("don't push", "no_push"),
        ("just explain how it works", "no_change"),
        ("don't change anything", "no_change"),
        ("stop after the first one", "limits_scope"),
        ("only do step 2", "limits_scope"),
    ],
)
def test_what_else_the_words_ask_for(text: str, name: str) -> None:
    assert getattr(read_words(text), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("does this push to main?", "asks_push"),
        ("don't push", "asks_push"),
        ("update the PR description", "asks_pr"),
        ("address the PR comments", "asks_pr"),
        ("fix the push notification", "asks_push"),
    ],
)
def test_what_the_words_do_not_ask_for(text: str, name: str) -> None:
    assert not getattr(read_words(text), name)


def test_a_bare_yes_agrees_to_the_push_that_was_offered() -> None:
    assert read_words("yes", previous_answer="All done. Shall I push it to origin?").asks_push
    assert not read_words("yes", previous_answer="Shall I go on with step 2?").asks_push


@pytest.mark.parametrize(
    "said", ["👍", "👍 thanks", "Yep.", "OK, do that", "do it", "Sounds good!", "lgtm", "Sí", "sure, go on"]
)
def test_a_short_agreement_takes_up_the_offer_before_it(said: str) -> None:
    assert read_words(said, previous_answer="All is committed. Shall I push it?").asks_push


@pytest.mark.parametrize(
    "said", ["yesterday it was fine", "goal: a faster start", "no", "okapi support", "doing it myself", ""]
)
def test_what_only_begins_like_one_does_not(said: str) -> None:
    assert not read_words(said, previous_answer="All is committed. Shall I push it?").asks_push


@pytest.mark.parametrize(("word", "behind"), [("yes", 40), ("go ahead", 40), ("yes please", 40), ("sounds good", 40)])
def test_forty_characters_may_stand_behind_an_agreement_and_no_more(word: str, behind: int) -> None:
    rest = " " + "x" * (behind - 1)
    assert read_words(word + rest, previous_answer="Shall I push it?").asks_push
    assert not read_words(f"{word}{rest}x", previous_answer="Shall I push it?").asks_push
