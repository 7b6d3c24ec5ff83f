"""What keeps state.db bounded: rows that nothing asks for any more go. The worker calls it, once a day."""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.state.db import State

_DAY = 86_400.0

#: (table, condition on ?1 = the time before which a row is old, days)
_OLD = (
    ("claims", "at < ?1", 1),
    ("stops", "at < ?1", 2),
    ("ledgers", "at < ?1", 60),
    ("given_up", "at < ?1", 60),
    ("cache", "at < ?1", 90),
    ("injected", "at < ?1", 400),
    ("prompts", "at < ?1", 180),
    ("jobs", "state = 'done' AND finished_at < ?1", 30),
    ("usage", "at < ?1", 400),
    ("inbox", "state <> 'waiting' AND decided_at < ?1", 400),
    ("sessions", "seen_at < ?1", 400),
    ("turns", "at < ?1", 800),
)
#: (table, rows kept): what a heavy user makes in years; the oldest go first.
_MOST = (("votes", 250_000), ("changes", 100_000), ("usage", 200_000), ("prompts", 100_000), ("claims", 20_000))


def prune(state: "State", *, now: float | None = None, every_s: float = _DAY) -> bool:
    """Delete what is old or too much; False where that was done less than `every_s` seconds ago."""
    now = time.time() if now is None else now
    row = state.one("SELECT at FROM cache WHERE kind = 'prune' AND key = 'last'")
    if row is not None and abs(now - row[0]) < every_s:
        return False
    with state.transaction():
        state.run("INSERT OR REPLACE INTO cache VALUES ('prune', 'last', '', x'', ?)", (now,))
        for table, condition, days in _OLD:
            state.run(f"DELETE FROM {table} WHERE {condition}", (now - days * _DAY,))  # noqa: S608 - our own tables
        for table, most in _MOST:
            column = "key" if table == "claims" else "id"
            order = "at" if table == "claims" else "id"
            state.run(
                f"DELETE FROM {table} WHERE {column} IN (SELECT {column} FROM {table} ORDER BY {order} DESC LIMIT -1 OFFSET ?)",  # noqa: S608
                (most,),
            )
    return True
