"""The hooks' rows of the table: each a whole process, as the host starts it."""

import argparse
import fcntl
import itertools
import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import material
from machine import SESSION, Machine
from processes import BARE, Sample, Series, series

Row = dict[str, Any]
PROMPTS = (
    "Fix the timeout in the proxy handler and add a test for it",
    "now do the same for the gateway router",
    "why does the redis queue lose messages when a worker is killed?",
    "commit it",
    "The migration fails on postgres: column token of relation session does not exist. Look into schema.sql.",
    "use pnpm",
    "Rename the cache module's hook to store and update all callers in module17",
)
DONE = "The parser is fixed and the tests pass: twelve of twelve. Nothing else was changed."


def prompts(given: argparse.Namespace, place: Path) -> Iterator[Row]:
    for points in (5, 50, 500, 2_000, 5_000, 10_000):
        machine = Machine(place / str(points), given.python, given.hooks)
        machine.playbook(points)
        machine.hook("UserPromptSubmit", "warm", prompt=PROMPTS[0], prompt_id="w")
        machine.keep()
        floor = {500: 3.0, 10_000: 4.0}.get(points)
        yield _row(
            f"UserPromptSubmit, {points:,} key points, first",
            given,
            machine,
            _first_prompt(machine),
            floor,
        )
        machine.hook("UserPromptSubmit", prompt=PROMPTS[0], prompt_id="p0")
        machine.keep()
        yield _row(
            f"UserPromptSubmit, {points:,} key points, later",
            given,
            machine,
            _later_prompt(machine),
            floor,
        )


def _first_prompt(machine: Machine) -> Callable[[], Sample]:
    numbers = itertools.count()

    def one() -> Sample:
        number = next(numbers)
        return machine.hook(
            "UserPromptSubmit",
            f"session-{number}",
            prompt=PROMPTS[number % 7],
            prompt_id=f"p{number}",
        )

    return one


def _later_prompt(machine: Machine) -> Callable[[], Sample]:
    numbers = itertools.count(1)

    def one() -> Sample:
        number = next(numbers)
        return machine.hook("UserPromptSubmit", prompt=PROMPTS[number % 7], prompt_id=f"p{number}")

    return one


def sessions(given: argparse.Namespace, place: Path) -> Iterator[Row]:
    machine = Machine(place, given.python, given.hooks)
    machine.playbook(500)
    material.write(machine.transcript(), 10_000_000, material.corpus(given.corpus))
    machine.hook("UserPromptSubmit", prompt=PROMPTS[0], prompt_id="p0")
    machine.keep()
    # The worker that a hook starts sees the lock and ends: it is not what is measured.
    with _worker_locked(machine):
        for event, fields, floor in (
            ("SessionStart", {"source": "startup"}, 3.0),
            ("SessionStart", {"source": "compact"}, 3.0),
            ("SessionEnd", {"reason": "other"}, 3.0),
            ("PreCompact", {"trigger": "auto"}, 3.0),
        ):
            numbers = itertools.count()

            def one(
                event: str = event,
                fields: dict[str, str] = fields,
                numbers: "itertools.count[int]" = numbers,
            ) -> Sample:
                machine.go_back()
                sample = machine.hook(event, **fields, number=next(numbers))
                machine.wait_for_workers()  # before the next bare start
                return sample

            name = f"{event} ({fields['source']})" if "source" in fields else event
            yield _row(f"{name}, 10 MB transcript", given, machine, one, floor)


@contextmanager
def _worker_locked(machine: Machine) -> Iterator[None]:
    descriptor = os.open(machine.home / "worker.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def stops(given: argparse.Namespace, place: Path) -> Iterator[Row]:
    files = material.corpus(given.corpus)
    machine = Machine(place / "edits", given.python, given.hooks)
    stopped = Stopped(machine, files, 10_000_000)
    yield _row("Stop, 10 MB transcript, nothing new", given, machine, stopped.again(b""), 3.0)
    yield _row(
        "Stop, 10 MB transcript, 50 kB new",
        given,
        machine,
        stopped.again(material.piece(50_000, files, skip=12_000_000)),
        6.5,
    )
    yield _row(
        "Stop, 10 MB transcript, 5 MB new",
        given,
        machine,
        stopped.again(material.piece(5_000_000, files, skip=12_000_000)),
        None,
    )
    quiet = Machine(place / "quiet", given.python, given.hooks)
    silent = Stopped(quiet, files, 10_000_000, edits=False)
    talk = b"".join(
        line
        for line in material.piece(400_000, files, skip=12_000_000).splitlines(keepends=True)
        if b'"type":"text"' in line
    )[:50_000]
    yield _row(
        "Stop, 10 MB transcript without edits, 50 kB of talk",
        given,
        quiet,
        silent.again(talk[: talk.rfind(b"\n") + 1]),
        None,
    )


class Stopped:
    """A session that was let stop once; `again` lets it go on and stop anew, as often as wanted."""

    def __init__(
        self,
        machine: Machine,
        files: list[Path],
        size: int,
        *,
        edits: bool = True,
        session: str = SESSION,
    ) -> None:
        self.machine, self.session = machine, session
        machine.checkout()
        path = machine.transcript(session)
        material.write(path, size, files, edits=edits)
        with path.open("ab") as out:
            out.write(material.answer(DONE, session, str(machine.project)))
        self.size = path.stat().st_size
        machine.hook("UserPromptSubmit", session, prompt=PROMPTS[0], prompt_id="p0")
        for number in range(5):
            if b'"block"' not in self.stop(DONE, number).stdout:
                break
        machine.keep()

    def stop(self, text: str, number: int) -> Sample:
        return self.machine.hook(
            "Stop",
            self.session,
            last_assistant_message=text,
            prompt_id="p0",
            stop_hook_active=False,
            number=number,
        )

    def again(self, new: bytes) -> Callable[[], Sample]:
        """The machine as it was, `new` and another answer behind the transcript where there is any, and the stop."""
        numbers = itertools.count(100)
        text = f"{DONE} That was the second part." if new else DONE
        more = new + material.answer(text, self.session, str(self.machine.project)) if new else b""

        def one() -> Sample:
            self.machine.go_back()
            self.grow(more)
            return self.stop(text, next(numbers))

        return one

    def grow(self, more: bytes) -> None:
        if not more:
            return
        with self.machine.transcript(self.session).open("r+b") as out:
            out.truncate(self.size)
            out.seek(self.size)
            out.write(more)


def crowd(given: argparse.Namespace, place: Path) -> Iterator[Row]:
    """Eight sessions stop at once, each with news; beside eight bare starts at once. Every one must be answered."""
    files = material.corpus(given.corpus)
    machine = Machine(place, given.python, given.hooks)
    names = [f"{number}5e55105e-0000-4000-8000-00000000000" for number in range(8)]
    stopped = [Stopped(machine, files, 1_000_000, session=name) for name in names]
    machine.keep()
    new = material.piece(50_000, files, skip=12_000_000)
    found = []
    for number in range(max(given.samples // 3, 3)):
        machine.go_back()
        for one in stopped:
            one.grow(new + material.answer(f"{DONE} Again.", one.session, str(machine.project)))
        bare = _at_once([(given.python, *BARE)] * 8, machine, [b""] * 8)
        payloads = [
            machine.payload(
                "Stop",
                one.session,
                last_assistant_message=f"{DONE} Again.",
                prompt_id="p0",
                number=number,
            )
            for one in stopped
        ]
        found.append((_at_once([machine.command("Stop")] * 8, machine, payloads), bare))
    answered = _decided(machine, names)
    ratio = median(ours / bare for ours, bare in found)
    added = 1000 * median(ours - bare for ours, bare in found)
    yield {
        "name": "8 sessions stopping at once, 50 kB new each",
        "value": ratio,
        "note": f"+{added:.0f} ms for all; {answered} of 8 decided",
    }


def _at_once(commands: list[tuple[str, ...]], machine: Machine, payloads: list[bytes]) -> float:
    begun = time.perf_counter()
    children = [
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=machine.environ,
            cwd=machine.project,
        )
        for command in commands
    ]
    for child, payload in zip(children, payloads, strict=True):
        assert child.stdin
        child.stdin.write(payload)
        child.stdin.close()
    for child in children:
        if child.wait():
            raise SystemExit(f"a hook ended with {child.returncode}")
    return time.perf_counter() - begun


def _decided(machine: Machine, names: list[str]) -> int:
    """How many of the sessions have a decision on their last stop in the log."""
    rows = [json.loads(line) for line in (machine.home / "log.jsonl").read_text().splitlines()]
    return len(
        {
            row["session"]
            for row in rows[-8:]
            if row["event"] == "Stop" and row.get("decision") in {"allow", "block"}
        }
        & set(names)
    )


def newest(given: argparse.Namespace, place: Path) -> Iterator[Row]:
    """Sessions of the newest host, most of whose bytes are no conversation."""
    from newest_host import sessions_of

    files = sessions_of(given.newest, place)
    if not files:
        return
    machine = Machine(place / "newest", given.python, given.hooks)
    stopped = Stopped(machine, files, 10_000_000)
    yield _row("Stop, newest host, 10 MB, nothing new", given, machine, stopped.again(b""), 3.0)
    yield _row(
        "Stop, newest host, 10 MB, 50 kB new",
        given,
        machine,
        stopped.again(material.piece(50_000, files)),
        6.5,
    )
    yield _row(
        "Stop, newest host, 10 MB, 5 MB new",
        given,
        machine,
        stopped.again(material.piece(5_000_000, files)),
        None,
    )


def _row(
    name: str,
    given: argparse.Namespace,
    machine: Machine,
    one: Callable[[], Sample],
    floor: float | None,
) -> Row:
    found: Series = series(name, given.python, one, machine.environ, samples=given.samples)
    row = found.row()
    note = f"+{row['added_ms']:.1f} ms to {row['wall_ms'] - row['added_ms']:.1f}; cpu {row['cpu_ratio']:.2f}x"
    return {**row, "value": row["ratio"], "note": note, **({"at_most": floor} if floor else {})}
