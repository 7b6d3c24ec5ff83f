"""What a path names, by its name alone: code of a language, a test, documents, settings; nothing is opened."""

import re
from functools import lru_cache
from posixpath import join, normpath

from ace_reflect.evidence.facts import EditKind
from ace_reflect.evidence.programs import words

#: language | extensions | stems of its test files, some with a folder | manifests, by name or ending
_TABLE = """
python | py pyi pyx ipynb | test_* *_test tests conftest | pyproject.toml setup.py setup.cfg tox.ini pytest.ini pipfile requirements.txt noxfile.py
javascript | js jsx mjs cjs ts tsx mts cts vue svelte astro coffee | *.test *.spec *-test *-spec *_test *_spec *.cy *.e2e *.e2e-spec *.test-d __tests__/* | package.json deno.json
go | go | *_test | go.mod go.work
rust | rs | tests test_* *_test *_tests tests/* | cargo.toml
jvm | java kt kts scala sc groovy clj cljs cljc | Test[A-Z]* *Test *Tests *TestCase *Spec *Specs *Suite *[a-z]IT *_test | pom.xml build.gradle build.gradle.kts build.sbt deps.edn project.clj
dotnet | cs fs vb | UnitTest* Test[A-Z]* *Test *Tests *Spec *Specs | .sln .slnx .csproj .fsproj .vbproj
ruby | rb rake | *_spec *_test test_* test_helper spec_helper rails_helper | gemfile rakefile .gemspec
php | php | *Test *Cest *Spec | composer.json phpunit.xml phpunit.xml.dist
c | c h cc cpp cxx hpp hh hxx ipp inl m mm cu | test_* *_test *_tests *_unittest tst_* *Test *Tests | cmakelists.txt meson.build
swift | swift | *Test *Tests *Spec | package.swift
dart | dart | *_test | pubspec.yaml
elixir | ex exs | *_test test_helper | mix.exs
erlang | erl hrl | *_SUITE *_tests | rebar.config
haskell | hs lhs | Spec *Spec *Test *Tests | stack.yaml .cabal
ocaml | ml mli | test_* *_test | dune-project
zig | zig | test_* *_test tests | build.zig
lua | lua luau | *_spec *_test test_* | .rockspec
perl | pl pm t |  |
r | r | test-* test_* |
solidity | sol | *.t | foundry.toml
shell | sh bash zsh fish bats | *_test test_* |
powershell | ps1 psm1 | *.Tests |
 |  |  | makefile gnumakefile justfile .justfile taskfile.yml taskfile.yaml mise.toml .mise.toml turbo.json nx.json pnpm-workspace.yaml module.bazel
"""
_ROWS = [[cell.strip() for cell in row.split("|")] for row in _TABLE.strip().splitlines()]
_LANGUAGE = {ending: row[0] for row in _ROWS for ending in row[1].split()}
_CONVENTION = {row[0]: row[2].replace(".", "[.]").replace("*", "[^/]+").split() for row in _ROWS}
_MANIFESTS = {name: row[0] for row in _ROWS for name in row[3].split()}
#: Declarations, templates, and what tools write.
_NO_SOURCE = (".d.ts", ".d.mts", ".d.cts", ".blade.php", ".min.js", ".pb.go", "_pb2.py", ".g.dart")
#: Endings, and names without one.
_DOCS = words("md markdown mdx rst txt adoc tex rdoc pdf docx license licence copying notice authors contributors changelog readme todo codeowners")  # fmt: skip
_CONFIG = words("json jsonc json5 yaml yml toml ini cfg conf properties env lock lockb xml plist gradle cmake mk sum tf tfvars hcl nix neon resolved props gitignore prettierignore editorconfig clang-format tool-versions ruby-version dockerfile procfile jenkinsfile")  # fmt: skip
#: `vite.config.ts`, `.eslintrc.js`, `requirements-dev.txt`, `Dockerfile.dev`, and others that are written in a language or are no documents.
_CONFIG_NAME = r"(?:dev[-_.])?(?:requirements|constraints)[\w.-]*\.(?:txt|in)$|.+\.(?:config|workspace)\.[cm]?[jt]sx?$|\.\w[\w-]*rc(?:\.[cm]?js)?$|\.env\b|(?:docker|make)file[.-]|_*version_*\.py$|(?:build\.rs|conanfile\.py|gulpfile\.js|gruntfile\.js|settings\.gradle\.kts)$"  # fmt: skip
_DOTS = words(".github .circleci .buildkite .husky .gitlab .claude .codex .cursor .vscode .devcontainer .storybook")  # fmt: skip
#: End-to-end tests prove units of no language.
_E2E = r"(?i)(?:.*[/_-])?(?:e2e|cypress|playwright|e2e[-_]tests|end-to-end)/|.*(?:[._-](?:e2e|cy|e2e-spec)\.|_e2e_)[^/]*$"  # fmt: skip
#: Folders of what tools make or fetch, and of samples that tests read.
MADE = words(".git node_modules .venv venv site-packages __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .next .nuxt .turbo .svelte-kit dist _build htmlcov .nyc_output .dart_tool __snapshots__ fixtures __fixtures__ testdata test-data test_data")  # fmt: skip
_LOCALE = r".*/(?:locales?|i18n|lang|translations)/(?:.{1,80}/)?[a-z]{2}(?:[-_][A-Za-z]{2,4})?(?:/[^/]+)?\.\w+$"  # fmt: skip
_DRIVE = re.compile(r"(?:(?:/mnt|/cygdrive)?/([a-zA-Z])|([a-zA-Z]):)(?=/|$)")


@lru_cache(maxsize=4096)
def edit_kind(path: str) -> EditKind:
    """What kind of file a change is in. Code is what programs are made of: no markup, styles, data."""
    path = "/" + path.replace("\\", "/").rpartition("/worktrees/")[2]
    *folders, name = path.lower().split("/")
    ending = name.rpartition(".")[2]
    if MADE & {*folders} or name.endswith(_NO_SOURCE):
        return "other"
    own = (_DOTS & {*folders} and ending not in _DOCS) or path.endswith("/docs/conf.py")
    if manifest_language(name) is not None or re.match(_CONFIG_NAME, name) or own:
        return "config"
    if language_of(path):
        is_test = is_test_file(path) or re.match(_E2E, path)
        return "test" if is_test else "other" if re.match(_LOCALE, path) else "code"
    return "docs" if ending in _DOCS else "config" if ending in _CONFIG else "other"


def language_of(path: str) -> str:
    """The language's family (typescript is javascript's, kotlin is jvm's); "" for what is no program."""
    _, dot, ending = path.lower().rpartition("/")[2].rpartition(".")
    return _LANGUAGE.get(ending, "") if dot and not path.lower().endswith(_NO_SOURCE) else ""


@lru_cache(maxsize=4096)
def is_test_file(path: str) -> bool:
    """Whether it is named like its language's tests: `*_test.go`, `test_*.py`, `*.spec.ts`, `FooTest.java`."""
    path = "/" + path.replace("\\", "/")
    stems = "|".join(_CONVENTION.get(language_of(path), ()))
    named = bool(stems) and re.fullmatch(f".*/(?:{stems})[.]\\w+", path)
    return path.endswith((".t", ".bats")) or bool(named)


def is_unit_test(path: str) -> bool:
    """Whether a run of the language's own tests covers the test file: not `e2e/login.spec.ts`, `a.cy.ts`, a package's in `.venv`."""
    return edit_kind(path) == "test" and not re.match(_E2E, path.replace("\\", "/"))


def manifest_language(path: str) -> str | None:
    """The language that a manifest is for, "" where it may be for any; None for a file that is none."""
    name = path.lower().replace("\\", "/").rpartition("/")[2]
    return _MANIFESTS.get(name, _MANIFESTS.get(name[name.rfind(".") :]))


@lru_cache(maxsize=4096)
def absolute(path: str, cwd: str | None) -> str:
    """`path` as seen from `cwd`, else as typed. A file has one spelling: `C:/x` in Windows, `/mnt/c/x` in WSL, no `/private` of macOS."""
    here = _spelled(cwd, "") if cwd else ""
    there = _spelled(path, here)
    if there.startswith(("~", "$")) or (not here and not there.startswith("/")):
        return there
    return normpath(there if there[1:3] == ":/" else join(here, there))


@lru_cache(maxsize=4096)
def relative(path: str, root: str) -> str | None:
    """The path below `root`, "" for the root itself; None if it is not inside."""
    if not root:
        return path
    top = absolute(root, None).rstrip("/") + "/"
    there = absolute(path, top) + "/"
    return there[len(top) :].rstrip("/") if there.startswith(top) else None


def _spelled(path: str, here: str) -> str:
    windows = here[1:2] == ":"
    if windows or path.startswith("\\\\") or path[1:3] == ":\\" or "/\\\\" in path:
        path = path.replace("\\", "/")
        path = path[path.rfind("///") + 1 :]  # a UNC path that a tool joined to the working folder
    if path.lower().startswith(("//wsl.localhost/", "//wsl$/")):
        path = "/" + path.split("/", 4)[-1]
    drive = _DRIVE.match(path)
    if drive and (drive[2] or windows):
        letter, rest = drive[1] or drive[2], path[drive.end() :] or "/"
        in_wsl = here.startswith("/mnt/")
        return f"/mnt/{letter.lower()}{rest}" if in_wsl else f"{letter.upper()}:{rest}"
    is_link = path.startswith(("/private/tmp/", "/private/var/"))
    return path.removeprefix("/private") if is_link else path
