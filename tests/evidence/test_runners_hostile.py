"""Any text is read without an error, and in time that grows with its length."""

import time

import pytest
from hypothesis import strategies as st

from ace_reflect.evidence import runners
from ace_reflect.evidence.outcomes import finished, read_outcome
from ace_reflect.evidence.runners import combine, never_started, read_all, read_checks
from ace_reflect.transcript.records import ToolResult
from support.fuzz import fuzzed

PATTERNS = {runners._expressions(row)[0] for row in runners._rows()[0]}
SIZE = 40_000
LINES = (
    "pytest | tail -3",
    "a && npm test; echo $?",
    "go test ./...",
    "make lint && make test || true",
)
#: Pieces of which closing lines are made; repeated they lead a careless pattern back and forth.
PIECES = (
    "1 passed, ", "1 failed | ", " 1", "1 ", " ", "\t", "=", "- ", "a:", "[a] ", "[", "(", "a/", "a.", "::", ", 1 skipped", "0, ", "ok ", "not ok ", "# ", "│ ", "┃ ",
    "Tests: 1 passed, ", "Test Files  1 failed | ", "Tests run: 1, Failures: ", "FAIL ", "--- FAIL: ", "✓ ", "❯ ", "npm error ", "make: *** [", "error: ", "Error: ",
    '{"Action":"', '"a": 1, ', '"failed": 1,\n', "a.ts(1,", "a:1:1", "....", "....Passed", "Executed 1 of 1 ", "1 examples, ", "1 tests, ", "bash: ", ": not found", "nox > Session ", "x-1 | ",
    "failures=1, ", "1 scenarios (1 ", "Ran 1 tests", "Ran 1 tests\n", "sh: line 1: ", "a failed ", "all a ", "pass ", "passed:1 ", "failed: 1 ", "\x1b[", "\x1b[1;", "\x1b]", "[1;1;", "#1 1.",
)  # fmt: skip


def seconds(text: str) -> float:
    start = time.process_time()
    read_all.__wrapped__(text, "")
    read_checks.__wrapped__(text)
    never_started(text, None, runners.NEVER, runners.DOWN)
    return time.process_time() - start


texts = st.one_of(
    st.text(),
    st.binary(max_size=400).map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=60).map("\n".join),
)


codes = st.sampled_from([None, 1, 127, 143])


@fuzzed("runners' outputs", 40, 4_000, text=texts, line=st.sampled_from(LINES), code=codes)
def test_any_output_gives_some_outcome(text: str, line: str, code: int | None) -> None:
    got = ToolResult(line=2, tool_use_id="t", text=text, is_error=bool(code), exit_code=code)
    shell = finished({"command": line}, got)
    assert all(read_outcome(shell, one).why for one in shell.commands)


def test_no_pattern_takes_long_on_the_longest_line() -> None:
    """The time of one match, and of the generated ones too: a line is cut at 600 characters."""
    lines = [(piece * 600)[: runners._LINE_CHARS] + end for piece in PIECES for end in ("", "!")]
    for pattern in PATTERNS:
        for line in lines:
            start = time.process_time()
            pattern.match(line)
            assert time.process_time() - start <= 0.1, (pattern, line)


@pytest.mark.parametrize("piece", PIECES[::4])
def test_a_large_output_of_repeated_pieces_takes_time_by_its_length(piece: str) -> None:
    """On one line and on many: twice the text takes about twice the time, and both little."""
    lines = ((piece * 12)[:150] + "\n") * (SIZE // 150)
    assert seconds(piece * (SIZE // len(piece))) < 1
    assert seconds(lines) < 4 * seconds(lines[: SIZE // 2]) + 0.3


def test_an_output_of_many_megabytes_keeps_its_end() -> None:
    summary = combine(read_all("noise\n" * 500_000 + "===== 2 passed in 0.10s =====\n", "pytest"))
    assert summary is not None
    assert summary.counts is not None
    assert summary.counts.passed == 2
