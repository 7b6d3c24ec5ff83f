import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.playbook.model import (
    MOST_VOTES,
    SECTIONS,
    USER_FLOOR,
    count_of,
    id_parts,
    track_record,
)
from ace_reflect.playbook.read import (
    PlaybookNewer,
    PlaybookUnreadable,
    parse_playbook,
    read_playbook,
)
from support.playbooks import named, names, playbook, point


def others(data: object) -> list[dict[str, object]]:
    return read_playbook(data).playbook["sections"]["OTHERS"]


def test_a_list_of_texts_becomes_numbered_key_points_in_others():
    found = others({"version": "1.0", "last_updated": None, "key_points": ["first", "second"]})

    assert found == [point("kpt_001", "first"), point("kpt_002", "second")]


@pytest.mark.parametrize(
    ("score", "helpful", "harmful"),
    [(4, 4, 0), (-3, 0, 3), (0, 0, 0), (None, 0, 0), ("2", 2, 0), ("-2", 0, 2), (2.9, 2, 0)],
)
def test_a_score_becomes_the_two_counters(score, helpful, harmful):
    found = others({"key_points": [{"name": "kpt_007", "text": "x", "score": score}]})

    assert found == [point("kpt_007", "x", helpful, harmful)]


@pytest.mark.parametrize("count", [10**9, 10**400, -(10**400)])
def test_a_count_of_too_many_digits_is_the_most_there_can_be(count):
    """One such number would otherwise break the arithmetic of every hook that injects the playbook."""
    found = others(
        {"key_points": [{"name": "kpt_001", "text": "x", "helpful": count, "harmful": 0}]}
    )

    assert found == [point("kpt_001", "x", MOST_VOTES if count > 0 else 0, 0)]
    assert 0 < track_record(MOST_VOTES, MOST_VOTES) < 1


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("pat-007", ("pat", 7)),
        ("kpt_007", ("kpt", 7)),
        ("pat_007", None),
        ("kpt-007", None),
        ("foo-007", None),
        ("pat-", None),
        ("pat-1a", None),
        ("pat-٣", None),
        ("pat-" + "1" * 30, None),
        (7, None),
        (None, None),
    ],
)
def test_an_id_is_a_known_slug_and_a_number(name, parts):
    assert id_parts(name) == parts


@pytest.mark.parametrize(
    ("counter", "count"),
    [
        (" 12 ", 12),
        ("-1", 0),
        ("twelve", 0),
        ("9" * 5_000, 0),
        (2.9, 2),
        (1e300, 0),
        (float("nan"), 0),
        (True, 0),
    ],
)
def test_a_counter_is_a_whole_number_that_is_not_negative(counter, count):
    assert count_of(counter) == count


def test_counters_win_over_a_stray_score():
    row = {"name": "kpt_001", "text": "x", "helpful": 2, "harmful": 1, "score": -9}

    assert others({"key_points": [row]}) == [point("kpt_001", "x", 2, 1)]
    assert others({"sections": {"OTHERS": [row]}}) == [point("kpt_001", "x", 2, 1)]


def test_missing_names_get_the_next_number_and_never_one_that_is_taken():
    rows = [
        "a",
        {"name": "kpt_005", "text": "b"},
        {"text": "c", "score": 1},
        {"name": "kpt_002", "text": "d"},
        "e",
        "f",
    ]

    found = [(row["name"], row["text"]) for row in others({"key_points": rows})]

    assert found == [
        ("kpt_001", "a"),
        ("kpt_005", "b"),
        ("kpt_006", "c"),
        ("kpt_002", "d"),
        ("kpt_007", "e"),
        ("kpt_008", "f"),
    ]


def test_fields_and_dividers_of_the_tagging_fork_are_dropped():
    rows = [
        {"divider": True, "text": "──── pending ────"},
        {
            "name": "kpt_001",
            "text": "x",
            "score": 2,
            "tags": ["python"],
            "pending": True,
            "effect_rating": 0.5,
            "risk_level": -0.1,
            "innovation_level": 1,
        },
    ]

    assert others({"key_points": rows}) == [point("kpt_001", "x", 2)]


def test_sections_win_over_key_points():
    data = {"sections": {"OTHERS": [point("oth-001")]}, "key_points": ["lost"]}

    read = read_playbook(data)

    assert names(read.playbook) == ["oth-001"]
    assert "key_points" not in read.playbook


def test_missing_sections_and_counters_are_added_in_canonical_order():
    read = read_playbook(
        {"sections": {"OTHERS": None, "MISTAKES TO AVOID": [{"name": "mis-001", "text": "x"}]}}
    )

    assert tuple(read.playbook["sections"]) == SECTIONS
    assert named(read.playbook, "mis-001") == point("mis-001", "x")
    assert read.playbook["version"] == "1.0"
    assert read.playbook["last_updated"] is None


def test_unknown_fields_and_sections_stay():
    data = {
        "version": "1.0",
        "last_updated": "2026-01-02",
        "owner": {"team": "core"},
        "sections": {
            "MY OWN": [point("rule", note=[1])],
            "OTHERS": [point("oth-001", tags=["a"])],
            "EMPTY": [],
        },
    }

    read = read_playbook(data).playbook

    assert read["owner"] == {"team": "core"}
    assert read["last_updated"] == "2026-01-02"
    assert read["sections"]["MY OWN"] == [point("rule", note=[1])]
    assert read["sections"]["EMPTY"] == []
    assert named(read, "oth-001")["tags"] == ["a"]


def test_reading_what_was_read_changes_nothing():
    once = read_playbook({"key_points": ["a", {"text": "b", "score": -4}], "x": 1}).playbook

    assert read_playbook(once).playbook == once


def test_a_key_point_with_an_id_that_is_taken_gets_another():
    read = read_playbook(
        playbook(point("pat-001", "one"), point("pat-001", "two"), point("pat-002", "three"))
    )

    assert [
        (row["name"], row["text"]) for row in read.playbook["sections"]["PATTERNS & APPROACHES"]
    ] == [
        ("pat-001", "one"),
        ("pat-003", "two"),
        ("pat-002", "three"),
    ]


def test_migrated_key_points_are_named():
    assert read_playbook(
        {"key_points": ["a", {"name": "kpt_009", "text": "b", "score": -3}]}
    ).migrated == {
        "kpt_001",
        "kpt_009",
    }
    assert read_playbook(playbook(point("pat-001"))).migrated == set()


def test_the_users_ids_are_numbered_from_9001():
    read = read_playbook(
        {
            "sections": {
                "OTHERS": [
                    point("oth-003", "a"),
                    point("oth-9001", "b"),
                    point("kpt_001", "c"),
                    "d",
                ]
            }
        },
        floor=USER_FLOOR,
    )

    assert names(read.playbook) == ["oth-9002", "oth-9001", "kpt_9001", "kpt_9002"]


@pytest.mark.parametrize(
    "row",
    [None, 3, True, [], [1], {}, {"text": None}, {"text": "  "}, {"name": "pat-001"}, {"text": 7}],
)
def test_a_row_that_is_no_key_point_is_dropped_and_spoils_no_other(row):
    read = read_playbook({"sections": {"OTHERS": [row, point("oth-001")]}})

    assert names(read.playbook) == ["oth-001"]


@pytest.mark.parametrize(
    "value", [None, "x", -3, True, [], {}, float("nan"), float("inf"), "9" * 5000]
)
def test_a_counter_that_is_no_number_counts_as_nothing(value):
    assert others(
        {"sections": {"OTHERS": [{"name": "oth-001", "text": "x", "helpful": value}]}}
    ) == [point("oth-001", "x")]


@pytest.mark.parametrize("name", [None, 5, [], {}, "", "   "])
def test_a_name_that_is_none_is_replaced(name):
    assert others({"sections": {"OTHERS": [{"name": name, "text": "x"}]}}) == [
        point("kpt_001", "x")
    ]


def test_section_names_are_understood_in_any_case():
    read = read_playbook({"sections": {" patterns &  approaches": [point("pat-001")]}})

    assert read.playbook["sections"]["PATTERNS & APPROACHES"] == [point("pat-001")]
    assert tuple(read.playbook["sections"]) == SECTIONS


@pytest.mark.parametrize("data", [[], "x", 3, None, True])
def test_json_that_is_no_object_is_no_playbook(data):
    with pytest.raises(PlaybookUnreadable, match="JSON object"):
        read_playbook(data)


@pytest.mark.parametrize(
    "data",
    [
        {"sections": []},
        {"sections": "x"},
        {"sections": {"OTHERS": {"a": 1}}},
        {"key_points": {"a": 1}},
        {"key_points": "x"},
    ],
)
def test_a_known_field_of_another_shape_is_no_playbook(data):
    with pytest.raises(PlaybookUnreadable):
        read_playbook(data)


@pytest.mark.parametrize(
    "data", [{}, {"version": "1.0"}, {"sections": None}, {"key_points": None}, {"key_points": []}]
)
def test_a_playbook_without_key_points_is_an_empty_one(data):
    assert names(read_playbook(data).playbook) == []


@pytest.mark.parametrize("version", ["2.0", "2", 2, 2.5, "10.1"])
@pytest.mark.parametrize(
    "form", [{}, {"notes": ["a"]}, {"sections": [1]}, {"sections": {"OTHERS": {"oth-001": "a"}}}]
)
def test_a_newer_version_of_a_form_that_is_not_known_is_refused(version, form):
    with pytest.raises(PlaybookNewer, match="update ace-reflect"):
        read_playbook({"version": version, **form})


@pytest.mark.parametrize("version", ["1.0", "1.9", 1, 1.0, None, "", "one", "0.3", "2.0", 3, "9.9"])
def test_the_form_and_not_the_version_decides(version):
    assert others({"version": version, "key_points": ["a"]}) == [point("kpt_001", "a")]
    assert others({"version": version, "sections": {"OTHERS": [point("oth-004", "b", 2)]}}) == [
        point("oth-004", "b", 2)
    ]


def test_the_version_that_a_file_says_stays_in_it():
    assert read_playbook({"version": "2.1", "sections": {}}).playbook["version"] == "2.1"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[1, 2",
        b"<<<<<<< HEAD\n{}\n",
        b"\x00\x01\x02",
        b"[" * 100_000,
        b'{"a": ' + b"9" * 5000 + b"}",
    ],
)
def test_bytes_that_are_no_playbook_say_where_they_break(data):
    with pytest.raises(PlaybookUnreadable):
        parse_playbook(data)


def test_a_byte_order_mark_is_no_fault():
    assert names(
        parse_playbook(b"\xef\xbb\xbf" + json.dumps(playbook(point("pat-001"))).encode()).playbook
    ) == ["pat-001"]


_ROWS = st.lists(
    st.none()
    | st.text(max_size=8)
    | st.dictionaries(
        st.sampled_from(["name", "text", "helpful", "harmful", "score", "divider", "x"]),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.sampled_from(["kpt_001", "pat-001"])
        | st.lists(st.integers()),
    ),
    max_size=6,
)


@given(
    st.dictionaries(st.sampled_from(["key_points"]), _ROWS)
    | st.fixed_dictionaries({"sections": st.dictionaries(st.sampled_from([*SECTIONS, "x"]), _ROWS)})
)
def test_whatever_the_rows_are_the_written_form_comes_out_with_ids_of_their_own(data):
    read = read_playbook(data).playbook

    assert len(set(names(read))) == len(names(read))
    for rows in read["sections"].values():
        assert all(
            row["text"].strip() and row["helpful"] >= 0 and row["harmful"] >= 0 for row in rows
        )
    assert read_playbook(read).playbook == read


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data):
    with contextlib.suppress(PlaybookUnreadable):
        parse_playbook(data)
