"""
Cross-model review: a reviewer and an auditor, models of other families than the author's, look at the change.

They see the task and the diff and nothing of the author's reasoning, are asked side by side, and once for the same
question: an answer is kept by what was asked, so the same changes are not paid for twice. A dissent goes back to the
session as a review comment, within the budget of attempts that all messages share.
"""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ace_reflect.assess.asker import Asker, ask_models
from ace_reflect.assess.consensus import AUDITOR, REVIEWER, Consensus, Finding, Review, held
from ace_reflect.assess.diff import Diff, read_diff
from ace_reflect.assess.evaluate import Opinion, combined, evaluate
from ace_reflect.assess.fields import ModelAnswer, Text, one_of, severity_name
from ace_reflect.assess.git import GitError
from ace_reflect.assess.message import plain, whole
from ace_reflect.assess.role import Role
from ace_reflect.assess.run import Outcome
from ace_reflect.assess.subject import Subject
from ace_reflect.assess.text import cut
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.facts import Outcome as Ended
from ace_reflect.gates.model import EndState, Judgement, Severity
from ace_reflect.state import cache
from ace_reflect.state.db import State
from ace_reflect.text import shortened

Json = dict[str, Any]
REVIEW_S = 150.0
TASK_CHARS = 6_000
INSTRUCTIONS_CHARS = 6_000
_MOST_FINDINGS = 10
_SHOWN = 3  # findings of one review in a message
_TOLD = "review-told"  # `cache` kind, by session: the changes over which it was sent back last


def _line(value: Any) -> int | None:
    """12, "12", "12-15" and "L12" are line 12."""
    found = (
        re.search(r"\d{1,7}", str(value))
        if value is not None and not isinstance(value, bool)
        else None
    )
    return int(found[0]) or None if found else None


_AGREES = (
    "approve",
    "approved",
    "approves",
    "accept",
    "accepted",
    "lgtm",
    "ok",
    "pass",
    "complete",
    "true",
)


class FindingAnswer(ModelAnswer):
    """One finding as models write it."""

    path: Text = ""
    line: Annotated[int | None, BeforeValidator(_line)] = None
    severity: Annotated[str, BeforeValidator(severity_name)] = "MEDIUM"
    problem: Text = ""
    fix: Text = ""


def _said(row: Mapping[str, Any], *names: str) -> str:
    return next(
        (row[name] for name in names if isinstance(row.get(name), str) and row[name].strip()), ""
    )


def _findings(value: Any) -> list[Any]:
    """The readable ones; a finding without a problem or a place is none."""
    rows = [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []
    named = [
        {**row, "path": _said(row, "path", "file"), "problem": _said(row, "problem", "issue")}
        for row in rows
    ]
    return [row for row in named if row["path"] and row["problem"]][:_MOST_FINDINGS]


class ReviewAnswer(ModelAnswer):
    """What a reviewer or an auditor answers."""

    verdict: Annotated[
        Literal["approve", "request_changes"],
        one_of(dict.fromkeys(_AGREES, "approve"), "request_changes"),
    ]
    summary: Text = ""
    findings: Annotated[list[FindingAnswer], BeforeValidator(_findings)] = Field(
        default_factory=list
    )


ROLES: Mapping[str, Role[ReviewAnswer]] = {
    name: Role(
        name, f"{name}.txt", ReviewAnswer, deadline_s=REVIEW_S, max_tokens=2_500, fresh_s=None
    )
    for name in (REVIEWER, AUDITOR)
}


@dataclass(frozen=True, slots=True)
class CrossReview:
    """
    What came of it. `record` is the artifact's `crossReview`; `repeated` says that the session was sent back over these
    very changes already.
    """

    consensus: Consensus
    record: Json
    repeated: bool = False


async def reviewed(
    outcome: Outcome,
    asker: Asker,
    subject: Subject,
    ledger: Ledger,
    judgement: Judgement,
    project: str,
) -> Outcome:
    """
    What a stop comes to when its changes were reviewed. `outcome`: what it came to before, complete by the rules' word
    or the assessment's. Over changes that it was sent back for already, the session is not sent back again.
    """
    author = (
        outcome.evaluation.opinion
        if outcome.evaluation is not None
        else Opinion(source="rules", complete=True)
    )
    task = (
        f"{subject.task}\n\nAsked before in this session:\n{subject.earlier}"
        if subject.earlier
        else subject.task
    )
    review = await cross_review(
        asker, project, ledger, author, task=task, instructions=subject.instructions
    )
    consensus = review.consensus
    outcome = replace(outcome, cross_review=review.record, asked=outcome.asked or consensus.heard)
    if not consensus.dissents:
        return outcome
    evaluation = evaluate(
        judgement, combined(author, *(dissent.opinion() for dissent in consensus.dissents))
    )
    if review.repeated:
        verdict = evaluation.verdict.replace(
            end_state=EndState.GAVE_UP, why_silent="nothing was changed since the review"
        )
        return replace(outcome, verdict=verdict, evaluation=None, line=standing(consensus))
    said = comment(consensus, attempt=judgement.history.attempts + 1, most=subject.max_attempts)
    return replace(outcome, verdict=evaluation.verdict, evaluation=evaluation, message=said)


async def cross_review(
    asker: Asker,
    project: str,
    ledger: Ledger,
    author: Opinion,
    *,
    task: str,
    instructions: str = "",
) -> CrossReview:
    """
    Ask both about the changes of the checkout. Never raises an `Exception` for what git or a model does.

    `author`: what the work was taken for before, by rule or by the assessment.
    """
    started = time.monotonic()
    try:
        diff = await asyncio.to_thread(_changes, asker, project, ledger)
    except (GitError, OSError, ValueError) as error:
        return CrossReview(Consensus(author, ()), {"error": asker.clean(str(error))[:300]})
    if not diff.text.strip():
        return CrossReview(
            Consensus(author, ()), {"error": "nothing has changed that could be reviewed"}
        )
    values = _values(task, diff, instructions)
    settings = asker.config.settings
    specs = {REVIEWER: settings.review_reviewer, AUDITOR: settings.review_auditor}
    asked = [_one(role, spec, values, diff, asker) for role, spec in specs.items() if spec]
    consensus = Consensus(author, await asyncio.gather(*asked))
    record = {
        "base": diff.base,
        "digest": diff.digest,
        "files": list(diff.files[:200]),
        "leftOut": list(diff.left_out[:50]),
        "reviews": [review.to_json() for review in consensus.reviews],
        "consensus": consensus.to_json(),
        "ms": round((time.monotonic() - started) * 1000),
    }
    return CrossReview(consensus, record, repeated=_told(asker) == diff.digest)


def remember(state: State, session: str, record: Mapping[str, Any]) -> None:
    """Note that the session is sent back over these changes. `record`: the `crossReview` with their digest."""
    cache.put(state, _TOLD, session, "", str(record.get("digest", "")).encode())


def _told(asker: Asker) -> str:
    raw = cache.get(asker.state, _TOLD, asker.session, "")
    return raw.decode("utf-8", "replace") if raw is not None else ""


def _changes(asker: Asker, project: str, ledger: Ledger) -> Diff:
    commits = sum(commit.outcome is Ended.PASSED for commit in ledger.commits)
    edited = dict.fromkeys(edit.path for edit in ledger.edits)
    return read_diff(
        project,
        asker.environ,
        first=edited,
        commits=commits,
        patterns=asker.config.redaction_patterns,
    )


def _values(task: str, diff: Diff, instructions: str) -> dict[str, str]:
    return {
        "task": cut(task, TASK_CHARS) or "(not known)",
        "instructions": cut(instructions, INSTRUCTIONS_CHARS) or "(none)",
        "diff": diff.text,
        "left_out": "; ".join(diff.left_out[:50]) or "nothing",
    }


async def _one(role: str, spec: str, values: Mapping[str, str], diff: Diff, asker: Asker) -> Review:
    told = await ask_models(ROLES[role], values, asker, models=(spec,))
    if told.value is None:
        return Review(role, spec, why=told.why or "no answer")
    found = [
        Finding(
            one.path,
            one.line,
            Severity[one.severity],
            asker.clean(one.problem),
            asker.clean(one.fix),
        )
        for one in told.value.findings
    ]
    kept, struck = held(role, found, diff.files)
    approves = told.value.verdict == "approve"
    return Review(
        role,
        spec,
        approves,
        asker.clean(told.value.summary),
        kept,
        struck,
        cached=told.source == "cache",
    )


# ------------------------------------------------------------------ what is said


def comment(consensus: Consensus, *, attempt: int, most: int) -> str:
    """The review comment to the session. It quotes; what is done about it is decided by who reads the code."""
    parts = [_block(review) for review in consensus.dissents]
    parts.append(
        "Check each of these against the code. Fix what holds and show that it works; of what does not hold, say in one"
        " sentence why."
    )
    parts.append(
        f"This is the last message ({attempt}/{most})."
        if attempt >= most
        else f"Attempt {attempt} of {most}."
        if attempt > 1
        else ""
    )
    return whole(parts)


def _block(review: Review) -> str:
    head = f"Code review comment by the {review.role} ({review.spec}), {review.severity.name}:"
    rows = []
    for finding in review.grave[:_SHOWN]:
        place = f"{finding.path}:{finding.line}" if finding.line else finding.path
        fix = f" Fix: {plain(finding.fix, 120)}." if finding.fix else ""
        rows.append(f"  {plain(place, 120)}  {plain(finding.problem, 180)}.{fix}")
    more = len(review.grave) - _SHOWN
    return "\n".join([head, *rows, *([f"  and {more} more"] if more > 0 else [])])


def standing(consensus: Consensus) -> str:
    """The line to the person where an objection stands and nothing more is said to the session."""
    first = consensus.dissents[0]
    return f"The {first.role}'s objection stands: {shortened('; '.join(str(finding) for finding in first.grave[:2]), 300)}"
