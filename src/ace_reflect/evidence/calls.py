"""
Calls and their results, joined: what a tool use promises is noted when it begins and becomes facts when its result is there.

A draft is plain JSON, because a stop may fall between a call and its result.
"""

from ace_reflect.evidence import hints, kinds, loops, shell_facts, tool_edits
from ace_reflect.evidence.book import MAX_PENDING, cut, file_key, made
from ace_reflect.evidence.facts import Outcome, PullRequest, Question
from ace_reflect.late import MULTILINE, Late
from ace_reflect.transcript.records import ToolResult
from ace_reflect.transcript.tool_names import OUTPUTS, SHELLS, SUBAGENTS, TODO_CHANGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book
    from ace_reflect.transcript.records import ToolUse, UserShell

    Draft = dict[str, Any]

_ORPHAN_TEXT = 20_000
_MAX_ORPHANS = 20
_QUESTION_TEXT = 600
_MCP_PULL_REQUEST = ("create_pull_request", "create_merge_request", "open_pull_request", "open_merge_request")
_OUTPUT_FILE = Late(r"tasks/([\w-]+)\.output\b", needs=("tasks/", ".output"))
_LINE_NUMBER = Late(r"^[^\S\n]*\d+[→\t]", MULTILINE, needs=("→|\t",))


def begin(book: "Book", use: "ToolUse", at: str) -> None:
    """A tool was called."""
    draft = _draft(book, use, at)
    if draft["by"] == "agent":
        loops.note_call(book, use, draft)
    book.pending[use.id] = draft
    while len(book.pending) > MAX_PENDING:
        del book.pending[next(iter(book.pending))]
    early = book.orphans.pop(use.id, None)
    if early is not None:
        line, time = early.pop("line"), early.pop("at")
        settle(book, ToolResult(line=line, tool_use_id=use.id, **early), time)


def _draft(book: "Book", use: "ToolUse", at: str) -> "Draft":
    cwd = book.cwd_of(use)
    agent = use.in_main_thread
    draft: Draft = {
        "name": use.name,
        "line": use.line,
        "at": at,
        "turn": book.turn_at(use, at),
        "by": "agent" if agent else "subagent",
    }
    if use.file:
        draft["file"] = use.file
    return draft | _kept(book, use, cwd)


def _kept(book: "Book", use: "ToolUse", cwd: str | None) -> "Draft":
    """The part of the input that the result will need."""
    data, name = use.input, use.name
    if name in SHELLS:
        command = data.get("command")
        command = command if isinstance(command, str) else ""
        book.note_command(command)
        hints.from_paths(book, command)
        return {
            "command": command,
            "cwd": cwd,
            "branch": book.now_branch,
            "background": data.get("run_in_background") is True,
        }
    if tool_edits.is_edit(name):
        return tool_edits.draft(name, data, cwd, book.top["cwd"])
    if name in TODO_CHANGES:
        from ace_reflect.evidence import todos

        return {"todos": todos.slim_input(name, data)}
    if name == "AskUserQuestion":
        return {"text": _questions(data)}
    if name in SUBAGENTS:
        return {"text": str(data.get("description") or "")[:200], "background": data.get("run_in_background") is True}
    if name in OUTPUTS:
        return {"task": str(data.get("bash_id") or data.get("task_id") or data.get("shell_id") or "")}
    command = data.get("command")
    if name.startswith("mcp__") and isinstance(command, str):
        book.note_command(command)
        return {"path": "", "command": command, "cwd": cwd, "branch": book.now_branch}
    return {"path": tool_edits.path_of(data)[:500]}


def _questions(data: "dict[str, Any]") -> str:
    found = data.get("questions")
    rows = (
        [row.get("question") for row in found if isinstance(row, dict)]
        if isinstance(found, list)
        else [data.get("question")]
    )
    return "\n".join(row for row in rows if isinstance(row, str))[:_QUESTION_TEXT]


def settle(book: "Book", result: ToolResult, at: str) -> None:
    """A result came: make the facts of its call. One that came before its call waits for it."""
    draft = book.pending.pop(result.tool_use_id, None)
    if draft is None:
        _keep_orphan(book, result, at)
        return
    failed = result.is_error or result.denied or result.not_run
    if failed and draft.get("number"):
        loops.note_failure(book, draft["number"])
    name = draft["name"]
    if name in SHELLS:
        _settle_shell(book, draft, result)
    elif "path" in draft and tool_edits.is_edit(name):
        if not failed:
            _settle_edit(book, draft, result)
    elif "todos" in draft:
        if not failed and draft["by"] == "agent":
            from ace_reflect.evidence import todos

            book.todos = list(
                todos.apply(tuple(book.todos), name, draft["todos"], result.text, draft["line"], draft["turn"])
            )
    else:
        _settle_other(book, draft, result, failed=failed)
    if result.denied and result.user_words and draft["by"] == "agent":
        asked = f"{name}: {draft.get('command') or draft.get('path') or draft.get('text') or ''}"
        book.questions.append(_question(draft, "refused " + asked, result.user_words))


def _keep_orphan(book: "Book", result: ToolResult, at: str) -> None:
    fields = {name: value for name, value in result.to_json().items() if name != "tool_use_id"}
    fields["text"] = cut(result.text, _ORPHAN_TEXT)
    book.orphans[result.tool_use_id] = {**fields, "at": at}
    while len(book.orphans) > _MAX_ORPHANS:
        del book.orphans[next(iter(book.orphans))]


def _settle_edit(book: "Book", draft: "Draft", result: ToolResult) -> None:
    details = result.details or {}
    path = details.get("filePath")
    if isinstance(path, str) and path.startswith("/"):
        draft = {**draft, "path": kinds.spelled_as(book.top["cwd"] or "", path)}
    draft.setdefault("kind", tool_edits.kind_in(draft["path"], book.top["cwd"]))  # a draft put away by an older version
    draft = tool_edits.settled(draft, details, result.patch)
    made_new = details.get("type") == "create" or (
        draft["name"] == "Write" and "created successfully" in result.text[:400]
    )
    edit = shell_facts.edit_fact(draft["path"], draft["name"], draft, result.line, draft["kind"], created=made_new)
    if edit is not None:
        # What a person changed before accepting it is not what was put in.
        noted = ["weakened", "gone", "trivial", *([] if details.get("userModified") is True else ["change"])]
        # A draft put away by an older version lacks some.
        if draft.get("regained"):
            _regain(book, edit.path, draft["regained"])
        book.edits.append(edit.replace(**{name: draft[name] for name in noted if draft.get(name)}))
        hints.from_paths(book, edit.path)


def _regain(book: "Book", path: str, quote: str) -> None:
    """What an earlier edit of a test gave up, and this one puts back: the skip that was put in is out again."""
    for place in range(len(book.edits) - 1, -1, -1):
        earlier = book.edits[place]
        if earlier.path == path and earlier.weakened == quote:
            book.edits[place] = earlier.replace(weakened="")
            return


def _settle_shell(book: "Book", draft: "Draft", result: ToolResult) -> None:
    if result.background_id:
        from ace_reflect.evidence import background

        background.started(book, draft, result)
        return
    shell_facts.settle(book, draft, result)
    task = _OUTPUT_FILE.search(draft["command"])
    if task and not result.is_error:
        _output_seen(book, task.group(1), result.text, result.line)


def _output_seen(book: "Book", task: str, output: str, line: int) -> None:
    from ace_reflect.evidence import background

    background.output_seen(book, task, output, line)


def _settle_other(book: "Book", draft: "Draft", result: ToolResult, *, failed: bool) -> None:
    name = draft["name"]
    if name == "ExitPlanMode":
        _plan_answered(book, draft, failed=failed, refused=result.denied)
    elif name == "EnterPlanMode" and not failed:
        book.top["plan_mode"] = draft["by"] == "agent" or book.top["plan_mode"]
    elif name == "AskUserQuestion" and draft["by"] == "agent":
        book.questions.append(_question(draft, draft["text"], result.user_words if failed else _answers(result)))
    elif name in SUBAGENTS and not (result.denied or result.not_run):
        from ace_reflect.evidence import background

        background.subagent_called(book, draft, result)
    elif name in OUTPUTS and not failed:
        _output_seen(book, draft["task"], result.stdout or result.text, result.line)
    elif name.startswith("mcp__"):
        _settle_mcp(book, draft, result, failed=failed)
    elif draft.get("path"):
        _file_read(book, draft, result, failed=failed)


def _plan_answered(book: "Book", draft: "Draft", *, failed: bool, refused: bool) -> None:
    if draft["by"] != "agent":
        return
    if failed and not refused:
        return  # not in plan mode, or no plan was written: nobody was asked
    book.plan_exits.append(f"{draft['line']}\t{'rejected' if refused else 'approved'}")
    if not failed:
        book.top["plan_mode"] = False
    elif book.turn is not None and book.turn["number"] == draft["turn"]:
        book.turn["plan_rejected"] = True


def _answers(result: ToolResult) -> str:
    """What the person typed or picked in the dialog, a line for each question: the rest is the agent's and the host's wording."""
    answers = (result.details or {}).get("answers")
    if isinstance(answers, dict):
        return "\n".join(row for row in answers.values() if isinstance(row, str))
    return "\n".join(row.partition('"')[0] for row in result.text.split('"="')[1:])


def _question(draft: "Draft", text: str, answer: str) -> Question:
    return made(
        Question,
        line=draft["line"],
        turn=draft["turn"],
        at=draft["at"],
        text=cut(text, _QUESTION_TEXT),
        answer=cut(answer, _QUESTION_TEXT),
    )


def _settle_mcp(book: "Book", draft: "Draft", result: ToolResult, *, failed: bool) -> None:
    from ace_reflect.evidence import tool_runs  # few sessions have such servers

    name = draft["name"]
    of_tests = tool_runs.runs_tests(name)
    if of_tests or "command" in draft:
        if not (result.denied or result.not_run):
            book.runs += [tool_runs.run_of(draft, result)] if of_tests else tool_runs.runs_in_shell(draft, result)
    elif name.endswith(_MCP_PULL_REQUEST):
        _mcp_pull_request(book, draft, result, failed=failed)
    elif draft.get("path"):
        _file_read(book, draft, result, failed=failed)


def _mcp_pull_request(book: "Book", draft: "Draft", result: ToolResult, *, failed: bool) -> None:
    from ace_reflect.evidence.pull_requests import find_url

    url, number = find_url(result.text)
    outcome = Outcome.FAILED if failed else Outcome.PASSED if url else Outcome.UNKNOWN
    book.pull_requests.append(
        made(
            PullRequest,
            line=draft["line"],
            result_line=result.line,
            file=draft.get("file"),
            turn=draft["turn"],
            at=draft["at"],
            outcome=outcome,
            url=None if failed else url,
            number=None if failed else number,
            command=draft["name"],
        )
    )


def _file_read(book: "Book", draft: "Draft", result: ToolResult, *, failed: bool) -> None:
    hints.from_paths(book, draft["path"])
    if failed:
        return
    if hints.is_package_json(draft):
        hints.from_package_json(book, draft["path"], result.text)
    task = _OUTPUT_FILE.search(draft["path"])
    if task:
        _output_seen(book, task.group(1), _without_line_numbers(result.text), result.line)
    elif file_key(draft["path"]) in book.waiting:
        from ace_reflect.evidence import log_files

        log_files.read(book, draft["path"], _without_line_numbers(result.text), result.line)


def _without_line_numbers(text: str) -> str:
    return _LINE_NUMBER.sub("", text)


def user_shell(book: "Book", record: "UserShell", at: str) -> None:
    """The person's own `!command`."""
    cwd = book.cwd_of(record)
    book.note_command(record.command)
    draft = {
        "name": "Bash",
        "line": record.line,
        "at": at,
        "turn": book.turn_at(record, at),
        "by": "user",
        "command": record.command,
        "cwd": cwd,
        "branch": book.now_branch,
    }
    shell_facts.settle(book, draft, record)


def unfinished(book: "Book") -> "dict[str, list[Any]]":
    """Facts of calls whose result is not there yet: a run that was cut off. Nothing in `book` is changed."""
    found: dict[str, list[Any]] = {}
    for draft in book.pending.values():
        if draft["name"] in SHELLS:
            for name, facts in shell_facts.without_result(draft).items():
                found.setdefault(name, []).extend(facts)
    return found
