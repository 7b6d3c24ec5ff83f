"""What is wrong with a value of `reflection.yaml`, in the words of the file and not in those of the library that checks it."""

import difflib
from collections.abc import Iterable
from typing import Any

from pydantic_core import ErrorDetails

_MUST_BE = {
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "string_type": "must be text",
    "tuple_type": "must be a list, as in [first, second]",
    "dict_type": "must be a table of `key: value` lines",
    "model_type": "must be a table of `key: value` lines",
    "missing": "is missing",
}
_PATTERNS = {
    "base_url": "must begin with http:// or https://",
    "api_key_env": "must be the name of an environment variable, in capitals",
}
_LONGEST = 60  # of a value that is shown


def fault(error: ErrorDetails) -> str:
    """
    One fault of a value, with the value where it helps.

    An endpoint's values are never shown: a key may stand there by mistake, and an error ends in logs and reports.
    """
    place = [str(part) for part in error["loc"]]
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":  # a sentence of our own, which names what was found
        return str(context["error"])
    if kind == "extra_forbidden":
        return f"is no setting{near(place[-1], _ENDPOINT if place[0] == 'endpoints' else ())}"
    shown = (
        "" if place[0] == "endpoints" or kind == "missing" else f" (found {_short(error['input'])})"
    )
    return _must_be(kind, place, context, error["msg"]) + shown


def near(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?`, where something known is written alike."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"; did you mean `{close[0]}`?" if close else ""


_ENDPOINT = ("base_url", "api_key_env")


def _must_be(kind: str, place: list[str], context: dict[str, Any], otherwise: str) -> str:
    if kind == "literal_error":
        return f"must be {context['expected']}"
    if kind == "greater_than_equal":
        return f"must be at least {context['ge']}"
    if kind == "less_than_equal":
        return f"must be at most {context['le']}"
    if kind == "string_pattern_mismatch":
        return _PATTERNS[place[-1]]
    return _MUST_BE.get(kind, otherwise)


def _short(value: object) -> str:
    text = (
        "nothing"
        if value is None
        else str(value).lower()
        if isinstance(value, bool)
        else repr(value)
    )
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
