"""Questions about one command among the others of its line: whose status is the line's, what of the output is its own."""

from ace_reflect.evidence import languages
from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.drafts import NO_OUTPUT
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import edit_kind
from ace_reflect.evidence.runners.text import text_of
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.outcome_end import Ended
    from ace_reflect.evidence.runners import Summary
    from ace_reflect.evidence.shell import SimpleCommand

#: These say nothing of their own about how a line ended.
_BENIGN = word_set(
    "cd pushd popd export set source . echo printf true : sleep unset shopt wait date pwd clear ulimit exit return"
)
#: They hardly ever fail; `cd` says so where it does.
_PREPARES = word_set("cd export set unset echo printf true :")
_ECHOES = word_set("echo printf Write-Host Write-Output")
_PRINTS_FILES = word_set("cat less more head tail grep egrep rg sed awk jq gh glab bat strings diff git")
_GIT_PRINTS = word_set("log show diff")
_PASSES_ON = frozenset({"tee", "cat", "tail", "head"})
#: Kinds whose tools print what is wrong, and are silent or brief when nothing is.
CHECKS = frozenset({CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT})
#: A shorter echo may be a word of the output as well.
_SHORTEST_MARK = 4
_NO_TASK = frozenset({"run", "exec", "-", "--"})
#: Lines that the host adds to an output.
_HOST_LINES = ("Shell cwd was reset to ", "<system-reminder>", NO_OUTPUT)
_HOST_STATUS = ("Exit code ", "Error: Exit code ")  # and a number
_WORD = Late(r"[\w:.@-]+")
_OUTPUT_TO = frozenset({">", ">>", "&>", "&>>", "1>", ">|", ">&"})


class Line:
    """One command (`which`) in its line, with what is known of the line's end."""

    __slots__ = ("commands", "end", "part", "place", "shown", "simple", "text", "which")

    def __init__(self, commands: "Sequence[Command]", end: "Ended", which: "Command") -> None:
        self.commands = tuple(commands)
        self.end = end
        self.which = which
        self.simple = which.simple
        self.place = next((i for i, item in enumerate(self.commands) if item is which), len(self.commands) - 1)
        #: what stands between the line's own `echo "--- unit tests ---"` around the command
        self.part = _between_marks(end.text, *self._marks())
        self.text = text_of(self.part)
        #: what the commands printed: without the host's lines and blank ones at the end
        self.shown = [line for line in text_of(end.text).lines if not _is_hosts(line)]
        while self.shown and not self.shown[-1].strip():
            self.shown.pop()

    def _marks(self) -> tuple[list[str], list[str]]:
        """The fixed texts that the line echoes before and after the command, in order."""
        before: list[str] = []
        after: list[str] = []
        for i, item in enumerate(self.commands):
            words = " ".join(" ".join(item.simple.argv[1:]).split())
            if program(item) != "echo" or len(words) < _SHORTEST_MARK or item.simple.redirects:
                continue
            (before if i < self.place else after).append(words)
        return before, after

    def is_an_alternative(self) -> bool:
        """Whether it stands behind a command and `||`: `pytest || python -m unittest`."""
        before = self.commands[: self.place]
        return self.simple.conditional == "||" and any(item.simple.masked.startswith("||") for item in before)

    # -- the status

    def own_code(self, *, ran: bool) -> int | None:
        """
        The command's own status; None where it is hidden or may be another's.

        Args:
            ran: the output proves that the command ran.
        """
        printed = self.printed_code()
        if printed is not None:
            return printed
        if not self.end.known or self.simple.background or not self.simple.status_visible:
            return None
        if not self.end.failed:
            return None if (self.simple.conditional == "||" and not ran) or self._always_exits_0() else 0
        code = self.end.code if self.end.code is not None else 1
        suspects = [i for i, item in enumerate(self.commands) if self._may_fail(i, item)]
        if not suspects:
            return code
        return code if suspects[-1] < self.place and (ran or not self.simple.conditional) else None

    def _always_exits_0(self) -> bool:
        """Pester's failures show in its status only where that is asked for."""
        asked = {"-ci", "-enableexit"}
        return self.which.runner == "pester" and asked.isdisjoint(word.lower() for word in self.which.argv)

    def _may_fail(self, place: int, item: "Command") -> bool:
        """Whether it could be this other command's failure that the status tells."""
        simple = item.simple
        if simple is self.simple:
            return False
        if simple.piped_from and place > self.place and program(item) in _PASSES_ON:
            return False
        return bool(simple.argv) and program(item) not in _BENIGN and simple.status_visible and not simple.captured

    def printed_code(self) -> int | None:
        """The number that `echo "EXIT: $?"` printed, where it is this command's."""
        template = " ".join(self.simple.echoed_status.replace("\\n", " ").split())
        if "$?" not in template:
            return None
        chain = [
            item
            for item in self.commands
            if item.simple.echoed_status == self.simple.echoed_status and self._works(item)
        ]
        before, _, after = template.partition("$?")
        code = _last_number(self.shown, before.strip()[-60:], after.strip()[:20])
        if code == 0 or len(chain) <= 1:
            return code
        return None  # `a && b; echo $?`: a failure may be either's

    # -- its place in the line

    def may_be_skipped(self) -> bool:
        """`a && test`: a failure of `a` means that the test never ran."""
        before = self.commands[: self.place]
        return self.simple.conditional == "&&" and any(
            self._may_fail(i, item) or program(item) == "cd" for i, item in enumerate(before)
        )

    def surely_reached(self) -> bool:
        """
        Whether it ran though the line would hide that it was skipped: before it stand only `cd`, of which no complaint is
        shown, `export` and its like, and pipes into what always goes well. `cd web && tsc | head; ls`,
        `pytest | tail -3 && tsc; ls`
        """
        for item in reversed(self.commands[: self.place]):
            simple = item.simple
            if simple is self.simple or simple.piped_to:
                continue
            if simple.piped_from:
                if program(item) not in _PASSES_ON:
                    return False
            elif program(item) not in _PREPARES or any("cd:" in line for line in self.shown):
                return False
            if not simple.conditional:
                return True
        return False

    def alone(self) -> bool:
        return not any(self._works(item) for item in self.commands if item.simple is not self.simple)

    def followed(self) -> bool:
        return any(self._works(item) for item in self.commands[self.place + 1 :] if item.simple is not self.simple)

    @staticmethod
    def _works(item: "Command") -> bool:
        return bool(item.simple.argv) and program(item) not in _BENIGN and not item.simple.piped_from

    def rival_checks(self) -> "tuple[Command, ...]":
        """The line's builds, linters, formatters and type checkers, this one among them."""
        return tuple(item for item in self.commands if item is self.which or item.kind in CHECKS)

    def rivals(self) -> "tuple[Command, ...]":
        """The line's commands of tests, this one among them."""
        return tuple(item for item in self.commands if item.kind is CommandKind.TEST and not item.collects_only) or (
            self.which,
        )

    # -- what of the output is its own

    def shows_files_before(self) -> bool:
        """Whether the line prints files first: a run in them is an old one."""
        return any(map(prints_files, self.commands[: self.place]))

    def shows_files_after(self) -> bool:
        """Whether the line prints files or commits last that are not this command's own output: a run in them is an old one."""
        own = {target for op, target in self.simple.redirects if op in _OUTPUT_TO}
        own.update(
            word for argv in piped_through(self.commands, self.place) if argv[:1] == ("tee",) for word in argv[1:]
        )
        own.update(word.rpartition("=")[2] for word in self.simple.argv)  # its report: `--junitxml=out.xml`
        own = {word for word in own if word[:1] != "-"}
        after = (item for item in self.commands[self.place + 1 :] if prints_files(item) and _may_hold_a_run(item))
        return any(own.isdisjoint(item.simple.argv) for item in after)

    def output_elsewhere(self) -> bool:
        """Its output went to a file that nothing in the line shows again, and so did its report."""
        targets = {target for op, target in self.simple.redirects if op in _OUTPUT_TO}
        if not targets:
            return False
        reports = (word.rpartition("=")[2] for word in self.simple.argv if word.endswith(".json"))
        files = {*targets, *reports} - {"/dev/null"}
        later = (word for item in self.commands[self.place + 1 :] for word in item.simple.argv)
        return not any(word in files for word in later)

    def errors_shown(self) -> bool:
        """Whether what it prints as errors reaches the transcript."""
        return not any(op.startswith(("2>", "&>")) and target == "/dev/null" for op, target in self.simple.redirects)

    def echoes(self, line: str) -> bool:
        """Whether the line prints these words by itself: `echo "5 passed"`, in PowerShell the string alone."""
        return bool(line) and any(
            line in " ".join(" ".join(item.simple.argv).split())
            for item in self.commands
            if program(item) in _ECHOES or (len(item.simple.argv) == 1 and " " in item.simple.argv[0])
        )

    def about_this(self, found: "tuple[Summary, ...]") -> "tuple[Summary, ...]":
        """Without a task runner's word on another task of the line (`make lint && make test`)."""
        if not self.may_be_skipped() and not self.followed():
            return found
        names = _task_names(self.simple)
        works = [item.simple for item in self.commands if item.simple is not self.simple and self._works(item)]
        others = set[str]().union(*map(_task_names, works)) - names
        return tuple(item for item in found if _is_about(item, names, others))

    def task_names(self) -> set[str]:
        return _task_names(self.simple)

    def last_line(self) -> str:
        return self.shown[-1] if self.shown else ""

    def said(self) -> tuple[bool, str] | None:
        """`&& echo OK || echo NO`: whether the good one was printed, and which; None where neither or both were."""
        good, bad = self.simple.echo_passed.strip(), self.simple.echo_failed.strip()
        if self.simple.piped_to:
            return None  # behind a pipe the branches are about its last command
        lines = {line.strip() for line in self.shown}
        if bad and bad in lines:
            return (False, bad) if good not in lines else None
        return (True, good) if good and good in lines else None


def piped_through(commands: "Sequence[Command]", place: int) -> list[tuple[str, ...]]:
    """The argv of each command that the output of the one at `place` is piped through."""
    own, found = commands[place].simple, []
    for item in commands[place + 1 :] if own.piped_to else ():
        if item.simple is own:
            continue
        if not item.simple.piped_from:
            break
        found.append(item.simple.argv)
        if not item.simple.piped_to:
            break
    return found


def program(item: "Command") -> str:
    argv = item.argv or item.simple.argv
    return argv[0].rpartition("/")[2] if argv else ""


def prints_files(item: "Command") -> bool:
    """Whether what stands in files or in a repository reaches the output through it."""
    simple = item.simple
    return (
        program(item) in _PRINTS_FILES
        and len(simple.argv) > 1
        and not (simple.piped_from or simple.captured)
        and not any(op in _OUTPUT_TO for op, _ in simple.redirects)
    )


def _may_hold_a_run(item: "Command") -> bool:
    """Whether what it prints may be an old run's words: a log or a commit message, and not code, settings or `git status`."""
    words = item.simple.argv
    if program(item) == "git":
        return any(word in _GIT_PRINTS for word in words[1:4])
    return languages.of_file(words[-1]) == "" and edit_kind(words[-1]) != "config"


def _is_hosts(line: str) -> bool:
    if line.startswith(_HOST_STATUS):
        return line.partition("Exit code ")[2][:1].isdecimal()
    return line.startswith(_HOST_LINES)


def _between_marks(text: str, before: list[str], after: list[str]) -> str:
    """The lines after the last mark that was printed before, up to the first that was printed after."""
    if not before and not after:
        return text
    lines = text.split("\n")
    start = 0
    for mark in before:
        start = next((i + 1 for i in range(start, len(lines)) if " ".join(lines[i].split()) == mark), start)
    end = next((i for i in range(start, len(lines)) if " ".join(lines[i].split()) in after), len(lines))
    return "\n".join(lines[start:end])


def _last_number(lines: list[str], before: str, after: str) -> int | None:
    """N of the last line that reads `before N after`; with no words around it, of a line that is nothing but N."""
    for line in reversed(lines):
        flat = " ".join(line.split())
        at = flat.rfind(before) if before else 0
        if at < 0:
            continue
        rest = flat[at + len(before) :].strip()
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        tail = rest[len(digits) :].strip()
        if 0 < len(digits) <= 3 and (tail.startswith(after) if before and after else not tail or bool(before)):
            return int(digits)
    return None


def _task_names(simple: "SimpleCommand") -> set[str]:
    """The words by which task runners may name a command: `test:ci`, the script's or target's name."""
    words = simple.unwrapped or simple.argv
    plain = {word.rpartition("/")[2] for word in words[1:] if word[:1] not in ("", "-") and "=" not in word}
    return (plain - _NO_TASK) or set(words[:1])


def _is_about(item: "Summary", names: set[str], others: set[str]) -> bool:
    """A prefix or a task runner's word that names another command is not about this one; one that names none is."""
    label = {part for word in _WORD.findall(item.label) for part in (word, *word.split(":"))}
    if not label.isdisjoint(names):
        return True
    if not label.isdisjoint(others):
        return False
    if not item.wrapper or item.label or not any(mark in item.quote for mark in '`"['):
        return True
    return not names.isdisjoint(_WORD.findall(item.quote))
