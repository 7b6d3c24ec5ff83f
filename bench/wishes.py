"""What offline learning takes from a folder of sessions: bench/wishes.py FOLDER. Each wish in full, for a person to judge.

`strict` becomes a preference at once, `maybe` waits for review, `again` came up in more than one session of a project.
"""

import sys
from collections import defaultdict
from pathlib import Path

from ace_reflect.errors import TranscriptError
from ace_reflect.learning.gather import gather
from ace_reflect.learning.offline import reflect
from ace_reflect.learning.sources import alike
from ace_reflect.transcript.files import session_files


def main(folder: str) -> None:
    sessions, found = 0, defaultdict[str, list[str]](list)
    said = defaultdict[str, list[str]](list)
    for path in session_files(folder):
        try:
            gathered = gather(path)
        except TranscriptError:
            continue
        sessions += 1
        own = []
        for operation in reflect(gathered, gathered.turns, {}).operations:
            text, where = str(operation["text"]), gathered.ledger.cwd or ""
            kind = "maybe" if operation.get("candidate") else "strict"
            if kind == "maybe" and any(alike(text, other) for other in said[where]):
                kind = "again"
            found[kind].append(f"{Path(path).name[:28]:30}{text}")
            own.append(text)
        said[gathered.ledger.cwd or ""] += own
    for kind, lines in found.items():
        print(f"{kind}: {len(lines)}", *lines, "", sep="\n  ")
    counts = ", ".join(f"{len(lines)} {kind}" for kind, lines in sorted(found.items()))
    print(f"{sessions} sessions: {counts}")


if __name__ == "__main__":
    main(sys.argv[1])
