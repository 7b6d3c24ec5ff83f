"""What a transcript alone tells of its project, for sessions whose checkout is not on this machine."""

import os
from functools import lru_cache
from posixpath import dirname, normpath

from ace_reflect.evidence.call_words import NODE_MANAGERS, posix
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.late import Late
from ace_reflect.project.facts import Project, Scope
from ace_reflect.project.git import forge_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Ledger, Run

MAX_SCOPES = 40
_REDIRECT = Late(r"(?<!\s)\s+(?:\d?>>?|&>>?)\s*+(?:&\d|\S+)", needs=(">",))
_TEST_FILES = ("conftest.py", "pytest.ini", "phpunit.xml", "phpunit.xml.dist")
_TEST_CONFIG = ("vitest.config.", "jest.config.", "playwright.config.", "cypress.config.")


def infer_project(ledger: "Ledger") -> Project:
    """
    Tests in use, build in use, remotes and branches, as far as the session shows them. `present` is False.

    A project has tests where a test command was run in it, a test file edited, or a manifest's test script or a runner's
    configuration was met.
    """
    root = normpath(posix(ledger.cwd)) if ledger.cwd else ""
    default = ledger.default_branch or _default_of(ledger)
    host = (ledger.forge_remote or "").partition("/")[0]
    return Project(
        root=root,
        present=False,
        scopes=_scopes(ledger, root),
        default_branch=default,
        branch=ledger.branch,
        has_remote=True if ledger.forge_remote or any(push.quote for push in ledger.pushes) else None,
        forge=forge_at(host.lower()),
    )


def _default_of(ledger: "Ledger") -> str | None:
    """main or master, if the session was on it or pushed to it."""
    seen = {ledger.branch, *(push.branch for push in ledger.pushes)}
    return next((name for name in ("main", "master") if name in seen), None)


def _scopes(ledger: "Ledger", root: str) -> tuple[Scope, ...]:
    """The root, and each folder in which tests or builds ran or were met."""
    packages = _packages(ledger, root)
    tests = _by_folder(ledger, root, CommandKind.TEST, packages)
    builds = _by_folder(ledger, root, CommandKind.BUILD, packages)
    scripts = _scripts(ledger, root)
    known = frozenset(("", *tests, *builds, *scripts))
    signs = _signs(ledger, root, packages | known)
    found = []
    for folder in sorted(known | set(signs))[:MAX_SCOPES]:
        test, build, script = tests.get(folder), builds.get(folder), scripts.get(folder, {})
        evidence = f"line {test.line}: {test.command}"[:200] if test else script.get("test") or signs.get(folder, "")
        found.append(
            Scope(
                dir=folder,
                test_command=_typed(test, root) if test else "",
                build_command=_typed(build, root) if build else "",
                has_tests=bool(evidence),
                tests_evidence=evidence,
                has_build=build is not None or "build" in script,
                build_evidence=f"line {build.line}: {build.command}"[:200] if build else script.get("build", ""),
            )
        )
    return tuple(found)


def _by_folder(ledger: "Ledger", root: str, kind: CommandKind, packages: frozenset[str]) -> "dict[str, Run]":
    """Relative folder -> the run that best shows how it is done: a whole one, by the plainest name, the latest."""
    found: dict[str, Run] = {}
    for run in ledger.runs:
        if run.kind is not kind or run.by == "git-hook" or run.runner in _CHECK_TYPES:
            continue
        folder = _relative(run.cwd or root, root)
        if folder is None:
            continue
        folder = folder if _is_package(run) else _nearest(folder, packages)
        if folder not in found or _rank(run) <= _rank(found[folder]):
            found[folder] = run
    return found


#: `npx tsc -b` compiles, and mostly to look at the types: once typed by hand it makes no build step of the project.
_CHECK_TYPES = ("tsc", "vue-tsc")


def _rank(run: "Run") -> tuple[bool, int]:
    """`mise run test` before `mise run test:integration` before `go test ./x`."""
    return (bool(run.limited or run.deselects), len(run.runner))


def _typed(run: "Run", root: str) -> str:
    """The run's own command without what stood around it in the line: pipes, redirections, other commands."""
    text = _REDIRECT.sub("", run.own or run.command).strip()
    folder = _relative(run.cwd or root, root)
    return f"cd {folder} && {text}" if folder and " " not in folder and not text.startswith("cd ") else text


def _is_package(run: "Run") -> bool:
    """npm and its like look for a package.json just where they are started; other runners look upwards."""
    return run.runner.partition(" ")[0] in (*NODE_MANAGERS, "npx", "vitest", "jest")


def _packages(ledger: "Ledger", root: str) -> frozenset[str]:
    """The folders in which a manifest was met."""
    from ace_reflect.evidence.kinds import is_manifest

    paths = {*ledger.files_seen, *(edit.path for edit in ledger.edits)}
    folders = (_relative(dirname(path), root) for path in paths if is_manifest(path))
    return frozenset(folder for folder in folders if folder is not None)


def _nearest(folder: str, packages: frozenset[str]) -> str:
    while folder and folder not in packages:
        folder = dirname(folder)
    return folder


@lru_cache(maxsize=4_096)  # a session's runs and edits have few folders
def _relative(path: str, root: str) -> str | None:
    path = normpath(posix(path))
    if not root or path == root:
        return ""
    return path[len(root) + 1 :] if path.startswith(root + "/") else None


def _scripts(ledger: "Ledger", root: str) -> dict[str, dict[str, str]]:
    """package.json scripts that were read in the session."""
    found: dict[str, dict[str, str]] = {}
    for row in ledger.scripts_seen:
        folder, _, rest = row.partition("\t")
        name, _, body = rest.partition("\t")
        relative = _relative(folder, root)
        if relative is not None and name in ("test", "build") and "no test specified" not in body:
            found.setdefault(relative, {})[name] = f"package.json script {name}: {body}"[:200]
    return found


def _signs(ledger: "Ledger", root: str, packages: frozenset[str]) -> dict[str, str]:
    """Folder -> a test file that was edited, or a test runner's configuration that was met, in it."""
    found: dict[str, str] = {}
    edited = [(edit.path, f"line {edit.line}: {edit.path}") for edit in ledger.edits if edit.kind == "test"]
    met = [(path, path) for path in ledger.files_seen if _configures_tests(path.rpartition("/")[2])]
    for path, sign in (*edited, *met):
        folder = _relative(dirname(posix(path)), root)
        if folder is not None:
            found.setdefault(_nearest(folder, packages), sign)
    return found


def _configures_tests(name: str) -> bool:
    return name in _TEST_FILES or name.startswith(_TEST_CONFIG)


def _is_one_folder(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def merge(project: Project, inferred: Project) -> Project:
    """A checkout's facts, completed by what the session showed: a test command in use where no manifest names one."""
    if not project.present:
        return inferred.replace(root=project.root or inferred.root)
    if project.root != inferred.root and _is_one_folder(project.root, inferred.root):
        project = project.replace(root=inferred.root)  # a link leads there: the session's paths begin as it spells them
    known = {scope.dir: scope for scope in reversed(project.scopes)}  # the first of a folder with several suites
    further = tuple(scope for scope in project.scopes if known[scope.dir] is not scope)
    for scope in inferred.scopes:
        mine = known.get(scope.dir)
        if mine is not None:
            known[scope.dir] = _filled(mine, scope)
        elif scope.has_tests or scope.has_build:
            _add(known, scope)
    return project.replace(
        scopes=tuple(sorted((*known.values(), *further), key=lambda scope: scope.dir)),
        default_branch=project.default_branch or inferred.default_branch,
        has_remote=project.has_remote
        or inferred.has_remote
        or project.has_remote,  # the checkout's "no" before "unknown"
        forge=project.forge or inferred.forge,
    )


def _add(known: dict[str, Scope], scope: Scope) -> None:
    """A folder without a manifest in which commands ran belongs to the scope above it, and shows that one's tests."""
    above = dirname(scope.dir)
    while above and above not in known:
        above = dirname(above)
    if above in known:
        known[above] = _filled(known[above], scope)
    else:
        known[scope.dir] = scope


def _filled(mine: Scope, other: Scope) -> Scope:
    changes: dict[str, object] = {}
    if other.has_tests and not mine.has_tests:
        changes |= {"has_tests": True, "tests_evidence": other.tests_evidence}
    if other.test_command and not mine.test_command:
        changes["test_command"] = other.test_command
    if other.has_build and not mine.has_build:
        changes |= {"has_build": True, "build_evidence": other.build_evidence, "build_command": other.build_command}
    return mine.replace(**changes)
