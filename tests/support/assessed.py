"""
Both Stop entries on one event, as the host starts them: at once, with the same bytes. And a scripted model to ask.

The second entry runs in this process where a test does not ask for one of its own: importing a model's SDK takes a second.
"""

import io
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr
from typing import Any
from unittest.mock import patch

from ace_reflect.hooks import assess
from ace_reflect.state import processes
from support import stand_in_claude
from support.hooks import Answered, Host
from support.messages_api import MessagesApi
from support.stops import DONE, Session

MODEL = "anthropic/claude-sonnet-4-5"
CLI_MODEL = "claude-code/sonnet"
KEY = "sk-test-0123456789"
COMPLETE = {"status": "complete", "confidence": 0.95, "tests": {"ran": False}, "remaining_work": []}
OPEN = {
    "status": "in_progress", "confidence": 0.9, "tests": {"ran": False},
    "remaining_work": ["Wire the parser into cli.py"], "next_steps": ["Edit cli.py to call parse()"],
}  # fmt: skip


def ask_at(host: Host, api: MessagesApi, **settings: str) -> None:
    """Configure a model behind `api` for this host."""
    host.environ |= {"ACE_REFLECT_MODELS": MODEL, "ACE_REFLECT_RETRY_BASE_S": "0.02"}
    host.environ |= {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url, **settings}


def ask_cli_at(host: Host, api: MessagesApi, **settings: str) -> None:
    """The same by way of the `claude` command (a stand-in): for what asks in a process of its own, again and again."""
    folder = stand_in_claude.install(host.root / "bin")
    settings |= {"PATH": f"{folder}:{os.environ['PATH']}", "ACE_REFLECT_MODELS": CLI_MODEL}
    ask_at(host, api, **settings)


def say(api: MessagesApi, *answers: dict[str, Any] | str, **turn: Any) -> None:
    """What the model answers, in order."""
    texts = (said if isinstance(said, str) else json.dumps(said) for said in answers)
    api.enqueue(*({"text": text, **turn} for text in texts))


def asked(api: MessagesApi) -> list[str]:
    """The prompts that reached the model."""
    return [str(one.body["messages"][0]["content"]) for one in api.requests if one.method == "POST"]


def stop(
    session: Session, text: str | None = DONE, *, arguments=(), process=False, **payload: Any
) -> tuple[Answered, Answered]:
    """
    Run both entries on a stop, the second with `arguments`; what the first and the second answered. A block's message
    goes into the transcript. `process`: the second one as a process too; in this one an equal payload is the same event's.
    """
    host = session.host
    data = json.dumps(host.payload("Stop", **session.stopping(text, **payload))).encode()
    second_entry = run if process else _inside
    with ThreadPoolExecutor() as both:
        asked = both.submit(second_entry, host, "assess", data, *arguments)
        first = both.submit(host.hook, "Stop", raw=data).result()
        second = asked.result()
    if first.json.get("decision") == "block":
        session.feedback(first.json["reason"])
    return first, second


def _inside(host: Host, _: str, data: bytes) -> Answered:
    stdout, stderr = io.StringIO(), io.StringIO()
    with redirect_stderr(stderr), patch.object(processes, "began", lambda _: time.time()):
        code = assess.main(io.BytesIO(data), stdout, host.environment())
    return Answered(code, stdout.getvalue(), stderr.getvalue())


def run(host: Host, script: str, data: bytes, *arguments: str) -> Answered:
    return host.script(f"{script}.py", data, host.environment(), *arguments)


def verdict_of(host: Host) -> dict[str, Any]:
    verdict = host.project / ".reflection" / f"verdict_{host.session_id}.json"
    return dict(json.loads(verdict.read_text()))


def record_of(host: Host) -> dict[str, Any]:
    """The newest full record."""
    paths = (host.project / ".reflection").glob(f"{host.session_id}_*.json")
    newest = max(paths, key=lambda path: int(path.stem.rpartition("_")[2]))
    return dict(json.loads(newest.read_text()))
