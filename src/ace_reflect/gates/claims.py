"""
What the last answer claims, against what the session shows. Contradiction needs certainty: in doubt a claim stands.
"""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import prose
from ace_reflect.gates.claim_text import Claim, claims_in, plain_statements
from ace_reflect.gates.hedges import names_a_file
from ace_reflect.gates.model import Cause, Evidence, State
from ace_reflect.gates.unanswered import unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.model import Finding

GATE = "claims"


def claims_gate(case: "Case") -> "Finding":
    found = tuple(claims_in(case.final))
    unshown: list[str] = []
    doubt: Cause | None = None
    for claim in found:
        against, reason = _CHECKS[claim.kind](claim, case)
        if reason:
            return _contradicted(claim, against, reason, case)
        if claim.kind == "all":
            continue  # it says of nothing that it was run
        if not against:
            unshown.append(claim.quote)
            doubt = Cause.CHECK_NOT_SHOWN
    files = 0
    if names_a_file(case.final):
        from ace_reflect.gates.file_claims import claimed, never_made, shown

        claims = claimed(case, plain_statements(case.final))
        unmade = never_made(claims, case)
        if unmade is not None:
            reason = f"the answer speaks of `{unmade.path}` as made or changed, and nothing in this session touched it"
            claim = Claim(kind="file", quote=unmade.quote, detail=unmade.path)
            return _contradicted(claim, (), reason, case, cause=Cause.FILE_UNTOUCHED)
        files = len(claims)
        unshown += [claim.quote for claim in claims if shown(claim, case) is None]
    if not files and all(claim.kind == "all" for claim in found):
        return case.finding(GATE, State.NOT_APPLICABLE, "no claim that could be checked was found in the answer")
    if not unshown:
        return case.finding(GATE, State.PROVEN, "what the answer claims is shown in the session")
    reason = f"neither shown nor contradicted: “{prose.shortened(unshown[0], 100)}”"
    return case.finding(GATE, State.UNKNOWN, reason, cause=doubt)


def _contradicted(
    claim: Claim, against: tuple[Evidence, ...], reason: str, case: "Case", *, cause: Cause | None = None
) -> "Finding":
    return case.finding(
        GATE,
        State.DISPROVEN,
        reason,
        cause=cause,
        evidence=(case.said(claim.quote), *against),
        settle=_settle(claim, case),
        key=f"{GATE}:{case.turn.number}:{claim.kind}",
        mark=(*(item.line for item in against), case.turn.tool_calls),
    )


# ------------------------------------------------------------------ each kind against the ledger: (evidence, reason or "")

Checked = tuple[tuple[Evidence, ...], str]


def _tests(claim: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.tests_claims import against_facts

    return against_facts(claim, case)


def _all(_: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.tests_claims import all_is_well

    return all_is_well(case)


def _passes(claim: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.tests_claims import as_named

    return as_named(claim, case)


def _check(claim: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.check_claims import against_facts

    return against_facts(claim, case)


def _command(claim: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.ran_claims import against_facts

    return against_facts(claim, case)


def _shipped(claim: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.shipped_claims import against_facts

    return against_facts(claim, case)


def _automatic(claim: Claim, case: "Case") -> Checked:
    from ace_reflect.gates.automatic_claims import against_facts

    return against_facts(claim, case)


_CHECKS = {
    "tests": _tests,
    "all": _all,
    "check": _check,
    "command": _command,
    "passes": _passes,
    "push": _shipped,
    "commit": _shipped,
    "pr": _shipped,
    "ci": _automatic,
    "hooks": _automatic,
}


def _settle(claim: Claim, case: "Case") -> str:
    if claim.kind in {"command", "passes"}:
        return claim.detail
    if claim.kind == "file":
        return f"ls -l {claim.detail}"
    if claim.kind == "push":
        return "git push"
    if claim.kind == "ci":
        from ace_reflect.gates.pull_request import LOOK

        return LOOK[case.on_gitlab]
    if claim.kind == "pr":
        return "glab mr view" if case.on_gitlab else "gh pr view"
    if claim.kind in {"tests", "all", "check"}:
        from ace_reflect.gates import check_claims, command_text

        tests = [run for run in case.ledger.runs if run.kind is CommandKind.TEST and run.executed]
        runs = tests if claim.kind != "check" else check_claims.runs_of(claim, case)
        if runs:
            last = unanswered(runs) or runs[-1]
            return command_text.unmasked(last.command, last.runner)
        if claim.kind != "check":
            return case.project.test_command
        from ace_reflect.gates.ran_claims import as_command

        return as_command(claim.detail, claim.quote) or case.project.build_command
    return ""
