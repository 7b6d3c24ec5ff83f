"""One valid JSON line a decision; capped; never a value of the session; diagnostics redacted and rotated."""

import json
import os
import stat
from pathlib import Path

import pytest

from ace_reflect import log


def test_a_line_is_valid_json_whatever_it_holds(tmp_path):
    note = 'quote " back \\ line\nbreak \x00 é \ud800'
    log.write(str(tmp_path), "stop", note=note, n=3, ms=1.5, gates=("a", "b"), none=None)

    entry = json.loads((tmp_path / "log.jsonl").read_text())

    del entry["at"]
    assert entry == {"event": "stop", "note": note, "n": 3, "ms": 1.5, "gates": ["a", "b"]}
    assert stat.S_IMODE((tmp_path / "log.jsonl").stat().st_mode) == 0o600


def test_the_log_is_capped_and_keeps_one_older_file(tmp_path, monkeypatch):
    monkeypatch.setattr(log, "MAX_BYTES", 2_000)
    for number in range(100):
        log.write(str(tmp_path), "stop", number=number)

    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}

    assert set(sizes) == {"log.jsonl", "log.jsonl.1"}
    assert all(size < 2_200 for size in sizes.values())


def test_a_place_that_cannot_be_written_is_silence_and_a_link_there_is_not_followed(tmp_path):
    (tmp_path / "file").write_text("keep")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "log.jsonl").symlink_to(tmp_path / "file")

    log.write(str(tmp_path / "file" / "home"), "stop")
    log.write(str(tmp_path / "home"), "stop")

    assert (tmp_path / "file").read_text() == "keep"


def test_a_foreign_error_is_logged_without_its_message(tmp_path):
    try:
        json.loads("the prompt of the person")
    except ValueError as error:
        log.failure(str(tmp_path), "stop", error)

    assert "prompt of the person" not in (tmp_path / "log.jsonl").read_text()
    assert json.loads((tmp_path / "log.jsonl").read_text())["error"] == "JSONDecodeError"


@pytest.mark.req("REQ-REFL-006")
def test_diagnostics_are_written_only_in_diagnostic_mode_redacted_and_rotated(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("ACE_REFLECT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    log.save_diagnostic("nothing", "reflector")
    assert not (tmp_path / "home").exists()

    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "diagnostic_mode").touch()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "reflection.yaml").write_text("redaction:\n  patterns: ['ACME-\\d+']\n")
    monkeypatch.setattr(log, "MAX_DIAGNOSTICS", 5)
    for _ in range(9):
        log.save_diagnostic("password=hunter22, no ACME-4711 or 4711", "../reflector error")

    kept = sorted((tmp_path / "home" / "diagnostic").iterdir())
    assert len(kept) == 5
    assert all(" no [REDACTED:configured] or 4711" in path.read_text() for path in kept)
    assert all("hunter22" not in path.read_text() for path in kept)
    assert all(path.parent == Path(os.path.realpath(path.parent)) for path in kept)
