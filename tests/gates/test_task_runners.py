"""Who runs the project's own tasks is one and the same list for all who ask what may stand behind a task's name."""

from pathlib import Path

import pytest

from ace_reflect.evidence.call_words import TASK_RUNNERS
from ace_reflect.evidence.facts import Outcome
from ace_reflect.evidence.languages import proven_by
from ace_reflect.gates.model import State
from ace_reflect.project.facts import Scope
from support.ledgers import ledger_of, session
from support.work import Work, checkout, node_scope

CLAIM = "It is formatted. I ran `eslint src`."


def scope(folder: str, language: str) -> Scope:
    return Scope(dir=folder, languages=(language,), test_command="x", has_tests=True, tests_evidence="tests/a")


@pytest.mark.parametrize("name", TASK_RUNNERS)
@pytest.mark.parametrize(
    ("task", "state"),
    [
        ("test-web", State.DISPROVEN),
        ("web:tests", State.DISPROVEN),
        ("test-tools", State.PROVEN),
        ("test", State.PROVEN),
    ],
)
def test_a_task_named_for_a_package_proves_no_other_whatever_runs_it(name: str, task: str, state: State) -> None:
    language, ending = {"rake": ("ruby", "rb"), "composer": ("php", "php")}.get(name, ("typescript", "ts"))
    here = checkout(*(scope(where, language) for where in ("", "web", "tools")))
    work = Work().edit(f"tools/seed.{ending}").run(f"{name} {task}", runner=f"{name} {task}").say("Done.")

    assert work.gate("tests", here).state is state


@pytest.mark.parametrize("command", ["vitest web.test.ts", "pytest test_web.py"])
def test_a_runner_of_tests_is_given_files_and_no_tasks(command: str) -> None:
    here = checkout(node_scope(), *map(node_scope, ("web", "tools")))
    work = Work().edit("tools/seed.ts").run(command, runner="vitest").say("Done.")

    assert work.gate("tests", here).state is State.PROVEN


@pytest.mark.parametrize("name", TASK_RUNNERS)
def test_a_tasks_name_is_no_runners(name: str) -> None:
    assert "python" not in proven_by(f"{name} trial", f"{name} trial")
    assert "python" in proven_by("trial", "trial app.tests")


@pytest.mark.parametrize("name", TASK_RUNNERS)
def test_a_command_that_a_task_may_have_run_is_not_denied(name: str) -> None:
    work = Work("Format it").edit().run().call(f"{name} style").say(CLAIM)

    assert work.gate("claims", checkout()).state is not State.DISPROVEN


def test_who_installed_packages_has_not_linted_by_it() -> None:
    work = Work("Format it").edit().run().call("npm ci").say("It is formatted. I ran `npm run lint`.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize("command", ["make install", "task ci", "npm run ci", "npm install && npm run style"])
def test_a_projects_own_task_may_be_named_for_an_install(command: str) -> None:
    work = Work("Format it").edit().run().call(command).say(CLAIM)

    assert work.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize("name", TASK_RUNNERS)
def test_tests_that_a_task_may_have_run_are_not_denied(name: str) -> None:
    work = Work("Parse dates").edit().call(f"{name} gate").say("It parses dates now. All tests pass.")

    assert work.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize("command", ["ls -la", "git status", "cat Makefile", "rg remake src"])
def test_tests_that_nothing_can_have_run_are_denied(command: str) -> None:
    work = Work("Parse dates").edit().call(command).say("It parses dates now. All tests pass.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    "command",
    ["ls -la", "git status", "cat Makefile", "rg remake src", "npm install", "cd web && pnpm add -D zod", "npm ci"],
)
def test_a_command_that_nothing_can_have_run_is_denied(command: str) -> None:
    work = Work("Format it").edit().run().call(command).say(CLAIM)

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize("name", TASK_RUNNERS)
def test_tests_behind_a_task_of_any_name_are_known_by_what_they_print(tmp_path: Path, name: str) -> None:
    ledger = ledger_of(session(tmp_path).prompt("Go").bash(f"{name} gate", "===== 3 passed in 0.10s ====="))

    assert [(run.runner, run.outcome) for run in ledger.runs] == [("pytest", Outcome.PASSED)]
