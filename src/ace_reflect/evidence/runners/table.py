"""Which file reads which runner, and the words one of which must occur in an output for it to be asked."""

from ace_reflect.values import Value


class Family(Value):
    module: str
    runners: tuple[str, ...] = ()  # the names `commands.classify` gives, or their first words
    signs: tuple[str, ...]
    last_resort: bool = False  # asked only where nobody else found a run
    wraps: bool = False  # runs others: asked whatever the runner's own file found


TASK_RUNNER_SIGNS = (
    "make", "ecipe", "ERROR task", "task: ", "rake aborted", "npm ERR!", "npm error", "PNPM", "ELIFECYCLE",
    "Command failed with", "script", "handling the", "Script", "ustfile", "mise ERROR", "No projects",
    "no test specified", "task `", "not found", "Subprocess aborted", "did NOT complete",
)  # fmt: skip

#: In the order of trust: where two read the same line, the first has it.
TESTS: tuple[Family, ...] = (
    Family(
        module="pytest", runners=("pytest",),
        signs=(
            "passed in ", "failed in ", "skipped in ", "deselected in ", "error in ", "errors in ", "warning in ",
            "warnings in ", "tests ran in ", "collected in ", "rerun in ", "subtests in ", ") in ", "Results (",
            "while loading conftest", "Required test coverage", "INTERNALERROR", "FAILED ", "ERROR ", "PASSED",
            "!!! ",
        ),
    ),
    Family(
        module="unittest",
        runners=("unittest", "nose", "nose2", "django", "manage.py", "green", "trial", "shunit2"),
        signs=(" test in ", " tests in ", " tests.\n", " test.\n", "FAILED (", "NO TESTS RAN"),
    ),
    Family(
        module="jest", runners=("jest", "react-scripts"),
        signs=(
            "Tests: ", "Test Suites:", "No tests found", "FAIL ", "PASS ", "Can't find a root directory",
            "Validation Error", "Unrecognized CLI",
        ),
    ),
    Family(module="vitest", runners=("vitest",), signs=(" Test Files  ", " Tests  ", "No test ", " FAIL  ", "❯")),
    Family(
        module="json_reports", runners=("jest", "vitest", "mocha", "playwright", "rspec"),
        signs=('"numFailedTests"', '"failure_count"', '"failures"', '"unexpected"'),
    ),
    Family(
        module="cypress", runners=("cypress", "wdio"),
        signs=("specs passed!", " failed (", "no spec", "Spec Files:"),
    ),
    Family(
        module="mocha", runners=("mocha", "hardhat", "cypress", "anchor"),
        signs=(" passing", " failing", "No test files found", "Exception during run", "Unable to compile"),
    ),
    Family(
        module="ava", runners=("ava",),
        signs=(
            "test passed\n", "tests passed\n", "test failed\n", "tests failed\n", "test skipped\n", "tests skipped\n",
            "find any files to test", "uncaught exception", "unhandled rejection", "No tests found in",
        ),
    ),
    Family(
        module="tap", runners=("tap", "tape", "node", "prove", "bats", "qunit"),
        signs=(
            "\nok 1", "\nok - ", "not ok ", "1..", "# tests", "# pass", "# fail", "ℹ ", "Result: ", "Asserts:",
            "# { total", "# TOTAL", " failures\n", " failure\n", " failure, ", " failures, ",
        ),
    ),
    Family(
        module="jasmine", runners=("jasmine", "karma", "ng"),
        signs=(" spec", "Executed ", "TOTAL: ", "Incomplete:"),
    ),
    Family(
        module="bun", runners=("bun",),
        signs=(
            " pass\n", " fail\n", "Ran ", "No tests found!", "0 test files", "any test files", "matched 0 tests",
            "(fail) ",
        ),
    ),
    Family(
        module="deno", runners=("deno",),
        signs=("ok | ", "FAILED | ", "No test modules found", "test result: "),
    ),
    Family(
        module="playwright", runners=("playwright",),
        signs=(
            " failed\n", " passed (", " skipped\n", " flaky\n", " flaky (", "did not run", "No tests found",
            "Timed out waiting", "config.webServer", "not a part of any",
        ),
    ),
    Family(module="gotools", runners=("gotestsum", "ginkgo"), signs=("DONE ", "! -- ", "Test Suite ", "Ginkgo")),
    Family(
        module="go", runners=("go test", "gotestsum", "ginkgo"),
        signs=("ok  ", "FAIL", "--- ", "[no test", '"Action":', "PASS", "\ngo: ", ".go:"),
    ),
    Family(
        module="cargo", runners=("cargo", "nextest"),
        signs=(
            "test result: ", "could not compile", "error: test ", "error: no ", " tests run: ", " test run: ",
            "... FAILED", "Cargo.toml",
        ),
    ),
    Family(
        module="jvm", runners=("mvn", "gradle", "junit", "testng", "ant"),
        signs=(
            "Tests run:", "BUILD ", "no tests to run.", "No tests", " tests completed", " test completed", "Task :",
            ":test", " tests successful", "OK (", "Tests are skipped", "Total tests run",
        ),
    ),
    Family(
        module="dotnet", runners=("dotnet",),
        signs=(
            "! ", "Test summary:", "Test run summary", "Test Run ", "No test ", "Zero tests", "Build FAILED",
            "error CS", "error MSB", "error FS", "error BC", "error NU", "error NETSDK",
        ),
    ),
    Family(
        module="minitest", runners=("minitest", "rails", "rake", "ruby"),
        signs=(" assertions, ",),
    ),
    Family(
        module="examples", runners=("rspec", "crystal spec", "busted", "shellspec"),
        signs=(" examples", " example,", " success"),
    ),
    Family(
        module="phpunit", runners=("phpunit", "pest", "artisan", "codeception"),
        signs=("OK (", "Tests:", "No tests", "FAILURES!", "ERRORS!", "There w"),
    ),
    Family(
        module="ctest", runners=("ctest", "meson"),
        signs=(
            "% tests passed", "No tests ", "***", "Expected Fail:", "Unexpected Pass:", "Ok:  ", "No suitable tests",
        ),
    ),
    Family(
        module="cpp",
        signs=(
            "[  PASSED", "[  FAILED", "test cases:", "tests passed (", "*** No errors", " detected in the test",
            "Synthesis:", ": Checks:", "Totals: ", "No tests ran", "test cases matched", "tests  ",
        ),
    ),
    Family(
        module="beam", runners=("mix", "eunit", "rebar3", "gleam"),
        signs=(
            " failure", "are no tests to run", "were no tests to run", "been excluded", "== Compilation error",
            "** (Mix)", "===> ", " tests passed", "Passed ", "Passed:", "Test passed.",
        ),
    ),
    Family(
        module="swift", runners=("swift", "xcodebuild", "xctest"),
        signs=(
            "Executed ", "Test run with ", "** TEST ", "** BUILD ", "Test Succeeded", "Test Failed", "Testing failed",
        ),
    ),
    Family(
        module="scala", runners=("sbt", "mill", "scala-cli"),
        signs=(
            "Tests: ", ": Total ", "*** ", "Compilation failed", "error found", "TestsFailedException",
            " tests passed. ", "No tests were executed", " errors found",
        ),
    ),
    Family(
        module="zig", runners=("zig",),
        signs=(" tests passed.", " failed.", "Build Summary:", ".zig:", "error: the following "),
    ),
    Family(
        module="dart", runners=("dart", "flutter"),
        signs=("tests passed", "tests failed", "No tests ", "tests skipped"),
    ),
    Family(
        module="lisp", runners=("lein", "clojure", "clj", "bb", "kaocha", "emacs", "raco"),
        signs=(" containing ", " assertions, ", "results as expected", "result as expected", "Fail: ", "tests passed"),
    ),
    Family(
        module="haskell", runners=("cabal", "stack"),
        signs=(" test suites ", " tests passed (", " tests failed (", "Cases: ", "Test suite ", "Error: [S-"),
    ),
    Family(module="ocaml", runners=("dune",), signs=(" run.", "Ran: ", "FAILED: Cases")),
    Family(
        module="scenarios", runners=("cucumber", "cucumber-js", "behave", "robot"),
        signs=(" scenario", "Scenario", " tests, ", " test, ", "contains no tests"),
    ),
    Family(
        module="assorted",
        runners=(
            "bazel", "forge", "terraform test", "tofu test", "elm-test", "julia", "helm", "uvu", "testcafe",
            "conftest", "rush", "Rscript", "dbt", "buck2", "pants", "dub", "nimble", "R", "west", "act",
            "testthat", "pester", "pio", "godot", "unity", "molecule", "zunit", "stestr", "newman",
        ),
        signs=(
            "Tests finished: ", " ✔ | ", " ✖ | ", " succeeded in ", " failed in ", " passed unittests", "Execution f",
            "Status: ", "🏁", "Done. PASS=", "Executed ", "Suite result", " success", " test suites in ",
            " test suite in ", "Success!", "Failure!", "[ FAIL ", "did not pass", "tests passed", "TEST RUN ",
            "Passed:", "warnings,", "Phase:", "Operations ", "==[ ", " passed (", " failed (", "No test targets",
            "Success: ", " failing tests ----", "All tests passed! ----", "<test-run ", "Ansible return code was ",
            "Molecule executed ", "Verifier completed ", " Passed  ", " Failed  ", " - Passed: ", " assertions │ ",
        ),
    ),
    Family(
        module="hooks", wraps=True, runners=("pre-commit", "lefthook", "lint-staged", "husky"),
        signs=(
            "...Passed", "...Failed", ")Skipped", "...Skipped", "lefthook", "husky - ", "lint-staged", "[COMPLETED]",
            "[FAILED]", "summary: (done",
        ),
    ),
    Family(
        module="tox", wraps=True, runners=("tox", "nox"),
        signs=("congratulations :)", "evaluation failed", ": OK (", ": FAIL ", "commands ", "nox > "),
    ),
    Family(
        module="workspaces", wraps=True, runners=("turbo", "nx", "lerna", "moon"),
        signs=(
            "Tasks: ", "Failed: ", "run failed", "exited (", "No tasks were", "NX ", "lerna ", "Lerna ", "✖ ",
            "✅ Ran ", "❌ ",
        ),
    ),
    Family(
        module="coverage", wraps=True,
        signs=(
            " does not meet ", " not met", "Coverage failure: ", "below the expected minimum", "SimpleCov failed",
            "Expected minimum coverage", "overage below expected", "overage is below ", "Rule violated",
            "failed minimum ", "Coverage minimum was not",
        ),
    ),
    Family(module="task_runners", wraps=True, signs=TASK_RUNNER_SIGNS),
    Family(
        module="crashes", last_resort=True,
        signs=(
            "Fatal Python error: ", "JavaScript heap out of memory", "panic: test timed out", "fatal error: ",
            "Allowed memory size of ", "(core dumped)", "Segmentation fault",
        ),
    ),
    Family(
        module="plain", last_resort=True,
        signs=("pass", "PASS", "Pass", "fail", "FAIL", "succeeded", " ok", "Fail", "make: "),
    ),
)  # fmt: skip
#: Builds and checkers print no counts that would need a name: their verdict lines are asked in any case.
CHECKS: tuple[Family, ...] = (
    Family(module="linters", signs=("",)),
    Family(module="compilers", signs=("",)),
    Family(
        module="workspaces",
        signs=("Tasks: ", "Failed: ", "run failed", "exited (", "No tasks were", "NX ", "lerna ", "Lerna "),
    ),
    Family(module="task_runners", wraps=True, signs=TASK_RUNNER_SIGNS),
)  # fmt: skip


def modules_of(runner: str) -> frozenset[str]:
    """The files that read a runner's output; empty where the name tells none (`make test`, `npm test`)."""
    words = runner.split()
    if "run" in words[1:2]:
        return frozenset()  # `bun run test`, `mise run test`: whatever the script starts
    return _BY_RUNNER.get(runner) or _BY_RUNNER.get(words[0] if words else "") or frozenset()


def _by_runner() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for family in (*TESTS, *CHECKS):
        for name in family.runners:
            table[name] = table.get(name, frozenset()) | {family.module}
    return table


_BY_RUNNER = _by_runner()
