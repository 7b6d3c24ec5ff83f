"""Every recorded output is read as what it was: with the runner's name, without it, behind prefixes, colours and CRLF."""

import json
from pathlib import Path

import pytest

from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcomes import finished, read_outcome
from ace_reflect.evidence.runners import Summary, combine, read_all, read_checks
from ace_reflect.transcript.records import ToolResult

RUNNERS = Path(__file__).parent.parent / "fixtures" / "runners"
INDEX = json.loads((RUNNERS / "index.json").read_text(encoding="utf-8"))
CHECKED = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT)
PREFIXED = "pytest/fail pytest/pass jest/fail vitest/fail go/fail go/pass cargo/pass mocha/fail bun/fail unittest/fail rspec/fail".split()
#: The forms in which task runners pass an output on.
PREFIXES = (
    "[test:unit] ", "api:test: ", "packages/api test: ", "@scope/api: ", "web-1  | ", "┃  ", "#12 3.456 ",
    "build\tRun tests\t2025-01-10T10:00:00.1234567Z ",
)  # fmt: skip


def output(name: str) -> str:
    return (RUNNERS / f"{name}.txt").read_text(encoding="utf-8")


def read(name: str, text: str, runner: str) -> Summary | None:
    return combine(read_checks(text) if name.startswith("checks/") else read_all(text, runner))


def outcome_of(summary: Summary | None) -> str:
    if summary is None or (summary.partial and summary.outcome is Outcome.PASSED):
        return "unknown"
    return str(summary.outcome)


def test_every_file_is_listed_with_the_version_or_page_it_comes_from() -> None:
    files = {path.relative_to(RUNNERS).with_suffix("") for path in RUNNERS.rglob("*.txt")}
    readme = (RUNNERS / "README.md").read_text(encoding="utf-8")

    assert {path.as_posix() for path in files} == set(INDEX)
    for name, entry in INDEX.items():
        assert ("version" in entry) != ("source" in entry), name
        assert entry.get("version", entry.get("source")) in readme, name


@pytest.mark.parametrize("part", range(4))
def test_an_output_is_read_as_what_it_was_and_without_the_name_the_same_or_not_at_all(part):
    for name, entry in list(INDEX.items())[part::4]:
        summary = read(name, output(name), entry["runner"])
        expected = entry.get("text_alone", entry["outcome"])
        if expected != "unknown" or not name.startswith(("npm/", "go/", "pytest/", "phpunit/")):
            assert outcome_of(summary) == expected, (name, summary)
        for field, count in entry.get("counts", {}).items():
            assert getattr(summary.counts, field) == count, (name, summary)
        if "vacuous" in entry:
            assert summary.vacuous == entry["vacuous"], name
        assert outcome_of(read(name, output(name), "")) in (entry["outcome"], "unknown"), name


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefixes_of_task_runners_change_nothing(prefix: str) -> None:
    for name in PREFIXED:
        text = "".join(prefix + line + "\n" for line in output(name).split("\n"))
        plain = read(name, output(name), INDEX[name]["runner"])
        prefixed = read(name, text, INDEX[name]["runner"])
        assert outcome_of(prefixed) == outcome_of(plain), name
        assert prefixed.counts == plain.counts, name


@pytest.mark.parametrize(("start", "end", "joint"), [
    ("", "", "\r\n"), ("\x1b[1;32m", "\x1b[0m", "\n"), ("[1;32m", "[0m", "\n"),
])  # fmt: skip
def test_line_ends_and_colours_change_nothing(start: str, end: str, joint: str) -> None:
    """Of every third output."""
    for name, entry in list(INDEX.items())[::3]:
        changed = joint.join(f"{start}{line}{end}" for line in output(name).split("\n"))
        plain = outcome_of(read(name, output(name), entry["runner"]))
        assert outcome_of(read(name, changed, entry["runner"])) == plain, name


def test_with_the_status_every_recorded_run_has_its_outcome() -> None:
    """The whole way: the command is classified, the host's result read, and both joined."""
    wrong, tried = [], 0
    for name, entry in INDEX.items():
        kinds = CHECKED if name.startswith("checks/") else (CommandKind.TEST,)
        code = entry["exit"]
        text = f"Exit code {code}\n{output(name)}" if code else output(name)
        result = ToolResult(
            line=2, tool_use_id="t", text=text, is_error=bool(code), exit_code=code or None
        )
        shell = finished({"command": entry.get("command", "")}, result)
        which = next((item for item in reversed(shell.commands) if item.kind in kinds), None)
        if which is None or entry["outcome"] == "unknown":
            continue
        tried += 1
        found = read_outcome(shell, which)
        if found.outcome != entry["outcome"]:
            wrong.append((name, entry["command"], str(found.outcome), found.why))
    assert wrong == []
    assert tried > 250


#: runner, output, outcome (None: no summary), counts where they are told
SHAPES = [
    # a test that fails as expected is no failure and hides none
    ("", "test cases: 3 | 2 passed | 1 failed as expected\nassertions: 9 | 8 passed | 1 failed as expected\n", "passed", Counts(passed=3, failed=0, skipped=0)),
    ("", "test cases: 4 | 2 passed | 1 failed | 1 failed as expected\n", "failed", Counts(passed=3, failed=1, skipped=0)),
    # a package that lists no test has no counts instead of zeros
    ("go test", '{"Time":"2026-01-02T03:04:05Z","Action":"fail","Package":"example.com/a","Elapsed":0.1}\n', "failed", None),
    # failures without the runner's name: ts-node below mocha, scalac 2.13, zig, F# (other letters than C#), Bazel, plenary.nvim
    ("", "⨯ Unable to compile TypeScript:\nsrc/a.ts(1,7): Type 'string' is not assignable\n", "failed"),
    ("", "error: the following test command failed with exit code 1:\n/home/u/.cache/zig/o/test\n", "failed"),
    ("", "/src/a.fs : error FS0039: The value 'b' is not defined\n", "failed"),
    ("", "ERROR: Build did NOT complete successfully\n", "failed"),
    ("", "Success: \t3\t\nFailed : \t1\t\nErrors : \t0\t\n", "failed"),
    # two calls of one line are no second run
    ("gotestsum", "DONE 4 tests, 1 failure in 0.2s\nDONE 2 tests in 0.1s\n", "failed"),
    # closing lines without their columns or their time, in a table, below each other
    ("npm test", "Tests: 1 failed, 2 passed, 3 total\n", "failed", Counts(passed=2, failed=1, skipped=0, total=3)),
    ("npm test", "2 failed, 7 passed, 1 skipped\n", "failed", Counts(passed=7, failed=2, skipped=1)),
    ("npm test", "we said 1 failed, 2 passed\n", None), ("npm test", "5 passed the exam (of 9)\n", None),
    ("stestr", "Totals\n======\nRan: 12 tests in 1.1 sec.\n - Passed: 11\n - Skipped: 0\n - Failed: 1\n", "failed", Counts(passed=11, failed=1, skipped=0)),
    ("stestr", " - Passed: 11\n - Skipped: 0\n - Unexpected Success: 1\n - Failed: 0\n", "failed", Counts(passed=11, failed=1, skipped=0)),
    ("stestr", " - Passed: 3 of the reviews\n - Failed: 1\n", None), ("npm test", "Passed: 6\nFailed: 0\n", "passed"),
    # a report in JSON is read by its counts; in the third a file did not load
    ("jest", '{"numFailedTests":0,"numPassedTests":9,"success":false}', "failed"),
    ("jest", '{"numFailedTests":0,"numPassedTests":0,"numTotalTests":0}', "not-run"),
    ("npm test", '{"numFailedTests":1,"numPassedTests":3}\n{"numFailedTests":0,"numPassedTests":5}', "failed"),
    ("rspec", '{"example_count": 14, "failure_count": 0, "errors_outside_of_examples_count": 1}', "failed"),
    ("playwright", '"stats": {\n "expected": 12,\n "skipped": 0,\n "unexpected": 1,\n "flaky": 0\n}', "failed"),
    ("npm test", '{"numPassedTests": 42}', None), ("npm test", '{"failures": 0, "retries": 2}', None),
]  # fmt: skip


@pytest.mark.parametrize("row", SHAPES, ids=lambda row: row[1])
def test_a_closing_line_is_read_by_its_shape(row: tuple[object, ...]) -> None:
    runner, text, outcome, *counts = row
    summary = combine(read_all(text, runner))
    assert (summary.outcome if summary else None) == outcome
    assert [summary.counts] == counts if counts else True
