"""
Which language a file is written in, and which languages a test runner can prove.

A stylesheet, a shell script or a template makes no test debt by itself: the runners that are met in practice do not
run them, and no colleague asks for `go test` after a change of a Dockerfile.
"""

import os
from functools import cache, lru_cache

from ace_reflect.evidence.call_words import NODE_MANAGERS, TASK_RUNNERS
from ace_reflect.late import IGNORECASE, Late, begins, folded

_FAMILIES = {
    "python": "py pyi pyx ipynb",
    "javascript": "js jsx mjs cjs ts tsx mts cts vue svelte astro coffee",
    "go": "go",
    "rust": "rs",
    "jvm": "java kt kts scala groovy clj cljs cljc",
    "dotnet": "cs fs vb",
    "ruby": "rb rake",
    "php": "php",
    "c": "c h cc cpp cxx hpp hh hxx m mm cu",
    "swift": "swift",
    "dart": "dart",
    "elixir": "ex exs",
    "erlang": "erl hrl",
    "haskell": "hs",
    "ocaml": "ml mli",
    "zig": "zig",
    "lua": "lua",
    "perl": "pl pm t",
    "julia": "jl",
    "r": "r",
    "nim": "nim",
    "crystal": "cr",
    "elm": "elm",
    "gleam": "gleam",
    "purescript": "purs",
    "racket": "rkt",
    "d": "d",
    "cairo": "cairo",
    "solidity": "sol",
    "shell": "sh bash zsh fish bats",
    "powershell": "ps1 psm1",
    "sql": "sql",
}
_BY_SUFFIX = {suffix: family for family, suffixes in _FAMILIES.items() for suffix in suffixes.split()}
_SAME = {
    "typescript": "javascript", "java": "jvm", "kotlin": "jvm", "scala": "jvm", "groovy": "jvm", "clojure": "jvm",
    "csharp": "dotnet", "fsharp": "dotnet", "c++": "c", "cpp": "c", "objective-c": "c", "bash": "shell",
}  # fmt: skip
#: Proven only where the project's tests are known to be written for them.
SOFT = frozenset({"shell", "powershell", "sql", ""})

#: Task runners that come with one language, and whose tasks are that language's.
_OWN_TASKS = {"composer": frozenset({"php"}), "rake": frozenset({"ruby", "c"})}
_OTHER_LANGUAGE = Late(
    r"py|go\b|cargo|rust|wasm|napi|neon|native|gyp", needs=("py|go|cargo|rust|wasm|napi|neon|native|gyp",)
)
#: The native code that the tests of a language load; mix compiles it before each run.
_LOADED_BY = {"python": frozenset({"c"}), "elixir": frozenset({"c", "rust", "zig", "erlang"}), "ruby": frozenset({"c"})}
#: The runners that most runs are of, as they are named; all others are known by a word of their name.
_USUAL = {
    "pytest": "python", "unittest": "python", "tox": "python", "jest": "javascript", "vitest": "javascript", "mocha": "javascript", "bun test": "javascript",
    "playwright": "javascript", "cypress": "javascript", "django test": "python", "go test": "go", "cargo test": "rust", "cargo nextest": "rust", "gradle": "jvm",
    "maven": "jvm", "dotnet test": "dotnet", "rspec": "ruby", "phpunit": "php", "ctest": "c", "swift test": "swift", "flutter test": "dart",
    "mix test": "elixir",
}  # fmt: skip
#: What a runner can prove, by a word of its name; a runner that is not here may prove anything (make, just, mise, nx …).
_RUNNERS = tuple(
    (Late(pattern, IGNORECASE, needs=(needs,)), language)
    for pattern, needs, language in (
    (r"py\.?test|unittest|nose|\btox\b|\bnox\b|trial|stestr|hatch|manage\.py|ward|behave|doctest", "behave|doctest|hatch|manage.py|nose|nox|py.test|pytest|stestr|tox|trial|unittest|ward", "python"),
    (r"jest|vitest|mocha|\bava\b|node --test|node:test|node test|\bbun test\b|deno|playwright|cypress|karma|jasmine|\btap\b|uvu|qunit|\bng test|react-scripts|wdio|tsd|storybook|cucumber-?js|codeceptjs", "ava|bun test|codeceptjs|cucumber|cypress|deno|jasmine|jest|karma|mocha|ng test|node --test|node test|node:test|playwright|qunit|react-scripts|storybook|tap|tsd|uvu|vitest|wdio", "javascript"),
    (r"\bgo(?:test|testsum)?(?: test)?\b|ginkgo", "go", "go"),
    (r"cargo|nextest", "cargo|nextest", "rust"),
    (r"maven|\bmvnw?\b|gradlew?|\bsbt\b|\blein\b|junit|\bmill\b|kotest", "gradle|junit|kotest|lein|maven|mill|mvn|sbt", "jvm"),
    (r"dotnet|vstest|nunit|xunit", "dotnet|nunit|vstest|xunit", "dotnet"),
    (r"rspec|minitest|\brails\b|cucumber|test-unit", "cucumber|minitest|rails|rspec|test-unit", "ruby"),
    (r"phpunit|\bpest\b|artisan|codecept|behat", "artisan|behat|codecept|pest|phpunit", "php"),
    (r"ctest|meson|catch2|gtest|googletest", "catch2|ctest|googletest|gtest|meson", "c"),
    (r"\bswift\b|xcodebuild|xctest", "swift|xcodebuild|xctest", "swift"),
    (r"flutter|\bdart\b", "dart|flutter", "dart"),
    (r"\bmix\b|exunit", "exunit|mix", "elixir"),
    (r"\bzig\b", "zig", "zig"),
    (r"\bbats\b|shunit|shellspec", "bats|shellspec|shunit", "shell"),
    (r"\bpester\b", "pester", "powershell"),
    (r"\bbusted\b", "busted", "lua"),
    (r"\bprove\b", "prove", "perl"),
    (r"forge test", "forge test", "solidity"),
    (r"hardhat|truffle", "hardhat|truffle", "solidity javascript"),
    )
)  # fmt: skip


@lru_cache(maxsize=4_096)
def of_file(path: str) -> str:
    """The language's family; "" for what is no program (stylesheets, templates, data)."""
    name = os.path.basename(path).lower()
    if name.endswith((".d.ts", ".d.mts", ".d.cts", ".blade.php")):
        return ""  # declarations: nothing of them runs; Laravel's templates
    return _BY_SUFFIX.get(name.rpartition(".")[2], "") if "." in name else ""


def family(language: str) -> str:
    """A manifest's language as a family."""
    return _SAME.get(language, language)


@lru_cache(maxsize=1_024)
def proven_by(runner: str, command: str) -> frozenset[str]:
    """The families a run can prove; empty where it may be any (a task runner)."""
    known = _named_by(runner)
    if not known and begins(runner, NODE_MANAGERS) and not _OTHER_LANGUAGE.search(command):
        return frozenset({"javascript"})
    return known or _OWN_TASKS.get(runner.removeprefix("bundle exec ").partition(" ")[0], known)


#: Whoever names a task names it as he likes: "make test-unit" is no Ruby, and "npm run unittest" no Python.
_TASKS = (*TASK_RUNNERS, "nx", "turbo", "bazel", "earthly", "pdm")
_PLAIN_WORDS = Late(
    r"(?i)(?<![a-z])(?:unit-?tests?|tests?-?unit|trial|prove|behave|tap|mix|\w{0,40}ward|pest|nose|pill|mill|go(?=[\w-])|act)(?![a-z])",
    needs=(
        "unittest|unit-test|testunit|test-unit|testsunit|tests-unit|trial|prove|behave|tap|mix|ward|pest|nose|pill|mill|go|act",
    ),
)


@cache
def _named_by(runner: str) -> frozenset[str]:
    words = runner.split(None, 2)
    usual = _USUAL.get(" ".join(words[:2])) or _USUAL.get(words[0]) if words else None
    if usual:
        return _families(usual)
    if begins(folded(runner), _TASKS):
        runner = _PLAIN_WORDS.sub(" ", runner)
    for pattern, language in _RUNNERS:
        if pattern.search(runner):
            return _families(language)
    return frozenset()


def _families(languages: str) -> frozenset[str]:
    """With the native code that the tests of a language load, compiled before them: extension modules, NIFs."""
    return frozenset(languages.split()) | _LOADED_BY.get(languages, frozenset())
