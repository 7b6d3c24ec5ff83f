"""
The offline reflector: votes and proposals by rule, where there is no model to ask. It says that it is offline.

* A cited key point with a proven outcome after the citation is helpful; one after which the person corrected or
  reverted is harmful; any other is neutral, also one whose proof came only when a check had sent the stop back.
* MISTAKES TO AVOID come from what failed after the session's own edits and was then fixed; USER PREFERENCES from the
  person's explicit words. Nothing else is proposed: a rule cannot tell an insight from a remark.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ace_reflect.evidence.facts import Outcome, Turn
from ace_reflect.learning.gather import Gathered, lies_in, turn_key
from ace_reflect.learning.judged import GATES, Judged, first_citations, judge_after
from ace_reflect.learning.lesson import Lesson, Tag
from ace_reflect.learning.mistakes import mistakes
from ace_reflect.learning.preferences import read_preferences
from ace_reflect.text import counted

PREFERENCES = "USER PREFERENCES"


def reflect(gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]) -> Lesson:
    """Judge these turns. `known`: id -> text of every key point that may have been cited."""
    tags: list[Tag] = []
    for turn in turns:
        tags += _tags_of(gathered, turn, known)
    operations = [*mistakes(gathered, turns, known), *_preferences(gathered, turns)]
    return Lesson(_analysis(gathered, turns, tags), tuple(tags), tuple(operations))


def _tags_of(gathered: Gathered, turn: Turn, known: Mapping[str, str]) -> list[Tag]:
    first = first_citations(gathered, turn, known)
    judged = {name: judge_after(gathered, turn, citation) for name, citation in first.items()}
    blamed = _blamed(judged, known)
    key = turn_key(gathered.ledger, turn)
    tags = []
    for name, found in judged.items():
        if found.tag == "harmful" and name not in blamed:
            found = Judged(  # noqa: PLW2901 - the same vote, put right
                "neutral", "the person's correction was about something else", found.evidence
            )
        tags.append(
            Tag(
                name=name,
                tag=found.tag,
                rationale=f"Offline: cited in line {first[name].line}; {found.why}.",
                turn=key,
                grounded=found.tag != "neutral",
                evidence=found.evidence,
            )
        )
    return tags


def _blamed(judged: Mapping[str, Judged], known: Mapping[str, str]) -> set[str]:
    """Of several key points cited in a corrected turn, those that the correction speaks of; all where it names none."""
    harmful = [name for name, found in judged.items() if found.tag == "harmful"]
    if len(harmful) < 2:
        return set(harmful)
    named = {
        name
        for name in harmful
        if _content_words(str(judged[name].evidence[0].get("quote", "")))
        & _content_words(known[name])
    }
    return named or set(harmful)


def _content_words(text: str) -> set[str]:
    return {word for word in re.findall(r"[\w./-]{3,}", text.lower()) if word not in _COMMON}


_COMMON = frozenset(
    ["that", "this", "with", "from", "have", "been", "when", "then", "they", "them", "your", "what", "which",
     "were", "will", "would", "should", "could", "must", "only", "also", "into", "over", "after", "before",
     "because", "there", "here", "about", "again", "always", "never", "don't", "doesn't", "didn't", "wrong",
     "right", "still", "just", "make", "made", "does", "work", "works", "done", "change", "changed", "file",
     "files", "code"]
)  # fmt: skip


def _preferences(gathered: Gathered, turns: Sequence[Turn]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for turn in turns:
        said = [turn.prompt] if turn.kind == "human" else []
        said += [item.text for item in gathered.said if lies_in(item.line, (turn,))]
        for text in said:
            for wish in read_preferences(text):
                operation = {
                    "op": "ADD",
                    "section": PREFERENCES,
                    "text": wish.text,
                    "source": "user",
                    "quote": wish.quote,
                    "line": turn.line,
                }
                found.setdefault(wish.text.lower(), operation)
    return list(found.values())


def _analysis(gathered: Gathered, turns: Sequence[Turn], tags: Sequence[Tag]) -> str:
    numbers = {turn.number for turn in turns}
    runs = [run for run in gathered.ledger.runs if run.turn in numbers and run.kind in GATES]
    passed = sum(run.outcome is Outcome.PASSED for run in runs)
    failed = sum(run.outcome is Outcome.FAILED for run in runs)
    edits = sum(edit.turn in numbers for edit in gathered.ledger.edits)
    cited = sorted({tag.name for tag in tags})
    return (
        f"Offline, judged by rule without a model: {counted(len(turns), 'turn')}, {counted(edits, 'edit')},"
        f" {counted(len(runs), 'run')} of tests and checks ({passed} passed, {failed} failed)."
        f" Cited: {', '.join(cited) if cited else 'nothing'}."
    )
