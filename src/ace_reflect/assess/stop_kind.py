"""
Why did the agent stop: it is done, it waits for the person, it still works, or it is stuck?

The gates tell it first: what runs in the background, a call without a result, a text that breaks off, an announced step,
a direct question. The fast model is asked for the rest, and not before the message is half a minute old: who is merely
slow is not stuck. Its answer is kept for a minute. A check that fails means "not stuck".
"""

from dataclasses import dataclass

from ace_reflect.assess.answers import StopKindAnswer
from ace_reflect.assess.asker import Asker, ask_models
from ace_reflect.assess.fields import certainty
from ace_reflect.assess.role import Role, Told
from ace_reflect.assess.subject import Subject
from ace_reflect.assess.text import cut, newest
from ace_reflect.gates.model import StopKind

NUDGE_FROM = 0.5  # confidence below which a stuck turn is left alone

STOP_KIND: Role[StopKindAnswer] = Role(
    name="stop_kind",
    prompt_file="stop_kind.txt",
    answer=StopKindAnswer,
    max_tokens=400,
    deadline_s=30.0,
    fresh_s=60.0,
    fast=True,
)


@dataclass(frozen=True, slots=True)
class Kind:
    """What the model said, None for nothing; `why` in its words, or why it said nothing."""

    kind: StopKind | None
    why: str = ""
    confidence: float = 1.0

    @property
    def nudge(self) -> bool:
        """Whether the agent should be told to go on: it is stuck, and that is sure enough."""
        return self.kind is StopKind.GENUINELY_STUCK and self.confidence >= NUDGE_FROM


async def ask_kind(asker: Asker, subject: Subject) -> Told[StopKindAnswer | None]:
    """The fast model's word on a stop that the rules could not tell."""
    return await ask_models(STOP_KIND, values_of(subject), asker)


def values_of(subject: Subject) -> dict[str, str]:
    """What the prompt has places for."""
    return {
        "task": cut(subject.task, 2_000),
        "answer": cut(subject.answer, 3_000),
        "work": newest(subject.work.splitlines(), 2_500, what="lines"),
        "facts": newest(subject.facts.splitlines(), 2_000, what="lines"),
        "mode": subject.mode,
    }


def kind_of(answered: Told[StopKindAnswer | None]) -> Kind:
    """The model's answer as a kind. Without one it is nothing to go by: a check that fails must not push anybody."""
    if answered.value is None:
        return Kind(None, answered.why, confidence=0.0)
    told = answered.value
    return Kind(StopKind(told.kind), told.why, confidence=certainty(told.confidence))
