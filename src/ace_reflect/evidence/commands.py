"""
What each command of a line is for: test, build, lint, commit, push, look, edit, …

`classify` splits the line (`shell`), asks the readers of programs what each call means (`programs`), and adds which files
the shell changes (`shell_edits`). A mention is no run: `echo pytest`, `grep pytest`, `pytest --version` are looks.
"""

from functools import lru_cache

from ace_reflect.evidence.call_words import program
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import absolute, edit_kind, is_outside
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning, PushTarget
from ace_reflect.evidence.programs import is_known, meanings_of, runs_tests
from ace_reflect.evidence.shell import SimpleCommand, split
from ace_reflect.evidence.shell_edits import files_of_patch, writes_of
from ace_reflect.evidence.shell_state import Shell, joined
from ace_reflect.evidence.variables import each_value, known_selection, known_targets, open_at
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["UNKNOWN_FILES", "Command", "CommandKind", "PushTarget", "classify", "starts_a_stranger"]

_LOGS = (".log", ".out", ".err")  # what a command said, kept in a file, is no edit
#: A call of these kinds that also writes files is an edit: `cat > f <<EOF`, `sed -i`.
_BECOMES_EDIT = frozenset({CommandKind.READ, CommandKind.OTHER})

#: Values of a loop that are looked at.
_MAX_ROUNDS = 20
#: `git -C "$OTHER" push`: what is not shown to be this repository is not taken for it.
_IN_A_REPOSITORY = frozenset({CommandKind.PUSH, CommandKind.COMMIT})


class Command(Value):
    """
    One meaning of one simple command. `gradle build` builds and tests: it comes back twice, with the same `simple`.

    `targets` are the paths a run was limited to, relative as typed; empty: the whole of `cwd`.
    """

    simple: SimpleCommand
    argv: tuple[str, ...]  # seen through wrappers
    kind: CommandKind
    runner: str  # pytest, jest, go test, make test, npm run test:unit, git push …; "script" for a test file run by hand
    cwd: str | None = None
    targets: tuple[str, ...] = ()
    selected: str = ""
    deselects: str = ""
    collects_only: bool = False  # lists or compiles tests and executes none
    watch: bool = False
    writes: tuple[str, ...] = ()  # files the command changes; absolute where cwd is known; "*": it does not say which
    formatter: bool = False
    push: PushTarget | None = None
    no_verify: bool = False
    script: str = ""  # the file of the project's own that it executes, as typed: `python scripts/release.py`


@lru_cache(maxsize=64)  # asked when a call begins and again when its result is there, with other calls in between
def classify(command: str, cwd: str | None = None) -> tuple[Command, ...]:
    """
    The meanings of everything that the line runs, in order.

    `cwd` is the folder the line starts in. Never raises; the time is linear in the length of the line.
    """
    found: list[Command] = []
    for simple in split(command, cwd):
        found.extend(_commands(simple))
    return tuple(found)


def starts_a_stranger(command: str) -> bool:
    """
    Whether the line starts a program that no table names: it may be anything, a runner of tests that few use as well.
    So may a call of a runner that its reader makes nothing of: `sui move test`, `ward`.
    """
    others = (item.simple.unwrapped for item in classify(command) if item.kind is CommandKind.OTHER)
    names = (program(argv[0]) for argv in others if argv)
    return any(not is_known(name) or runs_tests(name) for name in names)


def _commands(simple: SimpleCommand) -> list[Command]:
    argv = simple.unwrapped
    meanings = meanings_of(argv, simple.via) if argv else [Meaning(CommandKind.OTHER)]
    if argv and simple.loops and meanings[0].kind is CommandKind.OTHER:
        meanings = _meanings_in_loop(simple) or meanings
    written = writes_of(simple)
    return [_command(simple, argv, meaning, written if index == 0 else ()) for index, meaning in enumerate(meanings)]


def _meanings_in_loop(simple: SimpleCommand) -> list[Meaning]:
    """What a call means with the loop's values: `for s in lint test; do npm run $s; done`, `node "$f"`."""
    found: dict[CommandKind, Meaning] = {}
    columns = [each_value(word, simple.loops) for word in simple.unwrapped]
    rounds = min(max(map(len, columns)), _MAX_ROUNDS)
    if (
        () in columns
        or rounds < 1
        or all(column == (word,) for column, word in zip(columns, simple.unwrapped, strict=True))
    ):
        return []
    for number in range(rounds):
        words = [column[min(number, len(column) - 1)] for column in columns]
        argv = (*(words[0].split() or words[:1]), *words[1:])  # `for c in "npm test" …; do $c; done`
        for meaning in meanings_of(argv, simple.via):
            first = found.setdefault(meaning.kind, meaning)
            first.targets = tuple(dict.fromkeys((*first.targets, *meaning.targets)))
    if len(found) > 1:
        found.pop(CommandKind.OTHER, None)
    return list(found.values())


def _command(simple: SimpleCommand, argv: tuple[str, ...], meaning: Meaning, written: tuple[str, ...]) -> Command:
    command = Command.__new__(Command)
    fields = command.__dict__  # filled directly, as in `shell`
    fields["simple"] = simple
    fields["argv"] = argv
    fields["kind"] = meaning.kind
    fields["runner"] = meaning.runner
    fields["cwd"] = simple.cwd if meaning.cwd is None else _folder(simple, meaning)
    for name in _FACTS:
        value = getattr(meaning, name)
        if value:
            fields[name] = value
    if meaning.targets:
        fields["targets"] = known_targets(meaning.targets, simple.loops)
    if open_at(meaning.selected) >= 0:
        fields["selected"] = known_selection(meaning.selected, simple.loops)
    changed = meaning.writes
    if changed and simple.heredoc and meaning.runner == "git apply":
        changed = files_of_patch(simple.heredoc) or changed
    paths = (*changed, *written)
    if meaning.formatter:
        paths = (*paths, *_formatted(argv))
    if paths:
        _add_writes(fields, meaning.kind, paths)
    return command


#: What a meaning and a `Command` both have, empty or false by default; `writes` is put in place first.
_FACTS = (
    "collects_only",
    "deselects",
    "formatter",
    "no_verify",
    "push",
    "script",
    "selected",
    "targets",
    "watch",
)


def _add_writes(fields: "dict[str, Any]", kind: CommandKind, paths: tuple[str, ...]) -> None:
    """The paths as absolute ones where that can be known, and the kind that follows from them."""
    cwd = fields["cwd"]
    placed = tuple(dict.fromkeys(path if path == UNKNOWN_FILES else absolute(path, cwd) for path in paths))
    inside = any(not is_outside(path) and not path.endswith(_LOGS) for path in placed)
    if kind in _BECOMES_EDIT and inside:
        fields["kind"] = CommandKind.EDIT
    elif kind is CommandKind.EDIT and not inside:
        fields["kind"] = CommandKind.OTHER
    fields["writes"] = placed


def _formatted(argv: tuple[str, ...]) -> tuple[str, ...]:
    """The files that a formatter was given by name, else unknown ones."""
    return tuple(word for word in argv[1:] if word[:1] != "-" and "*" not in word and edit_kind(word) != "other") or (
        UNKNOWN_FILES,
    )


def _folder(simple: SimpleCommand, meaning: Meaning) -> str | None:
    """Where `--prefix path` leads; None if that cannot be known: an unknown variable, a loop's many folders."""
    path = meaning.cwd or ""
    if meaning.kind in _IN_A_REPOSITORY or not any(mark in path for mark in "$`*?~{%"):
        return absolute(path, simple.cwd)
    values = each_value(path, simple.loops)
    if len(values) != 1 or open_at(values[0]) >= 0 or ("%" in path and "xargs" in simple.via):
        return None
    return joined(simple.cwd, values[0], Shell(simple.cwd))
