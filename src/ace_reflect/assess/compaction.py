"""What the agent is told after a compaction: our own words, by a fast model's choice or, without one in time, by rules."""

import re
from typing import NamedTuple

from ace_reflect.assess.answers import CompactionAnswer
from ace_reflect.assess.evaluate import pressing
from ace_reflect.assess.role import Asker, Role, ask_models
from ace_reflect.assess.subject import facts as facts_of
from ace_reflect.assess.when import only_looked
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger, Outcome, Turn
from ace_reflect.gates.model import Judgement, StopKind
from ace_reflect.gates.words import asks_for_change, plain
from ace_reflect.text import cut_middle, last_space, shortened

GITHUB, CONTINUE = "needs_github_update", "continue_task"
CLARIFY, COMPLETE = "needs_clarification", "task_complete"
MAX_CHARS = 1_200
_TOOLS_SHOWN = 12
_COMMANDS_LOOKED_AT = 200
_FRAGMENT_WORDS = 2  # a prompt this short makes no sense without the one before

COMPACTION: Role[CompactionAnswer] = Role(
    "compaction", CompactionAnswer, deadline_s=45.0, max_tokens=500, fresh_s=60.0, fast=True
)


class Action(NamedTuple):
    """One of the four, and why. `current_work` is a model's sentence; by rule it is empty, and the facts speak."""

    action: str
    why: str
    current_work: str = ""
    rule: bool = True


_K = CommandKind
_FORGE = {_K.PR_CREATE, _K.PR_COMMENT, _K.PR_MERGE, _K.ISSUE}
_VIEWS = {_K.PR_VIEW, _K.PR_CHECKS, _K.ISSUE}
_LOOKS = {"view", "list", "status", "show", "checks", "diff", "checkout"}
WROTE = "a pull request or issue was made or commented on"
SHIPPED = "commits, pushes or branches were made"
ASKED = "the person named one by number"
LOOKED = "one was looked at"
UNTOLD = "nothing was written there since the last commit or push"
#: `#123`, `PR #34`, `PR34`, `issue #42`, a link; but no bare number and no colour.
_REFERENCE = re.compile(
    r"(?i)https?://[^\s)>\]]{1,300}/(?P<link>pull|issues|merge_requests)/(?P<at>\d{1,7})\b"
    r"|\b(?:(?P<pr>prs?|pull[- ]requests?|merge[- ]requests?|mrs?)|issues?|tickets?|bugs?)\s*[#!]?(?P<named>\d{1,6})\b"
    r"|(?<![\w#&/])#(?P<bare>\d{1,5})\b(?![\w-]*[;{])"
)


def references(text: str) -> list[str]:
    """ "PR #34", "issue #42" or "#123", in order, outside code blocks and quotations."""
    found: dict[str, str] = {}
    for match in _REFERENCE.finditer(plain(text)):
        issue = match["link"] == "issues" or (match["named"] and not match["pr"])
        kind = "" if match["bare"] else "issue " if issue else "PR "
        number = match["at"] or match["named"] or match["bare"]
        found.setdefault(number, f"{kind}#{number}")
    return list(found.values())


def github_work(ledger: Ledger, last_words: str = "") -> tuple[list[str], str]:
    """What was done about a pull request or issue, and which one ("" if that is unclear)."""
    asked = [found for turn in ledger.turns for found in references(turn.prompt)]
    keys = [call.key for call in ledger.calls[-_COMMANDS_LOOKED_AT:] if call.bash]
    calls = [(item.kind, item.argv) for key in keys for item in classify(key)]
    made = [pr for pr in ledger.pull_requests if pr.outcome is Outcome.PASSED]
    wrote, ships = -1, -1
    target = next(reversed([*references(last_words), *asked]), "")
    for place, (kind, argv) in enumerate(calls):
        failed = kind is _K.PR_CREATE and ledger.pull_requests and not made
        wrote = place if kind in _FORGE and not (failed or _LOOKS & set(argv[1:4])) else wrote
        branched = argv[:1] == ("git",) and {"-b", "-B", "-c", "-C"} & set(argv[2:3])
        ships = place if kind in {_K.COMMIT, _K.PUSH} or branched else ships
        number = next((word.lstrip("#") for word in argv[2:] if word.lstrip("#").isdecimal()), "")
        if number and kind in _FORGE | _VIEWS:
            target = f"{'issue' if kind is _K.ISSUE else 'PR'} #{number}"
    for pr in made:
        target = f"PR #{pr.number}" if pr.number else next(iter(references(pr.url or "")), target)
    signs = {
        WROTE: wrote >= 0 or made,
        SHIPPED: ships >= 0 or ledger.commits or ledger.pushes,
        ASKED: asked,
        LOOKED: any(kind in _VIEWS for kind, _ in calls),
    }
    found = [sign for sign, is_so in signs.items() if is_so]
    return found + ([UNTOLD] if found and (ships > wrote or wrote < 0) else []), target


def by_rules(ledger: Ledger, judgement: Judgement, last_words: str = "") -> Action:
    """What the record itself says. `last_words`: the agent's last text, even in mid-turn."""
    turn = ledger.turns[-1] if ledger.turns else None
    if turn is None or not (turn.prompt or turn.command):
        return Action(CLARIFY, "no task is on record")
    work, target = github_work(ledger, last_words or turn.final_text)
    where = target or "a pull request or an issue"
    worked = SHIPPED in work or asks_for_change(ledger.now.prompt)
    if worked and {LOOKED, UNTOLD} <= set(work):
        return Action(GITHUB, f"{where} was looked at, and {UNTOLD}")
    if _finished(ledger, turn, judgement):
        return Action(COMPLETE, "the turn was over, and nothing of it is open")
    short = len(turn.prompt.split()) <= _FRAGMENT_WORDS or "[Image #" in turn.prompt
    edited = any(edit.turn == turn.number for edit in ledger.edits)
    if short and not (turn.command or edited or any(todo.open for todo in ledger.todos)):
        return Action(CLARIFY, "what was wanted cannot be told from the prompts alone")
    if WROTE in work or (SHIPPED in work and {ASKED, LOOKED} & set(work)):
        return Action(GITHUB, f"work on {where} is under way")
    return Action(CONTINUE, "a task was in progress")


def _finished(ledger: Ledger, turn: Turn, judgement: Judgement) -> bool:
    """Whether the turn's answer ends it with nothing open: call, todo, gate, background work or question."""
    running = any(task.running and task.turn == turn.number for task in ledger.background)
    undone = asks_for_change(ledger.now.prompt) and only_looked(ledger)
    ends = turn.final_text.rstrip("*_` \n")
    said = bool(ends) and not ends.endswith((":", "…", "..."))
    left = running or undone or _is_open(ledger, turn, judgement)
    return said and judgement.verdict.stop_kind is StopKind.COMPLETE and not left


def _is_open(ledger: Ledger, turn: Turn, judgement: Judgement) -> bool:
    todos = any(todo.open and todo.turn == turn.number for todo in ledger.todos)
    return todos or bool(turn.pending_calls or pressing(judgement))


async def ask_action(
    asker: Asker, ledger: Ledger, judgement: Judgement, *, last_words: str, trigger: str = "auto"
) -> Action:
    """The fast model's choice, or the rules' if it gives none or one that the record contradicts."""
    ruled = by_rules(ledger, judgement, last_words)
    if not ledger.turns:
        return ruled
    told = await ask_models(COMPACTION, values_of(ledger, last_words, trigger), asker)
    action = told.value.action if told.value is not None else ""
    early = action == COMPLETE and _is_open(ledger, ledger.turns[-1], judgement)
    made_up = action == GITHUB and not github_work(ledger)[0]
    if told.value is None or early or made_up:
        return ruled
    return Action(action, f"by {told.model or 'a model'}", told.value.current_work, rule=False)


def values_of(ledger: Ledger, last_words: str, trigger: str) -> dict[str, str]:
    """The values for the places in the prompt."""
    turn = ledger.turns[-1]
    asked = [other for other in ledger.turns if other.prompt]
    shown = asked if len(asked) <= 5 else [asked[0], *asked[-4:]]
    tasks = [f"[{other.number}] {shortened(other.prompt, 600)}" for other in shown]
    tools = []
    for call in ledger.calls[-_TOOLS_SHOWN:]:
        # Cutting a long key could split a secret so that nothing recognises it.
        key = call.key if len(call.key) <= 100 else f"{call.key[: last_space(call.key, 99)]}…"
        tools.append(f"{call.name} {key}" if call.bash else key)
    work, target = github_work(ledger, last_words)
    work += [f"it is about {target}"] if target else []
    manual, full = "the person typed /compact", "the context was full, in the middle of a turn"
    return {
        "tasks": "\n".join(tasks) or "(none on record)",
        "answer": cut_middle((last_words or turn.final_text).strip(), 1_500) or "(none)",
        "tools": "\n".join(map(shortened, tools)) or "(none)",
        "facts": (f"work on GitHub: {'; '.join(work)}\n" if work else "") + facts_of(ledger, turn),
        "trigger": manual if trigger == "manual" else full,
    }


_LOST = "the record does not show plainly where it stood."
_SUM_UP = "summarize in a few sentences what was asked for, what is done and what comes next."
_NOTE = "leave a short note of what is done and what is left"
#: action -> (message in mid-task; after a manual compaction, when nothing continues by itself, as a condition)
_OPENING = {
    CONTINUE: (
        "in the middle of the task. Go on with it from where it stood: do not start over, and do not ask what to do.",
        "by hand. If the task goes on, go on from where it stood and do not start over.",
    ),
    GITHUB: (
        f"in the middle of work on {{target}} Unless nothing has changed there since, {_NOTE}. Then go on with the task.",
        f"by hand, with work under way on {{target}} If that work goes on, {_NOTE} before you do more.",
    ),
    CLARIFY: (
        f"in the middle of a task, and {_LOST} First look at the files and at `git status`, and {_SUM_UP} Then go on.",
        f"by hand, and {_LOST} If it goes on, first {_SUM_UP}",
    ),
}


def message(action: Action, ledger: Ledger, judgement: Judgement, *, trigger: str = "auto") -> str:
    """What the model is given after the compaction; "" if the task is complete."""
    if action.action == COMPLETE:
        return ""
    target = github_work(ledger)[1] or "a pull request or an issue"
    kind, _, number = target.partition("#")
    kinds = {"PR ": ["pr"], "issue ": ["issue"]}.get(kind, ["pr", "issue"])
    commands = " or ".join(f"`gh {each} comment {number}".rstrip() + "`" for each in kinds)
    opening = _OPENING[action.action][trigger == "manual"]
    parts = ["The conversation was compacted " + opening.format(target=f"{target} ({commands}).")]
    if ledger.turns and ledger.turns[-1].prompt:
        parts.append(f"The task: “{_quoted(ledger.turns[-1].prompt, 240)}”.")
    if action.current_work:
        parts.append(f"Where it stood: “{_quoted(action.current_work, 240)}”.")
    todos = [_quoted(todo.text, 80) for todo in ledger.todos if todo.open]
    if todos:
        parts.append(f"Open on the todo list: {'; '.join(todos[:4])}.")
    tests = next((each for each in judgement.findings if each.gate == "tests"), None)
    if tests and tests.open and not tests.silent:
        settle = f" (`{_quoted(tests.settle, 80)}`)" if tests.settle else ""
        parts.append(f"Still open: {_quoted(tests.reason, 160)}{settle}.")
    if action.action != CLARIFY:
        parts.append("Look at the files before you trust the summary's account of them.")
    text = " ".join(parts)
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1].rsplit(" ", 1)[0] + "…"


def _quoted(text: str, most: int) -> str:
    return shortened(text, most).replace("<", "‹").rstrip(".")
