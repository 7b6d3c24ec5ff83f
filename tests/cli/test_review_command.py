import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ace_reflect import load_playbook
from ace_reflect.cli.main import main
from ace_reflect.playbook.store import to_bytes
from ace_reflect.state import record
from ace_reflect.state.db import open_state
from support.playbooks import named, names, playbook, point


@pytest.fixture
def ace(capsys):
    def run(*arguments: str):
        code = main(["review", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def book_of(project: Path) -> Path:
    return project / ".claude" / "playbook.json"


def propose(project: Path, *waiting: record.Waiting) -> None:
    """As learning puts them into the inbox."""
    with open_state(str(project.parent / "home")) as state:
        record.write(
            state,
            os.path.realpath(book_of(project)),
            record.Rows(waiting=waiting, session="session-a"),
        )


def proposed(text: str, **more: object) -> record.Waiting:
    return record.Waiting(
        **{
            "section": "MISTAKES TO AVOID",
            "text": text,
            "source": "read",
            "quote": "a README said so",
            **more,
        }
    )


def test_an_empty_inbox_says_so(project, ace):
    assert ace() == (0, "Nothing waits for you.\n", "")


def test_what_waits_is_listed_with_where_it_came_from(project, ace, snapshot):
    propose(
        project, proposed("Never \x1b[31mskip the linter"), proposed("two", source="user", quote="")
    )

    code, out, _ = ace("list")

    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    rows = [line for line in out.splitlines() if line]
    assert (
        "\n".join(
            line.replace(line[4:14], "YYYY-MM-DD") if line[4:6] == "20" else line for line in rows
        )
        == snapshot
    )
    assert [row["text"] for row in json.loads(ace("--json")[1])["waiting"]] == [
        "Never \x1b[31mskip the linter",
        "two",
    ]


def test_the_id_that_a_model_wrote_moves_no_terminal(project, ace):
    propose(
        project,
        proposed(
            "one", operation={"op": "UPDATE", "target_id": "pat-001\x1b[2J\u202e", "text": "one"}
        ),
    )

    out = ace("list")[1]

    assert "UPDATE pat-001" in out
    assert all(character.isprintable() or character == "\n" for character in out)


def test_nothing_that_waits_is_in_the_playbook_before_it_is_accepted(project, ace):
    propose(project, proposed("one"), proposed("two"))
    assert not book_of(project).exists()

    assert ace("accept", "2")[0] == 0

    assert names(load_playbook(book_of(project))) == ["mis-001"]
    assert named(load_playbook(book_of(project)), "mis-001")["text"] == "two"
    assert [row["id"] for row in json.loads(ace("list", "--json")[1])["waiting"]] == [1]


def test_accepting_is_on_record_with_its_source(project, ace):
    propose(project, proposed("one", quote="3 passed in 0.10s"))

    code, out, _ = ace("accept", "1", "--json")

    assert code == 0
    assert json.loads(out)["accepted"][0]["key_point"] == "mis-001"
    with open_state(str(project.parent / "home")) as state:
        (change,) = record.changes_of(state, os.path.realpath(book_of(project)), "mis-001")
    assert (change["op"], change["actor"], change["source"], change["session"]) == (
        "ADD",
        "person",
        "read",
        "session-a",
    )
    assert change["evidence"] == [{"quote": "3 passed in 0.10s"}]


def test_why_tells_where_an_accepted_key_point_came_from_and_nothing_of_the_kind_for_ones_own(
    project, ace, capsys
):
    propose(project, proposed("one", quote="3 passed in 0.10s"))
    ace("accept", "1")
    book = str(book_of(project))
    main(["playbook", "add", "Use uv", "--playbook", book])
    capsys.readouterr()

    main(["playbook", "why", "mis-001", "--playbook", book])
    accepted = capsys.readouterr().out
    main(["playbook", "why", "pref-001", "--playbook", book])
    own = capsys.readouterr().out

    assert "session session-a, from text that the model read" in " ".join(accepted.split())
    assert "3 passed in 0.10s" in accepted
    assert "ADD by person" in own
    assert "from" not in own


def test_an_edited_text_is_what_is_taken_in(project, ace):
    propose(project, proposed("one"))

    assert ace("edit", "1", "a better", "one")[0] == 0
    ace("accept", "1")

    assert named(load_playbook(book_of(project)), "mis-001")["text"] == "a better one"


def test_a_rewrite_that_waited_is_applied_to_its_key_point(project, ace):
    book_of(project).write_bytes(to_bytes(playbook(point("pat-001", "one", 3))))
    operation = {"op": "UPDATE", "target_id": "pat-001", "text": "copied"}
    propose(project, proposed("copied", operation=operation))

    assert "UPDATE pat-001" in ace("list")[1]
    assert ace("accept", "1")[0] == 0

    assert named(load_playbook(book_of(project)), "pat-001") == point("pat-001", "copied", 3)


def test_what_cannot_be_taken_in_goes_on_waiting(project, ace):
    book_of(project).write_bytes(to_bytes(playbook(point("pat-001", "one"))))
    propose(
        project, proposed("two", operation={"op": "UPDATE", "target_id": "pat-009", "text": "two"})
    )

    code, _, err = ace("accept", "1")

    assert code == 1
    assert "pat-009" in err
    assert "review reject 1" in err
    assert len(json.loads(ace("--json")[1])["waiting"]) == 1


def test_what_the_playbook_says_already_is_accepted_as_what_says_it(project, ace):
    book_of(project).write_bytes(to_bytes(playbook(point("pat-001", "one"))))
    propose(project, proposed("One."))

    code, out, _ = ace("accept", "1")

    assert (code, out) == (0, "1 accepted as pat-001: One.\n")
    assert json.loads(ace("--json")[1])["waiting"] == []


def test_a_rejected_text_does_not_come_back(project, ace):
    propose(project, proposed("one"))

    assert ace("reject", "1")[0] == 0
    propose(project, proposed("one"))

    assert ace()[1] == "Nothing waits for you.\n"
    assert not book_of(project).exists()


@pytest.mark.parametrize("command", ["accept", "reject", "edit"])
def test_an_unknown_number_is_an_expected_failure_and_changes_nothing(project, ace, command):
    propose(project, proposed("one"))

    more = ["x"] if command == "edit" else []
    assert ace(command, *(["1", "99"] if command != "edit" else ["99"]), *more)[0] == 1

    assert len(json.loads(ace("--json")[1])["waiting"]) == 1
    assert (
        ace(command, "one", *more)[0] == 1
    )  # a word is no usage that is wrong, but an id that nobody has
    assert "error" in json.loads(ace(command, "one", *more, "--json")[1])
    assert ace(command)[0] == 2


def test_only_one_playbooks_can_be_asked_for(project, ace, tmp_path):
    propose(project, proposed("one"))
    (tmp_path / "other").mkdir()

    assert "one" in ace("list", "--project", str(project))[1]
    assert ace("list", "--project", str(tmp_path / "other"))[1] == "Nothing waits for you.\n"


def at_a_terminal(project: Path, typed: bytes) -> tuple[bytes, int]:
    """What `review` shows there, and its exit status."""
    mine, theirs = pty.openpty()
    command = "import sys; from ace_reflect.cli.main import main; sys.exit(main(['review']))"
    asked = subprocess.Popen(
        [sys.executable, "-c", command], stdin=theirs, stdout=theirs, stderr=theirs, cwd=project
    )
    os.close(theirs)
    os.write(mine, typed)

    output = b""
    while True:
        try:
            chunk = os.read(mine, 4096)
        except OSError:  # the other side is closed
            break
        if not chunk:
            break
        output += chunk
    return output, asked.wait(timeout=30)


def decided(project: Path) -> list[str]:
    with open_state(str(project.parent / "home")) as state:
        return [row[0] for row in state.all("SELECT state FROM inbox ORDER BY id")]


def test_at_a_terminal_each_is_asked_about_and_decided_at_once(project):
    propose(project, proposed("one"), proposed("two"), proposed("three"), proposed("four"))

    output, code = at_a_terminal(project, b"a\nr\ns\nq\n")

    assert code == 0
    assert b"accepted as mis-001" in output
    assert names(load_playbook(book_of(project))) == ["mis-001"]
    assert decided(project) == ["accepted", "rejected", "waiting", "waiting"]


@pytest.mark.parametrize(
    ("editor", "states", "says"),
    [
        ("true", ["waiting", "accepted"], b"not saved: it goes on waiting"),
        ("false", ["waiting", "accepted"], b"Editing failed"),
        ("truncate -s 0", ["waiting", "accepted"], b"needs a text"),
        ("sed -i s/one/three/", ["accepted", "accepted"], b"accepted as mis-001"),
    ],
    ids=["left without saving", "the editor fails", "emptied", "saved"],
)
def test_only_what_was_saved_in_the_editor_is_taken_in(project, monkeypatch, editor, states, says):
    script = project / "editor"
    script.write_text(f'#!/bin/sh\nexec {editor} "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.delenv("VISUAL", raising=False)
    propose(project, proposed("one"), proposed("two"))

    output, code = at_a_terminal(project, b"e\na\n")

    assert code == 0
    assert says in output
    assert decided(project) == states


@pytest.mark.parametrize("name", ["list", "accept", "reject", "edit"])
def test_every_command_has_help_with_an_example(ace, name):
    code, out, _ = ace(name, "--help")

    assert code == 0
    assert f"ace-reflect review {name}" in out
