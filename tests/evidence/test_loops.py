"""What the loop detectors tell calls apart by."""

from pathlib import Path

import pytest

from support.ledgers import ledger_of
from support.transcripts import TranscriptBuilder


def test_two_files_deep_in_one_folder_are_two_calls_and_a_name_is_not_cut_in_two(tmp_path: Path) -> None:
    deep = "/".join(["", "home", "dev", *["a-rather-long-folder-name"] * 5])
    session = TranscriptBuilder(tmp_path / "s.jsonl").prompt("Fix them")
    for name in ("first_of_the_two", "second_of_the_two"):
        session.edit(f"{deep}/{name}.py")
    keys = [call.key for call in ledger_of(session).calls]
    assert len(set(keys)) == 2
    assert all(len(key) <= 120 for key in keys)
    assert all(key.split("#")[0].endswith("a-rather-long-folder-name") for key in keys)


@pytest.mark.parametrize(
    ("command", "only_looks"),
    [
        ("export MODE=fast && ./harness.sh verify", False),
        ("cd app && python3 deploy.py | tail -3", False),
        ("git fetch origin; git status", False),
        ("cd app && cat main.py | head -40", True),
        ("export LC_ALL=C; ls | sort && git log --oneline", True),
        ("gh pr view 4 && git diff main", True),
    ],
)
def test_a_command_only_looks_where_all_of_its_parts_do(tmp_path: Path, command: str, only_looks: bool) -> None:
    session = TranscriptBuilder(tmp_path / "s.jsonl").prompt("Fix them").bash(command, "ok")

    assert [call.read for call in ledger_of(session).calls] == [only_looks]
