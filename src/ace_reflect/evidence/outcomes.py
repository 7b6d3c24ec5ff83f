"""
What a command came to: the shell's status, whose status that is, and what was printed, joined.

A runner's closing line outweighs a hidden status; a status that is surely the command's own outweighs a closing line
that says "passed" (a coverage threshold, a crash at the end). Where neither shows, the outcome is unknown, and where
nothing was executed it is not-run: no proof in either direction.
"""

import re

from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.runners import combine, read_all, read_checks
from ace_reflect.evidence.runners.filters import cut_by_head, lets_through, read_filters
from ace_reflect.evidence.runners.model import quote
from ace_reflect.evidence.runners.never_ran import never_ran
from ace_reflect.evidence.runners.share import has_own_run, share_of
from ace_reflect.evidence.runners.text import Text
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.runners import Summary
    from ace_reflect.transcript.records import TaskNotice, ToolResult, UserShell

#: These say nothing of their own about how a line ended.
_BENIGN = frozenset(
    {
        "cd",
        "pushd",
        "popd",
        "export",
        "set",
        "source",
        ".",
        "echo",
        "printf",
        "true",
        ":",
        "sleep",
        "unset",
        "shopt",
        "wait",
        "date",
        "pwd",
        "clear",
        "ulimit",
    }
)
_PRINTS_FILES = frozenset(
    {
        "cat",
        "less",
        "more",
        "head",
        "tail",
        "grep",
        "egrep",
        "rg",
        "sed",
        "awk",
        "jq",
        "gh",
        "glab",
        "bat",
        "strings",
        "diff",
        "git",
    }
)
#: A killed or timed-out process: 124 `timeout`, 137 SIGKILL, 143 SIGTERM, 130 ^C.
_KILLED = frozenset({124, 130, 137, 143})
#: Programs that always print a line of their own when what they run fails, on the error stream.
_ANNOUNCE = frozenset(
    {
        "make",
        "gmake",
        "just",
        "mise",
        "pnpm",
        "bun",
        "rake",
        "task",
        "tox",
        "nox",
        "mvn",
        "mvnw",
        "gradle",
        "gradlew",
        "cargo",
        "go",
    }
)
#: Kinds whose tools print what is wrong, and are silent or brief when nothing is.
_LOUD = frozenset({CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT})
_HOST_LINES = re.compile(r"^(?:Shell cwd was reset to |Exit code \d|<system-reminder>|Error: Exit code \d)")
#: What a failing run would have printed next to what was shown, by family.
_FAILING_TWINS = {
    "go": ("FAIL\texample.com/app\t0.1s", "--- FAIL: TestA (0.00s)"),
    "cargo": ("test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",),
    "jest": ("FAIL src/a.test.js",),
    "vitest": (" FAIL  src/a.test.ts > a",),
    "tap": ("not ok 1 - a",),
    "jvm": ("[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0",),
    "pytest": ("FAILED tests/test_a.py::test_a - assert 0",),
}  # fmt: skip


class Reading(Value):
    """How a command ended. Iterating gives (outcome, why, quote, status_visible, masked, counts)."""

    outcome: Outcome
    why: str
    quote: str = ""
    status_visible: bool = True
    masked: str = ""
    counts: Counts | None = None
    vacuous: str = ""  # why a run that went well proves nothing: "no tests ran", "all 3 skipped"
    running: bool = False  # in the background, its end is not known yet
    cut_off: bool = False  # the host's limit or a kill came before the verdict

    def __iter__(self) -> "Iterator[object]":
        return iter((self.outcome, self.why, self.quote, self.status_visible, self.masked, self.counts))


class Ended(Value):
    """A result of any record, as far as outcomes go."""

    text: str
    code: int | None = None  # the line's status: 0 only where the host vouches for it
    failed: bool = False  # the host calls it an error
    known: bool = True  # the host says how the line ended
    refused: bool = False
    never_started: bool = False
    killed: bool = False
    running: bool = False
    truncated: bool = False


def read_outcome(
    commands: "Sequence[Command]", result: "ToolResult | UserShell | TaskNotice | None", which: "Command"
) -> Reading:
    """
    How one command of a line ended.

    Args:
        commands: every command of the line, in order.
        result: the line's result; None where the transcript has none.
        which: the command asked about, one of `commands`.
    """
    if result is None:
        return Reading(outcome=Outcome.UNKNOWN, why="the transcript ends before its result", cut_off=True)
    return _Case(commands, ended(result), which).reading()


def ended(result: "ToolResult | UserShell | TaskNotice") -> Ended:
    """The common part of a tool's result, a person's own command and a background task's end."""
    name = type(result).__name__
    if name == "UserShell":
        return Ended(text="\n".join(part for part in (result.stdout, result.stderr) if part), known=False)  # type: ignore[union-attr]
    if name == "TaskNotice":
        return _task_end(result)  # type: ignore[arg-type]
    return _tool_end(result)  # type: ignore[arg-type]


def _tool_end(result: "ToolResult") -> Ended:
    text = result.text
    if result.truncated and result.stdout:
        text = f"{text}\n{result.stdout}"
    running = result.background_id is not None and not result.is_error
    code = result.exit_code if result.exit_code is not None else (None if result.is_error else 0)
    return Ended(
        text=text,
        code=None if running else code,
        failed=result.is_error,
        known=not running,
        refused=result.denied,
        never_started=result.not_run,
        killed=result.timed_out or (result.is_error and code in _KILLED),
        running=running,
        truncated=result.truncated,
    )


def _task_end(notice: "TaskNotice") -> Ended:
    code = notice.exit_code
    status = notice.status.lower()
    if code is None and status == "completed":
        code = 0
    killed = status in ("killed", "stopped", "cancelled") or code in _KILLED
    failed = status == "failed" or bool(code)
    return Ended(
        text=notice.output,
        code=code,
        failed=failed,
        known=code is not None or failed,
        killed=killed,
        running=status == "running",
    )


class _Case:
    """One command of one line with the line's result."""

    def __init__(self, commands: "Sequence[Command]", end: Ended, which: "Command") -> None:
        self.commands = tuple(commands)
        self.which = which
        self.simple = which.simple
        self.end = end
        self.place = next((i for i, item in enumerate(self.commands) if item is which), len(self.commands) - 1)
        self.text = Text(end.text)
        self.filters = read_filters(self._pipeline())
        self.is_test = which.kind is CommandKind.TEST

    # -- the order of the questions

    def reading(self) -> Reading:
        end = self.end
        if end.refused or end.never_started:
            return self._read(
                Outcome.NOT_RUN, "the call was refused" if end.refused else "the call never ran", first_line(end.text)
            )
        summary = self._summary()
        own = self._own_code(summary is not None and not summary.wrapper)
        if end.running and (summary is None or summary.outcome is not Outcome.FAILED):
            return self._read(Outcome.UNKNOWN, "still running in the background").replace(running=True)
        if summary is None or summary.wrapper:
            line = self._never_ran(own)
            if line:
                return self._read(Outcome.NOT_RUN, "it did not start", line)
        if summary is not None:
            read = self._by_summary(summary, own)
            if read is not None:
                return read
        return self._by_status(summary, own)

    # -- by what was printed

    def _summary(self) -> "Summary | None":
        if self._output_elsewhere():
            return None
        read = read_all if self.is_test else read_checks
        found = tuple(item for item in read(self.end.text, self.which.runner) if not self._echoed(item.quote))
        if not self.is_test:
            return combine(self._about_this(found))
        mine = share_of(found, self._rivals(), self._index_among_rivals(), shows_files=self._shows_files())
        return combine(self._about_this(mine))

    def _by_summary(self, summary: "Summary", own: int | None) -> Reading | None:
        if summary.outcome is Outcome.FAILED:
            return self._failed_summary(summary, own)
        if summary.outcome is Outcome.NOT_RUN:
            return self._read(Outcome.NOT_RUN, summary.vacuous, summary.quote, summary.counts).replace(
                vacuous=summary.vacuous
            )
        if self.which.collects_only:
            return None
        if own not in (None, 0):
            why = f"{self._status_words()}, although {describe(summary)}"
            return self._unfinished(why, summary) or self._read(Outcome.FAILED, why, summary.quote, summary.counts)
        if own == 0 or not (summary.partial or summary.open_ended) or self._failures_would_show(summary):
            return self._read(Outcome.PASSED, describe(summary), summary.quote, summary.counts)
        return None

    def _failed_summary(self, summary: "Summary", own: int | None) -> Reading | None:
        """A failure that was printed counts, unless the runner's own status is known to be 0 and its last word good."""
        if own == 0 and (summary.partial or not self._last_word_is_bad()):
            return None
        code = self.end.code if own is None and self.end.failed else own
        why = f"exit {code}: {describe(summary)}" if code else describe(summary)
        return self._read(Outcome.FAILED, why, summary.quote, summary.counts)

    def _last_word_is_bad(self) -> bool:
        read = read_all if self.is_test else read_checks
        told = [item for item in read(self.end.text, self.which.runner) if not item.partial]
        return bool(told) and told[-1].outcome is Outcome.FAILED

    def _failures_would_show(self, summary: "Summary") -> bool:
        """Whether the pipe would have shown a failing package or test next to the ones it shows."""
        if self.end.truncated or cut_by_head(self.filters, self._lines_shown()):
            return False
        if summary.open_ended and not self.filters.greps and not self.filters.other and not self.filters.counts_only:
            return not summary.partial
        twins = _FAILING_TWINS.get(summary.family)
        return twins is not None and bool(self.filters.greps) and lets_through(self.filters, twins)

    # -- by the status

    def _by_status(self, summary: "Summary | None", own: int | None) -> Reading:
        if self.which.collects_only and own in (None, 0):
            return self._read(Outcome.NOT_RUN, "the tests were only listed").replace(
                vacuous="the tests were only listed"
            )
        if own == 0:
            return self._read(
                Outcome.PASSED,
                "exit 0",
                counts=summary.counts if summary and summary.outcome is Outcome.PASSED else None,
            )
        if own is not None:
            return self._unfinished(self._status_words(), None) or self._read(
                Outcome.FAILED, self._status_words(), self._last_line()
            )
        if self.end.failed and self._may_be_skipped() and not self._started():
            return self._read(Outcome.NOT_RUN, "what stands before it in the line failed", self._last_line())
        said = self._said()
        if said is not None:
            return said
        if self.end.killed:
            return self._unfinished(self._status_words(), None) or self._read(Outcome.UNKNOWN, self._status_words())
        if self._silence_is_good():
            return self._read(Outcome.PASSED, "nothing of what it prints on a failure is there")
        return self._read(Outcome.UNKNOWN, self._hidden_words()).replace(
            cut_off=self.end.truncated and not self.simple.masked
        )

    def _own_code(self, ran: bool) -> int | None:
        """The command's own status; None where it is hidden or may be another's."""
        printed = self._printed_code()
        if printed is not None:
            return printed
        if not self.end.known or self.simple.background or not self.simple.status_visible:
            return None
        if not self.end.failed:
            return None if self.simple.conditional == "||" else 0
        code = self.end.code if self.end.code is not None else 1
        others = [item for i, item in enumerate(self.commands) if i != self.place and self._may_fail(item, i)]
        if not others:
            return code
        later = any(i > self.place and self._may_fail(item, i) for i, item in enumerate(self.commands))
        return code if not later and (ran or not self.simple.conditional) else None

    def _may_fail(self, item: "Command", place: int) -> bool:
        """Whether another command of the line could be the one whose failure the status tells."""
        simple = item.simple
        program = (item.argv or simple.argv or ("",))[0].rpartition("/")[2]
        if simple.piped_from and place > self.place and program in ("tee", "cat", "tail", "head"):
            return False
        return bool(simple.argv) and program not in _BENIGN and simple.status_visible and not simple.captured

    def _printed_code(self) -> int | None:
        """The number that `echo "EXIT: $?"` printed."""
        template = self.simple.echoed_status
        if "$?" not in template or (self.simple.conditional and not self._is_last_of_chain()):
            return None
        before, _, after = template.replace("\\n", " ").partition("$?")
        found = re.compile(
            rf"^{re.escape(before.strip()[-80:])}\s{{0,4}}(\d{{1,3}})(?!\d){re.escape(after.strip()[:20])}"
        )
        for line in reversed(self.text.lines):
            stripped = line.strip()
            match = (
                found.match(stripped[max(0, stripped.find(before.strip()[-80:])) :])
                if before.strip()
                else re.fullmatch(r"(\d{1,3})", stripped)
            )
            if match:
                return self._echo_is_ours(int(match[1]))
        return None

    def _echo_is_ours(self, code: int) -> int | None:
        """`a && b; echo $?` prints b's status, or a's failure: 0 is good for both, a failure only for the last that ran."""
        chained = [
            item
            for item in self.commands
            if item.simple.echoed_status == self.simple.echoed_status and self._is_work(item)
        ]
        if code == 0 or len(chained) <= 1 or (chained[-1] is self.which and not self.simple.conditional):
            return code
        return None

    def _is_last_of_chain(self) -> bool:
        chained = [
            item
            for item in self.commands
            if item.simple.echoed_status == self.simple.echoed_status and self._is_work(item)
        ]
        return not chained or chained[-1] is self.which or len(chained) == 1

    def _is_work(self, item: "Command") -> bool:
        program = (item.argv or item.simple.argv or ("",))[0].rpartition("/")[2]
        return bool(item.simple.argv) and program not in _BENIGN and not item.simple.piped_from

    def _said(self) -> Reading | None:
        """`&& echo OK || echo NO`: which of the two was printed."""
        good, bad = self.simple.echo_passed.strip(), self.simple.echo_failed.strip()
        if not good and not bad:
            return None
        lines = {line.strip() for line in self.text.lines}
        if bad and bad in lines and bad != good:
            return self._read(Outcome.FAILED, f"its failure branch printed “{quote(bad)}”", quote(bad))
        if good and good in lines and good != bad:
            return self._read(Outcome.PASSED, f"its success branch printed “{quote(good)}”", quote(good))
        return None

    def _silence_is_good(self) -> bool:
        """A tool that speaks when it fails, seen through a pipe that would show it, and it did not."""
        if (
            self.end.truncated
            or self.end.failed
            or not self.end.known
            or self.simple.background
            or self.simple.captured
        ):
            return False
        if (
            self.simple.conditional == "||"
            or self.simple.in_loop
            or self._output_elsewhere()
            or self._swallowed_by_or()
        ):
            return False
        blind = (
            self.filters.greps
            or self.filters.other
            or self.filters.counts_only
            or cut_by_head(self.filters, self._lines_shown())
        )
        if blind or (self.filters.tail is not None and self.filters.tail < 2):
            return False
        if not self._errors_shown():
            return False
        if self.which.kind in _LOUD:
            return True
        return self._announces() and not self.simple.conditional

    def _swallowed_by_or(self) -> bool:
        return self.simple.masked.startswith(("||", "!", "if", "for", "while"))

    def _announces(self) -> bool:
        words = self.simple.unwrapped or self.simple.argv
        return (
            bool(words)
            and words[0].rpartition("/")[2] in _ANNOUNCE
            and not any(word in ("-i", "--ignore-errors", "-s", "-q", "--silent", "--quiet") for word in words[1:])
        )

    def _errors_shown(self) -> bool:
        """Whether the error stream reaches the transcript: joined to the pipe, or not piped at all."""
        if any(op.startswith(("2>", "&>")) and target == "/dev/null" for op, target in self.simple.redirects):
            return False
        return True

    def _unfinished(self, why: str, summary: "Summary | None") -> Reading | None:
        """Killed or timed out before its end: nobody knows, unless failures were printed (they were looked for before)."""
        if not self.end.killed:
            return None
        return self._read(Outcome.UNKNOWN, why, summary.quote if summary else "").replace(cut_off=True)

    # -- what belongs to it

    def _pipeline(self) -> list[tuple[str, ...]]:
        """The argv of each command that its output is piped through."""
        found: list[tuple[str, ...]] = []
        for item in self.commands[self.place + 1 :] if self.simple.piped_to else ():
            if not item.simple.piped_from:
                break
            found.append(item.simple.argv)
            if not item.simple.piped_to:
                break
        return found

    def _rivals(self) -> "tuple[Command, ...]":
        return tuple(item for item in self.commands if item.kind is CommandKind.TEST and not item.collects_only) or (
            self.which,
        )

    def _index_among_rivals(self) -> int:
        return next((i for i, item in enumerate(self._rivals()) if item is self.which), 0)

    def _shows_files(self) -> bool:
        """Whether the line prints files before it: what they hold is not this run's."""
        return any(
            not item.simple.piped_from and not item.simple.captured and self._prints_files(item)
            for item in self.commands[: self.place]
        )

    @staticmethod
    def _prints_files(item: "Command") -> bool:
        argv = item.simple.argv
        return (
            bool(argv)
            and argv[0].rpartition("/")[2] in _PRINTS_FILES
            and len(argv) > 1
            and not any(op.startswith(">") for op, _ in item.simple.redirects)
        )

    def _output_elsewhere(self) -> bool:
        """Its output went into a file that nothing in the line shows again."""
        targets = {target for op, target in self.simple.redirects if op in (">", ">>", "&>", "&>>", "1>", ">|", ">&")}
        if not targets:
            return False
        later = (word for item in self.commands[self.place + 1 :] for word in item.simple.argv)
        return not any(word in targets for word in later) or targets == {"/dev/null"}

    def _echoed(self, line: str) -> bool:
        """A closing line that the command line itself prints (`echo "5 passed"`)."""
        return any(
            item.simple.argv[:1] in (("echo",), ("printf",))
            and line
            and line in " ".join(" ".join(item.simple.argv[1:]).split())
            for item in self.commands
        )

    def _about_this(self, found: "tuple[Summary, ...]") -> "tuple[Summary, ...]":
        """In a chain, a task runner's word about another task (`make lint && make test`) is not about this one."""
        if not self._may_be_skipped() and not self._followed():
            return found
        names = self._task_names()
        return tuple(item for item in found if not item.wrapper or not names or self._names_task(item, names))

    def _followed(self) -> bool:
        return any(self._is_work(item) for item in self.commands[self.place + 1 :])

    def _task_names(self) -> set[str]:
        words = self.simple.unwrapped or self.simple.argv
        return {
            word.rpartition("/")[2]
            for word in words[1:]
            if word and not word.startswith("-") and "=" not in word and word not in ("run", "exec", "test2")
        } or set(words[:1])

    @staticmethod
    def _names_task(item: "Summary", names: set[str]) -> bool:
        words = set(re.findall(r"[\w:.@-]+", f"{item.label} {item.quote}"))
        return bool(words & names) or (not item.label and not re.search(r"[`\"\[]", item.quote))

    def _may_be_skipped(self) -> bool:
        """`a && test`: a failure of `a` means that the test never ran."""
        return self.simple.conditional == "&&" and any(
            self._may_fail(item, i) or item.simple.argv[:1] == ("cd",)
            for i, item in enumerate(self.commands[: self.place])
        )

    def _started(self) -> bool:
        """Whether anything shows that it began: a task's banner, a runner's heading."""
        names = self._task_names()
        banners = (f"[{name}] $ " for name in names)
        if any(banner in self.end.text for banner in banners) or any(
            label in names for label in self.text.labels.values()
        ):
            return True
        return has_own_run(self.text, self.which.runner)

    def _never_ran(self, own: int | None) -> str:
        if own == 0 and self.end.code == 0 and not self.simple.masked:
            return ""
        if self.end.code in (126, 127) and own is not None:
            return self._last_line() or f"exit {self.end.code}"
        words = (
            *self.simple.argv,
            *self.simple.unwrapped,
            *self.simple.via,
            *self.which.argv,
            *self.which.runner.split(),
        )
        alone = not any(self._is_work(item) for i, item in enumerate(self.commands) if i != self.place)
        return never_ran(self.text, words, alone=alone)

    # -- words

    def _status_words(self) -> str:
        if self.end.killed:
            return (
                "stopped before its end" if self.end.code is None else f"stopped before its end (exit {self.end.code})"
            )
        return (
            f"exit {self.end.code}"
            if self.end.code
            else "it failed (the host gives no exit status)"
            if self.end.failed
            else "exit 0"
        )

    def _hidden_words(self) -> str:
        if not self.end.known:
            return "the transcript does not record its status, and no summary is shown"
        if self.simple.background:
            return "started in the background; its end is not shown"
        if self.simple.masked:
            return f"status hidden by `{self.simple.masked}`, no summary shown"
        if self.end.failed:
            return "another command of the line may be the one that failed"
        return "neither its status nor a summary is shown"

    def _lines_shown(self) -> int:
        return sum(1 for line in self.text.lines if line and not _HOST_LINES.match(line))

    def _last_line(self) -> str:
        for line in reversed(self.text.lines):
            if line.strip() and not _HOST_LINES.match(line):
                return quote(line)
        return ""

    def _read(self, outcome: Outcome, why: str, quoted: str = "", counts: Counts | None = None) -> Reading:
        own = self.simple
        return Reading(
            outcome=outcome,
            why=why,
            quote=quoted,
            status_visible=own.status_visible and not own.background,
            masked=own.masked,
            counts=counts if self.is_test else None,
        )


def describe(summary: "Summary") -> str:
    """The counts of a run in words, else the line that decided."""
    counts = summary.counts
    if summary.vacuous or counts is None:
        return summary.vacuous or summary.quote
    parts = [
        f"{number} {name}"
        for name, number in (("failed", counts.failed), ("passed", counts.passed), ("skipped", counts.skipped))
        if number
    ]
    return ", ".join(parts) or summary.quote


def first_line(text: str) -> str:
    return quote(next((line for line in text.split("\n", 20) if line.strip()), ""))
