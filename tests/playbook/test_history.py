import json
import os
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.errors import PlaybookError
from ace_reflect.playbook import history
from ace_reflect.playbook.delta import compare, revert
from ace_reflect.playbook.store import Place, change, snapshot
from support.playbooks import named, names, playbook, point


@pytest.fixture
def place(tmp_path) -> Place:
    return Place(str(tmp_path / "project" / ".claude" / "playbook.json"), str(tmp_path / "home"))


def put(book):
    return lambda _: book


def digest_of(place):
    return snapshot(place).digest


@contextmanager
def killed_before_replacing(path):
    """The process is killed just before this file is replaced."""
    replace = os.replace

    def killed(source, target):
        if os.path.realpath(target) == os.path.realpath(path):
            raise KeyboardInterrupt
        replace(source, target)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("os.replace", killed)
        yield


def test_each_change_keeps_the_version_before_it(place):
    change(place, put(playbook(point("pat-001", "one"))), why="first")
    change(place, put(playbook(point("pat-001", "two"))), why="second", announce=lambda _: 7)

    newest, oldest = history.versions(place)

    assert (newest.why, oldest.why) == ("second", "first")
    assert (newest.intent, oldest.intent) == (7, None)
    assert named(newest.playbook_before(), "pat-001")["text"] == "one"
    assert names(oldest.playbook_before()) == []
    assert newest.before_digest == oldest.after_digest
    assert os.path.basename(history.folder_of(place)).startswith("project-")


def test_a_version_is_found_by_its_place_its_id_or_the_beginning_of_it(place):
    change(place, put(playbook(point("pat-001"))), why="first")
    (version,) = history.versions(place)

    assert history.find(place, "1") == version
    assert history.find(place, version.id) == version
    assert history.find(place, version.id[:-2]) == version
    assert history.find(place, version.id[:8]) == version, "a date is no place in the list"
    for wrong in ("2", "0", "nope"):
        with pytest.raises(PlaybookError, match="playbook history"):
            history.find(place, wrong)


def test_old_versions_are_dropped_when_there_are_too_many(place, monkeypatch):
    monkeypatch.setattr(history, "KEPT_VERSIONS", 3)
    for number in range(6):
        change(place, put(playbook(point("pat-001", f"text {number}"))), why=f"change {number}")

    assert [version.why for version in history.versions(place)] == [
        "change 5",
        "change 4",
        "change 3",
    ]
    assert len(os.listdir(history.folder_of(place))) == 6


def test_old_versions_are_dropped_when_they_are_too_large_but_never_the_newest(place, monkeypatch):
    monkeypatch.setattr(history, "KEPT_BYTES", 20_000)
    for number in range(6):
        change(place, put(playbook(point("pat-001", f"{number}" * 2_000))), why=f"change {number}")
    assert history.versions(place)[0].why == "change 5"
    assert 1 < len(history.versions(place)) < 6

    monkeypatch.setattr(history, "KEPT_BYTES", 10)
    change(place, put(playbook(point("pat-001", "short"))), why="the last")
    assert [version.why for version in history.versions(place)] == ["the last"]


def test_a_change_that_was_prepared_and_not_made_is_no_version_and_one_before_an_edit_by_hand_is(
    place,
):
    change(place, put(playbook(point("pat-001", "one"))), why="first")
    with open(place.path, "w") as file:
        json.dump(playbook(point("pat-001", "by hand")), file)
    change(place, put(playbook(point("pat-001", "two"))), why="second")
    with pytest.raises(KeyboardInterrupt), killed_before_replacing(place.path):
        change(place, put(playbook(point("pat-001", "never"))), why="not made")

    assert [version.why for version in history.versions(place, digest_of(place))] == [
        "second",
        "first",
    ]
    change(place, put(playbook(point("pat-001", "three"))), why="third")
    assert [version.why for version in history.versions(place)] == ["third", "second", "first"]


def test_a_version_whose_copy_is_gone_cannot_be_taken_up_and_an_empty_copy_is_no_playbook_yet(
    place,
):
    change(place, put(playbook(point("pat-001"))), why="first")
    (version,) = history.versions(place)
    assert names(version.playbook_before()) == []

    os.unlink(os.path.join(version.folder, f"{version.id}.json"))
    with pytest.raises(PlaybookError, match="no longer kept"):
        version.playbook_before()


@pytest.mark.parametrize(
    ("folder", "name"), [("my app", "my_app"), ("...", "playbook"), ("", "playbook")]
)
def test_the_folder_of_a_history_is_named_after_the_project(folder, name, tmp_path):
    place = Place(os.path.join("/", folder, ".claude", "playbook.json"), str(tmp_path))
    assert os.path.basename(history.folder_of(place)).rpartition("-")[0] == name


def test_a_history_that_was_tampered_with_is_passed_over(place):
    change(place, put(playbook(point("pat-001"))), why="first")
    folder = history.folder_of(place)
    for name, content in {
        "a.why.json": "{",
        "b.why.json": "[]",
        "c.why.json": '{"at": 1}',
        "d.json": "x",
    }.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)

    assert [version.why for version in history.versions(place)] == ["first"]


def test_differences_are_added_removed_and_changed():
    before = playbook(point("pat-001", "one"), point("pat-002", "two", 1), point("pat-003"))
    after = playbook(point("pat-002", "two", 2), point("pat-003"), point("mis-001", "new"))

    found = compare(before, after)

    assert [(difference.name, difference.kind) for difference in found] == [
        ("pat-001", "removed"),
        ("pat-002", "changed"),
        ("mis-001", "added"),
    ]
    assert revert(after, found) == (before, [])


def test_taking_back_leaves_what_came_later():
    before = playbook(point("pat-001", "one", 1, 0), point("pat-002", "two"))
    after = playbook(point("pat-001", "one", 2, 1), point("pat-003", "new"))
    later = playbook(
        point("pat-001", "one", 5, 1), point("pat-003", "new"), point("pat-004", "later")
    )

    result, kept = revert(later, compare(before, after))

    assert named(result, "pat-001") == point("pat-001", "one", 4, 0)
    assert sorted(names(result)) == ["pat-001", "pat-002", "pat-004"]
    assert kept == []


def test_what_was_changed_since_is_not_taken_back_and_says_so():
    before = playbook(point("pat-001", "one"))
    after = playbook(point("pat-001", "two", 1), point("pat-002", "new"))
    later = playbook(point("pat-001", "three", 1), point("pat-002", "edited"))

    result, kept = revert(later, compare(before, after))

    assert named(result, "pat-001") == point("pat-001", "three", 0)
    assert named(result, "pat-002")["text"] == "edited"
    assert [(difference.name, why) for difference, why in kept] == [
        ("pat-001", "its text has been changed since; its counters were taken back"),
        ("pat-002", "its text has been changed since"),
    ]


def test_what_came_back_or_went_since_is_left_and_says_so():
    before = playbook(point("pat-001", "one"), point("pat-002", "two"))
    after = playbook(point("pat-002", "two", 1), point("pat-003", "new"))
    later = playbook(point("pat-001", "one, by hand", 7))

    result, kept = revert(later, compare(before, after))

    assert result == later
    assert [(difference.name, why) for difference, why in kept] == [
        ("pat-001", "it is there again"),
        ("pat-002", "it has been removed since"),
        ("pat-003", "it has been removed since"),
    ]


def test_a_move_to_another_section_is_taken_back():
    before, after = playbook(point("pat-001"), point("pat-002")), playbook(point("pat-002", "two"))
    after["sections"]["OTHERS"].append(point("pat-001"))
    found = compare(before, after)

    assert revert(after, found) == (before, [])
    assert [difference.to_json()["section"] for difference in found] == [
        "OTHERS",
        "PATTERNS & APPROACHES",
    ]


POINTS = st.lists(
    st.builds(
        point,
        st.sampled_from([f"pat-{n:03d}" for n in range(1, 6)]),
        st.sampled_from("abc"),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    unique_by=lambda one: one["name"],
    max_size=5,
).map(lambda points: sorted(points, key=lambda one: one["name"]))


@given(POINTS, POINTS)
def test_taking_back_a_change_at_once_gives_what_was_before(before, after):
    old, new = playbook(*before), playbook(*after)

    result, kept = revert(new, compare(old, new))

    assert kept == []
    assert sorted(map(str, result["sections"]["PATTERNS & APPROACHES"])) == sorted(
        map(str, old["sections"]["PATTERNS & APPROACHES"])
    )
