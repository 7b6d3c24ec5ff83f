"""Each transcript is read and judged once; what is kept of it is small, plain and without secrets."""

import os
from pathlib import Path

import pytest

KEY = "sk-ant-" + "api03-Qm7vXw2LkP9sT4bN8cR1dF6g"
PASSED, FAILED = "===== 3 passed in 0.10s =====", "===== 1 failed, 2 passed in 0.10s ====="
MESSAGE = "No test has been run. (To the person: write “skip gates” to switch these checks off.)"


def test_a_session_as_plain_data(known, put) -> None:
    session = put(prompt=f"Fix the parser, the key is {KEY} <private>and my name is Jo</private>")
    session.edit("src/a.py").bash("pytest -q", FAILED, exit_code=1)
    session.edit("src/a.py").edit("src/a.py").bash("pytest -q", PASSED)
    session.bash("git commit -am x", "[main 1a2b3c4] x\n 1 file changed")
    session.say("Let me see.").say("Fixed.").write()

    (found,) = known().sessions

    assert (found["id"], found["model"], found["verdict"]) == ("5e55105e-a", "claude-opus-5-5", "complete")  # fmt: skip
    assert found["project"] == session.cwd
    assert found["prompt"] == "Fix the parser, the key is [REDACTED:anthropic-key] [private]"
    assert (found["edits"], found["tests"], found["commits"]) == (3, {"passed": 2, "failed": 1}, 1)
    assert (found["tokens_in"], found["tokens_out"]) == (800, 160)  # 8 messages in 9 lines
    assert (found["first_green"], found["proof_s"]) == ([False], [4])
    assert [(mark["kind"], mark.get("line"), mark["outcome"][:6]) for mark in found["marks"]] == [
        ("prompt", 1, ""), ("test", 2, "passed"), ("edit", 4, ""), ("test", 6, "failed"),
        ("edit", 8, ""), ("test", 12, "passed"), ("commit", 14, "passed"), ("stop", 17, "proven"),
    ]  # fmt: skip
    assert found["begin"] < found["end"] == found["stops"][0]["at"]


@pytest.mark.parametrize(("after", "fates"), [
    (lambda s: s.feedback(MESSAGE).bash("pytest -q", PASSED).say("Passed."), ["fixed"]),
    (lambda s: s.feedback(MESSAGE).say("May I run the tests?"), ["explained"]),
    (lambda s: s.feedback(MESSAGE).say("No.").feedback(MESSAGE).say("No.").feedback(MESSAGE).say("No."), ["given_up"] * 3),
    (lambda s: s.prompt("skip gates for this session").say("Done."), ["skipped"]),
    (lambda s: s.prompt("What is it?").say("A parser."), ["open"]),
])  # fmt: skip
def test_what_came_of_a_message(known, put, after, fates) -> None:
    session = put().edit("src/a.py").say("Done.")
    at = session.line
    after(session).write()

    (found,) = known().sessions
    messages = [stop for stop in found["stops"] if "fate" in stop]

    assert [stop["fate"] for stop in messages] == fates
    assert (messages[0]["line"], messages[0]["gates"]) == (at, ["tests"])
    assert messages[0]["sent"] is (fates[0] not in {"skipped", "open"})
    assert messages[0]["evidence"][0]["line"] == at - 2


@pytest.mark.parametrize(("edited", "answer", "claim"), [
    (False, "All tests pass.", "borne_out"),
    (True, "I changed it. All tests pass.", "contradicted"),
])  # fmt: skip
def test_whether_a_claim_was_borne_out(known, put, edited, answer, claim) -> None:
    session = put().edit("src/a.py")
    session.bash("pytest -q", FAILED if edited else PASSED, exit_code=int(edited))
    session.say(answer).write()

    assert [stop["claim"] for stop in known().sessions[0]["stops"]] == [claim]


def test_a_second_run_reads_only_what_is_new_and_keeps_what_was_deleted(known, put, ace) -> None:
    first, second = put("a").say("Done."), put("b").say("Done.")
    paths = [each.write() for each in (first, second)]

    assert (known().read, known().read) == (2, 0)
    assert os.stat(ace.host.home / "report.db").st_mode & 0o777 == 0o600  # only for the person
    second.prompt("Go on").say("Yes.").write()
    paths[0].unlink()
    again = known()
    assert (again.read, sorted(each["id"] for each in again.sessions)) == (1, ["5e55105e-a", "5e55105e-b"])  # fmt: skip
    assert len(next(each for each in again.sessions if each["id"].endswith("b"))["stops"]) == 2


def test_what_cannot_be_read_is_counted_and_takes_nothing_with_it_also_in_many_processes(
    known, put
) -> None:
    for number in range(10):
        put(str(number)).say("Done.").write()
    broken = put("x").path
    broken.write_text("no transcript\n")
    hostile = put("y").say("Done.").raw({"type": "assistant", "message": "usage", "timestamp": "never"})  # fmt: skip
    hostile.raw('{"type":"assistant","timestamp":"9","message":{"usage":{"input_tokens":"x"}}}').write()  # fmt: skip

    found = known()

    assert found.read == len(found.sessions) == 11
    assert [Path(each["transcript"]).stem for each in found.unread] == ["x"]


def test_a_damaged_store_is_named_and_left_alone(ace, put) -> None:
    put().say("Done.").write()
    place = ace.host.home / "report.db"
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"no database, " * 100)

    said = ace("report", "--no-open")

    assert said.code == 2
    assert "report.db cannot be used" in said.err
    assert place.read_bytes().startswith(b"no database")
