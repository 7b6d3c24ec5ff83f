"""Any text is read without an error, and in time that grows with its length."""

import re
import time
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ace_reflect.evidence.runners as room
from ace_reflect.evidence.runners import read_all, read_checks, read_summary
from ace_reflect.evidence.runners.filters import lets_through, read_filters
from ace_reflect.evidence.runners.never_ran import never_ran
from ace_reflect.evidence.runners.table import CHECKS, TESTS
from ace_reflect.evidence.runners.text import LINE_CHARS, Text
from ace_reflect.late import Late

MODULES = sorted(path.stem for path in Path(room.__file__).parent.glob("*.py") if path.stem != "__init__")
RUNNERS = sorted({name for family in (*TESTS, *CHECKS) for name in family.runners})
SIZE = 200_000
#: Pieces of which closing lines are made; repeated they lead a careless pattern back and forth.
PIECES = (
    "1 passed, ", "1 failed | ", " 1", "1 ", " ", "\t", "=", "- ", "a:", "[a] ", "[", "(", "a/", "a.", "::", ", 1 skipped", "0, ", "ok ", "not ok ", "# ", "│ ", "┃ ",
    "Tests: 1 passed, ", "Test Files  1 failed | ", "Tests run: 1, Failures: ", "FAIL ", "--- FAIL: ", "✓ ", "❯ ", "npm error ", "make: *** [", "error: ", "Error: ",
    '{"Action":"', "a.ts(1,", "a:1:1", "....", "....Passed", "Executed 1 of 1 ", "1 examples, ", "1 tests, ", "bash: ", ": not found", "nox > Session ", "x-1 | ",
    "failures=1, ", "1 scenarios (1 ", "Ran 1 tests", "sh: line 1: ", "a failed ", "all a ", "pass ", "passed:1 ", "\x1b[", "\x1b[1;", "\x1b]", "[1;1;", "#1 1.",
)  # fmt: skip


def patterns() -> list[tuple[str, "re.Pattern[str]"]]:
    found: list[tuple[str, re.Pattern[str]]] = []

    def collect(module: str, value: object) -> None:
        if isinstance(value, Late):
            value = value.compiled
        if isinstance(value, re.Pattern):
            found.append((module, value))
        elif isinstance(value, tuple | list):
            for item in value:
                collect(module, item)
        elif isinstance(value, dict):
            collect(module, tuple(value.values()))

    for name in MODULES:
        for value in vars(import_module(f"{room.__name__}.{name}")).values():
            collect(name, value)
    return found


@given(st.text(), st.sampled_from(["", *RUNNERS]))
def test_any_text_is_read_without_an_error(text: str, runner: str) -> None:
    read_all.__wrapped__(text, runner)
    read_checks.__wrapped__(text, runner)
    read_summary(text, runner)


@given(st.lists(st.sampled_from(PIECES), max_size=60), st.sampled_from(["", *RUNNERS]))
def test_any_heap_of_pieces_is_read_without_an_error(pieces: list[str], runner: str) -> None:
    for joint in ("", "\n"):
        read_all.__wrapped__(joint.join(pieces), runner)
        read_checks.__wrapped__(joint.join(pieces), runner)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    read_all.__wrapped__(data.decode("utf-8", "surrogateescape"), "")


def test_the_patterns_are_all_found() -> None:
    assert len(patterns()) > 150
    assert {name for name, _ in patterns()} >= {family.module for family in (*TESTS, *CHECKS)}


@pytest.mark.parametrize("module", sorted({name for name, _ in patterns()}))
def test_no_pattern_takes_long_on_a_line_of_repeated_pieces(module: str) -> None:
    """Lines are cut to 600 characters, so that linear and even quadratic patterns are quick; an exponential one is not."""
    slow = []
    for name, pattern in patterns():
        if name != module:
            continue
        for piece in PIECES:
            line = (piece * LINE_CHARS)[:LINE_CHARS]
            for text in (line, line + "\x00", "x" + line, line[: LINE_CHARS // 2] + "!" * 40):
                start = time.process_time()
                pattern.match(text)
                pattern.search(text)
                took = time.process_time() - start
                if took > 0.05:
                    slow.append((pattern.pattern[:80], piece, round(took, 3)))
    assert slow == []


@pytest.mark.parametrize("piece", PIECES)
def test_a_large_output_of_repeated_pieces_takes_time_by_its_length(piece: str) -> None:
    """On one line and on many, 200 kB: twice the text takes about twice the time, and both little."""

    def seconds(text: str) -> float:
        start = time.process_time()
        for reader in (read_all, read_checks):
            reader.__wrapped__(text, "")
        never_ran(Text(text), ("pytest",), alone=True)
        return time.process_time() - start

    one_line = piece * (SIZE // len(piece))
    lines = ((piece * 12)[:150] + "\n") * (SIZE // 150)

    assert seconds(one_line) < 2
    half, whole = seconds(lines[: SIZE // 2]), seconds(lines)
    assert whole < 6
    assert whole < 4 * half + 0.3


def test_an_output_of_many_megabytes_keeps_its_end() -> None:
    text = "noise\n" * 2_000_000 + "===== 2 passed in 0.10s =====\n"

    assert read_summary(text, "pytest").counts.passed == 2


def test_a_hostile_grep_pattern_is_not_tried() -> None:
    filters = read_filters([("grep", "-E", "(a+)+$")])

    start = time.process_time()
    assert not lets_through(filters, ("a" * 60 + "!",))
    assert time.process_time() - start < 1
