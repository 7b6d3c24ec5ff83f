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


@pytest.mark.parametrize(
    "text",
    [
        "Rename it everywhere, skip the test run pls, it takes forever",
        "null check in UserCard.tsx. tests can wait",
        "Make the change but leave running the test suite to me",
        "you dont have to run anything, CI will do it",
        "The env is broken so you can't run tests here, just make the edit",
        "Fix it w/o running tests",
        "bump the version, no verification needed",
        "implement it, i will verify manually",
        "Just a demo, don't need tests or anything fancy",
        "we don't need tests for this one, just change the label",
        "can u skip the tests?",
    ],
)
def test_more_words_that_waive_the_tests(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "the tests can wait for at most 5 seconds, fix the timeout",
        "I want to verify that the parser handles empty lines, fix it",
        "I don't want tests to break. Fix the parser",
        "We don't need the tests to be pretty",
        "You can't run the tests without starting docker first",
        "Don't verify tokens twice in app.py",
        "I'll verify that everything is there, so run the tests",
        'Here is the issue:\n"""\nNo tests required.\n"""\nWhat do you think?',
    ],
)
def test_more_words_that_do_not(text: str) -> None:
    assert "tests" not in waived(text)


def test_triple_quotes_around_the_whole_prompt_leave_it_the_persons_own() -> None:
    assert "tests" in waived('"""\nFix the parser.\nNo tests please.\n"""')


@pytest.mark.parametrize(
    "text",
    [
        "nicht direkt auf main pushen",
        "ne pousse jamais directement sur main",
        "不要直接推到main",
        "no commits directly to main, ever!!!",
        "no push to main please, use a branch",
        "don't push to main, open a PR",
        "never push directly to main",
        "do not commit to master, use a branch and a PR",
    ],
)
def test_a_forbidden_branch_waives_no_pull_request_and_allows_no_push_to_it(text: str) -> None:
    assert waived(text) == set()
    assert not read_words(text).no_push
    assert not read_words(text).asks_push


@pytest.mark.parametrize(
    "text",
    [
        "don't push to main yet",
        "no push to main yet",
        "Don't push",
        "Don't commit anything",
        "hold off on pushing until I've reviewed",
    ],
)
def test_a_push_that_is_put_off_is_none(text: str) -> None:
    assert read_words(text).no_push


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("When you are finished, push the branch, but do not merge.", "asks_push"),
        ("When the build is green, push and open a pull request", "asks_pr"),
        ("it works now, don't forget to push", "asks_push"),
        ("lgtm ship it", "asks_push"),
        ("create a commit when done + push", "asks_push"),
        ("don't push to main, push to a branch", "asks_push"),
        ("thanks, now commit and push", "asks_push"),
        ("pls commmit n push", "asks_push"),
        ("works now, thanks!", "confirmed"),
        ("tested it on my machine, all good", "confirmed"),
        ("perfect, that fixed it", "confirmed"),
        ("looks good to me", "confirmed"),
        ("one file at a time, let me review before continuing", "limits_scope"),
        ("Don't do step 3 yet", "limits_scope"),
    ],
)
def test_more_that_the_words_ask_for(text: str, name: str) -> None:
    assert getattr(read_words(text), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("when do you push?", "asks_push"),
        ("when will you push it", "asks_push"),
        ("push the item onto the stack before the loop", "asks_push"),
        ("log:\n    hint: push to main is blocked, open a PR\nwhy?", "asks_push"),
        ("ok now push to main directly, no PR", "asks_pr"),
        ("create the directory but not commit its contents", "no_push"),
        ("it works now but the color is wrong", "confirmed"),
        ("looks good on desktop, broken on mobile", "confirmed"),
        ("make it look good", "confirmed"),
        ("explain how this works", "confirmed"),
        ("make sure that works", "confirmed"),
        ("tested the wrong branch, sorry", "confirmed"),
    ],
)
def test_more_that_they_do_not(text: str, name: str) -> None:
    assert not getattr(read_words(text), name)


@pytest.mark.parametrize(
    "text",
    [
        "Tests are optional here, just fix the label",
        "hotfix: change the url. We'll run the regression suite tonight",
        "change the url and stop there, I'll take it from here",
        "don't execute any commands, only edit the file",
        "no bash commands please, just make the edit",
        "you don't have permission to run tests in this repo",
        "The test suite takes 40 minutes so don't run it. Fix the parser",
        "The tests take an hour. Don't run them.",
        "Fix the parser; tests are run by the CI, not locally",
        "Fix the parser. CI will run the tests.",
        "Update the parser but hold off on testing until I get back",
    ],
)
def test_who_else_runs_them_or_that_they_may_not_be_run_waives_the_tests(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "CI will run the tests twice, fix that",
        "make sure CI will run the tests",
        "Don't run commands as root in app.py",
        "Add tests for the deploy script. Don't run it.",
        "The tests call the server, don't run it in prod",
        "Make the suite optional with a flag",
        "hold off on testing the waters, fix it now",
    ],
)
def test_what_is_near_to_that_does_not(text: str) -> None:
    assert "tests" not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "pushe das direkt auf main",
        "sube esto directo a main",
        "pousse directement sur main",
        "直接推到main",
        "It's ok to go straight to master here",
        "merging to main is fine",
    ],
)
def test_the_default_branch_is_allowed_where_it_is_named(text: str) -> None:
    assert {"pr", "direct_push"} <= waived(text)


@pytest.mark.parametrize("text", ["pushing to main fails with a 403", "der Link zeigt direkt auf die Startseite"])
def test_a_report_on_it_allows_nothing(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    ("prompt", "waived"),
    [
        ("commit everything as WIP, tests are still red, I will fix them tomorrow", True),
        ("The integration tests keep failing, I'll take care of that myself. Just finish the endpoint.", True),
        ("tests are failing but push anyway", True),
        ("the tests still fail, fix them and commit", False),
        ("the tests are red, can you fix them?", False),
        ("tests are broken, I can do nothing, help", False),
        ("The tests are failing. We will fix them together: start with a.py", False),
    ],
)
def test_red_tests_that_the_person_takes_on_are_not_asked_for(prompt: str, waived: bool) -> None:
    assert any(waiver.gate == "tests" for waiver in read_words(prompt).waivers) is waived
