"""
The outcome evidence of some turns as lines of text, each with its line in the transcript: what a reflector may take as
true, because a program read it off the record.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ace_reflect.evidence.facts import Done, Turn
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import State
from ace_reflect.learning.gather import Gathered
from ace_reflect.learning.judged import first_citations, judge_after
from ace_reflect.learning.lesson import Tag
from ace_reflect.learning.reactions import read_reaction
from ace_reflect.project.infer import infer_project
from ace_reflect.settings import Settings
from ace_reflect.text import shortened

MAX_FACTS = 200  # the newest are kept
_LINE = re.compile(r"\blines? (\d{1,9})\b", re.IGNORECASE)


def facts_text(gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]) -> str:
    """One fact a line, in the transcript's order."""
    spans = [(turn.line, turn.last_line) for turn in turns]
    found = [
        *_runs(gathered),
        *_other(gathered),
        *_reactions(gathered, turns),
        *_cited(gathered, turns, known),
    ]
    inside = [
        (line, text)
        for line, text in found
        if any(first <= line <= last + 1 for first, last in spans)
    ]
    inside += [
        (line, text) for line, text in _answers(gathered, turns) if (line, text) not in inside
    ]
    rows = [f"line {line}: {text}" for line, text in sorted(set(inside))[-MAX_FACTS:]]
    return "\n".join([*rows, *_gates(gathered, turns)])


def ground(gathered: Gathered, turns: Sequence[Turn], name: str, tag: str, rationale: str) -> Tag:
    """
    A model's vote with what stands behind it.

    It has evidence where the record shows the same after a citation, or where the rationale names a line that a fact
    stands in.
    """
    evidence: list[Mapping[str, Any]] = []
    cited = grounded = False
    for turn in turns:
        first = first_citations(gathered, turn, {name}).get(name)
        if first is not None:
            judged = judge_after(gathered, turn, first)
            evidence += judged.evidence
            cited, grounded = True, grounded or judged.tag == tag != "neutral"
    if tag != "neutral" and not grounded:
        named = {int(number) for number in _LINE.findall(rationale)}
        facts = dict((*_runs(gathered), *_other(gathered), *_reactions(gathered, turns)))
        evidence += [
            {"line": line, "quote": facts[line][:300]} for line in sorted(named & facts.keys())
        ]
        grounded = bool(named & facts.keys())
    return Tag(
        name=name,
        tag=tag,
        rationale=rationale,
        based_on="cited" if cited else "inferred",
        grounded=grounded,
        evidence=tuple(evidence[:5]),
    )


def _runs(gathered: Gathered) -> list[tuple[int, str]]:
    return [
        (
            run.result_line or run.line,
            f"`{shortened(run.command, 160)}` {run.outcome.value}: {shortened(run.quote or run.why, 200)}",
        )
        for run in gathered.ledger.runs
        if run.file is None
    ]


def _other(gathered: Gathered) -> list[tuple[int, str]]:
    ledger = gathered.ledger
    shipped: list[tuple[Done, str]] = [
        (push, f"push to {push.branch or push.tag or 'an unknown branch'}: {push.outcome.value}")
        for push in ledger.pushes
    ]
    shipped += [
        (pr, f"pull request: {pr.outcome.value} {pr.url or ''}".rstrip())
        for pr in ledger.pull_requests
    ]
    shipped += [
        (look, f"a look at CI: {look.outcome} {shortened(look.quote, 120)}".rstrip())
        for look in ledger.ci_looks
    ]
    found = [(fact.result_line or fact.line, text) for fact, text in shipped if fact.file is None]
    return found + [(sent.line, "the stop was sent back by a check") for sent in gathered.feedback]


def _gates(gathered: Gathered, turns: Sequence[Turn]) -> list[str]:
    """What the gates say at the end of the session, where these turns reach to it."""
    if not turns or turns[-1].number != gathered.ledger.turns[-1].number:
        return []
    judgement = judge_stop(gathered.ledger, infer_project(gathered.ledger), Settings())
    return [
        f"at the end, gate {finding.gate}: {finding.state.value}, {shortened(finding.reason, 200)}"
        for finding in judgement.findings
        if finding.state in {State.PROVEN, State.DISPROVEN, State.UNKNOWN}
    ]


def _reactions(gathered: Gathered, turns: Sequence[Turn]) -> list[tuple[int, str]]:
    """What the person said to the work, in mid-turn and in the prompts that open these turns."""
    found = []
    for said in gathered.said:
        reaction = read_reaction(said.text)
        kind = reaction.kind if reaction else "refusal" if said.refusal else ""
        if kind:
            found.append((said.line, f'the person, {kind}: "{shortened(said.text, 200)}"'))
    numbers = {turn.number for turn in turns}
    finals = {turn.number + 1: turn.final_text for turn in gathered.turns}
    for turn in gathered.turns:
        answered = finals.get(turn.number, "")
        reaction = read_reaction(turn.prompt, answered) if turn.kind == "human" else None
        if reaction is not None and (turn.number in numbers or turn.number - 1 in numbers):
            found.append(
                (turn.line, f'the person on the turn before, {reaction.kind}: "{reaction.quote}"')
            )
    return found


def _answers(gathered: Gathered, turns: Sequence[Turn]) -> list[tuple[int, str]]:
    """The person's answer to the last of these turns stands after it."""
    last = turns[-1].number if turns else 0
    following = next((turn for turn in gathered.turns if turn.number > last), None)
    return [
        fact
        for fact in _reactions(gathered, turns)
        if following is not None and fact[0] == following.line
    ]


def _cited(
    gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]
) -> list[tuple[int, str]]:
    return [
        (citation.line, f"[{name}] cited; {judge_after(gathered, turn, citation).why}")
        for turn in turns
        for name, citation in first_citations(gathered, turn, known).items()
    ]
