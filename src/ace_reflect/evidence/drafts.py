"""A call that was begun, as plain JSON, and the parts of facts that come from it."""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.transcript.records import ToolResult, UserShell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.commands import Command

    Draft = dict[str, Any]
    Result = ToolResult | UserShell

#: What the modules for git and for the forges read; where there is none of it they are not even imported. In the first
#: git's hooks run.
GIT_KINDS = frozenset((CommandKind.COMMIT, CommandKind.PUSH))
FORGE_KINDS = frozenset((CommandKind.PR_CREATE, CommandKind.PR_VIEW, CommandKind.PR_CHECKS))
#: What GitLab, Bitbucket and Gitea print for a push to a branch that has a pull request.
_HAS_ONE = ("View merge request for ", "View pull request for ", "existing pull request")
MAX_COMMAND = 1_000
MAX_QUOTE = 200
#: What the host writes where nothing was printed.
NO_OUTPUT = "(Bash completed with no output)"


def base_of(draft: "Draft", result_line: int | None) -> "dict[str, Any]":
    """The fields that every fact of a call has."""
    return {
        "line": draft["line"],
        "result_line": result_line,
        "file": draft.get("file"),
        "turn": draft["turn"],
        "at": draft["at"],
    }


def line_of(result: "Result") -> int | None:
    """The line of a call's result; the person's own command has its output beside it."""
    return None if isinstance(result, UserShell) else result.line


def output_of(result: "Result") -> str:
    """All that is known of what was printed, without its colours."""
    if isinstance(result, UserShell):
        output = f"{result.stdout}\n{result.stderr}".strip("\n")
    else:
        output = result.stdout if result.stdout and len(result.stdout) > len(result.text) else result.text
    if "\x1b" not in output:
        return output
    from ace_reflect.evidence.runners.text import without_escapes

    return without_escapes(output)


def is_failure(result: "Result") -> bool:
    return isinstance(result, ToolResult) and result.is_error


def has_run(result: "Result") -> bool:
    """Whether the call was carried out at all."""
    return not (isinstance(result, ToolResult) and (result.denied or result.not_run))


def concerns_forge(commands: "tuple[Command, ...]", result: "Result") -> bool:
    """Whether a call's commands ask a forge something, or a push was told of its branch's pull request."""
    kinds = {command.kind for command in commands}
    if not kinds.isdisjoint(FORGE_KINDS):
        return True
    return CommandKind.PUSH in kinds and any(map(output_of(result).__contains__, _HAS_ONE))
