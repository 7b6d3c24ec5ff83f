"""What is said: the message to Claude, as a colleague would send it, and the one line to the person."""

from ace_reflect.gates.answer import Loops
from ace_reflect.gates.model import Evidence, Finding
from ace_reflect.text import shortened

MAX_CHARS = 1_200
OFF = "(To the person: write “skip gates” to switch these checks off, for one prompt or “for this session”.)"
_WAYS = {
    "claims": "Correct the answer, or do what it says.",
    "direct_push": "Leave the history as it is, say in your answer where the work went, and use a branch and a pull request from now on.",
    "completion": "Do it now, or say where things stand.",
    "remaining_work": "Do them now, or say where things stand.",
}


def feedback(
    pressing: tuple[Finding, ...], loops: Loops, attempt: tuple[int, int], *, last: bool, same: bool
) -> str:
    """The text of one block: what is missing, its evidence, the command that settles it. `attempt`: (number, of how many)."""
    first, others = pressing[0], pressing[1:3]
    where, begin = f" ({first.scope})" if first.scope else "", ""
    if loops.action:
        begin = f"`{shortened(loops.repeated, 80)}` has run {loops.times} times with nothing changed in between. "
    elif loops.planning and first.gate in {"completion", "remaining_work"}:
        begin = f"{loops.calls} calls, and hardly a change: stop planning and do it. "
    parts = [f"{begin}{first.reason[:1].upper()}{first.reason[1:]}{where}."]
    parts += [f"  {' '.join(item.quote.split())} ({_place(item)})" for item in first.evidence]
    parts.append(_way_out(first, loops))
    named = dict.fromkeys(f"{f.reason}{f' (`{f.settle}`)' if f.settle else ''}" for f in others)
    parts += [f"Also open: {'; '.join(named)}."] if others else []
    ask = "if something keeps you from it, say what."
    if last:
        why = "nothing has changed since the one before, so " if same else ""
        ask = f"{why}this is the last message: finish it, or say in one sentence what blocks you."
    parts.append(f"Attempt {attempt[0]} of {attempt[1]}: {ask}")
    body, room = "\n".join(parts), MAX_CHARS - len(OFF) - 1
    return f"{body if len(body) <= room else body[: room - 1] + '…'}\n{OFF}"


def _way_out(finding: Finding, loops: Loops) -> str:
    run = f"`{finding.settle}`"
    if loops.action and finding.gate in {"tests", "build", "claims"}:
        return "Change something before you run it again."
    if finding.gate == "pr":
        return f"Push the branch, run {run}, and give the address."
    if not finding.settle:
        return _WAYS.get(finding.gate, "Run the tests of what you edited.")
    if "failed" in finding.reason:
        return f"Fix what fails and run {run} again. If it is not yours, show it: run it without your change."
    return f"Run {run} and read its result."


def _place(item: Evidence) -> str:
    return f"line {item.line} of {item.file}" if item.file else f"transcript line {item.line}"


def to_person(said: str) -> str:
    return f"ace-reflect: {shortened(said, 300)}"


def proven(findings: tuple[Finding, ...]) -> str:
    shown = dict.fromkeys(f"{f.reason} ({_place(f.evidence[-1])})" for f in findings if f.evidence)
    return to_person(f"proven: {'; '.join([*shown][:3])}")


def left_open(findings: tuple[Finding, ...]) -> str:
    """What is open although nothing is blocked, and what else is worth a line; "" for nothing."""
    said = dict.fromkeys(f"{f.reason}{f' ({f.silent})' if f.silent else ''}" for f in findings)
    word = "left open: " if any(finding.open for finding in findings) else ""
    return to_person(word + "; ".join([*said][:2])) if said else ""
