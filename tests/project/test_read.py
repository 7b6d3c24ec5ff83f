"""A checkout's facts, read from real files and a real git."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from ace_reflect.project.facts import Project
from ace_reflect.project.git import read_git, without_login
from ace_reflect.project.infer import merge
from ace_reflect.project.read import read_project
from ace_reflect.project.tree import stamp


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def git(root: Path, *words: str) -> None:
    subprocess.run(
        ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.c", *words], check=True, capture_output=True
    )


MANIFESTS = {
    "npm": ({"package.json": '{"scripts": {"test": "node --test", "build": "tsc"}}', "a.test.js": ""}, "npm test", "npm run build"),
    "pnpm": ({"package.json": '{"scripts": {"test": "vitest run"}}', "pnpm-lock.yaml": "", "src/a.test.ts": ""}, "pnpm test", ""),
    "yarn": ({"package.json": '{"scripts": {"test": "jest", "build": "vite build"}}', "yarn.lock": "", "__tests__/a.js": ""}, "yarn test", "yarn build"),
    "bun script": ({"package.json": '{"scripts": {"test": "bun test src"}}', "bun.lock": "", "src/a.test.ts": ""}, "bun run test", ""),
    "bun": ({"package.json": "{}", "bun.lockb": "", "src/a.test.ts": ""}, "bun test", ""),
    "packageManager": ({"package.json": '{"packageManager": "pnpm@9.1.0", "scripts": {"test": "mocha"}}', "test/a.spec.js": ""}, "pnpm test", ""),
    "mocha by its folder": ({"package.json": '{"scripts": {"test": "mocha --exit"}}', "test/orders.js": ""}, "npm test", ""),
    "vitest without a script": ({"package.json": '{"devDependencies": {"vitest": "^3"}}', "a.test.ts": ""}, "npx vitest run", ""),
    "uv": ({"pyproject.toml": '[project]\nname="x"\n[tool.pytest.ini_options]\n', "uv.lock": "", "tests/test_a.py": ""}, "uv run pytest", ""),
    "poetry": ({"pyproject.toml": '[tool.poetry.group.dev.dependencies]\npytest = "*"\n', "poetry.lock": "", "tests/test_a.py": ""}, "poetry run pytest", ""),
    "setup.cfg": ({"setup.cfg": "[tool:pytest]\n", "setup.py": "", "tests/test_a.py": ""}, "pytest", ""),
    "unittest": ({"setup.py": "", "tests/test_a.py": "import unittest\nclass T(unittest.TestCase): ...\n"}, "python -m unittest", ""),
    "django": ({"manage.py": "", "app/tests.py": "from django.test import TestCase\n"}, "python manage.py test", ""),
    "django with poetry": ({"manage.py": "", "pyproject.toml": "[tool.poetry]\n", "poetry.lock": "", "app/tests.py": "from django.test import TestCase\n"}, "poetry run python manage.py test", ""),
    "unittest with uv": ({"pyproject.toml": '[project]\nname="x"\n', "uv.lock": "", "tests/test_a.py": "import unittest\n"}, "uv run python -m unittest", ""),
    "hatch script": ({"pyproject.toml": '[project]\nname="x"\n[tool.hatch.envs.default.scripts]\ntest = "pytest {args}"\n', "tests/test_a.py": ""}, "hatch run test", ""),
    "hatch without one": ({"pyproject.toml": '[project]\nname="x"\n[tool.hatch.envs.default.scripts]\nlint = "ruff check"\n', "tests/test_a.py": "def test_a(): ...\n"}, "pytest", ""),
    "pdm script": ({"pyproject.toml": '[project]\nname="x"\n[tool.pdm.scripts]\ntests = {composite = ["pytest"]}\n', "pdm.lock": "", "tests/test_a.py": ""}, "pdm run tests", ""),
    "tox": ({"tox.ini": "[tox]\n", "setup.py": "", "tests/test_a.py": "import unittest\n"}, "tox", ""),
    "cargo": ({"Cargo.toml": '[package]\nname="x"\n', "src/lib.rs": "#[cfg(test)]\nmod tests {}\n"}, "cargo test", "cargo build"),
    "cargo workspace": ({"Cargo.toml": '[workspace]\nmembers=["a"]\n[package]\nname="r"\n', "tests/it.rs": ""}, "cargo test --workspace", "cargo build --workspace"),
    "go": ({"go.mod": "module x\n", "x_test.go": ""}, "go test ./...", "go build ./..."),
    "maven": ({"pom.xml": "<project/>", "mvnw": "", "src/test/java/ATest.java": ""}, "./mvnw test", "./mvnw compile"),
    "gradle": ({"build.gradle.kts": "", "gradlew": "", "src/test/kotlin/ATest.kt": ""}, "./gradlew test", "./gradlew assemble"),
    "sbt": ({"build.sbt": "", "src/test/scala/ASpec.scala": ""}, "sbt test", "sbt compile"),
    "dotnet": ({"App.sln": "", "src/App/App.csproj": "<Project/>", "tests/T/T.csproj": '<PackageReference Include="Microsoft.NET.Test.Sdk"/>'}, "dotnet test", "dotnet build"),
    "make": ({"Makefile": ".PHONY: test build\nCC := gcc\ntest: build\n\tgo test\nbuild:\n\tgo build\n"}, "make test", "make build"),
    "just": ({"justfile": "set shell := ['bash']\nname := 'x'\n@test *args:\n  pytest\nbuild target='a':\n  x\n"}, "just test", "just build"),
    "task": ({"Taskfile.yml": "version: '3'\n\ntasks:\n  test:\n    cmds: [go test]\n  build:\n    cmds: [x]\n"}, "task test", "task build"),
    "mise": ({"mise.toml": '[tasks.test]\nrun = "go test"\n[tasks."test:ci"]\nrun="x"\n', "go.mod": "module x"}, "mise run test", "go build ./..."),
    "rspec": ({"Gemfile": "", "spec/a_spec.rb": ""}, "bundle exec rspec", ""),
    "minitest": ({"Gemfile": "", "Rakefile": "", "test/a_test.rb": ""}, "bundle exec rake test", ""),
    "composer": ({"composer.json": '{"scripts": {"test": ["@php vendor/bin/phpunit"]}}'}, "composer test", ""),
    "phpunit": ({"composer.json": '{"require-dev": {"phpunit/phpunit": "^11"}}', "tests/ATest.php": ""}, "vendor/bin/phpunit", ""),
    "mix": ({"mix.exs": "", "test/a_test.exs": ""}, "mix test", "mix compile"),
    "swift": ({"Package.swift": "", "Tests/ATests/A.swift": ""}, "swift test", "swift build"),
    "flutter": ({"pubspec.yaml": "dependencies:\n  flutter:\n    sdk: flutter\n", "test/a_test.dart": ""}, "flutter test", ""),
    "deno": ({"deno.jsonc": '{ // c\n "tasks": {"build": "x",},}', "a_test.ts": ""}, "deno test", "deno task build"),
    "cmake with presets": ({"CMakeLists.txt": "enable_testing()\n", "CMakePresets.json": '{"testPresets": [{"name": "base", "hidden": true}, {"name": "dev"}], "buildPresets": [{"name": "release"}]}'}, "ctest --preset dev", "cmake --build --preset release"),
    "cmake with other presets": ({"CMakeLists.txt": "enable_testing()\n", "CMakePresets.json": '{"configurePresets": [{"name": "dev"}], "testPresets": ["a"]}'}, "ctest --test-dir build", "cmake --build build"),
    "cmake": ({"CMakeLists.txt": "project(x)\nenable_testing()\nadd_test(NAME a COMMAND a)\n"}, "ctest --test-dir build", "cmake --build build"),
    "bats": ({"lib/log.sh": "", "test/log.bats": ""}, "bats test", ""),
    "bats as a submodule": ({"a.sh": "", "test/bats/test/fixtures/x.bats": "", "test/zip.bats": ""}, "bats test", ""),
    "bats in folders": ({"bin/tool": "", "tests/unit/log.bats": ""}, "bats -r tests", ""),
    "bats with make": ({"Makefile": "test:\n\tbats test\n", "a.sh": "", "test/a.bats": ""}, "make test", ""),
    "zig": ({"build.zig": 'const t = b.step("test", "Run tests");', "src/a.zig": 'test "a" {}\n'}, "zig build test", "zig build"),
    "perl": ({"Makefile.PL": "", "t/a.t": ""}, "prove -l", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", MANIFESTS)
def test_the_commands_are_those_a_person_would_type(name: str, tmp_path: Path) -> None:
    files, test, build = MANIFESTS[name]

    project = read_project(str(lay(tmp_path, files)))

    assert project.present
    assert (project.test_command, project.build_command) == (test, build)
    assert project.has_tests
    assert project.scopes[0].tests_evidence


@pytest.mark.parametrize(
    "files",
    [
        {"package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}'},
        {"package.json": '{"scripts": {"lint": "eslint"}, "devDependencies": {"vitest": "1"}}', "src/a.ts": ""},
        {"Cargo.toml": '[package]\nname="x"\n', "src/main.rs": "fn main() {}"},
        {"go.mod": "module x", "main.go": "package main"},
        {"pyproject.toml": '[project]\nname="x"\ndependencies=["pytest"]\n', "x.py": ""},
        {"pyproject.toml": '[project]\nname="x"\n[tool.pytest.ini_options]\n', "x.py": ""},
        {"x.py": "", "tests/make_data.py": "print(1)"},
        {"x.py": "", "scripts/tests/test_x.py": "def test_a(): ..."},
        {"a.sh": "", "e2e/a.bats": "", "server.js": ""},
        {"Dockerfile": "", "build.sh": "", "test/image.bats": ""},
        {"README.md": "# Notes"},
        {},
    ],
)
def test_a_project_without_a_single_test_has_none(files: dict[str, str], tmp_path: Path) -> None:
    assert not read_project(str(lay(tmp_path, files))).has_tests


@pytest.mark.parametrize(
    ("files", "test", "bare"),
    [
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "src/a.ts": ""}, "npm test", True),
        ({"package.json": '{"scripts": {"test": "vitest run"}}', "test/server.js": ""}, "npm test", True),
        ({"package.json": '{"scripts": {"test": "mocha"}}', "src/test/a.js": ""}, "npm test", True),
        ({"package.json": '{"scripts": {"test": "jest"}}', "src/a.test.js": ""}, "npm test", False),
        ({"package.json": '{"scripts": {"test": "./check.sh"}}', "src/a.js": ""}, "npm test", False),
        ({"pyproject.toml": '[project]\nname="x"\n', "x.py": "", "tests/__init__.py": ""}, "python -m unittest", True),
        ({"x.py": "", "tests/test_x.py": "def test_a(): ..."}, "pytest", False),
        ({"x.py": "", "test/unit/x_test.py": "import unittest\n"}, "python -m unittest", False),
        ({"x.py": "", "go.mod": "module x", "tests/test_x.py": "import pytest\n"}, "pytest", False),
    ],
)
def test_a_script_or_a_folder_shows_that_there_are_tests(
    files: dict[str, str], test: str, bare: bool, tmp_path: Path
) -> None:
    scope = next(scope for scope in read_project(str(lay(tmp_path, files))).scopes if scope.has_tests)

    assert scope.no_test_file is bare
    assert read_project(str(tmp_path)).scopes[0].test_command == test


def test_each_package_of_a_monorepo_is_a_scope_of_its_own(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "package.json": '{"workspaces": ["packages/*"], "scripts": {"lint": "eslint ."}}',
            "pnpm-workspace.yaml": "packages: ['packages/*']",
            "packages/api/package.json": '{"name": "api", "scripts": {"test": "vitest run", "verify": "pnpm lint && pnpm test"}}',
            "packages/api/src/a.test.ts": "",
            "packages/my site/package.json": '{"name": "site", "scripts": {"build": "astro build"}}',
            "tools/gen/go.mod": "module gen",
            "tools/gen/gen_test.go": "",
            "packages/api/tests/fixtures/app/package.json": '{"scripts": {"test": "jest"}}',
        },
    )

    project = read_project(str(tmp_path))

    assert {scope.dir: (scope.test_command, scope.has_tests) for scope in project.scopes} == {
        "": ("", False),
        "packages/api": ("cd packages/api && pnpm test", True),
        "packages/my site": ("", False),
        "tools/gen": ("cd tools/gen && go test ./...", True),
    }
    assert project.scopes[2].build_command == "cd 'packages/my site' && pnpm build"


def test_two_suites_of_one_folder_are_told_apart_by_their_language(tmp_path: Path) -> None:
    vue = '{"scripts": {"test": "vitest run", "build": "vite build"}, "devDependencies": {"vitest": "3"}}'
    lay(
        tmp_path,
        {
            "Gemfile": 'gem "rspec-rails"',
            "spec/post_spec.rb": "",
            "package.json": vue,
            "app/javascript/cart.test.js": "",
        },
    )

    project = merge(read_project(str(tmp_path)), Project(root=str(tmp_path)))

    assert {scope.languages[0]: (scope.dir, scope.test_command) for scope in project.scopes} == {
        "ruby": ("", "bundle exec rspec"),
        "javascript": ("", "npm test"),
    }


def test_a_second_manifest_without_tests_stays_with_the_first(tmp_path: Path) -> None:
    lay(tmp_path, {"Gemfile": 'gem "rspec"', "spec/post_spec.rb": "", "package.json": '{"scripts": {"build": "vite"}}'})

    assert len(read_project(str(tmp_path)).scopes) == 1


def test_a_gradle_module_is_tested_through_the_roots_wrapper(tmp_path: Path) -> None:
    lay(tmp_path, {"gradlew": "", "settings.gradle": "", "app/build.gradle": "", "app/src/test/java/ATest.java": ""})

    scope = next(scope for scope in read_project(str(tmp_path)).scopes if scope.dir == "app")

    assert scope.test_command == "./gradlew :app:test"
    assert scope.tests_build


def test_a_project_of_solutions_is_one_scope(tmp_path: Path) -> None:
    lay(tmp_path, {"App.sln": "", "src/App/App.csproj": "<Project/>", "tests/T/T.csproj": "xunit"})

    (scope,) = read_project(str(tmp_path)).scopes

    assert scope.has_tests


class TestGit:
    def test_branch_remotes_forge_and_default_branch_are_read_without_running_git(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "-q", "-b", "trunk")
        git(tmp_path, "remote", "add", "fork", "git@gitlab.com:me/x.git")
        git(tmp_path, "remote", "add", "origin", "https://me:secret-word@github.com/owner/x.git")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
        git(tmp_path, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
        git(tmp_path, "checkout", "-q", "-b", "feature/main-menu")

        project = read_project(str(tmp_path))

        assert (project.branch, project.default_branch, project.forge, project.has_remote) == (
            "feature/main-menu",
            "trunk",
            "github",
            True,
        )
        assert [remote.url for remote in project.remotes] == [
            "https://github.com/owner/x.git",
            "git@gitlab.com:me/x.git",
        ]

    def test_a_worktree_and_packed_refs_are_followed(self, tmp_path: Path) -> None:
        main = tmp_path / "main"
        main.mkdir()
        git(main, "init", "-q", "-b", "master")
        git(main, "commit", "-q", "--allow-empty", "-m", "x")
        git(main, "pack-refs", "--all")
        git(main, "worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))

        project = read_project(str(tmp_path / "tree"))

        assert (project.branch, project.default_branch, project.has_remote) == ("side", "master", False)

    def test_a_folder_below_the_root_finds_the_repository(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "-q", "-b", "main")
        lay(tmp_path, {"CLAUDE.md": "Always open a PR for your changes.", "app/go.mod": "module x"})

        project = read_project(str(tmp_path / "app"))

        assert project.branch == "main"
        assert project.wants_pr == "Always open a PR for your changes."
        assert project.instruction_files == ("../CLAUDE.md",)

    def test_a_detached_head_is_on_no_branch(self, tmp_path: Path) -> None:
        git(tmp_path, "init", "-q", "-b", "main")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "x")
        git(tmp_path, "checkout", "-q", "--detach")

        assert read_project(str(tmp_path)).branch is None

    def test_without_git_there_is_no_remote(self, tmp_path: Path) -> None:
        project = read_project(str(tmp_path))

        assert (project.branch, project.default_branch, project.has_remote) == (None, None, False)


class TestHostileFolders:
    """Whatever is in a folder, reading it ends soon and never raises."""

    def test_pipes_loops_and_links_hold_nothing_up(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "package.json")
        os.mkfifo(tmp_path / "CLAUDE.md")
        (tmp_path / "pyproject.toml").symlink_to("/dev/zero")
        (tmp_path / "loop").symlink_to(tmp_path)
        (tmp_path / "AGENTS.md").symlink_to("AGENTS.md")
        lay(tmp_path, {"src/go.mod": "module x", "src/x_test.go": ""})
        started = time.monotonic()

        project = read_project(str(tmp_path))

        assert time.monotonic() - started < 10
        assert [scope.dir for scope in project.scopes if scope.has_tests] == ["src"]

    def test_a_deep_and_wide_tree_is_cut_off_and_says_so(self, tmp_path: Path) -> None:
        (tmp_path / Path(*["d"] * 40)).mkdir(parents=True)
        wide = tmp_path / "wide"
        wide.mkdir()
        for number in range(5_000):
            (wide / f"f{number}").touch()

        project = read_project(str(tmp_path))

        assert project.truncated

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("package.json", b"[" * 100_000),
            ("package.json", b'{"scripts": {"test": 5, "build": null, "x": ["y"]}, "workspaces": 7}'),
            ("package.json", b"\xff\xfe\x00 nonsense"),
            ("package.json", b'{"scripts": []}'),
            ("pyproject.toml", b"[tool.pytest\nx ="),
            ("pyproject.toml", b"project = 5\n[tool]\npoetry = []\n"),
            ("Cargo.toml", b"workspace = 3\n"),
            ("deno.json", b'{"tasks": "x"}'),
            ("composer.json", b'{"scripts": {"test": {"a": 1}}, "require": []}'),
            ("mise.toml", b"tasks = 1\n"),
            ("Taskfile.yml", b"\ntasks:"),
            ("Makefile", b"test" * 200_000),
            ("pom.xml", b"\x00" * 5_000),
            ("CLAUDE.md", b"\xc3\x28 always open a PR \xa0\xa1"),
            (".git", b"gitdir: ../../../../nowhere"),
            (".git", b"gitdir: .\n"),
        ],
    )
    def test_nonsense_in_a_manifest_is_no_error(self, name: str, text: bytes, tmp_path: Path) -> None:
        (tmp_path / name).write_bytes(text)

        assert read_project(str(tmp_path)).present

    def test_a_folder_that_is_not_there_is_not_present(self, tmp_path: Path) -> None:
        assert not read_project(str(tmp_path / "gone")).present

    def test_an_import_does_not_leave_the_repository(self, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("Always open a PR.")
        lay(
            tmp_path / "repo",
            {
                "CLAUDE.md": "See @../secret.md and @docs/rules.md and @CLAUDE.md",
                "docs/rules.md": "Be kind. @../CLAUDE.md",
            },
        )

        project = read_project(str(tmp_path / "repo"))

        assert project.instruction_files == ("CLAUDE.md", "docs/rules.md")
        assert not project.wants_pr


def test_a_project_survives_json_and_its_stamps_tell_when_it_changed(tmp_path: Path) -> None:
    lay(tmp_path, {"package.json": '{"scripts": {"test": "node --test"}}', "CLAUDE.md": "x"})
    project = read_project(str(tmp_path))

    again = Project.from_json(project.to_json())

    assert again == project
    assert all(stamp(line.partition("\t")[0]) == line for line in again.stamps)
    (tmp_path / "package.json").write_text('{"scripts": {"test": "vitest run --coverage"}}')
    assert not all(stamp(line.partition("\t")[0]) == line for line in again.stamps)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("https://dev:hunter22", "https://"),
        ("https://dev:hunter22@", "https://"),
        ("https://dev:hunter22/o/r", "https:///o/r"),
        ("https://git.acme.dev:8443", "https://git.acme.dev:8443"),
        ("https://git.acme.dev:8443/o/r", "https://git.acme.dev:8443/o/r"),
    ],
)
def test_of_an_address_that_was_cut_off_no_password_is_kept(written: str, kept: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {written}')

    assert [remote.url for remote in read_git(str(tmp_path)).remotes] == [kept]


def test_an_address_without_its_login_stays_as_it_is() -> None:
    """What is left of a damaged address may look like a login again: `://@0::` did."""
    for damaged in ("://@0::", "https://a@b:c:d", "https://u:p@h:8080/x", "://:::@:", "ssh://u:p@@h:22x/y"):
        once = without_login(damaged)
        assert without_login(once) == once, damaged


@pytest.mark.parametrize("login", ["dev", "dev:hunter22", "dev:p@ss:w@rd", "@", ":"])
def test_no_part_of_a_login_is_taken_for_the_remotes_address(login: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = https://{login}@github.com/o/r.git\n')

    found = read_project(str(tmp_path))

    assert [remote.url for remote in found.remotes] == ["https://github.com/o/r.git"]
    assert found.forge == "github"


def test_a_module_of_maven_is_tested_through_its_root_and_a_stranger_below_it_is_not(tmp_path: Path) -> None:
    pom = "<project><modules><module>orders</module></modules></project>"
    files = {"pom.xml": pom, "mvnw": "", "orders/pom.xml": "<project/>", "plugin/pom.xml": "<project/>"}
    commands = {scope.dir: scope.test_command for scope in read_project(str(lay(tmp_path, files))).scopes}

    assert commands == {
        "": "./mvnw test",
        "orders": "./mvnw -pl orders -am test",
        "plugin": "cd plugin && mvn test",
    }


def test_a_crate_is_called_what_its_manifest_calls_it(tmp_path: Path) -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
        "crates/lang/Cargo.toml": '[package]\nname = "ferrite-core"\n',
        "crates/odd/Cargo.toml": "package = 1\n",
    }
    names = {scope.dir: scope.name for scope in read_project(str(lay(tmp_path, files))).scopes}

    assert names == {"": "", "crates/lang": "ferrite-core", "crates/odd": ""}


@pytest.mark.parametrize(
    ("line", "build"),
    [
        ("find_package(Zephyr REQUIRED HINTS $ENV{ZEPHYR_BASE})", "west build"),
        ("include($ENV{IDF_PATH}/tools/cmake/project.cmake)", "idf.py build"),
        ("find_package(ZLIB)", "cmake --build build"),
    ],
)
def test_firmware_is_built_with_the_tool_of_its_framework(tmp_path: Path, line: str, build: str) -> None:
    project = read_project(str(lay(tmp_path, {"CMakeLists.txt": f"{line}\nproject(x)\n"})))

    assert (project.build_command, project.has_tests) == (build, False)
