"""Long transcripts: what the first Stop makes of them, its peak memory, and `check` beside an earlier version's."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import material
import newest_host
from machine import Machine
from processes import run_apart as run

Row = dict[str, Any]


def rows(given: argparse.Namespace, place: Path) -> Iterator[Row]:
    files = material.corpus(given.corpus)
    machine = Machine(place / "host", given.python, given.hooks)
    machine.checkout()
    yield from _check(files, given, machine)
    for size in given.sizes:
        yield _first_stop(files, size, f"{size} MB", machine)
    newest = newest_host.sessions_of(given.newest, place)
    if newest:
        yield _first_stop(newest, 100, "100 MB of the newest host", machine)


def _first_stop(files: list[Path], size: int, what: str, machine: Machine) -> Row:
    path = machine.transcript(f"read-{size}")
    megabytes = material.write(path, size * 1_000_000, files) / 1e6
    taken = []
    for number in range(3 if size <= 100 else 1):
        for name in machine.home.iterdir():
            name.unlink()
        payload = machine.payload(
            "Stop", path.stem, last_assistant_message="", prompt_id="p", number=number
        )
        taken.append(run(machine.command("Stop"), machine.environ, payload))
    path.unlink()
    if any(stop.code for stop in taken):
        raise SystemExit(f"first read of {what}: {taken}")
    seconds = median(stop.cpu_s for stop in taken)
    return {
        "name": f"peak memory of a first Stop on {what}",
        "value": max(stop.peak_bytes for stop in taken) / 2**20,
        "unit": " MiB",
        "note": f"{megabytes / seconds:.0f} MB/s",
        **({"at_most": 64.0} if size == 500 else {}),
    }


def _check(files: list[Path], given: argparse.Namespace, machine: Machine) -> Iterator[Row]:
    """`check` of 10 MB; beside it the program that `--old` names, in turn."""
    path = machine.transcript("checked")
    material.write(path, 10_000_000, files)
    program = Path(given.python).with_name("ace-reflect")
    command = (str(program), "check", str(path), "--json")
    ours, old = [], []
    for _ in range(max(given.samples, 3)):
        done = run(command, machine.environ)
        if done.code not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: exit {done.code}")
        ours.append(done.wall_s)
        if given.old:
            old.append(run((given.old, "check", str(path), "--json"), machine.environ).wall_s)
    path.unlink()
    row = {"name": "check of 10 MB", "value": 1000 * median(ours), "unit": " ms"}
    yield row
    if old:
        yield {
            "name": "check of 10 MB against the earlier version",
            "value": median(mine / its for mine, its in zip(ours, old, strict=True)),
            "note": f"{1000 * median(old):.0f} ms",
            "at_most": 0.6,
        }
