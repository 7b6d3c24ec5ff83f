"""`read_project`: a checkout's facts from its files alone. Nothing is run, and it ends soon, whatever is there."""

import json
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from shlex import quote
from typing import Any

from ace_reflect.evidence.files import MADE, is_unit_test, language_of, manifest_language
from ace_reflect.evidence.programs import words
from ace_reflect.project.facts import Project, Scope, within
from ace_reflect.project.git import read_git, read_text, stamp

_MAX_ENTRIES, _MAX_WIDTH, _MAX_DEPTH, _MAX_PACKAGES = 8_000, 2_000, 7, 60
#: Other people's code, build products, samples.
_SKIPPED = MADE | words("bower_components vendor third_party target build out bin obj coverage env deps __mocks__ Pods tmp temp logs")  # fmt: skip
#: What runs the tasks of a file, and the one language that they are for; "" for any.
_TASKS = {"package.json": ("npm run", "javascript"), "deno.json": ("deno task", "javascript"), "composer.json": ("composer", "php"), "justfile": ("just", ""), "Makefile": ("make", "")}  # fmt: skip
#: Languages whose builds take in everything below: a solution's projects, CMake's subdirectories.
_WHOLE = {"dotnet", "c"}
_LOCKS = {"bun.lock": "bun", "bun.lockb": "bun", "pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn"}
_TESTS = ("test:unit", "test", "tests", "unit", "test-unit", "unit-test")


def read_project(root: str) -> Project:
    """Everything the checkout at `root` tells; no stamps where there is no such folder."""
    root = os.path.abspath(root)
    if not os.path.isdir(root):
        return Project(root=root)
    files, git = _files(root), read_git(root)
    places = _packages(files)
    tested = _tested(root, files, ["", *(folder for folder, _ in places)])
    places += sorted({place for place in tested if not place[0]} - {*places})  # without a manifest
    scopes = []
    for folder, language in places:
        there, command = (folder, language) in tested, _test_command(root, folder, language, files)
        scopes.append(Scope(dir=folder, language=language, tested=there, test_command=command))
    manifests = [path for path in files if manifest_language(path) is not None][:150]
    about: Any = {"default_branch": git.default_branch, "gitlab": git.gitlab}
    about["stamps"] = (*(stamp(os.path.join(root, path)) for path in ("", *manifests)), *git.stamps)
    return Project(root=root, scopes=tuple(scopes), **about)


def _files(root: str) -> dict[str, None]:
    """The paths below the root, nearest folders first. No link is followed."""
    found: dict[str, None] = {}
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


def _packages(files: Iterable[str]) -> list[tuple[str, str]]:
    """(folder, language) of each manifest, by folder."""
    found = set[tuple[str, str]]()
    for path in files:
        folder, language = os.path.dirname(path), manifest_language(path)
        above = [top for top, each in found if each == language and within(folder, top)]
        if language and not (above and language in _WHOLE) and len(found) < _MAX_PACKAGES:
            found.add((folder, language))
    return sorted(found)


def _tested(root: str, files: Iterable[str], folders: list[str]) -> set[tuple[str, str]]:
    """(package, language) wherever there is a unit-test file, which counts for the nearest package."""
    found = set[tuple[str, str]]()
    for path in files:
        if language := language_of(path):
            place = max((each for each in folders if within(path, each)), key=len), language
            rust = language == "rust" and place not in found  # its unit tests are among the code
            text = read_text(os.path.join(root, path)) if rust else ""
            if is_unit_test(path) or "#[cfg(test)]" in text or "#[test]" in text:
                found.add(place)
    return found


def _test_command(root: str, folder: str, language: str, files: dict[str, None]) -> str:
    """The folder's task that is named like tests, as typed in the root; "" for none."""
    locks = (_LOCKS[name] for name in _LOCKS if {name, os.path.join(folder, name)} & files.keys())
    node = next(locks, "npm")
    for name, (tool, own) in _TASKS.items():
        path = os.path.join(folder, name)
        tasks = _tasks(read_text(os.path.join(root, path))) if path in files else set()
        task = next((each for each in _TESTS if each in tasks), "")
        if task and own in ("", language):
            typed = f"{tool.replace('npm', node)} {task}"
            return f"cd {quote(folder)} && {typed}" if folder else typed
    return ""


def _tasks(text: str) -> set[str]:
    """The names of a JSON text's scripts or tasks, or of a Makefile's targets."""
    if not text.lstrip().startswith("{"):
        return {*re.findall(r"(?m)^@?([\w-]+)(?: [^:=\n]*)?:(?!=)", text)}
    with suppress(ValueError, TypeError, AttributeError, RecursionError):
        data = json.loads(text)
        scripts = data.get("scripts") or data.get("tasks")
        return {name for name, body in scripts.items() if "no test specified" not in str(body)}
    return set()
