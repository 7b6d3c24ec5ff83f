"""What CONTRIBUTING's "Add a test runner" asks for, as far as a table can be wrong without an error."""

import json
from pathlib import Path

import pytest

from ace_reflect.evidence import runner_flags
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.program_table import KINDS, MARKED
from ace_reflect.evidence.programs import _HOME
from ace_reflect.evidence.runner_table import PLAIN_RUNNERS
from ace_reflect.evidence.runners import read_all
from ace_reflect.evidence.runners.share import _SCRIPTS
from ace_reflect.evidence.runners.table import TESTS, modules_of

RUNNERS = Path(__file__).parent.parent / "fixtures" / "runners"
INDEX = json.loads((RUNNERS / "index.json").read_text(encoding="utf-8"))


def test_no_test_runner_stands_in_the_table_of_programs_without_options() -> None:
    whole = {name for name, rows in MARKED.items() if ("*", "test") in rows}

    assert {name for name, kind in KINDS.items() if kind == "test"} | whole == set(), "runner_table.PLAIN_RUNNERS"


@pytest.mark.parametrize("name", PLAIN_RUNNERS)
def test_a_runner_has_a_home_and_a_row_of_options(name: str) -> None:
    assert name in _HOME, 'programs._HOMES["runner_calls"]'
    assert PLAIN_RUNNERS[name][1] in runner_flags.ROWS, "flag_table.ROWS"


@pytest.mark.parametrize("name", [name for name, row in PLAIN_RUNNERS.items() if row[1] == "any"])
def test_a_runner_without_a_row_of_its_own_still_tells_a_list_from_a_run(name: str) -> None:
    subcommand = " ".join(PLAIN_RUNNERS[name][2][:1])

    for command in classify(f"{name} {subcommand} --list") + classify(f"{name} {subcommand} --help"):
        assert command.kind is not CommandKind.TEST or command.collects_only, command


@pytest.mark.parametrize(
    ("line", "narrowed"),
    [
        ("uvu --filter parser", "--filter parser"),
        ("wdio --spec a.js", "--spec a.js"),
        ("python -m doctest -o ELLIPSIS src/a.py", "src/a.py"),
        ("cucumber --tags @slow", "@slow"),
    ],
)
def test_a_narrowed_call_is_no_run_of_all_tests(line: str, narrowed: str) -> None:
    (command,) = classify(line)

    assert command.kind is CommandKind.TEST
    assert narrowed in (command.selected, *command.targets)


@pytest.mark.parametrize("line", ["python -m unittest -v", "prove -v", "tox -v", "ctest -V", "poetry run nox -v"])
def test_a_runner_that_is_only_told_to_say_more_runs_its_tests(line: str) -> None:
    assert [item.kind for item in classify(line)] == [CommandKind.TEST]


@pytest.mark.parametrize("line", ["node -v", "bats -v", "ctest --version", "tox -h", "mocha -v", "mypy -V"])
def test_a_runner_that_is_asked_for_its_version_runs_nothing(line: str) -> None:
    assert [item.kind for item in classify(line)] == [CommandKind.READ]


def test_every_family_has_a_recorded_output_and_the_names_that_its_calls_get() -> None:
    """A make, an npm or a lerna starts whatever the project says: their names tell none."""
    recorded, nameless = set(), set()
    for name, entry in INDEX.items():
        found = {item.family for item in read_all((RUNNERS / f"{name}.txt").read_text("utf-8"), entry["runner"])}
        recorded |= found
        for command in classify(entry.get("command", "")):
            if command.kind is CommandKind.TEST and not modules_of(command.runner) and found:
                nameless.add(command.runner.split()[0])

    assert {family.module for family in TESTS} - recorded == {"crashes"}
    assert nameless <= _SCRIPTS
