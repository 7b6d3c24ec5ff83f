"""
Fields of an answer that take what models really send: `"ran": "yes"`, `"confidence": "90%"`, one string for a list.

What cannot be read is the default, which claims nothing.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

MAX_ITEMS = 20
MAX_ITEM = 400  # characters of one item; an item is a sentence
MAX_TEXT = 2_000

_YES = frozenset(
    {"true", "yes", "y", "1", "ran", "run", "done", "passed", "pass", "ok", "created", "checked"}
)
_NOTHING = re.compile(
    r"(?i)^\W*(?:none|nothing|nothing (?:left|remaining|else|more|further|is left)(?: to do)?|n/?a|not applicable|null"
    r"|no (?:(?:remaining|further|more|open|additional) )?(?:work|steps?|actions?|items?|tasks?)(?: (?:left|remaining|needed|required))?|)\W*$"
)


def _flag(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _YES
    return value is True or (
        isinstance(value, int | float) and not isinstance(value, bool) and value == 1
    )


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
            (
                row[key]
                for key in ("item", "text", "description", "task", "action", "issue", "title")
                if row.get(key)
            ),
            "",
        )
    text = " ".join(_text(row).split())
    return re.sub(r"^(?:(?:[-*•]|\d+[.)]|\[[ x]?\])\s+)+", "", text)[:MAX_ITEM].rstrip()


def _confidence(value: Any) -> float | None:
    """0 to 1; "90%", "90", "9/10", "0,9" and "high" are understood. None where nothing was said."""
    words = {
        "certain": 0.95,
        "very high": 0.95,
        "high": 0.9,
        "medium": 0.6,
        "moderate": 0.6,
        "low": 0.3,
    }
    if isinstance(value, str):
        text = value.strip().lower()
        if text in words:
            return words[text]
        number, _, most = text.replace(",", ".").replace("percent", "%").partition("/")
        try:
            value = float(number.rstrip("% ")) / (
                100 if number.rstrip().endswith("%") else float(most or 1)
            )
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


def one_of(
    table: Mapping[str, str], default: str, phrases: Sequence[tuple[str, str]] = ()
) -> BeforeValidator:
    """Reads a word as what the table says that it means. `phrases`: (pattern, meaning) for words that are not in it."""

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

_SEVERITY = {name.lower(): name for name in ("NONE", "LOW", "MEDIUM", "HIGH", "BLOCKER")} | {
    "critical": "BLOCKER",
    "major": "HIGH",
    **dict.fromkeys(("minor", "info", "nit"), "LOW"),
}


def severity_name(value: Any) -> str:
    """A severity's name out of what models write; `null` is no word on it, and not "NONE"."""
    return _SEVERITY.get(value.strip().lower(), "MEDIUM") if isinstance(value, str) else "MEDIUM"


class ModelAnswer(BaseModel):
    """What a model answers: fields that nobody asked for are passed over."""

    model_config = ConfigDict(extra="ignore", frozen=True)
