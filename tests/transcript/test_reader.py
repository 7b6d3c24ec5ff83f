"""Reading a file: incrementally, whatever stands in it, and with the filter passing everything that matters."""

import json
import os
import random
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ace_reflect.errors import TranscriptError
from ace_reflect.transcript.reader import Cursor, TranscriptReader
from ace_reflect.transcript.records import AssistantText, Prompt, Record, ToolResult, ToolUse
from support.transcripts import TranscriptBuilder

A_SESSION = (
    TranscriptBuilder()
    .prompt("Fix the parser — naïve 🎉", ide_file="/p/a.py")
    .noise()
    .think("See [pat-001].")
    .edit("/p/a.py")
    .shell("ls", "a.py")
    .bash("pytest -q", "2 failed in 0.1s", exit_code=1)
    .queue("and the docs")
    .parallel([("Bash", {"command": "a"}, "A"), ("Bash", {"command": "b"}, "B")])
    .background("sleep 9")
    .task_notification()
    .read("/p/big.py", "x = 'ä'\n" * 2_000)
    .say("Done.")
    .compact()
    .prompt("Thanks")
    .interrupt()
)


def read(path: Path, cursor: Cursor | None = None, **options: Any) -> tuple[list[Record], Cursor]:
    reader = TranscriptReader(str(path), cursor, **options)
    return list(reader), reader.cursor


def grow(path: Path, data: bytes, cuts: list[int]) -> list[Record]:
    """The records of a file that is read each time it has grown to one of `cuts`."""
    records: list[Record] = []
    cursor = None
    for cut in [*sorted(cuts), len(data)]:
        path.write_bytes(b"") if not path.exists() else None
        with path.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            file.write(data[file.tell() : cut])
        found, cursor = read(path, cursor and Cursor.from_json(json.loads(json.dumps(cursor.to_json()))))
        records += found
    return records


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, len(A_SESSION.data())), max_size=8))
def test_reading_a_growing_file_in_pieces_gives_what_one_reading_gives(tmp_path: Path, cuts: list[int]) -> None:
    path = tmp_path / "grows.jsonl"
    path.unlink(missing_ok=True)
    whole = tmp_path / "whole.jsonl"
    whole.write_bytes(A_SESSION.data())

    assert grow(path, A_SESSION.data(), cuts) == read(whole)[0]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=600), seed=st.integers(0, 2**32))
def test_any_bytes_are_read_without_an_exception(tmp_path: Path, data: bytes, seed: int) -> None:
    """Random bytes, alone and put over a sound session's."""
    path = tmp_path / "odd.jsonl"
    path.write_bytes(data)
    read(path, final=True)
    chance = random.Random(seed)
    spoiled = bytearray(A_SESSION.data())
    for byte in data[:60]:
        spoiled[chance.randrange(len(spoiled))] = byte
    path.write_bytes(spoiled)
    read(path, final=True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = [
    "type", "message", "content", "uuid", "timestamp", "toolUseResult", "attachment", "origin", "permissionMode", "data",
    "operation", "subtype", "isMeta", "isSidechain", "tool_use_id", "is_error", "id", "name", "input", "text", "cwd",
    "compactMetadata", "structuredPatch", "prNumber", "prUrl", "stdout", "file", "kind", "prompt", "agentId", "task",
]  # fmt: skip


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=st.integers(0, len(A_SESSION.lines) - 1), key=st.sampled_from(KEYS), value=JSON)
def test_a_field_of_any_other_type_does_no_harm(tmp_path: Path, number: int, key: str, value: Any) -> None:
    """Every line keeps its form but for one field, wherever in it that stands."""
    line = json.loads(A_SESSION.lines[number])
    path = tmp_path / "odd.jsonl"
    path.write_text("\n".join(["", json.dumps(_replaced(line, key, value))]) + "\n")

    for whole in (False, True):
        read(path, final=True, whole=whole)


def _replaced(data: Any, key: str, value: Any) -> Any:
    if isinstance(data, dict):
        return {name: value if name == key else _replaced(item, key, value) for name, item in data.items()}
    return [_replaced(item, key, value) for item in data] if isinstance(data, list) else data


def test_a_line_that_is_still_being_written_waits_for_its_end(tmp_path: Path) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write()
    data = path.read_bytes()
    path.write_bytes(data[:-30])

    records, cursor = read(path)
    assert [type(r).__name__ for r in records] == ["Context", "PermissionMode", "Prompt"]
    assert cursor.line == 1

    path.write_bytes(data)
    records, cursor = read(path, cursor)
    assert [r.text for r in records if isinstance(r, AssistantText)] == ["two"]
    assert (cursor.line, cursor.offset) == (2, len(data))


def test_a_finished_files_last_line_needs_no_newline(tmp_path: Path) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write(newline=False)

    records, cursor = read(path, final=True)
    assert isinstance(records[-1], AssistantText)
    assert cursor.line == 2

    with path.open("ab") as file:  # the session goes on after all
        file.write(b"\n" + TranscriptBuilder().say("three").data())
    records, cursor = read(path, cursor)
    assert [(r.line, r.text) for r in records if isinstance(r, AssistantText)] == [(3, "three")]


def test_a_file_that_shrank_is_read_from_the_start(tmp_path: Path) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write()
    _, cursor = read(path)
    data = path.read_bytes()
    path.write_bytes(data.split(b"\n")[0] + b"\n")

    reader = TranscriptReader(str(path), cursor)
    assert reader.restarted
    assert any(isinstance(r, Prompt) for r in reader)


def test_a_file_that_was_replaced_is_read_from_the_start(tmp_path: Path) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write()
    _, cursor = read(path)
    other = TranscriptBuilder(tmp_path / "t.jsonl").prompt("uno").say("dos").say("tres").write()
    other.replace(path)

    reader = TranscriptReader(str(path), cursor)
    assert reader.restarted
    assert [r.text for r in reader if isinstance(r, AssistantText)] == ["dos", "tres"]


def test_a_file_that_was_rewritten_in_place_is_read_from_the_start(tmp_path: Path) -> None:
    """The same inode, longer than before, and another text."""
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").say("two").write()
    _, cursor = read(path)
    path.write_bytes(TranscriptBuilder().prompt("another beginning").say("b").say("c").data())

    assert TranscriptReader(str(path), cursor).restarted


def test_a_file_with_nothing_new_gives_nothing(tmp_path: Path) -> None:
    path = TranscriptBuilder(tmp_path / "s.jsonl").prompt("one").write()
    _, cursor = read(path)

    assert read(path, cursor)[0] == []


@pytest.mark.parametrize("path", ["missing.jsonl", "."])
def test_a_path_that_cannot_be_read_is_a_clear_error(tmp_path: Path, path: str) -> None:
    with pytest.raises(TranscriptError, match="cannot read the transcript"):
        list(TranscriptReader(str(tmp_path / path)))


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    turn = TranscriptBuilder().prompt("go").read("/a.py", "x = 1\n" * 3_000).bash("ls", "y" * 20_000).say("ok").data()
    path = tmp_path / "large.jsonl"
    with path.open("wb") as file:
        for _ in range(400):  # 40 MB
            file.write(turn)

    tracemalloc.start()
    count = sum(1 for _ in TranscriptReader(str(path)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count > 400
    assert peak < 4 << 20, f"{peak} bytes at {path.stat().st_size}"


def test_a_line_beyond_every_measure_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    sound = TranscriptBuilder().prompt("one").data()
    with path.open("wb") as file:
        file.write(sound + b'{"type":"user","x":"')
        for _ in range(40):
            file.write(b"A" * (1 << 20))
        file.write(b'"}\n' + TranscriptBuilder(session_id="b").say("two").data())

    reader = TranscriptReader(str(path))
    records = list(reader)

    assert isinstance(records[-1], AssistantText)
    assert records[-1].line == 3
    assert (reader.lines, reader.bad_lines) == (3, 1)


def same(lean: Record, whole: Record) -> bool:
    """Equal, but for the text of a large reading, which is cut after its beginning."""
    if lean == whole:
        return True
    if not isinstance(lean, ToolResult) or not isinstance(whole, ToolResult):
        return False
    return whole.text.startswith(lean.text) and lean == whole.replace(
        text=lean.text, details=lean.details, truncated=lean.truncated
    )


@pytest.mark.shared
def test_the_filter_loses_nothing_on_any_real_transcript(shared_dir: Path) -> None:
    paths = [*shared_dir.glob("transcripts/**/*.jsonl"), *shared_dir.glob("claude-code/samples/transcripts/*.jsonl")]
    assert len(paths) > 100

    for path in paths:
        quick = TranscriptReader(str(path), final=True, thoughts=True)
        whole = TranscriptReader(str(path), final=True, whole=True)
        pairs = list(zip(quick, whole, strict=True))
        assert all(same(lean, full) for lean, full in pairs), path.name
        assert (quick.bad_lines, quick.lines) == (whole.bad_lines, whole.lines), path.name


@pytest.mark.shared
def test_real_transcripts_read_in_pieces_give_what_one_reading_gives(shared_dir: Path, tmp_path: Path) -> None:
    chance = random.Random(7)
    for path in sorted(shared_dir.glob("transcripts/*.jsonl"))[::3]:
        data = path.read_bytes()
        copy = tmp_path / path.name
        cuts = sorted(chance.randrange(len(data)) for _ in range(12))

        pieces = grow(copy, data if data.endswith(b"\n") else data + b"\n", cuts)
        assert pieces == read(path, final=True)[0], path.name


def test_parallel_results_keep_the_order_of_the_file(tmp_path: Path) -> None:
    calls = [("Bash", {"command": "a"}, "A"), ("Bash", {"command": "b"}, "B")]
    records = TranscriptBuilder(tmp_path / "s.jsonl").parallel(calls).records()
    uses = [r.id for r in records if isinstance(r, ToolUse)]

    assert [(r.tool_use_id, r.text) for r in records if isinstance(r, ToolResult)] == [(uses[1], "B"), (uses[0], "A")]
