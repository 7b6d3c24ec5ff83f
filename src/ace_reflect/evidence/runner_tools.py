"""Tools with subcommands of which one runs tests: stack, dune, forge, helm, pants, react-scripts, …"""

from ace_reflect.evidence.call_parts import subcommand
from ace_reflect.evidence.call_words import after_options, program
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.runner_flags import test_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _BUILD, _LINT, _READ, _OTHER, _SERVER = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.LINT,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.SERVER,
)


def _trivial(kinds: dict[str, CommandKind], row: str) -> "Reader":
    """A tool with subcommands, of which `test` takes the options of `row`."""

    def read(argv: tuple[str, ...]) -> list[Meaning]:
        name = program(argv[0])
        sub, rest = subcommand(argv)
        kind = kinds.get(sub, _OTHER)
        runner = f"{name} {sub}".rstrip()
        if kind is _TEST:
            return [test_run(runner, row, rest)]
        meaning = Meaning(kind, runner)
        meaning.formatter = kind is CommandKind.FORMAT
        return [meaning]

    return read


def _kinds(
    test: str = "test", build: str = "build", other: "dict[str, CommandKind] | None" = None
) -> dict[str, CommandKind]:
    kinds = dict.fromkeys(test.split(), _TEST) | dict.fromkeys(build.split(), _BUILD)
    return kinds | (other or {})


_DUNE = _trivial(_kinds("test runtest", "build", {"fmt": CommandKind.FORMAT}), "any")


def _dune(argv: tuple[str, ...]) -> list[Meaning]:
    """An alias of the tests may be built among others: `dune build @all @runtest`, `dune build @test/runtest`."""
    builds = after_options(argv, 1)
    if argv[builds : builds + 1] in (("build",), ("b",)):
        aliases = [word for word in argv[builds + 1 :] if word.startswith("@")]
        tests = [word for word in aliases if word.lstrip("@").rpartition("/")[2] == "runtest"]
        if tests:
            run = test_run("dune runtest", "any", ())
            return [run] if tests == aliases else [Meaning(_BUILD, "dune build"), run]
    return _DUNE(argv)


_FORMATS = {"fmt": CommandKind.FORMAT, "format": CommandKind.FORMAT}


_COMMON = {
    **_FORMATS,
    "lint": _LINT,
    "check": CommandKind.TYPECHECK,
    "serve": _SERVER,
    "install": CommandKind.INSTALL,
    "dev": _SERVER,
}


READERS: "dict[str, Reader]" = {
    "stack": _trivial(_kinds(other={"install": CommandKind.INSTALL, "setup": CommandKind.INSTALL}), "stack test"),
    "cabal": _trivial(
        _kinds("test new-test", "build new-build v2-build", {"update": CommandKind.INSTALL, "check": _LINT}),
        "stack test",
    ),
    "dune": _dune,
    "rebar3": _trivial(
        _kinds("eunit ct proper", "compile release", {"fmt": CommandKind.FORMAT, "dialyzer": CommandKind.TYPECHECK}),
        "any",
    ),
    "lein": _trivial(_kinds("test midje", "compile uberjar jar", {"deps": CommandKind.INSTALL, "run": _SERVER}), "any"),
    "bb": _trivial(_kinds(), "any"),
    "crystal": _trivial(_kinds("spec", other={"tool": CommandKind.FORMAT}), "any"),
    "nimble": _trivial(_kinds(other=_COMMON), "any"),
    "gleam": _trivial(_kinds(other=_COMMON), "any"),
    "spago": _trivial(_kinds(other=_COMMON), "any"),
    "dub": _trivial(_kinds(), "any"),
    "raco": _trivial(_kinds("test", "make exe"), "any"),
    "forge": _trivial(_kinds("test coverage", "build compile", _COMMON), "forge test"),
    "hardhat": _trivial(_kinds("test coverage", "compile", {"node": _SERVER, "clean": _OTHER}), "mocha"),
    "truffle": _trivial(_kinds("test", "compile migrate"), "any"),
    "anchor": _trivial(_kinds(), "any"),
    "snforge": _trivial(_kinds(), "any"),
    "scarb": _trivial(_kinds(other=_COMMON), "any"),
    "aiken": _trivial(_kinds("check", "build", _FORMATS), "any"),
    "move": _trivial(_kinds(), "any"),
    "sui": _trivial(_kinds(), "any"),
    "pio": _trivial(_kinds("test", "run", {"check": _LINT}), "any"),
    "opa": _trivial(_kinds("test", "build", {"fmt": CommandKind.FORMAT, "check": CommandKind.TYPECHECK}), "any"),
    "regal": _trivial(_kinds("test", "", {"lint": _LINT, "fix": CommandKind.FORMAT}), "any"),
    "helm": _trivial(
        _kinds("test unittest", "package", {"lint": _LINT, "list": _READ, "get": _READ, "template": _READ}), "any"
    ),
    "buck": _trivial(_kinds(), "any"),
    "buck2": _trivial(_kinds(), "any"),
    "plz": _trivial(_kinds("test cover", "build"), "any"),
    "pants": _trivial(
        _kinds(
            "test", "package", {**_FORMATS, "lint": _LINT, "check": CommandKind.TYPECHECK, "fix": CommandKind.FORMAT}
        ),
        "pytest",
    ),
    "dagger": _trivial(_kinds(), "any"),
    "wasm-pack": _trivial(_kinds(), "any"),
    "ember": _trivial(_kinds("test", "build", {"serve": _SERVER, "s": _SERVER}), "any"),
    "react-scripts": _trivial(_kinds(other={"start": _SERVER}), "jest"),
    "react-app-rewired": _trivial(_kinds(other={"start": _SERVER}), "jest"),
    "craco": _trivial(_kinds(other={"start": _SERVER}), "jest"),
    "vue-cli-service": _trivial(_kinds("test:unit test:e2e", other={"serve": _SERVER, "lint": _LINT}), "script"),
    "ng": _trivial(
        _kinds(
            "test e2e t e",
            "build b",
            {"serve": _SERVER, "s": _SERVER, "lint": _LINT, "generate": CommandKind.EDIT, "g": CommandKind.EDIT},
        ),
        "karma",
    ),
    "aegir": _trivial(_kinds(other={"lint": _LINT, "check": CommandKind.TYPECHECK}), "mocha"),
    "tsdx": _trivial(_kinds(other={"lint": _LINT, "watch": _SERVER, "start": _SERVER}), "jest"),
    "wp-scripts": _trivial(
        _kinds(
            "test-unit-js test-e2e test-playwright",
            other={"start": _SERVER, "lint-js": _LINT, "format": CommandKind.FORMAT},
        ),
        "jest",
    ),
    "earthly": _trivial(_kinds("+test +tests +ci +check", "+build +all", {"+lint": _LINT}), "any"),
    "swiftly": _trivial(_kinds(), "any"),
}
