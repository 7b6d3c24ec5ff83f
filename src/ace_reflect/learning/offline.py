"""The offline reflector: votes and proposals by rule, where there is no model to ask.

* Votes come from `facts`: a cited key point whose own command or subject ran and passed is helpful, one whose opposite
  the person asked for is harmful, any other is neutral.
* The person's explicit standing wishes become USER PREFERENCES; what only may be one is a candidate for review.
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
        for name, (citation, judged) in judged_citations(gathered, turn, known).items():
            vote = Vote(
                key_point=name,
                tag=judged.tag,
                counted=judged.tag != "neutral",
                rationale=f"Offline: cited in line {citation.line}; {judged.why}.",
                turn=turn_key(gathered.ledger, turn),
                grounded=judged.tag != "neutral",
                evidence=judged.evidence,
            )
            votes.append(vote)
    numbers = {turn.number for turn in turns}
    outcomes = [run.outcome for run in gathered.ledger.runs if run.turn in numbers]
    passed, failed = outcomes.count(Outcome.PASSED), outcomes.count(Outcome.FAILED)
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
            operation: dict[str, Any] = {"op": "ADD", "section": "USER PREFERENCES"}
            operation |= {"text": wish.text, "source": "user"}
            operation |= {"quote": wish.quote, "line": turn.line}
            if not wish.strict:
                operation |= {"candidate": True, "reason": "it may be a wish for good"}
            found.setdefault(wish.text.lower(), operation)
    return list(found.values())
