"""Cross-model review and routing on the real host, the reviewers being two providers of their own."""

import json

import pytest

from support.claude_code import RUN_TESTS, ClaudeCode, bash, edit, eventually
from support.reviewers import APPROVES, Committee, committee, objects

__all__ = ["committee"]
OBJECTION = objects(
    "An empty title gives an empty slug, which is no address.", path="slugs.py", line=2
)


ANOTHER = "Another agent has worked on a task"


def enabled(host: ClaudeCode, committee: Committee, more: str = "") -> dict[str, str]:
    """Review switched on in the person's file; the environment with both reviewers' endpoints."""
    host.ace_home.mkdir(parents=True, exist_ok=True)
    (host.ace_home / "reflection.yaml").write_text(
        "review: {enabled: true, reviewer: openai/gpt-5.1, auditor: minimax/MiniMax-M2.5}\n" + more
    )
    host.install()
    environ = committee.environ.items()
    return {name: value for name, value in environ if not name.startswith("ACE_REFLECT_REVIEW")}


def mended(host: ClaudeCode) -> list:
    """The work that is objected to, and the change that the objection asks for."""
    _, again = edit(host, "return title", "return title and title")
    first = [*edit(host), RUN_TESTS, "Slugs fold case now; 1 passed."]
    return [*first, again, RUN_TESTS, "An empty title stays empty; 1 passed."]


def record(host: ClaudeCode) -> dict:
    files = (host.project / ".reflection").glob("[!v]*.json")  # without verdict_*
    return json.loads(max(files, key=lambda path: path.stat().st_mtime_ns).read_text())


def test_a_dissent_is_mended_before_print_mode_ends(host: ClaudeCode, committee: Committee) -> None:
    environ = enabled(host, committee)
    committee.say(OBJECTION, APPROVES)
    committee.say(APPROVES, APPROVES)
    host.api.enqueue(*mended(host))

    done = host.prompt("make slugs fold case", **environ)

    assert "An empty title stays empty" in done.stdout
    opening = "Code review comment by the reviewer (openai/gpt-5.1), HIGH"
    comment = next(text for text in host.asked() if opening in text)
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
    host.api.enqueue(*mended(host))

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
def test_a_fix_goes_to_the_installed_agent_and_its_model(host, committee, kind):
    routing = "models: [minimax/MiniMax-M2.5]\nrouting: {enabled: true, models: {backend: anthropic/claude-opus-4-5}}\n"
    environ = enabled(
        host, committee, routing.replace("models:", "assess: {when: never}\nmodels:", 1)
    )
    (host.ace_home / "reflection.yaml").write_text("assess: {when: never}\n" + routing)
    host.install()
    committee.auditor.enqueue({"text": json.dumps({"category": kind, "confidence": 0.9})})
    read, change = edit(host)
    task = {"description": "prove it", "prompt": "Run the tests", "subagent_type": "ace-backend"}
    agent = {"tool": "Agent", "input": {**task, "run_in_background": False}}
    fix = agent if kind == "backend" else RUN_TESTS
    host.api.enqueue(read, bash("sleep 6"), change, "Slugs fold case now.", fix, "1 passed.")
    host.answers({"body": ANOTHER}, RUN_TESTS, "I ran them: 1 passed.")

    host.prompt("make slugs fold case", **environ)

    (message,) = host.blocks()
    assert ("Hand this fix to the agent `ace-backend`" in message) is (kind == "backend")
    bodies = [one.body for one in host.api.requests if ANOTHER in json.dumps(one.body)]
    carried = {body["model"] for body in bodies}
    assert carried == ({"claude-opus-4-5"} if kind == "backend" else set())
