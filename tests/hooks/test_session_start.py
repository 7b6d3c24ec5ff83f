"""SessionStart: after a compaction the key points again and how to go on; else one line of what waits, and the worker."""

import io
import json
from pathlib import Path

import pytest

from ace_reflect import paths
from ace_reflect.hooks import session_start
from ace_reflect.hooks.pre_compact import GO_ON, NOTE
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import cache, jobs, record, sessions

POINTS = [
    {"name": f"pat-{n:03d}", "text": f"Key point {n}.", "helpful": 1, "harmful": 0}
    for n in (1, 2, 3)
]


@pytest.fixture
def running(host):
    """A session that has its key points."""
    host.write_playbook({"PATTERNS & APPROACHES": POINTS})
    host.transcript().write_text("{}\n")
    assert "pat-001" in host.prompt("Fix it").context
    return host


def noted(host, note):
    """What the model gets after a compaction that this was written down for in time."""
    host.hook("PreCompact", trigger="auto", starts=False)
    with host.state() as state:
        cache.put(state, NOTE, host.session_id, "", note.encode())
    return host.hook("SessionStart", source="compact").context


@pytest.mark.parametrize("trigger", ["auto", "manual"])
def test_after_a_compaction_the_key_points_come_again_and_where_it_was_in_mid_task_how_to_go_on(
    trigger, running
):
    running.prompt("Fix it", session_id="another")
    running.hook("PreCompact", trigger=trigger)
    answered = running.hook("SessionStart", source="compact")

    assert answered.json["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert all(f"[pat-{n:03d}]" in answered.context for n in (1, 2, 3))
    in_mid_task = "The conversation was compacted in the middle" in answered.context
    assert in_mid_task is (trigger == "auto")
    assert running.prompt("and now?").context == ""
    assert running.prompt("go on", session_id="another").context == ""
    running.wait_for_workers()


@pytest.mark.parametrize(
    ("note", "shown"), [("", "These key points"), ("Go on\nwith it.", "Go on\nwith it.\n\nThese key points")]
)  # fmt: skip
def test_the_background_assessments_word_comes_before_the_key_points(note, shown, running):
    assert noted(running, note).startswith(shown)


def test_what_is_worked_out_after_a_compact_by_hand_goes_with_the_next_prompt_once(running):
    """PreCompact is not told of it: the host would show its command line."""
    running.hook("SessionStart", source="compact")
    running.wait_for_workers()
    with running.state() as state:
        queued = jobs.counts(state)
        cache.put(state, NOTE, running.session_id, "", b"If the task goes on, look first.")

    assert sum(queued.values()) == 1
    assert "If the task goes on" in running.prompt("and now?").context
    assert running.prompt("and then?").context == ""


@pytest.mark.parametrize("spare", [0, -1])
def test_how_to_go_on_is_said_whole_or_not_at_all(spare, running):
    most = utf16_units(GO_ON) + spare
    (running.home / "reflection.yaml").write_text(f"injection: {{max_chars: {most}}}\n")

    assert (GO_ON in noted(running, GO_ON)) is (spare == 0)


@pytest.mark.parametrize(("ago", "has"), [(0, True), (3600, False), ("x", False)])
def test_a_fork_has_what_its_parent_had_where_its_parent_can_be_told(ago, has, running):
    running.hook("SessionStart", source="fork", session_id="f", seconds_since_last_response=ago)

    assert (running.prompt("go on", session_id="f").context == "") is has
    with running.state() as state:
        assert len(sessions.injected(state, "f")) == 3


def test_a_fork_that_two_sessions_could_be_the_parent_of_gets_its_own_key_points(running):
    running.prompt("Fix it", session_id="another")
    running.hook("SessionStart", source="fork", session_id="f", seconds_since_last_response=0)

    assert "pat-001" in running.prompt("go on", session_id="f").context


def waiting(host, **more):
    """The line to the person at a session's start."""
    number = len(host.log())
    said = host.hook("SessionStart", source="startup", session_id=f"s{number}", **more).json
    return str(said.get("systemMessage", ""))


def test_what_waits_for_review_is_said_in_one_line(host):
    with host.state() as state:
        for number in range(2):
            row = record.Waiting(section="OTHERS", text=f"text {number}", source="read")
            record.write(state, str(host.playbook), record.Rows(waiting=(row,)))

    said = waiting(host)

    assert said == "ace-reflect: 2 key points to review (ace-reflect review)"
    assert waiting(host, env={"CLAUDE_PROJECT_DIR": str(host.root)}) == "", "another project's"


@pytest.mark.parametrize("storage", ["project", "home"])
def test_what_the_last_session_taught_is_said_and_where_it_is_kept(host, storage):
    host.home.mkdir(parents=True, exist_ok=True)
    (host.home / "reflection.yaml").write_text(f"storage: {storage}\n")
    path = Path(paths.project_playbook(str(host.project), str(host.home), storage))
    assert waiting(host) == ""
    host.write_playbook({"PATTERNS & APPROACHES": POINTS}, path)
    learned = record.Change(op="ADD", key_point="pat-003", after=POINTS[2], actor="offline")
    with host.state() as state:
        record.write(state, str(path), record.Rows(changes=(learned, learned)))

    first, second = waiting(host), waiting(host)

    said = "ace-reflect: 3 key points for Claude"
    place = path.relative_to(host.project) if storage == "project" else path
    assert (
        first == f"{said}; learned last time: “Key point 3.” (pat-003) and 1 more, kept in {place}"
    )
    assert second == said
    assert "[pat-001]" in host.prompt("Fix it").context


@pytest.mark.parametrize(
    ("file", "broken", "says"),
    [
        ("playbook.json", "<<<<<<< HEAD\n{}\n", "a playbook cannot be read and is not used"),
        ("reflection.yaml", "workflw: local\n", "a setting has an error"),
    ],
)
def test_what_is_out_of_order_is_said_until_it_is_mended(host, file, broken, says):
    path = host.project / ".claude" / file
    path.write_text(broken)
    host.prompt("hi")
    assert says in waiting(host)

    path.write_text('{"sections": {}}' if file == "playbook.json" else "workflow: local\n")
    assert waiting(host) == ""


def queue(host, session_id):
    path = str(host.transcript(session_id))
    with host.state() as state:
        place = {"project": str(host.project), "reason": "session_end"}
        jobs.enqueue(state, session_id, path, final=True, **place)


@pytest.mark.parametrize("starts", [True, False])
def test_the_line_for_the_person_does_not_depend_on_the_worker(host, starts):
    queue(host, "s")
    with host.state() as state:
        job = jobs.take(state)
        assert job is not None
        jobs.fail(state, job, "no", retry=False)
    queue(host, "t")
    # More than the system hands to a new process.
    environ = host.environment() if starts else host.environment(MORE="x" * 5_000_000)
    said, given = io.StringIO(), json.dumps(host.payload("SessionStart")).encode()

    assert session_start.main(io.BytesIO(given), said, environ) == 0

    host.wait_for_workers()
    assert "1 session could not be learned from" in said.getvalue()
    failed = [line for line in host.log() if "error" in line and line["event"] == "SessionStart"]
    assert bool(failed) is not starts
