"""From a program's call to its meaning: the one place that knows which reader reads which program."""

from ace_reflect.evidence import forge_commands as forge
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.git_commands import read_git
from ace_reflect.evidence.interpreters import PYTHON
from ace_reflect.evidence.interpreters import READERS as INTERPRETERS
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning
from ace_reflect.evidence.program_table import ASKS, ASKS_ALONE, KINDS, KNOWN_OTHERS, MARKED
from ace_reflect.evidence.runner_calls import READERS as RUNNERS
from ace_reflect.evidence.task_names import meanings_of_name, meanings_of_script
from ace_reflect.evidence.task_runners import READERS as TASKS
from ace_reflect.evidence.toolchains import READERS as TOOLCHAINS
from ace_reflect.evidence.wrappers import IS_PYTHON, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[tuple[str, ...]], list[Meaning]]

_READERS: "dict[str, Reader]" = {
    **INTERPRETERS,
    **RUNNERS,
    **TOOLCHAINS,
    **TASKS,
    "git": read_git,
    "gh": forge.read_gh,
    "glab": forge.read_gh,
    "hub": forge.read_hub,
    "tea": forge.read_tea,
    "az": forge.read_az,
    "gt": forge.read_graphite,
    "curl": forge.read_curl,
    "http": forge.read_curl,
}
#: Programs whose words may be anything, `--help` included: their readers see to it.
_SPEAKS_FOR_ITSELF = frozenset({"git", "echo", "printf", "gh", "grep", "rg", "sed", "awk"})
#: What may be called through an unknown program (`rtk git push`, `noti make test`).
_STRONG = frozenset(
    "git gh npm pnpm yarn bun node pytest jest vitest cargo go make gradle mvn python python3 ruff mypy eslint tsc docker uv poetry playwright phpunit rspec "
    "dotnet mix swift npx just".split()
)


def meanings_of_program(argv: tuple[str, ...]) -> list[Meaning]:
    """What the call means, usually one thing; nothing if the program is not known."""
    name = program(argv[0])
    if name not in _SPEAKS_FOR_ITSELF and _only_asks(argv):
        return [Meaning(CommandKind.READ, name)]
    reader = _READERS.get(name)
    if reader is not None:
        return reader(argv)
    if name in MARKED:
        return [_marked(name, argv)]
    kind = KINDS.get(name)
    if kind is not None:
        meaning = Meaning(kind, name)
        meaning.formatter = kind is CommandKind.FORMAT
        return [meaning]
    if name in KNOWN_OTHERS:
        return [Meaning(CommandKind.OTHER, name)]
    return PYTHON(argv) if IS_PYTHON(name) else []


def _only_asks(argv: tuple[str, ...]) -> bool:
    if len(argv) == 2 and argv[1] in ASKS_ALONE:
        return argv[1] not in ("-v", "-h") or program(argv[0]) not in ("pytest", "rspec", "phpunit", "ls", "du", "df")
    return any(word in ASKS for word in argv[1:])


def _marked(name: str, argv: tuple[str, ...]) -> Meaning:
    words = {word.partition("=")[0] for word in argv[1:]}
    kind = next((kind for marks, kind in MARKED[name] if "*" in marks or marks & words), CommandKind.OTHER)
    subcommand = (
        argv[1]
        if len(argv) > 1 and argv[1][:1].isalpha() and len(argv[1]) < 20 and "/" not in argv[1] and "." not in argv[1]
        else ""
    )
    meaning = Meaning(kind, f"{name} {subcommand}".rstrip())
    meaning.formatter = kind is CommandKind.FORMAT
    meaning.watch = (
        kind is not CommandKind.SERVER
        and bool({"--watch", "-w"} & words)
        and kind in (CommandKind.BUILD, CommandKind.TYPECHECK)
    )
    if kind is CommandKind.EDIT:
        meaning.writes = (UNKNOWN_FILES,)
    return meaning


def meanings_of(argv: tuple[str, ...], via: tuple[str, ...] = ()) -> list[Meaning]:
    """What a call means; always at least one meaning."""
    found = meanings_of_program(argv)
    if found:
        return found
    name = program(argv[0])
    if len(argv) > 1 and argv[1] in _STRONG and not name.startswith("-"):
        return meanings_of_program(argv[1:]) or [Meaning(CommandKind.OTHER, name)]
    if via and via[-1] in _TASK_VIAS:
        return meanings_of_name(argv[0], f"{via[-1]} {argv[0]}")
    if "/" in argv[0] or "." in argv[0]:
        return meanings_of_script(argv[0], argv[1:])
    return [Meaning(CommandKind.OTHER, name)]


#: Runners of a project's own scripts as well as of programs.
_TASK_VIAS = frozenset(
    {"pdm run", "pixi run", "rye run", "pipenv run", "devbox run", "poetry run", "uv run", "composer exec", "ddev exec"}
)
