"""What the readers of programs share: tables in words, a call's subcommand, formatters and generators."""

from ace_reflect.evidence.call_words import after_options
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning


def kinds_table(**kinds: str) -> dict[str, CommandKind]:
    """`kinds_table(build="b build")` -> {"b": BUILD, "build": BUILD}"""
    return {word: CommandKind(kind) for kind, words in kinds.items() for word in words.split()}


def formats(runner: str, *, checks: bool) -> Meaning:
    """A formatter's run; one that only checks is a linter's."""
    meaning = Meaning(CommandKind.LINT if checks else CommandKind.FORMAT, runner)
    meaning.formatter = not checks
    return meaning


def edits(runner: str, paths: tuple[str, ...] = (UNKNOWN_FILES,)) -> Meaning:
    """What changes files: by default ones that it does not name."""
    meaning = Meaning(CommandKind.EDIT, runner)
    meaning.writes = paths
    return meaning


def subcommand(argv: tuple[str, ...], values: frozenset[str] = frozenset()) -> tuple[str, tuple[str, ...]]:
    """The subcommand and what follows it."""
    first = after_options(argv, 1, values)
    return (argv[first], argv[first + 1 :]) if first < len(argv) else ("", ())
