"""
The project's scripts that a call executed by themselves: `python scripts/release.py --dry-run`, `go run ./scripts/seed`.

A task runner names none (`npm run seed`, `make notes`), but it prints the command that it runs, and that one counts.
"""

from ace_reflect.evidence.call_words import TASK_RUNNERS, word_set
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.drafts import output_of
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import absolute, is_script
from ace_reflect.evidence.languages import of_file
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Result

#: They run a file, or a folder of Go's, whose name stands among their words.
_STARTERS = word_set("Rscript julia lua luajit elixir swift kotlin scala groovy")
_RUNS_FILES = frozenset(["go run", "deno run", "mix run", "rails runner", "dart run"])
#: How a task runner announces a command: npm, pnpm and composer, yarn, mise, Task, Poe; make, rake and just print it as it is.
_ANNOUNCED = Late(r"^(?:[>$] |\[[\w:.-]+\] \$ |task: \[[\w:.-]+\] |Poe => )?(\S.{2,300})$")
_MAX_LINES = 60


def executed(commands: "tuple[Command, ...]", result: "Result") -> "Iterator[tuple[Command, str]]":
    """The scripts with the command of the line that started each; paths are absolute."""
    for command in commands:
        if command.kind is CommandKind.TEST or command.simple.abroad:
            continue
        for word in _named(command) or _announced(command, result):
            path = absolute(word, command.cwd)
            if path.startswith("/") and is_script(path):
                yield command, path


def _named(command: "Command") -> tuple[str, ...]:
    if command.script:
        return (command.script,)
    if command.runner in _RUNS_FILES or command.runner.partition(" ")[0] in {*_STARTERS, "deno"}:
        go = command.runner == "go run"
        words = (word for word in command.argv[1:] if of_file(word) or (go and word.startswith("./")))
        return tuple(words)[:1]
    return ()


def _announced(command: "Command", result: "Result") -> tuple[str, ...]:
    if command.runner.partition(" ")[0] not in TASK_RUNNERS:
        return ()
    found: list[str] = []
    for line in output_of(result).split("\n", _MAX_LINES)[:_MAX_LINES]:
        match = _ANNOUNCED.match(line.strip()) if "/" in line else None
        if match and any(map(is_script, match[1].split()[:4])):
            found += (item.script for item in classify(match[1], command.cwd) if item.script)
    return tuple(dict.fromkeys(found))
