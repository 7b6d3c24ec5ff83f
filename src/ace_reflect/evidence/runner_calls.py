"""Programs that run tests when they are started: pytest, jest, `go test`, `cargo test`, … -> what they will run."""

from ace_reflect.evidence.call_words import option_value, program, values_after
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.runner_flags import lines_of_files, read_flags, test_run
from ace_reflect.evidence.runner_table import PLAIN_RUNNERS
from ace_reflect.evidence.task_names import kinds_of_name

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


def read_plain(argv: tuple[str, ...]) -> list[Meaning]:
    """A runner whose every call (or one subcommand) runs tests."""
    runner, row, subcommands = PLAIN_RUNNERS[program(argv[0])]
    args = argv[1:]
    if subcommands:
        if not any(word in subcommands for word in args[:6]):
            return [Meaning(_OTHER, runner)]
        index = next(i for i, word in enumerate(args) if word in subcommands)
        args = (*args[:index], *args[index + 1 :])
    return [test_run(runner, row, args)]


def _act(argv: tuple[str, ...]) -> list[Meaning]:
    meaning = Meaning(_TEST, "act")
    meaning.collects_only = bool({"-l", "--list", "-n", "--dryrun", "--graph", "-g"} & set(argv))
    job = option_value(argv, frozenset({"-j", "--job", "-W", "--workflows"}))
    meaning.selected = f"-j {job}" if job else ""
    return [meaning]


def _unittest(argv: tuple[str, ...]) -> list[Meaning]:
    meaning = test_run("unittest", "unittest", argv[1:])
    words = meaning.selected.split()
    if "discover" in words:
        words.remove("discover")
        meaning.selected = " ".join(words)
    folder = option_value(argv, frozenset({"-s", "--start-directory"}))
    if folder:
        meaning.targets = (folder,)
    paths = [word for word in words if "/" in word or word.endswith(".py")]
    if paths:
        meaning.targets = (*meaning.targets, *paths)
        meaning.selected = " ".join(word for word in words if word not in paths)
    return [meaning]


def _vitest(argv: tuple[str, ...]) -> list[Meaning]:
    sub = next((word for word in argv[1:] if not word.startswith("-")), "")
    if sub in ("init", "bench"):
        return [Meaning(_OTHER, f"vitest {sub}")]
    known = ("run", "watch", "dev", "list", "related", "typecheck")
    args = tuple(word for word in argv[1:] if word is not sub or sub not in known)
    meaning = test_run("vitest", "vitest", args)
    meaning.watch = meaning.watch or sub in ("watch", "dev")
    meaning.collects_only = meaning.collects_only or sub == "list"
    if sub == "related":
        meaning.selected, meaning.targets = " ".join(("related", *meaning.targets)), ()
    if "--ui" in argv:
        meaning.watch = True
    return [meaning]


def _jest(argv: tuple[str, ...]) -> list[Meaning]:
    meaning = test_run("jest", "jest", argv[1:])
    if "--findRelatedTests" in argv:
        meaning.selected, meaning.targets = " ".join(("--findRelatedTests", *meaning.targets)), ()
    return [meaning]


def _mocha(argv: tuple[str, ...]) -> list[Meaning]:
    meaning = read_plain(argv)[0]
    if {"-i", "--invert"} & set(argv) and meaning.selected:
        meaning.deselects, meaning.selected = f"--invert {meaning.selected}", ""
    return [meaning]


def _playwright(argv: tuple[str, ...]) -> list[Meaning]:
    sub = next((word for word in argv[1:] if not word.startswith("-")), "")
    if sub in ("install", "install-deps", "uninstall"):
        return [Meaning(CommandKind.INSTALL, f"playwright {sub}")]
    if sub in ("show-report", "codegen", "open", "show-trace"):
        return [Meaning(_SERVER, f"playwright {sub}")]
    return read_plain(argv)


def _cypress(argv: tuple[str, ...]) -> list[Meaning]:
    sub = next((word for word in argv[1:] if not word.startswith("-")), "")
    if sub == "open":
        return [Meaning(_SERVER, "cypress open")]
    if sub in ("install", "verify", "info", "cache"):
        return [Meaning(CommandKind.INSTALL if sub == "install" else _READ, f"cypress {sub}")]
    return read_plain(argv)


def _karma(argv: tuple[str, ...]) -> list[Meaning]:
    if argv[1:2] not in (("start",), ("run",)):
        return [Meaning(_OTHER, "karma")]
    meaning = test_run("karma", "karma", argv[2:])
    meaning.watch = "--single-run" not in argv and "--no-single-run" in argv
    return [meaning]


def _pytest_watch(argv: tuple[str, ...]) -> list[Meaning]:
    meaning = test_run("pytest", "pytest", argv[1:])
    meaning.watch = True
    return [meaning]


def _tox(argv: tuple[str, ...]) -> list[Meaning]:
    """`tox -e lint,py311`: each environment by its name; one that says nothing runs tests."""
    if {"-l", "--listenvs", "-a", "--listenvs-all", "--showconfig"} & set(argv) or argv[1:2] in (
        ("list",),
        ("l",),
        ("config",),
        ("c",),
    ):
        return [Meaning(_READ, "tox")]
    value = option_value(argv, frozenset({"-e", "--env"})) or _attached(argv, "-e")
    found = _of_kinds([(kinds_of_name(name) or [_TEST])[0] for name in value.split(",")], "tox")
    for meaning in found:
        meaning.collects_only = "--notest" in argv
        if "--" in argv and meaning.kind is _TEST:
            read_flags(meaning, argv[argv.index("--") + 1 :], "pytest")
    return found


def _of_kinds(kinds: list[CommandKind], runner: str) -> list[Meaning]:
    """One meaning for each kind; what is of no kind that matters only where it is alone."""
    found = [Meaning(kind, runner) for kind in dict.fromkeys(kinds) if kind is not _OTHER or len(set(kinds)) == 1]
    for meaning in found:
        meaning.formatter = meaning.kind is CommandKind.FORMAT
    return found


def _nox(argv: tuple[str, ...]) -> list[Meaning]:
    """`nox -s tests lint`"""
    if {"-l", "--list", "--list-sessions"} & set(argv):
        return [Meaning(_READ, "nox")]
    sessions = values_after(argv, frozenset({"-s", "--session", "--sessions", "-e"}))
    names = [session.partition("(")[0] for session in sessions]
    return _of_kinds([(kinds_of_name(name) or [_OTHER])[0] for name in names] or [_TEST], "nox")


def go_test(args: tuple[str, ...], runner: str = "go test") -> Meaning:
    """`go test [flags] [packages] [flags]`; `./...` alone is the whole of the folder."""
    if "-args" in args:
        args = args[: args.index("-args")]
    meaning = test_run(runner, "go test", args)
    meaning.targets = tuple(
        "" if target in ("./...", "...") else target.removesuffix("/...") for target in meaning.targets
    )
    meaning.targets = () if "" in meaning.targets else meaning.targets
    pattern = option_value(("go", *args), frozenset({"-run", "--run"})) or _attached(args, "-run=")
    if pattern in ("^$", "XXX", "NONE", "^NONE$", "^#", "xxx", "NOTHING", "^XXX$"):
        meaning.collects_only = True
    if "-c" in args:
        meaning.kind = _BUILD
    return meaning


def _attached(args: tuple[str, ...], start: str) -> str:
    return next((word[len(start) :] for word in args if word.startswith(start)), "")


def _gotestsum(argv: tuple[str, ...]) -> list[Meaning]:
    if argv[1:2] in (("tool",), ("help",)):
        return [Meaning(_READ, "gotestsum")]
    meaning = go_test(argv[argv.index("--") + 1 :], "gotestsum") if "--" in argv else Meaning(_TEST, "gotestsum")
    own = argv[: argv.index("--")] if "--" in argv else argv
    packages = option_value(own, frozenset({"--packages"}))
    if packages and packages != "./...":
        meaning.targets = tuple(part.removesuffix("/...") for part in packages.split())
    meaning.watch = "--watch" in own
    return [meaning]


def _ginkgo(argv: tuple[str, ...]) -> list[Meaning]:
    sub = argv[1] if len(argv) > 1 else ""
    if sub in ("bootstrap", "generate", "version", "help", "unfocus", "outline", "labels", "build"):
        return [Meaning(_BUILD if sub == "build" else _OTHER, f"ginkgo {sub}")]
    meaning = test_run("ginkgo", "ginkgo", argv[2:] if sub in ("run", "watch") else argv[1:])
    meaning.watch = sub == "watch"
    return [meaning]


def cargo_test(args: tuple[str, ...], runner: str = "cargo test") -> Meaning:
    """Arguments after `cargo test`; those behind `--` go to the test program."""
    meaning = test_run(runner, "cargo test", args)
    package = option_value(("cargo", *args), frozenset({"--manifest-path"}))
    if package:
        meaning.cwd = package.rpartition("/")[0] or "."
    return meaning


def nextest(argv: tuple[str, ...]) -> list[Meaning]:
    """`cargo nextest run`, `cargo nextest list`; the first word is the program."""
    if argv[1:2] not in (("run",), ("r",), ("list",)):
        return [Meaning(_OTHER, "cargo nextest")]
    meaning = cargo_test(argv[2:], "cargo nextest")
    meaning.collects_only = meaning.collects_only or argv[1] == "list"
    return [meaning]


def _rspec(argv: tuple[str, ...]) -> list[Meaning]:
    if "--init" in argv:
        return [Meaning(_OTHER, "rspec")]
    meaning = read_plain(argv)[0]
    lines_of_files(meaning)
    return [meaning]


def _ctest(argv: tuple[str, ...]) -> list[Meaning]:
    meaning = read_plain(argv)[0]
    meaning.cwd = option_value(argv, frozenset({"--test-dir"}))
    return [meaning]


def _xcodebuild(argv: tuple[str, ...]) -> list[Meaning]:
    words = set(argv[1:])
    if words & {"test", "test-without-building"}:
        return [test_run("xcodebuild test", "xcodebuild", argv[1:])]
    if words & {"-list", "-showBuildSettings", "-showsdks", "-version", "-showdestinations"}:
        return [Meaning(_READ, "xcodebuild")]
    return [Meaning(_LINT if "analyze" in words else _BUILD, "xcodebuild")]


def _meson(argv: tuple[str, ...]) -> list[Meaning]:
    sub = argv[1] if len(argv) > 1 else ""
    if sub == "test":
        return [test_run("meson test", "meson test", argv[2:])]
    return [Meaning(_BUILD if sub in ("compile", "setup", "install") else _OTHER, f"meson {sub}".rstrip())]


READERS: "dict[str, Reader]" = {
    **dict.fromkeys(PLAIN_RUNNERS, read_plain),
    "act": _act,
    "unittest": _unittest,
    "vitest": _vitest,
    "jest": _jest,
    "mocha": _mocha,
    "_mocha": _mocha,
    "ts-mocha": _mocha,
    "playwright": _playwright,
    "cypress": _cypress,
    "karma": _karma,
    "ptw": _pytest_watch,
    "pytest-watch": _pytest_watch,
    "pytest-watcher": _pytest_watch,
    "tox": _tox,
    "nox": _nox,
    "gotestsum": _gotestsum,
    "ginkgo": _ginkgo,
    "cargo-nextest": nextest,
    "rspec": _rspec,
    "ctest": _ctest,
    "xcodebuild": _xcodebuild,
    "meson": _meson,
}
