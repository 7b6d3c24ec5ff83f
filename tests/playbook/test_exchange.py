import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.playbook.exchange import add_all, read_any, read_lines, to_lines, to_markdown
from ace_reflect.playbook.outcome import Memory
from ace_reflect.playbook.read import PlaybookNewer, PlaybookUnreadable, read_playbook
from support.playbooks import named, names, playbook, point

OFFICIAL = """## STRATEGIES & INSIGHTS
[shr-00001] helpful=5 harmful=0 :: Read the whole question
first, then answer.

## FORMULAS & CALCULATIONS
[cal-00002] helpful=1 harmful=1 :: a = b * c

## COMMON MISTAKES TO AVOID
[err-00003] helpful=0 harmful=2 :: Rounding too early

## OTHERS
- [misc-00004] helpful=0 harmful=0 :: Anything
Some prose in between belongs to the last one.
# CONTEXT CLUES & INDICATORS
"""


def test_the_papers_text_lines_are_read_into_our_sections():
    found = read_lines(OFFICIAL)["sections"]

    assert [row["text"] for row in found["PATTERNS & APPROACHES"]] == [
        "Read the whole question first, then answer.",
        "a = b * c",
    ]
    assert found["MISTAKES TO AVOID"] == [point("err-00003", "Rounding too early", 0, 2)]
    assert found["OTHERS"] == [
        point("misc-00004", "Anything Some prose in between belongs to the last one.")
    ]


def test_ids_that_cannot_be_cited_are_replaced_and_others_kept():
    result, outcomes, memory = add_all(playbook(), read_any(OFFICIAL.encode()), Memory())

    assert names(result) == ["pat-001", "pat-002", "mis-001", "oth-001"]
    assert outcomes[0].why == "added to PATTERNS & APPROACHES; it was shr-00001 there"
    assert memory.numbers == {"pat": 2, "mis": 1, "oth": 1}


def test_what_is_exported_as_lines_is_imported_as_it_was():
    book = playbook(
        point("pat-002", "use type hints", 3, 1),
        point("pat-001", "x", 0, 2),
        point("kpt_007", "old", 1),
        point("oth-001", "y"),
    )

    assert add_all(playbook(), read_any(to_lines(book).encode()), Memory())[0] == book


BOOK = playbook(
    point("pat-001", "use type hints", 3, 1),
    point("mis-001", "# is no heading\nhere"),
    point("oth-002", "a `x|y`: b"),
)


def texts(book) -> dict[str, list[str]]:
    return {
        section: [row["text"] for row in rows] for section, rows in book["sections"].items() if rows
    }


def test_what_is_exported_as_markdown_is_imported_under_its_headings():
    result, outcomes, _ = add_all(playbook(), read_any(to_markdown(BOOK).encode()), Memory())

    assert texts(result) == {
        "PATTERNS & APPROACHES": ["use type hints"],
        "MISTAKES TO AVOID": ["# is no heading here"],
        "OTHERS": ["a `x|y`: b"],
    }
    assert names(result) == ["pat-001", "mis-001", "oth-001"]
    assert outcomes[0].why == "added to PATTERNS & APPROACHES; it was line-5 there"


def test_of_a_markdown_export_edited_by_hand_only_what_is_new_comes_in():
    edited = to_markdown(BOOK).replace(
        "- use type hints\n", "- use type hints\n* pin the versions\n  of everything\n"
    )

    result, outcomes, _ = add_all(BOOK, read_any(edited.replace("\n", "\r\n").encode()), Memory())

    assert [outcome.key_point for outcome in outcomes if outcome.applied] == ["pat-002"]
    assert texts(result)["PATTERNS & APPROACHES"] == [
        "use type hints",
        "pin the versions of everything",
    ]


@pytest.mark.parametrize("level", ["#", "##"])
def test_of_an_instruction_file_only_the_section_of_key_points_is_read(level):
    file = f"# App\n\n- build with make\n- [APP-12] ask Bob\n\n{to_markdown(BOOK)}\nTold by Ann.\n\n{level} Style\n\n- tabs\n"

    found = read_any(file.encode()).playbook

    assert [row["text"] for rows in found["sections"].values() for row in rows] == [
        "use type hints",
        "# is no heading here",
        "a `x|y`: b",
    ]


def test_in_a_list_of_key_points_a_bullet_begins_one_without_id_and_counters():
    text = f"## USER PREFERENCES\n- {GOOD}\n  Always.\n- answer in German\n## Notes\n- not in the list\n"

    assert texts(read_any(text.encode()).playbook) == {
        "USER PREFERENCES": ["Run the tests. Always.", "answer in German"],
    }


def test_the_exports_read_well(snapshot):
    book = playbook(
        point("pat-001", "use type hints", 3, 1),
        point("mis-001", "two\nlines"),
        point("oth-001", "y"),
    )

    assert to_lines(book) == snapshot(name="lines")
    assert to_markdown(book) == snapshot(name="markdown")


def test_an_empty_playbook_exports_to_nothing():
    assert to_lines(playbook()) == ""
    assert to_markdown(playbook()) == ""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"key_points": ["a"]}, ["kpt_001"]),
        ({"key_points": [{"name": "kpt_003", "text": "a", "score": -2}]}, ["kpt_003"]),
        ({"sections": {"OTHERS": [point("oth-004", "a")]}}, ["oth-004"]),
        (["a", {"text": "b"}], ["kpt_001", "kpt_002"]),
    ],
)
def test_every_json_form_is_imported(data, expected):
    result, _, _ = add_all(playbook(), read_any(json.dumps(data).encode()), Memory())

    assert names(result) == expected


def test_a_migrated_import_is_protected():
    _, _, memory = add_all(
        playbook(), read_any(b'{"key_points": [{"text": "a", "score": -5}]}'), Memory()
    )

    assert memory.protected == {"kpt_001"}


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


def test_numbers_once_used_are_not_given_to_imported_key_points():
    result, _, _ = add_all(
        playbook(),
        read_playbook(playbook(point("pat-002", "a"), point("pat-009", "b"))),
        Memory(numbers={"pat": 5}),
    )

    assert names(result) == ["pat-010", "pat-009"]


def test_into_the_users_playbook_ids_are_numbered_from_9001():
    result, _, _ = add_all(
        playbook(),
        read_playbook(playbook(point("pat-002", "a"), point("kpt_001", "b"))),
        Memory(floor=9000),
    )

    assert names(result) == ["pat-9001", "oth-9001"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"\x00\xff",
        b"# only\n## headings\n",
        b"{",
        b"[1]",
        b"[",
        b"{}",
        b'{"a": 1}',
        b"[pat-001] no counters",
    ],
)
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
        "[pat-002] helpful=1 harmful=0 ::",
        "[pat-002] helpful=1 harmful=0 ::   ",
    ],
)
@pytest.mark.parametrize("before", [f"{GOOD}\n", f"\n\n## OTHERS\n{GOOD}\n"])
def test_a_line_that_is_meant_as_a_key_point_and_is_none_is_named_with_its_number(line, before):
    text = f"{before}{line}\n{GOOD.replace('001', '009')}\n"
    number = before.count("\n") + 1

    with pytest.raises(PlaybookUnreadable, match=rf"^line {number} ") as error:
        read_any(text.encode())

    assert error.value.line == number


@pytest.mark.parametrize(
    "line",
    [
        "  and then the linter",
        "and then the linter",
        "  [pat-002] says the same",
        "- [x] the linter, too",
        "[1] a note",
        "[issue-12](https://example.com/12) tells why",
        "helpful=1 is what a counter looks like",
    ],
)
def test_a_line_that_begins_nothing_goes_on_with_the_one_above(line):
    found = read_any(f"{GOOD}\n{line}\n".encode()).playbook

    assert [row["text"] for row in found["sections"]["OTHERS"]] == [
        f"Run the tests. {line.strip()}"
    ]


def test_a_newer_kind_is_refused():
    with pytest.raises(PlaybookNewer):
        read_any(b'{"version": "3.0", "notes": []}')


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(PlaybookUnreadable):
        read_any(text.encode("utf-8", "surrogatepass"))
