"""Facts against the labelled transcripts: every disagreement is one that bench/README.md accounts for."""

import importlib
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
#: Labels that the lines contradict; bench/README.md says how.
CONTRADICTED = {"22:401", "24:160"}
#: Labels that the engine leaves unknown; bench/README.md says why.
NOT_REACHED = {"21:95", "21:123", "30:123", "35:50", "36:44"}


@pytest.mark.shared
def test_every_fact_agrees_with_the_labels_but_for_the_known_ones(shared_dir, monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    card = importlib.import_module("accuracy").score_corpus(shared_dir / "transcripts")
    facts = {fact: score for fact, score in card.scores.items() if not fact.startswith("verdict")}
    notes = [(fact, note) for fact, score in facts.items() for note in score.notes]
    known = CONTRADICTED | NOT_REACHED
    assert [pair for pair in notes if pair[1].split(" ")[0] not in known] == []
    assert facts["tests: commands found"].hits == 127
    assert facts["tests: failing seen"].right == 26
    assert facts["edits: count"].right == 40


@pytest.mark.shared
def test_no_finished_session_is_held_back_and_most_unfinished_ones_are_not_called_complete(
    shared_dir, monkeypatch
):
    monkeypatch.syspath_prepend(str(BENCH))
    rows = importlib.import_module("verdicts").judged(shared_dir / "transcripts")
    labelled = [(row["labels"], given.verdict) for row, given in rows if not row.get("synthetic")]
    complete = [row for row in labelled if row[0]["truly_complete"] == "yes"]
    finished = [verdict for label, verdict in complete if label["edits_made"]]
    unfinished = [verdict for label, verdict in labelled if label["truly_complete"] != "yes"]
    assert [verdict.feedback for verdict in finished if verdict.decision == "block"] == []
    assert len(finished) == 22
    assert sum(not verdict.complete for verdict in unfinished) >= 8
