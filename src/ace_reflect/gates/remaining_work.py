"""Work that the session itself lists as open: its todo list, and in print mode what the answer says is left."""

from ace_reflect import regex as re
from ace_reflect.gates import asked_for, human_action, prose, stop_kind
from ace_reflect.gates.done import says_done
from ace_reflect.gates.model import Cause, Evidence, State, StopKind
from ace_reflect.late import DIGITS, Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Todo
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.model import Finding

GATE = "remaining_work"
_LATER = Late(
    r"(?i)\b(?:optional(?:ly)?|later|future|follow-?ups?|nice[- ]to[- ]have|stretch|if (?:needed|time|wanted|desired)|backlog|someday|consider|wait(?:ing)? for|await\w*|ask (?:the )?user|(?:get|present|show).{0,20}(?:user|feedback|approval)|(?:the )?user(?:'s|s)? (?:reviews?|approv\w*|feedback|confirm\w*|test\w*|sign-?off|decid\w*|input))\b",
    needs=(
        "approval|await|backlog|consider|feedback|follow-up|followup|future|if desired|if needed|if time|if wanted|later|nice to have|nice to-have|nice-to have|nice-to-have|optional|someday|stretch|user|wait for|waiting for",
    ),
)
_LEFT = Late(
    r"(?i)^\W*(?:(?:what(?:'s| is) )?(?:left|remaining|still (?:to do|open|missing|needed))|remaining (?:work|tasks|items|steps)|not (?:yet )?(?:done|implemented|finished)|to ?-?dos?|still (?:to do|needs?)|next steps?|outstanding)\b.{0,40}:?\W*$",
    needs=(
        "done|finished|implemented|left|next step|outstanding|remaining|still missing|still need|still open|to -do|to do|to-do|todo",
    ),
)


def remaining_work_gate(case: "Case") -> "Finding":
    if case.turn.tool_calls == 0:
        return _unmet(case) or case.finding(GATE, State.NOT_APPLICABLE, "nothing was done in answer to this prompt")
    if case.words.limits_scope and case.words.waiver(GATE) is None:
        return case.finding(GATE, State.NOT_APPLICABLE, f"the person set a limit: “{case.words.limits_scope}”")
    todos = [todo for todo in case.ledger.todos if _is_open(todo, case)]
    if todos:
        from ace_reflect.gates import handed_over  # few stops come this far

        todos = [todo for todo in todos if not handed_over.put_off(todo, case.turn.said)]
    if todos:
        return _todos_left(todos, case)
    listed = left_in_answer(case.final) if case.task.print_mode else ()
    if listed:
        evidence = (case.said(prose.shortened(listed[0], 160)),)
        return case.finding(
            GATE,
            State.DISPROVEN,
            f"the answer itself lists work that is left: {prose.shortened(listed[0], 100)}",
            evidence=evidence,
            key=f"{GATE}:answer:{case.turn.number}",
            mark=len(listed),
        )
    unmet = _unmet(case)
    if unmet is not None:
        return unmet
    dropped = [todo for todo in case.ledger.todos if _is_left_out(todo, case)]
    if dropped:
        return _left_off(dropped, case)
    begun = [todo for todo in case.ledger.todos if todo.open and _is_agents(todo, case)]
    if begun:
        reason = (
            f"begun and not ticked off, while the answer says that it is done: {prose.shortened(begun[0].text, 60)}"
        )
        return case.finding(
            GATE, State.UNKNOWN, reason, evidence=_quoted(begun), silent="the answer says that it is done"
        )
    return case.finding(
        GATE,
        State.PROVEN if case.ledger.todos else State.NOT_APPLICABLE,
        "the todo list is done" if case.ledger.todos else "no work is listed as open",
    )


def _unmet(case: "Case") -> "Finding | None":
    """What the prompt asked for by name, and the session shows no trace of."""
    said, settle = asked_for.test_not_written(case), ""
    reason = "a test was asked for, and none was written"
    if not said:
        settle, said = asked_for.never_run(case)
        reason = f"`{settle}` was asked for, and it never ran"
    if not said and (case.words.asks_push or case.words.asks_commit or " commit" in case.turn.said):
        from ace_reflect.gates.not_shipped import not_shipped

        deeds, said = not_shipped(case)
        settle = " && ".join(f"git {deed}" for deed in deeds)
        reason = f"a {' and a '.join(deeds)} {'were' if len(deeds) > 1 else 'was'} asked for, and {'neither' if len(deeds) > 1 else 'none'} was tried"
    if not said:
        return None
    evidence = (Evidence(line=case.turn.line, quote=prose.shortened(said, 160)),)
    return case.finding(
        GATE,
        State.DISPROVEN,
        reason,
        evidence=evidence,
        settle=settle,
        cause=Cause.NAMED_IN_PROMPT,
        key=f"{GATE}:asked:{case.turn.number}:{settle}",
        mark=case.turn.tool_calls,
    )


def _is_open(todo: "Todo", case: "Case") -> bool:
    """An item of this prompt that was not begun; one that was begun counts only where the answer does not say that it is done."""
    begun = todo.status == "in_progress"
    return todo.open and _is_agents(todo, case) and not (begun and says_done(case.plain))


def _is_left_out(todo: "Todo", case: "Case") -> bool:
    """Whether an item vanished from a list that ends with all done, and not because of what the person said meanwhile."""
    return todo.status == "left-out" and not case.turn.limits and _is_agents(todo, case)


def _is_agents(todo: "Todo", case: "Case") -> bool:
    """An item of this prompt that the agent has to do, and now."""
    mine = todo.turn == case.turn.number and not _LATER.search(todo.text) and not _of_another_part(todo, case)
    return mine and not human_action.labelled(todo.text) and human_action.classify(todo.text) != "human"


_PART = Late(
    r"(?i)\b(phase|step|part|stage|milestone|batch) #?([0-9]{1,2})\b(?! ?(?:to|and|through|or|-|–|\+|&|,) ?(?:(?:phase|step|part|stage|milestone|batch) )?#?[0-9])",
    needs=("phase|step|part|stage|milestone|batch", DIGITS),
)


def _of_another_part(todo: "Todo", case: "Case") -> bool:
    """Whether the prompt asks for one numbered part ("do phase 1") and the item begins with the number of another ("Phase 2: …")."""
    own = _PART.match(todo.text.lstrip("#*-[] "))
    asked = {(word.lower(), number) for word, number in _PART.findall(case.turn.prompt)} if own else set()
    return len(asked) == 1 and own is not None and all(noun == own[1].lower() and at != own[2] for noun, at in asked)


def _left_off(todos: "list[Todo]", case: "Case") -> "Finding":
    named = "; ".join(prose.shortened(todo.text, 60) for todo in todos[:3])
    evidence = (Evidence(line=todos[0].line, quote=f"left out: {prose.shortened(todos[0].text, 100)}"),)
    return case.finding(
        GATE, State.UNKNOWN, f"left out of the todo list: {named}", evidence=evidence, cause=Cause.OFF_THE_LIST
    )


def _quoted(todos: "list[Todo]") -> tuple[Evidence, ...]:
    return tuple(
        Evidence(line=todo.line, quote=f"{todo.status}: {prose.shortened(todo.text, 100)}") for todo in todos[:3]
    )


def _todos_left(todos: "list[Todo]", case: "Case") -> "Finding":
    from ace_reflect.gates import handed_over  # few stops come this far

    evidence = _quoted(todos)
    count = len(todos)
    reason = f"{count} item{'s' if count > 1 else ''} of the todo list {'are' if count > 1 else 'is'} still open: {'; '.join(prose.shortened(todo.text, 60) for todo in todos[:3])}"
    silent = ""
    if case.stop_kind is StopKind.WAITING_FOR_USER:
        silent = "the person was asked something first"
    elif case.stop_kind is StopKind.WORKING and not (
        stop_kind.announces_step(case.plain) or stop_kind.goes_on(case.plain)
    ):
        silent = "the answer waits for work that goes on elsewhere"
    elif _wait_for_person(todos, case):
        silent = "the answer asks the person for what the open items wait for"
    elif not case.task.print_mode and _asks_about(todos, case):
        silent = "the answer asks the person about the open items"
    elif not case.task.print_mode and handed_over.waits_for_word(case.final):
        silent = "the answer goes on at the person's word"
    elif handed_over.says_why(todos, case.final):
        silent = "the answer says why the open items stay open"
    return case.finding(
        GATE,
        State.DISPROVEN,
        reason,
        evidence=evidence,
        cause=Cause.TODO_LIST,
        key=f"{GATE}:{case.turn.number}:{','.join(sorted(todo.id for todo in todos))[:200]}",
        mark=(count, max(todo.line for todo in todos)),
        silent=silent,
    )


def _wait_for_person(todos: "list[Todo]", case: "Case") -> bool:
    """Whether each item shares a word with what the answer asks only the person for: "Publishing needs your npm login"."""
    wanted = (*human_action.asked_of_person(case.final), *human_action.said_to_need_theirs(case.final))
    asked = " ".join(wanted).lower()
    return bool(asked) and all(any(begin in asked for begin in _begins(todo.text)) for todo in todos)


def _asks_about(todos: "list[Todo]", case: "Case") -> bool:
    """Whether a question at the answer's end names each item: "Should I drop the old table as well?" of "Drop old table"."""
    last = folded(stop_kind.last_sentence(case.plain))
    if not last.rstrip().endswith(("?", "？")):
        return False
    begins = [_begins(todo.text) for todo in todos]
    return all(words and all(word in last for word in words) for words in begins)


def _begins(text: str) -> list[str]:
    """How its longer words begin: "Publish to npm" and "publishing" are of the same."""
    return [word[:6].lower() for word in re.findall(r"[^\W\d_]{5,}", text)]


def left_in_answer(answer: str, *, unclear: bool = False) -> tuple[str, ...]:
    """
    The items of an answer's list of remaining work that the agent could do itself. A wish list is no debt.

    `unclear`: also those that do not tell who could ("settings page").
    """
    mine = {"agent", "unclear"} if unclear else {"agent"}
    found: list[str] = []
    inside = False
    for line in prose.plain(answer).split("\n"):
        bare = line.strip()
        if _LEFT.match(bare.strip("#* ").rpartition(". ")[2]) and not _LATER.search(bare):
            inside = re.search(r"(?i)\b(?:you|your|yours|yourself)\b", bare) is None  # "What's left needs you:"
        elif inside and re.match(r"^(?:[-*•]|\d+[.)])\s+", bare):
            item = re.sub(r"^(?:[-*•]|\d+[.)])\s+(?:\[ \]\s*)?", "", bare)
            if human_action.classify(item) in mine and not _LATER.search(item) and not item.startswith("[x]"):
                found.append(item)
        elif inside and bare:
            inside = False
    return tuple(found)
