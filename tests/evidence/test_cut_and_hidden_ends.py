"""What is proven where a pipe cut the output, a threshold failed the run, or the tool speaks another language."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.transcript.records import ToolResult

CARGO_NONE = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; {} filtered out; finished in 0.00s"
GO_NONE = "?   \texample.com/app/cmd/{}\t[no test files]"
JEST = "Tests:       9 passed, 9 total\nSnapshots:   0 total"
GO_GOOD = "ok  \texample.com/app/a\t0.1s"
VITEST = " Test Files  1 passed (1)\n      Tests  {}\n   Duration  412ms\n\n"
MOCHA = "  12 passing (45ms)\n\n"


def outcome(command: str, text: str, code: int = 0, kind: str = "", **fields: bool) -> str:
    shown = f"Exit code {code}\n{text}" if code else text
    got: Any = ToolResult(
        line=2, tool_use_id="t", text=shown, is_error=bool(code), exit_code=code or None, **fields
    )
    commands = classify(command)
    kinds = {CommandKind(kind)} if kind else set(CommandKind) - {CommandKind.OTHER}
    which = next(item for item in commands if item.kind in kinds)
    return str(read_outcome(commands, got, which).outcome)


GO_OK = "\n".join(f"ok  \texample.com/app/{name}\t0.1s" for name in "abcde")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        # every line comes through, whole or its beginning
        ("go test ./... 2>&1 | tr -d '\\r'", "passed"),
        # a failure may have been taken away
        ("go test ./... 2>&1 | sed -n '1,5p'", "unknown"),
        ("go test ./... 2>&1 | sed 5q", "unknown"),
        ("go test ./... 2>&1 | sed -n 's/ok/ok/p'", "unknown"),
        ("go test ./... 2>&1 | sed -n '/^ok/p'", "unknown"),
    ],
)  # fmt: skip
def test_filters_that_leave_every_line_hide_no_failure(command: str, expected: str) -> None:
    assert outcome(command, GO_OK) == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        # cargo runs the doc tests last, and stops before them where something fails
        ("cd core && cargo test --workspace 2>&1 | tail -3", CARGO_NONE.format(0), "passed"),
        # cargo's last line is blank, which the host trims; a folder and all below it is more than the one that is shown
        ("go test -json ./a | tail -1", '{"Time":"2026-01-01T10:00:00Z","Action":"pass","Package":"example.com/a","Elapsed":0.003}', "passed"),
        # what is cut may hold the tests that were asked for, or not
        ("cargo test parser 2>&1 | tail -3", CARGO_NONE.format(0), "unknown"),
        # nothing was cut, or the empty one is the one that was asked for
        ("cargo test 2>&1 | tail -20", CARGO_NONE.format(0), "not-run"),
        ("go test ./... 2>&1 | tail -20", GO_NONE.format("x") + "\n" + GO_NONE.format("y"), "not-run"),
    ],
)  # fmt: skip
def test_empty_packages_at_a_cut_end_say_nothing_of_those_before(
    command: str, text: str, expected: str
) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("npx c8 --check-coverage mocha 2>&1 | tail -4", MOCHA + "ERROR: Coverage for lines (71.42%) does not meet global threshold (90%)"),
        ("npm test 2>&1 | tail -9", JEST + "\nERROR: Coverage for branches (71.4%) does not meet global threshold (80%)"),
        ("npx jest --coverage 2>&1 | tail -9", 'Jest: "global" coverage threshold for branches (80%) not met: 72.41%\n\n' + JEST),
        ("ng test --no-watch | tail -3", "TOTAL: 12 SUCCESS\n\nERROR [coverage]: Coverage for lines (71.2%) does not meet global threshold (80%)"),
        ("node --test | tail -2", "ℹ end of coverage report\nℹ Error: 71.00% line coverage does not meet threshold of 80%."),
        ("bundle exec rspec | tail -3", "41 examples, 0 failures\n\nLine coverage (70.91%) is below the expected minimum coverage (80.00%)."),
    ],
)  # fmt: skip
def test_a_threshold_or_a_late_error_fails_a_run_whose_tests_all_passed(
    command: str, text: str
) -> None:
    assert outcome(command, text) == "failed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("    1 Warning(s)\n    2 Error(s)\n\nTime Elapsed 00:00:02.31", "failed"),
        ("ÉCHEC de la build.\n    0 Avertissement(s)\n    2 Erreur(s)\n\nTemps écoulé 00:00:02.31", "failed"),
        ("    2 Fehler\n\nVerstrichene Zeit 00:00:02.31", "failed"),
        ("    1 Warnung(en)\n    0 Fehler\n\nVerstrichene Zeit 00:00:02.31", "passed"),
        ("ビルドに成功しました。\n    0 個の警告\n    0 エラー\n\n経過時間 00:00:02.31", "passed"),
    ],
)  # fmt: skip
def test_a_dotnet_build_is_read_by_its_count_of_errors(text: str, expected: str) -> None:
    assert outcome("dotnet build 2>&1 | tail -5", text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("next build 2>&1 | tail -5", "> Export encountered errors on following paths:\n\t/about/page: /about"),
        ("npm run build 2>&1 | tail -5", " ⨯ Next.js build worker exited with code: 1 and signal: null"),
        ("npm run build 2>&1 | tail -4", "12:5  Error: 'x' is assigned a value but never used.  @typescript-eslint/no-unused-vars"),
        ("npx nuxt build 2>&1 | tail -2", " ERROR  Nuxt build error: Error: [vite]: Rollup failed to resolve import"),
        ("xcodebuild build 2>&1 | tail -3", "The following build commands failed:\n\tSwiftCompile normal arm64 /p/A.swift\n(1 failure)"),
        ("cmake --build build 2>&1 | tail -2", "C:\\p\\src\\a.cpp(12,5): error C2065: 'foo': undeclared identifier [C:\\p\\app.vcxproj]"),
        ("msbuild App.sln 2>&1 | tail -2", "a.obj : error LNK2019: unresolved external symbol foo referenced in function main [C:\\p\\app.vcxproj]"),
        ("mkdocs build --strict 2>&1 | tail -2", "Aborted with 1 warnings in strict mode!"),
        ("npx markdownlint-cli2 '**/*.md' 2>&1 | tail -2", "Summary: 3 error(s)\na.md:3 MD022/blanks-around-headings"),
    ],
)  # fmt: skip
def test_a_build_or_checker_that_fails_at_a_cut_end_has_failed(command: str, text: str) -> None:
    assert outcome(command, text) == "failed"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("ansible-lint 2>&1 | tail -1", "Passed: 0 failure(s), 0 warning(s) in 12 files processed of 14 encountered."),
        ("pyrefly check 2>&1 | tail -1", " INFO 0 errors (12 suppressed)"),
        ("xcodebuild build 2>&1 | xcbeautify | tail -2", "[App] Linking App\nBuild Succeeded"),
        ("npm run build 2>&1 | tail -4", "├ ○ /error                  142 B\n└ ○ /failed                 142 B\n\n○  (Static)  prerendered as static content"),
        ("npm run build 2>&1 | tail -4", "dist/error-page.html  1.2 kB\nerrors: 0\nErrors 0, warnings 2"),
    ],
)  # fmt: skip
def test_a_build_or_checker_that_is_well_at_a_cut_end_has_passed(command: str, text: str) -> None:
    assert outcome(command, text) == "passed"


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("npx tsc --noEmit 2>&1 | grep error || echo 'no type errors'", "no type errors", 0, "passed"),
        ("cargo check 2>&1 | grep -E '^error' | head -20", "", 0, "passed"),
        # of one file only; a verdict of its own among what is counted; another command beside it; a test runner may have crashed
        ("npx tsc --noEmit 2>&1 | grep -c 'src/foo.ts'", "0", 1, "unknown"),
        # what was counted is not all that it said, or is no number
        # what the line says beside it counts for nothing
        # it may not have run, or not to its end
    ],
)  # fmt: skip
def test_a_checkers_counted_complaints_are_its_verdict(
    command: str, text: str, code: int, expected: str
) -> None:
    kind = (
        "test"
        if "test" in command
        else "typecheck"
        if "tsc" in command or "pyright" in command
        else ""
    )
    assert outcome(command, text, code, kind) == expected


def test_a_death_in_the_log_of_a_run_that_passed_is_the_tests_own() -> None:
    assert (
        outcome(
            "npx jest 2>&1 | tail -9", "FATAL ERROR: x - JavaScript heap out of memory\n" + JEST
        )
        == "passed"
    )
    assert (
        outcome("pytest", "Fatal Python error: Segmentation fault\n7 passed in 0.11s") == "passed"
    )


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("bundle exec rspec 2>&1 | tail -3", "Failed examples:\n\nrspec ./spec/models/a_spec.rb:12 # A is valid", "failed"),
        ("npx playwright test | tail -1", "Error: Process from config.webServer was not able to start. Exit code: 1", "failed"),
        ("npx lerna run test | tail -1", " Lerna (powered by Nx)   Successfully ran target test for 5 projects (3s)", "passed"),
        ("moon run :test | tail -2", "Tasks: 5 completed (3 cached)\n Time: 1s 204ms", "passed"),
        ("moon run :test | tail -2", "Tasks: 4 completed, 1 failed\n Time: 1s 204ms", "failed"),
        ("moon run web:test | tail -2", "web:test | Test Files  1 failed (1)\nweb:test |      Tests  1 failed | 5 passed (6)", "failed"),
        ("moon run core:test | tail -3", "core:test |  Test Files  2 passed (2)\ncore:test |       Tests  9 passed (9)", "passed"),
        ("bundle exec fastlane unit | tail -2", "[10:02:14]: ▸ \t Executed 84 tests, with 0 failures (0 unexpected) in 2.101 (2.204) seconds\n[10:02:15]: ▸ Test Succeeded", "passed"),
    ],
)  # fmt: skip
def test_more_ends_are_read(command: str, text: str, expected: str) -> None:
    assert outcome(command, text, kind="test") == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("npx tsc --noEmit --pretty | tail -3", "Errors  Files\n     2  src/a.ts:3\n     1  src/b.ts:9", "failed"),
        ("npx tsc --noEmit 2>&1 | tail -2", 'npm warn Unknown project config "x".', "passed"),
        ("helm lint charts/app | tail -1", "Error: 1 chart(s) linted, 1 chart(s) failed", "failed"),
        ("helm lint charts/app | tail -1", "1 chart(s) linted, 0 chart(s) failed", "passed"),
        ("kubeconform -summary k8s/ | tail -1", "Summary: 12 resources found in 3 files - Valid: 12, Invalid: 0, Errors: 0, Skipped: 0", "passed"),
        ("go test ./... 2>&1 | tail -2", "go: example.com/x@v1.2.3: missing go.sum entry for go.mod file; to add it:\n\tgo mod download example.com/x", "failed"),
        ("go test ./... 2>&1 | tail -2", "go: downloading example.com/x v1.2.3\nok  \texample.com/app/a\t0.1s", "passed"),
        ("vendor/bin/phpunit | tail -4", "There was 1 failure:\n\n1) AppTest::testX\nFailed asserting that 3 matches expected 2.", "failed"),
    ],
)  # fmt: skip
def test_ends_of_more_tools(command: str, text: str, expected: str) -> None:
    assert outcome(command, text, kind="" if "rubocop" not in command else "format") == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("./gradlew test", "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH."),
        ("cargo test", "error: no override and no default toolchain set"),
        ("bundle exec rspec", "Could not find rspec-3.13.0 in locally installed gems\nRun `bundle install` to install missing gems."),
    ],
)  # fmt: skip
def test_a_toolchain_that_is_missing_ran_nothing(command: str, text: str) -> None:
    assert outcome(command, text, 1) == "not-run"


@pytest.mark.parametrize(
    ("command", "text", "fields", "expected"),
    [
        ("go test ./... 2>&1 | tee log", GO_GOOD, {}, "passed"),
        ("go test ./... 2>&1 | tee log", GO_GOOD, {"truncated": True}, "unknown"),
        ("go test ./... | sed -n '/^ok/p'", GO_GOOD, {}, "unknown"),
        ("go test ./... | awk '/no test/'", GO_NONE.format("x"), {}, "unknown"),
        ("go test ./... | wc -l; go test ./a", "3\n" + GO_GOOD, {}, "unknown"),
        ("npx jest 2>&1 | cat", "PASS src/a.test.js\nPASS src/b.test.js", {}, "unknown"),
        ("npm run build 2>&1 | tee log", "> vite build", {}, "passed"),
        ("npm run build 2>&1 | tee log", "> vite build", {"truncated": True}, "unknown"),
    ],
)  # fmt: skip
def test_what_may_be_hidden_proves_nothing(
    command: str, text: str, fields: dict[str, bool], expected: str
) -> None:
    assert outcome(command, text, **fields) == expected


@pytest.mark.parametrize(
    "command",
    [
        "if npm run build; then echo built; fi",
        "npm run build && echo built || true",
        "! npm run build",
        "npm run build 2>&1 | tail -5 &",
        "out=$(npm run build 2>&1 | tail -5)",
        "for d in $(ls packages); do npm run build | tail -5; done",
        "for d in web api; do npm run build; done",
        "test -d dist || npm run build | tail -5",
    ],
)  # fmt: skip
def test_silence_of_a_build_that_may_not_have_come_to_its_end_proves_nothing(command: str) -> None:
    """Its branch did not speak, it still runs, what it printed is kept back, another round followed, or none was made."""
    assert outcome(command, "", kind="build") == "unknown"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("xcodebuild test -scheme App", "xcode-select: error: tool 'xcodebuild' requires Xcode, but active developer directory '/Library/Developer/CommandLineTools' is a command line tools instance"),
        ("swift test", "xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools), missing xcrun at: /Library/Developer/CommandLineTools/usr/bin/xcrun"),
        ("./gradlew test", "The operation couldn’t be completed. Unable to locate a Java Runtime.\nPlease visit http://www.java.com for information on installing Java."),
        ("mix test", "No version is set for command mix\nConsider adding one of the following versions in your config file at /p/.tool-versions"),
        ("mix test", "mise ERROR No version is set for shim: mix"),
        ("bundle exec rspec", "rbenv: version `3.2.0' is not installed (set by /p/.ruby-version)"),
        ("pytest -q", "pyenv: pytest: command not found\n\nThe `pytest' command exists in these Python versions:\n  3.12.1"),
    ],
)  # fmt: skip
def test_a_tool_that_is_not_there_ran_no_tests_whoever_says_so(command: str, text: str) -> None:
    assert outcome(command, text, 1) == "not-run"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("pytest -q", "E   AssertionError: assert 'No such container: dev' in out\n1 failed, 3 passed in 0.1s"),
        ("npm test", "    ssh: connect to host build01 port 22: Connection refused\nTests:       1 failed, 3 passed, 4 total"),
        ("./gradlew test", "ToolTest > says Unable to locate a Java Runtime FAILED\n\n3 tests completed, 1 failed"),
    ],
)  # fmt: skip
def test_tests_that_speak_of_a_missing_tool_have_failed(command: str, text: str) -> None:
    assert outcome(command, text, 1) == "failed"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("cd packages/api && npx tsc --noEmit 2>&1 | head -20; echo '---'; git status --short", "---\n M a.ts", "passed"),
        ("cd web && pnpm exec tsc --noEmit; cd ..", "", "passed"),
        ("cd web && npx tsc --noEmit; ls", "src/a.ts(3,5): error TS2322: Type 'string' is wrong", "failed"),
        # what stands before it may have gone wrong without a word
        ("[ -d web ] && npx tsc --noEmit; ls", "a.ts", "unknown"),
        ("npm ci && npx tsc --noEmit; ls", "a.ts", "unknown"),
    ],
)  # fmt: skip
def test_a_silent_checker_behind_a_cd_passed_whatever_follows_it(
    command: str, text: str, expected: str
) -> None:
    assert outcome(command, text, kind="typecheck" if "tsc" in command else "lint") == expected
