"""Runs of package.json's scripts are what their bodies say, and a build of named packages builds no other."""

import pytest

from ace_reflect.gates.model import State
from ace_reflect.project.facts import Scope
from support.work import Work, checkout, node_scope

CHECK = ("check lint typecheck",)
VERIFY = ("verify test typecheck",)


def states(work: Work, *kinds: str) -> tuple[State, State]:
    project = checkout(node_scope(build=True), script_kinds=kinds)
    said = work.say("Done.")
    return said.gate("tests", project).state, said.gate("build", project).state


@pytest.mark.parametrize("runner", ["npm run check", "pnpm check", "yarn check", "bun run check"])
def test_a_check_of_types_proves_the_build_and_no_test(runner: str) -> None:
    alone = Work().edit("src/a.ts").run(runner, runner=runner)
    assert states(alone, *CHECK) == (State.DISPROVEN, State.PROVEN)

    beside = Work().edit("src/a.ts").run("npm test", runner="npm test").run(runner, runner=runner)
    assert states(beside, *CHECK) == (State.PROVEN, State.PROVEN)


def test_a_linter_proves_neither() -> None:
    assert states(Work().edit("src/a.ts").run("npm run check", runner="npm run check"), "check lint") == (
        State.DISPROVEN,
        State.DISPROVEN,
    )


def test_a_check_that_failed_and_passes_now_leaves_the_tests_as_they_were() -> None:
    work = Work().edit("src/a.ts").run("npm test", runner="npm test")
    work.run("npm run check", "failed", runner="npm run check")
    assert states(work, *CHECK) == (State.PROVEN, State.DISPROVEN)


def test_a_script_of_tests_and_types_proves_both() -> None:
    assert states(Work().edit("src/a.ts").run("npm run verify", runner="npm run verify"), *VERIFY) == (
        State.PROVEN,
        State.PROVEN,
    )


def test_where_such_a_script_failed_the_tests_did() -> None:
    assert states(Work().edit("src/a.ts").run("npm run verify", "failed", runner="npm run verify"), *VERIFY) == (
        State.DISPROVEN,
        State.DISPROVEN,
    )


@pytest.mark.parametrize("runner", ["make check", "bun test", "vitest", "npm run check:all"])
def test_what_is_no_such_script_stays_what_its_name_says(runner: str) -> None:
    tests, _ = states(Work().edit("src/a.ts").run(runner, runner=runner), *CHECK, "test lint")
    assert tests is State.PROVEN


# -- a build of named packages


def built(body: str, folder: str = "server") -> State:
    root = node_scope(build=True).replace(build_evidence=f"package.json script build: {body}", has_tests=False)
    packages = [node_scope("server"), node_scope("client", build=True)]
    work = Work().edit(f"{folder}/src/a.ts").run("npm test", runner="npm test").say("Done.")
    return work.gate("build", checkout(root, *packages)).state


@pytest.mark.parametrize(
    "body",
    [
        "npm run build -w client",
        "npm run build --workspace=client",
        "pnpm --filter web build",
        "cd client && vite build",
        "npm --prefix client run build",
        "yarn workspace shared build && yarn workspace client build",
    ],
)
def test_a_build_of_named_packages_asks_for_nothing_of_another(body: str) -> None:
    assert built(body) is State.NOT_APPLICABLE
    assert built(body, "client") is State.DISPROVEN


@pytest.mark.parametrize(
    "body", ["turbo run build", "tsc -b", "npm run build -w client && tsc", "webpack --watch=false"]
)
def test_a_build_of_everything_asks_for_a_package_without_one(body: str) -> None:
    assert built(body) is State.DISPROVEN


def test_code_outside_of_every_package_belongs_to_the_roots_build() -> None:
    root = Scope(dir="", languages=("typescript",), has_build=True, build_evidence="package.json script build: cd web && vite build")  # fmt: skip
    assert Work().edit("src/a.ts").say("Done.").gate("build", checkout(root)).state is State.DISPROVEN
