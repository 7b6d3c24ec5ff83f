"""
A year of a heavy user, through the program's own code: what it costs on the last day, and what has grown.

    python bench/growth.py               # 5,000 sessions, 20 GB of transcripts, 100,000 votes, 3,000 key points
    python bench/growth.py --scale 0.1   # a tenth of it

The transcripts are real lines, streamed through the reader, the ledger and the session's rows in this process, with a
clock that runs through the year; every fiftieth session is learned from by the whole pipeline (lock, playbook, history,
intent). What a person waits for is sampled as whole processes after the first and after the last day.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import material
from machine import SLUGS, Machine
from processes import BARE, run

from ace_reflect import log
from ace_reflect.evidence.facts import Ledger
from ace_reflect.hooks.edge import Event
from ace_reflect.hooks.judge import judge_event, stored
from ace_reflect.learning.lesson import Options
from ace_reflect.learning.pipeline import learn
from ace_reflect.settings import Settings
from ace_reflect.state import cache, jobs, record, sessions
from ace_reflect.state.db import State, open_state, prune

DAY = 86_400.0
SESSIONS, POINTS, VOTES_EACH, BYTES_EACH = 5_000, 3_000, 20, 4_000_000
COMMANDS = (
    ("status",),
    ("playbook", "list"),
    ("playbook", "stats"),
    ("queue",),
    ("log",),
    ("config", "show"),
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=float, default=1.0, help="of the year's sessions and bytes")
    parser.add_argument("--corpus", help="a folder of transcripts, or one")
    parser.add_argument("--samples", type=int, default=9)
    parser.add_argument("--json", help="write the figures to this file too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ace-growth-") as place:
        found = Year(Path(place), given).run()
    if given.json:
        Path(given.json).write_text(json.dumps(found, indent=1) + "\n")
    return 0


class Year:
    def __init__(self, place: Path, given: argparse.Namespace) -> None:
        self.given = given
        self.files = material.corpus(given.corpus)
        self.machine = Machine(place)
        self.machine.playbook(POINTS)
        self.machine.checkout()
        self.sessions = max(int(SESSIONS * given.scale), 30)
        self.now = time.time() - 365 * DAY
        self.draw = Random(7)
        self.streamed = 0
        self.lines = material.lines(self.files)
        self.book = str(self.machine.project / ".claude" / "playbook.json")

    def run(self) -> dict[str, Any]:
        begun, real = time.monotonic(), time.time
        first: dict[str, Any] = {}
        time.time = lambda: self.now
        try:
            per_day = max(self.sessions / 365, 1)
            for number in range(self.sessions):
                self.session(number)
                self.now += DAY / per_day
                if number == int(per_day):
                    time.time = real
                    first = self.measured()
                    time.time = lambda: self.now
        finally:
            time.time = real
        last = self.measured()
        print(
            f"{self.sessions:,} sessions, {self.streamed / 1e9:.1f} GB, {time.monotonic() - begun:.0f} s\n"
        )
        for name in last:
            print(f"{name:<44} {first.get(name, 0):>12,.1f} {last[name]:>12,.1f}")
        return {
            "sessions": self.sessions,
            "streamed_bytes": self.streamed,
            "first": first,
            "last": last,
        }

    def session(self, number: int) -> None:
        """One session from its start to its end, and the worker's part of it."""
        name = f"{number:08d}-0000-4000-8000-000000000000"
        path = self.machine.transcript("streamed")
        self.stream(path)
        with open_state(str(self.machine.home)) as state:
            self.rows(state, name, self.judged(state, name, path))
            sessions.end(state, name)
            jobs.enqueue(
                state,
                name,
                f"{path}.{number}",
                project=str(self.machine.project),
                reason="session_end",
                final=True,
            )
            job = jobs.take(state, ignore_wait=True)
            self.votes(state, name)
            if number % 50 == 0:
                self.learned(state, number)
            if job is not None:
                jobs.finish(state, job, "learned")
            prune(state)

    def stream(self, path: Path) -> None:
        """About 4 MB of lines that follow one another in the corpus."""
        have = 0
        with path.open("wb") as out:
            for line in self.lines:
                out.write(line)
                have += len(line)
                if have >= BYTES_EACH:
                    break
        self.streamed += have

    def judged(self, state: State, name: str, path: Path) -> Ledger:
        """A stop at the end of the transcript, as the hook judges it; what it has read."""
        payload = {"session_id": name, "transcript_path": str(path)}
        event = Event("Stop", name.encode(), payload, self.machine.environ)
        event.project, event.state = str(self.machine.project), state
        event.settings = event.first_settings = Settings()
        judge_event(event)
        return stored(event)[0].ledger()

    def rows(self, state: State, name: str, ledger: Ledger) -> None:
        project, transcript = str(self.machine.project), str(self.machine.transcript(name))
        with state.transaction():
            sessions.touch(state, name, project=project, transcript=transcript)
            for number, turn in enumerate(ledger.turns[-8:]):
                sessions.note_prompt(state, name, f"{name}-{number}", turn.prompt)
                raw = f"{name}{number}".encode()
                cache.claim(state, "Stop", raw, "")
                cache.decided(state, raw, needs_model=False)
                sessions.add_injected(state, name, self.book, [self.point() for _ in range(6)])
                log.write(str(self.machine.home), "Stop", session=name, decision="allow", ms=20)

    def votes(self, state: State, name: str) -> None:
        votes = tuple(
            record.Vote(
                key_point=self.point(), tag="helpful", counted=True, rationale="the tests passed after it was followed", turn=f"{name}-{number}",
                evidence=({"line": 10, "quote": "12 passed in 0.31s", "command": "pytest -q"},),
            )
            for number in range(VOTES_EACH)
        )  # fmt: skip
        record.write(
            state,
            self.book,
            record.Rows(
                turns=tuple(vote.turn for vote in votes), votes=votes, session=name, mode="offline"
            ),
        )

    def point(self) -> str:
        number = self.draw.randrange(POINTS)
        return f"{SLUGS[number % len(SLUGS)]}-{number:03d}"

    def learned(self, state: State, number: int) -> None:
        transcript = self.machine.transcript(f"learned-{number}")
        lines = material.EXAMPLE.read_bytes().splitlines(keepends=True)
        transcript.write_bytes(b"".join(material._renamed(line, number + 1) for line in lines))  # noqa: SLF001 - the same bench
        options = Options(
            home_dir=str(self.machine.home),
            project=str(self.machine.project),
            environ=self.machine.environ,
            session=f"learned-{number}",
        )
        learn(state, str(transcript), options)
        transcript.unlink()

    # ------------------------------------------------------------------ figures

    def measured(self) -> dict[str, float]:
        found = {f"{name}, MB": size / 1e6 for name, size in self.sizes()}
        with open_state(str(self.machine.home)) as state:
            for table in (
                "sessions",
                "prompts",
                "turns",
                "votes",
                "changes",
                "jobs",
                "injected",
                "cache",
            ):
                found[f"rows of {table}"] = float(state.all(f"SELECT count(*) FROM {table}")[0][0])  # noqa: S608 - our own tables
        for name, once in self.samples():
            once(0)
            found[f"{name}, ms"] = 1000 * median(
                once(number) for number in range(1, self.given.samples + 1)
            )
        return found

    def sizes(self) -> Iterator[tuple[str, int]]:
        home, project = self.machine.home, self.machine.project
        yield (
            "state.db",
            sum(
                (home / name).stat().st_size
                for name in ("state.db", "state.db-wal")
                if (home / name).exists()
            ),
        )
        yield "log", sum(path.stat().st_size for path in home.glob("log.jsonl*"))
        yield "history of the playbook", _below(home / "history")
        yield "the project's .reflection", _below(project / ".reflection")
        yield "everything in the home", _below(home)

    def samples(self) -> Iterator[tuple[str, Callable[[int], float]]]:
        machine = self.machine
        yield "bare interpreter", lambda _: run((machine.python, *BARE), machine.environ).wall_s
        tag = time.monotonic_ns()
        machine.transcript("x").write_bytes(material.EXAMPLE.read_bytes())
        yield (
            "UserPromptSubmit, first",
            lambda n: (
                machine.hook(
                    "UserPromptSubmit",
                    f"x{tag}{n}",
                    prompt="Fix the timeout in the proxy",
                    prompt_id=f"{n}",
                ).wall_s
            ),
        )
        yield (
            "UserPromptSubmit, later",
            lambda n: (
                machine.hook(
                    "UserPromptSubmit", f"x{tag}1", prompt="and the redis queue", prompt_id=f"l{n}"
                ).wall_s
            ),
        )
        yield (
            "SessionStart",
            lambda n: machine.hook("SessionStart", f"x{tag}1", source="startup", number=n).wall_s,
        )
        yield (
            "Stop",
            lambda n: (
                machine.hook(
                    "Stop", "x", last_assistant_message="", prompt_id=f"{n}", number=f"{tag}{n}"
                ).wall_s
            ),
        )
        program = str(Path(machine.python).with_name("ace-reflect"))
        for words in COMMANDS:
            yield "ace-reflect " + " ".join(words), partial(self.command, (program, *words))

    def command(self, command: tuple[str, ...], _: int) -> float:
        return run(command, self.machine.environ, cwd=str(self.machine.project)).wall_s


def _below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
