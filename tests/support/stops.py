"""A session that goes on between stops: a transcript that grows, and the Stop hook run on it as Claude Code does."""

from typing import Any

from support.hooks import Answered, Host
from support.transcripts import TranscriptBuilder

DONE = "Done, the parser handles empty lines now."
PASSED = "===== 3 passed in 0.10s ====="
FAILED = "FAILED tests/test_a.py::test_b\n===== 1 failed, 2 passed in 0.10s ====="


class Session(TranscriptBuilder):
    """A builder at the host's own place; `stop` writes what there is and runs the hook."""

    def __init__(self, host: Host, **options: Any) -> None:
        super().__init__(
            host.transcript(), cwd=str(host.project), session_id=host.session_id, **options
        )
        self.host = host

    def ask(self, text: str, *, announced: bool = True, **options: Any) -> "Session":
        """A human prompt, with its UserPromptSubmit unless that hook is not there."""
        if announced:
            self.host.prompt(text)
        self.prompt(text, **options)
        return self

    def code(self, name: str = "src/app.py") -> "Session":
        return self.edit(f"{self.host.project}/{name}")

    def stopping(self, text: str | None, **payload: Any) -> dict[str, Any]:
        """The answer's text, written; the payload's fields of the stop after it."""
        if text:
            self.say(text)
            payload.setdefault("last_assistant_message", text)
        self.write()
        plain = {"stop_hook_active": False, "background_tasks": [], "permission_mode": "default"}
        return plain | payload

    def stop_hook(self, text: str | None = DONE, **payload: Any) -> Answered:
        """A stop, and its first entry's answer; a block's feedback goes into the transcript as the host writes it."""
        answered = self.host.hook("Stop", **self.stopping(text, **payload))
        if answered.json.get("decision") == "block":
            self.feedback(answered.json["reason"])
        return answered


def python_project(host: Host, *, tests: bool = True) -> Host:
    """A small checkout with pytest."""
    (host.project / "pyproject.toml").write_text(
        '[project]\nname = "app"\n[tool.pytest.ini_options]\n'
    )
    (host.project / "src").mkdir(exist_ok=True)
    (host.project / "src" / "app.py").write_text("a = 2\n")
    if tests:
        (host.project / "tests").mkdir(exist_ok=True)
        (host.project / "tests" / "test_app.py").write_text("def test_a():\n    assert True\n")
    return host
