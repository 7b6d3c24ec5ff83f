"""What git and the forges' clients printed: commits, pushes, pull requests, looks at CI, the default branch."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ace_reflect.evidence.commands import Command
from ace_reflect.evidence.facts import Outcome

Fields = dict[str, Any]
MAINLINES = ("main", "master")
_COMMITTED = r"(?m)^ ?\[\S+(?: [^\]\n]*)? (?:[0-9a-f]{5,40}|REDACTED)\] ?.*"
_NOTHING = ("nothing to commit", "no changes added to commit", "nothing added to commit")
#: How husky, rtk and pre-commit say that a hook stopped the commit.
_STOPPED = ("script failed (code", "FAILED: git commit", "\n- exit code: ")


def read_commit(output: str, status: Outcome, *, shows: bool, failed: bool) -> tuple[Outcome, str]:
    """What became of a `git commit`. `shows`: nothing hides git's line: one that failed without it made no commit."""
    if done := re.search(_COMMITTED, output):
        return Outcome.PASSED, _quote(done[0])
    if any(word in output for word in _NOTHING):
        return Outcome.NOT_RUN, "nothing to commit"
    stopped = (shows or status is not Outcome.PASSED) and any(word in output for word in _STOPPED)
    if stopped or (shows and failed and status is Outcome.UNKNOWN):
        return Outcome.FAILED, _quote(output.strip().rpartition("\n")[2])
    return status, ""


def _quote(line: str) -> str:
    return " ".join(line.split())[:200]


_ROW = r"(?:(?P<flag>[+\-*!=]) )?(?:\[deleted\] |(?P<what>\[[a-z -]+\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40}|REDACTED) \S+ -> )(?!origin/|upstream/)(?P<to>[^\s(]+)(?: \([^)]*\))?$"  # fmt: skip
#: How git and a hook say that nothing was pushed, where no row does.
_REFUSED = ("error: failed to push", "fatal: could not", "fatal: unable to", "husky - pre-push")


def read_pushes(output: str, count: int) -> list[list[Fields]]:
    """For each of `count` pushes of a line the refs that it names; each prints a block of its own."""
    text = f"\n{output}".replace("\nEverything up-to-date", "\nTo \nEverything up-to-date")
    parts = (filter(None, map(_ref, part.splitlines())) for part in text.split("\nTo "))
    blocks = [rows for part in parts if (rows := [*part])]
    return [*blocks[: count - 1], [row for block in blocks[count - 1 :] for row in block]]


def _ref(line: str) -> Fields | None:
    """A line about one ref, or about all: up to date, refused, rtk's `ok main`."""
    quote = _quote(line)
    if quote == "Everything up-to-date":
        return {"outcome": Outcome.PASSED, "quote": quote, "up_to_date": True}
    if quote.lower().startswith(_REFUSED):
        return {"outcome": Outcome.FAILED, "quote": quote}
    if quote[:3] == "ok " and " " not in (branch := quote[3:].lstrip("✓ ")):
        return {"outcome": Outcome.PASSED, "quote": quote, "branch": branch}
    if not (match := re.match(_ROW, " ".join(line.split()))):
        return None
    flag, target = match["flag"], match["to"]
    is_tag = target.startswith("refs/tags/") or match["what"] == "[new tag]"
    return {
        "branch": None if is_tag else target.removeprefix("refs/heads/"),
        "tag": target.removeprefix("refs/tags/") if is_tag else "",
        "outcome": Outcome.FAILED if flag == "!" else Outcome.PASSED,
        "quote": quote,
        "deleted": not match["what"],
        "up_to_date": flag == "=",
    }


def push_fields(
    command: Command, rows: list[Fields], status: Outcome, branch: str | None, default: str | None
) -> Fields:
    """One push: the row that matters most (the default branch, a branch before a tag), else what its words name."""
    push, mains = command.push, (default,) if default else MAINLINES
    if not rows and push and push.only_tags:
        return {"outcome": status, "tag": (*push.refspecs, "*")[0].removeprefix("refs/tags/")}
    named = [row for row in rows if row.get("branch") or row.get("tag")]
    if not named:
        told = {"outcome": status, **(rows or [{}])[0]}
        refs = (push and push.refspecs) or ("HEAD",)
        ends = [ref.rpartition(":")[2].lstrip("+").removeprefix("refs/heads/") for ref in refs]
        names = [branch if end in ("HEAD", "@") else end for end in ends if "$" not in end]
        named = [{**told, "branch": name} for name in names] or [told]
    return min(named, key=lambda row: (row.get("branch") not in mains, bool(row.get("tag"))))


_URL = r"https?://[^\s\"'<>)\]]{1,300}?/(?:pulls?|merge_requests|pull-?requests?|pullRequests)/(\d+)"  # fmt: skip


def find_url(text: str) -> tuple[str | None, int | None]:
    """The last pull or merge request address in `text`, with its number."""
    found = [*re.finditer(_URL, text)]
    return (found[-1][0], int(found[-1][1])) if found else (None, None)


def read_created(output: str, status: Outcome) -> Fields:
    """What became of a pull request that was to be made; one that is there already is named in the complaint."""
    url, number = find_url(output)
    quote = url or _quote(output.strip().rpartition("\n")[2])
    existing = bool(url) and "already" in output
    made = Outcome.PASSED if url and status is not Outcome.FAILED else status
    outcome = Outcome.FAILED if existing else made
    return {"url": url, "number": number, "quote": quote, "outcome": outcome, "existing": existing}


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
        return "failed", _quote(output.partition("\n")[0])
    if not output.strip() and argv[:3] == ("gh", "pr", "checks"):
        return "passed", "exit code 0"
    rows = [line.strip().split("\t") for line in output.splitlines()]
    if "list" in argv[1:3]:
        rows = [row for row in reversed(rows) if row[2:3] == rows[0][2:3]]
        rows = [[row[0].partition("},{")[0], *row[1:]] for row in rows]
    jobs = {name: seen for row in rows for name, *seen in _jobs(row)}
    for outcome, words in _STATES.items():
        for word, shown in jobs.values():
            if word.lower() in words.split(", "):
                return outcome, _quote(shown)
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


_DEFAULT = r"(?:HEAD branch: |origin/HEAD -> origin/|\Arefs/remotes/origin/)(\S+)"
_HOSTS = ("github", "gitlab", "bitbucket", "codeberg", "gitea", "dev.azure", "sr.ht")
_REMOTE = r"(?m)^(?:To|From|origin|upstream|remote:)\s+(?:https?://|ssh://|git@)?(?:[^@\s/]{1,100}@)?([\w.-]{0,100}(?:github|gitlab|bitbucket|codeberg|gitea|dev\.azure|sr\.ht)[\w.-]{0,100})[:/]([\w.~-]+/[\w.~-]+)"  # fmt: skip


def default_branch(output: str) -> str | None:
    """The default branch, where git names it."""
    found = re.search(_DEFAULT, output) if "HEAD" in output or "refs/remotes" in output else None
    return found[1] if found else None


def remote_of(output: str) -> str | None:
    """`github.com/owner/repo`."""
    hosted = any(host in output for host in _HOSTS)
    found = re.search(_REMOTE, output) if hosted else None
    return f"{found[1]}/{found[2].removesuffix('.git')}" if found else None
