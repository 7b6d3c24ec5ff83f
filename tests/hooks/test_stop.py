"""The Stop hook as Claude Code runs it: a growing transcript in, at most one JSON object out."""

import threading
import time

import pytest

from ace_reflect.evidence.facts import Ledger
from ace_reflect.hooks.stop import WAIT_S
from ace_reflect.state import cache, sessions
from ace_reflect.state.cache import LEDGER, packed, unpacked
from support.faults import begun
from support.stops import DONE, FAILED, PASSED, Session, python_project


@pytest.fixture
def session(host):
    """Code that was edited and that no test has proved."""
    return Session(python_project(host)).ask("Fix the parser").code()


def decisions(host):
    return [row["decision"] for row in host.log() if row["event"] == "Stop"]


def kept_ledger(host):
    with host.state() as state:
        kept = cache.get(state, LEDGER, host.session_id)
    return Ledger.from_json(unpacked(kept))


def test_unproven_work_is_blocked_and_proven_work_is_not(session):
    blocked = session.stop_hook()
    session.bash("pytest -q", PASSED)
    passed = session.stop_hook()

    assert blocked.json["decision"] == "block"
    assert "No test has been run since the code was edited" in blocked.json["reason"]
    assert set(blocked.json) == {"decision", "reason"}
    assert list(passed.json) == ["systemMessage"]
    assert passed.json["systemMessage"].startswith("ace-reflect: proven")
    assert (blocked.code, passed.code, blocked.stderr, passed.stderr) == (0, 0, "", "")


# -- what the session itself does to our files


@pytest.mark.parametrize("text", ["gates: {tests: 'off'}", "enabled: false"])
def test_what_changes_the_settings_while_claude_is_at_work_waits_for_the_next_session(
    host, session, text
):
    path = host.project / ".claude" / "reflection.yaml"
    host.hook("UserPromptSubmit", prompt="Fix the parser")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)  # as a program that the session runs does, with no edit on record

    said = [session.stop_hook("Done."), session.stop_hook("Done, I said.")]
    said.append(session.ask("Go on").code("src/lexer.py").stop_hook("Still done."))

    told = "ace-reflect: the settings have changed while Claude was at work; those from before stay in force until this session ends"
    assert [answer.json.get("decision") for answer in said] == ["block"] * 3
    assert [answer.json.get("systemMessage") for answer in said] == [told, None, None]


@pytest.mark.parametrize("text", ["gates: {tests: 'off'}", "enabled: false"])
def test_what_a_person_changes_between_two_turns_counts_at_once(host, session, text):
    session.ask("Fix the parser, skip gates").code()
    assert "decision" not in session.stop_hook("Done.").json
    path = host.project / ".claude" / "reflection.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)

    assert session.ask("And the lexer").code("src/lexer.py").stop_hook("Done.").stdout == ""


def test_the_persons_skip_counts_and_claudes_own_does_not(host, session):
    host.prompt("Fix the parser")
    session.bash("ace-reflect skip", "The checks are off for session s.")
    said = [
        answered_after_skip(host, session),
        answered_after_skip(host, session.ask("Go on").code()),
    ]

    told = "ace-reflect: Claude has switched its own checks off; they are on again"
    assert [answer.json.get("decision") for answer in said] == ["block", None]
    assert [answer.json.get("systemMessage") for answer in said] == [told, None]


def answered_after_skip(host, session):
    with host.state() as state:
        sessions.skip(state, host.session_id)
    return session.stop_hook("Done.")


# -- one event, one answer


@pytest.mark.parametrize("apart_s", [0.06, 0.4])
def test_two_registrations_that_start_apart_block_once(apart_s, host, session):
    payload = host.payload("Stop", **session.stopping("Done."))
    first = begun(host, "stop.py", payload)
    time.sleep(apart_s)
    said = [each.communicate(timeout=60)[0] for each in (first, begun(host, "stop.py", payload))]
    assert [b"block" in each for each in said].count(True) == 1
    with host.state() as state:
        assert state.value("SELECT max(attempts) FROM prompts") == 1


def test_a_stop_that_stood_is_answered_once_and_one_with_nothing_new_is_silent(host, session):
    session.bash("pytest -q", PASSED).say(DONE).write()

    said = [host.hook("Stop", last_assistant_message=DONE).json for _ in range(2)]

    assert [list(answer) for answer in said] == [["systemMessage"], []]
    assert len(decisions(host)) == 1
    assert host.hook("Stop", stop_hook_active=True).stdout == ""
    assert decisions(host)[-1] == "nothing-new"


# -- the answer that the host stopped with


def test_an_answer_that_comes_late_is_waited_for(host, session):
    session.write()

    def late():
        time.sleep(0.5)
        session.bash("pytest -q", PASSED).say(DONE).write()

    writing = threading.Thread(target=late)
    writing.start()
    said = host.hook("Stop", last_assistant_message=DONE).json
    writing.join()

    assert said["systemMessage"].startswith("ace-reflect: proven")


def test_an_answer_that_never_comes_lets_the_stop_stand_and_is_waited_for_once(host, session):
    assert session.stop_hook().json["decision"] == "block"
    asks = {"last_assistant_message": "pytest is missing. Install it?", "stop_hook_active": True}

    host.hook("Stop", **asks)
    started = time.monotonic()
    host.hook("Stop", **asks)

    assert time.monotonic() - started < WAIT_S
    assert decisions(host) == ["block", "transcript-behind"]


def test_the_same_words_of_an_earlier_turn_are_not_the_answer(host, session):
    session.stop_hook(DONE)
    session.prompt("And the lexer?").bash("pytest -q", PASSED).write()

    assert host.hook("Stop", last_assistant_message=DONE).stdout == ""
    assert decisions(host)[-1] == "transcript-behind"


def test_a_transcript_that_ends_with_another_answer_is_judged_with_the_payloads(session):
    asks = "No test runs. Should I drop the old format or keep it?"
    session.say("It is done.")

    answered = session.stop_hook(None, last_assistant_message="Other words.")
    assert answered.json["decision"] == "block"
    session.bash("pytest -q", FAILED, exit_code=1)
    assert session.stop_hook(asks).json.get("decision") is None


# -- the budget


def test_the_budget_holds_over_processes_and_a_new_prompt_has_a_new_one(session):
    """Also where no hook announced the prompt."""

    def answers(count):
        for number in range(count):
            yield session.stop_hook(stop_hook_active=number > 0).json
            session.code(f"src/{number}.py")

    assert [answer["decision"] for answer in answers(2)] == ["block", "block"]
    session.ask("now the lexer", announced=False).code("src/lexer.py")
    said = list(answers(5))
    assert [answer.get("decision") for answer in said] == ["block", "block", "block", None, None]
    assert "Attempt 1 of 3" in said[0]["reason"]
    assert "Attempt 3 of 3" in said[2]["reason"]
    assert "not done after 3 messages" in said[3]["systemMessage"]


def given_up(host, name, *, proven=False):
    """A session of this name whose tests gate is given up, or proven; the decisions of its stops."""
    host.session_id = name
    session = Session(host).ask("Fix the parser").code()
    if proven:
        session.bash("pytest -q", PASSED)
    return [session.stop_hook("It is done.").json.get("decision") for _ in range(3)]


def test_a_gate_that_three_sessions_in_a_row_gave_up_is_a_note_in_that_project(host):
    python_project(host)
    for name in ("zero", "one", "two", "three", "four", "five"):
        proven = name == "two"  # which breaks the row
        assert given_up(host, name, proven=proven) == [None if proven else "block"] * 2 + [None]
    told = host.hook("SessionStart", source="startup", session_id="six").json
    again = host.hook("SessionStart", source="startup", session_id="seven").json

    assert "the tests gate was given up in three sessions in a row" in told["systemMessage"]
    assert "three sessions" not in again.get("systemMessage", "")
    assert given_up(host, "six") == [None, None, None]

    (host.project / ".claude" / "reflection.yaml").write_text("gates: {tests: block}\n")
    assert given_up(host, "seven")[0] == "block"


# -- where it is silent


@pytest.mark.parametrize(
    ("listed", "holds"),
    [
        ({"background_tasks": [{"id": "b", "type": "shell", "command": "pytest -q"}]}, True),
        ({"background_tasks": [{"id": "b", "type": "subagent", "description": "look"}]}, True),
        ({"background_tasks": [{"id": "b", "type": "teammate", "description": "worker"}]}, False),
        ({"background_tasks": [{"id": "b", "type": "mcp", "description": "db"}]}, False),
        ({"background_tasks": [{"id": "b", "type": "shell", "command": "vitest --watch"}]}, False),
        ({"background_tasks": [{"id": "b", "type": "shell", "command": "npm run dev"}]}, False),
        ({"session_crons": [{"id": "c", "recurring": False, "prompt": "check the run"}]}, True),
        ({"session_crons": [{"id": "c", "recurring": True, "prompt": "every hour"}]}, False),
        ({"session_crons": [], "background_tasks": []}, False),
    ],
)
def test_what_ends_or_wakes_the_session_holds_a_stop_up(session, listed, holds):
    answered = session.stop_hook(**listed)

    assert (answered.json.get("decision") == "block") is not holds
    assert decisions(session.host)[-1] == ("defer" if holds else "block")


@pytest.mark.parametrize("payload", [{"permission_mode": "plan"}, {"agent_id": "a1"}])
def test_plan_mode_and_a_subagents_stop_are_silent(session, payload):
    assert session.stop_hook(**payload).stdout == ""


@pytest.mark.parametrize(
    ("prompt", "state"),
    [
        ("rename the Contoso account, skip gates", "skipped"),
        ("Skip gates. The Contoso customer (“big one”) waits", "skipped"),
        ("Fix the Contoso parser", "incomplete"),
    ],
)
def test_the_log_holds_neither_a_persons_words_nor_a_command_that_failed_last(host, prompt, state):
    session = Session(python_project(host)).ask(prompt).code()
    session.bash("DEPLOY_TOKEN=hunter2hunter2 pytest -q", FAILED, exit_code=1)
    answered = session.stop_hook("The parser is fixed.")

    assert answered.json.get("decision") == ("block" if state == "incomplete" else None)
    assert host.log()[-1]["end_state"] == state
    assert (host.log()[-1].get("why") == "by the person's words") is (state == "skipped")
    log = (host.home / "log.jsonl").read_text()
    assert not [word for word in ("Contoso", "hunter2") if word in log]


# -- what is read


def test_what_a_subagent_edited_and_ran_counts_once(host):
    session = Session(python_project(host)).ask("Fix the parser").agent("fix it", "Fixed.")
    helper = Session(host, agent_id="a1b2c3d").prompt("fix it").edit(f"{host.project}/src/app.py")
    session.lines.append('{"type": ')
    session.write()
    helper.write_subagent(host.transcript())
    blocked = session.stop_hook()
    helper.bash("pytest -q", PASSED).write_subagent(host.transcript())
    session.lines.append('{"type": ')
    passed = session.stop_hook("Now it is tested.")

    assert "agent-a1b2c3d.jsonl" in blocked.json["reason"]
    assert passed.json.get("decision") is None
    ledger = kept_ledger(host)
    assert (ledger.lines, ledger.bad_lines) == (len(session.lines), 2)
    assert len(ledger.edits) == 1


@pytest.mark.parametrize("form", ["this program's", "0", None, "broken"])
def test_what_an_older_program_read_of_a_session_is_read_anew(form, host, session):
    """It may have found other facts in the same lines."""
    session.stop_hook()
    with host.state() as state:
        told = unpacked(cache.get(state, LEDGER, host.session_id)) | {"edits": [], "runs": []}
        told |= {} if form == "this program's" else {"form": form}
        kept = b"\0" if form == "broken" else packed(told)
        assert state.run("UPDATE cache SET value = ? WHERE kind = ?", (kept, LEDGER)) == 1

    again = session.stop_hook("Done again.").json

    edits = [edit.path for edit in kept_ledger(host).edits]
    if form == "this program's":
        assert (edits, again.get("decision")) == ([], None)
    else:
        assert (edits, again["decision"]) == ([f"{host.project}/src/app.py"], "block")
        assert host.log()[-1]["attempt"] == 2


@pytest.mark.parametrize("named_by", ["the host", "the transcript"])
def test_a_project_with_two_names_is_one_project(host, tmp_path, named_by):
    """/tmp/app and /private/tmp/app on macOS, a link anywhere; what stands beside it is none of it."""
    link = tmp_path / "by another name"
    link.symlink_to(python_project(host).project)
    session = Session(host).ask("Fix the parser")
    if named_by == "the host":
        host.environ["CLAUDE_PROJECT_DIR"] = str(link)
        session.code()
    else:
        session.cwd = str(link)
        session.lines.clear()  # the host has that name from its first line on
        session.prompt("Fix the parser").edit(f"{link}/src/app.py")

    assert session.stop_hook().json["decision"] == "block"
    assert (
        "ace-reflect: proven" in session.bash("pytest -q", PASSED).stop_hook().json["systemMessage"]
    )
    session.ask("Try it out").edit(f"{tmp_path}/other/trial.py")
    assert session.stop_hook("Tried.").json.get("decision") is None
