"""A stop waits, briefly, for the last lines that the host has not written yet."""

import os
import threading
import time

import pytest

from ace_reflect.hooks import last_answer
from ace_reflect.hooks.edge import Event
from ace_reflect.state import sessions
from ace_reflect.state.db import open_state

PROMPT = '{"type":"user","message":{"role":"user","content":"go"}}\n'
CALL = '{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use"}]}}\n'
RESULT = '{"type":"user","message":{"role":"user","content":[{"type":"tool_result"}]}}\n'
ANSWER = '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"All \\"good\\" now, 3 passed."}]}}\n'


@pytest.fixture
def event(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text(PROMPT + CALL)
    payload = {
        "session_id": "s",
        "transcript_path": str(path),
        "last_assistant_message": 'All "good" now, 3 passed.',
    }
    found = Event("Stop", str(tmp_path), b"{}", payload, {})
    with open_state(str(tmp_path)) as state:
        found.state = state
        yield found


def identity(event):
    now = os.stat(event.transcript)
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def test_lines_that_come_while_it_waits_are_waited_for(event):
    def late():
        time.sleep(0.1)
        with open(event.transcript, "a") as file:
            file.write(RESULT + ANSWER)

    thread = threading.Thread(target=late)
    thread.start()
    held = last_answer.wait(event, identity(event))
    thread.join()

    assert held


def test_the_wait_is_bounded(event):
    started = time.monotonic()

    assert not last_answer.wait(event, identity(event))
    assert time.monotonic() - started < last_answer.WAIT_S + 5


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        ANSWER.replace("All", "Nothing").replace("now, 3 passed", "yet"),
        ANSWER + RESULT,
        ANSWER + '{"type":"system","subtype":"turn_duration"}\n',
    ],
)
def test_a_transcript_that_ends_with_an_answer_is_not_waited_for(event, text):
    with open(event.transcript, "a") as file:
        file.write(RESULT + text)
    took = []
    for _ in range(5):  # the quickest counts: a busy machine may take its time with one
        started = time.monotonic()
        assert last_answer.wait(event, identity(event))
        took.append(time.monotonic() - started)

    assert min(took) < last_answer.WAIT_S / 2


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("", b""),
        ("✅", '"✅'.encode()),
        ("すべてのテストが通りました。", "すべてのテストが通りました。".encode()),
        ("Готово, 3 теста прошли", "Готово, 3 теста прошли".encode()),
        ("first line\nthen other ", rb"first line\nthen other"),
        ("Done.", b'"Done.'),
        ('say "hi"\nthen left', rb"say \"hi\"\nthen left"),
        ("x" * 500, b"x" * 48),
    ],
)
def test_the_piece_looked_for_is_the_answers_end_as_the_host_writes_it(message, found):
    assert last_answer.snippet(message) == found


@pytest.mark.parametrize(
    ("read", "held"),
    [
        ("all of it", False),
        ("nothing", True),
        ("of another file", True),
        ("of a longer file", True),
    ],
)
def test_only_what_no_stop_has_read_yet_is_searched_for_the_answer(event, read, held):
    """The same words may have ended an earlier turn: they are not the answer that is still to be written."""
    with open(event.transcript, "a") as file:
        file.write(RESULT + ANSWER + PROMPT)
    device, inode, size, mtime_ns = identity(event)
    if read != "nothing":
        stored = sessions.StoredLedger(
            device=device,
            inode=inode + (read == "of another file"),
            size=size + (read == "of a longer file"),
            mtime_ns=mtime_ns,
            cursor="{}",
            ledger=b"",
            builder=b"",
        )
        sessions.save_ledger(event.db, "s", stored)

    assert last_answer.wait(event, identity(event)) is held


def test_an_answer_stands_where_it_is_written_or_not_named(event):
    assert not last_answer.stands(event)
    with open(event.transcript, "a") as file:
        file.write(RESULT + ANSWER + PROMPT)
    assert last_answer.stands(event)

    event.payload["last_assistant_message"] = "another one"
    assert not last_answer.stands(event)
    event.payload["last_assistant_message"] = ""
    assert last_answer.stands(event)
