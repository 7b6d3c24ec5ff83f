"""The first read of a long transcript into a ledger, beside decoding every line with `json`; speed and peak memory."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import material
from machine import Machine
from processes import run_apart as run

_DECODE = "import json, sys\nfor line in open(sys.argv[1], 'rb'):\n    try:\n        json.loads(line)\n    except ValueError:\n        pass\n"
_RECORDS = (
    "import sys\nsys.path.insert(0, sys.argv[2])\nfrom ace_reflect.transcript.reader import TranscriptReader\n"
    "for _ in TranscriptReader(sys.argv[1], final=True):\n    pass\n"
)
_READ = "import sys\nsys.path.insert(0, sys.argv[2])\nfrom ace_reflect.evidence.read import read_ledger\nread_ledger(sys.argv[1])\n"


def rows(given: argparse.Namespace, place: Path) -> Iterator[dict[str, Any]]:
    files = material.corpus(given.corpus)
    machine = Machine(place / "host", given.python, given.hooks)
    machine.checkout()
    root = str(material.ROOT / "src")
    for size in given.sizes:
        path = machine.transcript(f"read-{size}")
        megabytes = material.write(path, size * 1_000_000, files) / 1e6
        taken = []
        peaks = []
        for number in range(3 if size <= 100 else 1):
            decode = run((given.python, "-I", "-c", _DECODE, str(path)), machine.environ)
            ledger = run((given.python, "-I", "-c", _READ, str(path), root), machine.environ)
            records = run((given.python, "-I", "-c", _RECORDS, str(path), root), machine.environ)
            for name in machine.home.iterdir():
                name.unlink()
            payload = machine.payload("Stop", path.stem, last_assistant_message="", prompt_id="p", number=number)
            stop = run(machine.command("Stop"), machine.environ, payload)
            if decode.code or ledger.code or stop.code:
                raise SystemExit(f"first read of {size} MB: {decode}, {ledger}, {stop}")
            taken.append((decode.cpu_s, ledger.cpu_s, stop.cpu_s, records.cpu_s))
            peaks.append((ledger.peak_bytes / 2**20, stop.peak_bytes / 2**20))
        path.unlink()
        decode_s, ledger_s, stop_s, records_s = (median(row[at] for row in taken) for at in range(4))
        ledger_mib, stop_mib = (max(row[at] for row in peaks) for at in range(2))
        yield _row(
            f"first read of {size} MB: records against json", records_s / decode_s, megabytes / records_s, 0.0, size
        )
        yield _row(
            f"first read of {size} MB: ledger against json", ledger_s / decode_s, megabytes / ledger_s, ledger_mib, size
        )
        yield _row(
            f"first read of {size} MB: the whole Stop against json",
            stop_s / decode_s,
            megabytes / stop_s,
            stop_mib,
            size,
        )
        yield {
            "name": f"peak memory of a Stop on {size} MB",
            "value": stop_mib,
            "unit": " MiB",
            **({"at_most": 64.0} if size == 500 else {}),
        }


def _row(name: str, ratio: float, speed: float, peak: float, size: int) -> dict[str, Any]:
    floor = {"at_most": 0.5} if size == 100 else {}
    return {
        "name": name,
        "value": ratio,
        "note": f"{speed:.0f} MB/s; peak {peak:.0f} MiB",
        "mb_per_s": round(speed, 1),
        "peak_mib": round(peak, 1),
        **floor,
    }
