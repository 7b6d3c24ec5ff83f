"""Command lines of every shape: no command is lost, none is made up, and what it came to needs a sign of its own."""

from pathlib import Path

from hypothesis import strategies as st

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.evidence.runners import read_all, read_checks, read_summary
from ace_reflect.evidence.runners.filters import lets_through, read_filters
from ace_reflect.evidence.shell import SimpleCommand, split
from ace_reflect.transcript.records import ToolResult, UserShell
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, texts

_PROGRAMS = (
    "pytest -q", "npm test", "cargo test --all", "go test ./...", "make lint", "git push origin HEAD:main", "git commit -m 'x; y'", "gh pr create --fill", "ls -la", "sed -i s/a/b/ f.py",
    "python -m unittest", "docker compose run --rm app pytest", "timeout 60 npx jest a.test.ts", "cat > a.py", "tee b.txt", "rm -rf build", "cp a b", "mv a b", "npm run build", "tsc --noEmit",
    "echo hi", "grep -rn x .", "find . -name '*.py' -exec rm {} ;", "xargs -n1 pytest", "uv run pytest -k 'a or b'", "bash -lc 'cd x && pytest'", "ssh host 'make test'", 'eval "$X"',
    "git stash pop", "patch -p1", "X=1 env Y=2 pytest", "cd sub", "pushd a", "popd", "exit 1", "return 0", "set -e", "set -o pipefail", "true", "false", ":", "wait", "sudo make install", "true || pytest",
)  # fmt: skip
_JOINTS = (" ; ", " && ", " || ", " | ", " & ", "\n", " |& ", ";", "&&", "\n\n# c\n", " \\\n ")
_WRAPS = (
    "({})", "{{ {}; }}", "$({})", "`{}`", "if {}; then x; fi", "for i in a b; do {}; done", "while read l; do {}; done", "! {}", "case a in a) {};; esac", "f() {{ {}; }}; f", "x=$({})", 'echo "$({})"',
    "{} > out.txt 2>&1", "{} <<'E'\nbody; rm x\nE", "{} <<< word", "time {}", "bash -c '{}'", "{} | tail -5", "{} || true", "{}; echo $?", "[[ -f a ]] && {}", "until {}; do :; done", "exec {}", "nohup {} &",
)  # fmt: skip
_LOOSE = ("$(", ")", "`", "'", '"', "\\", "<<E", "E", "{", "}", "((", "))", "$((1+2))", "${x:-$(a)}", "${", "&", ";;", "esac", "fi", "done", "do", "then", "<(", ">(", "|", "#", "$'\\x41'", "\r", "\x00", "~", "*", "!", "[[", "]]", "<<-", "<<<", ">", ">>", "2>&1", "&>", "\t")  # fmt: skip

plain = st.sampled_from(_PROGRAMS)
wrapped = st.recursive(
    plain,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(_JOINTS), inner).map("".join),
        st.tuples(st.sampled_from(_WRAPS), inner).map(lambda pair: pair[0].format(pair[1])),
    ),
    max_leaves=4,
)
noise = st.lists(st.one_of(plain, st.sampled_from(_LOOSE), texts), min_size=1, max_size=8).map(" ".join)
lines = st.one_of(wrapped, wrapped, noise)
damaged = st.tuples(lines, st.lists(breaks, min_size=1, max_size=3)).map(
    lambda pair: broken(pair[0].encode("utf-8", "surrogatepass"), pair[1]).decode("utf-8", "replace")
)
any_lines = st.one_of(lines, damaged)

_KINDS = set(CommandKind)


def sound(simple: SimpleCommand) -> None:
    assert all(isinstance(word, str) for word in simple.argv)
    assert simple.status_visible == (not simple.masked)
    assert SimpleCommand.from_json(simple.to_json()).to_json() == simple.to_json()


@fuzzed(
    "shell lines",
    short=150,
    long=15_000,
    line=any_lines,
    cwd=st.sampled_from([None, "/repo", "/", "relative", "/a b/é"]),
)
def test_any_line_is_taken_apart(line: str, cwd: str | None) -> None:
    found = classify(line, cwd)

    for command in found:
        sound(command.simple)
        assert command.kind in _KINDS
        assert all(path and isinstance(path, str) for path in command.writes)
        assert command.push is None or command.kind is CommandKind.PUSH
    assert [one.to_json() for one in classify(line, cwd)] == [one.to_json() for one in found]


@fuzzed(
    "shell lines joined",
    short=100,
    long=10_000,
    left=wrapped,
    right=wrapped,
    joint=st.sampled_from(["; ", "\n", " ; ", "\n\n", ";\n"]),
)
def test_a_joined_line_keeps_the_commands_of_both(left: str, right: str, joint: str) -> None:
    """`a; b` runs what `a` runs and then what `b` runs, but for what follows an `exit` or needs what `a` set."""
    ends_in_a_line = left.rstrip().endswith("&") or "<<" in left
    if "exit" in left or "return" in left or (ends_in_a_line and not joint.startswith("\n")):
        return
    if left.count("<<'E'") != left.split("\n").count("E"):  # `E)` ends no text: to bash, all that follows is part of it
        return
    if "f()" in left and "f()" in right:  # one's function is the other's too
        return

    both = [one.argv for one in split(f"{left}{joint}{right}")]

    alone = [one.argv for one in (*split(left), *split(right))]
    assert both == alone


@fuzzed("shell words quoted", short=60, long=4_000, words=st.lists(texts, min_size=1, max_size=5))
def test_any_words_between_quotes_are_one_command_of_these_words(words: list[str]) -> None:
    words = ["printf", *(word.replace("\x00", "") for word in words)]
    line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)

    found = split(line)

    assert [one.argv for one in found] == [tuple(words)]


_OUTPUTS = tuple(
    path.read_text("utf-8", "replace")[:3000]
    for path in sorted((Path(__file__).parents[1] / "fixtures" / "runners").rglob("*.txt"))
)
_TAILS = ("3 passed in 0.1s", "2 failed, 1 passed in 0.1s", "Tests:       1 failed, 2 passed, 3 total", "OK", "FAILED", "npm ERR! code 1", "make: *** [test] Error 1", "\x1b[32m3 passed\x1b[0m", "No tests found", "Killed", "command not found: pytest", "ok 1 - a\n1..1", "PASS a.test.ts")  # fmt: skip
pieces = st.one_of(st.sampled_from(_TAILS), texts, st.sampled_from(_OUTPUTS) if _OUTPUTS else texts)
outputs = st.tuples(st.lists(pieces, max_size=4).map("\n".join), st.lists(breaks, max_size=2)).map(
    lambda pair: broken(pair[0].encode("utf-8", "surrogatepass"), pair[1]).decode("utf-8", "replace")
)
_PASSES = st.sampled_from(_PROGRAMS[:12])


@fuzzed("command outputs", short=80, long=8_000, line=any_lines, output=outputs, code=st.sampled_from([None, 0, 1, 2, 127, 137, 143, -1, 10**9]),
        kind=st.sampled_from(["result", "shell"]), flags=st.sets(st.sampled_from(["denied", "not_run", "timed_out", "truncated"])))  # fmt: skip
def test_what_a_line_came_to_is_said_with_a_reason(
    line: str, output: str, code: int | None, kind: str, flags: set[str]
) -> None:
    commands = classify(line, "/repo")
    result = (
        UserShell(line=2, command=line, stdout=output)
        if kind == "shell"
        else ToolResult(
            line=2, tool_use_id="t", text=output, is_error=code != 0, exit_code=code, **dict.fromkeys(flags, True)
        )
    )
    for command in commands:
        reading = read_outcome(commands, result, command)
        assert reading.why
        assert reading.outcome in Outcome
        counted = reading.counts.to_json() if reading.counts else {}
        assert all(value is None or value >= 0 for value in counted.values())
        if kind == "result" and flags & {"denied", "not_run"}:
            assert reading.outcome is Outcome.NOT_RUN
        (reading.why + reading.quote).encode("utf-8", "surrogatepass")


@fuzzed(
    "plain runs that failed", short=40, long=3_000, command=_PASSES, output=outputs, code=st.sampled_from([1, 2, 101])
)
def test_a_plain_run_with_an_exit_code_of_its_own_did_not_pass(command: str, output: str, code: int) -> None:
    commands = classify(command, "/repo")
    result = ToolResult(line=2, tool_use_id="t", text=f"Exit code {code}\n{output}", is_error=True, exit_code=code)

    for one in commands:
        if one.kind is CommandKind.TEST:
            assert read_outcome(commands, result, one).outcome is not Outcome.PASSED


@fuzzed(
    "runner outputs",
    short=60,
    long=5_000,
    output=outputs,
    runner=st.sampled_from(
        ["", "pytest", "npm test", "jest", "go test", "cargo test", "make test", "gradle test", "no such"]
    ),
)
def test_what_a_runner_printed_is_counted_and_never_below_nothing(output: str, runner: str) -> None:
    lines_printed = max(output.count("\n") + output.count("\r"), len(output.splitlines())) + 1
    for found in (*read_all.__wrapped__(output, runner), *read_checks.__wrapped__(output, runner)):
        assert 0 <= found.line_index <= lines_printed
        counted = found.counts.to_json() if found.counts else {}
        assert all(value is None or value >= 0 for value in counted.values())
        assert len(found.quote) <= 200
        assert found.outcome is not Outcome.UNKNOWN
    whole = read_summary(output, runner)
    assert whole is None or whole.outcome in Outcome


@fuzzed("output filters", short=40, long=2_000, argvs=st.lists(st.lists(st.one_of(texts, st.sampled_from(
    ["grep", "-E", "-v", "head", "tail", "-5", "-n", "+3", "awk", "sed", "passed|failed", "(a+)+$", "[", "*", "-c", "--", "rg", "sort", "uniq", "cut"])), min_size=1, max_size=5), max_size=3),
    rows=st.lists(texts, max_size=4))  # fmt: skip
def test_what_a_pipe_lets_through_is_told_without_trying_its_expressions(
    argvs: list[list[str]], rows: list[str]
) -> None:
    filters = read_filters([tuple(argv) for argv in argvs])

    assert isinstance(lets_through(filters, tuple(rows)), bool)
