"""Cross-model review and routing on the real host, the reviewers being two providers of their own."""

import json

import pytest

from support.claude_code import RUN_TESTS, ClaudeCode, edit, eventually
from support.reviewers import APPROVES, Committee, committee, objects

__all__ = ["committee"]
OBJECTION = objects(
    "An empty title gives an empty slug, which is no address.", path="slugs.py", line=2
)


def enabled(host: ClaudeCode, committee: Committee, more: str = "") -> dict[str, str]:
    """Review switched on in the person's file; the environment with both reviewers' endpoints."""
    host.ace_home.mkdir(parents=True, exist_ok=True)
    (host.ace_home / "reflection.yaml").write_text(
        "review: {enabled: true, reviewer: openai/gpt-5.1, auditor: minimax/MiniMax-M2.5}\n" + more
    )
    host.install()
    return {
        name: value
        for name, value in committee.environ.items()
        if not name.startswith("ACE_REFLECT_REVIEW")
    }


def again(host: ClaudeCode) -> list:
    change = {"old_string": "return title", "new_string": "return title and title"}
    return [
        {"tool": "Edit", "input": {"file_path": str(host.project / "slugs.py"), **change}},
        RUN_TESTS,
    ]


def record(host: ClaudeCode) -> dict:
    files = (
        path
        for path in (host.project / ".reflection").glob("*.json")
        if not path.name.startswith("verdict_")
    )
    return json.loads(max(files, key=lambda path: path.stat().st_mtime_ns).read_text())


def test_a_dissent_is_mended_before_print_mode_ends(host: ClaudeCode, committee: Committee) -> None:
    environ = enabled(host, committee)
    committee.say(OBJECTION, APPROVES)
    committee.say(APPROVES, APPROVES)
    host.api.enqueue(
        *edit(host),
        RUN_TESTS,
        "Slugs fold case now; 1 passed.",
        *again(host),
        "An empty title stays empty; 1 passed.",
    )

    done = host.prompt("make slugs fold case", **environ)

    assert "An empty title stays empty" in done.stdout
    (comment,) = [
        text
        for text in host.asked()
        if "Code review comment by the reviewer (openai/gpt-5.1), HIGH" in text
    ][:1]
    assert "slugs.py:2  An empty title gives an empty slug" in comment
    reviewer, auditor = committee.asked()
    assert (len(reviewer), len(auditor)) == (2, 2)
    assert "+    return title.casefold()" in reviewer[0]
    assert "+    return title and title.casefold()" in auditor[1]
    found = record(host)
    assert found["crossReview"]["consensus"]["complete"] is True
    assert (found["endState"], found["attempt"]) == ("complete", 1)


def test_a_dissent_wakes_the_terminal(host: ClaudeCode, committee: Committee) -> None:
    environ = enabled(host, committee)
    committee.say(OBJECTION, APPROVES)
    committee.say(APPROVES, APPROVES)
    host.api.enqueue(
        *edit(host),
        RUN_TESTS,
        "Slugs fold case now; 1 passed.",
        *again(host),
        "An empty title stays empty; 1 passed.",
    )

    with host.terminal(**environ) as screen:
        screen.say("make slugs fold case")
        screen.wait_for("Slugs fold case now; 1 passed.")
        screen.wait_for("An empty title stays empty", within_s=60)
        eventually(lambda: len(committee.asked()[1]) == 2, within_s=60)
        eventually(lambda: record(host)["endState"] == "complete", within_s=30)
        screen.leave()

    assert any(
        "SYSTEM NOTIFICATION - NOT USER INPUT" in text and "Code review comment" in text
        for text in host.asked()
    )


@pytest.mark.parametrize("kind", ["backend", "default"])
def test_a_fix_goes_to_the_installed_agent_and_its_model(
    host: ClaudeCode, committee: Committee, kind: str
) -> None:
    routing = "models: [minimax/MiniMax-M2.5]\nrouting: {enabled: true, models: {backend: anthropic/claude-opus-4-5}}\n"
    environ = enabled(
        host, committee, routing.replace("models:", "assess: {when: never}\nmodels:", 1)
    )
    (host.ace_home / "reflection.yaml").write_text("assess: {when: never}\n" + routing)
    host.install()
    committee.auditor.enqueue({"text": json.dumps({"category": kind, "confidence": 0.9})})
    read, change = edit(host)
    slow = {"tool": "Bash", "input": {"command": "sleep 6", "description": "Wait"}}
    agent = {
        "tool": "Agent",
        "input": {
            "description": "prove it",
            "prompt": "Run the tests",
            "subagent_type": "ace-backend",
            "run_in_background": False,
        },
    }
    fix = [agent] if kind == "backend" else [RUN_TESTS]
    host.api.enqueue(read, slow, change, "Slugs fold case now.", *fix, "1 passed.")
    host.api.script._rules.append(
        _rule({"body": "Another agent has worked on a task"}, [RUN_TESTS, "I ran them: 1 passed."])
    )

    host.prompt("make slugs fold case", **environ)

    (message,) = host.blocks()
    assert ("Hand this fix to the agent `ace-backend`" in message) is (kind == "backend")
    carried = {
        one.body["model"]
        for one in host.api.requests
        if "Another agent has worked on a task" in json.dumps(one.body)
    }
    assert carried == ({"claude-opus-4-5"} if kind == "backend" else set())


def _rule(match: dict, turns: list):
    from support.api_script import _Turns

    return match, _Turns({"turns": turns})
