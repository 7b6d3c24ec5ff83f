"""A session's messages as the text that a reflector reads."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ace_reflect.llm.template import as_data
from ace_reflect.redact import without_private


def transcript_text(messages: Iterable[Any]) -> str:
    """
    `[n] role:` and the content of each message, or `[line n] role:` where a message has its transcript `line`.

    Content is a string or a list of the API's blocks; what is neither is left out, and so is what a person marked as private.
    """
    parts = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            continue
        content = without_private(content_text(message.get("content")))
        if content.strip():
            line = message.get("line")
            place = f"line {line}" if isinstance(line, int) else str(number)
            parts.append(f"[{place}] {message.get('role', 'unknown')}:\n{content.strip()}")
    return as_data("\n\n".join(parts))


def content_text(content: Any) -> str:
    """The text of a message's content, with calls and results told apart from what was said."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(text for block in blocks if (text := _block_text(block)))


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    if not isinstance(block, Mapping):
        return ""
    kind = block.get("type")
    if kind == "tool_use":
        return f"(calls {block.get('name')}) {json.dumps(block.get('input'), ensure_ascii=False, default=str)}"
    if kind == "tool_result":
        failed = ", failed" if block.get("is_error") else ""
        return f"(result{failed}) {content_text(block.get('content'))}"
    if kind == "thinking":
        return f"(thinks) {block.get('thinking', '')}"
    text = block.get("text")
    return text if isinstance(text, str) else f"({kind})" if kind else ""
