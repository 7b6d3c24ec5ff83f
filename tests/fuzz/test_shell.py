"""Command lines of every shape: none raises, and no command is lost or made up."""

from typing import Any

from hypothesis import strategies as st

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.shell import SimpleCommand, split
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
    "({})", "{{ {}; }}", "$({})", "if {}; then x; fi", "for i in a b; do {}; done", "while read l; do {}; done", "! {}", "case a in a) {};; esac", "f() {{ {}; }}; f", "x=$({})", 'echo "$({})"',
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
pieces = st.one_of(plain, st.sampled_from(_LOOSE), texts)
noise = st.lists(pieces, min_size=1, max_size=8).map(" ".join)


def _damaged(line: str, damage: list[Any]) -> str:
    return broken(line.encode("utf-8", "surrogatepass"), damage).decode("utf-8", "replace")


lines = st.builds(_damaged, wrapped | noise, st.lists(breaks, min_size=1, max_size=3))
folders = st.sampled_from([None, "/repo", "/", "relative", "/a b/é"])


@fuzzed("shell lines", 100, 15_000, line=wrapped | noise | lines, cwd=folders)
def test_any_line_is_taken_apart(line, cwd) -> None:
    found = classify(line, cwd)
    for command in found:
        simple = command.simple
        assert all(isinstance(word, str) for word in simple.argv)
        assert simple.status_visible == (not simple.masked)
        assert SimpleCommand.from_json(simple.to_json()).to_json() == simple.to_json()
        assert command.kind in set(CommandKind)
        assert all(path and isinstance(path, str) for path in command.writes)
        assert not command.refs or command.kind is CommandKind.PUSH
    assert [one.to_json() for one in classify(line, cwd)] == [one.to_json() for one in found]


@fuzzed("shell words quoted", 40, 4_000, words=st.lists(texts, min_size=1, max_size=5))
def test_any_words_between_quotes_are_one_command_of_these_words(words) -> None:
    words = ["printf", *(word.replace("\x00", "") for word in words)]
    line = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    found = split(line)
    assert [one.argv for one in found] == [tuple(words)]
