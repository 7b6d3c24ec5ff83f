"""Facts and verdicts against the labels: every disagreement is accounted for, and the README's table is what was measured."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Labels that the lines contradict; bench/README.md says how.
CONTRADICTED = {"22:401", "24:160"}
#: Labels that the engine leaves unknown; bench/README.md says why.
NOT_REACHED = {"21:95", "21:123", "30:123", "35:50", "36:44"}


@pytest.fixture
def published(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    return importlib.import_module("published")


@pytest.mark.shared
def test_what_is_published_is_what_is_measured(shared_dir, published):
    readme = (ROOT / "README.md").read_text()
    found = published.measure(shared_dir / "transcripts")
    facts = {f: s for f, s in found.card.scores.items() if f != "task type" and "loop" not in f}
    notes = [note for fact, score in facts.items() for note in score.notes if "shot" not in fact]

    assert {note.split(" ")[0] for note in notes} == CONTRADICTED | NOT_REACHED
    assert facts["tests: commands found"].hits == 127
    assert facts["tests: failing seen"].right == 26
    assert facts["one-shot: suite runs"].right >= 165
    assert "hold back | 0 of 68" in found.table
    assert published.in_readme(found.table, readme) == readme


def test_a_transcript_that_is_not_the_labelled_one_is_named(published, tmp_path):
    rows = published.labels("sessions")
    (tmp_path / rows[0]["file"]).write_text("{}\n")

    with pytest.raises(SystemExit, match=r"01-fixture-edge-cases\.jsonl is not there, or not"):
        next(published.sessions(rows, tmp_path))
    assert len({row["blob"] for row in rows + published.labels("one-shot")}) == 100
