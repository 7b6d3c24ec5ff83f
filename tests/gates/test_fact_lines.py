"""The ledger's facts in the words that a model is shown."""

from ace_reflect.evidence.facts import CiLook, CommandKind, Ledger, Outcome, PullRequest, Push, Run
from ace_reflect.gates.fact_lines import run_line, shipped_lines

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def told(**facts) -> list[tuple[int, str]]:
    return [(fact.line, text) for fact, text in shipped_lines(Ledger(**facts))]


def run(**more) -> Run:
    return Run(line=3, turn=1, command="pytest -q", kind=CommandKind.TEST, runner="pytest", why="exit 0", outcome=PASSED, **more)  # fmt: skip


def test_a_run_is_its_command_and_what_decided():
    assert run_line(run(quote="3 passed in 0.1s")) == "`pytest -q` passed: 3 passed in 0.1s"
    assert run_line(run()) == "`pytest -q` passed: exit 0"


def test_a_push_says_where_to_and_whether_that_is_the_default_branch():
    pushes = (
        Push(line=1, turn=1, command="git push", outcome=PASSED, branch="fix"),
        Push(line=2, turn=1, command="git push", outcome=FAILED, branch="main", to_default=True),
        Push(line=3, turn=1, command="git push --tags", outcome=PASSED, tag="v1.2"),
        Push(line=4, turn=1, command="git push", outcome=PASSED),
    )
    assert told(pushes=pushes) == [
        (1, "push to fix: passed"),
        (2, "push to main (the default branch): failed"),
        (3, "push to v1.2: passed"),
        (4, "push to an unknown branch: passed"),
    ]


def test_a_pull_request_and_a_look_at_ci_say_what_they_came_to():
    facts = {
        "pull_requests": (PullRequest(line=1, turn=1, outcome=PASSED, url="https://example.com/pr/1"),),
        "ci_looks": (
            CiLook(line=2, turn=1, command="gh pr checks", outcome="failed", quote="lint fail"),
            CiLook(line=3, turn=1, command="gh pr checks", outcome="unknown"),
        ),
    }
    assert told(**facts) == [
        (1, "pull request: passed https://example.com/pr/1"),
        (2, "a look at CI: failed lint fail"),
        (3, "a look at CI: unknown"),
    ]
