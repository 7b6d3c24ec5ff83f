"""Two small sessions, in the form of the newest host, that doctor plays through the registered Stop hook."""

import json
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Session:
    """`tests` is what the test run after the edit printed, or None for none; `blocked` what must come of it."""

    says: str
    tests: str | None
    blocked: bool


SESSIONS = {
    "a bad stop is blocked": Session("after an edit that no test run proved", None, blocked=True),
    "a good stop passes": Session(
        "after an edit and a passing test run", "3 passed in 0.02s", blocked=False
    ),
}


def write_session(folder: Path, session: Session, event: str) -> dict[str, Any]:
    """
    Write the project and the transcript into `folder`; returns the payload that the host would send for `event`.

    Each is a session of its own: the hooks know one again.
    """
    session_id = str(uuid.uuid4())
    project = folder / "project"
    (project / "tests").mkdir(parents=True)
    (project / "pyproject.toml").write_text(
        '[project]\nname = "rehearsal"\n\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'
    )
    (project / "slug.py").write_text("def slug(text):\n    return text.lower()\n")
    (project / "tests" / "test_slug.py").write_text(
        "from slug import slug\n\n\ndef test_slug():\n    assert slug('A') == 'a'\n"
    )
    transcript = folder / f"{session_id}.jsonl"
    lines = [{**line, "sessionId": session_id} for line in _lines(project, session)]
    transcript.write_text("".join(json.dumps(line) + "\n" for line in lines))
    payload: dict[str, Any] = {
        "session_id": session_id,
        "transcript_path": str(transcript),
        "cwd": str(project),
        "hook_event_name": event,
        "permission_mode": "default",
    }
    if event == "Stop":
        payload |= {
            "stop_hook_active": False,
            "last_assistant_message": "Done: slugs keep their digits.",
            "background_tasks": [],
            "session_crons": [],
        }
    return payload | (
        {"prompt": "Make slugs keep their digits."} if event == "UserPromptSubmit" else {}
    )


def _lines(project: Path, session: Session) -> list[dict[str, Any]]:
    target = str(project / "slug.py")
    lines = [
        _user(
            project,
            1,
            "Make slugs keep their digits.",
            origin={"kind": "human"},
            promptSource="typed",
        ),
        _assistant(
            project,
            2,
            {
                "type": "tool_use",
                "id": "toolu_1",
                "name": "Edit",
                "input": {"file_path": target, "old_string": "lower()", "new_string": "casefold()"},
            },
        ),
        _result(
            project,
            3,
            "toolu_1",
            f"The file {target} has been updated successfully.",
            {
                "filePath": target,
                "oldString": "lower()",
                "newString": "casefold()",
                "structuredPatch": [],
            },
        ),
    ]
    if session.tests is not None:
        lines += [
            _assistant(
                project,
                4,
                {
                    "type": "tool_use",
                    "id": "toolu_2",
                    "name": "Bash",
                    "input": {"command": "pytest -q", "description": "Run the tests"},
                },
            ),
            _result(
                project,
                5,
                "toolu_2",
                session.tests,
                {"stdout": session.tests, "stderr": "", "interrupted": False, "isImage": False},
            ),
        ]
    return [
        *lines,
        _assistant(project, 6, {"type": "text", "text": "Done: slugs keep their digits."}),
    ]


def _common(project: Path, number: int) -> dict[str, Any]:
    return {
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "parentUuid": f"00000000-0000-4000-8000-{number - 1:012d}" if number > 1 else None,
        "timestamp": f"2026-01-01T00:00:{number:02d}.000Z",
        "cwd": str(project),
        "version": "2.1.330",
        "isSidechain": False,
        "userType": "external",
        "entrypoint": "cli",
    }


def _user(project: Path, number: int, content: str, **extra: Any) -> dict[str, Any]:
    return {
        **_common(project, number),
        "type": "user",
        "message": {"role": "user", "content": content},
        **extra,
    }


def _assistant(project: Path, number: int, block: dict[str, Any]) -> dict[str, Any]:
    message = {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": [block],
        "stop_reason": None,
    }
    return {**_common(project, number), "type": "assistant", "message": message}


def _result(
    project: Path, number: int, call: str, text: str, details: dict[str, Any]
) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": False}
    return {
        **_common(project, number),
        "type": "user",
        "message": {"role": "user", "content": [block]},
        "toolUseResult": details,
    }
