"""
`claude-code/MODEL`: the user's own Claude Code in print mode, with their login; no key is needed.

It runs in safe mode (no hooks, no plugins), without tools, without a transcript, in an empty folder, and with
`ACE_REFLECT_CHILD=1`, so that it can neither call us again nor leave anything to learn from.
"""

import json
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from typing import Any

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm.keys import first_set
from ace_reflect.llm.port import Patterns, Reply, ReplyRefused, Request, Usage, tokens
from ace_reflect.llm.processes import Finished, run
from ace_reflect.llm.retry import AttemptFailed, is_retried, policy_for, with_retries
from ace_reflect.llm.sdk import MAX_REPLY_BYTES, Who, plain, reply_of

#: A session's own variables: a call that inherited them would be taken for a part of it.
_OF_A_SESSION = ("CLAUDECODE", "CLAUDE_PID", "CLAUDE_ENV_FILE", "CLAUDE_EFFORT", "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT",
                 "CLAUDE_PLUGIN_DATA", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION",
                 "CLAUDE_CODE_SESSION_ATTENDED")  # fmt: skip
_PLACES = (
    "~/.claude/local/claude",
    "~/.local/bin/claude",
    "/usr/local/bin/claude",
    "/opt/homebrew/bin/claude",
)
_DEAREST = 10_000.0  # USD of one call; above that it is no price
_DEFAULT_SYSTEM = "You answer one question. Answer with exactly what is asked for and nothing else."


class ClaudeCodeModel:
    """Claude Code as a model. `default` as its name leaves the choice of model to the user's own settings."""

    def __init__(self, model: str, environ: Mapping[str, str], patterns: Patterns = ()) -> None:
        self._model = model
        self._environ = environ
        self._patterns = patterns

    @property
    def name(self) -> str:
        return f"claude-code/{self._model}"

    async def ask(self, request: Request) -> Reply:
        program = find_claude(self._environ)
        if program is None:
            raise ModelUnavailable(
                f"{self.name}: there is no `claude` on PATH; install Claude Code or name another model"
            )
        started = time.monotonic()
        outgoing = request.without_secrets(self._environ, self._patterns)
        argv = _command(program, self._model, outgoing)
        variable, key = first_set(self._environ, ("ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"))
        who = Who(self.name, variable, key)

        async def attempt(left_s: float) -> Mapping[str, Any]:
            with tempfile.TemporaryDirectory(
                prefix="ace-reflect-", ignore_cleanup_errors=True
            ) as empty:
                environ = child_environment(able_to_start(program, self._environ), outgoing, left_s)
                return _result(await _run(argv, outgoing.prompt, environ, empty, who), who)

        result = await with_retries(attempt, self.name, policy_for(request, self._environ))
        return _reply(result, self.name, started)


def find_claude(environ: Mapping[str, str]) -> str | None:
    """The `claude` program: on PATH, else where its installers put it (a hook's PATH may be short)."""
    found = shutil.which("claude", path=environ.get("PATH", os.defpath))
    if found:
        return found
    home = environ.get("HOME", "")
    places = (place.replace("~", home, 1) for place in _PLACES)
    return next((place for place in places if os.access(place, os.X_OK)), None)


def able_to_start(program: str, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with the program's folder on its PATH: a `claude` of npm starts the `node` beside it."""
    path, folder = environ.get("PATH", os.defpath), os.path.dirname(program)
    return {
        **environ,
        "PATH": path if folder in path.split(os.pathsep) else f"{path}{os.pathsep}{folder}",
    }


def child_environment(
    environ: Mapping[str, str], request: Request, left_s: float
) -> dict[str, str]:
    """The caller's environment without what belongs to its session. Retries are ours, so the child makes none."""
    kept = {name: value for name, value in environ.items() if name not in _OF_A_SESSION}
    return kept | {
        "ACE_REFLECT_CHILD": "1",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens),
        "API_TIMEOUT_MS": str(
            round(left_s * 1000)
        ),  # should we be killed, the child does not wait for ever
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _command(program: str, model: str, request: Request) -> list[str]:
    argv = [program, "-p", "--safe-mode", "--tools", "", "--no-session-persistence", "--output-format", "json",
            "--system-prompt", request.system or _DEFAULT_SYSTEM]  # fmt: skip
    if model != "default":
        argv.append(f"--model={model}")
    if request.schema is not None:
        argv += ["--json-schema", json.dumps(request.schema)]
    return argv


async def _run(
    argv: list[str], prompt: str, environ: Mapping[str, str], cwd: str, who: Who
) -> Finished:
    try:
        return await run(argv, prompt.encode(), environ, cwd, max_bytes=MAX_REPLY_BYTES)
    except OSError as error:
        raise AttemptFailed(
            ModelUnavailable(f"{who.name}: {argv[0]} cannot be run: {error.strerror or error}")
        ) from error


def _result(finished: Finished, who: Who) -> Mapping[str, Any]:
    """The result object of a run that went well. Raises AttemptFailed."""
    if finished.overflow:
        raise AttemptFailed(
            ModelReplyInvalid(f"{who.name} sent more than {MAX_REPLY_BYTES // 1_000_000} MB")
        )
    result = _object(finished.stdout)
    # An API error has `subtype: success` all the same: `is_error` is what tells.
    if result is not None and not result.get("is_error") and finished.returncode == 0:
        return result
    said = (
        str(result.get("result") or result.get("subtype") or "")
        if result
        else finished.stdout.decode("utf-8", "replace")
    )
    said = plain(said.strip() or finished.stderr.decode("utf-8", "replace"), who)
    raise _failure(result or {}, said, finished.returncode, who)


def _object(stdout: bytes) -> dict[str, Any] | None:
    """
    The result object. A warning may stand on a line before or behind it, and with `verbose` in its settings `claude`
    prints a list of all that happened: an answer that was paid for is not lost over either.
    """
    whole = _value(stdout)
    if isinstance(whole, dict):
        return whole
    values = [whole, *map(_value, stdout.split(b"\n"))]
    rows = [row for value in values for row in (value if isinstance(value, list) else [value])]
    return next(
        (row for row in reversed(rows) if isinstance(row, dict) and row.get("type") == "result"),
        None,
    )


def _value(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _failure(result: Mapping[str, Any], said: str, returncode: int, who: Who) -> AttemptFailed:
    status = result.get("api_error_status")
    if "not logged in" in said.lower() or "/login" in said:
        return AttemptFailed(
            ModelUnavailable(f"{who.name}: not logged in; start `claude` once and log in ({said})")
        )
    if isinstance(status, int):
        return _refused(status, said, who)
    if result.get("stop_reason") == "refusal":
        return AttemptFailed(
            ReplyRefused(f"{who.name} declined to answer ({said})", _usage(result))
        )
    if result.get("api_error") == "max_output_tokens" or "Parse error" in said:
        return AttemptFailed(
            ReplyRefused(
                f"{who.name}: the answer is cut off or no answer of the API's ({said})",
                _usage(result),
            )
        )
    # What is left is no connection, or a program that failed in a way of its own; a usage error will not go away.
    again = any(word in said.lower() for word in ("connection", "timed out", "timeout", "network"))
    message = (
        f"{who.name}: `claude` failed with exit code {returncode}: {said or 'it said nothing'}"
    )
    usage = _usage(result)
    # A model answered (no answer fitted the schema, say): what it took is counted.
    if usage.output_tokens and not again:
        return AttemptFailed(ReplyRefused(message, usage))
    return AttemptFailed(ModelUnavailable(message, retry_later=again), again=again)


def _refused(status: int, said: str, who: Who) -> AttemptFailed:
    if status in {401, 403}:
        what = (
            f"the key in {who.variable} was refused"
            if who.variable
            else "the login of `claude` was refused"
        )
    else:
        what = "there is no such model for this login" if status == 404 else "the request failed"
    again = is_retried(status)
    return AttemptFailed(
        ModelUnavailable(f"{who.name}: {what} ({status}: {said})", retry_later=again), again=again
    )


def _reply(result: Mapping[str, Any], name: str, started: float) -> Reply:
    said, ended = result.get("result"), result.get("stop_reason")
    given = result.get("structured_output")
    structured = given if isinstance(given, dict) else None
    text = (
        (said if isinstance(said, str) else "")
        if structured is None
        else json.dumps(structured, ensure_ascii=False)
    )
    return reply_of(
        name, text, _usage(result), started,
        declined=ended == "refusal", cut=ended == "max_tokens", structured=structured,
    )  # fmt: skip


def _usage(result: Mapping[str, Any]) -> Usage:
    given = result.get("usage")
    counts = given if isinstance(given, dict) else {}
    taken = sum(
        tokens(counts.get(name))
        for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    cost = result.get("total_cost_usd")
    price = float(cost) if isinstance(cost, (int, float)) and 0 <= cost < _DEAREST else None
    return Usage(taken, tokens(counts.get("output_tokens")), price)
