"""Does the answer say that all tests pass, the build passes or something was shipped, where the ledger shows the opposite?"""

from collections.abc import Sequence

from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Outcome, PullRequest, Push, Run
from ace_reflect.gates.case import Case
from ace_reflect.gates.model import Evidence, Finding, State
from ace_reflect.gates.words import claims
from ace_reflect.text import shortened

_COMPILES = STATIC_KINDS | {CommandKind.TEST}
Tried = Run | Push | PullRequest


def claims_gate(case: Case) -> Finding:
    """True numbers, parts of a suite, and answers that speak of the failure accuse nobody."""
    said = claims(case.final)
    for what, number, sentence in said:
        if against := _against(what, number, case):
            return _contradicted(against, sentence, case)
    if said:
        return case.finding("claims", State.UNKNOWN, "nothing in the ledger contradicts the answer")
    return case.nothing("claims", "the answer claims nothing that is checked")


def _contradicted(against: Tried, sentence: str, case: Case) -> Finding:
    run = against if isinstance(against, Run) else None
    shown = shortened(against.quote or (run.why if run else against.command), 80)
    reason = f"the answer says “{shortened(sentence, 80)}”, and the last run shows: {shown}"
    evidence = (case.said(sentence), Evidence.of(against, shown))
    settle, mark = (run.own or run.command) if run else "", f"{against.sequence}:{sentence}"
    return case.finding(
        "claims", State.DISPROVEN, reason, evidence=evidence, settle=settle, mark=mark
    )


def _against(what: str, number: int | None, case: Case) -> Tried | None:
    """The deed that a claim is false of."""
    if what == "tests":
        return _red_tests(number, case)
    tried: Sequence[Tried] = case.own(case.ledger.pull_requests)
    if what == "push":
        tried = case.own(case.ledger.pushes)
    elif what == "build":
        runs = [r for r in case.own(case.ledger.runs) if r.kind in _COMPILES and r.executed][-1:]
        tried = [run for run in runs if run.kind is CommandKind.BUILD]
    return tried[-1] if tried and all(each.outcome is Outcome.FAILED for each in tried) else None


def _red_tests(number: int | None, case: Case) -> Run | None:
    """The last real run where it failed, or a red full run with only parts of it passed since."""
    runs = [run for run in case.ledger.runs if run.kind is CommandKind.TEST and run.executed]
    known = any(run.baseline and run.outcome is Outcome.FAILED for run in runs)
    runs = [run for run in runs if not (run.baseline or run.of_scratch)]
    red = next((run for run in reversed(runs) if run.outcome is Outcome.FAILED), None)
    if red is None or known or (number is not None and red.counts and number == red.counts.passed):
        return None
    for run in (run for run in runs if run.sequence > red.sequence):
        part = run.outcome is Outcome.PASSED and run.partial and run.runner == red.runner
        if red.partial or not part:
            return None
    changes = (*case.ledger.edits, *case.ledger.tree_changes)
    stale = red.turn != case.turn.number and any(each.sequence > red.sequence for each in changes)
    return None if stale else red
