"""What the record shows: how the work went after a citation, and the facts that a reflector may take as true."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ace_reflect.evidence.facts import CommandKind, Done, Edit, Outcome, Run, Turn
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import State
from ace_reflect.learning.gather import Citation, Gathered, is_set_aside, lies_in
from ace_reflect.learning.person import correction, wishes
from ace_reflect.playbook.dedup import meaning
from ace_reflect.project.facts import Project
from ace_reflect.settings import Settings
from ace_reflect.state.record import Vote
from ace_reflect.text import shortened

MAX_FACTS = 200  # the newest are kept
#: Kinds of command whose outcome proves something, and the words key points use for them.
_GATES = {
    CommandKind.TEST: ("tests", "tests suite specs"),
    CommandKind.BUILD: ("build", "build compile"),
    CommandKind.TYPECHECK: ("type check", "types typecheck"),
    CommandKind.LINT: ("lint", "lint linter"),
}
_LINE = re.compile(r"\b[Ll]ines? (\d{1,9})\b")
_CLAUSE_END = re.compile(r"[.;:,!?\n—]+(?:\s|$)|\s-\s|\bbut\b")
_NOT = re.compile(r"\b(?:do not|don'?t|never|not|no|without|avoid|stop|instead of|rather than)\b")
#: In a complaint: "you forgot the tests" wants them, "you used npm again" does not.
_LACKS = ("not ", "n't ", "never ", "forgot", "missed", "should ")
#: Words of any advice, whatever it is about (stems, as in `meaning`).
_OF_ANY_TEXT = frozenset(
    """
    all alway and any befor after every first for from into must never not only run then use when with again chang code
    fil good like mak need now onc pleas plea right said say thing want work wrong done instead rather stop avoid without
    """.split()  # noqa: SIM905 - as a list it is a line a word
)


class Judged(NamedTuple):
    """What happened with a key point after its citation. `evidence`: {line, quote, …} objects."""

    tag: str
    why: str
    evidence: tuple[Mapping[str, Any], ...] = ()


def subjects(text: str) -> set[str]:
    """The words that say what a text is about, as stems; the characters, in scripts without spaces."""
    words = {word for word in meaning(text)[0] if len(word) > 2}
    return (words - _OF_ANY_TEXT) | {one for one in text if one.isalpha() and one >= "\u2e80"}


def judged_citations(
    gathered: Gathered, turn: Turn, known: Mapping[str, str]
) -> dict[str, tuple[Citation, Judged]]:
    """The first citation of each known key point (id -> text) in a turn, one that follows it where there is any, and what came of it."""
    first: dict[str, Citation] = {}
    for citation in sorted(gathered.citations, key=is_set_aside):
        if lies_in(citation.line, (turn,)) and citation.key_point in known:
            first.setdefault(citation.key_point, citation)
    return {name: (one, _judge(gathered, turn, one, known[name])) for name, one in first.items()}


def _judge(gathered: Gathered, turn: Turn, citation: Citation, text: str) -> Judged:
    """Harmful: the person's correction is about the key point's subject and wants the opposite. Helpful: its own command, or
    what it is about, ran after the citation and passed, and that still held at the end of the turn.
    """
    if is_set_aside(citation):
        return Judged("neutral", "it was named as one that is not followed here")
    for line, words in _corrections(gathered, turn, citation.line):
        mine, theirs = _wanted(text), _wanted(words)
        if any(mine[subject] is not theirs[subject] for subject in mine.keys() & theirs.keys()):
            quoted = {"line": line, "quote": words}
            return Judged("harmful", "the person corrected it afterwards", (quoted,))
        return Judged("neutral", "the person's correction does not speak against it")
    after = [run for run in gathered.ledger.runs if _came_after(run, turn, citation)]
    runs = [run for run in after if _is_own(run, text)]
    if not runs:
        return Judged("neutral", "nothing that it speaks of ran after it")
    tag, why = _proof(gathered, turn, citation, runs)
    last = runs[-1]
    place = {"line": last.result_line or last.line, **({"file": last.file} if last.file else {})}
    said = {"command": last.command[:300], "quote": last.quote[:300], "gate": _GATES[last.kind][0]}
    return Judged(tag, why, ({**place, **said},))


def _corrections(gathered: Gathered, turn: Turn, line: int) -> Iterator[tuple[int, str]]:
    """The person's corrections after `line`: those in mid-turn, then those in the next prompt."""
    for at, text, refusal in gathered.said:
        words = text[:200] if refusal else correction(text)
        if words and line < at <= turn.last_line:
            yield at, " ".join(words.split())
    following = next((other for other in gathered.ledger.turns if other.number > turn.number), None)
    if following is not None and following.kind == "human" and correction(following.prompt):
        yield following.line, correction(following.prompt)


def _wanted(text: str) -> dict[str, bool]:
    """A text's subjects and whether each is wanted: in "use pnpm, not npm" pnpm is, npm is not."""
    found: dict[str, bool] = {}
    for clause in _CLAUSE_END.split(text.lower().replace("’", "'")):
        unwanted = _NOT.search(clause)
        at = unwanted.start() if unwanted else len(clause)
        parts = [(clause[:at], True), (clause[at:], False)]
        if clause.startswith(("you", "why")):
            parts = [(clause, any(word in clause for word in _LACKS))]
        for part, wanted in parts:
            found = {**dict.fromkeys(subjects(part), wanted), **found}
    return found


def _came_after(run: Run, turn: Turn, citation: Citation) -> bool:
    """Whether a run of this turn with a known result came after a citation: by line, or by time for a subagent's."""
    by_line = (run.result_line or run.line) > citation.line
    after = by_line if run.file is None else "" < citation.at < run.at
    return after and run.turn == turn.number and run.outcome in {Outcome.PASSED, Outcome.FAILED}


def _is_own(run: Run, text: str) -> bool:
    """Whether a run is a key point's own command or, if it names none, what it is about."""
    words = set(run.command.lower().split())
    for code in text.split("`")[1::2]:
        named = [word for word in code.lower().split() if not word.startswith("-")]
        if named and named[0] in words:
            return words.issuperset(named)
        if len(named) > 1 and named[0].isalnum():
            return False  # it has a command, and that did not run
    wanted = _wanted(text)
    return any(wanted.get(word) for word in _kind_subjects(run))


def _kind_subjects(run: Run) -> set[str]:
    return subjects(f"{_GATES[run.kind][1]} {run.runner}")


def line_subjects(gathered: Gathered, turns: Sequence[Turn]) -> dict[str, set[str]]:
    """The lines of what was done in these turns, and the subjects of its command, its path and what it printed."""
    ledger, found = gathered.ledger, dict[str, set[str]]()
    shipped = (*ledger.pushes, *ledger.commits, *ledger.pull_requests, *ledger.ci_looks)
    for fact in (*ledger.runs, *ledger.edits, *shipped):
        path = fact.path.removeprefix(f"{ledger.cwd}/") if isinstance(fact, Edit) else ""
        about = subjects(f"{fact.command} {path} {fact.quote}".replace("/", " "))
        if isinstance(fact, Run):
            about |= _kind_subjects(fact)
        for line in {fact.line, fact.result_line} if fact.file is None else ():
            if line and lies_in(line, turns):
                found[str(line)] = found.get(str(line), set()) | about
    return found


def _proof(gathered: Gathered, turn: Turn, citation: Citation, runs: list[Run]) -> tuple[str, str]:
    """(tag, why) by a key point's own runs in a turn."""
    last = runs[-1]
    command = shortened(last.own or last.command, 60)
    if last.outcome is Outcome.FAILED:
        return "neutral", f"the last `{command}` after it failed"
    edits = [edit for edit in gathered.ledger.edits if edit.turn == turn.number and edit.is_work]
    edits = [edit for edit in edits if edit.kind in {"code", "test"}]
    if edits and edits[-1].sequence > last.sequence:
        return "neutral", f"code was edited after `{command}` passed"
    for line in (line for line in gathered.feedback if citation.line < line <= turn.last_line):
        before = [run for run in runs if run.file is None and run.line < line]
        stale = before and any(before[-1].line < edit.line < line for edit in edits)
        if not before or before[-1].outcome is Outcome.FAILED or stale:  # the check proved it
            return "neutral", f"`{command}` passed only after a check had sent the stop back"
    return "helpful", f"`{command}` passed after it ({_GATES[last.kind][0]})"


def grounded_vote(
    gathered: Gathered, turns: Sequence[Turn], row: Mapping[str, str], known: Mapping[str, str]
) -> Vote:
    """A model's vote (`{"name", "tag", "rationale"}`) on a known key point. It has evidence if the record shows the same
    after a citation, or if the rationale names the line of a fact after it that is about the key point's subject.
    """
    name, tag, rationale = row["name"], row["tag"], row["rationale"]
    own = {name: known[name]}
    pairs = [pair for turn in turns for pair in judged_citations(gathered, turn, own).values()]
    judged = [found for _, found in pairs]
    evidence = [item for one in judged for item in one.evidence]
    grounded = any(one.tag == tag != "neutral" for one in judged)
    if tag != "neutral" and not grounded:
        facts = dict((*_done(gathered), *_said(gathered, turns)))
        since, about = min((one.line for one, _ in pairs), default=0), subjects(known[name])
        done = line_subjects(gathered, turns)
        lines = {int(number) for number in _LINE.findall(rationale)} & facts.keys()
        told = {line: done.get(str(line), set()) | subjects(facts[line]) for line in lines}
        named = {line for line in lines if line > since and told[line] & about}
        evidence += [{"line": line, "quote": facts[line][:300]} for line in sorted(named)]
        grounded = bool(named)
    vote = Vote(key_point=name, tag=tag, counted=tag != "neutral", rationale=rationale)
    based_on = "cited" if judged else "inferred"
    return vote.replace(based_on=based_on, grounded=grounded, evidence=tuple(evidence[:5]))


def facts_text(gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]) -> str:
    """One fact per line, in transcript order, including the person's answer to the last of these turns."""
    found = [*_done(gathered), *_said(gathered, turns)]
    for turn in turns:
        for name, (citation, judged) in judged_citations(gathered, turn, known).items():
            found.append((citation.line, f"[{name}] cited; {judged.why}"))
    answer = [turn.line for turn in gathered.turns if turns and turn.number > turns[-1].number][:1]
    inside = {fact for fact in found if lies_in(fact[0], turns) or fact[0] in answer}
    rows = [f"line {line}: {text}" for line, text in sorted(inside)[-MAX_FACTS:]]
    return "\n".join([*rows, *_gates(gathered, turns)])


def _done(gathered: Gathered) -> list[tuple[int, str]]:
    """(line, fact) for what ran and what was shipped in the session's own file."""
    ledger = gathered.ledger
    rows: list[tuple[Done, str]] = []
    for run in ledger.runs:
        shown = shortened(run.quote or run.why, 200)
        rows += [(run, f"`{shortened(run.command, 160)}` {run.outcome.value}: {shown}")]
    for push in ledger.pushes:
        where = push.branch or push.tag or "an unknown branch"
        rows += [(push, f"push to {where}: {push.outcome.value}")]
    rows += [
        (pr, f"pull request: {pr.outcome.value} {pr.url or ''}") for pr in ledger.pull_requests
    ]
    for look in ledger.ci_looks:
        rows += [(look, f"a look at CI: {look.outcome} {shortened(look.quote, 120)}")]
    failed = [commit for commit in ledger.commits if commit.outcome is Outcome.FAILED]
    rows += [(commit, f"commit failed: {shortened(commit.quote, 200)}") for commit in failed]
    own = [(fact.result_line or fact.line, text) for fact, text in rows if fact.file is None]
    return own + [(line, "the stop was sent back by a check") for line in gathered.feedback]


def _said(gathered: Gathered, turns: Sequence[Turn]) -> list[tuple[int, str]]:
    """(line, fact) for what the person said about the work and how they want things done."""
    found = []
    for line, text, refusal in gathered.said:
        kind = "refusal" if refusal else "correction" if correction(text) else ""
        found += [(line, f'the person, {kind}: "{shortened(text, 200)}"')] if kind else []
    for question in gathered.ledger.questions:
        answer = shortened(question.answer, 200)
        found += [(question.line, f'the person answers a question: "{answer}"')] if answer else []
    numbers = {turn.number + step for turn in turns for step in (0, 1)}
    for turn in gathered.turns:
        if turn.kind == "human" and turn.number in numbers:
            words = correction(turn.prompt)
            told = [f'the person on the turn before, correction: "{words}"'] if words else []
            told += [f'the person, maybe for good: "{wish.quote}"' for wish in wishes(turn.prompt)]
            found += [(turn.line, each) for each in told]
    return found


def _gates(gathered: Gathered, turns: Sequence[Turn]) -> list[str]:
    """What the gates say at the end of the session, if these turns reach that far."""
    if not turns or turns[-1].number != gathered.ledger.turns[-1].number:
        return []
    told = {State.PROVEN, State.DISPROVEN, State.UNKNOWN}
    found = judge_stop(gathered.ledger, Project(), Settings()).findings
    rows = ((one.gate, one.state, shortened(one.reason, 200)) for one in found if one.state in told)
    return [f"at the end, gate {gate}: {state.value}, {reason}" for gate, state, reason in rows]
