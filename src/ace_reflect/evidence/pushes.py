"""
What `git push` printed: which branches and tags it updated, created, deleted or was refused.

Source: git's transport.c (`* [new branch]  a -> b`, `+ x...y (forced update)`, `! [rejected]`, `= [up to date]`,
`Everything up-to-date`), GitHub's GH006/GH013 messages, and wrappers' short forms (`ok main`).
"""

from ace_reflect import regex as re
from ace_reflect.evidence.facts import Outcome
from ace_reflect.late import Late
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ROW = Late(
    r"^\s*+(?:remote:\s*+)?(?P<flag>[ +\-*!=t])?[ \t]*+"
    r"(?P<what>\[[a-z -]+\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40}|REDACTED)"
    r"[ \t]++(?:(?P<source>\S+)[ \t]+->[ \t]++)?(?P<target>[^\s(]+)?(?:[ \t]*+\((?P<note>[^)]*)\))?[ \t]*+$",
    needs=("[|.|REDACTED",),
)
_PORCELAIN = Late(
    r"^(?P<flag>[ +\-*!=])\t(?P<source>[^:\t]*):(?P<target>[^\t]+)\t(?P<what>[^\t(]*)(?:\((?P<note>[^)]*)\))?",
    needs=("\t", ":"),
)
_SHORT = Late(r"^\s*(?:ok|pushed:?)\s+(?P<target>[\w./-]+)\s*+(?:✓)?\s*+$", re.IGNORECASE, needs=("ok|pushed",))
_REFUSED = Late(
    r"^(?:(?:remote:\s+)?error: GH0\d\d.*|error: failed to push.*|error: src refspec .+|error: .*pre-push.*|husky - pre-push .*(?:failed|code).*"
    r"|.*\[remote rejected\].*|.*\[rejected\].*|fatal: (?:unable to access|could not read (?:Username|Password|from remote)|The current branch .* has no upstream"
    r"|repository .* not found|Authentication failed|'[^']*' does not appear to be a git repository|No configured push destination|You are not currently on a branch"
    r"|unable to connect|the remote end hung up|protocol error|No such remote).*"
    r"|(?:remote: )?(?:ERROR: )?(?:Repository not found|Permission to \S+ denied).*|.*: Permission denied \(publickey.*|ssh: .*)$",
    re.MULTILINE | re.IGNORECASE,
    needs=(
        ": permission denied (publickey|[rejected]|[remote rejected]|error: |fatal: |husky - pre-push |permission to |repository not found|ssh: ",
    ),
)


class PushedRef(Value):
    """One row of a push's output."""

    branch: str | None = None
    tag: str = ""
    outcome: Outcome
    quote: str = ""
    forced: bool = False
    deleted: bool = False
    up_to_date: bool = False


def read_push(output: str) -> tuple[PushedRef, ...]:
    """Every ref that the output names; one record without a branch where it only says that all is up to date or refused."""
    rows = tuple(_rows(output))
    if rows:
        return rows
    lines = output.splitlines()
    for line in lines:
        if line.strip().lower() in ("everything up-to-date", "everything up to date"):
            return (PushedRef(outcome=Outcome.PASSED, quote=line.strip(), up_to_date=True),)
    refused = _REFUSED.search(output)
    if refused:
        return (PushedRef(outcome=Outcome.FAILED, quote=refused.group(0).strip()[:200]),)
    for line in lines:
        short = _SHORT.match(line)
        if short:
            return (PushedRef(outcome=Outcome.PASSED, quote=line.strip(), branch=short.group("target")),)
    return ()


def _rows(output: str) -> "Iterator[PushedRef]":
    fetching = False
    for line in output.splitlines():
        if line.startswith(("From ", "To ")):
            fetching = line.startswith("From ")  # `git pull && git push`: the first rows are what came in
        if fetching:
            continue
        match = _PORCELAIN.match(line) or _ROW.match(line.expandtabs(1) if "\t" not in line[:3] else line)
        if match is None or not (match.group("source") or match.group("target")):
            continue
        if "->" not in line and not match.group("what").startswith("[") and "\t" not in line:
            continue
        ref = _ref(line, match)
        if ref is not None:
            yield ref


def _ref(line: str, match: "re.Match[str]") -> PushedRef | None:
    what, target = match.group("what").strip(), match.group("target") or ""
    flag, note = match.group("flag") or " ", match.group("note") or ""
    if match.group("source") is None and "delete" not in what and flag != "-":
        return None
    if target.startswith(("origin/", "upstream/", "refs/remotes/")) or "FETCH_HEAD" in target:
        return None  # a fetch's rows look alike and name remote-tracking branches
    tag = target.removeprefix("refs/tags/") if target.startswith("refs/tags/") or "tag]" in what else ""
    branch = None if tag else target.removeprefix("refs/heads/")
    refused = flag == "!" or "reject" in what
    return PushedRef(
        branch=branch,
        tag=tag,
        outcome=Outcome.FAILED if refused else Outcome.PASSED,
        quote=" ".join(line.split())[:200],
        forced=flag == "+" or "forced" in note or "..." in what,
        deleted=flag == "-" or "delete" in what,
        up_to_date=flag == "=" or "up to date" in what,
    )
