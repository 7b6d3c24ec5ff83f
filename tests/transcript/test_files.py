"""Where transcripts and their subagents lie."""

from pathlib import Path

import pytest

from ace_reflect.transcript.files import looks_like_transcript, session_files, subagent_files
from support.transcripts import TranscriptBuilder


def test_subagents_lie_in_the_sessions_folder(tmp_path: Path) -> None:
    main = TranscriptBuilder(tmp_path / "s.jsonl").prompt("x").write()
    second = TranscriptBuilder(agent_id="b").say("x").write_subagent(main)
    first = TranscriptBuilder(agent_id="a").say("x").write_subagent(main)
    (first.parent / "agent-a.meta.json").write_text("{}")
    assert subagent_files(str(main)) == [str(first), str(second)]
    assert subagent_files(str(tmp_path / "missing.jsonl")) == []


def test_a_folders_sessions_are_found_below_it_too(tmp_path: Path) -> None:
    main = TranscriptBuilder(tmp_path / "p" / "a.jsonl").prompt("x").write()
    TranscriptBuilder(agent_id="a").say("x").write_subagent(main)
    other = TranscriptBuilder(tmp_path / "b.jsonl").prompt("x").write()
    (tmp_path / "notes.md").write_text("x")
    assert session_files(str(tmp_path)) == [str(other), str(main)]
    assert session_files(str(tmp_path / "missing")) == []


@pytest.mark.parametrize(("data", "is_one"), [
    (TranscriptBuilder().prompt("x").data(), True), (b"# Notes\n", False),
    (b"", False), (b"\x00\x01\x02" * 50, False), (b'{"name": "x"}', False),
    (b'\n\n{"sessionId":"x"}', True),
    (b'{"type":"user","message":{"role":"user","content":"hi"}}', True),
    (b'{"type":"user","message":"hi"}', False),
    (b'[{"type":"user","message":{"role":"user"}}]', False),
])  # fmt: skip
def test_a_transcript_is_known_by_its_first_lines(tmp_path, data, is_one) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert looks_like_transcript(str(path)) is is_one
    assert not looks_like_transcript(str(tmp_path))
