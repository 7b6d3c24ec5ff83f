"""Facts against the labelled transcripts: every disagreement is one that bench/README.md accounts for."""

import importlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

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
    labelled = [
        (entry["labels"], given.verdict) for entry, given in rows if not entry.get("synthetic")
    ]
    finished = [
        verdict
        for label, verdict in labelled
        if label["truly_complete"] == "yes" and label["edits_made"]
    ]
    unfinished = [verdict for label, verdict in labelled if label["truly_complete"] != "yes"]

    assert [verdict.feedback for verdict in finished if verdict.decision == "block"] == []
    assert len(finished) == 22
    assert sum(not verdict.complete for verdict in unfinished) >= 8
