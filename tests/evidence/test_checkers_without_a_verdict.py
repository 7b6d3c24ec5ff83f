"""Linters and the like whose closing line is not known, or says less than it seems: complaints, lists of files, no files."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.transcript.records import ToolResult

CHECKS = {CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT}
MARKDOWNLINT = "markdownlint-cli2 v0.23.1 (markdownlint v0.41.1)\nLinting: {}\nSummary: {}\n"
VALE = "✔ \x1b[31m0 errors\x1b[0m, \x1b[33m0 warnings\x1b[0m and \x1b[34m0 suggestions\x1b[0m in {}."


def outcome(command: str, text: str, code: int = 0, runner: str = "") -> str:
    shown = f"Exit code {code}\n{text}" if code else text
    got: Any = ToolResult(line=2, tool_use_id="t", text=shown, is_error=bool(code), exit_code=code or None)
    commands = classify(command)
    which = next(item for item in commands if item.kind in CHECKS and item.runner.startswith(runner))
    return str(read_outcome(commands, got, which).outcome)


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("npx markdownlint-cli2 docs/a.mdx 2>&1 | tail -12", MARKDOWNLINT.format("1 file", "2 issues in 1 file") + 'docs/a.mdx:95:75 error MD059/descriptive-link-text Link text [Context: "[here]"]', "failed"),
        ("vale docs/ 2>&1 | head -4", " docs/a.md\n 3:143  error  Did you really mean 'teh'?  Vale.Spelling", "failed"),
        ("yamllint . | tail -3", "./a.yml\n  3:1       error    too many blank lines (3 > 2)  (empty-lines)", "failed"),
        ("yamllint -f parsable . | tail -3", "./a.yml:3:1: [error] too many blank lines (3 > 2) (empty-lines)", "failed"),
        ("mypy src | head -2", "src/a.py:3: error: Incompatible return value type  [return-value]", "failed"),
        ("cppcheck src 2>&1 | Select-Object -Last 5", "C:\\p\\src\\a.cpp:3:5: error: Array index out of bounds [arrayIndexOutOfBounds]", "failed"),
        # it may be another's
        ("npx markdownlint-cli2 a.md | tail -5; cat old.log", "a.md:95:75 error MD059/descriptive-link-text Link text", "unknown"),
        # a place or a count says that there is something, and not how bad it is
        ("npx markdownlint-cli2 docs/a.mdx | head -3", MARKDOWNLINT.format("1 file", "2 issues in 1 file"), "unknown"),
        ("rtk lint bun run lint 2>&1 | tail -5", "Lint: 1 errors, 1 warnings\n═════════════\n$ biome check --error-on-warnings", "unknown"),
        ("npx htmlhint . | tail -2", "\nScanned 3 files, found 2 errors in 1 files (34 ms)", "unknown"),
        ("npx cspell . | tail -2", "CSpell: Files checked: 12, Issues found: 3 in 1 file.", "unknown"),
        ("semgrep scan | tail -1", "Ran 300 rules on 10 files: 3 findings.", "unknown"),
        ("hadolint Dockerfile | tail -3", "Dockerfile:3 DL3020 use COPY instead of ADD", "unknown"),
        ("go vet ./... 2>&1 | tail -9", "cache\\map_windows.go:198:13: possible misuse of unsafe.Pointer", "unknown"),
        ("vale docs/a.md 2>&1 | tail -9", "E100 [NewE201] Runtime error\n\nThe path '/p/.styles' does not exist.\n\nExecution stopped with code 1.", "unknown"),
    ],
)  # fmt: skip
def test_a_checker_that_names_what_is_wrong_has_not_passed(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("npx markdownlint-cli2 '**/*.md' | tail -3", MARKDOWNLINT.format("14 files", "0 issues in 0 files")),
        ("vale docs/ | tail -9", " docs/a.md\n 3:143  warning  Consider replacing 'only'.  agentic.communal\n\n✖ 0 errors, 1 warning and 0 suggestions in 1 file."),
        ("yamllint . | tail -3", './a.yml\n  3:1       warning  missing document start "---"  (document-start)'),
        ("npx spectral lint api.yaml | tail -2", "✖ 2 problems (0 errors, 2 warnings, 0 infos, 0 hints)"),
        ("npx eslint src/errors.ts | tail -3", "(node:12:3) note: 3 rules in error-prone mode are off"),
        ("yamllint . | tail -3; pytest -q | tail -2", "2 failed, 1 error in 0.31s"),  # the tests' count
        ("npx htmlhint . | tail -2", "Scanned 3 files, no errors found (34 ms)"),
        ("npm run lint:fix | tail -2", "Fixed 3 problems in 2 files"),
        ("npm run build | tail -3", "src/a.ts:3:5 inlined\n200 pages, 404 errors page, 3 issues open"),
        ("npx markdownlint-cli2 a.md", "a.md:3:5 error MD059/x Link text"),  # its status is 0
    ],
)  # fmt: skip
def test_warnings_and_others_words_are_no_complaint_of_a_checker(command: str, text: str) -> None:
    assert outcome(command, text) == "passed"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("gofmt -l .", "config/segment.go", "failed"),
        ("cd src && gofmt -s -l . | head -5", "config\\segment.go\nmain.go", "failed"),
        ("goimports -l ./internal", "internal/a.go", "failed"),
        ("go run mvdan.cc/gofumpt@latest -l .", "a.go", "failed"),
        ("git ls-files '*.go' | xargs gofmt -l", "a.go", "failed"),
        ("shfmt -l scripts", "scripts/install.sh", "failed"),
        ("shfmt --list . | cat", "lib/functions.bash", "failed"),
        ("gci list .", "a.go", "failed"),
        ("gofmt -l . | tee /dev/stderr | wc -l", "a.go\n1", "failed"),
        ("gofmt -l . | xargs -r -n1 echo", "a.go", "failed"),
        ("gofmt -l . ; npm --version", "a.go\n10.2.3", "failed"),
        # what only names the folder or the files to look at prints no name
        ("cd $REPO && gofmt -l .", "a.go", "failed"),
        ("gofmt -l $(find . -name '*.go')", "a.go", "failed"),
        ('gofmt -l . | tee "$OUT"', "a.go", "failed"),
        ("gofmt -d a.go | head -30", "diff a.go.orig a.go\n--- a.go.orig\n+++ a.go", "failed"),
        ("gofmt -l . ; golangci-lint run 2>&1 | tail -3", "config\\segment.go\n^\n1 issues:\n* gofmt: 1", "failed"),
        # the names may be another's
        ("gofmt -l . ; git diff --name-only", "a.go", "unknown"),
        ('for f in *.go; do echo "$f"; gofmt -l "$f"; done', "a.go", "unknown"),
        ("gofmt -l .; ls", "a.go\ngo.mod", "unknown"),
        ("gofmt -l . > bad.txt; ls", "a.go\nbad.txt", "unknown"),
        ("bad=$(gofmt -l .); ls", "a.go\nbad.txt", "unknown"),
        # none is named
        ("gofmt -l .", "", "passed"),
        ("cd src && gofmt -l . && echo 'gofmt clean'", "gofmt clean", "passed"),
        ("gofmt -l . && go test ./...", "ok  \texample.com/app\t0.1s", "passed"),
        ("gofmt -l . && npm --version", "10.2.3", "passed"),
        ("gofmt -l . ; go generate ./...", "wrote mocks/a.go\nok", "passed"),
        ("gofmt -l . ; printf 'main.go\\n'", "main.go\n", "passed"),
        # printed, and not listed
        ("gofmt main.go", "package main\n\n//util.go\n", "passed"),
        # written, not only named
        ("gofmt -l -w .", "a.go", "passed"),
    ],
)
def test_a_formatter_that_lists_files_found_them_unformatted(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize("command", ['test -z "$(gofmt -l .)"', 'x=$(gofmt -l .); echo "$x"; [ -z "$x" ]'])
def test_what_a_test_makes_of_the_list_is_not_read_from_it(command: str) -> None:
    assert outcome(command, "a.go" if "echo" in command else "", 1) != "passed"
    assert outcome(command, "a.go") != "failed"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("vale docs/a.mdx 2>&1 | tail -3", VALE.format("0 files")),
        ("vale docs/a.mdx | grep -A3 only; vale docs/a.mdx 2>&1 | tail -3", VALE.format("0 files")),
        ("vale docs/a.mdx", VALE.format("0 files")),
        ("ruff check srcs", "warning: No Python files found under the given path(s)\nAll checks passed!"),
        ("npx prettier --check 'lib/*.ts' | tail -3", '[error] No files matching the pattern were found: "lib/*.ts".\nAll matched files use Prettier code style!'),
        ("npx biome check lib", "Checked 0 files in 406µs. No fixes applied."),
        ("bundle exec rubocop lib/none", "Inspecting 0 files\n\n\n0 files inspected, no offenses detected"),
        ("npx markdownlint-cli2 'doc/*.md'", MARKDOWNLINT.format("0 files", "0 issues in 0 files")),
        ("black --check lib", "No Python files are present to be formatted. Nothing to do 😴"),
        ("npx pyright lib | tail -2", "No source files found.\n0 errors, 0 warnings, 0 informations"),
        ("mypy lib | tail -2", "There are no .py[i] files in directory 'lib' to check"),
        ("swiftlint", "Done linting! Found 0 violations, 0 serious in 0 files."),
        ("yamllint conf; vale docs/a.mdx", VALE.format("0 files")),
    ],
)  # fmt: skip
def test_a_checker_that_looked_at_no_file_proves_nothing(command: str, text: str) -> None:
    assert outcome(command, text, runner="vale" if "vale" in command else "") == "not-run"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("vale docs | tail -3", VALE.format("12 files"), "passed"),
        ("ruff format --check .", "3 files already formatted", "passed"),
        ("mypy lib", "Success: no issues found in 3 source files", "passed"),
        ("npm run lint", "No dead files found", "passed"),
        ("npx knip", "No unused files found", "passed"),
        ("npx eslint src", "No files found with errors", "passed"),
        ("npm run lint", "Checked 0 files in 1ms. No fixes applied.\nChecked 12 files in 9ms. No fixes applied.", "passed"),
        ("npm run lint", "warning: No Python files found under the given path(s)\nSuccess: no issues found in 3 source files\nAll checks passed!", "passed"),
        ("pnpm -r lint", "packages/a lint: No files found to lint\npackages/b lint: Done", "passed"),
        ("pre-commit run --all-files", "check yaml...........(no files to check)Skipped\nruff.................................Passed", "passed"),
        ("yamllint conf; vale docs/a.mdx", VALE.format("0 files"), "passed"),  # the first, which is silent
        ("npx biome check lib | tail -2", "Checked 0 files in 4ms.\nlib/a.ts:3:5 lint/x\nFound 2 errors.", "failed"),
        ("npm run build", "warn: No input files provided for icons\n✓ built in 1.2s", "passed"),
    ],
)  # fmt: skip
def test_a_checker_that_looked_at_some_files_keeps_its_verdict(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


@pytest.mark.parametrize(
    ("command", "text", "code", "expected"),
    [
        # a task runner's word on the failure adds nothing
        ("pnpm lint", "No files matching the pattern 'src' were found.\n ELIFECYCLE  Command failed with exit code 2.", 2, "not-run"),
        # what was found in other files stands
        ("ruff check src nope | tail", "warning: No Python files found under the given path(s)\nFound 2 errors.", 0, "failed"),
        # another's verdict is not its own
        ("ruff check nope; mypy src", "warning: No Python files found under the given path(s)\nAll checks passed!\nSuccess: no issues found in 3 source files", 0, "not-run"),
        # words of the code that was read
        ("npx eslint -f json .", '[{"source":"// Checked 0 files' + " and more" * 50 + '"}]', 0, "passed"),
    ],
)  # fmt: skip
def test_that_no_files_were_found_is_not_the_only_thing_said(command: str, text: str, code: int, expected: str) -> None:
    assert outcome(command, text, code) == expected


@pytest.mark.parametrize("word", ["note", "info", "hint", "style", "convention", "suggestion", "warning", "Warning"])
def test_a_mild_remark_at_a_place_is_no_complaint(word: str) -> None:
    assert outcome("shellcheck -f gcc a.sh | tail -2", f"a.sh:3:5: {word}: Use x [SC1]") == "passed"
    assert outcome("yamllint . | tail -2", f"./a.yml:3:5: [{word}] Use x (x)") == "passed"


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("npx eslint -f unix . | tail -2", "C:\\app\\a.js:3:5: Error - 'x' is unused", "failed"),
        ("npx eslint -f unix . | tail -2", "C:\\app\\a.js:3:5: [Error/no-unused-vars] 'x' is unused", "unknown"),
        ("hadolint docker/Dockerfile | tail -3", "docker/Dockerfile:3:1 error: use COPY", "failed"),
        ("npx eslint . | tail -1", "Process finished with exit code 2", "unknown"),
        ("npx eslint . | tail -1", "Errors found: 3", "unknown"),
        ("npx eslint . | tail -1", "3 Errors, 1 warning", "unknown"),
        # kept in a variable, and shown
        ('out=$(npx eslint . 2>&1 | tail -5); echo "$out"', "  3:5  error  'x' is never used  no-unused-vars", "failed"),
        # no place in a file stands before the word: a name, a time, a port, a version
        ("npx eslint . | tail -3", "eslint.config.js error rules are on", "passed"),
        ("npx eslint . | tail -3", "12:30:45 error reporting is on", "passed"),
        ("npx eslint . | tail -3", "localhost:3000 error pages are served", "passed"),
        ("npx eslint . | tail -3", "v1.2:3 error reporting is on", "passed"),
        ("npx eslint . | tail -3", "a.b:1:2:3 error reporting is on", "passed"),
        ("npx eslint . | tail -3", "a.b:x error reporting is on", "passed"),
        # the line's own words
        ("npx eslint . | tail -3; printf '  3 errors allowed'", "  3 errors allowed", "passed"),
        # another tool's verdict; words of the code that was read
        ("npx eslint . | tail -3; mypy src | tail -1", "Found 3 errors in 2 files (checked 5 source files)", "passed"),
        ("npx eslint -f json . | tail -2", '[{"source":"' + "// " * 100 + 'there are 3 errors here"}]', "passed"),
    ],
)  # fmt: skip
def test_only_what_stands_behind_a_place_in_a_file_is_a_complaint(command: str, text: str, expected: str) -> None:
    assert outcome(command, text) == expected


def test_an_error_at_a_place_is_none_of_a_build_beside_a_linter_nor_of_tests() -> None:
    beside = "npm run build 2>&1 | tail -3; npx eslint . | tail -3"

    assert outcome(beside, "dist/a.js  1 kB\n  3:5  error  'x' is unused", runner="npm run build") == "passed"
    assert outcome("npm run build 2>&1 | tail -3", "  3:5  error  'x' is unused") == "failed"
    tests = classify("npm test 2>&1 | tail -3")
    logged: Any = ToolResult(line=2, tool_use_id="t", text="src/a.js:3:5: error: as it should be")
    assert str(read_outcome(tests, logged, tests[0]).outcome) == "unknown"


def test_a_pnpm_script_that_no_package_has_was_not_run() -> None:
    none = ' ERR_PNPM_RECURSIVE_RUN_NO_SCRIPT  None of the selected packages has a "tsc" script'

    assert outcome("pnpm --filter web tsc --noEmit 2>&1 | head -50", none) == "not-run"
    assert outcome("pnpm --filter web exec tsc --noEmit 2>&1 | tail -5", "") == "passed"


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("vale sync", "install"),
        ("vale --config docs/.vale.ini sync", "install"),
        ("tflint --init", "install"),
        ("vale ls-config", "read"),
        ("vale docs/sync.md", "lint"),
        ("tflint --recursive", "lint"),
    ],
)
def test_what_a_linter_fetches_for_itself_is_no_lint(command: str, kind: str) -> None:
    assert str(classify(command)[0].kind) == kind


@pytest.mark.parametrize(
    ("command", "text", "expected"),
    [
        ("cd packages/api && npx tsc --noEmit 2>&1 | head -20; echo '---'; git status --short", "---\n M a.ts", "passed"),
        ("cd web && pnpm exec tsc --noEmit; cd ..", "", "passed"),
        ("cd a && cd b && npx eslint .; ls", "a.ts", "passed"),
        ("pnpm test 2>&1 | tail -3 && npx tsc --noEmit 2>&1 | tail -3; ls", " Tests  4 passed (4)\na.ts", "passed"),
        ("cd web && npx tsc --noEmit; ls", "src/a.ts(3,5): error TS2322: Type 'string' is wrong", "failed"),
        # what stands before it may have gone wrong without a word
        ("[ -d web ] && npx tsc --noEmit; ls", "a.ts", "unknown"),
        ("npm ci && npx tsc --noEmit; ls", "a.ts", "unknown"),
        ("grep -q strict tsconfig.json | grep y && npx tsc --noEmit; ls", "a.ts", "unknown"),
        ("pnpm check || cd web && npx tsc --noEmit; ls", "a.ts", "unknown"),
        ("if [ -d web ]; then cd web && npx tsc --noEmit; fi; ls", "a.ts", "unknown"),
        ("cd web && npx tsc --noEmit; ls", "cd: nicht gefunden: web\na.ts", "unknown"),
        ("cd web && npx tsc --noEmit > out.txt; ls", "a.ts", "unknown"),
    ],
)  # fmt: skip
def test_a_silent_checker_behind_a_cd_passed_whatever_follows_it(command: str, text: str, expected: str) -> None:
    assert outcome(command, text, runner="tsc" if "tsc" in command else "eslint") == expected
