"""Tool calls and their results, wherever a line holds them."""

from ace_reflect.transcript import notices
from ace_reflect.transcript.fields import blocks, capped, mapping, string
from ace_reflect.transcript.memory import Memory
from ace_reflect.transcript.records import Record, ToolResult, ToolUse, made
from ace_reflect.transcript.results import read_result
from ace_reflect.transcript.tool_names import READING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEPT = 200  # characters of what a reading tool brings in
#: Files that say what happened or what the project is: a task's output, a persisted result, manifests.
_TELLING = (
    ".output",
    ".txt",
    ".log",
    ".json",
    ".toml",
    ".cfg",
    ".ini",
    ".yml",
    ".yaml",
    ".xml",
    ".gradle",
    ".kts",
    ".mod",
    "file",
    ".md",
)
IN_FULL = "reading in full"


def read_call(
    memory: Memory, block: "dict[str, Any]", base: "dict[str, Any]", message_id: str | None
) -> ToolUse | None:
    """A `tool_use` block; None when it has no id or was told before."""
    call, name = string(block, "id"), string(block, "name")
    given = mapping(block, "input")
    kind = name
    path = given.get("file_path")
    if name in READING and (type(path) is not str or tells(path)):
        kind = IN_FULL
    if not call or not memory.called(call, kind):
        return None
    base["id"] = call
    base["name"] = name
    base["input"] = capped(given)
    base["message_id"] = message_id
    return made(ToolUse, base)


def tells(path: str) -> bool:
    """Whether a file says what happened or what the project is, so that its text is wanted in full."""
    return path.endswith(_TELLING)


def read_results(
    memory: Memory, found: "list[dict[str, Any]]", data: "dict[str, Any]", base: "dict[str, Any]", *, whole: bool
) -> "list[Record]":
    """The `tool_result` blocks of a message, each with the notice it may hold."""
    records: list[Record] = []
    for block in found:
        if string(block, "type") != "tool_result":
            continue
        call = string(block, "tool_use_id")
        tool = memory.calls.pop(call, "")
        if not whole and tool in READING and is_plain(block, data):
            records.append(ToolResult(**base, tool_use_id=call, text=string(block, "content")[:KEPT]))
            continue
        fields = read_result(block, data, tool)
        records.append(made(ToolResult, base | fields))
        if tool in notices.TELLING and (notice := notices.from_result(tool, fields, data.get("toolUseResult"))):
            records += notices.told(memory, notice, base)
    return records


def is_plain(block: "dict[str, Any]", data: "dict[str, Any]") -> bool:
    """Whether a result is one text and went well: what `quick` sees too, so that both ways tell the same."""
    alone = len(blocks(mapping(data, "message").get("content"))) == 1
    return alone and block.get("is_error") is not True and type(block.get("content")) is str
