"""The offline reflector, where there is no model to ask: votes as `facts` judges a citation, and the person's standing
wishes as USER PREFERENCES; what only may be one is a candidate for review.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ace_reflect.evidence.facts import Outcome, Turn
from ace_reflect.learning.facts import judged_citations
from ace_reflect.learning.gather import Gathered, turn_key
from ace_reflect.learning.lesson import Lesson
from ace_reflect.learning.person import wishes
from ace_reflect.state.record import Vote
from ace_reflect.text import counted


def reflect(gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]) -> Lesson:
    """Judge these turns. `known`: id -> text of every key point that may have been cited."""
    votes = []
    for turn in turns:
        key = turn_key(gathered.ledger, turn)
        for name, (citation, judged) in judged_citations(gathered, turn, known).items():
            why, holds = f"cited in line {citation.line}; {judged.why}", judged.tag != "neutral"
            vote = Vote(key_point=name, tag=judged.tag, counted=holds, rationale=f"Offline: {why}.")
            votes.append(vote.replace(turn=key, grounded=holds, evidence=judged.evidence))
    numbers = {turn.number for turn in turns}
    outcomes = [run.outcome for run in gathered.ledger.runs if run.turn in numbers]
    passed, failed = map(outcomes.count, (Outcome.PASSED, Outcome.FAILED))
    cited = ", ".join(sorted({vote.key_point for vote in votes})) or "nothing"
    analysis = (
        f"Offline, judged by rule without a model: {counted(len(turns), 'turn')}, {passed} passed and {failed} failed runs"
        f" of tests and checks. Cited: {cited}."
    )
    return Lesson(analysis, tuple(votes), tuple(_preferences(turns)))


def _preferences(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """One operation for each wish in what the person typed, answered, or said while refusing a call."""
    found: dict[str, dict[str, Any]] = {}
    for turn in turns:
        for wish in (wish for said in turn.typed for wish in wishes(said)):
            operation = {"op": "ADD", "section": "USER PREFERENCES", "text": wish.text}
            operation |= {"source": "user", "quote": wish.quote}
            maybe = (
                {} if wish.strict else {"candidate": True, "reason": "it may be a wish for good"}
            )
            found.setdefault(wish.text.lower(), {**operation, "line": turn.line, **maybe})
    return list(found.values())
