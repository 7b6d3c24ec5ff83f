"""
What the README says of quality: facts, catches and false blocks over labelled sessions, beside a naive rule.

    bench/published [FOLDER]              # the table, of the transcripts in FOLDER (default: ../shared/transcripts)
    bench/published [FOLDER] --details    # also each disagreement with its line, and each block
    bench/published [FOLDER] --write      # rewrite the table in README.md
    bench/published --sources             # each transcript's file, git's hash of it and address

bench/labels has the labels and how to fetch the transcripts. A session is judged at its last stop, from the transcript
alone. The naive rule blocks a stop when code was edited and no test has been run since.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from accuracy import Card, outcome_in, score_session
from corpus import ROOT, SHARED

from ace_reflect.assess.when import task_type
from ace_reflect.evidence.facts import CommandKind, Ledger
from ace_reflect.evidence.ledger import LedgerBuilder
from ace_reflect.gates.model import Judgement
from ace_reflect.project.facts import Project
from ace_reflect.report.figures import percent, share
from ace_reflect.report.replay import Stop, stops_of
from ace_reflect.report.session import facts
from ace_reflect.settings import Settings

LABELS = Path(__file__).resolve().parent / "labels"
BEGIN, END = "<!-- bench/published: begin -->\n", "<!-- bench/published: end -->\n"
Row = dict[str, Any]


class Session(NamedTuple):
    row: Row  # its labels
    ledger: Ledger
    stops: list[Stop]

    @property
    def last(self) -> Judgement | None:
        return self.stops[-1].judgement if self.stops else None

    def is_blocked(self, naive: bool) -> bool:
        return bool(self.stops) and blocks(self.stops[-1], naive)


def blocks(stop: Stop, naive: bool) -> bool:
    """Whether this stop would be blocked, by us or by the naive rule."""
    if not naive:
        return stop.judgement.verdict.decision == "block"
    edits = [edit.sequence for edit in stop.ledger.edits if edit.kind == "code"]
    tests = [run for run in stop.ledger.runs if run.kind is CommandKind.TEST and run.executed]
    last = max((run.sequence for run in tests), default=0)
    return not stop.in_mid_turn and bool(edits) and last < edits[-1]


def labels(name: str) -> list[Row]:
    """`sessions` or `one-shot`."""
    return [json.loads(line) for line in (LABELS / f"{name}.jsonl").read_text().splitlines()]


def sessions(rows: list[Row], folder: Path) -> Iterator[Session]:
    """Each labelled session, judged. Ends the program where a transcript is missing or is not the labelled one."""
    for row in rows:
        path = folder / row["file"]
        content = path.read_bytes() if path.exists() else b""
        if hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest() != row["blob"]:  # noqa: S324 - as git does
            raise SystemExit(f"{path} is not there, or not the transcript that was labelled")
        builder = LedgerBuilder()
        folders = (json.loads(line).get("cwd") for line in content.splitlines() if b'"cwd"' in line)
        project = Project(root=next(filter(None, folders), ""))
        stops = [*stops_of(str(path), project, Settings(), builder)]
        yield Session(row, builder.ledger(), stops)


class Published(NamedTuple):
    card: Card  # facts
    table: str
    details: list[str]


def measure(folder: Path) -> Published:
    """All figures, from the transcripts in a folder."""
    card, details = Card(), list[str]()
    long, short = [*sessions(labels("sessions"), folder)], [*sessions(labels("one-shot"), folder)]
    for each in long:
        name, own = each.row["file"].partition("-")[0], each.row["labels"]
        score_session(card, each.ledger, own, name, pure_sidechain=each.row["subagent"])
        card["task type"].value(task_type(each.ledger)[0], own["task_type"], name)
        for loop, found in facts(each.ledger)["loops"].items():
            card[f"{loop} loop"].value(found, own[f"{loop}_loop"], name)
    for each in short:
        mine = {run.line: run for run in (*each.ledger.runs, *each.ledger.script_runs)}
        for run in each.row["runs"]:
            where = f"{each.row['file']}:{run['line']}"
            told = mine[run["line"]].outcome.value if run["line"] in mine else "not found"
            card["one-shot: suite runs"].value(told, outcome_in(run, where), where)

    real = [each for each in long if not each.row["synthetic"]]
    done = [each for each in real if each.row["labels"]["truly_complete"] == "yes"]
    done = [each for each in done if each.row["labels"]["edits_made"]]
    left = [each for each in real if each.row["labels"]["truly_complete"] != "yes"]
    just = {
        word: [each for each in short if each.row["just_to_block"] == word]
        for word in ("no", "arguable", "yes")
    }
    quiet = [each for each in left if not (each.last and each.last.verdict.complete)]
    stops = [stop for each in (*long, *short) for stop in each.stops if not stop.in_mid_turn]

    def blocked(title: str, group: list[Session]) -> tuple[str, str, str]:
        ours, its = (sum(each.is_blocked(naive) for each in group) for naive in (False, True))
        return title, of(ours, len(group)), of(its, len(group))

    edits, tests, outcomes = (
        card[name] for name in ("edits: count", "tests: commands found", "tests: outcome, executed")
    )
    suites = card["one-shot: suite runs"]
    every = [sum(blocks(stop, naive) for stop in stops) for naive in (False, True)]
    right = outcomes.right + suites.right
    table = [
        ("", "ace-reflect", "naive rule"),
        ("**facts:** sessions whose edits are counted right", of(edits.right, edits.right + edits.wrong), ""),
        ("test commands found", of(tests.hits, tests.hits + tests.missed), ""),
        ("outcomes of test runs read right", of(right, right + outcomes.wrong + suites.wrong), ""),
        blocked("**false blocks:** held back, though finished or unjust to hold back", done + just["no"]),
        blocked("**catches:** held back, of the unfinished or unclear sessions", left),
        ("not called complete, of the unfinished or unclear sessions", of(len(quiet), len(left)), ""),
        blocked("held back, of the one-shot fixes where that is just", just["yes"]),
        blocked("held back, of the one-shot fixes where that is arguable", just["arguable"]),
        ("**all stops:** blocked", of(every[0], len(stops)), of(every[1], len(stops))),
    ]  # fmt: skip
    lines = [f"| {' | '.join(cells)} |" for cells in table]
    text = "\n".join([lines[0], "| --- | --- | --- |", *lines[1:], ""])
    details += [score.row() for score in card.scores.values()]
    for score in card.scores.values():
        notes = (*score.notes, *(f"({told})" for told in score.excused))
        details += [f"  {score.fact}: {note}" for note in notes]
    for each in (*long, *short):
        own = each.row.get("labels", each.row)
        label = own.get("truly_complete", own.get("just_to_block"))
        by = [who for who, naive in (("ours", False), ("naive", True)) if each.is_blocked(naive)]
        if by or each in left or each in just["yes"]:
            why = own.get("truly_complete_why", own.get("why"))
            given = each.last.verdict if each.last else None
            said = given and (next(iter(given.missing), "") or given.why_silent)
            details += [
                f"{label:8} {each.row['file']}: blocked by {by}: {said}",
                f"    label: {why}",
            ]
    ends = Counter(each.last.verdict.end_state.value for each in (*long, *short) if each.last)
    return Published(card, text, [*details, f"end states: {dict(ends)}"])


def of(count: int, total: int) -> str:
    """`40 of 40: 100% (91–100)`."""
    return f"{count} of {total}: {percent(share(count, total))}"


def in_readme(table: str, text: str) -> str:
    """The README with this table between its marks."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + table + END + rest.split(END)[1]


def main() -> int:
    form = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser("bench/published", description=__doc__, formatter_class=form)
    options.add_argument("folder", nargs="?", type=Path, default=SHARED)
    for name in ("--details", "--write", "--sources"):
        options.add_argument(name, action="store_true")
    given = options.parse_args()
    if given.sources:
        for row in labels("sessions"):
            place = f"{row['repository']}/{row['commit']}/{row['path']}"
            print(row["file"], row["blob"], f"https://raw.githubusercontent.com/{place}")
        return 0
    found = measure(given.folder)
    print(found.table, *(found.details if given.details else ()), sep="\n")
    if given.write:
        readme = ROOT / "README.md"
        readme.write_text(in_readme(found.table, readme.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
