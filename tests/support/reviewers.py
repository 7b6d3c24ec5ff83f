"""Two reviewers of different providers, each behind an endpoint of its own, and a git checkout for them to look at."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support.hooks import Host
from support.messages_api import MessagesApi
from support.programs import commit_all

APPROVES = {"verdict": "approve", "summary": "Sound.", "findings": []}


def objects(problem: str = "An empty line makes it crash.", **more: Any) -> dict[str, Any]:
    """A review that asks for a change."""
    place = {"path": "src/app.py", "line": 1, "severity": "HIGH", "fix": "Check for it"}
    findings = [{**place, "problem": problem, **more}]
    return {"verdict": "request_changes", "summary": "Not yet.", "findings": findings}


@dataclass
class Committee:
    """`reviewer` is an OpenAI endpoint, `auditor` another provider's."""

    reviewer: MessagesApi = field(default_factory=MessagesApi)
    auditor: MessagesApi = field(default_factory=MessagesApi)

    @property
    def environ(self) -> dict[str, str]:
        return {
            "ACE_REFLECT_REVIEW_ENABLED": "true",
            "ACE_REFLECT_REVIEW_REVIEWER": "openai/gpt-5.1",
            "ACE_REFLECT_REVIEW_AUDITOR": "minimax/MiniMax-M2.5",
            "OPENAI_API_KEY": "sk-test-reviewer-01",
            "OPENAI_BASE_URL": f"{self.reviewer.url}/v1",
            "MINIMAX_API_KEY": "sk-test-auditor-0001",
            "MINIMAX_BASE_URL": f"{self.auditor.url}/v1",
            "ACE_REFLECT_RETRY_BASE_S": "0.02",
        }

    def say(self, reviewer: Any = None, auditor: Any = None) -> None:
        """What each of them answers next; an HTTP turn (`{"status": …}`) goes through as it is."""
        for api, said in ((self.reviewer, reviewer), (self.auditor, auditor)):
            if said is not None:
                http = isinstance(said, dict) and "verdict" not in said
                api.enqueue(said if http else {"text": json.dumps(said)})

    def asked(self) -> tuple[list[str], list[str]]:
        """The questions that reached each of them."""
        questions = [
            [str(one.body["messages"][-1]["content"]) for one in api.asked]
            for api in (self.reviewer, self.auditor)
        ]
        return questions[0], questions[1]

    def close(self) -> None:
        self.reviewer.close()
        self.auditor.close()


@pytest.fixture
def committee() -> Iterator[Committee]:
    made = Committee()
    yield made
    made.close()


def checkout(host: Host) -> None:
    """The host's project as a git repository with what stands in it committed."""
    (host.project / ".gitignore").write_text(".claude/\n.reflection/\n")
    commit_all(host.project)


def change(folder: Path, text: str = "a = 3\n") -> None:
    (folder / "src" / "app.py").write_text(text)
