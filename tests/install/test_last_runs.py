"""A hook that fails lets the session go on: doctor is where a person hears of it."""

import json
import sys
from pathlib import Path

import pytest

from ace_reflect import log
from ace_reflect.install.findings import Command
from ace_reflect.install.last_runs import failed_last
from ace_reflect.install.proof import _rehearse
from ace_reflect.install.rehearsal import SESSIONS


@pytest.fixture
def told(tmp_path: Path):
    def told(*lines: object) -> list[str]:
        text = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)
        (tmp_path / "log.jsonl").write_text(text)
        return [
            f"{check.state}: {check.says}"
            for check in failed_last({"ACE_REFLECT_HOME": str(tmp_path)})
        ]

    return told


def test_a_log_that_cannot_be_read_is_told_and_is_not_told_as_empty(tmp_path: Path):
    (tmp_path / "log.jsonl").mkdir()

    (check,) = failed_last({"ACE_REFLECT_HOME": str(tmp_path)})

    assert (check.state, check.says) == (
        "note",
        f"{tmp_path / 'log.jsonl'} cannot be read: Is a directory",
    )
    assert failed_last({"ACE_REFLECT_HOME": str(tmp_path / "nothing")}) == []


def line(event: str, **facts: object) -> dict[str, object]:
    return {"at": "2026-11-23T12:14:29Z", "event": event, **facts}


BROKEN = {"error": "ImportError", "message": "No module named 'yaml'", "where": "config.py:18"}


def test_hooks_that_failed_when_last_run_are_told_in_one_line(told):
    assert told(
        line("SessionStart", **BROKEN), line("Stop", decision="allow"), line("Stop", **BROKEN)
    ) == [
        "note: SessionStart, Stop failed when last run (2026-11-23T12:14:29Z): ImportError No module named 'yaml' config.py:18"
    ]


def test_a_failure_without_a_message_behind_half_a_line_is_told(told):
    found = told(
        '{"at": "20',
        "\n[1]\n",
        line("UserPromptSubmit", error="KeyError", message="", where="select.py:8"),
    )

    assert found == [
        "note: UserPromptSubmit failed when last run (2026-11-23T12:14:29Z): KeyError select.py:8"
    ]


def test_a_hook_that_worked_since_and_what_is_no_hook_are_not_told(told, tmp_path):
    assert (
        told(line("Stop", **BROKEN), line("Stop", decision="allow"), line("learn", error="OSError"))
        == []
    )
    assert failed_last({"ACE_REFLECT_HOME": str(tmp_path / "nowhere")}) == []


def test_a_package_that_is_missing_is_named_in_the_log(tmp_path):
    log.failure(str(tmp_path), "Stop", ModuleNotFoundError("No module named 'yaml'", name="yaml"))
    log.failure(str(tmp_path), "Stop", KeyError("what a person typed"))

    rows = [json.loads(row) for row in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["message"] for row in rows] == ["No module named 'yaml'", ""]


def test_the_proof_is_of_a_hook_that_reads_a_configuration(tmp_path):
    script = tmp_path / "stop.py"
    script.write_text(
        "import os\nprint(open(os.environ['ACE_REFLECT_HOME'] + '/reflection.yaml').read() and '{\"a\": 1}')\n"
    )
    command = Command("Stop", "user", (sys.executable, "-I", str(script)))

    assert _rehearse(command, next(iter(SESSIONS.values())), {})[0] == {"a": 1}
