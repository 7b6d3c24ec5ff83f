"""Commits and pushes of one shell call."""

from ace_reflect.evidence.book import cut, made
from ace_reflect.evidence.call_words import posix
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.drafts import (
    MAX_COMMAND,
    MAX_QUOTE,
    NO_OUTPUT,
    base_of,
    has_run,
    is_failure,
    line_of,
    output_of,
)
from ace_reflect.evidence.facts import CommandKind, Commit, Outcome, Push
from ace_reflect.late import IGNORECASE, MULTILINE, Late, folded, holds
from ace_reflect.transcript.records import ToolResult, UserShell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Draft, Result
    from ace_reflect.evidence.pushes import PushedRef

COMMITTED = Late(r"^\[(?P<branch>\S+(?: [^\]\n]*)?) (?P<sha>[0-9a-f]{5,40}|REDACTED)\] ?", MULTILINE, needs=("[", "]"))
# `husky - pre-commit script failed (code 2)`, `pre-commit hook exited with code 1`, and a wrapper's word.
HOOK_STOPPED = Late(
    r"^(?:\W{0,8}|(?:husky|error|fatal)\W{1,4})(?:one or more )?(?:pre-commit|commit-msg)(?: \w{1,20})? (?:failed|exited with code [1-9])"
    r"|^FAILED: git commit\b",
    MULTILINE | IGNORECASE,
    needs=("pre-commit|commit-msg|git commit", "failed|exited with code"),
)
# What pre-commit prints below a hook that failed, and lefthook before it. A hook of a push says the same.
_HOOK_FAILED = Late(
    r"^- (?:exit code: [1-9]|files were modified by this hook)|^(?:┃|[ \t]){0,6}🥊 ",
    MULTILINE,
    needs=("- exit code: |- files were modified|🥊",),
)
_HOOK_RUNNERS = ("pre-commit", "prek", "lefthook")
_BRANCHES = ("if", "case", "elif")
_NOTHING_TO_COMMIT = ("nothing to commit", "no changes added to commit", "nothing added to commit")


def add(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> None:
    """Add the commits and pushes of one call that has any."""
    if not has_run(result):
        book.pushes += _refused(draft, commands, result)
        return
    output, branch, rows_taken = output_of(result), draft.get("branch"), False
    for command in commands:
        branch = _switched(command, branch)
        if command.kind is CommandKind.COMMIT:
            book.commits.append(_commit(draft, commands, command, result, output))
        elif command.kind is CommandKind.PUSH:
            # the rows of several pushes in one line cannot be told apart: the first has them all
            pushes = _pushes(draft, commands, command, result, "" if rows_taken else output, branch)
            if not (rows_taken and any(push.quote for push in book.pushes[-1:])):
                book.pushes += pushes
            rows_taken = True


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
        sure = command.simple.status_visible and command.simple.conditional != "||"
        return Outcome.PASSED if sure else Outcome.UNKNOWN
    others = [item for item in commands if item is not command and item.simple.status_visible]
    return Outcome.FAILED if command.simple.status_visible and not others else Outcome.UNKNOWN


def _commit(
    draft: "Draft", commands: "tuple[Command, ...]", command: "Command", result: "Result", output: str
) -> Commit:
    outcome, quote = _status(commands, command, result), ""
    done = COMMITTED.search(output)
    if done:
        outcome, quote = Outcome.PASSED, output[done.start() :].partition("\n")[0]
    elif any(map(folded(output).__contains__, _NOTHING_TO_COMMIT)):
        outcome, quote = Outcome.NOT_RUN, "nothing to commit"
    elif said := _stopped(commands, command, result, sure=outcome is Outcome.PASSED):
        outcome, quote = Outcome.FAILED, said
    elif command.simple.conditional == "||" and not is_failure(result) and _printed_nothing(commands, command, result):
        outcome = Outcome.NOT_RUN
    elif outcome is Outcome.UNKNOWN and is_failure(result) and _says_what_it_did(command, result):
        # `npm test && git commit -m x` ended in an error, and no line of a commit is there.
        outcome, quote = Outcome.FAILED, next((line for line in reversed(output.splitlines()) if line.strip()), "")
    return made(
        Commit,
        **base_of(draft, line_of(result)),
        by=draft["by"],
        outcome=outcome,
        no_verify=command.no_verify,
        quote=cut(quote, MAX_QUOTE),
    )


def _stopped(commands: "tuple[Command, ...]", command: "Command", result: "Result", *, sure: bool) -> str:
    """
    The printed words by which a hook stopped the commit, "" for none; asked where git's line of a commit made is missing.

    The words count more than the status, which a pipe may hide or a wrapper may have turned into 0. `sure`: the status says
    that the commit passed. It is believed where git's line would be missing in any case (`--quiet`, a redirection).
    """
    output = output_of(result)
    shows = _says_what_it_did(command, result)
    first = next(item for item in commands if item.kind is CommandKind.COMMIT)
    if not shows and (sure or command.no_verify or command is not first):
        return ""
    found = HOOK_STOPPED.search(output) or (_HOOK_FAILED.search(output) if shows or not _runs_hooks(commands) else None)
    return output[found.start() :].partition("\n")[0].strip() if found else ""


def _runs_hooks(commands: "tuple[Command, ...]") -> bool:
    """Whether something else than a commit runs hooks: a push, `pre-commit run`."""
    return any(
        item.kind is CommandKind.PUSH
        or (item.kind is not CommandKind.COMMIT and any(name in item.argv for name in _HOOK_RUNNERS))
        for item in commands
    )


def _printed_nothing(commands: "tuple[Command, ...]", command: "Command", result: "Result") -> bool:
    """Whether git printed nothing though we would see it: the output holds only what the line's own `echo`s say."""
    if not _says_what_it_did(command, result) or any(not item.argv for item in commands):  # `{ …; } > log`
        return False
    echoed = {" ".join(" ".join(item.argv[1:]).split()) for item in commands if item.argv[0] in ("echo", "printf")}
    echoed.add(NO_OUTPUT)
    return all(" ".join(line.split()) in echoed for line in output_of(result).splitlines() if line.strip())


def _says_what_it_did(command: "Command", result: "Result") -> bool:
    """Whether the line that git prints for a commit made ("[main 1a2b3c4] Fix it") would be in the call's output."""
    simple = command.simple
    cut = isinstance(result, ToolResult) and (result.timed_out or result.truncated)
    short = (word.partition("m")[0] for word in command.argv if word[:1] == "-" and word[:2] != "--")  # `-qam x`
    quiet = "--quiet" in command.argv or any("q" in flags for flags in short)
    return not (cut or quiet or simple.piped_to or simple.captured or simple.redirects)


def _pushes(
    draft: "Draft",
    commands: "tuple[Command, ...]",
    command: "Command",
    result: "Result",
    output: str,
    branch: str | None,
) -> list[Push]:
    """One fact for each ref that the push names, in its output or else in its words."""
    from ace_reflect.evidence.pushes import read_push

    rows = read_push(output)
    if not rows:
        status = _unseen(commands, command, result, draft["command"])
        rows = _from_words(command, status, branch, here=_same_place(command, draft))
    named = _named_branch(command, branch if _same_place(command, draft) else None)
    base = base_of(draft, line_of(result))
    return [
        made(
            Push,
            **base,
            by=draft["by"],
            command=cut(draft["command"], MAX_COMMAND),
            branch=row.branch or (None if row.tag else named),
            outcome=row.outcome,
            quote=row.quote,
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
    failed = is_failure(result)
    if simple.conditional and not quiet and (failed or "||" in source or holds(source, _BRANCHES)):
        return Outcome.NOT_RUN
    return _status(commands, command, result)


def _refused(draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Push]:
    """Pushes of a call that never ran."""
    base, command = base_of(draft, line_of(result)), cut(draft["command"], MAX_COMMAND)
    return [
        made(Push, **base, by=draft["by"], command=command, outcome=Outcome.NOT_RUN)
        for item in commands
        if item.kind is CommandKind.PUSH
    ]


def _same_place(command: "Command", draft: "Draft") -> bool:
    """Whether the command runs in the session's own repository, and ships the branch that is checked out there."""
    here, there = draft.get("cwd"), command.cwd
    if command.argv[:1] in (("gt",), ("jj",)):  # their branches are made and named on the way
        return False
    if not here or not there:
        return True
    here, there = posix(here), posix(there)
    return there == here or there.startswith(here + "/") or here.startswith(there.rstrip("/") + "/")


def _from_words(command: "Command", status: Outcome, branch: str | None, *, here: bool) -> "tuple[PushedRef, ...]":
    """Where the output shows nothing: what the command's own words say was pushed."""
    from ace_reflect.evidence.pushes import PushedRef

    push = command.push
    if push is not None and push.only_tags and not push.refspecs:
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


def unanswered(draft: "Draft") -> list[Push]:
    """The pushes of a call without a result."""
    found = []
    for command in classify(draft["command"], draft.get("cwd")):
        if command.kind is CommandKind.PUSH:
            branch = _named_branch(command, draft.get("branch") if _same_place(command, draft) else None)
            words = {"by": draft["by"], "command": cut(draft["command"], MAX_COMMAND), "branch": branch}
            found.append(made(Push, **base_of(draft, None), **words, outcome=Outcome.UNKNOWN))
    return found
