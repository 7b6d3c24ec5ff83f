"""`claude-code/MODEL`: the user's own Claude Code in print mode, with their login; no key is needed.

It runs in safe mode (no hooks, no plugins), without tools or a transcript, in an empty folder, and with
`ACE_REFLECT_CHILD=1`, so that it can neither call us again nor leave anything to learn from.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm.calls import refused, with_retries
from ace_reflect.llm.port import Environ, Reply, ReplyRefused, Request, Usage, Who, counted
from ace_reflect.paths import own_programs

#: A session's own variables: a call that inherited them would count as part of it.
_OF_A_SESSION = ("CLAUDECODE", "CLAUDE_PID", "CLAUDE_ENV_FILE", "CLAUDE_EFFORT", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT",
                 "CLAUDE_PLUGIN_DATA", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION",
                 "CLAUDE_CODE_SESSION_ATTENDED")  # fmt: skip
_PASSING = ("connection", "timed out", "timeout", "network")


class ClaudeCodeModel:
    """Claude Code as a model. The name `default` leaves the choice to the user's own settings."""

    def __init__(self, model: str, environ: Environ, patterns: Sequence[str] = ()) -> None:
        self.name = f"claude-code/{model}"
        self._model, self._environ, self._patterns = model, environ, patterns

    def why_unusable(self) -> str:
        if find_claude(self._environ):
            return ""
        return "there is no `claude` on PATH; install Claude Code or name another model"

    async def ask(self, request: Request) -> Reply:
        program = find_claude(self._environ)
        if program is None:
            raise ModelUnavailable(f"{self.name}: {self.why_unusable()}")
        outgoing = request.without_secrets(self._environ, self._patterns)
        keys = ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
        variable = next(filter(self._environ.get, keys), "")
        who = Who(self.name, variable, self._environ.get(variable, ""))

        async def attempt(timeout_s: float) -> Mapping[str, Any]:
            environ = _environment(able_to_start(program, self._environ), request, timeout_s)
            argv = _command(program, self._model, outgoing)
            try:
                return _result(await run(argv, outgoing.prompt.encode(), environ), who)
            except OSError as error:
                told = f"{self.name}: {program} cannot be run: {error.strerror or error}"
                raise ModelUnavailable(told) from error

        result = await with_retries(attempt, self.name, request, self._environ)
        given, said = result.get("structured_output"), result.get("result")
        text = json.dumps(given, ensure_ascii=False) if isinstance(given, dict) else said
        text = text if isinstance(text, str) else ""
        return who.reply(text, _usage(result), result.get("stop_reason"))


def find_claude(environ: Environ) -> str | None:
    """The `claude` program: on PATH, else where its installers put it (a hook's PATH may be short)."""
    home = environ.get("HOME", "")
    places = (f"{home}/.claude/local", f"{home}/.local/bin", "/usr/local/bin", "/opt/homebrew/bin")
    return shutil.which("claude", path=os.pathsep.join((own_programs(environ), *places)))


def able_to_start(program: str, environ: Environ) -> dict[str, str]:
    """The environment with the program's folder on its PATH: npm's `claude` starts the `node` beside it."""
    places = (own_programs(environ), os.path.dirname(program))
    return {**environ, "PATH": os.pathsep.join(places)}


def _environment(environ: Environ, request: Request, timeout_s: float) -> dict[str, str]:
    """The caller's environment without its session's variables. We do the retries, so the child makes none."""
    kept = {name: value for name, value in environ.items() if name not in _OF_A_SESSION}
    return kept | {
        "ACE_REFLECT_CHILD": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens),
        "API_TIMEOUT_MS": str(round(timeout_s * 1000)),  # so that it ends even if we are killed
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _command(program: str, model: str, request: Request) -> list[str]:
    argv = [program, "-p", "--safe-mode", "--tools", "", "--no-session-persistence", "--output-format", "json",
            "--system-prompt", request.system]  # fmt: skip
    if model != "default":
        argv.append(f"--model={model}")
    if request.schema is not None:
        argv += ["--json-schema", json.dumps(request.schema)]
    return argv


async def run(
    argv: Sequence[str], stdin: bytes, environ: Environ
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, in an empty folder; it is ended with its process group, also by a cancellation (a deadline).
    It has files, not pipes: a helper holding a pipe open would keep asyncio waiting. Raises OSError if it cannot start.
    """
    with (
        tempfile.TemporaryDirectory(prefix="ace-reflect-", ignore_cleanup_errors=True) as empty,
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin)
        given.seek(0)
        files: dict[str, Any] = {"stdin": given, "stdout": out, "stderr": err}
        process = await asyncio.create_subprocess_exec(
            *argv, **files, env=environ, cwd=empty, start_new_session=True
        )
        try:
            returncode = await process.wait()
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(argv, returncode, out.read(), err.read())


def _result(finished: subprocess.CompletedProcess[bytes], who: Who) -> Mapping[str, Any]:
    """The result object of a run that went well. Raises ModelError."""
    result, code = _result_in(finished.stdout), finished.returncode
    # An API error has `subtype: success` too: only `is_error` tells.
    if result and not result.get("is_error") and code == 0:
        return result
    said = str(result.get("result") or result.get("subtype") or "").strip()
    written = finished.stderr if result else finished.stdout.strip() or finished.stderr
    said = who.plain(said or written.decode("utf-8", "replace"))
    lower, status, usage = said.lower(), result.get("api_error_status"), _usage(result)
    if "not logged in" in lower or "/login" in lower:
        raise ModelUnavailable(f"{who.name}: not logged in; run `claude` and log in ({said})")
    if isinstance(status, int):
        raise refused(status, said, who)
    if result.get("stop_reason") == "refusal":
        raise ReplyRefused(f"{who.name} declined to answer ({said})", usage)
    told = f"{who.name}: `claude` failed with exit code {code}: {said or 'it said nothing'}"
    no_answer = result.get("api_error") == "max_output_tokens" or "Parse error" in said
    if not no_answer and any(word in lower for word in _PASSING):
        raise ModelUnavailable(told, retry_later=True)
    # The answer is cut off, not the API's, or fits no schema: it was paid for, so it is counted.
    if no_answer or usage.output_tokens:
        raise ReplyRefused(told, usage)
    raise ModelUnavailable(told)


def _result_in(stdout: bytes) -> dict[str, Any]:
    """The result object, or an empty one. A warning may stand on a line before or behind it, and with `verbose` in its
    settings `claude` prints a list of all that happened.
    """
    rows: list[Any] = []
    for text in (stdout, *stdout.split(b"\n")):
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
            rows += value if isinstance(value, list) else [value]
    results = [row for row in rows if isinstance(row, dict) and row.get("type") == "result"]
    return results[-1] if results else {}


def _usage(result: Mapping[str, Any]) -> Usage:
    cost = result.get("total_cost_usd")
    dollars = float(cost) if isinstance(cost, int | float) and cost >= 0 else None
    return replace(counted(result.get("usage")), cost_usd=dollars)
