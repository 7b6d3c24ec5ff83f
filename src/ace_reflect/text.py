"""Short forms of long texts, and texts without what the person keeps private."""

import re

CUT = "characters cut …]"  # stands where `cut_middle` has cut
_NEAR = 200  # characters: how far a cut is moved to avoid splitting a word
#: `==== 3 failed ====`: what runners draw around their summaries.
_RULES = r"^[=!_*-]{3,} (?=.)|(?<=.) [=!_*-]{3,}$"
_PRIVATE = r"(?i)<\s{0,3}(/?)\s{0,3}private(?:\s[^<>]{0,200})?>"


def cut_middle(text: str, most: int) -> str:
    """At most about `most` characters: the beginning and the end, cut at a space, for half a word might be half a secret."""
    if len(text) <= most:
        return text
    head = last_space(text, most // 2)
    tail = len(text) - (most - most // 2)
    spaces = [text.find(space, tail, tail + _NEAR) for space in ("\n", " ", "/")]
    tail = next((at + 1 for at in spaces if at >= 0), tail)
    return f"{text[:head]}\n[… {tail - head} {CUT}\n{text[tail:]}"


def last_space(text: str, place: int) -> int:
    """Where to cut off what follows `place`: the last line end before it, else the last space or slash near it."""
    near = max(place - _NEAR, 0)
    found = max(text.rfind("\n", near, place), 0)
    found = found or max(text.rfind(" ", near, place), text.rfind("/", near, place))
    return found if found > 0 else place


def shortened(text: str, most: int = 120) -> str:
    """One line of at most `most` characters, cut at a word, without the rules that runners draw around their summaries."""
    line = re.sub(_RULES, "", " ".join(text.split()))
    if len(line) <= most:
        return line
    return line[: most - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def seen_from(folder: str | None, path: str) -> str:
    """A path as it is shown: relative to the session's folder if it is inside."""
    prefix = (folder or "").rstrip("/") + "/"
    return path.removeprefix(prefix) if len(prefix) > 1 else path


def counted(number: int, noun: str) -> str:
    """`1 vote`, `2 votes`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def without_private(text: str) -> str:
    """`text` without what the person put between `<private>` and `</private>`, or after an unclosed `<private>`."""
    out, depth, at = list[str](), 0, 0
    for mark in re.finditer(_PRIVATE, text) if "<" in text else ():
        if not mark[1]:
            out += [text[at : mark.start()], "[private]"] if not depth else []
            depth += 1
        elif depth:
            depth, at = depth - 1, mark.end()
    return "".join(out) + ("" if depth else text[at:])
