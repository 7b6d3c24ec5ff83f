"""
What a command came to: the shell's status, whose status that is, and what was printed, joined.

A runner's closing line outweighs a hidden status; a status that is surely the command's own outweighs a closing line that
says "passed" (a coverage threshold, a crash at the end). Where neither shows, the outcome is unknown; where nothing was
executed it is not-run: no proof in either direction.
"""

import re
from collections.abc import Iterable, Sequence

from ace_reflect.evidence import runners
from ace_reflect.evidence.commands import Command
from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Counts, Outcome
from ace_reflect.evidence.programs import program, words
from ace_reflect.evidence.runners import Summary, names_of, quote
from ace_reflect.transcript.records import ToolResult, UserShell
from ace_reflect.values import Value

#: What a process that did not end by itself exits with: `timeout`, ^C, SIGKILL, SIGTERM.
_KILLED = (124, 130, 137, 143)
#: These hardly ever fail; the second ones say nothing of their own about how a line ended.
_PREPARES = words("cd export set unset echo printf true : source . pushd popd")
_BENIGN = _PREPARES | words("sleep shopt wait date pwd clear ulimit exit return kill")
_ECHOES = words("echo printf Write-Host Write-Output")
_ENDS = words("head ghead tail gtail select-object select")
#: Filters that let every line through, whole.
_WHOLE = words("cat tee sort uniq less column tr out-string tee-object xcbeautify xcpretty")
_GREPS = words("grep egrep fgrep rg ggrep ack")
_HIDES = ("||", "!", "if", "while")  # a masked command that may not have run, or not well
_HOST = (
    "Shell cwd was reset",
    "<system-reminder>",
    "(Bash completed",
    "Exit code ",
    "Error: Exit code ",
)
_STATUS = r"\$\?|\$\{PIPESTATUS\[0\]\}|\$\{?\w+\}?"
Commands = Sequence[Command]
Result = ToolResult | UserShell


class Reading(Value):
    """How a command ended."""

    outcome: Outcome
    why: str
    quote: str = ""
    status_visible: bool = True
    masked: str = ""
    counts: Counts | None = None
    running: bool = False  # in the background, its end is not known yet


def read_outcome(commands: Commands, result: Result, which: Command) -> Reading:
    """How one command of a line (`which`, one of `commands` in their order) ended."""
    return _Case(commands, result, which).reading()


def describe(summary: Summary) -> str:
    """The counts of a run in words, else the line that decided."""
    counts = summary.counts
    if counts is None or (summary.outcome is Outcome.FAILED and not counts.failed):
        return summary.quote
    named = {"failed": counts.failed, "passed": counts.passed, "skipped": counts.skipped}
    told = ", ".join(f"{number} {name}" for name, number in named.items() if number)
    return told or summary.quote


class _Case:
    """One command among the others of its line, and the questions about it in their order."""

    def __init__(self, commands: Commands, result: Result, which: Command) -> None:
        self.known = isinstance(result, ToolResult)  # the host tells how the line ended
        if isinstance(result, UserShell):
            printed = f"{result.stdout}\n{result.stderr}".strip("\n")
            result = ToolResult(line=0, tool_use_id="", text=printed)
        more = result.stdout or ""  # a persisted output's whole, or another part of it
        printed = more if len(more) > len(result.text) else f"{result.text}\n{more}".rstrip("\n")
        self.result, self.failed = result, result.is_error
        self.running = result.background_id is not None and not self.failed
        self.known = self.known and not self.running
        self.code = result.exit_code if self.failed or not self.known else result.exit_code or 0
        self.killed = result.timed_out or (self.failed and self.code in _KILLED)
        self.which, self.simple, self.is_test = which, which.simple, which.kind is CommandKind.TEST
        place = next((i for i, item in enumerate(commands) if item is which), len(commands) - 1)
        masked = f"status hidden by `{which.simple.masked}`, no summary shown"
        self.hidden = masked if which.simple.masked else "neither its status nor a summary is shown"
        self.before, self.after = commands[:place], commands[place + 1 :]
        self.others = _works(item for item in commands if item.simple is not self.simple)
        self.echoes = [_flat(i.simple.argv) for i in commands if _program(i) in _ECHOES]
        lines = (line.rstrip() for line in printed.split("\n") if not line.startswith(_HOST))
        shown = "\n".join(lines).strip("\n")
        self.lines = shown.split("\n") if shown else []
        self.pipe = _Pipe(self.simple.pipe, len(self.lines), "fail" if self.is_test else "error")
        self.part = self._between_marks(printed)
        if self.is_test:
            self.mine = self._share(commands, runners.read_all(self.part, which.runner))
        else:
            self.mine = self._share(commands, runners.read_checks(self.part))
        self.summary = runners.combine(self.mine)
        self.own = self._own_code(ran=self.summary is not None and not self.summary.wrapper)

    def reading(self) -> Reading:
        result, summary = self.result, self.summary
        last = "".join(self.lines[-1:])
        if result.denied or result.not_run:
            why = "the call was refused" if result.denied else "the call never ran"
            return self._read("not-run", why, "".join(self.lines[:1]))
        if self.running and (summary is None or summary.outcome is not Outcome.FAILED):
            return self._read("unknown", "still running in the background").replace(running=True)
        told = self._not_started(last) or (summary and self._by_summary(summary))
        if self.which.collects_only and not (told and told.outcome is Outcome.FAILED):
            return self._read("not-run", "the tests were only listed")
        if told:
            return told
        if self.own is not None:
            shown = (
                self.lines or self.simple.pipe or self.simple.output_to or "-s" in self.simple.argv
            )
            if self.is_test and not (self.own or shown) and "pnpm" in self.simple.argv:
                # it prints the script that it runs
                return self._read("not-run", "it printed nothing: there is no such script")
            failed = self._stopped() or self._read("failed", f"exit {self.own}", last)
            return failed if self.own else self._read("passed", "exit 0")
        if self.failed and self._may_be_skipped() and not self.pipe.selects:
            return self._read("not-run", "what stands before it in the line failed", last)
        if self._is_silent():
            return self._read("passed", "nothing of what it prints on a failure is there")
        return self._stopped() or self._read("unknown", self.hidden)

    def _not_started(self, last: str) -> Reading | None:
        ran = self.summary is not None and not self.summary.wrapper
        if ran or (self.own == 0 and not self.simple.masked):
            return None
        called = (*self.simple.argv, *self.which.argv, *self.which.runner.split())
        names = [word.rpartition("/")[2] for word in called]
        line = runners.never_started(self.part, names, alone=not self.others)
        if not line and (self.own is None or self.code not in (126, 127)):
            return None
        return self._read("not-run", "it did not start", line or last or f"exit {self.code}")

    def _by_summary(self, summary: Summary) -> Reading | None:
        said, counts = describe(summary), summary.counts if self.is_test else None
        if summary.outcome is Outcome.FAILED:
            return self._failed(summary, said, counts)
        if summary.outcome is Outcome.NOT_RUN:
            if (self.own != 0 or self.simple.masked) and self._hides_others(summary):
                return self._read("unknown", self.hidden)
            return self._read("not-run", summary.vacuous, summary.quote, counts)
        if self.own:
            why = f"exit {self.own}, although {said}"
            return self._stopped() or self._read("failed", why, summary.quote, counts)
        if self.own is None and not self._failures_would_show(summary):
            return None
        return self._read("passed", said, summary.quote, counts)

    def _failed(self, summary: Summary, said: str, counts: Counts | None) -> Reading | None:
        """A failure that was printed counts. Where the status is 0, single tests and runs behind which another passed are material."""
        told = [item for item in self.mine if not (item.partial or item.wrapper)]
        bad = [item for item in told if item.outcome is Outcome.FAILED]
        if self.own == 0 and not (bad and (bad[-1] is told[-1] or bad[-1].open_ended)):
            return None
        why = f"exit {self.own}: {said}" if self.own else said
        return self._read("failed", why, summary.quote, counts)

    def _failures_would_show(self, summary: Summary) -> bool:
        """A filter proves a pass by a whole closing line only, of several packages only if it names failures too."""
        pipe = self.pipe
        if summary.partial or pipe.head_is_full:
            return False
        if pipe.cuts_lines and pipe.hides_failures and "fail" not in summary.quote.lower():
            return False
        return not summary.open_ended or not (self.result.truncated or pipe.hides_failures)

    def _hides_others(self, summary: Summary) -> bool:
        """`just test | tail -14` shows the last, empty one of several runs: what ran before it is cut away."""
        several = summary.open_ended or summary.label or self.which.task
        own = summary.runner in names_of(self.which.runner) and not several
        return not own and (self.pipe.tail_is_full or self.pipe.selects)

    def _is_silent(self) -> bool:
        """A builder or checker that surely ran, with its status hidden, and printed nothing that complains."""
        simple, pipe, result = self.simple, self.pipe, self.result
        lost = simple.masked.startswith(_HIDES) or simple.in_loop or simple.captured
        cut = pipe.head_is_full or pipe.hides_failures or result.truncated or self.failed
        if self.is_test or lost or cut or simple.background or not self.known:
            return False
        before = [item for item in self.before if item.simple is not simple]
        quiet = simple.operator != "||" and all(_program(item) in _PREPARES for item in before)
        shown = simple.conditional == "&&" and all(item.simple.status_visible for item in before)
        reached = quiet or shown or not simple.conditional
        said = [line for line in self.lines if line and line[:2] not in ("> ", "$ ")]
        said = [line for line in said if not self._echoed(line)]
        talks = pipe.selects or self.which.kind in (CommandKind.LINT, CommandKind.FORMAT)
        return reached and not (talks and said) and not any("cd:" in line for line in said)

    def _stopped(self) -> Reading | None:
        """UNKNOWN for what was killed or timed out; failures that it had printed by then were looked for before."""
        number = f" (exit {self.code})" if self.code else ""
        why = f"stopped before its end{number}"
        return self._read("unknown", why) if self.killed else None

    def _own_code(self, *, ran: bool) -> int | None:
        """Its own status, None where that is hidden or may be another's; `ran`: the output proves that it ran."""
        simple = self.simple
        told = _number_at(simple.echoed_status, self.lines)
        if told is not None:  # `a && b; echo $?`: a failure may be either's
            both = any(item.simple.echoed_status == simple.echoed_status for item in self.others)
            return None if told and both else told
        if not self.known or simple.background or not simple.status_visible:
            return None
        sure = ran or not simple.conditional
        if not self.failed:
            return 0 if sure or simple.conditional != "||" else None
        others = any(map(self._may_fail, self.after if sure else (*self.before, *self.after)))
        return None if others else 1 if self.code is None else self.code

    def _may_fail(self, item: Command) -> bool:
        """Whether it could be this other command's failure that the status tells."""
        simple, name = item.simple, _program(item)
        other = simple is not self.simple and simple.status_visible and not simple.captured
        harmless = name in _BENIGN or (simple.operator == "|" and name in _WHOLE | _ENDS)
        return other and bool(simple.argv) and not harmless

    def _may_be_skipped(self) -> bool:
        """`a && test`: a failure of `a` means that the test never ran. (A builder that went well is silent.)"""
        fail = any(self._may_fail(item) or _program(item) == "cd" for item in self.before)
        return self.simple.conditional == "&&" and fail and (self.is_test or not _works(self.after))

    def _echoed(self, line: str) -> bool:
        """Whether the line prints these words by itself: `echo "5 passed"`."""
        return any(_flat([line]) in echo for echo in self.echoes)

    def _between_marks(self, printed: str) -> str:
        """What stands between the line's own `echo "--- unit tests ---"` around the command."""
        lines, start = printed.split("\n"), 0
        flat = [_flat([line]) for line in lines]
        for mark in _marks(self.before):
            start = flat.index(mark, start) + 1 if mark in flat[start:] else start
        ends = (i for i in range(start, len(flat)) if flat[i] in _marks(self.after))
        return "\n".join(lines[start : next(ends, len(lines))])

    def _share(self, commands: Commands, every: Iterable[Summary]) -> list[Summary]:
        """The summaries that belong to this command, with the task runners' words."""
        names = _tasks(self.which)
        foreign = set[str]().union(*map(_tasks, self.others)) - names
        found = [item for item in every if not self._echoed(item.quote)]
        found = [item for item in found if _is_about(item, names, foreign)]
        joined = any(item.simple.operator == "&&" for item in _works(self.after))
        if all(item.wrapper for item in found) and (joined or self._may_be_skipped()):
            return [item for item in found if any(name in item.quote.lower() for name in names)]
        kinds = {CommandKind.TEST} if self.is_test else STATIC_KINDS | {CommandKind.FORMAT}
        rivals = (item for item in commands if item.kind in kinds and not item.collects_only)
        mine = self._runners(self.which)
        taken = set[str]().union(*map(self._runners, rivals)) - mine
        runs = [item for item in found if not item.wrapper and item.runner not in taken]
        if self.is_test:
            own = [item for item in runs if item.runner in mine]
            runs = own if any(item.outcome is not Outcome.NOT_RUN for item in own) else runs
        return [item for item in found if item.wrapper or any(item is one for one in runs)]

    def _runners(self, item: Command) -> set[str]:
        """Whose summaries a command's are: by the tables, of builders and checkers by any of its words."""
        said = _flat((*item.argv, item.runner)).replace("/", " ")
        return set(names_of(item.runner)) if self.is_test else set(said.split())

    def _read(self, came: str, why: str, said: str = "", counts: Counts | None = None) -> Reading:
        visible = self.simple.status_visible and not self.simple.background
        told = Reading(outcome=Outcome(came), why=why, quote=quote(said), counts=counts)
        return told.replace(status_visible=visible, masked=self.simple.masked)


class _Pipe:
    """What `| head`, `| tail`, `| grep` … behind a command let through of its output."""

    def __init__(self, pipe: Sequence[tuple[str, ...]], lines_shown: int, failure: str) -> None:
        self.head_is_full = self.tail_is_full = False
        self.selects = self.hides_failures = self.cuts_lines = False
        for word, *rest in pipe:
            tool, flags = program(word).lower(), [word for word in rest if word[:1] == "-"]
            if tool in _ENDS:
                numbers = (word.lstrip("-nlies=") for word in rest)
                most = next((int(word) for word in numbers if word.isdecimal()), 10)
                tail = "tail" in tool or flags[:1] == ["-Last"]
                self.tail_is_full |= tail and lines_shown >= most - 4  # blank lines are left out
                self.head_is_full |= not tail and lines_shown >= most
            elif tool not in _WHOLE:
                dropped = tool in _GREPS and any("v" in flag for flag in flags)
                self.selects = True
                self.hides_failures |= (failure in " ".join(rest).lower()) == dropped
                self.cuts_lines |= tool not in _GREPS or any(set("ocq") & set(f) for f in flags)


def _program(item: Command) -> str:
    argv = item.argv or item.simple.argv
    return program(argv[0]) if argv else ""


def _works(items: Iterable[Command]) -> list[Command]:
    """Those that do something of their own, and are no filters."""
    some = [item for item in items if item.simple.argv and item.simple.operator != "|"]
    return [item for item in some if _program(item) not in _BENIGN]


def _marks(items: Iterable[Command]) -> list[str]:
    echoes = (item.simple for item in items if _program(item) == "echo")
    said = (_flat(echo.argv[1:]) for echo in echoes if not echo.output_to)
    return [mark for mark in said if len(mark) > 3]


def _flat(parts: Iterable[str]) -> str:
    return " ".join(" ".join(parts).split())


def _number_at(template: str, lines: Sequence[str]) -> int | None:
    """N of the last line in which `EXIT: $?` came out as `EXIT: N`; with no words before it, of a line that is only N."""
    before, *after = re.split(_STATUS, _flat([template.replace("\\n", " ")]), maxsplit=1)
    said = re.escape(before.strip())
    pattern = rf".*{said} ?(\d{{1,3}})\b" if said else r" *(\d{1,3})$"
    found = (re.match(pattern, line) for line in reversed(lines) if after)
    return next((int(match[1]) for match in found if match), None)


def _tasks(item: Command) -> set[str]:
    """The words by which task runners may name a command: `test:ci`, the script's or target's name."""
    argv = item.simple.argv
    typed = [word for word in argv[1:] if word[:1] not in ("", "-") and "=" not in word]
    return {word.rpartition("/")[2] for word in typed} - {"run", "exec"} or set(argv[:1])


def _is_about(item: Summary, names: set[str], others: set[str]) -> bool:
    """A prefix or a task runner's word that names another command of the line is not about this one."""
    quoted = item.quote if item.wrapper and any(mark in item.quote for mark in '`["') else ""
    for text in (item.label, quoted):
        told = {*re.findall(r"[\w.:@-]+", text), *re.findall(r"[\w.@-]+", text)}
        if told & (names | others):
            return bool(told & names)
    return True
