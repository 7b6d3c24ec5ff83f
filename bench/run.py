"""
What the hooks cost on this machine, as whole processes beside the bare start of the same interpreter.

    bench/run                         # everything: about ten minutes
    bench/run --only prompt,stop      # some of it
    bench/run --samples 11 --corpus DIR --json figures.json
"""

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import first_read
import hook_rows
import selection
from corpus import ROOT

GROUPS: dict[str, Callable[["argparse.Namespace", Path], Iterator[dict[str, Any]]]] = {
    "prompt": hook_rows.prompts,
    "session": hook_rows.sessions,
    "stop": hook_rows.stops,
    "crowd": hook_rows.crowd,
    "newest": hook_rows.newest,
    "selection": selection.rows,
    "read": first_read.rows,
}


def main() -> int:
    given = options()
    shown: list[dict[str, Any]] = []
    for name in given.only:
        with folder(given) as place:
            for row in GROUPS[name](given, place):
                shown.append({"group": name, **row})
                print(line(row), flush=True)
    if given.json:
        Path(given.json).write_text(
            json.dumps({"python": sys.version, "rows": shown}, indent=1) + "\n"
        )
    over = [row["name"] for row in shown if "at_most" in row and row["value"] > row["at_most"]]
    if over:
        print(f"\nover the floor: {', '.join(over)}")
    return 0


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", type=groups, default=list(GROUPS), help=f"of: {', '.join(GROUPS)}"
    )
    parser.add_argument("--samples", type=int, default=21, help="of each hook (default 21)")
    parser.add_argument(
        "--corpus",
        help="a folder of transcripts, or one (default: the corpus beside the checkout, else the bundled example)",
    )
    parser.add_argument(
        "--newest",
        help="a folder of transcripts of the newest host (default: the samples beside the checkout)",
    )
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[10, 100, 500],
        help="of first reads, in MB",
    )
    parser.add_argument(
        "--python", default=sys.executable, help="the interpreter of the hooks (default: this one)"
    )
    parser.add_argument("--old", help="an earlier version's `ace-reflect`, to compare `check` with")
    parser.add_argument("--hooks", type=Path, default=ROOT / "hooks", help="the hooks' scripts")
    parser.add_argument(
        "--work", help="where transcripts and homes are made (default: a temporary folder)"
    )
    parser.add_argument("--json", help="write the figures to this file too")
    return parser.parse_args()


def groups(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in GROUPS:
            raise argparse.ArgumentTypeError(f"{name!r} is none of: {', '.join(GROUPS)}")
    return names


@contextmanager
def folder(given: argparse.Namespace) -> Iterator[Path]:
    place = Path(tempfile.mkdtemp(prefix="ace-bench-", dir=given.work))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def line(row: dict[str, Any]) -> str:
    floor = f" of at most {row['at_most']:g}" if "at_most" in row else ""
    mark = "  OVER" if "at_most" in row and row["value"] > row["at_most"] else ""
    value = f"{row['value']:.2f}{row.get('unit', 'x')}"
    return f"{row['name']:<52} {value:>9}{floor:<16} {row.get('note', '')}{mark}"


if __name__ == "__main__":
    sys.exit(main())
