"""Programs of which a word tells that tests run: game engines, `java`; and what they print."""

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.runners import read_summary


@pytest.mark.parametrize(
    ("line", "runner"),
    [
        ('"/opt/Unity/Editor/Unity" -batchmode -projectPath . -runTests -testPlatform EditMode', "unity tests"),
        ("godot --headless -s addons/gut/gut_cmdln.gd -gdir=res://test -gexit", "godot tests"),
        ("/opt/godot4 --path . -s -d res://addons/gdUnit4/bin/GdUnitCmdTool.gd", "godot tests"),
        ("UnrealEditor-Cmd Shop.uproject -nullrhi -ExecCmds='Automation RunTests Shop; Quit'", "unreal tests"),
        ("java -jar lib/junit-platform-console-standalone-1.11.0.jar execute --scan-class-path", "junit"),
        ("java -cp build:lib/* org.junit.runner.JUnitCore com.acme.CartTest", "junit"),
        ("vstest.console.exe Shop.Tests.dll", "vstest.console"),
    ],
)
def test_a_word_of_the_call_tells_that_tests_run(line: str, runner: str) -> None:
    (command,) = classify(line, "/repo")

    assert (command.kind, command.runner, command.selected) == (CommandKind.TEST, runner, "")


@pytest.mark.parametrize(
    ("line", "selected"),
    [
        ("Unity -batchmode -runTests -testFilter Shop.CartTests", "-testFilter Shop.CartTests"),
        ("godot -s addons/gut/gut_cmdln.gd -gtest=res://test/test_save.gd", "-gtest=res://test/test_save.gd"),
    ],
)
def test_a_part_of_them_is_told_from_all(line: str, selected: str) -> None:
    (command,) = classify(line, "/repo")

    assert command.selected == selected


@pytest.mark.parametrize(
    "line",
    [
        "Unity -batchmode -quit -executeMethod Build.Linux",
        "godot --headless --export-release Linux out/game",
        "java -jar target/app.jar --port 8080",
        "UnrealEditor Shop.uproject",
    ],
)
def test_the_same_programs_do_other_things_too(line: str) -> None:
    assert [item.kind for item in classify(line, "/repo")] == [CommandKind.OTHER]


@pytest.mark.parametrize(
    ("shown", "runner", "counts"),
    [
        ("====== 3 test cases: 3 succeeded in 00:00:01.020 ======", "pio test", Counts(passed=3, failed=0)),
        ("====== 3 test cases: 1 failed, 2 succeeded in 00:00:01.0 ======", "pio test", Counts(passed=2, failed=1)),
        (
            '<test-run id="2" testcasecount="18" result="Failed(Child)" total="18" passed="17" failed="1" skipped="0"',
            "unity tests",
            Counts(passed=17, failed=1),
        ),
        (
            "Tests                11\n  Passing            10\n\n---- 1 failing tests ----",
            "godot tests",
            Counts(failed=1),
        ),
    ],
)
def test_their_closing_lines_are_read(shown: str, runner: str, counts: Counts) -> None:
    summary = read_summary(f"{shown}\n", runner)

    assert summary is not None
    assert summary.counts is not None
    assert (summary.counts.passed, summary.counts.failed or 0) == (counts.passed, counts.failed)
    assert summary.outcome is (Outcome.FAILED if counts.failed else Outcome.PASSED)
