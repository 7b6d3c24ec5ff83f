"""Which edits change nothing that runs, and what they are called."""

import time

import pytest

from ace_reflect.evidence.trivial_edits import trivial_change


@pytest.mark.parametrize(
    ("path", "removed", "added", "called"),
    [
        ("a.py", [], [], ""),
        ("a.py", [""], ["  "], "blank lines"),
        ("a.py", ["# one"], ["# another"], "comments"),
        ("a.py", ["x = 1  # noqa"], ["x = 1"], "lint directives"),
        ("a.py", ["x = 1"], ["x = 2"], ""),
        ("a.py", [], ['"""', "What it does.", '"""'], "comments"),
        ("a.py", [], ['"""', ">>> f()", '"""'], ""),
        ("a.py", ['__version__ = "1.4.0"'], ['__version__ = "1.5.0rc1"'], "version"),
        ("a.py", ['__version__ = "1.4.0"'], ['VERSION = "1.5.0"'], ""),
        ("a.py", ["retries = 1.4"], ["retries = 1.5"], ""),
        ("A.java", ["import java.util.List;"], [], "imports"),
        ("A.java", ["import java.util.List;"], ["import java.awt.List;"], ""),
        ("a.py", ["import os"], [], ""),
    ],
)  # fmt: skip
def test_an_edit_is_called_by_what_it_leaves_as_it_was(
    path: str, removed: list[str], added: list[str], called: str
) -> None:
    assert trivial_change(path, removed, added) == called


@pytest.mark.parametrize("pump", ["7", "1.", "1.2.3-", "a1"])
def test_a_long_line_with_a_version_in_it_takes_no_longer_than_its_text(pump: str) -> None:
    line = f"version. {pump * 30_000}"
    began = time.process_time()

    trivial_change("a.json", [line], [line + "x"])

    assert time.process_time() - began < 2
