"""Printed output as clean lines: no colour, no redrawn progress, no prefix of a task runner in front."""

import re
from functools import lru_cache

from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Closing lines are short. A longer line is a minified file or a data dump; cutting it keeps every pattern linear.
LINE_CHARS = 600
#: An output beyond this keeps its start and, four times as much, its end.
OUTPUT_CHARS = 1_000_000

# Colours, cursor moves, hyperlinks; and colours whose escape character was lost on the way into the transcript.
_ESCAPES = Late(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_=>78]|\[\d{1,3}(?:;\d{1,3}){0,4}m"
)
_BREAKS = Late(r"\r\n|\r|\n|\x0b|\x0c|\u2028")

# What task runners put in front of each line, with the name of the task or package in group 1:
#   mise "[test:unit] ", concurrently "[0] ", yarn "[@scope/pkg]: ", turbo "api:test: ", pnpm -r "packages/api test: ",
#   docker compose "web-1  | ", lefthook and lint-staged gutters "┃  ", `gh run view --log` "job⇥step⇥2024-…Z ",
#   docker build "#12 3.456 ".
_PREFIX = Late(
    r"""
      \[(?!(?:[A-Z_]+|info|error|warn|debug|success|fatal)\])(?=[@\w./:#=-]{0,79}[a-z\d])([@\w./:#=-]{1,80})\]:?[ ]
    | ([@\w./-]{1,80}:(?=[A-Za-z@_])[\w./:@-]{1,80}):[ ]
    | ((?:\.|[@\w][@\w./-]{0,80})[ ](?:test|check|lint|build|typecheck|type-check|verify|ci|spec|e2e)(?::[\w-]{1,40})?)[:$][ ]
    | (@[\w.-]{1,60}/[\w.-]{1,60}):[ ]
    | ([\w.-]{1,60}[-_]\d{1,3})[ ]{1,20}\|[ ]
    | ([^\t]{1,80})\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z[ ]
    | (\#\d{1,4})[ ]\d{1,6}\.\d{1,6}[ ]
    | ()[┃│][ ]{1,4}
    """,
    re.VERBOSE,
)
_PREFIX_STARTS = frozenset("[@.#┃│")
_TASKS = ("test", "check", "lint", "build", "verify", "ci", "spec", "e2e")
_LOST_ESCAPES = tuple(f"[{digit}" for digit in range(10))


def _may_have_prefix(line: str) -> bool:
    """What each branch of `_PREFIX` needs, for most lines have none."""
    starts = line[:1] in _PREFIX_STARTS
    if not (starts or ": " in line or "$ " in line or "| " in line or "\t" in line):
        return False
    if starts or "| " in line[:90] or "\t" in line[:90]:
        return True
    head = line[:170]
    colon = head.find(": ")
    if 0 <= head.find(":") < colon:
        return True
    return (colon >= 0 or "$ " in head) and any(task in head for task in _TASKS)


@lru_cache(maxsize=8)
def text_of(output: str) -> "Text":
    """The same output is asked about by what knows tests, what knows builds, and for each command of its line."""
    return Text(output)


class Text:
    """
    An output's lines, cleaned. `labels[i]` is the task or package that a prefix named for line i.

    Nobody changes one: several readers share it.
    """

    __slots__ = ("labels", "lines", "whole")

    def __init__(self, output: str) -> None:
        if len(output) > OUTPUT_CHARS:
            output = output[: OUTPUT_CHARS // 5] + "\n" + output[-OUTPUT_CHARS * 4 // 5 :]
        if "\x1b" in output or ("m" in output and any(mark in output for mark in _LOST_ESCAPES)):
            output = _ESCAPES.sub("", output)
        self.lines: list[str] = []
        self.labels: dict[int, str] = {}
        for line in _BREAKS.split(output) if "\r" in output or "\x0c" in output else output.split("\n"):
            self._add(line[:LINE_CHARS])
        self.whole = "\n".join(("", *self.lines, ""))  # every line between two line ends

    def _add(self, line: str) -> None:
        if _may_have_prefix(line):
            match = _PREFIX.match(line)
            if match:
                self.labels[len(self.lines)] = next((name for name in match.groups() if name), "")
                line = line[match.end() :]
        self.lines.append(line.rstrip())

    def having(self, *signs: str) -> "Iterator[tuple[int, str]]":
        """The lines that hold one of the words, with their index: a cheap sieve in front of a pattern."""
        for index, line in enumerate(self.lines):
            for sign in signs:
                if sign in line:
                    yield index, line
                    break

    def near(self, index: int, span: int) -> "Iterator[tuple[int, str]]":
        """The `span` lines that follow a line."""
        for at in range(index + 1, min(index + 1 + span, len(self.lines))):
            yield at, self.lines[at]
