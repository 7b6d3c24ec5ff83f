"""Every hook stands everything that a host may send: exit 0, at most one JSON object, nothing on stderr."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.hooks import MAINS, SCRIPTS, Host
from support.transcripts import TranscriptBuilder

PAYLOADS = sorted((Path(__file__).parent.parent / "fixtures" / "payloads").glob("*.json"))


def check(event: str, raw: bytes, environ: dict[str, str]) -> dict[str, object]:
    """Run a hook in this process; the object that it said, {} for silence."""
    stdout = io.StringIO()
    assert MAINS[event](io.BytesIO(raw), stdout, environ) == 0
    said = json.loads(stdout.getvalue()) if stdout.getvalue() else {}
    assert isinstance(said, dict)
    return said


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
def test_a_recorded_payload_is_answered_by_the_real_script(path: Path, host: Host) -> None:
    event = path.name.partition(".")[0]
    answered = host.hook(event, raw=path.read_bytes())
    assert (answered.code, answered.stderr) == (0, "")
    assert answered.json == {}, "there is no playbook, no transcript and nothing to review"
    assert len(host.log()) == 1


@pytest.mark.shared
@pytest.mark.parametrize("event", list(SCRIPTS))
def test_every_recorded_payload_of_any_event_is_put_up_with_by_every_hook(
    event: str, host: Host, shared_dir: Path
) -> None:
    for path in sorted((shared_dir / "claude-code" / "samples" / "payloads").glob("*.json")):
        check(event, path.read_bytes(), host.environment())


BAD = {
    "empty": b"",
    "text": b"hello",
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
    "huge and broken": b'{"session_id": "a", "prompt": "' + b"x" * 3_000_000,
    "a long id": json.dumps(
        {"session_id": "x" * 100_000, "prompt": "hi", "transcript_path": "y" * 100_000}
    ).encode(),
    "duplicate keys": b'{"session_id": "a", "session_id": "b", "prompt": 1, "prompt": "x"}',
    "a big number": b'{"session_id": 1e999, "prompt": 123456789012345678901234567890}',
}


@pytest.mark.parametrize("event", list(SCRIPTS))
@pytest.mark.parametrize("kind", list(BAD))
def test_a_payload_that_no_host_should_send_is_put_up_with(
    kind: str, event: str, host: Host
) -> None:
    check(event, BAD[kind], host.environment())
    host.wait_for_workers()


@given(raw=st.binary(max_size=300))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("event", list(SCRIPTS))
def test_no_bytes_break_a_hook(event: str, raw: bytes, host: Host) -> None:
    check(event, raw, host.environment())


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(fields=st.dictionaries(st.sampled_from(["session_id", "transcript_path", "cwd", "prompt", "prompt_id", "source", "trigger",
       "reason", "hook_event_name", "seconds_since_last_response", "last_assistant_message", "background_tasks"]), _JSON))  # fmt: skip
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("event", list(SCRIPTS))
def test_no_type_in_any_field_breaks_a_hook(
    event: str, fields: dict[str, object], host: Host
) -> None:
    check(event, json.dumps(fields).encode("utf-8", "surrogatepass"), host.environment())


@pytest.mark.parametrize("event", list(SCRIPTS))
@pytest.mark.parametrize("variable", ["ACE_REFLECT_CHILD", "ACE_REFLECT_DISABLE"])
def test_inside_our_own_model_calls_and_switched_off_a_hook_does_nothing_at_all(
    event: str, variable: str, host: Host
) -> None:
    answered = host.hook(event, env={variable: "1"}, prompt="hello")
    assert (answered.code, answered.stdout, answered.stderr) == (0, "", "")
    assert not host.home.exists()


@pytest.mark.parametrize("event", list(SCRIPTS))
def test_switched_off_in_the_projects_configuration_a_hook_says_nothing(
    event: str, host: Host
) -> None:
    host.write_playbook({"OTHERS": [{"name": "oth-001", "text": "x", "helpful": 0, "harmful": 0}]})
    (host.project / ".claude" / "reflection.yaml").write_text("enabled: false\n")
    assert host.hook(event, prompt="hello", source="compact").stdout == ""
    with host.state() as state:
        assert state.all("SELECT id FROM jobs") == []


@pytest.mark.parametrize("event", list(SCRIPTS))
def test_a_payload_of_another_event_is_a_logged_no_op(event: str, host: Host) -> None:
    other = "SessionStart" if event != "SessionStart" else "Stop"
    assert (
        check(event, json.dumps(host.payload(other, prompt="hi")).encode(), host.environment())
        == {}
    )
    assert [line["decision"] for line in host.log()] == ["other-event"]


@pytest.mark.parametrize("event", list(MAINS))
@pytest.mark.parametrize("missing", ["session_id", "transcript_path", "both"])
def test_what_names_no_session_or_transcript_is_no_error_and_leaves_no_trace_of_one(
    event: str, missing: str, host: Host
) -> None:
    """SessionStart and a prompt need no transcript: a new session has none yet."""
    TranscriptBuilder().prompt("hello").say("hi").write(host.transcript())
    fields = ("session_id", "transcript_path") if missing == "both" else (missing,)
    payload = {name: value for name, value in host.payload(event, prompt="hello", trigger="auto").items() if name not in fields}  # fmt: skip

    assert check(event, json.dumps(payload).encode(), host.environment()) == {}

    assert [row for row in host.log() if "error" in row] == []
    needs_none = missing == "transcript_path" and event in {"SessionStart", "UserPromptSubmit"}
    with host.state() as state:
        assert [row[0] for row in state.all("SELECT id FROM sessions")] == [
            host.session_id
        ] * needs_none
        assert state.all("SELECT * FROM jobs") == state.all("SELECT * FROM stops") == []
        assert state.all("SELECT * FROM cache WHERE key = ''") == []


@pytest.mark.parametrize("event", list(MAINS))
def test_without_a_state_the_log_names_that_and_no_fault_of_ours(event: str, host: Host) -> None:
    (host.home / "state.db").mkdir(parents=True)

    assert (
        check(event, json.dumps(host.payload(event, prompt="hello")).encode(), host.environment())
        == {}
    )

    assert {row["error"] for row in host.log() if "error" in row} == {"StateError"}
