"""
What a command came to: the shell's status, whose status that is, and what was printed, joined.

A runner's closing line outweighs a hidden status; a status that is surely the command's own outweighs a closing line
that says "passed" (a coverage threshold, a crash at the end). Where neither shows, the outcome is unknown, and where
nothing was executed it is not-run: no proof in either direction.
"""

from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcome_end import ended
from ace_reflect.evidence.outcome_line import Line, piped_through
from ace_reflect.evidence.runners import combine, read_all, read_checks
from ace_reflect.evidence.runners.filters import read_filters
from ace_reflect.evidence.runners.model import quote
from ace_reflect.evidence.runners.share import has_own_run, share_of, share_of_checks
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.runners import Summary
    from ace_reflect.transcript.records import ToolResult, UserShell

#: What vitest, jest and mocha print behind a whole run when they go on to watch: what is killed then has ended its tests.
_WAITS = ("Waiting for file changes...", "Watch Usage: Press w", "[mocha] waiting for changes...")
#: One of these is in every output that lists files by name or says that there were none.
_OF_FILES = (".go\n", ".sh\n", ".bash\n", "0 file", "0 source file", "no ", "No ", "NO ")


class Reading(Value):
    """How a command ended."""

    outcome: Outcome
    why: str
    quote: str = ""
    status_visible: bool = True
    masked: str = ""
    counts: Counts | None = None
    running: bool = False  # in the background, its end is not known yet
    cut_off: bool = False  # the host's limit, a kill or the transcript's end came before the verdict


def read_outcome(commands: "Sequence[Command]", result: "ToolResult | UserShell", which: "Command") -> Reading:
    """
    How one command of a line ended.

    Args:
        commands: every command of the line, in order.
        result: the line's result.
        which: the command asked about, one of `commands`.
    """
    return _Case(Line(commands, ended(result), which)).reading()


def describe(summary: "Summary") -> str:
    """The counts of a run in words, else the line that decided."""
    counts = summary.counts
    if counts is None or (summary.outcome is Outcome.FAILED and not counts.failed):
        return summary.quote
    named = (("failed", counts.failed), ("passed", counts.passed), ("skipped", counts.skipped))
    return ", ".join(f"{number} {name}" for name, number in named if number) or summary.quote


class _Case:
    """
    One command of a line, and the questions about it in their order: refused, running, never started, printed, status.

    `found` are the summaries in the output, `summary` what they say of this very command; `own` is its own exit status, None
    where that is hidden or may be another command's.
    """

    def __init__(self, line: Line) -> None:
        self.line = line
        self.end = line.end
        self.is_test = line.which.kind is CommandKind.TEST
        self.filters = read_filters(piped_through(line.commands, line.place))
        self.found = (read_all if self.is_test else read_checks)(line.part, line.which.runner)
        self.summary = self._summary()
        self.own = line.own_code(ran=self.summary is not None and not self.summary.wrapper)

    def reading(self) -> Reading:
        if self.end.refused or self.end.never_started:
            why = "the call was refused" if self.end.refused else "the call never ran"
            return self._read(Outcome.NOT_RUN, why, next((item for item in self.line.shown if item.strip()), ""))
        if self.end.running and (self.summary is None or self.summary.outcome is not Outcome.FAILED):
            return self._read(Outcome.UNKNOWN, "still running in the background").replace(running=True)
        return (
            self._not_started()
            or self._by_files()
            or self._by_summary()
            or self._silent_pnpm()
            or self._complaints()
            or self._by_status()
        )

    def _summary(self) -> "Summary | None":
        """What the output says of this command: its summaries, without those of the line's other commands; None if none."""
        if self.line.output_elsewhere():
            return None
        found = tuple(item for item in self.found if not self.line.echoes(item.quote))
        if self.is_test:
            rivals = self.line.rivals()
            place = next((i for i, item in enumerate(rivals) if item is self.line.which), 0)
            shows = (self.line.shows_files_before(), self.line.shows_files_after())
            found = share_of(self._no_checkers(found), rivals, place, shows_files=shows)
        else:
            checks = self.line.rival_checks()
            place = next((i for i, item in enumerate(checks) if item is self.line.which), 0)
            found = share_of_checks(found, checks, place)
        summary = combine(self.line.about_this(found))
        if summary is None or not summary.wrapper:
            return summary
        return (
            None
            if (self._closing_line_is_the_linters(summary) if self.is_test else self._closing_line_is_the_tests())
            else summary
        )

    def _no_checkers(self, found: "tuple[Summary, ...]") -> "tuple[Summary, ...]":
        """`make test | tail -1 && ruff check`: "All checks passed!" is the linter's word."""
        if len(self.line.rival_checks()) == 1:
            return found
        theirs = {item.quote for item in read_checks(self.line.part)}
        return tuple(item for item in found if item.family != "plain" or item.quote not in theirs)

    def _closing_line_is_the_tests(self) -> bool:
        """
        Asked of a build or a check whose only summary is pnpm's closing line (`pnpm build && pnpm test`): the tests behind it
        ran, so that line is theirs.
        """
        return any(
            not summary.wrapper
            for item in self.line.commands[self.line.place + 1 :]
            if item.kind is CommandKind.TEST and item.simple.conditional == "&&"
            for summary in read_all(self.line.part, item.runner)
        )

    def _closing_line_is_the_linters(self, closing: "Summary") -> bool:
        """
        Asked of tests whose only summary is pnpm's closing line (`pnpm lint && pnpm test`): the linter failed before them, so
        that line is the linter's.
        """
        if not self.line.may_be_skipped() or has_own_run(self.line.text, self.line.which.runner):
            return False
        return any(
            item.outcome is Outcome.FAILED and not item.wrapper and item.quote != closing.quote
            for item in read_checks(self.line.part)
        )

    def _not_started(self) -> Reading | None:
        if (self.summary is not None and not self.summary.wrapper) or (self.own == 0 and not self.line.simple.masked):
            return None
        line, simple = "", self.line.simple
        if self.end.code in (126, 127) and self.own is not None:
            line = self.line.last_line() or f"exit {self.end.code}"
        words = (*simple.argv, *simple.unwrapped, *simple.via, *self.line.which.argv, *self.line.which.runner.split())
        from ace_reflect.evidence.runners.never_ran import never_ran

        line = never_ran(self.line.text, words, alone=self.line.alone()) or line
        return self._read(Outcome.NOT_RUN, "it did not start", line) if line else None

    def _silent_pnpm(self) -> Reading | None:
        """pnpm 10 and later print the script they run; `pnpm test` without such a script prints nothing and exits 0."""
        words = self.line.simple.unwrapped
        quiet = any(word in ("-s", "--silent", "--reporter=silent") for word in words)
        if not self.is_test or words[:1] != ("pnpm",) or quiet or self.end.failed or not self.end.known:
            return None
        if any(self.line.shown) or self.filters.greps or self.filters.other or self.line.output_elsewhere():
            return None
        return self._read(Outcome.NOT_RUN, "it printed nothing: there is no such script")

    # -- by what was printed

    def _by_files(self) -> Reading | None:
        """A checker that named the files that are not well, or that looked at none."""
        if not self.line.text.holds(_OF_FILES):
            return None
        from ace_reflect.evidence.outcome_checks import listed, nothing_checked

        names = None if self.own else listed(self.line)
        if names is not None:
            return self._read(names[0], f"it names {quote(names[1])}", names[1])
        nothing = nothing_checked(self.line, self.found, self.summary)
        return self._read(Outcome.NOT_RUN, "no files were checked", nothing) if nothing else None

    def _by_summary(self) -> Reading | None:
        summary = self.summary
        if summary is None:
            return None
        if summary.outcome is Outcome.FAILED:
            return self._failed(summary)
        if summary.outcome is Outcome.NOT_RUN:
            if (summary.open_ended or summary.label) and not self._good_would_show(summary):
                return self._rest_is_cut_away()
            return self._read(Outcome.NOT_RUN, summary.vacuous, summary.quote, summary.counts)
        if self.line.which.collects_only:
            return None
        if self.own and not (self.end.killed and self.line.text.holds(_WAITS)):
            although = f", although {describe(summary)}"
            return self._cut_off(although) or self._read(
                Outcome.FAILED, self._exit_words() + although, summary.quote, summary.counts
            )
        complete = not (summary.partial or summary.open_ended)
        if self.own is not None or complete or self._failures_would_show(summary):
            return self._read(Outcome.PASSED, describe(summary), summary.quote, summary.counts)
        return None

    def _rest_is_cut_away(self) -> Reading | None:
        """All packages that are shown have no tests, but others may have been cut off: a failure counts, else nothing is known."""
        failed = next((item for item in self.found if item.outcome is Outcome.FAILED), None)
        if failed is not None:
            return self._failed(failed)
        return self._read(Outcome.UNKNOWN, self._hidden_words()) if self.line.which.selected else None

    def _good_would_show(self, summary: "Summary") -> bool:
        from ace_reflect.evidence.outcome_silence import good_would_show

        return good_would_show(self.line, self.filters, summary)

    def _failures_would_show(self, summary: "Summary") -> bool:
        from ace_reflect.evidence.outcome_silence import failures_would_show

        return failures_would_show(self.line, self.filters, summary)

    def _complaints(self) -> Reading | None:
        """`tsc | grep -c error`: the number is the verdict."""
        if self.own is not None or not (self.filters.counts_only or self.filters.greps):
            return None
        from ace_reflect.evidence.outcome_silence import count_complaints

        count = count_complaints(self.line, self.filters)
        if count is None:
            return None
        said = f"`{self.line.simple.masked}` shows {count or 'none'}"
        return self._read(Outcome.FAILED if count else Outcome.PASSED, said, self.line.last_line())

    def _silence_is_good(self) -> bool:
        from ace_reflect.evidence.outcome_silence import silence_is_good

        return silence_is_good(self.line, self.filters, began=self._began())

    def _failed(self, summary: "Summary") -> Reading | None:
        """A failure that was printed counts, unless the runner's own status is 0 and its last word is a good one."""
        told = [item for item in self.found if not item.partial]
        if self.own == 0 and (not told or told[-1].outcome is not Outcome.FAILED):
            return None
        said = describe(summary) if self.is_test else summary.quote
        why = f"exit {self.own}: {said}" if self.own else said
        return self._read(Outcome.FAILED, why, summary.quote, summary.counts)

    # -- by the status

    def _by_status(self) -> Reading:
        if self.line.which.collects_only and not self.own:
            return self._read(Outcome.NOT_RUN, "the tests were only listed")
        if self.own == 0:
            return self._read(Outcome.PASSED, "exit 0")
        if self.own is not None:
            return self._cut_off() or self._read(Outcome.FAILED, self._exit_words(), self.line.last_line())
        if self.end.failed and self.line.may_be_skipped() and not self._began() and self._would_tell():
            return self._read(Outcome.NOT_RUN, "what stands before it in the line failed", self.line.last_line())
        if self.line.is_an_alternative() and self._others_passed() and not self._began():
            return self._read(Outcome.NOT_RUN, "what stands before it in the line went well")
        return self._by_hints()

    def _would_tell(self) -> bool:
        """
        Asked where the line failed and nothing shows that this command began: would it have printed something? Tests would. A
        builder that went well is silent; that it never ran is sure only if it is the last and one before it complained.
        """
        if self.is_test or not self.line.followed():
            return True
        last = self.line.rival_checks()[-1] is self.line.which  # so that a complaint is about one before it
        return last and any(item.outcome is Outcome.FAILED for item in self.found)

    def _others_passed(self) -> bool:
        """`pytest || python -m unittest`: the second runs only if the first fails."""
        others = [item for item in self.found if self.summary is None and not item.wrapper]
        return bool(others) and all(item.outcome is Outcome.PASSED for item in others)

    def _by_hints(self) -> Reading:
        """The status is hidden or another's, and no closing line is shown."""
        said = self.line.said()
        if said is not None:
            outcome = Outcome.PASSED if said[0] else Outcome.FAILED
            return self._read(
                outcome, f"its {'success' if said[0] else 'failure'} branch printed “{quote(said[1])}”", said[1]
            )
        stopped = self._cut_off()
        if stopped:
            return stopped
        from ace_reflect.evidence.outcome_checks import complaint

        wrong = complaint(self.line, self.found)
        if wrong is not None:
            return self._read(wrong[0], f"its status is hidden, and it says “{quote(wrong[1])}”", wrong[1])
        if self._silence_is_good():
            return self._read(Outcome.PASSED, "nothing of what it prints on a failure is there")
        return self._read(Outcome.UNKNOWN, self._hidden_words()).replace(
            cut_off=self.end.truncated and not self.line.simple.masked
        )

    def _cut_off(self, although: str = "") -> Reading | None:
        """UNKNOWN for what was killed or timed out. (Failures that it had printed by then were looked for before.)"""
        if not self.end.killed:
            return None
        return self._read(Outcome.UNKNOWN, self.end.stopped() + although).replace(cut_off=True)

    def _began(self) -> bool:
        """Whether anything shows that it began: a task's banner, a runner's heading."""
        names = self.line.task_names()
        if any(f"[{name}] $ " in self.end.text for name in names) or not names.isdisjoint(
            self.line.text.labels.values()
        ):
            return True
        return self.is_test and (self.summary is not None or has_own_run(self.line.text, self.line.which.runner))

    # -- words

    def _exit_words(self) -> str:
        unnumbered = self.end.failed and self.end.code is None
        return "it failed (the host gives no exit status)" if unnumbered else f"exit {self.own}"

    def _hidden_words(self) -> str:
        simple = self.line.simple
        if not self.end.known:
            return "the transcript does not record its status, and no summary is shown"
        if simple.background:
            return "started in the background; its end is not shown"
        if simple.masked:
            return f"status hidden by `{simple.masked}`, no summary shown"
        if self.end.failed:
            return "another command of the line may be the one that failed"
        return "neither its status nor a summary is shown"

    def _read(self, outcome: Outcome, why: str, quoted: str = "", counts: Counts | None = None) -> Reading:
        simple = self.line.simple
        return Reading(
            outcome=outcome,
            why=why,
            quote=quote(quoted),
            status_visible=simple.status_visible and not simple.background,
            masked=simple.masked,
            counts=counts if self.is_test else None,
        )
