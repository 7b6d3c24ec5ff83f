"""Cuts on the way into a prompt leave no half of a secret, wherever they fall."""

from collections.abc import Callable

import pytest

from ace_reflect.assess.text import beginning, cut, ending, newest
from ace_reflect.redact import redact
from ace_reflect.text import shortened
from support.plants import IN_NAMES, Plants

_ONE_LINE = tuple(kind for kind in IN_NAMES if kind != "jwt")


def _newest(text: str, most: int) -> str:
    return newest(text.splitlines(), most, what="lines")


@pytest.mark.parametrize("short", [beginning, cut, ending, _newest, shortened])
def test_a_cut_at_any_place_leaves_nothing_of_a_secret_that_redaction_would_miss(
    short: Callable[[str, int], str],
) -> None:
    plants = Plants()
    paths = [f"src/file-{plants.one(kind, 'path')}.py" for kind in _ONE_LINE]
    text = f"line 1: {', '.join(paths)}\nline 2: edited {' '.join(paths)}"
    shown = [redact(short(text, most)) for most in range(60, len(text))]
    assert plants.leaks((f"cut at {60 + place}", piece) for place, piece in enumerate(shown)) == []
    assert all(len(piece) <= len(text) for piece in shown)


def test_an_ending_is_whole_lines_and_says_that_something_is_left_out() -> None:
    text = "collected 12 items\ntests/test_a.py F\n1 failed, 11 passed"
    assert ending(text, 30) == "… 1 failed, 11 passed"
    assert ending(text, 500) == text
