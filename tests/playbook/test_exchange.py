"""Import of every form and export; the starter playbook and its schema."""

import json
import re
from pathlib import Path

import pytest

from ace_reflect import format_playbook, paths
from ace_reflect.playbook import read
from ace_reflect.playbook.change import Memory, add_all
from ace_reflect.playbook.model import SECTIONS, empty_playbook
from ace_reflect.playbook.read import PlaybookUnreadable, read_any, read_playbook
from ace_reflect.playbook.render import render_sections, to_markdown
from ace_reflect.playbook.store import to_bytes
from support.playbooks import named, names, playbook, point

OFFICIAL = (Path(__file__).parents[1] / "fixtures" / "ace_paper_playbook.txt").read_text()


def test_the_papers_text_lines_are_read_into_our_sections_with_ids_that_can_be_cited():
    found = read.read_lines(OFFICIAL)["sections"]

    texts = [row["text"] for row in found["PATTERNS & APPROACHES"]]
    assert texts == ["Read the whole question first, then answer.", "a = b * c"]
    assert found["MISTAKES TO AVOID"] == [point("err-00003", "Rounding too early", 0, 2)]
    both = "Anything Some prose in between belongs to the last one."
    assert found["OTHERS"] == [point("misc-00004", both)]
    result, outcomes, memory = add_all(playbook(), read_any(OFFICIAL.encode()), Memory())
    assert names(result) == ["pat-001", "pat-002", "mis-001", "oth-001"]
    assert outcomes[0].why == "added to PATTERNS & APPROACHES; it was shr-00001 there"
    assert memory.numbers == {"pat": 2, "mis": 1, "oth": 1}


def test_the_exports_read_well(snapshot):
    hints = point("pat-001", "use type hints", 3, 1)
    book = playbook(hints, point("mis-001", "two\nlines"), point("oth-001", "y"))
    assert render_sections(book) == snapshot(name="lines")
    assert to_markdown(book) == snapshot(name="markdown")
    assert render_sections(playbook()) == to_markdown(playbook()) == ""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"key_points": ["a"]}, ["kpt_001"]),
        ({"key_points": [{"name": "kpt_003", "text": "a", "score": -2}]}, ["kpt_003"]),
        ({"sections": {"OTHERS": [point("oth-004", "a")]}}, ["oth-004"]),
        (["a", {"text": "b"}], ["kpt_001", "kpt_002"]),
    ],
)
def test_every_json_form_is_imported_and_what_had_a_flat_list_is_protected(data, expected):
    result, _, memory = add_all(playbook(), read_any(json.dumps(data).encode()), Memory())
    assert names(result) == expected
    assert memory.protected == {name for name in expected if name.startswith("kpt")}


BULLET = {"id": "a-1", "content": "Use tabs", "helpful": 2, "harmful": 1, "status": "active"}
GONE = {"id": "a-2", "content": "Old", "helpful": 9, "harmful": 0}


@pytest.mark.parametrize("theirs", [
    {"bullets": {"a-1": BULLET, "a-2": {**GONE, "status": "deprecated"}}, "sections": {"x": ["a-1", "a-2"]}, "next_id": 3},
    {"skills": {"a-1": {**BULLET, "section": "x"}}, "sections": {"x": ["a-1"]}},
    {"a-1": BULLET, "a-2": {**GONE, "archived": True}},
    {"a-1": {"text": "Use tabs", "votes": {"helpful": 2, "harmful": 1}}},
    [BULLET, {**GONE, "deprecated": True}],
    {"sections": {"STRATEGIES": [BULLET]}},
])  # fmt: skip
def test_the_file_of_another_ace_tool_gives_its_texts_and_votes_and_no_id(theirs):
    found = read_any(json.dumps(theirs).encode()).playbook
    rows = [row for rows in found["sections"].values() for row in rows]
    assert [(row["text"], row["helpful"], row["harmful"]) for row in rows] == [("Use tabs", 2, 1)]
    if "bullets" in theirs:
        with pytest.raises(
            PlaybookUnreadable, match="another tool's; `ace-reflect playbook import`"
        ):
            read_playbook(theirs)


def test_importing_twice_adds_nothing():
    book = playbook(point("pat-001", "one", 2), point("mis-001", "two"))
    incoming = read_playbook(playbook(point("pat-005", "One.", 7), point("mis-001", "three")))

    once, outcomes, memory = add_all(book, incoming, Memory())
    twice, again, _ = add_all(once, incoming, memory)

    assert names(once) == ["pat-001", "mis-001", "mis-002"]
    assert named(once, "pat-001")["helpful"] == 2
    assert [outcome.applied for outcome in outcomes] == [False, True]
    assert twice == once
    assert not any(outcome.applied for outcome in again)
    assert names(book) == ["pat-001", "mis-001"]


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (Memory(numbers={"pat": 5}), ["pat-010", "pat-009", "kpt_001"]),
        (Memory(floor=9000), ["pat-9001", "pat-9002", "oth-9001"]),
    ],
)
def test_numbers_once_used_and_those_of_the_other_playbook_are_not_given(memory, expected):
    incoming = playbook(point("pat-002", "a"), point("pat-009", "b"), point("kpt_001", "c"))
    assert names(add_all(playbook(), read_playbook(incoming), memory)[0]) == expected


@pytest.mark.parametrize("data", [b"", b"hello", b"\x00\xff", b"# only\n## headings\n", b"{", b"[1]", b"[", b"{}", b'{"a": 1}', b"[pat-001] no counters"])  # fmt: skip
def test_a_file_without_any_key_point_says_what_was_tried(data):
    with pytest.raises(PlaybookUnreadable):
        read_any(data)


GOOD = "[pat-001] helpful=1 harmful=0 :: Run the tests."


@pytest.mark.parametrize(
    "line",
    [
        "[pat-002] helpful=x harmful=0 :: bad",
        "[pat-002] helpful=1 :: no second counter",
        "[pat-002] :: no counters",
        "[pat-002] just a text",
        "- [mis-00003] helpful= harmful=0 :: no number",
        "[pat 002] helpful=1 harmful=0 :: a blank in the id",
        "[pat-002 helpful=1 harmful=0 :: no closing bracket",
        "pat-002] helpful=1 harmful=0 :: no opening bracket",
        "  [shr-00002] helpful=-1 harmful=0 :: below nothing",
        "[kpt_002] helpful: 1 harmful: 0 :: colons",
        "[pat-002] helpful=1 harmful=0 ::   ",
    ],
)
def test_a_line_that_is_meant_as_a_key_point_and_is_none_is_named_with_its_number(line):
    with pytest.raises(PlaybookUnreadable, match=r"^line 3 ") as error:
        read_any(f"\n{GOOD}\n{line}\n{GOOD.replace('001', '009')}\n".encode())
    assert error.value.line == 3


@pytest.mark.parametrize(
    "line",
    [
        "  and then the linter", "  [pat-002] says the same", "- [x] the linter, too", "[1] a note",
        "#12 tells why", "[issue-12](https://example.com/12) tells why",
        "helpful=1 is what a counter looks like",
    ],
)  # fmt: skip
def test_a_line_that_begins_nothing_goes_on_with_the_one_above(line):
    found = read_any(f"{GOOD}\n{line}\n".encode()).playbook
    (row,) = found["sections"]["OTHERS"]
    assert row["text"] == f"Run the tests. {line.strip()}"


def shipped(name: str) -> bytes:
    with open(f"{paths.data_dir('playbook')}/{name}", "rb") as file:
        return file.read()


def test_the_starter_is_in_the_written_form_and_puts_no_word_into_anybodys_session():
    data = shipped("playbook.json")
    assert data == to_bytes(empty_playbook())
    assert format_playbook(read.parse_playbook(data).playbook) == ""


def test_the_schema_describes_what_is_written():
    schema = json.loads(shipped("playbook.schema.json"))
    written = json.loads(to_bytes(playbook(point("pat-001"))))
    sections = schema["properties"]["sections"]
    key_point = schema["$defs"]["key_point"]

    assert tuple(sections["required"]) == tuple(sections["properties"]) == SECTIONS
    assert set(schema["required"]) <= set(written)
    assert re.search(schema["properties"]["version"]["pattern"], written["version"])
    assert key_point["required"] == list(point("pat-001"))
    assert set(written["sections"]) == set(SECTIONS)
