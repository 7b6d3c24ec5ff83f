"""What runs on after its call returned: background shells and subagents, and how their end is joined to what they ran."""

from ace_reflect.evidence import shell_facts, shell_runs
from ace_reflect.evidence.book import MAX_COMMAND, made
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import Background, CommandKind, Outcome
from ace_reflect.transcript.records import TaskNotice, ToolResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.facts import Run

    Draft = dict[str, Any]

MAX_OUTPUT = 6_000  # characters of a background shell's output that are kept; the verdict is at its end
_MAX_EARLY = 20
_STILL_RUNNING = ("running", "pending", "in_progress", "async_launched")
_STOPPED = ("killed", "stopped", "cancelled", "canceled")


def started(book: "Book", draft: "Draft", result: ToolResult) -> None:
    """A shell went into the background: its tests are running from now on."""
    task = result.background_id or ""
    runs = shell_runs.running(draft, result.line)
    book.runs += runs
    kinds = shell_facts.kinds_of(draft)
    kind = next(
        (
            kind
            for kind in (CommandKind.TEST, CommandKind.BUILD, CommandKind.SERVER, CommandKind.PR_CHECKS)
            if kind in kinds
        ),
        kinds[0] if kinds else CommandKind.OTHER,
    )
    book.background.append(
        made(
            Background,
            id=task,
            line=draft["line"],
            turn=draft["turn"],
            command=draft["command"][:MAX_COMMAND],
            kind=kind,
        )
    )
    book.wait(task, draft)
    if runs and ">" in draft["command"]:
        from ace_reflect.evidence import log_files

        log_files.note(book, draft, classify(draft["command"], draft.get("cwd")), unknown=True)
    _catch_up(book, task)


def _catch_up(book: "Book", task: str) -> None:
    """The end of a short task may be told before its start: parallel calls' results are written late."""
    early = book.ended_early.pop(task, None)
    if early is not None:
        ended(book, TaskNotice(task_id=task, **early))


def subagent_called(book: "Book", draft: "Draft", result: ToolResult) -> None:
    """A subagent was started; one that runs in the background is waited for."""
    if draft["by"] == "agent":
        book.top["subagents"] += 1
    details = result.details or {}
    runs_on = details.get("status") == "async_launched" or details.get("isAsync") is True or draft.get("background")
    if not runs_on or details.get("status") not in (None, *_STILL_RUNNING):
        return
    agent = details.get("agentId") or details.get("agent_id") or ""
    book.background.append(
        made(
            Background,
            id=str(agent),
            line=draft["line"],
            turn=draft["turn"],
            command=draft.get("text", ""),
            kind=CommandKind.OTHER,
            subagent=True,
        )
    )
    _catch_up(book, str(agent))


def ended(book: "Book", notice: TaskNotice) -> None:
    """A background task ended, as a notice or its output tool says."""
    if notice.status in _STILL_RUNNING:
        return
    if not any(item.id == notice.task_id for item in book.background):
        _note_early(book, notice)
        return
    for place, item in enumerate(book.background):
        if item.id == notice.task_id and item.running:
            book.background[place] = item.replace(running=False)
    draft = book.waiting.get(notice.task_id)
    if draft is None:
        return
    stopped = notice.status in _STOPPED
    failed = notice.status == "failed" or notice.exit_code not in (None, 0)
    draft["ended"] = {
        "failed": failed,
        "exit_code": notice.exit_code,
        "stopped": stopped,
        "told": notice.status == "completed" or notice.exit_code is not None,
    }
    _update(book, draft, notice.output, notice.line)


def _note_early(book: "Book", notice: TaskNotice) -> None:
    book.ended_early[notice.task_id] = {
        "line": notice.line,
        "status": notice.status,
        "exit_code": notice.exit_code,
        "output": notice.output[-MAX_OUTPUT:],
    }
    while len(book.ended_early) > _MAX_EARLY:
        del book.ended_early[next(iter(book.ended_early))]


def output_seen(book: "Book", task: str, output: str, line: int) -> None:
    """Somebody read the file that a background shell writes to."""
    draft = book.waiting.get(task)
    if draft is not None and output.strip():
        _update(book, draft, output, line)


def _update(book: "Book", draft: "Draft", output: str, line: int) -> None:
    """Read the runs of a background shell again, with what is now known of its end and its output."""
    end = draft.get("ended")
    output = draft["output"] = _joined(draft.get("output", ""), output)
    result = ToolResult(
        line=line,
        tool_use_id="",
        text=output,
        is_error=bool(end and end["failed"]),
        exit_code=end["exit_code"] if end else None,
    )
    fresh = shell_runs.finished(draft, result, ended=bool(end and end["told"]), stopped=bool(end and end["stopped"]))
    places = [
        place
        for place, run in enumerate(book.runs)
        if run.background and run.line == draft["line"] and run.file == draft.get("file")
    ]
    for place, run in zip(places, fresh, strict=False):
        if _says_more(run, book.runs[place]) or (end and book.runs[place].running):
            book.runs[place] = run.replace(running=run.running and not end)
    if end and end["told"] and not end["stopped"]:
        _shipped(book, draft, result)


def _shipped(book: "Book", draft: "Draft", result: ToolResult) -> None:
    """What it committed, pushed and saw of CI, and what git's hooks ran in it: its end may be told before its output."""
    commands = classify(draft["command"], draft.get("cwd"))
    here = (draft["line"], draft.get("file"))
    told: list[list[Any]] = [book.pushes, book.commits, book.pull_requests, book.ci_looks]
    for facts in told:
        facts[:] = [fact for fact in facts if (fact.line, fact.file) != here]
    book.runs[:] = [run for run in book.runs if run.background or (run.line, run.file) != here]
    book.runs += shell_runs.by_git_hook(draft, commands, result)
    shell_facts.shipped(book, draft, commands, result)


def _joined(before: str, new: str) -> str:
    """All output so far: BashOutput gives what is new, TaskOutput and the file give everything, a notice often nothing."""
    if not before or not new or new in before:
        return (before or new)[-MAX_OUTPUT:]
    return (new if before[-300:] in new else f"{before}\n{new}")[-MAX_OUTPUT:]


def _says_more(run: "Run", before: "Run") -> bool:
    return run.outcome is not Outcome.UNKNOWN and (before.outcome is Outcome.UNKNOWN or bool(run.quote))
