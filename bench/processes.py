"""
Whole processes, measured: wall time, processor time, peak memory, each beside the same interpreter's bare start.

`ratio` is a median of quotients: every sample is divided by a bare start that was measured right before it, so that a
busy machine slows both.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

BARE = ("-I", "-c", "pass")
_PEAK_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes: what getrusage(2) counts a peak in


@dataclass(frozen=True)
class Sample:
    wall_s: float
    cpu_s: float
    peak_bytes: int
    code: int
    stdout: bytes


@dataclass
class Series:
    """Samples of one command, each with the bare start that was measured before it."""

    name: str
    runs: list[Sample] = field(default_factory=list)
    bare: list[Sample] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return median(
            run.wall_s / bare.wall_s for run, bare in zip(self.runs, self.bare, strict=True)
        )

    @property
    def cpu_ratio(self) -> float:
        return median(run.cpu_s for run in self.runs) / median(bare.cpu_s for bare in self.bare)

    @property
    def wall_ms(self) -> float:
        return 1000 * median(run.wall_s for run in self.runs)

    @property
    def added_ms(self) -> float:
        return 1000 * median(
            run.wall_s - bare.wall_s for run, bare in zip(self.runs, self.bare, strict=True)
        )

    def row(self) -> dict[str, Any]:
        return {
            "name": self.name, "samples": len(self.runs), "ratio": round(self.ratio, 2), "cpu_ratio": round(self.cpu_ratio, 2),
            "added_ms": round(self.added_ms, 1), "wall_ms": round(self.wall_ms, 1),
        }  # fmt: skip


def run(
    command: Sequence[str], environ: Mapping[str, str], stdin: bytes = b"", cwd: str | None = None
) -> Sample:
    """One process from its start until it is gone; what it started itself is not waited for."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(stdin)
        given.seek(0)
        begun = time.perf_counter()
        child = subprocess.Popen(command, stdin=given, stdout=said, env=dict(environ), cwd=cwd)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begun
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return Sample(
            wall,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss * _PEAK_UNIT,
            child.returncode,
            said.read(),
        )


_APART = f"""
import json, os, subprocess, sys, time
begun = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
wall = time.perf_counter() - begun
print(json.dumps([wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * {_PEAK_UNIT}, os.waitstatus_to_exitcode(status)]))
"""


def run_apart(command: Sequence[str], environ: Mapping[str, str], stdin: bytes = b"") -> Sample:
    """The same from a small process of its own: a peak is never less than that of whoever started the process."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _APART, *command],
        input=stdin,
        env=dict(environ),
        capture_output=True,
        check=True,
    )
    wall_s, cpu_s, peak, code = json.loads(done.stdout)
    return Sample(wall_s, cpu_s, peak, code, b"")


def series(
    name: str,
    python: str,
    one: Callable[[], Sample],
    environ: Mapping[str, str],
    *,
    samples: int,
    warm_ups: int = 2,
) -> Series:
    """`samples` runs of `one` and of a bare start in turn. A run that fails ends the bench."""
    found = Series(name)
    for number in range(-warm_ups, samples):
        bare = run((python, *BARE), environ)
        sample = one()
        if sample.code:
            raise SystemExit(f"{name}: exit {sample.code}: {sample.stdout[:500]!r}")
        if number >= 0:
            found.bare.append(bare)
            found.runs.append(sample)
    return found
