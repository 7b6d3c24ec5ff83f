"""Prompt templates: `{name}` is a place for a value, doubled braces are braces, and values are put in once."""

import re
from collections.abc import Iterable, Mapping

_PLACE = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_TAG = re.compile(r"</(\w+)>")
#: Our own delimiters inside somebody's text could end a block early and make the rest look like instructions.
OWN_TAGS = frozenset({"transcript", "playbook", "cited_ids", "facts", "reflection", "last_answer"})


def fill(template: str, values: Mapping[str, str]) -> str:
    """
    The template with its values, in one pass: braces inside a value stay as they are.

    A place that has no value stays as it is written, so that a template of the user's own cannot fail.
    """
    return _PLACE.sub(lambda match: _piece(match, values), template)


def _piece(match: "re.Match[str]", values: Mapping[str, str]) -> str:
    if match[0] in {"{{", "}}"}:
        return match[0][0]
    return values.get(match[1], match[0])


def tags_of(template: str) -> frozenset[str]:
    """The names of the blocks that a template closes."""
    return frozenset(_TAG.findall(template))


def as_data(text: str, tags: Iterable[str] = OWN_TAGS) -> str:
    """`text` without anything that would open or close one of the prompt's own blocks."""
    names = "|".join(map(re.escape, sorted(tags)))
    opening = rf"[<\uff1c\ufe64](?=\s{{0,20}}/?\s{{0,20}}(?:{names})\b)"
    return re.sub(opening, "‹", text, flags=re.IGNORECASE) if names else text
