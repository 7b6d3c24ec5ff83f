"""The scripts under Codex CLI: what its strict schema takes, and nothing else. Other hosts that start them are left in peace."""

import json

import pytest

from ace_reflect.install import codex

#: What Codex's schema for the answer to a Stop has (codex-rs/hooks/schema/generated/stop.command.output.schema.json).
STRICT = {"continue", "decision", "reason", "stopReason", "suppressOutput", "systemMessage"}


@pytest.mark.parametrize("tested", [True, False])
def test_a_stop_of_codex_is_judged_by_its_rollout(tested, host):
    (host.project / "tests").mkdir()
    (host.project / "tests" / "test_slug.py").write_text("def test_slug():\n    pass\n")
    (host.project / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    ids = codex.write_session(host.root / "rollout-1.jsonl", str(host.project), "Done: “ß”.", tested=tested)  # fmt: skip
    answered = host.hook("Stop", **ids, last_assistant_message="Done: “ß”.", stop_hook_active=False)

    assert answered.json.keys() <= STRICT
    assert answered.json.get("decision") == (None if tested else "block")
    assert host.log()[-1]["end_state"] == ("complete" if tested else "incomplete")


OTHERS = {
    "VS Code": {"timestamp": "2026-11-26T13:00:00Z", "cwd": "/p", "sessionId": "s", "hookEventName": "Stop", "transcript_path": "/p/t.json", "stop_hook_active": False},
    "Copilot CLI": {"timestamp": 1795698270000, "cwd": "/p", "sessionId": "s", "transcriptPath": "/p/events.jsonl", "stopReason": "end_turn", "prompt": "hi"},
    "Copilot CLI, by Claude's names": {"hook_event_name": "Stop", "session_id": "s", "cwd": "/p", "transcript_path": "{events}", "prompt": ""},
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"])
def test_other_hosts_payloads_are_answered_by_silence(name, event, host):
    events = host.root / "events.jsonl"
    events.write_text('{"type":"assistant.message","data":{"content":"All tests pass."}}\n')
    raw = json.dumps(OTHERS[name]).replace("{events}", str(events)).encode()
    assert host.hook(event, raw=raw).stdout == ""
