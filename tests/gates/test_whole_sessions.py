"""Whole sessions from transcript to verdict: the kinds of fault that earlier versions had."""

from collections.abc import Callable

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, Judgement, State
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PASSED, FAILED = "===== 3 passed in 0.10s =====", "===== 1 failed, 2 passed in 0.10s ====="
DIFF = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1 @@\n-a = 1\n+a = 3\n"
Steps = Callable[[TranscriptBuilder], object]


def judged(built: TranscriptBuilder) -> Judgement:
    return judge_stop(ledger_of(built), Project(), Settings())


def passing(built: TranscriptBuilder) -> TranscriptBuilder:
    return built.bash("pytest -q", PASSED)


#: What follows an edit of product code, in a session whose tests are certain.
SESSIONS: dict[tuple[State, EndState], tuple[Steps, ...]] = {
    (State.PROVEN, EndState.COMPLETE): (
        lambda b: passing(b).bash("rm scratch.py repro.py"),
        lambda b: passing(b).edit(f"{HOME}/README.md"),
        lambda b: passing(b).create(f"{HOME}/src/__init__.py", ""),
        lambda b: passing(b).edit(f"{HOME}/src/app.py", "a = 1\n", "\na = 1\n\n"),
        lambda b: passing(b).bash("ruff format . && ruff check .", "All checks passed!"),
        lambda b: passing(b).bash("git checkout -b fix && git commit -qam x"),
        lambda b: passing(b).bash("rm -rf /home/dev/project"),
        lambda b: b.bash("pytest -q 2>&1 | tail -5", PASSED),
        lambda b: b.bash("cd src && pytest ../tests -q", PASSED),
        lambda b: passing(b).bash("pytest -q -k slow", FAILED, exit_code=1),
        lambda b: passing(b).create(f"{HOME}/test_try.py").bash("python test_try.py", "AssertionError", exit_code=1),
        lambda b: b.shell("pytest -q", PASSED),
    ),
    # what was undone is no work, and nobody says proven
    (State.NOT_APPLICABLE, EndState.NOT_APPLICABLE): (
        lambda b: passing(b).bash("git checkout -- src/app.py"),
        lambda b: passing(b).bash("git stash"),
    ),
    # what cannot be seen never blocks: another tree, a hidden status, what the machine lacks, tests left out, a script
    (State.UNKNOWN, EndState.WAITING_FOR_USER): (
        lambda b: passing(b).bash("git pull", "Updating 1a2b3c4..5d6e7f8"),
        lambda b: b.bash("pytest -q > /tmp/out.txt 2>&1; tail -1 /tmp/out.txt", "done"),
        lambda b: b.bash("docker compose exec app pytest -q", "Cannot connect to the Docker daemon", exit_code=1),
        lambda b: b.bash("pytest -q --deselect tests/test_a.py", PASSED),
        lambda b: b.bash("git commit -qam x").bash("git revert --no-edit HEAD", "[main 1a2b3c4] Revert"),
        lambda b: b.call("Bash", {"command": "pytest -q"}).reject().edit(f"{HOME}/src/b.py"),
        lambda b: b.bash("bin/ci", "34 runs, 61 assertions, 0 failures, 0 errors, 0 skips\n✅ CI passed"),
        lambda b: b.create(f"{HOME}/try.py", "import app\n").bash("python try.py", "ok"),
    ),
    # no run there could have proven the work
    (State.DISPROVEN, EndState.INCOMPLETE): (
        lambda b: b,
        lambda b: b.bash("git status", "nothing to commit, working tree clean"),
        lambda b: b.bash("ruff check . && mypy src", "All checks passed!"),
        lambda b: b.bash("pytest -q", FAILED, exit_code=1),
        lambda b: passing(b).bash(f"git apply <<'EOF'\n{DIFF}EOF"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("state", "end", "steps"),
    [(*came, steps) for came, rows in SESSIONS.items() for steps in rows],
)
def test_what_followed_the_edit_decides(tmp_path, state, end, steps):
    built = passing(session(tmp_path).prompt("Fix the parser")).edit(f"{HOME}/src/app.py")
    steps(built)
    judgement = judged(built.say("Fixed."))
    verdict = judgement.verdict

    assert next(each.state for each in judgement.findings if each.gate == "tests") is state
    assert (verdict.end_state, verdict.complete) == (end, end is EndState.COMPLETE)
    assert (verdict.decision == "block") is (state is State.DISPROVEN)
    assert ("proven" in verdict.system_message) is (state is State.PROVEN)


@pytest.mark.parametrize("command", ["git mv tests/test_app.py tests/app_old.py", "mv tests/test_app.py /tmp/", "rm tests/test_app.py"])  # fmt: skip
def test_a_red_test_that_is_hidden_is_told_and_not_called_proven(tmp_path, command):
    built = session(tmp_path).prompt("Fix the parser").edit(f"{HOME}/src/app.py")
    built.bash("pytest -q", FAILED, exit_code=1).bash(command)
    verdict = judged(passing(built).say("Fixed.")).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)
    assert "taken out after it had failed" in verdict.system_message
