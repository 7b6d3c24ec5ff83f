"""
What an answer says of the checks that start by themselves: that CI is green, that the hooks of a commit passed. Read from
a sentence here, and compared with the session's looks at CI and its commits.
"""

from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import prose
from ace_reflect.gates.claim_text import CI
from ace_reflect.gates.hedges import hand_on, hedged, of_a_part
from ace_reflect.gates.model import Evidence
from ace_reflect.late import Alternatives, Late, folded, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.gates.case import Case
    from ace_reflect.gates.claim_text import Claim
    from ace_reflect.gates.claims import Checked

_GREEN = "green|pass|succe"  # one of `needs`
_CI_GREEN = Alternatives(
    Late(
        r"(?i)\b(?:ci(?:/cd)?|github actions|pr checks|pipeline(?= (?:is|now) ))(?: (?:checks?|runs?|jobs?|builds?|pipelines?|status|workflows?|tests?)){0,2} (?:(?:is|are|now|all|has|have|also|still|fully|been|came|comes|back|went|turned) ){0,4}(?:green|happy|pass(?:es|ed|ing)?|succeed(?:s|ed)?|success(?:ful)?)\b",
        needs=("ci|github actions|pr checks|pipeline", f"{_GREEN}|happy"),
    ),
    Late(
        r"(?i)\bci(?: (?:checks?|status|runs?))? ?[:=–—-] (?:[✅✓✔] ?)?(?:all )?(?:\d{1,4} )?(?:(?:checks?|jobs?|tests?) )?(?:(?:are|is|now) ){0,2}(?:green|pass(?:es|ed|ing)?|success(?:ful)?)\b",
        needs=("ci:|ci=|ci-|ci–|ci—|ci ", "green|pass|success"),
    ),
    Late(
        r"(?i)\ball (?:\w+ ){0,3}(?:checks|jobs|tests|workflows) (?:(?:are|have|now|also) ){0,3}(?:green|pass(?:ed|ing)?) (?:in|on) (?:the )?(?:ci|github)\b",
        needs=("all ", " ci| the ci| github| the github", "green|pass"),
    ),
    Late(
        r"(?i)\b(?:the|this|our|latest|new|last) workflow run(?: \([^)\n]{1,40}\)| (?:on|for) (?:``|main|master))? (?:(?:is|has|now|also|came|comes|back|turned) ){0,4}(?:green|passed|passes|succeed(?:s|ed)?)\b",
        needs=("workflow run", _GREEN),
    ),
    Late(
        r"(?i)\b(?:checks (?:on|of) (?:the|this) (?:pr|pull request)|(?:the|this) (?:pr|pull request)'s checks)(?: \([^)\n]{1,60}\))? (?:(?:are|now|all|have|came|come|back|turned) ){0,4}(?:green|pass(?:ed|ing)?|succeed(?:ed)?)\b",
        needs=("checks", "pr|pull request", "green|pass|succe"),
    ),
)
_HOOKS_PASSED = Late(
    r"(?i)\b(?:(?:pre-?commit|commit|pre-?push|git|husky|lefthook) (?:hooks?|checks?)|hooks?(?= (?:all |have |also )?passed\b))(?: \([^)\n]{0,60}\))? (?:(?:is|are|all|have|has|also|now) ){0,3}(?:green|clean|pass(?:es|ed)?|succeed(?:s|ed)?)\b",
    needs=("hook|check", "green|clean|pass|succeed"),
)
#: With one of these a claim is hedged elsewhere: what CI says is no proof of a run here. Of CI itself they are the subject.
_CI_WORD = Late(r"(?i)\b(?:ci|github actions|pipeline)\b", needs=("ci|github actions|pipeline",))
#: What may stand before "pipeline" where it is CI's.
_PIPELINES = ("the", "our", "its", "this", "whole", "entire", "full", "new", "gitlab", "github", "azure", "jenkins", "build", "release", "deployment", "branch")  # fmt: skip
#: With one of these the person spoke of CI, and may have seen it.
_OF_CI = ("ci", "green", "pipeline", "actions", "checks", "passed", "passes", "merged")
#: What else may show it: a command that fetches something, with a word of these.
_FETCHES = ("gh ", "glab ", "curl ", "wget ", "http")
_ABOUT_CI = ("check", "run", "status", "action", "pipeline", "workflow", "merge")
#: In a line about it: not all of it is green, and the answer says so.
_SOME_ASIDE = ("unrelated", "existing", "aside", "flaky", "known", "optional", "required", "remain", "main ", "master")


def stated(bare: str) -> "Iterator[tuple[str, str]]":
    """
    Kind and detail of each such claim of a sentence without what stands in code marks: "ci", with the detail "part"
    where it is of another branch or a part, which the looks of a session do not tell apart; "hooks".
    """
    low = folded(bare)
    if holds(low, CI):
        green = _CI_GREEN.search(bare)
        if green and not hand_on(folded(bare[green.end() :])) and _is_of_ci(low, green.group()):
            own = _CI_WORD.sub(lambda match: "_" * len(match.group()), bare)
            if not hedged(own, green.start(), green.end()):
                yield "ci", "part" if of_a_part(bare, green.start(), green.end()) else ""
    passed = _HOOKS_PASSED.search(bare)
    if passed and not hand_on(folded(bare[passed.end() :])) and not hedged(bare, passed.start(), passed.end()):
        yield "hooks", ""


def _is_of_ci(low: str, said: str) -> bool:
    """A pipeline by a name of its own carries data: "the ETL pipeline now passes"."""
    named = low.partition(folded(said))[0].split()[-1:]
    return not folded(said).startswith("pipeline") or not named or named[0] in _PIPELINES


def against_facts(claim: "Claim", case: "Case") -> "Checked":
    """What the session shows of a claim of kind "ci" or "hooks", and what contradicts it."""
    return _ci(claim, case) if claim.kind == "ci" else _hooks(case)


def _ci(claim: "Claim", case: "Case") -> "Checked":
    looks = case.ledger.ci_looks
    if not looks or claim.detail:
        return (), ""
    last = looks[-1]
    shown = (Evidence.of(last, prose.shortened(last.quote or last.command, 160)),)
    pushed = [p.sequence for p in case.ledger.pushes if p.outcome is not Outcome.FAILED and not p.up_to_date]
    since = [look for look in looks if look.sequence >= max(pushed, default=0)]
    if last.outcome == "passed":
        return (shown, "") if since else ((), "")
    green_too = any(look.outcome == "passed" for look in since)
    if last.outcome != "failed" or green_too or _may_be_green(last.line, case):
        return (), ""
    return (
        shown,
        f"the answer says that CI is green, and the last look at it was red: {prose.shortened(last.quote, 80)}",
    )


def _may_be_green(red: int, case: "Case") -> bool:
    """Whether something else may have shown it since the look that was red: a tool, the person; or another check is red."""
    if case.out_of_sight or case.used_servers or case.admission.kind == "failing":
        return True
    of_ci = [line for line in folded(case.final).split("\n") if holds(line, ("ci", "checks", "pipeline"))]
    if any(word in line for line in of_ci for word in _SOME_ASIDE):
        return True
    if any(turn.line > red and holds(folded(turn.said), _OF_CI) for turn in case.ledger.turns):
        return True
    return any(call.name == "WebFetch" for call in case.ledger.calls) or _may_have_looked(case)


def _may_have_looked(case: "Case") -> bool:
    """Whether a command may have been a look that was not read as one."""
    read = {look.command[:200] for look in case.ledger.ci_looks}
    others = (command for command in case.ledger.commands_seen if command[:200] not in read)
    return any(
        any(word in command for word in _FETCHES) and holds(folded(command), ("ci",), _ABOUT_CI) for command in others
    )


def _hooks(case: "Case") -> "Checked":
    """Against this turn's commits: hooks that passed let one through, and a commit that failed had none that did."""
    commits = case.own(case.ledger.commits)
    if not commits or any(commit.no_verify for commit in commits):
        return (), ""
    last = commits[-1]
    shown = (Evidence.of(last, prose.shortened(last.quote or "git commit", 160)),)
    if last.outcome is Outcome.PASSED:
        return shown, ""
    stopped = all(commit.outcome is Outcome.FAILED for commit in commits) and _by_a_hook(last.quote, case)
    return (shown, "the answer says that the hooks passed, and the commit failed") if stopped else ((), "")


def _by_a_hook(quote: str, case: "Case") -> bool:
    """Whether a hook stopped the commit, and not that there was nothing to commit."""
    ran = (run for run in case.own(case.ledger.runs) if run.by == "git-hook" and run.outcome is Outcome.FAILED)
    return any(word in folded(quote) for word in ("hook", "husky", "pre-commit")) or any(ran)
