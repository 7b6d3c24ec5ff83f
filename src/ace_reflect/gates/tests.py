"""
The gate on tests: has a covering run passed since the last edit of code?

Debt blocks only where this prompt added to it, ships it or claims that it is proven. A failing run that is openly put
before the person, or that failed the same way before the work began, is no reason to push.
"""

from functools import partial

from ace_reflect import regex as re
from ace_reflect.evidence import languages
from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import debt, script_runs
from ace_reflect.gates.known_tests import found_nowhere, has_tests, settle
from ace_reflect.gates.model import OF_EARLIER, State, StopKind
from ace_reflect.gates.proof import by_urgency, owed, prove
from ace_reflect.late import Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt
    from ace_reflect.gates.model import Finding

GATE = "tests"


def tests_gate(case: "Case") -> "tuple[Finding, ...]":
    """One finding for each scope with debt that can be proven; a single one that says why where there is none."""
    found = debt.debts(case.ledger, case.project)
    if not found:
        return (case.finding(GATE, State.NOT_APPLICABLE, _nothing_edited(case)),)
    provable = [each for each in found if has_tests(each, case)]
    if not provable:
        here = "" if case.project.present else " (no checkout at hand: judged from the transcript alone)"
        return (case.finding(GATE, State.NOT_APPLICABLE, _nothing_known(found) + here),)
    return by_urgency(_judge(part, case) for each in provable for part in _parts(each, case))


def _parts(each: "Debt", case: "Case") -> "tuple[Debt, ...]":
    """A debt, and apart from it those of its scripts that were run by themselves."""
    apart = script_runs.by_themselves(each, case)
    return (*apart, *script_runs.without(apart, each))


def _nothing_known(found: "tuple[Debt, ...]") -> str:
    """Why nothing is asked for. Where tests themselves were edited, there are some."""
    unrun = (each for each in found if not each.after and each.language not in languages.SOFT)
    tests = [edit for each in unrun for edit in each.edits if edit.kind == "test"]
    if not tests:
        return "nothing shows that the edited code has tests"
    names = [edit.path.rpartition("/")[2] for edit in tests]
    shown = next((name for name in names if "test" in folded(name) or "spec" in folded(name)), names[-1])
    return f"test code was edited ({shown}), and no run of it is shown"


def _nothing_edited(case: "Case") -> str:
    if any(edit.kind in {"code", "test"} for edit in case.ledger.edits):
        return (
            "nothing was edited that tests are known to run: only markup, comments, settings, examples or scratch files"
        )
    if any(edit.unnamed for edit in case.ledger.edits):
        return "files were changed that the command does not name; whether tests run them is not shown"
    return "no code was edited" if not case.ledger.edits else "only documents or settings were edited"


# ------------------------------------------------------------------ judging one debt


def _judge(each: "Debt", case: "Case") -> "Finding":
    state, reason, more = prove(each, case)
    last = each.after[-1] if each.after else (each.runs[-1] if each.runs else None)
    silence = partial(_silence, each, state, last, case)
    return owed(GATE, each, case, state, reason, last=last, settle=settle, silence=silence, **more)


# ------------------------------------------------------------------ when an open debt asks nothing here


def _silence(each: "Debt", state: State, last: "Run | None", case: "Case") -> str:
    """Why this stop is not the one to speak of the debt; "" where it is."""
    if state is State.UNKNOWN and last is not None and last.running:
        return "the tests are still running"
    if state is State.UNKNOWN and script_runs.is_by_itself(last, case):
        return "the script was run by itself, and its output looked at"
    if not each.added_in(case.turn.number) and not case.ships and not _claims_proof(case):
        return OF_EARLIER
    if found_nowhere(each, case):
        return "the project has no tests yet, as this run shows"
    red = last if last is not None and each.after and last.outcome is Outcome.FAILED else None
    known = red is not None and (
        _known_before(each, red, case) or _red_on_purpose(each, case) or _all_but_coverage(red, case)
    )
    return known or _said_openly(case, red=red is not None)


def _claims_proof(case: "Case") -> bool:
    from ace_reflect.gates.claim_text import claims_tests_pass

    # "Windows: green. WSL: fails": what is told to fail is not said to be proven.
    return claims_tests_pass(case.final) and case.admission.kind != "failing"


def _known_before(each: "Debt", last: "Run", case: "Case") -> str:
    """The same failures were shown before the first edit of this work."""
    if asked_to_mend(case):
        return ""
    shown = [run for run in each.baselines if run.outcome is Outcome.FAILED]
    if shown and _as_many(shown[-1], last):  # who ran them without the work need not find the right words for it
        return f"as many tests failed without the work (line {shown[-1].line})"
    told = case.admission.kind == "failing"
    if shown and told:
        return f"the same tests failed without the work (line {shown[-1].line}), and the answer says so"
    before = [run for run in each.runs if run.outcome is Outcome.FAILED and not debt.follows(run, each.edits[0])]
    known = [run for run in before if run.counts is not None and run.counts.failed is not None]
    # With the number shown, the answer need not find the right words either, only not keep it to itself.
    if known and _as_many(known[-1], last) and (told or "fail" in folded(case.final)):
        return f"as many tests failed before the work (line {known[-1].line}), and the answer says so"
    return ""


def _as_many(baseline: "Run", last: "Run") -> bool:
    """
    Whether a run failed no more tests than the one before the work.

    Only the number is compared: names of tests are not in the ledger. More failures than before are the work's own.
    """
    before = baseline.counts.failed if baseline.counts is not None else None
    now = last.counts.failed if last.counts is not None else None
    return before is not None and now is not None and 0 < now <= before


_WANTS_RED = Late(
    r"(?i)\b(?:tdd|red[- ]green|tests?[- ]first|fail(?:s|ing)? first|reproduc\w+)\b"
    r"|\b(?:write|add|create|start with|begin with|want|need)\b[^.!?\n]{0,40}\b(?:failing|red)\b[^.!?\n]{0,30}\b(?:tests?|specs?)\b"
    r"|\b(?:do not|don'?t|without|not yet|before (?:you|we|i))\b[^.!?\n]{0,20}\b(?:implement|fix)\w*",
    needs=("tdd|red|test|fail|reproduc|implement|fix",),
)
_SAYS_RED = Late(
    r"(?i)\b(?:fail\w*|red)\b[^.!?\n]{0,40}\b(?:as (?:expected|they should|it should|intended|planned|wanted)|on purpose|by design|until|because (?:the |nothing |there )[^.!?\n]{0,60}\b(?:exists?|implement\w*))\b"
    r"|\b(?:expected to|should|meant to) fail\b|\bred (?:phase|state|step)\b|\bnot (?:yet )?implemented(?: yet)?\b|\breproduc\w+",
    needs=("fail|red|implemented|reproduc",),
)


def _red_on_purpose(each: "Debt", case: "Case") -> str:
    """Only tests were written, and they fail because what they test is still to come: the red of test-driven work."""
    proven = max((run.sequence for run in each.runs if run.outcome is Outcome.PASSED), default=0)
    if any(edit.kind != "test" for edit in each.edits if edit.sequence > proven):
        return ""
    if _WANTS_RED.search(case.turn.said):
        return "failing tests were asked for, and only tests were written"
    if _SAYS_RED.search(case.final) and not asked_to_mend(case):
        return "only tests were written, and the answer says that they are to fail"
    return ""


def _all_but_coverage(red: "Run", case: "Case") -> str:
    """Every test passed, too little of the code is covered, and the answer does not keep that to itself."""
    if not red.covers_too_little or "coverage" in folded(case.turn.prompt) or case.admission.kind != "failing":
        return ""
    return "the tests passed, and the answer says that too little is covered"


def asked_to_mend(case: "Case") -> bool:
    """Whether mending failing tests is the task itself."""
    return (
        re.search(
            r"(?i)\b(?:fix|mend|repair|green|pass)\b.{0,40}\b(?:tests?|suite|ci|specs?)\b|\b(?:tests?|suite|ci|specs?)\b.{0,40}\b(?:fail\w*|fix|broken|red|green|pass)\b",
            case.turn.prompt,
        )
        is not None
    )


def _said_openly(case: "Case", *, red: bool) -> str:
    """The answer itself puts the gap before the person, with a reason that is no excuse. `red`: a run since failed."""
    said = case.admission
    if said.kind == "not-run" and said.reason == "environment":
        return f"the answer says that they cannot be run here: “{said.quote}”"
    if not red or said.kind != "failing" or said.reason == "excuse":
        return ""
    if said.reason == "environment" and not asked_to_mend(case):
        return f"the answer says what they need that is not here: “{said.quote}”"
    waits = case.stop_kind in {StopKind.WAITING_FOR_USER, StopKind.GENUINELY_STUCK} and not case.task.print_mode
    return f"the answer says so and leaves it to the person: “{said.quote}”" if waits else ""
