"""What a runner's closing lines say, as a value, and the one place that turns counts into an outcome."""

from ace_reflect.evidence.facts import Counts, Outcome
from ace_reflect.late import Late
from ace_reflect.values import Value

QUOTE_CHARS = 200


class Summary(Value):
    """
    What one run printed about itself.

    Nothing executed is `NOT_RUN` with the reason in `vacuous`, whatever the runner's exit status: no test found, all
    of them skipped or filtered out, a listing. Such a run proves nothing, in either direction.
    """

    runner: str
    family: str = ""  # the file of this room that read it
    outcome: Outcome
    counts: Counts | None = None
    quote: str = ""  # the line that decided
    line_index: int = 0  # 0-based, in the cleaned output
    vacuous: str = ""  # "no tests ran", "all 3 skipped"
    label: str = ""  # the package or task that a prefix names: "api:test", "test:unit"
    wrapper: bool = False  # a task runner's word about what it ran (make, npm, turbo): no tests of its own
    open_ended: bool = False  # one of several like it (go's packages, cargo's binaries): more may follow
    partial: bool = False  # single tests only; the closing lines are not here


class Tally(Counts):
    """The counts of one closing line, and what follows from them."""

    @classmethod
    def of_all(cls, total: int, failed: int, skipped: int | None = None, deselected: int | None = None) -> "Tally":
        """The counts of a line that says how many tests there were: those of which it says nothing worse passed."""
        passed = max(total - failed - (skipped or 0) - (deselected or 0), 0)
        return cls(passed=passed, failed=failed, skipped=skipped, deselected=deselected)

    def executed(self) -> int | None:
        """How many tests really ran; None where that cannot be told."""
        if self.passed is not None or self.total is None:
            return None if self.passed is None and self.failed is None else (self.passed or 0) + (self.failed or 0)
        return max(self.total - (self.skipped or 0), self.failed or 0)


_COUNTED = Late(r"(\d+) ([a-z]+(?: [a-z]+)*)")


def counts_in(part: str) -> dict[str, int]:
    """The counts of `1 failed, 26 passed, 2 timed out`, by word."""
    return {word: int(number) for number, word in _COUNTED.findall(part)}


def added(counts: dict[str, int], *words: str) -> int:
    """How many the counts of these words come to."""
    return sum(counts.get(word, 0) for word in words)


def shown(counts: dict[str, int]) -> str:
    """`2 passing, 1 failing`: a block of counts as the one line that is quoted."""
    return ", ".join(f"{number} {word}" for word, number in counts.items())


def closing(  # noqa: PLR0913 - the fields of a summary
    runner: str,
    line: str,
    index: int,
    tally: Tally | None = None,
    *,
    failed: bool = False,
    vacuous: str = "",
    passed: bool = False,
    open_ended: bool = False,
    wrapper: bool = False,
    partial: bool = False,
) -> Summary:
    """
    The summary that a closing line stands for.

    `failed` is the runner's own word for it where the counts do not show it (a suite that did not compile); `vacuous` its
    word that nothing ran. Neither of them, and no counts that show it: the line says that all is well. `passed` is its
    word for that beside counts of which none executed a test (a linter's "0 errors").
    """
    tally = tally or Tally()
    if not vacuous and not failed and not passed:
        vacuous = _nothing_ran(tally)
    outcome = Outcome.PASSED
    if failed or tally.failed:
        outcome, vacuous = Outcome.FAILED, ""
    elif vacuous:
        outcome = Outcome.NOT_RUN
    return Summary(
        runner=runner,
        outcome=outcome,
        counts=_counts(tally),
        quote=quote(line),
        line_index=index,
        vacuous=vacuous,
        open_ended=open_ended,
        wrapper=wrapper,
        partial=partial,
    )


def quote(line: str) -> str:
    """A line as it is shown to people: trimmed, at most 200 characters."""
    line = " ".join(line.split())
    return line if len(line) <= QUOTE_CHARS else line[: QUOTE_CHARS - 1] + "…"


def _nothing_ran(tally: Tally) -> str:
    if tally.executed() != 0:
        return ""
    if tally.skipped:
        return f"all {tally.skipped} skipped"
    if tally.deselected:
        return f"all {tally.deselected} deselected"
    return "no tests ran"


def _counts(tally: Tally) -> Counts | None:
    counted = tally.to_json()
    return None if all(number is None for number in counted.values()) else Counts(**counted)


def combine(summaries: "tuple[Summary, ...]") -> Summary | None:
    """
    One summary for several (packages, binaries, environments): any that failed decides, then any that proves something.

    A task runner's word counts as a failure always, as a pass only where none of what it ran says more.
    """
    if not summaries:
        return None
    own = tuple(item for item in summaries if not item.wrapper) or summaries
    if all(item.outcome is Outcome.NOT_RUN for item in own):
        return own[-1].replace(counts=_added(own))  # a runner that finds no tests fails, and so does what started it
    failed = [item for item in summaries if item.outcome is Outcome.FAILED]
    passed = [item for item in own if item.outcome is Outcome.PASSED]
    its_own = [item for item in failed if not item.wrapper] or failed
    told = [item for item in its_own if item.counts is not None] or its_own
    chosen = (told or passed or list(own))[-1]
    return chosen.replace(
        counts=_added(own),
        open_ended=any(item.open_ended for item in own) and all(item.open_ended or item.partial for item in own),
        partial=chosen.partial,
    )


def without_parts(summaries: "tuple[Summary, ...]") -> "tuple[Summary, ...]":
    """Processes side by side close each for itself, and what started them says last what they come to: that alone counts."""
    parts, last = summaries[:-1], summaries[-1:]
    return last if len(parts) > 1 and last[0].counts == _added(parts) else summaries


def _added(summaries: "tuple[Summary, ...]") -> Counts | None:
    counts = [item.counts for item in summaries if item.counts is not None]
    if not counts:
        return None
    if len(counts) == 1:
        return counts[0]
    sums = {}
    for name in Counts._fields:
        known = [getattr(item, name) for item in counts if getattr(item, name) is not None]
        if known:
            sums[name] = sum(known)
    return Counts(**sums)
