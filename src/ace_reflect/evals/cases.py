"""The suites in `evals/`: one folder each, cases as YAML, every label with its reason; and a case laid out on disk."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ace_reflect.assess.subject import Subject, read_turn, subject_of
from ace_reflect.errors import AceReflectError
from ace_reflect.evals.session import Session
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import History, Judgement
from ace_reflect.paths import data_dir
from ace_reflect.project.facts import Project
from ace_reflect.project.read import read_project
from ace_reflect.settings import Settings
from ace_reflect.transcript.records import AssistantText

CWD = "/home/dev/project"
#: The defaults, with a model to ask: what the rules leave open shows as open.
SETTINGS = Settings(models=("eval/model",))
#: Suite -> possible answers.
KINDS = {
    "assess": ("complete", "incomplete", "waiting"),
    "judge": ("complete", "incomplete", "waiting"),
    "stuck": ("genuinely_stuck", "waiting_for_user", "working", "complete"),
    "post-compaction": ("needs_github_update", "continue_task", "needs_clarification", "task_complete"),
    "agent": ("0", "1", "2", "3", "4", "5"),
}  # fmt: skip
#: Answers that call for action.
POSITIVE = frozenset(
    ("incomplete", "genuinely_stuck", *KINDS["post-compaction"][:3], *KINDS["agent"][:4])
)


@dataclass(frozen=True, slots=True)
class Case:
    """One case: a session, its checkout, and the right answers.

    `right` holds one answer, or a range of neighbouring scores. `stop` is what the host's event says beside the
    transcript: `permission_mode`, `background` (what still runs), `trigger` of a compaction.
    """

    suite: str
    id: str
    right: tuple[str, ...]
    why: str
    session: Session
    files: Mapping[str, str | None] = field(default_factory=dict)
    stop: Mapping[str, Any] = field(default_factory=dict)

    @property
    def positive(self) -> bool:
        """Whether something is to be done about it."""
        return self.right[0] in POSITIVE


def load(suite: str) -> tuple[Case, ...]:
    """The cases of one suite, in the order of its files. Raises AceReflectError naming file and case."""
    folder = os.path.join(data_dir("evals"), suite)
    names = sorted(os.listdir(folder))
    return tuple(case for name in names for case in read_file(os.path.join(folder, name), suite))


def read_file(path: str, suite: str) -> tuple[Case, ...]:
    """The cases of one file. Raises AceReflectError."""
    import yaml

    where, cases = path, []
    try:
        with open(path, encoding="utf-8") as file:
            listed = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
        for item in listed:
            where = f"{path}: {item['id']}"
            cases.append(_case(suite, **item))
    except (OSError, LookupError, TypeError, ValueError, yaml.YAMLError) as error:
        raise AceReflectError(f"{where}: cannot be used: {' '.join(str(error).split())}") from None
    return tuple(cases)


def _case(suite: str, *, expect: Any, session: Any, branch: str = "main", **rest: Any) -> Case:
    """Raises TypeError for an unknown key, ValueError for an unknown answer or step."""
    known = KINDS[suite]
    first, last = (expect[0], expect[-1]) if isinstance(expect, list) else (expect, expect)
    if not {str(first), str(last)} <= set(known):
        raise ValueError(f"`expect` is one of {', '.join(known)}, not {expect}")
    right = known[known.index(str(first)) : known.index(str(last)) + 1]
    return Case(suite=suite, right=right, session=Session(session, CWD, branch), **rest)


# ------------------------------------------------------------------ on disk


@dataclass(frozen=True, slots=True)
class Staged:
    """One case as the product sees it at its last stop."""

    case: Case
    ledger: Ledger
    judgement: Judgement
    subject: Subject  # what a model is shown of it
    last_words: str  # the agent's last text, even in mid-turn


def stage(case: Case) -> Staged:
    """Write the case's transcript and checkout to a temporary folder, read both, judge the stop."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-eval-") as folder:
        transcript, checkout = (
            os.path.join(folder, "session.jsonl"),
            os.path.join(folder, "checkout"),
        )
        _write(transcript, "\n".join([*case.session.lines, ""]))
        for name, agent in case.session.agents.items():
            if len(agent.lines) > 1:
                path = os.path.join(folder, "session", "subagents", f"agent-{name}.jsonl")
                _write(path, "\n".join([*agent.lines, ""]))
        for name, text in case.files.items():
            _write(os.path.join(checkout, name), text or "")
        ledger = read_ledger(transcript)
        listed = case.stop.get("background")
        # Under the path that the transcript names.
        project = read_project(checkout).replace(root=CWD) if case.files else Project(root=CWD)
        judgement = judge_stop(
            ledger,
            project,
            SETTINGS,
            background=None if listed is None else tuple(map(str, listed)),
            permission_mode=case.stop.get("permission_mode"),
        )
        turn = ledger.turns[-1]
        records = read_turn(transcript, turn.line, turn.last_line)
    said = [record.text for record in records if isinstance(record, AssistantText)]
    # As at a first stop: the rules' own block, which is the label of many a case, is counted in the judgement's history.
    subject = subject_of(ledger, judgement.replace(history=History()), records)
    last_words = said[-1] if said else ""
    return Staged(case, ledger, judgement, subject, last_words)


def _write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
