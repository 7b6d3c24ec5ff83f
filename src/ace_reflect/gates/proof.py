"""What the runs after an edit prove: passed, failed, hidden, vacuous, or made somewhere that cannot be seen."""

from ace_reflect import regex as re
from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import command_text, prose
from ace_reflect.gates.debt import follows
from ace_reflect.gates.model import Cause, Evidence, State
from ace_reflect.gates.unanswered import fewer_since, unanswered
from ace_reflect.gates.undone import is_aside
from ace_reflect.late import Late, folded
from ace_reflect.transcript.tool_names import SUBAGENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from ace_reflect.evidence.facts import CiLook, Commit, Edit, Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt
    from ace_reflect.gates.exempt import Exempted
    from ace_reflect.gates.model import Finding

    More = dict[str, Any]

_NOT_THERE = Late(
    r"(?i)timed? ?out waiting|config\.webServer|econnrefused|connection refused|could not connect|cannot connect to the docker|docker daemon|executable doesn't exist|browsers? (?:are|is) not installed|playwright install"
    r"|eaddrinuse|enotfound|getaddrinfo|network is unreachable|no such host|permission denied|operation not permitted|disk quota|no space left|xvfb|cannot open display|no display|dial tcp|name resolution|could not resolve host|could not transfer artifact",
    needs=(
        "browser are not installed|browser is not installed|browsers are not installed|browsers is not installed|cannot connect to the docker|cannot open display|config.webserver|connection refused|could not connect|could not resolve host|could not transfer artifact|dial tcp|disk quota|docker daemon|eaddrinuse|econnrefused|enotfound|executable doesn't exist|getaddrinfo|name resolution|network is unreachable|no display|no space left|no such host|operation not permitted|permission denied|playwright install|time out waiting|timed out waiting|timedout waiting|timeout waiting|xvfb",
    ),
)


def owed(  # noqa: PLR0913 - what is known of a debt
    gate: str,
    each: "Debt",
    case: "Case",
    state: State,
    reason: str,
    *,
    last: "Run | None",
    settle: "Callable[[Debt, Case], str]",
    silence: "Callable[[], str]",
    **more: "Any",
) -> "Finding":
    """
    The finding on one debt of tests or of the build. `last` is the run that is shown, or `more["run"]`; `silence` says
    why an open one asks nothing at this stop.
    """
    edit = each.last_edit
    if state in {State.DISPROVEN, State.UNKNOWN} and (taken_on := case.words.settles(gate, edit.turn)):
        return case.finding(gate, State.WAIVED, f"the person said: “{taken_on}”", waived_by=taken_on, scope=each.scope)
    command = "" if state is State.PROVEN else settle(each, case)
    if state in {State.DISPROVEN, State.UNKNOWN}:
        more["silent"] = silence() or ("" if command else "no command is known that would settle it")
    shown = _evidence(each, more.pop("run", last), case)
    more = {"evidence": shown, "settle": command, "scope": each.scope, **more}
    key = f"{gate}:{each.scope}:{each.language}:{edit.file or ''}:{edit.line}"
    mark = last and (last.file, last.line, last.result_line)
    return case.finding(gate, state, reason, key=key, mark=mark, **more)


def by_urgency(findings: "Iterable[Finding]") -> "tuple[Finding, ...]":
    order = (State.DISPROVEN, State.UNKNOWN, State.WAIVED, State.PROVEN)
    return tuple(sorted(findings, key=lambda finding: (bool(finding.silent), order.index(finding.state))))


def prove(each: "Debt", case: "Case") -> "tuple[State, str, More]":
    after = [run for run in each.after if not run.running]
    ran = [run for run in after if run.executed]
    decided = [run for run in ran if run.outcome is not Outcome.UNKNOWN and not kept_off(run)]
    if any(run.running for run in each.after):
        return State.UNKNOWN, "the tests are still running", {"cause": Cause.STILL_RUNNING}
    commit = _committed(each, case)
    if commit is not None and (not decided or commit.sequence > decided[-1].sequence):
        return by_commit_hook(commit, "runs the tests")
    green = green_ci(each, case)
    if green is not None and (not decided or _overtaken(decided[-1], green)):
        return by_ci(green, "test", "runs the tests")
    if decided:
        return _by_outcome(decided, each, case)
    stopped = next((run for run in reversed(ran or after[-1:]) if kept_off(run)), None)
    if stopped is not None:
        reason = f"the environment kept the tests from running: {deciding_words(stopped)}"
        return State.UNKNOWN, reason, {"run": stopped, "cause": Cause.KEPT_FROM_RUNNING}
    if ran:
        return _hidden(ran[-1])
    if not after and _elsewhere(each, case):
        reason = "a subagent may have run them, and its transcript is not at hand"
        return State.UNKNOWN, reason, {"cause": Cause.BY_SUBAGENT}
    if after:
        return _not_executed(after[-1], each)
    return _stale(each)


def _committed(each: "Debt", case: "Case") -> "Commit | None":
    """The last commit after the last edit, in a session that shows a hook to run these tests at commits."""
    hooked = any(run.by == "git-hook" and "commit" in run.command for run in each.runs)
    return next(let_through(each, case), None) if hooked else None


def let_through(each: "Debt", case: "Case") -> "Iterator[Commit]":
    """The commits after the last edit that the repository's hooks passed, the latest first."""
    after = each.last_edit.sequence
    return (commit for commit in reversed(case.ledger.commits) if commit.let_through and commit.sequence > after)


def by_commit_hook(commit: "Commit", does: str) -> "tuple[State, str, More]":
    """What a commit proves that a hook let through, which `does` it ("runs the tests")."""
    shown = Evidence.of(commit, "git commit went through")
    return State.PROVEN, f"the commit hook, which {does}, let it through", {"evidence": (shown,)}


def green_ci(each: "Debt", case: "Case") -> "CiLook | None":
    """The last look at CI that showed it green on what was pushed after the last edit, with the edit in it."""
    edit = each.last_edit.sequence
    pushed = (
        push.sequence
        for push in case.ledger.pushes
        if push.sequence > edit
        and push.outcome is Outcome.PASSED
        and not (push.up_to_date or push.tag or push.deleted or is_aside(each.last_edit, push.sequence, case.ledger))
    )
    since = min(pushed, default=0)
    last = next((look for look in reversed(case.ledger.ci_looks) if look.outcome != "unknown"), None)
    return last if since and last is not None and last.outcome == "passed" and last.sequence > since else None


def _overtaken(run: "Run", green: "CiLook") -> bool:
    """A run here that failed, before CI passed: the two disagree, or only CI has what the tests need."""
    return run.outcome is Outcome.FAILED and green.sequence > run.sequence


def by_ci(green: "CiLook", word: str, does: str) -> "tuple[State, str, More]":
    """What green CI proves: all where it shows a check by the `word`, which `does` it ("runs the tests")."""
    more: More = {"evidence": (Evidence.of(green, prose.shortened(green.quote, 160)),)}
    if word in folded(green.quote):
        return State.PROVEN, f"CI, which {does}, is green on what was pushed", more
    return State.UNKNOWN, f"CI is green on what was pushed; whether it {does} is not shown", more


def _by_outcome(decided: "list[Run]", each: "Debt", case: "Case") -> "tuple[State, str, More]":
    last = decided[-1]
    if last.outcome is Outcome.FAILED and (spared := case.spared(last)) is not None:
        return _spared(spared, last)
    if last.outcome is Outcome.FAILED:
        more: More = {"run": last, "cause": Cause.TESTS_FAILED}
        return State.DISPROVEN, f"the last run of the tests failed: {deciding_words(last)}", more
    red = unanswered(decided)
    if red is not None and case.spared(red) is None:
        what = f"the {'' if red.limited else 'whole '}run failed ({deciding_words(red)})"
        return State.UNKNOWN, f"{what}, then only a part of it was run and passed", {"run": red}
    if last.limited and (red := fewer_since(run for run in reversed(each.runs) if not kept_off(run))) is not None:
        return (
            State.UNKNOWN,
            f"the whole run failed ({deciding_words(red)}), and fewer tests than that were run since",
            {"run": red},
        )
    return _passed(last, each, case)


def _passed(last: "Run", each: "Debt", case: "Case") -> "tuple[State, str, More]":
    if last.deselects:
        from ace_reflect.gates.left_out import left_out

        state, why = left_out(last, each, case)
        if state is not State.PROVEN:
            return state, why, {"run": last, "cause": Cause.LEFT_OUT}
    weakened = _loosened(each, case)
    if weakened is not None:
        quote = Evidence(line=weakened.line, file=weakened.file, quote=prose.shortened(weakened.weakened, 160))
        from ace_reflect.gates.loosened import called_unfit

        shown = (quote, *_evidence(each, last, case))
        if called_unfit(weakened, case):
            reason = "the run passed after a test was switched off as flaky or unimportant, which nobody had asked for"
            return State.DISPROVEN, reason, {"evidence": shown, "cause": Cause.LOOSENED}
        reason = "the run passed after a test was removed or loosened, which nobody had asked for"
        return State.UNKNOWN, reason, {"evidence": shown, "cause": Cause.LOOSENED}
    if not last.quote and last.counts is None:
        # A script known by its name: its status is all there is to go by, and that is what is said.
        return (
            State.PROVEN,
            f"{_name(last)} ended well ({last.why}) after {the_last_edit(last, case)}; no count of tests was seen",
            {"run": last},
        )
    return State.PROVEN, f"{_name(last)} passed after {the_last_edit(last, case)}", {"run": last}


def the_last_edit(run: "Run", case: "Case") -> str:
    """What a run came after, in words: comments may have been changed behind it."""
    behind = any(edit.trivial and not follows(run, edit) for edit in case.ledger.edits)
    return "the last edit of code that runs" if behind else "the last edit"


def _spared(spared: "Exempted", last: "Run") -> "tuple[State, str, More]":
    """The person exempted what failed: waived where number and answer bear it out, else not known to be all."""
    if spared.sure:
        return (
            State.WAIVED,
            f"what failed the person had exempted: “{spared.quote}”",
            {"run": last, "waived_by": spared.quote, "cause": Cause.EXEMPTED},
        )
    return (
        State.UNKNOWN,
        f"the last run failed ({deciding_words(last)}); the person had exempted “{spared.quote}”, and whether nothing else failed is not shown",
        {"run": last},
    )


def _hidden(run: "Run") -> "tuple[State, str, More]":
    if run.masked and not run.cut_off:
        return State.UNKNOWN, f"the result of the last run is hidden by `{run.masked}`", {"masked": True, "run": run}
    return (
        State.UNKNOWN,
        f"the result of the last run is not shown: {run.why}",
        {"run": run, "cause": Cause.WITHOUT_RESULT},
    )


def _not_executed(run: "Run", each: "Debt") -> "tuple[State, str, More]":
    if _refused(run):
        return State.UNKNOWN, "the run of the tests was refused", {"run": run}
    if _vacuous(run):
        return State.DISPROVEN, f"the last run executed no test: {deciding_words(run)}", {"run": run}
    passed = [other for other in each.runs if other.outcome is Outcome.PASSED]
    return (
        State.DISPROVEN,
        "the tests did not start" + (", and code was edited since they last passed" if passed else ""),
        {"run": run},
    )


def _stale(each: "Debt") -> "tuple[State, str, More]":
    before = [run for run in each.runs if run.executed]
    if not before:
        return State.DISPROVEN, "no test has been run since the code was edited", {}
    if before[-1].outcome is Outcome.FAILED:
        return State.DISPROVEN, "code was edited after the last run of the tests, which failed", {"run": before[-1]}
    return State.DISPROVEN, "code was edited after the last run of the tests", {"run": before[-1]}


def kept_off(run: "Run") -> bool:
    """A run that ended before any test could, or a build: a server, a browser, the network was not there."""
    if run.outcome not in {Outcome.FAILED, Outcome.NOT_RUN} or (
        run.counts is not None and (run.counts.passed or run.counts.failed)
    ):
        return False
    return _NOT_THERE.search(f"{run.why} {run.quote}") is not None


def _elsewhere(each: "Debt", case: "Case") -> bool:
    """A subagent was called after the last edit, and nothing of what subagents did is at hand."""
    by = {edit.by for edit in case.ledger.edits} | {run.by for run in case.ledger.runs}
    if case.subagents_read or "subagent" in by:
        return False
    if each.last_edit.turn != case.turn.number:
        return case.ledger.subagents > 0
    return any(call.name in SUBAGENTS and call.line > each.last_edit.line for call in case.ledger.calls)


def _vacuous(run: "Run") -> bool:
    counted = run.counts is not None and run.counts.total == 0
    return (
        counted
        or re.search(
            r"(?i)no tests?\b|0 tests?\b|collected 0|nothing (?:was )?(?:collected|executed)|no test files|only (?:collected|listed)|all (?:were |tests? |\d{1,7} )?skipped|--(?:collect-only|list)|passwithnotests|deselected",
            f"{run.why} {run.quote}",
        )
        is not None
    )


def _refused(run: "Run") -> bool:
    return (
        re.search(r"(?i)\b(?:denied|refused|rejected|permission|approval|interrupted|cancelled|canceled)\b", run.why)
        is not None
    )


def _loosened(each: "Debt", case: "Case") -> "Edit | None":
    if not any(edit.weakened for edit in case.own(each.edits)):
        return None
    from ace_reflect.gates.loosened import loosened

    return loosened(each, case)


def _evidence(each: "Debt", run: "Run | None", case: "Case") -> tuple[Evidence, ...]:
    edit = case.shown(each.last_edit)
    if run is None:
        return (edit,)
    return edit, shown_run(run)


def shown_run(run: "Run") -> Evidence:
    """A run and what it came to."""
    came_to = prose.shortened(run.quote or run.why or run.outcome.value, 120)
    return Evidence.of(run, f"{prose.shortened(run.command, 100)} → {came_to}")


def deciding_words(run: "Run") -> str:
    """What decided how a run ended, for a sentence: a line of its output, else the reason."""
    return prose.shortened(run.quote or run.why, 100).lstrip("> ")


def _name(run: "Run") -> str:
    return f"`{prose.shortened(command_text.unmasked(run.command, run.runner) or run.command, 60)}`"
