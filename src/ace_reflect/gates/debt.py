"""
Unproven work: the edits of code, grouped by package and language, and the runs that cover each group.

Debt belongs to the session. An edit stays unproven until a run that covers it passes, in whatever turn either happened.
"""

from functools import lru_cache

from ace_reflect import regex as re
from ace_reflect.evidence import languages
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.evidence.kinds import edit_kind
from ace_reflect.evidence.trivial_edits import IMPORTS
from ace_reflect.gates import places, undone
from ace_reflect.late import Late, folded
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ace_reflect.evidence.facts import Edit, Ledger, Run
    from ace_reflect.gates.undone import Walk
    from ace_reflect.project.facts import Project, Scope

#: Code that no project's tests are about.
_ASIDE = Late(
    r"(?:^|/)(?:examples?|samples?|demos?|playground|sandbox|scratch(?:pad)?|docs?|\.storybook|fixtures|__fixtures__|testdata|migrations|db/migrat(?:e|ion)|alembic/versions|\.github|\.husky|\.claude|\.venv|node_modules|site-packages|tmp)/",
    needs=(
        ".claude/|.github/|.husky/|.storybook/|.venv/|__fixtures__/|demo/|demos/|doc/|docs/|example/|examples/|fixtures/|migrations/|db/migrate/|db/migration/|alembic/versions/|node_modules/|playground/|sample/|samples/|sandbox/|scratch/|scratchpad/|site-packages/|testdata/|tmp/",
    ),
)
#: Files by their names that no tests run: a component's stories, type declarations, notebooks.
_ASIDE_NAMES = (".stories.", ".story.", ".d.ts", ".d.mts", ".d.cts", ".ipynb")
_SETTINGS = Late(
    r"(?:^|/)(?:[\w.-]+\.config\.[cm]?[jt]s|\.?[\w-]+rc\.[cm]?js|setup\.py|noxfile\.py|conf\.py|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|gulpfile\.js|gruntfile\.js|build\.rs|fastfile|podfile|rakefile|gemfile)$",
    re.IGNORECASE,
    needs=(
        ".config.cjs|.config.cts|.config.js|.config.mjs|.config.mts|.config.ts|build.gradle|build.rs|conf.py|fastfile|gemfile|gruntfile.js|gulpfile.js|noxfile.py|podfile|rakefile|rc.cjs|rc.js|rc.mjs|settings.gradle|setup.py",
    ),
)
_STASHES = Late(
    r"\bgit\s+(?:-C\s+\S+\s+)?stash\b(?!\s+(?:pop|apply|list|show|drop|clear|branch))", needs=("stash", "git")
)
_STASH = Late(r"\bgit\s+(?:-C\s+\S+\s+)?stash\b", needs=("stash", "git"))
_UNSTASHES = Late(r"\bgit\s+(?:-C\s+\S+\s+)?stash\s+(?:pop|apply)\b", needs=("stash", "git"))
_PUTS_ASIDE = {"git stash push": True, "git stash save": True, "git stash pop": False, "git stash apply": False}
_OLD_STATE = Late(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:checkout|switch|restore)\s+(?:-[\w-]+\s+|--source[= ]\S+\s+)*(?:HEAD|main\b|master\b|origin/|upstream/|--\s|[0-9a-f]{7,40}\b)|\bgit\s+worktree\s+add\b",
    needs=("checkout|restore|switch|worktree", "git"),
)
_LAST_BRANCH = ("git checkout -", "git switch -")


class Debt(Value):
    """The edits of one package and language family, and the runs that cover them; both in the order they happened."""

    scope: str  # the package's folder, relative to the root; "" for the root
    language: str
    edits: "tuple[Edit, ...]"
    runs: "tuple[Run, ...]"  # every covering run of the session on the work itself
    baselines: "tuple[Run, ...]" = ()  # covering runs on the code as it was before the work

    @property
    def last_edit(self) -> "Edit":
        return self.edits[-1]

    @property
    def after(self) -> "tuple[Run, ...]":
        """The covering runs after the last edit."""
        return tuple(run for run in self.runs if follows(run, self.last_edit))

    def added_in(self, turn: int) -> bool:
        return any(edit.turn == turn for edit in self.edits)

    def nearest(self, scopes: "Iterable[Scope]") -> "Scope | None":
        """The deepest of the project's scopes at or above this debt's whose language fits."""
        above = [
            scope
            for scope in scopes
            if (scope.dir in {"", self.scope} or self.scope.startswith(scope.dir + "/"))
            and (not scope.languages or self.language in map(languages.family, scope.languages))
        ]
        return max(above, key=lambda scope: len(scope.dir), default=None)


def follows(run: "Run", edit: "Edit") -> bool:
    """
    Whether the run began after the edit was made: by their places in the common order of all files' facts, and by their
    lines only where one of them has no such place.
    """
    if run.sequence and edit.sequence:
        return run.sequence > edit.sequence
    return run.line > edit.line


def relevant(edit: "Edit", root: str) -> bool:
    """
    Whether an edit can make debt: program text of the project, changed by the agent, and more than its comments. Imports
    alone count: they may fail to compile.
    """
    if edit.kind not in {"code", "test"} or edit.formatter or edit.by == "user":
        return False
    if edit.trivial and edit.trivial != IMPORTS:
        return False
    if edit.by == "subagent" and "/.claude/worktrees/" in edit.path:
        return False  # the host gave it a working copy of its own; what is taken from there is merged
    return _is_program(edit.path, root, edit.kind == "test")


@lru_cache(maxsize=2_048)  # a session edits the same files again and again
def _is_program(path: str, root: str, is_test: bool) -> bool:
    inside = places.relative(path, root)
    if inside is None and _is_scratch(path):
        return False
    shown = path if inside is None else inside
    if _SETTINGS.search(shown) or languages.of_file(shown) == "":
        return False
    if is_test:
        return True
    name = folded(shown.rpartition("/")[2])
    return not (_ASIDE.search(shown) or any(aside in name for aside in _ASIDE_NAMES))


def _is_scratch(path: str) -> bool:
    """Whether a file outside of the project is a temporary one, or a setting of the person's own."""
    low = folded(path)
    temporary = low.removeprefix("/private").startswith(("/tmp/", "/var/")) or "/temp/" in low.replace("\\", "/")  # noqa: S108
    return temporary or low.startswith(("~", "$")) or "scratch" in low


def debts(ledger: "Ledger", project: "Project", kind: CommandKind = CommandKind.TEST) -> tuple[Debt, ...]:
    """All debts of the session, the oldest first. Those with no command that could prove them are included."""
    root = project.root or ledger.cwd or ""
    runs = [run for run in ledger.runs if run.kind is kind]
    old = on_old_code(ledger, runs)
    known = places.packages(ledger, project)
    folders = places.folders_of(runs)
    if kind is CommandKind.TEST:
        folders += ledger.worktrees
    groups: dict[tuple[str, str], list[Edit]] = {}
    scopes: dict[str, str | None] = {}  # a session edits the same files again and again
    for edit in _that_count(ledger, root):
        if edit.trivial and kind is CommandKind.TEST:
            continue
        if edit.path not in scopes:
            scopes[edit.path] = places.place(edit.path, root, folders, known)
        scope = scopes[edit.path]
        if scope is not None:
            groups.setdefault((scope, languages.of_file(edit.path)), []).append(edit)
    found = []
    for (scope, language), edits in groups.items():
        compiles = kind is not CommandKind.TEST
        covering = [run for run in runs if places.covers(run, scope, language, project, known, compiles=compiles)]
        work = tuple(run for run in covering if id(run) not in old)
        whole = Debt(
            scope=scope,
            language=language,
            edits=tuple(edits),
            runs=work,
            baselines=tuple(run for run in covering if id(run) in old),
        )
        if whole.after and not undone.all_restored_since(whole.last_edit, ledger):
            found.append(whole)
        elif not undone.is_nothing_left(walk := undone.walk_of(whole.edits, ledger)):
            found.append(_as_it_stood(whole, walk))
    return tuple(found)


def _as_it_stood(stale: Debt, walk: "Walk") -> Debt:
    """
    The debt without the edits that were taken back: as of the last run that saw the code in its present state, if that run
    passed. Otherwise `stale` as it is.
    """
    same = undone.runs_on_what_stands(walk, stale.runs)
    if not same or same[-1].outcome is not Outcome.PASSED:
        return stale
    return _up_to(same[-1], stale).replace(runs=same)


def as_it_stood(stale: Debt, ledger: "Ledger", runs: "tuple[Run, ...]") -> Debt:
    """The same by runs of another kind, each of which proves as much."""
    same = undone.runs_on_what_stands(undone.walk_of(stale.edits, ledger), runs)
    return _up_to(same[-1], stale) if same else stale


def _up_to(run: "Run", stale: Debt) -> Debt:
    return stale.replace(edits=tuple(edit for edit in stale.edits if follows(run, edit)))


def _that_count(ledger: "Ledger", root: str) -> "list[Edit]":
    """The edits that make debt: relevant ones of files that still exist, without what `git stash` and the like moved about."""
    global _counted  # noqa: PLW0603 - tests and builds ask about the same ledger in turn
    if _counted is not None and _counted[0] is ledger and _counted[1] == root:
        return _counted[2]
    gone = undone.made_and_removed(ledger)
    moved = {call.line for call in ledger.calls if call.bash and _STASH.search(call.key)}
    found = [
        edit
        for edit in ledger.edits
        # A shell edit that puts the work aside or takes it back leaves the code from before.
        if edit.path not in gone and not (edit.tool == "Bash" and edit.line in moved) and relevant(edit, root)
    ]
    _counted = (ledger, root, found)
    return found


_counted: "tuple[Ledger, str, list[Edit]] | None" = None


def on_old_code(ledger: "Ledger", runs: "list[Run]") -> frozenset[int]:
    """
    The runs (by `id`) made while the work was put aside (`git stash`, `git checkout main -- src`): they show what failed
    without it, and prove nothing of it.
    """
    asides = _spans_put_aside(ledger)
    if asides:
        # What was edited on the clean tree is work of its own: a run behind it is on that work.
        lines = [edit.line for edit in ledger.edits if edit.tool != "Bash" and edit.file is None]
        asides = [(begin, min((at for at in lines if begin < at < end), default=end)) for begin, end in asides]
    return frozenset(
        id(run)
        for run in runs
        if ((_STASHES.search(run.command) or _OLD_STATE.search(run.command)) and not _is_on_the_work(run, runs))
        or any(begin < run.line < end for begin, end in asides if run.file is None)
    )


def _is_on_the_work(run: "Run", runs: "list[Run]") -> bool:
    """
    Whether a run saw the work although its own command line puts the work aside: it stands in that line before the command
    that does so, or behind the one that brings the work back (`git stash pop`, `git switch -`, a merge, a `cp` over the
    file that was checked out).
    """
    from ace_reflect.evidence.commands import classify

    aside, seen, checked_out, old = False, False, set[str](), []
    for item in classify(run.command, run.cwd):
        words = " ".join(item.argv)
        if _STASHES.search(words) or _UNSTASHES.search(words):
            seen, aside = True, _PUTS_ASIDE.get(item.runner, aside)
        elif _OLD_STATE.search(words):
            seen, checked_out = True, set(item.writes)
            aside = aside or not _is_no_code(item.writes)
        elif words in _LAST_BRANCH or _merges_own(item.argv) or not checked_out.isdisjoint(item.writes):
            aside = False
        if item.kind is run.kind:
            old.append(aside)
    beside = [each for each in runs if (each.file, each.line) == (run.file, run.line)]
    return seen and len(old) == len(beside) and not old[beside.index(run)]


def _merges_own(argv: "tuple[str, ...]") -> bool:
    """`git merge --no-ff feature`, and not `git merge origin/main`."""
    return argv[:2] == ("git", "merge") and not argv[-1].startswith(("-", "origin/", "upstream/"))


def _is_no_code(paths: "tuple[str, ...]") -> bool:
    """`git checkout -- package-lock.json` puts none of the work aside."""
    return bool(paths) and all(edit_kind(path) in {"config", "docs"} for path in paths)


def _spans_put_aside(ledger: "Ledger") -> list[tuple[int, int]]:
    """(line, line) from each `git stash` of this turn to its `git stash pop`."""
    found, begun = [], 0
    for call in ledger.calls:
        if not call.bash:
            continue
        if begun and _UNSTASHES.search(call.key):
            found.append((begun, call.line))
            begun = 0
        elif _STASHES.search(call.key) and not _UNSTASHES.search(call.key):
            begun = call.line
    return found
