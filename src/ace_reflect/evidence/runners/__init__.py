"""
Reading what test runners, builds and checkers print.

`read_all` finds every closing line in an output, `read_summary` says what they come to. One file here knows one family
of runners; `table.py` lists them with the words that must occur in an output before a family's file is even imported. The
others serve all of them: `text` (clean lines), `model` (from counts to an outcome), `share` (several commands in a line),
`filters` (what a pipe let through), `never_ran` (what the shell says of a command that did not start).
"""

from functools import lru_cache
from sys import modules

from ace_reflect.evidence.runners.model import Summary, combine
from ace_reflect.evidence.runners.table import CHECKS, TESTS, Family, modules_of
from ace_reflect.evidence.runners.text import Text, text_of

__all__ = ["Summary", "combine", "own_summaries", "read_all", "read_checks", "read_summary"]


def read_summary(output: str, runner: str = "") -> Summary | None:
    """
    What an output says of the tests in it; None where no runner's closing line is there.

    Args:
        output: what was printed, colours and all.
        runner: the runner that was started ("pytest", "npm test"), where known. Its own lines go before any other's.

    Several summaries (a monorepo's packages, cargo's binaries) come back as one: any that failed makes it failed.
    """
    return combine(own_summaries(read_all(output, runner), runner))


def own_summaries(found: tuple[Summary, ...], runner: str) -> tuple[Summary, ...]:
    """Those that the named runner printed, with the task runners' words; all of them where it printed none."""
    modules = modules_of(runner)
    own = tuple(item for item in found if item.family in modules or item.wrapper)
    return own if any(not item.wrapper for item in own) else found


@lru_cache(maxsize=8)
def read_all(output: str, runner: str = "") -> tuple[Summary, ...]:
    """Every summary of tests in an output, in the order they were printed."""
    return _read(text_of(output), TESTS, modules_of(runner))


@lru_cache(maxsize=8)
def read_checks(output: str, runner: str = "") -> tuple[Summary, ...]:
    """The verdict lines of builds, linters, formatters and type checkers, in the order they were printed."""
    return _read(text_of(output), CHECKS, modules_of(runner))


def _read(text: Text, families: tuple[Family, ...], hinted: frozenset[str]) -> tuple[Summary, ...]:
    """Each line counts once: the first family that knows it has it. A named runner's own file is asked first."""
    found: dict[int, Summary] = {}
    for family in families:
        if family.module in hinted:
            _ask(family, text, found, hinted=True)
    told = _tells(found)
    for family in families:
        if family.module in hinted or (told and not family.wraps) or (family.last_resort and _tells(found)):
            continue
        if text.holds(family.signs):
            _ask(family, text, found, hinted=False)
    return tuple(found[index] for index in sorted(found))


def _tells(found: dict[int, Summary]) -> bool:
    return any(not item.wrapper and not item.partial for item in found.values())


def _ask(family: Family, text: Text, found: dict[int, Summary], *, hinted: bool) -> None:
    name = f"{__name__}.{family.module}"
    if name not in modules:
        __import__(name)
    for item in modules[name].read(text, hinted):
        label = text.labels.get(item.line_index, "")
        found.setdefault(item.line_index, item.replace(family=family.module, label=label))
