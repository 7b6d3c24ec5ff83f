"""What models answer, in whatever form they send it ("90%", one string for a list); what cannot be read claims nothing."""

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ace_reflect.gates.model import StopKind

MAX_ITEMS, MAX_ITEM, MAX_TEXT = 20, 400, 2_000  # items, and characters of one and of a text
_BULLETS = re.compile(r"^(?:(?:[-*•]|\d+[.)]|\[[ x]?\])\s+)+")
#: "None", "Nothing left to do", "No further work is required", "Everything requested was completed".
_NOTHING = re.compile(
    r"(?i)^\W*(?:|none|n/?a|null|not applicable|nothing(?: (?:else|more|further|is|left|remaining|required|to|do))*"
    r"|no (?:\w+ )?(?:work|steps?|actions?|items?|tasks?)(?: (?:is|are|left|remaining|remains?|needed|required))*"
    r"|(?:everything|all)\b.*\b(?:is|was|are|were|been)\W+(?:done|completed?|finished))\W*$"
)
#: Meaning -> other spellings of it.
_WEIGHT = {"NONE": "", "LOW": "minor info nit", "HIGH": "major", "BLOCKER": "critical"}
_KIND = dict.fromkeys(StopKind, "") | {StopKind.GENUINELY_STUCK: "stuck"}
_STATUS = {
    "complete": "completed done finished success true",
    "in_progress": "incomplete ongoing unfinished false partial* partly* mostly* nearly* almost* half*"
    " not_complete* not_done* not_finished* not_started* not_yet*",
    "working": "running",
    "blocked": "blocked_on_*",
    "stuck": "genuinely_stuck",
    "waiting_for_user": "wait* await* needs_user* needs_human*",
}


def _flag(value: Any) -> bool:
    return str(value).strip().lower() in {"true", "yes", "y", "1", "1.0", "ran", "done", "passed"}


def _text(value: Any) -> str:
    text = "" if value is None or isinstance(value, dict | list | bool) else str(value)
    return text.encode("utf-8", "replace").decode("utf-8").strip()[:MAX_TEXT].rstrip()


def _items(value: Any) -> list[str]:
    """A list of sentences, whatever it came as; "none" and the like are dropped."""
    if isinstance(value, str):
        value = value.split("\n")
    if isinstance(value, Mapping):
        value = list(value.values())
    found = [_item(row) for row in value] if isinstance(value, list | tuple) else []
    return [row for row in found if not _NOTHING.match(row)][:MAX_ITEMS]


def _item(row: Any) -> str:
    if isinstance(row, Mapping):
        row = next((value for value in row.values() if isinstance(value, str)), "")
    return _BULLETS.sub("", " ".join(_text(row).split()))[:MAX_ITEM].rstrip()


def _confidence(value: Any) -> float:
    """0 to 1; "90%", "90" and "0,9" are understood. An answer without one counts as 0.5."""
    try:
        number = float(str(value).strip().rstrip("% ").replace(",", "."))
    except ValueError:
        return 0.5
    sure = number / 100 if number > 1 else number
    return sure if 0 <= sure <= 1 else 0.5


def one_of(meanings: Mapping[str, str], default: str = "") -> BeforeValidator:
    """Reads a word as one of `meanings`, each by its own name or by other spellings (`fnmatch` patterns)."""

    def read(value: Any) -> str:
        word = "" if value is None else "_".join(re.findall("[a-z]+", str(value)[:200].lower()))
        for meaning, spellings in meanings.items():
            if any(fnmatchcase(word, other) for other in (meaning.lower(), *spellings.split())):
                return meaning
        return default

    return BeforeValidator(read)


Flag = Annotated[bool, BeforeValidator(_flag)]
Text = Annotated[str, BeforeValidator(_text)]
Items = Annotated[list[str], BeforeValidator(_items)]
Confidence = Annotated[float, BeforeValidator(_confidence)]
SeverityName = Annotated[
    Literal["NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER"], one_of(_WEIGHT, "MEDIUM")
]
Status = Literal["complete", "in_progress", "working", "blocked", "stuck", "waiting_for_user"]
ActionName = Literal["needs_github_update", "continue_task", "needs_clarification", "task_complete"]


class ModelAnswer(BaseModel):
    """What a model answers; fields that nobody asked for are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Tests(ModelAnswer):
    ran: Flag = False
    results: Text = "unknown"
    ran_after_changes: Flag = False
    commands: Items = Field(default_factory=list)
    skipped: Flag = False
    skip_reason: Text = ""


class Build(ModelAnswer):
    ran: Flag = False
    results: Text = "unknown"


class Pr(ModelAnswer):
    created: Flag = False
    url: Text = ""
    ci_status: Text = "unknown"
    checked: Flag = False


class Assessment(ModelAnswer):
    """The self-assessment of the specification's contract."""

    task_summary: Text = ""
    task_type: Text = ""
    status: Annotated[Status, one_of(_STATUS)]
    confidence: Confidence = 0.5
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
        """The contract's nested form out of `tests.ran`, `tests_ran` and `evidence.tests.ran`, too."""
        if not isinstance(data, Mapping):
            return data
        inside = data.get("evidence")
        data = (dict(inside) if isinstance(inside, Mapping) else {}) | dict(data)
        for part in ("tests", "build", "pr"):
            keys = [key for key in data if str(key).startswith((f"{part}.", f"{part}_"))]
            flat = {key[len(part) + 1 :]: data[key] for key in keys}
            given = data.get(part)
            data[part] = flat | (dict(given) if isinstance(given, Mapping) else {})
        return data


class JudgeAnswer(ModelAnswer):
    """The fallback judge's verdict."""

    complete: Flag
    severity: SeverityName = "MEDIUM"
    feedback: Text = ""
    missing: Items = Field(default_factory=list)
    next_actions: Items = Field(default_factory=list)
    requires_human_action: Flag = False


class StopKindAnswer(ModelAnswer):
    """How the answer presents itself."""

    kind: Annotated[StopKind, one_of(_KIND)]
    confidence: Confidence = 0.5
    why: Text = ""


class CompactionAnswer(ModelAnswer):
    """What to do after a compaction. `current_work` is one sentence on the state of the work."""

    action: ActionName
    confidence: Confidence = 0.5
    current_work: Text = ""
