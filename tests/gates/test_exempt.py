"""A person exempts a test by its own name, in quotes or code marks or as a runner prints it: that test, and no other."""

from time import process_time

import pytest

from ace_reflect.gates.exempt import exempts
from ace_reflect.gates.model import State
from ace_reflect.gates.words import read_words
from support.work import Work, checkout

ROUTE = "CartRoutes > should return 500"
TOLD = f"Prices round half-even. `{ROUTE}` still fails, as you said."


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ('The test "should return 500 for other errors" fails on main already, ignore it.', "should return 500 for other errors"),
        ("The test 'adds up, and rounds' is red on main. Ignore that one.", "adds up, and rounds"),
        (f"`{ROUTE}` is known to fail on main, ignore that one", ROUTE),
        (f"{ROUTE} is known to fail at the moment, ignore it", ROUTE),
        ("The test `should return 500` is known to fail, ignore it", "should return 500"),
        ('Ignore the failing test "times out after 3s. Really!"', "times out after 3s. Really!"),
        ("`src/a.test.ts > A > b` is red on main already, leave it", "src/a.test.ts > A > b"),
        ("`TestX/sub` fails here, ignore it", "TestX/sub"),
        ("test_upload fails, that isn't your problem", "test_upload"),
        ("test_upload is red, no need to look at it", "test_upload"),
    ],
)  # fmt: skip
def test_a_marked_or_printed_name_is_exempted_and_the_other_tests_are_not_waived(prompt: str, name: str) -> None:
    assert [(each.name, each.single, each.certain) for each in exempts(prompt)] == [(name, True, True)]
    assert read_words(prompt).waiver("tests") is None


@pytest.mark.parametrize(
    "prompt",
    [
        'Skip the tests "for now".',
        "Ignore the tests, 'they' are slow.",
        "The tests are red on main, ignore them.",
        "test_upload is red on main, ignore it and don't run the others, don't run any tests.",
        "test_upload fails on main already, ignore it. Don't run the tests.",
        "test_upload fails on main already. Never mind the tests.",
        "test_upload fails on main already, so skip the tests.",
    ],
)
def test_what_waives_all_tests_still_does(prompt: str) -> None:
    assert read_words(prompt).waiver("tests") is not None


@pytest.mark.parametrize(
    "prompt",
    [
        f"Fix `{ROUTE}`, it fails",
        f'Why does the test "{ROUTE}" fail?',
        'The page says "should return 500" and fails to load.',
        "`computeTotal` rounds wrongly; mend it.",
        "test_upload fails, and it is your problem now.",
    ],
)
def test_a_name_that_is_the_task_or_no_failure_is_not_exempted(prompt: str) -> None:
    assert exempts(prompt) == ()


def failing(prompt: str, failed: int, answer: str) -> Work:
    return Work(prompt).edit().run("pytest", "failed", failed=failed).say(answer)


@pytest.mark.parametrize(
    "said",
    [
        f"`{ROUTE}` is known to fail on main, ignore that one.",
        'The test "should return 500" fails on main already, ignore it.',
        "CartRoutes fails already on main, you can ignore that.",
    ],
)
def test_the_failure_that_was_exempted_and_told_stands(said: str) -> None:
    work = failing(f"Round half-even. {said}", 1, TOLD)

    assert work.gate("tests", checkout()).state is State.WAIVED


def test_more_failures_than_the_quoted_one_block() -> None:
    work = failing('Round half-even. The test "should return 500" fails on main already, ignore it.', 4, TOLD)

    assert work.judge(checkout()).verdict.decision == "block"


def test_a_quoted_name_exempts_no_run() -> None:
    work = Work('Round half-even. The test "should return 500" fails on main already, ignore it.').edit().say("Done.")

    assert work.judge(checkout()).verdict.decision == "block"


def test_a_name_that_may_be_of_anything_counts_only_where_the_answer_tells_it_to_fail() -> None:
    said = "Round half-even. CartRoutes fails already on main, you can ignore that."
    work = failing(said, 1, "Prices round half-even. I left CartRoutes as it is.")

    assert work.gate("tests", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("prompt", "number"),
    [
        ("Two tests fail already, not your problem.", 2),
        ("Two tests fail on this branch, don't fuss about them.", 2),
        ("fyi 2 tests already fail on main", 2),
        ("There are 2 failing tests on main already, ignore those.", 2),
        ("Keep it simple: 3 of our 340 specs are red on master, no need to fix them", 3),
        ("heads up: 7 e2e tests have been failing for weeks", 7),
        ("We have 2 known failures.", 2),
        ("the two red tests are pre-existing", 2),
        ("ok the 3 failing tests in billing are known, ignore them", 3),
        ("(1 pre-existing failure in billing)", 1),
        ("One spec is flaky. Ignore it.", 1),
        ("zwei Tests schlagen schon auf main fehl", 2),
        ("Deux tests échouent déjà sur main.", 2),
        ("Hay 2 tests que ya fallan, no son tuyos.", 2),
    ],
)
def test_a_number_of_known_failures_exempts_as_many(prompt: str, number: int) -> None:
    assert [each.number for each in exempts(prompt)] == [number]
    assert read_words(prompt).waiver("tests") is None
    assert failing(f"Round half-even. {prompt}", number, "Done.").gate("tests", checkout()).state is State.WAIVED
    assert failing(f"Round half-even. {prompt}", number + 1, "Done.").judge(checkout()).verdict.decision == "block"
    assert Work(f"Round half-even. {prompt}").edit().say("Done.").judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix the 2 failing tests.",
        "2 tests are failing on main, fix them please",
        "One test fails on main since last week. Find out why.",
        "The 3 tests in test_x.py have been failing for weeks, make them pass.",
        "Write 3 tests for failing logins, ignore caching.",
        "Write 3 failing tests first, ignore the rest.",
        "2 tests fail: expected 200 but got 500",
        "I already saw 2 tests fail after your change.",
        "5 tests fail, 3 of them are known.",
        "Don't ignore the 2 failing tests.",
        "Are 2 tests failing on main already?",
    ],
)
def test_a_number_of_failures_that_is_the_task_or_a_report_exempts_none(prompt: str) -> None:
    assert exempts(prompt) == ()


def test_known_failures_that_became_the_task_are_no_longer_exempted() -> None:
    work = failing("Round half-even. Two tests fail already, not your problem.", 2, "Done.")
    assert work.judge(checkout()).verdict.decision == "allow"

    work.ask("Now fix those two failing tests as well.").edit().run("pytest", "failed", failed=2).say("Done.")
    assert work.judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize("word", ["test_a and test_b ", "All the tests ", "`npm test` and ", "ignore test_a, "])
def test_a_pasted_line_without_an_end_is_passed_over_at_once(word: str) -> None:
    begun = process_time()
    found = exempts(f"Fix the parser. Ignore test_z.\n{word * (60_000 // len(word))}fails")

    assert [each.name for each in found] == ["test_z"]
    assert process_time() - begun < 2


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("test_a and test_b may fail on your machine.", ["test_a", "test_b"]),
        ("test_a, test_b and test_c are known to fail.", ["test_a", "test_b", "test_c"]),
        ("Make everything but tests/e2e green.", ["tests/e2e"]),
        ("Get all tests except test_a to pass.", ["test_a"]),
        ("Fix the parser, test_a can stay red.", ["test_a"]),
        ("Fix the parser. I'll fix test_a later.", ["test_a"]),
        ("I added test_a, and test_b fails on main.", ["test_b"]),
        ("Fix test_a and test_b, which fail on main.", []),
        ("I'm working on test_a, it fails with a KeyError.", []),
        ("Make test_a green.", []),
        ("test_a should not stay red.", []),
    ],
)
def test_what_stands_behind_a_list_is_of_each_and_an_exception_is_no_task(prompt: str, names: list[str]) -> None:
    assert [each.name for each in exempts(prompt)] == names
