"""What package.json's scripts do that are called like tests: `check` may be a type check, `test` may build first."""

from ace_reflect.evidence.call_words import NODE_MANAGERS
from ace_reflect.evidence.facts import CommandKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_SCRIPTS = 20
_DEPTH = 4
_TOOLS = frozenset((*NODE_MANAGERS, "run-s", "run-p", "npm-run-all", "npm-run-all2"))
_CHECKS = frozenset((CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.BUILD, CommandKind.FORMAT))
#: What may stand beside a check in a script without running tests: `svelte-kit sync`, `rm -rf dist`.
_BESIDE = frozenset((CommandKind.EDIT, CommandKind.READ, CommandKind.INSTALL))


def script_kinds(scripts: "dict[str, str]") -> tuple[str, ...]:
    """
    `check lint typecheck`: a script that goes by the name of a test, and what its body does.

    Where the body does not say it all, the name is believed: `turbo run check`, a program that is not known.
    """
    from ace_reflect.evidence.task_names import kinds_of_name

    found = []
    for name in [name for name in scripts if kinds_of_name(name) == [CommandKind.TEST]][:MAX_SCRIPTS]:
        kinds = _kinds(name, scripts, _DEPTH)
        told = {CommandKind.TEST} <= kinds or (kinds & _CHECKS and kinds <= _CHECKS | _BESIDE and "test" not in name)
        kept = kinds & (_CHECKS | {CommandKind.TEST}) if told else {CommandKind.TEST}
        found.append(" ".join((name, *sorted(kind.value for kind in kept))))
    return tuple(found)


def _kinds(name: str, scripts: "dict[str, str]", depth: int) -> "set[CommandKind]":
    """What a script's commands are for, and those of the scripts that it calls; its `pre` script runs before it."""
    from ace_reflect.evidence.commands import classify

    found: set[CommandKind] = set()
    bodies = [scripts[each] for each in (f"pre{name}", name) if each in scripts]
    if any(sign in body for body in bodies for sign in ("|", ";", " & ")):
        return {CommandKind.OTHER}  # what passes there does not show that all of it did
    for command in (command for body in bodies for command in classify(body)):
        tool, _, called = command.runner.rpartition(" ")
        inner = called in scripts and called != name and tool.partition(" ")[0] in _TOOLS and not command.selected
        found |= _kinds(called, scripts, depth - 1) if inner and depth else {command.kind}
    return found


def merged(rows: "Iterable[str]") -> tuple[str, ...]:
    """The rows of several packages: a name runs tests where it does in one of them, and compiles where it does in all."""
    known: dict[str, set[str]] = {}
    for row in rows:
        name, *kinds = row.split()
        before = known.get(name)
        known[name] = set(kinds) if before is None else (before & set(kinds)) | ({"test"} & (before | set(kinds)))
    return tuple(" ".join((name, *sorted(kinds))) for name, kinds in known.items() if kinds not in ({"test"}, set()))


def without_tests(row: str) -> bool:
    return "test" not in row.split()[1:]
