"""The gates on shipping: a pull request where one is called for, its CI, and no push to the default branch past it."""

from ace_reflect import regex as re
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import prose
from ace_reflect.gates.model import Cause, Evidence, State
from ace_reflect.late import Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import CiLook, PullRequest, Push
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.model import Finding


#: Gerrit opens a change for what is pushed there, and Gitea a pull request.
_FOR_REVIEW = "refs/for/"


def calls_for_pr(case: "Case") -> tuple[str, str]:
    """Who calls for a pull request at this stop, and in which words; ("", why not) where nobody does."""
    if case.settings.workflow == "local":
        return "", "the workflow is local"
    if any((push.branch or "").startswith(_FOR_REVIEW) for push in _passed_here(case)):
        return "", "the work was pushed for review"
    if case.words.asks_pr:
        return "the person", case.words.asks_pr
    if case.project.present and case.project.has_remote is False:
        return "", "the project has no remote"
    tried = case.own(case.ledger.pull_requests)
    if tried:
        return "this session", prose.shortened(tried[-1].command or "a pull request was tried", 80)
    shipped = any(not push.tag for push in _passed_here(case))
    if case.settings.workflow == "pull-request":
        worked = any(edit.kind in {"code", "test"} for edit in case.own(case.ledger.edits))
        return (
            ("the workflow", "pull-request") if worked or shipped else ("", "nothing was changed that would need one")
        )
    if not case.project.wants_pr:
        return "", "nobody asked for one"
    if not shipped:
        return "", "the project's instructions ask for one, and nothing was pushed in answer to this prompt"
    if _pushed_by_order(case):
        return "", "the person asked for the push to the default branch"
    return "the project's instructions", case.project.wants_pr


def _pushed_by_order(case: "Case") -> bool:
    """Whether the person asked for the push, of no branch, and all went to the default one: a pull request would be empty."""
    order = _asked_for_push(case)
    pushed = _passed_here(case)
    return bool(order) and "branch" not in order.lower() and all(push.to_default for push in pushed if not push.tag)


def _passed_here(case: "Case") -> "list[Push]":
    return [push for push in case.own(case.ledger.pushes) if push.outcome is Outcome.PASSED]


#: What settles a finding: on GitHub, and on GitLab.
_CREATE = ("gh pr create --fill", "glab mr create --fill")
_ADDRESS = ("gh pr view --json url", "glab mr view")
LOOK = ("gh pr checks", "glab ci status")
_WATCH = ("gh pr checks --watch", "glab ci status --live")


def pr_gate(case: "Case") -> "Finding":
    by, words = calls_for_pr(case)
    if not by:
        return case.finding("pr", State.NOT_APPLICABLE, words)
    made, links = _made(case), case.ledger.pr_links
    if not made and not links:
        return _not_made(case, by, words)
    url = (made[-1].url if made else "") or (links[-1] if links else "")
    evidence = tuple(Evidence(line=pr.line, file=pr.file, quote=url or pr.quote or pr.command) for pr in made[-1:])
    if url:
        return case.finding("pr", State.PROVEN, f"pull request {url}", evidence=evidence)
    return case.finding(
        "pr",
        State.DISPROVEN,
        "a pull request was made, but its address is not shown",
        evidence=evidence,
        settle=_ADDRESS[case.on_gitlab],
        cause=Cause.NO_ADDRESS,
        key=f"pr:{case.turn.number}:no-url",
        mark=_shipping(case),
    )


def _not_made(case: "Case", by: str, words: str) -> "Finding":
    tried = case.own(case.ledger.pull_requests)[-1:]
    evidence = tuple(map(_shown, tried))
    if any(re.search(r"(?i)denied|refused|rejected", pr.quote) for pr in tried):
        return case.finding("pr", State.UNKNOWN, "the pull request was refused", evidence=evidence)
    reason = {
        "the workflow": "no pull request was made, and this project works with pull requests",
        "this session": "the pull request was not made: the attempt failed",
    }.get(by, f"no pull request was made, and {by} asked for one: “{prose.shortened(words, 100)}”")
    told = _KEPT_FROM_PR.search(case.final) or (tried and _PR_FAILED.search(case.final))
    kept = "the answer says what kept it from making one" if told else _made_unseen(case)
    return case.finding(
        "pr",
        State.DISPROVEN,
        reason,
        evidence=evidence,
        settle=_CREATE[case.on_gitlab],
        key=f"pr:{case.turn.number}:none",
        mark=_shipping(case),
        silent=kept or _told_of_push(case) or _on_the_default_branch(by, case),
    )


def _on_the_default_branch(by: str, case: "Case") -> str:
    """Why none is asked for behind a push straight to the default branch, which `direct_push` speaks of: it would be empty."""
    pushed = [push for push in _passed_here(case) if not push.tag]
    there = bool(pushed) and all(push.to_default for push in pushed)
    return "the work is on the default branch already" if there and by != "the person" else ""


def _made_unseen(case: "Case") -> str:
    """Why no more is asked where the answer gives an address, and a tool that is not known may have made what stands there."""
    if "://" not in case.final:
        return ""
    from ace_reflect.evidence.pull_requests import find_url  # few stops come this far
    from ace_reflect.gates.file_claims import made_unseen

    url, _ = find_url(case.final)
    if not url or url in case.turn.prompt:
        return ""
    return "the answer gives the address of a pull request" if made_unseen("", case) else ""


def _shipping(case: "Case") -> tuple[int, int]:
    return len(case.ledger.pushes), len(case.ledger.pull_requests)


def _made(case: "Case") -> "list[PullRequest]":
    return [pr for pr in case.ledger.pull_requests if pr.outcome is Outcome.PASSED]


def _shown(fact: "PullRequest | CiLook | Push") -> Evidence:
    return Evidence.of(fact, prose.shortened(fact.quote or fact.command, 160))


#: "`gh` isn't installed here": only the person can mend it, or open the pull request in a browser.
_KEPT_FROM_PR = Late(
    r"(?i)(?:\bg(?:h|lab)\b|\bgit(?:hub|lab) cli\b)[^.!?\n]{0,40}(?:\bnot|n't|\bno longer|\bun)[ -]?(?:(?:currently|yet|even) )?(?:available|installed|authenticated|logged in|set up|configured|found|authorized)\b",
    needs=(
        "gh|glab|github cli|gitlab cli",
        "available|installed|authenticated|logged in|set up|configured|found|authorized",
    ),
)


#: "The PR could not be created: …", of one that was tried.
_PR_FAILED = Late(
    r"(?i)\b(?:can'?t|cannot|could(?:n'?t| not)|unable to|(?:was|am|is)(?:n'?t| not) able to|fail(?:s|ed|ing|ure)?)\b[^.!?\n]{0,60}\b(?:prs?|mrs?|pull requests?|merge requests?)\b|\b(?:pr|mr|pull request|merge request)\b[^.!?\n]{0,40}\b(?:fail(?:s|ed)?|could(?:n'?t| not)|can'?t|cannot)\b",
    needs=("can't|cant|cannot|could|unable to|able to|fail", "pr|mr|pull request|merge request"),
)


def ci_gate(case: "Case") -> "Finding":
    """CI of a pull request that is called for: a line to the person, never a push by default."""
    by, why = calls_for_pr(case)
    made = _made(case)
    if not ci_is_the_task(case) and (not by or not (made or case.ledger.pr_links)):
        return case.finding("ci", State.NOT_APPLICABLE, why if not by else "there is no pull request yet")
    if not case.ships:
        return case.finding("ci", State.NOT_APPLICABLE, "nothing was pushed for it in answer to this prompt")
    pushed = (push for push in case.ledger.pushes if push.outcome is Outcome.PASSED and not push.up_to_date)
    since = max((fact.sequence for fact in (*pushed, *made)), default=0)
    last = next((look for look in reversed(case.ledger.ci_looks) if look.sequence >= since), None)
    known = {"key": f"ci:{case.turn.number}", "mark": (since, last and last.line)}
    watch = _WATCH[case.on_gitlab]
    if last is None and _is_watched(case):
        return case.finding("ci", State.UNKNOWN, "CI is being watched in the background", settle=watch, **known)
    if last is None:
        reason = "CI was not looked at since the last push"
        return case.finding("ci", State.DISPROVEN, reason, settle=watch, **known)
    evidence = (_shown(last),)
    if last.outcome == "passed":
        return case.finding("ci", State.PROVEN, "CI is green", evidence=evidence)
    if last.outcome == "failed":
        settle = LOOK[case.on_gitlab]
        return case.finding("ci", State.DISPROVEN, "CI is red", evidence=evidence, settle=settle, **known)
    reason = "CI is still running" if last.outcome == "pending" else "the look at CI shows no result"
    return case.finding("ci", State.UNKNOWN, reason, evidence=evidence, settle=watch, **known)


def _is_watched(case: "Case") -> bool:
    """Whether a look at CI of this turn goes on in the background; what it shows comes with its end."""
    return any(task.running and task.kind is CommandKind.PR_CHECKS for task in case.own(case.ledger.background))


def ci_is_the_task(case: "Case") -> bool:
    """Whether this prompt was about red CI, and its fix was pushed: then only CI can show that it worked."""
    if all(push.tag for push in _passed_here(case)):
        return False
    if any(look.outcome == "failed" for look in case.own(case.ledger.ci_looks)):
        return True
    known = bool(case.ledger.ci_looks or case.ledger.pr_links or case.ledger.pull_requests)
    return known and _ABOUT_RED_CI.search(case.turn.prompt[:600]) is not None


_ABOUT_RED_CI = Late(
    r"(?i)\b(?:ci|pipeline|github actions|workflow run|build)\b[^.\n]{0,60}\b(?:fail\w*|red|broken|complain\w*)\b"
    r"|\b(?:fail\w*|fix|red|broken)\b[^.\n]{0,30}\b(?:ci|pipeline|build|github actions|checks)\b",
    needs=("broken|complain|fail|fix|red",),
)


def direct_push_gate(case: "Case") -> "Finding":
    pushed = [push for push in _passed_here(case) if push.to_default and not (push.up_to_date or push.tag)]
    if any(pr.outcome is Outcome.PASSED for pr in case.own(case.ledger.pull_requests)):
        # of a quiet push only the session's branch is known, and a pull request is of another than it goes to
        pushed = [push for push in pushed if push.quote]
    if not pushed:
        return case.finding("direct_push", State.NOT_APPLICABLE, "nothing was pushed to the default branch")
    last = pushed[-1]
    evidence = (_shown(last),)
    branch = last.branch or "the default branch"
    if _overwrote(case, last):
        return case.finding(
            "direct_push",
            State.DISPROVEN,
            f"a forced push overwrote {branch} after a push was rejected, and nobody asked for that",
            evidence=evidence,
            cause=Cause.OVERWROTE,
            key=f"direct_push:forced:{last.line}",
        )
    asked = _asked_for_push(case)
    if asked or last.by == "user":
        return case.finding(
            "direct_push",
            State.WAIVED,
            f"the person asked for the push: “{asked}”" if asked else "the person pushed it",
            evidence=evidence,
            waived_by=asked,
        )
    by, why = calls_for_pr(case)
    if not by and not case.project.wants_pr:
        return case.finding("direct_push", State.NOT_APPLICABLE, why, evidence=evidence)
    return case.finding(
        "direct_push",
        State.DISPROVEN,
        f"the work was pushed straight to {branch}, and nobody asked for that",
        evidence=evidence,
        key=f"direct_push:{last.line}",
        silent=_told_of_push(case),
    )


def _told_of_push(case: "Case") -> str:
    """Why no more is asked after a push to the default branch: it was spoken of, and the answer says that the work went there."""
    pushed = [push for push in _passed_here(case) if not push.tag]
    if not (case.history.attempts and pushed and all(push.to_default for push in pushed)):
        return ""
    names = {folded(push.branch) for push in pushed if push.branch} | {"default branch"}
    for sentence in prose.sentences(case.final):
        low = folded(sentence.text)
        if _WENT.search(low) and any(name in low for name in names):
            return f"the answer says where the work went: “{prose.shortened(sentence.text, 100)}”"
    return ""


_WENT = Late(
    r"(?<!not )(?<!n't )(?<!never )\b(?:push(?:ed)?|went|landed)\b",
    needs=("push|went|landed",),
)


def _overwrote(case: "Case", last: "Push") -> bool:
    """A forced push over what a rejected one had met there, which neither the person asked for nor the answer tells."""
    rejected = any(
        push.outcome is Outcome.FAILED and push.sequence < last.sequence for push in case.own(case.ledger.pushes)
    )
    said = f"{case.turn.said} {case.final}"
    return (
        last.forced and last.by == "agent" and rejected and re.search(r"(?i)\bforc(?:e|ed|ing)\b|overw", said) is None
    )


#: And not "always ask me before you push", nor "push back".
_ALWAYS_PUSH = Late(
    r"(?i)(?<![^.\n])[^.\n]*\b(?:always|from now on|after (?:each|every)|whenever)\b(?:(?!\b(?:ask|before|until|unless|never|not)\b|n't\b)[^.\n])*\bpush\b(?! back)[^.\n]*",
    needs=("always|from now on|after |whenever", "push"),
)


def _asked_for_push(case: "Case") -> str:
    """The person's words for a push: in this prompt, or a standing "always push" of an earlier one."""
    if case.words.asks_push:
        return case.words.asks_push
    for turn in case.ledger.turns:
        match = _ALWAYS_PUSH.search(turn.prompt) if turn.kind == "human" else None
        if match:
            return prose.shortened(match.group(), 100)
    match = re.search(
        r"(?i)(?<![^.\n])[^.\n]*\bpush(?:es)?\b[^.\n]{0,30}\b(?:directly )?to (?:main|master|trunk)\b[^.\n]*",
        case.project.instructions,
    )
    if match and not re.search(r"(?i)\b(?:never|don'?t|do not|not|no)\b", match.group()):
        return prose.shortened(match.group(), 100)
    return ""
