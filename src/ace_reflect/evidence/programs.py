"""
From a program's call to its meaning: the one place that knows which reader reads which program.

The readers' modules are imported when a program of theirs is met first: a hook that sees `git status` needs one of them.
"""

from sys import modules

from ace_reflect.evidence.call_words import is_python, program, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning
from ace_reflect.evidence.program_table import ASKS, ASKS_ALONE, KINDS, MARKED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

#: module -> the programs in its `READERS` (a test holds the two together)
_HOMES = {
    "git_commands": "git",
    "forge_commands": "gh glab hub tea az gt curl http",
    "interpreters": (
        "node nodejs tsx ts-node ts-node-esm babel-node esno vite-node esbuild-runner swc-node python ruby jruby "
        "php perl R Rscript julia clojure clj nvim vim"
    ),
    "runner_calls": (
        "pytest py.test nose2 nosetests trial green doctest ward behave robot pabot stestr mutmut jest mocha _mocha "
        "ts-mocha electron-mocha mochapack ava tap tape borp uvu zora lab jasmine japa qunit testcafe nightwatch "
        "codeceptjs wdio web-test-runner wtr test-storybook cucumber cucumber-js cypress playwright detox maestro "
        "newman stryker elm-test elm-test-rs ginkgo rspec minitest parallel_rspec turbo_tests phpunit simple-phpunit "
        "paratest pest codecept phpspec behat infection kahlan ctest bats shellspec bashunit shunit2 zunit prove yath "
        "busted eunit nextest act xctest testthat gatling molecule goss container-structure-test conftest promtool "
        "dredd schemathesis tavern-ci hurl pester Invoke-Pester flutter_test unittest vitest karma ptw pytest-watch "
        "pytest-watcher tox nox gotestsum cargo-nextest xcodebuild meson vstest.console nunit3-console xunit.console renode-test"
    ),
    "runner_tools": (
        "stack cabal dune rebar3 lein bb crystal nimble gleam spago dub raco forge hardhat truffle anchor snforge "
        "scarb aiken move sui pio opa regal helm buck buck2 plz pants dagger wasm-pack ember react-scripts "
        "react-app-rewired craco vue-cli-service ng aegir tsdx wp-scripts earthly swiftly"
    ),
    "told_runners": (
        "Unity unity-editor godot godot3 godot4 Godot godot-mono UnrealEditor UnrealEditor-Cmd UE4Editor UE4Editor-Cmd java"
    ),
    "toolchains": "zig cmake cargo cross go dotnet swift uv poetry pdm pipenv rye pixi flit",
    "toolchains_jvm": "gradle gradlew mvn mvnw mvnd sbt sbtn mill",
    "toolchains_web": "mix flutter dart fvm deno rails artisan sail django-admin manage.py",
    "task_runners": (
        "melos just task go-task rake mise rtx rush rushx wsrun moon nps wireit invoke inv fab poe taskipy doit mage grunt "
        "gulp jake cake ant fastlane hatch composer bazel bazelisk pre-commit prek lefthook overcommit husky lint-staged"
    ),
    "make_tasks": "make gmake mingw32-make nmake remake bmake ninja",
    "node_tasks": "npm pnpm yarn bun turbo nx lerna run-s run-p npm-run-all npm-run-all2",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
#: Where `wrappers` leaves one, what it is given is not known.
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
#: Programs' names that a project's own script may well have too.
_COMMON_WORDS = word_set(
    "test serve read type start open last history script time air fresh patch install watch file look format build"
)
#: Programs that take another's subcommands and options.
_ALSO_CALLED = {"richgo": "go", "gotip": "go", "bazelw": "bazel"}
_SYSTEM = ("/bin/", "/usr/", "/opt/", "/sbin/")
#: Programs whose words may be anything, `--help` included: their readers see to it.
_SPEAKS_FOR_ITSELF = frozenset({"git", "echo", "printf", "gh", "grep", "rg", "sed", "awk"})
#: What may be called through an unknown program (`rtk git push`, `noti make test`).
_STRONG = word_set(
    "git gh npm pnpm yarn bun node pytest jest vitest cargo go make gradle mvn python python3 ruff mypy eslint tsc "
    "docker uv poetry playwright phpunit rspec dotnet mix swift npx just"
)


def meanings_of_program(argv: tuple[str, ...]) -> list[Meaning]:
    """What the call means, usually one thing; nothing if the program is not known."""
    name = program(argv[0])
    name = _ALSO_CALLED.get(name, name)
    if name in _COMMON_WORDS and name != argv[0] and not argv[0].startswith(_SYSTEM):
        return []  # `./test` is no builtin
    if KINDS.get(name) == "read":
        return [Meaning(CommandKind.READ, name)]
    if name not in _SPEAKS_FOR_ITSELF and _only_asks(argv):
        return [Meaning(CommandKind.READ, name)]
    home = _HOME.get(name)
    if home is not None:
        return _readers(home)[name](argv)
    if name in MARKED:
        return [_marked(name, argv)]
    if name in KINDS:
        meaning = Meaning(CommandKind(KINDS[name]), name)
        meaning.formatter = meaning.kind is CommandKind.FORMAT
        return [meaning]
    if name in _SHELLS:
        return [Meaning(CommandKind.LINT if _checks_syntax(argv) else CommandKind.OTHER, name)]
    return _readers("interpreters")["python"](argv) if is_python(name) else []


_TOOL_KINDS = frozenset({"lint", "typecheck", "build", "format"})
_LOADED: "dict[str, dict[str, Reader]]" = {}


def _readers(home: str) -> "dict[str, Reader]":
    if home not in _LOADED:
        name = f"ace_reflect.evidence.{home}"
        __import__(name)  # `importlib` itself would be one more import
        _LOADED[home] = modules[name].READERS
    return _LOADED[home]


def is_tool(name: str) -> bool:
    """Whether the name is a developer's tool, and not a word that a project may give to a task of its own."""
    if name in _COMMON_WORDS:
        return False
    return _HOME.get(name) in ("runner_calls", "runner_tools") or name in MARKED or KINDS.get(name) in _TOOL_KINDS


def is_known(name: str) -> bool:
    """Whether the name says what the program does; of any other it may be anything, a run of tests as well."""
    if _HOME.get(name) == "told_runners":
        return False  # `java -jar checks.jar`
    return name in _HOME or name in MARKED or name in KINDS or name in _SHELLS or is_python(name)


def runs_tests(name: str) -> bool:
    """Whether the program is a test runner by itself (pytest, jest), whatever its arguments."""
    return _HOME.get(name) in ("runner_calls", "runner_tools")


#: What is no question there, though it stands alone: these are told to say more.
_TALKATIVE = {
    **dict.fromkeys(("pytest", "rspec", "phpunit", "ls", "du", "df"), ("-v", "-h")),
    **dict.fromkeys(
        ("unittest", "prove", "tox", "nox", "nose2", "nosetests", "behave", "busted", "green", "mypy"), ("-v",)
    ),
    "ctest": ("-V",),
}


def _only_asks(argv: tuple[str, ...]) -> bool:
    if len(argv) == 2 and argv[1] in ASKS_ALONE:
        return argv[1] not in _TALKATIVE.get(program(argv[0]), ())
    return any(word in ASKS for word in argv[1:])


def _checks_syntax(argv: tuple[str, ...]) -> bool:
    """`bash -n script.sh`"""
    return any(word[:1] == "-" and word[1:2] != "-" and "n" in word for word in argv[1:])


def _marked(name: str, argv: tuple[str, ...]) -> Meaning:
    words = {word.partition("=")[0] for word in argv[1:]}
    rows = MARKED[name]
    kind = next((kind for marks, kind in rows if marks == "*" or words.intersection(marks.split())), "other")
    known = " ".join(marks for marks, _ in rows).split()
    named = " ".join(word for word in argv[1:3] if word == "compose" or (word in known and word[0].isalpha()))
    return _meaning_of(CommandKind(kind), name, named, words)


def _meaning_of(kind: CommandKind, name: str, named: str, words: set[str]) -> Meaning:
    meaning = Meaning(kind, f"{name} {named}".rstrip())
    meaning.formatter = kind is CommandKind.FORMAT
    meaning.watch = bool({"--watch", "-w"} & words) and kind in (CommandKind.BUILD, CommandKind.TYPECHECK)
    if kind is CommandKind.EDIT:
        meaning.writes = (UNKNOWN_FILES,)
    return meaning


def meanings_of(argv: tuple[str, ...], via: tuple[str, ...] = ()) -> list[Meaning]:
    """What a call means; always at least one meaning."""
    name = program(argv[0])
    task = bool(via) and via[-1] in _TASK_VIAS and name == argv[0]
    found = meanings_of_program(argv) if not task or name != "test" else []
    if found:
        return found
    launched = _launched(argv) if not name.startswith("-") else 0
    if launched:
        return meanings_of_program(argv[launched:]) or [Meaning(CommandKind.OTHER, name)]
    if task:
        from ace_reflect.evidence.task_names import meanings_of_name

        return meanings_of_name(argv[0], f"{via[-1]} {argv[0]}")
    if via[-1:] == ("python -m",):
        from ace_reflect.evidence.interpreters import meanings_of_module

        return meanings_of_module(argv[0], argv[1:])
    if "/" in argv[0] or "." in argv[0]:
        from ace_reflect.evidence.task_names import meanings_of_script

        found = meanings_of_script(argv[0], argv[1:])
        for meaning in found:
            meaning.script = argv[0]
        return found
    return [Meaning(CommandKind.OTHER, name)]


def _launched(argv: tuple[str, ...]) -> int:
    """Where a well-known command begins that an unknown program is given: `rtk git push`, `x run -- npm test`; else 0."""
    if len(argv) > 1 and argv[1] in _STRONG:
        return 1
    behind = argv.index("--") + 1 if "--" in argv else len(argv)
    return behind if behind < len(argv) and argv[behind] in _STRONG else 0


#: Runners of a project's own scripts as well as of programs.
_TASK_VIAS = frozenset(
    {
        "pdm run",
        "pixi run",
        "rye run",
        "pipenv run",
        "devbox run",
        "poetry run",
        "uv run",
        "composer exec",
        "ddev exec",
        "nix run",
    }
)
