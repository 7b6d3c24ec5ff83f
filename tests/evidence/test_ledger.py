"""Records in, facts out: edits, runs, plans, todos, background, turns. Transcripts are built line by line and read for real."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import CommandKind, Ledger, Outcome, Run
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

PASSED = "===== 3 passed in 0.10s ====="
FAILED = "FAILED tests/test_a.py::test_b\n===== 1 failed, 2 passed in 0.10s ====="


def only_tests(ledger: Ledger) -> list[Run]:
    return [run for run in ledger.runs if run.kind is CommandKind.TEST]


class TestEdits:
    def test_every_edit_tool_counts_when_it_succeeded(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go")
        built.edit("/home/dev/project/src/a.py").create("/home/dev/project/tests/test_a.py").multi_edit(
            "/home/dev/project/b.md"
        )
        built.notebook_edit("/home/dev/project/c.ipynb")

        edits = ledger_of(built).edits

        assert [(edit.tool, edit.path.removeprefix("/home/dev/project/"), edit.kind) for edit in edits] == [
            ("Edit", "src/a.py", "code"),
            ("Write", "tests/test_a.py", "test"),
            ("MultiEdit", "b.md", "docs"),
            ("NotebookEdit", "c.ipynb", "code"),
        ]
        assert [edit.created for edit in edits] == [False, True, False, False]
        assert [edit.line for edit in edits] == [2, 4, 6, 8]
        assert [edit.result_line for edit in edits] == [3, 5, 7, 9]

    def test_refused_and_failed_edits_are_none(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").edit("a.py", error="String to replace not found in file.")
        built.edit("b.py", answered=False).reject("not that file").edit("c.py", answered=False).reject()
        built.edit("d.py", answered=False)

        assert ledger_of(built).edits == ()

    def test_a_plan_is_no_edit_of_the_project_but_its_own_plans_folder_is(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path)
            .create("/home/dev/.claude/plans/brave-otter.md")
            .create("/home/dev/project/docs/plans/a.md")
        )

        assert [edit.path for edit in ledger_of(built).edits] == ["/home/dev/project/docs/plans/a.md"]

    def test_a_result_that_stands_before_its_call_is_joined_to_it(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").edit("/home/dev/project/a.py")
        built.lines[1], built.lines[2] = built.lines[2], built.lines[1]

        assert [(edit.line, edit.result_line) for edit in ledger_of(built).edits] == [(3, 2)]

    @pytest.mark.parametrize(
        ("command", "path"),
        [
            ("sed -i 's/a/b/' src/a.py", "src/a.py"),
            ("cat > src/a.py <<'EOF'\nx = 1\nEOF", "src/a.py"),
            ("cd src && echo x >> a.py", "src/a.py"),
            ("mv old.py src/a.py", "src/a.py"),
        ],
    )
    def test_the_shell_edits_too(self, command: str, path: str, tmp_path: Path) -> None:
        edits = ledger_of(session(tmp_path).prompt("Go").bash(command)).edits

        assert f"/home/dev/project/{path}" in [edit.path for edit in edits]
        assert {edit.tool for edit in edits} == {"Bash"}

    def test_a_shell_edit_that_failed_or_was_refused_is_none(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path).prompt("Go").bash("sed -i s/a/b/ a.py", "sed: can't read a.py: No such file", exit_code=2)
        )
        built.bash("sed -i s/a/b/ b.py", answered=False).reject()

        assert ledger_of(built).edits == ()

    def test_an_edit_stands_although_the_tests_after_it_in_the_line_failed(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("sed -i s/a/b/ a.py && pytest -q", FAILED, exit_code=1)

        ledger = ledger_of(built)

        assert [edit.path for edit in ledger.edits] == ["/home/dev/project/a.py"]
        assert [run.outcome for run in ledger.runs] == [Outcome.FAILED]

    def test_scratch_files_are_no_edits(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("pytest -q > /tmp/out.txt 2>/dev/null; cat > /tmp/x.py <<'E'\nE")
        built.bash("echo x > /c/Users/anna/AppData/Local/Temp/claude/D--app/1/scratchpad/a.go")

        assert ledger_of(built).edits == ()

    def test_a_project_in_a_temporary_folder_is_a_project(self, tmp_path: Path) -> None:
        built = session(tmp_path, cwd="/tmp/jobs/app").prompt("Go").bash("echo 'x = 1' > a.py")

        assert [edit.path for edit in ledger_of(built).edits] == ["/tmp/jobs/app/a.py"]

    def test_a_formatter_is_marked(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("gofmt -w main.go").bash("npx prettier --write src/a.ts")

        edits = ledger_of(built).edits

        assert edits
        assert all(edit.formatter for edit in edits)

    def test_a_comment_a_blank_line_or_a_linters_directive_is_a_trivial_edit(self, tmp_path: Path) -> None:
        built = session(tmp_path).edit("/p/a.py", "x = 1\n", "# why\nx = 1\n").edit("/p/a.py", "x = 1\n", "\nx = 1\n")
        built.edit("/p/a.go", "package a\n", "//go:build linux\npackage a\n").edit("/p/a.py", "x = 1\n", "# x = 1\n")

        assert [edit.trivial for edit in ledger_of(built).edits] == ["comments", "blank lines", "", ""]

    @pytest.mark.parametrize(
        ("path", "old", "new", "trivial"),
        [
            ("A.java", "import java.util.Date;\nimport java.util.List;\n", "import java.util.List;\n", "imports"),
            ("a.kt", "", "import a.B\n\n// new\n", "imports"),
            ("a.ts", "import { a, b } from './x'\n", "import { a } from './x'\n", "imports"),
            ("a.tsx", "import type { A } from './x';\n", "", "imports"),
            ("a.go", '\t"fmt"\n\t"os"\n', '\t"os"\n', "imports"),
            ("a.rs", "use std::{fs, io};\n", "use std::fs;\n", "imports"),
            ("A.cs", "using System.Linq;\n", "", "imports"),
            # what comes from elsewhere now, runs something, or is told to others
            ("a.kt", "import a.B\n", "import a.c.B\n", ""),
            ("a.ts", "import { db } from './db'\n", "import { db } from './mock'\n", ""),
            ("a.ts", "import './polyfill'\n", "", ""),
            ("a.go", '\t_ "github.com/lib/pq"\n', "", ""),
            ("a.rs", "pub use a::b;\n", "", ""),
            ("a.py", "import os\n", "", ""),
            ("a.js", "import { a } from './x'\n", "", ""),
            ("A.java", "import java.util.Date;\nint a = 1;\n", "int a = 2;\n", ""),
        ],
    )
    def test_imports_of_a_compiled_language_run_nothing(
        self, tmp_path: Path, path: str, old: str, new: str, trivial: str
    ) -> None:
        built = session(tmp_path).edit(f"/p/{path}", old, new)

        assert [edit.trivial for edit in ledger_of(built).edits] == [trivial]

    @pytest.mark.parametrize(
        ("old", "new", "trivial"),
        [
            ("/**\n * Keeps: a/b.md\n */\nf();\n", "/**\n * Keeps: */b.md\n */\nf();\n", ""),
            ("f();\n", "/* once */ g();\nf();\n", ""),
            ("f();\ng();\n", "/*\nf();\n*/\ng();\n", ""),
            ("<p>a</p>\n", "<!--\n<p>a</p>\n-->\n", ""),
            ("/**\n * Keeps a.\n */\nf();\n", "/**\n * Keeps a and b.\n */\nf();\n", "comments"),
            ("f();\n", "/* Once. */\nf();\n", "comments"),
            ("f();\n", "// As in setup_test.go:22-28, of type: Foo.\nf();\n", "comments"),
            ("f();\n", "/**\n * @param x what it is; see @alice\n */\nf();\n", "comments"),
            ("f();\n", "// @ts-expect-error old types\nf();\n", "lint directives"),
            ("f();\n", "/**\n * @jest-environment jsdom\n */\nf();\n", ""),
            ("f();\n", '/**\n * @Route("/f")\n */\nf();\n', ""),
            ("f();\n", "//go:build linux\nf();\n", ""),
            ("f();\n", "/*\n * Once.\n */\nf();\n", "comments"),
        ],
    )
    def test_a_comment_that_ends_early_or_puts_code_aside_is_none(
        self, tmp_path: Path, old: str, new: str, trivial: str
    ) -> None:
        built = session(tmp_path).edit("/p/a.ts", old, new)

        assert [edit.trivial for edit in ledger_of(built).edits] == [trivial]


class TestWeakenedTests:
    @pytest.mark.parametrize(
        ("path", "old", "new", "quote"),
        [
            ("tests/test_a.py", "    assert total == 3\n", "", "- assert total == 3"),
            (
                "tests/test_a.py",
                "def test_a():\n    x()\n",
                "@pytest.mark.skip\ndef test_a():\n    x()\n",
                "+ @pytest.mark.skip",
            ),
            (
                "tests/test_a.py",
                "def test_a():\n",
                "@pytest.mark.xfail(reason='flaky')\ndef test_a():\n",
                "+ @pytest.mark.xfail(reason='flaky')",
            ),
            ("tests/test_a.py", "    assert f() == 2\n", "    assert True\n", "+ assert True"),
            ("src/a.test.ts", "it('adds', () => {\n", "it.skip('adds', () => {\n", "+ it.skip('adds', () => {"),
            (
                "src/a.test.ts",
                "  expect(x).toBe(1);\n  expect(y).toBe(2);\n",
                "  expect(x).toBe(1);\n",
                "- expect(y).toBe(2);",
            ),
            (
                "a_test.go",
                "func TestA(t *testing.T) {\n",
                'func TestA(t *testing.T) {\n\tt.Skip("later")\n',
                '+ t.Skip("later")',
            ),
            ("tests/it.rs", "#[test]\nfn a() {}\n", "#[test]\n#[ignore]\nfn a() {}\n", "+ #[ignore]"),
            ("spec/a_spec.rb", "  it 'works' do\n    expect(a).to eq 1\n  end\n", "", "- it 'works' do"),
        ],
    )
    def test_what_a_test_gives_up_is_quoted(self, path: str, old: str, new: str, quote: str, tmp_path: Path) -> None:
        (edit,) = ledger_of(session(tmp_path).edit(f"/p/{path}", old, new)).edits

        assert edit.weakened == quote

    @pytest.mark.parametrize(
        ("path", "old", "new"),
        [
            ("tests/test_a.py", "    assert total == 3\n", "    assert total == 4\n"),
            ("tests/test_a.py", "    assert a\n", "    assert a\n    assert b\n"),
            ("tests/test_a.py", "def test_a():\n    assert a\n", "def test_renamed():\n    assert a\n"),
            ("tests/test_a.py", "@pytest.mark.skip\ndef test_a():\n", "def test_a():\n"),
            ("src/a.py", "    assert total == 3\n", ""),
            ("src/skip.ts", "", "test.skip = true\n"),
            ("tests/test_a.py", "    x = 1\n", "    # assert nothing is skipped\n"),
        ],
    )
    def test_a_rewritten_or_added_assertion_is_no_weakening(
        self, path: str, old: str, new: str, tmp_path: Path
    ) -> None:
        (edit,) = ledger_of(session(tmp_path).edit(f"/p/{path}", old, new)).edits

        assert edit.weakened == ""

    def test_deleting_a_test_file_is_quoted(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("rm -f tests/test_slow.py && git rm tests/test_b.py")

        assert [edit.weakened for edit in ledger_of(built).edits] == [
            "rm -f tests/test_slow.py",
            "git rm tests/test_b.py",
        ]

    def test_deleting_a_test_that_this_session_made_is_no_loss(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").create("/home/dev/project/test_try.py").bash("rm test_try.py")

        assert [edit.weakened for edit in ledger_of(built).edits] == ["", ""]

    def test_overwriting_a_test_file_shows_what_is_gone(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").call("Write", {"file_path": "/p/tests/test_a.py", "content": "x"})
        patch = [
            {
                "oldStart": 1,
                "oldLines": 2,
                "newStart": 1,
                "newLines": 1,
                "lines": ["-def test_a():", "-    assert 1 == 1", "+x = 1"],
            }
        ]
        built.result(
            "The file has been updated.",
            answer={"type": "update", "filePath": "/p/tests/test_a.py", "structuredPatch": patch},
        )

        assert ledger_of(built).edits[0].weakened == "- def test_a():"


class TestRuns:
    def test_outcome_counts_and_lines_of_a_run(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("cd app && pytest -q tests/unit -k 'not slow'", FAILED, exit_code=1)

        (run,) = ledger_of(built).runs

        assert (run.runner, run.outcome, run.line, run.result_line) == ("pytest", Outcome.FAILED, 2, 3)
        assert run.counts is not None
        assert (run.counts.failed, run.counts.passed) == (1, 2)
        assert (run.command, run.cwd, run.targets) == (
            "cd app && pytest -q tests/unit -k 'not slow'",
            "/home/dev/project/app",
            ("tests/unit",),
        )
        assert run.deselects
        assert run.by == "agent"

    def test_a_refused_run_was_not_run(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("pytest", answered=False).reject("don't run the tests")

        ledger = ledger_of(built)

        assert [run.outcome for run in ledger.runs] == [Outcome.NOT_RUN]
        assert ledger.turns[-1].limits == ("don't run the tests",)
        assert ledger.questions[0].answer == "don't run the tests"

    def test_a_run_without_a_result_is_cut_off(self, tmp_path: Path) -> None:
        ledger = ledger_of(session(tmp_path).prompt("Go").bash("pytest", answered=False))

        assert [(run.outcome, run.cut_off, run.result_line) for run in ledger.runs] == [(Outcome.UNKNOWN, True, None)]
        assert ledger.turns[-1].pending_calls == 1

    def test_a_call_that_a_compaction_cut_off_is_waited_for_no_more(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("pytest", answered=False).compact("So far: …").say("All done.")

        assert ledger_of(built).turns[-1].pending_calls == 0

    def test_a_pipe_without_a_summary_hides_the_result(self, tmp_path: Path) -> None:
        (run,) = ledger_of(session(tmp_path).prompt("Go").bash("npm test 2>&1 | grep -c foo", "3")).runs

        assert (run.outcome, run.status_visible) == (Outcome.UNKNOWN, False)
        assert run.masked

    def test_the_persons_own_shell_counts_as_theirs(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").edit("/home/dev/project/a.py").shell("pytest", PASSED)

        (run,) = ledger_of(built).runs

        assert (run.by, run.outcome) == ("user", Outcome.PASSED)

    def test_only_tests_a_git_hook_inside_a_commit_are_a_run_of_the_hook(self, tmp_path: Path) -> None:
        output = "Test Files  3 passed (3)\n     Tests  40 passed (40)\n[main 1234abc] Fix\n 1 file changed"
        built = session(tmp_path).prompt("Go").bash("git add -A && git commit -m 'Fix the test'", f" {output}")

        ledger = ledger_of(built)

        assert [(run.by, run.outcome) for run in ledger.runs] == [("git-hook", Outcome.PASSED)]
        assert [commit.outcome for commit in ledger.commits] == [Outcome.PASSED]

    @pytest.mark.parametrize(
        ("command", "output", "by"),
        [
            ("git push && echo PASS", "Everything up-to-date\nPASS", []),
            ("./scripts/deploy.sh && echo '3 passed in 0.1s'", "deployed\n3 passed in 0.1s", []),
            ("./scripts/deploy.sh", "checking health\nPASS", []),
            ("./scripts/ci.sh", "PASS\nok  \texample.com/app\t0.1s", ["agent"]),
            ("git commit -am x && echo '3 passed in 0.1s'", "[main 1234abc] x\n3 passed in 0.1s", []),
            ("git push && echo done", "=== 3 passed in 0.10s ===\nEverything up-to-date\ndone", ["git-hook"]),
        ],
    )
    def test_what_the_line_itself_echoes_is_no_run_of_a_hook_or_a_script(
        self, tmp_path: Path, command: str, output: str, by: list[str]
    ) -> None:
        ledger = ledger_of(session(tmp_path).prompt("Go").bash(command, output))

        assert [run.by for run in ledger.runs] == by

    @pytest.mark.parametrize(
        ("command", "told", "kinds"),
        [
            ("git commit -am x", "> shop@1.0.0 build\n> tsc -b && vite build\n\n✓ built in 2.31s\n", ["build"]),
            ("cd web && git add -A && git commit -m x", "$ tsc --noEmit\n", ["typecheck"]),
            ("git commit -am x", "[STARTED] tsc --noEmit\n[COMPLETED] tsc --noEmit\n", ["typecheck"]),
            ("git commit -am x", "summary: (done in 2.11 seconds)\n✔️  typecheck\n✔️  lint\n", ["typecheck"]),
            ("git commit -am x", "$ eslint .\n[COMPLETED] prettier --write src/build.ts\n", []),
            ("git commit -am x --no-verify", "$ tsc --noEmit\n", []),
            ("npm run verify; git commit -am x", "> tsc -b\nsrc/a.ts(1,1): error TS2322: x\n", []),
        ],
    )
    def test_what_a_hook_compiled_inside_a_commit_that_went_through_passed(
        self, tmp_path: Path, command: str, told: str, kinds: list[str]
    ) -> None:
        built = session(tmp_path).prompt("Go").bash(command, f"{told}[main 1234abc] Fix\n 1 file changed")

        hooked = [run for run in ledger_of(built).runs if run.by == "git-hook"]

        assert [(run.kind, run.outcome) for run in hooked] == [(kind, Outcome.PASSED) for kind in kinds]

    def test_a_type_check_at_which_a_hook_stopped_the_commit_did_not(self, tmp_path: Path) -> None:
        told = "$ tsc --noEmit\nsrc/a.ts(1,1): error TS2322: x\nhusky - pre-commit script failed (code 2)"

        assert not ledger_of(session(tmp_path).prompt("Go").bash("git commit -am x", told, exit_code=1)).runs

    def test_a_commit_that_its_hooks_tests_stopped_is_a_failed_run_even_without_a_summary(self, tmp_path: Path) -> None:
        output = "$ bun run lint\n$ bun test src/\nbun test v1.3.5 (1e86cebd)\n... [50013 characters truncated] ...\nerror: Cannot find module"
        built = session(tmp_path).prompt("Go").bash("git commit -m x", output, exit_code=1)
        built.bash("git commit -m x", "$ bun test src/\n$ bun run lint\nsrc/a.ts:1 error", exit_code=1)
        built.bash("git commit -m x --no-verify", "$ bun test src/", exit_code=1)

        ledger = ledger_of(built)

        assert [(run.by, run.runner, run.outcome, run.line) for run in ledger.runs] == [
            ("git-hook", "bun test", Outcome.FAILED, 2)
        ]
        assert [commit.outcome for commit in ledger.commits] == [Outcome.FAILED] * 3
        assert [commit.no_verify for commit in ledger.commits] == [False, False, True]

    @pytest.mark.parametrize(
        ("command", "output", "outcome"),
        [
            ("npm test && git commit -m x", "Tests: 1 failed, 3 passed, 4 total", Outcome.FAILED),
            ("git add -A && make check && git commit -am 'fix it'", "make: *** [check] Error 1", Outcome.FAILED),
            ("git commit -m x && git push", "[fix 1234abc] x\n 1 file changed\nfatal: no upstream", Outcome.PASSED),
            ("git commit -qam x && npm run e2e", "1 failed", Outcome.UNKNOWN),
            ("git commit -m x > /tmp/commit.log && npm run e2e", "1 failed", Outcome.UNKNOWN),
        ],
    )
    def test_a_commit_in_a_line_that_failed_was_made_where_its_own_line_is_there(
        self, tmp_path: Path, command: str, output: str, outcome: Outcome
    ) -> None:
        built = session(tmp_path).prompt("Go").bash(command, output, exit_code=1)

        assert [commit.outcome for commit in ledger_of(built).commits] == [outcome]

    @pytest.mark.parametrize(
        ("command", "output"),
        [
            (
                "rtk git commit -m x",
                "FAILED: git commit\n$ tsc --noEmit\na.ts(572,32): error TS18046: of type 'unknown'.",
            ),
            ("git commit -m x 2>&1 | tail -3", "a.ts:1 error\nhusky - pre-commit script failed (code 2)"),
            ("git commit -qm x || true", "husky - commit-msg script failed (code 1)"),
            ("git commit -m x; echo done", "error: pre-commit hook exited with code 1\ndone"),
            ("git commit -m x; git push", "✗ One or more pre-commit hooks failed\nEverything up-to-date"),
            ("git commit -m x | tail -20", "ruff.....Failed\n- hook id: ruff\n- exit code: 1\n\na.py:1:1: F401"),
            ("wrapped git commit -m x || :", "fix end of files...Failed\n- files were modified by this hook"),
            ("git commit -am x; git status", "summary: (done in 0.3 seconds)\n🥊 lint (0.2 seconds)\nOn branch main"),
        ],
    )
    def test_a_commit_that_its_hook_stopped_failed_whatever_the_lines_status_says(
        self, tmp_path: Path, command: str, output: str
    ) -> None:
        command = command.replace("wrapped ", "env CI=1 ")
        built = session(tmp_path).prompt("Go").bash(command, output)
        built.bash(command, f"{output}\n[main 1234abc] x\n 1 file changed")

        assert [commit.outcome for commit in ledger_of(built).commits] == [Outcome.FAILED, Outcome.PASSED]

    @pytest.mark.parametrize(
        ("command", "output", "outcomes"),
        [
            # what else runs hooks says the same
            (
                "git commit -qm x; git push | tail -5",
                "lint...Failed\n- hook id: lint\n- exit code: 1",
                [Outcome.UNKNOWN],
            ),
            ("pre-commit run -a; git commit -qm x", "lint...Failed\n- hook id: lint\n- exit code: 1", [Outcome.PASSED]),
            # a quiet one that went well prints nothing of its own: its status speaks
            ("git commit -qm x", "Testing the hooks\npre-commit hook failed\n3 passed", [Outcome.PASSED]),
            ("git commit -qm x", "fix the pre-commit hook failed message", [Outcome.PASSED]),
            # the second try may have gone well
            (
                "git commit -qm x; git commit -qam x; git status",
                "husky - pre-commit script failed (code 1)",
                [Outcome.FAILED, Outcome.UNKNOWN],
            ),
        ],
    )
    def test_words_of_a_hook_that_may_be_anothers_stop_no_commit(
        self, tmp_path: Path, command: str, output: str, outcomes: list[Outcome]
    ) -> None:
        built = session(tmp_path).prompt("Go").bash(command, output)

        assert [commit.outcome for commit in ledger_of(built).commits] == outcomes

    @pytest.mark.parametrize(
        ("command", "output", "outcome"),
        [
            ("if [ -d x ]; then git rm -r x && git commit -m y; else echo 'No x'; fi", "No x", Outcome.NOT_RUN),
            ("git diff --cached --quiet || git commit -m y; echo checked", "checked", Outcome.NOT_RUN),
            ("git diff --cached --quiet || git commit -m y", "", Outcome.NOT_RUN),
            ("case $1 in a) git commit -m y;; *) echo other; ls;; esac", "other\na.py", Outcome.UNKNOWN),
            ("git diff --cached --quiet || git commit -qm y", "", Outcome.UNKNOWN),
            ("if [ -d x ]; then git commit -m y; fi | tail -1", "", Outcome.UNKNOWN),
            ("{ git diff --quiet || git commit -m y; } > log", "", Outcome.UNKNOWN),
            ("if [ -d x ]; then git commit -m y; else echo 'No x'; fi", "[main 1234abc] y", Outcome.PASSED),
            ("[ -d x ] && git commit -qm y", "", Outcome.PASSED),
        ],
    )
    def test_a_commit_in_a_branch_is_made_where_its_own_line_is_there(
        self, tmp_path: Path, command: str, output: str, outcome: Outcome
    ) -> None:
        built = session(tmp_path).prompt("Go").bash(command, output)

        assert [commit.outcome for commit in ledger_of(built).commits] == [outcome]

    @pytest.mark.parametrize(
        ("command", "output", "changed"),
        [
            (
                "git rm -q a.yml && git rm -q b/c.wxs && rm -f d.ico && git status",
                "error: the following file has changes staged in the index:\n    b/c.wxs\n(use --cached to keep the file)",
                ["a.yml"],
            ),
            ("cd nowhere && rm -f d.ico && make", "/bin/bash: line 1: cd: nowhere: No such file or directory", []),
            ("cd nowhere && rm -f d.ico && make", "(eval):cd:1: no such file or directory: nowhere", []),
            (
                "touch a.py && mv b.py c.py && rm d.py && ls",
                "mv: cannot stat 'b.py': No such file or directory",
                ["a.py"],
            ),
            # not known which of the two it was
            ("git rm -q a.py && rm d.py && git add a.py", "fatal: pathspec 'a.py' did not match any files", ["d.py"]),
            # a compiler's words
            ("git add e.rs && rm -f d.rs && cargo build", "error: couldn't read `e.rs`: No such file", ["d.rs"]),
            # a next list
            ("git rm b.py && ls; rm -f d.py && false", "fatal: pathspec 'b.py' did not match any files", ["d.py"]),
            (
                "make all && rm -f d.py && make test",
                "make: Nothing to be done for 'all'.\nmake: *** [test] Error 1",
                ["d.py"],
            ),
        ],
    )
    def test_what_stands_behind_the_link_that_broke_changed_nothing(
        self, tmp_path: Path, command: str, output: str, changed: list[str]
    ) -> None:
        built = session(tmp_path).prompt("Go").bash(command, output, exit_code=1)

        assert [edit.path.rpartition("/")[2] for edit in ledger_of(built).edits] == changed

    def test_a_chain_that_broke_in_a_line_that_went_on_changed_nothing_more(self, tmp_path: Path) -> None:
        said = "cp: cannot stat 'a.py': No such file or directory\nOn branch main"
        built = session(tmp_path).prompt("Go").bash("cp a.py b.py && rm -f d.py; git status", said)
        built.bash("cp a.py b.py; rm -f d.py; git status", said)

        assert [edit.line for edit in ledger_of(built).edits if edit.path.endswith("d.py")] == [4]

    @pytest.mark.parametrize(
        ("command", "output", "found"),
        [
            # hooks that are run by hand are the agent's own run
            ("pre-commit run --all-files", "pytest.....................Passed", [("agent", Outcome.PASSED)]),
            ("uv run pre-commit run -a", f"pytest...Failed\n- exit code: 1\n\n{FAILED}", [("agent", Outcome.FAILED)]),
            ("lefthook run pre-commit", f"┃  test ❯\n\n{PASSED}\n✔️  test", [("agent", Outcome.PASSED)]),
            ("pre-commit run --all-files", "ruff.......................Passed", []),
            ("pre-commit install", "pre-commit installed at .git/hooks/pre-commit", []),
            # what was solved is committed, and git runs the hook
            ("git cherry-pick --continue", f"{PASSED}\n[main 1a2b3c4] Fix\n 1 file changed", [("git-hook", Outcome.PASSED)]),
            ("git add -A && git merge --continue", f"{PASSED}\n[main 1a2b3c4] Merge", [("git-hook", Outcome.PASSED)]),
            ("git revert --continue --no-verify", f"{PASSED}\n[main 1a2b3c4] Revert", []),
        ],
    )  # fmt: skip
    def test_hooks_run_tests_by_hand_and_when_a_conflict_is_solved(
        self, command: str, output: str, found: list[tuple[str, Outcome]], tmp_path: Path
    ) -> None:
        built = session(tmp_path).prompt("Go").bash(command, output, exit_code=1 if "Failed" in output else 0)

        assert [(run.by, run.outcome) for run in only_tests(ledger_of(built))] == found

    @pytest.mark.parametrize(
        ("command", "commits"),
        [("git cherry-pick --continue", 1), ("git merge --continue", 1), ("git cherry-pick --abort", 0), ("git cherry-pick 1a2b3c4", 0)],
    )  # fmt: skip
    def test_a_conflict_that_is_solved_is_committed(self, command: str, commits: int, tmp_path: Path) -> None:
        ledger = ledger_of(session(tmp_path).prompt("Go").bash(command, "[main 1a2b3c4] Fix\n 1 file changed"))

        assert len(ledger.commits) == commits

    def test_tests_and_a_commit_in_one_line_are_not_the_hooks(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("pytest -q && git commit -qam x", PASSED)

        assert [run.by for run in ledger_of(built).runs] == ["agent"]

    def test_a_script_that_prints_a_runners_summary_ran_tests(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path).prompt("Go").bash("./everything.sh", f"building\n{PASSED}").bash("cat old.log", PASSED)
        )
        built.bash("git log -1 --format=%B", PASSED)

        assert [(run.command, run.runner, run.outcome) for run in only_tests(ledger_of(built))] == [
            ("./everything.sh", "pytest", Outcome.PASSED)
        ]

    def test_edits_and_runs_have_one_order(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").edit("/p/a.py").bash("pytest -q", PASSED).edit("/p/b.py")

        ledger = ledger_of(built)

        assert ledger.edits[0].sequence < ledger.runs[0].sequence < ledger.edits[1].sequence

    def test_builds_lint_and_type_checks_are_runs_too(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path)
            .prompt("Go")
            .bash("npm run build")
            .bash("npx tsc --noEmit")
            .bash("ruff check .", "All checks passed!")
        )

        assert [run.kind for run in ledger_of(built).runs] == [
            CommandKind.BUILD,
            CommandKind.TYPECHECK,
            CommandKind.LINT,
        ]


class TestBackground:
    def test_a_background_run_is_running_until_its_end_is_told(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").background("npm test", "b1")

        ledger = ledger_of(built)

        assert [(run.outcome, run.running, run.background) for run in ledger.runs] == [(Outcome.UNKNOWN, True, True)]
        assert [(task.id, task.kind, task.running) for task in ledger.background] == [("b1", CommandKind.TEST, True)]

    @pytest.mark.parametrize("how", ["prompt", "queue"])
    @pytest.mark.parametrize(("code", "outcome"), [(0, Outcome.PASSED), (1, Outcome.FAILED)])
    def test_a_notice_with_an_exit_code_settles_it(self, how: str, code: int, outcome: Outcome, tmp_path: Path) -> None:
        built = (
            session(tmp_path).prompt("Go").background("pytest", "b1").task_notification("b1", exit_code=code, how=how)
        )

        ledger = ledger_of(built)

        assert [(run.outcome, run.running) for run in ledger.runs] == [(outcome, False)]
        assert not ledger.background[0].running
        assert len(ledger.turns) == 1

    def test_a_notice_without_output_over_a_pipe_settles_nothing_until_the_output_is_read(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").background("pytest | tail -3", "b1").task_notification("b1")
        assert [run.outcome for run in ledger_of(built).runs] == [Outcome.UNKNOWN]

        built.read("/tmp/tasks/b1.output", FAILED)

        assert [(run.outcome, run.running) for run in ledger_of(built).runs] == [(Outcome.FAILED, False)]

    @pytest.mark.parametrize("version", ["2.1.330", "2.0.60"])
    def test_the_output_tool_settles_it(self, version: str, tmp_path: Path) -> None:
        built = (
            session(tmp_path, version=version)
            .prompt("Go")
            .background("pytest", "b1")
            .task_output("b1", FAILED, exit_code=1)
        )

        (run,) = ledger_of(built).runs

        assert (run.outcome, run.running) == (Outcome.FAILED, False)
        assert run.counts is not None

    def test_output_seen_while_it_runs_is_not_lost_when_the_end_brings_none(self, tmp_path: Path) -> None:
        built = session(tmp_path, version="2.0.60").prompt("Go").background("pytest -q", "b1")
        built.task_output("b1", FAILED, status="running").task_output("b1", "", exit_code=1)

        (run,) = ledger_of(built).runs

        assert (run.outcome, run.counts is not None, run.running) == (Outcome.FAILED, True, False)

    def test_an_end_that_is_told_before_the_start_counts(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path).prompt("Go").background("pytest", "b1").task_notification("b1", exit_code=1, how="queue")
        )
        start = built.lines.pop(2)
        built.lines.append(start)

        ledger = ledger_of(built)

        assert [(run.outcome, run.running) for run in ledger.runs] == [(Outcome.FAILED, False)]
        assert not ledger.background[0].running

    def test_a_killed_run_proves_nothing(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path)
            .prompt("Go")
            .background("pytest", "b1")
            .task_notification("b1", status="killed", exit_code=143)
        )

        (run,) = ledger_of(built).runs

        assert (run.outcome, run.cut_off, run.running) == (Outcome.UNKNOWN, True, False)

    @pytest.mark.parametrize("tell", ["notice", "output", "both"])
    def test_what_it_pushed_and_saw_of_ci_is_known_when_its_end_is_told(self, tell: str, tmp_path: Path) -> None:
        pushed = "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  fix/x -> fix/x"
        green = "build\tpass\t1m\thttps://x\t"
        built = session(tmp_path, branch="fix/x").prompt("Go")
        for task, command, output in (("b1", "git push", pushed), ("b2", "gh pr checks 5 --watch", green)):
            built.background(command, task)
            assert task == "b2" or ledger_of(built).pushes == ()
            if tell != "output":
                built.task_notification(task, how="queue")
            if tell != "notice":
                built.task_output(task, output)

        ledger = ledger_of(built)

        assert [(push.branch, push.outcome) for push in ledger.pushes] == [("fix/x", Outcome.PASSED)]
        assert [look.outcome for look in ledger.ci_looks] == ["passed"]
        assert ledger.ci_looks[0].sequence > ledger.pushes[0].sequence

    def test_a_push_that_was_rejected_in_the_background_reached_nothing(self, tmp_path: Path) -> None:
        output = " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'"
        built = session(tmp_path).prompt("Go").background("git commit -qam x && git push", "b1")
        built.task_notification("b1", exit_code=1, how="queue").task_output("b1", output, exit_code=1, status="failed")

        assert [push.outcome for push in ledger_of(built).pushes] == [Outcome.FAILED]

    def test_the_tests_of_a_hook_count_in_the_background_too(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").background("git push", "b1").task_notification("b1", exit_code=1)
        built.task_output("b1", f"{FAILED}\nerror: failed to push some refs to 'x'", exit_code=1, status="failed")

        assert [(run.by, run.outcome) for run in ledger_of(built).runs] == [("git-hook", Outcome.FAILED)]

    def test_hooks_run_by_hand_in_the_background_are_one_run(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").background("pre-commit run -a", "b1").task_notification("b1")
        built.task_output("b1", "pytest.....................Passed")

        assert [(run.by, run.outcome) for run in only_tests(ledger_of(built))] == [("agent", Outcome.PASSED)]

    @pytest.mark.parametrize(
        ("command", "end", "outcome"),
        [
            ("gh run watch 7 --exit-status", {}, "passed"),
            ("gh run watch 7", {}, "unknown"),  # it exits 0 whatever the run came to
            ("gh pr checks --watch | tail -3", {}, "unknown"),
            ("gh pr checks --watch", {"exit_code": 1}, "unknown"),  # also where there are no checks
        ],
    )
    def test_an_exit_code_alone_tells_of_ci_where_the_command_hands_it_on(
        self, command: str, end: dict[str, int], outcome: str, tmp_path: Path
    ) -> None:
        built = session(tmp_path).prompt("Go").background(command, "b1").task_notification("b1", **end)  # type: ignore[arg-type]

        assert [look.outcome for look in ledger_of(built).ci_looks] == [outcome]

    def test_a_push_that_was_killed_is_not_known_to_have_reached_anything(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").background("git push", "b1").task_notification("b1", status="killed")

        assert ledger_of(built).pushes == ()

    def test_a_dev_server_is_a_server(self, tmp_path: Path) -> None:
        ledger = ledger_of(session(tmp_path).prompt("Go").background("npm run dev", "b1"))

        assert [task.kind for task in ledger.background] == [CommandKind.SERVER]
        assert ledger.runs == ()


class TestSubagents:
    def test_a_subagents_own_file_gives_edits_and_runs_in_their_place(self, tmp_path: Path) -> None:
        main = session(tmp_path).prompt("Go").edit("/home/dev/project/before.py")
        worker = TranscriptBuilder(agent_id="a1b2c3d").prompt("Do")
        worker._count = main._count + 10
        worker.edit("/home/dev/project/inside.py").bash("pytest -q", PASSED)
        main._count = worker._count + 10
        main.agent("Do", "Done").edit("/home/dev/project/after.py")
        path = main.write()
        worker.write_subagent(path)

        ledger = ledger_of(main)

        assert [(edit.path.rpartition("/")[2], edit.by, edit.file) for edit in ledger.edits] == [
            ("before.py", "agent", None),
            ("inside.py", "subagent", "agent-a1b2c3d.jsonl"),
            ("after.py", "agent", None),
        ]
        assert [(run.by, run.turn, run.outcome) for run in ledger.runs] == [("subagent", 1, Outcome.PASSED)]
        assert ledger.edits[1].sequence < ledger.runs[0].sequence < ledger.edits[2].sequence
        assert ledger.subagents == 1
        assert ledger.turns[0].tool_calls == 3

    def test_old_sessions_keep_a_subagents_lines_in_the_same_file(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path, version="1.0.51")
            .prompt("Go")
            .sidechain()
            .edit("/p/a.py")
            .sidechain(on=False)
            .say("Done.")
        )

        ledger = ledger_of(built)

        assert [edit.by for edit in ledger.edits] == ["subagent"]
        assert ledger.turns[-1].tool_calls == 0
        assert ledger.turns[-1].final_text == "Done."


class TestTodos:
    def test_the_old_list_is_replaced_each_time(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path, version="2.0.60")
            .prompt("Go")
            .todos(("a", "in_progress"), ("b", "pending"))
            .prompt("More")
        )
        built.todos(("a", "completed"), ("b", "pending"))

        todos = ledger_of(built).todos

        assert [(todo.text, todo.status, todo.turn) for todo in todos] == [("a", "completed", 2), ("b", "pending", 1)]

    def test_the_new_list_is_summed_up_from_its_updates(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").task_create("a").task_create("b").task_create("c")
        built.task_update(1, "in_progress").task_update(1, "completed").task_update(3, "deleted")

        assert [(todo.id, todo.text, todo.status) for todo in ledger_of(built).todos] == [
            ("1", "a", "completed"),
            ("2", "b", "pending"),
            ("3", "c", "deleted"),
        ]


class TestCourse:
    def test_turns_open_at_human_prompts_only(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("First").say("Hello.").local_command("model").task_notification("b9")
        built.say("A task ended.").prompt("Second").queue("and be quick").say("Yes.").plan_prompt("1. x")

        turns = ledger_of(built).turns

        assert [(turn.number, turn.prompt.split("\n")[0], turn.kind) for turn in turns] == [
            (1, "First", "human"),
            (2, "Second", "human"),
            (3, "Implement the following plan:", "plan"),
        ]
        assert turns[0].final_text == "A task ended."
        assert turns[1].limits == ("and be quick",)

    def test_the_final_text_is_the_last_message_after_the_last_call(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").say("I look.").bash("ls", "a.py").say("Part one.").say("Part two.")

        (turn,) = ledger_of(built).turns

        assert (turn.final_text, turn.final_line) == ("Part one.\n\nPart two.", built.line)
        assert ledger_of(built.bash("ls", "x")).turns[0].final_text == ""

    def test_an_interrupt_counts_until_something_follows(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").say("Working").interrupt()
        assert ledger_of(built).turns[-1].interrupted
        assert ledger_of(built).interrupts == (built.line,)

        built.local_command("exit")
        assert ledger_of(built).turns[-1].interrupted

        assert not ledger_of(built.prompt("Go on").say("Yes")).turns[-1].interrupted

    def test_an_api_error_ends_the_turn_unless_it_goes_on(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").api_retry().api_error()
        assert ledger_of(built).turns[-1].api_error
        assert not ledger_of(built.say("Again.")).turns[-1].api_error

    def test_plan_mode_ends_when_the_plan_is_approved_and_stays_when_it_is_not(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path).prompt("Plan it", permission_mode="plan").exit_plan_mode(approved=False, words="smaller")
        )
        ledger = ledger_of(built)
        assert (ledger.plan_mode, ledger.turns[-1].plan_mode, ledger.turns[-1].plan_rejected) == (True, True, True)

        ledger = ledger_of(built.exit_plan_mode())
        assert not ledger.plan_mode
        assert [row.partition("\t")[2] for row in ledger.plan_exits] == ["rejected", "approved"]

    def test_questions_and_answers_are_kept(self, tmp_path: Path) -> None:
        (question,) = ledger_of(session(tmp_path).prompt("Go").ask("Which colour?", "Blue")).questions

        assert question.text == "Which colour?"
        assert "Blue" in question.answer

    def test_calls_of_the_current_turn_only(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("One").bash("ls").prompt("Two").read("a.py").bash("sed -i s/a/b/ a.py")
        built.bash("make deploy", exit_code=1)

        calls = ledger_of(built).calls

        assert [(call.name, call.read, call.write, call.failed) for call in calls] == [
            ("Read", True, False, False),
            ("Bash", False, True, False),
            ("Bash", False, False, True),
        ]

    def test_commands_that_differ_in_a_time_stamp_are_one_to_the_loop_detectors(self, tmp_path: Path) -> None:
        built = session(tmp_path).prompt("Go").bash("echo 1700000000001 fail").bash("echo  1700000000002 fail")

        first, second = ledger_of(built).calls

        assert first.key == second.key

    def test_an_empty_or_nonsensical_transcript_gives_an_empty_ledger(self, tmp_path: Path) -> None:
        built = session(tmp_path).raw("").raw('"a string"').raw("{broken").raw("[1, 2]").raw('{"type": "user"}')

        ledger = ledger_of(built)

        assert (ledger.turns, ledger.edits, ledger.runs) == ((), (), ())
        assert ledger.lines == 5


def test_what_a_servers_shell_printed_counts_and_its_silence_does_not(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").edit("a.js")
    for command, shown in (("npx eslint .", "started"), ("npx jest", "Tests:       3 passed, 3 total")):
        built.call("mcp__shell__run", {"command": command}).result(shown)

    runs = ledger_of(built).runs

    assert [run.outcome for run in runs] == [Outcome.UNKNOWN, Outcome.PASSED]
    assert runs[0].why == "the transcript does not record its status, and no summary is shown"
