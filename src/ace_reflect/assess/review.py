"""Cross-model review: models of other families than the author's look at the change, and at nothing of the reasoning.

A dissent needs a finding, graver than LOW, in a file that was changed; it goes back to the session as a comment, within
the budget that all messages share. Who could not be asked abstains and holds nobody up.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from ace_reflect.assess.answers import ModelAnswer, SeverityName, Text, one_of
from ace_reflect.assess.diff import Diff, GitError, read_diff
from ace_reflect.assess.evaluate import Opinion, evaluate
from ace_reflect.assess.message import plain, whole
from ace_reflect.assess.role import Asker, Role, ask_models
from ace_reflect.assess.stop import Json, Outcome
from ace_reflect.assess.subject import Subject
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.model import EndState, Judgement, Severity
from ace_reflect.state import cache
from ace_reflect.state.db import State
from ace_reflect.text import cut_middle, shortened

REVIEWER, AUDITOR = "reviewer", "auditor"
MOST_CHARS = 6_000  # of the task, and of the project's instructions each
_SHOWN = 3  # findings of one review in a message
_TOLD = "review-told"  # `cache` kind, by session: the changes it was last sent back for


def _line(value: Any) -> int | None:
    """12, "12", "12-15" and "L12" are line 12."""
    found = re.search(r"\d{1,7}", str(value))
    return int(found[0]) or None if found else None


class Finding(ModelAnswer):
    """One objection to a change. `line` is the new file's, None where none was named."""

    path: Text = ""
    line: Annotated[int | None, BeforeValidator(_line)] = None
    severity: SeverityName = "MEDIUM"
    problem: Text = ""
    fix: Text = ""

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        return f"{self.place}: {shortened(self.problem, 300)}"


def _findings(value: Any) -> list[Finding]:
    """The usable ones: a finding needs a problem and a place."""
    rows = [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []
    found = [Finding.model_validate(row) for row in rows]
    return [one for one in found if one.path and one.problem][:10]


_VERDICT = {"approve": "approve* accept* lgtm ok pass complete true"}


class ReviewAnswer(ModelAnswer):
    """What a reviewer or an auditor answers."""

    verdict: Annotated[Literal["approve", "request_changes"], one_of(_VERDICT, "request_changes")]
    summary: Text = ""
    findings: Annotated[list[Finding], BeforeValidator(_findings)] = Field(default_factory=list)


ROLES: Mapping[str, Role[ReviewAnswer]] = {
    name: Role(name, ReviewAnswer, deadline_s=150.0, max_tokens=2_500)
    for name in (REVIEWER, AUDITOR)
}


class Review(NamedTuple):
    """What one of them said: `record` for the artifact; a dissent where there are `grave` findings, the gravest first."""

    record: Json
    grave: list[Finding]
    severity: Severity = Severity.NONE


async def reviewed(
    found: Outcome, asker: Asker, about: Subject, ledger: Ledger, judgement: Judgement, project: str
) -> Outcome:
    """The outcome of a stop, `found` complete so far, after a review of the checkout's changes. A session is not sent back
    twice for the same changes. Never raises an `Exception` for what git or a model does.
    """
    commits = sum(commit.outcome.value == "passed" for commit in ledger.commits)
    edited = dict.fromkeys(edit.path for edit in ledger.edits)
    patterns = asker.config.settings.redaction_patterns
    how: Json = {"first": edited, "commits": commits, "patterns": patterns}
    try:
        diff = await asyncio.to_thread(read_diff, project, asker.environ, **how)
        if not diff.text.strip():
            raise GitError("nothing has changed that could be reviewed")  # noqa: TRY301
    except (GitError, OSError, ValueError) as error:
        return replace(found, cross_review={"error": asker.clean(str(error), 300)})
    reviews = await _ask_both(asker, about, diff)
    # The gravest first; in a tie the auditor before the reviewer.
    dissents = (review for review in reversed(reviews) if review.grave)
    against = sorted(dissents, key=lambda review: -review.severity)
    abstentions = [one.record["role"] for one in reviews if "error" in one.record]
    severity = against[0].severity if against else Severity.NONE
    record = {
        "base": diff.base,
        "digest": diff.digest,
        "files": list(diff.files[:200]),
        "leftOut": list(diff.left_out[:50]),
        "reviews": [review.record for review in reviews],
        "consensus": {
            "complete": not against,
            "severity": severity.name,
            "dissents": [review.record["role"] for review in against],
            "abstentions": abstentions,
        },
    }
    asked = found.asked or len(abstentions) < len(reviews)
    outcome = replace(found, cross_review=record, asked=asked)
    if not against:
        return outcome
    missing = tuple(str(finding) for review in against for finding in review.grave)
    opinion = Opinion(source="review", complete=False, severity=severity, missing=missing)
    evaluation = evaluate(judgement, opinion)
    if cache.get(asker.state, _TOLD, asker.session, "") == diff.digest.encode():
        why = "nothing was changed since the review"
        verdict = evaluation.verdict.replace(end_state=EndState.GAVE_UP, why_silent=why)
        stands = shortened("; ".join(missing[:2]), 300)
        line = f"The {against[0].record['role']}'s objection stands: {stands}"
        return replace(outcome, verdict=verdict, evaluation=None, line=line)
    attempt, most = judgement.history.attempts + 1, asker.config.settings.max_attempts
    message = comment(against, attempt=attempt, most=most)
    return replace(outcome, verdict=evaluation.verdict, evaluation=evaluation, message=message)


def remember(state: State, session: str, record: Mapping[str, Any]) -> None:
    """Note that the session is sent back for these changes. `record`: the `crossReview` with their digest."""
    cache.put(state, _TOLD, session, "", str(record.get("digest", "")).encode())


async def _ask_both(asker: Asker, subject: Subject, diff: Diff) -> list[Review]:
    task = f"{subject['task']}\n\nAsked before in this session:\n{subject['earlier']}"
    values = {
        "task": cut_middle(task, MOST_CHARS),
        "instructions": cut_middle(subject["rules"], MOST_CHARS) or "(none)",
        "diff": diff.text,
        "left_out": "; ".join(diff.left_out[:50]) or "nothing",
    }
    settings = asker.config.settings
    models = {REVIEWER: settings.review_reviewer, AUDITOR: settings.review_auditor}
    asked = [_ask(role, model, values, diff, asker) for role, model in models.items() if model]
    return await asyncio.gather(*asked)


async def _ask(
    role: str, model: str, values: Mapping[str, str], diff: Diff, asker: Asker
) -> Review:
    told = await ask_models(ROLES[role], values, asker, models=(model,))
    record: Json = {"role": role, "model": model, "cached": told.source == "cache"}
    if told.value is None:
        return Review({**record, "verdict": "abstains", "error": told.why}, [])
    grave, struck_out = held(role, told.value, diff.files, asker.clean)
    record |= {
        "verdict": "dissents" if grave else "approves",
        "summary": asker.clean(told.value.summary),
        "findings": [finding.model_dump() for finding in grave],
        "struckOut": struck_out,
    }
    return Review(record, grave, Severity[grave[0].severity] if grave else Severity.NONE)


def held(
    role: str, answer: ReviewAnswer, changed: tuple[str, ...], clean: Callable[[str], str] = str
) -> tuple[list[Finding], list[str]]:
    """A dissent's findings, the gravest first; and those struck out, about files that were not changed."""
    grave, struck = [], []
    for finding in answer.findings:
        mine = f"/{finding.path}"
        meant = [each for each in changed if f"/{each}".endswith(mine) or mine.endswith(f"/{each}")]
        exact = [each for each in meant if each == finding.path] or meant
        most = Severity.BLOCKER if role == AUDITOR else Severity.HIGH  # only the auditor's
        weight = min(Severity[finding.severity], most)
        if len(exact) != 1:
            struck.append(clean(str(finding)))
        elif answer.verdict != "approve" and weight > Severity.LOW:
            texts = {"problem": clean(finding.problem), "fix": clean(finding.fix)}
            found = {"path": exact[0], "severity": weight.name, **texts}
            grave.append(finding.model_copy(update=found))
    return sorted(grave, key=lambda finding: -Severity[finding.severity]), struck


def comment(against: list[Review], *, attempt: int, most: int) -> str:
    """The review comment to the session. It only quotes: whoever reads the code decides what to do."""
    parts = []
    for review in against:
        by = f"{review.record['role']} ({review.record['model']}), {review.severity.name}"
        parts.append(f"Code review comment by the {by}:")
        for finding in review.grave[:_SHOWN]:
            fix = f" Fix: {plain(finding.fix, 120)}." if finding.fix else ""
            parts.append(f"  {plain(finding.place, 120)}  {plain(finding.problem, 180)}.{fix}")
        more = len(review.grave) - _SHOWN
        parts += [f"  and {more} more"] if more > 0 else []
    parts.append(
        "Check each of these against the code. Fix what holds and show that it works; of what does not hold, say in one"
        " sentence why."
    )
    last = f"This is the last message ({attempt}/{most})."
    count = f"Attempt {attempt} of {most}." if attempt > 1 else ""
    return whole([*parts, last if attempt >= most else count])
