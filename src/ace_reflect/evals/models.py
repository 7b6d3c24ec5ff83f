"""A model as an engine: each suite asks the product's own role, with the product's own prompt, about the staged case."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator

from ace_reflect.assess import compaction, stop_kind
from ace_reflect.assess.evaluate import Opinion, evaluate, from_judge
from ace_reflect.assess.fields import ModelAnswer
from ace_reflect.assess.judge import JUDGE, judge_values, values_of
from ace_reflect.assess.role import Role, Told, ask
from ace_reflect.evals.score import Answer
from ace_reflect.evals.stage import Staged
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.port import Call, Usage


def _points(value: Any) -> int:
    points = float(str(value).strip().partition("/")[0])
    if not 0 <= points <= 5:  # before it is cut: there is no whole number for `inf`
        raise ValueError("a score is 0 to 5")
    return int(points)


class AgentScore(ModelAnswer):
    """A whole task by the rubric."""

    score: Annotated[int, BeforeValidator(_points)]
    why: str = ""


AGENT: Role[AgentScore] = Role(
    "agent_score", "agent_score.txt", AgentScore, max_tokens=600, fresh_s=0
)


async def answer(staged: Staged, chain: Chain) -> Answer:
    """The model's answer about a case, alone: what the rules say of it is shown to the model and decides nothing here."""
    calls: list[Call] = []
    said, why, failed = await _SUITES[staged.case.suite](
        staged, Chain(chain.models, record=calls.append)
    )
    usage = sum((call.usage for call in calls), Usage())
    return Answer(said, why, usage, sum(call.ms for call in calls), failed)


#: (answer, the model's reason, why there is no answer)
Said = tuple[str, str, str]


async def _judge(staged: Staged, chain: Chain) -> Said:
    told: Told[Any] = await ask(JUDGE, chain, judge_values(staged.subject))
    if told.value is None:
        return "", "", told.why
    opinion = from_judge(told.value, staged.judgement)
    return said_by(opinion, staged), opinion.reason, ""


def said_by(opinion: Opinion, staged: Staged) -> str:
    """An opinion as the suite's answer: the same weighing as in the product, without the gates' own say."""
    alone = evaluate(staged.judgement.replace(findings=()), opinion)
    if alone.verdict.complete:
        return "complete"
    return "incomplete" if alone.push else "waiting"


async def _stuck(staged: Staged, chain: Chain) -> Said:
    told: Told[Any] = await ask(stop_kind.STOP_KIND, chain, stop_kind.values_of(staged.subject))
    return ("", "", told.why) if told.value is None else (told.value.kind, told.value.why, "")


async def _agent(staged: Staged, chain: Chain) -> Said:
    told: Told[Any] = await ask(AGENT, chain, values_of(staged.subject))
    return ("", "", told.why) if told.value is None else (str(told.value.score), told.value.why, "")


async def _compaction(staged: Staged, chain: Chain) -> Said:
    trigger = str(staged.case.stop.get("trigger", "auto"))
    values = compaction.values_of(staged.ledger, staged.last_words, trigger)
    told: Told[Any] = await ask(compaction.COMPACTION, chain, values)
    return (
        ("", "", told.why)
        if told.value is None
        else (told.value.action, told.value.current_work, "")
    )


_SUITES: Mapping[str, Callable[[Staged, Chain], Awaitable[Said]]] = {
    "judge": _judge,
    "stuck": _stuck,
    "post-compaction": _compaction,
    "agent": _agent,
}
