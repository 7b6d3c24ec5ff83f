"""The judge: what is asked when a self-assessment is no JSON. One verdict, from the same facts and the text that could not be read."""

from ace_reflect.assess.answers import JudgeAnswer
from ace_reflect.assess.asker import JUDGE_S, Asker, ask_models
from ace_reflect.assess.role import Role, Told
from ace_reflect.assess.subject import Subject
from ace_reflect.assess.text import cut

JUDGE: Role[JudgeAnswer] = Role(
    name="judge",
    prompt_file="judge.txt",
    answer=JudgeAnswer,
    max_tokens=1_500,
    deadline_s=JUDGE_S,
    fresh_s=3_600.0,
)


async def judge(asker: Asker, subject: Subject, assessment: str = "") -> Told[JudgeAnswer | None]:
    """The judge's verdict on a stop. `assessment`: the text of an assessment that could not be read, "" without one."""
    return await ask_models(JUDGE, judge_values(subject, assessment), asker)


def judge_values(subject: Subject, assessment: str = "") -> dict[str, str]:
    """What the judge's prompt has places for."""
    none = "(there is none: judge from the facts, the work and the last answer)"
    return {**values_of(subject), "assessment": cut(assessment, 4_000) or none}


def values_of(subject: Subject) -> dict[str, str]:
    """What both the assessment's and the judge's prompt have places for."""
    return {
        "task": subject.task or "(not known)",
        "earlier": subject.earlier or "(nothing)",
        "kind": subject.kind,
        "mode": "print mode: nobody can answer a question"
        if subject.mode == "print"
        else "interactive: the person can answer",
        "requirements": subject.requirements or "(none)",
        "facts": subject.facts or "(none)",
        "work": subject.work,
        "answer": subject.answer,
        "why": subject.why or "(nothing in particular)",
        "instructions": subject.instructions.strip() or "(none)",
        "rubric": subject.rubric.strip() or "(none)",
        "attempt": attempt_line(subject),
    }


def attempt_line(subject: Subject) -> str:
    """How often the agent was sent back over this task already."""
    if not subject.attempt:
        return (
            f"Attempt 1 of {subject.max_attempts}: the agent was not sent back over this task yet."
        )
    last = (
        " The next message would be the last one."
        if subject.attempt + 1 >= subject.max_attempts
        else ""
    )
    return (
        f"Attempt {subject.attempt + 1} of {subject.max_attempts}: the agent was sent back over this task {_times(subject.attempt)} already.{last} If it repeats"
        " what did not help, it is stuck: say so, and name another way."
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
