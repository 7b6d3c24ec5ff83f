"""The gate on the build: it failed last, or the task touches what it builds and nothing since has compiled it."""

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import command_text, debt, languages, places, prose
from ace_reflect.gates.honesty import admits
from ace_reflect.gates.model import OF_EARLIER, Evidence, State, StopKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt
    from ace_reflect.gates.model import Finding
    from ace_reflect.project.facts import Scope

GATE = "build"
#: A passing run of the tests has compiled these.
_COMPILED_BY_TESTS = frozenset(
    {"go", "rust", "jvm", "dotnet", "c", "swift", "zig", "haskell", "ocaml", "elixir", "dart", "crystal", "nim"}
)
#: There is nothing to build unless somebody says so.
_INTERPRETED = frozenset({"python", "ruby", "php", "perl", "lua", "shell", "sql", "r", "julia", ""})


def build_gate(case: "Case") -> "tuple[Finding, ...]":
    found = [each for each in debt.debts(case.ledger, case.project, CommandKind.BUILD) if _has_build(each, case)]
    if not found:
        return (
            case.finding(GATE, State.NOT_APPLICABLE, "nothing that is built was edited, or no build step is known"),
        )
    findings = [_judge(each, case) for each in found]
    return tuple(
        sorted(findings, key=lambda f: (bool(f.silent), f.state is not State.DISPROVEN, f.state is not State.UNKNOWN))
    )


def _has_build(each: "Debt", case: "Case") -> bool:
    if all(edit.kind == "test" for edit in each.edits):
        return False
    if case.words.asks_build:
        return bool(each.runs) or _scope(each, case) is not None
    if each.language in _INTERPRETED:
        return False
    if any(run.outcome is Outcome.FAILED and debt.follows(run, each.last_edit) for run in each.runs):
        return True
    return case.project.present and _scope(each, case) is not None


def _scope(each: "Debt", case: "Case") -> "Scope | None":
    best = None
    for scope in case.project.scopes:
        above = scope.dir in {"", each.scope} or each.scope.startswith(scope.dir + "/")
        fits = not scope.languages or each.language in {languages.family(name) for name in scope.languages}
        if above and fits and scope.has_build and (best is None or len(scope.dir) > len(best.dir)):
            best = scope
    return best


def _judge(each: "Debt", case: "Case") -> "Finding":
    after = [run for run in each.after if run.outcome is not Outcome.NOT_RUN]
    last = after[-1] if after else (each.runs[-1] if each.runs else None)
    state, reason, masked = _state(each, after, case)
    more = {
        "evidence": _evidence(each, last, case),
        "settle": "" if state is State.PROVEN else _settle(each, case),
        "scope": each.scope,
        "masked": masked,
        "key": f"{GATE}:{each.scope}:{each.language}:{each.last_edit.file or ''}:{each.last_edit.line}",
        "fingerprint": f"{GATE}|{state}|{each.scope}|{each.last_edit.line}|{last.line if last else '-'}",
    }
    taken_on = case.words.settles(GATE, each.last_edit.turn)
    if state in {State.DISPROVEN, State.UNKNOWN} and taken_on:
        return case.finding(GATE, State.WAIVED, f"the person said: “{taken_on}”", waived_by=taken_on, scope=each.scope)
    if state in {State.DISPROVEN, State.UNKNOWN}:
        more["silent"] = _silence(each, last, str(more["key"]), case) or (
            "" if more["settle"] else "no command is known that would settle it"
        )
    return case.finding(GATE, state, reason, **more)


def _state(each: "Debt", after: "list[Run]", case: "Case") -> tuple[State, str, bool]:
    if any(run.running for run in after):
        return State.UNKNOWN, "the build is still running", False
    decided = [run for run in after if run.outcome is not Outcome.UNKNOWN]
    if decided and decided[-1].outcome is Outcome.PASSED:
        return State.PROVEN, "the build passed after the last edit", False
    compiled = _compiled_otherwise(each, case)
    if decided:
        if compiled is not None and compiled.sequence > decided[-1].sequence:
            return State.PROVEN, f"compiled by {compiled.runner} after the build had failed", False
        return (
            State.DISPROVEN,
            f"the last build failed: {prose.shortened(decided[-1].quote or decided[-1].why, 100).lstrip('> ')}",
            False,
        )
    if compiled is not None:
        return State.PROVEN, f"compiled by `{compiled.runner}` after the last edit", False
    if after and after[-1].masked and not after[-1].cut_off:
        return State.UNKNOWN, f"the result of the build is hidden by `{after[-1].masked}`", True
    if after:
        return State.UNKNOWN, f"the result of the build is not shown: {after[-1].why}", False
    return (
        State.DISPROVEN,
        "code was edited after the last build" if each.runs else "the build has not been run since the code was edited",
        False,
    )


def _compiled_otherwise(each: "Debt", case: "Case") -> "Run | None":
    """A passing run after the last edit that compiles or type-checks what the build would."""
    scope = _scope(each, case)
    by_tests = each.language in _COMPILED_BY_TESTS or (scope is not None and scope.tests_build)
    kinds = {CommandKind.TYPECHECK, CommandKind.TEST} if by_tests else {CommandKind.TYPECHECK}
    for run in reversed(case.ledger.runs):
        if (
            run.kind in kinds
            and run.outcome is Outcome.PASSED
            and debt.follows(run, each.last_edit)
            and places.covers(run, each.scope, each.language, case.project, places.packages(case.ledger, case.project))
        ):
            return run
    return None


def _silence(each: "Debt", last: "Run | None", key: str, case: "Case") -> str:
    given_up = case.history.silence(key)
    if given_up:
        return given_up
    if not each.added_in(case.turn.number) and not case.ships:
        return OF_EARLIER
    said = admits(case.final)
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
    runs = [run for run in each.runs if run.outcome is not Outcome.NOT_RUN]
    return command_text.unmasked(runs[-1].command, runs[-1].runner) if runs else case.project.build_command


def _evidence(each: "Debt", run: "Run | None", case: "Case") -> tuple[Evidence, ...]:
    edit = each.last_edit
    found = [Evidence(line=edit.line, file=edit.file, quote=case.shown(edit))]
    if run is not None:
        found.append(
            Evidence(
                line=run.result_line or run.line,
                file=run.file,
                quote=f"{prose.shortened(run.command, 100)} → {prose.shortened(run.quote or run.why, 120)}",
            )
        )
    return tuple(found)
