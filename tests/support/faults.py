"""What the fault tests share: sessions that cite a key point, kills at random instants, and the counting afterwards."""

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.playbook.read import parse_playbook
from ace_reflect.state import cache, jobs, record, sessions
from ace_reflect.state.db import State
from support import figures
from support.fuzz import both_forms
from support.hooks import HOOKS, Host
from support.nursery import Child, Nursery
from support.transcripts import TranscriptBuilder

PASSED = "3 passed in 0.10s"
POINT = {"name": "pat-001", "text": "Run the tests.", "helpful": 0, "harmful": 0}
DEAD = "999999:1"  # a process that is no more
EVENTS: dict[str, dict[str, Any]] = {
    "UserPromptSubmit": {"prompt": "Fix it", "prompt_id": "p"},
    "Stop": {"last_assistant_message": "Done."},
    "SubagentStop": {"agent_transcript_path": "/nowhere", "last_assistant_message": "Done."},
    "PreCompact": {"trigger": "auto"},
    "SessionStart": {"source": "startup"},
    "SessionEnd": {"reason": "other"},
}
COMMANDS = [
    ("playbook", "add", "A rule."), ("playbook", "list"), ("playbook", "why", "pat-001"),
    ("playbook", "stats"), ("playbook", "history"), ("status",), ("queue", "list"), ("queue", "run"), ("review", "list"),
    ("log",), ("log", "--cost"), ("skip",), ("config", "show"), ("trust", "--revoke"),
]  # fmt: skip


def session_of(
    host: Host, turns: int, number=0, cited="[pat-001]", folder=None
) -> TranscriptBuilder:
    """A session that cites a key point in each of its turns, with a passing test after it."""
    name, cwd = f"5e55105e-0000-4000-8000-{number:012d}", str(folder or host.project)
    session = TranscriptBuilder(host.transcript(name), cwd=cwd, session_id=name)
    for _ in range(turns):
        add_turn(session, cited)
    session.write()
    return session


def add_turn(session: TranscriptBuilder, cited: str = "[pat-001]") -> TranscriptBuilder:
    session.prompt("Fix it").say(cited).edit(f"{session.cwd}/src/a.py")
    return session.bash("pytest -q", PASSED).say("Done.")


def known(state: State, session: TranscriptBuilder, process: str = DEAD) -> None:
    """The session is noted, as its prompts' hooks note it."""
    given = {"project": str(session.cwd), "transcript": str(session.path), "process": process}
    sessions.touch(state, session.session_id, **given)


def enqueue(host: Host, session: TranscriptBuilder) -> None:
    with host.state() as state:
        known(state, session, "")
        given = {"project": str(session.cwd), "reason": "session_end"}
        jobs.enqueue(state, session.session_id, str(session.path), **given, final=True)


def begun(host: Host, script: str, payload: object, *arguments: str) -> "subprocess.Popen[bytes]":
    """A hook's process that has its payload, and is not waited for."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-I", str(HOOKS / script), *arguments]
    process = subprocess.Popen(command, env=host.environment(), start_new_session=True, **pipes)
    assert process.stdin is not None
    process.stdin.write(json.dumps(payload).encode())
    process.stdin.close()
    process.stdin = None
    return process


class HostNursery(Nursery):
    """A host's own, in which an event is told by its fields."""

    def __init__(self, host: Host) -> None:
        super().__init__(host.environment(), host.project)
        self.host = host

    def event(self, event: str, *, kill_after_s=None, signal=9, before="", **fields: Any) -> Child:
        options: dict[str, Any] = {"kill_after_s": kill_after_s, "signal": signal, "before": before}
        child = self.hook(event, self.host.payload(event, **fields), **options)
        assert child.killed or (child.code, child.err) == (0, "")
        return child


@pytest.fixture
def nursery(host: Host) -> Iterator[HostNursery]:
    host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    with HostNursery(host) as made:
        yield made


@dataclass
class Killer:
    """Kills at instants drawn over the time that a writer takes when it is left alone."""

    chance: random.Random = field(default_factory=lambda: random.Random(19))
    rounds: int = 0
    killed: int = 0
    usual_s: float = 0.05
    codes: set[int] = field(default_factory=lambda: {0, 1})  # of those who came to their end

    def __call__(self, run: Callable[..., Child], *arguments: object, **more: Any) -> Child:
        limit = self.chance.uniform(0.0005, 1.3 * self.usual_s)
        child = run(*arguments, kill_after_s=limit, **more)
        self.rounds += 1
        self.killed += child.killed
        if child.killed:
            self.usual_s *= 1.15
        else:
            assert child.code in self.codes, child.err
            self.usual_s = 0.8 * self.usual_s + 0.2 * child.took_s
        assert "Traceback" not in child.err, child.err
        return child


@pytest.fixture
def killer(host: Host) -> Iterator[Killer]:
    """At the end all is sound, and the writers were met in their work: else it proves nothing."""
    made = Killer()
    yield made
    sound(host)
    figures.add("kill rounds", made.rounds)
    figures.add("kill rounds that met the writer at work", made.killed)
    assert made.killed >= made.rounds // (4 if made.rounds > 20 else 5)


def kill_rounds(short: int, long: int) -> Any:
    return both_forms("rounds", short, long)


def sound(host: Host) -> None:
    """`state.db`, the playbook and every file of ours are whole."""
    connection = sqlite3.connect(host.home / "state.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    if host.playbook.exists():
        parse_playbook(host.playbook.read_bytes())
    for path in (*host.home.rglob("*.json"), *(host.project / ".reflection").glob("*.json")):
        if not path.name.startswith(".") and path.parent.parent.name != "history":
            json.loads(path.read_bytes())
    assert all(row["event"] for row in host.log())


def same_ledger(host: Host, session_id: str) -> None:
    """What the session's stops have stored is what one reading of the whole transcript finds."""
    with host.state() as state:
        stored = cache.get(state, cache.LEDGER, session_id)
    assert stored is not None
    kept = Ledger.from_json(cache.unpacked(stored)).to_json()
    whole = read_ledger(str(host.transcript(session_id)), final=False).to_json()
    assert kept == Ledger.from_json(whole).to_json()


def settled(host: Host, nursery: Nursery) -> None:
    """Let the next worker finish what was begun."""
    for _ in range(8):
        child = nursery.worker()
        assert child.code == 0, child.err
        with host.state() as state:
            left = [job for job in jobs.listed(state, limit=10_000) if job.state != "done"]
            if not left and not record.pending(state):
                return
            for job in left:  # three kills set one aside: a person gives it its tries back
                jobs.retry(state, job.id)
    raise AssertionError("the worker does not come to an end")


def counted(host: Host, name: str = "pat-001") -> tuple[int, int, int]:
    """(helpful in the file, counted votes on record, turns that count): equal where nothing is lost or doubled."""
    votes = "SELECT count(*) FROM votes WHERE counted AND key_point = ?"
    with host.state() as state:
        counts = [state.one(votes, (name,)), state.one("SELECT count(*) FROM turns")]
    on_record, turns = (int(row[0]) if row else 0 for row in counts)
    return host.counters(name)[0], on_record, turns


def texts(host: Host, path: Any = None) -> list[str]:
    """The texts of a playbook's key points, in order."""
    target = path or host.playbook
    data = json.loads(target.read_text()) if os.path.exists(target) else {"sections": {}}
    return [point["text"] for rows in data["sections"].values() for point in rows]
