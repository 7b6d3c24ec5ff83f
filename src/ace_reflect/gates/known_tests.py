"""Whether a project has tests for an edited file, and the command that would run them."""

from ace_reflect import regex as re
from ace_reflect.evidence import languages
from ace_reflect.evidence.call_words import NODE_MANAGERS
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import command_text
from ace_reflect.gates.unanswered import unanswered
from ace_reflect.late import begins

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt
    from ace_reflect.project.facts import Scope


def has_tests(each: "Debt", case: "Case") -> bool:
    """Whether a test command is known that could prove this code: one in use in the session, or the project's own."""
    used = (*each.runs, *each.baselines)
    if not each.after and _has_none_of_its_own(each, case):
        # What ran the other packages' tests before did not run this one's either.
        used = tuple(run for run in used if not begins(run.runner, _RUN_SCRIPTS))
    if any((run.executed or _found_but_ran_none(run) or run.by == "user") and not _ad_hoc(run) for run in used):
        return True
    if each.language in languages.SOFT and not any(each.language in scope.languages for scope in case.project.scopes):
        return False
    if not case.project.present:
        written = any(edit.kind == "test" for edit in each.edits)
        plain = each.language in _PLAIN_COMMAND or any(map(_found_none, each.runs))
        return (written and plain) or bool(_sibling_command(each, case))
    scope = _scope(each, case)
    return scope is not None and scope.has_tests and _proves(own_command(each, case), each.language)


def _proves(command: str, language: str) -> bool:
    """Whether a command can say anything about the language: `bundle exec rspec` is not asked for after an edit of JavaScript."""
    bare = command.rpartition("&& ")[2]
    return bool(bare) and (not (proves := languages.proven_by(bare, bare)) or language in proves)


#: What everybody types where the language brings its own runner.
_PLAIN_COMMAND = {
    "python": "pytest",
    "go": "go test ./...",
    "rust": "cargo test",
    "elixir": "mix test",
    "dart": "dart test",
    "swift": "swift test",
    "zig": "zig build test",
}


def _sibling_command(each: "Debt", case: "Case") -> str:
    """
    The test script of the package's own manifest, where the session read it and ran another package's tests; else "".

    Who tests one package of a repository can test the one that was edited.
    """
    scripted = each.scope and any(
        scope.dir == each.scope and scope.tests_evidence.startswith("package.json script")
        for scope in case.project.scopes
    )
    if not scripted or each.language != "javascript":
        return ""
    tools = (
        run.runner.partition(" ")[0]
        for run in reversed(case.ledger.runs)
        if run.kind is CommandKind.TEST and run.executed and run.turn == each.last_edit.turn
    )
    tool = next((name for name in tools if name in NODE_MANAGERS), "")
    return f"cd {each.scope} && {tool} test" if tool else ""


#: They run the packages' own scripts; `bun test` finds tests by itself.
_RUN_SCRIPTS = (*(name for name in NODE_MANAGERS if name != "bun"), "turbo", "lerna")


def _ad_hoc(run: "Run") -> bool:
    """A script that somebody ran by its file name: proof where it passed, but no sign of the project's own tests."""
    name, _, ending = run.runner.rpartition(".")
    return run.runner == "script" or (bool(name) and " " not in name and len(ending) <= 4 and ending.isalnum())


def _found_but_ran_none(run: "Run") -> bool:
    """Whether a run found tests and executed none of them: all were skipped, or its filter fits no name."""
    return re.match(r"all [1-9]\d* (?:skipped|deselected)\b", run.why) is not None


def _found_none(run: "Run") -> bool:
    """A run that looked for tests and found none."""
    return not run.executed and run.why.startswith("no tests")


def _scope(each: "Debt", case: "Case") -> "Scope | None":
    """The nearest scope at or above the debt's whose language fits, and whose tests reach down to it."""
    if each.language == "go" and _is_untested(each, "go.mod", case):
        return None  # `go test ./...` stops at a module inside of the module
    untested = _has_none_of_its_own(each, case)
    tested = [
        scope
        for scope in case.project.scopes
        if scope.has_tests and not (untested and in_packages(scope.tests_evidence))
    ]
    return each.nearest(scope for scope in tested if not scope.no_test_file) or each.nearest(tested)


def found_nowhere(each: "Debt", case: "Case") -> bool:
    """Whether the project names a test command, holds no file of tests, and the session's last run found none either."""
    scope = _scope(each, case) if case.project.present else None
    return scope is not None and scope.no_test_file and bool(each.runs) and _found_none(each.runs[-1])


def _is_untested(each: "Debt", manifest: str, case: "Case") -> bool:
    """Whether the edited code is a package of its own by its manifest, and has no tests."""
    return any(
        scope.dir == each.scope and not scope.has_tests and manifest in scope.manifests for scope in case.project.scopes
    )


def _has_none_of_its_own(each: "Debt", case: "Case") -> bool:
    """Whether the edited code is a JavaScript package without tests, below a script that runs the packages' own."""
    return _is_untested(each, "package.json", case) and any(
        in_packages(scope.tests_evidence) for scope in case.project.scopes
    )


#: Scripts that run the packages' own scripts: nothing runs in a package that has none.
_IN_ALL = ("turbo ", "lerna run", "pnpm -r ", "--recursive ", " -ws ", "--workspaces ", "yarn workspaces ")
_IN_NAMED = (
    "yarn workspace ", " -w ", "--workspace ", "--workspace=", "--filter", "pnpm -F ", "--prefix ", "pnpm -C ", "--cwd ",
)  # fmt: skip


def in_packages(evidence: str, *, named: bool = False) -> bool:
    """
    Whether a script of package.json works inside the workspace's packages only: `turbo run test`, `cd web && vite build`.
    It does nothing for a package that has no such script of its own.

    `named`: count only scripts that name their packages. For builds: one that builds *all* packages also compiles a package
    without a build script, as a dependency of the others.
    """
    if not evidence.startswith("package.json script "):
        return False
    body, signs = evidence.partition(": ")[2], _IN_NAMED if named else (*_IN_ALL, *_IN_NAMED)
    return body.startswith("cd ") or all(any(map(f"{part} ".__contains__, signs)) for part in body.split("&&"))


def own_command(each: "Debt", case: "Case") -> str:
    """The project's own test command for this scope."""
    scope = _scope(each, case)
    instructed = [command for command in case.project.instructed_tests if _proves(command, each.language)]
    if instructed and each.scope == "":
        return instructed[0]
    return scope.test_command if scope is not None else (instructed[0] if instructed else "")


def settle(each: "Debt", case: "Case") -> str:
    """The command that would settle it: the whole run that failed, the project's own, else the one that this session used."""
    own = own_command(each, case) if case.project.present else _PLAIN_COMMAND.get(each.language, "")
    if own and each.scope.startswith("/"):
        own = f"cd {each.scope} && {own}"
    red = unanswered(each.after)
    if red is not None and red.by != "git-hook":
        # `tox`, `nx run-many -t test` or `npm run test:cov` may fail where the project's plain command passes.
        part = red is each.after[-1] and (red.limited or red.deselects)
        failed = "" if part else command_text.again(red.command, red.runner)
        if failed:
            return failed
    used = (
        command
        for run in reversed(each.runs)
        if run.by != "git-hook" and (run.executed or run.by == "user" or _found_none(run))
        if (command := command_text.unmasked(run.command, run.runner))
    )
    if own and case.project.present:
        # Where the session runs it: `docker compose exec web bundle exec rspec`, `poetry run pytest`.
        return next((command for command in used if command.endswith(f" {own}")), own)
    return next(used, "") or own or ("" if case.project.present else _sibling_command(each, case))
