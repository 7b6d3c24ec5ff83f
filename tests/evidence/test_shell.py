"""Command lines split as the shell does it, in time that grows with their length."""

import time

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.shell import SimpleCommand, split

#: line -> the words of every command that runs, in the order of the line
LINES: list[tuple[str, list[str]]] = [
    ("", []), ("a 'b c' \"d e\" f\\ g", ["a b c d e f g"]), ("a; b\nc & d", ["a", "b", "c", "d"]),
    ("a | b |& c", ["a", "b", "c"]), ("a # b; c\nd", ["a", "d"]), ("a\r\nb\r\n", ["a", "b"]),
    ("X=1 Y=2 a", ["a"]), ("X=$(a) Y=`b`", ["a", "b"]),
    ('echo $\'it\\\'s\' "a \\"b\\""', ['echo it\'s a "b"']),
    ("a > b 2>&1 < c >> d &> e 3>| f", ["a"]), ("> f", [""]), ("2>&1 a 1 >f b", ["a 1 b"]),
    ("a <<EOF\nb; c $(d)\nEOF\ne", ["d", "a", "e"]), ("a <<'EOF'\nb; c $(d)\nEOF\ne", ["a", "e"]),
    ("a <<EOF && b\nx\nEOF\n", ["a", "b"]), ('a <<< "b; c"', ["a"]),
    ("if a; then b; elif c; then d; else e; fi; f", ["a", "b", "c", "d", "e", "f"]),
    ("for x in 1 2; do a; done | b", ["a", "b"]), ("for ((i=0;i<3;i++)); do a; done", ["a"]),
    ("while a; do b; done < <(c)", ["c", "a", "b"]),
    ("case $x in a|b) c;; (d) e; f ;& *) g; esac; h", ["c", "e", "f", "g", "h"]),
    ("case x in\n  a)\n    b\n    ;;\nesac", ["b"]), ("[ -f x ] && a", ["[ -f x ]", "a"]),
    ("x=(1 $(a) 'b c'); d", ["a", "d"]), ("f() { a $1; }; f x; f y", ["a $1", "f x", "f y"]),
    ("f() ( a )\nf", ["a", "f"]), ('echo "$(a "$(b)")"', ["b", "a $(b)", 'echo $(a "$(b)")']),
    ('echo ${x:-$(a)} ${y%"}"}', ["a", 'echo ${x:-$(a)} ${y%"}"}']),
    ("echo }; echo done", ["echo }", "echo done"]), ("a && ", ["a"]), ("a | ", ["a"]),
    ("bash -c \"sh -c 'a; b'\"", ["a", "b"]), ("sh <<EOF\na\nEOF", ["a"]),
    ("eval 'cd x'; a", ["cd x", "a"]), ("X=a; $X b", ["$X b"]),
    ("for x in one two; do a $x; done", ["a $x"]),
    ("ssh -p 22 -i k user@host <<'EOF'\na\nEOF", ["a"]),
]  # fmt: skip


def test_a_line_is_split_as_the_shell_does_it() -> None:
    found = {line: [" ".join(simple.argv) for simple in split(line)] for line, _ in LINES}
    assert found == dict(LINES)


def one(line: str, name: str, cwd: str | None = "/repo") -> SimpleCommand:
    (found,) = [simple for simple in split(line, cwd) if simple.inner[:1] == (name,)]
    return found


#: What is told of the command x in a line that starts in /repo: the field, the lines and its values.
FACTS = {
    "cwd": [
        ("cd packages/* && x", None), ("cd; x", None),
        ("cd C:/Users/anna/app && x", "C:/Users/anna/app"), ("cd app && x", "/repo/app"),
        ("cd app; cd ..; x", "/repo"), ("(cd app && true); x", "/repo"),
        ("cd app | true; x", "/repo"), ("cd app || exit 1; x", "/repo/app"), ("cd ~/app; x", None),
        ("cd $UNKNOWN && x", None),
        ('cd "app/[slug]" && x', "/repo/app/[slug]"), ("bash -c 'cd app; x'", "/repo/app"),
        ("bash -c 'cd app'; x", "/repo"), ("env -C app x", "/repo/app"),
        ("uv run --directory app x", "/repo/app"),
    ],
    "heredoc": [
        ("x <<EOF\na\nEOF", "a\n"), ("x <<'EOF' && y\na; b\nEOF\n", "a; b\n"), ("x <<< 'a b'", "a b"),
    ],
    "masked": [
        ("x | tail -5", "| tail -5"), ("x || true", "|| true"), ("x &", "&"), ("! x", "!"),
        ("echo $(x)", "$(…)"), ("if x; then y; fi", "if"), ("for i in 1 2; do x; done", "for"),
        ("set -o pipefail; x | tail", "| tail"),
    ],
    "conditional": [
        ("a && x", "&&"), ("a || x", "||"), ("if a; then x; fi", "||"),
        ("for f in $(ls); do x; done", "||"), ("[ -f a ] || exit 0; x", "||"),
        ("[ -f a ] || exit 1; x", ""), ("cd a && { b; x; }", "&&"),
    ],
    "echoed_status": [
        ('x; echo "EXIT: $?"', "EXIT: $?"), ("x | tail; echo $?", ""), ("x; y; echo $?", ""),
        ('x > log 2>&1; echo "exit=$?"; tail log', "exit=$?"),
    ],
    "via": [
        ("timeout -k 5 60s env A=1 nice -n 5 x", ("timeout", "env", "nice")),
        ("uv run -m x", ("uv run",)), ("npx --yes x@1.2.3", ("npx",)),
        ("mise exec node@20 -- x", ("mise exec",)), ("nix develop .#a -c x", ("nix develop",)),
        ("docker compose -f a.yml run --rm -e A=1 web x", ("docker compose run",)),
        ("docker run --rm -v $PWD:/a -w /a image x", ("docker run",)),
        ("kubectl -n a exec pod -c b -- x", ("kubectl exec",)), ("ssh -p 22 host x", ("ssh",)),
        ("xargs -0 -n1 x", ("xargs",)), ("python3.12 -X dev -m x", ("python -m",)),
        ("coverage run --source a -m x", ("coverage run",)), ("su - web -c x", ("su",)),
        ("powershell -Command x", ("powershell",)), ("cmd /c x", ("cmd",)),
        ("wsl -d Ubuntu -- x", ("wsl",)), ("wsl -e bash -lc 'cd app && x'", ("wsl", "bash -c")),
        ("\\x", ()),
    ],
    "background": [("x & y", True), ("y & x", False)],
}  # fmt: skip


@pytest.mark.parametrize("field", FACTS)
def test_what_is_told_of_a_command(field: str) -> None:
    found = {line: one(line, "x") for line, _ in FACTS[field]}
    assert {line: getattr(simple, field) for line, simple in found.items()} == dict(FACTS[field])
    assert all(simple.status_visible == (not simple.masked) for simple in found.values())


@pytest.mark.parametrize(("typed", "start", "cwd"), [
    ("C:\\Users\\me\\app", "/mnt/c/Users/me", "/mnt/c/Users/me/app"),
    ("/private/tmp/app", "/tmp/app", "/tmp/app"),
])  # fmt: skip
def test_a_folder_has_one_spelling(typed: str, start: str, cwd: str) -> None:
    assert one(f"cd '{typed}' && x", "x", start).cwd == cwd


def test_what_stands_around_a_command_is_told() -> None:
    found = one("A=1 x < in 2>err | grep -v a | tail -5", "x")

    first, second, _ = split("a && b 2>&1 | c")
    assert (first.masked, first.pipe) == ("", ()), "a list is never one of a pipe's commands"
    assert (second.masked, second.pipe) == ("| c", (("c",),))
    assert found.argv == ("x",)
    assert found.writes == ("err",)
    assert found.pipe == (("grep", "-v", "a"), ("tail", "-5"))
    assert found.masked == "| grep -v a | tail -5"
    assert found.text == "A=1 x < in 2>err"


@pytest.mark.parametrize("line", ["x && (y", "x 'y", "if x; then y", "x; }", "x && {"])
def test_of_a_line_that_cannot_be_read_no_status_shows(line: str) -> None:
    assert [simple.status_visible for simple in split(line) if simple.argv[0] == "x"] == [False]


@pytest.mark.parametrize(("line", "writes", "appends"), [
    ("x > f", ("f",), False), ("x >> f 2>&1", ("f",), True), ("x &> f", ("f",), False),
    ("x 2> f", ("f",), False), ("x > /dev/null 2>&1", (), False), ("x 2>&1 | tee f", (), False),
])  # fmt: skip
def test_what_a_command_writes_is_told(line: str, writes: tuple[str, ...], appends: bool) -> None:
    found = one(line, "x")
    assert (found.writes, found.appends) == (writes, appends)


@pytest.mark.parametrize(("line", "operators"), [
    ("a && b || c", ["", "&&", "||"]), ("a; b | c", ["", ";", "|"]),
    ("cat > f <<EOF && a f\nx\nEOF\n", ["", "&&"]), ("a && b 2>&1 | c", ["", "&&", "|"]),
])  # fmt: skip
def test_what_joins_commands_is_told(line: str, operators: list[str]) -> None:
    assert [simple.operator for simple in split(line)] == operators


@pytest.mark.parametrize("line", [
    "tmux send-keys -t a 'x' Enter", "echo x", "command -v x", "docker compose up x", "man x",
    "alias y=x",
])  # fmt: skip
def test_what_only_names_a_command_does_not_run_it(line: str) -> None:
    assert "x" not in {"".join(simple.inner[:1]) for simple in split(line)}


def test_of_a_very_long_line_the_head_and_the_tail_are_read() -> None:
    text = "x" * 60 + "\n"
    found = split(f"cat > f <<EOF\n{text * 2_000}EOF\ncd app\nnpm test", "/repo")
    assert found[-1].argv == ("npm", "test")


SIZE = 100_000
HOSTILE = {
    "(": "(", ")": ")", "$(": "$(", "quote": "'", "double": '"', "nested": '"$(', "backquote": "`", "backslash": "\\", "heredocs": "<<a ",
    "heredoc lines": "cat <<a\n", "substitutions in heredocs": "cat <<a\n$(\n", "{": "{ ", "${": "${", "$((": "$((", "((": "(( ", "if": "if ",
    "case": "case x in ", "for": "for i in a; do ", "&&": "a && ", "||": "a || ", ";": "a;", "|": "a|", "newlines": "a\n", "&": "a & ",
    "saved": "rc=$?;", "exits": "exit $rc;", "functions": "f(){ ", "calls": "f(){ f; f; };", "bash -c": 'bash -c "', "eval": "eval '", "ssh": "ssh a ",
    "[[": "[[ ", "extglob": "@(", "array": "a=(", "<(": "<(", ">": ">", "doubling": "A=x;A=$A$A;", "xargs": "xargs ", "timeout": "timeout 1 ",
    "find": "find -exec ", "ansi": "$'", ";;": ";;", "!": "! ", "time": "time ", "coproc": "coproc ", "nul": "\0", "cr": "a\r\n", "wait": "a & wait;",
    "blanks": "a    (", "trap": "trap 'a' X;", "cd": "cd a;", "digits": "1", "hash": "#", "fi": "fi ", "done": "done;", "tab": "\t", "git push": "git push a:b ",
}  # fmt: skip


@pytest.mark.parametrize("size", [SIZE // 10, pytest.param(SIZE, marks=pytest.mark.long)])
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_no_line_takes_more_than_its_length(piece: str, size: int) -> None:
    """A quadratic reading of 100 kB would take minutes; two seconds per 10 kB are far above what any of them takes."""
    start = time.process_time()
    classify(piece * (size // len(piece)), "/repo")
    assert time.process_time() - start < size / 5_000
