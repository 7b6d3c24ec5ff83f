"""
How often a model would be asked, and why: a dry run over every stop of recorded sessions. Nothing is sent anywhere.

    python bench/model_calls.py ../shared/transcripts               # a line for each call
    python bench/model_calls.py ../shared/transcripts --when always

Each stop is judged from the transcript alone, as the hook would have judged it with a model configured. `fewest` counts
the first question of a stop, `most` all of them: the assessment after the stop's kind, and the judge after an
assessment that is no JSON, are asked only if the answer before calls for it.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

from ace_reflect.assess.when import Ask, asks, progress, still_running
from ace_reflect.report.replay import Stop, stops_of
from ace_reflect.settings import Settings
from ace_reflect.transcript.files import session_files


def questions(path: str, settings: Settings) -> list[tuple[Stop, tuple[Ask, ...]]]:
    """Every real stop of a session with what a model would be asked about it."""
    found, seen = [], set()
    for stop in stops_of(path, None, settings):
        if stop.in_mid_turn:
            continue
        asked = asks(stop.judgement, settings, stop.ledger, still_running(stop.ledger))
        mark = progress(stop.ledger)
        found.append(
            (stop, () if mark in seen else asked)
        )  # nothing was done since the same question
        if asked:
            seen.add(mark)
    return found


def _final(stop: Stop) -> str:
    return stop.ledger.turns[-1].final_text if stop.ledger.turns else ""


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", type=Path)
    options.add_argument(
        "--when", choices=["auto", "always", "never"], default="auto", help="assess.when"
    )
    options.add_argument(
        "--final", action="store_true", help="show the answers that were asked about"
    )
    given = options.parse_args()
    settings = Settings(models=("provider/model",), assess_when=given.when)
    files = session_files(str(given.folder)) if given.folder.is_dir() else [str(given.folder)]
    stops, asked, fewest, most, reasons = 0, 0, 0, 0, Counter[str]()
    for path in files:
        for stop, found in questions(path, settings):
            stops += 1
            if not found:
                continue
            asked, fewest, most = asked + 1, fewest + 1, most + len(found)
            reasons[found[-1].why.partition(":")[0]] += 1
            print(
                f"{Path(path).name}: line {stop.line}: {' then '.join(ask.role for ask in found)}: {found[-1].why}"
            )
            if given.final:
                print("  | " + _final(stop)[-600:].replace("\n", "\n  | "))
    print(
        f"\n{len(files)} sessions, {stops} stops, {asked} asked about: {fewest} calls at fewest, {most} at most"
    )
    for why, count in reasons.most_common():
        print(f"  {count:4}  {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
