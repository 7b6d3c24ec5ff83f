"""Tokens and cost of each model call, for `log --cost` and the daily budget."""

import time

from ace_reflect.state.db import Row, State


def add(
    state: State,
    role: str,
    model: str,
    input_tokens: int,
    output_tokens: int,
    *,
    cost_usd: float | None = None,
    session_id: str = "",
) -> None:
    """`role`: reflector, curator, assess, judge, stop_kind, compaction, routing, reviewer, auditor."""
    row = {"at": time.time(), "day": _today(), "session": session_id, "role": role, "model": model}
    tokens = {"input_tokens": input_tokens, "output_tokens": output_tokens}
    state.insert("usage", {**row, **tokens, "cost_usd": cost_usd})


def tokens_today(state: State, roles: tuple[str, ...] = ()) -> int:
    """Input and output tokens of today's calls, by the machine's own calendar; of these `roles`, where some are given."""
    only = f" AND role IN ({', '.join('?' * len(roles))})" if roles else ""
    sql = f"SELECT sum(input_tokens + output_tokens) FROM usage WHERE day = ?{only}"  # noqa: S608 - places only
    return state.value(sql, (_today(), *roles)) or 0


def by_model(state: State, session: str | None = None) -> list[Row]:
    """
    Rows of (role, model, calls, input tokens, output tokens, cost in USD or None), those with the most tokens first;
    `session`: the beginning of an id.
    """
    return state.all(
        "SELECT role, model, count(*), sum(input_tokens), sum(output_tokens), sum(cost_usd) FROM usage"
        " WHERE ?1 IS NULL OR (?1 <> '' AND substr(session, 1, length(?1)) = ?1)"
        " GROUP BY role, model ORDER BY sum(input_tokens + output_tokens) DESC",
        (session,),
    )


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.localtime())
