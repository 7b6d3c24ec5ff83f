import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import apply_bullet_tags
from support.playbooks import named, playbook, point


def tag(name: object, value: object = "helpful", **more: object) -> dict[str, object]:
    return {"name": name, "tag": value, "rationale": "…", **more}


@pytest.mark.req("REQ-REFL-007", "SCN-REFL-006-01")
def test_each_tag_moves_its_counter_by_one_in_whatever_section():
    book = playbook(point("pat-001", "use types", 3, 1), point("oth-001", "legacy tip"))

    result = apply_bullet_tags(book, [tag("pat-001", "helpful"), tag("oth-001", "harmful")])

    assert result is book
    assert named(book, "pat-001")["helpful"] == 4
    assert named(book, "pat-001")["harmful"] == 1
    assert named(book, "oth-001")["harmful"] == 1
    assert named(book, "oth-001")["helpful"] == 0


@pytest.mark.req("REQ-REFL-007", "SCN-REFL-006-02")
def test_a_neutral_tag_changes_nothing_and_says_nothing(capsys):
    book = playbook(point("pat-001", "use types", 3, 1))
    before = copy.deepcopy(book)

    apply_bullet_tags(book, [tag("pat-001", "neutral")])

    assert book == before
    assert capsys.readouterr() == ("", "")


@pytest.mark.req("REQ-REFL-007", "SCN-REFL-004-02")
def test_a_tag_for_an_unknown_key_point_is_named_on_stderr_and_skipped(capsys):
    book = playbook(point("pat-001"))
    before = copy.deepcopy(book)

    apply_bullet_tags(book, [tag("pat-999")])

    assert book == before
    said = capsys.readouterr()
    assert said.out == ""
    assert "pat-999" in said.err


@pytest.mark.req("REQ-REFL-007")
@pytest.mark.parametrize("value", ["very helpful", "", "useful", None, 1, [], {"a": 1}])
def test_an_unknown_tag_changes_nothing_and_is_named_on_stderr(value, capsys):
    book = playbook(point("pat-001", helpful=2))

    apply_bullet_tags(book, [tag("pat-001", value)])

    assert named(book, "pat-001") == point("pat-001", helpful=2)
    assert "pat-001" in capsys.readouterr().err


@pytest.mark.req("INV-REFL-004")
def test_two_tags_for_one_key_point_both_count_and_a_second_call_counts_again():
    book = playbook(point("pat-001"))
    tags = [tag("pat-001"), tag("pat-001")]

    apply_bullet_tags(book, tags)
    assert named(book, "pat-001")["helpful"] == 2

    apply_bullet_tags(book, tags)
    assert named(book, "pat-001")["helpful"] == 4


@pytest.mark.req("REQ-REFL-007", "REQ-REFL-004")
@pytest.mark.parametrize(
    "written",
    [
        {"name": "[pat-001]"},
        {"name": " pat-001 "},
        {"name": "PAT-001"},
        {"id": "pat-001"},
        {"name": "pat-001", "tag": "Helpful"},
        {"name": "pat-001", "tag": "HARMFUL"},
        {"name": "pat-001", "tag": " helpful"},
        {"name": "pat-001", "tag": None, "rating": "helpful"},
    ],
)
def test_names_and_tags_count_to_the_letter_only(written, capsys):
    book = playbook(point("pat-001", helpful=2, harmful=1))

    apply_bullet_tags(book, [{"tag": "helpful", **written}])

    assert named(book, "pat-001") == point("pat-001", helpful=2, harmful=1)
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "odd",
    [
        None,
        3,
        "pat-001",
        [],
        {},
        {"name": None},
        {"name": ["pat-001"]},
        {"name": {}, "tag": "helpful"},
        {"tag": "helpful"},
    ],
)
def test_a_tag_of_another_shape_spoils_no_other(odd, capsys):
    book = playbook(point("pat-001"))

    apply_bullet_tags(book, [odd, tag("pat-001")])

    assert named(book, "pat-001")["helpful"] == 1
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "tags", [None, [], (), "helpful", 3, {"name": "pat-001", "tag": "helpful"}]
)
def test_a_list_that_is_none_changes_nothing(tags):
    book = playbook(point("pat-001"))

    assert apply_bullet_tags(book, tags) is book
    assert named(book, "pat-001") == point("pat-001")


@pytest.mark.parametrize("missing", [{}, {"helpful": None, "harmful": None}, {"helpful": "2"}])
def test_a_missing_counter_counts_from_nothing(missing):
    book = playbook({"name": "pat-001", "text": "x", **missing})

    apply_bullet_tags(book, [tag("pat-001", "harmful")])

    assert named(book, "pat-001")["harmful"] == 1


@pytest.mark.parametrize(
    "book",
    [
        {},
        {"sections": None},
        {"sections": []},
        {"sections": {"OTHERS": None, "PATTERNS & APPROACHES": "x"}},
        {
            "sections": {
                "OTHERS": [
                    None,
                    3,
                    "text",
                    {"text": "nameless"},
                    {"name": ["pat-001"], "text": "x"},
                ]
            }
        },
    ],
)
def test_a_playbook_of_another_shape_is_returned_as_it_is(book):
    before = copy.deepcopy(book)

    assert apply_bullet_tags(book, [tag("pat-001")]) is book
    assert book == before


def test_key_points_outside_of_the_usual_sections_are_found():
    book = {"sections": {"MY OWN": [point("pat-001")]}}
    flat = {"key_points": [{"name": "kpt_001", "text": "x", "helpful": 0, "harmful": 0}]}

    apply_bullet_tags(book, [tag("pat-001")])
    apply_bullet_tags(flat, [tag("kpt_001")])

    assert book["sections"]["MY OWN"][0]["helpful"] == 1
    assert flat["key_points"][0]["helpful"] == 1


def test_control_characters_of_a_model_do_not_reach_the_terminal(capsys):
    apply_bullet_tags(playbook(), [tag("\x1b[31mevil\x07\n")])

    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.req("INV-REFL-003")
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "name": st.sampled_from(["pat-001", "mis-001", "pat-999"])
                | st.none()
                | st.lists(st.integers()),
                "tag": st.sampled_from(["helpful", "harmful", "neutral", "Helpful"])
                | st.text()
                | st.none(),
            }
        )
    )
)
def test_counters_only_grow(tags):
    book = playbook(point("pat-001", helpful=1), point("mis-001", harmful=2))

    apply_bullet_tags(book, tags)

    assert named(book, "pat-001")["helpful"] >= 1
    assert named(book, "pat-001")["harmful"] >= 0
    assert named(book, "mis-001")["harmful"] >= 2


@pytest.mark.req("INV-REFL-003")
@pytest.mark.parametrize("count", [999_999_999, 10**9, 10**9 + 5, 10**18])
def test_a_vote_raises_a_counter_of_any_height_by_one(count):
    """What is read from a file is capped; what a caller holds is his, and a vote never lowers it."""
    book = playbook(point("pat-001", helpful=count, harmful=count))

    apply_bullet_tags(book, [tag("pat-001"), tag("pat-001", "harmful")])

    assert (named(book, "pat-001")["helpful"], named(book, "pat-001")["harmful"]) == (
        count + 1,
        count + 1,
    )


@pytest.mark.req("INV-REFL-003")
@pytest.mark.parametrize("broken", [-3, None, True, "many"])
def test_a_counter_that_is_none_still_starts_from_zero(broken):
    book = playbook(point("pat-001", helpful=broken))

    apply_bullet_tags(book, [tag("pat-001")])

    assert named(book, "pat-001")["helpful"] == 1
