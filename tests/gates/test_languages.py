"""Which code a run of tests can prove, by the name of its runner."""

import pytest

from ace_reflect.gates.languages import proven_by
from ace_reflect.gates.model import State
from support.work import Work, checkout


@pytest.mark.parametrize(
    "runner", ["make test-unit", "just trial", "make prove", "task unittest", "mise run forward", "make unit-tests"]
)
def test_a_tasks_plain_name_is_no_runners(runner: str) -> None:
    assert proven_by(runner, runner) == frozenset()


@pytest.mark.parametrize(
    ("runner", "language"),
    [
        ("make pytest", "python"),
        ("npm run unittest", "javascript"),
        ("npm run test:backward", "javascript"),
        ("make jest", "javascript"),
        ("test-unit", "ruby"),
        ("prove", "perl"),
        ("mix test", "elixir"),
        ("python -m unittest", "python"),
    ],
)
def test_runners_and_tasks_that_name_one(runner: str, language: str) -> None:
    assert language in proven_by(runner, runner)


def test_a_task_with_a_plain_name_proves_the_code_of_the_project() -> None:
    work = Work().edit("src/app.py").run("make test-unit", runner="make test-unit").say("Done.")

    assert work.gate("tests", checkout()).state is State.PROVEN
