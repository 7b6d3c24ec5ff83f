"""What `run` and `learn` show: one session in full, or what many sessions come to."""

import os
from collections.abc import Sequence

from ace_reflect.cli.books import before_and_after, evidence_line
from ace_reflect.cli.output import Json, short_path
from ace_reflect.learning.lesson import Options
from ace_reflect.learning.pipeline import Report
from ace_reflect.llm.port import Usage
from ace_reflect.playbook.change import text_of
from ace_reflect.playbook.history import compare
from ace_reflect.playbook.model import key_points
from ace_reflect.text import counted, shortened

_MARKS = {"helpful": "+", "harmful": "-"}
_EVIDENCE_SHOWN = 2


def run_json(report: Report, how: Options) -> Json:
    """One session as JSON, schema ace-reflect/run/1."""
    # A session that one of them has learned from already may be new to the other.
    own = [done for place, done in report.playbooks if place.real_path == report.place.real_path]
    applied = report.playbooks[0][1].outcomes if report.playbooks else ()
    counts = [sum(1 for _ in key_points(book)) for one in own for book in (one.before, one.after)]
    before, after = counts or (report.key_points, report.key_points)
    return {
        "schema": "ace-reflect/run/1",
        "transcript": report.transcript,
        "session_id": report.session,
        "project": how.project,
        "mode": report.mode,
        "model": report.lesson.model,
        "turns": {"learned": report.learned, "known": report.known, "open": report.open},
        "cited_ids": list(report.cited),
        "analysis": report.lesson.analysis,
        "bullet_tags": _tags(report),
        "operations": [*(one.to_json() for one in applied), *map(dict, report.lesson.refused)],
        "candidates": [
            {"section": one.section, "text": one.text, "quote": one.quote, "why": one.why}
            for one in report.lesson.candidates
        ],
        "playbook": {
            "path": report.place.path,
            "before": before,
            "after": after,
            "changed": any(one.changed for one in own) and not how.dry_run,
        },
        "usage": dict(report.lesson.usage),
        "dry_run": how.dry_run,
        "diff": [
            {"playbook": place.path, **difference.to_json()}
            for place, done in report.playbooks
            for difference in compare(done.before, done.after)
        ],
    }


def _tags(report: Report) -> list[Json]:
    """Each key point's votes, those of several turns together."""
    found: dict[tuple[str, str, bool], Json] = {}
    for vote in (vote for _, applied in report.playbooks for vote in applied.votes):
        names = ("tag", "rationale", "based_on", "grounded", "counted")
        entry: Json = {"name": vote.key_point, **{name: getattr(vote, name) for name in names}}
        entry |= {"evidence": [], "votes": 0}
        entry = found.setdefault((vote.key_point, vote.tag, vote.counted), entry)
        entry["evidence"] += [dict(item) for item in vote.evidence]
        entry["votes"] += 1
    return list(found.values())


def run_page(run: Json) -> str:
    """One session: the votes, what was proposed and what changed, each with its evidence."""
    head = _head(run)
    if not run["turns"]["learned"]:
        return head
    blocks = {
        "Cited": [", ".join(run["cited_ids"]) or "no key point"],
        "Votes": [line for tag in run["bullet_tags"] for line in _vote(tag)],
        "Proposals": [line for operation in run["operations"] for line in _operation(operation)],
    }
    for path in dict.fromkeys([run["playbook"]["path"], *(row["playbook"] for row in run["diff"])]):
        rows = [row for row in run["diff"] if row["playbook"] == path]
        would = " would change (--dry-run: nothing was written)" * (run["dry_run"] and bool(rows))
        lines = [line for row in rows for line in before_and_after(row)]
        blocks[f"Playbook {short_path(path)}{would}"] = lines or ["unchanged"]
    parts = ["\n  ".join([title, *(rows or ["none"])]) for title, rows in blocks.items()]
    return "\n\n".join([f"{head}\n{run['analysis']}", *parts])


def _head(run: Json) -> str:
    turns, usage = run["turns"], run["usage"]
    known = f", {turns['known']} known" if turns["known"] else ""
    head = f"{os.path.basename(run['transcript'])}: {counted(turns['learned'], 'new turn')}{known}"
    if not turns["learned"] and turns["known"]:
        return f"{head}\n  Already learned from: nothing was changed. --again learns from it again."
    if not turns["learned"]:
        return f"{head}\n  No finished turn: there is nothing to learn from yet."
    if run["model"] is None:
        return f"{head}, judged offline, by rule"
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    cost = f", ${usage['cost_usd']:.4f}" if usage.get("cost_usd") else ""
    return f"{head}, judged by {run['model']} ({tokens:,} tokens{cost})"


def _vote(tag: Json) -> list[str]:
    loose = not tag["counted"] and tag["tag"] != "neutral"
    aside = " (recorded, not counted: no outcome behind it)" if loose else ""
    times = f" x{tag['votes']}" if tag["votes"] > 1 else ""
    head = f"{_MARKS.get(tag['tag'], ' ')} {tag['name']} {tag['tag']}{times}{aside}"
    shown = [item for item in tag["evidence"] if item.get("line")][:_EVIDENCE_SHOWN]
    lines = [f"{head}: {tag['rationale']}"]
    return lines + [f"    {shortened(evidence_line(item))}" for item in shown]


def _operation(operation: Json) -> list[str]:
    applied, why = operation.get("applied"), str(operation.get("why") or "")
    # A DELETE has a reason and no text.
    text = text_of(operation) or (why if applied else "") or operation.get("target_id") or ""
    name = f" {operation['key_point']}" if operation.get("key_point") else ""
    lines = [f"{'*' if applied else 'x'} {operation['op']}{name}: {text}"]
    if operation.get("source"):
        quote = f', "{shortened(str(operation["quote"]), 50)}"' if operation.get("quote") else ""
        where = f" line {operation['line']}" if operation.get("line") else ""
        lines.append(f"    from: {operation['source']}{where}{quote}")
    return lines if applied else [*lines, f"    not applied: {why}"]


def digest(rows: Sequence[Json]) -> Json:
    """What many runs come to: for each project what was learned, in words, what waits, and what it took. A row with an
    `error` is a transcript that could not be learned from.
    """
    ran = [row for row in rows if "error" not in row]
    projects: dict[str, Json] = {}
    spent = Usage()
    for run in ran:
        empty: Json = {"sessions": 0, "turns": 0, "votes": 0, "added": [], "waiting": []}
        of = projects.setdefault(run["project"], {"project": run["project"], **empty})
        of["sessions"] += bool(run["turns"]["learned"])
        of["turns"] += run["turns"]["learned"]
        of["votes"] += sum(tag["votes"] for tag in run["bullet_tags"] if tag["counted"])
        quotes = {op.get("key_point"): op.get("quote") for op in run["operations"]}
        for point in (row["after"] for row in run["diff"] if row["kind"] == "added"):
            name = point["name"]
            of["added"].append({"name": name, "text": point["text"], "quote": quotes.get(name)})
        of["waiting"] += [{"text": one["text"], "quote": one["quote"]} for one in run["candidates"]]
        usage = run["usage"]
        given, said = usage.get("input_tokens") or 0, usage.get("output_tokens") or 0
        spent += Usage(given, said, usage.get("cost_usd"))
    kept = [each for each in projects.values() if each["turns"]]
    sessions = sum(each["sessions"] for each in kept)
    return {
        "sessions": sessions,
        "known": len(ran) - sessions,
        "projects": kept,
        "errors": [row for row in rows if "error" in row],
        "usage": spent.to_json(),
        "dry_run": any(run["dry_run"] for run in ran),
    }


def digest_page(body: Json) -> str:
    """The same for people."""
    if not body["projects"]:
        return "Nothing new to learn from."
    lines = []
    for each in body["projects"]:
        counts = [counted(each[f"{name}s"], name) for name in ("session", "turn", "vote")]
        lines.append(f"{short_path(each['project'])}: {', '.join(counts)}")
        lines += [f"  + {row['name']}  {row['text']}" for row in each["added"]]
        lines += [f"  ? {row['text']}" for row in each["waiting"]]
        lines += ["  nothing that a later session needs"] * (not each["added"] + each["waiting"])
    waits = sum(len(each["waiting"]) for each in body["projects"])
    word = f"{counted(waits, 'key point')} {'waits' if waits == 1 else 'wait'}"
    lines += ["", f"? {word} for you: ace-reflect review"] if waits else []
    lines += ["--dry-run: nothing was written."] * body["dry_run"]
    usage = body["usage"]
    if usage["input_tokens"]:
        price = "" if usage["cost_usd"] is None else f", ${usage['cost_usd']:.2f}"
        lines.append(f"It took {usage['input_tokens'] + usage['output_tokens']:,} tokens{price}.")
    return "\n".join(lines)
