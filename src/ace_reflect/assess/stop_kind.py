"""
Why did the agent stop: it is done, it waits for the person, it still works, or it is stuck?

Rules first: what runs in the background, a call without a result, a text that breaks off, an announced step, a direct
question, a list of next steps and then nothing. The fast model for the rest, and not before the message is half a
minute old: who is merely slow is not stuck. Its answer is kept for a minute. A check that fails means "not stuck".
"""

from dataclasses import dataclass

from ace_reflect.assess.answers import StopKindAnswer
from ace_reflect.assess.asker import Asker, ask_models
from ace_reflect.assess.role import Role, Told
from ace_reflect.assess.subject import Subject
from ace_reflect.assess.text import cut, newest
from ace_reflect.evidence.facts import Ledger, Turn
from ace_reflect.gates import prose, remaining_work
from ace_reflect.gates.completion import breaks_off
from ace_reflect.gates.done import stands
from ace_reflect.gates.model import StopKind
from ace_reflect.gates.silence import open_dialog
from ace_reflect.gates.stop_kind import announces_step, asks_decision, read_kind
from ace_reflect.gates.task import asks_for_change
from ace_reflect.gates.words import read_words

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
    """`why` says what it was told by; `rule` that no model was asked."""

    kind: StopKind
    why: str = ""
    rule: bool = True
    confidence: float = 1.0

    @property
    def nudge(self) -> bool:
        """Whether the agent should be told to go on: it is stuck, and that is sure enough."""
        return self.kind is StopKind.GENUINELY_STUCK and self.confidence >= NUDGE_FROM


def by_rules(answer: str, *, running: tuple[str, ...] = (), pending_calls: int = 0) -> Kind:
    """
    The stop's kind as far as rules can tell it; UNCLEAR where they cannot.

    `running`: background work that has an end of its own. `pending_calls`: tool calls without a result.
    """
    text = prose.plain(answer).strip()
    if pending_calls:
        return Kind(StopKind.WORKING, "a tool call has no result yet")
    if running:
        return Kind(StopKind.WORKING, f"still running: {prose.shortened(running[0], 100)}")
    if not text:
        return Kind(StopKind.UNCLEAR, "the turn ends without a text")
    if breaks_off(answer):
        return Kind(StopKind.GENUINELY_STUCK, "the answer breaks off in mid-sentence")
    if asks_decision(text):
        return Kind(StopKind.WAITING_FOR_USER, "the answer asks a question")
    if announces_step(text):
        return Kind(StopKind.GENUINELY_STUCK, "the answer announces a next step, and nothing follows")
    left = remaining_work.left_in_answer(answer)
    if left:
        return Kind(
            StopKind.GENUINELY_STUCK, f"the answer lists next steps, and takes none: {prose.shortened(left[0], 100)}"
        )
    kind = read_kind(answer)
    return Kind(kind, "" if kind is StopKind.UNCLEAR else "by the words of the answer")


def by_rules_of(ledger: Ledger, running: tuple[str, ...]) -> Kind:
    """The same for a session's current turn."""
    turn = ledger.turns[-1] if ledger.turns else None
    if turn is None:
        return Kind(StopKind.UNCLEAR)
    if open_dialog(ledger, turn):
        return Kind(StopKind.WAITING_FOR_USER, "a question to the person stands open")
    found = by_rules(turn.final_text, running=running, pending_calls=turn.pending_calls)
    return _by_deeds(ledger, turn) if found.kind is StopKind.UNCLEAR else found


def _by_deeds(ledger: Ledger, turn: Turn) -> Kind:
    """What was asked for beside what was done, where the text does not say how it stands."""
    words = read_words(turn.prompt)
    wants_change = asks_for_change(turn.prompt) and not words.no_change
    worked = turn.writes > 0 or any(edit.turn == turn.number for edit in ledger.edits)
    if not turn.final_text.strip():
        idle = wants_change and turn.tool_calls > 0 and not worked and not turn.interrupted
        why = "the turn ends without a text, and nothing that was asked for was begun"
        return Kind(StopKind.GENUINELY_STUCK, why) if idle else Kind(StopKind.UNCLEAR, "the turn ends without a text")
    if turn.prompt and not wants_change and not worked and stands(prose.plain(turn.final_text)):
        return Kind(StopKind.COMPLETE, "no change was asked for, and the answer is given")
    return Kind(StopKind.UNCLEAR)


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
    """The model's answer as a kind. Without one the stop stays unclear: a check that fails must not push anybody."""
    if answered.value is None:
        return Kind(StopKind.UNCLEAR, answered.why, rule=False, confidence=0.0)
    confidence = 0.5 if answered.value.confidence is None else answered.value.confidence
    return Kind(StopKind(answered.value.kind), answered.value.why, rule=False, confidence=confidence)
