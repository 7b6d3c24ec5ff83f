"""What keeps state.db bounded: rows that nothing asks for any more go. The worker calls it, once a day."""

import time

from ace_reflect.state.db import State

_DAY = 86_400.0

#: (table, condition on ?1 = the time before which a row is old, days)
_OLD = (
    ("claims", "at < ?1", 1),
    ("stops", "at < ?1", 2),
    (
        "ledgers",
        "at < ?1",
        21,
    ),  # of a session that goes on after that, the transcript is read again
    ("cache", "at < ?1", 90),
    ("injected", "at < ?1", 180),
    ("prompts", "at < ?1", 180),
    ("jobs", "state = 'done' AND finished_at < ?1", 30),
    ("usage", "at < ?1", 400),
    ("inbox", "state <> 'waiting' AND decided_at < ?1", 400),
    ("sessions", "seen_at < ?1", 400),
)
#: (table, rows kept): what a heavy user makes in years; the oldest go first.
#: A turn is known for as long as its transcript may come back, whatever its age: one that is forgotten counts again.
_MOST = (("votes", 250_000), ("changes", 100_000), ("usage", 200_000), ("prompts", 100_000), ("claims", 20_000), ("turns", 250_000))  # fmt: skip
_WITHOUT_ID = ("claims", "turns")
_LEAP = 60 * _DAY


def prune(state: State, *, now: float | None = None, every_s: float = _DAY) -> bool:
    """Delete what is old or too much; False where that was done less than `every_s` seconds ago."""
    now = time.time() if now is None else now
    row = state.one("SELECT at FROM cache WHERE kind = 'prune' AND key = 'last'")
    if row is not None and abs(now - row[0]) < every_s:
        return False
    if row is not None and now - row[0] > _LEAP:
        # Months since the last time: a long holiday, or a clock that is wrong for a while. The next day tells.
        state.run("UPDATE cache SET at = ? WHERE kind = 'prune' AND key = 'last'", (now,))
        return False
    with state.transaction():
        state.run("INSERT OR REPLACE INTO cache VALUES ('prune', 'last', '', x'', ?)", (now,))
        for table, condition, days in _OLD:
            state.run(f"DELETE FROM {table} WHERE {condition}", (now - days * _DAY,))  # noqa: S608 - our own tables
        for table, most in _MOST:
            column, order = ("key", "at") if table in _WITHOUT_ID else ("id", "id")
            state.run(
                f"DELETE FROM {table} WHERE {column} IN (SELECT {column} FROM {table} ORDER BY {order} DESC LIMIT -1 OFFSET ?)",  # noqa: S608
                (most,),
            )
    return True
