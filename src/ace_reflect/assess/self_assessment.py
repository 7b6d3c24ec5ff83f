"""
The self-assessment: a fresh call, never in the person's conversation, that answers the specification's contract.

An answer that is no JSON goes to the judge with its text. Where nobody answers, there is no opinion.
"""

from dataclasses import dataclass

from ace_reflect.assess.answers import Assessment, JudgeAnswer
from ace_reflect.assess.asker import JUDGE_S, Asker, ask_models
from ace_reflect.assess.audit import audit
from ace_reflect.assess.evaluate import Opinion, from_assessment, from_judge
from ace_reflect.assess.judge import judge, values_of
from ace_reflect.assess.role import Role, Told
from ace_reflect.assess.subject import Subject
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.model import Judgement

ASSESS: Role[Assessment] = Role(
    name="assess",
    prompt_file="assess.txt",
    answer=Assessment,
    max_tokens=2_500,
    deadline_s=JUDGE_S,
    asks=1,  # prose is the judge's business, not a second try's
    fresh_s=3_600.0,
)


@dataclass(frozen=True, slots=True)
class Assessed:
    """What came of asking. `opinion` is None where every model failed: then `why` says how."""

    opinion: Opinion | None
    assessment: Told[Assessment | None]
    judged: Told[JudgeAnswer | None] | None = None
    why: str = ""

    @property
    def asked(self) -> bool:
        """Whether anybody was asked at all; offline, without budget or time nobody is."""
        return self.assessment.asked


async def assess(asker: Asker, subject: Subject, ledger: Ledger, judgement: Judgement) -> Assessed:
    """Ask for an assessment of a stop and check it against the ledger. Never raises an `Exception`."""
    answered = await ask_models(ASSESS, values_of(subject), asker)
    if answered.value is not None:
        contradictions = audit(answered.value, ledger, judgement)
        return Assessed(from_assessment(answered.value, contradictions, judgement), answered)
    if not answered.said.strip():
        return Assessed(None, answered, why=answered.why)
    judged = await judge(asker, subject, answered.said)
    if judged.value is None:
        return Assessed(None, answered, judged, why=judged.why)
    return Assessed(from_judge(judged.value, judgement), answered, judged)
