"""
What a look at CI showed: `gh pr checks`, `gh run list|view|watch`, `--json` of both, `glab ci`.

Source: cli/cli (pkg/cmd/pr/checks/output.go, pkg/cmd/run/shared/presentation.go) and glab's `ci status`.
"""

import re

from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    CiOutcome = Literal["passed", "failed", "pending", "unknown"]

#: name<TAB>state<TAB>time<TAB>url: `gh pr checks` without a terminal
_CHECK_ROW = Late(
    r"^(?P<name>[^\t\n]+)\t(?P<state>pass|fail|pending|skipping|cancel)\t",
    re.MULTILINE,
    needs=("\tcancel\t|\tfail\t|\tpass\t|\tpending\t|\tskipping\t",),
)
#: status<TAB>conclusion<TAB>title…: `gh run list` without a terminal
_RUN_ROW = Late(
    r"^(?P<status>completed|in_progress|queued|requested|waiting|pending)\t(?P<conclusion>[a-z_]*)\t",
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
_GOOD = frozenset(("success", "pass", "passed", "neutral", "skipped", "skipping"))
_BAD = frozenset(
    (
        "failure",
        "fail",
        "failed",
        "error",
        "cancelled",
        "cancel",
        "canceled",
        "timed_out",
        "startup_failure",
        "action_required",
    )
)
_OPEN = frozenset(("pending", "in_progress", "queued", "expected", "waiting", "requested", "running", "created"))


def read_ci(output: str, *, newest_only: bool = False) -> "tuple[CiOutcome, str]":
    """
    The state shown and the line that shows it; "unknown" where neither.

    `newest_only` is for a list of runs, newest first: an older failure says nothing of now.
    """
    for pattern, outcome in _SENTENCES:
        found = re.search(pattern, output)
        if found:
            return outcome, _line_of(output, found.start())
    for reader in (_checks, _runs, _json):
        read = reader(output, newest_only)
        if read is not None:
            return read
    return _marks(output)


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
    return _worst([(match["state"], match.start()) for match in _CHECK_ROW.finditer(output)], output)


def _runs(output: str, newest_only: bool) -> "tuple[CiOutcome, str] | None":
    rows = [(match["conclusion"] or match["status"], match.start()) for match in _RUN_ROW.finditer(output)]
    return _worst(rows[:1] if newest_only else rows, output)


def _json(output: str, newest_only: bool) -> "tuple[CiOutcome, str] | None":
    if '"' not in output:
        return None
    words = [(match["value"].lower(), match.start()) for match in _JSON.finditer(output)]
    words = [(word, at) for word, at in words if word in _GOOD | _BAD | _OPEN]
    return _worst(words[:1] if newest_only else words, output)


def _marks(output: str) -> "tuple[CiOutcome, str]":
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
