"""`ace-reflect playbook`: what was learned, looked at, changed and taken back, each change with its record."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from ace_reflect import load_playbook
from ace_reflect.playbook.store import locked, place_of, to_bytes
from ace_reflect.state import record
from support.cli import Ace, Said
from support.playbooks import named, names, playbook, point
from support.transcripts import TranscriptBuilder

Book = Callable[..., Said]


@pytest.fixture
def book(ace: Ace) -> Book:
    """Run `ace-reflect playbook …`; nothing is learned yet."""
    ace.host.playbook.unlink(missing_ok=True)
    return lambda *words: ace("playbook", *words)


def write(ace: Ace, *points: dict) -> None:
    ace.host.playbook.write_bytes(to_bytes(playbook(*points)))


def of_project(ace: Ace) -> dict:
    return load_playbook(ace.host.playbook)


def of_user(ace: Ace) -> dict:
    return load_playbook(ace.host.home / "playbook.json")


def preferences(book: dict) -> list[str]:
    return [one["text"] for one in book["sections"]["USER PREFERENCES"]]


def learn(ace: Ace) -> None:
    """A session that cites pat-001 and then passes its tests."""
    place = {"session_id": "session-a", "cwd": str(ace.host.project)}
    made = TranscriptBuilder(ace.host.project / "s.jsonl", **place)
    made.prompt("Fix it.").say("By [pat-001].").edit(f"{ace.host.project}/a.py")
    ace("run", made.bash("pytest -q", "3 passed in 0.10s").say("Done.").write(), "--offline")


def test_without_a_word_it_lists_both_playbooks_in_eighty_columns(ace, book, snapshot):
    assert "No key points yet" in book().out
    assert not ace.host.playbook.exists()
    long = point("pat-001", "use type hints " * 12, 12, 3, note="kept")
    write(ace, long, point("mis-001", "[bold]don't[/bold] \x1b[31mforce-push"))
    book("add", "answer in German", "--user")

    said = book()

    assert (said.code, said.err) == (0, "")
    assert max(len(line) for line in said.out.splitlines()) <= 80
    assert said.out.replace(str(ace.host.home), "HOME") == snapshot
    body = book("list", "--json").json
    assert body["schema"] == "ace-reflect/playbook/1"
    mine = body["playbooks"][0]
    assert (mine["path"], mine["scope"]) == (str(ace.host.playbook), "project")
    assert mine["key_points"][0] == {**long, "section": "PATTERNS & APPROACHES", "track": 0.613}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("Use uv,", "never pip"), "pref-001"), (("使用 uv",), "pref-001"),
        (("C", "--section", "mis"), "mis-001"), (("x", "--section", "stuff"), None), (("--", "-"), None),
        (("...",), None), (("  ",), None),
    ],
)  # fmt: skip
def test_what_is_added_goes_into_its_section_if_it_says_something(ace, book, words, name):
    assert book("add", *words).code == (0 if name else 2)

    if name is None:
        assert not ace.host.playbook.exists()
        return
    assert names(of_project(ace)) == [name]
    assert book("show", f"[{name}]").out.startswith(f"[{name}] ")
    (change,) = book("why", name, "--json").json["changes"]
    assert (change["op"], change["actor"], change["source"]) == ("ADD", "person", "user")
    said = book("add", *words)
    assert (said.code, f"{name} says that already" in said.err) == (2, True)


def test_a_secret_is_taken_out(ace, book):
    key = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    assert "secret" in book("add", f"deploy with {key}").err
    assert key not in ace.host.playbook.read_text()


def test_an_edit_keeps_id_and_votes_and_is_on_record_with_both_texts(ace, book, monkeypatch):
    write(ace, point("pat-001", "one", 3, 1), point("pat-002", "two"))

    assert "pat-001 says exactly that already" in book("edit", "pat-001", "one").err
    (row,) = book("edit", "[pat-001]", "three", "--json").json["operations"]

    assert (row["op"], row["key_point"], row["applied"]) == ("EDIT", "pat-001", True)
    assert named(of_project(ace), "pat-001") == point("pat-001", "three", 3, 1)
    (change,) = book("why", "pat-001", "--json").json["changes"]
    assert (change["before"]["text"], change["after"]["text"]) == ("one", "three")

    editor = ace.host.project / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/three/four/ "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert book("edit", "pat-001").code == 0
    assert named(of_project(ace), "pat-001")["text"] == "four"


def test_any_number_is_removed_at_once_and_comes_back_with_one_undo(ace, book):
    """The ten operations of one reply are a curator's limit, not a person's."""
    rows = [point(f"pat-{number:03}", f"rule number {number}") for number in range(1, 15)]
    write(ace, *rows)
    before = of_project(ace)["sections"]

    assert book("remove", *[row["name"] for row in rows[:12]], "[pat-001]").code == 0
    assert names(of_project(ace)) == ["pat-013", "pat-014"]
    assert "DELETE by person" in book("why", "pat-001").out, "of one that is gone, too"

    assert book("undo").code == 0
    assert of_project(ace)["sections"] == before
    said = book("undo")
    assert (said.code, "not been undone already" in said.err) == (2, True)


def test_undo_goes_further_back_each_time_and_leaves_what_came_later(ace, book):
    for text in ("one", "two", "three"):
        book("add", text)
    book("undo")
    book("undo")
    assert preferences(of_project(ace)) == ["one"]
    assert "  brought back: added by hand\n" in book("undo", "1").out
    assert preferences(of_project(ace)) == ["one", "two"]
    assert "  took back: added by hand\n" in book("undo", "1").out
    book("add", "four")
    assert names(of_project(ace))[-1] == "pref-004", "an id is not used again"
    assert "added by hand" in book("undo").out, "what stays taken back is not the next one"

    book("edit", "pref-001", "use uv only")
    book("edit", "pref-001", "use uv, never pip")
    assert "pref-001: its text has been changed since" in book("undo", "2").out
    assert preferences(of_project(ace)) == ["use uv, never pip"]
    book("undo", "1")
    undo, edit, *_ = book("why", "pref-001", "--json").json["changes"]
    texts = (undo["op"], undo["before"]["text"], undo["after"]["text"])
    assert texts == ("UNDO", "use uv, never pip", "use uv only")
    assert edit["undone_at"] is not None


def test_an_undo_of_what_was_learned_takes_its_votes_back_on_the_record_too(ace, book):
    write(ace, point("pat-001", "run the tests", 1))
    learn(ace)
    shown = " ".join(book("why", "pat-001").out.split())
    assert "session session-a, judged by" in shown
    assert "3 passed in 0.10s" in shown

    for undone, helpful in ((True, 1), (False, 2), (True, 1)):
        book("undo", "1")
        (vote,) = book("why", "pat-001", "--json").json["votes"]
        assert bool(vote["undone_at"]) is undone
        assert named(of_project(ace), "pat-001")["helpful"] == helpful


@pytest.mark.parametrize(("flags", "present"), [((), False), (("--user",), True)])
def test_a_promotion_moves_votes_too_and_is_taken_back_in_both_playbooks(ace, book, flags, present):
    write(ace, point("pref-001", "answer in German", 4, 1), point("pref-002", "use uv"))
    if present:
        book("add", "--user", "Answer in German.")

    said = book("promote", "pref-001", "pref-001")

    told = "the votes of pref-001 went to it" if present else "pref-001 is pref-9001 now"
    assert told in " ".join(said.out.split())
    moved = of_project(ace)["sections"], of_user(ace)["sections"]
    (mine,) = of_user(ace)["sections"]["USER PREFERENCES"]
    assert (names(of_project(ace)), mine["name"]) == (["pref-002"], "pref-9001")
    assert (mine["helpful"], mine["harmful"]) == (4, 1)

    for way, words in (("took back", []), ("brought back", ["1"]), ("took back", [])):
        taken = book("undo", *flags, *words)
        assert taken.out.count(f"{way}: promoted to your own playbook") == 2
        if way == "took back":
            assert sorted(names(of_project(ace))) == ["pref-001", "pref-002"]
            assert preferences(of_user(ace)) == ["Answer in German."] * present
        else:
            assert (of_project(ace)["sections"], of_user(ace)["sections"]) == moved


def test_what_is_exported_can_be_imported_elsewhere_and_twice_adds_nothing(ace, book):
    write(ace, point("pat-001", "one", 3, 1), point("kpt_007", "old", 1), point("oth-004", "two"))
    exported, other = ace.host.project / "out", ace.host.project / "other.json"
    exported.write_text(book("export").out)

    assert book("import", exported, "--playbook", other).code == 0

    assert load_playbook(other)["sections"] == of_project(ace)["sections"]
    again = book("import", exported, "--playbook", other)
    assert (again.code, "pat-001 says that already" in again.out) == (0, True)
    assert len(names(load_playbook(other))) == 3


def test_stats_name_what_deserves_a_look_and_a_neutral_vote_moves_no_counter(ace, book):
    rated = point("pat-001", "one", 9, 0), point("pat-002", "two", 2, 2)
    write(ace, *rated, point("oth-001", "three"))
    why = {"tag": "neutral", "counted": False, "rationale": "Not acted on."}
    vote = record.Vote(key_point="oth-001", turn="t", **why)
    session, model = "8a875d14-a3d9-4caa-a9ad-be65aceb1298", "anthropic/claude-sonnet-4-5-20250929"
    rows = record.Rows(votes=(vote,), turns=("t",), session=session, mode=model)
    with ace.host.state() as state:
        record.write(state, os.path.realpath(ace.host.playbook), rows)

    (found,) = book("stats", "--json", "--project", ".").json["playbooks"]
    pages = [book("stats", "--project", ".").out, book("why", "oth-001").out]

    named = found["key_points"], found["never_voted"], found["contested"]
    assert named == (3, ["oth-001"], ["pat-002"])
    assert found["votes"] == {"helpful": 0, "harmful": 0, "neutral": 1}
    assert "no + or - vote yet  1  oth-001" in pages[0]
    assert f"session {session}, judged by {model}" in " ".join(pages[1].split())
    assert "helpful 0, harmful 0; 1 vote on record" in book("show", "oth-001").out
    assert all(len(line) <= 80 for page in pages for line in page.splitlines())


def test_the_other_half_of_a_promotion_is_that_of_the_same_key_point(ace, book):
    write(ace, point("pref-001", "answer in German"), point("pref-002", "use uv"))
    book("promote", "pref-001")
    book("promote", "pref-002")

    assert book("undo", "2").code == 0  # the first of the two
    assert (names(of_project(ace)), preferences(of_user(ace))) == (["pref-001"], ["use uv"])
    assert book("undo", "--user", "2").code == 0  # the second, from its other side
    assert preferences(of_user(ace)) == []

    book("promote", "pref-002")
    book("edit", "pref-001", "answer in French")
    book("undo")
    assert (names(of_project(ace)), preferences(of_user(ace))) == (["pref-001"], ["use uv"])


@pytest.mark.parametrize("others", [[], ["pref-002"]])
def test_what_is_too_long_is_neither_promoted_nor_imported(ace, book, others):
    """A text may have been written into the file that is longer than any that is taken in."""
    write(ace, point("pref-001", "long words " * 400, 3), point("pref-002", "use uv"))

    said = book("promote", "pref-001", *others)

    assert (said.code, "4,000 is the most" in said.out + said.err) == (0 if others else 2, True)
    assert names(of_project(ace)) == ["pref-001", "pref-002"][: 2 - len(others)]

    texts = ["one", "word " * 900, "...", "", "—", f"{'  ' * 3000}short"]
    rows = [{"text": text, "score": -4} for text in texts]
    (ace.host.project / "old.json").write_text(json.dumps({"key_points": rows}))
    (ace.host.project / "notes.txt").write_text("hello")

    told = " ".join(book("import", "old.json").err.split())

    assert "kpt_002 in OTHERS is left out: its text has 4,499 characters; 4,000 is the most" in told
    assert [row["text"] for row in of_project(ace)["sections"]["OTHERS"]] == ["one", "short"]
    assert book("show", "kpt_001", "--json").json["protected"]
    assert "notes.txt cannot be imported" in book("import", "notes.txt", "--json").json["error"]


def test_history_names_the_key_points_by_id_and_diff_shows_them(ace, book):
    assert "No change to" in book("history").out
    rows = [point(f"pat-00{n}", f"rule number {n}") for n in range(1, 6)]
    write(ace, *rows)
    book("edit", "pat-001", "first")
    book("remove", *[row["name"] for row in rows[1:]])

    page, kept = book("history").out, book("history", "--json").json["versions"]

    assert all(len(line) <= 80 for line in page.splitlines())
    assert "removed by hand - pat-002, - pat-003" in " ".join(page.split())
    reasons = {row["number"]: row["why"] for row in kept}
    assert reasons == {1: "removed by hand", 2: "edited by hand"}
    assert "- [pat-005] helpful=0 harmful=0 :: rule number 5" in book("diff").out
    (change,) = book("diff", kept[1]["id"], "--json").json["changes"]
    assert (change["id"], change["kind"]) == ("pat-001", "changed")


OF_AN_ID = ["show pat-001", "why pat-001", "edit pat-001 x", "remove pat-001", "promote pat-001"]
OTHERS = ["list", "history", "diff", "stats", "export", "add x", "undo", "import ../book.json"]


@pytest.mark.parametrize("command", OF_AN_ID)
def test_an_unknown_id_is_an_error_and_changes_nothing(ace, book, command):
    write(ace, point("pat-002"))

    said = book(*command.replace("remove", "remove pat-002").split())

    assert (said.code, said.out) == (2, "")
    assert "'pat-001'" in said.err
    assert "playbook list" in said.err
    assert names(of_project(ace)) == ["pat-002"]


@pytest.mark.parametrize(
    ("content", "line"),
    [("{broken", 1), ('{"version": "1.0",\n<<<<<<< HEAD\n "a": {}}\n=======\n}\n>>>>>>> b\n', 2)],
)
@pytest.mark.parametrize("command", [*OF_AN_ID, *OTHERS])
def test_a_broken_playbook_is_named_with_its_line_and_stays(ace, book, command, content, line):
    ace.host.playbook.write_text(content)
    (ace.host.root / "book.json").write_bytes(to_bytes(playbook(point("pat-001"))))

    said = book(*command.split())

    assert said.code == 2
    assert f"{ace.host.playbook}:{line} is no playbook" in said.err
    assert ("merge conflict" in said.err) == (line == 2)
    assert [path.read_text() for path in ace.host.playbook.parent.iterdir()] == [content]


def test_an_entry_that_cannot_be_read_is_told_once_keeps_its_id_and_survives(ace, book):
    rows = [{"name": "pref-007", "text": 5}, point("pref-002")]
    path = ace.host.playbook
    path.write_text(json.dumps({"version": "1.0", "sections": {"USER PREFERENCES": rows}}))

    for words in (["list"], ["add", "new"], ["remove", "pref-002"], ["stats"]):
        told = " ".join(book(*words).err.split())
        assert told.count("pref-007 in USER PREFERENCES cannot be read") == 1

    kept = json.loads(path.read_text())["sections"]["USER PREFERENCES"]
    assert rows[0] in kept
    assert sorted(row["name"] for row in kept) == ["pref-007", "pref-008"]


def test_leaving_with_ctrl_c_changes_nothing(ace: Ace, book: Book) -> None:
    write(ace, point("pat-001"))
    before, database = ace.host.playbook.read_bytes(), ace.host.home / "state.db"
    command = [sys.executable, "-m", "ace_reflect.cli.main", "playbook", "add", "x"]
    with locked(place_of(ace.host.playbook)):
        waiting = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ace.host.project)
        while not database.exists() and waiting.poll() is None:
            time.sleep(0.02)
        time.sleep(0.5)
        waiting.send_signal(signal.SIGINT)
        _, err = waiting.communicate(timeout=30)

    assert (waiting.returncode, "Interrupted" in err) == (130, True)
    assert ace.host.playbook.read_bytes() == before
