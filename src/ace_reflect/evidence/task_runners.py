"""
Programs that run named tasks: just, task, mise, rake, composer, poe, invoke, bazel, pre-commit, … (`make_tasks`: make)

What a task does is read from its name (`task_names`).
"""

from ace_reflect.evidence.call_parts import formats, kinds_table, subcommand
from ace_reflect.evidence.call_words import after_options, option_value, program, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.programs import meanings_of_program
from ace_reflect.evidence.runner_flags import read_flags, test_run
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name
from ace_reflect.evidence.wrapper_table import GLOBAL_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _BUILD, _READ, _OTHER, _SERVER, _INSTALL = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.SERVER,
    CommandKind.INSTALL,
)


def named(names: list[str], runner: str, *, default: "CommandKind" = _OTHER) -> list[Meaning]:
    """One meaning for each kind among the named tasks, in their order."""
    found: dict[CommandKind, Meaning] = {}
    for name in names:
        for meaning in meanings_of_name(name, f"{runner} {name}"):
            found.setdefault(meaning.kind, meaning)
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values()) or [Meaning(default, runner)]


def _just(argv: tuple[str, ...]) -> list[Meaning]:
    """`just [options] recipe [arguments]`: the words after a recipe are its arguments, unless they name tasks too."""
    if {"-l", "--list", "--summary", "--show", "-s", "--evaluate", "--dump", "--variables", "--choose"} & set(argv):
        return [Meaning(_READ, "just")]
    first = after_options(argv, 1, word_set("-f --justfile -d --working-directory --set --shell --dotenv-path -E"))
    found = _recipes(argv[first:], "just")
    for meaning in found:
        meaning.cwd = option_value(argv[:first], word_set("-d --working-directory"))
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
    found = named([words[0], *more], runner)
    for meaning in found:
        if meaning.kind is _TEST and not more:
            read_flags(meaning, words[1:], "script")
    return found


def _task(argv: tuple[str, ...]) -> list[Meaning]:
    if {"-l", "--list", "-a", "--list-all", "--summary", "--status"} & set(argv):
        return [Meaning(_READ, "task")]
    end = argv.index("--") if "--" in argv else len(argv)
    first = after_options(argv[:end], 1, word_set("-d --dir -t --taskfile -c --concurrency -o --output"))
    names = [word for word in argv[first:end] if "=" not in word and not word.startswith("-")]
    found = named(names, "task")
    for meaning in found:
        meaning.cwd = option_value(argv[:end], word_set("-d --dir"))
        meaning.watch = meaning.watch or bool({"-w", "--watch"} & set(argv[:end]))
        meaning.collects_only = bool({"-n", "--dry"} & set(argv[:end]))
    return found


def _rake(argv: tuple[str, ...]) -> list[Meaning]:
    if {"-T", "--tasks", "-P", "-W", "-n", "--dry-run"} & set(argv):
        return [Meaning(_READ, "rake")]
    names = [word.partition("[")[0] for word in argv[1:] if not word.startswith("-") and "=" not in word]
    return named(names, "rake") if names else [Meaning(_TEST, "rake")]


def _mise(argv: tuple[str, ...]) -> list[Meaning]:
    """`mise run test ::: lint`, `mise r test -- -v`, `mise test`"""
    first = after_options(argv, 1, GLOBAL_VALUES["mise"])
    sub = argv[first] if first < len(argv) else ""
    if sub in ("tasks", "task") and argv[first + 1 : first + 2] == ("run",):
        sub, first = "run", first + 1
    cwd = option_value(argv, word_set("-C --cd"))
    if sub in ("run", "r"):
        start = after_options(argv, first + 1, word_set("-C --cd -j --jobs -o --output -t --tool -s --shell --timeout"))
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


def names_after(argv: tuple[str, ...], *, values: str = "", runner: str = "") -> list[Meaning]:
    """Every word that is no option names a task: run-s, npm-run-all, moon, invoke, poe, doit."""
    end = argv.index("--") if "--" in argv else len(argv)
    taking = word_set(values)
    names: list[str] = []
    index = 1
    while index < end:
        if argv[index].startswith("-"):
            index += argv[index] in taking
        elif argv[index] != "run":
            names.append(argv[index].rpartition(":")[2] if runner == "moon" else argv[index])
        index += 1
    return named(names, runner or program(argv[0]))


def _moon(argv: tuple[str, ...]) -> list[Meaning]:
    return names_after(argv, runner="moon")


def _invoke(argv: tuple[str, ...]) -> list[Meaning]:
    if {"-l", "--list"} & set(argv):
        return [Meaning(_READ, "invoke")]
    return names_after(argv, values="-r --search-root -c --collection -f --config", runner="invoke")


def _first_name(argv: tuple[str, ...]) -> list[Meaning]:
    """The first word names a task, the rest are its arguments: poe, doit, hatch run, pdm run."""
    first = after_options(argv, 1, word_set("-C --root -f --file -d --directory -e --executor"))
    return _recipes(argv[first:], program(argv[0]))


def _fastlane(argv: tuple[str, ...]) -> list[Meaning]:
    """`fastlane [platform] lane key:value`, `fastlane scan`, `fastlane run run_tests`"""
    words = [word for word in argv[1:] if not word.startswith("-") and ":" not in word]
    if words[:1] in (["ios"], ["android"], ["mac"], ["run"]):
        words = words[1:]
    action = _ACTIONS.get(words[0]) if words else None
    return [Meaning(action, f"fastlane {words[0]}")] if action else named(words[:1], "fastlane")


#: fastlane's own actions whose names do not say what they do.
_ACTIONS = {"scan": _TEST, "gym": _BUILD, "build_app": _BUILD, "build_ios_app": _BUILD, "lanes": _READ, "env": _READ}


def _hatch(argv: tuple[str, ...]) -> list[Meaning]:
    """`hatch test`, `hatch run test:cov`, `hatch fmt`"""
    sub, rest = subcommand(argv, GLOBAL_VALUES["hatch"])
    if sub == "test":
        return [test_run("hatch test", "pytest", rest)]
    if sub == "fmt":
        checks = {"--check", "-l", "--linter"} & set(rest)
        return [formats("hatch fmt", checks=bool(checks))]
    if sub == "run":
        start = after_options(rest, 0, word_set("-e --env"))
        return _hatch_run(rest[start:])
    return [
        Meaning(
            {"build": _BUILD, "dep": _READ, "version": _READ}.get(sub, _OTHER),
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


_COMPOSER_INSTALLS = word_set("install i require update remove dump-autoload create-project self-update global")
_COMPOSER_READS = word_set("show info outdated why licenses diagnose status search audit depends config")


def _composer(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv, GLOBAL_VALUES["composer"])
    if sub in ("run", "run-script"):
        sub, rest = subcommand(("run", *rest))
    elif sub in _COMPOSER_INSTALLS:
        return [Meaning(_INSTALL, f"composer {sub}")]
    elif not sub or sub in _COMPOSER_READS:
        return [Meaning(_READ, f"composer {sub}".rstrip())]
    elif sub == "validate":
        return [Meaning(CommandKind.LINT, "composer validate")]
    found = meanings_of_name(sub, f"composer {sub}")
    for meaning in found:
        if meaning.kind is _TEST:
            read_flags(meaning, rest, "phpunit")
    return found


def _bazel(argv: tuple[str, ...]) -> list[Meaning]:
    sub, rest = subcommand(argv)
    kinds = kinds_table(test="test coverage", build="build", read="query cquery aquery info version")
    meaning = Meaning(kinds.get(sub, _OTHER), f"bazel {sub}".rstrip())
    if meaning.kind is _TEST:
        words = [word for word in rest if not word.startswith("-")]
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
    named = [kind for hook in hooks[:2] for kind in kinds_of_name(hook)]
    kind = named[0] if named and named[0] in (_TEST, CommandKind.TYPECHECK, CommandKind.FORMAT) else CommandKind.LINT
    return [Meaning(kind, f"{name} {sub}".rstrip())]


READERS: "dict[str, Reader]" = {
    "just": _just,
    "task": _task,
    "go-task": _task,
    "rake": _rake,
    "mise": _mise,
    "rtx": _mise,
    "rush": names_after,
    "rushx": names_after,
    "wsrun": names_after,
    "moon": _moon,
    "melos": names_after,
    "nps": _first_name,
    "wireit": _first_name,
    "invoke": _invoke,
    "inv": _invoke,
    "fab": _invoke,
    "poe": _first_name,
    "taskipy": _first_name,
    "doit": names_after,
    "mage": names_after,
    "grunt": names_after,
    "gulp": names_after,
    "jake": names_after,
    "cake": names_after,
    "ant": names_after,
    "fastlane": _fastlane,
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
