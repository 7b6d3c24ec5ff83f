"""A script that was run by itself after its last edit has been tried; the project's tests are not asked for it."""

from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement, State
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder
from support.work import ROOT, checkout, node_scope, python_scope

PASSED = "===== 3 passed in 0.10s ====="
TRACE = 'Traceback (most recent call last):\n  File "scripts/report.py", line 3\nKeyError: 3'


def judged(built: TranscriptBuilder, project: Project | None = None) -> Judgement:
    return judge_stop(ledger_of(built.say("Done.")), project or checkout(), Settings())


def edited(tmp_path: Path, *paths: str) -> TranscriptBuilder:
    built = session(tmp_path).prompt("Let the report have a total")
    for path in paths:
        built.edit(f"{ROOT}/{path}")
    return built


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("scripts/report.py", "python scripts/report.py --month 3"),
        ("scripts/report.py", "uv run scripts/report.py"),
        ("tools/report.py", "cd tools && python3 report.py > /tmp/out.txt"),
        ("bin/report.py", "./bin/report.py"),
        ("scripts/report.py", "python -m scripts.report"),
        ("scripts/report.py", "python scripts/report.py | head -20"),
    ],
)
def test_the_run_of_a_script_by_itself_is_what_shows_that_it_works(tmp_path: Path, path: str, command: str) -> None:
    judgement = judged(edited(tmp_path, path).bash(command, "total 12"))

    assert judgement.verdict.decision == "allow"


@pytest.mark.parametrize(
    ("path", "command", "output"),
    [
        ("scripts/seed.ts", "npm run seed", "> web@1.0.0 seed\n> tsx scripts/seed.ts --all\n\n8 coupons"),
        ("scripts/seed.ts", "yarn seed", "yarn run v1.22.19\n$ tsx scripts/seed.ts\n8 coupons"),
        ("scripts/notes.py", "make notes", "python scripts/notes.py\n- Rounding"),
        ("scripts/notes.py", "just release-notes", "uv run scripts/notes.py\n- Rounding"),
        ("scripts/notes.py", "task notes", "task: [notes] python scripts/notes.py\n- Rounding"),
        ("scripts/seed.go", "go run ./scripts/seed.go", "2 tenants"),
        ("scripts/seed/main.go", "go run ./scripts/seed --all", "2 tenants"),
        ("scripts/sync.ts", "deno run -A scripts/sync.ts --once", "44 items"),
        ("script/fix.rb", "bin/rails runner script/fix.rb", "1290 records"),
        ("scripts/plot.R", "Rscript scripts/plot.R", "wrote plot.png"),
    ],
)
def test_a_script_that_a_task_or_another_tool_starts_has_run_as_well(
    tmp_path: Path, path: str, command: str, output: str
) -> None:
    (run,) = ledger_of(edited(tmp_path, path).bash(command, output)).script_runs

    assert (run.targets[0].startswith(f"{ROOT}/script"), run.outcome.value) == (True, "passed")
    project = checkout(python_scope(), node_scope(build=True))
    assert judged(edited(tmp_path / "again", path).bash(command, output), project).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("path", "command", "output", "code"),
    [
        ("scripts/notes.py", "make notes", "python scripts/notes.py\nmake: *** [notes] Error 1", 2),
        ("scripts/notes.py", "make notes", "python scripts/other.py\n- Rounding", 0),
        ("scripts/notes.py", "make -n notes", "python scripts/notes.py", 0),
        ("scripts/notes.py", "make lint", "ruff check scripts/notes.py", 0),
        ("scripts/notes.py", "cat run.log", "python scripts/notes.py\n- Rounding", 0),
        ("src/notes.py", "make notes", "python src/notes.py\n- Rounding", 0),
    ],
)
def test_a_task_that_failed_or_ran_something_else_proves_nothing(
    tmp_path: Path, path: str, command: str, output: str, code: int
) -> None:
    assert judged(edited(tmp_path, path).bash(command, output, exit_code=code)).verdict.decision == "block"


def test_the_finding_says_that_no_tests_were_counted(tmp_path: Path) -> None:
    judgement = judged(edited(tmp_path, "scripts/report.py").bash("python scripts/report.py", "total 12"))
    finding = next(each for each in judgement.findings if each.gate == "tests")

    assert (finding.state, judgement.verdict.complete) == (State.PROVEN, True)
    assert (
        finding.reason
        == "`python scripts/report.py` ended well (exit 0) after the last edit; no count of tests was seen"
    )


def test_a_run_in_the_background_whose_output_was_never_read_is_not_said_to_have_counted_no_tests(
    tmp_path: Path,
) -> None:
    """Its notice tells the status alone; it may well have counted some."""
    built = edited(tmp_path, "src/report.py").background("python -m pytest -q").say("It runs.").task_notification()
    finding = next(each for each in judged(built).findings if each.gate == "tests")

    assert finding.state is State.PROVEN
    assert finding.reason.startswith("`python -m pytest -q` ended well (exit 0) after the last edit")
    assert finding.reason.endswith("; no count of tests was seen")


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("python scripts/report.py", TRACE, 1),
        ("python scripts/report.py | tail -5", TRACE, 0),
        ("python scripts/report.py --help", "usage: report.py", 0),
        ("python -m py_compile scripts/report.py", "", 0),
        ("cat scripts/report.py", "print(1)", 0),
        ("python scripts/other.py", "total 12", 0),
    ],
)
def test_a_run_that_failed_or_was_of_something_else_proves_nothing(
    tmp_path: Path, command: str, output: str, code: int
) -> None:
    judgement = judged(edited(tmp_path, "scripts/report.py").bash(command, output, exit_code=code))

    assert judgement.verdict.decision == "block"


def test_a_run_before_the_last_edit_proves_nothing(tmp_path: Path) -> None:
    built = edited(tmp_path, "scripts/report.py").bash("python scripts/report.py", "total 12")

    assert judged(built.edit(f"{ROOT}/scripts/report.py")).verdict.decision == "block"


def test_a_run_that_failed_after_one_that_passed_takes_it_back(tmp_path: Path) -> None:
    built = edited(tmp_path, "scripts/report.py").bash("python scripts/report.py", "total 12")

    assert judged(built.bash("python scripts/report.py --all", TRACE, exit_code=1)).verdict.decision == "block"


@pytest.mark.parametrize("path", ["src/report.py", "src/tools/report.py", "report.py"])
def test_library_code_that_is_executed_still_needs_its_tests(tmp_path: Path, path: str) -> None:
    judgement = judged(edited(tmp_path, path).bash(f"python {path}", "total 12"))

    assert judgement.verdict.decision == "block"


def test_a_script_proves_nothing_of_the_code_beside_it(tmp_path: Path) -> None:
    built = edited(tmp_path, "src/totals.py", "scripts/report.py").bash("python scripts/report.py", "total 12")
    finding = next(each for each in judged(built).findings if each.gate == "tests")

    assert (finding.state, finding.evidence[0].quote) == (State.DISPROVEN, "src/totals.py")


def test_code_that_was_tested_before_the_script_was_edited_stays_tested(tmp_path: Path) -> None:
    built = edited(tmp_path, "src/totals.py").bash("pytest -q", PASSED).edit(f"{ROOT}/scripts/report.py")

    assert judged(built).verdict.decision == "block"
    assert judged(built.bash("python scripts/report.py", "total 12")).verdict.complete


def test_tests_that_failed_after_the_script_ran_stay_the_last_word(tmp_path: Path) -> None:
    built = edited(tmp_path, "scripts/report.py").bash("python scripts/report.py", "total 12")

    assert judged(built.bash("pytest -q", "1 failed in 0.1s", exit_code=1)).verdict.decision == "block"


def test_a_package_keeps_scripts_of_its_own(tmp_path: Path) -> None:
    project = checkout(python_scope(), python_scope("packages/billing"))
    path = "packages/billing/scripts/report.py"

    assert judged(edited(tmp_path, path).bash(f"python {path}", "total 12"), project).verdict.decision == "allow"


def test_no_build_is_asked_for_a_script_that_ran(tmp_path: Path) -> None:
    project = checkout(node_scope(build=True))
    built = edited(tmp_path, "scripts/icons.mjs").bash("node scripts/icons.mjs", "12 icons")

    assert judged(built, project).verdict.decision == "allow"
    assert (
        judged(built.edit(f"{ROOT}/src/icons.ts").bash("npm test", "Tests  3 passed (3)"), project).verdict.decision
        == "block"
    )
