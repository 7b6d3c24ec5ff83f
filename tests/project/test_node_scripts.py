"""What package.json's scripts do that go by the name of a test, and how the tests of an Nx workspace are started."""

import json
from pathlib import Path

import pytest

from ace_reflect.project.manifests.node_scripts import merged, script_kinds
from ace_reflect.project.read import read_project


def lay(root: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return root


@pytest.mark.parametrize(
    ("scripts", "rows"),
    [
        ({"check": "tsc --noEmit"}, ("check typecheck",)),
        ({"check": "svelte-kit sync && svelte-check --tsconfig ./tsconfig.json"}, ("check typecheck",)),
        ({"check": "biome check --write ."}, ("check format",)),
        ({"validate": "npm run lint && npm run types", "lint": "eslint .", "types": "tsc --noEmit"}, ("validate lint typecheck",)),
        ({"verify": "run-s lint typecheck test", "test": "vitest"}, ("verify lint test typecheck",)),
        ({"test": "npm run build && mocha", "build": "tsc"}, ("test build test",)),
        ({"pretest": "npm run build", "test": "node --test", "build": "tsc"}, ("test build test",)),
        ({"test": "tsc --noEmit && vitest run"}, ("test test typecheck",)),
        # What the body does not say is left to the name.
        ({"check": "turbo run check"}, ()),
        ({"check": "node scripts/all.mjs"}, ()),
        ({"check": "npm run check -w api"}, ()),
        ({"test": "vitest run"}, ()),
        ({"test": "eslint ."}, ()),
        ({"ci": "tsc --noEmit; vitest run"}, ()),
        ({"check": "npm run check"}, ()),
        ({"lint": "tsc"}, ()),
    ],
)  # fmt: skip
def test_a_script_that_goes_by_the_name_of_a_test(scripts: dict[str, str], rows: tuple[str, ...]) -> None:
    assert merged(script_kinds(scripts)) == rows


def test_one_package_whose_check_runs_tests_lets_the_name_stand_for_them() -> None:
    check, tests = {"check": "tsc"}, {"check": "vitest run"}

    assert merged((*script_kinds(check), *script_kinds(check))) == script_kinds(check)
    assert merged((*script_kinds(check), *script_kinds(tests))) == ()
    assert merged((*script_kinds(tests), *script_kinds({"check": "turbo run check"}))) == ()


def test_a_type_check_that_the_instructions_name_is_no_test_command(tmp_path: Path) -> None:
    manifest = {"scripts": {"check": "astro check", "test": "vitest run"}}
    lay(tmp_path, {"package.json": manifest, "a.test.ts": "", "CLAUDE.md": "Run `pnpm check` before you finish.\n"})

    assert read_project(str(tmp_path)).instructed_tests == ()

    lay(tmp_path, {"CLAUDE.md": "Run `pnpm check && pnpm test` before you finish.\n"})

    assert read_project(str(tmp_path)).instructed_tests == ("pnpm check && pnpm test",)


@pytest.mark.parametrize(
    ("more", "compiles"),
    [
        ({"scripts": {"test": "ng test"}}, True),
        ({"scripts": {"test": "jest"}, "devDependencies": {"ts-jest": "29"}}, True),
        ({"scripts": {"test": "jest"}, "devDependencies": {"ts-jest": "29"}, "jest": {"globals": {"ts-jest": {"isolatedModules": True}}}}, False),
        ({"scripts": {"test": "jest"}, "devDependencies": {"babel-jest": "29"}}, False),
        ({"scripts": {"test": "vitest run"}, "devDependencies": {"ts-jest": "29"}}, False),
    ],
)  # fmt: skip
def test_tests_that_are_compiled_with_their_types_build_too(
    more: dict[str, object], compiles: bool, tmp_path: Path
) -> None:
    lay(tmp_path, {"package.json": {**more}, "src/a.spec.ts": ""})

    assert read_project(str(tmp_path)).scopes[0].tests_build is compiles


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"nx.json": "{}", "pnpm-lock.yaml": ""}, "pnpm exec nx run-many -t test"),
        ({"nx.json": "{}"}, "npx nx run-many -t test"),
        ({}, "npx jest"),
    ],
)
def test_the_tests_of_an_nx_workspace_are_started_by_nx(files: dict[str, object], command: str, tmp_path: Path) -> None:
    manifest = {"devDependencies": {"jest": "29", "nx": "20"}}
    lay(tmp_path, {"package.json": manifest, "libs/data/src/a.spec.ts": "", **files})

    assert read_project(str(tmp_path)).scopes[0].test_command == command


def test_a_script_of_the_workspaces_own_goes_before_nx(tmp_path: Path) -> None:
    manifest = {"scripts": {"test": "nx affected -t test"}, "devDependencies": {"jest": "29"}}
    lay(tmp_path, {"package.json": manifest, "nx.json": "{}", "a.spec.ts": ""})

    assert read_project(str(tmp_path)).scopes[0].test_command == "npm test"
