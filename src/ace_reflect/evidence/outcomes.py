"""What a command came to, by its status and what was printed. A runner's closing line outweighs a hidden status; a status that
is surely the command's own outweighs a closing line that says "passed" (a coverage threshold, a crash at the end). Where neither
shows, the outcome is unknown; where nothing was executed it is not-run: no proof in either direction.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ace_reflect.evidence import runners
from ace_reflect.evidence.commands import Command, classify
from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Counts, Outcome
from ace_reflect.evidence.programs import program, words
from ace_reflect.evidence.runners import Summary, names_of, quote, read_all, read_checks
from ace_reflect.text import cut_middle
from ace_reflect.transcript.records import ToolResult, UserShell
from ace_reflect.values import Value

#: These hardly ever fail, and tell nothing about how a line ended.
_BENIGN = words("cd export set unset echo printf true : source . pushd popd sleep shopt wait date pwd clear ulimit exit return kill")  # fmt: skip
_ECHOES = words("echo printf Write-Host Write-Output")
_HEADS = words("head ghead select-object select")
#: Filters that pass on the whole end of their input.
_WHOLE = words("cat tee sort uniq less column tr tail gtail out-string tee-object xcbeautify xcpretty")  # fmt: skip
_GREPS = words("grep egrep fgrep rg ggrep ack")
_HOST = ("Shell cwd was reset", "<system-reminder>", "(Bash completed", "Exit code ", "Error: Exit code ")  # fmt: skip
_STATUS = r"\$\?|\$\{PIPESTATUS\[0\]\}|\$\{?\w+\}?"
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Shell(NamedTuple):
    """A shell call with what came back."""

    call: dict[str, Any]
    commands: tuple[Command, ...]
    result: ToolResult
    output: str  # all that is known of what was printed, without colours
    line: int | None = None  # None: nothing tells how it ended
    failed: bool = False
    ran: bool = True


def finished(call: dict[str, Any], result: ToolResult | UserShell) -> Shell:
    commands = classify(call["command"], call.get("cwd"))
    if isinstance(result, UserShell):
        printed = _COLOURS.sub("", f"{result.stdout}\n{result.stderr}".strip("\n"))
        return Shell(call, commands, ToolResult(line=result.line, tool_use_id=""), printed)
    more = result.stdout or ""  # a persisted output's whole, or another part of it
    printed = more if len(more) > len(result.text) else f"{result.text}\n{more}".rstrip("\n")
    own = (_COLOURS.sub("", printed), result.line, result.is_error)
    return Shell(call, commands, result, *own, ran=not (result.denied or result.not_run))


class Reading(Value):
    """How a command ended."""

    outcome: Outcome
    why: str
    quote: str = ""
    status_visible: bool = True
    counts: Counts | None = None


def read_outcome(shell: Shell, which: Command) -> Reading:
    """How one command of a line ended."""
    return _Case(shell, which).reading()


def read_status(shell: Shell, which: Command) -> Outcome:
    """What the exit status alone says about one command of a line."""
    code = _Case(shell, which).code()
    ended = Outcome.FAILED if code else Outcome.PASSED
    return Outcome.NOT_RUN if not shell.ran else Outcome.UNKNOWN if code is None else ended


class _Case:
    """One command among the others of its line, and the questions about it in their order."""

    def __init__(self, shell: Shell, which: Command) -> None:
        self.shell, self.result, self.failed = shell, shell.result, shell.failed
        self.printed, commands = shell.output, shell.commands
        self.which, self.simple, self.is_test = which, which.simple, which.kind is CommandKind.TEST
        self.alike = [i for i in commands if (i.kind, i.runner) == (which.kind, which.runner)]
        place = next(i for i, item in enumerate(commands) if item is which)
        self.before, self.after = commands[:place], commands[place + 1 :]
        self.others = _works(item for item in commands if item.simple is not self.simple)
        shown = (line.rstrip() for line in self.printed.split("\n") if not line.startswith(_HOST))
        self.lines = "\n".join(shown).strip("\n").split("\n")
        self.ran = False  # whether a summary shows that it did something

    def reading(self) -> Reading:
        result, last, printed = self.result, self.lines[-1], self.printed
        read = read_all(printed, self.which.runner) if self.is_test else read_checks(printed)
        self.mine = self._share(read)
        summary = runners.combine(self.mine)
        self.ran = summary is not None and not summary.wrapper
        self.own = self.code()
        if not self.shell.ran:
            why = "the call was refused" if result.denied else "the call never ran"
            return self._read("not-run", why, self.lines[0])
        if self.failed and self._may_be_skipped() and summary is None and not self.simple.pipe:
            return self._read("not-run", "what stands before it in the line failed", last)
        told = self._not_started(last) or (summary and self._by_summary(summary))
        if self.which.collects_only and not (told and told.outcome is Outcome.FAILED):
            return self._read("not-run", "the tests were only listed")
        if told:
            return told
        if self.own:
            return self._failed(f"exit {self.own}", last)
        simple = self.simple
        quiet = last or simple.writes or {"-s", "-q", "--quiet", "--silent"} & {*simple.argv}
        if self.own == 0 and self.is_test and self.which.task and not quiet:
            return self._read("not-run", "it printed nothing: there is no such script")
        lost = simple.writes or simple.background or simple.captured or simple.conditional == "||"
        silent = self.shell.line is not None and not (self.failed or last or self.is_test or lost)
        if self.own == 0 or (silent and simple.masked[:2] == "| "):
            return self._read("passed", "exit 0" if self.own == 0 else "it printed nothing")
        if simple.masked:
            return self._read("unknown", f"status hidden by `{simple.masked}`, no summary shown")
        return self._read("unknown", "neither its status nor a summary is shown")

    def _may_be_skipped(self) -> bool:
        """`a && test`: a failure of `a` means that the test never ran."""
        lost = "annot find path" in self.printed or complains(self.printed, "cd")
        return self.simple.conditional == "&&" and (lost or any(map(self._may_fail, self.before)))

    def _not_started(self, last: str) -> Reading | None:
        if self.ran or (self.own == 0 and not self.simple.masked):
            return None
        called = (*self.simple.argv, *self.which.argv, *self.which.runner.split())
        names = frozenset(word.rpartition("/")[2] for word in called)
        known, code = names if self.others else None, self.result.exit_code
        line = runners.never_started(self.printed, known, runners.NEVER, runners.DOWN)
        if last.startswith("SyntaxError: ") and "Traceback" not in self.printed:
            line = last  # Python could not read the script itself
        if not line and (self.own is None or code not in (126, 127)):
            return None
        return self._read("not-run", "it did not start", line or last or f"exit {code}")

    def _by_summary(self, summary: Summary) -> Reading | None:
        """A printed failure counts; where the status is 0, only of a whole run that none passed behind. A pass counts where a failure would show."""
        said, counts = _in_words(summary), summary.counts if self.is_test else None
        if summary.outcome is Outcome.NOT_RUN:
            cut = self.own is None and summary.open_ended and self._is_cut(summary)
            return None if cut else self._read("not-run", summary.vacuous, summary.quote, counts)
        if summary.outcome is Outcome.FAILED:
            down = runners.never_started(self.printed, None, runners.DOWN)
            if down and counts and not counts.passed:
                return self._read("not-run", "none could run", down, counts)
            told = [item for item in self.mine if not (item.partial or item.wrapper)]
            bad = [item for item in told if item.outcome is Outcome.FAILED]
            cover = told and not bad and any(item.runner == "coverage" for item in self.mine)
            if cover and (self.which.targets or self.which.selected):  # the rest's is not measured
                return self._read("passed", _in_words(told[-1]), told[-1].quote, told[-1].counts)
            decides = self.is_test and bad and (bad[-1] is told[-1] or bad[-1].open_ended)
            if self.own == 0 and not decides:
                return None
            why = f"exit {self.own}: {said}" if self.own else said
            return self._read("failed", why, summary.quote, counts)
        if self.own:
            return self._failed(f"exit {self.own}, although {said}", summary.quote, counts)
        if self.own is None and (summary.partial or self._is_cut(summary)):
            return None
        return self._read("passed", said, summary.quote, counts)

    def _is_cut(self, summary: Summary) -> bool:
        """Whether `| head` was filled, or `| tail` by the last of several, or a failure would be filtered out."""
        file = [i.argv for i in self.after if self.simple.writes and _program(i) in _GREPS]
        for name, *rest in (*self.simple.pipe, *file):
            tool, said = program(name).lower(), " ".join(rest).lower()
            end = summary.outcome is Outcome.NOT_RUN and tool in ("tail", "gtail")  # of several
            if tool in _HEADS or end:
                most = next((int(number) for number in re.findall(r"\d+", said)), 10)
                shown = len(self.lines) + (2 if end else 0)  # a blank one at either end is not
                if "-last" not in said and shown >= most:
                    return True
            elif tool in words("sed gsed perl python awk gawk"):  # `sed s/failed/passed/`
                return True
            elif tool not in _WHOLE:
                flags = {letter for word in rest if word[:1] == "-" for letter in word}
                hides = ("fail" in said) == (tool in _GREPS and "v" in flags)
                cuts = tool not in _GREPS or flags & {*"ocq"}  # lines, or all of them
                if hides and (summary.open_ended or (cuts and "fail" not in summary.quote.lower())):
                    return True
        return summary.open_ended and self.result.truncated

    def _failed(self, why: str, said: str, counts: Counts | None = None) -> Reading:
        """By its status, which says nothing if it was killed or timed out."""
        code = self.result.exit_code
        if self.result.timed_out or code in (124, 130, 137, 143):  # timeout, ^C, KILL, TERM
            return self._read("unknown", "stopped before its end" + f" (exit {code})" * bool(code))
        return self._read("failed", why, said, counts)

    def code(self) -> int | None:
        """Its own status, None if that is hidden or may be another command's."""
        simple = self.simple
        told = _number_at(simple.echoed_status, self.lines) if simple.echoed_status else None
        if told is not None:  # `a && b; echo $?`: a failure may be either's
            both = any(item.simple.echoed_status == simple.echoed_status for item in self.others)
            return None if told and both else told
        if self.shell.line is None or not simple.status_visible:
            return None
        sure = self.ran or not simple.conditional
        if not self.failed:
            return 0 if sure or simple.conditional != "||" else None
        others = any(map(self._may_fail, self.after if sure else (*self.before, *self.after)))
        return None if others else self.result.exit_code or 1

    def _may_fail(self, item: Command) -> bool:
        """Whether it could be this other command's failure that the status tells."""
        simple, name = item.simple, _program(item)
        harmless = name in _BENIGN or (simple.operator == "|" and name in _WHOLE | _HEADS)
        return simple is not self.simple and simple.status_visible and not harmless

    def _share(self, every: Iterable[Summary]) -> list[Summary]:
        """The summaries that belong to this command, with the task runners' words."""
        names = _tasks(self.which)
        others = set[str]().union(*map(_tasks, self.others)) - names
        echoes = [_flat(i.simple.argv) for i in self.shell.commands if _program(i) in _ECHOES]
        found = [i for i in every if not any(_flat([i.quote]) in echo for echo in echoes)]
        found = [item for item in found if _is_about(item, names, others)]
        joined = any(item.simple.operator == "&&" for item in _works(self.after))
        if (joined or self._may_be_skipped()) and all(item.wrapper for item in found):
            return [item for item in found if any(name in item.quote.lower() for name in names)]
        mine = self._tellers(self.which)
        theirs = frozenset[str]().union(*map(self._tellers, self.others))
        own = [item for item in found if item.runner in mine and not item.wrapper]
        tells = any(item.outcome is not Outcome.NOT_RUN for item in own)
        whole = [item for item in own if not (item.partial or item.open_ended)]
        if self.is_test and len(whole) == len(self.alike) > 1:  # `pytest a; pytest b`
            return [one for one, item in zip(whole, self.alike, strict=True) if item is self.which]
        checks = {item.runner for item in self.others if item.kind in STATIC_KINDS}
        unclear = self.simple.masked and not self.is_test and checks - {self.which.runner}
        if not (tells or unclear):
            mine = frozenset(item.runner for item in found) - (theirs - mine)
        return [item for item in found if item.wrapper or item.runner in mine]

    def _tellers(self, item: Command) -> frozenset[str]:
        """Whose rows of the tables are a command's; a checker is told by any of its words."""
        if self.is_test:
            return names_of(item.runner) if item.kind is CommandKind.TEST else frozenset()
        return frozenset(_flat((*item.argv, item.runner)).replace("/", " ").split())

    def _read(self, came: str, why: str, said: str = "", counts: Counts | None = None) -> Reading:
        about: Any = {"quote": quote(said), "status_visible": self.simple.status_visible}
        return Reading(outcome=Outcome(came), why=cut_middle(why, 200), counts=counts, **about)


def complains(printed: str, *names: str) -> bool:
    """Whether one of these programs says what went wrong: `cp: cannot stat …`."""
    named = [re.escape(name) for name in names if f"{name}:" in printed]
    return bool(named and re.search(rf"(?<![\w.-])(?:{'|'.join(named)}):", printed))


def _in_words(summary: Summary) -> str:
    """The counts of a run, else the line that decided."""
    counts = summary.counts
    if counts is None or (summary.outcome is Outcome.FAILED and not counts.failed):
        return summary.quote
    named = {"failed": counts.failed, "passed": counts.passed, "skipped": counts.skipped}
    told = ", ".join(f"{number} {name}" for name, number in named.items() if number)
    return told or summary.quote


def _program(item: Command) -> str:
    argv = item.argv or item.simple.argv
    return program(argv[0]) if argv else ""


def _works(items: Iterable[Command]) -> list[Command]:
    """Those that do something of their own, and are no filters."""
    some = [item for item in items if item.simple.argv and item.simple.operator != "|"]
    return [item for item in some if _program(item) not in _BENIGN]


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
    """Whether a task runner's word is about this command: not if it names another in the line."""
    told = set(re.findall(r"[\w.@-]+(?::[\w.@-]+)*", item.quote)) if item.wrapper else set[str]()
    return told.isdisjoint(others) or not told.isdisjoint(names)
