"""
Where a task stands when the conversation is compacted, by the record: over, owed a word on GitHub, or lost.

All three go by deeds first (edits, commits, comments, the todo list, open gates) and by the words second.
"""

import re

from ace_reflect.assess.audit import pressing
from ace_reflect.assess.github_work import FORGE, LOOKS, SHIPS, forge_calls
from ace_reflect.assess.text import last_sentence, without_code
from ace_reflect.assess.when import only_looked
from ace_reflect.evidence.facts import Ledger, Todo, Turn
from ace_reflect.gates.model import Judgement, StopKind

#: "Reply to every remark", "comment the numbers there", "keep the PR description current".
_WORD_WANTED = re.compile(
    r"(?i)\b(?:(?:leave|add|post|write|drop|put)\b.{0,20}\b(?:note|comment|reply|answer|summary|update|word)s?|comment|reply|respond|answer(?! (?:my|me|the|this|these) questions?)|post|report back|let (?:the )?(?:reviewers?|authors?|them|him|her) know|tell (?:the )?(?:reviewers?|authors?)|describe|update|summari[sz]e|keep)\b"
    r"[^.!?\n]{0,60}?\b(?:there|on (?:it|the (?:pr|pull request|merge request|issue|ticket|review))|(?:the |its )?(?:pr|pull request|merge request|mr|issue|ticket)(?:'s)?(?: description| body)?\b|description|reviewers?|(?:every|each|all|the|its|these|those|both)\s+(?:review )?(?:remarks?|comments?|threads?|points?)|them|it)\b"
)
_NOT_THERE = re.compile(
    r"(?i)\b(?:readme|changelog|docs?|docstrings?|code|file|function|todo|in the source)\b"
)
_PICTURE = r"(?:screenshots?|screen ?grabs?|mock-?ups?|pictures?|photos?|images?|sketch(?:es)?|wireframes?|drawings?|scans?)"
_SHOWN = re.compile(
    rf"(?i)\[image\b|\b(?:here (?:is|are|'s)|attached|pasted|this|these|those|the (?:above|attached|pasted)|(?:three|two|four|both|\d) (?:attached )?)\W+(?:\w+\W+){{0,3}}?{_PICTURE}\b|\b(?:as|like)\s+(?:shown |seen |drawn )?(?:in|on)\s+(?:the|this|that|these|those|my)\s+{_PICTURE}\b|\b{_PICTURE}\s+(?:above|below|attached|i (?:sent|pasted|attached))\b"
)
_IMAGE_FILE = re.compile(r"(?i)(?<![\w/-])[\w/-]+\.(?:png|jpe?g|svg|gif|webp|pdf|fig|sketch)\b")
_TAKES_BACK = re.compile(
    r"(?i)(?:^|[.!?,;]\s*)(?:(?:hm+|oh|ah|ok(?:ay)?|so|and|but|er+m?|well)[, ]+){0,6}(?:no\b|nope\b|nah\b|wait\b|actually\b|on second thoughts?\b|scratch (?:that|it)|forget (?:what|that|it|about)|never ?mind|nvm\b|or rather|rather not|undo\b|take (?:that|it) back|changed my mind)"
)
_LEFT_OPEN = re.compile(r"(?i)\b(?:or|maybe|perhaps|not sure|either|dunno|don'?t know)\b|\?")
#: A fragment that leans on what was said before: "yes", "2", "continue with that one".
_FRAGMENT = re.compile(
    r"(?i)^\W*(?:(?:and|then|now|please|so)\W+)*(?:y|yes|yep|yeah|no|ok(?:ay)?|sure|fine|right|good|great|thanks?|continue|go on|go ahead|proceed"
    r"|do (?:it|that|this|so|both)|next|again|more|both|all|either|the (?:first|second|third|fourth|last|other|former|latter)(?: one)?|that one|this one"
    r"|option \w|\d{1,3}|[a-d]|same|correct|agreed|perfect|weiter|ja|oui|si|sí)(?:\W+(?:please|with (?:it|that|this|that one)|then|now|both|go on|continue|do it))*\W*$"
)


def finished(ledger: Ledger, turn: Turn, judgement: Judgement) -> bool:
    """A turn whose answer ends it, with nothing open: no call, no list, no gate, no background work, no question."""
    if turn.pending_calls or len(re.findall(r"\w+", turn.final_text)) < 4 or pressing(judgement):
        return False
    running = any(task.running and task.turn == turn.number for task in ledger.background)
    if open_todos(ledger, turn) or running:
        return False
    if judgement.task.asks_for_change and only_looked(ledger):
        return False
    ends = last_sentence(turn.final_text).rstrip()
    return judgement.verdict.stop_kind is StopKind.COMPLETE and not ends.endswith((":", "…", "..."))


def open_todos(ledger: Ledger, turn: Turn | None = None) -> list[Todo]:
    """What the todo list has open; with a turn, what that turn wrote or changed of it."""
    todos = [todo for todo in ledger.todos if todo.open]
    return todos if turn is None else [todo for todo in todos if todo.turn == turn.number]


def owes_word(ledger: Ledger) -> bool:
    """Whether a pull request or issue was to be told, and nobody told it since the last commit or push."""
    if not any(_wants_word(turn.prompt) for turn in ledger.turns[-3:]):
        return False
    calls = forge_calls(ledger)
    told = [
        place
        for place, (kind, argv) in enumerate(calls)
        if kind in FORGE and not LOOKS & set(argv[1:4])
    ]
    shipped = [place for place, (kind, _) in enumerate(calls) if kind in SHIPS]
    return not told or (bool(shipped) and shipped[-1] > told[-1])


def _wants_word(prompt: str) -> bool:
    return any(
        (match := _WORD_WANTED.search(sentence)) is not None
        and not _NOT_THERE.search(match.group())
        for sentence in re.split(r"(?<=[.!?])\s+|\n", without_code(prompt))
    )


def lost(ledger: Ledger, turn: Turn) -> bool:
    """Whether what was wanted cannot be told from what is left: a fragment, a picture, a to and fro."""
    if turn.command or open_todos(ledger):
        return False
    if _to_and_fro([each.prompt for each in ledger.turns if each.prompt]):
        return True
    if any(edit.turn == turn.number for edit in ledger.edits):
        return False
    return _FRAGMENT.match(turn.prompt) is not None or _only_shown(turn.prompt)


def _only_shown(prompt: str) -> bool:
    return _SHOWN.search(prompt) is not None and _IMAGE_FILE.search(prompt) is None


def _to_and_fro(prompts: list[str]) -> bool:
    """The last prompt takes something back and leaves two ways open, or two of the last three take something back."""
    back = [_TAKES_BACK.search(prompt) is not None for prompt in prompts[-3:]]
    if len(prompts) < 2 or not back[-1]:
        return False
    return _LEFT_OPEN.search(prompts[-1]) is not None or (len(prompts) > 2 and sum(back) > 1)
