"""`ace-reflect report`: what was caught, learned and done, as plain data, and as one file of HTML that loads nothing.

The plots are drawn as SVG by the template: columns by week need no library.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from itertools import accumulate
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import PlaybookError
from ace_reflect.playbook.model import counters, key_points
from ace_reflect.playbook.store import Place, place_of, snapshot
from ace_reflect.redact import redact_record
from ace_reflect.report import figures
from ace_reflect.state import record
from ace_reflect.state.db import State

Json = dict[str, Any]

_WHOLE_BYTES = 1_100_000  # of the newest sessions' JSON: these are shown whole, older ones by month
_MOST_CAUGHT, _MOST_GROUPS, _MOST_WEEKS, _MOST_VOTES = 200, 30, 53, 60

#: What people call an end state whose name does not say it.
_PLAIN = {"not_applicable": "nothing to prove", "working": "cut off", "open_from_earlier": "open", "waiting_for_user": "up to you"}  # fmt: skip
#: Title, note, and (name, kind, field of a week's figures) of each series.
_PLOTS = (
    ("Stops with something to prove", "by the week in which the session ended", (("proven", "proven", "proven"), ("unknown", "unknown", "unknown"), ("open", "open", "open"))),
    ("First run of the tests green", "in percent of the turns that edited code and then ran tests; a week with few of them says little", (("percent", "proven", "first_green"),)),
    ("From the last edit to proof", "minutes until the run that passed was started; each week's median", (("minutes", "proven", "minutes_to_proof"),)),
    ("Tokens", "without those read from the cache", (("in", "unknown", "tokens_in"), ("out", "proven", "tokens_out"))),
)  # fmt: skip


def view(
    sessions: Sequence[Json],
    unread: int,
    state: State,
    environ: Mapping[str, str],
    patterns: Iterable[str] = (),
) -> Json:
    """All that the page shows, redacted; `sessions` are the newest first."""
    sizes = accumulate(len(json.dumps(session)) for session in sessions)
    whole = sum(size <= _WHOLE_BYTES for size in sizes)
    caught = [
        {**stop, **{name: session[name] for name in ("id", "project", "end")}}
        for session in sessions
        for stop in reversed(session["stops"])
        if "fate" in stop
    ]
    projects = {session["project"] for session in sessions if session["project"]}
    places = _places(state.home_dir, sorted(projects))
    books = [_book(state, place) for place in places.values() if os.path.exists(place.path)]
    waiting = [one for one in record.waiting(state) if one["playbook"] in places]
    found: Json = {
        "made": f"{datetime.now().astimezone():%Y-%m-%d %H:%M}",
        "unread": unread,
        "total": figures.tally(sessions),
        "caught": caught[:_MOST_CAUGHT],
        "caught_left_out": max(0, len(caught) - _MOST_CAUGHT),
        "playbooks": [book for book in books if book["key_points"]],
        "waiting": [{**one, "at": _day(one["at"])} for one in waiting],
        "sessions": sessions[:whole],
        "months": figures.by(sessions[whole:], "month")[::-1],
        "weeks": figures.by(sessions, "week")[-_MOST_WEEKS:],
        "projects": figures.busiest(sessions, "project")[:_MOST_GROUPS],
        "models": figures.busiest(sessions, "model")[:_MOST_GROUPS],
    }
    return redact_record(found, environ, patterns=patterns)


def _places(home: str, projects: Iterable[str]) -> dict[str, Place]:
    """The person's own playbook and those of the projects, by their real path."""
    files = [paths.user_playbook(home)]
    for project in projects:
        files += [paths.project_playbook(project, home, kind) for kind in ("project", "home")]
    return {place.real_path: place for place in (place_of(path, home) for path in files)}


def _book(state: State, place: Place) -> Json:
    """Each key point of a playbook with its votes and where it came from."""
    votes = [vote for vote in record.votes_of(state, place.real_path) if not vote["undone_at"]]
    changes = record.changes_of(state, place.real_path)
    came = {one["key_point"]: one for one in changes if one["op"] == "ADD"}
    try:
        points = [*key_points(snapshot(place).playbook)]
    except PlaybookError:  # `status` and `doctor` say what is wrong with it
        points = []
    injected, cited = record.count_injected(state, place.real_path)
    rows: list[Json] = []
    for _, point in points:
        own = [vote for vote in reversed(votes) if vote["key_point"] == point["name"]]
        told = [(vote["tag"], _day(vote["at"]), vote["rationale"]) for vote in own[-_MOST_VOTES:]]
        source = came.get(point["name"], {})
        quotes = [item["quote"] for item in source.get("evidence") or () if item.get("quote")]
        row = {"name": point["name"], "text": point.get("text", ""), "counters": counters(point)}
        row |= {"votes": [dict(zip(("tag", "at", "why"), vote, strict=True)) for vote in told]}
        said = next(iter(quotes), source.get("reason", ""))
        rows.append({**row, "from": said, "at": _day(source.get("at"))})
    return {"path": place.path, "key_points": rows, "injected": injected, "cited": cited}


def _day(at: float | None) -> str:
    return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d}" if at else ""


def render(found: Json) -> str:
    """The page of a `view`: whole, with its style and script inside."""
    import jinja2

    loader = jinja2.FileSystemLoader(os.path.dirname(__file__))
    whole = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    plots = [plot(found["weeks"], *each) for each in _PLOTS]
    whole.filters |= {
        "percent": figures.percent,
        "when": _when,
        "folder": figures.folder,
        "short": figures.short,
    }
    shown = {session["id"] for session in found["sessions"]}
    more = {"plots": plots, "fates": figures.FATES, "shown": shown, "plain": _PLAIN}
    return whole.get_template("page.html.j2").render(**found, **more)


def plot(weeks: Sequence[Json], title: str, note: str, series: Sequence[Sequence[str]]) -> Json:
    """Stacked columns by week, in a field of 563 by 130 from (52, 140) up; the scale begins at 0, empty weeks are gaps."""
    rows = [(row["name"], [_drawn(row[field]) for _, _, field in series]) for row in weeks]
    top = max((sum(one or 0 for one in values) for _, values in rows), default=0)
    found: Json = {"title": title, "note": note, "series": series, "rows": rows, "top": top}
    if not top:
        return found
    first, last = rows[0][0], rows[-1][0]
    begin = date.fromisoformat(first)
    width = 563 / ((date.fromisoformat(last) - begin).days // 7 + 1)
    bars = []
    for name, values in rows:
        x, y = 52 + (date.fromisoformat(name) - begin).days // 7 * width, 140.0
        for (what, kind, _), one in zip(series, values, strict=True):
            height = (one or 0) / top * 130
            y -= height
            place = {"x": round(x, 1), "y": round(y, 1), "height": round(height, 1)}
            bars += [{**place, "kind": kind, "told": f"{name}: {one} {what}"}] if one else []
    return {
        **found,
        "first": first,
        "last": last,
        "bars": bars,
        "width": round(min(width * 0.8, 40), 1),
    }


def _drawn(value: Any) -> float | None:
    """A share is drawn in percent."""
    if isinstance(value, dict):
        return None if value["rate"] is None else round(value["rate"] * 100)
    return value  # type: ignore[no-any-return]


def _when(at: str) -> str:
    """Local time, to the minute."""
    return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}" if at else ""
