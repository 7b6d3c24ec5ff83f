"""
From one shell call and what it printed to facts: edits here, runs, git's and the forge's in the modules beside.

The same code reads the agent's calls, a subagent's, the person's own `!command` and background shells that have ended.
"""

from ace_reflect.evidence import hints, kinds, shell_runs
from ace_reflect.evidence.book import cut, file_key, made
from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.drafts import (
    GIT_KINDS,
    MAX_QUOTE,
    base_of,
    concerns_forge,
    has_run,
    is_failure,
    line_of,
    output_of,
)
from ace_reflect.evidence.facts import RUN_KINDS, STATIC_KINDS, CommandKind, Edit, Outcome
from ace_reflect.evidence.kinds import absolute
from ace_reflect.evidence.meaning import UNKNOWN_FILES
from ace_reflect.evidence.tool_edits import kind_in
from ace_reflect.late import MULTILINE, Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Draft, Result
    from ace_reflect.evidence.facts import EditKind

#: Programs that change the files they are given.
_EDITORS = frozenset(("sed", "gsed", "perl", "ruby", "sd"))
#: How the paths of scratch files begin, in lower case, beside those in temporary folders.
_SCRATCH = ("/var/log/", "/private/var/", "$(mktemp", "~/.cache/", "~/.claude/")
_SCRATCH_VARIABLES = ("tmpdir", "tmp", "temp")
_GIT_COMPLAINT = Late(r"^(?:fatal|error): ", MULTILINE, needs=("fatal: |error: ",))
#: Of the files that a complaint lists below it.
_MOST_LISTED = 20
_HARDLY_EVER_FAIL = word_set("cd pushd mkdir export echo printf touch")
#: They begin a line with their own name only where they fail; make says that `all` is up to date, grep that a file is binary.
_NAMED_IN_COMPLAINTS = word_set("cat cd chmod cp git ln ls mkdir mv rm rmdir sed touch")


def settle(book: "Book", draft: "Draft", result: "Result") -> None:
    """Add all facts of a finished call to the book."""
    commands = classify(draft["command"], draft.get("cwd"))
    runs = shell_runs.runs_of(draft, commands, result)
    book.runs += runs
    if has_run(result):
        book.script_runs += shell_runs.runs_of_scripts(draft, commands, result)
        output = output_of(result)
        _log_files(book, draft, commands, result, unknown=any(run.outcome is Outcome.UNKNOWN for run in runs))
        book.edits += _edits(book, draft, commands, result)
        hints.from_shell_output(book, output)
        if any(command.kind is CommandKind.READ for command in commands):
            hints.from_paths(book, output, cwd=draft.get("cwd"))
    if book.worktrees or "worktree" in draft["command"]:
        from ace_reflect.evidence import worktrees

        worktrees.add(book, draft, commands, result)
    shipped(book, draft, commands, result)


def shipped(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> None:
    """Add the commits, pushes, pull requests and looks at CI of a finished call."""
    if any(command.kind in GIT_KINDS for command in commands):
        from ace_reflect.evidence import git_facts

        git_facts.add(book, draft, commands, result)
    if concerns_forge(commands, result):
        from ace_reflect.evidence import forge_facts

        forge_facts.add(book, draft, commands, result)


def _log_files(
    book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result", *, unknown: bool
) -> None:
    """A run's output that went to a file, or is shown from one."""
    if not unknown and not any(key.startswith(file_key("")) for key in book.waiting):
        return
    from ace_reflect.evidence import log_files

    log_files.shown(book, commands, draft.get("cwd"), output_of(result), line_of(result))
    log_files.note(book, draft, commands, unknown=unknown)


def kinds_of(draft: "Draft") -> "list[CommandKind]":
    return [command.kind for command in classify(draft["command"], draft.get("cwd"))]


def without_result(draft: "Draft") -> "dict[str, list[Any]]":
    """The facts of a call whose result is not there (yet)."""
    found: dict[str, list[Any]] = {"runs": shell_runs.cut_off(draft)}
    if CommandKind.PUSH in kinds_of(draft):
        from ace_reflect.evidence import git_facts

        found["pushes"] = git_facts.unanswered(draft)
    return {name: facts for name, facts in found.items() if facts}


def edit_fact(
    path: str,
    tool: str,
    draft: "Draft",
    result_line: int | None,
    kind: "EditKind",
    *,
    created: bool = False,
    formatter: bool = False,
) -> Edit | None:
    """An Edit, or None for a plan, and for scratch files that are no part of any project."""
    if not path or kinds.is_plan_file(path):
        return None
    return made(
        Edit,
        **base_of(draft, result_line),
        path=path,
        tool=tool,
        kind=kind,
        by=draft["by"],
        created=created,
        formatter=formatter,
    )


def _edits(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Edit]:
    line = line_of(result)
    found: dict[str, Edit] = {}
    broken = _broken_link(commands, output_of(result)) if any(command.writes for command in commands) else -1
    for place, command in enumerate(commands):
        if not command.writes or command.simple.remote or not _happened(place, commands, result, broken):
            continue
        for name in command.writes:
            path = absolute(_known(book, name, command, commands), command.cwd or draft.get("cwd"))
            if path in found and found[path].change == "written" and _removes(command.argv):
                _unmake(book, found, path)
                continue
            if path in found and found[path].change == "restored" and _brings_back(command.argv):
                found[path] = found[path].replace(change="")
            if _is_scratch(path, draft.get("cwd")) or path in found or _only_newer(book, path, command, commands):
                continue
            kind = kind_in(path, book.top["cwd"])
            edit = edit_fact(path, "Bash", draft, line, kind, formatter=command.formatter)
            if edit is not None:
                change = _change(command, path, command.cwd or draft.get("cwd"))
                edit = _with_weakening(book, command, edit)
                found[path] = edit.replace(change=change) if change else edit
    return list(found.values())


def _known(book: "Book", name: str, command: "Command", commands: "tuple[Command, ...]") -> str:
    """The name, or the kind of files that an editor in place is given by a search."""
    if (name != UNKNOWN_FILES and name[:1] != "$") or "/" in name or command.argv[0] not in _EDITORS:
        return name
    from ace_reflect.evidence.searched_files import kind_of_files

    return kind_of_files(commands, book.edits) or name


def _unmake(book: "Book", found: "dict[str, Edit]", path: str) -> None:
    """A file that a call writes and removes was made for that call, unless the session had it before."""
    if any(edit.path == path for edit in book.edits):
        found[path] = found[path].replace(change="removed")
    else:
        del found[path]


def _only_newer(book: "Book", path: str, command: "Command", commands: "tuple[Command, ...]") -> bool:
    """
    Whether a `touch` makes no file and only dates one anew: `touch src/lib.rs && cargo clippy`. Builders and checkers pass
    over a file that is no newer than their last look at it; tests run whole either way, so beside them it proves nothing.
    """
    if command.argv[:1] != ("touch",):
        return False
    return any(other.kind in STATIC_KINDS for other in commands) or any(edit.path == path for edit in book.edits)


def _change(command: "Command", path: str, cwd: str | None) -> str:
    """Whether the command removed the file, put it back to what git has, or wrote the whole of it."""
    argv = command.argv
    if _removes(argv):
        return "removed"
    if _restores(command, cwd):
        return "restored"
    if _brings_back(argv):
        return "brought back"
    whole = (target for op, target in command.simple.redirects if op in (">", ">|"))
    return "written" if any(absolute(target, cwd) == path for target in whole) else ""


def _restores(command: "Command", cwd: str | None) -> bool:
    """Whether files are put back to the last commit: not to the index's or another revision's, nor in parts."""
    words = [word for word in command.argv[2:] if word[:1] != "-"]
    if command.argv[:2] == ("git", "reset"):
        return "--hard" in command.argv and set(words) <= {"HEAD"}
    if command.argv[:2] == ("git", "stash"):
        return not _brings_back(command.argv)
    if command.argv[:2] not in (("git", "checkout"), ("git", "restore")):
        return False
    partly = any(
        word.startswith(("-s", "--source", "--ours", "--theirs", "-p", "--patch")) for word in command.argv[2:]
    )
    revision = {word for word in words if absolute(word, cwd) not in command.writes}.difference((".", "HEAD"))
    return not partly and not revision


def _brings_back(argv: "tuple[str, ...]") -> bool:
    """Whether work that was put aside is put back."""
    return argv[:2] == ("git", "stash") and argv[2:3] in (("pop",), ("apply",), ("branch",))


def _removes(argv: "tuple[str, ...]") -> bool:
    return argv[:1] in (("rm",), ("unlink",), ("trash",)) or argv[:2] == ("git", "rm")


def _with_weakening(book: "Book", command: "Command", edit: Edit) -> Edit:
    """A test that is deleted is lost, unless this session made it."""
    deletes = _removes(command.argv)
    if edit.kind != "test" or not deletes or any(other.created and other.path == edit.path for other in book.edits):
        return edit
    return edit.replace(weakened=cut(command.simple.text, MAX_QUOTE))


def _is_scratch(path: str, cwd: str | None) -> bool:
    """Temporary files and devices; a project that itself lies in a temporary folder is a project."""
    if cwd and path.startswith(cwd.rstrip("/") + "/"):
        return False
    low = folded(path)
    return (
        kinds.is_temporary(path)
        or low.startswith(_SCRATCH)
        or (low[:1] == "$" and _is_scratch_variable(low[1:].removeprefix("{")))
    )


def _is_scratch_variable(low: str) -> bool:
    """`TMPDIR}/x`, `TEMP/x`, and not `TEMPLATES/x`."""
    behind = (low[len(name) : len(name) + 1] for name in _SCRATCH_VARIABLES if low.startswith(name))
    return any(not (char.isalnum() or char == "_") for char in behind)


def _happened(place: int, commands: "tuple[Command, ...]", result: "Result", broken: int) -> bool:
    """
    Whether a command that writes files did write them, in a call that may have failed.

    If the call failed, this command is taken to have worked unless it may be the culprit itself: unless its status is the
    line's, and no later command could be to blame. `broken`: the place of the command known to have failed, or -1.
    """
    command = commands[place]
    if 0 <= broken < place and _hangs_on(place, commands, broken):
        return False
    reached = command.simple.conditional != "||" or _reached(place, commands, output_of(result))
    if not is_failure(result):  # `grep -l … | while read f; do …`: whoever writes this knows that there is something
        return reached or (command.simple.in_loop and command.simple.piped_from)
    if not command.simple.status_visible:
        return reached and not _complaint(command, output_of(result))
    if place < broken and _hangs_on(broken, commands, place):
        return True
    later = [item for item in commands[place + 1 :] if item.simple.status_visible]
    return bool(later) and not _complaint(command, output_of(result))


def _reached(place: int, commands: "tuple[Command, ...]", output: str) -> bool:
    """Whether a link of a chain whose status is hidden ran (`cd app && sed -i …; ls`): those before it hardly ever fail, and none complains."""
    mask = commands[place].simple.masked
    for item in reversed(commands[:place]):
        hardly_fails = item.writes or (item.argv and item.argv[0] in _HARDLY_EVER_FAIL)
        if item.simple.masked != mask or not hardly_fails or _complaint(item, output):
            return False
        if not item.simple.conditional:
            return bool(mask)
    return False


def _hangs_on(place: int, commands: "tuple[Command, ...]", earlier: int) -> bool:
    """Whether a command runs only if the earlier one went well: all from there on are joined by `&&`, in the same chain."""
    mask = commands[earlier].simple.masked
    return all(
        item.simple.conditional == "&&" and item.simple.masked == mask for item in commands[earlier + 1 : place + 1]
    )


def _broken_link(commands: "tuple[Command, ...]", output: str) -> int:
    """The place of the one command whose program complains of something that this command was given, or -1."""
    named = []
    compiles = any(item.kind in RUN_KINDS for item in commands)
    for place, command in enumerate(commands):
        if not command.argv or command.argv[0] not in _NAMED_IN_COMPLAINTS:
            continue
        said = _complaint(command, output)
        if compiles and said.startswith("error: "):
            continue  # a compiler begins like git
        words = {word.strip("'\"`:,;()‘’") for word in said.split()}
        if any(word in words for word in command.argv[1:] if word[:1] != "-"):
            named.append(place)
    return named[0] if len(named) == 1 else -1


def _complaint(command: "Command", output: str) -> str:
    """What the command's program says went wrong: a line, and what stands indented below it."""
    program = command.argv[0].rsplit("/", 1)[-1] if command.argv else ""
    if program == "git":
        found = _GIT_COMPLAINT.search(output)
    elif not program or f"{program}:" not in output:
        return ""
    else:  # the shell's own commands have its name, `bash: line 1: cd: x: …`, zsh's `(eval):cd:1: …`
        import re

        shell = r"^(?:\S*/)?(?:\(eval\):|(?:ba|z)?sh: (?:line \d{1,6}: )?)?"
        found = re.search(shell + re.escape(program) + r":(?:\d{1,6}:)? ", output, re.MULTILINE)
    first, _, rest = output[found.start() :].partition("\n") if found else ("", "", "")
    lines = [first]
    for line in rest.split("\n", _MOST_LISTED):
        if line[:1] not in (" ", "\t") or len(lines) > _MOST_LISTED:
            break
        lines.append(line)
    return "\n".join(lines)
