"""
What the models answer about a stop or a compaction, as pydantic models.

Their fields take what models really send (`fields`); `tests_ran` flat instead of `tests.ran` nested, `evidence` around it or
not, and the names of older forms are read as well.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ace_reflect.assess.fields import (
    Confidence,
    Flag,
    Items,
    ModelAnswer,
    Text,
    certainty,
    one_of,
    severity_name,
)

_RESULTS = {
    **dict.fromkeys(
        ("pass", "passed", "passing", "success", "successful", "succeeded", "ok", "green", "true"),
        "pass",
    ),
    **dict.fromkeys(
        ("fail", "failed", "failing", "failure", "error", "errors", "red", "false", "partial"),
        "fail",
    ),
}
_CI = {
    **_RESULTS,
    **dict.fromkeys(("pending", "running", "in_progress", "queued", "waiting"), "pending"),
}
_STATUS = {
    **dict.fromkeys(("complete", "completed", "done", "finished", "success", "true"), "complete"),
    **dict.fromkeys(
        (
            "in_progress",
            "incomplete",
            "working",
            "partial",
            "partially_complete",
            "not_complete",
            "ongoing",
            "false",
        ),
        "in_progress",
    ),
    **dict.fromkeys(("blocked", "blocked_on_human", "blocked_on_user"), "blocked"),
    **dict.fromkeys(("stuck", "genuinely_stuck"), "stuck"),
    **dict.fromkeys(
        (
            "waiting_for_user",
            "waiting",
            "waiting_for_input",
            "waiting_on_user",
            "needs_user",
            "needs_user_input",
        ),
        "waiting_for_user",
    ),
}
#: "mostly complete", "not started", "awaiting user input": said with more words than the five have.
_STATUS_PHRASES = (
    (
        r"(?:not|in|un|partial(?:ly)?|partly|mostly|nearly|almost|half)_?(?:yet_)?(?:complete|completed|done|finished|started)",
        "in_progress",
    ),
    (
        r"(?:a?waiting|waits|needs?)_(?:(?:for|on)_)?(?:the_)?(?:user|human|person)(?:_(?:input|action|response|decision|confirmation|approval))?",
        "waiting_for_user",
    ),
)
Results = Annotated[Literal["pass", "fail", "unknown"], one_of(_RESULTS, "unknown")]
CiStatus = Annotated[Literal["pass", "fail", "pending", "unknown"], one_of(_CI, "unknown")]

# ------------------------------------------------------------------ self-assessment


class Tests(ModelAnswer):
    ran: Flag = False
    results: Results = "unknown"
    ran_after_changes: Flag = False
    commands: Items = Field(default_factory=list)
    skipped: Flag = False
    skip_reason: Text = ""


class Build(ModelAnswer):
    ran: Flag = False
    results: Results = "unknown"


class Pr(ModelAnswer):
    created: Flag = False
    url: Text = ""
    ci_status: CiStatus = "unknown"
    checked: Flag = False


class Assessment(ModelAnswer):
    """The self-assessment of the specification's contract."""

    task_summary: Text = ""
    task_type: Text = ""
    status: Annotated[
        Literal["complete", "in_progress", "blocked", "stuck", "waiting_for_user"],
        one_of(_STATUS, "", _STATUS_PHRASES),
    ]
    confidence: Confidence = None
    tests: Tests = Field(default_factory=Tests)
    build: Build = Field(default_factory=Build)
    pr: Pr = Field(default_factory=Pr)
    remaining_work: Items = Field(default_factory=list)
    next_steps: Items = Field(default_factory=list)
    needs_user_action: Items = Field(default_factory=list)
    stuck: Flag = False
    alternate_approach: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _nested(cls, data: Any) -> Any:
        return nested(data)

    @property
    def certainty(self) -> float:
        return certainty(self.confidence)


_PARTS: Mapping[str, tuple[str, ...]] = {
    "tests": tuple(Tests.model_fields),
    "build": tuple(Build.model_fields),
    "pr": tuple(Pr.model_fields),
}


def nested(data: Any) -> Any:
    """
    The contract's nested form out of any of its spellings: `evidence.tests.ran`, `tests.ran`, `"tests.ran": …`,
    `tests_ran`, camelCase. The most explicit one wins.
    """
    if not isinstance(data, Mapping):
        return data
    flat = {_snake(str(key)): value for key, value in data.items()}
    inside = flat.get("evidence")
    found = {
        **({_snake(str(k)): v for k, v in inside.items()} if isinstance(inside, Mapping) else {}),
        **flat,
    }
    for part, names in _PARTS.items():
        given = found.get(part)
        known = (
            {_snake(str(key)): value for key, value in given.items()}
            if isinstance(given, Mapping)
            else {}
        )
        for name in names:
            for spelled in (f"{part}.{name}", f"{part}_{name}", f"evidence.{part}.{name}"):
                if spelled in found:
                    known.setdefault(name, found[spelled])
        found[part] = known
    return found


def _snake(key: str) -> str:
    return (
        re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", key.strip())
        .lower()
        .replace("-", "_")
        .replace(" ", "_")
    )


# ------------------------------------------------------------------ judge


class JudgeAnswer(ModelAnswer):
    """The fallback judge's verdict."""

    complete: Flag
    severity: Annotated[
        Literal["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"], BeforeValidator(severity_name)
    ] = "MEDIUM"
    feedback: Text = ""
    missing: Items = Field(default_factory=list)
    next_actions: Items = Field(default_factory=list)
    requires_human_action: Flag = False

    @model_validator(mode="before")
    @classmethod
    def _snaked(cls, data: Any) -> Any:
        return (
            {_snake(str(key)): value for key, value in data.items()}
            if isinstance(data, Mapping)
            else data
        )


# ------------------------------------------------------------------ stop kind, compaction

_KINDS = {
    **dict.fromkeys(("genuinely_stuck", "stuck"), "genuinely_stuck"),
    **dict.fromkeys(
        ("waiting_for_user", "waiting", "waiting_for_user_legitimate"), "waiting_for_user"
    ),
    **dict.fromkeys(("working", "in_progress", "running"), "working"),
    **dict.fromkeys(("complete", "completed", "done"), "complete"),
}


class StopKindAnswer(ModelAnswer):
    """How the answer presents itself. `reason` may hold the kind, as in an older form of the contract."""

    kind: Annotated[
        Literal["genuinely_stuck", "waiting_for_user", "working", "complete"], one_of(_KINDS, "")
    ]
    confidence: Confidence = None
    why: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _older_form(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or "kind" in data:
            return data
        named = next(
            (
                data[key]
                for key in ("reason", "status", "state", "classification", "label")
                if key in data
            ),
            None,
        )
        return {**data, "kind": named, "why": data.get("why") or data.get("explanation") or ""}


_ACTIONS = {
    **dict.fromkeys(("needs_github_update", "github_update"), "needs_github_update"),
    **dict.fromkeys(("continue_task", "continue"), "continue_task"),
    **dict.fromkeys(("needs_clarification", "clarify", "clarification"), "needs_clarification"),
    **dict.fromkeys(("task_complete", "complete", "done"), "task_complete"),
}


class CompactionAnswer(ModelAnswer):
    """What to do after a compaction. `current_work` is one sentence on where the work stands."""

    action: Annotated[
        Literal["needs_github_update", "continue_task", "needs_clarification", "task_complete"],
        one_of(_ACTIONS, ""),
    ]
    confidence: Confidence = None
    current_work: Text = ""
