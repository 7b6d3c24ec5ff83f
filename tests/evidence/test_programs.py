"""The table of programs, its readers, and what a hook has to load for them."""

import subprocess
import sys
from importlib import import_module

import pytest

from ace_reflect.evidence import programs, runner_flags, wrapper_readers, wrapper_table
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.program_table import KINDS, MARKED

#: What a stop with news may load, of the modules that cost.
DENIED = {
    "dataclasses",
    "typing",
    "pathlib",
    "logging",
    "argparse",
    "asyncio",
    "urllib",
    "subprocess",
    "inspect",
    "shlex",
    "json",
}


@pytest.mark.parametrize("home", programs._HOMES)
def test_every_program_is_listed_where_its_reader_lives(home: str) -> None:
    readers = import_module(f"ace_reflect.evidence.{home}").READERS
    listed = {name for name, place in programs._HOME.items() if place == home}

    assert listed == set(readers)


def test_every_wrapper_that_needs_reading_has_a_reader_and_no_other_has() -> None:
    assert set(wrapper_readers.READERS) == wrapper_table.SPECIAL


def test_no_program_is_in_two_tables() -> None:
    tables = [set(programs._HOME), set(MARKED), set(KINDS)]
    twice = {name for table in tables for name in table if sum(name in other for other in tables) > 1}

    assert twice == set()


def test_the_tables_kinds_are_kinds() -> None:
    kinds = set(KINDS.values()) | {kind for rows in MARKED.values() for _, kind in rows}

    assert kinds <= set(CommandKind)


@pytest.mark.parametrize("row", runner_flags.ROWS)
def test_a_runners_option_means_one_thing(row: str) -> None:
    flags = runner_flags.flags_of(row)
    groups = [flags.select, flags.deselect, flags.values, flags.alone, flags.watch]
    twice = {option for group in groups for option in group if sum(option in other for other in groups) > 1}

    assert twice == set()


def test_a_hook_that_meets_commands_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from ace_reflect.evidence.commands import classify\n"
        "for line in ('cd a && npm test 2>&1 | tail', 'git push', 'gh pr create', 'cargo test', 'python x.py', 'pytest -k a', 'go test ./...',"
        " 'sed -i s/a/b/ f', 'eslint .', './run.sh', 'python - <<E\\nopen(\"a\",\"w\")\\nE'):\n"
        "    classify(line, '/repo')\n"
        "print(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {SOURCE!r})\n{script}"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert set(done.stdout.split()) & DENIED == set()


SOURCE = str(import_module("ace_reflect").__path__[0]).removesuffix("/ace_reflect")
