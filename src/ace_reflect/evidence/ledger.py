"""
`LedgerBuilder`: records in, the ledger out.

Each kind of record has one function here; what a call came to is settled when its result is there, whichever of the two
comes first in the file.
"""

from ace_reflect.evidence import calls
from ace_reflect.evidence.book import MAX_FINAL, MAX_PROMPT, Book, cut
from ace_reflect.evidence.facts import Ledger
from ace_reflect.redact import without_private
from ace_reflect.transcript import records as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ace_reflect.transcript.records import Record

_MAX_LIMITS = 20
_MAX_LIMIT = 1_000


class LedgerBuilder:
    """
    Feed records in the order of their file; a subagent's file may be fed at any time after the main lines it follows.

    `LedgerBuilder(builder.ledger(), builder.state())` goes on exactly where `builder` stood; both are plain JSON.
    """

    def __init__(self, ledger: Ledger | None = None, state: "dict[str, Any] | None" = None) -> None:
        self._book = Book(ledger, state)
        self._snapshot: tuple[Ledger, dict[str, list[int]]] | None = None

    def feed(self, record: "Record") -> None:
        """Take in one record."""
        self._snapshot = None
        handler = _HANDLERS.get(type(record))
        if handler is None:
            return
        book = self._book
        at = book.time_of(record)
        if record.in_main_thread and book.turn is not None:
            book.turn["last_line"] = max(record.line, book.turn["last_line"])
        handler(book, record, at)

    def count(self, lines: int, bad_lines: int) -> None:
        """Note how many physical lines the main file has, and how many of them could not be read."""
        self._snapshot = None
        self._book.top["lines"], self._book.top["bad_lines"] = lines, bad_lines

    @property
    def bad_lines(self) -> int:
        """How many lines of the main file could not be read, as last counted."""
        return int(self._book.top["bad_lines"])

    def ledger(self) -> Ledger:
        """Everything known so far; calls without a result are in it as not settled."""
        return self._take()[0]

    def state(self) -> "dict[str, Any]":
        """What is needed to go on later and does not stand in the ledger: calls without a result, clocks, folders."""
        return {**self._book.state(), "provisional": self._take()[1]}

    def _take(self) -> "tuple[Ledger, dict[str, list[int]]]":
        if self._snapshot is None:
            self._snapshot = self._book.snapshot(calls.unfinished(self._book))
        return self._snapshot


def _context(book: Book, record: wire.Context, _: str) -> None:
    if record.cwd:
        book.cwd[record.file or ""] = record.cwd
        if book.top["cwd"] is None:
            book.top["cwd"] = record.cwd
    if not record.in_main_thread:
        return
    if record.branch:
        book.now_branch = book.top["branch"] = record.branch
    if record.session_id and not book.top["session_id"]:
        book.top["session_id"] = record.session_id


def _prompt(book: Book, record: wire.Prompt, at: str) -> None:
    if not record.in_main_thread:
        return
    if record.kind in ("human", "plan"):
        if record.queued and book.turn is not None and book.turn["number"]:
            _add_limit(book, record.text)
        else:
            _begin_turn(book, record, at)
        return
    book.fresh = True


def _begin_turn(book: Book, record: wire.Prompt, at: str) -> None:
    if record.kind == "plan":
        book.top["plan_mode"] = False
    book.begin_turn(
        line=record.line,
        last_line=record.line,
        at=at,
        prompt=cut(without_private(record.text), MAX_PROMPT),
        command=record.command or "",
        prompt_uuid=record.uuid,
        kind=record.kind,
        print_mode=record.print_mode,
    )


def _add_limit(book: Book, text: str) -> None:
    if book.turn is not None and text:
        limits = tuple(book.turn.get("limits", ()))
        book.turn["limits"] = (*limits, cut(text, _MAX_LIMIT))[-_MAX_LIMITS:]


def _text(book: Book, record: wire.AssistantText, at: str) -> None:
    if not record.in_main_thread:
        return
    turn = book.open_turn(record, at)
    same_message = record.message_id is not None and record.message_id == book.message_id
    before = turn.get("final_text", "") if same_message and not book.fresh else ""
    turn["final_text"] = cut(f"{before}\n\n{record.text}" if before else record.text, MAX_FINAL)
    turn["final_line"] = record.line
    book.message_id, book.fresh = record.message_id, False
    _goes_on(turn)


def _goes_on(turn: "dict[str, Any]") -> None:
    turn["interrupted"] = turn["api_error"] = False


def _tool_use(book: Book, record: wire.ToolUse, at: str) -> None:
    if record.in_main_thread:
        turn = book.open_turn(record, at)
        turn["tool_calls"] = turn.get("tool_calls", 0) + 1
        turn["final_text"], turn["final_line"] = "", None
        book.fresh = True
        _goes_on(turn)
    calls.begin(book, record, at)


def _tool_result(book: Book, record: wire.ToolResult, at: str) -> None:
    if record.denied and record.user_words and record.in_main_thread:
        _add_limit(book, record.user_words)
    calls.settle(book, record, at)


def _user_shell(book: Book, record: wire.UserShell, at: str) -> None:
    if record.in_main_thread:  # what stands in a subagent's lines is the agent's prompt to it, and no person's command
        calls.user_shell(book, record, at)


def _interrupt(book: Book, record: wire.Interrupt, at: str) -> None:
    if record.in_main_thread:
        book.open_turn(record, at)["interrupted"] = True
        if record.line not in book.interrupts[-1:]:
            book.interrupts.append(record.line)


def _compaction(book: Book, record: wire.Compaction, at: str) -> None:
    if record.in_main_thread:
        turn = book.open_turn(record, at)
        turn["compactions"] = turn.get("compactions", 0) + 1
        for call in book.pending.values():
            call["lost"] = True  # the host waits for no result of before
        book.compactions.append(record.line)


def _hook_output(book: Book, record: wire.HookOutput, _: str) -> None:
    if (
        record.kind == "hook_blocking_error"  # the event is decoded for it
        and record.in_main_thread
        and record.event in ("Stop", "SubagentStop")
        and book.turn is not None
    ):
        book.fresh = True


def _api_error(book: Book, record: wire.ApiError, at: str) -> None:
    if record.in_main_thread:
        book.open_turn(record, at)["api_error"] = True


def _task_notice(book: Book, record: wire.TaskNotice, _: str) -> None:
    from ace_reflect.evidence import background

    background.ended(book, record)


def _pr_link(book: Book, record: wire.PullRequestLink, _: str) -> None:
    book.pr_links[record.url] = None


def _mode(book: Book, record: wire.PermissionMode, _: str) -> None:
    if record.in_main_thread:
        book.top["plan_mode"] = record.mode == "plan"


_HANDLERS: "dict[type, Callable[[Book, Any, str], None]]" = {
    wire.Context: _context,
    wire.Prompt: _prompt,
    wire.AssistantText: _text,
    wire.ToolUse: _tool_use,
    wire.ToolResult: _tool_result,
    wire.UserShell: _user_shell,
    wire.Interrupt: _interrupt,
    wire.Compaction: _compaction,
    wire.HookOutput: _hook_output,
    wire.ApiError: _api_error,
    wire.TaskNotice: _task_notice,
    wire.PullRequestLink: _pr_link,
    wire.PermissionMode: _mode,
}
