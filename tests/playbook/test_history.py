"""What a change did, and how it is taken back."""

import json
import os
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import load_playbook
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook import history
from ace_reflect.playbook.history import compare, revert
from ace_reflect.playbook.store import Place, change, snapshot
from support.playbooks import named, playbook, point


@pytest.fixture
def place(tmp_path) -> Place:
    return Place(str(tmp_path / "project" / ".claude" / "playbook.json"), str(tmp_path / "home"))


def put(book):
    return lambda _: book


def whys(place, now_digest=None):
    return [version.why for version in history.versions(place.history_dir, now_digest)]


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
    change(place, put(playbook(point("pat-001", "two"))), why="second", announce=lambda *_: 7)

    newest, oldest = history.versions(place.history_dir)

    assert (newest.why, oldest.why) == ("second", "first")
    assert (newest.intent, oldest.intent) == (7, None)
    copies = [os.path.join(place.history_dir, f"{version.id}.json") for version in (newest, oldest)]
    assert named(load_playbook(copies[0]), "pat-001")["text"] == "one"
    assert os.path.getsize(copies[1]) == 0, "there was no file before it"
    assert newest.before_digest == oldest.after_digest
    assert os.path.basename(place.history_dir).startswith("project-")


def test_a_version_is_found_by_its_place_its_id_or_the_beginning_of_it(place):
    change(place, put(playbook(point("pat-001"))), why="first")
    (version,) = history.versions(place.history_dir)

    assert history.find(place.history_dir, "1") == version
    assert history.find(place.history_dir, version.id) == version
    assert history.find(place.history_dir, version.id[:-2]) == version
    assert history.find(place.history_dir, version.id[:8]) == version, "a date is no place"
    for wrong in ("2", "0", "nope"):
        with pytest.raises(PlaybookError, match="playbook history"):
            history.find(place.history_dir, wrong)


def test_old_versions_are_dropped_and_what_is_no_version_is_passed_over(place, monkeypatch):
    monkeypatch.setattr(history, "KEPT_VERSIONS", 3)
    for number in range(6):
        change(place, put(playbook(point("pat-001", f"text {number}"))), why=f"change {number}")
    assert len(os.listdir(place.history_dir)) == 6
    odd = {"a.why.json": "{", "b.why.json": "[]", "c.why.json": '{"at": 1}', "d.json": "x"}
    for name, content in odd.items():
        with open(os.path.join(place.history_dir, name), "w") as file:
            file.write(content)
    assert whys(place) == ["change 5", "change 4", "change 3"]


def test_a_change_that_was_prepared_and_not_made_is_no_version_and_one_before_an_edit_is(place):
    change(place, put(playbook(point("pat-001", "one"))), why="first")
    with open(place.path, "w") as file:
        json.dump(playbook(point("pat-001", "by hand")), file)
    change(place, put(playbook(point("pat-001", "two"))), why="second")
    with pytest.raises(KeyboardInterrupt), killed_before_replacing(place.path):
        change(place, put(playbook(point("pat-001", "never"))), why="not made")

    assert whys(place, snapshot(place).digest) == ["second", "first"]
    change(place, put(playbook(point("pat-001", "three"))), why="third")
    assert whys(place) == ["third", "second", "first"]


def test_differences_are_added_removed_changed_and_moved():
    before = playbook(point("pat-001", "one"), point("pat-002", "two", 1), point("pat-003"))
    after = playbook(point("pat-002", "two", 2), point("mis-001", "new"))
    after["sections"]["OTHERS"].append(point("pat-003"))
    found = compare(before, after)
    assert revert(after, found) == (before, [])
    assert {one.name: (one.kind, one.to_json()["section"]) for one in found} == {
        "pat-001": ("removed", "PATTERNS & APPROACHES"),
        "pat-002": ("changed", "PATTERNS & APPROACHES"),
        "pat-003": ("changed", "OTHERS"),
        "mis-001": ("added", "MISTAKES TO AVOID"),
    }


def test_what_came_later_stays_and_what_cannot_be_taken_back_says_so():
    before = playbook(point("pat-001", "one"), *(point(f"pat-00{n}", "x", 1) for n in (3, 4, 5)))
    raised = [point(f"pat-00{n}", "x", 2) for n in (4, 5)]
    after = playbook(point("pat-001", "two", 1), point("pat-002"), *raised)
    edited, by_hand = point("pat-002", "edited"), point("pat-003", "by hand", 7)
    voted, last = point("pat-005", "x", 5, 1), point("pat-006", "later")
    later = playbook(point("pat-001", "other", 1), edited, by_hand, voted, last)

    result, kept = revert(later, compare(before, after))

    back = {**voted, "helpful": 4}
    assert result == playbook(point("pat-001", "other", 0), edited, by_hand, back, last)
    assert [(difference.name, why) for difference, why in kept] == [
        ("pat-001", "its text has been changed since; its counters were taken back"),
        ("pat-003", "it is there again"),
        ("pat-004", "it has been removed since"),
        ("pat-002", "its text has been changed since"),
    ]


NAMES, VOTES = st.sampled_from([f"pat-{n:03d}" for n in range(1, 6)]), st.integers(0, 5)
ROWS = st.builds(point, NAMES, st.sampled_from("abc"), VOTES, VOTES)
POINTS = st.lists(ROWS, unique_by=lambda one: one["name"], max_size=5)


@given(POINTS, POINTS)
def test_taking_back_a_change_at_once_gives_what_was_before(before, after):
    old, new = playbook(*before), playbook(*after)
    result, kept = revert(new, compare(old, new))
    assert kept == []
    for section, rows in old["sections"].items():
        assert sorted(map(str, result["sections"][section])) == sorted(map(str, rows))
