"""
The message that wakes a session: first the one thing that is missing, then what shows it and what to do about it.

It is short, and written for the model that acts on it. What the assessing model said is quoted, capped and on one line
each: only gates give orders.
"""

from ace_reflect.assess.evaluate import Evaluation
from ace_reflect.gates.message import MAX_CHARS, OFF
from ace_reflect.text import counted, shortened

_LONGEST = 240


def wake_message(evaluation: Evaluation, *, attempt: int, most: int) -> str:
    """The text for one more try. `attempt` counts this one; the last of `most` says that it is the last."""
    opinion, verdict = evaluation.opinion, evaluation.verdict
    parts = [_headline(evaluation), *_proof(evaluation), *_steps(evaluation)]
    also = verdict.missing[1:4]
    if also:
        parts.append("Also open: " + "; ".join(plain(item) for item in also) + ".")
    if opinion.human:
        parts.append(
            "For the person, not for you: "
            + "; ".join(plain(item) for item in opinion.human[:3])
            + "."
        )
    parts.append(_escalation(attempt, most))
    return whole(parts)


def whole(parts: list[str]) -> str:
    """The message of these parts, capped, with the words at its end that switch the checks off."""
    body = "\n".join(part for part in parts if part)
    room = MAX_CHARS - len(OFF) - 1
    return (body if len(body) <= room else body[: room - 1].rstrip() + "…") + "\n" + OFF


def _headline(evaluation: Evaluation) -> str:
    opinion, missing = evaluation.opinion, evaluation.verdict.missing
    if opinion.stuck:
        return f"This seems stuck: {plain(missing[0])}." if missing else "This seems stuck."
    if missing:
        return f"Not finished yet: {plain(missing[0])}."
    return f"Not finished yet: {plain(opinion.reason)}." if opinion.reason else "Not finished yet."


def _proof(evaluation: Evaluation) -> list[str]:
    """Both sides of a contradiction that bears on what is missing: what was assumed, and what the record shows."""
    rows = []
    for item in evaluation.opinion.bearing[:2]:
        place = f" (line {item.line}{f', {item.file}' if item.file else ''})" if item.line else ""
        rows += [
            f"  {'assumed':<11} {plain(item.claim)}",
            f"  {'it shows':<11}{place} {plain(item.shows)}",
        ]
    return ["\n".join(rows)] if rows else []


def _steps(evaluation: Evaluation) -> list[str]:
    opinion = evaluation.opinion
    said = set(evaluation.verdict.missing)
    steps = [action for action in evaluation.verdict.next_actions if action not in said][:3]
    if opinion.stuck:
        another = (
            f"Try another way: {plain(opinion.alternate)}."
            if opinion.alternate
            else "Try another way."
        )
        return [f"{another} Do not repeat what has failed."]
    return ["Next: " + "; ".join(plain(step) for step in steps) + "."] if steps else []


def _escalation(attempt: int, most: int) -> str:
    if attempt >= most:
        return f"This is the last message ({attempt}/{most}): finish it now, or say in one sentence what blocks you and what you need."
    if attempt > 1:
        return f"Attempt {attempt} of {most}. Do it now; if something keeps you from it, or it was not asked for, say so."
    return "Do it now; if something keeps you from it, or it was not asked for, say so."


def plain(text: str, most: int = _LONGEST) -> str:
    """One line that opens no tag and ends no sentence twice."""
    return shortened(text, most).replace("<", "‹").rstrip(".…;: ")


def left_to_person(evaluation: Evaluation) -> str:
    """The line to the person where the stop stands."""
    if evaluation.opinion.human:
        return "Waits for you: " + shortened("; ".join(evaluation.opinion.human), 300)
    return ""


def gave_up(missing: tuple[str, ...], attempts: int) -> str:
    """The line to the person where a message was sent and nothing was done since."""
    return f"Not done after {counted(attempts, 'message')}: {shortened('; '.join(missing) or 'the work is not finished', 300)}"
