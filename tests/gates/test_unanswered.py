"""Failed runs that only a part of was run again: a green part proves nothing of the rest."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.model import State
from support.work import ROOT, Work, checkout

DONE = "Done. All tests pass."


def judged(*runs: str) -> Work:
    """After an edit, runs that are given as `! command` where they failed."""
    edited = {"go": "parser/parse.go", "npx": "src/a.ts", "npm": "src/a.ts"}.get(
        runs[0].removeprefix("! ").split()[0], "src/app.py"
    )
    work = Work("Fix the parser").edit(edited)
    for each in runs:
        failed, command = each.startswith("! "), each.removeprefix("! ")
        read = next(item for item in classify(command) if item.runner)
        work.run(
            command, "failed" if failed else "passed", runner=read.runner, targets=read.targets, selected=read.selected
        ).call(command)
    return work.say(DONE)


@pytest.mark.parametrize(
    "runs",
    [
        ("! pytest -q", "pytest tests/test_a.py"),
        ("! pytest -q tests/test_a.py", "pytest -q tests/test_a.py::TestParse"),
        ("! pytest -q tests/test_a.py", "pytest -q tests/test_a.py -k parse"),
        ("! pytest -q tests/unit", "pytest -q tests/unit/test_a.py"),
        ("! pytest -q tests/unit tests/api", "pytest -q tests/unit"),
        ("! pytest -q tests/test_a.py", "pytest -q tests/test_b.py"),
        ("! go test ./...", "go test ./parser"),
        ("! go test ./parser", "go test ./parser -run TestOne"),
        ("! go test ./parser -run TestOne", "go test ./parser -run TestTwo"),
        ("! npx vitest run src/a.test.ts", "npx vitest run src/a.test.ts -t 'one'"),
        ("! npm run test:e2e", "npm test"),
        ("! make test-integration", "make test"),
        ("! go test -tags=integration ./...", "go test ./..."),
        ("! npx playwright test", "npx vitest run"),
        ("! npx playwright test e2e/a.spec.ts", "npx playwright test e2e/a.spec.ts:12"),
        ("! npx jest src/lexer.test.ts", "npx jest parser"),
        ("! pytest -q tests/unit2", "pytest -q ./tests/unit"),
    ],
)
def test_a_part_that_passes_does_not_answer_for_the_whole_that_failed(runs: tuple[str, ...]) -> None:
    judgement = judged(*runs).judge()
    states = {finding.gate: finding.state for finding in judgement.findings}

    assert (states["tests"], states["claims"]) == (State.UNKNOWN, State.UNKNOWN)
    assert "then only a part of it was run and passed" in judgement.verdict.system_message


@pytest.mark.parametrize(
    "runs",
    [
        ("! pytest -q", "pytest -q"),
        ("! pytest -q tests/test_a.py", "pytest"),
        ("! pytest -q tests/test_a.py", "pytest -x tests/test_a.py"),
        ("! pytest -q tests/test_a.py::TestParse", "pytest -q tests/test_a.py"),
        ("! pytest -q tests/test_a.py", "pytest -q tests"),
        ("! pytest -q tests/unit", "pytest -q tests/api tests/unit"),
        ("! pytest -q tests/test_a.py", "pytest -q tests/test_a.py::TestParse", "pytest -q tests/test_a.py"),
        ("! go test ./parser -run TestOne", "go test ./parser -run 'TestOne|TestTwo'"),
        ("! go test ./parser -run TestOneByOne", "go test ./parser -run TestOne"),
        ("! go test ./parser", "go test ./..."),
        ("! pytest -q tests/test_a.py", "pytest -q ./tests/test_a.py"),
        ("! pytest -q tests", "pytest -q tests/"),
        (f"! pytest -q {ROOT}/tests/test_a.py", "pytest -q tests/test_a.py"),
        ("! npx playwright test e2e/a.spec.ts:12", "npx playwright test e2e/a.spec.ts"),
        ("! npx jest src/parser.test.ts", "npx jest parser"),
        ("pytest -q", "! pytest -q tests/test_a.py", "pytest -q"),
    ],
)
def test_a_run_that_is_no_narrower_does(runs: tuple[str, ...]) -> None:
    findings = {finding.gate: finding.state for finding in judged(*runs).judge().findings}

    assert (findings["tests"], findings["claims"]) == (State.PROVEN, State.PROVEN)


def test_what_failed_before_the_last_edit_does_not_bind_the_tests_but_a_claim_about_all_of_them() -> None:
    work = Work("Fix the parser").edit().run("pytest -q", "failed").edit()
    work.run("pytest -q tests/test_a.py", targets=("tests/test_a.py",)).call("pytest -q tests/test_a.py")

    findings = {finding.gate: finding.state for finding in work.say(DONE).judge(checkout()).findings}

    assert (findings["tests"], findings["claims"]) == (State.PROVEN, State.UNKNOWN)


@pytest.mark.parametrize(
    "runs",
    [("! npm run test:unit", "npm test"), ("! npm run test:e2e", "npm run test:all"), ("! npm test", "npx vitest run")],
)
def test_the_plain_command_runs_what_is_no_suite_of_its_own(runs: tuple[str, ...]) -> None:
    work = Work("Fix the parser").edit("src/a.ts")
    for each in runs:
        work.run(each.removeprefix("! "), "failed" if each[0] == "!" else "passed", runner=each.removeprefix("! "))

    assert work.say("Done.").gate("tests").state is State.PROVEN


@pytest.mark.parametrize(("failed", "passed", "proven"), [(2, 1, False), (5, 3, False), (1, 1, True), (2, 12, True)])
def test_fewer_tests_than_failed_before_the_edit_do_not_answer_for_them(failed: int, passed: int, proven: bool) -> None:
    work = Work("Fix the parser").edit().run("pytest", "failed", counts=Counts(failed=failed, passed=40)).edit()
    part = {"targets": ("tests/test_a.py",), "selected": "-k parse", "counts": Counts(passed=passed)}
    finding = work.run("pytest tests/test_a.py -k parse", **part).say("Done.").gate("tests")

    assert (finding.state is State.PROVEN) is proven


def test_a_part_in_another_folder_is_narrower_too() -> None:
    work = Work("Fix the parser").edit("apps/api/src/a.ts")
    work.run("pnpm --filter @x/api test", "failed", runner="pnpm test", selected="--filter @x/api")
    work.run("cd apps/api && npx jest -t one", runner="jest", selected="-t one", cwd=f"{ROOT}/apps/api")

    assert work.say("Done.").gate("tests").state is State.UNKNOWN


@pytest.mark.parametrize(
    ("between", "proven"),
    [
        ([("pytest", "passed", {"counts": Counts(passed=3)})], True),  # twelve that failed became three
        ([("pytest", "passed", {"counts": Counts(passed=None)})], True),
        ([("pytest", "unknown", {})], False),
        ([("pytest tests/test_a.py", "failed", {"targets": ("tests/test_a.py",), "counts": Counts(failed=1)})], False),
        ([("pytest", "failed", {"counts": None})], True),  # how many failed is not known
        ([("pytest", "failed", {"counts": Counts(failed=1)})], True),
    ],
)
def test_what_ran_in_between_answers_for_the_failure_or_leaves_it(
    between: list[tuple[str, str, dict[str, Any]]], proven: bool
) -> None:
    work = Work("Fix the parser").edit().run("pytest", "failed", counts=Counts(failed=12, passed=40)).edit()
    for command, outcome, more in between:
        work.run(command, outcome, **more).edit()
    work.run("pytest tests/test_a.py", targets=("tests/test_a.py",), counts=Counts(passed=2))

    assert (work.say("Done.").gate("tests").state is State.PROVEN) is proven


# -- a number of the whole, told after a part

RED = Counts(failed=2, passed=56)


def rerun(said: str, *, edited: bool = True, **part: Any) -> Work:
    """A whole run that failed, a mend, and a part that passed."""
    work = Work("Fix the parser").edit().run("pytest -q", "failed", counts=RED).call("pytest -q")
    work = work.edit() if edited else work
    command = part.pop("command", "pytest -q tests/test_parse.py")
    limit = {"targets": ("tests/test_parse.py",), "counts": Counts(passed=2), **part}
    return work.run(command, runner="pytest", **limit).call(command).say(said)


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("Fixed. The full suite passes: 58 of 58.", {}),
        ("Fixed. Full test suite: 58/58 passing.", {"command": "pytest --lf", "targets": (), "selected": "--lf"}),
        ("The whole suite is green, 58 tests.", {"command": "pytest -k parse", "targets": (), "selected": "-k parse"}),
        ("58 out of 58 tests pass now.", {"counts": Counts(passed=20)}),
        ("All 58 tests in the suite are green now.", {}),
        ("- Full suite: 58/58 passing", {}),
    ],
)
def test_a_number_of_the_whole_is_no_result_of_a_part(said: str, part: dict[str, Any]) -> None:
    judgement = rerun(said, **part).judge(checkout())
    claims = next(finding for finding in judgement.findings if finding.gate == "claims")

    assert (claims.state, judgement.verdict.decision) == (State.DISPROVEN, "block")
    assert "the whole run failed (line 3), and only" in claims.reason
    assert claims.settle == "pytest -q"


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("Fixed. I re-ran the two that failed; 58 of 58 pass.", {}),
        ("Fixed. The full suite passes: 58 of 58.", {"edited": False}),  # the same code: 56 and 2
        ("Fixed. The full suite passes: 58 of 58.", {"targets": ()}),  # the whole
        ("Fixed. The full suite passes: 58 of 58.", {"counts": None}),
        ("Fixed. The full suite passes: 58 of 58.", {"counts": Counts(passed=58)}),
        ("Fixed. All 58 tests pass.", {}),
        ("Fixed. The 2 tests in the suite for commas pass.", {}),
        ("Fixed. The full suite passes, with a coverage of 100%.", {}),
        ("Fixed. The parser tests pass: 2 of 2.", {}),
    ],
)
def test_a_claim_that_may_be_put_together_from_both_runs_is_not_contradicted(said: str, more: dict[str, Any]) -> None:
    assert rerun(said, **more).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize("command", ["make verify", "docker compose run app", "./scripts/everything.sh"])
def test_what_may_have_run_the_whole_unseen_leaves_the_claim(command: str) -> None:
    work = rerun("").call(command).say("Fixed. The full suite passes: 58 of 58.")

    assert work.gate("claims", checkout()).state is not State.DISPROVEN
