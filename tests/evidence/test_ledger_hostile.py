"""Whatever stands in a transcript, a ledger comes out of it."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from ace_reflect.evidence.facts import Ledger
from ace_reflect.transcript.records import (
    AssistantText,
    Prompt,
    Record,
    TaskNotice,
    ToolResult,
    ToolUse,
    UserShell,
)
from support.ledgers import fed

TOOLS = [
    "Bash", "PowerShell", "Edit", "Write", "MultiEdit", "NotebookEdit", "TodoWrite", "TaskCreate", "TaskUpdate", "AskUserQuestion", "ExitPlanMode",
    "EnterPlanMode", "Task", "Agent", "Read", "BashOutput", "TaskOutput", "KillShell", "Glob", "mcp__fs__write_file", "mcp__github__create_pull_request", "",
]  # fmt: skip
KEYS = [
    "command", "file_path", "old_string", "new_string", "content", "edits", "todos", "questions", "question", "taskId", "status", "subject", "bash_id",
    "description", "run_in_background", "notebook_path", "type", "filePath", "agentId", "isAsync", "lines", "path",
]  # fmt: skip
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from(KEYS), anything, max_size=6)
words = st.text(max_size=80) | st.sampled_from(
    [
        "git push origin main && pytest | tail",
        "cat > a.py <<'E'\nx",
        "gh pr create; gh pr checks",
        "))(('\"`$(",
    ]
)
ids = st.sampled_from(["a", "b", "c"])


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    found: list[Record] = []
    for line in range(1, draw(st.integers(1, 12)) + 1):
        base = {
            "line": line,
            "timestamp": draw(st.none() | st.text(max_size=5)),
            "sidechain": draw(st.booleans()),
            "file": draw(st.sampled_from([None, None, "agent-1.jsonl"])),
        }
        kind = draw(st.integers(0, 5))
        if kind <= 1:
            data = draw(objects)
            if draw(st.booleans()):
                data["command"] = draw(words)
            found.append(
                ToolUse(**base, id=draw(ids), name=draw(st.sampled_from(TOOLS)), input=data)
            )
        elif kind <= 3:
            found.append(
                ToolResult(
                    **base,
                    tool_use_id=draw(ids),
                    text=draw(words),
                    is_error=draw(st.booleans()),
                    denied=draw(st.booleans()),
                    details=draw(st.none() | objects),
                    patch=tuple(draw(st.lists(objects, max_size=2))),
                    background_id=draw(st.none() | ids),
                )
            )
        elif kind == 4:
            found.append(
                TaskNotice(
                    **base,
                    task_id=draw(ids),
                    status=draw(st.sampled_from(["completed", "failed", "killed", "running", "?"])),
                    output=draw(words),
                )
            )
        else:
            found.append(
                draw(
                    st.sampled_from(
                        [
                            Prompt(**base, kind="human", text="x"),
                            AssistantText(**base, text="y"),
                            UserShell(**base, command="pytest", stdout="1 passed in 0.1s"),
                        ]
                    )
                )
            )
    return found


@settings(max_examples=120, deadline=None)
@given(found=records(), cut=st.integers(0, 12))
def test_no_record_breaks_the_ledger_and_it_goes_on_as_it_was(
    found: list[Record], cut: int
) -> None:
    ledger = fed(found)

    assert Ledger.from_json(json.loads(json.dumps(ledger.to_json()))) == ledger
    assert fed(found, (min(cut, len(found)),)) == ledger
