"""Every recorded output is read as what it was: with the runner's name, without it, behind prefixes, colours and CRLF."""

import json
from pathlib import Path

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.evidence.runners import Summary, combine, read_all, read_checks
from ace_reflect.transcript.records import ToolResult

RUNNERS = Path(__file__).parent.parent / "fixtures" / "runners"
INDEX = json.loads((RUNNERS / "index.json").read_text(encoding="utf-8"))
CHECKED = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT)
#: The forms in which task runners pass an output on.
PREFIXES = (
    "[test:unit] ",
    "api:test: ",
    "packages/api test: ",
    "@scope/api: ",
    "web-1  | ",
    "┃  ",
    "build\tRun tests\t2025-01-10T10:00:00.1234567Z ",
    "#12 3.456 ",
)


def output(name: str) -> str:
    return (RUNNERS / f"{name}.txt").read_text(encoding="utf-8")


def read(name: str, text: str, runner: str) -> Summary | None:
    return (
        combine(read_checks(text))
        if name.startswith("checks/")
        else combine(read_all(text, runner))
    )


def outcome_of(summary: Summary | None) -> str:
    if summary is None or (summary.partial and summary.outcome is Outcome.PASSED):
        return "unknown"
    return str(summary.outcome)


def test_every_file_is_listed_with_the_version_or_page_it_comes_from() -> None:
    files = {
        path.relative_to(RUNNERS).with_suffix("").as_posix() for path in RUNNERS.rglob("*.txt")
    }
    readme = (RUNNERS / "README.md").read_text(encoding="utf-8")

    assert files == set(INDEX)
    for name, entry in INDEX.items():
        assert ("version" in entry) != ("source" in entry), name
        assert entry.get("version", entry.get("source")) in readme, name


@pytest.mark.parametrize("name", INDEX)
def test_an_output_is_read_as_what_it_was(name: str) -> None:
    entry = INDEX[name]

    summary = read(name, output(name), entry["runner"])

    expected = entry.get("text_alone", entry["outcome"])
    if expected != "unknown" or not name.startswith(("npm/", "go/", "pytest/", "phpunit/")):
        assert outcome_of(summary) == expected, summary
    for field, count in entry.get("counts", {}).items():
        assert getattr(summary.counts, field) == count, summary
    if "vacuous" in entry:
        assert summary.vacuous == entry["vacuous"]


@pytest.mark.parametrize("name", INDEX)
def test_without_the_runners_name_an_output_is_read_the_same_or_not_at_all(name: str) -> None:
    entry = INDEX[name]

    found = outcome_of(read(name, output(name), ""))

    assert found in (entry["outcome"], "unknown")


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefixes_of_task_runners_change_nothing(prefix: str) -> None:
    wrong = []
    for name in "pytest/fail pytest/pass jest/fail vitest/fail go/fail go/pass cargo/pass mocha/fail bun/fail unittest/fail rspec/fail".split():
        plain = read(name, output(name), INDEX[name]["runner"])
        prefixed = read(
            name,
            "".join(prefix + line + "\n" for line in output(name).split("\n")),
            INDEX[name]["runner"],
        )
        if outcome_of(plain) != outcome_of(prefixed) or plain.counts != prefixed.counts:
            wrong.append((name, prefixed))
    assert wrong == []


@pytest.mark.parametrize("change", ["crlf", "coloured", "lost escapes"])
def test_line_ends_and_colours_change_nothing(change: str) -> None:
    wrong = []
    for name, entry in INDEX.items():
        lines = output(name).split("\n")
        if change == "crlf":
            text = "\r\n".join(lines)
        else:
            escape = "\x1b" if change == "coloured" else ""
            text = "\n".join(f"{escape}[1;32m{line}{escape}[0m" for line in lines)
        plain, changed = (
            read(name, output(name), entry["runner"]),
            read(name, text, entry["runner"]),
        )
        if outcome_of(plain) != outcome_of(changed):
            wrong.append((name, changed))
    assert wrong == []


def test_with_the_status_every_recorded_run_has_its_outcome() -> None:
    """The whole way: the command is classified, the host's result read, and both joined."""
    wrong, tried = [], 0
    for name, entry in INDEX.items():
        kinds = CHECKED if name.startswith("checks/") else (CommandKind.TEST,)
        commands = classify(entry.get("command", ""))
        which = next((item for item in reversed(commands) if item.kind in kinds), None)
        if which is None or entry["outcome"] == "unknown":
            continue
        tried += 1
        code = entry["exit"]
        text = f"Exit code {code}\n{output(name)}" if code else output(name)
        result = ToolResult(
            line=2, tool_use_id="t", text=text, is_error=bool(code), exit_code=code or None
        )
        found = read_outcome(commands, result, which)
        if found.outcome != entry["outcome"]:
            wrong.append((name, entry["command"], str(found.outcome), found.why))
    assert wrong == []
    assert tried > 250
