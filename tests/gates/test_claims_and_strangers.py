"""A claim that the tests pass, where a program ran that no table names."""

import pytest

from ace_reflect.gates.model import State
from support.work import Work, checkout


@pytest.mark.parametrize(
    "command",
    [
        "gobot --headless -s checks/all.gd",
        "java -jar selfcheck.jar",
        "west-sim run native",
        "/opt/acme/bin/hil --all",
        "sui move test",
        "ward 2>&1 | tail -3",
    ],
)
def test_a_program_that_no_table_names_may_have_run_the_tests(command: str) -> None:
    work = Work("Save the coins").edit("autoload/save.py").call(command).say("Coins are saved. All 11 tests pass.")

    assert work.gate("claims", checkout()).state is State.UNKNOWN


@pytest.mark.parametrize(
    "command",
    ["git status", "mkdir -p out", "cat a.txt | sort", "cargo check", "cp a b && ls", "helm lint chart", "forge build"],
)
def test_a_program_that_does_something_else_has_not(command: str) -> None:
    work = Work("Save the coins").edit("autoload/save.py").call(command).say("Coins are saved. All 11 tests pass.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Added. Only `test_tz` fails, as you said; the other 2 tests pass.", State.PROVEN),
        ("Added. The remaining 2 tests pass, `test_tz` is the one that you told me to leave.", State.PROVEN),
        ("Added. Only `test_tz` fails, as you said; the other tests pass.", State.UNKNOWN),
    ],
)
def test_as_many_as_passed_beside_those_that_may_fail_are_shown(answer: str, state: State) -> None:
    work = Work("Add createdAt; test_tz is red on main, ignore that one").edit().run(outcome="failed", failed=1)

    assert work.say(answer).gate("claims", checkout()).state is state
