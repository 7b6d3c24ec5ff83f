"""Several tests in one shell line: which of the summaries is whose."""

from ace_reflect.evidence.call_words import TASK_RUNNERS
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.runners.table import modules_of
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from ace_reflect.evidence.runners.model import Summary
    from ace_reflect.evidence.runners.text import Text

    class Runs(Protocol):
        @property
        def runner(self) -> str: ...

    class Checks(Runs, Protocol):
        @property
        def argv(self) -> tuple[str, ...]: ...
        @property
        def kind(self) -> CommandKind: ...


#: These start whatever a project's script says.
_SCRIPTS = frozenset([*TASK_RUNNERS, "hatch", "pdm", "nox", "tox", "turbo", "nx", "lerna", "pre-commit"])
_TYPECHECK = (CommandKind.TYPECHECK, CommandKind.BUILD, CommandKind.LINT)
_FORMAT = (CommandKind.FORMAT, CommandKind.LINT)
#: What a tool's verdict is about, where it is not lint.
_KINDS = {
    "build": (CommandKind.BUILD,),
    "tsc": _TYPECHECK,
    "mypy": _TYPECHECK,
    "pyright": _TYPECHECK,
    "ty": _TYPECHECK,
    "svelte-check": _TYPECHECK,
    "phpstan": _TYPECHECK,
    "psalm": _TYPECHECK,
    "prettier": _FORMAT,
    "black": _FORMAT,
    "isort": _FORMAT,
    "gofmt": _FORMAT,
    "ruff": _FORMAT,
    "biome": _FORMAT,
}

#: The heading with which a runner begins.
_HEADINGS = {
    "pytest": Late(r"^=+ test session starts =+$|^collected \d+ item", needs=(" test session starts |collected ",)),
    "jest": Late(r"^(?:PASS|FAIL) \S|^Determining test suites", needs=("Determining test suites|FAIL |PASS ",)),
    "vitest": Late(r"^ (?:RUN|DEV) {2}v\d", needs=(" DEV| RUN",)),
    "bun": Late(r"^bun test v\d", needs=("bun test v",)),
    "cargo": Late(
        r"^running \d+ tests?$|^ +Running (?:unittests|tests/)", needs=("Running tests/|Running unittests|running ",)
    ),
    "go": Late(r"^=== RUN |^(?:ok|FAIL|\?) +\t"),
    "tap": Late(r"^TAP version \d", needs=("TAP version ",)),
    "jvm": Late(r"T E S T S$|^> Task :.{0,60}[tT]est", needs=("> Task :|T E S T S",)),
    "playwright": Late(r"^Running \d+ tests? using \d+ worker", needs=("Running ", " worker")),
    "dotnet": Late(r"^ *Test run for |^ *Starting test execution", needs=("Starting test execution|Test run for ",)),
}


def share_of(
    found: "tuple[Summary, ...]", rivals: "Sequence[Runs]", place: int, *, shows_files: tuple[bool, bool]
) -> "tuple[Summary, ...]":
    """
    The summaries that belong to one of a line's test commands, with the task runners' words.

    Args:
        rivals: the line's test commands, in order; `place` is the one asked about.
        shows_files: whether the line printed files before it, so that only the last run of an output is a new one, and
            whether it did behind it, so that only the first is.
    """
    modules = modules_of(rivals[place].runner)
    taken = frozenset[str]().union(*(modules_of(item.runner) for i, item in enumerate(rivals) if i != place))
    mine = tuple(item for item in found if item.wrapper or _may_own(item, modules, taken - modules))
    runs = [item for item in mine if not item.wrapper]
    if modules and any(item.family in modules for item in runs):
        runs = [item for item in runs if item.family in modules]
    runs = _my_turn(runs, [i for i, item in enumerate(rivals) if modules_of(item.runner) == modules], place)
    before, after = shows_files
    if before and not after and runs and not runs[-1].open_ended:
        runs = runs[-1:]
    if after and not before and not any(item.open_ended for item in runs):
        first = next((i for i, item in enumerate(runs) if not item.partial), -1)
        runs = runs if first < 0 or runs[first].label else runs[: first + 1]  # with a label: one package of several
    kept = {id(item) for item in runs}  # one output may hold thousands of them
    return tuple(item for item in mine if item.wrapper or id(item) in kept)


def share_of_checks(found: "tuple[Summary, ...]", rivals: "Sequence[Checks]", place: int) -> "tuple[Summary, ...]":
    """The verdicts of a line's builds and checkers that are about one of them: its own tool's, else its kind's."""
    if len(rivals) < 2:
        return found
    return tuple(
        item
        for item in found
        if item.wrapper or _affinity(item, rivals[place]) == max(_affinity(item, rival) for rival in rivals)
    )


def _affinity(item: "Summary", command: "Checks") -> int:
    """How well a verdict fits a command: 3 its tool is named, 2 its kind is the tool's, 1 nobody knows, 0 it is another's."""
    words = {word.rpartition("/")[2] for word in (*command.argv, *command.runner.split())}
    if item.runner in words:
        return 3
    kinds = _KINDS.get(item.runner, (CommandKind.LINT,))
    if words.isdisjoint(_SCRIPTS):
        return 1 if command.kind in kinds and item.family == "compilers" else 0
    return 2 if command.kind in kinds else 0


def _may_own(item: "Summary", modules: frozenset[str], taken: frozenset[str]) -> bool:
    return item.family in modules or item.family not in taken


def _my_turn(runs: "list[Summary]", same: list[int], place: int) -> "list[Summary]":
    """Commands of one runner get its summaries in order; the last of them gets what is left over."""
    if len(same) < 2 or any(item.open_ended or item.partial for item in runs):
        return runs
    turn = same.index(place)
    return runs[turn:] if turn == len(same) - 1 else runs[turn : turn + 1]


def has_own_run(text: "Text", runner: str) -> bool:
    """Whether the heading of this runner (of any, where its name tells none) is in an output."""
    modules = modules_of(runner) or frozenset(_HEADINGS)
    patterns = [pattern for name, pattern in _HEADINGS.items() if name in modules]
    return any(pattern.match(line) for line in text.lines for pattern in patterns)
