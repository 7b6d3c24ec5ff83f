"""Every hook stands everything that a host may send: exit 0, at most one JSON object, nothing on stderr."""

import io
import json
import sys
from pathlib import Path
from unittest.mock import patch

import pytest

from support.hooks import MAINS, SCRIPTS
from support.nursery import TAKES_AND_ENDS
from support.transcripts import TranscriptBuilder

PAYLOADS = sorted((Path(__file__).parent.parent / "fixtures" / "payloads").glob("*.json"))


def check(event, raw, environ):
    """Run a hook in this process, what it starts ending at once; the object that it said, {} for silence."""
    stdout = io.StringIO()
    with patch.object(sys, "executable", TAKES_AND_ENDS):
        assert MAINS[event](io.BytesIO(raw), stdout, environ) == 0
    said = json.loads(stdout.getvalue()) if stdout.getvalue() else {}
    assert isinstance(said, dict)
    return said


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
def test_a_recorded_payload_is_answered(path, host):
    event = path.name.partition(".")[0]
    answered = host.hook(event, raw=path.read_bytes())
    assert (answered.code, answered.stderr) == (0, "")
    assert answered.json == {}, "there is no playbook, no transcript and nothing to review"
    # What learns in the background may have logged by now, too.
    assert [row["event"] for row in host.log()].count(event) == 1


@pytest.mark.shared
@pytest.mark.parametrize("event", list(SCRIPTS))
def test_every_recorded_payload_of_any_event_is_put_up_with_by_every_hook(event, host, shared_dir):
    for path in sorted((shared_dir / "claude-code" / "samples" / "payloads").glob("*.json")):
        check(event, path.read_bytes(), host.environment())


BAD = {
    "empty": b"",
    "text": b"Fix it",
    "a list": b"[]",
    "null": b"null",
    "cut": b'{"session_id": "a", "tra',
    "invalid UTF-8": b'{"session_id": "\xff\xfe"}',
    "a NUL": b'{"session_id": "\x00"}',
    "wrong types": b'{"session_id": 7, "transcript_path": [], "cwd": {}, "prompt": null}',
    "lone surrogates": b'{"session_id": "\\ud800", "transcript_path": "/tmp/\\udfff", "cwd": "/\\ud83d", "prompt": "\\ud800"}',
    "a session id with path parts": b'{"session_id": "../../../../etc/x", "transcript_path": "/dev/null", "prompt": "hi"}',
    "a transcript that is a folder": b'{"session_id": "a", "transcript_path": "/", "cwd": "/", "prompt": "hi"}',
    "a NUL in a path": b'{"session_id": "a", "transcript_path": "/a\\u0000b", "cwd": "/a\\u0000b", "prompt": "hi"}',
    "deep nesting": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "two objects": b"{}{}",
    "huge": b'{"session_id": "a", "prompt": "' + b"x" * 3_000_000 + b'"}',
    "long paths": json.dumps({"session_id": "x" * 100_000, "prompt": "hi", "transcript_path": "y" * 100_000}).encode(),
    "duplicate keys": b'{"session_id": "a", "session_id": "b", "prompt": 1, "prompt": "x"}',
    "a big number": b'{"session_id": 1e999, "prompt": 123456789012345678901234567890}',
}  # fmt: skip


@pytest.mark.parametrize("event", list(SCRIPTS))
def test_a_payload_that_no_host_should_send_is_put_up_with(event, host):
    for raw in BAD.values():
        check(event, raw, host.environment())


@pytest.mark.parametrize("event", list(SCRIPTS))
@pytest.mark.parametrize("switch", ["ACE_REFLECT_CHILD", "ACE_REFLECT_DISABLE", "the project's"])
def test_inside_our_own_model_calls_and_switched_off_a_hook_does_nothing(event, switch, host):
    host.write_playbook({"OTHERS": [{"name": "oth-001", "text": "x", "helpful": 0, "harmful": 0}]})
    env = {switch: "1"}
    if switch == "the project's":
        (host.project / ".claude" / "reflection.yaml").write_text("enabled: false\n")
        env = {}
    answered = host.hook(event, env=env, prompt="hello", source="compact")
    assert (answered.code, answered.stdout, answered.stderr) == (0, "", "")
    assert host.home.exists() is (env == {}), "a project's configuration is on record"
    with host.state() as state:
        assert state.all("SELECT id FROM jobs") == []


@pytest.mark.parametrize("event", list(MAINS))
@pytest.mark.parametrize("missing", ["session_id", "transcript_path", "both"])
def test_what_names_no_session_or_transcript_is_no_error_and_leaves_no_trace_of_one(
    event, missing, host
):
    """SessionStart and a prompt need no transcript: a new session has none yet."""
    TranscriptBuilder().prompt("hello").say("hi").write(host.transcript())
    fields = ("session_id", "transcript_path") if missing == "both" else (missing,)
    payload = host.payload(event, prompt="hello", trigger="auto")
    raw = json.dumps({name: value for name, value in payload.items() if name not in fields})

    assert check(event, raw.encode(), host.environment()) == {}

    assert [row for row in host.log() if "error" in row] == []
    needs_none = missing == "transcript_path" and event in {"SessionStart", "UserPromptSubmit"}
    with host.state() as state:
        known = [row[0] for row in state.all("SELECT id FROM sessions")]
        assert known == [host.session_id] * needs_none
        assert (
            state.all("SELECT * FROM jobs")
            == state.all("SELECT * FROM cache WHERE kind = 'decision'")
            == []
        )
        assert state.all("SELECT * FROM cache WHERE key = ''") == []
