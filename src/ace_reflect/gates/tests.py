"""
The gate on tests: has a covering run passed since the last edit of code?

Debt blocks only where this prompt added to it, ships it or claims that it is proven. A failing run that is openly put
before the person, or that failed the same way before the work began, is no reason to push.
"""

import re

from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import command_text, debt, languages, prose
from ace_reflect.gates.honesty import admits
from ace_reflect.gates.model import Evidence, State, StopKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.facts import Commit, Edit, Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt
    from ace_reflect.gates.model import Finding
    from ace_reflect.project.facts import Scope

    More = dict[str, Any]

GATE = "tests"
_NOT_THERE = re.compile(
    r"(?i)timed? ?out waiting|config\.webServer|econnrefused|connection refused|could not connect|cannot connect to the docker|docker daemon|executable doesn't exist|browsers? (?:are|is) not installed|playwright install"
    r"|eaddrinuse|enotfound|getaddrinfo|network is unreachable|no such host|permission denied|operation not permitted|disk quota|no space left|xvfb|cannot open display|no display"
)
_FLAKY = re.compile(r"(?i)flak|slow|broken|quarantine|unimportant|skip")


def tests_gate(case: "Case") -> "tuple[Finding, ...]":
    """One finding for each scope with debt that can be proven; a single one that says why where there is none."""
    found = debt.debts(case.ledger, case.project)
    if not found:
        return (case.finding(GATE, State.NOT_APPLICABLE, _nothing_edited(case)),)
    provable = [each for each in found if _known_tests(each, case)]
    if not provable:
        reason = "nothing shows that the edited code has tests" + (
            "" if case.project.present else " (no checkout at hand: judged from the transcript alone)"
        )
        return (case.finding(GATE, State.NOT_APPLICABLE, reason),)
    findings = [_judge(each, case) for each in provable]
    return tuple(sorted(findings, key=_order))


def _order(finding: "Finding") -> tuple[int, int]:
    rank = {State.DISPROVEN: 0, State.UNKNOWN: 1, State.WAIVED: 2, State.PROVEN: 3, State.NOT_APPLICABLE: 4}
    return (bool(finding.silent), rank[finding.state])


def _nothing_edited(case: "Case") -> str:
    if any(edit.kind in {"code", "test"} for edit in case.ledger.edits):
        return "only comments, settings, examples or scratch files were edited"
    return "no code was edited" if not case.ledger.edits else "only documents or settings were edited"


# ------------------------------------------------------------------ does the project have tests for this?


def _known_tests(each: "Debt", case: "Case") -> bool:
    """Whether a test command is known that could prove this code: one in use in the session, or the project's own."""
    used = (*each.runs, *each.baselines)
    if any((_executed(run) or run.by == "user") and not _ad_hoc(run) for run in used):
        return True
    if each.language in languages.SOFT:
        return False
    if not case.project.present:
        return each.language in _PLAIN_COMMAND and any(edit.kind == "test" for edit in each.edits)
    scope = _scope(each, case)
    return scope is not None and scope.has_tests and bool(_own_command(each, case))


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


def _ad_hoc(run: "Run") -> bool:
    """A script that somebody ran by its file name: proof where it passed, but no sign of the project's own tests."""
    return run.runner == "script" or re.search(r"\.\w{1,4}$", run.runner) is not None


def _scope(each: "Debt", case: "Case") -> "Scope | None":
    """The nearest scope at or above the debt's whose language fits."""
    best = None
    for scope in case.project.scopes:
        above = scope.dir in {"", each.scope} or each.scope.startswith(scope.dir + "/")
        fits = not scope.languages or each.language in {languages.family(name) for name in scope.languages}
        if above and fits and scope.has_tests and (best is None or len(scope.dir) > len(best.dir)):
            best = scope
    return best


def _own_command(each: "Debt", case: "Case") -> str:
    """The project's own test command for this scope."""
    scope = _scope(each, case)
    instructed = [
        command
        for command in case.project.instructed_tests
        if not (proves := languages.proven_by(command, command)) or each.language in proves
    ]
    if instructed and each.scope == "":
        return instructed[0]
    return scope.test_command if scope is not None else (instructed[0] if instructed else "")


def _executed(run: "Run") -> bool:
    return run.outcome is not Outcome.NOT_RUN


# ------------------------------------------------------------------ judging one debt


def _judge(each: "Debt", case: "Case") -> "Finding":
    state, reason, extra = _state(each, case)
    last = each.after[-1] if each.after else (each.runs[-1] if each.runs else None)
    more = {
        "evidence": _evidence(each, extra.pop("run", last), case),
        "settle": "" if state is State.PROVEN else settle(each, case),
        "scope": each.scope,
        "key": _key(each),
        "fingerprint": _fingerprint(each, state, last),
        **extra,
    }
    if state in {State.DISPROVEN, State.UNKNOWN}:
        more["silent"] = _silence(each, state, last, case)
        if not more["settle"] and not more["silent"]:
            more["silent"] = "no command is known that would settle it"
    return case.finding(GATE, state, reason, **more)


def _key(each: "Debt") -> str:
    return f"{GATE}:{each.scope}:{each.language}:{each.last_edit.file or ''}:{each.last_edit.line}"


def _fingerprint(each: "Debt", state: State, last: "Run | None") -> str:
    run = f"{last.file or ''}:{last.line}:{last.result_line}" if last is not None else "-"
    return f"{GATE}|{state}|{each.scope}|{each.last_edit.file or ''}:{each.last_edit.line}|{run}"


def _state(each: "Debt", case: "Case") -> "tuple[State, str, More]":
    after = [run for run in each.after if not run.running]
    executed = [run for run in after if _executed(run)]
    decided = [run for run in executed if run.outcome is not Outcome.UNKNOWN and not _environment(run)]
    if any(run.running for run in each.after):
        return State.UNKNOWN, "the tests are still running", {}
    let_through = _let_through(each, case)
    if let_through is not None and (not decided or let_through.sequence > decided[-1].sequence):
        shown = Evidence(line=let_through.line, file=let_through.file, quote="git commit went through")
        return State.PROVEN, "the commit hook, which runs the tests, let it through", {"evidence": (shown,)}
    if decided:
        return _by_outcome(decided, each, case)
    stopped = next((run for run in reversed(executed) if _environment(run)), None)
    if stopped is not None:
        return State.UNKNOWN, f"the environment kept the tests from running: {_shown(stopped)}", {"run": stopped}
    if executed:
        return _hidden(executed[-1])
    if not after and _elsewhere(each, case):
        return State.UNKNOWN, "a subagent may have run them, and its transcript is not at hand", {}
    if after:
        return _not_executed(after[-1], each)
    return _stale(each)


def _let_through(each: "Debt", case: "Case") -> "Commit | None":
    """The last commit after the last edit that a hook let through which was seen to run the tests in this session."""
    if not any(run.by == "git-hook" and "commit" in run.command for run in each.runs):
        return None
    done = [commit for commit in case.ledger.commits if commit.outcome is Outcome.PASSED and not commit.no_verify]
    return next((commit for commit in reversed(done) if commit.sequence > each.last_edit.sequence), None)


def _by_outcome(decided: "list[Run]", each: "Debt", case: "Case") -> "tuple[State, str, More]":
    last = decided[-1]
    if last.outcome is Outcome.FAILED:
        return State.DISPROVEN, f"the last run of the tests failed: {_shown(last)}", {"run": last}
    wider = next(
        (run for run in reversed(decided) if run.outcome is Outcome.FAILED and _limited(last) and not _limited(run)),
        None,
    )
    if wider is not None:
        return (
            State.UNKNOWN,
            f"the whole run failed ({_shown(wider)}), then only a part of it was run and passed",
            {"run": wider},
        )
    left_out = _left_out(last, each, case)
    if left_out:
        return State.DISPROVEN, f"tests that failed were left out with `{left_out}`", {"run": last}
    weakened = next((edit for edit in reversed(each.edits) if edit.weakened and edit.turn == case.turn.number), None)
    if weakened is not None and not _asked_to_weaken(case):
        quote = Evidence(line=weakened.line, file=weakened.file, quote=prose.shortened(weakened.weakened, 160))
        return (
            State.UNKNOWN,
            "the run passed after a test was removed or loosened, which nobody had asked for",
            {"evidence": (quote, *_evidence(each, last, case))},
        )
    return State.PROVEN, f"{_name(last)} passed after the last edit", {"run": last}


def _hidden(run: "Run") -> "tuple[State, str, More]":
    if run.masked and not run.cut_off:
        return State.UNKNOWN, f"the result of the last run is hidden by `{run.masked}`", {"masked": True, "run": run}
    return State.UNKNOWN, f"the result of the last run is not shown: {run.why}", {"run": run}


def _not_executed(run: "Run", each: "Debt") -> "tuple[State, str, More]":
    if _refused(run):
        return State.UNKNOWN, "the run of the tests was refused", {"run": run}
    if _vacuous(run):
        return State.DISPROVEN, f"the last run executed no test: {_shown(run)}", {"run": run}
    passed = [other for other in each.runs if other.outcome is Outcome.PASSED]
    return (
        State.DISPROVEN,
        "the tests did not start" + (", and code was edited since they last passed" if passed else ""),
        {"run": run},
    )


def _stale(each: "Debt") -> "tuple[State, str, More]":
    before = [run for run in each.runs if _executed(run)]
    if not before:
        return State.DISPROVEN, "no test has been run since the code was edited", {}
    if before[-1].outcome is Outcome.FAILED:
        return State.DISPROVEN, "code was edited after the last run of the tests, which failed", {"run": before[-1]}
    return State.DISPROVEN, "code was edited after the last run of the tests", {"run": before[-1]}


def _environment(run: "Run") -> bool:
    """A run that failed before any test could: a server, a database or a browser was not there."""
    if run.outcome is not Outcome.FAILED or (run.counts is not None and (run.counts.passed or run.counts.failed)):
        return False
    return _NOT_THERE.search(f"{run.why} {run.quote}") is not None


def _elsewhere(each: "Debt", case: "Case") -> bool:
    """A subagent was called after the last edit, and nothing of what subagents did is at hand."""
    by = {edit.by for edit in case.ledger.edits} | {run.by for run in case.ledger.runs}
    if case.subagents_read or "subagent" in by:
        return False
    if each.last_edit.turn != case.turn.number:
        return case.ledger.subagents > 0
    return any(call.name in {"Task", "Agent"} and call.line > each.last_edit.line for call in case.ledger.calls)


def _limited(run: "Run") -> bool:
    return bool(run.targets or run.selected)


def _vacuous(run: "Run") -> bool:
    counted = run.counts is not None and run.counts.total == 0
    return (
        counted
        or re.search(
            r"(?i)no tests?\b|0 tests?\b|collected 0|nothing (?:was )?(?:collected|executed)|no test files|only (?:collected|listed)|all (?:were |tests? )?skipped|--(?:collect-only|list)|passwithnotests|deselected",
            f"{run.why} {run.quote}",
        )
        is not None
    )


def _refused(run: "Run") -> bool:
    return (
        re.search(r"(?i)\b(?:denied|refused|rejected|permission|approval|interrupted|cancelled|canceled)\b", run.why)
        is not None
    )


def _left_out(last: "Run", each: "Debt", case: "Case") -> str:
    """What narrows the last run so that tests which failed, or are called flaky or unimportant, are not in it."""
    if not last.deselects:
        return ""
    said = " ".join((case.turn.prompt, *case.turn.limits, case.project.instructions[:20_000]))
    if last.deselects in said or any(
        last.deselects in command for command in (*case.project.instructed_tests, _own_command(each, case)) if command
    ):
        return ""
    failed_with = [
        run
        for run in each.runs
        if run.outcome is Outcome.FAILED and run.deselects != last.deselects and not run.deselects
    ]
    wide_again = any(run.outcome is Outcome.PASSED and not run.deselects and not _limited(run) for run in each.after)
    if wide_again:
        return ""
    return last.deselects if failed_with or _FLAKY.search(last.deselects) else ""


def _asked_to_weaken(case: "Case") -> bool:
    words = " ".join((case.turn.prompt, *case.turn.limits))
    return (
        re.search(r"(?i)(?<![a-z])(?:tests?|specs?|assert\w*|expect\w*|coverage|snapshots?)(?![a-z])", words)
        is not None
    )


# ------------------------------------------------------------------ when an open debt asks nothing here


def _silence(each: "Debt", state: State, last: "Run | None", case: "Case") -> str:
    """Why this stop is not the one to speak of the debt; "" where it is."""
    if _key(each) in case.history.given_up:
        return "it was given up before"
    if state is State.UNKNOWN and last is not None and last.running:
        return "the tests are still running"
    if not each.added_in(case.turn.number) and not case.ships and not _claims_proof(case):
        return "it is of an earlier prompt, and this one neither added to it nor shipped it"
    return _known_before(each, last, case) or _said_openly(each, last, case)


def _claims_proof(case: "Case") -> bool:
    from ace_reflect.gates.claims import claims_tests_pass

    return claims_tests_pass(case.final)


def _known_before(each: "Debt", last: "Run | None", case: "Case") -> str:
    """The same failures were shown before the first edit of this work."""
    if last is None or last.outcome is not Outcome.FAILED or not debt.follows(last, each.last_edit):
        return ""
    if admits(case.final).kind != "failing" or asked_to_mend(case):
        return ""
    shown = [run for run in each.baselines if run.outcome is Outcome.FAILED]
    if shown:
        return f"the same tests failed without the work (line {shown[-1].line}), and the answer says so"
    before = [run for run in each.runs if run.outcome is Outcome.FAILED and not debt.follows(run, each.edits[0])]
    known = [(run, run.counts.failed) for run in before if run.counts is not None and run.counts.failed is not None]
    if not known or last.counts is None or last.counts.failed is None:
        return ""
    baseline, failed = known[-1]
    # Only the number is compared: names of tests are not in the ledger. More failures than before are the work's own.
    if last.counts.failed <= failed:
        return f"as many tests failed before the work (line {baseline.line}), and the answer says so"
    return ""


def asked_to_mend(case: "Case") -> bool:
    """Whether mending failing tests is the task itself."""
    return (
        re.search(
            r"(?i)\b(?:fix|mend|repair|green|pass)\b.{0,40}\b(?:tests?|suite|ci|specs?)\b|\b(?:tests?|suite|ci|specs?)\b.{0,40}\b(?:fail\w*|fix|broken|red|green|pass)\b",
            case.turn.prompt,
        )
        is not None
    )


def _said_openly(each: "Debt", last: "Run | None", case: "Case") -> str:
    """The answer itself puts the gap before the person, with a reason that is no excuse."""
    said = admits(case.final)
    if not said.kind:
        return ""
    tried = last is not None and debt.follows(last, each.last_edit)
    if said.kind == "failing" and tried and last is not None and last.outcome is Outcome.FAILED:
        if said.reason == "excuse":
            return ""
        waits = case.stop_kind in {StopKind.WAITING_FOR_USER, StopKind.GENUINELY_STUCK}
        return (
            f"the answer says so and leaves it to the person: “{said.quote}”"
            if waits and not case.task.print_mode
            else ""
        )
    if said.kind == "not-run" and said.reason == "environment":
        return f"the answer says that they cannot be run here: “{said.quote}”"
    return ""


# ------------------------------------------------------------------ showing it


def settle(each: "Debt", case: "Case") -> str:
    """The command that would settle it: the project's own, else the one that this session used."""
    own = _own_command(each, case) if case.project.present else _PLAIN_COMMAND.get(each.language, "")
    if own and case.project.present:
        return own
    for run in reversed(each.runs):
        if run.by != "git-hook" and (_executed(run) or run.by == "user"):
            command = command_text.unmasked(run.command, run.runner)
            if command:
                return command
    return own


def _evidence(each: "Debt", run: "Run | None", case: "Case") -> tuple[Evidence, ...]:
    edit: Edit = each.last_edit
    found = [Evidence(line=edit.line, file=edit.file, quote=case.shown(edit))]
    if run is not None:
        shown = run.quote or run.why or run.outcome.value
        found.append(
            Evidence(
                line=run.result_line or run.line,
                file=run.file,
                quote=f"{prose.shortened(run.command, 100)} → {prose.shortened(shown, 120)}",
            )
        )
    return tuple(found)


def _shown(run: "Run") -> str:
    return prose.shortened(run.quote or run.why, 100)


def _name(run: "Run") -> str:
    return f"`{prose.shortened(command_text.unmasked(run.command, run.runner) or run.command, 60)}`"
