"""Git's own files with anything in them: facts or nothing, and no name that leads out of where it belongs."""

import shutil
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ace_reflect.project.git import GitFacts, forge_of, read_git
from ace_reflect.project.read import read_project
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, dumped, spoils, spoilt, texts

_NAMES = (
    "origin",
    "upstream",
    "x",
    "../../..",
    "a/b",
    "é",
    "with space",
    ".*",
    "$(id)",
    "a\x00b",
    "-x",
    "\n",
)
_URLS = ("git@github.com:o/r.git", "https://user:secret@gitlab.com/o/r", "ssh://git@bitbucket.org:22/o/r", "/srv/git/r", "C:\\r", "ext::sh -c id", "https://a@b@c/x", "file:///x", "", "://@", "a:b@c:d")  # fmt: skip
_BRANCHES = (
    "main",
    "master",
    "feature/main-menu",
    "release/1.0",
    "../x",
    "a b",
    "é",
    "-d",
    "HEAD",
    "refs/heads/main",
    "x" * 300,
    "trunk",
)

config = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(_NAMES), st.sampled_from(_URLS)).map(lambda pair: f'[remote "{pair[0]}"]\n\turl = {pair[1]}\n\tfetch = +refs/heads/*:refs/remotes/{pair[0]}/*\n'),
        st.sampled_from(_BRANCHES).map(lambda name: f'[branch "{name}"]\n\tremote = origin\n\tmerge = refs/heads/{name}\n'),
        st.sampled_from(("[core]\n\tbare = false\n\tfsmonitor = sh -c id\n", "[init]\n\tdefaultBranch = trunk\n", "[include]\n\tpath = /etc/passwd\n", "[remote", "url = x\n", "; c\n", "\\\n", '[REMOTE "O"]\n\tURL=y\n')),
        texts,
    ),
    max_size=5,
).map("".join)  # fmt: skip
head = st.one_of(st.sampled_from(_BRANCHES).map(lambda name: f"ref: refs/heads/{name}\n"), st.sampled_from(("0" * 40 + "\n", "", "ref:", "ref: refs/tags/x\n", "ref: refs/heads/\n")), texts)  # fmt: skip
packed = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(_NAMES), st.sampled_from(_BRANCHES)).map(lambda pair: f"{'1a' * 20} refs/remotes/{pair[0]}/{pair[1]}\n"),
        st.sampled_from(_BRANCHES).map(lambda name: f"{'2b' * 20} refs/heads/{name}\n"),
        st.sampled_from(("# pack-refs with: peeled fully-peeled sorted \n", "^" + "3c" * 20 + "\n")),
        texts,
    ),
    max_size=5,
).map("".join)  # fmt: skip


def put(path: Path, text: str, damage: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(broken(text.encode("utf-8", "surrogatepass"), damage))


@fuzzed("git files", short=80, long=6_000, config=config, head=head, packed=packed, remote_head=st.none() | st.sampled_from(_BRANCHES),
        damage=st.lists(breaks, max_size=2), commondir=st.none() | st.sampled_from(("..", "../..", "/", ".", "\x00", "x" * 5000, "/etc")), worktree=st.booleans())  # fmt: skip
def test_any_git_files_give_facts_or_none(
    *,
    config: str,
    head: str,
    packed: str,
    remote_head: str | None,
    damage: list[Any],
    commondir: str | None,
    worktree: bool,
    tmp_path: Path,
) -> None:
    shutil.rmtree(tmp_path / "r", ignore_errors=True)
    root = tmp_path / "r"
    git = root / ".git"
    if worktree:
        git = tmp_path / "r" / "real"
        put(root / ".git", f"gitdir: {git}\n", damage)
    put(git / "HEAD", head, damage[:1])
    put(git / "config", config, damage)
    put(git / "packed-refs", packed, damage[1:])
    if remote_head is not None:
        put(
            git / "refs" / "remotes" / "origin" / "HEAD",
            f"ref: refs/remotes/origin/{remote_head}\n",
            [],
        )
    if commondir is not None:
        put(git / "commondir", commondir, [])

    found = read_git(str(root))

    assert GitFacts.from_json(found.to_json()).to_json() == found.to_json()
    if (
        not damage
        and not worktree
        and head.startswith("ref: refs/heads/")
        and head.strip() != "ref: refs/heads/"
    ):
        assert found.branch == head.removeprefix("ref: refs/heads/").split()[0]
    for branch in (found.branch, found.default_branch):
        assert branch is None or (branch and not any(character.isspace() for character in branch))
    assert len(found.remotes) == len(set(found.remotes)) <= 20
    if "origin" in found.remotes:
        assert found.remotes[0] == "origin"
    read_project(str(root)).to_json()


@fuzzed(
    "remote addresses",
    short=60,
    long=4_000,
    url=st.one_of(
        st.sampled_from(_URLS),
        texts,
        st.lists(
            st.sampled_from(
                (
                    "git@",
                    "https://",
                    "github.com",
                    ":",
                    "/",
                    "@",
                    "user",
                    ":22",
                    "secret",
                    "gitlab.com",
                    " ",
                    "\n",
                )
            ),
            max_size=7,
        ).map("".join),
    ),
)
def test_any_address_has_a_forge_or_none(url: str) -> None:
    assert forge_of(url) in {"", "github", "gitlab"}


_MANIFESTS: tuple[tuple[str, Any], ...] = (
    ("package.json", {"name": "app", "scripts": {"test": "jest", "build": "tsc", "test:unit": "vitest"}, "workspaces": ["packages/*"], "devDependencies": {"jest": "1"}}),
    ("composer.json", {"scripts": {"test": ["phpunit", "@x"]}, "require-dev": {"phpunit/phpunit": "1"}}),
    ("deno.json", {"tasks": {"test": "deno test"}}),
    ("tsconfig.json", {"compilerOptions": {"outDir": "dist"}, "include": ["src"]}),
)  # fmt: skip
_OTHER_MANIFESTS = (
    ("pyproject.toml", '[project]\nname = "a"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n[tool.poetry.scripts]\nx = "a:b"\n[tool.hatch.envs.test.scripts]\nrun = "pytest"\n'),
    ("Cargo.toml", '[package]\nname = "a"\n[workspace]\nmembers = ["x", "y*"]\n[[test]]\nname = "t"\n'),
    ("Makefile", ".PHONY: test build\ntest: build\n\tpytest -q\nbuild:\n\tgo build ./...\nlint:: ; ruff check\n"), ("justfile", "test *args:\n    pytest {{args}}\n[private]\nbuild:\n    make\n"),
    ("go.mod", "module x\n\ngo 1.22\n"), ("build.gradle.kts", 'plugins { kotlin("jvm") }\ntasks.test { useJUnitPlatform() }\n'), ("pom.xml", "<project><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId></plugin></plugins></build></project>"),
    ("tox.ini", "[tox]\nenvlist = py\n[testenv]\ncommands = pytest\n"), ("setup.cfg", "[tool:pytest]\naddopts = -q\n"), ("mix.exs", "defmodule A do\nend\n"), ("CLAUDE.md", "# Rules\n- Run `make test` before you finish.\n- Always open a PR.\n"),
    ("Gemfile", "gem 'rspec'\n"), ("CMakeLists.txt", "enable_testing()\nadd_test(NAME x COMMAND y)\n"), ("app.csproj", '<Project><PackageReference Include="xunit" /></Project>'), ("Taskfile.yml", "version: '3'\ntasks:\n  test:\n    cmds: [go test ./...]\n"),
)  # fmt: skip


@fuzzed("manifests", short=60, long=4_000, which=st.integers(0, len(_MANIFESTS) - 1), changes=st.lists(spoils, max_size=3),
        other=st.integers(0, len(_OTHER_MANIFESTS) - 1), damage=st.lists(breaks, max_size=3))  # fmt: skip
def test_any_manifest_gives_a_project(
    which: int, changes: list[Any], other: int, damage: list[Any], tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "r", ignore_errors=True)
    root = tmp_path / "r"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "test_a.py").write_text("def test_a(): pass\n")
    name, data = _MANIFESTS[which]
    (root / name).write_bytes(broken(dumped(spoilt(data, changes)), damage[:1]))
    name, text = _OTHER_MANIFESTS[other]
    (root / name).write_bytes(broken(text.encode(), damage))

    found = read_project(str(root))

    assert all(isinstance(scope.test_command, str) for scope in found.scopes)
    assert found.__class__.from_json(found.to_json()).to_json() == found.to_json()
