"""The splitter against tree-sitter-bash, over every Bash command of the recorded sessions."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parent.parent.parent / "bench"


@pytest.mark.shared
def test_the_splitter_agrees_with_tree_sitter_on_recorded_commands(shared_dir: Path) -> None:
    """It exits 1 above a disagreement of half a per cent on which commands run and whose status shows."""
    pytest.importorskip("tree_sitter", reason="no wheels for this Python (see pyproject.toml)")
    done = subprocess.run(
        [sys.executable, str(BENCH / "shell_oracle.py"), str(shared_dir / "transcripts")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert " disagreements " in done.stdout
