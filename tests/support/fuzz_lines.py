"""Lines of a transcript in other forms than hosts write: keys in another order, more or fewer of them, other blocks."""

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from support.transcripts import NEWEST, TranscriptBuilder

VERSIONS = (NEWEST, "2.1.40", "2.0.40", "1.0.51")
_KEYS = (
    "isMeta", "isSidechain", "toolUseResult", "isApiErrorMessage", "isAbortedMidStream", "x", "type", "uuid", "message", "content", "is_error",
    "tool_use_id", "input", "name", "id", "model", "cwd", "gitBranch", "origin", "promptId", "caller", "stop_reason", "usage", "data", "subtype", "backgroundTaskId",
    "truncated", "toolDenialKind", "userType", "sessionId", "signature",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, "", "x", [], {}, {"type": "assistant", "uuid": "1"}, {"type": "tool_use", "id": "t9", "name": "Bash", "input": {}}, [{"type": "text", "text": "w"}],
    {"parentUuid": None, "type": "user"}, {"message": {"role": "user", "content": "q"}}, '","uuid":"', '}]},"uuid":"', '},{"type":"text"', '"}],"stop_reason":null', '{"a', "plan",
    {"stdout": "s", "stderr": "", "interrupted": False}, {"backgroundTaskId": "b1"}, {"truncated": True},
)  # fmt: skip
_BLOCKS: tuple[Any, ...] = (
    {"type": "text", "text": "words"}, {"type": "tool_use", "id": "tz", "name": "Edit", "input": {"file_path": "/a"}}, {"type": "tool_result", "tool_use_id": "tz", "content": "r"},
    {"type": "thinking", "thinking": "t", "signature": "s"}, {"type": "image", "source": {"type": "base64", "data": "x"}}, "bare", {"type": "text", "text": ""},
)  # fmt: skip


@cache
def session(version: str) -> tuple[str, ...]:
    """Lines of every kind, each twice: from the second on their envelope is known."""
    t = TranscriptBuilder(version=version).prompt("go")
    for _ in range(2):
        t.think("hm {").say("An object {").bash("ls", '{"a": [{"b": 1}]}').edit("/p/a.py").read("/p/a.py", "x = {")
        t.bash("false", "no", exit_code=1).todos(("one", "pending")).agent_progress("Bash", {"command": "ls"}, "a")
        t.agent("look", "report").background("sleep 9").task_notification().task_output("b7xirly8o", "out").noise()
        t.parallel([("Bash", {"command": "a"}, "A"), ("Bash", {"command": "b"}, "B")]).queue("and").hook("Stop", "x")
        t.prompt("more", permission_mode="plan")
    return tuple(t.data().decode().splitlines())


def in_other_forms(version: str, chance: Random) -> bytes:
    """The session with some of the lines of its second half changed."""
    lines = list(session(version))
    for _ in range(chance.choice((1, 2, 4))):
        at = chance.randrange(len(lines) // 2, len(lines))
        line = json.loads(lines[at])
        if chance.random() < 0.25:
            _other_blocks(line, chance)
        else:
            for _ in range(chance.choice((1, 1, 1, 2, 3))):
                _other_keys(line, chance)
        lines[at] = json.dumps(line, separators=(",", ":"), ensure_ascii=False)
    return "\n".join((*lines, "")).encode()


def _other_keys(line: dict[str, Any], chance: Random) -> None:
    target = line if chance.random() < 0.4 else chance.choice(list(_objects(line)))
    items = list(target.items())
    what = chance.random()
    if what < 0.4:
        chance.shuffle(items)
    elif what < 0.8:
        key = chance.choice(_KEYS)
        items = [item for item in items if item[0] != key]
        items.insert(chance.randrange(len(items) + 1), (key, _copy(chance.choice(_VALUES))))
    elif items:
        items.remove(chance.choice(items))
    target.clear()
    target.update(items)


def _other_blocks(line: dict[str, Any], chance: Random) -> None:
    message = line.get("message") or {}
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        added = _copy(chance.choice((*_BLOCKS, *content)))
        if isinstance(added, dict) or message.get("role") == "user":  # an assistant's blocks are all objects
            content.insert(chance.randrange(len(content) + 1), added)
    elif isinstance(content, str):
        line["message"]["content"] = [{"type": "text", "text": content}]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(inner)


def _copy(value: Any) -> Any:
    return json.loads(json.dumps(value))
