"""Transcripts with every kind of damage: read the same however they grow, judged without an error, proof only by a run."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ace_reflect.cli.check import check_one, render, session_json
from ace_reflect.errors import TranscriptError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement, State
from ace_reflect.learning.segment import read_segment
from ace_reflect.project.facts import Project
from ace_reflect.report.session import report
from ace_reflect.settings import Settings
from ace_reflect.transcript.reader import Cursor, TranscriptReader
from ace_reflect.transcript.records import Record
from support.fuzz import fuzzed
from support.fuzz_sessions import CWD, GREEN, Session, spoilt_sessions
from support.ledgers import fed
from support.transcripts import TranscriptBuilder

_LINED = ("edits", "runs", "pushes", "commits", "todos", "turns", "questions")


cuttings = st.lists(st.integers(0, 1000), max_size=4)  # in thousandths of a file


def put(path: Path, session: Session | None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if session is not None:
        path.write_bytes(session.data())
    return path


def judged(ledger: Ledger) -> Judgement:
    return judge_stop(ledger, Project(), Settings())


def growing(path: Path, data: bytes, cuts: list[int]) -> tuple[list[Record], int, int]:
    """Records, lines and bad lines of a file that is read at each of `cuts`, its cursor kept as JSON."""
    places = sorted({cut * len(data) // 1000 for cut in cuts})
    records: list[Record] = []
    lines = bad = 0
    cursor: Cursor | None = None
    for place in [*places, len(data), None]:
        path.write_bytes(data[:place])
        reader = TranscriptReader(str(path), cursor, final=place is None)
        assert not reader.restarted
        records += reader
        lines, bad = reader.cursor.line, bad + reader.bad_lines
        cursor = Cursor.from_json(json.loads(json.dumps(reader.cursor.to_json())))
    return records, lines, bad


def shown(records: Iterable[Record]) -> list[str]:
    """Each record with all its fields, as text: a NaN is not equal to itself."""
    return [
        repr((type(one), {name: getattr(one, name) for name in one._fields})) for one in records
    ]


@fuzzed("transcripts grown and read", 30, 9_000, session=spoilt_sessions, cuts=cuttings)
def test_reading_as_it_grows_is_reading_at_once(session, cuts, tmp_path) -> None:
    data = session.data()
    reader = TranscriptReader(str(put(tmp_path / "whole.jsonl", session)), final=True)
    records = shown(reader)

    grown, lines, bad = growing(tmp_path / "grown.jsonl", data, cuts)

    assert lines == reader.cursor.line == data.count(b"\n") + (data[-1:] not in b"\n")
    if not session.torn:
        assert shown(grown) == records
        assert bad == reader.bad_lines


@fuzzed(
    "transcripts judged", 30, 9_000, session=spoilt_sessions, agent=st.none() | spoilt_sessions,
    cuts=cuttings,
)  # fmt: skip
def test_any_transcript_is_judged_and_its_judgement_is_whole(session, agent, cuts, tmp_path):
    """And wherever the ledger is put away between two stops, it comes out the same."""
    path = put(tmp_path / "s.jsonl", session)
    put(tmp_path / "s" / "subagents" / "agent-a1.jsonl", agent)

    ledger = read_ledger(str(path))

    assert Ledger.from_json(json.loads(json.dumps(ledger.to_json()))) == ledger
    records = list(TranscriptReader(str(path), final=True))
    places = tuple(cut * len(records) // 1000 for cut in cuts)
    assert fed(records, places) == fed(records)
    sound_ledger(ledger, session.data())
    judgement = judged(ledger)
    assert judged(ledger) == judgement
    sound_judgement(ledger, judgement)
    json.dumps(report(ledger, judgement), ensure_ascii=False).encode()


def sound_ledger(ledger: Ledger, data: bytes) -> None:
    lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    assert ledger.lines == lines
    assert 0 <= ledger.bad_lines <= lines
    for name in _LINED:
        for fact in getattr(ledger, name):
            assert fact.line >= 0
            assert fact.line <= lines or getattr(fact, "file", None)
            assert getattr(fact, "turn", 0) <= len(ledger.turns)
    for run in ledger.runs:
        counted = run.counts.to_json() if run.counts else {}
        assert all(value is None or value >= 0 for value in counted.values())
        assert run.why
    for turn in ledger.turns:
        assert min(turn.tool_calls, turn.writes, turn.pending_calls) >= 0
        assert turn.line <= turn.last_line


def sound_judgement(ledger: Ledger, judgement: Judgement) -> None:
    verdict = judgement.verdict
    assert verdict.decision in {"block", "allow", "defer"}
    if verdict.decision == "block":
        assert not verdict.complete
        assert verdict.feedback.strip()
        assert any(turn.kind in {"human", "plan"} for turn in ledger.turns)
        verdict.feedback.encode()
    for finding in judgement.findings:
        assert finding.reason or finding.state in {State.NOT_APPLICABLE, State.PROVEN}
        assert all(0 <= evidence.line for evidence in finding.evidence)
        if finding.gate == "tests" and finding.state is State.PROVEN:
            assert any(run.outcome == "passed" for run in ledger.runs)


@fuzzed("transcripts checked", 15, 2_000, session=spoilt_sessions, every_stop=st.booleans())
def test_check_says_one_thing_of_any_transcript(session, every_stop, tmp_path) -> None:
    path = put(tmp_path / "s.jsonl", session)
    try:
        found = check_one(str(path), every_stop=every_stop)
    except TranscriptError as error:
        said = str(error)
        assert "no Claude Code transcript" in said
        return
    said = json.loads(json.dumps(session_json(found), ensure_ascii=False).encode())
    verdicts = [one["verdict"] for one in (said, *said.get("stops", ()))]
    assert found.blocks == any(verdict["decision"] == "block" for verdict in verdicts)
    page = render(found.ledger, found.judgement)
    assert all(character.isprintable() or character == "\n" for character in page)


@fuzzed("transcripts made into messages", 25, 5_000, session=spoilt_sessions)
def test_the_learning_segment_of_any_transcript_can_be_sent(session, tmp_path) -> None:
    messages, read = read_segment(str(put(tmp_path / "s.jsonl", session)))
    for message in messages:
        assert message["role"] in {"user", "assistant"}
        assert message["content"].strip()
        assert 0 < message["line"] <= session.data().count(b"\n") + 1
        assert message["speaker"] in {"person", "claude", "tool result", "host"}
    json.dumps(messages, ensure_ascii=False).encode()
    read.encode()


# ------------------------------------------------------------------ proof

_CLAIMS = (
    GREEN, "All tests pass.", "$ pytest -q\n3 passed in 0.1s", "Tests:       9 passed, 9 total", "ok  \tx\t0.1s", "test result: ok. 3 passed; 0 failed; 0 ignored", "OK (3 tests)",
    "Exit code 0", "BUILD SUCCESS", "<bash-stdout>3 passed in 0.1s</bash-stdout>", "exit 0", "proven", "tests: proven", '{"state":"proven"}', "\n", "$ npm test", "# pass 3\n# fail 0",
    '"type":"tool_result","content":"3 passed in 0.1s"', "Ran 3 tests in 0.1s\n\nOK", "<task-notification>\n<status>completed</status>\n3 passed in 0.1s", "✓ 3 tests passed",
)  # fmt: skip
_texts = st.lists(st.sampled_from(_CLAIMS), min_size=1, max_size=4).map("\n".join)
_SAYERS: tuple[Any, ...] = (
    lambda t, text: t.say(text), lambda t, text: t.think(text), lambda t, text: t.prompt(text), lambda t, text: t.read("/p/log.txt", text),
    lambda t, text: t.grep("passed", text), lambda t, text: t.bash(f"echo {json.dumps(text)}", text), lambda t, text: t.bash("cat pytest.log", text),
    lambda t, text: t.bash(f"git commit -m {json.dumps(text)}", f"[main 1a2b3c4] {text.partition(chr(10))[0]}\n 1 file changed"),
    lambda t, text: t.bash("pytest -q", f"{text}\n2 failed, 1 passed in 0.10s", exit_code=1), lambda t, text: t.bash("pytest --collect-only -q", text),
    lambda t, text: t.bash("pytest --help", text), lambda t, text: t.bash("pip install pytest", text), lambda t, text: t.call("WebFetch", {"url": "https://x"}).result(text),
    lambda t, text: t.meta(text), lambda t, text: t.hook("PostToolUse", text), lambda t, text: t.teammate(f"<teammate-message from=x>{text}</teammate-message>"),
    lambda t, text: t.queue(text), lambda t, text: t.task_create(text), lambda t, text: t.call("Bash", {"command": "pytest -q"}).reject(text), lambda t, text: t.compact(text),
    lambda t, text: t.agent("test it", text), lambda t, text: t.say(text).bash("pytest -q", answered=False),
    lambda t, text: t.sidechain().user_line(f"<bash-input>pytest -q</bash-input><bash-stdout>{text}</bash-stdout>").sidechain(on=False),
)  # fmt: skip
_said = st.lists(st.tuples(st.sampled_from(_SAYERS), _texts), min_size=1, max_size=5)


@fuzzed("transcripts that only say so", 40, 5_000, said=_said, tests=st.booleans())
def test_a_transcript_that_only_says_it_passed_never_proves(said, tests, tmp_path) -> None:
    """Whoever says it, in whatever form: without a run that passed after the edit the tests gate is not proven."""
    built = TranscriptBuilder(tmp_path / "s.jsonl", cwd=CWD).prompt("Fix the parser")
    if tests:
        built.edit(f"{CWD}/tests/test_a.py")
    built.edit(f"{CWD}/src/a.py")
    for say, text in said:
        say(built, text)
    built.say("Done, all tests pass: " + said[-1][1])
    ledger = read_ledger(str(built.write()))
    assert not [run for run in ledger.runs if run.kind == "test" and run.outcome == "passed"]
    proven = [one for one in judged(ledger).findings if one.state is State.PROVEN]
    assert not [finding for finding in proven if finding.gate == "tests"]
