"""The message that wakes a session: first the one thing missing, then what to do; a model's words are quoted and capped."""

from ace_reflect.assess.evaluate import Evaluation
from ace_reflect.gates.message import MAX_CHARS, OFF
from ace_reflect.text import counted, shortened


def wake_message(evaluation: Evaluation, *, attempt: int, most: int) -> str:
    """The text for one more try. `attempt` counts this one; the last of `most` says that it is the last."""
    opinion, missing = evaluation.opinion, evaluation.verdict.missing
    stuck = "This seems stuck" if opinion.stuck else "Not finished yet"
    first = missing[0] if missing else "" if opinion.stuck else opinion.reason
    parts = [f"{stuck}: {plain(first)}." if first else f"{stuck}."]
    if opinion.stuck:
        way = f"Try another way: {plain(opinion.alternate)}." if opinion.alternate else ""
        parts.append(f"{way or 'Try another way.'} Do not repeat what has failed.")
    else:
        steps = [step for step in evaluation.verdict.next_actions if step not in missing]
        parts.append(_listed("Next", steps[:3]))
    parts.append(_listed("Also open", missing[1:4]))
    parts.append(_listed("For the person, not for you", opinion.human[:3]))
    count = f"Attempt {attempt} of {most}. " if attempt > 1 else ""
    ask = f"{count}Do it now; if something keeps you from it, or it was not asked for, say so."
    last = f"This is the last message ({attempt}/{most}): finish it now, or say in one sentence what blocks you."
    return whole([*parts, last if attempt >= most else ask])


def handed_over(text: str, agent: str) -> str:
    """A message with the order to hand the fix to an installed agent before its last line, if there is room."""
    body, _, end = text.rpartition("\n")
    order = f"Hand this fix to the agent `{agent}`: give it the task and this message, then look at what it did yourself."
    whole = f"{body}\n{order}\n{end}"
    return whole if len(whole) <= MAX_CHARS else text


def whole(parts: list[str]) -> str:
    """The message of these parts, capped, with the words at its end that switch the checks off."""
    body = "\n".join(part for part in parts if part)
    room = MAX_CHARS - len(OFF) - 1
    return (body if len(body) <= room else body[: room - 1].rstrip() + "…") + "\n" + OFF


def _listed(what: str, items: tuple[str, ...] | list[str]) -> str:
    return f"{what}: {'; '.join(plain(item) for item in items)}." if items else ""


def plain(text: str, most: int = 240) -> str:
    """One line without opening tags or a doubled full stop."""
    return shortened(text, most).replace("<", "‹").rstrip(".…;: ")


def left_to_person(evaluation: Evaluation) -> str:
    """The line to the person when the stop stands."""
    opinion = evaluation.opinion
    unsure = opinion.reason if opinion.unsure else ""
    return f"Waits for you: {shortened('; '.join(opinion.human), 300)}" if opinion.human else unsure


def gave_up(missing: tuple[str, ...], attempts: int) -> str:
    """The line to the person when nothing was done after a message."""
    left = shortened("; ".join(missing) or "the work is not finished", 300)
    return f"Not done after {counted(attempts, 'message')}: {left}"
