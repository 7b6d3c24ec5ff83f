"""What many sessions add up to: stops, messages, claims and tests, in all and by project, model, week or month."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import median
from typing import Any

Json = dict[str, Any]

STATES = ("proven", "open", "unknown")
FATES = ("fixed", "explained", "given_up", "skipped", "open")
_SUMS = ("edits", "commits", "pushes", "tokens_in", "tokens_cached", "tokens_out")
_Z = 1.959964  # 95 %


def tally(sessions: Sequence[Json]) -> Json:
    """The figures of some sessions. A share is {count, of, rate, low, high}, see `share`."""
    stops = [stop for session in sessions for stop in session["stops"]]
    caught = [stop for stop in stops if "fate" in stop]
    states = Counter(stop["state"] for stop in stops)
    claims = Counter(stop.get("claim") for stop in stops)
    green = [one for session in sessions for one in session["first_green"]]
    waits = [seconds for session in sessions for seconds in session["proof_s"]]
    unproven = states["open"] + states["unknown"]
    return {
        "sessions": len(sessions),
        "stops": len(stops),
        **{state: states[state] for state in STATES},
        "unproven": share(unproven, unproven + states["proven"]),
        "blocks": len(caught),
        "sent": sum(stop["sent"] for stop in caught),
        "by_gate": Counter(gate for stop in caught for gate in stop["gates"]),
        "fates": {fate: sum(stop["fate"] == fate for stop in caught) for fate in FATES},
        "claims": {name: claims[name] for name in ("borne_out", "unproven", "contradicted")},
        "first_green": share(sum(green), len(green)),
        "minutes_to_proof": round(median(waits) / 60, 1) if waits else None,
        **{name: sum(session[name] for session in sessions) for name in _SUMS},
    }


def share(count: int, of: int) -> Json:
    """A rate with its 95 % interval (Wilson's score interval); None where there is nothing to count."""
    if not of:
        return {"count": 0, "of": 0, "rate": None, "low": None, "high": None}
    rate, square = count / of, _Z**2 / of
    middle = (rate + square / 2) / (1 + square)
    half = _Z * sqrt(rate * (1 - rate) / of + square / (4 * of)) / (1 + square)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    told = {"rate": round(rate, 4), "low": round(low, 4), "high": round(high, 4)}
    return {"count": count, "of": of, **told}


def percent(share: Json) -> str:
    """`31 % (25–38)`, with the interval."""
    if share["rate"] is None:
        return "–"
    return f"{share['rate']:.0%} ({share['low'] * 100:.0f}–{share['high'] * 100:.0f})"


def short(number: float) -> str:
    """`940`, `56.6k`, `12.7M`."""
    for unit, size in (("M", 1_000_000), ("k", 1_000)):
        if number >= size:
            return f"{number / size:.1f}{unit}"
    return str(number)


def folder(path: str) -> str:
    """The last two parts of a path, also of one from Windows."""
    return "/".join(path.replace("\\", "/").rstrip("/").split("/")[-2:])


def by(sessions: Iterable[Json], field: str) -> list[Json]:
    """The figures of each project, model, week or month, by its name."""
    groups: dict[str, list[Json]] = {}
    for session in sessions:
        groups.setdefault(session[field] or f"(no {field})", []).append(session)
    return [{"name": name, **tally(groups[name])} for name in sorted(groups)]


def busiest(sessions: Iterable[Json], field: str) -> list[Json]:
    """The same, those with the most stops first."""
    return sorted(by(sessions, field), key=lambda group: -group["stops"])
