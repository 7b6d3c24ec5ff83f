"""`read_project`: a checkout's facts from its files alone. Nothing is run, and whatever is there, it ends soon."""

import json
import os
import re
from itertools import islice
from shlex import quote
from typing import Any

from ace_reflect.evidence.commands import CommandKind, classify
from ace_reflect.evidence.files import MADE, is_manifest, is_unit_test, language_of
from ace_reflect.evidence.programs import words
from ace_reflect.project.facts import Project, Scope, packages, within
from ace_reflect.project.git import read_git, read_text, stamp

_MAX_ENTRIES, _MAX_WIDTH, _MAX_DEPTH, _MAX_TASKS = 8_000, 2_000, 7, 100
#: Other people's code, build products, samples.
_SKIPPED = MADE | words("bower_components vendor third_party target build out bin obj coverage env deps __mocks__ Pods tmp temp logs")  # fmt: skip
#: How the tasks of a file are typed.
_TASKS = {"justfile": "just", "Makefile": "make", "package.json": "npm run", "deno.json": "deno task", "composer.json": "composer"}  # fmt: skip
_LOCKS = {"bun.lock": "bun", "bun.lockb": "bun", "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn"}
_TESTS = ("test", "tests", "test:unit", "unit", "test-unit", "unit-test", "test:ci", "check")
_E2E_RUNNERS = words("playwright cypress wdio nightwatch testcafe detox maestro")
#: A target of a Makefile or justfile, what it needs, and its steps.
_RECIPE = re.compile(r"(?m)^@?([\w.:-]+)(?: [^:=\n]*)?:(?!=)([^#\n]*).*((?:\n[ \t].*)*)")
#: `$(PYTHON) -m pytest` and `$(GO) test` of a Makefile: what is called so is that.
_VARIABLE = re.compile(r"\$\((\w+)\)")

Files = dict[str, None]
Tested = dict[tuple[str, str], None]


def read_project(root: str) -> Project:
    """Everything the checkout at `root` tells; `present` is False where there is no such folder."""
    root = os.path.abspath(root)
    if not os.path.isdir(root):
        return Project(root=root)
    files, git, scopes = _files(root), read_git(root), []
    found = packages(files)
    tested = _tested(root, files, [*found])
    found[""] += [language for folder, language in tested if not folder]  # it needs no manifest
    for folder, languages in found.items():
        tasks = _tasks(root, folder, files)
        for language in dict.fromkeys(languages):
            own = (language,) if (folder, language) in tested else ()
            # A task that says little is of this language where there are tests of it.
            command = _test_command(folder, tasks, {language, ""} if own else {language})
            scope = Scope(dir=folder, languages=(language,), tested=own, test_command=command)
            scopes.append(scope)
    manifests = [os.path.join(root, path) for path in files if is_manifest(path)][:150]
    stamps = tuple(map(stamp, [root, *manifests])) + git.stamps
    about: Any = {"default_branch": git.default_branch, "stamps": stamps}
    return Project(root=root, present=True, scopes=tuple(scopes), **about)


def _files(root: str) -> Files:
    """The paths below the root, nearest folders first. No link is followed."""
    found: Files = {}
    left, queue = _MAX_ENTRIES, [""]
    for folder in queue:  # it grows on the way
        try:
            with os.scandir(os.path.join(root, folder)) as listed:
                entries = sorted(islice(listed, min(left, _MAX_WIDTH)), key=lambda e: e.name)
        except OSError:
            continue
        left -= len(entries)
        for entry in entries:
            path = os.path.join(folder, entry.name)
            if entry.is_file(follow_symlinks=False):
                found[path] = None
            elif entry.is_dir(follow_symlinks=False) and path.count("/") < _MAX_DEPTH:
                hidden = entry.name.startswith(".") or not entry.name.isprintable()
                queue += [] if hidden or entry.name in _SKIPPED else [path]
    return found


def _tested(root: str, files: Files, folders: list[str]) -> Tested:
    """(package, language) wherever there is a unit-test file, which counts for the nearest package."""
    found: Tested = {}
    for path in files:
        if language := language_of(path):
            place = max((each for each in folders if within(path, each)), key=len), language
            # Rust's unit tests stand among the code they test.
            rust = language == "rust" and place not in found
            text = read_text(os.path.join(root, path)) if rust else ""
            if is_unit_test(path) or "#[cfg(test)]" in text or "#[test]" in text:
                found[place] = None
    return found


def _test_command(folder: str, tasks: dict[str, str], wanted: set[str]) -> str:
    """The first of the usual tasks that runs unit tests of a wanted language, as it is typed in the root."""
    usual = (task for name in _TESTS for task in tasks if task.split()[-1] == name)
    task = next((task for task in usual if wanted & _languages(task, tasks)), "")
    return f"cd {quote(folder)} && {task}" if folder and task else task


def _tasks(root: str, folder: str, files: Files) -> dict[str, str]:
    """What can be run by a name, as it is typed in the folder, and its body."""
    locks = (_LOCKS[name] for name in _LOCKS if {name, os.path.join(folder, name)} & files.keys())
    node, found = next(locks, "npm"), {}
    for name, tool in _TASKS.items():
        path, typed = os.path.join(folder, name), tool.replace("npm", node)
        text = read_text(os.path.join(root, path)) if path in files else ""
        bodies = _scripts(text) if name.endswith(".json") else _recipes(text, typed)
        for task, body in islice(bodies.items(), _MAX_TASKS):
            steps = body if isinstance(body, list) else [body]
            found[f"{typed} {task}"] = " && ".join(map(str, steps))[:1_000]
    return found


def _scripts(text: str) -> dict[str, Any]:
    """The table of scripts or tasks in a JSON text; {} where there is none."""
    try:
        data = json.loads(text)
        return {**(data.get("scripts") or data.get("tasks"))}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _recipes(text: str, tool: str) -> dict[str, list[str]]:
    """The targets of a Makefile or justfile, each after those that it needs."""
    found = {}
    for name, needs, steps in _RECIPE.findall(text):
        known = _VARIABLE.sub(lambda variable: variable[1].lower(), steps)
        lines = [line.strip().lstrip("@- ") for line in known.splitlines()]
        found[name] = [*(f"{tool} {each}" for each in needs.split()), *filter(None, lines)]
    return found


def _languages(task: str, tasks: dict[str, str]) -> set[str]:
    """Those whose unit tests a task runs, by itself or by others that it calls; "" for what may be any."""
    queue, found = [task], set[str]()
    for each in queue:  # it grows on the way
        for command in classify(tasks[each]):
            called = command.task.split()[-1:]
            queue += [t for t in tasks if t.split()[-1:] == called and t not in queue]
            of_units = command.runner.partition(" ")[0] not in _E2E_RUNNERS and not called
            if of_units and command.kind in {CommandKind.TEST, CommandKind.SCRIPT}:
                found.update(command.languages or ("",))
    return found
