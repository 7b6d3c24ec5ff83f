"""Tests that an MCP server's tool ran: `mcp__XcodeBuildMCP__test_sim`, or a shell of such a server."""

from ace_reflect import regex as re
from ace_reflect.evidence import shell_runs
from ace_reflect.evidence.book import cut, made
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.drafts import MAX_QUOTE, base_of
from ace_reflect.evidence.facts import CommandKind, Outcome, Run
from ace_reflect.transcript.records import UserShell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.drafts import Draft
    from ace_reflect.transcript.records import ToolResult

_STARTS = frozenset(("run", "execute", "start"))
_TESTS = frozenset(("test", "tests"))
_DEVICES = frozenset(("sim", "simulator", "device", "macos"))


def runs_tests(name: str) -> bool:
    """Whether a tool runs a project's tests, by its name; `test_connection` and `list_tests` do not."""
    if "est" not in name:
        return False
    words = re.findall(r"[A-Z]?[a-z]+", name.rpartition("__")[2])
    low = [word.lower() for word in words]
    if not _TESTS.intersection(low):
        return False
    starts = bool(_STARTS.intersection(low))
    return starts or (low[0] == "test" and bool(_DEVICES.intersection(low))) or low[-2:] == ["package", "test"]


def run_of(draft: "Draft", result: "ToolResult") -> Run:
    """The run, with the outcome that its summary shows; unknown where it shows none."""
    from ace_reflect.evidence.runners import read_summary

    summary = read_summary(result.text)
    return made(
        Run,
        **base_of(draft, result.line),
        by=draft["by"],
        command=draft["name"],
        kind=CommandKind.TEST,
        runner=summary.runner if summary else draft["name"],
        outcome=summary.outcome if summary else Outcome.UNKNOWN,
        why=cut(summary.quote or summary.vacuous, MAX_QUOTE) if summary else "the tool's answer shows no summary",
        quote=cut(summary.quote, MAX_QUOTE) if summary else "",
        status_visible=False,
        counts=summary.counts if summary else None,
    )


def runs_in_shell(draft: "Draft", result: "ToolResult") -> list[Run]:
    """
    The runs of a command that an MCP server's shell was given (`mcp__desktop-commander__start_process`).

    Such a tool answers without an error whatever the command's status was, so that only a summary which it printed
    counts: as of a command that a person typed.
    """
    text = result.text.replace("\\n", "\n") if result.text.startswith("{") else result.text
    told = UserShell(line=result.line, command=draft["command"], stdout=text)
    runs = shell_runs.runs_of(draft, classify(draft["command"], draft.get("cwd")), told)
    return [run.replace(result_line=result.line, status_visible=False) for run in runs]
