"""
Secrets of every common kind, planted wherever a session can hold one, never reach a request, a log, an artifact, the
playbook or a diagnostic.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from typing import Any

import pytest

from support import figures, stand_in_claude
from support.assessed import run
from support.hooks import Host
from support.messages_api import MessagesApi
from support.nursery import Nursery
from support.plants import IN_NAMES, KINDS, Plants, files_below
from support.programs import commit_all, git
from support.stops import python_project
from support.transcripts import TranscriptBuilder

POINT = {"name": "pat-001", "text": "Run the tests.", "helpful": 0, "harmful": 0}
SETTINGS = """\
models: [claude-code/claude-sonnet-4-5]
assess: {when: always}
review: {enabled: true, reviewer: claude-code/claude-a, auditor: claude-code/claude-b}
routing: {enabled: true}
notify: {command: "cat >> told.jsonl"}
"""
KEY = "sk-test-" + "0123456789abcdefghij"


class Scene:
    """A project, a session and an environment full of secrets, and a model that repeats some of its own."""

    def __init__(self, host: Host, api: MessagesApi) -> None:
        self.host = host
        self.api = api
        self.plants = Plants()
        self.values = {f"SERVICE_{kind}_TOKEN": self._value(kind) for kind in ("ONE", "TWO")}
        host.environ |= {**self.values, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        host.environ |= {"ACE_REFLECT_DIAGNOSTIC": "1", "REFLECTION_DEBUG": "1"}
        host.environ["ACE_REFLECT_RETRY_BASE_S"] = "0.02"
        host.home.mkdir(parents=True, exist_ok=True)
        (host.home / "reflection.yaml").write_text(SETTINGS)
        host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
        self._checkout()
        self.session = self._transcript()

    def _value(self, kind: str) -> str:
        """A value that has no shape of its own: only the variable's name tells."""
        text = self.plants.one("password", f"environment {kind}")
        return text.removeprefix('password: "').removesuffix('"')

    def _checkout(self) -> None:
        project, at = self.host.project, self.plants.at
        (project / "app.py").write_text("x = 1\n")
        python_project(self.host)
        commit_all(project)
        remote = f"https://{self.plants.one('github', 'remote')}@github.com/o/r.git"
        git(project, "remote", "add", "origin", remote)
        git(project, "switch", "-qc", f"fix-{self.plants.one('gitlab', 'branch')}")
        (project / "app.py").write_text(f"x = 2\n{at('changed file')}\n")
        (project / "new.py").write_text(at("new file") + "\n")
        (project / ".env").write_text(at("ignored file") + "\n")
        (project / "CLAUDE.md").write_text(f"# Rules\n\n{at('instructions')}\n")
        (project / "reflection.md").write_text(f"# Done means\n\n{at('rubric')}\n")
        for kind in IN_NAMES:
            (project / f"file-{self.plants.one(kind, 'file name')}.py").write_text("y = 1\n")

    def _transcript(self) -> TranscriptBuilder:
        host, at, one = self.host, self.plants.at, self.plants.one
        ours = {"cwd": str(host.project), "session_id": host.session_id}
        session = TranscriptBuilder(host.transcript(), **ours)
        session.prompt(f"Always use these:\n{at('prompt')}\nand {self.values['SERVICE_ONE_TOKEN']}")
        session.think(at("thinking")).say(f"[pat-001] I see\n{at('answer')}")
        session.bash("cat .env", at("output")).bash("env", f"X={self.values['SERVICE_TWO_TOKEN']}")
        for kind in sorted(KINDS.keys() - {"pem", "env file", "password", "json"}):
            said = f"failed with {one(kind, 'error')}"
            session.bash(f"curl -H '{one(kind, 'command')}' https://x.com", said, exit_code=1)
        session.create(f"{host.project}/new.py", at("written"))
        session.edit(f"{host.project}/app.py", at("old text"), at("new text"))
        for kind in IN_NAMES:
            session.edit(f"{host.project}/file-{one(kind, 'edited name')}.py")
        session.read(f"{host.project}/notes.md", at("read"))
        red = f"{at('test output')}\nE   AssertionError: {one('github', 'summary')}\n1 failed in 0.10s"
        session.bash("pytest -q", red, exit_code=1)
        session.agent(at("subagent's task"), at("subagent's report"))
        session.queue(f"no, never use {one('stripe', 'queued words')}, always the other")
        session.todos((f"rotate {one('slack', 'todo')}", "pending"))
        session.bash("pytest -q", "1 passed in 0.10s")
        session.prompt("Use it <private>the code name is Zanzibar-Quokka</private> always.")
        session.say(f"Done. All tests pass.\n{at('last answer')}")
        session.write()
        return session

    def answer_with_secrets(self) -> None:
        """What every role gets: JSON with secrets of the model's own in every text."""
        said = self.plants.at("reply")
        reply = {
            "analysis": said,
            "reasoning": said,
            "bullet_tags": [{"name": "pat-001", "tag": "helpful", "rationale": said}],
            "operations": [
                {"op": "ADD", "section": "OTHERS", "text": f"Rule for {kind}: {self.plants.one(kind, 'rule')}", "source": "user", "quote": "Always use these", "reason": said}
                for kind in list(KINDS)[:9]
            ],
            "status": "in_progress", "confidence": 0.9, "remaining_work": [said], "next_steps": [said], "reason": said,
            "verdict": "REQUEST_CHANGES", "findings": [{"text": said, "severity": "HIGH", "file": said}], "summary": said,
            "kind": "working", "why": said, "action": "continue_task", "current_work": said, "feedback": said, "missing": [said],
            "category": "backend",
        }  # fmt: skip
        self.api.enqueue({"text": json.dumps(reply), "repeat": 60})

    def outside(self) -> Iterator[tuple[str, str]]:
        """Everything that somebody else may see: requests, and every file but the transcript and state.db."""
        for number, asked in enumerate(self.api.requests):
            ours = {"x-api-key", "authorization"}
            headers = {name: text for name, text in asked.headers.items() if name not in ours}
            sent = json.dumps([asked.path, headers, asked.body], ensure_ascii=False)
            yield f"request {number}", sent
        yield from files_below(self.host.home, apart_from=lambda p: p.name.startswith("state.db"))
        yield from files_below(self.host.project / ".reflection", self.host.project / ".claude")
        told = self.host.project / "told.jsonl"
        yield "notify", told.read_text() if told.exists() else ""

    def on_record(self) -> Iterator[tuple[str, str]]:
        """What state.db keeps for people and models to read: prompts, votes, changes, the inbox, jobs."""
        connection = sqlite3.connect(self.host.home / "state.db")
        for table in ("votes", "changes", "inbox", "jobs", "usage", "(SELECT text FROM prompts)"):
            for row in connection.execute(f"SELECT * FROM {table}"):
                yield table, " ".join(str(value) for value in row)
        connection.close()


@pytest.fixture
def scene(host: Host, api: MessagesApi) -> Scene:
    """Asked by way of the `claude` command, where nothing else is said."""
    host.environ["PATH"] = f"{stand_in_claude.install(host.root / 'bin')}:{os.environ['PATH']}"
    return Scene(host, api)


def _whole_session(scene: Scene) -> None:
    host, said = scene.host, scene.plants.at
    fields = {"session_id": host.session_id}
    last = f"Done. All tests pass.\n{said('last answer')}"
    host.hook("SessionStart", source="startup", **fields)
    token = scene.values["SERVICE_ONE_TOKEN"]
    host.prompt(f"Fix it with\n{said('hook prompt')}\n{token}", **fields)
    stop = {"last_assistant_message": last, "stop_hook_active": False, "background_tasks": []}
    host.hook("Stop", **stop, **fields)
    run(host, "assess", json.dumps(host.payload("Stop", **stop)).encode(), "--wait")
    wish = said("instructions to compact")
    host.hook("PreCompact", trigger="auto", custom_instructions=wish, **fields)
    host.wait_for_workers()
    host.hook("SessionStart", source="compact", **fields)
    host.hook("SessionEnd", reason=said("reason")[:200], **fields)
    host.wait_for_workers()


def test_no_planted_secret_leaves_a_session_by_any_way(scene: Scene) -> None:
    scene.answer_with_secrets()
    _whole_session(scene)
    with Nursery(scene.host.environment(), scene.host.project) as nursery:
        model = ("--model", "anthropic/claude-sonnet-4-5")
        again = nursery.command("run", scene.session.path, "--again", *model, "--json")
        check = nursery.command("check", scene.session.path, "--json")
        nursery.command("run", scene.session.path, "--again", "--offline")
    assert again.code == 0, again.err + again.out
    figures.add("secrets planted", len(scene.plants.all))
    assert len(scene.api.requests) >= 4, "reflector and curator were asked, and the roles"
    seen = {row["event"] for row in scene.host.log()}
    assert {"UserPromptSubmit", "Stop", "SessionEnd", "learn"} <= seen
    assert list((scene.host.project / ".reflection").glob("5e*.json"))
    printed = [("run --json", again.out), ("run's stderr", again.err + check.err)]
    everything = [*scene.outside(), *scene.on_record(), *printed]
    leaks = scene.plants.leaks(everything)
    assert leaks == [], "\n".join(leaks)
    assert KEY not in "".join(text for _, text in everything)
    outside = "".join(text for _, text in scene.outside())
    assert "Use it" in outside
    assert "Zanzibar" not in outside, "what stands between private marks reaches no model"


def test_the_key_itself_is_in_no_file_even_where_the_endpoint_sends_it_back(scene):
    """A hostile endpoint knows the key, and says it in errors, texts and headers."""
    texts: list[Any] = [
        {"status": 401, "message": f"bad key {KEY}", "headers": {"x-echo": KEY}},
        {"status": 400, "message": KEY},
        {"raw": f"<html>{KEY}</html>"},
        {"text": f"no json, but {KEY}"},
        {"text": json.dumps({"analysis": KEY, "bullet_tags": [{"name": "pat-001", "tag": "helpful", "rationale": KEY}]})},
        {"text": json.dumps({"operations": [{"op": "ADD", "section": "OTHERS", "text": f"Use {KEY} always", "source": "user", "quote": "Always use these"}]})},
    ]  # fmt: skip
    for turn in texts:
        scene.api.enqueue({**turn, "repeat": 4})
    _whole_session(scene)
    everything = [*scene.outside(), *scene.on_record()]
    assert [where for where, text in everything if KEY in text] == []


@pytest.mark.parametrize("where", [1000, 2995, 3000, 3010, 3900, 20_000])
def test_a_secret_that_stands_where_a_long_prompt_is_cut_goes_whole(where: int, host: Host) -> None:
    plants = Plants()
    secret = plants.at(f"cut at {where}")
    padding = "word " * 4000
    host.prompt(padding[:where] + " " + secret + " " + padding)
    host.prompt(padding + padding[:where] + " " + secret)
    with host.state() as state:
        rows = state.all("SELECT text FROM prompts")
    assert len(rows) == 2
    assert plants.leaks((f"prompt {number}", str(row[0])) for number, row in enumerate(rows)) == []


def test_a_private_part_whose_mark_is_cut_out_of_a_long_prompt_goes(host: Host) -> None:
    host.prompt(f"{'word ' * 8_000}<private>{'secret ' * 6_000}Zanzibar</private> Use it.")
    with host.state() as state:
        kept = str(state.value("SELECT text FROM prompts"))
    assert kept.endswith("Use it.")
    assert "Zanzibar" not in kept
