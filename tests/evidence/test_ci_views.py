"""Looks at CI that were printed anew while they waited, shaped by a template, or listed beside other workflows."""

from pathlib import Path

import pytest

from ace_reflect.evidence.ci import read_ci
from support.ledgers import ledger_of, session

WAITS = "Refreshing checks status every 10 seconds. Press Ctrl+C to quit.\n\n"
RUN = "{0} main CI · 123\nTriggered via push about 1 minute ago\n\nJOBS\n{0} build in 1m2s (ID 456)\n"
ROW = "{}\t{}\t{}\thttps://github.com/o/r/actions/runs/1/job/{}\t\n"


def seen(tmp_path: Path, command: str, output: str, code: int = 0) -> str:
    built = session(tmp_path).prompt("Go")
    built = built.bash(command, output, exit_code=code) if code else built.bash(command, output)
    (look,) = ledger_of(built).ci_looks
    return look.outcome


@pytest.mark.parametrize(
    ("command", "output", "code", "outcome"),
    [
        ("./scripts/watch-ci.sh", "waiting for CI\n[watch-ci] run 300 conclusion=success", 0, "passed"),
        ("pwsh ./scripts/Wait-CI.ps1", "[ci] run 300 conclusion=failure", 1, "failed"),
        ("make ci-status", "build: passed\ntest: pending", 0, "pending"),
        ("make ci-status", "see the page", 0, "unknown"),
        ("az pipelines runs show --id 7 --query result -o tsv", "succeeded", 0, "passed"),
    ],
)
def test_a_look_by_the_projects_own_script_is_read_by_its_words(
    tmp_path: Path, command: str, output: str, code: int, outcome: str
) -> None:
    assert seen(tmp_path, command, output, code) == outcome


@pytest.mark.parametrize(
    ("last", "outcome"),
    [
        (ROW.format("build", "pass", "1m2s", 1) + ROW.format("lint", "pass", "12s", 2), "passed"),
        (ROW.format("build", "fail", "1m2s", 1) + ROW.format("lint", "pass", "12s", 2), "failed"),
        ("", "pending"),  # it was stopped
    ],
)
def test_of_watched_checks_the_last_look_counts(last: str, outcome: str) -> None:
    first = ROW.format("build", "pending", "0", 1) + ROW.format("lint", "pass", "12s", 2)

    assert read_ci(WAITS + first + last)[0] == outcome


def test_two_checks_of_one_name_are_two_checks() -> None:
    """A matrix, or two workflows, of one name: they differ in their address."""
    assert read_ci(ROW.format("build", "fail", "3s", 1) + ROW.format("build", "pass", "9s", 2))[0] == "failed"
    assert read_ci(ROW.format("build", "pass", "3s", 1) + ROW.format("build", "pending", "0", 2))[0] == "pending"


def test_of_a_watched_run_the_last_view_counts() -> None:
    waits = "Refreshing run status every 3 seconds. Press Ctrl+C to quit.\n\n"

    assert read_ci(waits + RUN.format("*") + waits + RUN.format("*") + RUN.format("✓"))[0] == "passed"
    assert read_ci(waits + RUN.format("*") + RUN.format("X"))[0] == "failed"
    assert read_ci(waits + RUN.format("*"))[0] == "pending"


def test_of_two_runs_that_were_viewed_the_worse_counts() -> None:
    assert read_ci(RUN.format("X") + RUN.format("✓").replace("123", "124"))[0] == "failed"


@pytest.mark.parametrize(
    ("command", "output", "outcome"),
    [
        ("gh run view 123 --json conclusion --jq .conclusion", "success", "passed"),
        ("gh run view 123 --json status,conclusion -q '.status + \" \" + .conclusion'", "completed failure", "failed"),
        ("gh pr checks 12 --json name,bucket --jq '.[] | [.name,.bucket] | @tsv'", "build\tpass\nlint\tpass", "passed"),
        (
            "gh pr view 12 --json statusCheckRollup | jq -r '.statusCheckRollup[] | .name + \": \" + .conclusion'",
            "error pages: SUCCESS\ntest: FAILURE",
            "failed",
        ),
        (
            "for i in 1 2; do gh run view 1 --json status,conclusion -q '.status+\" \"+.conclusion'; sleep 9; done",
            "in_progress \ncompleted success",
            "passed",
        ),
        (
            "gh run list -L 1 --json status,conclusion,displayTitle -q '.[] | \"\\(.conclusion) \\(.displayTitle)\"'",
            "success Name the field of an error",
            "passed",
        ),
        ("gh run view 123 --json jobs --jq '.jobs | length'", "3", "unknown"),
        ("gh run view 123 --json displayTitle --jq .displayTitle", "Show a pending job as such", "unknown"),
    ],
)
def test_a_state_in_a_templates_words_counts(command: str, output: str, outcome: str, tmp_path: Path) -> None:
    assert seen(tmp_path, command, output) == outcome


def test_words_without_a_template_are_no_state() -> None:
    assert read_ci("success")[0] == "unknown"


def test_of_a_list_the_newest_run_of_each_workflow_of_the_same_push_counts() -> None:
    row = "completed\t{}\t{}\t{}\tmain\tpush\t{}\t1m\t2026-01-01T10:00:00Z\n"
    lint = row.format("success", "Fix", "Lint", 5)

    assert read_ci(lint + row.format("failure", "Fix", "CI", 4), newest_only=True)[0] == "failed"
    assert read_ci(lint + row.format("failure", "Fix", "Lint", 4), newest_only=True)[0] == "passed"
    assert read_ci(lint + row.format("failure", "Old", "CI", 3), newest_only=True)[0] == "passed"
