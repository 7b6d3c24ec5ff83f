"""Turborepo, Nx, Lerna, moon: how many packages' tasks went well."""

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TURBO = Late(r"^ *Tasks: {1,6}(\d{1,5}) successful, (\d{1,5}) total$", needs=("Tasks:", " successful, "))
_TURBO_FAILED = Late(
    r"^ *Failed: {1,6}\S{1,120}#\S|^ ?ERROR {1,2}run failed: command {1,2}exited \(\d|^\S{1,120}#\S{1,80}: command \(.{1,300}\) .{0,200}exited \(\d",
    needs=(": command (|ERROR|Failed:",),
)
_TURBO_NONE = Late(
    r"^ *No tasks were executed as part of this run\.", needs=("No tasks were executed as part of this run.",)
)
_NX = Late(
    r"^ *(?:>|NX) +(?:NX +)?(?:(Successfully ran targets? .{1,200})|(Ran targets? .{1,200} for .{1,200})|(Running targets? .{1,200} failed)|(No tasks were run))",
    needs=(" failed| for |No tasks were run|Successfully ran target |Successfully ran targets ",),
)
_NX_COUNT = Late(r"^ {2,6}✖ {2}(\d{1,5})/(\d{1,5}) (?:targets )?failed", needs=(" failed",))
_MOON = Late(
    r"^Tasks: (?:(\d{1,5}) completed(?: \(\d{1,5} cached\))?)?(?:, )?(?:(\d{1,5}) failed)?(?:, .{1,60})?$",
    needs=("Tasks: ",),
)
_WIREIT = Late(
    r"^(?:(✅) Ran (\d{1,4}) scripts? and skipped (\d{1,4}) in |(❌) \d{1,4} scripts? failed\.)", needs=("✅ Ran |❌ ",)
)
_LERNA = Late(
    r"^lerna (?:(success) run Ran npm script|(ERR!) .{0,120}(?:exited \d|failed)|(info) run No packages? found)|^ *(?:> {1,2})?Lerna \(powered by Nx\) {1,3}(?:(Successfully)|(Ran|Running) target)",
    needs=("Lerna (powered by Nx)|lerna ",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having(
        "Tasks: ", "Failed: ", "run failed", "exited (", "No tasks", "NX ", "lerna ", "Lerna ", "✖ ", " script"
    ):
        found = _turbo(line, index) or _nx(line, index)
        if found:
            yield found


def _turbo(line: str, index: int) -> Summary | None:
    if match := _TURBO.match(line):
        good, total = int(match[1]), int(match[2])
        return closing(
            "turbo", line, index, failed=good < total, vacuous="" if good else "no tasks were run", wrapper=True
        )
    if (match := _MOON.match(line)) and (match[1] or match[2]):
        vacuous = "" if int(match[1] or 0) else "no tasks were run"
        return closing("moon", line, index, failed=bool(match[2]), vacuous=vacuous, wrapper=True)
    if match := _WIREIT.match(line):
        return closing("wireit", line, index, failed=bool(match[4]), wrapper=True)
    if _TURBO_FAILED.match(line):
        return closing("turbo", line, index, failed=True, wrapper=True)
    if _TURBO_NONE.match(line):
        return closing("turbo", line, index, vacuous="no tasks were run", wrapper=True)
    return None


def _nx(line: str, index: int) -> Summary | None:
    if match := _NX.match(line):
        if match[2]:
            return None  # "Ran target test for 3 projects" leads the counts that follow
        vacuous = "no tasks were run" if match[4] else ""
        return closing("nx", line, index, failed=bool(match[3]), vacuous=vacuous, wrapper=True)
    if match := _NX_COUNT.match(line):
        return closing("nx", line, index, failed=match[1] != "0", wrapper=True)
    if match := _LERNA.match(line):
        vacuous = "no tasks were run" if match[3] else ""
        return closing("lerna", line, index, failed=bool(match[2] or match[5]), vacuous=vacuous, wrapper=True)
    return None
