"""The two loops: reading without end, and the same command again and again with nothing changed in between."""

from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Ledger, ToolCall, Turn

MIN_CALLS = 8
WRITE_SHARE = 0.10
READ_SHARE = 0.75
MIN_COMMANDS = 4
MIN_REPEATS = 3
REPEATED_SHARE = 0.60


class Loops(Value):
    planning: bool = False
    action: bool = False
    repeated: str = ""  # the command of the action loop
    times: int = 0
    reads: int = 0
    calls: int = 0
    by_others: bool = False  # subagents or tools whose deeds are not seen here had a part in the turn

    @property
    def only_read(self) -> bool:
        """A planning loop without a doubt: nearly every call only looked, and nobody else was set to work."""
        return self.planning and not self.by_others and self.reads >= READ_SHARE * self.calls


def find_loops(ledger: "Ledger", turn: "Turn", *, asks_for_change: bool) -> Loops:
    """The current turn's loops. A question or research that only reads is no planning loop."""
    calls = [call for call in ledger.calls if call.turn == turn.number]
    total = max(turn.tool_calls, len(calls))
    writes = max(turn.writes, sum(call.write for call in calls))
    reads = max(turn.reads, sum(call.read for call in calls))
    planning = asks_for_change and total >= MIN_CALLS and writes < WRITE_SHARE * total and reads > 0
    repeated, times = _action(calls)
    return Loops(
        planning=planning,
        action=times > 0,
        repeated=repeated,
        times=times,
        reads=reads,
        calls=total,
        by_others=any(_is_others(call) for call in calls),
    )


def _is_others(call: "ToolCall") -> bool:
    return call.name in {"Task", "Agent", "Workflow", "SendMessage", "Skill", "SlashCommand"} or (
        call.name.startswith("mcp__") and not call.read
    )


def _action(calls: "list[ToolCall]") -> tuple[str, int]:
    """The most repeated command and its count; ("", 0) where there is no loop."""
    commands = [call for call in calls if call.bash and not call.read]
    if len(commands) < MIN_COMMANDS:
        return "", 0
    counts: dict[str, int] = {}
    best = ("", 0)
    for call in calls:
        if call.write:  # something changed: the same command is a new try
            counts.clear()
        elif call.bash and not call.read:
            counts[call.key] = counts.get(call.key, 0) + 1
            if counts[call.key] > best[1]:
                best = (call.key, counts[call.key])
    if best[1] < MIN_REPEATS:
        return "", 0
    seen: dict[str, int] = {}
    for call in commands:
        seen[call.key] = seen.get(call.key, 0) + 1
    share = sum(times for times in seen.values() if times >= MIN_REPEATS) / len(commands)
    return best if share >= REPEATED_SHARE else ("", 0)
