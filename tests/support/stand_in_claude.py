"""
A stand-in for `claude -p --output-format json`: asks the scripted API once and prints the result as the real one does.

What it prints was compared with Claude Code 2.1.330; `pytest --e2e tests/llm` runs the same tests on the real one.
"""

import http.client
import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any


def install(folder: Path) -> Path:
    """Put an executable `claude` into `folder`; returns the folder, for PATH."""
    from support.programs import put_python  # not there when this file runs as the command

    folder.mkdir(parents=True, exist_ok=True)
    put_python(folder / "claude", Path(__file__).read_text(encoding="utf-8"))
    return folder


def option(name: str) -> str | None:
    for at, word in enumerate(sys.argv):
        if word == name:
            return sys.argv[at + 1]
        if word.startswith(name + "="):
            return word.partition("=")[2]
    return None


def finish(result: str, *, error: bool = False, status: int | None = None, **more: Any) -> int:
    found = {"type": "result", "subtype": "success", "is_error": error, "result": result, "num_turns": 1,
             "api_error_status": status, "total_cost_usd": 0.0004, "usage": {}, "stop_reason": "end_turn", **more}  # fmt: skip
    sys.stdout.write(json.dumps(found) + "\n")
    return 1 if error else 0


def main() -> int:
    assert os.environ["ACE_REFLECT_CHILD"] == "1", "hooks of ours would call us again"
    assert "--safe-mode" in sys.argv, "hooks would run"
    key = os.environ.get("ANTHROPIC_API_KEY")
    if not key:
        sys.stdout.write("Not logged in · Please run /login\n")
        return 1
    schema = option("--json-schema")
    body = {"model": option("--model"), "system": option("--system-prompt")}
    body |= {"max_tokens": int(os.environ["CLAUDE_CODE_MAX_OUTPUT_TOKENS"])}
    body |= {"messages": [{"role": "user", "content": sys.stdin.read()}]}
    body |= {"tools": [{"name": "StructuredOutput"}] if schema else []}
    url = os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages"
    headers = {"x-api-key": key, "content-type": "application/json", "x-app": "cli"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    limit_s = int(os.environ["API_TIMEOUT_MS"]) / 1000
    try:
        with urllib.request.urlopen(request, timeout=limit_s) as response:
            reply = json.loads(response.read())
    except urllib.error.HTTPError as error:
        told = json.loads(error.read(2000) or b"{}") if error.code != 307 else {}
        return failed(f"{error.code} {told.get('error', {}).get('message', '')}", status=error.code)
    except ValueError as error:
        return failed(f"JSON Parse error: {error}")
    except (OSError, http.client.HTTPException) as error:
        return failed(f"Connection error ({type(error).__name__})")
    return answered(reply)


def failed(why: str, **more: Any) -> int:
    more = {"stop_reason": "stop_sequence", **more}
    return finish(f"API Error: {why}", error=True, **more)


def answered(reply: Any) -> int:
    if not isinstance(reply, dict) or not isinstance(reply.get("content"), list):
        return failed("JSON Parse error: Unexpected token")
    usage = {"usage": reply["usage"]}
    if reply["stop_reason"] == "refusal":
        return failed("safeguards flagged this message", stop_reason="refusal", **usage)
    if reply["stop_reason"] == "max_tokens":
        more = {"stop_reason": "end_turn", "api_error": "max_output_tokens", **usage}
        return failed("Claude's response exceeded the output token maximum", **more)
    calls = [block["input"] for block in reply["content"] if block["type"] == "tool_use"]
    text = "".join(block["text"] for block in reply["content"] if block["type"] == "text")
    return finish(text, **usage, **({"structured_output": calls[0]} if calls else {}))


if __name__ == "__main__":
    sys.exit(main())
