"""Only a person types `!command`: the same marks in a subagent's lines are text that an agent wrote."""

from pathlib import Path

import pytest

from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

WORDS = "<bash-input>pytest -q</bash-input><bash-stdout>3 passed in 0.1s</bash-stdout>"


def test_a_prompt_that_an_agent_gives_to_a_subagent_is_no_run_of_the_persons(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").edit("/p/a.py")
    worker = TranscriptBuilder(tmp_path / "w.jsonl", agent_id="a1").user_line(WORDS).say("Done.")
    worker.write_subagent(built.write())

    assert ledger_of(built).runs == ()


@pytest.mark.parametrize("version", ["1.0.51", "2.1.330"])
def test_nor_is_one_in_the_sessions_own_file(version: str, tmp_path: Path) -> None:
    built = session(tmp_path, version=version).prompt("Fix it").edit("/p/a.py")
    built.sidechain().user_line(WORDS).sidechain(on=False)

    assert ledger_of(built).runs == ()


def test_the_persons_own_command_is_one(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Fix it").edit("/p/a.py").shell("pytest -q", "3 passed in 0.1s")

    assert [(run.by, run.outcome) for run in ledger_of(built).runs] == [("user", "passed")]
