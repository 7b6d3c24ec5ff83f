"""What git and the forges' clients printed: commits, pushes, pull requests, looks at CI."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ace_reflect.evidence.commands import Command
from ace_reflect.evidence.facts import MAINLINES, Outcome
from ace_reflect.evidence.runners import quote

Fields = dict[str, Any]
_NOTHING = ("nothing to commit", "no changes added to commit", "nothing added to commit")


def read_commit(output: str, status: Outcome) -> Fields:
    """What became of a `git commit`."""
    if done := re.search(r"(?m)^ ?\[\S+(?: [^\]\n]*)? (?:[0-9a-f]{5,40}|REDACTED)\] ?.*", output):
        return {"outcome": Outcome.PASSED, "quote": quote(done[0])}
    if any(word in output for word in _NOTHING):
        return {"outcome": Outcome.NOT_RUN, "quote": "nothing to commit"}
    return {"outcome": status}


_ROW = r"(?:(?P<flag>[+\-*!=]) )?(?:\[deleted\] |(?P<what>\[[a-z -]+\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40}|REDACTED) \S+ -> )(?!origin/|upstream/)(?P<to>[^\s(]+)(?: \([^)]*\))?$"  # fmt: skip
#: What git and hooks print when nothing was pushed, if no row says it.
_REFUSED = ("error: failed to push", "fatal: could not", "fatal: unable to", "husky - pre-push")


def read_pushes(output: str) -> list[Fields]:
    """What each line says about a ref, or about all: up to date, refused."""
    rows: list[Fields] = []
    for line in map(quote, output.splitlines()):
        if line == "Everything up-to-date":
            rows.append({"outcome": Outcome.PASSED, "quote": line, "up_to_date": True})
        elif line.lower().startswith(_REFUSED):
            rows.append({"outcome": Outcome.FAILED, "quote": line})
        elif match := re.match(_ROW, line):
            target = match["to"]
            is_tag = target.startswith("refs/tags/") or match["what"] == "[new tag]"
            name = re.sub("^refs/(?:heads|tags)/", "", target)
            row: Fields = {"tag" if is_tag else "branch": name}
            row |= {"deleted": not match["what"], "up_to_date": match["flag"] == "=", "quote": line}
            row["outcome"] = Outcome.FAILED if match["flag"] == "!" else Outcome.PASSED
            rows.append(row)
    return rows


def read_push(command: Command, rows: list[Fields], status: Outcome, branch: str | None) -> Fields:
    """One push: the row that matters most (the default branch, a branch before a tag), else what its words name."""
    if not rows and command.only_tags:
        return {"outcome": status, "tag": (*command.refs, "*")[0].removeprefix("refs/tags/")}
    named = [row for row in rows if row.get("branch") or row.get("tag")]
    if not named:
        told = {"outcome": status, **(rows or [{}])[0]}
        refs = (ref.rpartition(":")[2] for ref in command.refs or ("HEAD",))
        ends = [ref.lstrip("+").removeprefix("refs/heads/") for ref in refs]
        names = [branch if end in ("HEAD", "@") else end for end in ends if "$" not in end]
        named = [{**told, "branch": name} for name in names] or [told]
    return min(named, key=lambda row: (row.get("branch") not in MAINLINES, bool(row.get("tag"))))


_URL = r"https?://[^\s\"'<>)\]]{1,300}?/(?:pulls?|merge_requests|pull-?requests?|pullRequests)/(\d+)"  # fmt: skip


def read_created(output: str, status: Outcome) -> Fields:
    """The outcome of creating a pull request; one that exists already is named in the error."""
    found = [*re.finditer(_URL, output)]
    url, number = (found[-1][0], int(found[-1][1])) if found else (None, None)
    existing = bool(url) and "already" in output
    if url:
        status = Outcome.FAILED if existing or status is Outcome.FAILED else Outcome.PASSED
    said = url or quote(output.strip().rpartition("\n")[2])
    return {"url": url, "number": number, "quote": said, "outcome": status, "existing": existing}


#: The states of gh and glab, in tables, JSON and what a template makes of it; of what is shown the worst counts.
_STATES = {
    "failed": "failure, fail, failed, error, cancelled, timed_out, startup_failure, x, not successful",
    "pending": "pending, in_progress, queued, expected, waiting, requested, running, created, *",
    "passed": "success, succeeded, pass, passed, neutral, skipped, skipping, ✓, successful",
}
_STATE = r"(?:\b(?:conclusion|state|status|bucket)\"?\s?[:=]\s?\"?|completed with '|^(?:All|Some) checks (?:were|are still) )(not successful|\w+)|^(?:.{0,99}: ?|completed )?(\w+)\s*$"  # fmt: skip


def read_ci(output: str, argv: Sequence[str] = ()) -> tuple[str, str]:
    """The outcome that is shown, and what shows it; of a list of runs those of the first's title count."""
    if "--log-failed" in argv and "\t" in output:  # the steps that failed
        return "failed", quote(output.partition("\n")[0])
    rows = [line.strip().split("\t") for line in output.splitlines()]
    if "list" in argv[1:3]:
        rows = [row for row in reversed(rows) if row[2:3] == rows[0][2:3]]
        rows = [[row[0].partition("},{")[0], *row[1:]] for row in rows]
    jobs = {name: seen for row in rows for name, *seen in _jobs(row)}
    for outcome, words in _STATES.items():
        for word, shown in jobs.values():
            if word.lower() in words.split(", "):
                return outcome, quote(shown)
    return "unknown", ""


def _jobs(cells: list[str]) -> Iterator[tuple[str, str, str]]:
    """The jobs or runs of a line: name, state, what shows it. A later one of the same name overtakes it."""
    line = " ".join(cells)
    if line[:2] in ("✓ ", "X ", "* "):
        yield line[2:].partition(" in ")[0], line[0], line
    elif len(cells) > 1:
        yield " ".join((cells[0], *cells[3:4])), cells[1] or cells[0], line
    else:
        for found in re.finditer(_STATE, line):
            yield f"{line}{found.start()}", found[1] or found[2], found[0]
