"""Near-duplicates: which texts say the same, and what becomes of their votes."""

import pytest

from ace_reflect.playbook.change import Memory, merge_duplicates
from support.playbooks import named, names, playbook, point

SAME = [
    ("Use type hints", "use type hints"),
    ("Use type hints", "USE TYPE HINTS!"),
    ("Use type hints.", "  Use   type\nhints"),
    ("Always run the tests before committing", "run tests before you commit"),
    ("Don't force-push", "Do not force push"),
    ("Make sure to run the linter on each change", "Run the linter on every change"),
    ("Use `pytest -x` first", "use pytest -x first"),
    ("日本語で答える", "日本語で答える。"),
    ("Use “smart” quotes", 'use "smart" quotes'),
]

DIFFERENT = [
    ("Retry 3 times", "Retry 5 times"),
    ("The server listens on port 80", "The server listens on port 8080"),
    ("Use pytest for all the unit tests", "Use unittest for all the unit tests"),
    ("Never commit to main", "Commit to main"),
    ("Run it without the cache", "Run it with the cache"),
    ("Prefer tabs over spaces", "Prefer spaces over tabs"),
    ("Use tabs, not spaces", "Use spaces, not tabs"),
    ("Run tests before commit", "Run tests after commit"),
    ("Lint before the build and test", "Build and test before the lint"),
    ("Call `userId` in the first request", "Call `userID` in the first request"),
    ("Import foo_bar first of all things", "Import foo-bar first of all things"),
    ("Fail when x <= 3", "Fail when x >= 3"),
    ("Write it in C", "Write it in C++"),
    ("Push with --force", "Push with --force-with-lease"),
    ("Deploy to the staging server on Monday", "Deploy to the production server on Monday"),
    ("Read src/app.py before the change", "Read src/api.py before the change"),
    ("Tests or types", "Tests and types"),
    ("Edit the file setup.cfg by hand", "Edit the file setup.py by hand"),
    ("Nicht auf main pushen", "Auf main pushen"),
    ("Use redis as the cache for sessions", "Use redux as the cache for sessions"),
    ("Wait -1 seconds", "Wait 1 seconds"),
    ("Roll out plan A on Mondays", "Roll out a plan on Mondays"),
    ("Ask Marian about the deploy keys", "Ask Marion about the deploy keys"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_words_in_another_dress_are_one_key_point(one, other):
    book = playbook(point("pat-001", one, 2, 1), point("oth-001", other, 1, 3))
    merged, (outcome,), _ = merge_duplicates(book)
    assert names(merged) == ["pat-001"]
    assert named(merged, "pat-001") == point("pat-001", one, 3, 4)
    assert (outcome.op, outcome.key_point) == ("DEDUP", "pat-001")
    assert outcome.removed[0]["name"] == "oth-001"


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_a_different_number_name_or_negation_keeps_two_apart(one, other):
    book = playbook(point("pat-001", one), point("pat-002", other))
    assert merge_duplicates(book) == (book, [], Memory())


def test_the_first_in_canonical_order_survives_several_and_other_rows_stay():
    first, second = point("oth-001", "use types", 1), point("ctx-001", "Use types.", 1)
    book = playbook(first, second, point("mis-001", "USE TYPES", 1))
    book["sections"]["OTHERS"] += ["a note", {"divider": True}]

    merged, outcomes, _ = merge_duplicates(book)

    assert merged["sections"]["MISTAKES TO AVOID"] == [point("mis-001", "USE TYPES", 3)]
    assert merged["sections"]["PROJECT CONTEXT"] == []
    assert merged["sections"]["OTHERS"] == ["a note", {"divider": True}]
    assert len(outcomes) == 1
    assert book["sections"]["OTHERS"][0] == point("oth-001", "use types", 1)


def test_the_survivor_of_a_protected_key_point_is_protected():
    book = playbook(point("pat-001", "use types"), point("kpt_001", "use types", 0, 5))
    _, _, memory = merge_duplicates(book, Memory(protected=frozenset({"kpt_001"})))
    assert "pat-001" in memory.protected
