"""The Stop hook as Claude Code runs it: a growing transcript in, at most one JSON object out."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.facts import Ledger
from ace_reflect.hooks.last_answer import WAIT_S
from ace_reflect.state import sessions, stops
from ace_reflect.state.claims import stop_key
from ace_reflect.state.packed import packed, unpacked
from support.hooks import HOOKS, SCRIPTS, Host
from support.stops import DONE, FAILED, PASSED, Session, python_project


def test_unproven_work_is_blocked_and_proven_work_is_not(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()

    blocked = session.stop_hook()
    session.bash("pytest -q", PASSED)
    passed = session.stop_hook()

    assert blocked.json["decision"] == "block"
    assert "No test has been run since the code was edited" in blocked.json["reason"]
    assert set(blocked.json) == {"decision", "reason"}
    assert passed.json.get("decision") is None
    assert passed.json["systemMessage"].startswith("ace-reflect: done and proven")
    assert (blocked.code, passed.code, blocked.stderr, passed.stderr) == (0, 0, "", "")


def test_a_stop_with_nothing_new_is_silent_and_imports_nothing_heavy(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.stop_hook()

    again = host.hook("Stop", stop_hook_active=True)

    assert again.stdout == ""
    assert host.log()[-1]["decision"] == "nothing-new"


def test_after_a_block_an_answer_that_never_comes_lets_the_stop_stand(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    assert session.stop_hook().json["decision"] == "block"
    asks = {
        "last_assistant_message": "pytest is not installed here. Shall I install it?",
        "stop_hook_active": True,
    }

    host.hook("Stop", **asks)
    assert host.log()[-1]["decision"] == "transcript-behind"


def test_a_stop_that_stood_is_answered_once_also_one_after_the_other(host: Host) -> None:
    session = (
        Session(python_project(host))
        .ask("Fix the parser")
        .code()
        .bash("pytest -q", PASSED)
        .say(DONE)
    )
    session.write()
    same = {"last_assistant_message": DONE, "stop_hook_active": False}

    said = [host.hook("Stop", **same).json for _ in range(2)]

    assert said[0]["systemMessage"].startswith("ace-reflect: done and proven")
    assert said[1] == {}
    assert len([row for row in host.log() if row["event"] == "Stop"]) == 1


def test_the_same_stop_is_not_waited_for_twice(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.write()
    same = {"last_assistant_message": "The parser is fixed for good.", "stop_hook_active": True}

    host.hook("Stop", **same)
    started = time.monotonic()
    host.hook("Stop", **same)
    assert time.monotonic() - started < WAIT_S

    assert [row["decision"] for row in host.log() if row["event"] == "Stop"] == [
        "transcript-behind"
    ]


def test_a_doubled_registration_is_answered_once(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().say(DONE)
    session.write()
    data = json.dumps(
        host.payload("Stop", last_assistant_message=DONE, stop_hook_active=False)
    ).encode()

    def start() -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-I", str(HOOKS / SCRIPTS["Stop"])]
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=host.environment(),
            cwd=host.project,
        )

    both = [start(), start()]
    said = [process.communicate(data, timeout=60)[0] for process in both]

    assert sorted(bool(text) for text in said) == [False, True]


def test_the_budget_holds_over_processes(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    answers = []
    for number in range(5):
        answers.append(session.stop_hook(stop_hook_active=number > 0).json)
        session.code(f"src/{number}.py")

    assert [answer.get("decision") for answer in answers] == ["block", "block", "block", None, None]
    assert "Attempt 3 of 3" in answers[2]["reason"]
    assert "not done after 3 messages" in answers[3]["systemMessage"]


def test_what_was_given_up_is_told_once_and_not_at_every_later_stop(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    while session.stop_hook().json.get("decision") == "block":
        pass
    told = [row for row in host.log() if row.get("end_state") == "gave_up"]
    assert len(told) == 1

    for question, answer in (
        ("thanks", "You are welcome."),
        ("What is a slug?", "A name made for an address."),
    ):
        assert session.ask(question).stop_hook(answer).json == {}
    session.ask("Describe it in the README").edit(f"{host.project}/README.md")
    assert session.stop_hook("Described.").json == {}
    session.ask("commit it").bash("git commit -qam x", "[main abc1234] x\n 2 files changed")
    session.bash("git push", "To github.com:o/r.git\n   1..2  main -> fix\n")
    assert "left open" in session.stop_hook("Committed and pushed to the branch fix.").json.get(
        "systemMessage", ""
    )


def test_a_line_to_the_person_is_said_once_for_a_prompt(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)
    assert (
        session.stop_hook("Done, the tests pass.")
        .json["systemMessage"]
        .startswith("ace-reflect: done and proven")
    )

    session.bash("ls", "a.py")
    assert session.stop_hook("Done, as before; the tests pass.").json == {}
    session.ask("What did you change?").read(f"{host.project}/src/app.py")
    assert session.stop_hook("Only the parser.").json == {}


def test_a_new_prompt_has_a_new_budget_even_when_no_hook_announced_it(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    for number in range(2):
        session.stop_hook()
        session.code(f"src/{number}.py")
    session.ask("now the lexer", announced=False).code("src/lexer.py")

    assert "Attempt 1 of 3" in session.stop_hook().json["reason"]


def test_nothing_changed_brings_the_last_message_at_once(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()

    answers = [session.stop_hook("It is done.").json for _ in range(3)]

    assert [answer.get("decision") for answer in answers] == ["block", "block", None]
    assert "nothing has changed" in answers[1]["reason"]


def test_the_last_message_of_the_payload_goes_before_the_transcripts(host: Host) -> None:
    session = (
        Session(python_project(host))
        .ask("Fix the parser")
        .code()
        .bash("pytest -q", FAILED, exit_code=1)
    )

    answered = session.stop_hook("One test fails. Should I drop the old format or keep it?")

    assert answered.json.get("decision") is None


def test_background_tests_defer_and_a_dev_server_does_not(host: Host) -> None:
    def task(command: str) -> list[dict[str, str]]:
        return [
            {
                "id": "b1",
                "type": "shell",
                "status": "running",
                "description": "bg",
                "command": command,
            }
        ]

    session = Session(python_project(host)).ask("Fix the parser").code()

    deferred = session.stop_hook(background_tasks=task("pytest -q"))
    judged = session.stop_hook("Still done.", background_tasks=task("npm run dev"))

    assert deferred.json.get("decision") is None
    assert judged.json["decision"] == "block"


def test_plan_mode_is_silent(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()

    assert session.stop_hook(permission_mode="plan").stdout == ""


@pytest.mark.parametrize(
    ("name", "value"), [("ACE_REFLECT_CHILD", "1"), ("ACE_REFLECT_DISABLE", "1")]
)
def test_our_own_model_calls_and_a_switched_off_product_are_silent(
    host: Host, name: str, value: str
) -> None:
    host.environ[name] = value

    assert (
        Session(python_project(host)).ask("Fix it", announced=False).code().stop_hook().stdout == ""
    )


def test_a_subagents_stop_is_not_judged(host: Host) -> None:
    assert Session(python_project(host)).ask("Fix it").code().stop_hook(agent_id="a1").stdout == ""


def test_what_a_subagent_edited_and_ran_counts(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").agent("fix it", "Fixed.")
    helper = Session(host, agent_id="a1b2c3d").prompt("fix it").edit(f"{host.project}/src/app.py")
    session.write()
    helper.write_subagent(host.transcript())

    blocked = session.stop_hook()
    helper.bash("pytest -q", PASSED)
    helper.write_subagent(host.transcript())
    passed = session.stop_hook("Now it is tested.")

    assert "agent-a1b2c3d.jsonl" in blocked.json["reason"]
    assert passed.json.get("decision") is None


def test_what_each_stop_reads_adds_up(host: Host) -> None:
    """Damaged lines are counted once, and so is what a subagent did."""
    session = Session(python_project(host)).ask("Fix the parser").agent("fix it", "Fixed.")
    helper = Session(host, agent_id="a1b2c3d").prompt("fix it").edit(f"{host.project}/src/app.py")
    for command in ("ls", "pytest -q"):
        session.lines.append('{"type": ')
        session.write()
        helper.bash(command, PASSED).write_subagent(host.transcript())
        session.stop_hook()

    with host.state() as state:
        stored = sessions.load_ledger(state, host.session_id)
    assert stored is not None
    ledger = Ledger.from_json(unpacked(stored.ledger))

    assert (ledger.lines, ledger.bad_lines) == (len(session.lines), 2)
    assert len(ledger.edits) == 1


def test_a_transcript_that_was_replaced_is_read_from_its_start(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.stop_hook()
    host.transcript().unlink()
    other = Session(host).ask("Rename it").code()

    assert other.stop_hook().json["decision"] == "block"


def test_the_persons_words_switch_it_off(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.stop_hook()
    session.ask("skip gates")

    assert session.code("src/b.py").stop_hook().stdout == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "rename the Contoso account, skip gates",
        "Skip gates. The Contoso customer (“big one”) waits",
        "please skip gates: the demo for Contoso is at nine, and nobody at their office may see any of it before that",
    ],
)
def test_the_log_says_that_a_persons_words_switched_it_off_and_holds_none_of_them(
    host: Host, prompt: str
) -> None:
    Session(python_project(host)).ask(prompt).code().stop_hook()

    entry = host.log()[-1]
    assert (entry["end_state"], entry["why"]) == ("skipped", "the person said")
    assert "Contoso" not in (host.home / "log.jsonl").read_text()


def test_the_log_names_a_command_that_failed_last_by_no_word_of_it(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix the parser")
    session.bash("DEPLOY_TOKEN=hunter2hunter2 pytest -q", FAILED, exit_code=1).stop_hook(
        "The parser is fixed."
    )

    assert "hunter2" not in (host.home / "log.jsonl").read_text()


def test_a_reason_that_quotes_nothing_is_logged_as_it_is(host: Host) -> None:
    Session(python_project(host)).ask("What does the parser do?").stop_hook("It parses.")

    assert host.log()[-1]["why"] == "nothing to prove"


# -- artifacts


def _artifacts(host: Host) -> dict[str, Any]:
    folder = host.project / ".reflection"
    return (
        {path.name: json.loads(path.read_text()) for path in folder.glob("*.json")}
        if folder.is_dir()
        else {}
    )


def test_both_artifacts_are_written_redacted_and_private(host: Host) -> None:
    secret = "sk-ant-" + "a1B2" * 12
    session = Session(python_project(host)).ask(f"Fix the parser, the key is {secret}").code()
    session.stop_hook()

    found = _artifacts(host)
    verdict = found[f"verdict_{host.session_id}.json"]
    (record,) = (value for name, value in found.items() if not name.startswith("verdict_"))

    assert {"sessionId", "complete", "severity", "endState", "timestamp"} == set(verdict)
    assert (verdict["complete"], verdict["severity"], verdict["endState"]) == (
        False,
        "HIGH",
        "incomplete",
    )
    assert {
        "schema",
        "sessionId",
        "timestamp",
        "task",
        "assessment",
        "analysis",
        "crossReview",
        "routing",
        "attempt",
        "endState",
        "usage",
    } == set(record)
    assert record["attempt"] == 1
    assert secret not in json.dumps(found)
    assert (host.project / ".reflection" / ".gitignore").read_text().strip() == "*"
    assert {os.stat(path).st_mode & 0o777 for path in (host.project / ".reflection").iterdir()} == {
        0o600
    }


@pytest.mark.parametrize(
    ("pattern", "secret"),
    [
        (r"ACME-\d{6}", "ACME-123456"),
        ("(?i)project bluebird", "Project Bluebird"),
        (r"^ticket \d{4}|ticket \d+", "ticket 4711"),
    ],
)
def test_what_fits_the_persons_own_patterns_is_kept_nowhere(
    host: Host, pattern: str, secret: str
) -> None:
    told = host.root / "told"
    host.home.mkdir(parents=True, exist_ok=True)
    settings = {
        "redaction": {"patterns": [pattern]},
        "notify": {"command": f"cat > {told}.part && mv {told}.part {told}"},
    }
    (host.home / "reflection.yaml").write_text(json.dumps(settings))
    said = f"Done:\n{secret}\nAll tests pass, and `{secret}` too."

    Session(python_project(host)).ask(f"Fix this:\n{secret}\nin the parser").code(
        f"{secret}.py"
    ).stop_hook(said)
    host.wait_for_workers()

    with host.state() as state:
        kept = [row[0] for row in state.all("SELECT text FROM prompts")]
    assert "parser" in kept[0]
    assert told.exists()
    assert secret not in json.dumps([kept, _artifacts(host)]) + told.read_text()


def test_what_fits_no_pattern_of_the_persons_stays(host: Host) -> None:
    host.home.mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text(r"redaction: {patterns: ['ACME-\d{6}']}")
    Session(python_project(host)).ask("Fix ACME-12 in the parser").code().stop_hook()

    (record,) = (
        value for name, value in _artifacts(host).items() if not name.startswith("verdict_")
    )
    assert record["task"]["prompt"] == "Fix ACME-12 in the parser"


def test_the_record_of_a_long_session_has_the_last_facts_and_says_how_many_are_left_out(
    host: Host,
) -> None:
    session = Session(python_project(host)).ask("Rename it everywhere.").bash("pytest -q", PASSED)
    for number in range(60):
        session.code(f"src/module_{number}.py")
    session.stop_hook()

    (record,) = (
        value for name, value in _artifacts(host).items() if not name.startswith("verdict_")
    )
    assert record["analysis"]["left_out"] == {"edits": 10}
    facts = record["analysis"]["facts"]
    assert [edit["path"] for edit in facts["edits"]] == [
        f"{host.project}/src/module_{n}.py" for n in range(10, 60)
    ]
    assert len(facts["tests"]) == 1


def test_a_record_that_is_too_long_keeps_a_few_facts(host: Host) -> None:
    from ace_reflect.hooks.artifacts import write_artifacts

    facts = {
        "edits": [{"line": n, "path": f"{n}/" + "x" * 9_000} for n in range(50)],
        "interrupted": False,
    }
    verdict = {"complete": True, "severity": "NONE", "end_state": "complete"}
    write_artifacts(
        str(host.project), "s", {"task": {}, "facts": facts, "gates": [], "verdict": verdict}, {}
    )

    (record,) = (
        value for name, value in _artifacts(host).items() if not name.startswith("verdict_")
    )
    assert [edit["line"] for edit in record["analysis"]["facts"]["edits"]] == list(range(40, 50))


def test_no_folder_is_made_where_no_gate_ran(host: Host) -> None:
    Session(python_project(host)).ask("how does it work?").read("src/app.py").stop_hook(
        "It reads lines."
    )

    assert not (host.project / ".reflection").exists()


def test_a_new_prompt_marks_the_verdict_as_working(host: Host) -> None:
    Session(python_project(host)).ask("Fix it").code().bash("pytest -q", PASSED).stop_hook()
    host.prompt("now the next one")

    assert _artifacts(host)[f"verdict_{host.session_id}.json"]["endState"] == "working"


def test_records_are_rotated(host: Host) -> None:
    from ace_reflect.hooks.artifacts import KEPT, write_artifacts

    report = {
        "task": {},
        "facts": {},
        "gates": [],
        "verdict": {"complete": True, "severity": "NONE", "end_state": "complete"},
    }
    for number in range(KEPT + 5):
        (host.project / ".reflection").mkdir(exist_ok=True)
        (host.project / ".reflection" / f"s_{number}.json").write_text("{}")
    write_artifacts(str(host.project), "../../etc/passwd", report, {})

    names = [path.name for path in (host.project / ".reflection").glob("*.json")]
    assert len([name for name in names if not name.startswith("verdict_")]) == KEPT
    assert not (host.root / "etc").exists()


def test_a_folder_that_is_a_link_is_not_followed(host: Host, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (host.project / ".reflection").symlink_to(elsewhere)

    answered = Session(python_project(host)).ask("Fix it").code().stop_hook()

    assert answered.json["decision"] == "block"
    assert list(elsewhere.iterdir()) == []


def test_the_persons_own_command_gets_the_verdict(host: Host, tmp_path: Path) -> None:
    out = tmp_path / "verdict.json"
    (host.home).mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text(f"notify:\n  command: cat > {out}\n")
    Session(python_project(host)).ask("Fix it").code().stop_hook()
    host.wait_for_workers()

    assert json.loads(out.read_text())["decision"] == "block"


def test_the_second_entry_finds_the_decision(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code().say(DONE)
    session.write()
    data = json.dumps(host.payload("Stop", last_assistant_message=DONE)).encode()
    host.hook("Stop", raw=data)

    with host.state() as state:
        decision = stops.get(state, stop_key("Stop", data))
    assert decision is not None
    assert decision[:2] == ("block", False)


# -- configuration


def test_a_gate_can_be_switched_off_by_the_project(host: Host) -> None:
    (host.project / ".claude" / "reflection.yaml").write_text('gates: {tests: "off"}\n')

    assert (
        Session(python_project(host)).ask("Fix it").code().stop_hook().json.get("decision") is None
    )


def test_the_first_stop_after_a_change_follows_it(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code()
    first = session.stop_hook().json
    (host.project / ".claude" / "reflection.yaml").write_text("gates:\n  tests: warn\n")

    second = session.stop_hook("Really done.").json

    assert (first.get("decision"), second.get("decision")) == ("block", None)


# -- whatever comes


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b'{"session_id": 1}',
        b"\xff\xfe",
        b'{"session_id": "x", "transcript_path": "/nowhere"}',
        b'{"session_id":"x","transcript_path":"/"}',
        b'{"session_id":"\\u0000","transcript_path":"a\\u0000b"}',
    ],
)
def test_any_stdin_is_answered_with_silence(host: Host, raw: bytes) -> None:
    answered = host.hook("Stop", raw=raw)

    assert (answered.code, answered.stdout, answered.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"not json\n",
        b'{"type": "user"}\n',
        b"\x00" * 500,
        b'{"type":"user","message":{"content":[{"type":"text"}]}}\n' * 3,
        b"[1,2]\nnull\n3\n",
        b'{"type":"assistant","message":{"content":[{"type":"tool_use","id":1,"name":2,"input":3}]}}\n',
    ],
)
def test_any_transcript_is_answered_with_silence(host: Host, content: bytes) -> None:
    host.transcript().write_bytes(content)

    answered = host.hook("Stop", last_assistant_message=DONE, background_tasks="x")

    assert (answered.code, answered.stdout, answered.stderr) == (0, "", "")


def test_broken_lines_in_between_do_not_hide_the_rest(host: Host) -> None:
    session = (
        Session(python_project(host))
        .ask("Fix it")
        .raw("garbage")
        .code()
        .raw('{"type": "assistant", "mess')
    )

    assert session.stop_hook().json["decision"] == "block"


def test_a_folder_that_cannot_be_written_costs_nothing_but_the_record(host: Host) -> None:
    (host.project / ".reflection").write_text("a file")

    assert (
        Session(python_project(host)).ask("Fix it").code().stop_hook().json["decision"] == "block"
    )


def test_a_session_with_thousands_of_facts_is_kept_whole(host: Host) -> None:
    session = Session(python_project(host)).ask("Rename it everywhere.")
    for number in range(1_100):
        session.code(f"src/module_{number}.py")
    assert session.stop_hook().json["decision"] == "block"

    with closing(sqlite3.connect(host.home / "state.db")) as connection:
        (kept_as,) = connection.execute("SELECT ledger FROM ledgers").fetchone()
    kept = Ledger.from_json(unpacked(kept_as))
    assert [edit.path for edit in kept.edits] == [
        f"{host.project}/src/module_{number}.py" for number in range(1_100)
    ]

    session.bash("pytest -q", PASSED)
    assert session.stop_hook("Done, and the tests pass.").json.get("decision") != "block"


def test_a_broken_ledger_in_the_state_is_read_anew(host: Host) -> None:
    session = Session(python_project(host)).ask("Fix it").code()
    session.stop_hook()
    with host.state() as state:
        state.run("UPDATE ledgers SET ledger = x'00', builder = x'01'")

    assert session.stop_hook("Done again.").json["decision"] == "block"


@pytest.mark.parametrize("kept", ["by this program", "by an older one", "by one that told no form"])
def test_what_an_older_program_read_of_a_session_is_read_anew(host: Host, kept: str) -> None:
    """It may have found other facts in the same lines."""
    session = Session(python_project(host)).ask("Fix it").code()
    session.stop_hook()
    with host.state() as state:
        ((cursor,),) = state.all("SELECT cursor FROM ledgers")
        told = {
            **json.loads(cursor),
            "form": {"by this program": json.loads(cursor)["form"]}.get(kept, "0"),
        }
        if kept == "by one that told no form":
            del told["form"]
        state.run(
            "UPDATE ledgers SET cursor = ?, ledger = ?",
            (json.dumps(told), packed(Ledger().__dict__)),
        )

    again = session.stop_hook("Done again.").json

    with host.state() as state:
        ((raw,),) = state.all("SELECT ledger FROM ledgers")
    edits = [edit.path for edit in Ledger.from_json(unpacked(raw)).edits]
    if kept == "by this program":
        assert (edits, again.get("decision")) == ([], None)
    else:
        assert (edits, again["decision"]) == ([f"{host.project}/src/app.py"], "block")
        assert host.log()[-1]["attempt"] == 2


def test_without_a_state_there_is_no_block(host: Host) -> None:
    host.home.parent.mkdir(parents=True, exist_ok=True)
    host.home.write_text("a file where the home should be")

    answered = Session(python_project(host)).ask("Fix it", announced=False).code().stop_hook()

    assert (answered.code, answered.stdout) == (0, "")


def verdict_of(host: Host) -> dict[str, Any]:
    path = host.project / ".reflection" / f"verdict_{host.session_id}.json"
    return dict(json.loads(path.read_text()))


def test_after_a_turn_without_work_what_is_open_from_earlier_stands_in_the_verdict(
    host: Host,
) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.stop_hook()
    assert (verdict_of(host)["complete"], verdict_of(host)["endState"]) == (False, "incomplete")

    session.ask("What does it parse?")
    assert (verdict_of(host)["complete"], verdict_of(host)["endState"]) == (False, "working")
    session.stop_hook("Lines.")

    assert (verdict_of(host)["complete"], verdict_of(host)["endState"]) == (
        False,
        "open_from_earlier",
    )
    assert host.log()[-1]["end_state"] == "open_from_earlier"


def given_up(host: Host, name: str) -> list[str | None]:
    """A session of this name whose tests gate is given up; the decisions of its stops."""
    host.session_id = name
    session = Session(host).ask("Fix the parser").code()
    return [session.stop_hook("It is done.").json.get("decision") for _ in range(3)]


def test_a_gate_that_three_sessions_in_a_row_gave_up_is_a_note_in_that_project(host: Host) -> None:
    python_project(host)
    for name in ("one", "two", "three"):
        assert given_up(host, name) == ["block", "block", None]
    told = host.hook("SessionStart", source="startup", session_id="four").json
    again = host.hook("SessionStart", source="startup", session_id="five").json

    assert "the tests gate was given up in three sessions in a row" in told["systemMessage"]
    assert "three sessions" not in again.get("systemMessage", "")
    assert given_up(host, "four") == [None, None, None]

    (host.project / ".claude" / "reflection.yaml").write_text("gates: {tests: block}\n")
    assert given_up(host, "five")[0] == "block"


def test_a_session_that_did_not_give_it_up_breaks_the_row(host: Host) -> None:
    python_project(host)
    given_up(host, "one")
    given_up(host, "two")
    host.session_id = "proven"
    session = Session(host).ask("Fix the parser").code().bash("pytest -q", PASSED)
    session.stop_hook()

    assert given_up(host, "three")[0] == "block"
    assert given_up(host, "four")[0] == "block"


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
def test_what_ends_or_wakes_the_session_holds_a_stop_up(
    host: Host, listed: dict[str, Any], holds: bool
) -> None:
    session = Session(python_project(host)).ask("Fix the parser").code()

    answered = session.stop_hook(**listed)

    assert (answered.json.get("decision") == "block") is not holds
    assert host.log()[-1]["decision"] == ("defer" if holds else "block")
