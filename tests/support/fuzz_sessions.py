"""Sessions of every kind of line that hosts write, and their lines spoilt."""

import itertools
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import strategies as st

from support.fuzz_json import Change, breaks, broken, dumped, spoils, spoilt
from support.transcripts import NEWEST, TranscriptBuilder

CWD = "/home/dev/project"
RED = "FAILED tests/test_a.py::test_b\n2 failed, 1 passed in 0.10s"
GREEN = "===== 3 passed in 0.10s ====="


def _work(t: TranscriptBuilder) -> None:
    t.prompt("Fix the parser and run the tests; don't open a PR", ide_file="/p/a.py").noise()
    t.think("See [pat-001].").read(f"{CWD}/src/a.py").edit(f"{CWD}/src/a.py")
    t.bash("cd src && pytest -q 2>&1 | tail -5", RED).bash("pytest -q", RED, exit_code=1)
    t.multi_edit(f"{CWD}/src/a.py").todos(("Fix it", "in_progress"), ("Test it", "pending"))
    t.bash("pytest -q", GREEN).say("Done, all 3 tests pass. [pat-001] [mis-002]").stop()


def _people(t: TranscriptBuilder) -> None:
    t.mode("plan").prompt("Never use tabs. <private>key hunter22</private> What does it do?")
    t.grep("def x").enter_plan_mode().exit_plan_mode("1. Do it").plan_prompt("1. Do it")
    t.create(f"{CWD}/src/new.py").edit(f"{CWD}/src/b.py", answered=False)
    t.reject("use the other file").ask("Which one?", "The second").queue("and the docs")
    t.queue("later", delivered="next-turn").shell("npm test", "Tests:       1 failed, 3 total")
    t.interrupt().prompt("go on").teammate("<teammate-message from=x>hi</teammate-message>")
    t.meta("<system-reminder>x</system-reminder>").say("Shall I push it?")


def _shipping(t: TranscriptBuilder) -> None:
    t.prompt("Build and ship it").edit(f"{CWD}/package.json", '"a"', '"b"')
    t.notebook_edit(f"{CWD}/n.ipynb")
    t.bash("npm run build && npm test -- --coverage", "Tests:       3 passed, 3 total\n")
    pushed = "To x:o/r.git\n   1a2b3c4..5d6e7f8  main -> main"
    t.bash("git commit -am 'x' && git push origin HEAD:main", pushed)
    t.bash("gh pr create --fill", "https://github.com/o/r/pull/7").pull_request(7)
    t.bash("gh pr checks 7", "build\tpending\t0\thttps://x\n", exit_code=8)
    t.bash("make lint", "x" * 400, timed_out=True).bash("cargo test", "y" * 3000, persisted=True)
    t.api_retry().api_error().feedback("ace-reflect: Tests have not passed.")
    t.hook("UserPromptSubmit", "## OTHERS\n[pat-001] helpful=1 harmful=0 :: Run the tests.")
    t.say("Next steps:\n- run the tests")


def _background(t: TranscriptBuilder) -> None:
    t.prompt("Run it in the background").background("npm test", "b1")
    test, read = ("Bash", {"command": "go test ./..."}), ("Read", {"file_path": "x"})
    t.parallel([(*test, "ok  \tx\t0.1s"), (*read, "y")]).edit(f"{CWD}/main.go")
    t.task_notification("b1", exit_code=1, how="queue")
    t.task_output("b1", "Tests:       1 failed, 2 passed, 3 total")
    t.agent("look at it", "It was looked at: 3 passed.").compact()
    t.task_create("a").task_update(1, "completed")
    t.sidechain().edit(f"{CWD}/src/s.py").bash("pytest", GREEN).sidechain(on=False)
    t.bash("sed -i s/a/b/ src/c.py; cat > x.py <<'E'\nprint(1)\nE\n", "")
    t.bash("for d in a b; do (cd $d && make test) || exit 1; done", "OK")
    t.say("Now I'll run the tests:")


_KINDS = (_work, _people, _shipping, _background)
VERSIONS = (NEWEST, "2.1.40", "2.0.40", "1.0.51")


@cache
def sessions() -> tuple[tuple[bytes, ...], ...]:
    """The lines of each session, of each kind in each version."""
    found = []
    for version, kind in itertools.product(VERSIONS, _KINDS):
        built = TranscriptBuilder(version=version, cwd=CWD)
        kind(built)
        found.append(tuple(built.data().splitlines()))
    return tuple(found)


@dataclass(frozen=True)
class Hurt:
    """What happens to one line: `how` with its JSON, its bytes, its place or its ids."""

    how: str
    line: int
    other: int
    spoils: tuple[Change, ...] = ()
    breaks: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Session:
    """A transcript, and what its lines are made of; shown as its number and what was done to it."""

    number: int
    hurts: tuple[Hurt, ...] = ()
    ends: bytes = b"\n"

    def lines(self) -> list[bytes]:
        lines = list(sessions()[self.number])
        for hurt in self.hurts:
            _hurt(lines, hurt, self.number)
        return lines

    @property
    def torn(self) -> bool:
        """Whether bytes were changed in the middle of a line, as no host does: what is read of such a line may differ."""
        done = {b.kind for hurt in self.hurts if hurt.how == "break" for b in hurt.breaks}
        return not done <= {"cut", "glue", "tail"}  # seen in the field

    def data(self) -> bytes:
        return self.ends.join(self.lines()) + self.ends


_HOWS = ["spoil", "spoil", "spoil", "break", "copy", "move", "drop", "parent", "uuid", "call", "other", "blank", "late"]  # fmt: skip


_BLANKS = (b"", b"\r", b" ", b"\x00\x00", b"null", b"[]", b"{}", b"x")


def _hurt(lines: list[bytes], hurt: Hurt, number: int) -> None:
    if not lines:
        return
    at, other = hurt.line % len(lines), hurt.other % len(lines)
    match hurt.how:
        case "spoil":
            lines[at] = _respoilt(lines[at], list(hurt.spoils))
        case "break":
            lines[at] = broken(lines[at], list(hurt.breaks))
        case "copy":
            lines.insert(other, lines[at])
        case "move":
            lines.insert(other, lines.pop(at))
        case "drop":
            del lines[at]
        case "parent" | "uuid" | "call":
            _with_ids_of(lines, at, other, hurt.how)
        case "other":
            strange = sessions()[hurt.other % len(sessions())]
            lines[at:at] = strange[: hurt.line % 6]
        case "blank":
            lines.insert(at, _BLANKS[hurt.other % len(_BLANKS)])
        case "late":
            lines[at] = lines[at].replace(b"2026-11-22T00", b"1999-01-01T00")


def _respoilt(line: bytes, changes: list[Change]) -> bytes:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return line
    return dumped(spoilt(found, changes))


def _with_ids_of(lines: list[bytes], at: int, other: int, what: str) -> None:
    """The line with another line's uuid, as its own parent, or with another call's id."""
    try:
        mine, theirs = json.loads(lines[at]), json.loads(lines[other])
    except (ValueError, RecursionError):
        return
    if not (isinstance(mine, dict) and isinstance(theirs, dict)):
        return
    if what == "parent":
        mine["parentUuid"] = theirs.get("uuid") if other != at else mine.get("uuid")
    elif what == "uuid":
        mine["uuid"] = theirs.get("uuid")
    else:
        ids = [_call_id(one) for one in (mine, theirs)]
        mine = _renamed(mine, *ids) if all(ids) else mine
    lines[at] = dumped(mine)


def _renamed(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [_renamed(inner, old, new) for inner in value]
    return new if isinstance(value, str) and value == old else value


def _call_id(line: dict[str, Any]) -> str:
    message = line.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    ids = (block.get("id") or block.get("tool_use_id") for block in blocks)
    return next((found for found in ids if isinstance(found, str)), "")


hurts = st.builds(
    Hurt,
    st.sampled_from(_HOWS),
    st.integers(0, 60),
    st.integers(0, 60),
    st.lists(spoils, min_size=1, max_size=4).map(tuple),
    st.lists(breaks, min_size=1, max_size=3).map(tuple),
)
spoilt_sessions = st.builds(
    Session,
    st.integers(0, len(_KINDS) * len(VERSIONS) - 1),
    st.lists(hurts, max_size=6).map(tuple),
    st.sampled_from([b"\n", b"\n", b"\n", b"\n", b"\r\n", b"\n\n", b""]),
)
