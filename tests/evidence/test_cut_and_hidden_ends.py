"""What is proven where a pipe cut the output, a threshold failed the run, or the tool speaks another language."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.evidence.runners import read_summary
from ace_reflect.transcript.records import ToolResult, UserShell

CARGO_NONE = (
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; {} filtered out; finished in 0.00s"
)
GO_NONE = "?   \texample.com/app/cmd/{}\t[no test files]"
JEST = "Tests:       9 passed, 9 total\nSnapshots:   0 total"
MOCHA = "  12 passing (45ms)\n\n"


def outcome(command: str, text: str, code: int = 0, kind: str = "", **fields: bool) -> str:
    shown = f"Exit code {code}\n{text}" if code else text
    got: Any = ToolResult(line=2, tool_use_id="t", text=shown, is_error=bool(code), exit_code=code or None, **fields)
    commands = classify(command)
    kinds = {CommandKind(kind)} if kind else set(CommandKind) - {CommandKind.OTHER}
    which = next(item for item in commands if item.kind in kinds)
    return str(read_outcome(commands, got, which).outcome)


GO_OK = "\n".join(f"ok  \texample.com/app/{name}\t0.1s" for name in "abcde")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        # every line comes through, whole or its beginning
        ("go test ./... 2>&1 | sed 's/\\x1b\\[[0-9;]*m//g' | tail -40", "passed"),
        ("go test ./... 2>&1 | sed -E 's|/tmp/[0-9]+|TMP|g; s/ +$//'", "passed"),
        ("go test ./... 2>&1 | perl -pe 's/\\e\\[[0-9;]*m//g'", "passed"),
        ("go test ./... 2>&1 | cut -c1-200 | tail -40", "passed"),
        ("go test ./... 2>&1 | cut -c -160", "passed"),
        ("go test ./... 2>&1 | tr -d '\\r'", "passed"),
        ("go test ./... 2>&1 | sed -n '1,200p'", "passed"),
        ("go test ./... 2>&1 | sed 200q", "passed"),
        ("go test ./... 2>&1 | sed -n '2,$p'", "passed"),
        # a failure may have been taken away
        ("go test ./... 2>&1 | sed -n '1,5p'", "unknown"),
        ("go test ./... 2>&1 | sed 5q", "unknown"),
        ("go test ./... 2>&1 | sed '/FAIL/d'", "unknown"),
        ("go test ./... 2>&1 | sed -n 's/ok/ok/p'", "unknown"),
        ("go test ./... 2>&1 | sed -n '/^ok/p'", "unknown"),
        ("go test ./... 2>&1 | cut -d' ' -f2-", "unknown"),
        ("go test ./... 2>&1 | tr '\\n' ' '", "unknown"),
        ("go test ./... 2>&1 | perl -ne 'print if /ok/'", "unknown"),
    ],
)
def test_filters_that_leave_every_line_hide_no_failure(command: str, expected: str) -> None:
    assert outcome(command, GO_OK) == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("cd web && bun run lint 2>&1 | grep -E 'error|✖' | head", "$ eslint .", "passed"),
        ("export CI=1 && bun run lint 2>&1 | grep -E 'error|✖' | head", "$ eslint .", "passed"),
        ("cd web && bun run lint 2>&1 | grep -E 'error|✖' | head", "bash: cd: web: No such file or directory\n$ x", "not-run"),
        ("npm ci && bun run lint 2>&1 | grep -E 'error|✖' | head", "$ eslint .", "unknown"),
        ("go build ./... 2>&1 | grep -v '^go: downloading'", "", "passed"),
        ("go vet ./... 2>&1 | grep -v '^#' | head -20", "", "passed"),
        ("go build ./... 2>&1 | grep -v main", "", "unknown"),
        ("go build ./... 2>&1 | grep -i warning", "", "unknown"),
    ],
)  # fmt: skip
def test_silence_proves_a_check_that_surely_ran_and_would_have_spoken(command: str, text: str, expected: str) -> None:
    assert outcome(command, text, kind="lint" if "lint" in command or "vet" in command else "build") == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        # cargo runs the doc tests last, and stops before them where something fails
        ("cargo test 2>&1 | tail -5", "   Doc-tests app\n\n" + CARGO_NONE.format(0), "passed"),
        ("cd core && cargo test --workspace 2>&1 | tail -3", CARGO_NONE.format(0), "passed"),
        ("go test ./... 2>&1 | tail -2", GO_NONE.format("x") + "\n" + GO_NONE.format("y"), "passed"),
        ("./gradlew test 2>&1 | tail -4", "> Task :dist:test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n14 actionable tasks: 14 executed", "passed"),
        ("pnpm -r test 2>&1 | tail -2", "packages/z test: No test files found, exiting with code 0\npackages/z test: Done", "passed"),
        ("mvn -B test 2>&1 | tail -3", "[INFO] No tests to run.\n[INFO] Reactor Summary for app 1.0:\n[INFO] BUILD SUCCESS", "passed"),
        # cargo's last line is blank, which the host trims; a folder and all below it is more than the one that is shown
        ("cargo test 2>&1 | tail -4", CARGO_NONE.format(0), "passed"),
        ("go test ./cmd/... 2>&1 | tail -2", GO_NONE.format("x") + "\n" + GO_NONE.format("y"), "passed"),
        ("go test -json ./a | tail -1", '{"Time":"2026-01-01T10:00:00Z","Action":"pass","Package":"example.com/a","Elapsed":0.003}', "passed"),
        # what is cut may hold the tests that were asked for, or not
        ("cargo test parser 2>&1 | tail -3", CARGO_NONE.format(0), "unknown"),
        # a failure is told behind the empty ones
        ("cargo test --no-fail-fast 2>&1 | tail -4", CARGO_NONE.format(0) + "\n\nerror: 1 target failed:\n    `-p app --lib`", "failed"),
        # nothing was cut, or the empty one is the one that was asked for
        ("cargo test 2>&1 | tail -20", CARGO_NONE.format(0), "not-run"),
        ("go test ./... 2>&1 | tail -20", GO_NONE.format("x") + "\n" + GO_NONE.format("y"), "not-run"),
        ("go test ./... 2>&1 | tail -3", GO_NONE.format("x") + "\n" + GO_NONE.format("y"), "not-run"),
        ("go test ./cmd/x 2>&1 | tail -1", GO_NONE.format("x"), "not-run"),
        ("timeout 60 go test ./cmd/x/ 2>&1 | tail -1", GO_NONE.format("x"), "not-run"),
        ("./gradlew test 2>&1 | tail -3", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s", "not-run"),
        ("mvn -B test 2>&1 | tail -2", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", "not-run"),
        ("go test -json -run Nope ./a | tail -9", '{"Action":"output","Package":"example.com/a","Output":"ok  \\texample.com/a\\t0.003s [no tests to run]\\n"}\n{"Action":"pass","Package":"example.com/a","Elapsed":0.003}', "not-run"),
    ],
)  # fmt: skip
def test_empty_packages_at_a_cut_end_say_nothing_of_those_before(command: str, text: str, expected: str) -> None:
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
        ("bin/rails test | tail -3", "12 runs, 30 assertions, 0 failures, 0 errors, 0 skips\nSimpleCov failed with exit 2 due to a coverage related error"),
        ("mix test --cover | tail -4", "12 tests, 0 failures\n\nCoverage test failed, threshold not met:\n"),
        ("mix coveralls | tail -3", "12 tests, 0 failures\n----------------\nFAILED: Expected minimum coverage of 90%, got 71.2%."),
        ("vendor/bin/pest --coverage --min=90 | tail -4", "  Tests:    12 passed (30 assertions)\n\n   FAIL  Code coverage below expected 90.0 %, currently 71.2 %."),
        ("dotnet test | tail -3", "Passed!  - Failed:     0, Passed:    12, Skipped:     0, Total:    12, Duration: 45 ms - A.dll (net8.0)\n/n/coverlet.msbuild.targets(72,5): error : The minimum line coverage is below the specified 80 [/p/A.csproj]"),
        ("mix test --warnings-as-errors | tail -3", "12 tests, 0 failures\n\nERROR! Test suite aborted after successful execution due to warnings while using the --warnings-as-errors option"),
        ("npx ava | tail -3", "  11 tests passed\n  1 test remained pending after a timeout"),
    ],
)  # fmt: skip
def test_a_threshold_or_a_late_error_fails_a_run_whose_tests_all_passed(command: str, text: str) -> None:
    assert outcome(command, text) == "failed"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("npx mocha | tail -4", "    ✔ says Coverage for lines (71%) does not meet global threshold (80%)\n\n" + MOCHA),
        ("npx c8 mocha | tail -4", MOCHA + "All files |   71.42 |    66.66 |      75 |   71.42 |"),
        ("bundle exec rspec | tail -3", "41 examples, 0 failures\n\nLine Coverage: 95.1% (312 / 328)"),
        (
            "npm test",
            JEST + "\nERROR: Coverage for lines (71%) does not meet global threshold (80%)",
        ),  # it exits with 0
    ],
)
def test_words_of_coverage_alone_fail_nothing(command: str, text: str) -> None:
    assert outcome(command, text) == "passed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Bestanden!   : Fehler:     0, erfolgreich:    12, übersprungen:     0, gesamt:    12, Dauer: 45 ms",
            "passed",
        ),
        (
            "Fehler!      : Fehler:     2, erfolgreich:    10, übersprungen:     0, gesamt:    12, Dauer: 45 ms",
            "failed",
        ),
        ("Échec!   - échec :     2, réussite :    10, ignorée(s) :     0, total :    12, durée : 45 ms", "failed"),
        ("成功!   -失敗:     0、合格:    12、スキップ:     0、合計:    12、期間: 45 ms", "passed"),
        ("Correctas! - Con error:     0, Superado:     2, Omitido:     1, Total:     3, Duración: 45 ms", "passed"),
        (
            "Bestanden!   : Fehler:     0, erfolgreich:    12, übersprungen:     0, gesamt:    17, Dauer: 45 ms",
            "unknown",
        ),
    ],
)
def test_a_translated_dotnet_test_is_read_by_its_numbers(text: str, expected: str) -> None:
    assert outcome("dotnet test | tail -1", f"{text} - App.Tests.dll (net8.0)") == expected


def test_a_translated_terminal_logger_is_read_by_its_numbers() -> None:
    line = "Testzusammenfassung: gesamt: 12; fehlgeschlagen: {}; erfolgreich: {}; übersprungen: 0; Dauer: 1,2s"

    assert outcome("dotnet test | tail -2", line.format(0, 12)) == "passed"
    assert outcome("dotnet test | tail -2", line.format(2, 10)) == "failed"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("    1 Warning(s)\n    2 Error(s)\n\nTime Elapsed 00:00:02.31", "failed"),
        ("ÉCHEC de la build.\n    0 Avertissement(s)\n    2 Erreur(s)\n\nTemps écoulé 00:00:02.31", "failed"),
        ("    2 Fehler\n\nVerstrichene Zeit 00:00:02.31", "failed"),
        ("    1 Warnung(en)\n    0 Fehler\n\nVerstrichene Zeit 00:00:02.31", "passed"),
        ("ビルドに成功しました。\n    0 個の警告\n    0 エラー\n\n経過時間 00:00:02.31", "passed"),
    ],
)
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
        ("shellcheck scripts/*.sh | tail -2", "For more information:\n  https://www.shellcheck.net/wiki/SC2086 -- Double quote to prevent globbing"),
        ("ansible-lint 2>&1 | tail -1", "Failed: 3 failure(s), 1 warning(s) in 12 files processed of 14 encountered."),
        ("pyrefly check 2>&1 | tail -1", " INFO 3 errors (12 suppressed)"),
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
    "text",
    [
        "    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n\nNode.js v22.14.0",
        "Start building sites …\nError: error building site: render: failed to render pages",
        "  ⨯ Cannot find entry file: /p/dist/main.js  failedTask=build",
    ],
)
def test_an_end_that_speaks_of_a_failure_is_no_silence(text: str) -> None:
    assert outcome("npm run build 2>&1 | tail -5", text) == "unknown"
    assert outcome("npm run build", text) == "passed"  # its status is 0


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        ("npx tsc --noEmit 2>&1 | wc -l", "0", 0, "passed"),
        ("npx tsc --noEmit | wc -l", "       4", 0, "failed"),
        ("npx tsc --noEmit -p tsconfig.json 2>&1 | grep -c 'error TS'", "3", 0, "failed"),
        ("cd web && npx tsc --noEmit 2>&1 | grep 'error TS'", "", 1, "passed"),
        ("npx tsc --noEmit 2>&1 | grep error || echo 'no type errors'", "no type errors", 0, "passed"),
        ("cargo check 2>&1 | grep -E '^error' | head -20", "", 0, "passed"),
        # of one file only; a verdict of its own among what is counted; another command beside it; a test runner may have crashed
        ("npx tsc --noEmit 2>&1 | grep -c 'src/foo.ts'", "0", 1, "unknown"),
        ("npx pyright | grep -c error", "1", 0, "unknown"),
        ("npx eslint . | wc -l", "7", 0, "unknown"),
        ("go test ./... 2>&1 | wc -l", "3", 0, "unknown"),
        ("mypy src | grep -c 'error:'", "0", 1, "passed"),
        # what was counted is not all that it said, or is no number
        ("npx tsc --noEmit | awk '/src.foo/' | wc -l", "0", 0, "unknown"),
        ("npx tsc --noEmit | grep -cP '('", "grep: missing closing parenthesis", 2, "unknown"),
        ("npx tsc --noEmit | wc -l", "", 0, "unknown"),
        ("npx tsc --noEmit | wc -lw", "0 0", 0, "unknown"),
        ("npx eslint . | grep error", "  3:5  error  'x' is never used  no-unused-vars", 0, "failed"),
        ("npx tsc --noEmit | wc -l; pwd", "0\n/srv/app", 0, "unknown"),
        ("npx tsc --noEmit | wc -l", "9" * 5000, 0, "unknown"),
        # what the line says beside it counts for nothing
        ("npx tsc --noEmit | grep -c error; echo; echo done", "0\n\ndone", 1, "passed"),
        # it may not have run, or not to its end
        ("for d in */; do npx tsc --noEmit -p $d | grep error; done", "", 1, "unknown"),
        ("found=$(npx tsc --noEmit | grep error)", "", 1, "unknown"),
        ("npx tsc --noEmit | grep error &", "", 0, "unknown"),
        ("npm run generate; npx tsc --noEmit 2>&1 | grep 'error TS'", "", 1, "unknown"),
        ("pytest -q 2>&1 | grep -c FAILED", "0", 1, "unknown"),
    ],
)
def test_a_checkers_counted_complaints_are_its_verdict(command: str, text: str, code: int, expected: str) -> None:
    kind = "test" if "test" in command else "typecheck" if "tsc" in command or "pyright" in command else ""
    assert outcome(command, text, code, kind) == expected


@pytest.mark.parametrize(
    "tool",
    ["flake8 src", "pyflakes src", "go vet ./...", "gofmt -l .", "goimports -l .", "gofumpt -l .", "npx vue-tsc"],
)
def test_of_tools_that_print_complaints_alone_each_line_is_one(tool: str) -> None:
    assert outcome(f"{tool} 2>&1 | wc -l", "0") == "passed"
    assert outcome(f"{tool} 2>&1 | wc -l", "2") == "failed"


@pytest.mark.parametrize(
    ("tool", "pattern"),
    [("npx vue-tsc", "error TS"), ("mypy src", "error:"), ("pyright", " - error"), ("npx eslint .", "error")],
)
def test_a_checker_of_which_no_complaint_came_through_has_passed(tool: str, pattern: str) -> None:
    assert outcome(f"{tool} | grep '{pattern}'", "", 1) == "passed"
    assert outcome(f"{tool} | grep 'of one file'", "", 1) == "unknown"


def test_complaints_of_a_checker_that_was_stopped_are_not_counted() -> None:
    assert outcome("npx tsc --noEmit | grep error", "", timed_out=True) == "unknown"
    typed: Any = UserShell(
        line=2, command="npx tsc --noEmit | grep error"
    )  # nobody knows whether the person broke it off
    commands = classify(typed.command)
    assert str(read_outcome(commands, typed, commands[0]).outcome) == "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("make: Für das Ziel „test“ ist nichts zu tun.", "not-run"),
        ("make: rien à faire pour « test ».", "not-run"),
        ("make: 'test' に対して行うべき事はありません.", "not-run"),
        ("make: warning: Clock skew detected.  Your build may be incomplete.", "passed"),
        ("make: Entering directory '/p'\nok\nmake: Leaving directory '/p'", "passed"),
    ],
)
def test_a_make_that_says_one_thing_in_any_language_made_nothing(text: str, expected: str) -> None:
    assert outcome("make test", text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("pytest tests/native 2>&1 | tail -3", "tests/native/test_codec.py Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f1a2b3c4d40:"),
        ("npx jest 2>&1 | tail -3", "PASS src/a.test.ts\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"),
        ("go test ./q 2>&1 | head -3", "panic: test timed out after 30s\n\trunning tests:\n\t\tTestWaits (30s)"),
        ("./vendor/bin/phpunit | tail -2", "PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted in /p/a.php"),
    ],
)  # fmt: skip
def test_a_run_that_died_has_failed(command: str, text: str) -> None:
    assert outcome(command, text) == "failed"


def test_a_death_in_the_log_of_a_run_that_passed_is_the_tests_own() -> None:
    assert outcome("npx jest 2>&1 | tail -9", "FATAL ERROR: x - JavaScript heap out of memory\n" + JEST) == "passed"
    assert outcome("pytest", "Fatal Python error: Segmentation fault\n7 passed in 0.11s") == "passed"


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
        ("fastlane ios test device:iPhone | tail -1", "[23:59:01]: ▸ \t Executed 84 tests, with 2 failures (0 unexpected) in 2.101 (2.204) seconds", "failed"),
        ("xcodebuild test -scheme App | xcpretty", "▸ Running script 'Lint'\n▸ Test Succeeded", "passed"),
        ("sbt test 2>&1 | grep -E 'Passed|Failed'", "[info] Passed: Total 12, Failed 0, Errors 0, Passed 12", "passed"),
        ("./run_tests.sh | tail -1", "Tests: 2  Passed: 1  Failed: 1", "failed"),
        ("./run_tests.sh | tail -1", "Tests: 2  Passed: 2  Failed: 0", "passed"),
        ("xcodebuild test -scheme App 2>&1 | xcpretty | tail -2", "Executed 12 tests, with 0 failures (0 unexpected) in 0.041 (0.043) seconds", "passed"),
        ("xcodebuild test -scheme App | xcbeautify", "Test Succeeded\nTests Passed: 0 failed, 0 skipped, 12 total (0.340 seconds)", "passed"),
        ("xcodebuild test -scheme App | xcbeautify | tail -1", "Tests Passed: 0 failed, 3 skipped, 12 total (1.4 seconds)", "passed"),
        ("xcodebuild test -scheme App | xcbeautify | tail -1", "Tests Passed: 0 failed, 3 skipped, 3 total (0.1 seconds)", "not-run"),
        ("xcodebuild test -scheme App | xcbeautify | tail -1", "Tests Failed: 1 failed, 0 skipped, 12 total (0.3 seconds)", "failed"),
    ],
)  # fmt: skip
def test_more_ends_are_read(command: str, text: str, expected: str) -> None:
    assert outcome(command, text, kind="test") == expected


def test_dbt_closes_with_its_counts() -> None:
    line = "10:12:01  Done. PASS=11 WARN=0 ERROR={} SKIP=0 NO-OP=0 TOTAL=12"
    good, bad = read_summary(line.format(0)), read_summary(line.format(1))

    assert [str(item and item.outcome) for item in (good, bad)] == ["passed", "failed"]


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("npx tsc --noEmit 2>&1 | tail -2", "  Types of property 'a' are incompatible.\n    Type 'undefined' is not assignable to type 'string'.", "unknown"),
        ("npx tsc --noEmit --pretty | tail -3", "Errors  Files\n     2  src/a.ts:3\n     1  src/b.ts:9", "failed"),
        ("npx tsc --noEmit 2>&1 | tail -2", 'npm warn Unknown project config "x".', "passed"),
        ("bundle exec rubocop -A | tail -1", "12 files inspected, 3 offenses detected, 3 offenses corrected", "passed"),
        ("bundle exec rubocop -a | tail -1", "12 files inspected, 3 offenses detected, 2 offenses corrected", "failed"),
        ("helm lint charts/app | tail -1", "Error: 1 chart(s) linted, 1 chart(s) failed", "failed"),
        ("helm lint charts/app | tail -1", "1 chart(s) linted, 0 chart(s) failed", "passed"),
        ("kubeconform -summary k8s/ | tail -1", "Summary: 12 resources found in 3 files - Valid: 12, Invalid: 0, Errors: 0, Skipped: 0", "passed"),
        ("kubeconform -summary k8s/ | tail -1", "Summary: 12 resources found in 3 files - Valid: 10, Invalid: 1, Errors: 1, Skipped: 0", "failed"),
        ("go test ./... 2>&1 | tail -2", "go: example.com/x@v1.2.3: missing go.sum entry for go.mod file; to add it:\n\tgo mod download example.com/x", "failed"),
        ("go test ./... 2>&1 | tail -2", "go: downloading example.com/x v1.2.3\nok  \texample.com/app/a\t0.1s", "passed"),
        ("vendor/bin/phpunit | tail -4", "There was 1 failure:\n\n1) AppTest::testX\nFailed asserting that 3 matches expected 2.", "failed"),
        ("vendor/bin/phpunit | tail -9", "There was 1 failure:\n\n1) AppTest::testX\n\nOK (3 tests, 9 assertions)", "passed"),
        ("mvn -B verify 2>&1 | tail -3", "[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\n[WARNING] Rule violated for bundle app: lines covered ratio is 0.61, but expected minimum is 0.80\n[INFO] BUILD SUCCESS", "passed"),
        ("./gradlew check 2>&1 | tail -3", "12 tests completed\n> Rule violated for bundle app: lines covered ratio is 0.61, but expected minimum is 0.80", "failed"),
        ("node --test 2>&1 | tail -4", "✖ failing tests:\n\ntest at test/a.test.js:3:1\n✖ adds (1.2ms)", "failed"),
        ("buck2 test //... 2>&1 | tail -1", "Tests finished: Pass 11. Fail 0. Timeout 1. Fatal 0. Skip 0. Infra Failure 0. Build failure 0", "failed"),
        ("pants test :: 2>&1 | tail -2", "✓ src/a/test_a.py:tests succeeded in 1.20s (memoized).\n✕ src/b/test_b.py:tests failed in 0.80s.", "failed"),
        ("dub test | tail -1", "12 modules passed unittests", "passed"),
        ("nimble test 2>&1 | tail -2", "nimble.nim(325)   compileAndRun\n    Error:  Execution failed with exit code 1", "failed"),
        ("R CMD check app.tar.gz | tail -2", "* DONE\n\nStatus: OK", "passed"),
        ("R CMD check app.tar.gz | tail -1", "Status: 1 ERROR, 1 NOTE", "failed"),
        ("npm test 2>&1 | tail -2", "✅ [test] Executed successfully\n✅ Ran 3 scripts and skipped 2 in 3.2s.", "passed"),
        ("npm test 2>&1 | tail -2", "❌ [test] Failed with exit status 1\n❌ 1 script failed.", "failed"),
        ("npm test 2>&1 | tail -2", "GET /health\nStatus: OK", "unknown"),
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


def test_a_file_that_a_test_could_not_find_is_the_tests_own() -> None:
    assert outcome("bundle exec rspec", "Could not find table 'users'\n3 examples, 1 failure", 1) == "failed"


def test_rush_closes_with_a_heading_for_each_outcome() -> None:
    good = "==[ SUCCESS: 5 operations ]====\n\nThese operations completed successfully:"

    assert outcome("rush test 2>&1 | tail -9", good) == "passed"
    assert outcome("rush test 2>&1 | tail -9", good + "\n==[ FAILURE: 1 operation ]====") == "failed"


@pytest.mark.parametrize(
    ("output", "runner"),
    [
        ("Running ExUnit with seed: 1\n\n....\nFinished in 0.05 seconds (0.05s async, 0.00s sync)\n4 tests, 0 failures", "mix test"),
        ("Finished in 1.2 seconds\n2 doctests, 4 tests, 0 failures\n[main 1a2b3c4] Fix", "mix test"),
        ("deploy.bats\n ✓ refuses root\n\n1 test, 0 failures", "bats"),
    ],
)  # fmt: skip
def test_a_hooks_counts_are_those_of_the_runner_that_printed_them(output: str, runner: str) -> None:
    summary = read_summary(output)

    assert summary is not None
    assert summary.runner == runner


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("dune runtest 2>&1 | tail -20", "passed"),
        ("dune build @all @runtest 2>&1 | head -40", "passed"),
        ("zig build test 2>&1 | tail", "passed"),
        ("mvn -q test 2>&1 | tail -20", "passed"),
        ("make test 2>&1 | tail -5", "passed"),
        # these speak of what passed as well: where nothing stands, nothing ran
        ("cargo test 2>&1 | tail", "unknown"),
        ("mvn test 2>&1 | tail -20", "unknown"),
        # a failure would be hidden, or nothing may have begun
        ("dune runtest 2>&1 | grep -i error", "unknown"),
        ("gmake test 2>&1 | tail -5", "passed"),
        ("just test 2>&1 | tail -5", "passed"),
        ("rake test 2>&1 | tail -5", "passed"),
        ("./mvnw -q test 2>&1 | tail -5", "passed"),
        ("gradle --quiet test 2>&1 | tail -5", "passed"),
        ("./gradlew -q test 2>&1 | tail -5", "passed"),
        ("dune runtest 2>/dev/null | tail", "unknown"),
        ("test -d test && dune runtest 2>&1 | tail", "unknown"),
        ("make -s test 2>&1 | tail -5", "unknown"),
        ("make --silent test 2>&1 | tail -5", "unknown"),
        ("gmake --quiet test 2>&1 | tail -5", "unknown"),
        ("make -i test 2>&1 | tail -5", "unknown"),
        ("make --ignore-errors test 2>&1 | tail -5", "unknown"),
    ],
)
@pytest.mark.parametrize("text", ["", "(Bash completed with no output)"])
def test_silence_proves_what_speaks_of_failures_only(command: str, expected: str, text: str) -> None:
    assert outcome(command, text, kind="test") == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("gmake test 2>&1 | tail -5", "passed"),
        ("timeout 60 make test 2>&1 | tail -5", "passed"),
        ("just test 2>&1 | tail -5", "passed"),
        ("mise run test 2>&1 | tail -5", "passed"),
        ("rake test 2>&1 | tail -5", "passed"),
        ("tox 2>&1 | tail -5", "passed"),
        ("nox 2>&1 | tail -5", "passed"),
        ("./mvnw test 2>&1 | tail -5", "passed"),
        ("gradle test 2>&1 | tail -5", "passed"),
        # its line would not come through the pipe, or not all that it may say; it was told to say nothing
        ("make test 2>&1 | grep -v '[*]'", "unknown"),
        ("cargo test 2>&1 | grep -E '^error: could|^all|^runn'", "unknown"),
        ("cargo test 2>&1 | grep -E '^error: test|^all|^runn'", "unknown"),
        ("make -i test 2>&1 | tail -5", "unknown"),
        # it may have no line of its own
        ("npm test 2>&1 | tail -5", "unknown"),
    ],
)
def test_what_always_announces_a_failure_and_does_not_has_passed(command: str, expected: str) -> None:
    assert outcome(command, "running my script\nall good", kind="test") == expected


GO_GOOD = "ok  \texample.com/app/a\t0.1s"


@pytest.mark.parametrize(
    ("command", "text", "fields", "expected"),
    [
        ("go test ./... 2>&1 | tee log", GO_GOOD, {}, "passed"),
        ("go test ./... 2>&1 | tee log", GO_GOOD, {"truncated": True}, "unknown"),
        ("go test ./... | sed -n '/^ok/p'", GO_GOOD, {}, "unknown"),
        ("go test ./... | awk '/no test/'", GO_NONE.format("x"), {}, "unknown"),
        ("go test ./... | wc -l; go test ./a", "3\n" + GO_GOOD, {}, "unknown"),
        ("npx jest 2>&1 | cat", "PASS src/a.test.js\nPASS src/b.test.js", {}, "unknown"),
        ("pre-commit run --all-files | grep -v Skipped", "ruff......................Passed", {}, "unknown"),
        ("npm run build 2>&1 | tee log", "> vite build", {}, "passed"),
        ("npm run build 2>&1 | tee log", "> vite build", {"truncated": True}, "unknown"),
        ("npm run build 2>&1 | grep dist", "dist/a.js 1 kB", {}, "unknown"),
        ("npx tsc --noEmit | awk '/src.foo/'", "", {}, "unknown"),
        ("npx tsc --noEmit > tsc.log 2>&1; true", "", {}, "unknown"),
    ],
)
def test_what_may_be_hidden_proves_nothing(command: str, text: str, fields: dict[str, bool], expected: str) -> None:
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
)
def test_silence_of_a_build_that_may_not_have_come_to_its_end_proves_nothing(command: str) -> None:
    """Its branch did not speak, it still runs, what it printed is kept back, another round followed, or none was made."""
    assert outcome(command, "", kind="build") == "unknown"


def test_a_broken_beginning_of_a_long_output_is_not_its_end() -> None:
    rows = [f"dist/{number}.js  1 kB" for number in range(12)]

    assert outcome("npm run build 2>&1 | tail -30", "\n".join(["error: no cache, built anew", *rows])) == "passed"
    assert outcome("npm run build 2>&1 | tail -30", "error: x is missing" + "\n" * 8 + rows[0]) == "unknown"


def test_indented_lines_of_another_command_are_no_complaint() -> None:
    assert outcome("npx tsc --noEmit; git status", "On branch main\n  modified: a.ts") == "passed"


VITEST = " Test Files  1 passed (1)\n      Tests  {}\n   Duration  412ms\n\n"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("timeout 60 npx vitest", VITEST.format("4 passed (4)") + " PASS  Waiting for file changes...", "passed"),
        ("timeout 60 npx jest --watchAll", JEST + "\nRan all test suites.\n\nWatch Usage: Press w to show more.", "passed"),
        ("timeout 60 npx mocha --watch", MOCHA + "ℹ [mocha] waiting for changes...", "passed"),
        ("timeout 60 npx vitest", VITEST.format("1 failed | 3 passed (4)") + " FAIL  Tests failed. Watching for file changes...", "failed"),
        ("timeout 60 npx vitest", VITEST.format("4 passed (4)"), "unknown"),
        ("timeout 60 npx jest", JEST, "unknown"),
    ],
)  # fmt: skip
def test_a_watching_run_that_is_killed_behind_its_last_test_has_ended_them(
    command: str, text: str, expected: str
) -> None:
    assert outcome(command, text, 124) == expected


def test_what_failed_beside_a_watcher_is_no_killed_run() -> None:
    shown = VITEST.format("4 passed (4)") + " PASS  Waiting for file changes..."

    assert outcome("npx vitest", shown, 1) == "failed"


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
        ("dotnet test", "You must install or update .NET to run this application."),
        ("docker exec dev pytest", "Error response from daemon: No such container: dev"),
        ("ssh build01 'make check'", "ssh: connect to host build01 port 22: Connection refused"),
    ],
)  # fmt: skip
def test_a_tool_that_is_not_there_ran_no_tests_whoever_says_so(command: str, text: str) -> None:
    assert outcome(command, text, 1) == "not-run"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("pytest -q", "E   AssertionError: assert 'No such container: dev' in out\n1 failed, 3 passed in 0.1s"),
        (
            "npm test",
            "    ssh: connect to host build01 port 22: Connection refused\nTests:       1 failed, 3 passed, 4 total",
        ),
        ("./gradlew test", "ToolTest > says Unable to locate a Java Runtime FAILED\n\n3 tests completed, 1 failed"),
    ],
)
def test_tests_that_speak_of_a_missing_tool_have_failed(command: str, text: str) -> None:
    assert outcome(command, text, 1) == "failed"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("! npm test && echo 'red, as it should be'", "red, as it should be", "failed"),
        ("! npm test || echo 'green already'", "green already", "passed"),
        ("if ! npm test; then echo broken; else echo fine; fi", "broken", "failed"),
        ("if ! npm test; then echo broken; else echo fine; fi", "fine", "passed"),
        ("if ! npm test; then echo broken; exit 1; fi; echo on", "on", "passed"),
        ("if ! npm test; then echo broken; exit 0; fi; echo on", "broken", "failed"),
        ("npm test && echo fine || echo broken", "fine", "passed"),
        ("npm test && echo fine || echo broken", "broken", "failed"),
    ],
)
def test_the_branches_of_a_negated_command_say_the_opposite(command: str, text: str, expected: str) -> None:
    assert outcome(command, text, kind="test") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p> 14 examples, 0 failures\np> Test suite p-test passed\nCompleted 2 action(s).", "passed"),
        ("wal-core> All 61 tests passed (0.31s)\nwal-core> Test suite spec passed\nCompleted 3 action(s).", "passed"),
        ("p> 14 examples, 1 failure\nCompleted 2 action(s).", "failed"),
        ("p> 3 out of 61 tests failed (0.31s)", "failed"),
        ("p> copy/register\nCompleted 2 action(s).", "unknown"),  # it built, and printed nothing of tests
    ],
)
def test_stack_puts_the_packages_name_before_what_its_tests_print(text: str, expected: str) -> None:
    assert outcome("stack test 2>&1 | tail -5", text) == expected


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("go test ./... | awk '/^(ok|FAIL|---)/'", "ok  \tx/p\t0.1s\nok  \tx/q\t0.2s", "passed"),
        ("go test ./... 2>&1 | sed -n '/^ok\\|^FAIL/p'", "ok  \tx/p\t0.1s\nok  \tx/q\t0.2s", "passed"),
        ("go test ./... | awk '/^(ok|FAIL|---)/'", "ok  \tx/p\t0.1s\nFAIL\tx/q\t0.2s", "failed"),
        ("go test ./... | awk '/^ok/'", "ok  \tx/p\t0.1s", "unknown"),  # what failed does not come through
        ("go test ./... | awk '{print $1}'", "ok\nok", "unknown"),
        ("go test ./... | sed -n '/^ok/,/^FAIL/p'", "ok  \tx/p\t0.1s", "unknown"),
    ],
)
def test_awk_and_sed_that_only_select_lines_are_read_as_grep_is(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected
