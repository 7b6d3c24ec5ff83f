"""What an answer says that it shipped, against the session's commits, pushes and pull requests."""

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import prose
from ace_reflect.gates.claim_text import IS_COMMITTED, OWN_COMMIT, OWN_DEED_AND
from ace_reflect.gates.model import Evidence
from ace_reflect.late import Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.gates.case import Case
    from ace_reflect.gates.claim_text import Claim
    from ace_reflect.gates.claims import Checked


def against_facts(claim: "Claim", case: "Case") -> "Checked":
    """What the session shows of a claim of kind "push", "commit" or "pr", and what contradicts it. What was pushed had been committed."""
    if claim.kind == "pr":
        return _pr(claim, case)
    facts: tuple[Any, ...] = case.ledger.pushes if claim.kind == "push" else case.ledger.commits
    done = "pushed" if claim.kind == "push" else "committed"
    if not facts and not case.ledger.pushes and _never_tried(claim, case):
        return (), f"the answer says that it is {done}, and nothing in this session did that"
    if claim.detail and _of_other_commits(claim.detail, case):
        return (), ""
    if _may_be_of_data(claim) and "fail" in folded(case.final):  # the commit's own failure is told
        return (), ""
    own = case.own(facts)
    return _tried(_of_commits(own, claim) if claim.kind == "push" else own, done, claim.kind)


def _of_commits(pushes: "list[Any]", claim: "Claim") -> "list[Any]":
    """Without the tags, which go through where a protected branch does not; all where the claim is of a tag alone."""
    said = folded(claim.quote)
    of_tag = any(push.tag and folded(push.tag) in said for push in pushes) or "tag" in said
    if of_tag and not any(word in said for word in _COMMITS):
        return pushes
    return [push for push in pushes if not push.tag] or pushes


_COMMITS = ("commit", "branch", "change", "main", "master", "everything")


def _of_other_commits(hashes: str, case: "Case") -> bool:
    """Whether the hash of every commit of the session is known, and one of the claimed is none of theirs."""
    made = [_printed_hash(commit.quote) for commit in case.ledger.commits if commit.outcome is Outcome.PASSED]
    if not made or not all(made):
        return False
    return any(not any(own.startswith(said) or said.startswith(own) for own in made) for said in hashes.split())


def _printed_hash(quote: str) -> str:
    """The hash in the line that git printed, "[main 1a2b3c4] Fix it"; "" where there is none."""
    words = quote.partition("]")[0].split() if quote.startswith("[") else []
    return words[-1] if len(words) > 1 and not words[-1].strip("0123456789abcdef") else ""


_TO_REMOTE = r"(?:(?:the|a|our|your|its|new|remote|default|feature) ){0,3}`?(?:origin|remote|upstream|github|gitlab|main|master|develop|branch|fork|repo|[\w.-]{1,60}[/-])"
#: Of earlier ones, and of commits in general: "one that has been committed and pushed".
_OF_OTHERS = ("already", "that is comm", "that are comm", "that has been comm", "that have been comm")
#: Said of the work: "rows are validated and pushed to the queue", "committed transactions" are of a program.
_SHIPPED = Late(
    rf"(?i)\bcommitted and pushed\b(?! (?:on|in)?to (?!{_TO_REMOTE}))|\b(?:committed|pushed)(?: it| this| everything| (?:all |the )?changes| (?:both|all|the|my) (?:two |three |\d{{1,2}} |the )?commits?)?(?:(?<=and committed)[.!]*$|(?<=pushed)[.!]*$|(?<=commits)[.!]*$| as `| to (?:the )?`?(?:origin|remote|github|gitlab|main|master|\w+/[\w./-]+`))"
    r"|\bcommitted (?:(?:all|the|my|these|those) ){1,2}(?:changes?|fix|work)[.!]*$|^\W*(?:all )?changes committed[.!]*$"
    r"|\bi(?:'ve|’ve| have)? (?:also |then |just |now )?(?:committed and )?pushed (?:(?:the|this|my|your|new|feature) ){1,3}branch\b"
    r"|\bi(?:'ve|’ve| have)? (?:also |then |just |now )?(?:committed and )?pushed (?:it|them|everything|(?:(?:all|the|this|my|your) ){1,2}(?:changes?|commits?|fix|work))(?=[.!,;)]|$| (?:too|as well)\b)",
    needs=("committed|pushed",),
)


def _never_tried(claim: "Claim", case: "Case") -> bool:
    """Whether work of this turn is said to be shipped, and certainly no command or tool can have done so, nor the person."""
    by_person = any(word in case.turn.prompt.lower() for word in ("committed", "pushed"))
    orders = case.words.asks_commit or case.words.asks_push  # "commit this": the work may be the person's own
    worked = case.worked or case.untouched or bool(orders)
    said = claim.quote.lower()
    if by_person or not worked or any(words in said for words in _OF_OTHERS):
        return False
    ordered = case.words.asks_commit if claim.kind == "commit" else case.words.asks_push
    if not ordered and (_may_be_of_data(claim) or not _SHIPPED.search(claim.quote)):
        return False
    return not _may_be_made(claim, case)


def _may_be_made(claim: "Claim", case: "Case") -> bool:
    """Whether a command, a tool or a script may have shipped what is claimed (a push may open the pull request, too)."""
    from ace_reflect.evidence.commands import classify
    from ace_reflect.gates.file_claims import made_unseen

    ships = {CommandKind.PUSH, CommandKind.PR_CREATE, *((CommandKind.COMMIT,) if claim.kind == "commit" else ())}
    tried = any(item.kind in ships for command in case.ledger.commands_seen for item in classify(command))
    return tried or made_unseen(claim.quote, case)


_IS_COMMITTED = Late(rf"(?i){IS_COMMITTED}", needs=("committed",))
_OWN_COMMIT = Late(rf"(?i){OWN_COMMIT}", needs=("committed",))


def _may_be_of_data(claim: "Claim") -> bool:
    """Whether something "is committed" that need not be the work: "the rows are flushed and committed"."""
    if claim.kind != "commit" or "change" in folded(claim.quote) or _OWN_COMMIT.search(claim.quote):
        return False
    return _IS_COMMITTED.search(claim.quote) is not None


#: The agent says that it made one just now; "the PR is open" may be of an earlier one.
_OPENED = Late(
    rf"(?i)(?:^\W*(?:(?:then |also |and )?i(?:'ve|’ve| have)? )?|{OWN_DEED_AND})(?:also |then |now |just )?(?:opened|created|raised|submitted|filed) (?:(?:a|an|the) )?(?:new |draft )?(?:pull request|pr|merge request|mr)(?: [#!]?\d{{1,7}})?(?=\W*$|[.:,;(!—–]| (?:https?|for|with|from|against|that|which|on|at|and|titled|to (?:main|master|develop|the))\b)",
    needs=("opened|created|raised|submitted|filed",),
)


def _pr(claim: "Claim", case: "Case") -> "Checked":
    if case.ledger.pr_links:
        return (Evidence(line=case.turn.last_line, quote=case.ledger.pr_links[-1]),), ""
    if not case.ledger.pull_requests and case.worked and _OPENED.search(claim.quote) and not _may_be_made(claim, case):
        return (), "the answer says that it opened a pull request, and nothing in this session did that"
    return _tried(case.own(case.ledger.pull_requests), "made", "pull request")


def _tried(facts: "list[Any]", done: str, what: str) -> "Checked":
    """Contradicted where every try of this turn failed; silent where there was none, for a wrapper may have done it."""
    if not facts:
        return (), ""
    last = facts[-1]
    quote = last.quote or getattr(last, "command", "") or f"{what}: {last.outcome}"
    shown = (Evidence.of(last, prose.shortened(quote, 160)),)
    if any(fact.outcome is Outcome.PASSED for fact in facts):
        return shown, ""
    failed = last.outcome is Outcome.FAILED
    return (shown, f"the answer says that it is {done}, and the {what} failed") if failed else ((), "")
