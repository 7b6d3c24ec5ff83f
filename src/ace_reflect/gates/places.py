"""
Where code belongs and which runs reach it: packages of a repository, whether a checkout names them or their paths do.

Generous on purpose: a run limited to some tests of a package counts for it, for a colleague who ran the tests that
touch the change has tested it. It does not count for another package, nor for a language its runner cannot run.
"""

import os
from functools import lru_cache

from ace_reflect import regex as re
from ace_reflect.evidence import languages
from ace_reflect.evidence.call_words import NODE_MANAGERS, TASK_RUNNERS, posix
from ace_reflect.evidence.kinds import PACKAGE_MANIFESTS
from ace_reflect.late import Late, begins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Ledger, Run
    from ace_reflect.project.facts import Project

#: Folders whose subfolders are packages, by a convention of every ecosystem with monorepos.
_PACKAGES = frozenset(["apps", "packages", "libs", "services", "crates", "modules", "plugins", "projects", "workers"])
#: The programs whose options name a workspace's packages.
_WORKSPACES = (*NODE_MANAGERS, "turbo", "lerna", "nx", "cargo", "uv")
#: Without targets these stop at a module that lies inside of theirs.
_ONE_MODULE = ("go test", "go build", "gotestsum")
#: Where a checkout keeps its own worktrees; the host's `EnterWorktree` makes them in `.claude/worktrees`.
_WORKTREES = (".claude/worktrees/", ".worktrees/", ".trees/")
_FILTER = Late(
    r"(?:^|\s)(?:--filter|-F|--workspace|-w|--package|-p|--project|--scope|-pl|--projects)[= ]+['\"]?([@\w./{}:^\[\]-]+)",
    needs=("--filter|--scope|-F|-p|-w",),
)


@lru_cache(maxsize=4_096)  # a session has few folders and files, and each is asked for again and again
def relative(path: str, root: str) -> str | None:
    """`path` as seen from the root, with forward slashes; None for one outside of it."""
    path, root = posix(path), posix(root)
    if path.startswith(("~", "$")):
        return None
    if not path.startswith("/"):
        return None if path.startswith("../") else path.removeprefix("./")
    prefix = root.rstrip("/") + "/"
    return in_worktree(path[len(prefix) :]) if root and path.startswith(prefix) else None


def seen_from(folder: str | None, path: str) -> str:
    """A path as it is shown: without the session's folder, where it lies in it."""
    prefix = (folder or "").rstrip("/") + "/"
    return path.removeprefix(prefix) if len(prefix) > 1 else path


def in_worktree(inside: str) -> str:
    """`apps/web/a.ts` of `.claude/worktrees/retry/apps/web/a.ts`: the same place in another working copy."""
    folder = next((name for name in _WORKTREES if inside.startswith(name)), None)
    return inside[len(folder) :].partition("/")[2] if folder else inside


def place(path: str, root: str, folders: tuple[str, ...], known: tuple[str, ...]) -> str | None:
    """
    The package that a file belongs to, as a folder relative to the root; "" for the root itself.

    A file outside of the root (a worktree, a second repository) is known by the folder above it in which tests were run,
    or which the session made a worktree, one of `folders`. None where nothing is known. `known` are the `packages`.
    """
    inside = relative(path, root)
    if inside is not None:
        return package_of(inside, known)
    there = posix(path)
    return max((folder for folder in folders if within(there, folder)), key=len, default=None)


def folders_of(runs: "list[Run]") -> tuple[str, ...]:
    """Where runs were started, as absolute paths, each once."""
    met = dict.fromkeys(run.cwd for run in runs if run.cwd)
    return tuple(folder for folder in map(posix, met) if folder.startswith("/"))


def packages(ledger: "Ledger", project: "Project") -> tuple[str, ...]:
    """
    The folders that are packages of their own, relative to the root: the checkout's scopes, else those in which the
    session met a manifest. What was inferred from where commands ran is no package: `cd src && make test` is common.
    """
    if project.present:
        return tuple(scope.dir for scope in project.scopes if scope.dir)
    root = project.root or ledger.cwd or ""
    met = (*ledger.files_seen, *(edit.path for edit in ledger.edits))
    folders = (relative(path, root) for path in met if path.rpartition("/")[2] in PACKAGE_MANIFESTS)
    return tuple(dict.fromkeys(folder.rpartition("/")[0] for folder in folders if folder and "/" in folder))


def package_of(inside: str, known: tuple[str, ...]) -> str:
    """`apps/web` of `apps/web/src/a.ts`; "" where neither the known packages nor the path show one."""
    own = [folder for folder in known if within(inside, folder)]
    if own:
        return max(own, key=len)
    parts = inside.split("/")
    return "/".join(parts[:2]) if len(parts) > 2 and parts[0] in _PACKAGES else ""


def covers(
    run: "Run",
    folder: str,
    language: str,
    project: "Project",
    known: tuple[str, ...],
    *,
    compiles: bool,
) -> bool:
    """
    Whether a run of tests (or a build) says something about code of `language` in the package `folder`.

    `compiles`: it is asked for what it compiled. `cargo test -p cli` compiles the crates that cli needs, and runs its
    own tests only.
    """
    proves = languages.proven_by(run.runner, run.command)
    if proves and language not in proves and not (compiles and _is_the_build(run, language, project)):
        return False
    named = _named_packages(run, project, known) if run.selected and not (compiles and language == "rust") else []
    if named and not any(_names(name, folder, project) for name in named):
        return False
    tasks = _named_tasks(run, known) if _has_own_tests(folder, project) else []
    if tasks and not any(_names(name, folder, project) for name in tasks):
        return False
    where = _folder_of(run.cwd, project.root)
    if where is None:
        return True
    if folder.startswith("/"):  # another working copy, or a second repository
        return within(folder, where) or within(where, folder) or f"/{folder.rpartition('/')[2]}" in run.command
    if where.startswith("/"):
        return within(folder, where)
    if where in {folder, ""} or within(folder, where):
        if where != folder and run.runner in _ONE_MODULE and not run.targets and _is_go_module(folder, project):
            return False
        return not _aimed_elsewhere(run, folder, where, known, by_name=_has_own_tests(folder, project))
    # A task runner finds its file above the folder it is started in, and runs the whole project from there.
    return (folder == "" and not proves) or (within(where, folder) and package_of(f"{where}/x", known) in {"", folder})


def _is_the_build(run: "Run", language: str, project: "Project") -> bool:
    """Whether a package's task is how the project builds this language: `npm run build` of a Node module in Rust."""
    words = run.runner.split()
    return any(
        scope.build_command.split()[-1:] == words[-1:]
        and scope.build_command.rpartition("&& ")[2].startswith(TASK_RUNNERS)
        and language in map(languages.family, scope.languages)
        for scope in project.scopes
    )


def _named_packages(run: "Run", project: "Project", known: tuple[str, ...]) -> list[str]:
    """
    The workspace's packages that a run was limited to (`pnpm --filter @x/api`, `cargo test -p core`).

    The same options choose tests and browsers (`phpunit --filter testTotal`, `playwright test --project=chromium`), so
    a name counts where it is a known package's; without a checkout a workspace's own program is believed as well.
    """
    names = [
        name
        for name in _FILTER.findall(run.selected)
        if not name.endswith((".toml", ".json", ".ini", ".cfg", ".ts", ".js"))
    ]
    if any(name.startswith("...") or name.endswith("...") for name in names):
        return []  # with the packages that use it or that it needs: `--filter "...@x/core"`
    if not project.present and begins(run.runner, _WORKSPACES) and "--project" not in run.selected:
        return names
    return [name for name in names if any(_names(name, folder, project) for folder in known)]


def _named_tasks(run: "Run", known: tuple[str, ...]) -> list[str]:
    """
    The packages that the tasks of a run are named for: api and web of `make test-api test-web`.

    [] where one of its tasks is named for none: `make test` runs them all, and `just test-unit` may.
    """
    if not begins(run.runner, TASK_RUNNERS):
        return []
    from ace_reflect.evidence.task_names import is_test_word, words_of

    folders = [frozenset(re.split(r"[_-]", folder.rpartition("/")[2].lower())) for folder in known]
    found = []
    for task in run.command.split()[1:]:
        words = words_of(task)
        if not any(map(is_test_word, words)):
            continue
        named = [word for word in words if not is_test_word(word) and any(word in own for own in folders)]
        if not named:
            return []
        found += named
    return found


def _is_go_module(folder: str, project: "Project") -> bool:
    return any("go.mod" in scope.manifests for scope in project.scopes if scope.dir == folder)


def _has_own_tests(folder: str, project: "Project") -> bool:
    """Whether a package of the checkout has tests; one without is tested by those of the packages that use it."""
    return bool(folder) and any(scope.has_tests for scope in project.scopes if scope.dir == folder)


def _names(name: str, folder: str, project: "Project") -> bool:
    """Whether a package's name is this folder's: its manifest's, or `@x/api` and `apps/api`, `acme-core` and `crates/core`."""
    if name in {".", "./", "root", "//"}:
        return folder == ""
    called_so = [scope.dir for scope in project.scopes if scope.name == name]
    if called_so:
        return folder in called_so or not _has_own_tests(folder, project)
    bare = name.removeprefix("./").rstrip("/.").strip("{}")
    own = folder.rpartition("/")[2] or os.path.basename(project.root)
    return bare == folder or bool(set(re.split(r"[/_@:-]", bare)) & set(re.split(r"[_-]", own)))


@lru_cache(maxsize=4_096)
def _folder_of(cwd: str | None, root: str) -> str | None:
    """Where a run was started: relative to the root, absolute outside of it, None where unknown."""
    if cwd is None or not root:
        return None
    where = posix(cwd).rstrip("/")
    if where == posix(root).rstrip("/"):
        return ""
    inside = relative(where, root)
    return where if inside is None else inside.rstrip("/")


def _aimed_elsewhere(run: "Run", folder: str, where: str, packages: tuple[str, ...], *, by_name: bool) -> bool:
    """Whether every path that a run was limited to lies in another package; a bare name is one's only `by_name`."""
    paths = [os.path.normpath(os.path.join(where, target.split("::", 1)[0])) for target in run.targets]
    known = [
        path
        for path in paths
        if ("/" in path or (by_name and path in packages)) and not path.startswith(("/", "..", "@"))
    ]
    return (
        bool(known)
        and len(known) == len(paths)
        and all(package_of(f"{path}/x", packages) not in {"", folder} for path in known)
    )


def within(path: str, folder: str) -> bool:
    """Whether a path is a folder or below it."""
    folder = folder.rstrip("/")
    if not folder:  # the root, for paths that are relative to it
        return not path.startswith("/")
    return path == folder or path.startswith(folder + "/")
