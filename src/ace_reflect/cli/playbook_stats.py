"""The health of a playbook: `ace-reflect playbook stats`."""

import time
from typing import Any

import click

from ace_reflect.cli.playbook_places import look, scope_of
from ace_reflect.cli.terminal import hanging, page_width
from ace_reflect.playbook import history
from ace_reflect.playbook.model import PRUNE_HARMFUL, KeyPoint, Playbook, counters, key_points
from ace_reflect.playbook.render import format_playbook, utf16_units
from ace_reflect.playbook.store import Place
from ace_reflect.state import inbox, record
from ace_reflect.state.db import State

_STALE_DAYS = 60


def stats_of(state: State, at: Place) -> dict[str, Any]:
    """Counts, and the ids of those that deserve a look."""
    shot = look(at)
    points = [point for _, point in key_points(shot.playbook)]
    votes, with_evidence = record.count_votes(state, at.real_path)
    units = utf16_units(format_playbook(shot.playbook))
    return {
        "path": at.path,
        "scope": scope_of(at),
        "key_points": len(points),
        "sections": _by_section(shot.playbook),
        "injected_size": units,
        "votes": {tag: votes.get(tag, 0) for tag in ("helpful", "harmful", "neutral")},
        "votes_with_evidence": with_evidence,
        "waiting_for_review": inbox.count(state, at.real_path),
        "changes_kept": len(history.versions(at, shot.digest)),
        "never_voted": _ids(point for point in points if counters(point) == (0, 0)),
        "contested": _ids(point for point in points if min(counters(point)) > 0),
        "near_pruning": _ids(point for point in points if _near_pruning(point)),
        "stale": _stale(points, record.last_votes(state, at.real_path)),
    }


def stats_page(found: list[dict[str, Any]]) -> None:
    for number, one in enumerate(found):
        click.echo(f"{chr(10) if number else ''}{one['scope']} playbook: {one['path']}")
        for label, value in _rows(one):
            click.echo(hanging(f"  {label:22}{value}", page_width()))


def _rows(one: dict[str, Any]) -> list[tuple[str, str]]:
    sections = ", ".join(f"{section.lower()} {count}" for section, count in one["sections"].items())
    votes = ", ".join(f"{count} {tag}" for tag, count in one["votes"].items())
    rows = [
        ("key points", str(one["key_points"])),
        ("  by section", sections),
        ("size when injected", f"{one['injected_size']:,} characters"),
        ("votes on record", f"{votes}; {one['votes_with_evidence']} with evidence"),
        ("waiting for review", str(one["waiting_for_review"])),
        ("changes kept", str(one["changes_kept"])),
        ("no + or - vote yet", _some(one["never_voted"])),
        ("contested", _some(one["contested"])),
        ("one vote from pruning", _some(one["near_pruning"])),
        (f"no vote in {_STALE_DAYS} days", _some(one["stale"])),
    ]
    return [(label, value) for label, value in rows if value]


def _some(ids: list[str]) -> str:
    shown = ", ".join(ids[:4])
    return f"{len(ids)}: {shown}{', …' if len(ids) > 4 else ''}" if ids else ""


def _by_section(playbook: Playbook) -> dict[str, int]:
    counted: dict[str, int] = {}
    for section, _ in key_points(playbook):
        counted[section] = counted.get(section, 0) + 1
    return counted


def _ids(points: Any) -> list[str]:
    return [str(point["name"]) for point in points]


def _near_pruning(point: KeyPoint) -> bool:
    helpful, harmful = counters(point)
    return harmful + 1 >= PRUNE_HARMFUL and harmful + 1 > helpful


def _stale(points: list[KeyPoint], last: dict[str, float]) -> list[str]:
    """Those that were voted on once, and not for long."""
    before = time.time() - _STALE_DAYS * 86_400
    return [str(point["name"]) for point in points if 0 < last.get(point["name"], 0.0) < before]
