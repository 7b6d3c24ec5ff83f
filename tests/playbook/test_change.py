"""The curator's operations, pruning, and `update_playbook_data`."""

import copy

import pytest

from ace_reflect import update_playbook_data
from ace_reflect.playbook import change
from ace_reflect.playbook.change import MAX_TEXT, Memory
from support.playbooks import named, names, playbook, point


def add(text, section="PATTERNS & APPROACHES", **more):
    return {"op": "ADD", "text": text, "section": section, **more}


def merge(*sources, text="all", **more):
    return {"op": "MERGE", "source_ids": list(sources), "merged_text": text, **more}


def apply(book, *operations, memory=None):
    return change.apply_operations(book, list(operations), memory or Memory())


def test_each_operation_is_told_with_what_became_of_it():
    one = point("pat-001", "one", 3, 1, tags=["a"])
    book = playbook(one, point("pat-002", "two"), point("mis-007"))
    rewrite = {"op": "UPDATE", "target_id": "pat-001", "text": "better"}
    delete = {"op": "DELETE", "target_id": "pat-002", "reason": "no longer true"}
    odd = {"type": "DELETE", "target_id": "pat-9"}
    added = (add("three"), add(" four ", "mistakes to avoid"))

    changed, outcomes, _ = apply(book, *added, rewrite, delete, odd)

    better, four = {**one, "text": "better"}, point("mis-008", "four")
    assert changed == playbook(better, point("pat-003", "three"), point("mis-007"), four)
    told = [outcome.to_json() for outcome in outcomes]
    why = "added to PATTERNS & APPROACHES"
    assert told[0] == add("three", key_point="pat-003", applied=True, why=why)
    assert [(one["key_point"], one["applied"], one["why"]) for one in told[3:]] == [
        ("pat-002", True, "no longer true"), (None, False, "no key point of this playbook is named 'pat-9'")
    ]  # fmt: skip
    assert outcomes[1].after == {**four, "section": "MISTAKES TO AVOID"}
    assert (outcomes[2].before["text"], outcomes[2].after["text"]) == ("one", "better")
    assert outcomes[3].before["name"] == "pat-002"


@pytest.mark.parametrize(
    ("section", "slug"),
    [
        *((odd, "oth") for odd in (None, "", "UNKNOWN", 3, [], "others")), ("PATTERNS AND APPROACHES", "pat"),
        ("Patterns &amp; Approaches", "pat"), ("MISTAKES_TO_AVOID", "mis"), ("## User Preferences:", "pref"),
        ("ctx", "ctx"),
    ],
)  # fmt: skip
def test_a_section_is_known_in_any_dress_and_by_its_slug_and_is_else_others(section, slug):
    assert names(apply(playbook(), add("x", section))[0]) == [f"{slug}-001"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("[pat-009] Use tabs.", "Use tabs."),
        ("[pat-001] helpful=9 harmful=0 :: Use tabs.", "Use tabs."),
        ("- `[pref-001]` :: Use tabs.", "Use tabs."),
        ("[kpt_001]: Use tabs.", "Use tabs."),
        *((kept, kept) for kept in ("[skip ci] goes into the subject", "See [pat-001] first", "[pat-001] applies to Go only", "[pat-001](x.md) is a link")),
    ],
)  # fmt: skip
def test_an_id_that_a_model_copies_in_front_of_a_text_is_no_part_of_it(text, written):
    changed, _, _ = apply(playbook(), add(text))
    assert named(changed, "pat-001") == point("pat-001", written)


def test_a_deleted_id_is_not_used_again_and_the_users_are_numbered_from_9001():
    book = playbook(point("pat-001", "one"), point("pat-002", "two"))
    changed, _, memory = apply(book, {"op": "DELETE", "target_id": "pat-002"}, add("three"))
    later, _, _ = apply(playbook(point("pat-001", "one")), add("four"), memory=memory)
    assert names(changed) == ["pat-001", "pat-003"]
    assert names(later) == ["pat-001", "pat-004"]
    assert memory.numbers["pat"] == 3
    assert names(apply(playbook(), add("x"), memory=Memory(floor=9000))[0]) == ["pat-9001"]


def test_merged_key_points_become_a_new_one_with_all_their_votes_in_the_firsts_section():
    """Unless the merge names a section; of what is left of an impossible one, nothing changes."""
    three = point("mis-001", "three", 1, 1)
    book = playbook(point("pat-001", "one", 3, 1), point("pat-002", "two", 2), three)
    sources = ("pat-002", "pat-999", "[pat-001]", "mis-001", "pat-001")
    changed, (outcome,), _ = apply(book, merge(*sources))
    assert changed == playbook(point("pat-003", "all", 6, 2))
    assert [gone["name"] for gone in outcome.removed] == ["pat-002", "pat-001", "mis-001"]
    for section, name in ((" ", "pat-003"), ("user preferences", "pref-001")):
        assert names(apply(book, merge(*sources, section=section))[0]) == [name]


INVALID = [
    *((odd, "") for odd in (None, 3, "ADD", [], {}, {"op": "RENAME"}, {"op": None}, {"op": ["ADD"]})),
    *((add(odd), "it has no text") for odd in (None, "", "  ", 7)),
    (add("x" * (MAX_TEXT + 1)), "its text is 4,001 characters long"),
    (add("ONE."), "pat-001 says that already"),
    (add("  the ONE", "OTHERS"), "pat-001 says that already"),
    ({"op": "UPDATE", "target_id": "pat-999", "text": "x"}, "no key point of this playbook is named 'pat-999'"),
    ({"op": "UPDATE", "target_id": "pat-001"}, "it has no text"),
    ({"op": "UPDATE", "target_id": "pat-001", "text": "one"}, "pat-001 says exactly that already"),
    ({"op": "UPDATE", "target_id": ["pat-001"], "text": "x"}, ""),
    ({"op": "DELETE"}, "no key point"),
    ({"op": "DELETE", "target_id": {"id": "pat-001"}}, ""),
    (merge("pat-001", "mis-001", text=""), "it has no text"),
    *((merge(*sources), "a merge needs two different key points") for sources in ([], ["pat-001"], ["pat-001"] * 2, ["pat-001", "pat-999"], [["pat-001"], 3, None])),
    ({"op": "MERGE", "source_ids": "pat-001", "merged_text": "x"}, "a merge needs two"),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "why"), INVALID)
def test_an_invalid_operation_is_skipped_with_a_reason_and_spoils_no_other(operation, why):
    book = playbook(point("pat-001", "one"), point("mis-001", "two"))

    changed, (skipped, applied), _ = apply(book, operation, add("new"))

    assert (skipped.applied, applied.applied) == (False, True)
    assert skipped.why
    assert skipped.why.startswith(why)
    book["sections"]["PATTERNS & APPROACHES"].append(point("pat-002", "new"))
    assert changed == book


@pytest.mark.parametrize(
    ("written", "form", "text"),
    [
        ({"type": " add ", "text": "x", "merged_text": "y"}, {"op": "ADD", "text": "x"}, "x"),
        ({"action": "ADD", "content": "x"}, {"op": "ADD", "text": "x"}, "x"),
        ({"op": "MERGE", "text": "x", "merged_text": "y"}, {"op": "MERGE", "merged_text": "y"}, "y"),
        ({"type": "MERGE", "text": "x", "content": "z"}, {"op": "MERGE", "merged_text": "x"}, "x"),
        ({"type": "DELETE", "id": "pat-001"}, {"op": "DELETE", "target_id": "pat-001"}, ""),
        ({"op": None, "text": 3}, {"op": "", "text": 3}, ""),
    ],
)  # fmt: skip
def test_of_other_programs_fields_only_the_text_that_would_be_applied_is_left(written, form, text):
    assert change.in_one_form(written) == form
    assert change.text_of(form) == text
    assert bool(names(apply(playbook(), written)[0])) is (form["op"] == "ADD")


def test_only_ten_operations_of_a_reply_are_applied():
    changed, outcomes, _ = apply(playbook(), *(add(f"number {n}") for n in range(12)))
    assert len(names(changed)) == 10
    assert [outcome.applied for outcome in outcomes] == [True] * 10 + [False] * 2
    assert "first 10" in outcomes[10].why


@pytest.mark.parametrize(
    ("helpful", "harmful", "stays"),
    [(0, 2, True), (0, 3, False), (3, 3, True), (2, 3, False), (9, 8, True), (3, 4, False)],
)
def test_what_harmed_three_times_and_more_than_it_helped_is_pruned(helpful, harmful, stays):
    kept, outcomes = change.prune(playbook(point("pat-001", "x", helpful, harmful)))
    assert (names(kept) == ["pat-001"]) is stays
    assert len(outcomes) == (0 if stays else 1)


def test_a_migrated_key_point_and_what_is_merged_from_it_are_not_pruned_before_a_vote():
    book = playbook(point("kpt_001", "one", 0, 5), point("pat-001", "two"))
    memory = Memory(protected=frozenset({"kpt_001"}))
    assert change.prune(book, memory)[0] == book
    assert names(change.prune(book, memory.voted(["kpt_001"]))[0]) == ["pat-001"]
    changed, _, memory = apply(book, merge("pat-001", "kpt_001"), memory=memory)
    assert names(change.prune(changed, memory)[0]) == ["pat-002"]


def test_update_playbook_data_leaves_its_argument_alone_and_prunes_nothing_that_it_migrates():
    book = playbook(point("pat-001", "one", 0, 3), point("pat-002", "two"))
    before = copy.deepcopy(book)
    rewrite = {"op": "UPDATE", "target_id": "pat-002", "text": "better"}
    changed = update_playbook_data(book, {"operations": [rewrite, add("three")]})
    assert book == before
    assert changed == playbook(point("pat-002", "better"), point("pat-003", "three"))
    flat = {"key_points": [{"name": "kpt_001", "text": "x", "score": -5}]}
    changed = update_playbook_data(flat, {"operations": []})
    assert changed["sections"]["OTHERS"] == [point("kpt_001", "x", 0, 5)]


@pytest.mark.parametrize(
    ("result", "count"),
    [
        ({"operations": [add(f"tip {letter}") for letter in "abcdefghij"]}, 11),
        ({"operations": [add("use TYPE-hints.")]}, 2),
        ({"operations": [add("Use  type hints ", "OTHERS")]}, 1),
        ({"operations": [], "new_key_points": ["x"]}, 1),
        ({"operations": None, "new_key_points": ["x"]}, 2),
        ({"new_key_points": ["type hints: use", "b", "b"]}, 3),
    ],
)
def test_near_duplicates_are_not_the_business_of_update_playbook_data(result, count):
    book = playbook(point("pat-001", "Use type hints"))
    assert len(names(update_playbook_data(book, result))) == count


def test_the_older_result_rates_and_adds():
    book = playbook(point("pat-001", "one", 1, 0), point("mis-001", "two", 0, 2))
    rated = [("pat-001", "helpful"), ("mis-001", "harmful"), ("x", None)]
    preference = {"text": "four", "section": "USER PREFERENCES"}
    evaluations = [*({"name": name, "rating": rating} for name, rating in rated), 3]
    new = ["three", preference, None, "", "one"]
    result = {"evaluations": evaluations, "new_key_points": new}

    changed = update_playbook_data(book, result)

    assert named(changed, "pat-001")["helpful"] == 2
    assert names(changed) == ["pat-001", "pref-001", "oth-001"]


@pytest.mark.parametrize("result", [None, {}, [], "x", {"operations": "x"}, {"evaluations": None, "new_key_points": 3}, {"evaluations": [{"name": ["pat-001"], "rating": "helpful"}]}])  # fmt: skip
def test_a_result_of_another_shape_changes_nothing(result):
    book = playbook(point("pat-001"))
    assert update_playbook_data(book, result) == book
