"""
A commit or a push that this prompt orders, of which nothing was tried and nothing was said.

A person who is told to ship what was shipped, or what was not to be shipped yet, is wronged: an order counts only where
a whole clause is one, on no condition and about no program, and where the session shows all that could have carried it out.
"""

from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import places, prose, requests, shared_verb
from ace_reflect.gates.model import StopKind
from ace_reflect.late import MULTILINE, Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from ace_reflect.evidence.facts import Commit, Push
    from ace_reflect.gates.case import Case

_LONGEST = 1_200  # characters: longer prompts are pasted reviews, plans and logs
_OBJECT = r"(?: (?:it|this|that|these|those|them|all|everything|(?:(?:all|of|the|your|my|our|this|these|those|new|latest|current|remaining) ){0,4}(?:changes|change|commits|commit|work|branch|fixes|fix|updates|update|edits|edit|files|code|rest)))?"
_TAIL = r"(?: (?:please|pls|now|too|also|as well|again|for me|directly|right away|straight away|afterwards|then|thanks|done)){0,3}[.!]{0,3}$"
_PLACE = r"(?:(?:the|a|our|my|new|same|this|current|remote|default|feature) ){0,3}(?:origin|remote|upstream|github|gitlab|main|master|develop|trunk|repo|repository|branch|[\w.-]{1,60}/[\w./-]{1,80})(?: (?:branch|main|master))?"
_ORDERS_PUSH = Late(
    rf"(?:do )?(?:(?:git )?commit(?: it| this| all| everything)? ?(?:\+|/|&|n\b) ?)?(?:git )?push{_OBJECT}(?: up)?(?: (?:to|on|onto) {_PLACE}| origin(?: [\w./-]{{1,80}})?)?{_TAIL}",
    needs=("push",),
)
_ORDERS_COMMIT = Late(
    rf"(?:(?:(?:create|make|do|amend|squash) )?(?:(?:a|an|the|one|new|single|separate|last|git) ){{0,3}}(?:commits?|comm?itt?){_OBJECT}(?: locally)?(?: (?:to|on|onto) {_PLACE})?(?: with (?:an? |the )[^,;]{{0,60}}\bmessage\b[^,;]{{0,80}}$| as .{{1,80}}$|{_TAIL}))",
    needs=("commit|comit",),
)
#: What says no more than that: `requests` leaves it out, for it is told of programs as often.
_MAKES_ONE = Late(
    r"(?i)\b(?:create|do|make) (?:(?:a|an|the|one|new|single|separate|git) ){1,3}commit\b", needs=("commit",)
)
_ORDER = {"commit": _ORDERS_COMMIT, "push": _ORDERS_PUSH}
#: "When you're done, push": no condition but to have done the work.
_DONE = r"(?:when|once|after|as soon as) (?:(?:you'?re|you are|it'?s|it is|that'?s|everything is|all is|everything'?s) )?(?:all )?(?:done|finished)"
_WHEN_DONE = Late(rf"(?i)\b{_DONE}\b", needs=("done|finished",))
#: "When the tests are green, push": a condition that this turn's own run met.
_WHEN_GREEN = Late(
    r"(?i)\b(?:when|once|if|after|as soon as) (?:(?:all|the|your|our|my|unit) ){0,3}(?:(?:tests?|specs|suite|everything|it|all|they)(?:'s|'re| is| are)? )?(?:all )?(?:green|pass(?:es|ing|ed)?)\b",
    needs=("when|once|if|after|as soon as", "green|pass"),
)
#: On a condition, at another time, allowed and not ordered, done by the person, or of a program.
_UNSURE = Late(
    r"\b(?:if|unless|until|till|when|whenever|once|before|after|as soon as|as long as|provided|assuming|only|may|might|maybe|perhaps|probably|later|tomorrow|eventually|always|every|each|next time|from now on|instead|should|would|must|never|not|without|or|because|so (?:that )?(?:we|i|you|it|they|users?)|to be able|able to|feel free|you (?:can|could)|(?:i|we)(?:'d| would)? (?:want to|need to|like to|can|will|could|have to|had to)|i'?m|i'?ll|we'?ll|how|why|what|which|let (?!me |us )[\w'-]{1,20} (?:commit|push)|by (?:me|us|hand)|myself|on me|that (?:will|can)|scripts?|hooks?|workflows?|jobs?|actions?|bots?|commands?|subcommands?|buttons?|functions?|methods?|tools?|agents?|helpers?|aliase?s?|targets?|cron|pipelines?|skills?|prompts?|tutorial)\b|n't\b|[:?“”]"
    r"|\b(?:docs?|readme|guide|example)\b[^,;]{0,60} (?:with|about|for|on|of|to|like|covering|covers|says|in)\b",  # what a text is to hold
)
_DONT_FORGET = Late(r"\b(?:don'?t|do not) forget\b", needs=("forget",))
#: The person wants to see something before it goes out.
_KEEPS_A_SAY = Late(
    r"(?i)\b(?:wait|ask|confirm\w{0,6}|approv\w{1,5}|show me|let me|tell me|check with|my (?:review|ok|go)|(?:i|me|to|for) review|first|dry[- ]run|plan|propose|suggest)\b|:[ \t]{0,4}$",
    MULTILINE,
)
#: What stands before a list of orders: "When you're done:", "Then:", "Please do the following:".
_LEADS = Late(
    rf"(?i)^(?P<before>[^\n]{{0,300}}?[.!,;][ \t]{{1,4}}|[ \t]{{0,4}})(?:(?:and|so|ok|please|pls|also|finally|now) ){{0,3}}(?:{_DONE}|then|next|after (?:that|this|it)|afterwards?|finally|please|(?:please )?do (?:this|these|the following|as follows)|(?:to-?do|tasks?)(?: list)?)(?: (?:please|pls|do(?: this)?))?[ \t]{{0,4}}:[ \t]{{0,4}}$",
    MULTILINE,
    needs=(":",),
)
#: The prompt tells of steps that somebody or something else goes through: how to see a bug, what a program is to do.
_TELLS_STEPS = Late(
    r"(?i)\b(?:reproduc\w{1,5}|repro|steps|script|\w{1,40}\.(?:sh|bash|zsh|ps1)|makefile|justfile|targets?|aliase?s?|subcommands?|bots?|workflows?|(?:our|git|release|dev\w{0,10}|contribution) flow|tutorial|runbook|checklist|onboarding)\b",
    needs=(
        "repro|steps|script|.sh|.bash|.zsh|.ps1|makefile|justfile|target|alias|subcommand|bot|flow|tutorial|runbook|checklist|onboarding",
    ),
)
#: "Fix the bug in commit and push": git's verbs as names.
_NAMED = frozenset(
    ["add", "branch", "build", "checkout", "clone", "commit", "commits", "diff", "fetch", "init", "log", "merge", "pull", "push", "rebase", "stage", "stash", "status", "tag"]
)  # fmt: skip
#: What may be ordered in one word, before it is shipped; "open, save, commit" is a menu.
_DEEDS = frozenset(
    ["test", "build", "rebase", "format", "lint", "review", "merge", "done", "stop", "yes", "no", "ok", "okay", "great", "good", "nice", "perfect", "thanks", "lgtm", "cool", "please", "now", "then", "oh", "ah", "hey", "btw", "also", "sorry"]
)  # fmt: skip
#: What an answer says that speaks of it.
_MENTIONS = {
    "push": ("push", "remote", "origin", "upstream", "github", "gitlab", "submit", "pull request", "pouss", "推", "プッシュ", "пуш", "hochgeladen", "subi", "enviad", "inviat"),
    "commit": ("commit", "stage", "git", "push", "check in", "checked in", "checkt", "提交", "コミット", "комм"),
}  # fmt: skip
#: What may have kept it back; "42 tests, 0 failures" kept nothing.
_KEPT = Late(
    r"(?i)\b(?:could(?:n'?t| not)|can(?:'?t|not)|unable|wasn'?t able|blocked|refus(?:e[sd]?|ing|als?)|denied|declin\w{1,3}|permissions?|credentials?|network|sandbox|not yet|held off|stopped|waiting|left (?:it|them|this|that)|up to you|(?<!\b0 )(?<!\bno )(?<!\bzero )(?:fail(?:s|ed|ing|ures?)?|errors?)(?!: {0,3}0\b))\b",
    needs=(
        "could|can't|cant|cannot|unable|able|blocked|refus|denied|declin|permission|credential|network|sandbox|not yet|held|stopped|waiting|left|up to|fail|error",
    ),
)


def not_shipped(case: "Case") -> tuple[list[str], str]:
    """What of "commit" and "push" was ordered and not even tried, and the person's words; ([], "") else."""
    missing = _untried(case)
    if not missing or _may_be_right(case):
        return [], ""
    # What was said in mid-turn may have changed what was said before: only the last of it counts then.
    said = [case.turn.prompt, *case.turn.limits][-1]
    orders = _orders(said, green=_ran_green(case))
    ordered = [kind for kind in missing if kind in orders]
    if not ordered or _out_of_sight(ordered, case):
        return [], ""
    return ordered, orders[ordered[-1]]


def _untried(case: "Case") -> list[str]:
    """What may have been ordered and was neither tried nor spoken of, with something there to ship. Most stops end here."""
    words, ledger = case.words, case.ledger
    if words.no_push or words.asks_pr:
        return []
    if case.own((*ledger.pushes, *ledger.pull_requests)):
        return []
    answer = folded(case.final)
    asks = words.asks_commit or _MAKES_ONE.search(case.turn.said)
    wanted = {"commit": asks and not case.own(ledger.commits), "push": words.asks_push}
    kinds = [kind for kind, asked in wanted.items() if asked and not any(each in answer for each in _MENTIONS[kind])]
    return [kind for kind in kinds if _is_something_to(kind, case)]


def _is_something_to(kind: str, case: "Case") -> bool:
    """Whether the session holds an edit of the project that was not committed, or a commit that was not pushed."""
    ledger, project = case.ledger, case.project
    if kind == "push" and (case.settings.workflow == "local" or (project.present and project.has_remote is False)):
        return False
    committed, pushed = _last(ledger.commits), _last(ledger.pushes)
    if kind == "push" and committed > pushed:
        return True
    shipped = max(committed, pushed)
    return any(edit.sequence > shipped and _is_of_project(edit.path, case) for edit in ledger.edits)


def _last(tried: "tuple[Commit, ...] | tuple[Push, ...]") -> int:
    return max((fact.sequence for fact in tried if fact.outcome is Outcome.PASSED), default=-1)


def _is_of_project(path: str, case: "Case") -> bool:
    inside = places.relative(path, case.root)
    return inside is not None and not inside.startswith((".", "tmp/"))  # the agent's notes are often ignored by git


def _may_be_right(case: "Case") -> bool:
    """Whether the words may not be the whole order, or the turn had cause to hold back: a question, a failure, a refusal."""
    turn = case.turn
    if turn.kind != "human" or turn.command or turn.prompt.lstrip().startswith("/"):
        return True
    if len(turn.prompt) > _LONGEST or case.running or case.own(case.ledger.questions):
        return True
    if case.stop_kind not in {StopKind.COMPLETE, StopKind.UNCLEAR} or case.plain.rstrip().endswith(("?", "？")):
        return True
    runs = [run for run in case.own(case.ledger.runs) if run.executed]
    commits = case.own(case.ledger.commits)
    failed = any(last.outcome is not Outcome.PASSED for last in (*runs[-1:], *commits[-1:]))
    return failed or _KEPT.search(case.plain) is not None


def _out_of_sight(ordered: list[str], case: "Case") -> bool:
    """Whether something else may have done it: a script, a tool of another's, a subagent; a commit also a merge or a rebase."""
    from ace_reflect.gates.file_claims import done_unseen  # few stops come this far

    return case.used_servers or done_unseen("", case, by_git="commit" in ordered)


def _ran_green(case: "Case") -> bool:
    """Whether the tests ran in this turn; that the last run passed is known by here."""
    return any(run.kind is CommandKind.TEST and run.outcome is Outcome.PASSED for run in case.own(case.ledger.runs))


def _orders(prompt: str, *, green: bool) -> dict[str, str]:
    """The sentences that order a commit and a push; where `green`, "when the tests pass" is no condition any more."""
    prompt = _LEADS.sub(_without_lead, prompt)
    if _KEEPS_A_SAY.search(prompt) or _TELLS_STEPS.search(prompt):
        return {}
    found: dict[str, str] = {}
    for sentence in prose.sentences(prompt):
        said = _WHEN_GREEN.sub(",", sentence.text) if green else sentence.text
        low = _DONT_FORGET.sub("", _WHEN_DONE.sub("", folded(said)))
        if not sentence.asks and not _UNSURE.search(low.rstrip("?!. ")) and not requests.TOLD_OF_PUSH.search(low):
            found.update(dict.fromkeys(_ordered(said), prose.shortened(sentence.text, 120)))
    from ace_reflect.gates import foreign_orders  # few stops come this far

    return {**foreign_orders.orders(prompt), **found}


def _without_lead(match: "re.Match[str]") -> str:
    before = match["before"]
    return match.group() if _UNSURE.search(folded(before)) else before.rstrip(", \t")


def _ordered(sentence: str) -> "Iterator[str]":
    """What the clauses of a sentence order, up to one that ends in a name of git's: behind "the bug in commit and" stands another."""
    for low, starts in shared_verb.parts(_WHEN_DONE.sub("", sentence).replace("?", "")):
        kinds = [kind for kind, order in _ORDER.items() if any(order.match(low.rstrip(), start) for start in starts)]
        words = low.rstrip(" .!").split()
        named = words[-1] in _NAMED if len(words) > 1 else not _DEEDS.issuperset(words)
        if not kinds and (named or words[:1] in (["the"], ["a"], ["our"], ["its"])):
            return
        yield from kinds
