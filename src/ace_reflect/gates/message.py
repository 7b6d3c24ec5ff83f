"""
The message to Claude, as a senior colleague would send it: the one missing thing, the evidence, the command that settles it.

It reaches the model twice, so it is short; it ends with the words that switch the checks off, and names no file of ours.
"""

from ace_reflect.gates import prose
from ace_reflect.gates.model import Cause, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.loops import Loops
    from ace_reflect.gates.model import Evidence, Finding

MAX_CHARS = 1_200
#: The last line of every message. The person's word for it is honoured by `words.py`.
OFF = "(To the person: write “skip gates” to switch these checks off, for one prompt or “for this session”.)"
_LABEL_WIDTH = 11


def feedback(
    open_findings: "tuple[Finding, ...]",
    case: "Case",
    loops: "Loops",
    *,
    attempt: int,
    last: bool,
    nothing_new: bool = False,
) -> str:
    """The text of one block. `open_findings`: those that block, the gravest first."""
    first = open_findings[0]
    parts = [_headline(first, loops), _proof(first), _way_out(first, loops)]
    if rest := _rest(first, open_findings[1:]):
        parts.append("Also open: " + "; ".join(rest[:2]) + ".")
    parts.append(_escalation(attempt, case.settings.max_attempts, last=last, nothing_new=nothing_new))
    return _fitted([part for part in parts if part], OFF)


def _headline(finding: "Finding", loops: "Loops") -> str:
    if loops.action and finding.gate in {"tests", "build", "claims"}:
        return (
            f"The same command has run {loops.times} times with nothing changed in between: `{prose.shortened(loops.repeated, 80)}`. "
            + _sentence(finding.reason)
        )
    if finding.cause is Cause.ONLY_READ:
        return f"Stop reading and start writing: {finding.reason}."
    if finding.gate == "tests" and finding.scope:
        return f"{finding.scope}: {_sentence(finding.reason, begins=False)}"
    return _sentence(finding.reason)


def _proof(finding: "Finding") -> str:
    return "\n".join(
        f"  {label:<{_LABEL_WIDTH}} {' '.join(item.quote.split())} ({_place(item)})"
        for label, item in zip(_labels(finding), finding.evidence, strict=False)
    )


def _labels(finding: "Finding") -> tuple[str, ...]:
    if finding.gate in {"tests", "build"}:
        return (
            ("test change", "last edit", "last run")
            if finding.cause is Cause.LOOSENED
            else ("last edit", "last run", "")
        )
    if finding.gate == "claims":
        return ("you say", "it shows", "")
    if finding.gate == "remaining_work":
        return ("asked", "", "") if finding.cause is Cause.NAMED_IN_PROMPT else ("open", "open", "open")
    return ("seen", "seen", "seen")


def _place(item: "Evidence") -> str:
    """The line is the transcript's, not the file's that the quote may name."""
    return f"line {item.line} of {item.file}" if item.file else f"transcript line {item.line}"


def _way_out(finding: "Finding", loops: "Loops") -> str:
    run = f"`{finding.settle}`" if finding.settle else ""
    if finding.gate in {"tests", "build"}:
        if loops.action:
            return "Change something before you run it again, or say what blocks you."
        return _way_to_proof(finding, run) if run else ""
    if finding.gate == "pr":
        made = finding.cause is Cause.NO_ADDRESS
        return f"Show it with {run}." if made else f"Push the branch and run {run}, then give its address."
    if finding.gate == "direct_push":
        return _way_out_of_push(finding)
    if finding.gate == "claims":
        return _way_out_of_claim(finding, run)
    if finding.gate == "remaining_work":
        if finding.cause is Cause.TODO_LIST:
            return "Finish them, or take off the list what no longer holds and say so."
        return f"Run {run} now, and read its result." if run else "Do it now."
    if finding.gate == "completion":
        if finding.cause is Cause.ONLY_READ:
            return "Make the change now, or say what keeps you from it."
        if finding.cause is Cause.ASKS_NOBODY:
            return "Nobody can answer here. Decide it yourself, and say how you decided."
        return "Go on with that step, or say where things stand."
    return f"Run {run}." if run else ""


def _way_to_proof(finding: "Finding", run: str) -> str:
    if finding.masked:
        return f"Run {run} on its own, without a pipe, and read its result."
    if finding.cause is Cause.LEFT_OUT:
        return f"Run {run} with them in it, and fix what fails."
    if finding.cause is Cause.LOOSENED:
        return f"Switch it on again, run {run} with it in, and fix what fails."
    if finding.cause is Cause.TESTS_FAILED:
        return (
            f"Fix what fails and run {run} again. If the failures are not yours, show it: run them without your change."
        )
    return f"Run {run} and read its result."


def _way_out_of_push(finding: "Finding") -> str:
    if finding.cause is Cause.OVERWROTE:
        return "Do not push again. Say in your answer what was overwritten (the rejected push shows it), so that it can be brought back."
    return "Leave the history as it is. Say in your answer that it went there, and from now on work on a branch and open a pull request."


def _way_out_of_claim(finding: "Finding", run: str) -> str:
    if finding.cause is Cause.FILE_UNTOUCHED:
        return f"Make the change, or take it out of the answer. If something else made it, show it with {run}."
    return f"Run {run} and correct the answer, or take the claim back." if run else "Correct the answer, or show it."


def _escalation(attempt: int, most: int, *, last: bool, nothing_new: bool) -> str:
    if last:
        why = (
            "Nothing has changed since the last message, so this is the last one"
            if nothing_new
            else f"This is the last one ({attempt}/{most})"
        )
        return f"{why}: finish it now, or say in one sentence what blocks you and what you need."
    return (
        f"Attempt {attempt} of {most}; if something keeps you from it, say what."
        if attempt > 1
        else "If something keeps you from it, say what."
    )


def _rest(first: "Finding", others: "tuple[Finding, ...]") -> list[str]:
    """What else is open, each reason once, with the commands that settle it; of the first one's those of other packages."""
    settled: dict[str, dict[str, None]] = {}
    tested = {finding.scope for finding in (first, *others) if finding.gate == "tests"}
    for finding in others:
        if finding.cause is Cause.TESTS_COMPILE_IT and finding.scope in tested:
            continue
        same = (finding.gate, finding.reason) == (first.gate, first.reason)
        if same and (not finding.settle or finding.settle == first.settle):
            continue
        reason = f"the same in {finding.scope}" if finding.scope else "the same elsewhere"
        known = settled.setdefault(reason if same else finding.reason.rstrip("."), {})
        known.update(dict.fromkeys([finding.settle] if finding.settle else []))
    return [_short(reason, tuple(commands)) for reason, commands in settled.items()]


def _short(reason: str, commands: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{command}`" for command in commands[:2])
    more = f" and {len(commands) - 2} more" if len(commands) > 2 else ""
    return f"{reason} ({shown}{more})" if shown else reason


def _sentence(text: str, *, begins: bool = True) -> str:
    text = text.strip()
    if begins and not text.startswith("`") and "/" not in text.split(" ")[0]:
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ".”", "!”", "?”", "…")) else text + "."


def _fitted(parts: list[str], end: str) -> str:
    """Whole parts, cut in the evidence first, never over `MAX_CHARS`."""
    text = "\n".join((*parts, end))
    if len(text) <= MAX_CHARS:
        return text
    room = MAX_CHARS - len(end) - 1
    short = [
        part
        if len(part) <= 300
        else "\n".join(prose.shortened(line, 140) if len(line) > 140 else line for line in part.split("\n"))
        for part in parts
    ]
    body = "\n".join(short)
    return (body if len(body) <= room else body[: room - 1] + "…") + "\n" + end


def handed_over(text: str, agent: str) -> str:
    """A message with the order to hand the fix to an installed agent, before its last line; as it is where there is no room."""
    order = (
        f"Hand this fix to the agent `{agent}`: give it the task and this message, then look at what it did yourself."
    )
    body, _, end = text.rpartition("\n")
    whole = f"{body}\n{order}\n{end}"
    return whole if len(whole) <= MAX_CHARS else text


# ------------------------------------------------------------------ one line to the person


def completed(findings: "tuple[Finding, ...]", unshown: "tuple[str, ...]") -> str:
    """The line for a stop with everything proven but claims that are not shown; "" where no gate had anything to prove."""
    proven = [f for f in findings if f.state is State.PROVEN and f.gate in {"tests", "build", "pr", "ci"}]
    if not proven:
        return ""
    packages = {finding.scope for finding in proven}
    where = f" in {min(packages)}" if len(packages) == 1 and "" not in packages else ""
    # One run may prove several packages.
    shown = list(dict.fromkeys(f"{finding.reason}{where}{_line(finding)}" for finding in proven))[:3]
    return ("Proven: " if unshown else "Done and proven: ") + "; ".join((*shown, *unshown))


def left_to_person(items: tuple[str, ...]) -> str:
    said = "; ".join(items).replace("“” .", "“”.").replace("“” ,", "“”,")  # where a quotation was taken out
    return "Waits for you: " + prose.shortened(said.replace("“”", "“…”"), 300)


def gave_up(findings: "tuple[Finding, ...]", attempts: int) -> str:
    what = "; ".join(finding.reason for finding in findings[:2])
    return f"Not done after {prose.counted(attempts, 'message')}: {prose.shortened(what, 300)}"


def left_open(findings: "tuple[Finding, ...]") -> str:
    said = (f"{finding.reason} ({finding.silent})" if finding.silent else finding.reason for finding in findings)
    return "Left open: " + prose.shortened("; ".join(list(dict.fromkeys(said))[:2]), 300)


def _line(finding: "Finding") -> str:
    return f" ({_place(finding.evidence[-1])})" if finding.evidence else ""
