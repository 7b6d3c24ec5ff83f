"""`ace-reflect audit`: all sessions in numbers, with intervals, for scripts and CI."""

import click

from ace_reflect.cli import options
from ace_reflect.cli.output import Json, Report, reporting, table
from ace_reflect.cli.report import known_sessions
from ace_reflect.report import figures

_HEADS = ("sessions", "stops", "proven", "open", "unknown", "not proven", "messages", "claims", "green first")  # fmt: skip


@click.command()
@options.project_option
@options.all_option
@options.since_option
@click.option("--max-unproven", type=click.FloatRange(0, 1), help="Exit with 1 above this rate.")
@click.option("--markdown", is_flag=True, help="As Markdown, for $GITHUB_STEP_SUMMARY.")
@reporting
def audit(
    project: str | None,
    everything: bool,
    since: float | None,
    max_unproven: float | None,
    markdown: bool,
) -> Report:
    """How many stops were proven, open or unknown, which gates spoke, whether claims were borne out.

    By project, model and month. "Not proven" are the open and unknown ones among the stops with something to prove, with a
    95 % interval. --json prints the stable form, schema ace-reflect/audit/1.

    \b
    ace-reflect audit --all --since 30d
    ace-reflect audit --all --markdown >> "$GITHUB_STEP_SUMMARY"
    """
    found = known_sessions(project, everything, since)
    total = figures.tally(found.sessions)
    rate = total["unproven"]["rate"] or 0.0
    body = {
        "total": total,
        "projects": figures.busiest(found.sessions, "project"),
        "models": figures.busiest(found.sessions, "model"),
        "months": figures.by(found.sessions, "month"),
        "errors": found.unread,
        "max_unproven": max_unproven,
        "passed": max_unproven is None or rate <= max_unproven,
    }
    text = page(body, markdown=markdown)
    return Report("audit", body, text, code=0 if body["passed"] else 1, private=True, fold=False)


def page(body: Json, *, markdown: bool) -> str:
    """What it comes to in words, and the tables."""
    total, limit = body["total"], body["max_unproven"]
    held = "holds" if body["passed"] else "exceeded"
    proven, green = (
        f"{figures.percent(total[name])} of {total[name]['of']}"
        for name in ("unproven", "first_green")
    )
    told = {
        "Not proven": f"{proven} stops with something to prove",
        "Limit": "" if limit is None else f"{limit:.0%} {held}",
        "Messages": f"{total['blocks']}, {total['sent']} of them sent",
        "By gate": _named(total["by_gate"]),
        "Came of it": _named(total["fates"]),
        "Claims": _named(total["claims"]),
        "Green first": f"{green} turns that edited code and ran tests",
        "Unreadable": _named({"transcripts": len(body["errors"])}),
    }
    lines = [f"{'* ' * markdown}{name}: {text}" for name, text in told.items() if text]
    parts = [f"{'## ' * markdown}ace-reflect audit", "\n".join(lines)]
    groups = {"project": body["projects"], "model": body["models"], "month": body["months"]}
    for name, rows in groups.items():
        heads = (name, *_HEADS)
        every = [*rows, {**total, "name": "all"}]
        parts.append(table(heads, map(_cells, every), right=_HEADS, markdown=markdown))
    parts.append("In brackets: 95 % intervals. Claims: borne out/unproven/contradicted.")
    return "\n\n".join(parts)


def _named(counts: Json) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counts.items() if n)


def _cells(row: Json) -> tuple[str, ...]:
    claims = "/".join(str(number) for number in row["claims"].values())
    numbers = (row[name] for name in ("sessions", "stops", "proven", "open", "unknown"))
    shares = (
        figures.percent(row["unproven"]),
        str(row["blocks"]),
        claims,
        figures.percent(row["first_green"]),
    )
    return (figures.folder(row["name"]), *map(str, numbers), *shares)
