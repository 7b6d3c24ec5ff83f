"""
How large the requests about a stop are, over every stop of recorded sessions. Nothing is sent anywhere.

    python bench/requests.py ../shared/transcripts                      # the stops that a model would be asked about
    python bench/requests.py ../shared/transcripts --when always        # each stop with work or an answer
    python bench/requests.py ../shared/transcripts --tokenizer FILE     # a `tokenizer.json`, read by the library tokenizers

A row for each role: requests, then tokens (min / median / nine in ten / max), then of how much the fixed text is. Without
a tokenizer a token is counted as 3.4 characters, which is a little too many tokens. The recorded sessions come without their checkouts, so --instructions
stands in for a project's CLAUDE.md.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from model_calls import questions

from ace_reflect.assess.stop import judge_values, kind_values
from ace_reflect.assess.subject import read_turn, subject_of
from ace_reflect.llm.port import as_data, fill
from ace_reflect.paths import load_template
from ace_reflect.redact import redact
from ace_reflect.report.replay import Stop
from ace_reflect.settings import Settings
from ace_reflect.transcript.files import session_files

#: Of these requests, English and code, by the tokenizer that was published for Claude: 3.5.
CHARS_A_TOKEN = 3.4


def requests_about(path: str, stop: Stop, why: str, instructions: str) -> dict[str, str]:
    """Role -> the whole request about a stop, as it leaves the machine."""
    turn = stop.ledger.now
    records = read_turn(path, turn.line, stop.line)
    more = {"why": why, "instructions": instructions}
    subject = subject_of(stop.ledger, stop.judgement, records, **more)
    forms = {"assess": subject, "judge": judge_values(subject), "stop_kind": kind_values(subject)}
    made = {}
    for role, values in forms.items():
        template = load_template(f"{role}.txt")
        told = {name: as_data(text, template) for name, text in values.items()}
        made[role] = redact(load_template("system.txt") + fill(template, told))
    return made


def counter(file: str | None) -> Callable[[str], int]:
    if file is None:
        return lambda text: round(len(text) / CHARS_A_TOKEN)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(file)
    return lambda text: len(tokenizer.encode(text).ids)


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("folder", type=Path)
    options.add_argument("--when", choices=["auto", "always"], default="auto", help="assess.when")
    options.add_argument("--tokenizer", metavar="FILE")
    options.add_argument("--instructions", metavar="FILE", type=Path)
    options.add_argument("--largest", type=int, default=0, help="name the N largest")
    given = options.parse_args()
    settings = Settings(models=("provider/model",), assess_when=given.when)
    tokens = counter(given.tokenizer)
    instructions = given.instructions.read_text() if given.instructions else ""
    files = session_files(str(given.folder)) if given.folder.is_dir() else [str(given.folder)]
    sizes: dict[str, list[tuple[int, str]]] = {}
    for path in files:
        for stop, asked in questions(path, settings):
            if asked:
                made = requests_about(path, stop, asked[-1].why, instructions)
                for role, text in made.items():
                    place = f"{Path(path).name}: line {stop.line}"
                    sizes.setdefault(role, []).append((tokens(text), place))
    for role, rows in sizes.items():
        rows.sort()
        counts = [count for count, _ in rows]
        fixed = tokens(load_template("system.txt") + load_template(f"{role}.txt"))
        most = counts[len(counts) * 9 // 10]
        told = f"{counts[0]:,} / {median(counts):,.0f} / {most:,} / {counts[-1]:,} tokens"
        print(f"{role:10} {len(rows):4} requests: {told}, {fixed:,} of them the fixed text")
        for count, place in rows[-given.largest :] if given.largest else ():
            print(f"           {count:,}  {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
