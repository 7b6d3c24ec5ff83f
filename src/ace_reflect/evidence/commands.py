"""What each command of a line is for, which files it changes, what it is limited to. A mention is not a run: `echo pytest`."""

import re
from functools import lru_cache
from typing import Any

from ace_reflect.evidence import programs as known
from ace_reflect.evidence.facts import CommandKind as K
from ace_reflect.evidence.files import absolute, is_test_file
from ace_reflect.evidence.programs import after_options, lookup, option, program, words
from ace_reflect.evidence.shell import SimpleCommand, joined, split
from ace_reflect.values import Value

_Fields = dict[str, Any]
_NAME_WORDS = r"[eE]2[eE]|[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
_NEGATIVE = r"(?:^|[\s(&|,])not[\s(]|^[~!-]|^\^?\(\?!|!=|!~|(?:^|,)!"


class Command(Value):
    """One meaning of one simple command. `gradle build` builds and tests: it comes twice, with the same `simple`."""

    simple: SimpleCommand
    argv: tuple[str, ...]  # seen through wrappers; git's without `-C dir`
    kind: K
    runner: str = ""  # pytest, go test, npm run lint, git push, …
    languages: tuple[str, ...] = ()  # of a runner of tests; (): any
    cwd: str | None = None
    targets: tuple[str, ...] = ()  # paths a run is limited to, as typed; (): the whole of cwd
    selected: str = ""
    deselects: str = ""
    collects_only: bool = False
    writes: tuple[str, ...] = ()  # files it changes
    removes: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()  # that a push names, as typed, a leading "+" included
    only_tags: bool = False  # no branch is pushed
    no_verify: bool = False
    script: str = ""  # the file it executes, as typed; "" for code given in the line
    tree: str = ""  # restore, stash, pop, reset, merge, pull, …
    tree_paths: tuple[str, ...] = ()  # (): all
    task: str = ""  # of a task runner: "npm run check"


@lru_cache(maxsize=64)
def classify(command: str, cwd: str | None = None) -> tuple[Command, ...]:
    """The meanings of everything that the line runs, in order. `cwd`: the folder it starts in. Never raises; linear in the line's length."""
    return tuple(found for simple in split(command, cwd) for found in _commands(simple))


_LOGS = (".log", ".out", ".err")  # what a command said, kept in a file, is no edit
_INSTALLED = words("bin .bin Scripts sbin")
_NEVER_HERE = words("pytest py.test jest vitest mocha cargo go npm pnpm yarn bun tox nox")
_TASKS = words("test serve build install")  # of a project, though programs are called so, too


def _commands(simple: SimpleCommand) -> list[Command]:
    argv, found = simple.inner or simple.argv, []
    for number, fields in enumerate(_meanings(argv, simple) if argv else [{"kind": K.OTHER}]):
        folder = fields.pop("folder", "")
        cwd = joined(simple.cwd, folder) if folder else simple.cwd
        changed = _changes(argv, simple) if number == 0 and "ssh" not in simple.via else {}
        for name in ("writes", "removes", "tree_paths"):
            paths = (*fields.get(name, ()), *changed.get(name, ()))
            fields[name] = tuple(dict.fromkeys(absolute(path, cwd) for path in paths))
        edits = not all(p.endswith(_LOGS) for p in (*fields["writes"], *fields["removes"]))
        if edits and (fields["kind"] in (K.READ, K.OTHER) or fields.get("runner") == "perl"):
            fields["kind"] = K.EDIT
        if fields.pop("watch", False):
            fields["kind"] = K.SERVER
        found.append(Command(**{"simple": simple, "argv": argv, "cwd": cwd, **fields}))
    return found


def _meanings(argv: tuple[str, ...], simple: SimpleCommand) -> list[_Fields]:
    name, via = program(argv[0]), "".join(simple.via[-1:])
    if name == "git":
        return [_git(argv)]
    if name in known.FORGES:
        return [_forge(name, argv)]
    if known.ASKS & set(argv[1:]) and name not in words("echo printf grep sed rg"):  # of text
        return [{"kind": K.READ, "runner": name}]
    folders = argv[0].replace("\\", "/").split("/")[:-1]
    installed = not folders or (_INSTALLED & set(folders) and name not in ("test", "ci"))
    if simple.feigned or ({*folders} and {*folders} <= {".", ".."} and name in _NEVER_HERE):
        return [{"kind": K.SCRIPT, "runner": name}]  # `./pytest` may be anything
    if not (installed or name in known.RUNNERS or name in words("gradle mvn artisan manage.py")):
        return [_script(argv[0])]
    if via == "python -m" and not _known(name):
        return [_script(f"{argv[0].replace('.', '/')}.py", "python")]
    if via in known.TASK_RUNNERS and (name == "test" or not _known(name)):
        return _tasks([argv[0]], argv[1:], via)
    found = _tests(name, argv) or _task_run(name, argv) or _interpreted(name, argv, simple.heredoc)
    return found or [_tool(name, argv)]


def _known(name: str) -> bool:
    tables = (known.TOOLS, known.RUNNERS, known.INTERPRETERS, known.TASK_RUNNERS)
    return name.rpartition(".")[2] in known.SCRIPT_ENDS or any(name in each for each in tables)


def _tool(name: str, argv: tuple[str, ...]) -> _Fields:
    if name not in known.TOOLS:
        file = "." in name and not {"$", "[", " "} & set(name)
        tests = task_kinds("".join(argv[1:2])) == [K.TEST]  # `plz test //...`
        return _script(name) if file else {"kind": K.SCRIPT if tests else K.OTHER, "runner": name}
    *rules, kind = known.TOOLS[name].split()
    given = {word.partition("=")[0] for word in argv[1:]}
    told = (({*marks.split(",")}, own) for marks, _, own in (r.rpartition(":") for r in rules))
    marks, kind = next((rule for rule in told if rule[0] & given), (set[str](), kind))
    named = [word for word in argv[1:3] if word[:1].isalpha() and word in marks | {"compose"}]
    files = [word for word in argv[1:] if "." in word[1:] and word[0] != "-" and "*" not in word]
    fields: _Fields = {"kind": K(kind), "runner": " ".join((name, *named))}
    return fields | {"writes": files if kind == "format" else (), "folder": _folder(argv)}


def _tests(name: str, argv: tuple[str, ...]) -> list[_Fields]:
    key, begin = lookup(known.RUNNERS, name, argv)
    if name in ("node", "tsx") and "--test" in argv[:4]:
        key, begin = "node --test", argv.index("--test") + 1
    if not key:
        return []
    before = [word for word in argv[1:begin] if word not in key.split()] if " " in key else []
    args, (runner, languages, *options) = (*before, *argv[begin:]), known.RUNNERS[key]
    found = _options((key.rpartition(" ")[2], *args), known.options(options))
    found |= {"runner": runner, "languages": (*languages.split(),), "folder": _folder(argv)}
    kind = K.BUILD if runner == "go test" and "-c" in args else K.TEST
    if runner == "go test":
        found["collects_only"] |= option(args, words("-run")) in ("^$", "XXX", "NONE", "^#")
    if runner in ("tox", "nox"):  # `tox -e lint`
        kind = task_kinds(option(args, words("-e --env -s --session --sessions")))[0]
    return [found | {"kind": K.TEST if kind in (K.OTHER, K.SCRIPT) else kind}]


def _options(args: tuple[str, ...], options: dict[str, frozenset[str]]) -> _Fields:
    """What a runner's arguments say about targets, selection, listing and watching. The first is its own last word."""
    selects, leaves, values = (options.get(mark, frozenset[str]()) for mark in "+-=")
    every = frozenset[str]().union(*options.values()) | {"./...", "//...", "...", "discover"}
    plain, selected, deselected, flags, index = list[str](), list[str](), list[str](), {args[0]}, 1
    while index < len(args):
        word, index = args[index], index + 1
        name, equals, value = word.partition("=")
        if word[:1] != "-" or len(word) == 1:
            flags.add(word)
            plain += [word.removeprefix("//")] if word not in every else []
            continue
        if not equals and name not in every and word[1] != "-":  # -kfoo, -only-testing:App
            joins = (o for o in selects | leaves if word.startswith(o if len(o) == 2 else f"{o}:"))
            name = next(joins, name)
            value = word[len(name) :].lstrip(":")
        following = args[index] if index < len(args) else "-"
        takes = name in selects | leaves or (name in values and following[:1] != "-")
        if takes and not (equals or value):
            value, index = following, index + 1
        text = f"{name} '{value}'" if " " in value else f"{name} {value}".rstrip()
        if name in leaves or (name in selects and re.search(_NEGATIVE, value)):
            deselected.append(text)
        elif name in selects or name in options.get("+:", ()):
            selected.append(text)
        flags |= {name} if value not in ("false", "0", "no") else set()
    targets = [re.sub(r"::.*|:\w+$", "", word) for word in plain]  # a.py::test, a_spec.rb:12, //a:b
    names = [word for word, path in zip(plain, targets, strict=True) if word != path]
    names, targets = (plain, []) if "names" in options else (names, targets)
    return {
        "targets": tuple(path.removesuffix("/...") for path in targets if "none" not in options),
        "selected": " ".join((*selected, *names)),
        "deselects": " ".join(deselected),
        "collects_only": bool(flags & options.get("!", frozenset())),
        "watch": bool(flags & options.get("~", frozenset())),
    }


_FOLDERS = words("-C --directory --dir --cwd --cd --prefix --project-dir --manifest-path --test-dir --package-path --working-dir --working-directory")  # fmt: skip


def _folder(argv: tuple[str, ...]) -> str:
    own = _FOLDERS - {"-C"} if program(argv[0]) in ("ctest", "meson", "node") else _FOLDERS
    path = option(argv, own)
    return path if not path.endswith((".toml", ".xml")) else path.rpartition("/")[0] or "."


def _task_run(name: str, argv: tuple[str, ...]) -> list[_Fields]:
    key, begin = lookup(known.TASK_RUNNERS, name, argv)
    if not key:
        return []
    values, one = known.TASK_RUNNERS[key]
    end = argv.index("--") if "--" in argv else len(argv)
    names = _plain(argv[begin:end], words(values))[: 1 if one else None]
    first = "".join(names[:1])
    if "." in first and first.rpartition(".")[2] in known.SCRIPT_ENDS:
        return [_script(first, name)]  # `bun run x.ts`
    if key == name in words("yarn pnpm bun mise") and _known(first) and first not in _TASKS:
        return _meanings(argv[argv.index(first) :], SimpleCommand(argv=argv))  # `pnpm vitest`
    taken = {*names, *key.split(), *(() if one else ("-t", "--target", "--targets"))}
    rest = tuple(word for word in argv[1:] if word not in taken)
    return _tasks([n for n in names if one or not ("=" in n or n.isdigit())], rest, key)


def _tasks(names: list[str], rest: tuple[str, ...], runner: str) -> list[_Fields]:
    """One meaning for each kind among the named tasks, in their order."""
    one, tool = known.TASK_RUNNERS[runner][1], runner.partition(" ")[0]
    told = _options(("", *rest), known.options() | ({} if one else {"none": frozenset()}))
    told["collects_only"] |= tool == "make" and "-n" in rest
    skips = re.search(r" -DskipTests |-Dmaven.test.skip| -x test ", f" {' '.join(rest)} ")
    found: dict[K, _Fields] = {}
    for name in names or [""]:
        task = name.rpartition(":")[2] if tool in ("gradle", "nx") else name
        label = f"{runner} {task}".rstrip()
        kinds = [K(kind) for kind in known.KNOWN_TASKS.get(label, "").split()] or task_kinds(task)
        for kind in kinds:
            fields: _Fields = {"kind": kind, "runner": label, "task": label}
            fields["folder"] = _folder((tool, *rest))
            fields["watch"] = told["watch"] or "watch" in re.findall(_NAME_WORDS, task)
            if kind is K.TEST:
                fields = told | fields | {"languages": known.TASK_LANGUAGES.get(tool, ())}
            if not (skips and kind is K.TEST):
                found.setdefault(kind, fields)
    if len(found) > 1:
        found.pop(K.OTHER, None)
    return list(found.values()) or [{"kind": K.OTHER, "runner": runner}]


def task_kinds(name: str) -> list[K]:
    """What a task of this name does. `check`, `ci` and `verify` may be anything, and execute it."""
    parts = [word.lower() for word in re.findall(_NAME_WORDS, name)]
    found, first = set(parts), "".join(parts[:1])
    says = {kind: found & row for kind, row in known.TASK_WORDS.items()}
    checks, tests = found & words("check checks ci verify diff dry test"), says["test"]
    if says["typecheck"] or (found & {"type", "types"} and checks):
        return [K.TYPECHECK]
    if (says["format"] or says["lint"]) and first not in known.TASK_WORDS["other"]:
        fixes = found & {"fix", "autofix", "write"} or (says["format"] and not checks)
        return [K.FORMAT if fixes else K.LINT]
    if first in known.TASK_WORDS["server"] and not (says["build"] or tests):
        return [K.SERVER]
    if first in known.TASK_WORDS["other"]:
        return [K.OTHER]
    if says["build"] and (first in known.TASK_WORDS["build"] or not tests):
        return [K.BUILD]
    own = K.SCRIPT if found & words("check checks ci verify validate precommit") else K.OTHER
    return [K.TEST if tests and known.BESIDE_TESTS.isdisjoint(parts[1:]) else own]


def _interpreted(name: str, argv: tuple[str, ...], heredoc: str) -> list[_Fields]:
    """A file, or code in the line, that an interpreter runs."""
    if name not in known.INTERPRETERS:
        return []
    values, inline = (words(cell) for cell in known.INTERPRETERS[name])
    args, start = argv[1:], after_options(argv[1:], 0, values)
    path = "".join(args[start : start + 1])
    told = [runner for mark, runner in known.INLINE_TESTS.items() if mark in " ".join(args)]
    if told and name not in known.SHELLS:
        return [{"kind": K.TEST, "runner": told[0]}]
    if words("--check -c -l -n -wc") & set(args[:1]) - inline:
        return [{"kind": K.LINT, "runner": f"{name} {args[0]}"}]
    if inline & set(args[:start]) or path == "-" or (heredoc and not path):
        return [{"kind": K.SCRIPT, "runner": name}]
    base = path.replace("\\", "/").rpartition("/")[2]
    if found := _tests(base, (base, *args[start + 1 :])):  # `node node_modules/.bin/jest`
        return found
    if name in known.TOOLS and "." not in base:
        return []  # `swift build`
    if path.endswith(".t") or (name == "ruby" and is_test_file(path)):
        return _tests("minitest" if name == "ruby" else "prove", (name, *args[start:]))
    verb = "".join(args[start + 1 : start + 2])
    return [_script(path, name, verb) if path else {"kind": K.OTHER, "runner": name}]


def _script(path: str, interpreter: str = "", verb: str = "") -> _Fields:
    """A file of the project's that is executed; whether it runs tests, only its output tells."""
    base = path.replace("\\", "/").rpartition("/")[2]
    parts = [word.lower() for word in re.findall(_NAME_WORDS, base.partition(".")[0])]
    serves = {"server", "serve", "runserver"} & {*parts[:1], *parts[-1:], verb}
    kind = K.SERVER if serves else K.SCRIPT
    return {"kind": kind, "runner": f"{interpreter} {base}".strip(), "script": path}


def _plain(args: tuple[str, ...], values: frozenset[str] = known.GIT_VALUES) -> list[str]:
    """The words that are neither options nor option values."""
    end = args.index("--") if "--" in args else len(args)
    found, index = list[str](), after_options(args[:end], 0, values)
    while index < end:
        found.append(args[index])
        index = after_options(args[:end], index + 1, values)
    return [*found, *args[end + 1 :]]


def _git(argv: tuple[str, ...]) -> _Fields:
    start = after_options(argv, 1, words("-C -c --git-dir --work-tree"))
    sub, args = "".join(argv[start : start + 1]), argv[start + 1 :]
    flags, plain = {word.partition("=")[0] for word in args if word[:1] == "-"}, _plain(args)
    found: _Fields = {"kind": K.OTHER, "runner": f"git {sub}".rstrip()}
    found |= {"argv": ("git", *argv[start:]), "folder": option(argv[1:start], _FOLDERS)}
    shown = (flags | set(plain[:1])) & known.GIT_LOOKS
    listed = sub in known.GIT_LISTS and (shown or (not args and sub != "stash"))
    if sub in known.GIT_READS or listed or not sub:
        return found | {"kind": K.READ}
    if flags & known.GIT_STILL or (sub == "push" and "-n" in flags):
        return found
    if sub == "commit" or ("--continue" in flags and sub in ("merge", "cherry-pick", "revert")):
        short = any(re.match("-[^-mFCctuS]*n", flag) for flag in flags)
        no_verify = short or "--no-verify" in flags
        return found | {"kind": K.COMMIT, "runner": "git commit", "no_verify": no_verify}
    if sub in known.GIT_TREES or (sub == "reset" and "--hard" in flags):
        return found | {"kind": K.TREE, "tree": sub}
    if sub == "push":
        return found | _push(flags, plain)
    if sub == "stash":
        return found | _stash(flags, plain)
    if sub in ("checkout", "restore"):
        return found | _put_back(sub, args, flags, plain)
    edits = {"rm": {"removes": plain}, "apply": {}, "mv": _moved(plain)}
    return found | ({"kind": K.EDIT} | edits[sub] if sub in edits else {})


def _push(flags: set[str], plain: list[str]) -> _Fields:
    pairs = zip(["", *plain[1:]], plain[1:], strict=False)
    refs = [f"refs/tags/{ref}" if before == "tag" else ref for before, ref in pairs if ref != "tag"]
    # by its name: a version number is a tag, hardly ever a branch
    tag = r"(?:.*:)?\+?(?:refs/tags/|[vV]?\d+(?:\.\d+)+(?:[-+]|$))"
    only_tags = bool(refs or "--tags" in flags) and all(re.match(tag, ref) for ref in refs)
    told = {"refs": tuple(refs), "only_tags": only_tags, "no_verify": "--no-verify" in flags}
    return {"kind": K.PUSH} | told


def _stash(flags: set[str], plain: list[str]) -> _Fields:
    verb, *paths = plain or ["push"]
    tree = {"pop": "pop", "apply": "pop", "push": "stash", "save": "stash"}.get(verb, "")
    if not tree or flags & {"-p", "--patch", "-S", "--staged", "-k", "--keep-index"}:
        return {}
    return {"kind": K.TREE, "tree": tree, "tree_paths": paths if verb == "push" else ()}


def _put_back(sub: str, args: tuple[str, ...], flags: set[str], plain: list[str]) -> _Fields:
    """Files are restored from git; a branch switch says nothing about files."""
    paths = list(args[args.index("--") + 1 :]) if "--" in args else plain
    if sub == "checkout" and "--" not in args:
        paths = [word for word in plain if word == "." or re.search(r"\w\.[a-z]+$", word)]
    if flags & {"-b", "-B", "--orphan"} or ("--staged" in flags and "--worktree" not in flags):
        return {}
    kept = () if "." in paths else tuple(paths)
    return {"kind": K.TREE, "tree": "restore", "tree_paths": kept} if paths else {}


def _forge(name: str, argv: tuple[str, ...]) -> _Fields:
    """`gh pr create`, `glab ci status`, `az repos pr create`, `gh api repos/…/check-runs`."""
    plain = [word for word in _plain(argv[1:]) if word != "repos"]
    label = " ".join((name, *plain[: 1 if plain[:1] == ["api"] else 2])).rstrip()
    text = " ".join((name, *plain[:2], *argv[1:]))
    kinds = (k for k, pattern in known.FORGE_KINDS if re.search(pattern, text, re.DOTALL))
    return {"kind": K(next(kinds, "other")), "runner": "curl" if name == "curl" else label}


def _changes(argv: tuple[str, ...], simple: SimpleCommand) -> _Fields:
    """The files that a command writes, removes and moves, as typed."""
    name, written = program(argv[0]) if argv else "", list(simple.writes)
    plain, into = _plain(argv[1:]), option(argv, words("-t --target-directory"))
    if name in ("sed", "gsed"):
        written += _edited_by_sed(argv, plain)
    elif name == "perl" and any(re.match("-[^-MI]*i", word) for word in argv[1:4]):
        written += argv[max(at for at, word in enumerate(argv) if word[:1] == "-") + 2 :]
    elif name == "tee":
        written += plain
    elif name == "patch" or argv[:2] == ("git", "apply"):
        written += re.findall(r"(?m)^\+\+\+ (?:b/)?([^\s/][^\t\n]*)", simple.heredoc)
        written += _plain(argv[1:], words("-i -d -p"))[:1] if name == "patch" else []
    elif name in ("cp", "ln", "install") and "-d" not in argv:
        written += _moved(plain, into)["writes"]
    elif name == "mv":
        return _moved(plain, into)
    elif name in ("rm", "unlink", "trash"):
        return {"removes": plain, "writes": written}
    return {"writes": [path for path in written if not path.startswith(("`", "$(", "{}"))]}


def _edited_by_sed(argv: tuple[str, ...], plain: list[str]) -> list[str]:
    """GNU: `sed -i.bak s/a/b/ f`; BSD: `sed -i '' s/a/b/ f`."""
    if not any(re.match("-[nEzsru]*i|--in-place", word) for word in argv[1:]):
        return []
    scripts = [at + 1 for at, w in enumerate(argv) if re.match("-[nEzsriu]*[ef]$|--expr|--file", w)]
    files = [word for word in plain if word and argv.index(word) not in scripts]
    return files if scripts else files[1:]


def _moved(plain: list[str], into: str = "") -> _Fields:
    """`mv a b`, `mv a b src/`, `mv -t src a b`; a last word that looks like a folder gets each file under its own name."""
    sources, last = (plain, into) if into else (plain[:-1], "".join(plain[-1:]))
    folder = into or len(sources) > 1 or last.endswith(("/", "/.", "..")) or last == "."
    names = [f"{last.rstrip('/')}/{one.rstrip('/').rpartition('/')[2]}" for one in sources]
    return {"removes": sources, "writes": names if folder else [last] * len(sources)}
