"""The two loops: reading without end, and the same command again and again with nothing changed in between."""

from ace_reflect.transcript.tool_names import SUBAGENTS
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
#: Have the work done by somebody else.
_OTHERS = SUBAGENTS | {"Workflow", "SendMessage", "Skill", "SlashCommand"}


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
    return call.name in _OTHERS or (call.name.startswith("mcp__") and not call.read)


def _action(calls: "list[ToolCall]") -> tuple[str, int]:
    """
    The most repeated command since something was changed, and its count; ("", 0) where there is no loop.

    A change that failed changed nothing: the same `git commit` against the same closed door is a loop too. A look is
    a command like others, but makes no loop by itself, for whoever looks again may wait for something; nor do looks
    in between turn the same four failures into none.
    """
    changed = max((place for place, call in enumerate(calls) if call.write and not call.failed), default=-1)
    commands = [call for call in calls[changed + 1 :] if call.bash]
    acts = [call for call in commands if not call.read]
    counts: dict[str, int] = {}
    for call in acts:
        counts[call.key] = counts.get(call.key, 0) + 1
    repeated = {key: times for key, times in counts.items() if times >= MIN_REPEATS}
    again = sum(repeated.values())
    if not any(len(some) >= MIN_COMMANDS and again >= REPEATED_SHARE * len(some) for some in (commands, acts)):
        return "", 0
    key = max(repeated, key=lambda name: repeated[name])
    return key, repeated[key]
