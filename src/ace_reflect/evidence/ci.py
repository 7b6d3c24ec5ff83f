"""
What a look at CI showed: `gh pr checks`, `gh run list|view|watch`, `--json` of both, `glab ci`.

Source: cli/cli (pkg/cmd/pr/checks/output.go, pkg/cmd/run/shared/presentation.go) and glab's `ci status`.
"""

from ace_reflect import regex as re
from ace_reflect.evidence.call_words import word_set
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    CiOutcome = Literal["passed", "failed", "pending", "unknown"]

#: name<TAB>state<TAB>time<TAB>url: `gh pr checks` without a terminal
_CHECK_ROW = Late(
    r"^(?P<name>[^\t\n]+)\t(?P<state>pass|fail|pending|skipping|cancel)\t(?P<link>[^\n]*)",
    re.MULTILINE,
    needs=("\tcancel\t|\tfail\t|\tpass\t|\tpending\t|\tskipping\t",),
)
#: status<TAB>conclusion<TAB>title…: `gh run list` without a terminal
_RUN_ROW = Late(
    r"^(?P<status>completed|in_progress|queued|requested|waiting|pending)\t(?P<conclusion>[a-z_]*)\t(?P<rest>[^\n]*)",
    re.MULTILINE,
    needs=(
        "completed|in_progress|pending|queued|requested|waiting",
        "completed\t|in_progress\t|pending\t|queued\t|requested\t|waiting\t",
    ),
)
_JSON = Late(
    r'"(?:conclusion|state|status|bucket)"\s*:\s*"(?P<value>[A-Za-z_]*)"',
    needs=("bucket|conclusion|state|status", '"bucket"|"conclusion"|"state"|"status"'),
)
#: a job or step: ✓ or X or * and a name; the run's own line ends in "· <id>"
_MARK = Late(r"^[^\S\n]*(?P<mark>[✓✔X✗×*-])[^\S\n]+(?P<rest>\S.*)$", re.MULTILINE)
#: the line with which each view of a run begins
_RUN_HEAD = Late(r"^[^\S\n]{0,4}[✓✔X✗×*-] [^\n]{1,200} · (?P<id>\d{1,15})$", re.MULTILINE, needs=(" · ",))
_SENTENCES: "tuple[tuple[str, CiOutcome], ...]" = (
    (r"All checks were successful", "passed"),
    (r"Some checks were not successful", "failed"),
    (r"Some checks were cancelled", "failed"),
    (r"Some checks are still pending", "pending"),
    (r"completed with 'success'", "passed"),
    (r"completed with '(?:failure|cancelled|timed_out|startup_failure|action_required)'", "failed"),
    (r"(?:Run|run) .*has already completed with 'success'", "passed"),
    (r"no checks reported on", "unknown"),
    (r"(?m)^Pipeline (?:state|status): (?:success|passed)", "passed"),
    (r"(?m)^Pipeline (?:state|status): (?:failed|canceled)", "failed"),
    (r"(?m)^Pipeline (?:state|status): (?:running|pending|created)", "pending"),
    (r"(?m)^\(success\) •", "passed"),
    (r"(?m)^\(failed\) •", "failed"),
    (r"(?m)^\((?:running|pending|created)\) •", "pending"),
)
_GOOD = frozenset(("success", "succeeded", "pass", "passed", "neutral", "skipped", "skipping"))
_BAD = word_set("failure fail failed error cancelled cancel canceled timed_out startup_failure action_required")
_OPEN = frozenset(("pending", "in_progress", "queued", "expected", "waiting", "requested", "running", "created"))


def read_ci(output: str, *, newest_only: bool = False, words: bool = False) -> "tuple[CiOutcome, str]":
    """
    The state shown and the line that shows it; "unknown" where neither.

    `newest_only` is for a list of runs, newest first: an older failure says nothing of now. `words`: a template (`--jq`)
    shaped the output, so that a state may stand in a line as a bare word.
    """
    for pattern, outcome in _SENTENCES:
        found = re.search(pattern, output)
        if found:
            return outcome, _line_of(output, found.start())
    for reader in (_checks, _runs, _json):
        read = reader(output, newest_only)
        if read is not None:
            return read
    outcome, quote = _marks(output)
    return (_words(output) if words and outcome == "unknown" else None) or (outcome, quote)


def read_failed_log(output: str) -> "tuple[CiOutcome, str]":
    """`gh run view --log-failed` prints the steps that failed, and nothing where none did."""
    for line in output.splitlines():
        if "\t" in line:
            return "failed", _clean(line)
    return read_ci(output)


def _line_of(output: str, at: int) -> str:
    end = output.find("\n", at)
    line = output[output.rfind("\n", 0, at) + 1 : end if end >= 0 else len(output)]
    return _clean(line)


def _clean(line: str) -> str:
    return " ".join(re.sub(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\ufeff]", "", line).split())[:200]


def _worst(found: "list[tuple[str, int]]", output: str) -> "tuple[CiOutcome, str] | None":
    """Failed before pending before passed, with the line that decides."""
    for words, outcome in ((_BAD, "failed"), (_OPEN, "pending"), (_GOOD, "passed")):
        for word, at in found:
            if word in words:
                return outcome, _line_of(output, at)  # type: ignore[return-value]  # the three words above
    return None


def _checks(output: str, _: bool) -> "tuple[CiOutcome, str] | None":
    """`--watch` prints all rows anew at each look: of each check the last row counts, and no pending one that went on."""
    rows = list(_CHECK_ROW.finditer(output))
    final = {(match["name"], match["link"].partition("\t")[2]): match for match in rows}.values()
    last = {match["name"]: match for match in rows}
    kept = [match for match in final if match["state"] != "pending" or match is last[match["name"]]]
    return _worst([(match["state"], match.start()) for match in kept], output)


def _runs(output: str, newest_only: bool) -> "tuple[CiOutcome, str] | None":
    rows = list(_RUN_ROW.finditer(output))
    if newest_only and rows:
        rows = _of_the_newest(rows)
    return _worst([(match["conclusion"] or match["status"], match.start()) for match in rows], output)


def _of_the_newest(rows: "list[re.Match[str]]") -> "list[re.Match[str]]":
    """The newest run, and the newest of each other workflow of the same title, branch and event."""
    newest: dict[str, re.Match[str]] = {}
    first = rows[0]["rest"].split("\t")
    for match in rows:
        title, workflow, *others = [*match["rest"].split("\t"), ""][:4]
        if match is rows[0] or [title, *others] == [*first[:1], *first[2:4]]:
            newest.setdefault(workflow, match)
    return list(newest.values())


def _json(output: str, newest_only: bool) -> "tuple[CiOutcome, str] | None":
    if '"' not in output:
        return None
    words = [(match["value"].lower(), match.start()) for match in _JSON.finditer(output)]
    words = [(word, at) for word, at in words if word in _GOOD | _BAD | _OPEN]
    return _worst(words[:1] if newest_only else words, output)


def _words(output: str) -> "tuple[CiOutcome, str] | None":
    """`build: SUCCESS`, `completed failure`; a line that is nothing but a state is overtaken by the next (a loop that waits)."""
    known = _GOOD | _BAD | _OPEN
    found: dict[str, tuple[str, int]] = {}
    at = 0
    for line in output.split("\n"):
        words = line.lower().translate(_BETWEEN).split()
        state = _leading(words) or words[-1:]
        if state and state[-1] in known and words[:2] != ["waiting", "for"]:  # which is prose
            name = " ".join(word for word in words if word not in known and word != "completed")
            found[name] = state[-1], at
        at += len(line) + 1
    return _worst(list(found.values()), output)


_BETWEEN = str.maketrans(dict.fromkeys("\"':,|()[]{}=\t", " "))


def _leading(words: "list[str]") -> "list[str]":
    """The states with which a line begins."""
    known = _GOOD | _BAD | _OPEN | {"completed"}
    count = next((i for i, word in enumerate(words) if word not in known), len(words))
    return words[:count]


def _last_views(output: str) -> str:
    """`gh run watch` prints the run anew at each look: of each run the last view counts."""
    heads = list(_RUN_HEAD.finditer(output))
    if len({match["id"] for match in heads}) == len(heads):
        return output
    ends = [match.start() for match in heads[1:]] + [len(output)]
    last = {match["id"]: output[match.start() : end] for match, end in zip(heads, ends, strict=True)}
    return "\n".join(last.values())


def _marks(output: str) -> "tuple[CiOutcome, str]":
    output = _last_views(output)
    marks = [(match["mark"], match.start("mark")) for match in _MARK.finditer(output) if _is_job(match["rest"])]
    for signs, outcome in (("X✗×", "failed"), ("*", "pending"), ("✓✔", "passed")):
        for mark, at in marks:
            if mark in signs:
                return outcome, _line_of(output, at)  # type: ignore[return-value]  # the three words above
    return "unknown", ""


def _is_job(rest: str) -> bool:
    """`test (3.11) in 3m12s`, `main CI · 123`, `build  1m2s  https://…`: not every list item with a star."""
    return (
        re.search(
            r"\bin \d+[hms]|·|\(ID \d+\)|\thttps?://|\s\d+[hms]\d*[ms]?\s|https://\S{1,300}/(?:actions|runs|jobs)/",
            rest,
        )
        is not None
    )
