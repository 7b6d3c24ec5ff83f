"""
Scores the last stop of one-shot sessions against labels of what it is just to block.

    python bench/one_shot.py [FOLDER]            # FOLDER holds LABELS.jsonl (default: ../shared/transcripts/one-shot)
    python bench/one_shot.py --runs              # also each labelled run whose outcome we read differently

Each session is judged from its transcript alone, as `ace-reflect check` does. Every block is printed with its label.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from corpus import SHARED

from ace_reflect.cli.check import check_one

OUTCOMES = {"pass": "passed", "fail": "failed"}


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", nargs="?", type=Path, default=SHARED / "one-shot")
    options.add_argument("--runs", action="store_true")
    given = options.parse_args()
    labels = [json.loads(row) for row in (given.folder / "LABELS.jsonl").read_text().splitlines()]
    all_of, blocked, runs = Counter[str](), Counter[str](), Counter[bool]()
    for label in labels:
        checked = check_one(str(given.folder / label["file"]))
        just = label["just_to_block"]
        all_of[just] += 1
        if checked.judgement.verdict.decision == "block":
            blocked[just] += 1
            message = checked.judgement.verdict.feedback.replace("\n", "\n    ")
            print(f"BLOCK ({just}) {label['file']}: {label['why']}\n    {message}\n")
        mine = {run.line: run for run in (*checked.ledger.runs, *checked.ledger.script_runs)}
        for run in label["runs"]:
            if run["what"] != "suite":
                continue
            wanted = OUTCOMES.get(run["outcome"], run["outcome"])
            found = mine[run["line"]].outcome.value if run["line"] in mine else "not found"
            runs[wanted == found] += 1
            if given.runs and wanted != found:
                print(
                    f"{label['file']}:{run['line']} ours {found}, label {wanted}: {run['command']}"
                )
    for just in ("no", "arguable", "yes"):
        print(f"just to block: {just:9} {blocked[just]} of {all_of[just]} blocked")
    print(f"suite runs read as labelled: {runs[True]} of {runs.total()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
