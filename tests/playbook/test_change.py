import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import update_playbook_data
from ace_reflect.playbook.change import MAX_TEXT, apply_operations, in_one_form, prune, text_of
from ace_reflect.playbook.outcome import Memory
from support.playbooks import named, names, playbook, point


def add(
    text: object, section: object = "PATTERNS & APPROACHES", **more: object
) -> dict[str, object]:
    return {"op": "ADD", "text": text, "section": section, **more}


def apply(book, *operations, memory=None):
    return apply_operations(book, list(operations), memory)


def test_an_added_key_point_gets_the_next_id_of_its_section_and_no_votes():
    book = playbook(point("pat-001", "one"), point("mis-007", "two"))

    changed, (first, second), _ = apply(book, add("three"), add(" four ", "mistakes to avoid"))

    assert named(changed, "pat-002") == point("pat-002", "three")
    assert named(changed, "mis-008") == point("mis-008", "four")
    assert (first.applied, first.key_point, first.op) == (True, "pat-002", "ADD")
    assert second.after == {**point("mis-008", "four"), "section": "MISTAKES TO AVOID"}


@pytest.mark.parametrize("section", [None, "", "UNKNOWN", 3, [], "others"])
def test_an_unknown_section_is_others(section):
    changed, _, _ = apply(playbook(), add("x", section))

    assert names(changed) == ["oth-001"]


@pytest.mark.parametrize(
    ("section", "slug"),
    [
        ("PATTERNS AND APPROACHES", "pat"),
        ("Patterns &amp; Approaches", "pat"),
        ("MISTAKES_TO_AVOID", "mis"),
        ("## User Preferences:", "pref"),
        ("ctx", "ctx"),
    ],
)
def test_a_section_is_known_in_any_dress_and_by_its_slug(section, slug):
    changed, _, _ = apply(playbook(), add("x", section))

    assert names(changed) == [f"{slug}-001"]


@pytest.mark.parametrize(
    "text",
    ["[pat-009] Use tabs.", "[pat-001] helpful=9 harmful=0 :: Use tabs.", "- `[pref-001]` :: Use tabs.", "[kpt_001]: Use tabs."],
)  # fmt: skip
def test_an_id_that_a_model_copies_in_front_of_a_text_is_no_part_of_it(text):
    changed, _, _ = apply(playbook(), add(text))

    assert named(changed, "pat-001") == point("pat-001", "Use tabs.")


@pytest.mark.parametrize(
    "text",
    [
        "[skip ci] goes into the subject",
        "See [pat-001] first",
        "[pat-001] applies to Go only",
        "[pat-001](x.md) is a link",
    ],
)
def test_other_brackets_in_a_text_stay(text):
    changed, _, _ = apply(playbook(), add(text))

    assert named(changed, "pat-001")["text"] == text


def test_a_deleted_id_is_not_used_again():
    book = playbook(point("pat-001", "one"), point("pat-002", "two"))

    changed, _, memory = apply(book, {"op": "DELETE", "target_id": "pat-002"}, add("three"))
    later, _, _ = apply(playbook(point("pat-001", "one")), add("four"), memory=memory)

    assert names(changed) == ["pat-001", "pat-003"]
    assert names(later) == ["pat-001", "pat-004"]
    assert memory.numbers["pat"] == 3


def test_the_users_playbook_is_numbered_from_9001():
    changed, _, _ = apply(playbook(), add("x"), memory=Memory(floor=9000))

    assert names(changed) == ["pat-9001"]


def test_a_rewritten_key_point_keeps_its_id_votes_place_and_other_fields():
    book = playbook(point("pat-001", "one", 3, 1, tags=["a"]), point("pat-002", "two"))

    changed, (outcome,), _ = apply(book, {"op": "UPDATE", "target_id": "pat-001", "text": "better"})

    assert changed["sections"]["PATTERNS & APPROACHES"][0] == point(
        "pat-001", "better", 3, 1, tags=["a"]
    )
    assert outcome.before["text"] == "one"
    assert outcome.after["text"] == "better"


def test_a_deletion_gives_the_curators_reason():
    changed, (outcome,), _ = apply(
        playbook(point("pat-001")),
        {"op": "DELETE", "target_id": "pat-001", "reason": "no longer true"},
    )

    assert names(changed) == []
    assert outcome.why == "no longer true"
    assert outcome.removed[0]["name"] == "pat-001"


def test_merged_key_points_become_a_new_one_with_all_their_votes():
    book = playbook(
        point("pat-001", "one", 3, 1),
        point("pat-002", "two", 2, 0),
        point("mis-001", "three", 1, 1),
    )

    changed, (outcome,), _ = apply(
        book, {"op": "MERGE", "source_ids": ["pat-002", "pat-001", "mis-001"], "merged_text": "all"}
    )

    assert names(changed) == ["pat-003"]
    assert named(changed, "pat-003") == point("pat-003", "all", 6, 2)
    assert [gone["name"] for gone in outcome.removed] == ["pat-002", "pat-001", "mis-001"]


def test_a_merge_may_name_its_section_and_else_takes_the_first_sources():
    book = playbook(
        point("mis-001", "one"),
        point("pat-001", "two"),
        point("ctx-001", "three"),
        point("ctx-002", "four"),
    )

    changed, _, _ = apply(
        book,
        {"op": "MERGE", "source_ids": ["mis-001", "pat-001"], "merged_text": "a"},
        {
            "op": "MERGE",
            "source_ids": ["ctx-001", "ctx-002"],
            "merged_text": "b",
            "section": "user preferences",
        },
        {"op": "MERGE", "source_ids": ["mis-002", "pref-001"], "merged_text": "c", "section": " "},
    )

    assert names(changed) == ["mis-003"]


@pytest.mark.parametrize(
    "sources",
    [
        None,
        [],
        ["pat-001"],
        ["pat-001", "pat-001"],
        ["pat-001", "pat-999"],
        "pat-001",
        [["pat-001"], 3, None],
    ],
)
def test_a_merge_needs_two_different_key_points(sources):
    book = playbook(point("pat-001", "one", 3), point("pat-002", "two"))

    changed, (outcome,), _ = apply(book, {"op": "MERGE", "source_ids": sources, "merged_text": "x"})

    assert changed == book
    assert not outcome.applied
    assert "two different" in outcome.why


def test_a_merge_passes_over_unknown_sources_when_two_are_left():
    book = playbook(point("pat-001", "one", 1), point("pat-002", "two", 2))

    changed, _, _ = apply(
        book,
        {
            "op": "MERGE",
            "source_ids": ["pat-001", "pat-999", "[pat-002]", "pat-001"],
            "merged_text": "x",
        },
    )

    assert named(changed, "pat-003")["helpful"] == 3


INVALID = [
    None,
    3,
    "ADD",
    [],
    {},
    {"op": "RENAME"},
    {"op": None},
    {"op": ["ADD"]},
    add(None),
    add(""),
    add("  "),
    add(7),
    add("x" * (MAX_TEXT + 1)),
    add("ONE."),
    {"op": "UPDATE", "target_id": "pat-999", "text": "x"},
    {"op": "UPDATE", "target_id": "pat-001"},
    {"op": "UPDATE", "target_id": "pat-001", "text": "one"},
    {"op": "UPDATE", "target_id": ["pat-001"], "text": "x"},
    {"op": "DELETE"},
    {"op": "DELETE", "target_id": {"id": "pat-001"}},
    {"op": "MERGE", "source_ids": ["pat-001", "mis-001"], "merged_text": ""},
]


@pytest.mark.parametrize("operation", INVALID)
def test_an_invalid_operation_is_skipped_with_a_reason_and_spoils_no_other(operation):
    book = playbook(point("pat-001", "one"), point("mis-001", "two"))

    changed, (skipped, applied), _ = apply(book, operation, add("new"))

    assert not skipped.applied
    assert skipped.why
    assert applied.applied
    assert names(changed) == ["pat-001", "pat-002", "mis-001"]
    assert named(changed, "pat-001") == point("pat-001", "one")


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ({"op": "UPDATE", "target_id": "pat-001"}, "it has no text"),
        (
            {"op": "UPDATE", "target_id": "pat-001", "text": "one"},
            "pat-001 says exactly that already",
        ),
        ({"op": "MERGE", "source_ids": ["pat-001", "mis-001"]}, "it has no text"),
        (
            {"op": "MERGE", "source_ids": ["pat-001"], "merged_text": "x"},
            "a merge needs two different key points",
        ),
    ],
)
def test_the_reason_names_what_is_wrong_with_the_operation(operation, why):
    book = playbook(point("pat-001", "one"), point("mis-001", "two"))
    assert apply(book, operation)[1][0].why.startswith(why)


def test_only_ten_operations_of_a_reply_are_applied():
    changed, outcomes, _ = apply(playbook(), *(add(f"number {n}") for n in range(12)))

    assert len(names(changed)) == 10
    assert [outcome.applied for outcome in outcomes] == [True] * 10 + [False] * 2
    assert "first 10" in outcomes[10].why


def test_an_addition_that_says_what_is_there_in_the_same_words_is_skipped():
    _, (outcome,), _ = apply(
        playbook(point("pat-001", "Use type hints.")), add("use  TYPE-hints", "OTHERS")
    )

    assert outcome.why == "pat-001 says that already"


@pytest.mark.parametrize(
    "written",
    [
        {"type": "ADD", "content": "x"},
        {"op": "add", "text": "x"},
        {"type": " Add ", "text": "x"},
        {"action": "ADD", "text": "x"},
    ],
)
def test_the_fields_of_other_programs_are_understood(written):
    changed, (outcome,), _ = apply(playbook(), written)

    assert names(changed) == ["oth-001"]
    assert outcome.op == "ADD"


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ({"type": "add", "text": "x", "merged_text": "y"}, {"op": "ADD", "text": "x"}),
        ({"op": "ADD", "content": "x"}, {"op": "ADD", "content": "x"}),
        ({"op": "MERGE", "text": "x", "merged_text": "y"}, {"op": "MERGE", "merged_text": "y"}),
        ({"type": "MERGE", "text": "x", "content": "z"}, {"op": "MERGE", "text": "x"}),
        ({"op": None, "text": 3}, {"op": "", "text": 3}),
        ({"type": "DELETE", "target_id": "pat-001"}, {"op": "DELETE", "target_id": "pat-001"}),
    ],
)
def test_in_one_form_only_the_text_that_would_be_applied_is_left(written, form):
    assert in_one_form(written) == form
    texts = [
        form[name] for name in ("merged_text", "text", "content") if isinstance(form.get(name), str)
    ]
    assert text_of(written) == "".join(texts)


def test_an_outcome_is_the_operation_with_what_became_of_it():
    _, outcomes, _ = apply(playbook(), add("x"), {"type": "DELETE", "target_id": "pat-9"})

    assert [outcome.to_json() for outcome in outcomes] == [
        {
            "op": "ADD",
            "text": "x",
            "section": "PATTERNS & APPROACHES",
            "key_point": "pat-001",
            "applied": True,
            "why": "added to PATTERNS & APPROACHES",
        },
        {
            "op": "DELETE",
            "target_id": "pat-9",
            "key_point": None,
            "applied": False,
            "why": "no key point of this playbook is named 'pat-9'",
        },
    ]


@pytest.mark.parametrize(
    ("helpful", "harmful", "stays"),
    [
        (0, 2, True),
        (0, 3, False),
        (3, 3, True),
        (2, 3, False),
        (9, 8, True),
        (0, 0, True),
        (3, 4, False),
    ],
)
def test_what_harmed_three_times_and_more_than_it_helped_is_pruned(helpful, harmful, stays):
    kept, outcomes = prune(playbook(point("pat-001", "x", helpful, harmful)))

    assert (names(kept) == ["pat-001"]) is stays
    assert len(outcomes) == (0 if stays else 1)


def test_a_migrated_key_point_is_not_pruned_before_a_vote():
    book = playbook(point("kpt_001", "x", 0, 5))
    memory = Memory(protected=frozenset({"kpt_001"}))

    assert names(prune(book, memory)[0]) == ["kpt_001"]
    assert names(prune(book, memory.voted(["kpt_001"]))[0]) == []


def test_what_is_merged_from_a_protected_key_point_is_protected():
    book = playbook(point("kpt_001", "one", 0, 5), point("pat-001", "two"))

    changed, _, memory = apply(
        book,
        {"op": "MERGE", "source_ids": ["pat-001", "kpt_001"], "merged_text": "x"},
        memory=Memory(protected=frozenset({"kpt_001"})),
    )

    assert names(prune(changed, memory)[0]) == ["pat-002"]


def test_update_playbook_data_leaves_its_argument_alone():
    book = playbook(point("pat-001", "one", 0, 3), point("pat-002", "two"))
    before = copy.deepcopy(book)

    changed = update_playbook_data(
        book,
        {"operations": [{"op": "UPDATE", "target_id": "pat-002", "text": "better"}, add("three")]},
    )

    assert book == before
    assert names(changed) == ["pat-002", "pat-003"]
    assert named(changed, "pat-002")["text"] == "better"


def test_near_duplicates_are_not_the_business_of_update_playbook_data():
    book = playbook(point("pat-001", "Use type hints"))
    letters = [add(f"tip {letter}") for letter in "abcdefghij"]

    assert len(names(update_playbook_data(book, {"operations": letters}))) == 11
    assert len(names(update_playbook_data(book, {"operations": [add("use TYPE-hints.")]}))) == 2
    assert (
        len(names(update_playbook_data(book, {"new_key_points": ["type hints: use", "b", "b"]})))
        == 3
    )
    assert names(
        update_playbook_data(book, {"operations": [add("Use  type hints ", "OTHERS")]})
    ) == ["pat-001"]


def test_the_older_result_rates_and_adds():
    book = playbook(point("pat-001", "one", 1, 0), point("mis-001", "two", 0, 2))
    result = {
        "evaluations": [
            {"name": "pat-001", "rating": "helpful"},
            {"name": "mis-001", "rating": "harmful"},
            {"name": "x"},
            3,
        ],
        "new_key_points": [
            "three",
            {"text": "four", "section": "USER PREFERENCES"},
            None,
            "",
            "one",
        ],
    }

    changed = update_playbook_data(book, result)

    assert named(changed, "pat-001")["helpful"] == 2
    assert names(changed) == ["pat-001", "pref-001", "oth-001"]


def test_a_list_of_operations_even_an_empty_one_silences_the_older_additions():
    assert (
        names(update_playbook_data(playbook(), {"operations": [], "new_key_points": ["x"]})) == []
    )
    assert names(
        update_playbook_data(playbook(), {"operations": None, "new_key_points": ["x"]})
    ) == ["oth-001"]


@pytest.mark.parametrize(
    "result",
    [
        None,
        {},
        [],
        "x",
        {"operations": "x"},
        {"evaluations": None, "new_key_points": 3},
        {"evaluations": [{"name": ["pat-001"], "rating": "helpful"}]},
    ],
)
def test_a_result_of_another_shape_changes_nothing(result):
    book = playbook(point("pat-001"))

    assert update_playbook_data(book, result) == book


def test_a_flat_playbook_is_migrated_on_the_way_and_nothing_of_it_pruned():
    changed = update_playbook_data(
        {"key_points": [{"name": "kpt_001", "text": "x", "score": -5}]}, {"operations": []}
    )

    assert changed["sections"]["OTHERS"] == [point("kpt_001", "x", 0, 5)]


@given(
    st.lists(
        st.fixed_dictionaries(
            {"op": st.sampled_from(["ADD", "UPDATE", "DELETE", "MERGE", "x"])},
            optional={
                "text": st.text(max_size=5) | st.none(),
                "merged_text": st.text(max_size=5),
                "target_id": st.sampled_from(["pat-001", "pat-002", "pat-003", "mis-001"])
                | st.integers(),
                "source_ids": st.lists(
                    st.sampled_from(["pat-001", "pat-002", "mis-001", "pat-003"]) | st.none(),
                    max_size=4,
                )
                | st.none(),
                "section": st.sampled_from(["OTHERS", "MISTAKES TO AVOID"])
                | st.none()
                | st.integers(),
            },
        )
        | st.none(),
        max_size=14,
    )
)
def test_any_operations_leave_ids_unique_and_no_vote_made_up(operations):
    book = playbook(
        point("pat-001", "one", 2, 1), point("pat-002", "two", 1), point("mis-001", "three", 0, 2)
    )

    changed, outcomes, memory = apply_operations(book, operations)

    assert len(outcomes) == len(operations)
    assert len(set(names(changed))) == len(names(changed))
    assert sum(row["helpful"] for rows in changed["sections"].values() for row in rows) <= 3
    assert memory.numbers["pat"] >= 2
    assert all(not outcome.applied or outcome.why for outcome in outcomes)
