"""
Runs whose output went to a file that is looked at in a later call: `cargo test > /tmp/t.log 2>&1; echo done`, then
`tail -3 /tmp/t.log`.

What is shown of the file is read as if it had been piped through the command that shows it. Only a printed verdict
counts: what is silent may not have ended. The run keeps its own place in the session, so an edit after it makes it stale.
"""

from ace_reflect.evidence.book import cut, file_key
from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.drafts import MAX_QUOTE
from ace_reflect.evidence.facts import RUN_KINDS, Outcome
from ace_reflect.evidence.kinds import absolute
from ace_reflect.evidence.outcome_line import piped_through
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.transcript.records import UserShell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Draft

#: A file that is added to (`>>`) holds older runs as well.
_WHOLE = frozenset((">", ">|", "&>", "1>", ">&"))
_SHOW = word_set("cat tail head less more bat grep egrep fgrep rg Get-Content gc type")


def note(book: "Book", draft: "Draft", commands: "Sequence[Command]", *, unknown: bool) -> None:
    """
    Remember the files into which a call wrote a run's output, if the run's outcome is not known: when such a file is shown,
    it tells. A file that any other call writes is no longer the earlier call's.
    """
    for place, command in enumerate(commands):
        for path in _written(commands, place, draft.get("cwd")):
            book.waiting.pop(file_key(path), None)
            if unknown and command.kind in RUN_KINDS:
                book.wait(file_key(path), draft)


def shown(book: "Book", commands: "Sequence[Command]", cwd: str | None, output: str, line: int | None) -> None:
    """Settle a run whose output file this call printed, whole or in part. Not where it printed two, or ran tests itself."""
    if any(command.kind in RUN_KINDS for command in commands):
        return
    found = [(key, place) for place, command in enumerate(commands) for key in _shows(book, command, cwd)]
    if len({key for key, _ in found}) == 1:
        key, place = found[-1]
        own = (word for word in commands[place].simple.argv if file_key(absolute(word, cwd)) != key)
        _settle(book, key, [tuple(own), *piped_through(commands, place)], output, line)


def read(book: "Book", path: str, output: str, line: int | None) -> None:
    """A file that is waited for was read by a tool."""
    _settle(book, file_key(path), [("cat",)], output, line)


def _written(commands: "Sequence[Command]", place: int, cwd: str | None) -> "Iterator[str]":
    """The files that a command's output goes to, whole: by redirection or through `tee`."""
    command = commands[place]
    here = command.cwd or cwd
    yield from (absolute(target, here) for op, target in command.simple.redirects if op in _WHOLE and target[:1] != "&")
    first = next(iter(piped_through(commands, place)), ())
    if first[:1] == ("tee",) and not {"-a", "--append"}.intersection(first):
        yield from (absolute(word, here) for word in first[1:] if word[:1] != "-")


def _shows(book: "Book", command: "Command", cwd: str | None) -> "list[str]":
    argv = command.simple.argv
    if not argv or argv[0].rpartition("/")[2] not in _SHOW:
        return []
    here = command.cwd or cwd
    return [key for word in argv[1:] if (key := file_key(absolute(word, here))) in book.waiting]


def _settle(book: "Book", key: str, filters: "list[tuple[str, ...]]", output: str, line: int | None) -> None:
    draft = book.waiting[key]
    cwd = draft.get("cwd")
    commands = classify(draft["command"], cwd)
    writers = [
        item
        for place, item in enumerate(commands)
        if item.kind in RUN_KINDS and key in [file_key(path) for path in _written(commands, place, cwd)]
    ]
    if line is not None and len({id(item.simple) for item in writers}) == 1:  # `gradle build` is two
        for item in writers:
            _tell(book, draft, item, filters, UserShell(line=line, command="", stdout=output))


def _tell(book: "Book", draft: "Draft", writer: "Command", filters: "list[tuple[str, ...]]", told: UserShell) -> None:
    """
    Give a run the verdict that its output file shows. `told` is that output in the form of a person's own command, for which
    no exit status is known either.
    """
    which = _piped(writer)
    reading = read_outcome((which, *map(_filter, filters)), told, which)
    if not reading.quote or reading.outcome is Outcome.UNKNOWN:
        return
    for place, run in enumerate(book.runs):
        if (run.line, run.file, run.kind, run.runner) != (draft["line"], draft.get("file"), which.kind, which.runner):
            continue
        if run.outcome is Outcome.UNKNOWN or reading.outcome is Outcome.FAILED:
            book.runs[place] = run.replace(
                result_line=told.line,
                outcome=reading.outcome,
                why=cut(reading.why, MAX_QUOTE),
                quote=cut(reading.quote, MAX_QUOTE),
                counts=reading.counts,
                running=False,
                cut_off=False,
            )


def _filter(argv: "tuple[str, ...]") -> "Command":
    command = classify("cat")[0]
    return command.replace(argv=argv, simple=command.simple.replace(argv=argv, piped_from=True, piped_to=True))


def _piped(command: "Command") -> "Command":
    """The command as if its output had gone through a pipe into the call that shows the file, and not into the file."""
    said = {"echoed_status": "", "echo_passed": "", "echo_failed": ""}
    return command.replace(simple=command.simple.replace(redirects=(), piped_to=True, **said))
