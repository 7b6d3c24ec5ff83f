"""Ask the configured models: a reflection on the new turns, then what the playbook should gain from it."""

from collections.abc import Sequence
from typing import Any

from ace_reflect.errors import ConfigError, ModelError
from ace_reflect.learning import offline
from ace_reflect.learning.curator import curator_request, read_curation
from ace_reflect.learning.facts import facts_text, grounded_vote
from ace_reflect.learning.gather import turn_key
from ace_reflect.learning.lesson import Case, Lesson, Options
from ace_reflect.learning.reflector import read_reflection, reflector_request, transcript_text
from ace_reflect.learning.segment import estimate_tokens, fit, read_segment
from ace_reflect.llm import event_loop
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.port import Call, Usage
from ace_reflect.llm.registry import chain_for
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.playbook.render import format_playbook, render_sections
from ace_reflect.settings import OFFLINE
from ace_reflect.state import usage
from ace_reflect.state.db import State

TRANSCRIPT_TOKENS = 20_000  # by `fit`'s high estimate
PLAYBOOK_TOKENS = 30_000


def ask_models(state: State, case: Case, options: Options) -> Lesson:
    """
    The lesson of the first model of the chain that gives one, or of the rules where `models` names `offline`, too. A curator
    that fails costs the proposals, not the votes. Raises ModelError, TranscriptError.
    """

    def record(call: Call) -> None:
        # What was spent was spent, in a dry run too.
        spent = call.usage.to_json()
        usage.add(state, call.role, call.model, **spent, session_id=case.session)

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
        return offline.reflect(case.gathered, case.turns, case.known)


async def _ask(chain: Chain, case: Case, options: Options) -> Lesson:
    spans = [(turn.line, turn.last_line) for turn in case.turns]
    environ, patterns = options.environ, options.redaction_patterns
    path, final = case.gathered.path, options.final
    said, read = read_segment(path, spans, environ=environ, patterns=patterns, final=final)
    fitted, note = fit(said, TRANSCRIPT_TOKENS)
    facts = facts_text(case.gathered, case.turns, case.known)
    text, shown = transcript_text(fitted), _shown(case, case.books, injected=True)
    request = reflector_request(text, format_playbook(shown), case.cited, facts=facts)
    reflected = await chain.answer(request, read_reflection)
    reflection, calls = reflected.value, list(reflected.calls)
    operations: tuple[Any, ...] = ()
    try:
        present = render_sections(_shown(case, case.books[:1], injected=False))
        request = curator_request(reflection, present, facts=facts)
        curated = await chain.answer(request, read_curation)
        operations = tuple(curated.value["operations"])
        calls += curated.calls
    except ModelError:
        pass  # on record as a call; the votes are worth keeping
    # A vote on what was never in front of the agent is a guess.
    rows = [row for row in reflection["bullet_tags"] if row["name"] in case.known]
    votes = [grounded_vote(case.gathered, case.turns, row, case.known[row["name"]]) for row in rows]
    if len(case.turns) == 1:
        key = turn_key(case.gathered.ledger, case.turns[0])
        votes = [vote.replace(turn=key) for vote in votes]
    spent = sum((call.usage for call in calls), Usage()).to_json()
    spent |= {"calls": len(calls), "ms": sum(call.ms for call in calls)}
    spent |= {"cut": note} if note else {}
    return Lesson(reflection["analysis"], tuple(votes), operations, reflected.model, read, spent)


def _shown(case: Case, books: Sequence[Playbook], *, injected: bool) -> Playbook:
    """The key points that fit beside the transcript; with `injected` those that the session may have had in front of it."""
    left = PLAYBOOK_TOKENS
    sections: dict[str, list[Any]] = {}
    for section, point in (found for book in books for found in key_points(book)):
        if not injected or point["name"] in case.known:
            left -= estimate_tokens(str(point["text"])) + 20
            if left >= 0 or point["name"] in case.cited:
                sections.setdefault(section, []).append(point)
    return {"sections": sections}
