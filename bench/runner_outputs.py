"""
All distinct outputs of test runners (or builds and checkers) met in transcripts, with what is read from each.

    python bench/runner_outputs.py [FOLDER…] [--checks] [--outcome unknown] [--tail 3] [--json]

FOLDER defaults to ../shared/transcripts beside the checkout, the wide set included. Two outputs are the same when the
runner, the outcome, what decided and the shape of the deciding line (digits and paths left out) are the same; the table
shows how often each was met and the first place. `--tail N` prints the last N lines of that first output below its row.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from corpus import SHARED

from ace_reflect.evidence.commands import Command, classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.outcomes import Reading, read_outcome
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import ToolResult, ToolUse

CHECKS = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK)
_SHAPES = (
    (re.compile(r"\S*/\S*"), "PATH"),
    (re.compile(r"\d[\d.,:]*"), "N"),
    (re.compile(r"(.)\1{3,}"), r"\1…"),
)


@dataclass
class Row:
    """One distinct output: `place` is where it was met first, `line` the deciding line there."""

    count: int
    runner: str
    outcome: str
    why: str
    line: str
    place: str
    command: str
    tail: str


def shape(text: str) -> str:
    for pattern, name in _SHAPES:
        text = pattern.sub(name, text)
    return text


def results(path: Path) -> Iterator[tuple[ToolUse, ToolResult]]:
    uses: dict[str, ToolUse] = {}
    for record in TranscriptReader(str(path), final=True):
        if isinstance(record, ToolUse) and record.name == "Bash":
            uses[record.id] = record
        elif isinstance(record, ToolResult) and record.tool_use_id in uses:
            yield uses[record.tool_use_id], record


def readings(
    path: Path, kinds: tuple[CommandKind, ...]
) -> Iterator[tuple[ToolUse, ToolResult, Command, Reading]]:
    for use, result in results(path):
        commands = classify(str(use.input.get("command", "")))
        for command in commands:
            if command.kind in kinds:
                yield use, result, command, read_outcome(commands, result, command)


def table(folders: list[Path], kinds: tuple[CommandKind, ...]) -> list[Row]:
    rows: dict[tuple[str, str, str, str], Row] = {}
    for path in sorted(path for folder in folders for path in folder.rglob("*.jsonl")):
        for use, result, command, reading in readings(path, kinds):
            key = (command.runner, str(reading.outcome), shape(reading.why), shape(reading.quote))
            row = rows.get(key)
            if row is None:
                shown = " ".join(str(use.input["command"]).split())[:200]
                tail = "\n".join(result.text.rstrip().split("\n")[-30:])
                rows[key] = Row(
                    1,
                    command.runner,
                    key[1],
                    reading.why,
                    reading.quote,
                    f"{path.name}:{use.line}",
                    shown,
                    tail,
                )
            else:
                row.count += 1
    return sorted(rows.values(), key=lambda row: (row.runner, row.outcome, -row.count))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument(
        "--checks", action="store_true", help="builds, linters and type checkers instead of tests"
    )
    parser.add_argument("--outcome", help="only rows with this outcome")
    parser.add_argument(
        "--tail", type=int, default=0, metavar="N", help="the last N lines of each first output"
    )
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    rows = table(asked.folders or [SHARED], CHECKS if asked.checks else (CommandKind.TEST,))
    rows = [row for row in rows if asked.outcome in (None, row.outcome)]
    if asked.json:
        json.dump([asdict(row) for row in rows], sys.stdout, indent=1, ensure_ascii=False)
        return 0
    for row in rows:
        print(f"{row.count:4} {row.runner:22.22} {row.outcome:8} {row.why[:60]:60} {row.line[:70]}")
        print(f"     {row.place}  $ {row.command}")
        for line in row.tail.split("\n")[-asked.tail :] if asked.tail else ():
            print(f"     | {line[:150]}")
    print(f"{sum(row.count for row in rows)} outputs, {len(rows)} distinct")
    return 0


if __name__ == "__main__":
    sys.exit(main())
