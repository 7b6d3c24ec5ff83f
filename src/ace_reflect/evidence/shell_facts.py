"""
From one shell call and what it printed to facts: runs, edits, commits, pushes, pull requests, looks at CI.

The same code reads the agent's calls, a subagent's, the person's own `!command` and background shells that have ended.
"""

import re

from ace_reflect.evidence import hints, kinds
from ace_reflect.evidence.book import cut, made
from ace_reflect.evidence.ci import read_ci, read_failed_log
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CiLook, CommandKind, Commit, Edit, Outcome, PullRequest, Push, Run
from ace_reflect.evidence.outcomes import read_outcome
from ace_reflect.evidence.pull_requests import find_url, read_created
from ace_reflect.evidence.pushes import PushedRef, read_push
from ace_reflect.evidence.runners import combine, read_all, read_summary
from ace_reflect.evidence.tool_edits import absolute
from ace_reflect.transcript.records import ToolResult, UserShell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.runners import Summary

    Draft = dict[str, Any]
    Result = ToolResult | UserShell

RUNS = frozenset((CommandKind.TEST, CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK))
_CARRIERS = frozenset((CommandKind.COMMIT, CommandKind.PUSH))
MAX_COMMAND = 1_000
_QUOTE = 200
_SCRATCH = re.compile(
    r"^(?:/dev/|/proc/|/tmp/|/private/tmp/|/var/(?:tmp|folders|log)/|/private/var/|\$\{?(?:TMPDIR|TMP|TEMP)\b|\$\(mktemp|~/\.cache/|~/\.claude/)"
    r"|[\\/]AppData[\\/]Local[\\/]Temp[\\/]|/claude(?:-\d+)?/[^/]+/[^/]+/scratchpad/",
    re.IGNORECASE,
)
_BRANCHES = re.compile(r"\b(?:if|case|elif)\b|\|\|")
_BANNER = re.compile(r"(?m)^(?:\$|>|\[[\w:.-]+\] \$) (\S.{2,200})$")
_COMMITTED = re.compile(r"^\[(?P<branch>\S+(?: [^\]]*)?) (?P<sha>[0-9a-f]{5,40}|REDACTED)\] ?", re.MULTILINE)
_NOTHING_TO_COMMIT = re.compile(r"nothing to commit|no changes added to commit|nothing added to commit", re.IGNORECASE)


def settle(book: "Book", draft: "Draft", result: "Result") -> None:
    """Add all facts of a finished call to the book."""
    commands = classify(draft["command"], draft.get("cwd"))
    output = output_of(result)
    ran = not (isinstance(result, ToolResult) and (result.denied or result.not_run))
    book.runs += _runs(draft, commands, result)
    if ran:
        book.edits += _edits(book, draft, commands, result)
        _git(book, draft, commands, result, output)
        hints.from_shell_output(book, output)
        if any(command.kind is CommandKind.READ for command in commands):
            hints.from_paths(book, output, cwd=draft.get("cwd"))
    else:
        book.pushes += _refused_pushes(draft, commands, result)
    for command in commands:
        _forge(book, draft, command, result, output, ran=ran)


def output_of(result: "Result") -> str:
    if isinstance(result, UserShell):
        return f"{result.stdout}\n{result.stderr}".strip("\n")
    return result.stdout if result.stdout and len(result.stdout) > len(result.text) else result.text


def kinds_of(draft: "Draft") -> "list[CommandKind]":
    return [command.kind for command in classify(draft["command"], draft.get("cwd"))]


def _base(draft: "Draft", result_line: int | None) -> "dict[str, Any]":
    return {
        "line": draft["line"],
        "result_line": result_line,
        "file": draft.get("file"),
        "turn": draft["turn"],
        "at": draft["at"],
    }


# runs


def _runs(draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Run]:
    line = None if isinstance(result, UserShell) else result.line
    found = [_run(draft, command, commands, result, line) for command in commands if command.kind in RUNS]
    if not any(run.kind is CommandKind.TEST for run in found):
        found += _by_git_hook(draft, commands, result, line) or _by_unknown_script(draft, commands, result, line)
    return found


def _run(
    draft: "Draft", command: "Command", commands: "tuple[Command, ...]", result: "Result", line: int | None
) -> Run:
    reading = read_outcome(commands, result, command)
    return made(
        Run,
        **_base(draft, line),
        **_about(draft, command),
        outcome=reading.outcome,
        why=cut(reading.why, _QUOTE),
        quote=cut(reading.quote, _QUOTE),
        status_visible=reading.status_visible,
        masked=cut(reading.masked, 100),
        counts=reading.counts,
        running=reading.running,
        cut_off=reading.cut_off,
    )


def _about(draft: "Draft", command: "Command") -> "dict[str, Any]":
    return {
        "by": draft["by"],
        "command": cut(draft["command"], MAX_COMMAND),
        "kind": command.kind,
        "runner": command.runner,
        "cwd": command.cwd,
        "targets": tuple(cut(target, _QUOTE) for target in command.targets[:20]),
        "selected": cut(command.selected, _QUOTE),
        "deselects": cut(command.deselects, _QUOTE),
    }


def _by_git_hook(draft: "Draft", commands: "tuple[Command, ...]", result: "Result", line: int | None) -> list[Run]:
    """Tests that a hook ran inside `git commit` or `git push`, known by the summary or the heading they printed."""
    carrier = next((item for item in commands if item.kind in _CARRIERS and not item.no_verify), None)
    if carrier is None or (isinstance(result, ToolResult) and result.not_run):
        return []
    found = _hook_summary(output_of(result)) or _hook_stopped(output_of(result), result)
    if found is None:
        return []
    return [
        made(
            Run,
            **_base(draft, line),
            **found,
            by="git-hook",
            command=cut(draft["command"], MAX_COMMAND),
            kind=CommandKind.TEST,
            status_visible=False,
            cwd=carrier.cwd,
        )
    ]


def _hook_summary(output: str) -> "dict[str, Any] | None":
    whole = combine(tuple(item for item in read_all(output) if _is_runners(item)))
    if whole is None:
        return None
    why = cut(f"a git hook's own summary: {whole.vacuous or whole.quote}", _QUOTE)
    return {"runner": whole.runner, "outcome": whole.outcome, "why": why, "quote": whole.quote, "counts": whole.counts}


def _is_runners(item: "Summary") -> bool:
    """A whole test runner's word: "All checks passed!" without a runner's form may be a linter's."""
    return not item.partial and not item.wrapper and item.family != "plain"


def _hook_stopped(output: str, result: "Result") -> "dict[str, Any] | None":
    """No summary was shown, but the hook stopped the commit and the last thing it announced (`$ bun test`) was tests."""
    if not (isinstance(result, ToolResult) and result.is_error) or _COMMITTED.search(output):
        return None
    banners = _BANNER.findall(output)
    announced = classify(banners[-1]) if banners else ()
    test = next((item for item in announced if item.kind is CommandKind.TEST), None)
    if test is None:
        return None
    return {
        "runner": test.runner,
        "outcome": Outcome.FAILED,
        "why": "a git hook stopped at its tests",
        "quote": cut(banners[-1], _QUOTE),
    }


_RUNS_OTHERS = re.compile(
    r"^(?:\.{0,2}/\S+|\S+/\S+\.(?:sh|py|js|mjs|ts|rb|pl|bash)|(?:bash|sh|zsh|python[\d.]*|node|ruby|deno|bun|npx?|npm|pnpm|yarn|make|just|task|mise|invoke|inv|rake|tox|nox|docker|podman|"
    r"vagrant|ssh|earthly|dagger|act|nx|turbo|lerna|moon|pants|bazel|buck2?|composer|mvn|gradle|gradlew|sbt|lein|mix|rebar3|\S+\.sh)$)"
)


def _by_unknown_script(
    draft: "Draft", commands: "tuple[Command, ...]", result: "Result", line: int | None
) -> list[Run]:
    """`./ci.sh`, `make verify`: not a test command by its name, but it printed a runner's summary."""
    scripts = [
        item
        for item in commands
        if item.kind in (CommandKind.OTHER, CommandKind.BUILD) and item.argv and _RUNS_OTHERS.match(item.argv[0])
    ]
    if not scripts or (isinstance(result, ToolResult) and result.not_run):
        return []
    summary = read_summary(output_of(result))
    if summary is None or not _is_runners(summary) or summary.outcome is Outcome.NOT_RUN:
        return []
    command = scripts[-1].replace(kind=CommandKind.TEST, runner=summary.runner)
    return [_run(draft, command, commands, result, line)]


def running(draft: "Draft", line: int | None) -> list[Run]:
    """The runs of a shell that was sent to the background."""
    return [
        made(
            Run,
            **_base(draft, line),
            **_about(draft, command),
            outcome=Outcome.UNKNOWN,
            why="still running in the background",
            background=True,
            running=True,
        )
        for command in classify(draft["command"], draft.get("cwd"))
        if command.kind in RUNS
    ]


def finished(draft: "Draft", result: ToolResult, *, ended: bool, stopped: bool) -> list[Run]:
    """The same runs with what their output and end tell. Without a word on the end only a summary counts."""
    commands = classify(draft["command"], draft.get("cwd"))
    found = []
    for command in commands:
        if command.kind not in RUNS:
            continue
        run = _run(draft, command, commands, result, result.line)
        if not run.quote and (stopped or not ended):
            why = "stopped before it ended" if stopped else "its end was not seen"
            run = run.replace(outcome=Outcome.UNKNOWN, why=why, cut_off=stopped)
        found.append(run.replace(background=True, running=not ended and not stopped and not run.quote))
    return found


def without_result(draft: "Draft") -> "dict[str, list[Any]]":
    """What a call without a result comes to: it may be running, or the transcript ends here."""
    base = _base(draft, None)
    found: dict[str, list[Any]] = {}
    for command in classify(draft["command"], draft.get("cwd")):
        if command.kind in RUNS:
            run = made(
                Run,
                **base,
                **_about(draft, command),
                outcome=Outcome.UNKNOWN,
                why="no result in the transcript",
                cut_off=True,
                running=True,
            )
            found.setdefault("runs", []).append(run)
        elif command.kind is CommandKind.PUSH and command.push is not None:
            here = draft.get("branch") if _same_place(command, draft) else None
            words = {
                "by": draft["by"],
                "command": cut(draft["command"], MAX_COMMAND),
                "branch": _named_branch(command, here),
            }
            found.setdefault("pushes", []).append(made(Push, **base, **words, outcome=Outcome.UNKNOWN))
    return found


# edits


def edit_fact(
    path: str, tool: str, draft: "Draft", result_line: int | None, *, created: bool = False, formatter: bool = False
) -> Edit | None:
    """An Edit, or None for a plan, and for scratch files that are no part of any project."""
    if not path or kinds.is_plan_file(path):
        return None
    return made(
        Edit,
        **_base(draft, result_line),
        path=path,
        tool=tool,
        kind=kinds.edit_kind(path),
        by=draft["by"],
        created=created,
        formatter=formatter,
    )


def _edits(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Edit]:
    line = None if isinstance(result, UserShell) else result.line
    found: dict[str, Edit] = {}
    for place, command in enumerate(commands):
        if not command.writes or command.simple.remote or not _happened(place, commands, result):
            continue
        for name in command.writes:
            path = absolute(name, command.cwd or draft.get("cwd"))
            if _is_scratch(path, draft.get("cwd")) or path in found:
                continue
            edit = edit_fact(path, "Bash", draft, line, formatter=command.formatter)
            if edit is not None:
                found[path] = _with_weakening(book, command, edit)
    return list(found.values())


def _with_weakening(book: "Book", command: "Command", edit: Edit) -> Edit:
    """A test that is deleted is lost, unless this session made it."""
    words = command.argv[:2]
    deletes = words[:1] in (("rm",), ("unlink",), ("trash",)) or words == ("git", "rm")
    if edit.kind != "test" or not deletes or any(other.created and other.path == edit.path for other in book.edits):
        return edit
    return edit.replace(weakened=cut(command.simple.text, _QUOTE))


def _is_scratch(path: str, cwd: str | None) -> bool:
    """Temporary files and devices; a project that itself lies in a temporary folder is a project."""
    if not _SCRATCH.search(path):
        return False
    return not (cwd and path.startswith(cwd.rstrip("/") + "/"))


def _happened(place: int, commands: "tuple[Command, ...]", result: "Result") -> bool:
    """
    Whether a command that writes did so.

    Of a line that failed it did unless it may be the one that failed: its status shows, and nothing that ran after it
    explains the failure.
    """
    command = commands[place]
    if not (isinstance(result, ToolResult) and result.is_error):
        return command.simple.conditional != "||"
    if not command.simple.status_visible:
        return not _complains(command, result.text) and command.simple.conditional != "||"
    later = [item for item in commands[place + 1 :] if item.simple.status_visible]
    return bool(later) and not _complains(command, result.text)


def _complains(command: "Command", output: str) -> bool:
    program = command.argv[0].rsplit("/", 1)[-1] if command.argv else ""
    if program == "git":
        return re.search(r"^(?:fatal|error): ", output, re.MULTILINE) is not None
    return bool(program) and re.search(rf"^(?:\S*/)?{re.escape(program)}: ", output, re.MULTILINE) is not None


# git


def _git(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result", output: str) -> None:
    branch = draft.get("branch")
    for command in commands:
        branch = _switched(command, branch)
        if command.kind is CommandKind.COMMIT:
            book.commits.append(_commit(draft, commands, command, result, output))
        elif command.kind is CommandKind.PUSH:
            book.pushes += _pushes(draft, commands, command, result, output, branch)


def _switched(command: "Command", branch: str | None) -> str | None:
    """The branch after `git checkout -b x` or `git switch x` in the same line."""
    argv = command.argv
    if len(argv) > 2 and argv[0] == "git" and argv[1] in ("checkout", "switch") and "--" not in argv:
        names = [word for word in argv[2:] if not word.startswith("-")]
        if names and (len(names) == 1 or {"-b", "-B", "-c", "-C"} & set(argv)):
            return names[0]
    return branch


def _status(commands: "tuple[Command, ...]", command: "Command", result: "Result") -> Outcome:
    """What the exit status alone says of one command of the line."""
    if isinstance(result, UserShell):
        return Outcome.UNKNOWN
    if not result.is_error:
        return Outcome.PASSED if command.simple.status_visible else Outcome.UNKNOWN
    others = [item for item in commands if item is not command and item.simple.status_visible]
    return Outcome.FAILED if command.simple.status_visible and not others else Outcome.UNKNOWN


def _commit(
    draft: "Draft", commands: "tuple[Command, ...]", command: "Command", result: "Result", output: str
) -> Commit:
    outcome, quote = _status(commands, command, result), ""
    done = _COMMITTED.search(output)
    if done:
        outcome, quote = Outcome.PASSED, output[done.start() :].partition("\n")[0]
    elif _NOTHING_TO_COMMIT.search(output):
        outcome, quote = Outcome.NOT_RUN, "nothing to commit"
    return made(
        Commit,
        **_base(draft, _line_of(result)),
        by=draft["by"],
        outcome=outcome,
        no_verify=command.no_verify,
        quote=cut(quote, _QUOTE),
    )


def _line_of(result: "Result") -> int | None:
    return None if isinstance(result, UserShell) else result.line


def _pushes(
    draft: "Draft",
    commands: "tuple[Command, ...]",
    command: "Command",
    result: "Result",
    output: str,
    branch: str | None,
) -> list[Push]:
    """One fact for each ref that the push names, in its output or else in its words."""
    rows = read_push(output)
    if not rows:
        status = _unseen(commands, command, result, draft["command"])
        rows = _from_words(command, status, branch, here=_same_place(command, draft))
    named = _named_branch(command, branch if _same_place(command, draft) else None)
    base = _base(draft, _line_of(result))
    return [
        made(
            Push,
            **base,
            by=draft["by"],
            command=cut(draft["command"], MAX_COMMAND),
            branch=row.branch or (None if row.tag else named),
            outcome=row.outcome,
            quote=row.quote,
            new_branch=row.new_branch,
            up_to_date=row.up_to_date,
            forced=row.forced,
            deleted=row.deleted,
            tag=row.tag,
        )
        for row in rows
    ]


def _unseen(commands: "tuple[Command, ...]", command: "Command", result: "Result", source: str) -> Outcome:
    """
    The outcome of a push that printed nothing of its own.

    Git always says something unless it is told to be quiet, so one that hangs on a condition and left no trace did not run.
    """
    simple = command.simple
    quiet = (
        {"-q", "--quiet"} & set(command.argv)
        or simple.piped_to
        or simple.captured
        or any(op != "2>&" and ">" in op for op, _ in simple.redirects)
    )
    failed = isinstance(result, ToolResult) and result.is_error
    if simple.conditional and not quiet and (failed or _BRANCHES.search(source)):
        return Outcome.NOT_RUN
    return _status(commands, command, result)


def _refused_pushes(draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Push]:
    """Pushes of a call that never ran."""
    base, command = _base(draft, _line_of(result)), cut(draft["command"], MAX_COMMAND)
    return [
        made(Push, **base, by=draft["by"], command=command, outcome=Outcome.NOT_RUN)
        for item in commands
        if item.kind is CommandKind.PUSH
    ]


def _same_place(command: "Command", draft: "Draft") -> bool:
    """Whether the command runs in the session's own repository, whose branch is known."""
    here, there = draft.get("cwd"), command.cwd
    return (
        not here
        or not there
        or there == here
        or there.startswith(here + "/")
        or here.startswith(there.rstrip("/") + "/")
    )


def _from_words(command: "Command", status: Outcome, branch: str | None, *, here: bool) -> tuple[PushedRef, ...]:
    """Where the output shows nothing: what the command's own words say was pushed."""
    push = command.push
    if push is not None and push.tags and not push.refspecs:
        return (PushedRef(outcome=status, tag="*"),)
    refs = []
    for refspec in push.refspecs if push is not None else ():
        name = _target_of(refspec, branch if here else None)
        refs.append(PushedRef(outcome=status, branch=name, forced=refspec.startswith("+") or bool(push and push.force)))
    return tuple(refs) or (
        PushedRef(outcome=status, branch=branch if here else None, forced=bool(push and push.force)),
    )


def _target_of(refspec: str, branch: str | None) -> str | None:
    target = refspec.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    if target in ("HEAD", "@"):
        return branch
    return None if target.startswith("refs/tags/") or "$" in target else target


def _named_branch(command: "Command", branch: str | None) -> str | None:
    push = command.push
    if push is not None and len(push.refspecs) == 1:
        return _target_of(push.refspecs[0], branch)
    return branch


# the forge


def _forge(book: "Book", draft: "Draft", command: "Command", result: "Result", output: str, *, ran: bool) -> None:
    base = _base(draft, _line_of(result))
    failed = not ran or (isinstance(result, ToolResult) and result.is_error)
    if command.kind is CommandKind.PR_CREATE:
        outcome, url, number, existing = read_created(
            output, failed=failed, status_visible=command.simple.status_visible
        )
        if not ran:
            outcome = Outcome.NOT_RUN
        quote = url or next((line for line in output.splitlines() if line.strip()), "")
        pr = made(
            PullRequest,
            **base,
            outcome=outcome,
            url=url,
            number=number,
            existing=existing,
            command=cut(draft["command"], 300),
            quote=cut(quote, _QUOTE),
        )
        book.pull_requests.append(pr)
    elif ran and (
        command.kind is CommandKind.PR_CHECKS or (command.kind is CommandKind.PR_VIEW and _asks_for_checks(command))
    ):
        _look(book, draft, base, command, output)
    if ran and not failed and command.kind in (CommandKind.PR_CREATE, CommandKind.PR_VIEW, CommandKind.PR_CHECKS):
        url = find_url(output)[0]
        if url:
            book.pr_links[url] = None


def _look(book: "Book", draft: "Draft", base: "dict[str, Any]", command: "Command", output: str) -> None:
    """One look at CI for each call, however many commands of its line look."""
    if "--log-failed" in command.argv:
        outcome, quote = read_failed_log(output)
    else:
        outcome, quote = read_ci(output, newest_only="list" in command.argv[1:3])
    look = made(CiLook, **base, command=cut(draft["command"], 300), outcome=outcome, quote=cut(quote, _QUOTE))
    last = book.ci_looks[-1] if book.ci_looks else None
    if last is not None and (last.line, last.file) == (look.line, look.file):
        if last.outcome == "unknown":
            book.ci_looks[-1] = look
        return
    book.ci_looks.append(look)


def _asks_for_checks(command: "Command") -> bool:
    return any("statusCheckRollup" in word or "--checks" in word for word in command.argv)
