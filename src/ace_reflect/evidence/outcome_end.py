"""How a line ended, whoever ran it: the common part of a tool's result, a person's own command."""

from ace_reflect.evidence.drafts import output_of
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.transcript.records import ToolResult, UserShell

#: A killed or timed-out process: 124 `timeout`, 130 ^C, 137 SIGKILL, 143 SIGTERM.
_KILLED = frozenset({124, 130, 137, 143})


class Ended(Value):
    """What is known of a line's end."""

    text: str
    code: int | None = None  # the line's status; 0 only where the host vouches for it
    failed: bool = False  # the host calls it an error
    known: bool = True  # the host says how it ended
    refused: bool = False
    never_started: bool = False
    killed: bool = False
    running: bool = False
    truncated: bool = False

    def stopped(self) -> str:
        """That it was killed, in words."""
        return f"stopped before its end (exit {self.code})" if self.code else "stopped before its end"


def ended(result: "ToolResult | UserShell") -> Ended:
    # By name: the records' module is not needed for anything else on this path.
    return _typed(result) if type(result).__name__ == "UserShell" else _tool_end(result)  # type: ignore[arg-type]


def _typed(shell: "UserShell") -> Ended:
    """The transcript keeps no status of a `!command`."""
    return Ended(text="\n".join(part for part in (shell.stdout, shell.stderr) if part), known=False)


def _tool_end(result: "ToolResult") -> Ended:
    text = output_of(result)
    if result.stdout and len(result.stdout) <= len(result.text):  # no longer copy, but another part
        text = f"{text}\n{result.stdout}"
    running = result.background_id is not None and not result.is_error
    code = result.exit_code if result.exit_code is not None else (None if result.is_error else 0)
    return Ended(
        text=text,
        code=None if running else code,
        failed=result.is_error,
        known=not running,
        refused=result.denied,
        never_started=result.not_run,
        killed=result.timed_out or (result.is_error and code in _KILLED),
        running=running,
        truncated=result.truncated,
    )
