"""A playbook's file: whole or not at all, one writer at a time, nothing lost."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace_reflect import load_playbook, save_playbook
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.playbook import history, store
from ace_reflect.playbook.store import Place, change, place_of, snapshot
from support.playbooks import names, playbook, point


@pytest.fixture
def place(tmp_path: Path) -> Place:
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    return Place(str(tmp_path / "project" / ".claude" / "playbook.json"), str(tmp_path / "home"))


def add(name: str, text: str = "x"):
    def edit(book):
        book["sections"]["OTHERS"].append(point(name, text))
        return book

    return edit


def write(place: Place, content: object) -> bytes:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    Path(place.path).write_bytes(data)
    return data


def beside(place: Place) -> list[str]:
    return sorted(os.listdir(os.path.dirname(place.path)))


def test_the_written_form_is_indented_utf8_and_is_loaded_as_it_was(tmp_path, snapshot):
    book = playbook(point("pat-001", "日本語 \\ud800 \ud800", 1, 2, tags=["a"]), point("oth-002"))
    save_playbook(tmp_path / "playbook.json", {**book, "owner": "me"})
    assert (tmp_path / "playbook.json").read_text("utf-8") == snapshot
    assert load_playbook(str(tmp_path / "playbook.json")) == {**book, "owner": "me"}


def test_a_missing_file_is_an_empty_playbook_and_a_flat_one_is_saved_in_the_written_form(place):
    assert load_playbook(place.path) == playbook()
    assert beside(place) == []
    write(place, {"key_points": ["a"]})
    save_playbook(place.path, load_playbook(place.path))
    assert json.loads(Path(place.path).read_text())["sections"]["OTHERS"] == [point("kpt_001", "a")]


@pytest.mark.parametrize(
    "use",
    [
        snapshot,
        lambda at: change(at, add("oth-001"), why="test"),
        lambda at: load_playbook(at.path),
        lambda at: save_playbook(at.path, playbook()),
    ],
)
@pytest.mark.parametrize(
    "content",
    [b"", b"{broken", b"\xff", b"[]", b'{"sections": 3}', b"\x00" * 100, b'{"name": "app"}'],
)
def test_a_file_that_is_no_playbook_stays_as_it_is_and_is_named(place, use, content):
    write(place, content)
    with pytest.raises(PlaybookError, match="it was left as it is") as error:
        use(place)
    assert place.path in str(error.value)
    assert Path(place.path).read_bytes() == content
    assert beside(place) == [Path(place.path).name]


ODD_ROWS = [
    {"name": "pat-001", "text": 5}, {"name": "pat-007"}, {"name": "pat-008", "text": "", "helpful": 4},
    ["pat-009", "a list"], 17, {"name": None, "text": None, "note": "mine"},
]  # fmt: skip


def test_entries_that_cannot_be_read_stay_in_their_section_and_dividers_do_not(place):
    rows = [*ODD_ROWS[:2], point("pat-002"), {"divider": True}, "", *ODD_ROWS[2:]]
    write(place, {"sections": {"PATTERNS & APPROACHES": rows}})
    for number in (1, 2):
        change(place, add(f"oth-{number:03d}", f"text {number}"), why="test")
    after = json.loads(Path(place.path).read_text())["sections"]
    assert after["PATTERNS & APPROACHES"] == [point("pat-002"), *ODD_ROWS]
    assert [row["name"] for row in after["OTHERS"]] == ["oth-001", "oth-002"]


def test_a_new_file_is_the_persons_alone_and_an_old_ones_mode_stays(place):
    change(place, add("oth-001"), why="test")
    assert stat.S_IMODE(os.stat(place.path).st_mode) == 0o600

    os.chmod(place.path, 0o644)
    change(place, add("oth-002"), why="test")
    assert stat.S_IMODE(os.stat(place.path).st_mode) == 0o644

    for folder, _, files in os.walk(place.home_dir):
        assert all(
            stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) == 0o600 for name in files
        )


def test_a_change_says_when_it_was_made_and_one_that_changes_nothing_writes_nothing(place):
    made = change(place, add("oth-001"), why="test")
    data = Path(place.path).read_bytes()
    assert made.after["last_updated"] is not None
    assert load_playbook(place.path) == made.after
    assert (made.before.digest, made.after_digest) == ("", store.digest(data))
    assert not change(place, lambda book: book, why="test").changed
    assert Path(place.path).read_bytes() == data
    assert len(history.versions(place.history_dir)) == 1


def test_an_intent_is_announced_before_the_file_is_replaced_and_may_stop_it(place):
    change(place, add("oth-001"), why="first")
    before = Path(place.path).read_bytes()
    announced = []

    def refuse(digests, content):
        announced.append((*digests, store.digest(content.encode())))
        assert Path(place.path).read_bytes() == before
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        change(place, add("oth-002"), why="second", announce=refuse)

    assert Path(place.path).read_bytes() == before
    assert announced == [(store.digest(before), announced[0][2], announced[0][1])]
    assert change(place, add("oth-002"), why="third", deadline_s=0.1).changed, "the lock is free"


ADD_MANY = """
import sys
from ace_reflect.cli.main import main

for number in range(6):
    assert main(["playbook", "add", f"rule {sys.argv[1]}{number}", "--playbook", sys.argv[2]]) == 0
"""


def test_processes_that_change_it_at_once_by_different_links_lose_nothing(place, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "project")
    paths = [place.path, str(tmp_path / "link" / ".claude" / "playbook.json")] * 2
    writers = [
        subprocess.Popen([sys.executable, "-c", ADD_MANY, f"{n}", path])
        for n, path in enumerate(paths)
    ]
    assert [writer.wait(timeout=100) for writer in writers] == [0] * 4
    assert names(load_playbook(place.path)) == [f"pref-{n:03d}" for n in range(1, 25)]


def test_a_lock_that_is_not_had_in_time_changes_nothing(place):
    change(place, add("oth-001"), why="first")
    with store.locked(place), pytest.raises(LockTimeout, match="nothing was changed"):
        change(place, add("oth-002"), why="second", deadline_s=0.2)
    assert names(load_playbook(place.path)) == ["oth-001"]


KILLED = """
import os, signal, sys
from ace_reflect.playbook import store

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(store.os, sys.argv[3], die)
store.change(store.Place(sys.argv[1], sys.argv[2]), lambda book: {**book, "killed": True}, why="killed")
"""


@pytest.mark.parametrize("instant", ["fsync", "replace", "chmod"])
def test_a_kill_at_any_instant_leaves_the_old_playbook_and_a_free_lock(place, instant):
    change(place, add("oth-001"), why="first")
    before = Path(place.path).read_bytes()

    ended = subprocess.run(
        [sys.executable, "-c", KILLED, place.path, place.home_dir, instant], check=False
    )

    assert ended.returncode == -9
    assert Path(place.path).read_bytes() == before
    assert change(place, add("oth-002"), why="second", deadline_s=1).changed
    assert [version.why for version in history.versions(place.history_dir)] == ["second", "first"]


def test_a_link_to_a_playbook_stays_and_one_that_leads_to_no_file_is_an_error(place, tmp_path):
    target = tmp_path / "dotfiles.json"
    target.write_text(json.dumps(playbook(point("pat-001"))))
    os.symlink(target, place.path)
    change(place, add("oth-001"), why="test")
    assert os.path.islink(place.path)
    assert names(json.loads(target.read_text())) == ["pat-001", "oth-001"]

    for nowhere in ("nowhere.json", "playbook.json", "/dev/zero", "."):
        os.unlink(place.path)
        os.symlink(nowhere, place.path)
        with pytest.raises(PlaybookError):
            change(place, add("oth-001"), why="test")
    assert beside(place) == ["playbook.json"]


def test_a_missing_folder_is_made_and_a_home_that_is_a_file_is_an_error(tmp_path):
    path, home = tmp_path / "new" / ".claude" / "playbook.json", tmp_path / "home"
    change(Place(str(path), str(home)), add("oth-001"), why="test")
    assert path.exists()
    with pytest.raises(PlaybookError, match="cannot lock"):
        change(Place(str(path), str(path)), add("oth-002"), why="test")
    floors = [place_of(at / "playbook.json", str(home)).floor for at in (home, tmp_path)]
    assert floors == [9000, 0]


@settings(max_examples=30)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))  # fmt: skip
def test_unknown_fields_survive_whatever_they_hold(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("p") / "playbook.json"
    save_playbook(path, {**playbook(point("pat-001", extra=value)), "unknown": value})
    assert load_playbook(path) == {**playbook(point("pat-001", extra=value)), "unknown": value}
