"""
What the name of a task, a script or a target says it is for: `test:unit`, `lint-fix`, `./scripts/run_tests.sh`.

A name is only a name; `check` and `ci` are taken for tests.
"""

from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import is_temporary
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.late import Late, folded

_WORD = Late(r"[eE]2[eE]|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+").finditer


_LINT = word_set(
    "lint lints linter linters linting eslint stylelint flake8 pylint clippy rubocop vet shellcheck golangci oxlint knip depcheck ktlint detekt checkstyle "
    "swiftlint phpcs credo spellcheck markdownlint actionlint hadolint style lintcheck lintall tslint biome ruff"
)
_TYPES = word_set("typecheck typechecks typechecking typechecker tsc mypy pyright dialyzer phpstan psalm sorbet tsgo")
_FORMAT = word_set(
    "format formats formatting fmt prettier black gofmt rustfmt spotless reformat beautify codestyle fixformat"
)
_FORMAT_CHECK = word_set("check checks verify ci diff dry test lint checking")
_SERVES = word_set("dev start serve server preview watch storybook develop serving runserver devserver up")
_NOT_ITS_OWN = word_set(
    "install setup bootstrap deps dependencies init prepare postinstall preinstall release publish deploy generate gen codegen seed migrate migration "
    "migrations db database clean update upgrade create new log logs report reports open debug reset remove delete kill stop down env add link unlink "
    "list show print help version docs doc download fetch pull push sync upload fixtures data wait backup restore bump tag ssh shell console "
    "record snapshot copy move"
)
_INSTALLS = word_set("install setup bootstrap deps dependencies")
_BUILDS = word_set(
    "build builds compile compiles bundle package dist assemble classes jar war bootjar rebuild transpile make webpack rollup esbuild bin binary"
)
_TESTS = word_set(
    "test tests spec specs pytest jest vitest mocha unittest unittests unit e2e cypress playwright coverage cov smoke regression testall runtests runtest "
    "ctest gotest testing integration functional acceptance selftest itest utest karma rspec phpunit pest testcov phptest testsuite ava tap citest "
    "functest intest eunit ct doctest doctests mutation"
)
_CHECKS = word_set("check checks ci verify validate qa precommit preflight presubmit prepush checkall")
_CHECK_WIDENS = word_set(
    "check ci all full quick fast local project code everything commit push pr run pre test tests ready source src checks and"
)
#: "test-data", "test:db:up": about tests, and no run of them.
_BESIDE = word_set(
    "setup teardown server data db fixture fixtures deps image images report reports clean cleanup env up down logs log harness helper helpers util utils "
    "config lib common mock mocks repo template generator gen create list show prepare seed container containers stack infra keys cert certs account accounts "
    "user users page pages email emails notification webhook connection conn project app"
)
_WATCH = word_set("watch tdd")
#: `watch-ci.sh`, `wait-for-ci`, `ci-status`: they look at a run on the forge and run nothing.
_LOOKS = word_set("watch wait poll await monitor")
_PREFIX = Late(r"test(?!ing|data|bed|net|env|er|db|s?ervers?|utils?|s?etup|imonial|amp)[a-z]*$", needs=("test",)).match
_SCRIPT_SUFFIXES = word_set("sh bash zsh py js mjs cjs ts mts rb pl php ps1 bat cmd lua fish nu exs tcl")
_SCRIPT_FOLDERS = word_set(
    "scripts script bin ci .ci hack tools tool dev build test tests e2e .github .buildkite utils util support task tasks make integration"
)
#: Scripts that do what their first word says: `./dev.sh test`, `./x.py build`, `./mach lint`.
_DISPATCHERS = word_set("dev run do go task tasks make x mach project manage tool tools please ci")
_BINARY_FOLDERS = word_set(
    "build out bin target debug release dist cmake-build-debug cmake-build-release _build bazel-bin test tests deps"
)
_TEST_BINARY = Late(
    r"(?:unit_?)?tests?$|.+_(?:unit_?)?tests?$|.+_unittests?$|tests?_.+$|run_?tests?$", needs=("test",)
).match
#: ninja's and CMake's targets that run something; `unit_tests` is a binary that is built.
_TARGET_RUNS = word_set("check ctest run runs runtest runtests")
_AND = Late(r"[^A-Za-z0-9][aA][nN][dD][^A-Za-z0-9]|And(?=[A-Z])", needs=("AND|ANd|AnD|And|aND|aNd|anD|and",)).split
_OWN_TEST = Late(
    r"(?:run[_-]?)?(?:all[_-]?)?tests?$|(?:run[_-]?)?(?:check|ci|e2e|specs?|checks)$|test[_-]?all$",
    needs=("check|ci|e2e|spec|test",),
).match


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: `testUnit:watch-all` -> test, unit, watch, all."""
    if name.isascii() and name.islower() and not any(map(name.__contains__, "0123456789")):
        return "".join([ch if ch.isalpha() else " " for ch in name]).split()
    return [match[0].lower() for match in _WORD(name)]


def is_test_word(word: str) -> bool:
    """Whether a word of a task's name says that it tests, and not what: `test`, `e2e`, `unit`."""
    return word in _TESTS


def kinds_of_name(name: str) -> list[CommandKind]:
    """What a task of this name does; empty where the name does not say."""
    words = words_of(name)
    if not words:
        return []
    found = set(words)
    if "and" in found or (
        "build" in found and found & {"test", "tests"} and words[0] not in ("test", "tests", "build")
    ):
        return _several(name, words)
    kind = _tool_kind(words, found)
    if kind is not None:
        return [kind]
    return _purpose(words, found)


def _several(name: str, words: list[str]) -> list[CommandKind]:
    if "and" not in words:
        return [CommandKind.BUILD, CommandKind.TEST]
    parts = [part for part in _AND(name) if part != name]
    return list(dict.fromkeys(kind for part in parts for kind in kinds_of_name(part)))


def _tool_kind(words: list[str], found: set[str]) -> CommandKind | None:
    """Lint, types and formats: these words say it wherever they stand."""
    if (
        found & _TYPES
        or ("type" in found and found & {"check", "checks", "checking"})
        or (found & {"types"} and found & {"check", "test", "ci"})
    ):
        return CommandKind.TYPECHECK
    if found & _FORMAT and words[0] not in _NOT_ITS_OWN:
        return CommandKind.LINT if found & _FORMAT_CHECK else CommandKind.FORMAT
    if found & _LINT and words[0] not in _NOT_ITS_OWN:
        return CommandKind.FORMAT if found & {"fix", "autofix", "autocorrect", "write"} else CommandKind.LINT
    return None


def _purpose(words: list[str], found: set[str]) -> list[CommandKind]:
    first = words[0]
    if "ci" in found and (first in _LOOKS or words[-1] == "status"):
        return [CommandKind.PR_CHECKS]
    if first == "cy" and found & {"run", "ci", "headless"}:  # Cypress by its short name; `cy:open` is a window
        return [CommandKind.TEST]
    if first == "storybook" and "build" in found:
        return [CommandKind.BUILD]
    if first in _SERVES and not (first == "watch" and found & _TESTS):
        return [CommandKind.SERVER]
    if first in _NOT_ITS_OWN:
        return [CommandKind.INSTALL if first in _INSTALLS else CommandKind.OTHER]
    if first in _BUILDS:
        return [CommandKind.BUILD]
    if found & _TESTS and "open" in found:
        return [CommandKind.SERVER]  # `cypress:open`: a window for a person
    if found & (_TESTS - {"spec", "specs"}) or first in ("spec", "specs") or any(_PREFIX(word) for word in words):
        beside = set(words[1:]) & _BESIDE
        if beside and not found & {"unit", "e2e", "integration", "all", "run"}:
            return [CommandKind.OTHER]
        return [CommandKind.TEST]
    if "".join(words) in _CHECKS or (found & _CHECKS and not found - _CHECKS - _CHECK_WIDENS):
        return [CommandKind.TEST]
    if found & _BUILDS:
        return [CommandKind.BUILD]
    return []


def watches(name: str) -> bool:
    """Whether a task of this name goes on until it is stopped."""
    return bool(set(words_of(name)) & _WATCH)


def meanings_of_name(name: str, runner: str) -> list[Meaning]:
    """The meanings of `runner`, a task of that name; one of kind OTHER where the name does not say."""
    found: list[Meaning] = []
    for kind in kinds_of_name(name):
        meaning = Meaning(kind, runner)
        meaning.watch = watches(name)
        meaning.formatter = kind is CommandKind.FORMAT
        found.append(meaning)
    return found or [Meaning(CommandKind.OTHER, runner)]


def target_kind(target: str, kinds: list[CommandKind]) -> CommandKind:
    """What a target of ninja or CMake is: `test`, `check-llvm` and `RUN_TESTS` run tests, `unit_tests` is built."""
    if CommandKind.TEST in kinds or not kinds:
        runs = target in ("test", "tests") or not _TARGET_RUNS.isdisjoint(words_of(target))
        return CommandKind.TEST if runs and (kinds or target.startswith("check-")) else CommandKind.BUILD
    return kinds[0]


def meanings_of_script(path: str, args: tuple[str, ...]) -> list[Meaning]:
    """A script or binary of the project that is run by its path."""
    folder, _, base = path.replace("\\", "/").rpartition("/")
    stem, dot, ending = base.rpartition(".")
    suffix = bool(dot) and folded(ending) in _SCRIPT_SUFFIXES
    stem = stem if suffix else base
    folders = {part.lower() for part in folder.split("/")}
    if is_temporary(path):
        return [Meaning(CommandKind.OTHER, base)]  # tried out by hand: no part of the project
    if stem.lower() in _DISPATCHERS and args and kinds_of_name(args[0]) and args[0].isalpha():
        return meanings_of_name(args[0], f"{base} {args[0]}")
    if suffix or folders & _SCRIPT_FOLDERS or (folder in (".", "") and _OWN_TEST(stem.lower())):
        return meanings_of_name(stem, base)
    if folders & _BINARY_FOLDERS and _TEST_BINARY(stem.lower()) and all(word.startswith("-") for word in args):
        return [Meaning(CommandKind.TEST, base)]
    return [Meaning(CommandKind.OTHER, base)]
