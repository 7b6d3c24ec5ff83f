"""
Unproven work: the edits of code, grouped by the nearest manifest above them, and the runs that cover each group.

Debt belongs to the session. An edit stays unproven until a run that covers it passes, in whatever turn either happened.
"""

import os
import re

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import languages
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Edit, Ledger, Run
    from ace_reflect.project.facts import Project

_SCRATCH = re.compile(r"^(?:/private)?/(?:tmp|var/folders|var/tmp|dev/shm)/|/\.claude/(?!skills|commands|agents|hooks)|/node_modules/|/scratch(?:pad)?/|/\.venv/|/site-packages/")
#: Code that no project's tests are about.
_ASIDE = re.compile(r"(?:^|/)(?:examples?|samples?|demos?|playground|sandbox|scratch|docs?|\.storybook|fixtures|__fixtures__|testdata|migrations|\.github|\.husky)/")
_SETTINGS = re.compile(r"(?:^|/)(?:[\w.-]+\.config\.[cm]?[jt]s|\.?[\w-]+rc\.[cm]?js|setup\.py|noxfile\.py|conf\.py|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gulpfile\.js|gruntfile\.js|build\.rs|fastfile|podfile|rakefile|gemfile)$", re.IGNORECASE)


class Debt(Value):
    """The edits of one scope and language family, and the runs that cover them; both in the order they happened."""

    scope: str  # relative to the root; "" for the root
    folder: str  # the same, absolute where the transcript allows
    language: str
    edits: "tuple[Edit, ...]"
    runs: "tuple[Run, ...]"  # every covering run of the session

    @property
    def last_edit(self) -> "Edit":
        return self.edits[-1]

    @property
    def after(self) -> "tuple[Run, ...]":
        """The covering runs after the last edit."""
        return tuple(run for run in self.runs if follows(run, self.last_edit))

    def added_in(self, turn: int) -> bool:
        return any(edit.turn == turn for edit in self.edits)


def follows(run: "Run", edit: "Edit") -> bool:
    """Whether the run began after the edit was made. Lines of different files are compared by sequence only."""
    if run.sequence and edit.sequence:
        return run.sequence > edit.sequence
    return run.line > edit.line


def relevant(edit: "Edit") -> bool:
    """Whether an edit makes debt: program text of the project, changed by the agent, and more than its comments."""
    if edit.kind not in {"code", "test"} or edit.formatter or edit.trivial or edit.by == "user":
        return False
    if _SCRATCH.search(edit.path) or _SETTINGS.search(edit.path):
        return False
    return languages.of_file(edit.path) != "" and (edit.kind == "test" or not _ASIDE.search(edit.path))


def debts(ledger: "Ledger", project: "Project", kind: CommandKind = CommandKind.TEST) -> tuple[Debt, ...]:
    """All debts of the session, the oldest scope first. Those with no command that could prove them are included."""
    groups: dict[tuple[str, str, str], list[Edit]] = {}
    runs = [run for run in ledger.runs if run.kind is kind]
    for edit in ledger.edits:
        if not relevant(edit):
            continue
        place = _place(edit.path, ledger, project, runs)
        if place is not None:
            groups.setdefault((*place, languages.of_file(edit.path)), []).append(edit)
    found = []
    for (scope, folder, language), edits in groups.items():
        covering = tuple(run for run in runs if covers(run, folder, language, project))
        found.append(Debt(scope=scope, folder=folder, language=language, edits=tuple(edits), runs=covering))
    return tuple(found)


def _place(path: str, ledger: "Ledger", project: "Project", runs: "list[Run]") -> tuple[str, str] | None:
    """(scope, its folder) of a file; None outside of everything that is known."""
    root = project.root or ledger.cwd or ""
    scope = project.scope_of(path)
    if scope is not None:
        return scope.dir, os.path.join(root, scope.dir) if scope.dir else root
    if project.relative(path) is not None or not root or not path.startswith("/"):
        return "", root
    # Outside of the first working directory: a worktree or a second repository, known by what was run in it.
    above = [run.cwd for run in runs if run.cwd and run.cwd.startswith("/") and _within(path, run.cwd)]
    if above:
        nearest = max(above, key=len)
        return nearest, nearest
    return None


def covers(run: "Run", folder: str, language: str, project: "Project") -> bool:
    """
    Whether a run of tests says something about code of `language` in `folder`.

    Generous on purpose: a run limited to some tests of the scope counts, for a colleague who ran the tests that touch the
    change has tested it. It does not count for another package, nor for a language that its runner cannot run.
    """
    proves = languages.proven_by(run.runner, run.command)
    if proves and language not in proves:
        return False
    where = _absolute(run.cwd, project)
    if where is None or not folder.startswith("/"):
        return _named_for(run, folder, project)
    if _within(folder, where):
        return _named_for(run, folder, project)
    if not _within(where, folder):
        return False
    inner = project.scope_of(where)
    return inner is None or os.path.join(project.root, inner.dir).rstrip("/") == folder.rstrip("/")


def _named_for(run: "Run", folder: str, project: "Project") -> bool:
    """Whether the targets of a run from the scope's folder or above leave the scope in."""
    if not run.targets:
        return True
    others = {scope.dir for scope in project.scopes if scope.dir and os.path.join(project.root, scope.dir) != folder.rstrip("/")}
    own = project.relative(folder) or ""
    elsewhere = 0
    for target in run.targets:
        path = target.split("::")[0].removeprefix("./").rstrip("/")
        if own and (path == own or path.startswith(own + "/") or own.startswith(path + "/") or _last(path) == _last(own)):
            return True
        inside_other = any(path == other or path.startswith(other + "/") or _last(path) == _last(other) for other in others if not own.startswith(other + "/"))
        elsewhere += inside_other or (bool(own) and "/" in path and not path.startswith(("/", "@")) and os.path.join(project.root, path) != folder and _is_rooted(path, project))
    return elsewhere < len(run.targets)


def _is_rooted(path: str, project: "Project") -> bool:
    first = path.split("/")[0]
    return any(scope.dir.split("/")[0] == first for scope in project.scopes if scope.dir)


def _last(path: str) -> str:
    return path.rpartition("/")[2].rpartition("@")[2]


def _absolute(cwd: str | None, project: "Project") -> str | None:
    if cwd is None:
        return None
    if cwd.startswith("/"):
        return os.path.normpath(cwd)
    return os.path.normpath(os.path.join(project.root, cwd)) if project.root else None


def _within(path: str, folder: str) -> bool:
    folder = folder.rstrip("/")
    return path == folder or path.startswith(folder + "/")
