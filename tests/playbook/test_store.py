import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import load_playbook, save_playbook
from ace_reflect.errors import LockTimeout, PlaybookError
from ace_reflect.playbook import history, store
from ace_reflect.playbook.model import empty_playbook
from ace_reflect.playbook.read import PlaybookNewer
from ace_reflect.playbook.store import Place, PlaybookBroken, change, place_of, snapshot, to_bytes
from support.playbooks import named, names, playbook, point


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


def test_a_saved_playbook_is_loaded_as_it_was(tmp_path):
    book = {
        **playbook(point("pat-001", "日本語 🎉 \\ud800 \ud800", 1, 2, tags=["a"])),
        "owner": "me",
        "last_updated": "then",
    }

    save_playbook(tmp_path / "playbook.json", book)

    assert load_playbook(str(tmp_path / "playbook.json")) == book


def test_the_written_form_is_indented_utf8_with_a_newline_at_the_end(tmp_path, snapshot):
    save_playbook(
        tmp_path / "playbook.json", playbook(point("pat-001", "日本語"), point("oth-002"))
    )

    assert (tmp_path / "playbook.json").read_text("utf-8") == snapshot


def test_a_missing_file_is_an_empty_playbook_and_stays_missing(place):
    assert load_playbook(place.path) == playbook()
    assert beside(place) == []


def test_a_flat_playbook_is_saved_in_the_written_form(place):
    write(place, {"key_points": ["a"]})

    save_playbook(place.path, load_playbook(place.path))

    assert json.loads(Path(place.path).read_text())["sections"]["OTHERS"] == [point("kpt_001", "a")]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[]", b"<<<<<<< HEAD\n", b'{"sections": []}', b"\x00" * 100],
)
def test_a_file_that_is_no_playbook_is_set_aside_and_both_files_are_named(place, content):
    write(place, content)

    with pytest.raises(PlaybookError) as error:
        load_playbook(place.path)

    (kept,) = beside(place)
    assert place.path in str(error.value)
    assert kept in str(error.value)
    assert Path(place.path).with_name(kept).read_bytes() == content
    assert load_playbook(place.path) == playbook()


@pytest.mark.parametrize("use", [snapshot, lambda at: change(at, add("oth-001"), why="test")])
@pytest.mark.parametrize(
    "content", [b"{broken", b"\xff", b'{"sections": 3}', b"<<<<<<< HEAD\n{}\n=======\n"]
)
def test_looking_at_a_broken_playbook_or_changing_it_leaves_it_where_it_is(place, use, content):
    write(place, content)

    with pytest.raises(PlaybookBroken, match="it was left as it is"):
        use(place)

    assert Path(place.path).read_bytes() == content
    assert beside(place) == [Path(place.path).name]


def test_a_merge_conflict_is_called_that_with_its_line(place):
    book = to_bytes(playbook(point("pat-001"), point("pat-002"))).decode().splitlines(keepends=True)
    book[6:6] = ["<<<<<<< HEAD\n", '"x"\n', "=======\n", '"y"\n', ">>>>>>> other branch\n"]
    write(place, "".join(book).encode())

    with pytest.raises(
        PlaybookBroken, match=r"line 7 begins a git merge conflict.*git checkout --ours"
    ) as error:
        snapshot(place)

    assert error.value.line == 7
    assert f"{place.path}:7 " in str(error.value)


def test_a_text_with_the_marks_of_a_conflict_in_it_is_none(place):
    text = "settle\n<<<<<<< HEAD\nat once"
    write(place, playbook(point("pat-001", text)))

    assert named(snapshot(place).playbook, "pat-001")["text"] == text


ODD_ROWS = [
    {"name": "pat-001", "text": 5},
    {"name": "pat-007"},
    {"name": "pat-008", "text": "", "helpful": 4},
    ["pat-009", "a list"],
    17,
    {"name": None, "text": None, "note": "mine"},
]


@pytest.mark.parametrize("row", ODD_ROWS)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_an_entry_that_cannot_be_read_stays_in_the_file_where_it_is(place, row, at):
    rows = [point("pat-002"), point("pat-003", "write tests first")]
    rows.insert(at, row)
    write(
        place,
        {
            **empty_playbook(),
            "sections": {**empty_playbook()["sections"], "PATTERNS & APPROACHES": rows},
        },
    )

    for number in (1, 2):
        change(place, add(f"oth-{number:03d}", f"text {number}"), why="test")

    after = json.loads(Path(place.path).read_text())["sections"]
    assert after["PATTERNS & APPROACHES"] == rows
    assert [row["name"] for row in after["OTHERS"]] == ["oth-001", "oth-002"]


def test_several_entries_that_cannot_be_read_keep_their_order(place):
    rows = [*ODD_ROWS[:2], point("pat-002"), *ODD_ROWS[2:]]
    write(place, {"sections": {"PATTERNS & APPROACHES": rows}})

    change(place, add("oth-001"), why="test")
    assert json.loads(Path(place.path).read_text())["sections"]["PATTERNS & APPROACHES"] == rows

    change(place, lambda _: playbook(point("oth-009", "all else is gone")), why="test")
    assert json.loads(Path(place.path).read_text())["sections"]["PATTERNS & APPROACHES"] == [
        *ODD_ROWS
    ]


def test_what_cannot_be_read_of_a_flat_list_comes_along_and_dividers_do_not(place):
    write(
        place,
        {"key_points": ["a", {"divider": True}, {"name": "kpt_004", "text": ["b"]}, "", None]},
    )

    change(place, add("oth-001"), why="test")

    assert json.loads(Path(place.path).read_text())["sections"]["OTHERS"][:2] == [
        point("kpt_001", "a"),
        {"name": "kpt_004", "text": ["b"]},
    ]


def test_saving_over_a_broken_playbook_keeps_it(place, capsys):
    write(place, b"{broken")

    save_playbook(place.path, playbook(point("pat-001")))

    assert names(load_playbook(place.path)) == ["pat-001"]
    (kept,) = (name for name in beside(place) if "unreadable" in name)
    assert Path(place.path).with_name(kept).read_bytes() == b"{broken"
    assert kept in capsys.readouterr().err


def test_a_playbook_of_a_newer_kind_is_refused_and_left_alone(place):
    before = write(place, {"version": "2.0", "notes": [{"id": "n1", "body": "a"}]})

    for attempt in (
        lambda: load_playbook(place.path),
        lambda: save_playbook(place.path, playbook()),
    ):
        with pytest.raises(PlaybookNewer, match="newer program"):
            attempt()

    assert Path(place.path).read_bytes() == before
    assert beside(place) == ["playbook.json"]


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


def test_a_change_that_changes_nothing_writes_nothing(place):
    write(place, {"key_points": ["a"]})
    before = os.stat(place.path).st_mtime_ns

    made = change(place, lambda book: book, why="test")

    assert not made.changed
    assert os.stat(place.path).st_mtime_ns == before
    assert history.versions(place) == []


def test_a_change_says_when_it_was_made(place):
    made = change(place, add("oth-001"), why="test")

    assert made.after["last_updated"] is not None
    assert load_playbook(place.path) == made.after
    assert made.before.digest == ""
    assert made.after_digest == store.digest(Path(place.path).read_bytes())


def test_an_intent_is_announced_before_the_file_is_replaced_and_may_stop_it(place):
    change(place, add("oth-001"), why="first")
    before = Path(place.path).read_bytes()
    announced = []

    def refuse(planned):
        announced.append(planned)
        assert Path(place.path).read_bytes() == before
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        change(place, add("oth-002"), why="second", announce=refuse)

    assert Path(place.path).read_bytes() == before
    assert announced[0].before_digest == store.digest(before)
    assert announced[0].after_digest == store.digest(announced[0].content.encode())


def test_an_edit_that_fails_leaves_everything_and_frees_the_lock(place):
    change(place, add("oth-001"), why="first")
    before = Path(place.path).read_bytes()

    def broken(_):
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - the edit's own error comes through
        change(place, broken, why="second")

    assert Path(place.path).read_bytes() == before
    assert change(place, add("oth-002"), why="third", deadline_s=0.1).changed


def test_a_lock_that_is_not_had_in_time_changes_nothing(place):
    change(place, add("oth-001"), why="first")
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with store.locked(place):
            inside.set()
            leave.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    inside.wait(10)
    try:
        with pytest.raises(LockTimeout, match="nothing was changed"):
            change(place, add("oth-002"), why="second", deadline_s=0.2)
    finally:
        leave.set()
        holder.join()
    assert names(load_playbook(place.path)) == ["oth-001"]


ADD_MANY = """
import sys
from ace_reflect.playbook.store import Place, change

path, home, who, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])

def edit(book):
    rows = book["sections"]["OTHERS"]
    rows.append({"name": f"oth-{len(rows) + 1:03d}", "text": f"{who}", "helpful": 0, "harmful": 0})
    return book

for _ in range(rounds):
    change(Place(path, home), edit, why=who, deadline_s=60)
"""


def run_writers(place: Place, path_of, rounds: int = 15) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", ADD_MANY, path_of(n), place.home_dir, f"writer {n}", str(rounds)]
        )
        for n in range(4)
    ]
    assert [writer.wait(timeout=100) for writer in writers] == [0] * 4


def test_processes_that_change_it_at_once_lose_nothing(place):
    run_writers(place, lambda _: place.path)

    found = names(load_playbook(place.path))
    assert found == [f"oth-{n:03d}" for n in range(1, 61)]
    assert len(history.versions(place)) == 60


def test_processes_that_come_by_different_links_share_one_lock(place, tmp_path):
    change(place, lambda book: {**book, "x": 1}, why="made")
    (tmp_path / "link").symlink_to(tmp_path / "project")

    run_writers(
        place,
        lambda n: place.path if n % 2 else str(tmp_path / "link" / ".claude" / "playbook.json"),
        rounds=5,
    )

    assert len(names(load_playbook(place.path))) == 20


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
    assert [version.why for version in history.versions(place)] == ["second", "first"]


FULL_DISK = """
import resource, signal, sys
from ace_reflect.playbook.store import Place, change
from ace_reflect.errors import PlaybookError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    change(Place(sys.argv[1], sys.argv[2]), lambda book: {**book, "large": "x" * 10_000}, why="full")
except PlaybookError as error:
    print(error)
"""


def test_a_disk_without_room_leaves_the_old_playbook_and_no_rest(place):
    change(place, add("oth-001"), why="first")
    before = Path(place.path).read_bytes()

    ended = subprocess.run(
        [sys.executable, "-B", "-c", FULL_DISK, place.path, place.home_dir],
        check=True,
        capture_output=True,
        text=True,
    )

    assert "unchanged" in ended.stdout or "nothing was changed" in ended.stdout
    assert Path(place.path).read_bytes() == before
    assert beside(place) == ["playbook.json"]


def test_what_a_killed_writer_left_is_cleared_when_it_is_old(place):
    old, young = (
        Path(place.path).with_name(f".playbook.json.{name}.tmp") for name in ("old", "young")
    )
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (1, 1))

    change(place, add("oth-001"), why="test")

    assert not old.exists()
    assert young.exists()


def test_a_link_to_a_playbook_is_honoured_and_stays_a_link(place, tmp_path):
    target = tmp_path / "dotfiles.json"
    target.write_text(json.dumps(playbook(point("pat-001"))))
    os.symlink(target, place.path)

    change(place, add("oth-001"), why="test")

    assert os.path.islink(place.path)
    assert names(json.loads(target.read_text())) == ["pat-001", "oth-001"]


def test_what_a_link_leads_to_is_never_moved_away(place, tmp_path):
    target = tmp_path / "config"
    target.write_text("Host *\n")
    os.symlink(target, place.path)

    for attempt in (
        lambda: load_playbook(place.path),
        lambda: save_playbook(place.path, playbook()),
    ):
        with pytest.raises(PlaybookError, match="neither was touched"):
            attempt()

    assert target.read_text() == "Host *\n"
    assert os.path.islink(place.path)


@pytest.mark.parametrize("target", ["nowhere.json", "playbook.json"])
def test_a_link_that_leads_nowhere_is_an_error(place, target):
    os.symlink(target, place.path)

    with pytest.raises(PlaybookError):
        change(place, add("oth-001"), why="test")

    assert beside(place) == ["playbook.json"]


def test_a_folder_a_pipe_or_a_device_is_an_error_and_never_waited_for(place, tmp_path):
    os.mkdir(place.path)
    with pytest.raises(PlaybookError, match="folder"):
        load_playbook(place.path)

    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PlaybookError, match="pipe"):
        load_playbook(tmp_path / "pipe")

    with pytest.raises(PlaybookError, match="device"):
        load_playbook("/dev/zero")


def test_a_missing_folder_is_made(tmp_path):
    change(
        Place(str(tmp_path / "new" / ".claude" / "playbook.json"), str(tmp_path / "home")),
        add("oth-001"),
        why="test",
    )

    assert (tmp_path / "new" / ".claude" / "playbook.json").exists()


def test_a_home_that_is_a_file_is_an_error(place, tmp_path):
    (tmp_path / "home").write_text("")

    with pytest.raises(PlaybookError, match="cannot lock"):
        change(place, add("oth-001"), why="test")


def test_the_users_own_playbook_is_numbered_from_9001(tmp_path):
    home = tmp_path / "home"

    assert place_of(home / "playbook.json", str(home)).floor == 9000
    assert place_of(tmp_path / "playbook.json", str(home)).floor == 0


def test_a_reader_never_sees_half_a_playbook(place):
    change(place, lambda book: {**book, "filler": "x" * 500_000}, why="made")
    stop = threading.Event()
    seen = []

    def read():
        while not stop.is_set():
            seen.append(len(snapshot(place).playbook["filler"]))

    reader = threading.Thread(target=read)
    reader.start()
    for size in range(500_000, 500_010):
        change(place, lambda book, size=size: {**book, "filler": "x" * size}, why="grown")
    stop.set()
    reader.join()

    assert seen
    assert all(size >= 500_000 for size in seen)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
)
def test_unknown_fields_survive_whatever_they_hold(tmp_path_factory, value):
    path = tmp_path_factory.mktemp("p") / "playbook.json"

    save_playbook(path, {**playbook(point("pat-001", extra=value)), "unknown": value})

    assert load_playbook(path) == {**playbook(point("pat-001", extra=value)), "unknown": value}
