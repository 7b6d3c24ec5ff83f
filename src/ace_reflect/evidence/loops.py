"""The current turn's calls as the loop detectors see them: what was called with what, and whether it changed anything."""

from ace_reflect.checksum import checksum
from ace_reflect.evidence.book import MAX_CALLS, made
from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.facts import CommandKind, ToolCall
from ace_reflect.evidence.tool_edits import is_edit, path_of
from ace_reflect.late import Late
from ace_reflect.transcript.fields import last_space
from ace_reflect.transcript.tool_names import LOOKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book
    from ace_reflect.transcript.records import ToolUse

MAX_KEY = 120
_READS = LOOKING | word_set(
    "TodoRead BashOutput TaskOutput TaskList TaskGet AgentOutputTool LSP ListMcpResources ReadMcpResource "
    "ListMcpResourcesTool ReadMcpResourceTool"
)
_MCP_READ = Late(
    r"^mcp__.*__(?:get|list|read|search|find|view|fetch|query|show|describe|check|look|browse|snapshot|resolve|inspect|status)",
    needs=("mcp__",),
)
_NUMBERS = Late(r"\b\d{9,}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,}\b")
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")
_CHANGES = frozenset(
    (
        CommandKind.EDIT,
        CommandKind.FORMAT,
        CommandKind.COMMIT,
        CommandKind.PUSH,
        CommandKind.PR_CREATE,
        CommandKind.PR_MERGE,
    )
)


def note_call(book: "Book", use: "ToolUse", draft: "dict[str, Any]") -> None:
    """Add the call to the turn's list and counts; its number goes into the draft, so that a failure can be noted."""
    book.calls_made += 1
    draft["number"] = book.calls_made
    command = draft.get("command")
    bash = isinstance(command, str)
    write, read = _nature(use.name, command if bash else None, draft.get("cwd"))
    key = normalised(command) if isinstance(command, str) else _short(f"{use.name} {path_of(use.input)}".strip())
    book.calls.append(
        made(
            ToolCall,
            line=use.line,
            turn=draft["turn"],
            name=use.name,
            key=key,
            write=write,
            read=read,
            bash=bash,
            sequence=book.calls_made,
        )
    )
    del book.calls[:-MAX_CALLS]
    turn = book.turn
    if turn is not None:
        turn["writes"] = turn.get("writes", 0) + write
        turn["reads"] = turn.get("reads", 0) + read


def note_failure(book: "Book", number: int) -> None:
    for place in range(len(book.calls) - 1, -1, -1):
        if book.calls[place].sequence == number:
            book.calls[place] = book.calls[place].replace(failed=True)
        if book.calls[place].sequence <= number:
            return


def normalised(command: str) -> str:
    """A command with its spaces made one and long numbers (times, ids) made alike; a long one by its beginning and length."""
    text = " ".join(command.split())
    if _may_hold_numbers(text):
        text = _NUMBERS.sub("N", text)
    return _short(_without_cd(text))


def _may_hold_numbers(text: str) -> bool:
    """Nine digits, or a part of four letters or digits between dashes: else there is no number that is made alike."""
    return (
        not text.isascii()
        or len(text) - len(text.translate(_WITHOUT_DIGITS)) >= 9
        or any(len(part) == 4 for part in text.split("-")[1:-1])
    )


def _without_cd(text: str) -> str:
    """The same command behind a `cd` is the same command."""
    folder, found, rest = text.partition(" && ")
    if not found or not folder.startswith("cd ") or any(mark in folder[3:] for mark in " ;&|"):
        return text
    return rest


def _short(text: str) -> str:
    """
    A long text by its beginning and a checksum of all of it: two files deep in one folder are not the same.

    It may be shown to a model: half a secret at its end would not be known for one.
    """
    if len(text) <= MAX_KEY:
        return text
    return f"{text[: last_space(text, MAX_KEY - 12)]}#{checksum(text.encode('utf-8', 'replace')):08x}"


def _nature(name: str, command: str | None, cwd: str | None) -> tuple[bool, bool]:
    """Whether a call changes something, and whether it only looks."""
    if command is None:
        return is_edit(name), name in _READS or _MCP_READ.match(name) is not None
    from ace_reflect.evidence.commands import classify

    commands = classify(command, cwd)
    write = any(item.kind in _CHANGES or item.writes for item in commands)
    # `cd app && ./deploy.sh` begins with a look; what an unknown program does is not known.
    looks = all(item.kind in (CommandKind.READ, CommandKind.PR_VIEW) for item in commands)
    return write, bool(commands) and not write and looks
