"""Ask the configured models: a reflection on the new turns, then what the playbook should gain from it."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from ace_reflect import paths
from ace_reflect.assess.instructions import read_instructions
from ace_reflect.errors import ConfigError, ModelError
from ace_reflect.learning import offline
from ace_reflect.learning.curator import curator_request, read_curation
from ace_reflect.learning.facts import facts_text, grounded_vote
from ace_reflect.learning.gather import turn_key
from ace_reflect.learning.lesson import Case, Lesson, Options
from ace_reflect.learning.reflector import read_reflection, reflector_request, transcript_text
from ace_reflect.learning.segment import estimate_tokens, fit, read_segment
from ace_reflect.llm import event_loop
from ace_reflect.llm.anthropic import AnthropicModel
from ace_reflect.llm.chain import Chain
from ace_reflect.llm.port import Call, Request, Usage
from ace_reflect.llm.registry import chain_for
from ace_reflect.playbook.model import Playbook, key_points
from ace_reflect.playbook.render import format_playbook, render_sections
from ace_reflect.project.git import read_text
from ace_reflect.settings import OFFLINE
from ace_reflect.state import cache
from ace_reflect.state.db import State
from ace_reflect.state.record import spend
from ace_reflect.text import cut_middle

TRANSCRIPT_TOKENS = 20_000  # by `fit`'s high estimate
PLAYBOOK_TOKENS = 30_000
INSTRUCTION_CHARS = 8_000

Json = Mapping[str, Any]


def ask_models(state: State, case: Case, options: Options) -> Lesson:
    """The lesson from the first model of the chain that gives one, or from the rules if `models` names `offline`. Of a curator
    that fails the reflection is kept, and the next try goes on there. Raises ModelError, TranscriptError.
    """
    chain = _chain(state, case.session, options)
    try:
        return event_loop.run(_ask(state, chain, case, options))
    except ModelError:
        if OFFLINE not in options.models:
            raise
        return offline.reflect(case.gathered, case.turns, case.known)


def ask_batch(
    state: State, cases: Sequence[Case], options: Sequence[Options], tell: Callable[[str], None]
) -> list[Lesson | ModelError]:
    """The same for many sessions at once, by Message Batches: the first model of the configuration must be Anthropic's."""
    from ace_reflect.llm.batches import Batched

    chains = [_chain(state, case.session, own) for case, own in zip(cases, options, strict=True)]
    first = chains[0].models[0]
    if not isinstance(first, AnthropicModel):
        raise ConfigError(f"{first.name} takes no batches: --batch is for anthropic/… models")
    model = Batched(first, tell)
    together = zip(chains, cases, options, strict=True)
    work = [
        _ask(state, replace(chain, models=(model,)), case, own) for chain, case, own in together
    ]
    return event_loop.run(model.gather(work))


def _chain(state: State, session: str, options: Options) -> Chain:
    """The configured models; each call goes on record, in a dry run too. Raises ConfigError where none is named."""

    def record(call: Call) -> None:
        spend(state, call.role, call.model, **call.usage.to_json(), session_id=session)

    chain = chain_for(options.models, options.config, options.environ, record=record)
    if not chain.models:
        raise ConfigError("no model is named: give --model, or `models:` in reflection.yaml")
    return chain


@dataclass(frozen=True, slots=True)
class Questions:
    """What a reflector, and then a curator, is asked about a case. `read`: what the session had read, `note`: what was cut."""

    case: Case
    facts: str
    read: str
    note: str
    instructions: str
    reflector: Request

    @classmethod
    def of(cls, case: Case, options: Options) -> "Questions":
        """Raises TranscriptError."""
        spans = [(turn.line, turn.last_line) for turn in case.turns]
        path, final = case.gathered.path, options.final
        said, read = read_segment(path, spans, hide=options.hidden, final=final)
        fitted, note = fit(said, TRANSCRIPT_TOKENS)
        facts = facts_text(case.gathered, case.turns, case.known)
        text, shown = transcript_text(fitted), _shown(case, case.books, injected=True)
        request = reflector_request(text, format_playbook(shown), case.cited, facts=facts)
        folder = paths.sessions_dir(options.environ, options.project)
        memory = read_text(os.path.join(folder, "memory", "MEMORY.md"))  # Claude Code's own
        texts = filter(None, (read_instructions(options.project), memory))
        known = cut_middle("\n\n".join(texts), INSTRUCTION_CHARS)
        return cls(case, facts, read, note, known, request)

    def curator(self, reflection: Json) -> Request:
        present = render_sections(_shown(self.case, self.case.books[:1], injected=False))
        return curator_request(reflection, present, self.facts, self.instructions)

    def lesson(
        self, reflection: Json, operations: Sequence[Any], model: str, spent: Json
    ) -> Lesson:
        """What follows from the answers. A vote on a key point the agent never saw is a guess, and left out."""
        case = self.case
        tags = [row for row in reflection["bullet_tags"] if row["name"] in case.known]
        votes = [grounded_vote(case.gathered, case.turns, row, case.known) for row in tags]
        if len(case.turns) == 1:
            key = turn_key(case.gathered.ledger, case.turns[0])
            votes = [vote.replace(turn=key) for vote in votes]
        usage, said = {**spent, **({"cut": self.note} if self.note else {})}, reflection["analysis"]
        return Lesson(said, tuple(votes), tuple(operations), model, self.read, usage)


async def _ask(state: State, chain: Chain, case: Case, options: Options) -> Lesson:
    questions = Questions.of(case, options)
    asked = sha256(questions.reflector.prompt.encode("utf-8", "replace")).hexdigest()
    place, calls = ("reflection", case.session, asked), list[Call]()
    if not (kept := cache.get(state, *place)):
        reflected = await chain.answer(questions.reflector, read_reflection)
        calls += reflected.calls
        kept = json.dumps([reflected.model, reflected.value]).encode()
        cache.put(state, *place, kept)
    model, reflection = json.loads(kept)
    curated = await chain.answer(questions.curator(reflection), read_curation)
    calls += curated.calls
    cache.put(state, *place, b"")
    spent = sum((call.usage for call in calls), Usage()).to_json()
    spent |= {"calls": len(calls), "ms": sum(call.ms for call in calls)}
    return questions.lesson(reflection, curated.value["operations"], model, spent)


def _shown(case: Case, books: Sequence[Playbook], *, injected: bool) -> Playbook:
    """The key points that fit beside the transcript; with `injected` only those the session may have seen."""
    left = PLAYBOOK_TOKENS
    sections: dict[str, list[Any]] = {}
    for section, point in (found for book in books for found in key_points(book)):
        if not injected or point["name"] in case.known:
            left -= estimate_tokens(str(point["text"])) + 20
            if left >= 0 or point["name"] in case.cited:
                sections.setdefault(section, []).append(point)
    return {"sections": sections}
