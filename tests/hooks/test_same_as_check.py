"""The Stop hook, stop by stop on a transcript that grows, says what `check --every-stop` says of the whole."""

from pathlib import Path

import pytest

from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import Context, Prompt
from support.stops import DONE, FAILED, PASSED, Session, python_project

SHARED = Path(__file__).resolve().parents[3] / "shared" / "transcripts"

#: Recorded without this product: with blocks, a budget, several prompts, todos and subagents in them.
RECORDED = [
    pytest.param(path, marks=[pytest.mark.long] if number % 3 != 1 else [], id=path.stem)
    for number, path in enumerate(sorted(SHARED.glob("*.jsonl"))[::5])
]


def long_session(host):
    """Blocks, the last message, giving up, a question, a waiver, background work, proof, and prompts without work."""
    session = Session(python_project(host))
    session.prompt("Fix the parser").edit(f"{host.project}/src/app.py").say(DONE)
    session.feedback("No test has been run.").bash("pytest -q", FAILED, exit_code=1).say(DONE)
    session.feedback("The tests fail.").say("It is not mine.").feedback("Once more.").say("Still.")
    session.prompt("What does it do?").read(f"{host.project}/src/app.py").say("It parses.")
    session.prompt("Rename it").edit(f"{host.project}/src/lexer.py").say("Should I keep the alias?")
    session.prompt("no").bash("pytest -q", PASSED).say("All tests pass.")
    session.prompt("now the lexer, don't run the tests").edit(f"{host.project}/src/lexer.py")
    session.say("Renamed.").prompt("push it").bash("git push", "To o/r.git\n   1..2  main -> main")
    session.say("Pushed.").prompt("Add a cache").edit(f"{host.project}/src/cache.py")
    session.bash("pytest -q | tail -1", FAILED).say("All tests pass. Now I'll add the docs:")
    return session


def said_by_check(ace, transcript, project):
    result = ace("check", str(transcript), "--every-stop", "--json", "--project", str(project))
    return list(result.json["stops"])


def said_by_hooks(host, transcript, stops):
    """Each stop in a process of its own, with the lines that were there then; the verdicts as the records have them."""
    lines = transcript.read_bytes().splitlines(keepends=True)
    prompts = {
        record.line: record.text
        for record in TranscriptReader(str(transcript), final=True)
        if isinstance(record, Prompt) and record.kind == "human" and record.in_main_thread
    }
    found, before = [], 0
    for number, line in enumerate(stops):
        for place in range(before + 1, line + 1):
            if place in prompts:
                host.prompt(prompts[place])
        host.transcript().write_bytes(b"".join(lines[:line]))
        answered = host.hook("Stop", stop_hook_active=False, number=number)
        row = [each for each in host.log() if each["event"] == "Stop"][-1]
        found.append((row["decision"], row["end_state"], answered.json.get("reason", "")))
        before = line
    return found


def compared(host, ace, transcript):
    checked = said_by_check(ace, transcript, host.project)
    hooked = said_by_hooks(host, transcript, [stop["line"] for stop in checked])

    assert len(checked) > 0
    for stop, answer in zip(checked, hooked, strict=True):
        verdict = stop["verdict"]
        told = (verdict["decision"], verdict["end_state"], verdict["feedback"])
        if stop.get("in_mid_turn"):
            continue
        assert answer == told, stop["line"]


def test_a_session_of_every_kind_of_stop(host, ace, tmp_path):
    transcript = long_session(host).write(tmp_path / "whole.jsonl")

    compared(host, ace, transcript)

    states = {row["end_state"] for row in host.log() if row["event"] == "Stop"}
    assert {"incomplete", "gave_up", "waiting_for_user", "complete"} <= states


@pytest.mark.shared
@pytest.mark.parametrize("recorded", RECORDED)
def test_a_recorded_session(host, ace, recorded, tmp_path):
    cwd = next(
        (r.cwd for r in TranscriptReader(str(recorded)) if isinstance(r, Context) and r.cwd), None
    )
    whole = recorded.read_text()
    transcript = tmp_path / "whole.jsonl"
    transcript.write_text(whole.replace(cwd, str(host.project)) if cwd else whole)

    compared(host, ace, transcript)
