"""Facts against the labelled transcripts: every disagreement is one that bench/README.md accounts for."""

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from support.transcripts import TranscriptBuilder

ROOT = Path(__file__).resolve().parent.parent.parent
#: Labels that the lines contradict; bench/README.md says how.
CONTRADICTED = {"22:401", "24:160"}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """A module of `bench/`, which is scripts beside each other and no package."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    return importlib.import_module


@pytest.mark.shared
def test_every_fact_agrees_with_the_labels_but_for_the_known_ones(
    shared_dir: Path, bench: Callable[[str], ModuleType]
) -> None:
    card = bench("accuracy").score_corpus(shared_dir / "transcripts")

    facts = {fact: score for fact, score in card.scores.items() if not fact.startswith("verdict")}
    unknown = [
        f"{fact}: {note}"
        for fact, score in facts.items()
        for note in score.notes
        if note.split(" ")[0] not in CONTRADICTED
    ]
    assert unknown == []
    assert facts["tests: commands found"].hits == 127
    assert facts["tests: failing seen"].right == 26
    assert facts["edits: count"].right == 40


@pytest.mark.shared
def test_no_finished_session_is_held_back_and_most_unfinished_ones_are_not_called_complete(
    shared_dir: Path, bench: Callable[[str], ModuleType]
) -> None:
    rows = bench("verdicts").judged(shared_dir / "transcripts")
    labelled = [(entry["labels"], given.verdict) for entry, given in rows if not entry.get("synthetic")]
    finished = [verdict for label, verdict in labelled if label["truly_complete"] == "yes" and label["edits_made"]]
    unfinished = [verdict for label, verdict in labelled if label["truly_complete"] != "yes"]

    assert [verdict.feedback for verdict in finished if verdict.decision == "block"] == []
    assert len(finished) == 22
    assert sum(not verdict.complete for verdict in unfinished) >= 8


def _scored(accuracy: ModuleType, folder: Path, command: str, outcome: str) -> list[str]:
    """What is noted of a push that a label gives this outcome."""
    gone = command.startswith("cd gone")
    reply = "bash: line 1: cd: gone: No such file or directory" if gone else "Sun Nov 22"
    built = TranscriptBuilder(folder / "101-a.jsonl").prompt("ship it").bash(command, reply, exit_code=int(gone))
    built.write()
    line = built.line - 1
    labels = {
        "edits_made": 0, "last_edit_line": None, "test_commands": [], "tests_after_last_edit": None, "hook_test_runs": [],
        "build_commands": [], "git_pushes": [{"line": line, "outcome": outcome, "branches": ["fix"]}],
        "pushed_to_main": False, "pr_created": False, "pr_url": None, "ci_checked": False, "interrupt_lines": [],
        "interrupted_last": False, "compaction_lines": [], "exit_plan_mode": [],
    }  # fmt: skip
    entry = {"file": "101-a.jsonl", "lines": built.line, "labels": labels}
    (folder / "MANIFEST.json").write_text(json.dumps({"transcripts": [entry]}))
    notes: list[str] = accuracy.score_corpus(folder)["pushes: outcome"].notes
    return notes


@pytest.mark.parametrize(
    ("command", "outcome", "agrees"),
    [
        ("git push -q origin fix 2>/dev/null; date", "no-result", True),
        ("git push -q origin fix 2>/dev/null; date", "ok", False),
        ("cd gone && git push origin fix", "not-run", True),
        ("cd gone && git push origin fix", "up-to-date", False),
    ],
)
def test_a_push_may_have_any_outcome_that_a_test_has(
    tmp_path: Path, bench: Callable[[str], ModuleType], command: str, outcome: str, agrees: bool
) -> None:
    assert (_scored(bench("accuracy"), tmp_path, command, outcome) == []) is agrees


def test_a_label_that_nobody_knows_is_named_with_its_file_and_line(
    tmp_path: Path, bench: Callable[[str], ModuleType]
) -> None:
    with pytest.raises(SystemExit, match=r"^101:\d+: the label's outcome 'splendid' is none of pass, fail, "):
        _scored(bench("accuracy"), tmp_path, "git push origin fix", "splendid")
