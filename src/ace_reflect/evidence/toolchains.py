"""Languages' own tools, which build, test, check, format and install: cargo, go, gradle, mvn, dotnet, swift, mix, …"""

from ace_reflect.evidence.call_words import after_options, option_value, program
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning
from ace_reflect.evidence.programs import meanings_of_program
from ace_reflect.evidence.runner_calls import cargo_test, go_test
from ace_reflect.evidence.runner_flags import read_flags
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name
from ace_reflect.evidence.wrapper_table import GLOBAL_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[tuple[str, ...]], list[Meaning]]

_TEST, _BUILD, _LINT, _TYPES, _READ, _OTHER, _SERVER, _INSTALL, _EDIT, _FORMAT = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.LINT,
    CommandKind.TYPECHECK,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.SERVER,
    CommandKind.INSTALL,
    CommandKind.EDIT,
    CommandKind.FORMAT,
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _table(**kinds: str) -> dict[str, CommandKind]:
    """`_table(build="b build")` -> {"b": BUILD, "build": BUILD}"""
    return {word: CommandKind(kind) for kind, words in kinds.items() for word in words.split()}


def formats(runner: str, *, checks: bool) -> Meaning:
    """A formatter's run; one that only checks is a linter's."""
    meaning = Meaning(_LINT if checks else _FORMAT, runner)
    meaning.formatter = not checks
    return meaning


def generates(runner: str, paths: tuple[str, ...] = (UNKNOWN_FILES,)) -> Meaning:
    """A generator's run, which writes files that it does not name."""
    meaning = Meaning(_EDIT, runner)
    meaning.writes = paths
    return meaning


def _sub(argv: tuple[str, ...], values: frozenset[str] = frozenset()) -> tuple[str, tuple[str, ...]]:
    """The subcommand and what follows it."""
    first = after_options(argv, 1, values)
    return (argv[first], argv[first + 1 :]) if first < len(argv) else ("", ())


_CARGO = _table(
    build="build b rustc doc d package leptos tauri ndk zigbuild cross dist bundle component lambda pgrx",
    typecheck="check c",
    lint="clippy deny audit vet udeps machete semver-checks outdated spellcheck msrv",
    install="install add remove rm update fetch uninstall vendor generate-lockfile",
    read="tree metadata search locate-project pkgid read-manifest verify-project version help config info expand bloat asm report",
)


def _cargo(argv: tuple[str, ...]) -> list[Meaning]:
    args = argv[2:] if argv[1:2] and argv[1].startswith("+") else argv[1:]
    sub, rest = _sub(("cargo", *args), _set("--config -Z --color -C"))
    cwd = option_value(("cargo", *args), _set("-C"))
    found = _cargo_subcommand(sub, rest)
    for meaning in found:
        meaning.cwd = meaning.cwd or cwd
    return found


def _cargo_subcommand(sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    if sub in ("test", "t"):
        return [cargo_test(rest)]
    if sub == "nextest":
        if rest[:1] == ("list",):
            meaning = cargo_test(rest[1:], "cargo nextest")
            meaning.collects_only = True
            return [meaning]
        return (
            [cargo_test(rest[1:], "cargo nextest")]
            if rest[:1] in (("run",), ("r",))
            else [Meaning(_OTHER, "cargo nextest")]
        )
    if sub in ("tarpaulin", "llvm-cov", "miri", "hack", "insta", "careful", "mutants", "kani"):
        return _cargo_around(sub, rest)
    if sub == "fmt":
        return [formats("cargo fmt", checks="--check" in rest)]
    if sub == "fix" or (sub == "clippy" and "--fix" in rest):
        return [formats(f"cargo {sub}", checks=False)]
    if sub == "watch":
        meaning = _cargo_watch(rest)
        return [meaning]
    if sub in ("xtask", "make", "x"):
        first = after_options(rest, 0)
        return meanings_of_name(
            rest[first] if first < len(rest) else "", " ".join(("cargo", sub, *rest[first : first + 1]))
        )
    if sub in ("new", "init", "generate"):
        return [generates(f"cargo {sub}")]
    if sub in ("leptos", "tauri", "component", "lambda", "dist") and rest[:1]:
        return meanings_of_name(rest[0], f"cargo {sub} {rest[0]}")
    if sub in ("run", "r", "bench", "clean", "publish", "login", ""):
        return [Meaning(_OTHER if sub else _READ, f"cargo {sub}".rstrip())]
    kind = _CARGO.get(sub)
    return [Meaning(kind, f"cargo {sub}")] if kind else meanings_of_name(sub, f"cargo {sub}")


def _cargo_around(sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    """Coverage and the like: they run the tests in their own way."""
    words = [word for word in rest if not word.startswith("-")]
    if sub in ("miri", "hack", "insta", "careful") and not {"test", "nextest", "t"} & set(words[:2]):
        return [Meaning(_BUILD if "build" in words or "check" in words else _OTHER, f"cargo {sub}")]
    if sub == "llvm-cov" and words[:1] in (["report"], ["clean"], ["show-env"]):
        return [Meaning(_READ, "cargo llvm-cov")]
    dropped = {"test", "nextest", "t", "run"}
    return [cargo_test(tuple(word for word in rest if word not in dropped), f"cargo {sub}")]


def _cargo_watch(rest: tuple[str, ...]) -> Meaning:
    command = option_value(("watch", *rest), _set("-x --exec -s --shell")) or ""
    words = command.split()
    if words[:1] in (["test"], ["t"], ["nextest"]):
        meaning = cargo_test(tuple(words[1:]))
        meaning.watch = True
        return meaning
    return Meaning(_SERVER, "cargo watch")


def _go(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = _sub(argv, _set("-C"))
    found = _go_subcommand(sub, rest)
    for meaning in found:
        meaning.cwd = meaning.cwd or option_value(argv, _set("-C"))
    return found


def _go_subcommand(sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    if sub == "test":
        return [go_test(rest)]
    if sub in ("build", "install"):
        remote = any("@" in word for word in rest)
        return [Meaning(_INSTALL if remote else _BUILD, f"go {sub}")]
    if sub == "fmt":
        return [formats("go fmt", checks="-n" in rest)]
    if sub == "vet":
        return [Meaning(_LINT, "go vet")]
    if sub == "fix":
        return [formats("go fix", checks=False)]
    if sub == "generate":
        return [generates("go generate")]
    if sub in ("get", "mod", "work"):
        looks = rest[:1] in (("graph",), ("why",), ("verify",))
        return [Meaning(_READ if looks else _INSTALL, " ".join(("go", sub, *rest[:1])))]
    if sub == "run":
        return _go_run(rest)
    return [Meaning(_READ if sub in ("list", "env", "version", "doc", "help", "") else _OTHER, f"go {sub}".rstrip())]


def _go_run(rest: tuple[str, ...]) -> list[Meaning]:
    """`go run gotest.tools/gotestsum@latest …` is that program."""
    first = after_options(rest, 0, _set("-tags -ldflags -mod -modfile -exec -C"))
    target = rest[first] if first < len(rest) else ""
    if "." in target.partition("/")[0] and "/" in target and not target.startswith("."):
        path = target.partition("@")[0].split("/")
        name = path[-2] if path[-1][:1] == "v" and path[-1][1:].isdigit() and len(path) > 1 else path[-1]
        found = meanings_of_program((name, *rest[first + 1 :]))
        if found:
            return found
    return [Meaning(_OTHER, "go run")]


def _gradle(argv: tuple[str, ...]) -> list[Meaning]:
    values = _set(
        "-p --project-dir -b --build-file -c -g -I --init-script -x --exclude-task --tests -P -D --console --max-workers --warning-mode"
    )
    tasks: list[str] = []
    excluded: set[str] = set()
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in values:
            if word in ("-x", "--exclude-task") and index + 1 < len(argv):
                excluded.add(argv[index + 1].rpartition(":")[2])
            index += 1
        elif not word.startswith("-"):
            tasks.append(word)
        index += 1
    return _gradle_meanings(argv, tasks, excluded)


def _gradle_meanings(argv: tuple[str, ...], tasks: list[str], excluded: set[str]) -> list[Meaning]:
    found: dict[CommandKind, Meaning] = {}
    for task in tasks:
        name = task.rpartition(":")[2]
        for kind in _gradle_kinds(name, excluded):
            meaning = found.setdefault(kind, Meaning(kind, f"gradle {name}"))
            module = task.rpartition(":")[0].strip(":").replace(":", "/")
            meaning.targets = (*meaning.targets, module) if module else meaning.targets
    selected = [f"--tests {argv[i + 1]}" for i in range(1, len(argv) - 1) if argv[i] == "--tests"]
    for meaning in found.values():
        meaning.formatter = meaning.kind is _FORMAT
        if meaning.kind is _TEST:
            meaning.selected = " ".join(selected)
            meaning.collects_only = bool({"--dry-run", "-m", "--test-dry-run"} & set(argv))
        meaning.watch = bool({"-t", "--continuous"} & set(argv))
        meaning.cwd = option_value(argv, _set("-p --project-dir"))
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values()) or [Meaning(_READ if "--version" in argv or "-v" in argv else _OTHER, "gradle")]


def _gradle_kinds(name: str, excluded: set[str]) -> list[CommandKind]:
    no_tests = "test" in excluded or "check" in excluded
    if name in ("build", "buildNeeded", "buildDependents"):
        return [_BUILD] if no_tests else [_BUILD, _TEST]
    if name == "check":
        return [_LINT] if "test" in excluded else [_TEST]
    if name in (
        "tasks",
        "dependencies",
        "projects",
        "properties",
        "help",
        "dependencyInsight",
        "components",
        "model",
        "buildEnvironment",
    ):
        return [_READ]
    if name.endswith("Apply") or name in ("spotlessApply", "ktlintFormat", "formatKotlin", "googleJavaFormat"):
        return [_FORMAT]
    if name.endswith(("Check", "detekt", "Detekt")) or name.startswith(
        ("lint", "ktlint", "checkstyle", "pmd", "spotbugs", "detekt")
    ):
        return [_LINT]
    if name in ("bootRun", "run", "appRun", "quarkusDev", "runServer"):
        return [_SERVER]
    if name.startswith(
        (
            "assemble",
            "compile",
            "bundle",
            "package",
            "install",
            "process",
            "jar",
            "bootJar",
            "shadowJar",
            "war",
            "classes",
            "testClasses",
        )
    ):
        return [_BUILD]
    return [kind for kind, _ in kinds_of_name(name)] or [_OTHER]


_MAVEN_PHASES = {
    **dict.fromkeys(
        ("test", "integration-test", "surefire:test", "failsafe:integration-test", "failsafe:verify"), (_TEST,)
    ),
    **dict.fromkeys(("package", "verify", "install", "deploy"), (_BUILD, _TEST)),
    **dict.fromkeys(("compile", "test-compile", "process-classes", "jar:jar", "war:war"), (_BUILD,)),
}


def _maven(argv: tuple[str, ...]) -> list[Meaning]:
    values = _set(
        "-f --file -pl --projects -P --activate-profiles -s --settings -T --threads -rf --resume-from -l --log-file -gs"
    )
    skips = any(
        word.startswith(("-DskipTests", "-Dmaven.test.skip", "-DskipITs")) and not word.endswith("=false")
        for word in argv
    )
    found: dict[CommandKind, Meaning] = {}
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in values:
            index += 1
        elif not word.startswith("-"):
            for kind in _maven_kinds(word, skips=skips):
                found.setdefault(kind, Meaning(kind, f"mvn {word}"))
        index += 1
    if len(found) > 1:
        found.pop(_OTHER, None)
    for meaning in found.values():
        _maven_selection(meaning, argv)
    return list(found.values()) or [Meaning(_READ, "mvn")]


def _maven_kinds(goal: str, *, skips: bool) -> tuple[CommandKind, ...]:
    kinds = _MAVEN_PHASES.get(goal)
    if kinds is not None:
        return tuple(kind for kind in kinds if kind is not _TEST or not skips) or (_OTHER,)
    plugin, _, action = goal.rpartition(":")
    if action in ("apply", "format") and plugin:
        return (_FORMAT,)
    if "surefire" in plugin or "failsafe" in plugin:
        return (_TEST,)
    if action in ("check", "pmd", "checkstyle", "spotbugs", "lint", "validate") and plugin:
        return (_LINT,)
    if action in ("run", "dev", "start") and plugin:
        return (_SERVER,)
    if action in ("tree", "list", "effective-pom", "help", "describe", "display-dependency-updates", "analyze"):
        return (_READ,)
    return (_OTHER,)


def _maven_selection(meaning: Meaning, argv: tuple[str, ...]) -> None:
    meaning.formatter = meaning.kind is _FORMAT
    file = option_value(argv, _set("-f --file"))
    if file:
        meaning.cwd = file.rpartition("/")[0] if file.endswith(".xml") else file
    if meaning.kind is not _TEST:
        return
    modules = option_value(argv, _set("-pl --projects")) or ""
    meaning.targets = tuple(part for part in modules.split(",") if part and part[0] not in "!-:")
    names = [word for word in argv if word.startswith(("-Dtest=", "-Dit.test=", "-Dgroups=", "-Dcucumber.filter"))]
    meaning.selected = " ".join(word for word in names if "=!" not in word)
    dropped = [word for word in argv if word.startswith("-DexcludedGroups=") or "=!" in word]
    meaning.deselects = " ".join(dropped + [part for part in modules.split(",") if part[:1] == "!"])


def _sbt(argv: tuple[str, ...]) -> list[Meaning]:
    found: dict[CommandKind, Meaning] = {}
    for word in argv[1:]:
        for command in word.split(";"):
            name = command.strip().split(" ")[0].lstrip("~+").rpartition("/")[2].rpartition(":")[2]
            if not name or name.startswith("-"):
                continue
            for kind in _sbt_kinds(name):
                meaning = found.setdefault(kind, Meaning(kind, f"sbt {name}"))
                meaning.watch = meaning.watch or command.strip().startswith("~")
                meaning.formatter = kind is _FORMAT
                if name in ("testOnly", "testQuick"):
                    meaning.selected = command.strip()
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values()) or [Meaning(_OTHER, "sbt")]


def _sbt_kinds(name: str) -> list[CommandKind]:
    known = _table(
        test="test testOnly testQuick",
        build="compile package assembly publishLocal stage dist",
        format="scalafmt scalafmtAll scalafixAll",
        server="run reStart",
    )
    if name in known:
        return [known[name]]
    return [kind for kind, _ in kinds_of_name(name)] or [_OTHER]


_DOTNET = _table(
    build="build publish pack msbuild",
    server="run watch",
    install="restore add remove tool nuget workload",
    read="list sln-list --info --version --list-sdks",
)


def _dotnet(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = _sub(argv) if argv[1:2] != ("--info",) else ("--info", ())
    watch = sub == "watch"
    if watch and "test" in rest:
        sub, rest = "test", rest[rest.index("test") + 1 :]
    if sub in ("test", "vstest"):
        meaning = Meaning(_TEST, "dotnet test")
        read_flags(meaning, rest, "dotnet test")
        meaning.watch = watch
        return [meaning]
    if sub == "format":
        return [formats("dotnet format", checks="--verify-no-changes" in rest)]
    if sub in ("new", "ef", "sln"):
        looks = {"list", "--list", "search", "script", "--help"} & set(rest)
        return [
            Meaning(_READ, f"dotnet {sub}")
            if looks
            else generates(f"dotnet {sub}")
            if sub != "ef" or "add" in rest
            else Meaning(_OTHER, "dotnet ef")
        ]
    if sub in ("csharpier", "jb"):
        return [formats(f"dotnet {sub}", checks=bool({"check", "--check"} & set(rest)))]
    if sub == "tool" and rest[:1] == ("run",) and len(rest) > 1:
        return _dotnet(("dotnet", *rest[1:]))
    return [Meaning(_DOTNET.get(sub, _OTHER), f"dotnet {sub}".rstrip())]


def _swift(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = _sub(argv)
    if sub == "test":
        meaning = Meaning(_TEST, "swift test")
        read_flags(meaning, rest, "swift test")
        meaning.collects_only = meaning.collects_only or rest[:1] == ("list",)
        meaning.cwd = option_value(argv, _set("--package-path"))
        return [meaning]
    if sub == "format":
        return [formats("swift format", checks="lint" in rest or not {"-i", "--in-place"} & set(rest))]
    if sub == "package":
        return [
            Meaning(
                _READ if {"describe", "dump-package", "show-dependencies"} & set(rest) else _INSTALL, "swift package"
            )
        ]
    return [Meaning({"build": _BUILD, "": _READ}.get(sub, _OTHER), f"swift {sub}".rstrip())]


def _mix(argv: tuple[str, ...]) -> list[Meaning]:
    args = " ".join(argv[1:]).split(" ")
    if args[:1] == ["do"]:  # mix do compile, test
        found: list[Meaning] = []
        for part in " ".join(args[1:]).replace(" + ", ",").split(","):
            found.extend(_mix(("mix", *part.split())))
        return found
    sub, rest = _sub(argv)
    if sub in ("test", "test.watch", "coveralls", "coveralls.html", "espec") or sub.startswith("coveralls"):
        meaning = Meaning(_TEST, "mix test")
        read_flags(meaning, rest, "mix test")
        meaning.watch = sub == "test.watch"
        lines = [target for target in meaning.targets if target.rpartition(":")[2].isdigit()]
        meaning.targets = tuple(target.partition(":")[0] for target in meaning.targets)
        meaning.selected = " ".join(filter(None, (meaning.selected, *lines)))
        return [meaning]
    if sub == "format":
        return [formats("mix format", checks="--check-formatted" in rest)]
    kinds = _table(
        build="compile release escript.build assets.build assets.deploy",
        lint="credo sobelow hex.audit doctor xref",
        typecheck="dialyzer",
        install="deps.get deps.update deps.compile local.hex local.rebar archive.install setup",
        server="phx.server",
        read="deps help phx.routes hex.info hex.outdated",
    )
    if ".gen." in sub or sub in ("new", "phx.new"):
        return [generates(f"mix {sub}")]
    return [Meaning(kinds[sub], f"mix {sub}")] if sub in kinds else meanings_of_name(sub, f"mix {sub}".rstrip())


def _flutter(argv: tuple[str, ...]) -> list[Meaning]:
    name = program(argv[0])
    sub, rest = _sub(argv)
    if sub in ("test", "drive"):
        meaning = Meaning(_TEST, f"{name} test")
        read_flags(meaning, rest, "flutter test")
        return [meaning]
    if sub == "run" and rest[:1] == ("test",):
        meaning = Meaning(_TEST, f"{name} test")
        read_flags(meaning, rest[1:], "flutter test")
        return [meaning]
    if sub == "format":
        quiet = {"--set-exit-if-changed", "--output=none", "-o", "--output=show"} & set(rest)
        return [formats(f"{name} format", checks=bool(quiet))]
    if sub == "fix":
        return [formats(f"{name} fix", checks="--apply" not in rest)]
    if sub == "create":
        return [generates(f"{name} create")]
    if sub == "run" and rest[:1] == ("build_runner",):
        return [generates(f"{name} run build_runner")]
    kinds = _table(
        build="build compile assemble",
        lint="analyze",
        install="pub upgrade precache",
        read="doctor devices --version config",
        server="run attach",
    )
    return [Meaning(kinds.get(sub, _OTHER) if name != "dart" or sub != "run" else _OTHER, f"{name} {sub}".rstrip())]


def _deno(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = _sub(argv)
    if sub == "test":
        meaning = Meaning(_TEST, "deno test")
        read_flags(meaning, rest, "deno test")
        return [meaning]
    if sub == "task":
        first = after_options(rest, 0, _set("--cwd -c --config -f --filter"))
        found = meanings_of_name(
            rest[first] if first < len(rest) else "", " ".join(("deno task", *rest[first : first + 1]))
        )
        for meaning in found:
            meaning.cwd = option_value(argv, _set("--cwd"))
        return found
    if sub == "fmt":
        return [formats("deno fmt", checks="--check" in rest)]
    if sub == "lint":
        return [formats("deno lint", checks="--fix" not in rest)]
    kinds = _table(
        typecheck="check",
        build="compile bundle",
        install="install add remove cache i outdated",
        read="info doc types --version",
        server="serve",
    )
    return [Meaning(kinds.get(sub, _OTHER), f"deno {sub}".rstrip())]


def _rails(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = _sub(argv)
    if sub in ("test", "t") or sub.startswith(("test:", "spec")):
        meaning = Meaning(_TEST, "rails test")
        read_flags(meaning, rest, "minitest")
        lines = [target for target in meaning.targets if ":" in target]
        meaning.targets = tuple(target.partition(":")[0] for target in meaning.targets)
        meaning.selected = " ".join(filter(None, (meaning.selected, *lines)))
        return [meaning]
    if sub in ("generate", "g", "destroy", "d", "new"):
        return [generates(f"rails {sub}")]
    kinds = _table(
        server="server s",
        read="routes about stats notes version middleware",
        other="console c runner r dbconsole",
        build="assets:precompile",
    )
    return [Meaning(kinds[sub], f"rails {sub}")] if sub in kinds else meanings_of_name(sub, f"rails {sub}".rstrip())


def artisan(args: tuple[str, ...]) -> list[Meaning]:
    """`php artisan …` (and Symfony's `bin/console`, whose commands are written alike)."""
    sub, rest = _sub(("artisan", *args))
    if sub in ("test", "pest:test", "dusk"):
        meaning = Meaning(_TEST, "artisan test")
        read_flags(meaning, rest, "phpunit")
        return [meaning]
    if sub.startswith("make:") or sub in ("stub:publish", "vendor:publish"):
        return [generates(f"artisan {sub}")]
    if sub in ("serve", "queue:work", "horizon", "schedule:work", "octane:start", "reverb:start"):
        return [Meaning(_SERVER, f"artisan {sub}")]
    looks = sub in ("list", "about", "help") or sub.endswith((":list", ":status", ":show"))
    return [Meaning(_READ if looks else _OTHER, f"artisan {sub}".rstrip())]


def _artisan_program(argv: tuple[str, ...]) -> list[Meaning]:
    return artisan(argv[1:])


def _sail(argv: tuple[str, ...]) -> list[Meaning]:
    """Laravel Sail: `sail test`, `sail artisan test`, `sail npm run build`."""
    sub, rest = _sub(argv)
    if sub in ("test", "phpunit", "pest", "dusk"):
        return artisan(("test", *rest))
    if sub == "artisan":
        return artisan(rest)
    if sub in ("up", "down", "stop", "restart"):
        return [Meaning(_SERVER if sub == "up" and "-d" not in rest else _OTHER, f"sail {sub}")]
    return (
        meanings_of_program((sub, *rest)) or [Meaning(_OTHER, f"sail {sub}".rstrip())]
        if sub
        else [Meaning(_OTHER, "sail")]
    )


def django(args: tuple[str, ...], runner: str = "django test") -> list[Meaning]:
    """`manage.py …`"""
    sub, rest = _sub(("manage.py", *args), _set("--settings --pythonpath"))
    if sub in ("test", "jenkins", "behave"):
        meaning = Meaning(_TEST, runner)
        read_flags(meaning, rest, "django")
        return [meaning]
    if sub in ("makemigrations", "startapp", "startproject", "squashmigrations", "makemessages"):
        looks = {"--check", "--dry-run"} & set(rest)
        return [Meaning(_READ, f"manage.py {sub}") if looks else generates(f"manage.py {sub}")]
    kinds = _table(
        server="runserver runserver_plus qcluster",
        lint="check",
        read="showmigrations diffsettings sqlmigrate inspectdb help show_urls",
    )
    return [Meaning(kinds.get(sub, _OTHER), f"manage.py {sub}".rstrip())]


def _django_admin(argv: tuple[str, ...]) -> list[Meaning]:
    return django(argv[1:])


def _mill(argv: tuple[str, ...]) -> list[Meaning]:
    words = [word for word in argv[1:] if not word.startswith("-")]
    return meanings_of_name(words[0].rpartition(".")[2] if words else "", " ".join(("mill", *words[:1])))


_UV = _table(
    install="sync add remove lock pip venv tool python export self",
    build="build",
    other="run publish init",
    read="tree version cache help",
)
_POETRY = _table(
    install="install add remove lock update self",
    build="build",
    read="show env check version about search config",
    other="publish shell",
)
_PDM = _table(
    install="install add remove lock update sync", build="build", read="list show info outdated", other="publish"
)


def _python_project(argv: tuple[str, ...]) -> list[Meaning]:
    name = program(argv[0])
    sub, rest = _sub(argv, GLOBAL_VALUES.get(name, frozenset()))
    kinds = {"uv": _UV, "poetry": _POETRY, "pdm": _PDM, "pipenv": _PDM, "rye": _PDM, "pixi": _PDM, "flit": _PDM}[name]
    if sub == "pip" and rest[:1] in (("list",), ("show",), ("freeze",), ("check",), ("tree",)):
        return [Meaning(_READ, f"{name} pip {rest[0]}")]
    if sub in ("init", "new"):
        return [generates(f"{name} {sub}")]
    if name == "uv" and sub == "format":
        return [formats("uv format", checks=bool({"--check", "--diff"} & set(rest)))]
    if name in ("rye", "pixi", "pdm") and sub in ("test", "lint", "fmt"):
        return meanings_of_name(sub, f"{name} {sub}")
    return [Meaning(kinds.get(sub, _OTHER), f"{name} {sub}".rstrip())]


def _zig(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = _sub(argv)
    if sub == "build":
        steps = [word for word in rest if not word.startswith("-")]
        return (
            meanings_of_name(steps[0], f"zig build {steps[0]}")
            if steps and kinds_of_name(steps[0])
            else [Meaning(_BUILD, "zig build")]
        )
    if sub == "test":
        meaning = Meaning(_TEST, "zig test")
        read_flags(meaning, rest, "any")
        filters = option_value(argv, _set("--test-filter"))
        meaning.selected = f"--test-filter {filters}" if filters else ""
        return [meaning]
    if sub == "fmt":
        return [formats("zig fmt", checks="--check" in rest)]
    return [
        Meaning(
            _BUILD if sub.startswith("build-") else _READ if sub in ("version", "env", "zen", "ast-check") else _OTHER,
            f"zig {sub}".rstrip(),
        )
    ]


def _cmake(argv: tuple[str, ...]) -> list[Meaning]:
    """`cmake --build build --target test check` runs tests; the rest configures and builds."""
    if {"--version", "--help", "-E"} & set(argv):
        return [Meaning(_READ, "cmake")]
    targets: list[str] = []
    taking = False
    for word in argv[1:]:
        if word in ("--target", "-t"):
            taking = True
        elif word.startswith(("--target=", "-")):
            targets.extend([word.partition("=")[2]] if word.startswith("--target=") else [])
            taking = False
        elif taking:
            targets.append(word)
    kinds = dict.fromkeys(kind for target in targets for kind, _ in kinds_of_name(target))
    folder = option_value(argv, _set("--build"))
    found = [Meaning(kind, f"cmake {' '.join(targets)}".rstrip()) for kind in kinds or (_BUILD,)]
    for meaning in found:
        meaning.cwd = folder if meaning.kind is _TEST else None
    return found


READERS: "dict[str, Reader]" = {
    "cmake": _cmake,
    "cargo": _cargo,
    "cross": _cargo,
    "go": _go,
    **dict.fromkeys(("gradle", "gradlew", "./gradlew"), _gradle),
    **dict.fromkeys(("mvn", "mvnw", "mvnd"), _maven),
    "sbt": _sbt,
    "sbtn": _sbt,
    "mill": _mill,
    "dotnet": _dotnet,
    "swift": _swift,
    "mix": _mix,
    **dict.fromkeys(("flutter", "dart", "fvm"), _flutter),
    "deno": _deno,
    "rails": _rails,
    "artisan": _artisan_program,
    "sail": _sail,
    "django-admin": _django_admin,
    "manage.py": _django_admin,
    "zig": _zig,
    **dict.fromkeys(("uv", "poetry", "pdm", "pipenv", "rye", "pixi", "flit"), _python_project),
}
