"""Which key points the assistant cited, and the votes on them."""

import re
import sys
from collections.abc import Iterator
from typing import Any

from ace_reflect.playbook.model import OTHERS, KeyPoint, Playbook, count_of, key_points

TAGS = ("helpful", "harmful", "neutral")
_CITATION = re.compile(r"\[((?:pat|mis|pref|ctx|oth)-\d+|kpt_\d+)\]")  # the specification's own


def extract_cited_ids(messages: object) -> list[str]:
    """The ids cited in assistant messages' text, each once, in order of first mention. Source: REQ-REFL-001, INV-REFL-001."""
    cited: dict[str, None] = {}
    for message in messages if isinstance(messages, (list, tuple)) else ():
        if isinstance(message, dict) and message.get("role") == "assistant":
            for text in _texts(message.get("content")):
                cited.update(dict.fromkeys(_CITATION.findall(text)))
    return list(cited)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, (list, tuple)) else ():
        is_text = isinstance(block, dict) and block.get("type", "text") == "text"
        text = block.get("text") if is_text else block
        if isinstance(text, str):
            yield text


def apply_bullet_tags(playbook: Playbook, bullet_tags: object) -> Playbook:
    """Count the reflector's tags, duplicates included. Returns the same object, changed in place. Tags that cannot be applied
    are named on stderr; names and tags must match exactly. Source: REQ-REFL-007, INV-REFL-003, INV-REFL-004.
    """
    rows = playbook
    if not isinstance(playbook.get("sections"), dict):  # a flat list that nobody has migrated yet
        rows = {"sections": {OTHERS: playbook.get("key_points")}}
    points = {point["name"]: point for _, point in key_points(rows)}
    tags = () if bullet_tags is None else bullet_tags
    if isinstance(tags, (list, tuple)):
        problems = [_apply(points, tag) for tag in tags]
    else:
        problems = [f"bullet_tags is no list: {tags!r}"]
    for problem in filter(None, problems):
        shown = "".join(character if character.isprintable() else "?" for character in problem)
        print(f"ace-reflect: bullet tag skipped: {shown[:300]}", file=sys.stderr)  # noqa: T201 - the specification asks for stderr
    return playbook


def _apply(points: dict[str, KeyPoint], tag: object) -> str:
    """Apply one tag; returns what was wrong with it, or ""."""
    if not isinstance(tag, dict):
        return f"a bullet tag is an object, not {tag!r}"
    name, value = tag.get("name"), tag.get("tag")
    if not isinstance(name, str) or name not in points:
        return f"no key point is named {name!r}"
    if not isinstance(value, str) or value not in TAGS:
        return f"{name}: unknown tag {value!r}"
    if value != "neutral":
        now = points[name].get(value)
        # A counter goes on from its value, however high: a vote never lowers one.
        points[name][value] = (now if type(now) is int and now >= 0 else count_of(now)) + 1
    return ""
