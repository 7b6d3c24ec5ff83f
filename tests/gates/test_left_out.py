"""What a run leaves out, and what the person exempted by name."""

import pytest

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.exempt import exempts
from ace_reflect.gates.left_out import names_in
from ace_reflect.gates.model import State
from support.work import Work, checkout


@pytest.mark.parametrize(
    ("deselects", "names"),
    [
        ("--deselect tests/test_x.py::test_a", ("tests/test_x.py::test_a",)),
        ("-k 'not (slow or net)'", ("slow", "net")),
        ("--ignore tests/test_x.py -m 'not slow'", ("tests/test_x.py", "slow")),
        ("--exclude src/parser/**", ("src/parser/",)),
        ("-skip TestParser", ("TestParser",)),
        ("-Dtest=!ParserTest", ("ParserTest",)),
        ("--filter FullyQualifiedName!~Parser", ("Parser",)),
        ("--tag ~slow", ("slow",)),
    ],
)
def test_names_that_are_left_out(deselects: str, names: tuple[str, ...]) -> None:
    assert names_in(deselects) == names


@pytest.mark.parametrize(
    ("path", "deselects"),
    [
        ("app/payments.py", "--deselect tests/test_payments.py"),
        ("app/payments.py", "--ignore tests/test_payments.py"),
        ("app/payments.py", "-k 'not payments'"),
        ("app/payments/refund.py", "-k 'not payments'"),
        ("tests/api/test_pay.py", "--ignore=tests/api"),
        ("tests/test_pay.py", "--deselect tests/test_pay.py"),
        ("src/invoice.py", "-k 'not test_invoice and not net'"),
    ],
)
def test_a_run_without_the_tests_of_what_was_edited_is_no_proof(path: str, deselects: str) -> None:
    finding = Work().edit(path).run(f"pytest {deselects}", deselects=deselects).say("Done.").gate("tests", checkout())

    assert (finding.state, "of what was edited" in finding.reason) == (State.DISPROVEN, True)


@pytest.mark.parametrize(
    ("path", "deselects"),
    [
        ("app/payments.py", "-m 'not slow'"),
        ("app/payments.py", "--ignore tests/integration"),
        ("app/payments.py", "-m 'not (network or gpu)'"),
        ("src/app.py", "-k 'not browser'"),
        ("src/main.py", "--ignore=node_modules"),
        ("src/parser.py", "--skip-slow"),
        ("src/parser.py", "-k 'not project'"),
    ],
)
def test_leaving_out_what_is_slow_or_far_away_is_no_evasion(path: str, deselects: str) -> None:
    finding = Work().edit(path).run(f"pytest {deselects}", deselects=deselects).say("Done.").gate("tests", checkout())

    assert finding.state is State.PROVEN


def test_a_single_test_of_an_edited_file_left_out_is_shown_and_does_not_block() -> None:
    one = "--deselect tests/test_pay.py::test_slow_gateway"
    judgement = Work().edit("tests/test_pay.py").run(f"pytest {one}", deselects=one).say("Done.").judge(checkout())

    assert judgement.verdict.decision == "allow"
    assert "a test of what was edited" in judgement.verdict.system_message


def test_a_second_run_of_just_what_was_left_out_is_proof() -> None:
    work = (
        Work()
        .edit("app/pay.py")
        .run("pytest --ignore tests/test_pay.py", deselects="--ignore tests/test_pay.py")
        .run("pytest tests/test_pay.py", targets=("tests/test_pay.py",))
        .run("pytest --ignore tests/test_pay.py", deselects="--ignore tests/test_pay.py")
        .say("Done.")
    )

    assert work.gate("tests", checkout()).state is State.PROVEN


@pytest.mark.parametrize(
    ("passed", "state"), [(12, State.PROVEN), (11, State.UNKNOWN), (10, State.DISPROVEN), (None, State.UNKNOWN)]
)
def test_whether_failures_were_mended_or_left_out_is_told_by_the_numbers(passed: int | None, state: State) -> None:
    counts = None if passed is None else Counts(passed=passed, failed=0)
    work = (
        Work()
        .edit()
        .run("pytest", "failed", counts=Counts(passed=10, failed=2))
        .edit()
        .run("pytest -m 'not gpu'", deselects="-m 'not gpu'", counts=counts)
        .say("Done.")
    )

    assert work.gate("tests", checkout()).state is state


# ------------------------------------------------------------------ exempted by name


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        ("Fix the parser; ignore test_flaky.", ["test_flaky"]),
        ("test_upload is known to fail", ["test_upload"]),
        ("Known failures: test_a and test_b", ["test_a", "test_b"]),
        ("everything except tests/test_net.py must pass", ["tests/test_net.py"]),
        ("TestServer_Timeout always fails on CI too, never mind it", ["TestServer_Timeout"]),
        ("The upload tests have been failing for weeks. Ignore them.", ["The upload tests"]),
        ("FYI `UploadTest::testLarge` fails on this machine (disk quota), ignore that one.", ["UploadTest::testLarge"]),
        ("spec/models/user_spec.rb is red on main already", ["spec/models/user_spec.rb"]),
    ],
)
def test_tests_that_the_person_exempts(prompt: str, names: list[str]) -> None:
    assert [each.name for each in exempts(prompt)] == names


@pytest.mark.parametrize(
    "prompt",
    [
        "test_x fails, please fix it",
        "Fix test_flaky, which is flaky",
        "Make test_upload pass again, it has been failing for weeks",
        "Why does test_x fail?",
        "Don't ignore test_x",
        "test_a fails since your change",
        "The login test fails here with a timeout; investigate",
        "Add a test for the parser",
        "The tests are red. Fix them.",
    ],
)
def test_tests_that_are_the_task_are_not_exempted(prompt: str) -> None:
    assert exempts(prompt) == ()


def failing(prompt: str, failed: int, answer: str, *earlier: str) -> Work:
    work = Work(earlier[0] if earlier else prompt)
    if earlier:
        work.say("Understood.").ask(prompt)
    return work.edit().run("pytest", "failed", failed=failed).say(answer)


NAMED = "Prices round half-even. One failure is left: `test_upload`, as you said."


def test_a_failure_exempted_by_name_is_waived_and_the_stop_is_complete() -> None:
    judgement = failing("Round half-even. test_upload is known to fail", 1, NAMED).judge(checkout())

    finding = next(f for f in judgement.findings if f.gate == "tests")
    assert (finding.state, judgement.verdict.complete) == (State.WAIVED, True)
    assert "test_upload is known to fail" in finding.waived_by


def test_an_exemption_holds_for_later_prompts() -> None:
    work = failing("Round half-even.", 1, NAMED, "Note: test_upload is flaky, ignore it.")

    assert work.gate("tests", checkout()).state is State.WAIVED


def test_more_failures_than_were_exempted_block() -> None:
    judgement = failing("Round half-even. test_upload is known to fail", 3, NAMED).judge(checkout())

    assert judgement.verdict.decision == "block"


def test_an_answer_that_does_not_name_the_failure_leaves_it_open_and_does_not_block() -> None:
    work = failing("Round half-even. test_upload is known to fail", 1, "Prices round half-even now.")

    judgement = work.judge(checkout())

    assert (judgement.verdict.decision, judgement.verdict.complete) == ("allow", True)
    assert "whether nothing else failed is not shown" in judgement.verdict.system_message


def test_tests_that_were_exempted_may_be_left_out() -> None:
    work = (
        Work("Fix pay.py, ignore test_pay_gateway")
        .edit("app/pay.py")
        .run("pytest", "failed")
        .run("pytest -k 'not test_pay_gateway'", deselects="-k 'not test_pay_gateway'")
        .say("Done.")
    )

    assert work.gate("tests", checkout()).state is State.PROVEN


@pytest.mark.parametrize(
    "answer",
    [
        "63 of 64 tests pass; `test_a` fails.",
        "All other tests pass.",
        "Done. 5/7 unit tests pass, the rest needs a key.",
    ],
)
def test_an_answer_that_says_not_all_pass_does_not_claim_that_they_do(answer: str) -> None:
    work = Work("Round half-even").edit().run("pytest", "failed", failed=1).say(answer)

    assert work.gate("claims", checkout()).state is not State.DISPROVEN


def test_all_of_all_is_a_claim() -> None:
    work = Work("Round half-even").edit().run("pytest", "failed", failed=1).say("64 of 64 tests pass.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("selected", "targets", "state"),
    [
        ("::test_a ::test_b", ("tests/test_x.py",), State.PROVEN),
        ("::test_a", ("tests/test_x.py",), State.DISPROVEN),
        ("::test_a ::test_b", ("tests/test_y.py",), State.DISPROVEN),
    ],
)
def test_single_tests_that_were_run_apart_are_not_left_out(
    selected: str, targets: tuple[str, ...], state: State
) -> None:
    """The two that failed were run by their names after the mend, and all others without them: together that is all."""
    work = Work("Mend the two").run("pytest", "failed", counts=Counts(passed=56, failed=2)).edit("src/cart.py")
    apart = "--deselect tests/test_x.py::test_a --deselect tests/test_x.py::test_b"
    work.run("pytest tests/test_x.py", counts=Counts(passed=2), targets=targets, selected=selected)

    finding = (
        work.run(f"pytest {apart}", deselects=apart, counts=Counts(passed=56)).say("Done.").gate("tests", checkout())
    )

    assert finding.state is state


def test_single_tests_may_have_been_run_one_by_one() -> None:
    work = Work("Mend the two").run("pytest", "failed", counts=Counts(passed=56, failed=2)).edit("src/cart.py")
    for name in ("test_a", "test_b"):
        work.run(f"pytest a.py::{name}", counts=Counts(passed=1), targets=("a.py",), selected=f"::{name}")
    apart = "--deselect a.py::test_a --deselect a.py::test_b"

    finding = (
        work.run(f"pytest {apart}", deselects=apart, counts=Counts(passed=56)).say("Done.").gate("tests", checkout())
    )

    assert finding.state is State.PROVEN


@pytest.mark.parametrize(
    ("deselects", "answer"),
    [
        ("--ignore tests/test_upload.py", "Done. I left test_upload out because it is flaky."),
        ("-k 'not test_retry'", "Fixed. `test_retry` was skipped. It is not important for this change."),
        ("--deselect tests/test_io.py::test_lock", "All green, without test_lock, which fails intermittently."),
        ("--deselect tests/test_io.py::test_lock", "Done. One test is flaky, so I skipped it."),
        ("-k 'not test_retry'", "Fixed. I've deselected the failing test because it is not important."),
    ],
)
def test_what_the_answer_itself_calls_flaky_or_unimportant_is_not_left_out(deselects: str, answer: str) -> None:
    finding = Work().edit().run(f"pytest {deselects}", deselects=deselects).say(answer).gate("tests", checkout())

    assert (finding.state, "calls flaky or unimportant" in finding.reason) == (State.DISPROVEN, True)


@pytest.mark.parametrize(
    "answer",
    [
        "Done. test_upload needs the network, so I left it out.",
        "Done, without test_upload (no network here). The retry in the client is no longer flaky.",
        "Done. test_upload is not flaky, but it needs a key that I do not have.",
    ],
)
def test_another_reason_or_another_test_called_flaky_is_no_evasion(answer: str) -> None:
    left = "--ignore tests/test_upload.py"
    finding = Work().edit().run(f"pytest {left}", deselects=left).say(answer).gate("tests", checkout())

    assert finding.state is State.PROVEN


def test_the_person_may_call_a_test_flaky_and_leave_it_out() -> None:
    left = "--ignore tests/test_upload.py"
    work = Work("Fix it. Leave out test_upload, it is flaky.").edit().run(f"pytest {left}", deselects=left)

    assert work.say("Done. I left test_upload out, as it is flaky.").judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    "answer",
    [
        "Done. The network tests are slow, so I skipped them.",  # no word of flaky
        "Done. I mended the flaky test.",
        "Done. I skipped the flaky cache; all other paths are covered.",
        "Done. The unstable API is left as it is, and I ignored the warning.",
    ],
)
def test_other_words_of_what_is_flaky_or_skipped_are_no_such_excuse(answer: str) -> None:
    work = Work().edit().run("pytest -m 'not network'", deselects="-m 'not network'").say(answer)

    assert work.gate("tests", checkout()).state is State.PROVEN
