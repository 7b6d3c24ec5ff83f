"""
Hooks under payloads that no host sends: exit 0, one object or nothing, no file where none belongs, and state.db whole.

The real entry points are called in this process; what they would start in the background ends at once.
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
from ace_reflect.hooks import assess, stop
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import cache
from support.faults import POINT
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, dumped, json_values, odd_values, spoils, spoilt, texts
from support.fuzz_sessions import spoilt_sessions
from support.hooks import MAINS, Host
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
        name: st.one_of(*[st.sampled_from(values)] * 3, texts, odd_values)
        for name, values in _FIELDS.items()
    },
)
_PATHS = ("missing", "/dev/null", "/", "", "\x00", "relative.jsonl", "/proc/self/mem", "x" * 5000)
_paths = st.sampled_from((*["right"] * 5, *_PATHS))
_folders = st.sampled_from((*["right"] * 3, "missing", "/nowhere", "/", "", "\x00", 7))
events = st.sampled_from(sorted(MAINS))
_places = st.fixed_dictionaries({"transcript_path": _paths, "cwd": _folders})
_odd = st.dictionaries(texts, json_values, max_size=1)
payloads = st.builds(
    lambda fields, places, odd: {"session_id": "s1"} | fields | places | odd, _fields, _places, _odd
)
damages = st.lists(breaks, max_size=1)


class Scene:
    """A host with key points and a project; what its hooks wrote is looked at after each."""

    def __init__(self, host: Host) -> None:
        self.host = host
        host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
        (host.project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
        self.transcript = host.transcript("s1")
        self.environ = host.environment()

    def payload(self, fields: dict[str, Any], event: str) -> dict[str, Any]:
        right = {"transcript_path": str(self.transcript), "cwd": str(self.host.project)}
        made = {"hook_event_name": event, **fields}
        made |= {name: value for name, value in right.items() if made.get(name) == "right"}
        return {name: value for name, value in made.items() if value != "missing"}

    def run(self, event: str, raw: bytes) -> dict[str, Any]:
        """What the event's hook says, the second Stop entry staying silent where no model is configured."""
        if event == "Stop":
            stderr = io.StringIO()
            never = {**self.environ, "ACE_REFLECT_ASSESS_WHEN": "never"}
            assert (assess.main(io.BytesIO(raw), stderr, never), stderr.getvalue()) == (0, "")
        stdout = io.StringIO()
        assert MAINS[event](io.BytesIO(raw), stdout, self.environ) == 0
        return checked(stdout.getvalue())

    def sound(self) -> None:
        """Files only where ours belong, each of them whole, and nothing that went wrong inside."""
        for folder, _, names in os.walk(self.host.root):
            inside = os.path.relpath(folder, self.host.root)
            assert not names or inside.split("/")[0] in {"claude", "project"}, (folder, names)
        project, reflection = self.host.project, self.host.project / ".reflection"
        assert {path.name for path in project.iterdir()} <= {".claude", ".reflection", "pyproject.toml"}  # fmt: skip
        assert os.listdir(project / ".claude") == ["playbook.json"]
        for path in reflection.glob("*") if reflection.is_dir() else ():
            assert path.is_file()
            assert path.suffix != ".json" or json.loads(path.read_bytes())
        failed = (None, "failure")
        rows = [row for row in self.host.log() if "where" in row or row.get("decision") in failed]
        # A transcript that cannot be read is said so.
        assert [row for row in rows if row.get("error") != "TranscriptError"] == []
        (self.host.home / "log.jsonl").unlink(missing_ok=True)


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
    monkeypatch.setattr(stop, "WAIT_S", 0.0)  # nobody is still writing
    made = Scene(host)
    yield made
    with sqlite3.connect(host.home / "state.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@fuzzed(
    "hook payloads", 40, 6_000, event=events, fields=payloads, damage=damages,
    session=st.none() | spoilt_sessions, changes=st.lists(spoils, max_size=1),
)  # fmt: skip
def test_any_payload_gets_one_object_or_silence(event, fields, session, changes, damage, scene):
    if session is not None:
        scene.transcript.write_bytes(session.data())
    raw = broken(dumped(spoilt(scene.payload(fields, event), changes)), damage)
    said = scene.run(event, raw)
    scene.sound()
    assert said == {} or event not in {"SessionEnd", "PreCompact"}
    assert event in {"Stop", "SubagentStop"} or "decision" not in said


_cuts = st.lists(st.integers(0, 1000), min_size=1, max_size=4)
_prompts = st.sampled_from(_FIELDS["prompt"])
_finals = st.sampled_from(_FIELDS["last_assistant_message"])


@fuzzed(
    "sessions stopped as they grow", 12, 1_500, session=spoilt_sessions, cuts=_cuts,
    prompt=_prompts, final=_finals,
)  # fmt: skip
def test_what_stops_have_stored_is_the_transcripts_ledger(session, cuts, prompt, final, scene):
    """Each stop reads what is new; together they know what one reading knows, and never block for ever."""
    name = f"grown-{len(list(scene.transcript.parent.glob('*.jsonl')))}"
    scene.transcript = scene.host.transcript(name)
    data = session.data()
    fields = {"session_id": name, "transcript_path": "right", "cwd": "right", "prompt_id": "p"}
    asked = scene.payload({**fields, "prompt": prompt}, "UserPromptSubmit")
    scene.run("UserPromptSubmit", dumped(asked))
    blocks = 0
    for at, cut in enumerate([*sorted(cuts), *[1000] * 5]):
        with scene.transcript.open("ab") as file:
            file.write(data[file.tell() : cut * len(data) // 1000])
        says = (
            final if at < len(cuts) + 4 else ""
        )  # the last one waits for no answer, and is judged
        stopped = scene.payload({**fields, "last_assistant_message": says, "at": at}, "Stop")
        blocks += "decision" in scene.run("Stop", dumped(stopped))

    scene.sound()
    assert blocks <= 3 * (1 + data.count(b'"type":"user"'))
    with scene.host.state() as state:
        stored = cache.get(state, cache.LEDGER, name)
    assert stored is not None
    if not session.torn:
        whole = read_ledger(str(scene.transcript), final=False)
        kept = Ledger.from_json(cache.unpacked(stored)).to_json()
        assert kept == Ledger.from_json(whole.to_json()).to_json()
