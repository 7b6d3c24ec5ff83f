"""Reading a file: incrementally, and whatever stands in it. (More of both: tests/fuzz/test_transcripts.py.)"""

import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.errors import TranscriptError
from ace_reflect.transcript.files import looks_like_transcript
from ace_reflect.transcript.reader import Cursor, TranscriptReader
from ace_reflect.transcript.records import AssistantText, Prompt, Record, ToolUse
from support.transcripts import TranscriptBuilder


def read(path: Path, cursor: Cursor | None = None, **options: Any) -> tuple[list[Record], Cursor]:
    reader = TranscriptReader(str(path), cursor, **options)
    return list(reader), reader.cursor


@pytest.mark.parametrize("cut", [1, 30])
def test_a_line_that_is_still_being_written_waits_for_its_end(tmp_path: Path, cut: int) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write(newline=False)
    data = path.read_bytes()
    path.write_bytes(data[:-cut])

    records, cursor = read(path)
    assert [type(r).__name__ for r in records] == ["Context", "Prompt"]
    assert cursor.line == 1

    path.write_bytes(data + b"\n")
    records, cursor = read(path, cursor)
    assert [r.text for r in records if isinstance(r, AssistantText)] == ["two"]
    assert (cursor.line, cursor.offset) == (2, len(data) + 1)


@pytest.mark.parametrize("final", [True, False])
def test_a_whole_last_line_needs_no_newline(tmp_path: Path, final: bool) -> None:
    """A stop is judged by the answer that stands there, though the host has not ended its line."""
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write(newline=False)

    records, cursor = read(path, final=final)
    assert isinstance(records[-1], AssistantText)
    assert cursor.line == 2

    with path.open("ab") as file:
        file.write(b"\n" + TranscriptBuilder(session_id="b").say("three").data())
    records, cursor = read(path, cursor)
    assert [(r.line, r.text) for r in records if isinstance(r, AssistantText)] == [(3, "three")]


def test_of_a_finished_files_cut_last_line_is_read_what_can_be_saved(tmp_path: Path) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").say("three")
    path = builder.write(newline=False)
    path.write_bytes(path.read_bytes()[:-30])
    reader = TranscriptReader(str(path), final=True)
    assert [r.text for r in reader if isinstance(r, AssistantText)] == ["two"]
    assert (reader.cursor.line, reader.bad_lines) == (3, 1)


@pytest.mark.parametrize("how", ["shorter", "replaced", "rewritten"])
def test_a_file_that_is_another_now_is_read_from_the_start(tmp_path: Path, how: str) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write()
    _, cursor = read(path)
    other = TranscriptBuilder(tmp_path / "t.jsonl").prompt("uno").say("dos").say("tres")
    if how == "shorter":
        path.write_bytes(path.read_bytes().split(b"\n")[0] + b"\n")
    elif how == "replaced":
        other.write().replace(path)
    else:  # the same inode, longer than before, and another text
        path.write_bytes(other.data())
    reader = TranscriptReader(str(path), cursor)
    assert reader.restarted
    first = "one" if how == "shorter" else "uno"
    assert [r.text for r in reader if isinstance(r, Prompt)] == [first]


@pytest.mark.parametrize("path", ["missing.jsonl", ".", "pipe", "a\x00b"])
def test_a_path_that_cannot_be_read_is_a_clear_error(tmp_path: Path, path: str) -> None:
    """A pipe is none: nobody may ever write into it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TranscriptError, match="cannot read the transcript"):
        TranscriptReader(f"{tmp_path}/{path}")
    assert not looks_like_transcript(f"{tmp_path}/{path}")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    turn = TranscriptBuilder().prompt("go").read("/a.py", "x = 1\n" * 3_000).say("ok")
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        for _ in range(400):  # 30 MB
            file.write(turn.data())

    tracemalloc.start()
    count = sum(1 for _ in TranscriptReader(str(path)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count > 400
    assert peak < 4 << 20, f"{peak} bytes at {path.stat().st_size}"


def damaged(tmp_path: Path, data: bytes) -> tuple[list[Record], int]:
    path = tmp_path / "s.jsonl"
    path.write_bytes(data)
    reader = TranscriptReader(str(path), final=True)
    return list(reader), reader.bad_lines


def said(records: list[Record]) -> list[str]:
    return [r.text for r in records if isinstance(r, AssistantText | Prompt)]


@pytest.mark.parametrize("cut", range(20, 440, 60))
def test_a_line_behind_one_that_was_cut_short_is_read(tmp_path: Path, cut: int) -> None:
    words = '"lost {"type":"user"} words" ' * 9
    first, second = TranscriptBuilder().say(words).say("second").data().splitlines()
    records, bad = damaged(tmp_path, first[:cut] + second + b"\n")
    assert (said(records), bad) == (["second"], 1)


MINE = TranscriptBuilder().prompt("mine").data()
BAD = [b'"massive error"', b"42", b"[1]", b"{", b"}{", b"\xff\xfe", b"null"]
HARMLESS = [b"", b"   ", b"\x00\x00\x00", b'{"silly":"this"}', b'{"type":["user"]}']
DEEP = b'{"type":"user","message":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"


@pytest.mark.parametrize(("data", "words", "bad"), [
    (MINE[:-1] + b'{"type":"summary","summary":"s","leafUuid":"x"}\n', "mine", 1),
    (b'{"type":"last-prompt","lastPrompt":"x' + MINE, "mine", 1),
    (b'{"parentUuid":null,"type":"progress","data":{"type":"hook' + MINE, "mine", 1),
    (b'{"type":"file-history-snapshot","messageId":"m"}' + MINE, "mine", 1),
    (b"\n".join([*BAD, *HARMLESS, b"\x00" + MINE]), "mine", len(BAD)), (DEEP + MINE, "mine", 1),
    (MINE.replace(b"mine", rb"a \ud83d b \ud83c\udf89 \uD83D" + b" \xff \x01c"), "a ? b 🎉 ? \ufffd \x01c", 0),
], ids=["second object", "glued", "glued to progress", "glued to whole", "odd", "deep", "no UTF-8"])  # fmt: skip
def test_what_a_damaged_line_says_is_read(tmp_path, data, words, bad) -> None:
    records, counted = damaged(tmp_path, data)
    assert (said(records), counted) == ([words], bad)


def test_a_message_that_quotes_transcript_lines_is_taken_as_text(tmp_path: Path) -> None:
    """Text from a transcript, in whatever layer, is never read as a line."""
    inner = TranscriptBuilder().prompt("do evil").bash("rm -rf /").data().decode()
    builder = TranscriptBuilder(tmp_path / "s.jsonl").prompt("show it")
    records = builder.bash("cat s.jsonl", inner).read("/s.jsonl", inner).say(inner).records()
    assert said(records) == ["show it", inner]
    assert [r.name for r in records if isinstance(r, ToolUse)] == ["Bash", "Read"]
