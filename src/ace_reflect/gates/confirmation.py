"""
Whether an answer that says "done" confirms that it works.

"It should now work, try it again" leaves that to the person; a commit that went past its failing hook in silence leaves
it to whoever meets it next. Neither is worth a push, and neither is complete.
"""

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import human_action, prose, remaining_work
from ace_reflect.gates.debt import follows
from ace_reflect.gates.model import Cause
from ace_reflect.gates.task import first_deed
from ace_reflect.late import DIGITS, Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from ace_reflect.gates.case import Case

#: The reasons in words.
UNCONFIRMED = {
    Cause.LEFT_TO_TRY: "nothing shows yet that it works, and the answer leaves it to be tried",
    Cause.PART_LEFT: "the answer itself says that a part of the work is still to be done",
    Cause.NOT_DONE: "the answer says that what was asked for could not be done",
    Cause.PAST_THE_HOOK: "a commit went past its hook with --no-verify after the hook had failed, and the answer does not say so",
}
_HOPED = Late(
    r"(?i)\b(?:(?:it|this|that|they|these|everything|(?:the|your|both|all|each)\s+[\w' /`.-]{2,50}?|(?<![\w.-])[\w.-]{1,60}\s+(?:login|page|view|button|app|build|server|endpoint|request|call))\s+should\s+(?:now\s+|all\s+now\s+|be\s+able\s+to\s+)?(?:now\b|work|display|show|appear|load|pass|collapse|render|behave|be (?:fixed|resolved|gone|running|working|visible)|no longer|resolve|fix|go away|hit|send|pick)"
    r"|(?<!\ba )(?<!\bthe )(?<!\bone )(?:try|test|check|retry|refresh|reload|restart)\b[^.!?;\n]{0,60}\b(?:again|once more|now and)\b|let me know (?:if|whether) (?:it|that|this) (?:works|helps|fixes|still))",
    needs=("should|again|once more|now and|let me know",),
)
_WORK_DONE = r"(?:done|completed?|finished|implemented|migrated|ported|converted|refactored|translated|wired(?: up)?|umgestellt|erledigt|fertig|migriert)"
#: "2 of 3 done", "I've migrated 4 of the 11 handlers".
_COUNTED = Late(
    rf"(?i)(?:\b{_WORK_DONE}\s+)?\b(?P<some>[0-9]{{1,4}})\s*(?:of|out of|von|/)\s*(?:the\s+|all\s+|its\s+)?(?P<all>[0-9]{{1,4}})\b(?:[^.!?;:,\n]{{0,40}}\b(?P<behind>{_WORK_DONE})\b)?",
    needs=("of|von|/", DIGITS),
)
_STILL_MISSING = Late(
    rf"(?i)\b(?:is|are) still (?:missing|to do|to be done|unimplemented|left to do)\b[^,;:]{{0,30}}$|(?:\b(?:is|are) not|\b(?:is|are)n't) (?:{_WORK_DONE}|handled|covered|connected|hooked up|built|written) yet\b|\b(?:is|are)(?: not|n't) yet {_WORK_DONE}\b|\bstill needs? to be {_WORK_DONE}\b",
    needs=("still|yet",),
)
#: An idea, and no work that is left.
_COULD_BE = Late(
    r"(?i)\b(?:if|could|would|possible|optional(?:ly)?|intentional(?:ly)?|deliberate(?:ly)?|by design|out of scope|later|future|upstream)\b",
    needs=("if|could|would|possible|optional|intentional|deliberate|by design|scope|later|future|upstream",),
)
_MARKED_DONE = ("✅", "☑", "[x]", "[X]", "✔")
_MARKED_OPEN = ("⬜", "🔲", "⏳", "[ ]")
#: One part was asked for, or a beginning.
_ASKED_FOR_PART = Late(
    r"(?i)\b(?:phase|steps?|part|stage|milestone|tasks?|batch|only|just|first|for now|start(?:ing)? with|begin|one by one|at a time|stubs?|skeleton|scaffold\w*|prototype|draft|wip)\b",
    needs=(
        "phase|step|part|stage|milestone|task|batch|only|just|first|for now|start|begin|one by one|at a time|stub|skeleton|scaffold|prototype|draft|wip",
    ),
)
_COULD_NOT = Late(
    r"\bi (?:could(?:n'?t| not)|can(?:'?t|not)|(?:was|am) (?:not |un)able to|wasn'?t able to) (?:yet )?(?P<deed>[a-z]{3,20})\b",
    needs=("could|can't|cant|cannot|able to",),
)
_LEAVE_HOOK_OUT = Late(r"(?i)no-verify|\b(?:skip|bypass|without|ignore)\b.{0,20}\bhooks?\b", needs=("no-verify|hook",))
_NAMES_HOOK = Late(
    r"(?i)no-verify|\bhooks?\b|bypass|skipp(?:ed|ing)|past the",
    needs=("no-verify|hook|bypass|skipped|skipping|past the",),
)


def unconfirmed(case: "Case", *, proven: bool) -> Cause | None:
    """
    What in a finished answer casts doubt on it (a key of `UNCONFIRMED`): a bypassed hook, a deed that was not possible, a part
    that is left, a hope where a check should be. None where there is no such thing.
    """
    if _past_the_hook(case):
        return Cause.PAST_THE_HOOK
    if not proven and case.task.asks_for_change and could_not(case.turn.prompt, case.final):
        return Cause.NOT_DONE
    if (
        case.worked
        and case.task.asks_for_change
        and not _ASKED_FOR_PART.search(case.turn.prompt)
        and part_left(case.final)
    ):
        return Cause.PART_LEFT
    to_try = not proven and _edited_code(case) and not _checked_since(case) and _hopes(case.final)
    return Cause.LEFT_TO_TRY if to_try else None


def could_not(prompt: str, answer: str) -> bool:
    """Whether the answer says of the very deed that the prompt begins with that it was not possible: "I could not merge #214"."""
    deeds = [match.group("deed") for match in _COULD_NOT.finditer(folded(answer))]
    return bool(deeds) and first_deed(prompt) in deeds


def part_left(answer: str) -> str:
    """The sentence or line by which an answer says that a part of the work is still to be done; "" where none does."""
    text = prose.plain(answer)
    for said in (sentence.text for sentence in prose.sentences(text)):
        if _COULD_BE.search(said):
            continue
        if _STILL_MISSING.search(said) or any(_is_part(match) for match in _COUNTED.finditer(said)):
            return said
    # What may come next is no part of what was asked for, as long as only a heading says so.
    own = "\n".join(line for line in text.split("\n") if "next step" not in line.lower())
    return next(iter(remaining_work.left_in_answer(own, unclear=True)), "") or _unchecked(text)


def _is_part(counted: "re.Match[str]") -> bool:
    verb = counted.group("behind") or not counted.group().startswith(counted.group("some"))
    return bool(verb) and 0 < int(counted.group("some")) < int(counted.group("all"))


def _unchecked(text: str) -> str:
    """The first open item right behind a checked one: a list of work, and no plan for whoever reviews it."""
    checked = False
    for line in filter(None, map(str.strip, text.split("\n"))):
        head = line[:12]
        if checked and any(mark in head for mark in _MARKED_OPEN):
            return line if human_action.classify(line) != "human" else ""
        checked = any(mark in head for mark in _MARKED_DONE)
    return ""


def _hopes(answer: str) -> bool:
    """Whether one of the last sentences hopes that it works."""
    said = [sentence.text for sentence in prose.sentences(prose.plain(answer)[-1200:])][-4:]
    return any(_HOPED.search(text) for text in said)


def _edited_code(case: "Case") -> bool:
    """This turn edited something that runs."""
    return any(edit.kind in {"code", "config", "other"} and not edit.trivial for edit in case.own(case.ledger.edits))


def _checked_since(case: "Case") -> bool:
    """Whether a test passed after this turn's last edit. The turn must have edited something."""
    last = case.own(case.ledger.edits)[-1]
    return any(
        run.kind is CommandKind.TEST and run.outcome is Outcome.PASSED and follows(run, last)
        for run in case.ledger.runs
    )


def _past_the_hook(case: "Case") -> bool:
    """Whether this turn committed with --no-verify behind a hook that failed, and nobody asked for it nor is told."""
    mine = [commit for commit in case.own(case.ledger.commits) if commit.no_verify and commit.outcome is Outcome.PASSED]
    if not mine or _LEAVE_HOOK_OUT.search(case.turn.said) or _NAMES_HOOK.search(case.final):
        return False
    hooks = (run for run in case.own(case.ledger.runs) if run.by == "git-hook" and run.outcome is Outcome.FAILED)
    return min((run.sequence for run in hooks), default=mine[-1].sequence) < mine[-1].sequence
