"""What `ace-reflect run` shows a person: what was cited, how it was judged and on what, what changed."""

import os
from collections.abc import Iterable
from textwrap import fill
from typing import Any

from ace_reflect.learning.pipeline import Options, Report
from ace_reflect.playbook.delta import Difference, compare

_WIDTH = 80
_MARKS = {"helpful": "+", "harmful": "-", "neutral": " "}
_EVIDENCE_SHOWN = 2


def page(
    report: Report, tags: list[dict[str, Any]], operations: list[dict[str, Any]], options: Options, *, brief: bool
) -> str:
    """The page for one transcript; `brief` for one of many."""
    head = f"{os.path.basename(report.transcript)}: {_turns(report)}, {_whom(report)}"
    if not report.learned:
        return f"{head}\n{_nothing(report)}"
    if brief:
        return f"{head}\n  {len(tags)} voted on, {sum(bool(o.get('applied')) for o in operations)} changes"
    parts = [head, fill(" ".join(_printable(report.lesson.analysis).split()), _WIDTH, break_on_hyphens=False)]
    parts.append(_block("Cited", [", ".join(report.cited) or "no key point"]))
    parts.append(_block("Votes", [_vote(tag) for tag in tags] or ["none"]))
    parts.append(_block("Proposals", [_operation(operation) for operation in operations] or ["none"]))
    parts.append(_changes(report, options))
    return "\n".join(parts)


def _turns(report: Report) -> str:
    new = f"{report.learned} new turn{'' if report.learned == 1 else 's'}"
    return new + (f", {report.known} known" if report.known else "")


def _whom(report: Report) -> str:
    if report.model is None:
        return "judged offline, by rule"
    tokens = report.usage.get("input_tokens", 0) + report.usage.get("output_tokens", 0)
    cost = report.usage.get("cost_usd")
    return f"judged by {report.model} ({tokens:,} tokens{f', ${cost:.4f}' if cost else ''})"


def _nothing(report: Report) -> str:
    if report.known:
        return "  Learned from already: nothing was changed. --again learns it once more."
    return "  No turn of a person's that is over: there is nothing to learn from."


def _vote(tag: dict[str, Any]) -> str:
    mark = _MARKS.get(tag["tag"], "?")
    counted = "" if tag["counted"] or tag["tag"] == "neutral" else " (recorded, not counted: no outcome behind it)"
    times = f" x{tag['votes']}" if tag["votes"] > 1 else ""
    lines = [f"{mark} {tag['name']} {tag['tag']}{times}{counted}: {tag['rationale']}"]
    lines += [
        f"    line {item['line']}: {_quoted(item)}" for item in tag["evidence"][:_EVIDENCE_SHOWN] if item.get("line")
    ]
    return "\n".join(lines)


def _quoted(item: dict[str, Any]) -> str:
    said = " → ".join(str(item[name]) for name in ("command", "quote") if item.get(name))
    return _cut(said, _WIDTH - 20)


def _operation(operation: dict[str, Any]) -> str:
    mark = "*" if operation.get("applied") else "x"
    text = operation.get("text") or operation.get("merged_text") or operation.get("target_id") or ""
    name = f" {operation['key_point']}" if operation.get("key_point") else ""
    lines = [f"{mark} {operation['op']}{name}: {text}"]
    if operation.get("source"):
        quote = f', "{_cut(str(operation["quote"]), 50)}"' if operation.get("quote") else ""
        where = f" line {operation['line']}" if operation.get("line") else ""
        lines.append(f"    from: {operation['source']}{where}{quote}")
    if not operation.get("applied"):
        lines.append(f"    not applied: {operation.get('why', '')}")
    return "\n".join(lines)


def _changes(report: Report, options: Options) -> str:
    blocks = []
    for place, applied in report.playbooks:
        rows = [_difference(change) for change in compare(applied.before, applied.after)]
        would = " would change so (--dry-run: nothing was written)" if options.dry_run else ""
        blocks.append(_block(f"Playbook {place.path}{would}", rows or ["unchanged"]))
    return "\n".join(blocks)


def _difference(change: Difference) -> str:
    rows = []
    if change.before is not None:
        rows.append(f"- {_line(change.before)}")
    if change.after is not None:
        rows.append(f"+ {_line(change.after)}")
    return "\n".join(rows)


def _line(point: dict[str, Any]) -> str:
    return f"[{point.get('name')}] helpful={point.get('helpful', 0)} harmful={point.get('harmful', 0)} :: {point.get('text', '')}"


def _block(title: str, rows: Iterable[str]) -> str:
    return "\n".join([f"\n{title}", *(_indented(row) for row in rows)])


def _indented(row: str) -> str:
    return "\n".join(_wrapped(line, indent="  ") for line in row.split("\n"))


def _wrapped(text: str, indent: str = "") -> str:
    inner = indent + " " * (len(text) - len(text.lstrip(" ")))
    return fill(
        _printable(text.strip()),
        _WIDTH,
        initial_indent=inner,
        subsequent_indent=inner + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _printable(text: str) -> str:
    return "".join(ch if ch.isprintable() or ch == "\n" else "�" for ch in text)


def _cut(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
