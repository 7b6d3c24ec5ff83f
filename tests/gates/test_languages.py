"""Which code a run of tests can prove, by the name of its runner."""

import pytest

from ace_reflect.evidence.languages import of_file, proven_by
from ace_reflect.gates.model import State
from support.work import Work, checkout, python_scope


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
        ("django test", "python"),
        ("cucumber-js", "javascript"),
        ("codeceptjs", "javascript"),
        ("cucumber", "ruby"),
        ("codecept", "php"),
        ("pester", "powershell"),
        ("composer test", "php"),
        ("rake spec", "ruby"),
    ],
)
def test_runners_and_tasks_that_name_one(runner: str, language: str) -> None:
    assert language in proven_by(runner, runner)


def test_a_task_with_a_plain_name_proves_the_code_of_the_project() -> None:
    work = Work().edit("src/app.py").run("make test-unit", runner="make test-unit").say("Done.")

    assert work.gate("tests", checkout()).state is State.PROVEN


@pytest.mark.parametrize("path", ["resources/views/home.blade.php", "app/views/posts/index.html.erb", "a/b.html"])
def test_a_template_is_no_program(path: str) -> None:
    assert of_file(path) == ""


def test_the_code_beside_templates_is() -> None:
    assert (of_file("app/Http/Blade.php"), of_file("app/models/post.rb")) == ("php", "ruby")


def test_the_tests_of_django_do_not_prove_its_front_end() -> None:
    front = python_scope("web").replace(manifests=("package.json",), languages=("typescript",), test_command="npm test")
    work = Work().edit("web/src/main.ts").run("python manage.py test", runner="django test").say("Done.")

    assert work.gate("tests", checkout(python_scope(), front)).state is State.DISPROVEN


def test_a_powershell_module_is_proven_by_pester_where_it_is_in_use() -> None:
    used = Work().edit("src/Tools.psm1").run("Invoke-Pester", runner="pester", outcome="failed").say("Done.")
    unknown = Work().edit("scripts/build.ps1").say("Done.")

    assert used.gate("tests", checkout()).state is State.DISPROVEN
    assert unknown.gate("tests", checkout()).state is State.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("runner", "proves"),
    [
        ("mvn -pl billing test", {"jvm"}),
        ("gradle :pricing test", {"jvm"}),
        ("ng test", {"javascript"}),
        ("npx ng test --watch=false", {"javascript"}),
    ],
)
def test_a_module_whose_name_ends_as_a_runner_begins_is_not_that_runner(runner: str, proves: set[str]) -> None:
    assert proven_by(runner, runner) == proves


@pytest.mark.parametrize("manager", ["npm", "pnpm", "yarn", "bun"])
@pytest.mark.parametrize(
    ("task", "proves"),
    [("unittest", {"javascript"}), ("test:unit", {"javascript"}), ("build", {"javascript"}), ("test:py", set())],
)
def test_the_package_managers_are_of_one_kind(manager: str, task: str, proves: set[str]) -> None:
    assert proven_by(f"{manager} run {task}", f"{manager} run {task}") == proves
