"""
Every stop of every transcript in a folder: which would have been blocked, with what message, and what came next.

    python bench/every_stop.py ../shared/transcripts/wide            # the would-be blocks in full
    python bench/every_stop.py ../shared/transcripts/wide --counts   # one line a transcript

The transcripts' projects are not on this machine, so each stop is judged from the transcript alone. Judgements on the
blocks found (would the session's own user have agreed?) stand in wide_judgements.md.
"""

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from ace_reflect.gates.model import Mode
from ace_reflect.report.replay import Stop, stops_of
from ace_reflect.settings import Settings
from ace_reflect.transcript.files import session_files


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", type=Path)
    options.add_argument(
        "--counts", action="store_true", help="one line a transcript instead of each block in full"
    )
    options.add_argument(
        "--cut",
        action="store_true",
        help="also the ends of files that stop in mid-turn, where no Stop event was",
    )
    given = options.parse_args()
    files = session_files(str(given.folder)) if given.folder.is_dir() else [str(given.folder)]
    begun, stops, blocks, gates, ends = time.monotonic(), 0, 0, Counter[str](), Counter[str]()
    for path in files:
        real = [
            stop for stop in stops_of(path, None, Settings()) if given.cut or not stop.in_mid_turn
        ]
        blocked = [stop for stop in real if stop.judgement.verdict.decision == "block"]
        stops, blocks = stops + len(real), blocks + len(blocked)
        ends.update(stop.judgement.verdict.end_state.value for stop in real)
        for stop in blocked:
            gates.update(
                f.gate
                for f in stop.judgement.findings
                if f.open and f.mode is Mode.BLOCK and not f.silent
            )
            if not given.counts:
                show(Path(path).name, stop)
        if given.counts:
            print(f"{Path(path).name}: {len(real)} stops, {len(blocked)} blocked")
    print(
        f"\n{len(files)} transcripts, {stops} stops, {blocks} would be blocked, {time.monotonic() - begun:.0f} s"
    )
    print("gates:", dict(gates), "ends:", dict(ends))
    return 0


def show(name: str, stop: Stop) -> None:
    turn = stop.ledger.turns[-1]
    print(f"\n{'=' * 100}\n## {name} line {stop.line} (turn {turn.number})")
    print(f"asked: {turn.prompt[:500]}")
    print("message:\n  " + stop.judgement.verdict.feedback.replace("\n", "\n  "))
    print("final text:\n  " + turn.final_text[-1200:].replace("\n", "\n  "))
    print(f"next: {stop.next_words[:500]}")


if __name__ == "__main__":
    sys.exit(main())
