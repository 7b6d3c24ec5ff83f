"""`ace-reflect learn`: history in one go, and the running Claude as the reflector."""

import json
import os
import re
from pathlib import Path

import pytest

from ace_reflect import paths
from ace_reflect.state import processes, sessions
from support.cli import Ace
from support.transcripts import TranscriptBuilder

ADD = {"op": "ADD", "section": "MISTAKES TO AVOID", "text": "Never touch src/gen by hand.", "source": "user"}  # fmt: skip
ANSWER = {"analysis": "They made a rule of it.", "bullet_tags": []}


@pytest.fixture
def said(ace: Ace, monkeypatch: pytest.MonkeyPatch):
    """Puts a session where Claude Code keeps it; a prompt each, every one answered."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(ace.host.root / "claude"))
    monkeypatch.chdir(ace.host.project)

    def put(name: str, *prompts: str, folder: Path | None = None) -> Path:
        where = str(folder or ace.host.project)
        path = Path(paths.sessions_dir(os.environ, where)) / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        session = f"5e55105e-0000-4000-8000-{name:0>12}"
        made = TranscriptBuilder(path, cwd=where, session_id=session)
        for prompt in prompts:
            made.prompt(prompt).say("Done.")
        return made.write()

    return put


def test_the_digest_says_what_was_learned_in_words_once(ace: Ace, said, snapshot) -> None:
    said("a", "Fix the parser. We use pnpm here, not npm.")
    said("b", "I'd rather have small pull requests")

    tried = ace("learn", "--dry-run").out
    assert tried.endswith("--dry-run: nothing was written.\n")
    assert ace("log").out == "Nothing has been logged yet.\n"
    page = ace("learn")

    assert page.code == 0
    assert page.out.replace(str(ace.host.root), "ROOT") == snapshot
    assert ace("learn").out == "Nothing new to learn from.\n"
    again = ace("learn", "--json").json
    assert (again["sessions"], again["known"]) == (0, 2)
    assert ace("log").out.count("learned: ") == 2, "a line for each session that taught something"
    assert "small pull requests" in ace("review").out


def test_all_takes_every_project_and_leaves_out_what_is_gone(ace, said, tmp_path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    said("a", "Always answer in German.", folder=other)
    said("b", "Always answer in French.", folder=tmp_path / "gone")
    said("c", "Always answer in English.")

    shown = ace("learn", "--all", "--json")

    assert [Path(each["project"]).name for each in shown.json["projects"]] == ["other", "project"]
    assert shown.json["projects"][0]["added"][0]["quote"] == "Always answer in German."
    assert "1 session left out" in shown.err


def test_since_takes_what_is_younger(ace: Ace, said) -> None:
    os.utime(said("a", "Always answer in German."), (0, 0))
    said("b", "Always use tabs.")
    assert [each["text"] for each in ace("learn", "--since", "30d", "--json").json["projects"][0]["added"]] == ["Always use tabs."]  # fmt: skip
    wrong = ace("learn", "--since", "yesterday")
    assert wrong.code == 2
    assert "neither 30d, 12h, 2w nor a date" in wrong.err


@pytest.mark.usefixtures("asked_by_environment")
def test_the_estimate_sends_nothing_and_a_no_neither(ace: Ace, said, api, monkeypatch) -> None:
    said("a", "Fix the parser.")
    told = ace("learn", "--estimate", "--model", "anthropic/claude-haiku-4-5", "--json").json
    assert (told["sessions"], told["model"]) == (1, "anthropic/claude-haiku-4-5")
    assert 3_000 < told["usage"]["input_tokens"] < 20_000
    assert 0 < told["usage"]["cost_usd"] < 0.1
    monkeypatch.setattr("sys.stdin", open(os.devnull))  # noqa: SIM115 - nobody is there to say yes
    assert ace("learn", "--model", "anthropic/claude-haiku-4-5").code != 0
    assert api.requests == []
    api.enqueue(json.dumps(ANSWER), json.dumps({"reasoning": "", "operations": []}))
    page = ace("learn", "--yes", "--model", "anthropic/claude-haiku-4-5").out
    assert len(api.requests) == 2
    assert re.search(r"It took [\d,]+ tokens, \$", page)


def test_the_running_claude_answers_the_reflectors_and_the_curators_request(ace, said) -> None:
    """The turn that asks is still open; the answers pass the same checks as a model's."""
    said("a", "Rename the cache; never touch src/gen yourself", "/ace-reflect:learn")
    (ace.host.project / "CLAUDE.md").write_text("Use tabs.\n")
    answer = ace.host.project / "answer.json"

    asked = ace("learn", "--request")
    parts = ("You are the Reflector", "</transcript>\n\nThe key", "--answer - <<'JSON'")
    assert [part for part in parts if part not in asked.out] == []

    answer.write_text(json.dumps(ANSWER))
    then = ace("learn", "--answer", answer)
    assert "You are the Curator" in then.out
    assert "Use tabs." in then.out
    assert not ace.host.playbook.exists()

    quoted = {**ADD, "quote": "never touch src/gen yourself"}
    invented = {**ADD, "text": "Always push to main.", "quote": "push to main"}
    both = {**ANSWER, "reasoning": "r", "operations": [quoted, invented]}
    answer.write_text(f"Here it is:\n```json\n{json.dumps(both)}\n```")
    body = ace("learn", "--answer", answer, "--json").json
    assert [one["text"] for one in body["projects"][0]["added"]] == [ADD["text"]]
    assert [one["text"] for one in body["projects"][0]["waiting"]] == ["Always push to main."]

    assert ace("log").out.count("learned: ") == 1
    again = ace("learn", "--request")
    assert (again.code, "--again takes those that were" in again.err) == (2, True)
    assert ADD["text"] not in ace("learn", "--request", "--again").out  # it was not shown in it


def test_a_wish_that_comes_up_in_two_sessions_waits_with_both_quotes(ace: Ace, said) -> None:
    said("a", "Add the page. Keep functions short")
    said("b", "Add a list. Don't mock the database in tests")
    assert len(ace("learn", "--json").json["projects"][0]["waiting"]) == 2
    said("c", "Do not mock the database in tests", "please don't mock the database in the tests")
    assert ace("learn").out.count("mock the database in tests") == 1  # though it was said twice
    first, second = ace("review", "--json").json["waiting"]
    assert [(one["session"][-1], one["quote"]) for one in first["heard"]] == [
        ("b", "Don't mock the database in tests"),
        ("c", "Do not mock the database in tests"),
        ("c", "don't mock the database in the tests"),
    ]
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", one["day"]) for one in first["heard"])
    assert first["why"] == "it came up in several sessions"
    assert second["text"] == "Keep functions short."


@pytest.mark.usefixtures("asked_by_environment")
def test_a_batch_takes_all_sessions_at_once_for_half_the_price(ace, said, api, monkeypatch) -> None:
    """One batch of reflections, then one of curations; a request that failed costs its own session only."""
    monkeypatch.setenv("ACE_REFLECT_RETRY_BASE_S", "0.01")
    for name in "abc":
        said(name, f"Fix the parser of {name}")
    nothing = json.dumps({"reasoning": "", "operations": []})
    quoted = {**ADD, "text": "Fix the parser of a first.", "quote": "Fix the parser of a"}
    added = json.dumps({"reasoning": "", "operations": [quoted]})
    api.enqueue(json.dumps(ANSWER), {"status": 500}, json.dumps(ANSWER), added, nothing)

    done = ace("learn", "--yes", "--batch", "--model", "anthropic/claude-haiku-4-5", "--json")

    assert [len(one.body["requests"]) for one in api.requests if one.kind == "batch"] == [3, 2]
    body = done.json
    assert body["projects"][0]["turns"] == 2
    assert ace("log").out.count("learned: ") == 2
    assert [one["text"] for one in body["projects"][0]["added"]] == [quoted["text"]]
    assert "errored" in body["errors"][0]["error"]
    tokens = 4 * (100 + 20)
    assert body["usage"]["input_tokens"] + body["usage"]["output_tokens"] == tokens
    assert body["usage"]["cost_usd"] == pytest.approx(4 * (100 * 1.0 + 20 * 5.0) / 2e6)
    assert "takes no batches" in ace("learn", "--yes", "--batch", "--model", "openai/gpt-5-mini", said("d", "x y z")).err  # fmt: skip


def test_the_open_turn_of_a_session_that_still_runs_is_left_for_later(ace: Ace, said) -> None:
    path = said("a", "Always use tabs.", "Always answer in German.")
    with ace.host.state() as state:
        sessions.touch(state, path.stem, process=processes.name(os.getpid()))
    (project,) = ace("learn", "--json").json["projects"]
    assert [each["text"] for each in project["added"]] == ["Always use tabs."]
