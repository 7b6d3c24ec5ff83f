"""
What the agent is told after a compaction: update the pull request, go on, say where things stand first, or nothing.

A fast model is asked while the host still writes its summary; by rule where no answer is there in time. The messages are
ours, word for word, and the model chooses one: only its sentence on the current work stands in it, as a quotation.
"""

from dataclasses import dataclass

from ace_reflect.assess import standing
from ace_reflect.assess.answers import CompactionAnswer
from ace_reflect.assess.asker import Asker, ask_models
from ace_reflect.assess.audit import pressing
from ace_reflect.assess.github_work import GitHubWork, Reference, detect
from ace_reflect.assess.role import Role, Told
from ace_reflect.assess.subject import facts as facts_of
from ace_reflect.assess.text import cut
from ace_reflect.evidence.facts import Ledger
from ace_reflect.gates.model import Judgement
from ace_reflect.text import last_space, shortened

GITHUB, CONTINUE, CLARIFY, COMPLETE = (
    "needs_github_update",
    "continue_task",
    "needs_clarification",
    "task_complete",
)
MAX_CHARS = 1_200
_TOOLS_SHOWN = 12

COMPACTION: Role[CompactionAnswer] = Role(
    name="compaction",
    prompt_file="compaction.txt",
    answer=CompactionAnswer,
    max_tokens=500,
    deadline_s=45.0,
    fresh_s=60.0,
    fast=True,
)


@dataclass(frozen=True, slots=True)
class Action:
    """One of the four, and why. `current_work` is a model's sentence; by rule it is empty, and the facts speak."""

    action: str
    why: str
    current_work: str = ""
    rule: bool = True


def by_rules(ledger: Ledger, judgement: Judgement, last_words: str = "") -> Action:
    """
    What the record itself says. `last_words`: the agent's last text, in the middle of a turn too.
    """
    turn = ledger.turns[-1] if ledger.turns else None
    if turn is None or not (turn.prompt or turn.command):
        return Action(CLARIFY, "no task is on record")
    work = detect(ledger, tuple(filter(None, (turn.final_text, last_words))))
    where = work.target or "a pull request or an issue"
    if (work.mentions or work.on_forge) and standing.owes_word(ledger):
        return Action(
            GITHUB, f"a word on {where} was asked for, and none was left since the last commit"
        )
    if standing.finished(ledger, turn, judgement):
        return Action(COMPLETE, "the turn was over, and nothing of it is open")
    if standing.lost(ledger, turn):
        return Action(CLARIFY, "what was wanted cannot be told from the prompts alone")
    if work.active:
        return Action(GITHUB, f"work on {where} is under way")
    return Action(CONTINUE, "a task was in progress")


# ------------------------------------------------------------------ asking


async def ask_action(
    asker: Asker, ledger: Ledger, judgement: Judgement, *, last_words: str, trigger: str = "auto"
) -> Action:
    """The fast model's choice; the rules' where it gives none, or one that the record contradicts."""
    ruled = by_rules(ledger, judgement, last_words)
    if not ledger.turns:
        return ruled
    told = await ask_models(COMPACTION, values_of(ledger, last_words, trigger), asker)
    return chosen(told, ruled, ledger, judgement)


def chosen(
    told: Told[CompactionAnswer | None], ruled: Action, ledger: Ledger, judgement: Judgement
) -> Action:
    """The model's word beside the record's: nothing that is open is complete, and no number is made up."""
    if told.value is None:
        return ruled
    action, turn = told.value.action, ledger.turns[-1]
    if action == COMPLETE and (
        turn.pending_calls or pressing(judgement) or standing.open_todos(ledger, turn)
    ):
        return ruled
    work = detect(ledger)
    if action == GITHUB and not (work.mentions or work.on_git):
        return ruled
    return Action(action, f"by {told.model or 'a model'}", told.value.current_work, rule=False)


def _whole_words(key: str) -> str:
    """A long call's key ends in a checksum behind a cut, and half a secret would not be known for one."""
    head, mark, _ = key.rpartition("#")
    return f"{head[: last_space(head, len(head))]}…" if mark and len(head) >= 100 else key


def values_of(ledger: Ledger, last_words: str, trigger: str) -> dict[str, str]:
    """What the prompt has places for."""
    turn = ledger.turns[-1]
    asked = [other for other in ledger.turns if other.prompt]
    shown = asked if len(asked) <= 5 else [asked[0], *asked[-4:]]
    tools = [
        f"{f'{call.name} ' if call.bash else ''}{shortened(_whole_words(call.key), 140)}"
        for call in ledger.calls
    ]
    work = detect(ledger, (last_words,))
    seen = (
        [f"work on GitHub: {_work_line(work)}"]
        if work.on_forge or work.on_git or work.mentions
        else []
    )
    return {
        "tasks": "\n".join(f"[{other.number}] {shortened(other.prompt, 600)}" for other in shown)
        or "(none on record)",
        "answer": cut(last_words or turn.final_text, 1_500) or "(none)",
        "tools": "\n".join(tools[-_TOOLS_SHOWN:]) or "(none)",
        "facts": "\n".join([*seen, facts_of(ledger, turn)]),
        "trigger": "the person typed /compact"
        if trigger == "manual"
        else "the context was full, in the middle of a turn",
    }


def _work_line(work: GitHubWork) -> str:
    said = [
        word
        for flag, word in (
            (work.on_forge, "a pull request or issue was made or commented on"),
            (work.on_git, "commits, pushes or branches were made"),
            (work.asked, "the person named one by number"),
            (work.looked, "one was looked at"),
        )
        if flag
    ]
    return "; ".join(said or ["only mentioned"]) + (
        f"; it is about {work.target}" if work.target else ""
    )


# ------------------------------------------------------------------ messages


def message(action: Action, ledger: Ledger, judgement: Judgement, *, trigger: str = "auto") -> str:
    """
    What is put in front of the model after the compaction; "" for a task that is complete.

    After a manual one nothing runs on by itself, so the message is put as a condition.
    """
    if action.action == COMPLETE:
        return ""
    manual = trigger == "manual"
    parts = [
        _OPENING[action.action][manual].format(target=_target_line(ledger)),
        *_where(action, ledger, judgement),
    ]
    if action.action != CLARIFY:
        parts.append("Look at the files before you trust the summary's account of them.")
    text = " ".join(parts)
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1].rsplit(" ", 1)[0] + "…"


#: action -> (in the middle of a task, after a manual /compact)
_OPENING: dict[str, tuple[str, str]] = {
    CONTINUE: (
        (
            "The conversation was compacted in the middle of the task. Go on with it from where it stood: do not start over, "
            "and do not ask what to do."
        ),
        "The conversation was compacted by hand. If the task goes on, go on from where it stood and do not start over.",
    ),
    GITHUB: (
        (
            "The conversation was compacted in the middle of work on {target} Unless nothing has changed there since, leave a "
            "short note of what is done and what is left. Then go on with the task from where it stood."
        ),
        (
            "The conversation was compacted by hand, with work under way on {target} If that work goes on, leave a short note "
            "there of what is done and what is left before you do more."
        ),
    ),
    CLARIFY: (
        (
            "The conversation was compacted, and the record does not show plainly where the task stood. Before anything else "
            "look at the files and at `git status`, and summarize in a few sentences what was asked for, what is done and what comes "
            "next. Go on from there; ask only if it cannot be told."
        ),
        (
            "The conversation was compacted by hand, and the record does not show plainly where the task stood. If it goes on, "
            "first summarize in a few sentences what was asked for, what is done and what comes next."
        ),
    ),
}


def _target_line(ledger: Ledger) -> str:
    """`PR #34 (`gh pr comment 34`).`"""
    target = detect(ledger).target
    if target is None:
        return "a pull request or an issue (`gh pr comment` or `gh issue comment`)."
    return f"{target} ({_command(target)})."


def _command(target: Reference) -> str:
    if target.kind == "issue":
        return f"`gh issue comment {target.number}`"
    if target.kind == "pr":
        return f"`gh pr comment {target.number}`"
    return f"`gh pr comment {target.number}` or `gh issue comment {target.number}`"


def _where(action: Action, ledger: Ledger, judgement: Judgement) -> list[str]:
    """The task in the person's words, and what is known to be open."""
    turn = ledger.turns[-1] if ledger.turns else None
    parts = []
    if turn is not None and turn.prompt:
        parts.append(f"The task: “{_quoted(turn.prompt, 240)}”.")
    if action.current_work:
        parts.append(f"Where it stood: “{_quoted(action.current_work, 240)}”.")
    todos = standing.open_todos(ledger)
    if todos:
        parts.append(
            f"Open on the todo list: {'; '.join(_quoted(todo.text, 80) for todo in todos[:4])}."
        )
    unproven = next(
        (f for f in judgement.findings if f.gate == "tests" and f.open and not f.silent), None
    )
    if unproven is not None:
        settle = f" (`{_quoted(unproven.settle, 80)}`)" if unproven.settle else ""
        parts.append(f"Still open: {_quoted(unproven.reason, 160)}{settle}.")
    return parts


def _quoted(text: str, most: int) -> str:
    return shortened(text, most).replace("<", "‹").rstrip(".")


def line_for_person(action: Action) -> str:
    """One line where nothing is put in front of the model."""
    return "The task was finished before the compaction." if action.action == COMPLETE else ""
