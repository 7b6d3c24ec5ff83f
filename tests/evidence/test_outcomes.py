"""What a command came to: status, whose it is, and print, joined. Every row is a line as an agent types it."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Counts, Outcome
from ace_reflect.evidence.outcomes import Reading, read_outcome
from ace_reflect.transcript.records import ToolResult, UserShell

PARTIAL = "FAILED tests/test_a.py::test_a - assert 0"
CHECKS = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT)
TESTS = (CommandKind.TEST,)
GREEN = "============ 10 passed in 0.52s ============"
RED = "======= 2 failed, 10 passed in 0.61s ======="
JEST = "Tests:       9 passed, 9 total\nSnapshots:   0 total"
JEST_GREEN = f"Test Suites: 2 passed, 2 total\n{JEST}\nTime:        1.2 s\nRan all test suites."
JEST_RED = "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 8 passed, 9 total"
TSC_RED = "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."
LINTED = "/src/a.ts\n  3:7  error  'x' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
PNPM = " ELIFECYCLE  Command failed with exit code 1."
CARGO_NONE = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"
GO_OK = "\n".join(f"ok  \texample.com/app/{name}\t0.1s" for name in "abcde")
GO_NONE = "?   \texample.com/app/cmd/{}\t[no test files]"

#: command, output, the outcomes of its tests (or builds and checks), exit code (None: an old host's, which tells no number), kind
OUTCOMES = [
    # a status that shows decides
    ("pytest", GREEN, "passed"),
    ("pytest", RED, "failed", 1),
    ("pytest -qq", "", "passed"),
    ("pytest", GREEN, "failed", 1),
    ("bash -lc 'pytest -q'", "", "passed"),
    # the summary outweighs words in the log, and the status failing runs inside a passing one: the tests' own material
    ("bun test 2>&1 | tail -20", "[Routes] Error in POST /api: FAIL\nerror: Database connection failed\nFAILED to connect\n 1216 pass\n 0 fail\nRan 1216 tests across 55 files. [862.00ms]", "passed"),
    ("pytest -s", f"{RED}\n{RED}\n{GREEN}", "passed"),
    ("pytest", f"sh: 1: ffmpeg: not found\n{RED}", "failed", 1),
    ("npx jest 2>&1 | tail -9", "FATAL ERROR: x - JavaScript heap out of memory\n" + JEST, "passed"),
    ("pytest", "Fatal Python error: Segmentation fault\n7 passed in 0.11s", "passed"),
    # where it is hidden, what was printed is left
    ("npm test 2>&1 | tail -40", JEST_RED, "failed"),
    ("npm test 2>&1 | tail -40", JEST_GREEN, "passed"),
    ("npm test 2>&1 | head -20", "PASS src/a.test.js\nPASS src/b.test.js\n" + "log\n" * 18, "unknown"),
    ("pytest || true", "", "unknown"),
    ("pytest; echo done", GREEN + "\ndone", "passed"),
    ("pytest -q | grep -c FAILED", "0", "unknown"),
    ("npx jest | grep -E 'Tests:|Suites:'", "Test Suites: 2 passed, 2 total\nTests:       9 passed, 9 total", "passed"),
    ("pytest -q --tb=no | grep -oE '[0-9]+ (passed|failed)'", "143 passed", "passed"),
    ("pytest -q | grep -oE '[0-9]+ passed'", "143 passed", "unknown"),
    ("npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; jq .numFailedTests,.success /tmp/r.json", "0\ntrue", "unknown"),
    ("npx jest --json --outputFile=/tmp/r.json >/dev/null 2>&1; jq '{numPassedTests,numFailedTests}' /tmp/r.json", '{\n  "numPassedTests": 21,\n  "numFailedTests": 0\n}', "passed"),
    ("pytest -q | sed s/failed/passed/", "2 passed, 1 passed in 0.1s", "unknown"),
    ("npx jest | grep PASS", "PASS src/a.test.js\nPASS src/b.test.js", "unknown"),
    ("go test ./... | grep '^ok'", "ok  \texample.com/a\t0.1s", "unknown"),
    ("go test ./... 2>&1 | head -2", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "unknown"),
    ("go test ./... 2>&1 | head -9", "ok  \texample.com/a\t0.1s\nok  \texample.com/b\t0.1s", "passed"),
    ("npm test | tail -1", "0 errors ✔ | 0 warnings ✔ | 0 notes ✔", "unknown"),
    # a status that the line prints counts
    ('pytest -q; echo "EXIT=$?"', "F\nEXIT=1", "failed"),
    ('cd app && npm test 2>&1 | tail -1; echo "exit ${PIPESTATUS[0]}"', "bye\nexit 1", "failed"),
    ('npm test | tail -1 && ruff check; echo "rc=$?"', "bye\nAll checks passed!\nrc=0", "unknown"),
    # what the line itself says proves nothing
    ('echo "10 passed in 0.52s"; npm test | tail -1', "10 passed in 0.52s\nbye", "unknown"),
    ('npm test | tail -1; echo "All tests passed!"', "bye\nAll tests passed!", "unknown"),
    ("npm test | tail -1; printf '1 passed, 0 failed\\n'", "bye\n1 passed, 0 failed", "unknown"),
    # each command of a line has its own outcome
    ("mise run lint && mise run test", "[lint] a.go:1: bad\n[lint] ERROR task failed", "not-run", 1),
    ("make lint && make test", "make: *** [Makefile:2: lint] Error 1", "not-run", 2),
    ("make lint && make test", "make: *** [Makefile:5: test] Error 1", "failed", 2),
    ("npm run build && npm test", "Failed to compile.", "not-run", 1),
    ("pnpm lint && pnpm test", f"{LINTED}\n ELIFECYCLE  Command failed with exit code 1.", "not-run", 1),
    ("yarn typecheck && yarn test", f"{TSC_RED}\nerror Command failed with exit code 2.", "not-run", 1),
    ("npm run build && npm test", f"built\n{JEST_RED}", "failed", 1),
    ("pytest && ruff check .", f"{GREEN}\nFound 3 errors.", "passed", 1),
    # a task runner's closing line is about what ran last
    ("pnpm build && pnpm test", f"{JEST_RED}\n ELIFECYCLE  Test failed. See above for more details.", "unknown", 1, "check"),
    ("yarn lint && yarn test", f"{RED}\nerror Command failed with exit code 1.", "unknown", 1, "check"),
    # where nothing was executed the run is no run
    ("pytest --collect-only", "12 tests collected in 0.02s", "not-run"),
    ("npx jest --listTests", "/app/a.test.js", "not-run"),
    ("pytest", "bash: line 1: pytest: command not found", "not-run", 127),
    ("pytest", "bash: line 1: /usr/bin/pytest: Permission denied", "not-run", 126),
    # builds and checkers have outcomes too
    ("mise run fmt && mise run lint", "[fmt] $ gofmt -w .\n[lint] a.go:1:1: bad (x)\n[lint] 1 issues:\n[lint] ERROR task failed", "failed failed", 1, "check"),
    ("ruff check . && mypy .", "All checks passed!\nFound 2 errors in 1 file (checked 3 source files)", "passed failed", 1, "check"),
    # a line of several tools
    ("ruff check && pytest -q --cov-fail-under=90", GREEN, "failed", 1),
    ("pnpm lint && pnpm test | tail -8", LINTED + PNPM, "unknown"),
    ("npm test", "sh: 1: npm: command not found", "passed"),
    ("timeout 60 pnpm test", "", "not-run"),
    ("pnpm -s test", "", "passed"),
    ("pnpm test > out.txt", "", "passed"),
    ("pnpm build; pnpm test", f"{PNPM}\n{GREEN}", "failed", 0, "build"),
    ("pnpm build && pnpm test", f"{GREEN}\n{PNPM}", "unknown", 1, "build"),
    # kinds of fault that people reported
    ("go test ./... > o.txt 2>&1; grep -c '^--- FAIL' o.txt", "2", "unknown"),
    ("go test -json ./... > o.json; grep fail o.json | wc -l", "0", "unknown"),
    ("mvn -B test", "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", "failed"),
    ("./gradlew build", "> Task :test\n245 tests completed, 1 failed, 3 skipped\nBUILD SUCCESSFUL in 36s", "failed"),
    ("tox", "1 failed, 5 passed in 0.1s\n  py311: IGNORED FAIL code 1 (1.2s)\n  congratulations :) (1.3 seconds)", "failed"),
    ("pytest -q --junitxml=r.xml >/dev/null 2>&1; grep -o '<testsuite [^>]*>' r.xml", '<testsuite name="pytest" errors="0" failures="0" skipped="0" tests="6" time="0.12">', "passed"),
    ("just test 2>&1 | tail -14", CARGO_NONE * 3, "not-run"),
    ("npm test 2>&1 | tail -9", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 5.2", "not-run"),
    # what the machine lacks keeps tests from starting
    ("./gradlew test", 'Exception in thread "main" java.net.UnknownHostException: services.gradle.org', "not-run", 1),
    ("./gradlew test", "      > Could not GET 'https://plugins-artifacts.gradle.org/x.pom'. Received status code 403 from server: Forbidden\n\nBUILD FAILED in 4s", "not-run", 1),
    ("./gradlew testDebugUnitTest", "> SDK location not found. Define a valid SDK location\n\nBUILD FAILED in 3s", "not-run", 1),
    ("./gradlew test", "> Cannot find a Java installation on your machine matching this task's requirements: {languageVersion=21}\n\nBUILD FAILED in 2s", "not-run", 1),
    ("dotnet test", "      A compatible .NET SDK was not found.\n\nInstalled SDKs:\n8.0.404 [/usr/share/dotnet/sdk]", "not-run", 1),
    ("docker compose run app pytest", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "not-run", 1),
    ("mvn test", "[ERROR] Non-resolvable parent POM for a:a:1: Could not transfer artifact\n[INFO] BUILD FAILURE", "not-run", 1),
    ("go test ./...", "go: example.com/x@v1: Get https://proxy.golang.org/x: dial tcp: lookup proxy.golang.org: no such host", "not-run", 1),
    ("npm test", "npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/x failed", "not-run", 1),
    ("cargo test", "error: No space left on device (os error 28)", "not-run", 1),
    ("./gradlew test", "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.", "not-run", 1),
    ("cargo test", "error: no override and no default toolchain set", "not-run", 1),
    ("bundle exec rspec", "Could not find rspec-3.13.0 in locally installed gems\nRun `bundle install` to install missing gems.", "not-run", 1),
    ("xcodebuild test -scheme App", "xcode-select: error: tool 'xcodebuild' requires Xcode, but active developer directory '/Library/Developer/CommandLineTools' is a command line tools instance", "not-run", 1),
    ("swift test", "xcrun: error: invalid active developer path (/Library/Developer/CommandLineTools), missing xcrun at: /Library/Developer/CommandLineTools/usr/bin/xcrun", "not-run", 1),
    ("./gradlew test", "The operation couldn’t be completed. Unable to locate a Java Runtime.\nPlease visit http://www.java.com for information on installing Java.", "not-run", 1),
    ("mix test", "No version is set for command mix\nConsider adding one of the following versions in your config file at /p/.tool-versions", "not-run", 1),
    ("bundle exec rspec", "rbenv: version `3.2.0' is not installed (set by /p/.ruby-version)", "not-run", 1),
    ("pytest -q", "pyenv: pytest: command not found\n\nThe `pytest' command exists in these Python versions:\n  3.12.1", "not-run", 1),
    # tests that speak of a missing tool have failed
    ("pytest -q", "E   AssertionError: assert 'No such container: dev' in out\n1 failed, 3 passed in 0.1s", "failed", 1),
    ("npm test", "    ssh: connect to host build01 port 22: Connection refused\nTests:       1 failed, 3 passed, 4 total", "failed", 1),
    ("./gradlew test", "ToolTest > says Unable to locate a Java Runtime FAILED\n\n3 tests completed, 1 failed", "failed", 1),
    # a filter that leaves every line hides no failure
    ("go test ./... 2>&1 | tr -d '\\r'", GO_OK, "passed"),
    # empty packages at a cut end say nothing of those before
    ("cargo test parser 2>&1 | tail -3", CARGO_NONE, "not-run"),
    ("cargo test 2>&1 | tail -20", CARGO_NONE, "not-run"),
    ("go test ./... 2>&1 | tail -20", GO_NONE.format("x") + "\n" + GO_NONE.format("y"), "not-run"),
    # a threshold, or a late error, fails a run whose tests all passed
    ("npx jest --coverage 2>&1 | tail -9", 'Jest: "global" coverage threshold for branches (80%) not met: 72.41%\n\n' + JEST, "failed"),
    ("ng test --no-watch | tail -3", "TOTAL: 12 SUCCESS\n\nERROR [coverage]: Coverage for lines (71.2%) does not meet global threshold (80%)", "failed"),
    ("node --test | tail -2", "ℹ end of coverage report\nℹ Error: 71.00% line coverage does not meet threshold of 80%.", "failed"),
    ("bundle exec rspec | tail -3", "41 examples, 0 failures\n\nLine coverage (70.91%) is below the expected minimum coverage (80.00%).", "failed"),
    # a dotnet build is read by its count of errors
    ("dotnet build 2>&1 | tail -5", "ÉCHEC de la build.\n    0 Avertissement(s)\n    2 Erreur(s)\n\nTemps écoulé 00:00:02.31", "failed"),
    ("dotnet build 2>&1 | tail -5", "    2 Fehler\n\nVerstrichene Zeit 00:00:02.31", "failed"),
    ("dotnet build 2>&1 | tail -5", "ビルドに成功しました。\n    0 個の警告\n    0 エラー\n\n経過時間 00:00:02.31", "unknown"),
    # builds and checkers at a cut end
    ("next build 2>&1 | tail -5", "> Export encountered errors on following paths:\n\t/about/page: /about", "failed"),
    ("npm run build 2>&1 | tail -5", " ⨯ Next.js build worker exited with code: 1 and signal: null", "failed"),
    ("npm run build 2>&1 | tail -4", "12:5  Error: 'x' is assigned a value but never used.  @typescript-eslint/no-unused-vars", "failed"),
    ("npx nuxt build 2>&1 | tail -2", " ERROR  Nuxt build error: Error: [vite]: Rollup failed to resolve import", "failed"),
    ("msbuild App.sln 2>&1 | tail -2", "a.obj : error LNK2019: unresolved external symbol foo referenced in function main [C:\\p\\app.vcxproj]", "failed"),
    ("mkdocs build --strict 2>&1 | tail -2", "Aborted with 1 warnings in strict mode!", "failed"),
    ("npx markdownlint-cli2 '**/*.md' 2>&1 | tail -2", "Summary: 3 error(s)\na.md:3 MD022/blanks-around-headings", "failed"),
    ("xcodebuild build 2>&1 | xcbeautify | tail -2", "[App] Linking App\nBuild Succeeded", "passed"),
    ("npm run build 2>&1 | tail -4", "├ ○ /error                  142 B\n└ ○ /failed                 142 B\n\n○  (Static)  prerendered as static content", "unknown"),
    ("npm run build 2>&1 | tail -4", "dist/error-page.html  1.2 kB\nerrors: 0\nErrors 0, warnings 2", "unknown"),
    ("npx tsc --noEmit --pretty | tail -3", "Errors  Files\n     2  src/a.ts:3\n     1  src/b.ts:9", "failed"),
    ("npx tsc --noEmit 2>&1 | tail -2", 'npm warn Unknown project config "x".', "unknown"),
    ("helm lint charts/app | tail -1", "Error: 1 chart(s) linted, 1 chart(s) failed", "failed", 0, "other"),
    ("go test ./... 2>&1 | tail -2", "go: example.com/x@v1.2.3: missing go.sum entry for go.mod file; to add it:\n\tgo mod download example.com/x", "failed"),
    ("go test ./... 2>&1 | tail -2", "go: downloading example.com/x v1.2.3\nok  \texample.com/app/a\t0.1s", "passed"),
    ("vendor/bin/phpunit | tail -4", "There was 1 failure:\n\n1) AppTest::testX\nFailed asserting that 3 matches expected 2.", "failed"),
    # a checker's counted complaints are its verdict
    ("npx tsc --noEmit 2>&1 | grep error || echo 'no type errors'", "no type errors", "unknown"),
    ("cargo check 2>&1 | grep -E '^error' | head -20", "", "passed"),
    ("npx tsc --noEmit 2>&1 | grep -c 'src/foo.ts'", "0", "unknown", 1),
    # more ends of runners
    ("npx playwright test | tail -1", "Error: Process from config.webServer was not able to start. Exit code: 1", "failed"),
    ("npx lerna run test | tail -1", " Lerna (powered by Nx)   Successfully ran target test for 5 projects (3s)", "passed"),
    ("moon run :test | tail -2", "Tasks: 5 completed (3 cached)\n Time: 1s 204ms", "passed"),
    ("moon run :test | tail -2", "Tasks: 4 completed, 1 failed\n Time: 1s 204ms", "failed"),
    ("bundle exec fastlane unit | tail -2", "[10:02:14]: ▸ \t Executed 84 tests, with 0 failures (0 unexpected) in 2.101 (2.204) seconds\n[10:02:15]: ▸ Test Succeeded", "passed"),
    # what a filter may have taken away proves nothing
    ("go test ./... 2>&1 | tee log", GO_OK, "passed"),
    ("go test ./... | awk '/no test/'", GO_NONE.format("x"), "not-run"),
    ("npx jest 2>&1 | cat", "PASS src/a.test.js\nPASS src/b.test.js", "unknown"),
    ("npm run build 2>&1 | tee log", "> vite build", "unknown"),
    # silence of a build that may not have come to its end proves nothing
    ("if npm run build; then echo built; fi", "", "unknown", 0, "build"),
    ("npm run build && echo built || true", "", "unknown", 0, "build"),
    ("! npm run build", "", "unknown", 0, "build"),
    ("npm run build 2>&1 | tail -5 &", "", "unknown", 0, "build"),
    ("out=$(npm run build 2>&1 | tail -5)", "", "unknown", 0, "build"),
    ("for d in web api; do npm run build; done", "", "unknown", 0, "build"),
    ("test -d dist || npm run build | tail -5", "", "unknown", 0, "build"),
    # a silent checker behind a cd passed, whatever follows it
    ("cd packages/api && npx tsc --noEmit 2>&1 | head -20; echo '---'; git status --short", "---\n M a.ts", "unknown"),
    ("cd web && pnpm exec tsc --noEmit; cd ..", "", "unknown"),
    ("[ -d web ] && npx tsc --noEmit; ls", "a.ts", "unknown"),
    ("npm ci && npx tsc --noEmit; ls", "a.ts", "unknown"),
]  # fmt: skip


def result(text: str = "", code: int | None = 0, **fields: Any) -> ToolResult:
    shown = f"Exit code {code}\n{text}" if code else text
    return ToolResult(
        line=2, tool_use_id="t", text=shown, is_error=code != 0, exit_code=code or None, **fields
    )


def readings(command: str, got: Any, kind: str = "") -> list[Reading]:
    """Of all tests in the line, or of all builds and checks where it has none, or of all of `kind`."""
    commands = classify(command)
    tests = [item for item in commands if item.kind in TESTS and kind != "check"]
    checks = [item for item in commands if item.kind in CHECKS]
    wanted = [item for item in commands if item.kind == kind] or tests or checks
    assert wanted, f"nothing to read in {command!r}"
    return [read_outcome(commands, got, item) for item in wanted]


def read(command: str, text: str = "", code: int | None = 0, **fields: Any) -> Reading:
    return readings(command, result(text, code, **fields))[0]


@pytest.mark.req("REQ-REFL-001")
@pytest.mark.parametrize("row", OUTCOMES, ids=lambda row: row[0])
def test_a_commands_outcome(row: tuple[Any, ...]) -> None:
    command, text, expected, code, kind = (*row, 0, "")[:5] if len(row) < 5 else row
    found = readings(command, result(text, code), kind)
    assert " ".join(str(reading.outcome) for reading in found) == expected


@pytest.mark.parametrize(("command", "text", "fields", "outcome", "why"), [
    ("npm test", "running", {"code": None, "timed_out": True}, "unknown", "stopped before its end"),
    ("pytest", f"{PARTIAL}\nCommand timed out after 2m", {"code": 143, "timed_out": True}, "failed", "exit 143: 1 failed"),
    ("pytest", "\n\nnot now\n", {"code": 1, "denied": True}, "not-run", "the call was refused"),
    ("pytest", "\n\nnot now\n", {"code": 1, "not_run": True}, "not-run", "the call never ran"),
    ("pytest | cat", "<persisted-output>\nOutput too large (80KB). Preview:\ncollected 90 items", {"truncated": True, "stdout": f"log\n{RED}"}, "failed", "2 failed, 10 passed"),
    ("go test ./... 2>&1 | tee log", GO_OK, {"truncated": True}, "unknown", "status hidden by `| tee log`, no summary shown"),
    ("npm run build 2>&1 | tee log", "> vite build", {"truncated": True}, "unknown", "status hidden by `| tee log`, no summary shown"),
])  # fmt: skip
def test_what_the_host_says_of_a_call_counts(command, text, fields, outcome, why):
    reading = read(command, text, **fields)
    assert (reading.outcome, reading.why) == (outcome, why)
    assert reading.quote == "not now" or "not now" not in text


@pytest.mark.parametrize("code", [124, 130, 137, 143])
@pytest.mark.parametrize(("command", "text"), [("npm test", "running"), ("pytest", GREEN)])
def test_what_was_killed_has_not_failed(command: str, text: str, code: int) -> None:
    reading = read(command, text, code)
    assert reading.outcome is Outcome.UNKNOWN
    assert reading.why == f"stopped before its end (exit {code})"


@pytest.mark.parametrize(("command", "text", "code", "why", "quote"), [
    ("pytest --cov --cov-fail-under=90", GREEN, 1, "exit 1, although 10 passed", GREEN),
    ("pytest", RED, 1, "exit 1: 2 failed, 10 passed", RED),
    ("pytest", "===== 3 skipped in 0.02s =====", 0, "all 3 skipped", "===== 3 skipped in 0.02s ====="),
    ("npm test 2>&1 | tail -5", "Done in 3s.", 0, "status hidden by `| tail -5`, no summary shown", ""),
    ("pytest", "no such thing\n \n", 127, "it did not start", "no such thing"),
    ("pytest", "", 127, "it did not start", "exit 127"),
    ("go test ./...", "ok  \tx/a\t0.1s", 0, "ok x/a 0.1s", "ok x/a 0.1s"),
    ("pytest -q; echo rc=$?", f"{RED}\nrc=2", 0, "exit 2: 2 failed, 10 passed", RED),
    ("pytest -q | tail -3", RED, 0, "2 failed, 10 passed", RED),
    ("npm test", "boom", 2, "exit 2", "boom"),
])  # fmt: skip
def test_the_words(command: str, text: str, code: int, why: str, quote: str) -> None:
    reading = read(command, text, code)
    assert (reading.why, reading.quote) == (why, quote)


def test_a_reading_has_counts_and_says_whether_the_status_shows() -> None:
    red, hidden = read("pytest", RED, 1), read("npm test 2>&1 | tail -5", "Done in 3s.")
    assert red.counts == Counts(passed=10, failed=2, skipped=0)
    assert (red.status_visible, hidden.status_visible) == (True, False)


def test_a_persons_own_command_has_no_status_but_its_print() -> None:
    def typed(command: str, stdout: str) -> Reading:
        return readings(command, UserShell(line=1, command=command, stdout=stdout))[0]

    assert typed("npm test", JEST_RED).outcome is Outcome.FAILED
    assert typed("npm test", "bye").outcome is Outcome.UNKNOWN
    assert typed("npm test; echo rc=$?", "rc=3").why == "exit 3"
    shown = "10 passed in 0.52s\nrc=3"
    assert typed("pytest -q; echo rc=$?", shown).why == "exit 3, although 10 passed"
    assert read("pytest -q; echo rc=$?", shown).why == "exit 3, although 10 passed"


def test_a_run_in_the_background_is_open_until_its_notice() -> None:
    started = read("pytest", "Command running in background with ID: b1", background_id="b1")
    assert (started.outcome, started.running) == (Outcome.UNKNOWN, True)


@pytest.mark.parametrize("line", [
    "./pytest", "PATH=./fake:$PATH pytest", "export PATH=./fake:$PATH; pytest", "env PATH=fake:$PATH pytest",
    'pytest() { echo "5 passed"; }; pytest', "function pytest { cat ok.log; }; pytest", "alias pytest='echo 5 passed'; pytest",
    "pytest | awk '{gsub(/failed/,\"passed\")}1'",
])  # fmt: skip
def test_what_may_be_another_program_proves_nothing(line: str) -> None:
    commands = classify(line)
    result = ToolResult(line=1, tool_use_id="x", text="5 passed in 0.10s")
    tests = [each for each in commands if each.kind is CommandKind.TEST]
    assert all(read_outcome(commands, result, each).outcome.value == "unknown" for each in tests)
    assert not any(each.script for each in commands), "whose output would be read"


@pytest.mark.parametrize("line", ["PATH=$PWD/.venv/bin:$PATH pytest", "PATH=./node_modules/.bin:$PATH jest", "run() { pytest; }; run", "./gradlew test"])  # fmt: skip
def test_a_projects_own_tools_are_no_other_programs(line: str) -> None:
    commands = classify(line)
    test = next(each for each in commands if each.kind is CommandKind.TEST)
    result = ToolResult(line=1, tool_use_id="x", text="5 passed in 0.10s")
    assert read_outcome(commands, result, test).outcome.value == "passed"
