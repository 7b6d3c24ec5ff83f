"""Facts against the labelled transcripts: every disagreement is one that bench/README.md accounts for."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
#: Labels that the lines contradict; bench/README.md says how.
CONTRADICTED = {"22:401", "24:160"}


def _scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("accuracy", ROOT / "bench" / "accuracy.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["accuracy"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.shared
def test_every_fact_agrees_with_the_labels_but_for_the_known_ones(shared_dir: Path) -> None:
    card = _scorer().score_corpus(shared_dir / "transcripts")

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
