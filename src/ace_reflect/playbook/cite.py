"""Which key points the assistant cited."""

import re
from typing import Any

_CITATION = re.compile(r"\[((?:pat|mis|pref|ctx|oth)-\d+|kpt_\d+)\]")  # the specification's own


def extract_cited_ids(messages: object) -> list[str]:
    """
    The ids cited in assistant messages, each once, in the order of their first mention.

    `content` is a string or a list of content blocks, of which the text blocks are read.

    Source: REQ-REFL-001, INV-REFL-001.
    """
    if not isinstance(messages, (list, tuple)):
        return []
    cited: dict[str, None] = {}
    for message in messages:
        if isinstance(message, dict) and message.get("role") == "assistant":
            for text in _texts(message.get("content")):
                cited.update(dict.fromkeys(_CITATION.findall(text)))
    return list(cited)


def _texts(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    if not isinstance(content, (list, tuple)):
        return []
    texts = [
        block.get("text")
        if isinstance(block, dict) and block.get("type", "text") == "text"
        else block
        for block in content
    ]
    return [text for text in texts if isinstance(text, str)]
