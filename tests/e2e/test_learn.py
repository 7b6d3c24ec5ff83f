"""`/ace-reflect:learn`: the Claude that runs is the reflector; the same requests and checks as for any model."""

import json

from support.claude_code import ClaudeCode

REFLECTION = {"analysis": "They made a rule of it (user).", "bullet_tags": []}
ADD = {"op": "ADD", "section": "MISTAKES TO AVOID", "text": "Never touch src/gen by hand.", "source": "user"}  # fmt: skip


def bash(command: str) -> dict[str, object]:
    return {"tool": "Bash", "input": {"command": command, "description": "learn"}}


def handed_over(answer: dict[str, object]) -> dict[str, object]:
    return bash(f"ace-reflect learn --answer - <<'JSON'\n{json.dumps(answer)}\nJSON")


def test_claude_answers_the_requests_itself_and_the_project_has_learned(host: ClaudeCode) -> None:
    host.install()
    (host.ace_home / "reflection.yaml").write_text(
        "learning: {on: []}\n"
    )  # else the rules are first
    host.api.enqueue("Renamed.")
    host.prompt("rename the cache; never touch src/gen yourself", "--session-id", "5e55105e-0000-4000-8000-0000000000aa")  # fmt: skip
    both = {**REFLECTION, "reasoning": "r", "operations": [{**ADD, "quote": "never touch src/gen yourself"}]}  # fmt: skip
    host.api.enqueue(
        bash("ace-reflect learn --request"), handed_over(REFLECTION), handed_over(both), "Learned."
    )

    done = host.prompt("/ace-reflect:learn", "--continue")

    assert "Learned." in done.stdout
    asked = host.asked()
    assert "ace-reflect learn --request" in asked[1], "the command's own text"
    assert "You are the Reflector" in asked[2]
    assert "You are the Curator" in asked[3]
    assert "mis-001  Never touch src/gen by hand." in asked[4]
    assert host.point("mis-001")["text"] == ADD["text"]
    assert len(host.api.asked) == 5, "nobody else was asked"
