"""
What a scripted model says: turns in order, rules that look at the request first, and canned answers for the host's own calls.

A *turn* is a text, or a dict:

| key | meaning |
| --- | --- |
| `text`, `thinking` | what the model writes |
| `tool`, `input` | one call (`{"tool": "Bash", "input": {"command": "ls"}}`) |
| `blocks` | a list of the above, in one message |
| `structured` | the arguments of the host's structured-output tool |
| `usage`, `stop_reason` | laid over the computed ones |
| `delay_s`, `chunk_delay_s` | wait before the first byte; wait between streamed pieces |
| `status`, `headers`, `message` | an HTTP error, in the API's own form |
| `redirect` | 307 to this address |
| `raw` | this body as it is (text or bytes) |
| `cut` | close the connection in mid-body |
| `hang`, `drip_s` | never answer; send one byte every so many seconds, for ever |
| `repeat` | the same turn so many times |

A *rule* is `{"match": {...}, "turns": [...], "default": turn}`; `match` holds regular expressions over `kind`, `model`,
`system`, `last`, `tools`, `body`. The first rule that matches and still has a turn answers.
"""

import re
import threading
from collections.abc import Mapping
from typing import Any

Turn = str | dict[str, Any]

CANNED: dict[str, Turn] = {"hook": '{"ok": true}', "probe": "ok", "side": "ok"}
CANNED["title"] = '{"title": "A scripted session", "isNewTopic": false}'
_SUMMARY = re.compile(r"create a detailed summary of the conversation|tasked with summarizing conversations")  # fmt: skip
_TITLE = re.compile(
    r"session (?:name|title)|conversation topic|short.{0,40}title|concise.{0,40}title|generate .{0,30}title",
    re.DOTALL | re.IGNORECASE,
)
_SUBAGENT = re.compile(
    r"You are an agent for Claude Code|You are a .{0,40}(?:sub-?agent|specialist)|software architect and planning"
)
_HOOK = re.compile(
    r"evaluating a (?:stop-condition )?hook|hook condition|verifying a stop condition",
    re.IGNORECASE,
)
_HOST = re.compile(r"You are Claude Code|Claude agent, built on")


def text_of(content: Any) -> str:
    """All text of a message's content, tool results included."""
    if isinstance(content, str):
        return content
    parts = []
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == "text":
            parts.append(str(block.get("text", "")))
        elif isinstance(block, dict) and block.get("type") == "tool_result":
            parts.append(text_of(block.get("content")))
    return "\n".join(parts)


def last_user_text(body: Mapping[str, Any]) -> str:
    said = [one.get("content") for one in body.get("messages") or [] if one.get("role") == "user"]
    return text_of(said[-1]) if said else ""


def tool_names(body: Mapping[str, Any]) -> list[str]:
    return [str(tool.get("name", "")) for tool in body.get("tools") or []]


def kind_of(body: Mapping[str, Any], headers: Mapping[str, str]) -> str:
    """Which of the host's calls a request is: main, subagent, compact, title, hook, probe or side."""
    system, last = text_of(body.get("system")), last_user_text(body)
    if body.get("max_tokens") == 1 and not body.get("tools"):
        return "probe"
    if _SUMMARY.search(last) or _SUMMARY.search(system):
        return "compact"
    if _HOOK.search(system):
        return "hook"
    if not body.get("tools") and _TITLE.search(system[:3000]):
        return "title"
    if headers.get("x-claude-code-agent-id") or _SUBAGENT.search(system):
        return "subagent"
    small = "haiku" in str(body.get("model", "")) and not body.get("tools")
    return "side" if small and not _HOST.search(system) and "x-app" in headers else "main"


class _Turns:
    """Turns used one after another, then the default for ever."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self._left: list[Turn] = []
        for turn in spec.get("turns") or []:
            self.add(turn)
        self._default: Turn | None = spec.get("default")

    def add(self, turn: Turn) -> None:
        self._left += [turn] * (turn.get("repeat", 1) if isinstance(turn, dict) else 1)

    def take(self) -> Turn | None:
        return self._left.pop(0) if self._left else self._default


class Script:
    """The turns of the session itself, and rules for other requests."""

    def __init__(self) -> None:
        self._rules: list[tuple[dict[str, str], _Turns]] = []
        self._main = _Turns({})
        self._lock = threading.Lock()

    def add(self, turn: Turn) -> None:
        with self._lock:
            self._main.add(turn)

    def reply(self, kind: str, body: Mapping[str, Any]) -> Turn:
        with self._lock:
            for match, turns in self._rules:
                if _matches(match, kind, body) and (turn := turns.take()) is not None:
                    return turn
            taken = self._main.take() if kind == "main" else CANNED.get(kind)
            return "Done." if taken is None else taken


def _matches(match: Mapping[str, str], kind: str, body: Mapping[str, Any]) -> bool:
    seen = {"kind": kind, "model": str(body.get("model", "")), "body": str(body)}
    seen |= {"system": text_of(body.get("system")), "last": last_user_text(body)}
    seen["tools"] = ",".join(tool_names(body))
    return all(re.search(pattern, seen[key], re.DOTALL) for key, pattern in match.items())


def blocks_of(turn: Mapping[str, Any], body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The turn's content blocks: `{"text"}`, `{"thinking"}` or `{"tool", "input"}`."""
    if "structured" in turn:
        names = [tool for tool in tool_names(body) if tool.lower().startswith("structured")]
        return [{"tool": [*names, "StructuredOutput"][0], "input": turn["structured"]}]
    if "blocks" in turn:
        return list(turn["blocks"])
    blocks = [{key: turn[key]} for key in ("thinking", "text") if key in turn]
    if "tool" in turn:
        blocks.append({"tool": turn["tool"], "input": turn.get("input", {})})
    return blocks
