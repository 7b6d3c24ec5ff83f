"""
What the models answer, as pydantic models that take what models really send.

`"ran": "yes"`, `"confidence": "90%"`, one string where a list belongs, `tests_ran` flat instead of `tests.ran` nested,
`evidence` around it or not: all of it is read. What cannot be read is the default, which claims nothing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

MAX_ITEMS = 20
MAX_ITEM = 400  # characters of one item; an item is a sentence
MAX_TEXT = 2_000

_YES = frozenset({"true", "yes", "y", "1", "ran", "run", "done", "passed", "pass", "ok", "created", "checked"})
_NOTHING = re.compile(
    r"(?i)^\W*(?:none|nothing|nothing (?:left|remaining|else|more|further|is left)(?: to do)?|n/?a|not applicable|null"
    r"|no (?:(?:remaining|further|more|open|additional) )?(?:work|steps?|actions?|items?|tasks?)(?: (?:left|remaining|needed|required))?|)\W*$"
)


def _flag(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _YES
    return value is True or (isinstance(value, int | float) and not isinstance(value, bool) and value == 1)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return "" if value is None or isinstance(value, dict | list | bool) else str(value)
    return value.encode("utf-8", "replace").decode("utf-8").strip()[:MAX_TEXT].rstrip()


def _items(value: Any) -> list[str]:
    """A list of sentences, whatever it came as; "none" and its like are no item."""
    if isinstance(value, str):
        value = [line for line in re.split(r"\n+", value) if line.strip()]
    if isinstance(value, Mapping):
        value = list(value.values())
    found = [_item(row) for row in value] if isinstance(value, list | tuple) else []
    return [row for row in found if row and not _NOTHING.match(row)][:MAX_ITEMS]


def _item(row: Any) -> str:
    if isinstance(row, Mapping):
        row = next(
            (row[key] for key in ("item", "text", "description", "task", "action", "issue", "title") if row.get(key)),
            "",
        )
    text = " ".join(_text(row).split())
    return re.sub(r"^(?:(?:[-*•]|\d+[.)]|\[[ x]?\])\s+)+", "", text)[:MAX_ITEM].rstrip()


def _confidence(value: Any) -> float | None:
    """0 to 1; "90%", "90", "9/10", "0,9" and "high" are understood. None where nothing was said."""
    words = {"certain": 0.95, "very high": 0.95, "high": 0.9, "medium": 0.6, "moderate": 0.6, "low": 0.3}
    if isinstance(value, str):
        text = value.strip().lower()
        if text in words:
            return words[text]
        number, _, most = text.replace(",", ".").replace("percent", "%").partition("/")
        try:
            value = float(number.rstrip("% ")) / (100 if number.rstrip().endswith("%") else float(most or 1))
        except (ValueError, ZeroDivisionError):
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value < 0:  # noqa: PLR0124 - NaN
        return None
    if value >= 100:  # a number of any length: too long a one can be divided by nothing
        return 1.0
    return value / 100 if value > 1 else float(value)


def certainty(confidence: float | None) -> float:
    """How sure an answer is; one that does not say is as likely right as wrong."""
    return 0.5 if confidence is None else confidence


def one_of(table: Mapping[str, str], default: str, phrases: Sequence[tuple[str, str]] = ()) -> BeforeValidator:
    """`phrases`: (pattern, what it stands for), for a word that the table does not hold."""

    def read(value: Any) -> str:
        if value is True or value is False:
            return table.get(str(value).lower(), default)
        word = re.sub(r"[^a-z]+", "_", str(value)[:200].strip().lower()).strip("_")
        by_phrase = (meant for pattern, meant in phrases if re.fullmatch(pattern, word))
        return table.get(word) or next(by_phrase, default)

    return BeforeValidator(read)


Flag = Annotated[bool, BeforeValidator(_flag)]
Text = Annotated[str, BeforeValidator(_text)]
Items = Annotated[list[str], BeforeValidator(_items)]
Confidence = Annotated[float | None, BeforeValidator(_confidence)]

_RESULTS = {
    **dict.fromkeys(("pass", "passed", "passing", "success", "successful", "succeeded", "ok", "green", "true"), "pass"),
    **dict.fromkeys(("fail", "failed", "failing", "failure", "error", "errors", "red", "false", "partial"), "fail"),
}
_CI = {**_RESULTS, **dict.fromkeys(("pending", "running", "in_progress", "queued", "waiting"), "pending")}
_STATUS = {
    **dict.fromkeys(("complete", "completed", "done", "finished", "success", "true"), "complete"),
    **dict.fromkeys(
        ("in_progress", "incomplete", "working", "partial", "partially_complete", "not_complete", "ongoing", "false"),
        "in_progress",
    ),
    **dict.fromkeys(("blocked", "blocked_on_human", "blocked_on_user"), "blocked"),
    **dict.fromkeys(("stuck", "genuinely_stuck"), "stuck"),
    **dict.fromkeys(
        ("waiting_for_user", "waiting", "waiting_for_input", "waiting_on_user", "needs_user", "needs_user_input"),
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
_SEVERITY = {name.lower(): name for name in ("NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER")} | {
    "critical": "BLOCKER",
    "major": "HIGH",
    **dict.fromkeys(("minor", "info", "nit"), "LOW"),
}


class ModelAnswer(BaseModel):
    """What a model answers: fields that nobody asked for are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)


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
    found = {**({_snake(str(k)): v for k, v in inside.items()} if isinstance(inside, Mapping) else {}), **flat}
    for part, names in _PARTS.items():
        given = found.get(part)
        known = {_snake(str(key)): value for key, value in given.items()} if isinstance(given, Mapping) else {}
        for name in names:
            for spelled in (f"{part}.{name}", f"{part}_{name}", f"evidence.{part}.{name}"):
                if spelled in found:
                    known.setdefault(name, found[spelled])
        found[part] = known
    return found


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", key.strip()).lower().replace("-", "_").replace(" ", "_")


# ------------------------------------------------------------------ judge


def severity_name(value: Any) -> str:
    """A severity's name out of what models write; `null` is no word on it, and not "NONE"."""
    return _SEVERITY.get(value.strip().lower(), "MEDIUM") if isinstance(value, str) else "MEDIUM"


class JudgeAnswer(ModelAnswer):
    """The fallback judge's verdict."""

    complete: Flag
    severity: Annotated[Literal["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"], BeforeValidator(severity_name)] = "MEDIUM"
    feedback: Text = ""
    missing: Items = Field(default_factory=list)
    next_actions: Items = Field(default_factory=list)
    requires_human_action: Flag = False

    @model_validator(mode="before")
    @classmethod
    def _snaked(cls, data: Any) -> Any:
        return {_snake(str(key)): value for key, value in data.items()} if isinstance(data, Mapping) else data


# ------------------------------------------------------------------ stop kind, compaction

_KINDS = {
    **dict.fromkeys(("genuinely_stuck", "stuck"), "genuinely_stuck"),
    **dict.fromkeys(("waiting_for_user", "waiting", "waiting_for_user_legitimate"), "waiting_for_user"),
    **dict.fromkeys(("working", "in_progress", "running"), "working"),
    **dict.fromkeys(("complete", "completed", "done"), "complete"),
}


class StopKindAnswer(ModelAnswer):
    """How the answer presents itself. `reason` may hold the kind, as in an older form of the contract."""

    kind: Annotated[Literal["genuinely_stuck", "waiting_for_user", "working", "complete"], one_of(_KINDS, "")]
    confidence: Confidence = None
    why: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _older_form(cls, data: Any) -> Any:
        if not isinstance(data, Mapping) or "kind" in data:
            return data
        named = next(
            (data[key] for key in ("reason", "status", "state", "classification", "label") if key in data), None
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
        Literal["needs_github_update", "continue_task", "needs_clarification", "task_complete"], one_of(_ACTIONS, "")
    ]
    confidence: Confidence = None
    current_work: Text = ""
