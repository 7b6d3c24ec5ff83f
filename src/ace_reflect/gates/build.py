"""The gate on the build: it failed last, or the task touches what it builds and nothing since has compiled it."""

from functools import partial

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import command_text, debt, places, prose, script_runs
from ace_reflect.gates.known_tests import in_packages
from ace_reflect.gates.model import OF_EARLIER, Cause, Evidence, State, StopKind
from ace_reflect.gates.proof import (
    by_ci,
    by_commit_hook,
    by_urgency,
    deciding_words,
    green_ci,
    kept_off,
    let_through,
    owed,
    the_last_edit,
)
from ace_reflect.gates.words import Waiver
from ace_reflect.late import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.facts import Commit, Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt
    from ace_reflect.gates.model import Finding
    from ace_reflect.gates.proof import More
    from ace_reflect.project.facts import Scope

GATE = "build"
#: A passing run of the tests has compiled these.
_COMPILED_BY_TESTS = frozenset(
    {"go", "rust", "jvm", "dotnet", "c", "swift", "zig", "haskell", "ocaml", "elixir", "dart", "crystal", "nim"}
)
#: There is nothing to build unless somebody says so.
_INTERPRETED = frozenset({"python", "ruby", "php", "perl", "lua", "shell", "sql", "r", "julia", ""})
#: In a prompt that leaves the tests out: whether the build goes with them was said then (`words`).
_OF_BUILD = ("build", "compil", "kompil", " bau", "сборк", "собер", "构建", "構建", "编译", "ビルド")


def build_gate(case: "Case") -> "tuple[Finding, ...]":
    owing = debt.debts(case.ledger, case.project, CommandKind.BUILD)
    found = [_as_it_was_compiled(each, case) for each in _to_build(owing, case) if _has_build(each, case)]
    if not found:
        return (_nothing_known(owing, case),)
    return by_urgency(_judge(each, case) for each in found)


def _to_build(owing: "tuple[Debt, ...]", case: "Case") -> "Iterator[Debt]":
    """The debts without the scripts that were run by themselves: no build has a part in these."""
    for each in owing:
        yield from script_runs.without(script_runs.by_themselves(each, case), each)


def _nothing_known(owing: "tuple[Debt, ...]", case: "Case") -> "Finding":
    """Not applicable: nobody asks for a build that only the session knows, but what it came to is said."""
    products = [each for each in owing if each.language not in _INTERPRETED and not _is_tests_only(each)]
    ran = [run for each in products for run in each.runs if run.outcome is Outcome.PASSED]
    if not ran:
        return case.finding(GATE, State.NOT_APPLICABLE, "nothing that is built was edited, or no build step is known")
    last = max(ran, key=lambda run: run.sequence)
    since = all(debt.follows(last, each.last_edit) for each in products)
    told = f"after {the_last_edit(last, case)}" if since else "before the last edit"
    reason = f"no build step of the project is known; `{last.runner}` passed {told}"
    shown = Evidence.of(last, prose.shortened(last.quote or last.command, 120))
    return case.finding(GATE, State.NOT_APPLICABLE, reason, evidence=(shown,))


def _has_build(each: "Debt", case: "Case") -> bool:
    if _is_tests_only(each):
        return False
    if case.words.asks_build:
        return bool(each.runs) or _scope(each, case) is not None
    if each.language in _INTERPRETED:
        return False
    if any(run.outcome is Outcome.FAILED and debt.follows(run, each.last_edit) for run in each.runs):
        return True
    return case.project.present and _scope(each, case) is not None


def _is_tests_only(each: "Debt") -> bool:
    return all(edit.kind == "test" for edit in each.edits)


def _scope(each: "Debt", case: "Case") -> "Scope | None":
    """The nearest scope whose build reaches the edited code: a root's that builds the packages it names passes by one without."""
    scopes = case.project.scopes
    own = [scope for scope in scopes if scope.dir == each.scope]
    passed_by = any("package.json" in scope.manifests for scope in own) and not any(scope.has_build for scope in own)
    return each.nearest(
        scope
        for scope in scopes
        if scope.has_build and not (passed_by and in_packages(scope.build_evidence, named=True))
    )


def _judge(each: "Debt", case: "Case") -> "Finding":
    after = [run for run in each.after if run.executed]
    last = after[-1] if after else (each.runs[-1] if each.runs else None)
    state, reason, more = _state(each, after, case)
    green = green_ci(each, case) if state is not State.PROVEN else None
    if green is not None and not (after and after[-1].sequence > green.sequence):
        state, reason, more = by_ci(green, "build", "builds it")
    elif not after and state is State.DISPROVEN and (said := _checks_waived(each, case)):
        return case.finding(GATE, State.WAIVED, f"the person said: “{said}”", waived_by=said, scope=each.scope)
    silence = partial(_silence, each, last, case)
    return owed(GATE, each, case, state, reason, last=last, settle=_settle, silence=silence, **more)


def _checks_waived(each: "Debt", case: "Case") -> str:
    """
    The person's words that leave the tests of this work out and do not speak of the build; "" if there are none.

    Who says "no tests, CI does it" or "I'll test it myself" is not served by a build. What an instruction file says of
    the tests is of them alone.
    """
    if case.words.asks_build or any(sign in folded(case.turn.prompt) for sign in _OF_BUILD):
        return ""
    waived = case.words.waiver("tests")
    if waived is not None and waived.by == Waiver.by:
        return waived.quote
    return case.words.settles("tests", each.last_edit.turn)


def _state(each: "Debt", after: "list[Run]", case: "Case") -> "tuple[State, str, More]":
    if any(run.running for run in after):
        return State.UNKNOWN, "the build is still running", {"cause": Cause.STILL_RUNNING}
    decided = [run for run in after if run.outcome is not Outcome.UNKNOWN and not kept_off(run)]
    if decided and decided[-1].outcome is Outcome.PASSED:
        return State.PROVEN, f"the build passed after {the_last_edit(decided[-1], case)}", {}
    compiled = _compiled_otherwise(each, case)
    if decided:
        if compiled is not None and compiled.sequence > decided[-1].sequence:
            return State.PROVEN, f"compiled by {compiled.runner} after the build had failed", {}
        return State.DISPROVEN, f"the last build failed: {deciding_words(decided[-1])}", {}
    if compiled is not None:
        return State.PROVEN, f"compiled by `{compiled.runner}` after {the_last_edit(compiled, case)}", {}
    commit = _committed(each, case)
    if commit is not None:
        return by_commit_hook(commit, "builds or type-checks")
    if after and after[-1].masked and not after[-1].cut_off:
        return State.UNKNOWN, f"the result of the build is hidden by `{after[-1].masked}`", {"masked": True}
    if after and kept_off(after[-1]):
        reason = f"the environment kept the build from running: {deciding_words(after[-1])}"
        return State.UNKNOWN, reason, {"cause": Cause.KEPT_FROM_RUNNING}
    if after:
        return State.UNKNOWN, f"the result of the build is not shown: {after[-1].why}", {}
    return (
        State.DISPROVEN,
        "code was edited after the last build" if each.runs else "the build has not been run since the code was edited",
        {"cause": Cause.TESTS_COMPILE_IT} if _tests_compile(each, case) else {},
    )


def _as_it_was_compiled(each: "Debt", case: "Case") -> "Debt":
    """The debt up to a type check, or tests that compile, on the code as it stands: what came after was taken back."""
    if each.after:
        return each
    return debt.as_it_stood(each, case.ledger, tuple(_compiling(each, case)))


def _compiled_otherwise(each: "Debt", case: "Case") -> "Run | None":
    """A run after the last edit that compiles or type-checks what the build would."""
    after = (run for run in _compiling(each, case) if debt.follows(run, each.last_edit))
    return max(after, key=lambda run: run.sequence, default=None)


def _compiling(each: "Debt", case: "Case") -> "Iterator[Run]":
    """The runs that compile or type-check what the build would: they passed, or got as far as their tests."""
    by_tests = _tests_compile(each, case)
    kinds = {CommandKind.TYPECHECK, CommandKind.TEST} if by_tests else {CommandKind.TYPECHECK}
    known = places.packages(case.ledger, case.project)
    for run in case.ledger.runs:
        if (
            run.kind in kinds
            and (run.outcome is Outcome.PASSED or _ran_its_tests(run, each))
            and places.covers(run, each.scope, each.language, case.project, known, compiles=True)
        ):
            yield run


def _tests_compile(each: "Debt", case: "Case") -> bool:
    scope = _scope(each, case)
    return each.language in _COMPILED_BY_TESTS or (scope is not None and scope.tests_build)


def _committed(each: "Debt", case: "Case") -> "Commit | None":
    """The last commit after the last edit in which husky ran, as the tests that it ran show, where it compiles as well."""
    if not case.project.hook_builds or each.scope:
        return None
    ran = {(run.file, run.line) for run in case.ledger.runs if run.by == "git-hook"}
    return next((commit for commit in let_through(each, case) if (commit.file, commit.line) in ran), None)


def _ran_its_tests(run: "Run", each: "Debt") -> bool:
    """Whether tests ran and failed, so that their code was compiled; of the JVM's modules, those behind it were not."""
    failed = run.outcome is Outcome.FAILED and run.counts is not None and bool(run.counts.failed)
    return failed and run.kind is CommandKind.TEST and not (each.language == "jvm" and each.scope)


def _silence(each: "Debt", last: "Run | None", case: "Case") -> str:
    if not each.added_in(case.turn.number) and not case.ships:
        return OF_EARLIER
    said = case.admission
    if (
        last is not None
        and last.outcome is Outcome.FAILED
        and case.stop_kind in {StopKind.WAITING_FOR_USER, StopKind.GENUINELY_STUCK}
        and not case.task.print_mode
    ):
        return "the failing build is put before the person"
    return "the answer says that it cannot be built here" if said.reason == "environment" else ""


def _settle(each: "Debt", case: "Case") -> str:
    last = each.after[-1] if each.after else None
    if last is not None and last.outcome is Outcome.FAILED and last.by != "git-hook":
        again = command_text.again(last.command, last.runner)  # one package's own build may pass where the whole fails
        if again:
            return again
    scope = _scope(each, case)
    if scope is not None and scope.build_command:
        return scope.build_command
    runs = [run for run in each.runs if run.executed]
    return command_text.unmasked(runs[-1].command, runs[-1].runner) if runs else case.project.build_command
