"""The two files of a stop for other tools, and the person's own command."""

import json
import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.hooks.artifacts import KEPT, safe_name
from support.stops import DONE, PASSED, Session, python_project


def files(host):
    return {
        path.name: json.loads(path.read_text()) for path in host.project.glob(".reflection/*.json")
    }


def record(host):
    (found,) = (value for name, value in files(host).items() if not name.startswith("verdict_"))
    return dict(found)


def verdict(host):
    found = files(host)[f"verdict_{host.session_id}.json"]
    assert set(found) == {"sessionId", "complete", "severity", "endState", "timestamp"}
    return found["complete"], found["severity"], found["endState"]


def test_both_files_are_written_redacted_and_private(host):
    secret = "sk-ant-" + "a1B2" * 12
    Session(python_project(host)).ask(f"Fix the parser, the key is {secret}").code().stop_hook()

    assert verdict(host) == (False, "HIGH", "incomplete")
    assert set(record(host)) == {
        "schema", "sessionId", "timestamp", "task", "assessment", "analysis", "crossReview", "routing", "attempt",
        "endState", "usage",
    }  # fmt: skip
    assert record(host)["attempt"] == 1
    assert secret not in json.dumps(files(host))
    folder = host.project / ".reflection"
    assert (folder / ".gitignore").read_text().strip() == "*"
    assert {os.stat(path).st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_a_verdict_follows_the_session(host):
    session = Session(python_project(host)).ask("Fix the parser").code()
    session.stop_hook()
    session.ask("What does it parse?")
    assert verdict(host) == (False, "NONE", "working")
    session.stop_hook("Lines.")
    assert verdict(host)[::2] == (False, "open_from_earlier")
    session.ask("Test it").bash("pytest -q", PASSED).stop_hook("It is tested.")
    assert verdict(host) == (True, "NONE", "complete")


def test_what_fits_the_persons_own_patterns_is_kept_nowhere(host):
    pattern, secret = r"^ticket \d{4}|(?i:project bluebird)", "Project Bluebird"
    told = host.root / "told"
    host.home.mkdir(parents=True, exist_ok=True)
    settings = {
        "redaction": {"patterns": [pattern]},
        "notify": {"command": f"cat > {told}.part && mv {told}.part {told}"},
    }
    (host.home / "reflection.yaml").write_text(json.dumps(settings))
    session = Session(python_project(host)).ask(f"Fix ACME-12:\n{secret}\nin the parser")
    session.code(f"{secret}.py").stop_hook(f"Done:\n{secret}\nAll tests pass, and `{secret}` too.")
    host.wait_for_workers()

    with host.state() as state:
        kept = [row[0] for row in state.all("SELECT text FROM prompts")]
    assert "Fix ACME-12" in kept[0], "what fits no pattern stays"
    assert json.loads(told.read_text())["decision"] == "block"
    assert secret not in json.dumps([kept, files(host)]) + told.read_text()


def test_the_record_of_a_long_session_has_the_last_facts_and_says_how_many_are_left_out(host):
    session = Session(python_project(host)).ask("Rename it everywhere.").bash("pytest -q", PASSED)
    for number in range(30):
        session.code(f"src/module_{number}.py")
    session.stop_hook()

    analysis = record(host)["analysis"]
    assert analysis["left_out"] == {"edits": 10}
    shown = [edit["path"] for edit in analysis["facts"]["edits"]]
    assert shown == [f"{host.project}/src/module_{n}.py" for n in range(10, 30)]
    assert len(analysis["facts"]["tests"]) == 1


def test_no_folder_is_made_where_no_gate_ran(host):
    session = Session(python_project(host)).ask("how does it work?").read("src/app.py")
    session.stop_hook("It reads lines.")

    assert not (host.project / ".reflection").exists()


def test_records_are_rotated_and_an_id_leads_nowhere_else(host):
    session = Session(python_project(host)).ask("Fix the parser").code().say(DONE)
    session.write()
    folder = host.project / ".reflection"
    folder.mkdir()
    (folder / ".gitignore").write_text("!*\n")  # a clone brought it along
    for number in range(KEPT + 5):  # as a clock that was ahead dated them
        (folder / f"s_{10**15 + number}.json").write_text("{}")
    fields = {"transcript_path": str(host.transcript()), "last_assistant_message": DONE}
    host.hook("Stop", session_id="../../etc/passwd", **fields)

    records = [name for name in files(host) if not name.startswith("verdict_")]
    assert len(records) == KEPT
    assert any(name.startswith("session-") for name in records), "the newest stays"
    assert not (host.root / "etc").exists()
    assert (folder / ".gitignore").read_text().strip() == "*"


@pytest.mark.parametrize(
    "session_id",
    ["", "..", "../../x", "a/b", ".git", "-rf", "x" * 500, "a\0b", "a\n", "é" * 70, "\ud800"],
)
def test_a_session_id_is_never_trusted_as_a_file_name(session_id):
    assert re.fullmatch("session-[0-9a-f]{8}", safe_name(session_id))
    plain = "65f68b31-b05b-4dd1-81af-ab5dc9d1256a"
    assert safe_name(plain) == plain


@given(st.text(max_size=40), st.text(max_size=40))
def test_two_ids_have_two_names(one, other):
    same = one.encode("utf-8", "replace") == other.encode("utf-8", "replace")
    assert (safe_name(one) == safe_name(other)) == (one == other) or same
