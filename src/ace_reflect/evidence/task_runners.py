"""
Programs that run named tasks: npm and its kin, make, just, task, mise, rake, turbo, nx, composer, poe, invoke, …

What a task does is read from its name (`task_names`), or, where the word is a program (`pnpm vitest`), from the program.
"""

from ace_reflect.evidence.call_words import after_options, option_value, program
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning
from ace_reflect.evidence.programs import is_tool, meanings_of_program
from ace_reflect.evidence.runner_flags import read_flags
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name
from ace_reflect.evidence.wrapper_table import GLOBAL_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[tuple[str, ...]], list[Meaning]]

_TEST, _BUILD, _READ, _OTHER, _SERVER, _INSTALL, _EDIT = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.SERVER,
    CommandKind.INSTALL,
    CommandKind.EDIT,
)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FOLDERS = _set("-C --dir --cwd --prefix --working-dir --directory -d --working-directory")
_NPM_INSTALLS = _set(
    "install i ci add a update up upgrade remove rm uninstall un link ln dedupe prune rebuild import fetch clean-install patch"
)
_NPM_READS = _set(
    "ls list ll la view info show why explain outdated root prefix bin config get audit whoami ping search help doctor query fund licenses store cat-file"
)
_NPM_WRITES = _set("init create pkg version")
_BUN_BUILTINS = _set("init create upgrade pm patch publish repl completions outdated audit info why")
_YARN_OTHERS = _set(
    "login logout publish npm plugin constraints set cache global generate-lock-entry policies autoclean pack unplug stage"
)


def read_node_tasks(argv: tuple[str, ...]) -> list[Meaning]:
    """`npm|pnpm|yarn|bun [options] (test | run script | …) [arguments]`"""
    tool = program(argv[0])
    cwd = option_value(argv, _set("-C --dir --cwd --prefix"), None)
    packages = _packages(argv)
    first = after_options(argv, 1, GLOBAL_VALUES[tool])
    if first >= len(argv):
        return [Meaning(_INSTALL if tool == "yarn" and "--version" not in argv else _READ, tool)]
    found = _node_subcommand(tool, argv[first], argv[first + 1 :])
    for meaning in found:
        meaning.cwd = meaning.cwd or cwd
        if packages and meaning.kind is not _INSTALL:
            meaning.selected = " ".join(filter(None, (packages, meaning.selected)))
    return found


def _packages(argv: tuple[str, ...]) -> str:
    """Which of a workspace's packages are meant, as typed."""
    end = argv.index("--") if "--" in argv else len(argv)
    for index in range(1, end):
        word = argv[index]
        if word in ("--filter", "-F", "-w", "--workspace", "--filter-prod") and index + 1 < end:
            return f"{word} {argv[index + 1]}"
        if word.startswith(("--filter=", "--workspace=", "--filter-prod=")):
            return word
    return ""


def _node_subcommand(tool: str, sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    if tool == "bun" and sub == "test":
        meaning = Meaning(_TEST, "bun test")
        read_flags(meaning, rest, "bun test")
        return [meaning]
    if sub in ("run", "run-script", "rum", "urn", "r") and not (tool == "bun" and sub == "r"):
        return _run_script(tool, rest)
    if sub in ("t", "tst"):
        return node_script(tool, "test", rest)
    if sub in ("workspace", "workspaces") and tool == "yarn":
        return _yarn_workspaces(sub, rest)
    if sub in _NPM_INSTALLS or (tool == "npm" and sub in ("it", "cit", "install-test")):
        return [
            Meaning(_INSTALL, f"{tool} {sub}"),
            *([Meaning(_TEST, "npm test", confidence="name")] if sub in ("it", "cit", "install-test") else []),
        ]
    if sub in _NPM_READS:
        return [Meaning(_READ, f"{tool} {sub}")]
    if sub in _NPM_WRITES:
        return [
            _writes(
                f"{tool} {sub}",
                ()
                if sub == "pkg" and rest[:1] == ("get",)
                else ("package.json",)
                if sub != "create"
                else (UNKNOWN_FILES,),
            )
        ]
    if tool == "npm":
        return (
            node_script(tool, sub, rest)
            if sub in ("test", "start", "restart", "stop")
            else [Meaning(_OTHER, f"npm {sub}")]
        )
    return _implicit_script(tool, sub, rest)


def _writes(runner: str, paths: tuple[str, ...]) -> Meaning:
    meaning = Meaning(_EDIT if paths else _READ, runner)
    meaning.writes = paths
    return meaning


def _implicit_script(tool: str, sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    """`pnpm lint`, `yarn jest`, `bun server.ts`: a script, a program of node_modules, or a file."""
    if tool == "bun" and sub == "build":
        return [Meaning(_BUILD, "bun build")]
    if (
        (tool == "bun" and sub in _BUN_BUILTINS)
        or (tool == "yarn" and sub in _YARN_OTHERS)
        or sub in ("publish", "pack", "deploy")
    ):
        return [Meaning(_READ if sub in ("pm", "outdated", "info", "why") else _OTHER, f"{tool} {sub}")]
    return node_script(tool, sub, rest)


def _run_script(tool: str, rest: tuple[str, ...]) -> list[Meaning]:
    first = after_options(rest, 0, GLOBAL_VALUES[tool])
    if first >= len(rest):
        return [Meaning(_READ, f"{tool} run")]
    return node_script(tool, rest[first], rest[first + 1 :], run=True)


def node_script(tool: str, script: str, rest: tuple[str, ...], *, run: bool = False) -> list[Meaning]:
    """A package's script with the arguments that follow it."""
    if "/" in script or script.endswith((".ts", ".js", ".mjs", ".tsx", ".cjs", ".mts")):
        from ace_reflect.evidence.interpreters import meanings_of_file

        return meanings_of_file(script, rest, tool)
    if not run and tool != "npm" and (is_tool(script) or not kinds_of_name(script)):
        return meanings_of_program((script, *rest)) or [Meaning(_OTHER, f"{tool} {script}")]
    name = f"{tool} {script}" if not run or script in ("test", "start") else f"{tool} run {script}"
    found = meanings_of_name(script, name)
    for meaning in found:
        if meaning.kind is _TEST:
            read_flags(meaning, rest, "script")
    return found


def _yarn_workspaces(sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    """`yarn workspace pkg test`, `yarn workspaces foreach -A run test`"""
    if sub == "workspaces":
        if rest[:1] != ("foreach",):
            return _run_script("yarn", rest[1:]) if rest[:1] == ("run",) else [Meaning(_READ, "yarn workspaces")]
        start = after_options(rest, 1, _set("--from --include --exclude -j --jobs"))
        inner = rest[start:]
        return _node_subcommand("yarn", inner[0], inner[1:]) if inner else [Meaning(_OTHER, "yarn workspaces")]
    if len(rest) < 2:
        return [Meaning(_OTHER, "yarn workspace")]
    found = _node_subcommand("yarn", rest[1], rest[2:])
    for meaning in found:
        meaning.selected = " ".join(filter(None, (f"workspace {rest[0]}", meaning.selected)))
    return found


def _named(names: list[str], runner: str, *, default: "CommandKind" = _OTHER) -> list[Meaning]:
    """One meaning for each kind among the named tasks, in their order."""
    found: dict[CommandKind, Meaning] = {}
    for name in names:
        for meaning in meanings_of_name(name, f"{runner} {name}"):
            found.setdefault(meaning.kind, meaning)
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values()) or [Meaning(default, runner)]


def _make(argv: tuple[str, ...]) -> list[Meaning]:
    values = _set("-C --directory -f --file --makefile -I -o -W --old-file --what-if")
    names: list[str] = []
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in ("-j", "-l", "--jobs", "--load-average"):
            index += index + 1 < len(argv) and argv[index + 1].isdigit()
        elif word.startswith("-"):
            index += word in values
        elif "=" not in word:
            names.append(word)
        index += 1
    runner = program(argv[0])
    runner = "make" if runner in ("gmake", "mingw32-make", "nmake") else runner
    found = _named(names, runner) if names else [Meaning(_BUILD, runner)]
    dry = any(
        word in ("--dry-run", "--just-print", "-q", "--question")
        or (word[:1] == "-" and word[1:2].isalpha() and "n" in word)
        for word in argv[1:]
    )
    for meaning in found:
        meaning.cwd = option_value(argv, _set("-C --directory"))
        meaning.collects_only = dry
        if dry and meaning.kind is not _TEST:
            meaning.kind = _READ
        if names in (["all"], ["default"]):
            meaning.kind = _BUILD
    return found


def _just(argv: tuple[str, ...]) -> list[Meaning]:
    """`just [options] recipe [arguments]`: the words after a recipe are its arguments, unless they name tasks too."""
    if {"-l", "--list", "--summary", "--show", "-s", "--evaluate", "--dump", "--variables", "--choose"} & set(argv):
        return [Meaning(_READ, "just")]
    first = after_options(argv, 1, _set("-f --justfile -d --working-directory --set --shell --dotenv-path -E"))
    found = _recipes(argv[first:], "just")
    for meaning in found:
        meaning.cwd = option_value(argv[:first], _set("-d --working-directory"))
        meaning.collects_only = bool({"-n", "--dry-run"} & set(argv[:first]))
    return found


def _recipes(words: tuple[str, ...], runner: str) -> list[Meaning]:
    if not words:
        return [Meaning(_OTHER, runner)]
    more = [
        word
        for word in words[1:]
        if not word.startswith("-") and "/" not in word and "." not in word and kinds_of_name(word)
    ]
    found = _named([words[0], *more], runner)
    for meaning in found:
        if meaning.kind is _TEST and not more:
            read_flags(meaning, words[1:], "script")
    return found


def _task(argv: tuple[str, ...]) -> list[Meaning]:
    if {"-l", "--list", "-a", "--list-all", "--summary", "--status"} & set(argv):
        return [Meaning(_READ, "task")]
    end = argv.index("--") if "--" in argv else len(argv)
    first = after_options(argv[:end], 1, _set("-d --dir -t --taskfile -c --concurrency -o --output"))
    names = [word for word in argv[first:end] if "=" not in word and not word.startswith("-")]
    found = _named(names, "task")
    for meaning in found:
        meaning.cwd = option_value(argv[:end], _set("-d --dir"))
        meaning.watch = meaning.watch or bool({"-w", "--watch"} & set(argv[:end]))
        meaning.collects_only = bool({"-n", "--dry"} & set(argv[:end]))
    return found


def _rake(argv: tuple[str, ...]) -> list[Meaning]:
    if {"-T", "--tasks", "-P", "-W", "-n", "--dry-run"} & set(argv):
        return [Meaning(_READ, "rake")]
    names = [word.partition("[")[0] for word in argv[1:] if not word.startswith("-") and "=" not in word]
    return _named(names, "rake") if names else [Meaning(_TEST, "rake", confidence="guess")]


def _mise(argv: tuple[str, ...]) -> list[Meaning]:
    """`mise run test ::: lint`, `mise r test -- -v`, `mise test`"""
    first = after_options(argv, 1, GLOBAL_VALUES["mise"])
    sub = argv[first] if first < len(argv) else ""
    if sub in ("tasks", "task") and argv[first + 1 : first + 2] == ("run",):
        sub, first = "run", first + 1
    cwd = option_value(argv, _set("-C --cd"))
    if sub in ("run", "r"):
        start = after_options(argv, first + 1, _set("-C --cd -j --jobs -o --output -t --tool -s --shell --timeout"))
        return _mise_tasks(argv[start:], cwd)
    if sub in ("install", "i", "use", "u", "upgrade", "up", "uninstall", "prune", "plugins", "trust", "reshim", "sync"):
        return [Meaning(_INSTALL, f"mise {sub}")]
    if sub in ("watch", "w"):
        return [Meaning(_SERVER, "mise watch")]
    found = (
        _mise_tasks(argv[first:], cwd)
        if sub and kinds_of_name(sub) and sub not in ("env", "doctor", "set", "settings")
        else []
    )
    return found or [
        Meaning(
            _READ
            if sub in ("ls", "list", "current", "env", "tasks", "doctor", "which", "where", "version", "config", "")
            else _OTHER,
            f"mise {sub}".rstrip(),
        )
    ]


def _mise_tasks(words: tuple[str, ...], cwd: str | None) -> list[Meaning]:
    if not words:
        return [Meaning(_READ, "mise run")]
    groups: list[tuple[str, ...]] = []
    start = 0
    for index, word in enumerate(words):
        if word == ":::":
            groups.append(words[start:index])
            start = index + 1
    groups.append(words[start:])
    found: list[Meaning] = []
    for group in groups:
        for meaning in meanings_of_name(group[0], f"mise run {group[0]}") if group else []:
            if meaning.kind is _TEST:
                read_flags(meaning, group[1:], "script")
            meaning.cwd = cwd
            found.append(meaning)
    return found


def _turbo(argv: tuple[str, ...]) -> list[Meaning]:
    words = list(argv[1 : argv.index("--") if "--" in argv else len(argv)])
    values = _set(
        "--filter -F --concurrency --cache-dir --cwd --output-logs --log-order --token --team --env-mode --ui --log-prefix"
    )
    names: list[str] = []
    index = 0
    while index < len(words):
        if words[index].startswith("-"):
            index += words[index] in values
        elif words[index] not in ("run", "watch"):
            names.append(words[index].partition("#")[2] or words[index])
        index += 1
    if names[:1] and names[0] in (
        "prune",
        "login",
        "link",
        "daemon",
        "ls",
        "query",
        "scan",
        "info",
        "config",
        "gen",
        "generate",
    ):
        return [Meaning(_OTHER, f"turbo {names[0]}")]
    found = _named(names, "turbo")
    packages = _packages(argv)
    for meaning in found:
        meaning.selected = packages
        meaning.cwd = option_value(argv, _set("--cwd"))
        meaning.collects_only = any(word.startswith(("--dry", "--dry-run")) for word in words)
        meaning.watch = meaning.watch or "watch" in words
    return found


def _nx(argv: tuple[str, ...]) -> list[Meaning]:
    """`nx test app`, `nx run app:test`, `nx run-many -t test lint -p a b`, `nx affected:test`"""
    words = [word for word in argv[1:] if not word.startswith("-")]
    sub = words[0] if words else ""
    names: list[str] = []
    selected = ""
    if sub == "run":
        project, _, target = (words[1] if len(words) > 1 else "").partition(":")
        names, selected = [target.partition(":")[0]], project
    elif sub in ("run-many", "affected"):
        names = _nx_targets(argv)
        selected = sub if sub == "affected" else option_value(argv, _set("-p --projects")) or ""
    elif sub.startswith("affected:"):
        names, selected = [sub.partition(":")[2]], "affected"
    elif sub in (
        "graph",
        "show",
        "list",
        "report",
        "migrate",
        "reset",
        "generate",
        "g",
        "format:check",
        "format:write",
        "init",
        "connect",
        "add",
    ):
        kind = (
            CommandKind.FORMAT
            if sub == "format:write"
            else CommandKind.LINT
            if sub == "format:check"
            else _EDIT
            if sub in ("generate", "g")
            else _OTHER
        )
        return [Meaning(kind, f"nx {sub}")]
    else:
        names, selected = [sub], words[1] if len(words) > 1 else ""
    found = _named([name for name in names if name], "nx")
    for meaning in found:
        meaning.selected = selected
        meaning.watch = meaning.watch or "--watch" in argv
    return found


def _nx_targets(argv: tuple[str, ...]) -> list[str]:
    names: list[str] = []
    taking = False
    for word in argv[1:]:
        if word in ("-t", "--target", "--targets"):
            taking = True
        elif word.startswith(("--target=", "--targets=", "-t=")):
            names.extend(word.partition("=")[2].split(","))
        elif word.startswith("-"):
            taking = False
        elif taking:
            names.extend(word.split(","))
    return [name for name in names if name]


def _lerna(argv: tuple[str, ...]) -> list[Meaning]:
    words = [word for word in argv[1:] if not word.startswith("-")]
    if words[:1] in (["run"], ["exec"]) and len(words) > 1:
        names = list(words[1].split(","))
        return _named(names, f"{program(argv[0])} {words[0]}")
    return [Meaning(_INSTALL if words[:1] == ["bootstrap"] else _OTHER, " ".join((program(argv[0]), *words[:1])))]


def _names_after(argv: tuple[str, ...], *, values: str = "", runner: str = "") -> list[Meaning]:
    """Every word that is no option names a task: run-s, npm-run-all, moon, invoke, poe, doit."""
    end = argv.index("--") if "--" in argv else len(argv)
    taking = _set(values)
    names: list[str] = []
    index = 1
    while index < end:
        if argv[index].startswith("-"):
            index += argv[index] in taking
        elif argv[index] != "run":
            names.append(argv[index].rpartition(":")[2] if runner == "moon" else argv[index])
        index += 1
    return _named(names, runner or program(argv[0]))


def _run_all(argv: tuple[str, ...]) -> list[Meaning]:
    return _names_after(argv, values="--max-parallel --npm-path -x")


def _moon(argv: tuple[str, ...]) -> list[Meaning]:
    return _names_after(argv, runner="moon")


def _invoke(argv: tuple[str, ...]) -> list[Meaning]:
    if {"-l", "--list"} & set(argv):
        return [Meaning(_READ, "invoke")]
    return _names_after(argv, values="-r --search-root -c --collection -f --config", runner="invoke")


def _first_name(argv: tuple[str, ...]) -> list[Meaning]:
    """The first word names a task, the rest are its arguments: poe, doit, hatch run, pdm run."""
    first = after_options(argv, 1, _set("-C --root -f --file -d --directory -e --executor"))
    return _recipes(argv[first:], program(argv[0]))


def _hatch(argv: tuple[str, ...]) -> list[Meaning]:
    """`hatch test`, `hatch run test:cov`, `hatch fmt`"""
    first = after_options(argv, 1, GLOBAL_VALUES["hatch"])
    sub = argv[first] if first < len(argv) else ""
    rest = argv[first + 1 :]
    if sub == "test":
        meaning = Meaning(_TEST, "hatch test")
        read_flags(meaning, rest, "pytest")
        return [meaning]
    if sub == "fmt":
        checks = {"--check", "-l", "--linter"} & set(rest)
        return [_formats("hatch fmt", checks=bool(checks))]
    if sub == "run":
        start = after_options(rest, 0, _set("-e --env"))
        return _hatch_run(rest[start:])
    return [
        Meaning(
            {"build": _BUILD, "env": _OTHER, "dep": _READ, "version": _READ, "shell": _OTHER}.get(sub, _OTHER),
            f"hatch {sub}".rstrip(),
        )
    ]


def _hatch_run(words: tuple[str, ...]) -> list[Meaning]:
    if not words:
        return [Meaning(_READ, "hatch run")]
    environment, colon, script = words[0].partition(":")
    name = script if colon else environment
    if not colon and name != "test":
        found = meanings_of_program(words)
        if found:
            return found
    found = meanings_of_name(name, f"hatch run {words[0]}")
    if [meaning.kind for meaning in found] == [_OTHER] and colon:
        found = meanings_of_name(environment, f"hatch run {words[0]}")
    for meaning in found:
        if meaning.kind is _TEST:
            read_flags(meaning, words[1:], "pytest")
    return found


def _formats(runner: str, *, checks: bool) -> Meaning:
    meaning = Meaning(CommandKind.LINT if checks else CommandKind.FORMAT, runner)
    meaning.formatter = not checks
    return meaning


def _composer(argv: tuple[str, ...]) -> list[Meaning]:
    first = after_options(argv, 1, GLOBAL_VALUES["composer"])
    sub = argv[first] if first < len(argv) else ""
    rest = argv[first + 1 :]
    if sub in ("run", "run-script"):
        start = after_options(rest, 0)
        sub, rest = (rest[start] if start < len(rest) else "", rest[start + 1 :])
    elif sub in (
        "install",
        "i",
        "require",
        "update",
        "remove",
        "dump-autoload",
        "create-project",
        "self-update",
        "global",
    ):
        return [Meaning(_INSTALL, f"composer {sub}")]
    elif sub in (
        "show",
        "info",
        "outdated",
        "why",
        "licenses",
        "diagnose",
        "status",
        "search",
        "audit",
        "depends",
        "config",
        "",
    ):
        return [Meaning(_READ, f"composer {sub}".rstrip())]
    elif sub == "validate":
        return [Meaning(CommandKind.LINT, "composer validate")]
    found = meanings_of_name(sub, f"composer {sub}")
    for meaning in found:
        if meaning.kind is _TEST:
            read_flags(meaning, rest, "phpunit")
    return found


def _bazel(argv: tuple[str, ...]) -> list[Meaning]:
    first = after_options(argv, 1)
    sub = argv[first] if first < len(argv) else ""
    kinds = {
        "test": _TEST,
        "coverage": _TEST,
        "build": _BUILD,
        "query": _READ,
        "cquery": _READ,
        "aquery": _READ,
        "info": _READ,
        "version": _READ,
    }
    meaning = Meaning(kinds.get(sub, _OTHER), f"bazel {sub}".rstrip())
    if meaning.kind is _TEST:
        words = [word for word in argv[first + 1 :] if not word.startswith("-")]
        meaning.selected = " ".join(word for word in words if word not in ("//...", "..."))
        meaning.deselects = " ".join(word for word in argv if word.startswith(("--test_tag_filters=-", "-//")))
        filters = [word for word in argv if word.startswith("--test_filter=")]
        meaning.selected = " ".join(filter(None, (meaning.selected, *filters)))
    return [meaning]


def _hooks_runner(argv: tuple[str, ...]) -> list[Meaning]:
    """`pre-commit run --all-files`, `lefthook run pre-commit`, `npx lint-staged`: mostly linters."""
    name = program(argv[0])
    sub = next((word for word in argv[1:] if not word.startswith("-")), "")
    if sub in ("install", "autoupdate", "uninstall", "install-hooks", "add", "gc", "clean"):
        return [Meaning(_INSTALL, f"{name} {sub}")]
    hooks = [
        word
        for word in argv[1:]
        if not word.startswith("-") and word not in ("run", "all-files", "pre-commit", "pre-push", "pre", "commit")
    ]
    named = [kind for hook in hooks[:2] for kind, _ in kinds_of_name(hook)]
    kind = named[0] if named and named[0] in (_TEST, CommandKind.TYPECHECK, CommandKind.FORMAT) else CommandKind.LINT
    return [Meaning(kind, f"{name} {sub}".rstrip())]


READERS: "dict[str, Reader]" = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), read_node_tasks),
    **dict.fromkeys(("make", "gmake", "mingw32-make", "nmake", "remake", "bmake"), _make),
    "just": _just,
    "task": _task,
    "go-task": _task,
    "rake": _rake,
    "mise": _mise,
    "rtx": _mise,
    "turbo": _turbo,
    "nx": _nx,
    "lerna": _lerna,
    "rush": _names_after,
    "rushx": _names_after,
    "wsrun": _names_after,
    "moon": _moon,
    "run-s": _run_all,
    "run-p": _run_all,
    "npm-run-all": _run_all,
    "npm-run-all2": _run_all,
    "nps": _first_name,
    "wireit": _first_name,
    "invoke": _invoke,
    "inv": _invoke,
    "fab": _invoke,
    "poe": _first_name,
    "taskipy": _first_name,
    "doit": _names_after,
    "ninja": _make,
    "mage": _names_after,
    "grunt": _names_after,
    "gulp": _names_after,
    "jake": _names_after,
    "cake": _names_after,
    "ant": _names_after,
    "hatch": _hatch,
    "composer": _composer,
    "bazel": _bazel,
    "bazelisk": _bazel,
    "pre-commit": _hooks_runner,
    "prek": _hooks_runner,
    "lefthook": _hooks_runner,
    "overcommit": _hooks_runner,
    "husky": _hooks_runner,
    "lint-staged": _hooks_runner,
}
