"""Who answers a case: the rules alone, or a model that is asked the product's own question."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field

from ace_reflect.assess import compaction, when
from ace_reflect.assess.answers import ModelAnswer
from ace_reflect.assess.evaluate import evaluate, from_assessment, from_judge
from ace_reflect.assess.role import Role, Told, ask
from ace_reflect.assess.stop import ASSESS, JUDGE, KIND, judge_values, kind_values
from ace_reflect.evals.cases import SETTINGS, Staged
from ace_reflect.gates.case import still_running
from ace_reflect.gates.model import EndState, StopKind
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.port import Call, Usage

UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine said of a case. `said` is one of the suite's answers, or `UNDECIDED`; `why` in the engine's words.

    `failed` says why there is no answer at all (no model), which counts as not right.
    """

    said: str
    why: str = ""
    usage: Usage = field(default_factory=Usage)
    failed: str = ""
    seconds: float = 0.0  # that it took

    @property
    def decided(self) -> bool:
        return not self.failed and self.said != UNDECIDED


class AgentScore(ModelAnswer):
    """A whole task by the rubric of `evals/README.md`."""

    score: Annotated[float, Field(ge=0, le=5)]
    why: str = ""


AGENT: Role[AgentScore] = Role("agent_score", AgentScore, max_tokens=600, fresh_s=0)


async def by_model(staged: Staged, chain: Chain) -> Answer:
    """The model's answer alone: the model is shown what the rules say, but they decide nothing here."""
    calls: list[Call] = []
    role, values = _question(staged)
    started = time.monotonic()
    told: Told[Any] = await ask(role, Chain(chain.models, record=calls.append), values)
    said, why = _read(staged, told.value) if told.value is not None else ("", "")
    failed = "" if told.value is not None else told.why
    usage = sum((call.usage for call in calls), Usage())
    return Answer(said, why, usage, failed, time.monotonic() - started)


def _question(staged: Staged) -> tuple[Role[Any], Mapping[str, str]]:
    """The role for the case's suite, and the values for its prompt."""
    case = staged.case
    if case.suite == "assess":
        return ASSESS, staged.subject
    if case.suite == "judge":
        return JUDGE, judge_values(staged.subject)
    if case.suite == "stuck":
        return KIND, kind_values(staged.subject)
    if case.suite == "agent":
        return AGENT, judge_values(staged.subject)
    trigger = str(case.stop.get("trigger", "auto"))
    values = compaction.values_of(staged.ledger, staged.last_words, trigger)
    return compaction.COMPACTION, values


def _read(staged: Staged, value: Any) -> tuple[str, str]:
    """(the suite's answer, the model's reason)"""
    suite = staged.case.suite
    if suite == "stuck":
        return value.kind, value.why
    if suite == "agent":
        return str(int(value.score)), value.why
    if suite == "post-compaction":
        return value.action, value.current_work
    # The same weighing as in the product, without the gates' own say.
    opinion = (from_judge if suite == "judge" else from_assessment)(value, staged.ledger)
    alone = evaluate(staged.judgement.replace(findings=()), opinion)
    left = "incomplete" if alone.push else "waiting"
    return "complete" if alone.verdict.complete else left, opinion.reason


def by_rules(staged: Staged) -> Answer:
    """What the product says about a case without a model.

    `undecided` where it would ask a model: the rules are meant to leave such a stop open. They give no score.
    """
    suite, verdict = staged.case.suite, staged.judgement.verdict
    if suite == "post-compaction":
        action = compaction.by_rules(staged.ledger, staged.judgement, staged.last_words)
        return Answer(action.action, action.why)
    kinds = {"assess": _judge, "judge": _judge, "stuck": _stuck}
    said = kinds[suite](staged) if suite in kinds else ""
    return Answer(said or UNDECIDED, verdict.why_silent if said else _left_open(staged))


def _left_open(staged: Staged) -> str:
    """Why the product would ask a model, "" if it would not."""
    listed = staged.case.stop.get("background")
    running = still_running(staged.ledger) if listed is None else tuple(map(str, listed))
    asked = when.asks(staged.judgement, SETTINGS, staged.ledger, running)
    return asked[0].why if asked else ""


def _judge(staged: Staged) -> str:
    verdict = staged.judgement.verdict
    if verdict.decision == "block":
        return "incomplete"
    if _left_open(staged):
        return ""
    interrupted = staged.ledger.turns[-1].interrupted
    nothing_to_prove = verdict.end_state is EndState.NOT_APPLICABLE and not interrupted
    if verdict.complete or nothing_to_prove:
        return "complete"
    return "incomplete" if verdict.end_state is EndState.INCOMPLETE else "waiting"


def _stuck(staged: Staged) -> str:
    """What the product does at the stop: it sends the agent on, leaves it alone, or asks a model."""
    verdict, findings = staged.judgement.verdict, staged.judgement.findings
    if any(finding.gate == "completion" and finding.open for finding in findings):
        return StopKind.GENUINELY_STUCK.value
    if verdict.end_state is EndState.WORKING:
        return StopKind.WORKING.value
    waits = verdict.end_state is EndState.WAITING_FOR_USER and when.asks_person(staged.judgement)
    if waits or verdict.end_state is EndState.BLOCKED_ON_HUMAN:
        return StopKind.WAITING_FOR_USER.value
    if _left_open(staged):
        return ""
    stuck = StopKind.GENUINELY_STUCK, EndState.INCOMPLETE
    is_stuck = verdict.stop_kind in stuck or verdict.end_state in stuck
    return (StopKind.GENUINELY_STUCK if is_stuck else StopKind.COMPLETE).value
