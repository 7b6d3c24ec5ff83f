"""The playbook as text in front of a model. The hook that injects imports this module: nothing heavy at the top."""

from collections.abc import Iterable
from itertools import groupby

from ace_reflect.paths import load_template
from ace_reflect.playbook.model import SLUGS, KeyPoint, counters, key_points

PLACEHOLDER = "{key_points}"


def format_playbook(playbook: object) -> str:
    """The whole playbook inside the injection template, or the empty string if it has no key points. Raises PlaybookError if
    it is no playbook at all. Source: REQ-REFL-002, SCN-REFL-002-02.
    """
    if not isinstance(playbook, dict) or (
        "key_points" in playbook and not isinstance(playbook.get("sections"), dict)
    ):
        from ace_reflect.playbook.read import read_playbook

        playbook = read_playbook(playbook).playbook  # a flat list that nobody has migrated yet
    body = render_sections(playbook)
    return fill(load_template("playbook.txt"), body) if body else ""


def fill(template: str, body: str) -> str:
    """The template with the key points in it, in one pass: braces in a key point stay as they are."""
    before, placeholder, after = template.partition(PLACEHOLDER)
    return f"{before}{body}{after}".strip() if placeholder else f"{template.strip()}\n\n{body}"


def render_sections(playbook: object) -> str:
    """`## SECTION` headings in canonical order with one line per key point; empty sections are left out."""
    points = ((section, point) for section, point in key_points(playbook) if has_text(point))
    return join_sections((section, render_line(point)) for section, point in points)


def join_sections(lines: Iterable[tuple[str, str]]) -> str:
    """(section, line) pairs under their headings, a blank line between sections."""
    blocks = groupby(lines, lambda pair: pair[0])
    return "\n\n".join(
        "\n".join((heading(section), *(line for _, line in pairs))) for section, pairs in blocks
    )


def to_markdown(playbook: object) -> str:
    """A section for a CLAUDE.md: the texts under their headings, without ids or counters."""
    from ace_reflect.playbook.neutral import neutralise

    blocks = ["## Learned key points"]
    for section, pairs in groupby(key_points(playbook), lambda pair: pair[0]):
        texts = [f"- {neutralise(str(point.get('text', '')))}" for _, point in pairs]
        blocks += [f"#{heading(section.capitalize())}", "\n".join(texts)]
    return "\n\n".join(blocks) + "\n" if blocks[1:] else ""


def heading(section: str) -> str:
    if section not in SLUGS:  # a section of somebody's own: its name is text from a file
        from ace_reflect.playbook.neutral import neutralise

        section = neutralise(section)[:80]
    return f"## {section}"


def render_line(point: KeyPoint) -> str:
    """`[pat-001] helpful=3 harmful=0 :: text`."""
    from ace_reflect.playbook.neutral import neutral_id, neutralise

    helpful, harmful = counters(point)
    return f"[{neutral_id(point['name'])}] helpful={helpful} harmful={harmful} :: {neutralise(point['text'])}"


def has_text(point: KeyPoint) -> bool:
    return isinstance(point.get("text"), str) and bool(point["text"].strip())


def utf16_units(text: str) -> int:
    """The text's length as the host counts it (JavaScript): characters beyond the basic plane count twice."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
