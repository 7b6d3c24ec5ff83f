"""A `tool_result` block and its line's `toolUseResult` -> one ToolResult."""

from ace_reflect.transcript.fields import TEXT_CAP, between, cut_middle, mapping, plain_text, slim, string
from ace_reflect.transcript.people import INTERRUPTED
from ace_reflect.transcript.tool_names import EDITS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_REFUSED = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected tool use",
    "The agent proposed a plan that was rejected by the user",
    "This command requires approval",
    "This Bash command contains multiple operations",
    "Claude requested permissions to",
    "Permission to use ",
    "Permission for this action",
    "Permission denied by",
    "PreToolUse:",
    "Execution stopped by PreToolUse hook",
    INTERRUPTED,
)
#: "MODEL is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.": the model's name leads.
_UNJUDGED = "cannot determine the safety of"
_NEVER_RAN = (
    "<tool_use_error>",
    "Sibling tool call errored",
    "Cancelled",
    "InputValidationError",
    "Error: InputValidationError",
    "Error: No such tool available",
    "No such tool available",
    "String to replace not found",
    "File has not been read yet",
    "File has been modified since read",
    "No changes to make",
    "Found ",  # "Found 2 matches of the string to replace, but …"
)
#: What the host itself answers; in an editor anything else of an edit or a command that failed is the person's own text.
_MACHINE = (
    "Exit code ",
    "Error: Exit code ",
    "Error",
    "Command timed out",
    "EISDIR",
    "ENOENT",
    "File does not exist",
    "Shell ",
    "MCP ",
)
_REFUSABLE = SHELLS | EDITS | {"ExitPlanMode"}
_SAID = "the user said:"
_CLARIFY = "The user wants to clarify these questions"
_NOTES = ("\n\nNote: The user's next message", "\n\nIMPORTANT: The user", "\n\n<system-reminder>")
_DROPPED = (
    "structuredPatch",
    "originalFile",
    "originalFileContents",
    "content",
    "stdout",
    "stderr",
    "oldString",
    "newString",
    "prompt",
)
_MOST_PATCH_LINES = 5_000
PERSISTED = "<persisted-output>"
CUT_ABOVE = 8_000  # characters: no host cuts what is shorter
_CUT_MARKS = ("lines truncated] ...", "[Output truncated", "characters truncated]")


def read_result(block: "dict[str, Any]", data: "dict[str, Any]", tool: str) -> "dict[str, Any]":
    """The fields of a ToolResult but for the ones every record has. `tool` is the call's name, empty when it is unknown."""
    text = plain_text(block.get("content", ""))
    answer = data.get("toolUseResult")
    fields: dict[str, Any] = {"tool_use_id": string(block, "tool_use_id"), "text": cut_middle(text, TEXT_CAP)}
    if block.get("is_error") is True or _old_failure(block, answer):
        fields |= _failure(text, answer, data, tool)
    fields |= answer_fields(answer, text)
    if tool in SHELLS and type(answer) is not dict and (task := _background_task(text)):
        fields["background_id"] = task
    if was_cut(text):
        fields["truncated"] = True
    return fields


def _background_task(text: str) -> str:
    """X of "Command running in background with ID: X. Output is being written to: …", where the answer does not tell it."""
    told = text.startswith("Command ") and "background" in text[:200]
    return text[:400].partition(" with ID: ")[2].partition(" ")[0].strip(".\n") if told else ""


def was_cut(text: str) -> bool:
    """Whether the host cut an output before anybody saw it."""
    return text.startswith(PERSISTED) or (len(text) > CUT_ABOVE and any(mark in text for mark in _CUT_MARKS))


def _old_failure(block: "dict[str, Any]", answer: object) -> bool:
    return block.get("is_error") is None and type(answer) is str and answer.startswith("Error: ")


def _failure(text: str, answer: object, data: "dict[str, Any]", tool: str) -> "dict[str, Any]":
    said = answer if type(answer) is str else ""
    stripped = text.removeprefix("Error: ")
    fields: dict[str, Any] = {"is_error": True}
    code = exit_code(stripped) if exit_code(stripped) is not None else exit_code(said.removeprefix("Error: "))
    if code is not None:
        fields["exit_code"] = code
    if stripped.startswith(_NEVER_RAN) and not (stripped.startswith("Found ") and "replace" not in stripped[:200]):
        fields["not_run"] = True
    if stripped.startswith(_REFUSED) or said.startswith(_REFUSED) or _unjudged(stripped) or "toolDenialKind" in data:
        fields |= {"denied": True, "not_run": True, "user_words": _words(text)}
    elif code is None and _typed_by_person(stripped, data, tool):
        fields |= {"denied": True, "not_run": True, "user_words": text.strip()}
    if _timed_out(stripped):
        fields["timed_out"] = True
    return fields


def _unjudged(text: str) -> bool:
    """Whether the host held a call back because nobody could be asked whether it is safe."""
    first = text.split("\n", 1)[0]
    return _UNJUDGED in first[:200] and "unavailable" in first[:200]


def _typed_by_person(text: str, data: "dict[str, Any]", tool: str) -> bool:
    """In VS Code a refusal's content is the person's free text and nothing else."""
    if tool == "ExitPlanMode":
        return not text.startswith((*_NEVER_RAN, *_MACHINE)) and "plan mode" not in text[:80]
    if string(data, "entrypoint") != "claude-vscode" or tool not in _REFUSABLE:
        return False
    return bool(text.strip()) and not text.startswith((*_NEVER_RAN, *_MACHINE))


def _words(text: str) -> str:
    words = between(text, _SAID, "\x00")
    if words is None:
        return ""
    for note in _NOTES:
        words = words.split(note, 1)[0]
    words = words.strip()
    return _answers(words) if words.startswith(_CLARIFY) else words


def _answers(text: str) -> str:
    """The person's part of the form that declines an AskUserQuestion: the rest is the host's wording."""
    rows = (row.strip() for row in text.splitlines())
    return "\n".join(row.removeprefix("Answer:").strip() for row in rows if row.startswith("Answer:"))


def exit_code(text: str) -> int | None:
    """N of a leading "Exit code N"."""
    if not text.startswith("Exit code "):
        return None
    digits = text[10:20].split("\n", 1)[0].strip()
    return int(digits) if digits.isascii() and digits.lstrip("-").isdigit() else None


def _timed_out(text: str) -> bool:
    return "Command timed out after" in text[:400] or "Command timed out after" in text[-400:]


def answer_fields(answer: object, text: str) -> "dict[str, Any]":
    """What `toolUseResult` adds: `details`, `patch`, `background_id`, `truncated`, `stdout`."""
    if type(answer) is dict:
        return _from_object(answer, text)
    return {"details": {"content": slim(answer)}} if type(answer) is list else {}


def _from_object(answer: "dict[str, Any]", text: str) -> "dict[str, Any]":
    fields: dict[str, Any] = {"details": _details(answer)}
    task = string(answer, "backgroundTaskId")
    if task:
        fields["background_id"] = task
    if "persistedOutputPath" in answer or answer.get("truncated") is True:
        fields["truncated"] = True
    stdout = string(answer, "stdout")
    persisted = "persistedOutputPath" in answer or text.startswith(PERSISTED)  # 2.1.2x to 2.1.4x name no path
    if stdout and persisted and stdout.strip() not in text:
        fields["stdout"] = cut_middle(stdout, TEXT_CAP)
    patch = _patch(answer.get("structuredPatch"))
    if patch:
        fields["patch"] = patch
    return fields


def _details(answer: "dict[str, Any]") -> "dict[str, Any]":
    kept = {key: slim(value) for key, value in answer.items() if key not in _DROPPED and key != "file"}
    file = mapping(answer, "file")
    if file:
        kept["file"] = {key: slim(value) for key, value in file.items() if key not in ("content", "base64")}
    return kept


def _patch(hunks: object) -> "tuple[dict[str, Any], ...]":
    if type(hunks) is not list:
        return ()
    kept, lines = [], 0
    for hunk in hunks:
        if type(hunk) is not dict or type(hunk.get("lines")) is not list:
            continue
        room = _MOST_PATCH_LINES - lines
        if room <= 0:
            break
        rows = [row for row in hunk["lines"][:room] if type(row) is str]
        lines += len(rows)
        kept.append({**hunk, "lines": rows})
    return tuple(kept)
