"""The first read of a long transcript into a ledger, beside decoding every line with `json`; speed and peak memory."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import material
import newest_host
from corpus import ROOT
from machine import Machine
from processes import run_apart as run

_DECODE = "import json, sys\nfor line in open(sys.argv[1], 'rb'):\n    try:\n        json.loads(line)\n    except ValueError:\n        pass\n"
#: Modules come from where hooks have them, and garbage is looked for as seldom.
_AS_HOOKS = (
    "import gc, sys\nsys.path.insert(0, sys.argv[2])\n"
    'from ace_reflect.bundle import GARBAGE, use\ngc.set_threshold(*GARBAGE)\nuse("stop")\n'
)
_RECORDS = (
    _AS_HOOKS + "from ace_reflect.transcript.reader import TranscriptReader\n"
    "for _ in TranscriptReader(sys.argv[1], final=True):\n    pass\n"
)
_READ = _AS_HOOKS + "from ace_reflect.evidence.read import read_ledger\nread_ledger(sys.argv[1])\n"


def rows(given: argparse.Namespace, place: Path) -> Iterator[dict[str, Any]]:
    files = material.corpus(given.corpus)
    machine = Machine(place / "host", given.python, given.hooks)
    machine.checkout()
    for size in given.sizes:
        yield from _of(files, size, f"{size} MB", given, machine)
    newest = newest_host.sessions_of(given.newest, place)
    if newest:
        yield from _of(newest, 100, "100 MB of the newest host", given, machine)


def _of(
    files: list[Path], size: int, what: str, given: argparse.Namespace, machine: Machine
) -> Iterator[dict[str, Any]]:
    """The rows of one transcript, of so many megabytes of these files."""
    root = str(ROOT / "src")
    path = machine.transcript(f"read-{size}")
    megabytes = material.write(path, size * 1_000_000, files) / 1e6
    taken = []
    peaks = []
    for number in range(3 if size <= 100 else 1):
        for name in machine.home.iterdir():
            name.unlink()
        payload = machine.payload("Stop", path.stem, last_assistant_message="", prompt_id="p", number=number)
        stop = run(machine.command("Stop"), machine.environ, payload)  # first: it keeps what the others find compiled
        decode = run((given.python, "-I", "-c", _DECODE, str(path)), machine.environ)
        ledger = run((given.python, "-I", "-c", _READ, str(path), root), machine.environ)
        records = run((given.python, "-I", "-c", _RECORDS, str(path), root), machine.environ)
        if decode.code or ledger.code or records.code or stop.code:
            raise SystemExit(f"first read of {what}: {decode}, {ledger}, {records}, {stop}")
        taken.append((decode.cpu_s, ledger.cpu_s, stop.cpu_s, records.cpu_s))
        peaks.append((records.peak_bytes / 2**20, ledger.peak_bytes / 2**20, stop.peak_bytes / 2**20))
    path.unlink()
    decode_s, ledger_s, stop_s, records_s = (median(row[at] for row in taken) for at in range(4))
    records_mib, ledger_mib, stop_mib = (max(row[at] for row in peaks) for at in range(3))
    for name, seconds, peak in (
        ("records", records_s, records_mib),
        ("ledger", ledger_s, ledger_mib),
        ("the whole Stop", stop_s, stop_mib),
    ):
        yield {
            "name": f"first read of {what}: {name} against json",
            "value": seconds / decode_s,
            "note": f"{megabytes / seconds:.0f} MB/s; peak {peak:.0f} MiB",
            "mb_per_s": round(megabytes / seconds, 1),
            "peak_mib": round(peak, 1),
            **({"at_most": 0.5} if size == 100 else {}),
        }
    yield {
        "name": f"peak memory of a Stop on {what}",
        "value": stop_mib,
        "unit": " MiB",
        **({"at_most": 64.0} if size == 500 else {}),
    }
