"""A case laid out on disk as it would stand there, and read as the product reads it."""

import os
import tempfile
from dataclasses import dataclass

from ace_reflect.assess.subject import Subject, subject_of
from ace_reflect.assess.work import read_turn
from ace_reflect.evals.cases import CWD, Case
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement
from ace_reflect.project.facts import Project
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from ace_reflect.transcript.records import AssistantText

#: Shipped defaults, with somebody to ask: what the rules leave open shows as open.
SETTINGS = Settings(models=("eval/model",))


@dataclass(frozen=True, slots=True)
class Staged:
    """One case as the product sees it at its last stop."""

    case: Case
    ledger: Ledger
    judgement: Judgement
    subject: Subject  # what a model is shown of it
    last_words: str = ""  # the agent's last text, in the middle of a turn too

    @property
    def final(self) -> str:
        """The last answer's text."""
        return self.ledger.turns[-1].final_text if self.ledger.turns else ""


def stage(case: Case) -> Staged:
    """Write the case's transcript and checkout into a folder of their own, read both, judge the stop."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-eval-") as folder:
        transcript = os.path.join(folder, "session.jsonl")
        checkout = os.path.join(folder, "checkout")
        write_transcript(case, transcript)
        os.makedirs(checkout)
        for name, text in case.files.items():
            _write(os.path.join(checkout, name), text)
        ledger = read_ledger(transcript)
        project = merge(_project(checkout, case), infer_project(ledger))
        judgement = judge_stop(
            ledger,
            project,
            SETTINGS,
            background=case.background,
            permission_mode=case.stop.get("permission_mode"),
        )
        turn = ledger.turns[-1]
        records = read_turn(transcript, turn.line, turn.last_line)
    said = [record.text for record in records if isinstance(record, AssistantText)]
    subject = subject_of(ledger, judgement, records)
    return Staged(case, ledger, judgement, subject, said[-1] if said else "")


def write_transcript(case: Case, path: str) -> None:
    """The session's file, and its subagents' where the host puts them."""
    _write(path, case.session.text())
    folder = os.path.join(os.path.splitext(path)[0], "subagents")
    for name, agent in case.session.agents.items():
        if len(agent.lines) > 1:
            _write(os.path.join(folder, f"agent-{name}.jsonl"), agent.text())


def _project(checkout: str, case: Case) -> Project:
    """The checkout's facts under the path that the transcript names; none where the case ships no file."""
    return read_project(checkout).replace(root=CWD) if case.files else Project(root=CWD)


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
