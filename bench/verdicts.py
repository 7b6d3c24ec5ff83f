"""
Scores verdicts against labelled transcripts: finished sessions held back, unfinished ones held or let through, task types.

    python bench/verdicts.py [CORPUS]

Each session is judged at its end, as `ace-reflect check` does, from the transcript alone. `accuracy.py` prints the same
table behind its own; facts, catches and false blocks are always shown together.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from corpus import SHARED

from ace_reflect.cli.check import check_one
from ace_reflect.gates.case import task_type
from ace_reflect.gates.model import Judgement
from ace_reflect.report.session import facts


def judged(corpus: Path) -> list[tuple[dict[str, Any], Judgement]]:
    """(manifest entry, judgement) of every labelled transcript."""
    manifest = json.loads((corpus / "MANIFEST.json").read_text())
    found = []
    for entry in manifest["transcripts"]:
        checked = check_one(str(corpus / entry["file"]))
        entry["found_loops"] = facts(checked.ledger)["loops"]
        entry["found_type"] = task_type(checked.ledger)
        found.append((entry, checked.judgement))
    return found


def report(corpus: Path) -> list[str]:
    """The table and what stands behind each of its numbers."""
    rows = judged(corpus)
    real = [(entry, judgement) for entry, judgement in rows if not entry.get("synthetic")]
    done = [
        (e, j)
        for e, j in real
        if e["labels"]["truly_complete"] == "yes" and e["labels"]["edits_made"]
    ]
    open_ = [(e, j) for e, j in real if e["labels"]["truly_complete"] != "yes"]
    types = [(e, j) for e, j in rows if e["labels"]["task_type"] == e["found_type"][0]]
    held = [(e, j) for e, j in done if j.verdict.decision == "block"]
    caught = [(e, j) for e, j in open_ if j.verdict.decision == "block"]
    not_done = [(e, j) for e, j in open_ if not j.verdict.complete]
    loops = {
        name: [(e, j) for e, j in rows if e["labels"][f"{name}_loop"] == e["found_loops"][name]]
        for name in ("planning", "action")
    }
    lines = [
        f"finished sessions with edits that would be held back (false blocks)   {len(held)}/{len(done)}",
        f"unfinished or unclear ones that would be held                         {len(caught)}/{len(open_)}",
        f"unfinished or unclear ones that are not called complete               {len(not_done)}/{len(open_)}",
        f"task type right                                                       {len(types)}/{len(rows)}",
        *(f"{name + ' loop right':<70}{len(found)}/{len(rows)}" for name, found in loops.items()),
        "",
    ]
    lines += [f"FALSE BLOCK {e['file']}: {j.verdict.feedback.splitlines()[0]}" for e, j in held]
    for entry, judgement in open_:
        given = judgement.verdict
        said = given.missing[0] if given.missing else given.why_silent or given.system_message
        lines.append(
            f"{entry['labels']['truly_complete']:8}{entry['file']}: {given.decision}, {given.end_state.value}: {said}"
        )
        lines.append(f"        label: {entry['labels']['truly_complete_why']}")
    lines += [
        f"type    {e['file']}: ours {' by '.join(e['found_type'])}, label {e['labels']['task_type']}"
        for e, _ in rows
        if e["labels"]["task_type"] != e["found_type"][0]
    ]
    return lines


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("corpus", nargs="?", type=Path, default=SHARED)
    print("\n".join(report(options.parse_args().corpus)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
