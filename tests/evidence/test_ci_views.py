"""Looks at CI as gh 2.60 and glab 1.40 print them: lists, views, watched ones, JSON, and what a template makes of it."""

import pytest

from ace_reflect.evidence.forge import read_ci
from support.ledgers import ledger_of, session

WAITS = "Refreshing checks status every 10 seconds. Press Ctrl+C to quit.\n\n"
RUN = (
    "{0} main CI · 123\nTriggered via push about 1 minute ago\n\nJOBS\n{0} build in 1m2s (ID 456)\n"
)
ROW = "{}\t{}\t{}\thttps://github.com/o/r/actions/runs/1/job/{}\t\n"
GREEN, RED = ROW.format("build", "pass", "1m2s", 1), ROW.format("build", "fail", "1m2s", 1)
LINT = ROW.format("lint", "pass", "12s", 2)
WATCHED = WAITS + ROW.format("build", "pending", "0", 1) + LINT


@pytest.mark.parametrize(("output", "outcome"), [
    (GREEN + LINT, "passed"), ("Exit code 1\n" + RED + LINT, "failed"),
    ("All checks were successful\n0 cancelled, 0 failing, 3 successful, 0 skipped, and 0 pending checks", "passed"),
    ("Some checks were not successful\n0 cancelled, 1 failing, 2 successful", "failed"),
    ("no checks reported on the 'fix' branch", "unknown"),
    ("completed\tsuccess\tFix\tCI\tmain\tpush\t123\t1m\t2026-11-20T10:00:00Z", "passed"),
    ("Run CI (123) has already completed with 'failure'", "failed"),
    ("✓ main CI · 123\nTriggered via push\n\nJOBS\n✓ test in 3m12s (ID 5)", "passed"),
    ('{"statusCheckRollup":[{"conclusion":"SUCCESS","status":"COMPLETED"}]}', "passed"),
    ('[{"conclusion":"failure","status":"completed"}]', "failed"),
    ('[{"conclusion":"","status":"in_progress"}]', "pending"), ("", "unknown"),
    # of what is watched the last look counts
    (WATCHED + GREEN + LINT, "passed"), (WATCHED + RED + LINT, "failed"), (WATCHED, "pending"),
    (WAITS + RUN.format("*") + WAITS + RUN.format("*") + RUN.format("✓"), "passed"),
    (WAITS + RUN.format("*") + RUN.format("X"), "failed"),
    # a matrix, or two workflows, of one name differ in their address
    (ROW.format("build", "fail", "3s", 1) + ROW.format("build", "pass", "9s", 2), "failed"),
    (ROW.format("build", "pass", "3s", 1) + ROW.format("build", "pending", "0", 2), "pending"),
])  # fmt: skip
def test_what_was_shown_is_read(output: str, outcome: str) -> None:
    assert read_ci(output)[0] == outcome


@pytest.mark.parametrize(
    ("second", "outcome"),
    [(("failure", "Fix", "CI", 4), "failed"), (("failure", "Fix", "Lint", 4), "passed"), (("failure", "Old", "CI", 3), "passed")],
)  # fmt: skip
def test_of_a_list_the_newest_run_of_each_workflow_of_the_same_push_counts(second, outcome):
    row = "completed\t{}\t{}\t{}\tmain\tpush\t{}\t1m\t2026-01-01T10:00:00Z\n"
    assert read_ci(row.format("success", "Fix", "Lint", 5) + row.format(*second), ("gh", "run", "list"))[0] == outcome  # fmt: skip


@pytest.mark.parametrize(("command", "output", "code", "outcome"), [
    ("gh pr checks 12", GREEN, 0, "passed"), ("gh run list --limit 3", GREEN, 0, "passed"),
    ("gh run view 5 --log-failed 2>&1 | tail -9", "test\tRun tests\t2026-11-20T10:00:00Z boom", 0, "failed"),
    # words that a template or the project's own script shaped
    ("gh run view 123 --json conclusion --jq .conclusion", "success", 0, "passed"),
    ("gh pr checks 12 --json name,bucket --jq '.[] | [.name,.bucket] | @tsv'", "build\tpass\nlint\tpass", 0, "passed"),
    ("gh pr view 12 --json statusCheckRollup | jq -r '.statusCheckRollup[] | .name + \": \" + .conclusion'", "error pages: SUCCESS\ntest: FAILURE", 0, "failed"),
    ("gh run view 123 --json jobs --jq '.jobs | length'", "3", 0, "unknown"),
    ("az pipelines runs show --id 7 --query result -o tsv", "succeeded", 0, "passed"),
    ("gh pr view 3 --comments", "nice", 0, None),
])  # fmt: skip
def test_each_way_to_look_counts(tmp_path, command, output, code, outcome):
    looks = ledger_of(session(tmp_path).prompt("Go").bash(command, output, exit_code=code)).ci_looks
    assert [look.outcome for look in looks] == ([outcome] if outcome else [])
