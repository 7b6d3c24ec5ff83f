"""Whatever stands in a transcript, a ledger comes out of it."""

import json
from typing import Any

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
LINES = ["git push origin main && pytest | tail", "cat > a.py <<'E'\nx", "gh pr create; gh pr checks", "))(('\"`$("]  # fmt: skip
words = st.text(max_size=80) | st.sampled_from(LINES)
ids = st.sampled_from(["a", "b", "c"])
calls = st.builds(dict, objects, command=words) | objects
KINDS: tuple[tuple[type[Record], dict[str, st.SearchStrategy[Any]]], ...] = (
    (ToolUse, {"id": ids, "name": st.sampled_from(TOOLS), "input": calls}),
    (
        ToolResult,
        {
            "tool_use_id": ids, "text": words, "is_error": st.booleans(), "denied": st.booleans(), "details": st.none() | objects,
            "patch": st.lists(objects, max_size=2).map(tuple), "background_id": st.none() | ids,
        },
    ),
    (TaskNotice, {"task_id": ids, "status": st.sampled_from(["completed", "failed", "killed", "running", "?"]), "output": words}),
    (Prompt, {"kind": st.just("human"), "text": st.just("x")}),
    (AssistantText, {"text": st.just("y")}),
    (UserShell, {"command": st.just("pytest"), "stdout": st.just("1 passed in 0.1s")}),
)  # fmt: skip
files = st.sampled_from([None, None, "agent-1.jsonl"])
lines = st.fixed_dictionaries(
    {"timestamp": st.none() | st.text(max_size=5), "sidechain": st.booleans(), "file": files}
)
each = st.one_of(
    st.tuples(st.just(kind), st.fixed_dictionaries(fields), lines) for kind, fields in KINDS
)
records = st.lists(each, min_size=1, max_size=12).map(
    lambda rows: [
        kind(line=line, **told, **fields) for line, (kind, fields, told) in enumerate(rows, 1)
    ]
)


@settings(max_examples=120, deadline=None)
@given(found=records, cut=st.integers(0, 12))
def test_no_record_breaks_the_ledger_and_it_goes_on_as_it_was(
    found: list[Record], cut: int
) -> None:
    ledger = fed(found)
    assert Ledger.from_json(json.loads(json.dumps(ledger.to_json()))) == ledger
    assert fed(found, (min(cut, len(found)),)) == ledger
