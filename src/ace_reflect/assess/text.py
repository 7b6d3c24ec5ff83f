"""
Texts made short on their way into a prompt, without losing how they end.

Every cut falls between words: what is left of a secret that was cut in two no longer looks like one, and would stay.
"""

import re

from ace_reflect.text import last_space, next_space

_FENCE = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")


def cut(text: str, most: int) -> str:
    """At most `most` characters: the beginning and, where it is longer, the end, which says how things stand."""
    text = text.strip()
    if len(text) <= most:
        return text
    head = last_space(text, most * 2 // 5)
    tail = next_space(text, len(text) - (most - most * 2 // 5 - 5))
    return (
        f"{text[:head].rstrip()}\n[… {tail - head:,} characters left out …]\n{text[tail:].lstrip()}"
    )


def beginning(text: str, most: int) -> str:
    """The first words of one line; a word that is too long by itself is cut."""
    return text if len(text) <= most else text[: last_space(text, most - 1)] + "…"


def ending(text: str, most: int) -> str:
    """The last whole lines, or words where the last line is longer, with a mark for what is left out."""
    text = text.strip()
    return text if len(text) <= most else "… " + text[next_space(text, len(text) - most) :].lstrip()


def newest(lines: list[str], most_chars: int, *, what: str) -> str:
    """Whole lines, the newest ones, with a note of how many are left out."""
    kept: list[str] = []
    room = most_chars
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    left_out = len(lines) - len(kept)
    note = [f"({left_out} earlier {what} left out)"] if left_out else []
    return "\n".join([*note, *reversed(kept)])


def without_code(markdown: str) -> str:
    """An answer without code blocks and emphasis; list marks and headings stay."""
    bare = _FENCE.sub("\n", markdown)
    return bare.replace("’", "'").replace("**", "").replace("__", "")


def last_sentence(text: str) -> str:
    """The last sentence of the last line that holds words, without list marks."""
    lines = [line.strip(" \t#>*-•_`") for line in without_code(text).split("\n")]
    last = next((line for line in reversed(lines) if any(map(str.isalnum, line))), "")
    parts = [part for part in re.split(r"(?<=[.!?。！？])\s+", last) if any(map(str.isalnum, part))]
    return parts[-1] if parts else ""
