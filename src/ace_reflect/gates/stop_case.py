"""One stop as a `Case`: the current turn, its task, the words in force, what still runs."""

from ace_reflect.evidence.facts import RUN_KINDS, CommandKind, Ledger, Turn
from ace_reflect.gates import stop_kind
from ace_reflect.gates.case import Case
from ace_reflect.gates.model import History
from ace_reflect.gates.task import read_task
from ace_reflect.gates.words import Words
from ace_reflect.gates.words_in_force import standing_waivers, words_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.project.facts import Project
    from ace_reflect.settings import Settings

#: Background work that has an end and bears on a gate. A dev server defers nothing.
AWAITED = RUN_KINDS | {CommandKind.PR_CHECKS, CommandKind.COMMIT, CommandKind.PUSH}


def current_turn(ledger: Ledger) -> Turn | None:
    """The current human turn; None where nobody has asked for anything yet."""
    last = ledger.turns[-1] if ledger.turns else None
    return last if last is not None and last.number else None  # turn 0 is what came before the first prompt


def read_case(  # noqa: PLR0913, PLR0917 - what a stop is made of
    ledger: Ledger,
    turn: Turn,
    project: "Project",
    settings: "Settings",
    history: History,
    final_text: str | None,
    background: tuple[str, ...] | None,
    heard: "dict[str, Any] | None" = None,
) -> Case:
    """What the gates look at. `heard`: see `words_in_force`."""
    final = turn.final_text if final_text is None else final_text
    words = _with_instructions(words_in_force(ledger, turn, heard), project, heard)
    return Case(
        ledger=ledger,
        turn=turn,
        final=final,
        task=read_task(ledger, turn, words),
        words=words,
        project=project,
        settings=settings,
        history=history,
        stop_kind=stop_kind.read_kind(final),
        running=_still_running(ledger, background),
    )


def _with_instructions(words: Words, project: "Project", heard: "dict[str, Any] | None" = None) -> Words:
    """Standing waivers of the project's own instruction files ("do not run the tests yourself")."""
    name = (
        project.instruction_files[0].rpartition("/")[2] if project.instruction_files else "the project's instructions"
    )
    kept = tuple(
        waiver
        for waiver in standing_waivers(project.instructions, name, heard)
        if waiver.gate in {"tests", "build", "pr"} and not (waiver.gate == "pr" and project.wants_pr)
    )
    return words.replace(waivers=(*words.waivers, *kept))


def _still_running(ledger: Ledger, background: tuple[str, ...] | None) -> tuple[str, ...]:
    """What the host lists as running, else what the transcript shows."""
    if background is not None:
        return background
    tasks = (task for task in ledger.background if task.running and (task.subagent or task.kind in AWAITED))
    return tuple(task.command or task.id for task in tasks)
