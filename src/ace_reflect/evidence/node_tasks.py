"""
The runners of package.json's scripts: npm, pnpm, yarn, bun, turbo, nx, lerna.

A word is a script by its name (`task_names`), or a program of node_modules (`pnpm vitest`).
"""

from ace_reflect.evidence.call_parts import edits
from ace_reflect.evidence.call_words import NODE_MANAGERS, after_options, option_value, program, values_after, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning
from ace_reflect.evidence.programs import is_tool, meanings_of_program
from ace_reflect.evidence.runner_flags import read_flags, test_run
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name
from ace_reflect.evidence.task_runners import named, names_after
from ace_reflect.evidence.wrapper_table import GLOBAL_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _BUILD, _READ, _OTHER, _INSTALL, _EDIT = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.INSTALL,
    CommandKind.EDIT,
)


_NPM_INSTALLS = word_set(
    "install i ci add a update up upgrade remove rm uninstall un link ln dedupe prune rebuild import fetch clean-install patch"
)


_NPM_READS = word_set(
    "ls list ll la view info show why explain outdated root prefix bin config get audit whoami ping search help doctor query fund licenses store cat-file"
)


_NPM_WRITES = word_set("init create pkg version")


_BUN_BUILTINS = word_set("init create upgrade pm patch publish repl completions outdated audit info why")


_YARN_OTHERS = word_set(
    "login logout publish npm plugin constraints set cache global generate-lock-entry policies autoclean pack unplug stage"
)


def read_node_tasks(argv: tuple[str, ...]) -> list[Meaning]:
    """`npm|pnpm|yarn|bun [options] (test | run script | …) [arguments]`"""
    tool = program(argv[0])
    cwd = option_value(argv, word_set("-C --dir --cwd --prefix"))
    packages = _packages(argv)
    first = after_options(argv, 1, GLOBAL_VALUES[tool])
    if first >= len(argv):
        return [Meaning(_INSTALL if tool == "yarn" and "--version" not in argv else _READ, tool)]
    rest = argv[first + 1 :]
    found = _node_subcommand(tool, argv[first], _without_packages(rest) if tool == "npm" else rest)
    for meaning in found:
        meaning.cwd = meaning.cwd or cwd
        if packages and meaning.kind is not _INSTALL:
            meaning.selected = " ".join(filter(None, (packages, meaning.selected)))
    return found


def _packages(argv: tuple[str, ...]) -> str:
    """Which of a workspace's packages are meant, as typed: every filter adds its own."""
    end = argv.index("--") if "--" in argv else len(argv)
    found = []
    for index in range(1, end):
        word = argv[index]
        if word in ("--filter", "-F", "-w", "--workspace", "--filter-prod") and index + 1 < end:
            found.append(f"{word} {argv[index + 1]}")
        elif word.startswith(("--filter=", "--workspace=", "--filter-prod=")):
            found.append(word)
    return " ".join(found)


def _without_packages(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words behind `npm test` without npm's own `-w packages/a`, whose value is no file of tests."""
    end = words.index("--") if "--" in words else len(words)
    kept = [
        word
        for index, word in enumerate(words[:end])
        if word not in ("-w", "--workspace") and (index == 0 or words[index - 1] not in ("-w", "--workspace"))
    ]
    return (*kept, *words[end:])


def _node_subcommand(tool: str, sub: str, rest: tuple[str, ...]) -> list[Meaning]:
    if tool == "bun" and sub == "test":
        return [test_run("bun test", "bun test", rest)]
    if sub in ("run", "run-script", "rum", "urn", "r") and not (tool == "bun" and sub == "r"):
        return _run_script(tool, rest)
    if sub in ("t", "tst"):
        return node_script(tool, "test", rest)
    if sub in ("workspace", "workspaces") and tool == "yarn":
        return _yarn_workspaces(sub, rest)
    if sub in _NPM_INSTALLS or (tool == "npm" and sub in ("it", "cit", "install-test")):
        return [
            Meaning(_INSTALL, f"{tool} {sub}"),
            *([Meaning(_TEST, "npm test")] if sub in ("it", "cit", "install-test") else []),
        ]
    if (sub, *rest[:1]) == ("audit", "fix"):
        return [Meaning(_INSTALL, f"{tool} audit fix")]
    if sub in _NPM_READS:
        return [Meaning(_READ, f"{tool} {sub}")]
    if (sub, *rest[:1]) == ("pkg", "get"):
        return [Meaning(_READ, f"{tool} pkg")]
    if sub in _NPM_WRITES:
        return [edits(f"{tool} {sub}", (UNKNOWN_FILES if sub == "create" else "package.json",))]
    if tool == "npm":
        return (
            node_script(tool, sub, rest)
            if sub in ("test", "start", "restart", "stop")
            else [Meaning(_OTHER, f"npm {sub}")]
        )
    return _implicit_script(tool, sub, rest)


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
        start = after_options(rest, 1, word_set("--from --include --exclude -j --jobs"))
        inner = rest[start:]
        if inner[:1] == ("exec",) and len(inner) > 1:
            return meanings_of_program(inner[1:]) or [Meaning(_OTHER, "yarn workspaces")]
        return _node_subcommand("yarn", inner[0], inner[1:]) if inner else [Meaning(_OTHER, "yarn workspaces")]
    if len(rest) < 2:
        return [Meaning(_OTHER, "yarn workspace")]
    found = _node_subcommand("yarn", rest[1], rest[2:])
    for meaning in found:
        meaning.selected = " ".join(filter(None, (f"workspace {rest[0]}", meaning.selected)))
    return found


_TURBO_OTHERS = word_set("prune login link daemon ls query scan info config gen generate")
_NX_OTHERS = {
    **dict.fromkeys(("graph", "show", "list", "report", "migrate", "reset", "init", "connect", "add"), _OTHER),
    **dict.fromkeys(("generate", "g"), _EDIT),
    "format:check": CommandKind.LINT,
    "format:write": CommandKind.FORMAT,
}


def _turbo(argv: tuple[str, ...]) -> list[Meaning]:
    words = list(argv[1 : argv.index("--") if "--" in argv else len(argv)])
    values = word_set(
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
    if names[:1] and names[0] in _TURBO_OTHERS:
        return [Meaning(_OTHER, f"turbo {names[0]}")]
    found = named(names, "turbo")
    packages = _packages(argv)
    for meaning in found:
        meaning.selected = packages
        meaning.cwd = option_value(argv, word_set("--cwd"))
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
        names, selected = [target.partition(":")[0]], _nx_projects(project)
    elif sub in ("run-many", "affected"):
        names = [name for row in values_after(argv, word_set("-t --target --targets")) for name in row.split(",")]
        selected = sub if sub == "affected" else _nx_projects(option_value(argv, word_set("-p --projects")) or "")
    elif sub.startswith("affected:"):
        names, selected = [sub.partition(":")[2]], "affected"
    elif sub in _NX_OTHERS:
        return [Meaning(_NX_OTHERS[sub], f"nx {sub}")]
    else:
        names, selected = [sub], _nx_projects(words[1]) if len(words) > 1 else ""
    found = named([name for name in names if name], "nx")
    for meaning in found:
        meaning.selected = selected
        meaning.watch = meaning.watch or "--watch" in argv
    return found


def _nx_projects(names: str) -> str:
    """The projects of `nx test api` and `-p api,core`, each as the option by which other tools name a package."""
    return " ".join(f"--project {name}" for name in names.split(",") if name)


def _lerna(argv: tuple[str, ...]) -> list[Meaning]:
    words = [word for word in argv[1:] if not word.startswith("-")]
    if words[:1] in (["run"], ["exec"]) and len(words) > 1:
        names = list(words[1].split(","))
        return named(names, f"{program(argv[0])} {words[0]}")
    return [Meaning(_INSTALL if words[:1] == ["bootstrap"] else _OTHER, " ".join((program(argv[0]), *words[:1])))]


def _run_all(argv: tuple[str, ...]) -> list[Meaning]:
    return names_after(argv, values="--max-parallel --npm-path -x")


READERS: "dict[str, Reader]" = {
    **dict.fromkeys(NODE_MANAGERS, read_node_tasks),
    "turbo": _turbo,
    "nx": _nx,
    "lerna": _lerna,
    **dict.fromkeys(("run-s", "run-p", "npm-run-all", "npm-run-all2"), _run_all),
}
