"""
Hooks under payloads that no host sends: exit 0, one object or nothing, no file where none belongs, and state.db whole.

The real entry points are called, in this process and some as processes of their own; what they would start in the
background ends at once.
"""

import io
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.hooks import assess, last_answer
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import sessions
from ace_reflect.state.packed import unpacked
from support.fuzz import fuzzed
from support.fuzz_json import ODD, breaks, broken, dumped, json_values, spoils, spoilt, texts
from support.fuzz_sessions import Session, spoilt_sessions
from support.hooks import MAINS, SCRIPTS, Host
from support.nursery import TAKES_AND_ENDS

_SAID = {"hookSpecificOutput", "decision", "reason", "systemMessage", "suppressOutput", "continue"}
_FIELDS: dict[str, tuple[Any, ...]] = {
    "session_id": ("s1", "s2", "", "../../x", "/etc/passwd", "a/b", "s\x00", "é", "x" * 300, ".", "-rf"),
    "prompt": ("Fix the parser", "hello", "", " ", "skip gates", "/clear", "<task-notification>x", "This session is being continued from a previous conversation", "don't run the tests", "x" * 20_000),
    "prompt_id": ("p1", "p2", "", None),
    "source": ("startup", "resume", "compact", "clear", "fork", "x"),
    "trigger": ("auto", "manual", "x"),
    "reason": ("other", "clear", "prompt_input_exit", "x"),
    "last_assistant_message": ("Done, all tests pass.", "Shall I push?", "", "Now I'll run the tests:", "x" * 5000),
    "stop_hook_active": (True, False),
    "permission_mode": ("default", "plan", "x"),
    "background_tasks": ([], [{"id": "b1", "type": "shell", "status": "running", "command": "npm test"}], [{}], [None], "x", {"a": 1}, [{"type": "shell", "command": ["x"]}]),
    "agent_id": ("a1",),
    "seconds_since_last_response": (1, 1e9, -1),
    "custom_instructions": ("", "x"),
}  # fmt: skip

_fields = st.fixed_dictionaries(
    {},
    optional={
        name: st.one_of(st.sampled_from(values), st.sampled_from(values), st.sampled_from(values), texts, st.sampled_from(ODD))
        for name, values in _FIELDS.items()
    },
)  # fmt: skip
_paths = st.sampled_from(
    (
        "right",
        "right",
        "right",
        "right",
        "right",
        "missing",
        "/dev/null",
        "/",
        "",
        "\x00",
        "relative.jsonl",
        "/proc/self/mem",
        "x" * 5000,
    )
)
events = st.sampled_from(sorted(MAINS))
payloads = st.builds(
    lambda fields, where, cwd, odd: {
        "session_id": "s1",
        **fields,
        **({"transcript_path": where} if where != "missing" else {}),
        **({"cwd": cwd} if cwd is not None else {}),
        **odd,
    },
    _fields,
    _paths,
    st.sampled_from(("right", "right", "right", None, "/nowhere", "/", "", "\x00", 7)),
    st.dictionaries(texts, json_values, max_size=1),
)


class Scene:
    """A host with key points and a project; what its hooks wrote is looked at after each."""

    def __init__(self, host: Host) -> None:
        self.host = host
        host.write_playbook(
            {
                "PATTERNS & APPROACHES": [
                    {"name": "pat-001", "text": "Run the tests.", "helpful": 1, "harmful": 0}
                ]
            }
        )
        (host.project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
        self.transcript = host.transcript("s1")
        self.environ = host.environment()

    def payload(self, fields: dict[str, Any], event: str) -> dict[str, Any]:
        made = {"hook_event_name": event, **fields}
        for name, right in (
            ("transcript_path", str(self.transcript)),
            ("cwd", str(self.host.project)),
        ):
            if made.get(name) == "right":
                made[name] = right
        return made

    def run(self, event: str, raw: bytes) -> dict[str, Any]:
        stdout = io.StringIO()
        assert MAINS[event](io.BytesIO(raw), stdout, self.environ) == 0
        return checked(stdout.getvalue())

    def sound(self) -> None:
        """Files only where ours belong, each of them whole, and nothing that went wrong inside."""
        root = self.host.root
        for folder, _, names in os.walk(root):
            inside = os.path.relpath(folder, root)
            assert not names or inside.split("/")[0] in {"claude", "project"}, (folder, names)
        reflection = self.host.project / ".reflection"
        assert {path.name for path in self.host.project.iterdir()} <= {
            ".claude",
            ".reflection",
            "pyproject.toml",
        }
        assert {path.name for path in (self.host.project / ".claude").iterdir()} == {
            "playbook.json"
        }
        for path in reflection.glob("*") if reflection.is_dir() else ():
            assert path.is_file()
            if path.suffix == ".json":
                json.loads(path.read_bytes())
        path = self.host.home / "log.jsonl"
        failed = [
            row
            for row in self.host.log()
            if row.get("decision") in {None, "failure"} or "where" in row
        ]
        assert failed == [], failed[-1]
        path.unlink(missing_ok=True)


def checked(said: str) -> dict[str, Any]:
    if not said:
        return {}
    found = json.loads(said)
    assert isinstance(found, dict)
    assert found.keys() <= _SAID
    said.encode()
    context = found.get("hookSpecificOutput", {}).get("additionalContext", "")
    assert utf16_units(context) <= 10_000
    if "decision" in found:
        assert found["decision"] == "block"
        assert found["reason"].strip()
    return found


@pytest.fixture
def scene(host: Host, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setattr(sys, "executable", TAKES_AND_ENDS)
    monkeypatch.setattr(last_answer, "WAIT_S", 0.0)  # nobody is still writing
    made = Scene(host)
    yield made
    with sqlite3.connect(host.home / "state.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@fuzzed("hook payloads", short=60, long=6_000, event=events, fields=payloads, session=st.none() | spoilt_sessions,
        changes=st.lists(spoils, max_size=1), damage=st.lists(breaks, max_size=1), other=st.booleans())  # fmt: skip
def test_any_payload_is_answered_by_one_object_or_silence(
    event: str,
    fields: dict[str, Any],
    session: Session | None,
    changes: list[Any],
    damage: list[Any],
    other: bool,
    scene: Scene,
) -> None:
    if session is not None:
        scene.transcript.write_bytes(session.data())
    payload = scene.payload(fields, event)
    raw = broken(dumped(spoilt(payload, changes)), damage if other else [])

    said = scene.run(event, raw)

    scene.sound()
    if event in {"SessionEnd", "PreCompact"}:
        assert said == {}
    if "decision" in said:
        assert event == "Stop"


@fuzzed("sessions stopped as they grow", short=20, long=1_500, session=spoilt_sessions, cuts=st.lists(st.integers(0, 1000), min_size=1, max_size=4),
        prompt=st.sampled_from(_FIELDS["prompt"]), final=st.sampled_from(_FIELDS["last_assistant_message"]))  # fmt: skip
def test_what_stops_have_stored_is_the_whole_transcripts_ledger(
    session: Session, cuts: list[int], prompt: str, final: str, scene: Scene
) -> None:
    """Each stop reads what is new; together they know what one reading knows, and never block for ever."""
    number = len(list(scene.transcript.parent.glob("*.jsonl")))
    scene.transcript = scene.host.transcript(f"grown-{number}")
    data = session.data()
    named = {"session_id": f"grown-{number}", "transcript_path": "right", "cwd": "right"}
    scene.run(
        "UserPromptSubmit",
        dumped(scene.payload({**named, "prompt": prompt, "prompt_id": "p"}, "UserPromptSubmit")),
    )
    blocks = 0
    for at, cut in enumerate([*sorted(cuts), 1000, 1000, 1000, 1000, 1000]):
        scene.transcript.write_bytes(b"") if not scene.transcript.exists() else None
        with scene.transcript.open("ab") as file:
            file.write(data[file.tell() : cut * len(data) // 1000])
        fields = {**named, "last_assistant_message": final, "at": at}
        blocks += "decision" in scene.run("Stop", dumped(scene.payload(fields, "Stop")))

    scene.sound()
    assert blocks <= 3 * (1 + data.count(b'"type":"user"'))
    with scene.host.state() as state:
        stored = sessions.load_ledger(state, f"grown-{number}")
    assert stored is not None
    if not session.torn:
        kept = Ledger.from_json(unpacked(stored.ledger)).to_json()
        assert (
            kept
            == Ledger.from_json(read_ledger(str(scene.transcript), final=False).to_json()).to_json()
        )


@fuzzed("assess payloads", short=10, long=500, fields=payloads, damage=st.lists(breaks, max_size=1))
def test_the_second_entry_is_silent_where_no_model_is_configured(
    fields: dict[str, Any], damage: list[Any], scene: Scene
) -> None:
    stderr = io.StringIO()
    raw = broken(dumped(scene.payload(fields, "Stop")), damage)

    code = assess.main(
        io.BytesIO(raw), stderr, {**scene.environ, "ACE_REFLECT_ASSESS_WHEN": "never"}
    )

    assert (code, stderr.getvalue()) == (0, "")


@fuzzed(
    "hooks as processes",
    short=6,
    long=200,
    event=events,
    fields=payloads,
    session=spoilt_sessions,
    damage=st.lists(breaks, max_size=1),
)
def test_a_whole_process_ends_well_and_in_silence_on_stderr(
    event: str, fields: dict[str, Any], session: Session, damage: list[Any], host: Host
) -> None:
    scene = Scene(host)
    scene.transcript.write_bytes(session.data())
    raw = broken(dumped(scene.payload(fields, event)), damage)

    answered = host.hook(event, raw=raw, env={"ACE_REFLECT_LEARNING_ON": ""})

    assert (answered.code, answered.stderr) == (0, "")
    checked(answered.stdout)
    host.wait_for_workers()
    assert event in SCRIPTS
