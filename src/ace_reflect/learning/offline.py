"""
The offline reflector: votes and proposals by rule, where there is no model to ask. It says that it is offline.

* A cited key point with a proven outcome after the citation is helpful; one after which the person corrected or
  reverted is harmful; any other is neutral, also one whose proof came only when a check had sent the stop back.
* MISTAKES TO AVOID come from what failed after the session's own edits and was then fixed; USER PREFERENCES from the
  person's explicit words. Nothing else is proposed: a rule cannot tell an insight from a remark.
"""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ace_reflect.evidence.facts import CommandKind, Edit, Outcome, Run, Turn
from ace_reflect.learning.gather import Gathered, turn_key
from ace_reflect.learning.judged import GATES, Judged, code_edits, first_citations, judge_after, settled, shown_command
from ace_reflect.learning.lesson import Lesson, Tag
from ace_reflect.learning.preferences import read_preferences

MISTAKES = "MISTAKES TO AVOID"
PREFERENCES = "USER PREFERENCES"
MAX_MISTAKES = 3  # a session


def reflect(gathered: Gathered, turns: Sequence[Turn], known: Mapping[str, str]) -> Lesson:
    """Judge these turns. `known`: id -> text of every key point that may have been cited."""
    tags: list[Tag] = []
    for turn in turns:
        tags += _tags_of(gathered, turn, known)
    operations = [*_mistakes(gathered, turns), *_preferences(gathered, turns)]
    return Lesson(_analysis(gathered, turns, tags), tuple(tags), tuple(operations))


def _tags_of(gathered: Gathered, turn: Turn, known: Mapping[str, str]) -> list[Tag]:
    first = first_citations(gathered, turn, known)
    judged = {name: judge_after(gathered, turn, citation) for name, citation in first.items()}
    blamed = _blamed(judged, known)
    key = turn_key(gathered.ledger, turn)
    tags = []
    for name, found in judged.items():
        if found.tag == "harmful" and name not in blamed:
            found = Judged("neutral", "the person's correction was about something else", found.evidence)  # noqa: PLW2901
        tags.append(
            Tag(
                name=name,
                tag=found.tag,
                rationale=f"Offline: cited in line {first[name].line}; {found.why}.",
                turn=key,
                grounded=found.tag != "neutral",
                evidence=found.evidence,
            )
        )
    return tags


def _blamed(judged: Mapping[str, Judged], known: Mapping[str, str]) -> set[str]:
    """Of several key points cited in a corrected turn, those that the correction speaks of; all where it names none."""
    harmful = [name for name, found in judged.items() if found.tag == "harmful"]
    if len(harmful) < 2:
        return set(harmful)
    named = {
        name
        for name in harmful
        if _content_words(str(judged[name].evidence[0].get("quote", ""))) & _content_words(known[name])
    }
    return named or set(harmful)


def _content_words(text: str) -> set[str]:
    return {word for word in re.findall(r"[\w./-]{3,}", text.lower()) if word not in _COMMON}


_COMMON = frozenset(
    ["that", "this", "with", "from", "have", "been", "when", "then", "they", "them", "your", "what", "which",
     "were", "will", "would", "should", "could", "must", "only", "also", "into", "over", "after", "before",
     "because", "there", "here", "about", "again", "always", "never", "don't", "doesn't", "didn't", "wrong",
     "right", "still", "just", "make", "made", "does", "work", "works", "done", "change", "changed", "file",
     "files", "code"]
)  # fmt: skip


def _mistakes(gathered: Gathered, turns: Sequence[Turn]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for turn in turns:
        for proposal in (*_broken_then_fixed(gathered, turn), *_sent_back(gathered, turn)):
            found.setdefault(proposal["text"], proposal)
    return list(found.values())[:MAX_MISTAKES]


def _broken_then_fixed(gathered: Gathered, turn: Turn) -> list[dict[str, Any]]:
    """A run that failed after this turn's own edits and passed once something else was changed."""
    runs, edits, found = settled(gathered, turn), code_edits(gathered, turn), []
    for at, failed in enumerate(runs):
        if failed.outcome is not Outcome.FAILED or failed.kind is CommandKind.LINT:
            continue
        fixed = next((run for run in runs[at + 1 :] if _same(run, failed) and run.outcome is Outcome.PASSED), None)
        before = [edit for edit in edits if edit.sequence < failed.sequence]
        if all(edit.kind == "test" for edit in before):
            continue  # a test that was written first is meant to fail
        between = [edit for edit in edits if fixed and failed.sequence < edit.sequence < fixed.sequence]
        if fixed is None or not before or not between or _failed_before(runs[:at], failed, before[0].sequence):
            continue
        found.append(_mistake(_broken_text(gathered, fixed, before, between), failed))
    return found


def _failed_before(earlier: Sequence[Run], failed: Run, first_edit: int) -> bool:
    """A test that was red before anything was edited is the task, not a mistake."""
    return any(_same(run, failed) and run.outcome is Outcome.FAILED and run.sequence < first_edit for run in earlier)


def _same(one: Run, other: Run) -> bool:
    return (one.kind, one.runner, one.cwd) == (other.kind, other.runner, other.cwd)


def _broken_text(gathered: Gathered, fixed: Run, before: Sequence[Edit], between: Sequence[Edit]) -> str:
    # No counts and no line numbers: when the same thing is learned on another day, its text is the same key point.
    command = shown_command(fixed)
    changed, mended = _paths(gathered, before), _paths(gathered, between)
    also = [path for path in mended if path not in changed]
    if len(changed) > 2 or len(also) > 2:
        return f"`{command}` failed after a change and had to be mended: run it right after changing code, before saying that it is done."
    if also:
        verb = "changes" if len(changed) == 1 else "change"
        return f"When {_listed(changed)} {verb}, look at {_listed(also)} too: `{command}` failed until that was changed as well."
    return f"A change to {_listed(changed)} made `{command}` fail at first: run `{command}` right after changing it, before saying that it is done."


def _sent_back(gathered: Gathered, turn: Turn) -> list[dict[str, Any]]:
    """
    A mistake shown by a stop that was sent back: code had been edited and not tested since, and the tests that were run
    then passed. Running them would have been enough.
    """
    lines = [sent.line for sent in gathered.feedback if turn.line <= sent.line <= turn.last_line]
    if not lines:
        return []
    tests = [run for run in settled(gathered, turn) if run.kind is CommandKind.TEST and run.file is None]
    early = [run for run in tests if run.line < lines[0]]
    late = [run for run in tests if run.line > lines[0] and run.outcome is Outcome.PASSED]
    edits = [edit for edit in code_edits(gathered, turn) if edit.line < lines[0]]
    if not late or not edits or any(run.sequence > edits[-1].sequence for run in early):
        return []
    command = shown_command(late[0])
    text = f"Run `{command}` after the last edit and before ending the turn: a stop without it had to be sent back."
    return [_mistake(text, late[0])]


def _mistake(text: str, run: Run) -> dict[str, Any]:
    line = run.result_line or run.line
    return {"op": "ADD", "section": MISTAKES, "text": text, "source": "outcome", "line": line, "quote": run.quote[:300]}


def _paths(gathered: Gathered, edits: Sequence[Edit]) -> list[str]:
    root = gathered.ledger.cwd or ""
    names = [
        os.path.relpath(edit.path, root) if root and edit.path.startswith(root + os.sep) else edit.path
        for edit in edits
    ]
    return list(dict.fromkeys(names))


def _listed(paths: Sequence[str]) -> str:
    return " and ".join(f"`{path}`" for path in paths)


def _preferences(gathered: Gathered, turns: Sequence[Turn]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for turn in turns:
        said = [turn.prompt] if turn.kind == "human" else []
        said += [item.text for item in gathered.said if turn.line <= item.line <= turn.last_line]
        for text in said:
            for wish in read_preferences(text):
                operation = {
                    "op": "ADD",
                    "section": PREFERENCES,
                    "text": wish.text,
                    "source": "user",
                    "quote": wish.quote,
                    "line": turn.line,
                }
                found.setdefault(wish.text.lower(), operation)
    return list(found.values())


def _analysis(gathered: Gathered, turns: Sequence[Turn], tags: Sequence[Tag]) -> str:
    numbers = {turn.number for turn in turns}
    runs = [run for run in gathered.ledger.runs if run.turn in numbers and run.kind in GATES]
    passed = sum(run.outcome is Outcome.PASSED for run in runs)
    failed = sum(run.outcome is Outcome.FAILED for run in runs)
    edits = sum(edit.turn in numbers for edit in gathered.ledger.edits)
    cited = sorted({tag.name for tag in tags})
    return (
        f"Offline, judged by rule without a model: {_count(len(turns), 'turn')}, {_count(edits, 'edit')},"
        f" {_count(len(runs), 'run')} of tests and checks ({passed} passed, {failed} failed)."
        f" Cited: {', '.join(cited) if cited else 'nothing'}."
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
