"""
Whether an answer that says "done" confirms that it works.

"It should now work, try it again" leaves that to the person; a commit that went past its failing hook in silence leaves
it to whoever meets it next. Neither is worth a push, and neither is complete.
"""

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import prose
from ace_reflect.gates.debt import follows
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Commit
    from ace_reflect.gates.case import Case

LEFT_TO_TRY = "nothing shows yet that it works, and the answer leaves it to be tried"
PAST_THE_HOOK = "a commit went past its hook with --no-verify after the hook had failed, and the answer does not say so"
_HOPED = Late(
    r"(?i)\b(?:(?:it|this|that|they|these|everything|(?:the|your|both|all|each)\s+[\w' /`.-]{2,50}?|(?<![\w.-])[\w.-]{1,60}\s+(?:login|page|view|button|app|build|server|endpoint|request|call))\s+should\s+(?:now\s+|all\s+now\s+|be\s+able\s+to\s+)?(?:now\b|work|display|show|appear|load|pass|collapse|render|behave|be (?:fixed|resolved|gone|running|working|visible)|no longer|resolve|fix|go away|hit|send|pick)"
    r"|(?:please |now |just |then )?(?:try|test|check|retry|refresh|reload|restart)\b[^.!?\n]{0,60}\b(?:again|once more|now and)\b|let me know (?:if|whether) (?:it|that|this) (?:works|helps|fixes|still))",
    needs=("should|again|once more|now and|let me know",),
)
_LEAVE_HOOK_OUT = Late(r"(?i)no-verify|\b(?:skip|bypass|without|ignore)\b.{0,20}\bhooks?\b", needs=("no-verify|hook",))
_NAMES_HOOK = Late(
    r"(?i)no-verify|\bhooks?\b|bypass|skipp(?:ed|ing)|past the",
    needs=("no-verify|hook|bypass|skipped|skipping|past the",),
)


def unconfirmed(case: "Case", *, proven: bool) -> str:
    """Why a finished answer does not confirm that its work works; "" where nothing speaks against it."""
    if _past_the_hook(case) is not None:
        return PAST_THE_HOOK
    return LEFT_TO_TRY if not proven and _edited_code(case) and not _checked_since(case) and _hopes(case.final) else ""


def _hopes(answer: str) -> bool:
    """Whether one of the last sentences hopes that it works."""
    said = [sentence.text for sentence in prose.sentences(prose.plain(answer)[-1200:])][-4:]
    return any(_HOPED.search(text) for text in said)


def _edited_code(case: "Case") -> bool:
    """This turn edited something that runs."""
    return any(
        edit.turn == case.turn.number and edit.kind in {"code", "config", "other"} and not edit.trivial
        for edit in case.ledger.edits
    )


def _checked_since(case: "Case") -> bool:
    """A test or a build passed after this turn's last edit."""
    edits = [edit for edit in case.ledger.edits if edit.turn == case.turn.number]
    return any(
        run.kind is CommandKind.TEST and run.outcome is Outcome.PASSED and follows(run, edits[-1])
        for run in case.ledger.runs
    )


def _past_the_hook(case: "Case") -> "Commit | None":
    """This turn's commit with --no-verify behind a hook that failed, where nobody asked for it and nobody is told."""
    mine = [commit for commit in case.ledger.commits if commit.turn == case.turn.number and commit.no_verify]
    said = " ".join((case.turn.prompt, *case.turn.limits))
    if not mine or _LEAVE_HOOK_OUT.search(said) or _NAMES_HOOK.search(case.final):
        return None
    for commit in mine:
        if commit.outcome is not Outcome.PASSED:
            continue
        failed = [
            run.sequence
            for run in case.ledger.runs
            if run.by == "git-hook" and run.outcome is Outcome.FAILED and run.turn == case.turn.number
        ]
        if any(sequence < commit.sequence for sequence in failed):
            return commit
    return None
