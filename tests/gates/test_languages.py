"""Which code a run of tests can prove, by the name of its runner."""

import pytest

from ace_reflect.evidence.languages import of_file, proven_by
from ace_reflect.gates.model import State
from support.work import Work, checkout, node_scope, python_scope


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


@pytest.mark.parametrize(
    ("runner", "path"),
    [
        ("hardhat test", "test/Vault.ts"),
        ("truffle test", "test/vault.js"),
        ("hardhat test", "contracts/Vault.sol"),
        ("mix test", "native/sum/src/lib.rs"),
        ("mix test", "c_src/sum.c"),
        ("rspec", "ext/sum/sum.c"),
        ("npm run test:wasm", "crate/src/lib.rs"),
    ],
)
def test_a_runner_proves_what_its_tests_are_written_in_and_what_they_load(runner: str, path: str) -> None:
    proves = proven_by(runner, runner)

    assert not proves or of_file(path) in proves


@pytest.mark.parametrize(
    ("runner", "path"),
    [
        ("forge test", "script/deploy.ts"),
        ("mix test", "assets/js/app.ts"),
        ("npm run test:ui", "crate/src/lib.rs"),
        ("cargo test", "web/app.ts"),
    ],
)
def test_a_runner_proves_nothing_that_only_stands_beside_it(runner: str, path: str) -> None:
    assert of_file(path) not in (proven_by(runner, runner) or {of_file(path)})


@pytest.mark.parametrize("path", ["src/app.gleam", "src/Main.purs", "lib/main.rkt", "source/app.d", "src/vault.cairo"])
def test_a_language_with_a_test_runner_of_its_own_makes_debt(path: str) -> None:
    work = Work().edit(path).run("make test", "failed", runner="make test").say("Done.")

    assert work.gate("tests", checkout()).state is State.DISPROVEN


def test_a_markup_language_beside_them_makes_none() -> None:
    work = Work().edit("web/app.scss").run("make test", "failed", runner="make test").say("Done.")

    assert work.gate("tests", checkout()).state is State.NOT_APPLICABLE


_NATIVE_MODULE = node_scope(build=True).replace(
    manifests=("package.json", "Cargo.toml"), languages=("typescript", "rust")
)
_CRATE = python_scope("crate").replace(
    manifests=("Cargo.toml",), languages=("rust",), has_build=True, build_command="cd crate && cargo build"
)


@pytest.mark.parametrize("command", ["npm run build", "pnpm run build", "yarn build"])
def test_the_build_that_a_project_has_for_a_language_settles_it(command: str) -> None:
    work = Work().edit("src/lib.rs").run(command, kind="build", runner=command).say("Done.")

    assert work.gate("build", checkout(_NATIVE_MODULE)).state is State.PROVEN


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("npm run build:wasm", State.PROVEN),
        ("yarn build:napi", State.PROVEN),
        ("npm run build", State.DISPROVEN),
        ("npm run build:css", State.DISPROVEN),
    ],
)
def test_another_packages_build_counts_for_a_crate_only_where_it_is_named_for_native_code(
    command: str, state: State
) -> None:
    work = Work().edit("crate/src/lib.rs").run(command, kind="build", runner=command).say("Done.")

    assert work.gate("build", checkout(node_scope(build=True), _CRATE)).state is state
