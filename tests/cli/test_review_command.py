"""`ace-reflect review`: what waits, where it came from, and each decision about it."""

import os

import pytest

from ace_reflect import load_playbook
from ace_reflect.playbook.store import to_bytes
from ace_reflect.state import record
from support.cli import Ace, at_a_terminal
from support.playbooks import named, names, playbook, point

ASKS = "any other key later"


def propose(ace: Ace, text: str, **more: object) -> None:
    """As learning puts it into the inbox."""
    fields = {"section": "MISTAKES TO AVOID", "source": "read", "quote": "a README said so", **more}
    waiting = record.Waiting(text=text, day="2026-03-04", **fields)
    with ace.host.state() as state:
        rows = record.Rows(waiting=(waiting,), session="session-a")
        record.write(state, os.path.realpath(ace.host.playbook), rows)


def waiting(ace: Ace) -> list[str]:
    return [row["text"] for row in ace("review", "list", "--json").json["waiting"]]


def test_what_waits_is_listed_with_where_it_came_from(ace: Ace) -> None:
    assert ace("review").out == "Nothing waits for you.\n"
    propose(ace, "Never \x1b[31mskip the linter")
    propose(ace, "two", source="user", quote="")
    change = {"op": "UPDATE", "target_id": "pat-001\x1b[2J\u202e", "text": "three"}
    propose(ace, "three", operation=change)

    said = ace("review")

    assert said.code == 0
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert all(character.isprintable() or character == "\n" for character in said.out)
    told = " ".join(said.out.split())
    assert "Never skip the linter for MISTAKES TO AVOID in .claude/playbook.json" in told
    assert (
        "from text that the model read 2026-03-04 in session session-: “a README said so”" in told
    )
    assert "two for MISTAKES TO AVOID in .claude/playbook.json from your words" in told
    assert "UPDATE pat-001 in .claude/playbook.json" in told
    assert waiting(ace) == ["Never \x1b[31mskip the linter", "two", "three"]


def test_what_is_accepted_is_taken_in_and_on_record_with_its_source(ace: Ace) -> None:
    propose(ace, "one")
    propose(ace, "two", quote="3 passed in 0.10s")
    ace.host.playbook.unlink(missing_ok=True)

    accepted = ace("review", "accept", "2", "--json").json["accepted"]

    assert accepted[0]["key_point"] == "mis-001"
    assert named(load_playbook(ace.host.playbook), "mis-001")["text"] == "two"
    assert waiting(ace) == ["one"]
    (change,) = ace("playbook", "why", "mis-001", "--json").json["changes"]
    wanted = {"op": "ADD", "actor": "person", "source": "read", "session": "session-a"}
    assert wanted.items() <= change.items()
    assert change["evidence"] == [{"quote": "3 passed in 0.10s"}]
    ace("playbook", "add", "Use uv")
    told = " ".join(ace("playbook", "why", "mis-001").out.split())
    assert "session session-a, from text that the model read" in told
    assert "from" not in ace("playbook", "why", "pref-001").out, "a person's own words"


def test_a_text_may_be_edited_and_what_cannot_be_taken_in_goes_on_waiting(ace: Ace) -> None:
    ace.host.playbook.write_bytes(to_bytes(playbook(point("pat-001", "one", 3))))
    for target, text in (("pat-009", "two"), ("pat-001", "copied")):
        propose(ace, text, operation={"op": "UPDATE", "target_id": target, "text": text})
    propose(ace, "Copied.")

    refused = ace("review", "accept", "1")
    assert refused.code == 2
    assert "pat-009" in refused.err
    assert "review reject 1" in refused.err
    assert ace("review", "accept", "2").code == 0
    assert named(load_playbook(ace.host.playbook), "pat-001") == point("pat-001", "copied", 3)
    assert ace("review", "accept", "3").out == "3 accepted as pat-001: Copied.\n"
    assert waiting(ace) == ["two"]
    propose(ace, "three")
    assert ace("review", "edit", "4", "a better", "one").out == "4: a better one\n"
    assert waiting(ace) == ["two", "a better one"]
    assert ace("review", "accept", "4").out == "4 accepted as mis-001: a better one\n"


def test_a_rejected_text_does_not_come_back_and_an_unknown_number_changes_nothing(ace):
    propose(ace, "one")
    for command in ("accept 1 99", "reject 1 99", "edit 99 x"):
        assert ace("review", *command.split()).code == 2
    assert waiting(ace) == ["one"]

    assert ace("review", "reject", "1").code == 0
    propose(ace, "one")

    assert waiting(ace) == []
    assert not ace.host.playbook.exists()


def decided(ace: Ace) -> list[str]:
    with ace.host.state() as state:
        return [row[0] for row in state.all("SELECT state FROM inbox ORDER BY id")]


def test_at_a_terminal_each_is_asked_about_and_decided_at_once(ace: Ace) -> None:
    for text in ("one", "two", "three", "four", "five"):
        propose(ace, text)

    output, code = at_a_terminal(ace, "review", typed=list("kdn q"), until=ASKS)

    assert code == 0
    assert "accepted as mis-001" in output
    assert "mis-001" in names(load_playbook(ace.host.playbook))
    assert decided(ace) == ["accepted", "dropped", "rejected", "waiting", "waiting"]
    for text in ("two", "three"):
        propose(ace, text)
    assert waiting(ace) == ["four", "five", "two"], "dropped, and heard again"


@pytest.mark.parametrize(
    ("editor", "state", "says"),
    [
        ("true", "waiting", "not saved in the editor"),
        ("truncate -s 0", "waiting", "needs a text"),
        ("sed -i s/one/three/", "accepted", "accepted as mis-001"),
    ],
)
def test_only_what_was_saved_in_the_editor_is_taken_in(ace, monkeypatch, editor, state, says):
    script = ace.host.project / "editor"
    script.write_text(f'#!/bin/sh\nexec {editor} "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.delenv("VISUAL", raising=False)
    propose(ace, "one")
    propose(ace, "two")

    output, code = at_a_terminal(ace, "review", typed=["e", "k"], until=ASKS)

    assert code == 0
    assert says in output
    assert decided(ace) == [state, "accepted"]
