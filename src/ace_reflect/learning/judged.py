"""What the record shows of the work after a citation: the person's word on it first, then a proof that stayed."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ace_reflect.evidence.facts import CommandKind, Edit, Outcome, Run, Turn
from ace_reflect.learning.citations import Citation, is_set_aside
from ace_reflect.learning.gather import Gathered, SentBack, lies_in
from ace_reflect.learning.reactions import Reaction, read_reaction, reverts

#: Kinds of command whose outcome proves something, what proves the most first, and the gate they speak for.
GATES = {
    CommandKind.TEST: "tests",
    CommandKind.BUILD: "build",
    CommandKind.TYPECHECK: "type check",
    CommandKind.LINT: "lint",
}


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of the work after one line of a turn."""

    tag: str
    why: str
    evidence: tuple[Mapping[str, Any], ...] = ()


def judge_after(gathered: Gathered, turn: Turn, citation: Citation) -> Judged:
    """The outcome after a citation, within its turn and in the person's answer to it."""
    if is_set_aside(citation):
        return Judged("neutral", "it was named as one that is not followed here")
    reaction = _against(gathered, turn, citation.line)
    if reaction is not None:
        at, what = reaction
        verb = "reverted" if what.kind == "revert" else "corrected"
        return Judged(
            "harmful", f"the person {verb} it afterwards", ({"line": at, "quote": what.quote},)
        )
    return _proven(gathered, turn, citation)


def first_citations(gathered: Gathered, turn: Turn, known: Container[str]) -> dict[str, Citation]:
    """
    The first citation of each known key point in a turn: an outcome counts for a key point from there on. A citation that
    says "I do not follow this one" is taken only where the turn has no other of that key point.
    """
    first: dict[str, Citation] = {}
    for citation in sorted(gathered.citations, key=is_set_aside):
        if lies_in(citation.line, (turn,)) and citation.key_point in known:
            first.setdefault(citation.key_point, citation)
    return first


def _against(gathered: Gathered, turn: Turn, line: int) -> tuple[int, Reaction] | None:
    """The person's correction or revert after `line`: in mid-turn, by their own command, or in the next prompt."""
    for said in gathered.said:
        if line < said.line <= turn.last_line:
            reaction = read_reaction(said.text)
            if reaction is not None and reaction.kind != "confirmation":
                return said.line, reaction
            if (
                said.refusal and reaction is None
            ):  # a call refused with words is a correction, however it is put
                return said.line, Reaction("correction", " ".join(said.text.split())[:200])
    for at, command in gathered.shell:
        if line < at <= turn.last_line and reverts(command):
            return at, Reaction("revert", f"!{command[:200]}")
    following = next((other for other in gathered.ledger.turns if other.number > turn.number), None)
    if following is not None and following.kind == "human":
        reaction = read_reaction(following.prompt, turn.final_text)
        if reaction is not None and reaction.kind != "confirmation":
            return following.line, reaction
    return None


def _proven(gathered: Gathered, turn: Turn, citation: Citation) -> Judged:
    """Whether a gate was proven after the citation and stayed so to the turn's end."""
    runs = [run for run in conclusive_runs(gathered, turn) if _came_after(run, citation)]
    if not runs:
        return Judged("neutral", "nothing after it shows an outcome")
    kind = next(
        kind for kind in GATES if any(run.kind is kind for run in runs)
    )  # the one that proves the most
    of_kind = [run for run in runs if run.kind is kind]
    last = of_kind[-1]
    command, evidence = shown_command(last), (_evidence_of(last),)
    if last.outcome is Outcome.FAILED:
        return Judged("neutral", f"the last `{command}` after it failed", evidence)
    if _edited_after(gathered, turn, last):
        return Judged("neutral", f"code was edited after `{command}` passed", evidence)
    sent = _sent_back_after(gathered, turn, citation)
    if sent is not None and not _proven_before(gathered, turn, of_kind, sent):
        why = f"`{command}` passed only after a check had sent the stop back in line {sent.line}"
        return Judged("neutral", why, evidence)
    return Judged("helpful", f"`{command}` passed after it ({GATES[kind]})", evidence)


def _sent_back_after(gathered: Gathered, turn: Turn, citation: Citation) -> SentBack | None:
    return next(
        (sent for sent in gathered.feedback if citation.line < sent.line <= turn.last_line), None
    )


def _proven_before(gathered: Gathered, turn: Turn, runs: Sequence[Run], sent: SentBack) -> bool:
    """
    Whether the agent had run the tests by itself, and they passed, when a check sent the stop back. If not, it is the check
    that brought the proof, and no key point gets credit for it.
    """
    before = [run for run in runs if _was_before(run, sent)]
    if not before or before[-1].outcome is not Outcome.PASSED:
        return False
    later = [edit for edit in code_edits(gathered, turn) if edit.sequence > before[-1].sequence]
    return not any(_was_before(edit, sent) for edit in later)


def _was_before(fact: Run | Edit, sent: SentBack) -> bool:
    if fact.file is None:
        return (fact.result_line or fact.line) < sent.line
    return bool(sent.at) and fact.at < sent.at


def _came_after(run: Run, citation: Citation) -> bool:
    """By the line in the main transcript; a subagent's run, whose lines are numbered in a file of its own, by the time."""
    if run.file is None:
        return (run.result_line or run.line) > citation.line
    return bool(citation.at) and run.at > citation.at


def conclusive_runs(gathered: Gathered, turn: Turn) -> list[Run]:
    """The turn's runs that show whether they passed, in the order they happened."""
    runs = [
        run
        for run in gathered.ledger.runs
        if run.turn == turn.number
        and run.kind in GATES
        and run.outcome in {Outcome.PASSED, Outcome.FAILED}
    ]
    return sorted(runs, key=lambda run: run.sequence)


def _edited_after(gathered: Gathered, turn: Turn, run: Run) -> bool:
    return any(edit.sequence > run.sequence for edit in code_edits(gathered, turn))


def code_edits(gathered: Gathered, turn: Turn) -> list[Edit]:
    return [
        edit
        for edit in gathered.ledger.edits
        if edit.turn == turn.number and edit.kind in {"code", "test"} and edit.is_work
    ]


def _evidence_of(run: Run) -> dict[str, Any]:
    """A run as the evidence of a vote or a key point."""
    found: dict[str, Any] = {
        "line": run.result_line or run.line,
        "command": run.command[:300],
        "quote": run.quote[:300],
        "gate": GATES.get(run.kind, run.kind.value),
    }
    return found if run.file is None else {**found, "file": run.file}


_LONGEST_TYPED = 2_000


def shown_command(run: Run) -> str:
    """The command as one would type it, or where that is too much to show, the name of its runner."""
    return typed_command(run) or run.runner or run.kind.value


def typed_command(run: Run) -> str | None:
    """
    The command as one would type it: without the change of folder before it and the pipe behind it.

    Shorter and stricter than what a gate asks to be run (`gates.command_text`), which keeps the folder and picks one step of
    several: this goes into a key point that other sessions read, so it is the whole of a plain command or nothing.
    """
    text = " ".join(run.command.split())
    if len(text) > _LONGEST_TYPED:
        return None
    text = re.sub(r"^(?:cd\s+\S+\s*(?:&&|;)\s*)+", "", text)
    text = re.sub(
        r"\s*(?:2>&1|2>\s*/dev/null|\|\s*(?:tail|head|tee|grep|cat)\b.*|\|\|\s*true.*|;\s*echo\b.*)$",
        "",
        text,
    )
    text = re.sub(r"\s*(?:2>&1|2>\s*/dev/null)$", "", text)
    usable = 0 < len(text) <= 60 and not re.search(r"[`;|&<>]|\$\(", text)
    return text if usable else None
