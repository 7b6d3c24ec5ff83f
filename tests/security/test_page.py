"""SECURITY.md names the attacks that are tried: each of them is there."""

import re
from pathlib import Path

from ace_reflect import redact
from support.plants import KINDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text()


def test_every_test_that_the_page_names_exists() -> None:
    tests = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    assert set(re.findall(r"`(test_\w+)`", PAGE)) <= tests
    for place in re.findall(r"`(tests/[\w/.]+)`", PAGE):
        assert (ROOT / place).exists(), place


def test_the_counts_on_the_page_are_right_and_the_page_is_short() -> None:
    signs = [sign for _, signs, _ in redact._TOKENS for sign in signs.split()]
    assert f"({len(signs)} beginnings of keys and tokens)" in PAGE
    assert f"{len(KINDS)} kinds are planted" in PAGE
    assert PAGE.count("\n") < 120
