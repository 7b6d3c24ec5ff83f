"""Printed output as clean lines: no colour, no redrawn progress, no prefix of a task runner in front."""

from functools import lru_cache

from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
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

# What task runners put in front of each line, with the name of the task or package in group 1. Each is asked only where
# the line has what it needs, in this order:
#   mise "[test:unit] ", concurrently "[0] ", yarn "[@scope/pkg]: "
_BRACKETED = Late(
    r"\[(?!(?:[A-Z_]+|info|error|warn|debug|success|fatal)\])(?=[@\w./:#=-]{0,79}[a-z\d])([@\w./:#=-]{1,80})\]:?[ ]",
    needs=("] |]:",),
)
#   fastlane "[10:02:14]: ▸ "
_CLOCK = Late(r"()\[\d\d:\d\d:\d\d\]:[ ](?:▸[ ])?")
#   turbo "api:test: "
_TASK = Late(r"([@\w./-]{1,80}:(?=[A-Za-z@_])[\w./:@-]{1,80}):[ ]")
#   pnpm -r "packages/api test: "
_IN_FOLDER = Late(
    r"((?:\.|[@\w][@\w./-]{0,80})[ ](?:test|check|lint|build|typecheck|type-check|verify|ci|spec|e2e)(?::[\w-]{1,40})?)[:$][ ]"
)
_TASKS = ("test", "check", "lint", "build", "type", "verify", "ci", "spec", "e2e")
_SCOPED = Late(r"(@[\w.-]{1,60}/[\w.-]{1,60}):[ ]")
#   docker compose "web-1  | ", moon "web:test | "
_SERVICE = Late(r"([\w.-]{1,60}[-_]\d{1,3}|[@\w./-]{1,80}:[A-Za-z][\w-]{0,60})[ ]{1,20}\|[ ]")
#   `gh run view --log` "job⇥step⇥2024-…Z "
_JOB = Late(r"([^\t]{1,80})\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z[ ]")
#   docker build "#12 3.456 "
_STEP = Late(r"(\#\d{1,4})[ ]\d{1,6}\.\d{1,6}[ ]")
#   lefthook and lint-staged gutters "┃  ", xcpretty "▸ "
_GUTTER = Late(r"()(?:[┃│][ ]{1,4}|▸[ ])")
_MARKS = frozenset("[#┃│▸")
_LOST_ESCAPES = tuple(f"[{digit}" for digit in range(10))


def _prefix(line: str) -> "re.Match[str] | None":
    """The prefix in front of a line; most have none."""
    if line[:1] in _MARKS or ": " in line or "$ " in line or " | " in line or "\t" in line:
        for pattern in _possible(line):
            match = pattern.match(line)
            if match:
                return match
    return None


def _possible(line: str) -> "Iterator[Late]":
    """The prefixes that a line may have, by what each of them needs."""
    first, colon = line[:1], line.find(": ")
    if first == "[" and line[9:12] == "]: ":
        yield _CLOCK
    if first == "[" and line.find("]", 0, 82) < line.find(" ") and ("] " in line[:84] or "]: " in line[:84]):
        yield _BRACKETED  # "[main 1a2b3c4] Say why" holds a blank
    if 0 <= line.find(":") < colon and " " not in line[:colon]:
        yield _TASK
    second = line.partition(" ")[2].partition(" ")[0]
    if second[-1:] in (":", "$") and second.startswith(_TASKS):
        yield _IN_FOLDER
    if first == "@" and colon > 0:
        yield _SCOPED
    before_bar = line[: max(line.find(" | "), 0)].rstrip(" ")
    if before_bar[-1:].isdecimal() or (":" in before_bar and " " not in before_bar):
        yield _SERVICE
    if "Z " in line and line.count("\t") > 1:
        yield _JOB
    if first == "#" and line[1:2].isdecimal():
        yield _STEP
    if first in ("┃", "│", "▸"):
        yield _GUTTER


def _may_hold_colours(output: str) -> bool:
    """Whether the rest of a colour is there that lost its escape character: `[31m`, `[1;31m`."""
    if "m" not in output or not any(map(output.__contains__, _LOST_ESCAPES)):
        return False
    inside = (part[: part.find("m", 1, 20)] for part in output.split("[")[1:] if "m" in part[1:20])
    return any(numbers.replace(";", "").isdecimal() for numbers in inside)


def without_escapes(output: str) -> str:
    """An output without colours, cursor moves and the addresses of links."""
    return _ESCAPES.sub("", output)


def first_match(patterns: tuple[Late, ...], line: str) -> "re.Match[str] | None":
    """The match of the first of the patterns that the line matches: one expression for all would be slow to compile."""
    for pattern in patterns:
        match = pattern.match(line)
        if match:
            return match
    return None


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
        if "\x1b" in output or _may_hold_colours(output):
            output = without_escapes(output)
        self.lines: list[str] = []
        self.labels: dict[int, str] = {}
        for line in _BREAKS.split(output) if "\r" in output or "\x0c" in output else output.split("\n"):
            self._add(line[:LINE_CHARS])
        self.whole = "\n".join(("", *self.lines, ""))  # every line between two line ends

    def _add(self, line: str) -> None:
        match = _prefix(line)
        if match:
            self.labels[len(self.lines)] = match[1]
            line = line[match.end() :]
        self.lines.append(line.rstrip())

    def having(self, *signs: str) -> "Iterator[tuple[int, str]]":
        """The lines that hold one of the words, with their index: a cheap sieve in front of a pattern."""
        for index, line in enumerate(self.lines):
            for sign in signs:
                if sign in line:
                    yield index, line
                    break

    def blocks(self, pattern: Late, *signs: str, gap: int = 4) -> "Iterator[tuple[int, int, dict[str, int]]]":
        """
        Closing lines of one count each ("  12 passing"): the index of a block's first and last line, and its counts by word.

        The pattern's groups are `number` and `word`, and the signs those of `having`. A word that comes again begins
        another block, and so do more than `gap` lines without a count.
        """
        counts: dict[str, int] = {}
        first = last = 0
        for index, line in self.having(*signs):
            match = pattern.match(line)
            if not match:
                continue
            if counts and (match["word"] in counts or index - last > gap):
                yield first, last, counts
                counts = {}
            first = first if counts else index
            counts[match["word"]], last = int(match["number"]), index
        if counts:
            yield first, last, counts

    def holds(self, signs: tuple[str, ...]) -> bool:
        """Whether one of the words is there at all."""
        return any(map(self.whole.__contains__, signs))

    def possible(self, patterns: tuple[Late, ...]) -> tuple[Late, ...]:
        """Those of the patterns that some line may match: the whole rules out most of them at once."""
        return tuple(pattern for pattern in patterns if pattern.may_match(self.whole))

    def near(self, index: int, span: int) -> "Iterator[tuple[int, str]]":
        """The `span` lines that follow a line."""
        for at in range(index + 1, min(index + 1 + span, len(self.lines))):
            yield at, self.lines[at]
