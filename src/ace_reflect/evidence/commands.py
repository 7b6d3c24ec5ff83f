"""
What each command of a line is for: test, build, lint, commit, push, look, edit, …

`classify` splits the line (`shell`), asks the readers of programs what each call means (`programs`), and adds which files
the shell changes (`shell_edits`). A mention is no run: `echo pytest`, `grep pytest`, `pytest --version` are looks.
"""

from posixpath import join, normpath

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import edit_kind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning, PushTarget
from ace_reflect.evidence.programs import meanings_of
from ace_reflect.evidence.shell import SimpleCommand, split
from ace_reflect.evidence.shell_edits import writes_of
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Confidence

__all__ = ["UNKNOWN_FILES", "Command", "CommandKind", "PushTarget", "classify"]

#: A call of these kinds that also writes files is an edit: `cat > f <<EOF`, `sed -i`.
_BECOMES_EDIT = frozenset({CommandKind.READ, CommandKind.OTHER})
_ELSEWHERE = ("/tmp/", "/dev/", "/var/", "/private/", "/proc/")  # noqa: S108 - not used as a folder


class Command(Value):
    """
    One meaning of one simple command. `gradle build` builds and tests: it comes back twice, with the same `simple`.

    `targets` are the paths a run was limited to, relative as typed; empty: the whole of `cwd`.
    """

    simple: SimpleCommand
    argv: tuple[str, ...]  # seen through wrappers
    kind: CommandKind
    runner: str  # pytest, jest, go test, make test, npm run test:unit, git push …; "script" for a test file run by hand
    confidence: "Confidence" = "runner"
    cwd: str | None = None
    targets: tuple[str, ...] = ()
    selected: str = ""
    deselects: str = ""
    collects_only: bool = False  # lists or compiles tests and executes none
    passes_when_empty: bool = False
    watch: bool = False
    writes: tuple[str, ...] = ()  # files the command changes; absolute where cwd is known; "*": it does not say which
    formatter: bool = False
    push: PushTarget | None = None
    no_verify: bool = False

    @property
    def via(self) -> tuple[str, ...]:
        """The wrappers it was seen through: ("timeout", "docker compose exec")."""
        return self.simple.via


def classify(command: str, cwd: str | None = None) -> tuple[Command, ...]:
    """
    The meanings of everything that the line runs, in order.

    `cwd` is the folder the line starts in. Never raises; the time is linear in the length of the line.
    """
    found: list[Command] = []
    for simple in split(command, cwd):
        found.extend(_commands(simple))
    return tuple(found)


def _commands(simple: SimpleCommand) -> list[Command]:
    argv = simple.unwrapped
    meanings = meanings_of(argv, simple.via) if argv else [Meaning(CommandKind.OTHER)]
    written = writes_of(simple)
    return [_command(simple, argv, meaning, written if index == 0 else ()) for index, meaning in enumerate(meanings)]


def _command(simple: SimpleCommand, argv: tuple[str, ...], meaning: Meaning, written: tuple[str, ...]) -> Command:
    cwd = _place(simple.cwd, meaning.cwd)
    kind = meaning.kind
    paths = (*meaning.writes, *written, *(_formatted(argv) if meaning.formatter else ()))
    if kind in _BECOMES_EDIT and any(_may_be_project(path) for path in paths):
        kind = CommandKind.EDIT
    elif kind is CommandKind.EDIT and paths and not any(_may_be_project(path) for path in paths):
        kind = CommandKind.OTHER
    return Command(
        simple=simple,
        argv=argv,
        kind=kind,
        runner=meaning.runner,
        confidence=meaning.confidence,
        cwd=cwd,
        targets=meaning.targets,
        selected=meaning.selected,
        deselects=meaning.deselects,
        collects_only=meaning.collects_only,
        passes_when_empty=meaning.passes_when_empty,
        watch=meaning.watch,
        writes=tuple(dict.fromkeys(path if path == UNKNOWN_FILES else _place(cwd, path) or path for path in paths)),
        formatter=meaning.formatter,
        push=meaning.push,
        no_verify=meaning.no_verify,
    )


def _formatted(argv: tuple[str, ...]) -> tuple[str, ...]:
    """The files that a formatter was given by name, else unknown ones."""
    return tuple(word for word in argv[1:] if word[:1] != "-" and "*" not in word and edit_kind(word) != "other") or (
        UNKNOWN_FILES,
    )


def _may_be_project(path: str) -> bool:
    return not path.startswith(_ELSEWHERE) and not path.startswith("~")


def _place(cwd: str | None, path: str | None) -> str | None:
    """A path seen from `cwd`; as typed where that is not known."""
    if path is None or cwd is None:
        return path if cwd is None else cwd
    if path.startswith(("$", "~")) or path[1:3] in (":/", ":\\"):
        return path
    return normpath(join(cwd, path))
