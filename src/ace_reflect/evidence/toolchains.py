"""Languages' own tools, which build, test, check, format and install: cargo, go, dotnet, swift, zig, uv, cmake, …"""

from ace_reflect.evidence.call_parts import edits, formats, kinds_table, subcommand
from ace_reflect.evidence.call_words import after_options, option_value, program, values_after, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.programs import meanings_of_program
from ace_reflect.evidence.runner_calls import cargo_test, go_test, nextest
from ace_reflect.evidence.runner_flags import test_run
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name, target_kind
from ace_reflect.evidence.wrapper_table import GLOBAL_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _BUILD, _LINT, _READ, _OTHER, _SERVER, _INSTALL = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.LINT,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.SERVER,
    CommandKind.INSTALL,
)


_CARGO = kinds_table(
    build="build b rustc doc d package leptos tauri ndk zigbuild cross dist bundle component lambda pgrx",
    typecheck="check c",
    lint="clippy deny audit vet udeps machete semver-checks outdated spellcheck msrv",
    install="install add remove rm update fetch uninstall vendor generate-lockfile",
    read="tree metadata search locate-project pkgid read-manifest verify-project version help config info expand bloat asm report",
)


def _cargo(argv: tuple[str, ...]) -> list[Meaning]:
    args = argv[2:] if argv[1:2] and argv[1].startswith("+") else argv[1:]
    sub, rest = subcommand(("cargo", *args), word_set("--config -Z --color -C"))
    cwd = option_value(("cargo", *args), word_set("-C"))
    found = _cargo_subcommand(sub, rest)
    for meaning in found:
        meaning.cwd = meaning.cwd or cwd
    return found


def _cargo_subcommand(sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    if sub in ("test", "t"):
        return [cargo_test(rest)]
    if sub == "nextest":
        return nextest((sub, *rest))
    if sub in ("tarpaulin", "llvm-cov", "miri", "hack", "insta", "careful", "mutants", "kani"):
        return _cargo_around(sub, rest)
    if sub == "fmt":
        return [formats("cargo fmt", checks="--check" in rest)]
    if sub == "fix" or (sub == "clippy" and "--fix" in rest):
        return [formats(f"cargo {sub}", checks=False)]
    if sub == "watch":
        return [_cargo_watch(rest)]
    if sub in ("xtask", "make", "x"):
        first = after_options(rest, 0)
        return meanings_of_name(
            rest[first] if first < len(rest) else "", " ".join(("cargo", sub, *rest[first : first + 1]))
        )
    if sub in ("new", "init", "generate"):
        return [edits(f"cargo {sub}")]
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
    command = option_value(("watch", *rest), word_set("-x --exec -s --shell")) or ""
    words = command.split()
    if words[:1] in (["test"], ["t"], ["nextest"]):
        meaning = cargo_test(tuple(words[1:]))
        meaning.watch = True
        return meaning
    return Meaning(_SERVER, "cargo watch")


def _go(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv, word_set("-C"))
    found = _go_subcommand(sub, rest)
    for meaning in found:
        meaning.cwd = meaning.cwd or option_value(argv, word_set("-C"))
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
        return [edits("go generate")]
    if sub in ("get", "mod", "work"):
        looks = rest[:1] in (("graph",), ("why",), ("verify",))
        return [Meaning(_READ if looks else _INSTALL, " ".join(("go", sub, *rest[:1])))]
    if sub == "run":
        return _go_run(rest)
    return [Meaning(_READ if sub in ("list", "env", "version", "doc", "help", "") else _OTHER, f"go {sub}".rstrip())]


def _go_run(rest: tuple[str, ...]) -> list[Meaning]:
    """`go run gotest.tools/gotestsum@latest …` is that program."""
    first = after_options(rest, 0, word_set("-tags -ldflags -mod -modfile -exec -C"))
    target = rest[first] if first < len(rest) else ""
    if "." in target.partition("/")[0] and "/" in target and not target.startswith("."):
        path = target.partition("@")[0].split("/")
        name = path[-2] if path[-1][:1] == "v" and path[-1][1:].isdigit() and len(path) > 1 else path[-1]
        found = meanings_of_program((name, *rest[first + 1 :]))
        if found:
            return found
    return [Meaning(_OTHER, "go run")]


_DOTNET = kinds_table(
    build="build publish pack msbuild",
    server="run watch",
    install="restore add remove tool nuget workload",
    read="list sln-list --info --version --list-sdks",
)


def _dotnet(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv) if argv[1:2] != ("--info",) else ("--info", ())
    watch = sub == "watch"
    if watch and "test" in rest:
        sub, rest = "test", rest[rest.index("test") + 1 :]
    if sub in ("test", "vstest"):
        meaning = test_run("dotnet test", "dotnet test", tuple(word for word in rest if not _is_property(word)))
        meaning.watch = watch
        return [meaning]
    if sub == "format":
        return [formats("dotnet format", checks="--verify-no-changes" in rest)]
    if sub in ("new", "ef", "sln"):
        looks = {"list", "--list", "search", "script", "--help"} & set(rest)
        return [
            Meaning(_READ, f"dotnet {sub}")
            if looks
            else edits(f"dotnet {sub}")
            if sub != "ef" or "add" in rest
            else Meaning(_OTHER, "dotnet ef")
        ]
    if sub in ("csharpier", "jb"):
        return [formats(f"dotnet {sub}", checks=bool({"check", "--check"} & set(rest)))]
    if sub == "tool" and rest[:1] == ("run",) and len(rest) > 1:
        return _dotnet(("dotnet", *rest[1:]))
    return [Meaning(_DOTNET.get(sub, _OTHER), f"dotnet {sub}".rstrip())]


def _is_property(word: str) -> bool:
    """MSBuild's own options: `/p:CollectCoverage=true`, `/m:1`; an absolute path has no colon there."""
    return word[:1] == "/" and word[1:].partition(":")[0].isalpha() and ":" in word


def _swift(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv)
    if sub == "test":
        meaning = test_run("swift test", "swift test", rest)
        meaning.collects_only = meaning.collects_only or rest[:1] == ("list",)
        meaning.cwd = option_value(argv, word_set("--package-path"))
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


_UV = kinds_table(
    install="sync add remove lock pip venv tool python export self",
    build="build",
    other="run publish init",
    read="tree version cache help",
)


_POETRY = kinds_table(
    install="install add remove lock update self",
    build="build",
    read="show env check version about search config",
    other="publish shell",
)


_PDM = kinds_table(
    install="install add remove lock update sync", build="build", read="list show info outdated", other="publish"
)


def _python_project(argv: tuple[str, ...]) -> list[Meaning]:
    name = program(argv[0])
    sub, rest = subcommand(argv, GLOBAL_VALUES.get(name, frozenset()))
    kinds = {"uv": _UV, "poetry": _POETRY, "pdm": _PDM, "pipenv": _PDM, "rye": _PDM, "pixi": _PDM, "flit": _PDM}[name]
    if sub == "pip" and rest[:1] in (("list",), ("show",), ("freeze",), ("check",), ("tree",)):
        return [Meaning(_READ, f"{name} pip {rest[0]}")]
    if sub in ("init", "new"):
        return [edits(f"{name} {sub}")]
    if name == "uv" and sub == "format":
        return [formats("uv format", checks=bool({"--check", "--diff"} & set(rest)))]
    if name in ("rye", "pixi", "pdm") and sub in ("test", "lint", "fmt"):
        return meanings_of_name(sub, f"{name} {sub}")
    return [Meaning(kinds.get(sub, _OTHER), f"{name} {sub}".rstrip())]


def _zig(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv)
    if sub == "build":
        steps = [word for word in rest if not word.startswith("-")]
        return (
            meanings_of_name(steps[0], f"zig build {steps[0]}")
            if steps and kinds_of_name(steps[0])
            else [Meaning(_BUILD, "zig build")]
        )
    if sub == "test":
        meaning = test_run("zig test", "any", rest)
        filters = option_value(argv, word_set("--test-filter"))
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
    targets = values_after(argv, word_set("--target -t"))
    kinds = dict.fromkeys(target_kind(target, kinds_of_name(target)) for target in targets)
    folder = option_value(argv, word_set("--build"))
    found = [Meaning(kind, f"cmake {' '.join(targets)}".rstrip()) for kind in kinds or (_BUILD,)]
    for meaning in found:
        meaning.cwd = folder if meaning.kind is _TEST else None
    return found


READERS: "dict[str, Reader]" = {
    "cmake": _cmake,
    "cargo": _cargo,
    "cross": _cargo,
    "go": _go,
    "dotnet": _dotnet,
    "swift": _swift,
    "zig": _zig,
    **dict.fromkeys(("uv", "poetry", "pdm", "pipenv", "rye", "pixi", "flit"), _python_project),
}
