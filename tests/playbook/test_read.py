"""Every form of a playbook that exists, read into the one that is written."""

import json

import pytest

from ace_reflect.playbook.model import MOST_VOTES, SECTIONS, USER_FLOOR, id_parts, track_record
from ace_reflect.playbook.read import PlaybookUnreadable, parse_playbook, read_playbook
from support.playbooks import named, names, playbook, point


def others(data: object) -> list[dict[str, object]]:
    return read_playbook(data).playbook["sections"]["OTHERS"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("first", point("kpt_001", "first")),
        *(
            ({"name": "kpt_007", "text": "x", "score": score}, point("kpt_007", "x", helpful, harmful))
            for score, helpful, harmful in [(4, 4, 0), (-3, 0, 3), (0, 0, 0), (None, 0, 0), ("2", 2, 0), (2.9, 2, 0)]
        ),
        ({"name": "kpt_001", "text": "x", "helpful": 2, "harmful": 1, "score": -9}, point("kpt_001", "x", 2, 1)),
        ({"name": "kpt_001", "text": "x", "score": 2, "tags": ["python"], "pending": True, "effect_rating": 0.5, "risk_level": -0.1, "innovation_level": 1}, point("kpt_001", "x", 2)),
    ],
)  # fmt: skip
def test_each_row_of_a_flat_list_becomes_a_key_point_in_others(row, expected):
    divider = {"divider": True, "text": "──── pending ────"}
    read = read_playbook({"version": "1.0", "last_updated": None, "key_points": [divider, row]})
    assert read.playbook["sections"]["OTHERS"] == [expected]
    assert read.migrated == {expected["name"]}


@pytest.mark.parametrize(
    ("counter", "count"),
    [
        (" 12 ", 12), ("-1", 0), ("twelve", 0), ("9" * 5_000, 0), (2.9, 2), (1e300, 0), (float("nan"), 0), (float("inf"), 0), (True, 0),
        (None, 0), (-3, 0), ([], 0), ({}, 0), (10**9, MOST_VOTES), (10**400, MOST_VOTES), (-(10**400), 0),
    ],
)  # fmt: skip
def test_a_counter_is_a_whole_number_that_is_not_negative_and_not_too_long(counter, count):
    """A number of a thousand digits would break the arithmetic of every hook that injects the playbook."""
    row = {"name": "oth-001", "text": "x", "helpful": counter}
    assert others({"sections": {"OTHERS": [row]}}) == [point("oth-001", "x", count)]
    assert 0 < track_record(count, count) < 1
    order = [track_record(*votes) for votes in ((20, 0), (3, 0), (1, 0), (0, 0), (0, 1), (0, 9))]
    assert order == sorted(order, reverse=True)


@pytest.mark.parametrize(
    ("name", "parts"),
    [("pat-007", ("pat", 7)), ("kpt_007", ("kpt", 7)), *((odd, None) for odd in ("pat_007", "kpt-007", "foo-007", "pat-", "pat-1a", "pat-٣", "pat-" + "1" * 30, 7, None))],
)  # fmt: skip
def test_an_id_is_a_known_slug_and_a_number(name, parts):
    assert id_parts(name) == parts


FIVE, TWO = {"name": "kpt_005", "text": "b"}, {"name": "kpt_002", "text": "d"}


@pytest.mark.parametrize(
    ("data", "floor", "expected"),
    [
        *((empty, 0, []) for empty in ({}, {"version": "1.0"}, {"sections": None}, {"key_points": None}, {"key_points": []})),
        ({"sections": {"OTHERS": [point("oth-001")]}, "key_points": ["lost"]}, 0, ["oth-001"]),
        ({"key_points": ["a", FIVE, {"text": "c"}, TWO, "e", {"name": 5, "text": "g"}]}, 0, ["kpt_001", "kpt_005", "kpt_006", "kpt_002", "kpt_007", "kpt_008"]),
        (playbook(point("pat-001", "one"), point("pat-001", "two"), point("pat-002")), 0, ["pat-001", "pat-003", "pat-002"]),
        ({"sections": {"OTHERS": [point("oth-003"), point("oth-9001", "b"), point("kpt_001", "c"), "d"]}}, USER_FLOOR, ["oth-9002", "oth-9001", "kpt_9001", "kpt_9002"]),
    ],
)  # fmt: skip
def test_each_key_point_has_an_id_of_its_own(data, floor, expected):
    """Sections win over a flat list; a missing number or one that is taken is the next; the user's begin with 9001."""
    assert names(read_playbook(data, floor=floor).playbook) == expected
    marked = b"\xef\xbb\xbf" + json.dumps(data).encode()
    assert names(parse_playbook(marked, floor=floor).playbook) == expected


def test_missing_sections_and_counters_are_added_in_canonical_order():
    rows = [{"name": "mis-001", "text": "x"}]
    read = read_playbook({"sections": {"OTHERS": None, " mistakes  to avoid": rows}}).playbook
    assert tuple(read["sections"]) == SECTIONS
    assert named(read, "mis-001") == point("mis-001", "x")
    assert (read["version"], read["last_updated"]) == ("1.0", None)


def test_unknown_fields_and_sections_stay():
    own = {"MY OWN": [point("rule", note=[1])], "OTHERS": [point("oth-001", tags=["a"])]}
    data = {"version": "2.1", "last_updated": "2026-01-02", "owner": {"team": "core"}}

    read = read_playbook({**data, "sections": {**own, "EMPTY": []}}).playbook

    assert read == {**data, "sections": {**{name: [] for name in (*SECTIONS, "EMPTY")}, **own}}
    assert read_playbook(read).playbook == read


@pytest.mark.parametrize("row", [None, 3, True, [], [1], {}, {"text": None}, {"text": "  "}, {"name": "pat-001"}, {"text": 7}])  # fmt: skip
def test_a_row_that_is_no_key_point_is_dropped_and_spoils_no_other(row):
    read = read_playbook({"sections": {"OTHERS": [row, point("oth-001")]}})
    assert names(read.playbook) == ["oth-001"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        *((odd, "a playbook is a JSON object, not") for odd in ([], "x", 3, None, True)),
        ({"sections": []}, '"sections" is a list instead of an object'),
        ({"sections": {"OTHERS": {"a": 1}}}, 'section "OTHERS" is an object instead of a list'),
        ({"key_points": {"a": 1}}, '"key_points" is an object instead of a list'),
        ({"version": "2.0", "notes": ["a"]}, "neither sections nor key points"),
        ({"name": "app", "scripts": {}}, "neither sections nor key points"),
    ],
)
def test_a_file_of_another_shape_is_no_playbook(data, why):
    with pytest.raises(PlaybookUnreadable, match=why):
        read_playbook(data)


@pytest.mark.parametrize("version", ["1.0", "1.9", 1, 1.0, None, "", "one", "0.3", "2.0", 3, "9.9"])
def test_the_form_and_not_the_version_decides(version):
    assert others({"version": version, "key_points": ["a"]}) == [point("kpt_001", "a")]
    row = point("oth-004", "b", 2)
    assert others({"version": version, "sections": {"OTHERS": [row]}}) == [row]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe\x00", b"[1, 2", b"<<<<<<< HEAD\n{}\n", b"\x00\x01\x02", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}"])  # fmt: skip
def test_bytes_that_are_no_playbook_are_refused(data):
    with pytest.raises(PlaybookUnreadable):
        parse_playbook(data)
