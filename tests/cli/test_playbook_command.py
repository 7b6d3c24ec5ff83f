import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ace_reflect import load_playbook
from ace_reflect.cli.main import main
from ace_reflect.playbook.store import place_of, to_bytes
from ace_reflect.state import record
from ace_reflect.state.db import open_state
from support.playbooks import named, names, playbook, point


@pytest.fixture
def ace(capsys):
    """Run `ace-reflect playbook …` and give (exit code, stdout, stderr)."""

    def run(*arguments: str):
        code = main(["playbook", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


def write(project: Path, book: object) -> str:
    path = project / ".claude" / "playbook.json"
    path.write_bytes(to_bytes(book))
    return str(path)


def of_project(project: Path) -> dict:
    return load_playbook(project / ".claude" / "playbook.json")


def of_user(project: Path) -> dict:
    return load_playbook(project.parent / "home" / "playbook.json")


def state_of(project: Path):
    return open_state(str(project.parent / "home"))


def test_without_a_word_it_lists_both_playbooks_in_eighty_columns(project, ace, snapshot):
    write(
        project,
        playbook(
            point("pat-001", "use type hints " * 12, 12, 3),
            point("mis-001", "[bold]don't[/bold] \x1b[31mforce-push"),
        ),
    )
    (project.parent / "home").mkdir()
    (project.parent / "home" / "playbook.json").write_bytes(
        to_bytes(playbook(point("pref-9001", "answer in German")))
    )

    code, out, err = ace()

    assert (code, err) == (0, "")
    assert max(len(line) for line in out.splitlines() if "playbook:" not in line) <= 80
    assert out.replace(str(project.parent), "…") == snapshot


def test_a_program_gets_all_fields(project, ace):
    path = write(project, {**playbook(point("pat-001", "x", 3, 1, note="kept"))})

    code, out, _ = ace("list", "--json", "--project", str(project))

    assert code == 0
    assert json.loads(out) == {
        "schema": "ace-reflect/playbook/1",
        "playbooks": [
            {
                "path": path,
                "scope": "project",
                "key_points": [
                    {
                        "name": "pat-001",
                        "text": "x",
                        "helpful": 3,
                        "harmful": 1,
                        "note": "kept",
                        "section": "PATTERNS & APPROACHES",
                        "track": 0.409,
                    }
                ],
            }
        ],
    }


def test_an_empty_playbook_says_how_to_fill_it(project, ace):
    code, out, _ = ace()

    assert code == 0
    assert "No key point yet" in out
    assert "playbook add" in out
    assert not (project / ".claude" / "playbook.json").exists()


def test_what_is_added_is_on_record_and_can_be_asked_for(project, ace, snapshot):
    assert ace("add", "Use uv,", "never pip")[0] == 0
    assert ace("add", "Run the tests", "--section", "pat")[0] == 0

    assert names(of_project(project)) == ["pat-001", "pref-001"]
    code, out, _ = ace("show", "[pref-001]")
    assert code == 0
    assert out == snapshot(name="show")
    _, out, _ = ace("why", "pref-001", "--json")
    (change,) = json.loads(out)["changes"]
    assert (change["op"], change["actor"], change["source"]) == ("ADD", "person", "user")
    assert change["hash_after"]


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ("pat", "pat-001"),
        ("MISTAKES", "mis-001"),
        ("project context", "ctx-001"),
        ("Others", "oth-001"),
    ],
)
def test_a_section_is_named_as_people_do(project, ace, section, name):
    assert ace("add", "x", "--section", section)[0] == 0

    assert names(of_project(project)) == [name]


def test_an_unknown_section_is_a_usage_error_that_names_them(project, ace):
    code, _, err = ace("add", "x", "--section", "stuff")

    assert code == 2
    assert '"MISTAKES TO AVOID" (mis)' in err


def test_what_is_there_already_is_not_added_again(project, ace):
    write(project, playbook(point("pat-001", "Use uv, never pip.")))

    code, _, err = ace("add", "use uv never pip")

    assert code == 1
    assert "pat-001 says that already" in err


def test_a_secret_is_taken_out_of_what_a_person_types(project, ace):
    _, _, err = ace(
        "add",
        "deploy with AKIA" + "IOSFODNN7EXAMPLE and ghp_" + "0123456789abcdefghijABCDEFGHIJ012345",
    )

    assert "secret" in err
    assert "ghp_0123456789" not in (project / ".claude" / "playbook.json").read_text()


def test_editing_keeps_id_and_votes_and_may_move(project, ace):
    write(project, playbook(point("pat-001", "one", 3, 1)))

    assert ace("edit", "pat-001", "two")[0] == 0
    assert named(of_project(project), "pat-001") == point("pat-001", "two", 3, 1)

    assert ace("edit", "pat-001", "--section", "mis")[0] == 0
    assert of_project(project)["sections"]["MISTAKES TO AVOID"] == [point("pat-001", "two", 3, 1)]

    assert ace("edit", "pat-001", "two")[0] == 1


def test_an_edit_is_told_and_on_record_with_both_texts(project, ace):
    write(project, playbook(point("pat-001", "one")))

    (row,) = json.loads(ace("edit", "pat-001", "two", "--json")[1])["operations"]
    assert (row["op"], row["key_point"], row["applied"], row["why"]) == (
        "EDIT",
        "pat-001",
        True,
        "rewritten",
    )

    (change,) = json.loads(ace("why", "pat-001", "--json")[1])["changes"]
    assert (change["before"]["text"], change["after"]["text"]) == ("one", "two")
    assert change["reason"] == "edited by hand"


def test_an_edit_that_changes_nothing_says_so_and_leaves_the_order(project, ace):
    book = playbook(point("pat-001", "one"), point("pat-002", "two"))
    write(project, book)

    for arguments in (["one"], ["--section", "pat"], ["one", "--section", "pat"]):
        code, out, err = ace("edit", "pat-001", *arguments)
        assert (code, "pat-001 says exactly that already" in out + err) == (1, True)

    assert of_project(project)["sections"] == book["sections"]


def test_any_number_of_key_points_is_removed_at_once(project, ace):
    """The ten operations of one reply are a curator's limit, not a person's."""
    rows = [point(f"pat-{number:03}", f"rule number {number}") for number in range(1, 15)]
    write(project, playbook(*rows))

    assert ace("remove", *[row["name"] for row in rows[:12]])[0] == 0

    assert names(of_project(project)) == ["pat-013", "pat-014"]


def test_editing_without_a_text_opens_the_editor(project, ace, monkeypatch, tmp_path):
    write(project, playbook(point("pat-001", "one")))
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/one/three/ "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)

    assert ace("edit", "pat-001")[0] == 0

    assert named(of_project(project), "pat-001")["text"] == "three"


def test_removing_and_undoing(project, ace):
    book = playbook(point("pat-001", "one", 2), point("pat-002", "two"), point("mis-001", "three"))
    write(project, book)

    assert ace("remove", "pat-001", "mis-001")[0] == 0
    assert names(of_project(project)) == ["pat-002"]

    assert ace("undo")[0] == 0
    assert of_project(project)["sections"] == book["sections"]
    code, _, err = ace("undo")
    assert code == 1
    assert "taken back already" in err


def test_undo_goes_further_back_each_time_and_an_undo_can_be_undone(project, ace):
    for text in ("one", "two", "three"):
        ace("add", text)
    ace("undo")
    ace("undo")

    assert [row["text"] for row in of_project(project)["sections"]["USER PREFERENCES"]] == ["one"]

    assert ace("undo", "1")[0] == 0
    assert [row["text"] for row in of_project(project)["sections"]["USER PREFERENCES"]] == [
        "one",
        "two",
    ]
    assert ace("add", "four")[0] == 0
    assert names(of_project(project))[-1] == "pref-004"


def test_undo_in_the_middle_leaves_what_came_later(project, ace):
    for text in ("one", "two", "three"):
        ace("add", text)

    code, out, _ = ace("undo", "2", "--dry-run")
    assert code == 0
    assert "pref-002" in out
    assert len(names(of_project(project))) == 3

    ace("undo", "2")
    assert names(of_project(project)) == ["pref-001", "pref-003"]


def test_an_undo_says_what_it_left_and_that_change_still_counts(project, ace):
    ace("add", "use uv")
    ace("edit", "pref-001", "use uv only")
    ace("edit", "pref-001", "use uv, never pip")

    assert "pref-001: its text has been changed since" in ace("undo", "2")[2]

    assert of_project(project)["sections"]["USER PREFERENCES"][0]["text"] == "use uv, never pip"
    changes = json.loads(ace("why", "pref-001", "--json")[1])["changes"]
    assert [change["undone_at"] for change in changes] == [None, None, None]


def test_an_undo_is_on_record_with_both_texts(project, ace):
    ace("add", "use uv")
    ace("edit", "pref-001", "use uv only")

    ace("undo")

    undo, edit, _ = json.loads(ace("why", "pref-001", "--json")[1])["changes"]
    assert (undo["op"], undo["before"]["text"], undo["after"]["text"]) == (
        "UNDO",
        "use uv only",
        "use uv",
    )
    assert edit["undone_at"] is not None


def test_undo_of_a_session_takes_back_its_votes_on_the_record_too(project, ace):
    path = write(project, playbook(point("pat-001", "one")))
    learn(project, path, "session-a")
    learn(project, path, "session-b")

    code, _, _ = ace("undo", "--session", "session-a")

    assert code == 0
    assert named(of_project(project), "pat-001")["helpful"] == 1
    with state_of(project) as state:
        votes = record.votes_of(state, os.path.realpath(path), "pat-001")
    assert {vote["session"]: vote["undone_at"] is not None for vote in votes} == {
        "session-a": True,
        "session-b": False,
    }
    assert ace("undo", "--session", "session-a")[0] == 1


def learn(project: Path, path: str, session: str) -> None:
    """One lesson, as learning applies it."""
    from ace_reflect.learning.apply import Terms, apply_lesson
    from ace_reflect.learning.lesson import Lesson, Tag

    tag = Tag(
        name="pat-001",
        tag="helpful",
        rationale="the tests passed after it",
        turn=f"turn of {session}",
    )
    with state_of(project) as state:
        place = place_of(path, str(project.parent / "home"))
        apply_lesson(
            state,
            place,
            Lesson("", (tag,), ()),
            (),
            [f"turn of {session}"],
            Terms(session=session, mode="offline"),
        )


def test_why_shows_votes_with_their_reasons(project, ace):
    path = write(project, playbook(point("pat-001", "one")))
    learn(project, path, "session-a")

    code, out, _ = ace("why", "pat-001")

    assert code == 0
    assert "session session-a" in out
    assert "the tests passed after it" in out
    assert ace("show", "pat-001")[1].count("vote on record") == 1


def test_why_of_a_key_point_that_is_gone_still_answers(project, ace):
    ace("add", "one")
    ace("remove", "pref-001")

    code, out, _ = ace("why", "pref-001")

    assert code == 0
    assert "DELETE by person" in out


def test_promoting_moves_a_key_point_to_the_users_playbook_with_its_votes(project, ace):
    write(
        project, playbook(point("pref-001", "answer in German", 4, 1), point("pref-002", "use uv"))
    )

    assert ace("promote", "pref-001")[0] == 0
    assert names(of_project(project)) == ["pref-002"]
    assert of_user(project)["sections"]["USER PREFERENCES"] == [
        point("pref-9001", "answer in German", 4, 1)
    ]

    assert ace("show", "pref-9001")[0] == 0
    write(project, playbook(point("pref-003", "Answer in German.", 2)))
    ace("promote", "pref-003")
    assert of_user(project)["sections"]["USER PREFERENCES"] == [
        point("pref-9001", "answer in German", 6, 1)
    ]


@pytest.mark.parametrize("flags", [(), ("--user",)], ids=["the project's", "the person's"])
@pytest.mark.parametrize(
    "present", [(), (point("pref-9001", "Answer in German.", 2),)], ids=["new there", "known there"]
)
def test_a_promotion_is_taken_back_and_done_again_in_both_playbooks(project, ace, flags, present):
    write(
        project, playbook(point("pref-001", "answer in German", 4, 1), point("pref-002", "use uv"))
    )
    for one in present:
        ace("add", "--user", one["text"])
    ace("promote", "pref-001")
    moved = of_project(project)["sections"], of_user(project)["sections"]

    said = ace("undo", *flags)

    assert said[0] == 0
    assert "took back: promoted to your own playbook" in said[2]
    assert "took back: promoted from" in said[2]
    assert sorted(names(of_project(project))) == ["pref-001", "pref-002"]
    assert [one["text"] for one in of_user(project)["sections"]["USER PREFERENCES"]] == [
        one["text"] for one in present
    ]

    assert ace("undo", *flags, "1")[0] == 0
    assert (of_project(project)["sections"], of_user(project)["sections"]) == moved


@pytest.mark.parametrize("others", [[], ["pref-002"]])
def test_a_key_point_that_your_own_playbook_refuses_stays_where_it_is(project, ace, others):
    """A text may have been written into the file that is longer than any that is taken in."""
    write(project, playbook(point("pref-001", "long words " * 400, 3), point("pref-002", "use uv")))

    code, out, err = ace("promote", "pref-001", *others)

    assert (code, "4,000 is the most" in out + err) == (0 if others else 1, True)
    assert "pref-001" in names(of_project(project))
    assert ("pref-002" in names(of_project(project))) == (not others)


def test_a_promoted_key_point_is_told_by_its_old_and_new_id(project, ace):
    write(project, playbook(point("pref-001", "answer in German", 3, 1)))

    assert (
        ace("promote", "pref-001")[1] == "pref-9001: answer in German (pref-001 is pref-9001 now)\n"
    )

    (change,) = json.loads(ace("why", "pref-9001", "--user", "--json")[1])["changes"]
    assert (change["after"]["text"], change["after"]["helpful"]) == ("answer in German", 3)


def test_the_other_half_of_a_promotion_is_that_of_the_same_key_point(project, ace):
    write(project, playbook(point("pref-001", "answer in German"), point("pref-002", "use uv")))
    ace("promote", "pref-001")
    ace("promote", "pref-002")
    ace("add", "--user", "be brief")

    assert ace("undo", "2")[0] == 0  # the first of the two
    assert names(of_project(project)) == ["pref-001"]
    assert [one["text"] for one in of_user(project)["sections"]["USER PREFERENCES"]] == [
        "use uv",
        "be brief",
    ]

    assert ace("undo", "--user", "3")[0] == 0  # the second, from its other side
    assert sorted(names(of_project(project))) == ["pref-001", "pref-002"]
    assert [one["text"] for one in of_user(project)["sections"]["USER PREFERENCES"]] == ["be brief"]


def test_an_id_that_is_given_twice_is_one_key_point(project, ace):
    write(project, playbook(point("pref-001", "answer in German", 3, 1), point("pat-001", "one")))

    assert ace("promote", "pref-001", "pref-001")[0] == 0
    assert named(of_user(project), "pref-9001") == point("pref-9001", "answer in German", 3, 1)
    assert ace("remove", "pat-001", "[pat-001]")[1].count("pat-001") == 1
    assert names(of_project(project)) == []


def test_votes_that_go_to_a_key_point_of_your_own_are_on_record(project, ace):
    write(project, playbook(point("pref-001", "answer in German", 3, 1)))
    ace("add", "--user", "answer in German")

    assert "the votes of pref-001 went to it" in ace("promote", "pref-001")[1]

    change = json.loads(ace("why", "pref-9001", "--user", "--json")[1])["changes"][0]
    assert [change[side]["helpful"] for side in ("before", "after")] == [0, 3]


def test_taking_back_another_change_after_a_promotion_leaves_the_promotion_alone(project, ace):
    write(project, playbook(point("pref-001", "answer in German"), point("pref-002", "use uv")))
    ace("promote", "pref-001")
    ace("edit", "pref-002", "use uv only")

    ace("undo")

    assert names(of_project(project)) == ["pref-002"]
    assert names(of_user(project)) == ["pref-9001"]


def test_an_undo_that_is_taken_back_is_told_as_what_it_brought_back(project, ace):
    ace("add", "use uv")
    ace("edit", "pref-001", "use uv only")
    assert ace("undo")[2].startswith("took back: edited by hand (")

    assert ace("undo", "1", "--dry-run")[2].startswith("would bring back: edited by hand (")
    assert ace("undo", "1")[2].startswith("brought back: edited by hand (")
    assert ace("undo", "1", "--dry-run")[2].startswith("would take back: edited by hand (")
    assert ace("undo", "1")[2].startswith("took back: edited by hand (")

    assert [one["text"] for one in of_project(project)["sections"]["USER PREFERENCES"]] == [
        "use uv"
    ]
    whys = [row["why"] for row in json.loads(ace("history", "--json")[1])["versions"]]
    assert whys == [f"{way}edited by hand" for way in ("took back: ", "brought back: ", "took back: ", "")] + ["added by hand"]  # fmt: skip


def test_what_was_brought_back_stands_again_and_is_the_next_to_be_taken_back(project, ace):
    path = write(project, playbook(point("pat-001", "run the tests", 1)))
    learn(project, path, "session-a")
    ace("undo")
    assert "taken back" in ace("why", "pat-001")[1]

    ace("undo", "1")

    assert of_project(project)["sections"]["PATTERNS & APPROACHES"][0]["helpful"] == 2
    assert [row["undone"] for row in json.loads(ace("history", "--json")[1])["versions"]] == [
        False,
        True,
        False,
    ]
    (vote,) = json.loads(ace("why", "pat-001", "--json")[1])["votes"]
    assert vote["undone_at"] is None

    assert ace("undo", "--session", "session-a")[0] == 0
    (vote,) = json.loads(ace("why", "pat-001", "--json")[1])["votes"]
    assert vote["undone_at"]
    assert of_project(project)["sections"]["PATTERNS & APPROACHES"][0]["helpful"] == 1


def test_a_change_that_stays_taken_back_is_not_the_next_to_be_taken_back(project, ace):
    ace("add", "one thing")
    ace("add", "another thing")
    ace("undo")

    assert "added by hand" in ace("undo")[2]
    assert names(of_project(project)) == []
    code, _, err = ace("undo")
    assert code == 1
    assert "not taken back already" in err


def test_a_promotion_that_was_brought_back_is_taken_back_in_both_playbooks_again(project, ace):
    write(project, playbook(point("pref-001", "answer in German")))
    ace("promote", "pref-001")
    ace("undo")
    ace("undo", "1")
    assert (names(of_project(project)), names(of_user(project))) == ([], ["pref-9001"])

    ace("undo")

    assert (names(of_project(project)), names(of_user(project))) == (["pref-001"], [])


def test_history_names_the_key_points_by_id_and_words(project, ace):
    rows = [point(f"pat-00{n}", f"rule number {n}") for n in range(1, 6)]
    write(project, playbook(*rows))
    ace("edit", "pat-001", "first " + "very long words " * 10)
    ace("remove", *[row["name"] for row in rows[1:]])

    said = ace("history")[1].splitlines()

    assert [line.strip() for line in said[2:6]] == [
        "- pat-002: rule number 2", "- pat-003: rule number 3", "- pat-004: rule number 4", "and 1 more",
    ]  # fmt: skip
    assert said[-1].strip() == "~ pat-001: first very long words very long…"
    assert all(len(line) <= 80 for line in said)


def test_history_and_diff(project, ace):
    write(project, playbook(point("pat-001", "one")))
    ace("edit", "pat-001", "two")
    ace("add", "three")

    _, out, _ = ace("history")
    assert "edited by hand" in out
    rows = json.loads(ace("history", "--json")[1])["versions"]
    assert [row["number"] for row in rows] == [1, 2]

    assert "three" in ace("diff")[1]
    assert "three" not in ace("diff", "2")[1]
    since = json.loads(ace("diff", rows[1]["id"], "--since", "--json")[1])["changes"]
    assert [(row["id"], row["kind"]) for row in since] == [
        ("pat-001", "changed"),
        ("pref-001", "added"),
    ]


@pytest.mark.parametrize("form", ["json", "lines"])
def test_what_is_exported_can_be_imported_elsewhere(project, ace, tmp_path, form):
    write(project, playbook(point("pat-001", "one", 3, 1), point("oth-004", "two")))
    ace("export", "--format", form, "-o", str(tmp_path / "out"))

    other = str(tmp_path / "other.json")
    code, _, err = ace("import", str(tmp_path / "out"), "--playbook", other)

    assert code == 0
    assert "2 added" in err
    assert load_playbook(other)["sections"] == of_project(project)["sections"]
    assert ace("import", str(tmp_path / "out"), "--playbook", other)[0] == 0
    assert len(names(load_playbook(other))) == 2


def test_an_export_replaces_no_file_unless_told_to(project, ace, tmp_path):
    write(project, playbook(point("pat-001", "one")))
    instructions = tmp_path / "CLAUDE.md"
    instructions.write_text("# Ours\n")

    code, _, err = ace("export", "--format", "markdown", "-o", str(instructions))
    assert (code, instructions.read_text()) == (1, "# Ours\n")
    assert f"{instructions} exists" in " ".join(err.split())

    assert ace("export", "--format", "markdown", "-o", str(instructions), "--force")[0] == 0
    assert "one" in instructions.read_text()


def test_a_text_that_is_too_long_is_left_out_of_an_import_and_not_cut(project, ace, tmp_path):
    rows = [{"text": "word " * 900}, {"text": f"{'  ' * 3000}short"}]
    (tmp_path / "old.json").write_text(json.dumps({"key_points": rows}))

    code, _, err = ace("import", str(tmp_path / "old.json"))

    assert code == 0
    assert "kpt_001 in OTHERS is left out: its text has 4,499 characters; 4,000 is the most" in err
    assert "1 added" in err
    assert [row["text"] for row in of_project(project)["sections"]["OTHERS"]] == ["short"]


def test_in_a_subfolder_the_playbook_above_is_named_before_a_second_one_is_begun(
    project, ace, monkeypatch
):
    write(project, playbook(point("pat-001", "one")))
    (project / "src" / "api").mkdir(parents=True)
    monkeypatch.chdir(project / "src" / "api")

    code, out, err = ace("list", "--json")

    assert code == 0
    assert json.loads(out)["playbooks"][0]["key_points"] == []
    assert f"`--project {project}` means that one" in " ".join(err.split())
    assert ace("add", "two", "--project", str(project))[2] == ""
    assert "means that one" in " ".join(ace("add", "three")[2].split())
    assert ace("list")[2] == ""  # it has its own now


def test_a_project_without_a_playbook_above_it_is_told_nothing(project, ace):
    assert "note" not in ace("list")[2]


@pytest.mark.parametrize("text", ["-", "...", "", "  ", "—"])
def test_what_says_nothing_is_no_key_point(project, ace, tmp_path, text):
    (tmp_path / "old.json").write_text(json.dumps({"key_points": ["one", {"text": text}]}))

    assert ace("add", "--", text)[0] == 2
    assert not (project / ".claude" / "playbook.json").exists()
    assert ace("import", str(tmp_path / "old.json"))[0] == 0
    assert [row["text"] for row in of_project(project)["sections"]["OTHERS"]] == ["one"]


@pytest.mark.parametrize("text", ["使用 uv", "не трогай gen/", "C", "2 spaces"])
def test_a_text_in_any_script_is_one(project, ace, text):
    assert ace("add", text)[0] == 0
    assert [row["text"] for row in of_project(project)["sections"]["USER PREFERENCES"]] == [text]


def test_export_prints_markdown(project, ace):
    write(project, playbook(point("pat-001", "one")))

    assert (
        ace("export", "--format", "markdown")[1]
        == "## Learned key points\n\n### Patterns & approaches\n\n- one\n"
    )


def test_an_import_can_be_tried_first(project, ace, tmp_path):
    (tmp_path / "old.json").write_text('{"key_points": [{"text": "one", "score": -4}]}')

    code, out, err = ace("import", str(tmp_path / "old.json"), "--dry-run")
    assert code == 0
    assert "one" in out
    assert "1 would be added" in err
    assert not (project / ".claude" / "playbook.json").exists()

    ace("import", str(tmp_path / "old.json"))
    assert json.loads(ace("show", "kpt_001", "--json")[1])["protected"]


def test_importing_what_is_no_playbook_says_so(project, ace, tmp_path):
    (tmp_path / "notes.txt").write_text("hello")

    code, out, _ = ace("import", str(tmp_path / "notes.txt"), "--json")

    assert code == 1
    assert "notes.txt cannot be imported" in json.loads(out)["error"]


def test_stats_name_what_deserves_a_look(project, ace, snapshot):
    write(
        project,
        playbook(
            point("pat-001", "one", 9, 0),
            point("pat-002", "two", 2, 2),
            point("mis-001", "three", 0, 2),
            point("oth-001", "four"),
        ),
    )

    code, out, _ = ace("stats", "--project", str(project))

    assert code == 0
    assert out.replace(str(project.parent), "…") == snapshot
    found = json.loads(ace("stats", "--json", "--project", str(project))[1])["playbooks"][0]
    assert found["never_voted"] == ["oth-001"]
    assert found["contested"] == ["pat-002"]
    assert found["near_pruning"] == ["pat-002", "mis-001"]


def test_stats_of_every_section_fit_eighty_columns(project, ace):
    write(
        project,
        playbook(
            *(
                point(f"{slug}-{n:03d}", f"{slug} {n}")
                for slug in ("pat", "mis", "pref", "ctx", "oth")
                for n in (1, 2)
            )
        ),
    )

    out = ace("stats", "--project", str(project))[1]

    assert max(len(line) for line in out.splitlines() if "playbook:" not in line) <= 80
    assert (
        "patterns & approaches 2, mistakes to avoid 2, user preferences 2, project context 2, others 2"
        in " ".join(out.split())
    )


def test_a_neutral_vote_is_a_vote_that_moved_no_counter(project, ace):
    path = write(project, playbook(point("pat-001", "one"), point("pat-002", "two")))
    vote = record.Vote(
        key_point="pat-001",
        tag="neutral",
        counted=False,
        rationale="Cited, not acted on.",
        based_on="cited",
        grounded=False,
        turn="t",
    )
    session, model = "8a875d14-a3d9-4caa-a9ad-be65aceb1298", "anthropic/claude-sonnet-4-5-20250929"
    with state_of(project) as state:
        record.write(
            state,
            os.path.realpath(path),
            record.Rows(votes=(vote,), turns=("t",), session=session, mode=model),
        )

    shown, why, stats = (
        ace("show", "pat-001")[1],
        ace("why", "pat-001")[1],
        ace("stats", "--project", str(project))[1],
    )

    assert "no vote yet" not in shown
    assert "helpful 0, harmful 0" in shown
    assert "1 vote on record" in shown
    assert "no vote yet" in ace("show", "pat-002")[1]
    assert "0 helpful, 0 harmful, 1 neutral" in stats
    assert "no + or - vote yet    2: pat-001, pat-002" in stats
    assert all(len(line) <= 80 for line in (shown + why).splitlines())
    assert f"session {session}, judged by {model}" in " ".join(why.split())


@pytest.mark.parametrize(
    "command",
    [
        ("show", "pat-9"),
        ("why", "pat-9"),
        ("edit", "pat-9", "x"),
        ("remove", "pat-9"),
        ("promote", "pat-9"),
    ],
)
def test_an_unknown_id_is_an_expected_failure(project, ace, command):
    code, out, err = ace(*command)

    assert (code, out) == (1, "")
    assert "pat-9" in err
    assert "playbook list" in err


def test_one_unknown_id_among_several_changes_nothing(project, ace):
    write(project, playbook(point("pat-001")))

    assert ace("remove", "pat-001", "pat-9")[0] == 1
    assert names(of_project(project)) == ["pat-001"]


BROKEN = "{broken"
CONFLICT = '{"version": "1.0",\n<<<<<<< HEAD\n "sections": {}}\n=======\n "sections": {"A": []}}\n>>>>>>> theirs\n'


@pytest.mark.parametrize("content", [BROKEN, CONFLICT])
@pytest.mark.parametrize(
    "command",
    [
        "list",
        "show pat-001",
        "why pat-001",
        "history",
        "diff",
        "stats",
        "export",
        "add x",
        "edit pat-001 x",
    ]
    + [
        "remove pat-001",
        "promote pat-001",
        "undo",
        "import ../book.json",
        "import ../book.json --dry-run",
    ],
)
def test_a_broken_playbook_is_named_with_its_line_and_stays_where_it_is(
    project, ace, command, content
):
    (project / ".claude" / "playbook.json").write_text(content)
    (project.parent / "book.json").write_bytes(to_bytes(playbook(point("pat-001"))))

    code, _, err = ace(*command.split())

    assert code == 1
    assert f"{project}/.claude/playbook.json:{1 if content is BROKEN else 2} is no playbook" in err
    assert ("merge conflict" in err) == (content is CONFLICT)
    assert [path.read_text() for path in (project / ".claude").iterdir()] == [content]


def test_the_id_of_an_entry_that_cannot_be_read_is_not_given_to_another(project, ace):
    path = project / ".claude" / "playbook.json"
    path.write_text(
        json.dumps({"sections": {"USER PREFERENCES": [{"name": "pref-007", "text": None}]}})
    )

    ace("add", "Use uv")

    assert [
        row["name"] for row in json.loads(path.read_text())["sections"]["USER PREFERENCES"]
    ] == [
        "pref-007",
        "pref-008",
    ]


def test_an_entry_that_cannot_be_read_is_told_once_and_survives_a_change(project, ace):
    rows = [{"name": "pat-001", "text": 5}, point("pat-002")]
    path = project / ".claude" / "playbook.json"
    path.write_text(json.dumps({"version": "1.0", "sections": {"PATTERNS & APPROACHES": rows}}))

    told = [
        ace(*words)[2] for words in (["list"], ["add", "new"], ["remove", "pat-002"], ["stats"])
    ]

    assert all(
        " ".join(err.split()).count(
            "pat-001 in PATTERNS & APPROACHES cannot be read (its text is a number)"
        )
        == 1
        for err in told
    )
    assert json.loads(path.read_text())["sections"]["PATTERNS & APPROACHES"] == rows[:1]


@pytest.mark.parametrize(
    "arguments",
    [
        ("add",),
        ("add", "  "),
        ("undo", "--nope"),
        ("list", "--user", "--playbook", "x"),
        ("nothing",),
    ],
)
def test_usage_errors_are_two(project, ace, arguments):
    assert ace(*arguments)[0] == 2


def test_leaving_with_ctrl_c_changes_nothing(project, tmp_path):
    path = write(project, playbook(point("pat-001")))
    hold = (
        "import sys, time; from ace_reflect.playbook.store import place_of, locked\n"
        "with locked(place_of(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", hold, path], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    holder.stdout.readline()
    command = "import sys; from ace_reflect.cli.main import main; sys.exit(main())"
    waiting = subprocess.Popen(
        [sys.executable, "-c", command, "playbook", "add", "x"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=project,
    )
    database = project.parent / "home" / "state.db"
    while not database.exists() and waiting.poll() is None:
        time.sleep(0.02)
    time.sleep(0.5)
    waiting.send_signal(signal.SIGINT)

    try:
        _, err = waiting.communicate(timeout=30)
    finally:
        holder.kill()
        holder.wait()

    assert waiting.returncode == 130
    assert "Interrupted" in err
    assert names(of_project(project)) == ["pat-001"]


@pytest.mark.parametrize(
    "name",
    [
        "list",
        "show",
        "why",
        "add",
        "edit",
        "remove",
        "promote",
        "history",
        "diff",
        "undo",
        "export",
        "import",
        "stats",
    ],
)
def test_every_command_has_help_with_an_example(ace, name):
    code, out, _ = ace(name, "--help")

    assert code == 0
    assert f"ace-reflect playbook {name}" in out
    assert max(map(len, out.splitlines())) <= 100
