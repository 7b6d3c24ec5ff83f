"""What is said after a compaction: worked out beside PreCompact, said at SessionStart."""

import json
import subprocess
import sys

import pytest

from ace_reflect.hooks.pre_compact import TRIGGER
from ace_reflect.state import cache
from support.assessed import ask_cli_at, asked, run, say
from support.hooks import HOOKS, Host
from support.messages_api import MessagesApi
from support.stops import PASSED, Session, python_project


def middle(host: Host) -> Session:
    """A session in the middle of a turn."""
    session = (
        Session(python_project(host)).ask("Fix the parser so that empty lines are kept").code()
    )
    session.write()
    return session


def compact(host: Host, trigger: str = "auto") -> str:
    """PreCompact, time for the summary, SessionStart: what the model gets."""
    before = host.hook("PreCompact", trigger=trigger, custom_instructions=None)
    assert (before.code, before.stdout, before.stderr) == (0, "", "")
    host.wait_for_workers()
    return host.hook("SessionStart", source="compact").context


def test_by_rule_the_task_and_what_is_open_are_named(host: Host) -> None:
    middle(host)

    text = compact(host)

    assert text.startswith("The conversation was compacted in the middle of the task.")
    assert "The task: “Fix the parser so that empty lines are kept”." in text
    assert "no test has been run since the code was edited" in text


def test_a_gate_that_the_project_switched_off_is_not_open(host: Host) -> None:
    middle(host)
    (host.project / ".claude" / "reflection.yaml").write_text("gates: {tests: off}\n")

    text = compact(host)

    assert text.startswith("The conversation was compacted in the middle of the task.")
    assert "no test has been run" not in text


def test_after_a_manual_one_it_is_a_condition(host: Host) -> None:
    middle(host)

    assert compact(host, "manual").startswith(
        "The conversation was compacted by hand. If the task goes on,"
    )


def test_work_on_a_pull_request_is_named_by_its_number(host: Host) -> None:
    session = middle(host)
    session.bash(
        "gh pr comment 34 --body 'on it'", "https://github.com/a/b/pull/34#issuecomment-1"
    ).code().write()

    assert "PR #34 (`gh pr comment 34`)" in compact(host)


def test_a_finished_task_says_nothing_to_the_model_and_one_line_to_the_person(host: Host) -> None:
    middle(host).bash("pytest -q", PASSED).say("Done, the parser is fixed; 3 passed.").write()
    host.hook("PreCompact", trigger="manual", custom_instructions=None)
    host.wait_for_workers()

    answered = host.hook("SessionStart", source="compact")

    assert answered.context == ""
    assert answered.json["systemMessage"] == "The task was finished before the compaction."


def test_a_models_word_is_used_where_it_is_there_in_time(host: Host, api: MessagesApi) -> None:
    ask_cli_at(host, api, ACE_REFLECT_LEARNING_ON="session_end")
    work = "src/app.py is edited; the lexer comes next"
    say(api, {"action": "continue_task", "confidence": 0.9, "current_work": work})
    middle(host)

    text = compact(host)

    assert f"Where it stood: “{work}”." in text
    (prompt,) = asked(api)
    assert prompt.startswith("ACE-REFLECT ASSESSMENT of a compaction")
    assert "Fix the parser so that empty lines are kept" in prompt
    (row,) = [row for row in host.log() if row["event"] == "compaction"]
    assert (row["decision"], row["by"]) == ("continue_task", "model")


def test_a_model_that_is_late_leaves_the_word_to_the_rules(host: Host, api: MessagesApi) -> None:
    ask_cli_at(host, api, ACE_REFLECT_LEARNING_ON="session_end")
    say(api, {"action": "needs_clarification", "confidence": 0.9}, delay_s=4)
    middle(host)
    host.hook("PreCompact", trigger="auto", custom_instructions=None)
    give_up = 200
    while not api.requests and give_up:
        give_up -= 1
        subprocess.run(["sleep", "0.05"], check=True)

    text = host.hook("SessionStart", source="compact").context

    assert text.startswith("The conversation was compacted in the middle of the task.")
    host.wait_for_workers()


def test_without_any_word_in_time_the_plain_rule_holds(host: Host) -> None:
    middle(host)
    with host.state() as state:
        cache.put(state, TRIGGER, host.session_id, "", b"auto")

    answered = host.hook("SessionStart", source="compact")

    assert "Go on with it from where it stood" in answered.context


def test_a_note_of_the_last_compaction_is_not_said_after_the_next(host: Host) -> None:
    middle(host)
    compact(host)
    with host.state() as state:
        row = state.one("SELECT at FROM cache WHERE kind = 'compaction-trigger'")
        assert row is not None
        late = {
            "session": host.session_id,
            "transcript": str(host.transcript()),
            "project": str(host.project),
            "trigger": "auto",
            "begun": repr(row[0] - 10),
        }
        state.run("DELETE FROM cache WHERE kind = 'compaction-note'")
    code = (
        f"import sys; sys.path.insert(0, {str(HOOKS.parent / 'src')!r})\n"
        "from ace_reflect.hooks.compaction_note import main; sys.exit(main())"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        input=json.dumps(late).encode(),
        env=host.environment(),
        check=False,
        timeout=60,
    )

    assert done.returncode == 0
    with host.state() as state:
        assert state.one("SELECT 1 FROM cache WHERE kind = 'compaction-note'") is None
    assert host.log()[-1]["decision"] == "superseded"


@pytest.mark.parametrize("raw", [b"", b"{}", b"[]", b"\xff"])
def test_the_process_stands_any_input(host: Host, raw: bytes) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(HOOKS.parent / 'src')!r})\n"
        "from ace_reflect.hooks.compaction_note import main; sys.exit(main())"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-c", code],
        input=raw,
        env=host.environment(),
        check=False,
        timeout=60,
        capture_output=True,
    )

    assert (done.returncode, done.stderr) == (0, b"")


def test_secrets_in_the_task_are_not_repeated(host: Host) -> None:
    key = "ghp_" + "a1B2" * 9
    Session(python_project(host)).ask(f"Use {key} to fix the parser").code().write()

    assert key not in compact(host)


def test_nothing_heavy_is_loaded_where_no_model_is_needed(host: Host) -> None:
    host.environ["ACE_REFLECT_MODELS"] = "anthropic/claude-sonnet-4-5"
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.stop_hook()
    probe = (
        f"import sys, io, os; sys.path.insert(0, {str(HOOKS.parent / 'src')!r})\n"
        "before = set(sys.modules)\n"
        "from ace_reflect.hooks.assess import main, Pace\n"
        "main(sys.stdin.buffer, sys.stdout, os.environ, pace=Pace(decision_s=0.1))\n"
        "heavy = {'pydantic', 'yaml', 'anthropic', 'dataclasses', 'asyncio', 'subprocess', 'tree_sitter'}\n"
        "sys.exit(','.join(sorted(heavy & (set(sys.modules) - before))))"
    )
    data = json.dumps(
        host.payload("Stop", last_assistant_message="x", stop_hook_active=True)
    ).encode()

    done = subprocess.run(
        [sys.executable, "-I", "-c", probe],
        input=data,
        env=host.environment(),
        check=False,
        capture_output=True,
        timeout=60,
    )

    assert done.stderr.decode().strip() == ""
    assert run(host, "assess", b"{}").code == 0
