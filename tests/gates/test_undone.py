"""What the session itself took back: code that stands again as it stood when the tests passed, and scratch files."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import State
from ace_reflect.project.facts import Project, Scope
from ace_reflect.project.infer import infer_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
PAGE = f"{HOME}/src/page.py"
GOOD, BAD = "    if a < b:\n", "    if a <= b:\n"
PASSED = "===== 3 passed in 0.10s ====="
FAILED = "===== 1 failed, 2 passed in 0.10s ====="
DONE = "Fixed, and a test covers it."


@pytest.fixture
def fixed(tmp_path: Path) -> TranscriptBuilder:
    """A fix whose tests passed."""
    return session(tmp_path).prompt("Fix the last page").edit(PAGE, BAD, GOOD).bash("pytest -q", PASSED)


def state_of(built: TranscriptBuilder) -> State:
    ledger = ledger_of(built.say(DONE))
    judged = judge_stop(ledger, infer_project(ledger), Settings())
    return next(finding.state for finding in judged.findings if finding.gate == "tests")


def changes(ledger: Ledger) -> list[str]:
    return [edit.change for edit in ledger.edits]


# -- an edit and its reverse


def test_a_bug_put_in_to_see_the_test_fail_and_taken_out_leaves_what_was_proven(fixed: TranscriptBuilder) -> None:
    fixed.edit(PAGE, GOOD, BAD).bash("pytest -q", FAILED, exit_code=1).edit(PAGE, BAD, GOOD)

    assert state_of(fixed) is State.PROVEN


def test_a_print_put_into_another_file_and_taken_out_leaves_what_was_proven(fixed: TranscriptBuilder) -> None:
    main = f"{HOME}/src/main.py"
    fixed.edit(main, "run()\n", "print(1)\nrun()\n").bash("python -m app", "1").edit(
        main, "print(1)\nrun()\n", "run()\n"
    )

    assert state_of(fixed) is State.PROVEN


def test_a_bug_left_in_is_what_the_last_run_says(fixed: TranscriptBuilder) -> None:
    assert state_of(fixed.edit(PAGE, GOOD, BAD).bash("pytest -q", FAILED, exit_code=1)) is State.DISPROVEN


def test_another_edit_beside_the_reverse_is_still_unproven(fixed: TranscriptBuilder) -> None:
    fixed.edit(PAGE, GOOD, BAD).bash("pytest -q", FAILED, exit_code=1).edit(PAGE, BAD, GOOD)

    assert state_of(fixed.edit(f"{HOME}/src/other.py")) is State.DISPROVEN


def test_a_reverse_that_is_not_exact_is_an_edit(fixed: TranscriptBuilder) -> None:
    assert state_of(fixed.edit(PAGE, GOOD, BAD).edit(PAGE, BAD, "    if a < b - 1:\n")) is State.DISPROVEN


def test_the_fix_taken_back_after_the_run_is_no_debt_at_all(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Try it").bash("pytest -q", PASSED).edit(PAGE, BAD, GOOD).edit(PAGE, GOOD, BAD)

    assert state_of(built) is State.NOT_APPLICABLE


def test_what_the_person_changed_in_the_dialog_is_no_exact_edit(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Try it").call("Edit", {"file_path": PAGE, "old_string": BAD, "new_string": GOOD})
    built.result("updated", answer={"filePath": PAGE, "structuredPatch": [], "userModified": True})

    assert changes(ledger_of(built)) == [""]


def test_every_place_at_once_is_no_exact_edit(tmp_path: Path) -> None:
    call = {"file_path": PAGE, "old_string": BAD, "new_string": GOOD, "replace_all": True}
    built = session(tmp_path).prompt("Try it").call("Edit", call)
    built.result("updated", answer={"filePath": PAGE, "structuredPatch": []})

    assert changes(ledger_of(built)) == [""]


# -- put back by git


@pytest.mark.parametrize(
    "command",
    [
        "git checkout -- src/main.py",
        "git checkout src/main.py",
        "git restore src/main.py",
        "git checkout HEAD -- src/main.py",
        "cd src && git restore main.py",
    ],
)
def test_a_file_put_back_by_git_is_as_it_was(fixed: TranscriptBuilder, command: str) -> None:
    fixed.edit(f"{HOME}/src/main.py", "run()\n", "print(1)\nrun()\n").bash("python -m app", "1").bash(command)

    assert state_of(fixed) is State.PROVEN


@pytest.mark.parametrize("command", ["git checkout main -- src/main.py", "git restore --source=v1 src/main.py"])
def test_a_file_put_to_another_revision_is_an_edit(fixed: TranscriptBuilder, command: str) -> None:
    assert state_of(fixed.edit(f"{HOME}/src/main.py").bash(command)) is State.DISPROVEN


def test_git_takes_the_work_itself_back_too(fixed: TranscriptBuilder) -> None:
    fixed.edit(f"{HOME}/src/other.py").bash("git checkout src/page.py")

    assert state_of(fixed) is State.DISPROVEN


@pytest.mark.parametrize("command", ["git checkout .", "git reset --hard", "git reset --hard HEAD", "git restore ."])
def test_all_that_was_tried_is_gone_after_a_reset(tmp_path: Path, command: str) -> None:
    built = session(tmp_path).prompt("Inline the cache").bash("pytest -q", PASSED).edit(PAGE, BAD, GOOD)
    built.bash("pytest -q", FAILED, exit_code=1).bash(command)

    assert state_of(built) is State.NOT_APPLICABLE


def test_what_was_committed_stands_after_a_reset(fixed: TranscriptBuilder) -> None:
    fixed.edit(f"{HOME}/src/b.py").bash("git commit -am b", "[main 1a2b3c4] b\n 1 file changed").edit(
        f"{HOME}/src/c.py"
    )

    assert state_of(fixed.bash("git checkout .")) is State.DISPROVEN


# -- a test that was loosened for a while

TESTS = f"{HOME}/tests/test_page.py"


@pytest.mark.parametrize(
    ("whole", "loose", "back"),
    [
        # put back in other words than the edit's own reverse
        ("def test_last():", "@pytest.mark.skip\ndef test_last():", ("@pytest.mark.skip\n", "")),
        ("    assert last() == 3\n", "", ("def test_last():\n", "def test_last():\n    assert last() == 3\n")),
        ("  it('last', () => {", "  it.skip('last', () => {", ("it.skip('last', () => {", "it('last', () => {")),
    ],
)
def test_a_test_that_is_whole_again_was_not_loosened(
    fixed: TranscriptBuilder, whole: str, loose: str, back: tuple[str, str]
) -> None:
    fixed.edit(TESTS, whole, loose).bash("pytest -q", PASSED)
    assert state_of(fixed) is State.UNKNOWN

    assert state_of(fixed.edit(TESTS, *back).bash("pytest -q", PASSED)) is State.PROVEN


def test_another_test_that_is_made_whole_leaves_this_one_loosened(fixed: TranscriptBuilder) -> None:
    fixed.edit(TESTS, "    assert last() == 3\n", "").edit(TESTS, "x\n", "x\n    assert first() == 1\n")

    assert state_of(fixed.bash("pytest -q", PASSED)) is State.UNKNOWN


@pytest.mark.parametrize(
    ("commands", "state"),
    [
        (["git checkout tests/test_page.py"], State.PROVEN),
        (["git restore ."], State.PROVEN),
        (["git commit -am x", "git checkout tests/test_page.py"], State.UNKNOWN),  # it is in the commit
        (["git checkout tests/test_other.py"], State.UNKNOWN),
        (["git stash", "git stash pop"], State.UNKNOWN),
    ],
)
def test_a_loosened_test_that_git_put_back(fixed: TranscriptBuilder, commands: list[str], state: State) -> None:
    fixed.edit(TESTS, "    assert last() == 3\n", "").bash("pytest -q", PASSED)
    for command in commands:
        fixed.bash(command, "[main 1a2b3c4] x\n 1 file changed" if "commit" in command else "")

    assert state_of(fixed.edit(PAGE, GOOD, BAD).bash("pytest -q", PASSED)) is state


# -- and the build


def build_of(built: TranscriptBuilder, *, manifest: str, language: str) -> State:
    ledger = ledger_of(built.say("Taken back."))
    scope = Scope(
        dir="", manifests=(manifest,), languages=(language,), build_command="make", has_build=True, has_tests=True
    )
    judged = judge_stop(ledger, Project(present=True, root=HOME, scopes=(scope,)), Settings())
    return next(finding.state for finding in judged.findings if finding.gate == "build")


@pytest.mark.parametrize(
    ("path", "manifest", "language", "command", "output"),
    [
        ("src/main.rs", "Cargo.toml", "rust", "cargo test", "test result: ok. 3 passed; 0 failed; 0 ignored"),
        ("src/page.ts", "package.json", "typescript", "npx tsc --noEmit", ""),
    ],
)
@pytest.mark.parametrize("taken_back", ["git checkout -- {}", "git restore {}", "git stash", ""])
def test_code_that_stands_as_it_was_compiled_asks_for_no_build(
    tmp_path: Path, path: str, manifest: str, language: str, command: str, output: str, taken_back: str
) -> None:
    first, then = f"{HOME}/src/other.{path.rpartition('.')[2]}", f"{HOME}/{path}"
    built = session(tmp_path).prompt("Fix it").edit(first, BAD, GOOD).bash(command, output)
    built.bash("git commit -am a", "[main 1a2b3c4] a\n 1 file changed").say("Fixed.").prompt("And this")
    built.edit(then, "a\n", "b\n").say("Done.").prompt("No, take that back")
    if taken_back:
        built.bash(taken_back.format(path))
    else:
        built.edit(then, "b\n", "a\n")

    assert build_of(built, manifest=manifest, language=language) is not State.DISPROVEN
    assert build_of(built.edit(then, "a\n", "c\n"), manifest=manifest, language=language) is State.DISPROVEN


def test_what_was_never_compiled_is_asked_for_though_something_else_was_taken_back(tmp_path: Path) -> None:
    built = (
        session(tmp_path).prompt("Fix it").edit(f"{HOME}/src/a.rs", BAD, GOOD).edit(f"{HOME}/src/b.rs", "a\n", "b\n")
    )

    assert build_of(built.bash("git checkout src/b.rs"), manifest="Cargo.toml", language="rust") is State.DISPROVEN


# -- made and removed


@pytest.mark.parametrize(
    "removal", ["rm try_it.py", "python try_it.py; rm -f try_it.py", "git status; unlink try_it.py"]
)
def test_a_scratch_script_that_was_made_and_removed_is_no_edit_of_the_work(
    fixed: TranscriptBuilder, removal: str
) -> None:
    assert state_of(fixed.create(f"{HOME}/try_it.py").bash("python try_it.py", "3").bash(removal)) is State.PROVEN


def test_a_scratch_script_of_the_shell_is_none_either(fixed: TranscriptBuilder) -> None:
    fixed.bash("cat > try_it.py <<'EOF'\nprint(1)\nEOF\npython try_it.py", "1").bash("rm try_it.py")

    assert state_of(fixed) is State.PROVEN


def test_a_folder_of_scratch_that_was_removed_is_none_either(fixed: TranscriptBuilder) -> None:
    fixed.create(f"{HOME}/repro/main.py").create(f"{HOME}/repro/b.py").bash("rm -rf repro/")

    assert state_of(fixed) is State.PROVEN


def test_a_file_that_was_there_before_and_is_removed_is_an_edit(fixed: TranscriptBuilder) -> None:
    assert state_of(fixed.bash("rm src/legacy.py")) is State.DISPROVEN


def test_a_file_that_was_edited_and_then_removed_is_an_edit(fixed: TranscriptBuilder) -> None:
    assert state_of(fixed.edit(f"{HOME}/src/legacy.py").bash("rm src/legacy.py")) is State.DISPROVEN


def test_a_scratch_script_made_again_after_it_was_removed_is_an_edit(fixed: TranscriptBuilder) -> None:
    fixed.create(f"{HOME}/src/try_it.py").bash("rm src/try_it.py").create(f"{HOME}/src/try_it.py")

    assert state_of(fixed) is State.DISPROVEN


# -- put aside, and brought back

PUSHED = "To github.com:acme/app.git\n   1a2b3c4..5d6e7f8  fix/x -> fix/x"
GREEN = "test\tpass\t1m\thttps://github.com/acme/app/actions/runs/1"


@pytest.mark.parametrize(
    ("before_the_push", "state"),
    [
        ("git stash -u && git switch -c hotfix main", State.DISPROVEN),  # another branch's CI
        ("git stash && git pull --rebase && git stash pop", State.PROVEN),
        ("git commit -qam Fix && git status", State.PROVEN),
    ],
)
def test_green_ci_is_of_what_was_in_the_checkout_when_it_was_pushed(
    fixed: TranscriptBuilder, before_the_push: str, state: State
) -> None:
    fixed.edit(PAGE, "x = 1\n", "x = 2\n").bash(before_the_push).bash("git push", PUSHED).bash("gh pr checks", GREEN)
    if state is State.DISPROVEN:
        fixed.bash("git switch - && git stash pop")

    assert state_of(fixed.bash("git commit -am Next", "[main 1a2b3c4] Next\n 1 file changed")) is state


@pytest.mark.parametrize("stash", ["git stash", "git stash push -m attempt", "git stash -u", "git stash save attempt"])
def test_an_attempt_that_was_put_aside_is_not_asked_for(fixed: TranscriptBuilder, stash: str) -> None:
    fixed.edit(PAGE, "x = 1\n", "x = 2\n").bash("pytest -q", FAILED, exit_code=1).bash(stash, "Saved working directory")

    assert state_of(fixed) is State.NOT_APPLICABLE


def test_an_attempt_put_aside_is_not_shipped_with_the_next_prompts_commit(fixed: TranscriptBuilder) -> None:
    fixed.edit(PAGE, "x = 1\n", "x = 2\n").bash("pytest -q", FAILED, exit_code=1).bash("git stash").say(
        "It fails; stashed."
    )
    fixed.prompt("Mend the README and commit").edit(f"{HOME}/README.md").bash("git commit -am x", "[main 1234567] x")

    assert state_of(fixed) is State.NOT_APPLICABLE


@pytest.mark.parametrize("stash", ["git stash push src/other.py", "git stash --keep-index", "git stash list"])
def test_what_is_not_put_aside_whole_is_still_there(fixed: TranscriptBuilder, stash: str) -> None:
    fixed.edit(PAGE, "x = 1\n", "x = 2\n").bash("pytest -q", FAILED, exit_code=1).bash(stash)

    assert state_of(fixed) is State.DISPROVEN


@pytest.mark.parametrize("back", ["git stash pop", "git stash apply"])
def test_what_is_brought_back_stands_as_it_stood(tmp_path: Path, back: str) -> None:
    red = session(tmp_path).prompt("Fix the last page").edit(PAGE).bash("pytest -q", FAILED, exit_code=1)
    red.bash("git stash").say("Put aside.").prompt("Bring it back").bash(back)

    assert state_of(red) is State.DISPROVEN


def test_what_passed_before_it_was_put_aside_is_proven_when_it_is_back(fixed: TranscriptBuilder) -> None:
    fixed.bash("git stash").bash("pytest -q", FAILED, exit_code=1).bash("git stash pop")

    assert state_of(fixed) is State.PROVEN


def test_work_committed_before_a_stash_is_not_put_aside(fixed: TranscriptBuilder) -> None:
    fixed.edit(PAGE, "x = 1\n", "x = 2\n").bash("git commit -am x", "[main 1234567] x").edit(f"{HOME}/src/b.py").bash(
        "git stash"
    )

    assert state_of(fixed) is State.DISPROVEN


def test_work_begun_anew_on_the_clean_tree_counts(fixed: TranscriptBuilder) -> None:
    assert state_of(fixed.bash("git stash").edit(f"{HOME}/src/b.py")) is State.DISPROVEN


@pytest.mark.parametrize("command", ["git checkout .", "git reset --hard"])
def test_what_was_committed_is_proven_as_it_was_when_only_a_trial_is_gone(
    fixed: TranscriptBuilder, command: str
) -> None:
    fixed.bash("git commit -am fix", "[main 1a2b3c4] fix\n 1 file changed").edit(f"{HOME}/src/b.py")

    assert state_of(fixed.bash(command)) is State.PROVEN


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("git checkout -- src/schema.py", State.PROVEN),  # what a generator wrote anew
        ("git restore src/schema.py", State.PROVEN),
        ("git checkout v1 -- src/schema.py", State.DISPROVEN),
    ],
)
def test_a_file_that_the_session_never_edited_is_put_back_and_no_edit(
    fixed: TranscriptBuilder, command: str, state: State
) -> None:
    assert state_of(fixed.bash(command)) is state
