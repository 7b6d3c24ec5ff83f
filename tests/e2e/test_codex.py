"""The real Codex CLI: key points in, a bad stop sent back once, proven, learned from; trusted in its terminal UI."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import codex_cli as scripted
from support.claude_code import Terminal, eventually
from support.codex_cli import PATCH, PATCH_BY_SCRIPT, RUN_TESTS, RUN_TESTS_BY_SCRIPT, Codex

#: A model with tools of its own, and one in code mode.
MODELS = {"gpt-5.5": (PATCH, RUN_TESTS), "gpt-6-astra": (PATCH_BY_SCRIPT, RUN_TESTS_BY_SCRIPT)}


@pytest.fixture
def host(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Codex]:
    found = Codex(tmp_path, getattr(request, "param", "gpt-6-astra"))
    yield found
    found.close()


by_model = pytest.mark.parametrize(
    ("host", "patch", "run_tests"),
    [(name, *calls) for name, calls in MODELS.items()],
    indirect=["host"],
)


@by_model
def test_a_bad_stop_is_sent_back_once_and_the_work_is_proven_and_learned_from(
    host, patch, run_tests
):
    host.with_playbook()
    host.install()
    host.api.enqueue([patch], "Slugs fold case now.", [run_tests], "Done [pat-001]: 1 passed.")

    done = host.run("Make slugs fold case. From now on always answer in German.")

    assert "hook: Stop Blocked" in done.stderr
    assert "Reproduce a bug with a failing test first." in host.texts(0)
    assert "<hook_prompt" in host.texts(2)
    assert host.texts(-1).count("<hook_prompt") == 1
    assert [row["decision"] for row in host.log() if row["event"] == "Stop"] == ["block", "allow"]
    assert host.verdict() == (True, "complete")
    host.learned()
    assert "nswer in German" in json.dumps(host.playbook())
    checked = json.loads(host.ace("check", "--json").stdout)
    assert [run["outcome"] for run in checked["facts"]["tests"]] == ["passed"]


@by_model
def test_a_session_that_is_resumed_goes_on_with_its_debt(host, patch, run_tests):
    host.install()
    host.api.enqueue([patch], "One.", "Two.", "Three.")
    host.run("make slugs fold case")
    given_up = [row["end_state"] for row in host.log() if row["event"] == "Stop"]
    assert given_up[-1] == "gave_up", "Codex has no cap of its own: ours holds"

    host.api.enqueue([run_tests], "It passes.")
    host.run("resume", "--last", "run the tests")

    assert host.verdict() == (True, "complete")
    assert len(host.rollouts()) == 1


def test_a_subagent_that_hides_its_red_run_is_sent_back_once(host: Codex) -> None:
    host.install()
    told = {"task_name": "fold", "message": "fold case"}
    spawn = {"call": "spawn_agent", "namespace": "collaboration", "arguments": told}
    wait = {"call": "wait_agent", "namespace": "collaboration", "arguments": {}}
    host.api.enqueue([spawn], [wait], [wait], "The agent changed it; 1 passed.")
    host.api.agents += [[scripted.WRONG_BY_SCRIPT], [RUN_TESTS_BY_SCRIPT], "Slugs are changed."]
    host.api.agents += [[scripted.RIGHT_BY_SCRIPT], [RUN_TESTS_BY_SCRIPT], "It passes."]

    host.run("let an agent make slugs fold case")

    told = [row["decision"] for row in host.log() if row["event"] == "SubagentStop"]
    assert told == ["block"]
    assert host.verdict() == (True, "complete")


def test_hooks_that_nobody_trusted_do_not_run_and_the_terminal_asks(host: Codex) -> None:
    host.install()
    host.run("hello", trusted=False)
    assert host.log() == []
    assert "not trusted" in host.ace("doctor", check=False).stdout
    flags = ["--no-alt-screen", "--no-daemon"]
    screen = Terminal(host, flags, host.environment(), prompt="Hooks need review")
    try:
        screen.keys("Down", "Enter")
        screen.wait_for("Ask Codex")
        screen.wait_for("permissions")
        host.api.enqueue("Hello.")
        screen.say("hello")
        screen.wait_for("Hello.")
        eventually(lambda: any(row["event"] == "Stop" for row in host.log()), says=screen.screen())
    finally:
        screen.close()
    doctor = host.ace("doctor", check=False).stdout
    assert "✓ Codex, proof: a bad stop is blocked" in doctor
    assert "✓ Codex, proof: a good stop passes" in doctor
    assert "and trusted" in doctor
    host.ace("uninstall", "--host", "codex", "--yes")
    assert not (host.codex_home / "hooks.json").exists()


def test_the_plugin_of_claude_code_answers_rightly_and_no_word_of_the_model_is_run(host: Codex) -> None:  # fmt: skip
    """Codex loads a plugin's hooks/hooks.json unasked, and passes `args` over."""
    hooks = host.codex_home / "hooks.json"
    hooks.write_text((Path(__file__).parents[2] / "hooks" / "hooks.json").read_text())
    told = host.project / "told"
    host.api.enqueue(f"I ran `touch {told}` and $(touch {told}).")

    done = host.run("hello")

    assert "Failed" not in done.stderr
    assert done.stderr.count("hook: Stop Completed") == 2
    assert not told.exists()
