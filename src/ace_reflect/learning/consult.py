"""Ask the configured models: a reflection on the new turns, then what the playbook should gain from it."""

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import Any

from ace_reflect.errors import ConfigError, ModelError
from ace_reflect.learning import offline
from ace_reflect.learning.curator import Curation, curate
from ace_reflect.learning.facts import facts_text, ground
from ace_reflect.learning.fit import estimate_tokens, fit
from ace_reflect.learning.gather import turn_key
from ace_reflect.learning.lesson import Lesson
from ace_reflect.learning.messages import transcript_text
from ace_reflect.learning.pipeline import Case, Consulted, Options
from ace_reflect.learning.reflector import Reflection, reflect
from ace_reflect.learning.segment import read_segment
from ace_reflect.llm import event_loop
from ace_reflect.llm.chain import Answer, Chain
from ace_reflect.llm.port import Call, Usage
from ace_reflect.llm.registry import chain_for
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.playbook.render import format_playbook, render_sections
from ace_reflect.settings import OFFLINE
from ace_reflect.state import usage
from ace_reflect.state.db import State

TRANSCRIPT_TOKENS = (
    100_000  # by `fit`'s high estimate; leaves room for the rest in every window of 200,000
)
PLAYBOOK_TOKENS = 30_000


def ask_models(state: State, case: Case, options: Options) -> Consulted:
    """
    The lesson of the first model of the chain that gives one; each call's tokens and cost go on record.

    Where no model answers and `models` names `offline`, the rules judge instead. A curator that fails costs the
    proposals, not the votes. Raises ModelError, TranscriptError.
    """

    def record(call: Call) -> None:
        # What was spent was spent, in a dry run too.
        usage.add(
            state,
            call.role,
            call.model,
            **call.usage.to_json(),
            ms=call.ms,
            session_id=case.session,
        )

    chain = chain_for(options.models, options.config, options.environ, record=record)
    if not chain.models:
        raise ConfigError(
            "no model is named; give one with --model, or `models:` in reflection.yaml"
        )
    try:
        return event_loop.run(_ask(chain, case, options))
    except ModelError:
        if OFFLINE not in options.models:
            raise
        return Consulted(offline.reflect(case.gathered, case.turns, case.known))


async def _ask(chain: Chain, case: Case, options: Options) -> Consulted:
    spans = [(turn.line, turn.last_line) for turn in case.turns]
    segment = read_segment(
        case.gathered.path,
        spans,
        environ=options.environ,
        patterns=options.redaction_patterns,
        final=options.final,
    )
    fitted = fit(segment.messages, TRANSCRIPT_TOKENS)
    facts = facts_text(case.gathered, case.turns, case.known)
    reflected = await reflect(
        chain,
        transcript_text(fitted.messages),
        format_playbook(_shown(case)),
        case.cited,
        facts=facts,
    )
    curated = await _curated(chain, reflected.value, case, facts)
    lesson = _lesson(case, reflected.value, curated.value if curated else None)
    return Consulted(
        lesson, reflected.model, segment.read_text, _usage([reflected, curated], fitted.note)
    )


async def _curated(
    chain: Chain, reflection: Reflection, case: Case, facts: str
) -> Answer[Curation] | None:
    try:
        return await curate(
            chain,
            reflection.as_result(),
            render_sections(_capped(case.playbook, case)),
            facts=facts,
        )
    except ModelError:
        return None  # on record as a call; the votes are worth keeping


def _lesson(case: Case, reflection: Reflection, curation: Curation | None) -> Lesson:
    key = turn_key(case.gathered.ledger, case.turns[0]) if len(case.turns) == 1 else ""
    tags = []
    for row in reflection.tags:
        if row["name"] not in case.known:
            continue  # it was never in front of the agent, nor of the model: the id is a guess
        tag = ground(
            case.gathered, case.turns, str(row["name"]), str(row["tag"]), str(row["rationale"])
        )
        tags.append(replace(tag, turn=key))
    return Lesson(reflection.analysis, tuple(tags), curation.operations if curation else ())


def _shown(case: Case) -> Playbook:
    """The playbook as the session had it: what was injected of both playbooks, or all where nothing tells."""
    return _capped(_only(case.known, *case.books), case)


def _capped(playbook: Playbook, case: Case) -> Playbook:
    """A playbook that fits beside the transcript: what was cited first, then the rest in its order, whole lines."""
    left = PLAYBOOK_TOKENS
    kept: set[str] = set()
    points = sorted(key_points(playbook), key=lambda item: item[1]["name"] not in case.cited)
    for _, point in points:
        left -= estimate_tokens(str(point.get("text", ""))) + 20
        if left < 0:
            break
        kept.add(point["name"])
    return playbook if len(kept) == len(points) else _only(kept, playbook)


def _only(names: Container[str], *books: Playbook) -> Playbook:
    sections: dict[str, list[dict[str, Any]]] = {}
    for book in books:
        for section, point in key_points(book):
            if point["name"] in names:
                sections.setdefault(section, []).append(point)
    return {"sections": sections}


def _usage(answers: Sequence[Answer[Any] | None], note: str) -> dict[str, Any]:
    given = [answer for answer in answers if answer is not None]
    calls = [call for answer in given for call in answer.calls]
    spent = sum((answer.usage for answer in given), Usage())
    return {
        **spent.to_json(),
        "calls": len(calls),
        "ms": sum(call.ms for call in calls),
        **({"cut": note} if note else {}),
    }
