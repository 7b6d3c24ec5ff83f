"""
`python x.py`, `node y.js`, `ruby -Itest z_test.rb`, `php artisan …`: what an interpreter is started for.

A file that is run by hand is no framework: `python test_x.py` is listed as a test with the runner "script".
"""

from ace_reflect.evidence.call_words import after_options, program, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import is_temporary
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.programs import meanings_of_program, runs_tests
from ace_reflect.evidence.runner_flags import test_run
from ace_reflect.evidence.task_names import meanings_of_script, words_of
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _OTHER, _READ, _SERVER, _LINT = (
    CommandKind.TEST,
    CommandKind.OTHER,
    CommandKind.READ,
    CommandKind.SERVER,
    CommandKind.LINT,
)


_NODE_VALUES = word_set(
    "-r --require --import --loader --experimental-loader -e --eval -p --print --env-file --env-file-if-exists --conditions -C --test-reporter --inspect-port "
    "--max-old-space-size --test-name-pattern --test-reporter-destination --test-concurrency --test-timeout --title --watch-path --input-type --tsconfig "
    "-P --project --test-skip-pattern --test-shard"
)
#: Where a package keeps the program that its name stands for: node_modules/jest/bin/jest.js
_NODE_PROGRAM = Late(r"(?:^|/)node_modules/(?:\.bin/)?(?:@[^/]+/)?([^/]+)", needs=("node_modules/",)).search
_ALIASES = {"jest-cli": "jest", "typescript": "tsc", "@playwright": "playwright"}
_SERVES = word_set("server serve dev devserver runserver app main-server")
_IN_TESTS = Late(
    r"(?:^|/)(?:tests?|__tests__|spec)/(?:run|index|main|all|runner|__main__)[^/]*\.\w+$",
    needs=("spec|test", "all|index|main|run"),
).search
_TEST_ENDS = ("_test", "-test", ".test", "-spec", ".spec")


def meanings_of_file(path: str, args: tuple[str, ...], interpreter: str) -> list[Meaning]:
    """A file that an interpreter runs."""
    if interpreter in ("node", "bun", "tsx", "ts-node", "deno"):
        match = _NODE_PROGRAM(path)
        name = _ALIASES.get(match[1], match[1]) if match else ""
        if match:
            return meanings_of_program((name, *args)) or [Meaning(_OTHER, name)]
    base = path.replace("\\", "/").rpartition("/")[2]
    if base == "manage.py":
        from ace_reflect.evidence.toolchains_web import django

        return django(args)
    if interpreter in ("php", "python", "ruby", "perl") and runs_tests(program(base)):
        return meanings_of_program((base, *args))
    if base == "artisan" or (base == "console" and interpreter == "php"):
        from ace_reflect.evidence.toolchains_web import artisan

        return artisan(args)
    if base == "setup.py":
        return _setup_py(args)
    return _own_file(path, base, args, interpreter)


def _is_test_file(path: str) -> bool:
    """`test_x.py`, `x_test.rb`, `tests.js`, `x.spec.ts`: by its own name."""
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    if not suffix.replace("_", "a").isalnum():
        return False
    return stem in ("test", "tests") or (len(stem) > 5 and (stem.startswith("test_") or stem.endswith(_TEST_ENDS)))


def _own_file(path: str, base: str, args: tuple[str, ...], interpreter: str) -> list[Meaning]:
    if (_is_test_file(path) or _IN_TESTS(path)) and not is_temporary(path):
        meaning = Meaning(_TEST, "script")
        meaning.targets = (path,)
        meaning.selected = " ".join(args[:4])
        return [meaning]
    words = words_of(base.partition(".")[0])
    if words and (words[0] in _SERVES or words[-1] in ("server", "serve")):
        return [Meaning(_SERVER, f"{interpreter} {base}")]
    found = meanings_of_script(path if "." in base else f"{path}.py", args)
    for meaning in found:
        meaning.runner = "script" if meaning.kind is _TEST else f"{interpreter} {base}"
        meaning.script = path
    return found


def meanings_of_module(module: str, args: tuple[str, ...]) -> list[Meaning]:
    """A module of the project's own: `python -m tests`, `python -m app.tests.test_api`, `python -m scripts.run_tests`."""
    path = module.replace(".", "/")
    if path.rpartition("/")[2] in ("test", "tests"):
        return [Meaning(_TEST, "script")]
    if path.startswith(("tests/", "test/", "scripts/", "tools/")) or _is_test_file(f"{path}.py"):
        return _own_file(f"{path}.py", f"{path.rpartition('/')[2]}.py", args, "python")
    return [Meaning(_OTHER, module)]


def _setup_py(args: tuple[str, ...]) -> list[Meaning]:
    kinds = {
        "test": _TEST,
        "pytest": _TEST,
        "nosetests": _TEST,
        "install": CommandKind.INSTALL,
        "develop": CommandKind.INSTALL,
    }
    kind = next((kinds[word] for word in args if word in kinds), CommandKind.BUILD)
    return [Meaning(kind, "setup.py test" if kind is _TEST else "setup.py")]


def _python(argv: tuple[str, ...]) -> list[Meaning]:
    start = after_options(argv, 1, word_set("-W -X -c -m"))
    if "-c" in argv[:start]:
        return [Meaning(_OTHER, "python -c")]
    if start >= len(argv) or argv[start] == "-":
        return [Meaning(_OTHER if len(argv) == 1 or "-" in argv else _READ, "python")]
    return meanings_of_file(argv[start], argv[start + 1 :], "python")


def _node(argv: tuple[str, ...]) -> list[Meaning]:
    name = program(argv[0])
    args = argv[2:] if name in ("tsx", "babel-node") and argv[1:2] == ("watch",) else argv[1:]
    if "--test" in args:
        return [test_run("node --test", "node --test", tuple(word for word in args if word != "--test"))]
    if args[:1] == ("--run",) and len(args) > 1:
        from ace_reflect.evidence.node_tasks import node_script

        return node_script("npm", args[1], args[2:], run=True)
    if {"--check", "-c"} & set(args) and name == "node":
        return [Meaning(_LINT, "node --check")]
    start = after_options(("", *args), 1, _NODE_VALUES) - 1
    if {"-e", "--eval", "-p", "--print", "-pe"} & set(args[:start]) or start >= len(args):
        return [Meaning(_OTHER, f"{name} -e")]
    found = meanings_of_file(args[start], args[start + 1 :], name)
    if "--watch" in args[:start] or argv[1:2] == ("watch",):
        for meaning in found:
            meaning.watch = True
            meaning.kind = meaning.kind if meaning.kind is _TEST else _SERVER
    return found


def _ruby(argv: tuple[str, ...]) -> list[Meaning]:
    if "-c" in argv[1:3] or "-wc" in argv[1:3]:
        return [Meaning(_LINT, "ruby -c")]
    start = after_options(argv, 1, word_set("-I -r -e -C -E"))
    if "-e" in argv[:start] or start >= len(argv):
        required = any("test" in word for word in argv[:start])
        return [Meaning(_TEST, "minitest") if required else Meaning(_OTHER, "ruby -e")]
    path = argv[start]
    if _is_test_file(path) or path.rpartition("/")[2].startswith("test_"):
        return [test_run("minitest", "minitest", argv[start:])]
    return meanings_of_file(path, argv[start + 1 :], "ruby")


def _php(argv: tuple[str, ...]) -> list[Meaning]:
    if "-l" in argv[1:3] or "--syntax-check" in argv:
        return [Meaning(_LINT, "php -l")]
    if "-S" in argv:
        return [Meaning(_SERVER, "php -S")]
    start = after_options(argv, 1, word_set("-d -c -r -f -z --define"))
    if "-r" in argv[:start] or start >= len(argv):
        return [
            Meaning(
                _READ if len(argv) > 1 and argv[1] in ("-v", "-m", "-i", "--version", "--ini") else _OTHER, "php -r"
            )
        ]
    return meanings_of_file(argv[start], argv[start + 1 :], "php")


def _perl(argv: tuple[str, ...]) -> list[Meaning]:
    if "-c" in argv[1:3]:
        return [Meaning(_LINT, "perl -c")]
    start = after_options(argv, 1, word_set("-I -M -e -E -0"))
    if start >= len(argv) or any(
        word[:1] == "-" and "e" in word[1:].lower() and word[1:2] not in "MI" for word in argv[1:start]
    ):
        return [Meaning(_OTHER, "perl -e")]
    if argv[start].endswith(".t"):
        meaning = Meaning(_TEST, "prove")
        meaning.targets = (argv[start],)
        return [meaning]
    return meanings_of_file(argv[start], argv[start + 1 :], "perl")


def _inline_tests(argv: tuple[str, ...], runner: str, marks: tuple[str, ...]) -> list[Meaning]:
    text = " ".join(argv[1:])
    if any(mark in text for mark in marks):
        return [Meaning(_TEST, runner)]
    return [Meaning(_OTHER, program(argv[0]))]


def _r(argv: tuple[str, ...]) -> list[Meaning]:
    if argv[1:3] == ("CMD", "check"):
        return [Meaning(_TEST, "R CMD check")]
    if argv[1:3] in (("CMD", "build"), ("CMD", "INSTALL")):
        return [Meaning(CommandKind.BUILD, "R CMD build")]
    if any(name in word for word in argv[1:] for name in ("devtools::check(", "rcmdcheck(")):
        return [Meaning(_TEST, "R CMD check")]
    return _inline_tests(argv, "testthat", ("testthat", "devtools::test", "tinytest"))


def _julia(argv: tuple[str, ...]) -> list[Meaning]:
    return _inline_tests(argv, "julia Pkg.test", ("Pkg.test", "runtests.jl"))


def _clojure(argv: tuple[str, ...]) -> list[Meaning]:
    words = [word for word in argv[1:] if word.startswith(("-M:", "-X:", "-T:", "-A:", "-M", "-X"))]
    names = [part for word in words for part in word[2:].split(":") if part]
    if any("test" in name or name in ("kaocha", "eftest") for name in names):
        return [Meaning(_TEST, "clojure test")]
    return [Meaning(CommandKind.BUILD if "build" in names or "build" in argv else _OTHER, program(argv[0]))]


def _nvim(argv: tuple[str, ...]) -> list[Meaning]:
    return _inline_tests(argv, "plenary", ("PlenaryBusted", "MiniTest", "busted"))


READERS: "dict[str, Reader]" = {
    **dict.fromkeys(
        (
            "node",
            "nodejs",
            "tsx",
            "ts-node",
            "ts-node-esm",
            "babel-node",
            "esno",
            "vite-node",
            "esbuild-runner",
            "swc-node",
        ),
        _node,
    ),
    "python": _python,
    "ruby": _ruby,
    "jruby": _ruby,
    "php": _php,
    "perl": _perl,
    "R": _r,
    "Rscript": _r,
    "julia": _julia,
    "clojure": _clojure,
    "clj": _clojure,
    "nvim": _nvim,
    "vim": _nvim,
}
