"""Claude Code as a model: how it is started, what its output means, and that nothing of it is left behind."""

import asyncio
import json
import os
import time
from pathlib import Path

import pytest

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm import claude_code
from ace_reflect.llm.claude_code import ClaudeCodeModel, able_to_start, find_claude
from ace_reflect.llm.port import Reply, ReplyRefused, Request, Usage
from support.programs import alive, put_python

RESULT = {"type": "result", "subtype": "success", "is_error": False, "result": "ok", "total_cost_usd": 0.01, "usage": {}}  # fmt: skip
OK = json.dumps(RESULT)
HANGS = "helper = subprocess.Popen(['sleep', '600'])\nopen({pids!r}, 'a').write(f'{{os.getpid()}} {{helper.pid}} ')\ntime.sleep(600)"


def claude(folder: Path, program: str) -> dict[str, str]:
    """An environment in which `claude` is this Python program."""
    place = folder / "bin" / "claude"
    place.parent.mkdir()
    put_python(place, f"import json, os, subprocess, sys, time\n{program}\n")
    path = f"{place.parent}:{os.environ['PATH']}"
    return {"PATH": path, "HOME": str(folder), "ACE_REFLECT_RETRY_BASE_S": "0.01"}


def printing(folder: Path, code: int = 0, **result: object) -> dict[str, str]:
    """An environment in which `claude` prints this result, and ends with this code."""
    return claude(folder, f"print(json.dumps({ {**RESULT, **result}!r})); sys.exit({code})")


def ask(environ: dict[str, str], prompt: str = "?", **options: object) -> Reply:
    limits = {"deadline_s": 20.0, **options}
    request = Request(prompt, "You judge.", **limits)  # type: ignore[arg-type]
    return asyncio.run(ClaudeCodeModel("sonnet", environ).ask(request))


def all_end(pids: Path) -> bool:
    """A kill is sent and not waited for where the process is nobody's child any more: the kernel has a moment for it."""
    found = [int(pid) for pid in pids.read_text().split()] if pids.exists() else []
    until = time.monotonic() + 3
    while any(map(alive, found)) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(map(alive, found))


def test_it_is_started_without_hooks_tools_or_a_transcript_in_an_empty_folder(tmp_path):
    seen = tmp_path / "seen.json"
    told = "{'argv': sys.argv[1:], 'stdin': sys.stdin.read(), 'cwd': os.getcwd(), 'files': os.listdir(), 'env': dict(os.environ)}"
    environ = claude(tmp_path, f"json.dump({told}, open({str(seen)!r}, 'w'))\nprint({OK!r})")
    session = {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/p", "CLAUDE_CODE_SESSION_ID": "s"}
    schema = {"type": "object"}

    reply = ask({**environ, **session, "ANTHROPIC_API_KEY": "k"}, "long", schema=schema, max_tokens=7)  # fmt: skip

    found = json.loads(seen.read_text())
    assert (reply.text, reply.usage.cost_usd) == ("ok", 0.01)
    assert found["stdin"] == "long"
    words = "-p --safe-mode --tools  --no-session-persistence --output-format json --system-prompt"
    assert found["argv"] == [*words.split(" "), "You judge.", "--model=sonnet", "--json-schema", json.dumps(schema)]  # fmt: skip
    assert found["files"] == []
    assert not os.path.exists(found["cwd"])
    wanted = {"ACE_REFLECT_CHILD": "1", "CLAUDE_CODE_MAX_OUTPUT_TOKENS": "7", "CLAUDE_CODE_MAX_RETRIES": "0", "ANTHROPIC_API_KEY": "k"}  # fmt: skip
    assert wanted.items() <= found["env"].items()
    assert not session.keys() & found["env"].keys()


@pytest.mark.parametrize(
    ("before", "result", "after", "text", "cost"),
    [
        ("(node:9) Warning: something old is used\n", {}, "", "ok", 0.01),
        ('[WARN] {"theme": 1} was ignored\n', {}, "\nA new version is there", "ok", 0.01),
        ("\ufeff", {"total_cost_usd": 0}, "", "ok", 0.0),
        ('[{"type": "system"},', {"total_cost_usd": -1}, "]", "ok", None),
        ("", {"total_cost_usd": "0.5"}, "", "ok", None),
        ("", {"result": "Done.", "structured_output": {"a": 1}}, "", '{"a": 1}', 0.01),
    ],
)
def test_an_answer_among_other_lines_is_read_as_it_is(tmp_path, before, result, after, text, cost):
    printed = before + json.dumps({**RESULT, **result}) + after
    reply = ask(claude(tmp_path, f"print({printed!r})"))

    assert (reply.text, reply.usage.cost_usd) == (text, cost)


def test_what_it_started_is_ended_with_it_at_the_deadline(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    environ = claude(tmp_path, HANGS.format(pids=str(pids)))
    started = time.monotonic()

    with pytest.raises(ModelUnavailable, match="no answer"):
        ask(environ, deadline_s=2.5, attempt_s=1.1)

    assert time.monotonic() - started < 30
    assert len(pids.read_text().split()) >= 4
    assert all_end(pids)


def test_a_helper_that_outlives_it_neither_delays_the_answer_nor_stays(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    helper = "subprocess.Popen(['sleep', '600'])"
    program = f"open({str(pid)!r}, 'w').write(str({helper}.pid))\nprint({OK!r})"
    started = time.monotonic()

    assert ask(claude(tmp_path, program)).text == "ok"

    assert time.monotonic() - started < 30
    assert all_end(pid)


@pytest.mark.parametrize("turns", [0, 2, 600])
def test_a_cancellation_ends_it_however_far_it_has_come(tmp_path, turns, capfd):
    pids = tmp_path / "pids"
    environ = claude(tmp_path, HANGS.format(pids=str(pids)))

    async def cancelled() -> None:
        argv = [str(find_claude(environ))]
        asking = asyncio.ensure_future(claude_code.run(argv, b"", environ))
        for _ in range(turns):
            if pids.exists() and pids.read_text():  # its helper runs
                break
            await asyncio.sleep(0 if turns < 10 else 0.005)
        asking.cancel()
        done, _ = await asyncio.wait([asking], timeout=20)
        assert done
        assert asking.cancelled()

    asyncio.run(cancelled())

    assert all_end(pids)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('You are NOT LOGGED IN here'); sys.exit(1)", "run `claude` and log in"),
        ("sys.stderr.write('error: unknown option --safe-mode'); sys.exit(1)", "exit code 1: error: unknown option --safe-mode"),
        ("os.kill(os.getpid(), 11)", "exit code -11"),
        ("print('{' * 5000)", "exit code 0"),
        ("""print('warned\\n{"result": "ok", "is_error": false}')""", "exit code 0"),
        (f"print({OK!r}); sys.exit(3)", "exit code 3"),
        ("sys.exit(1)", "exit code 1: it said nothing"),
    ],
)  # fmt: skip
def test_a_failure_says_what_to_do(tmp_path: Path, program: str, said: str) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        ask(claude(tmp_path, program))

    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"api_error_status": 401, "result": "OAuth token expired"}, "the login was refused"),
        ({"api_error": "max_output_tokens", "result": "too long"}, "exit code 1"),
        ({"result": "Parse error in the answer"}, "exit code 1"),
        ({"subtype": "error_max_structured_output_retries"}, "exit code 1"),
    ],
)
def test_an_error_in_the_result_is_one_and_what_was_paid_for_is_counted(tmp_path, result, said):
    refused = said == "exit code 1"
    usage = {"input_tokens": 400, "output_tokens": 90}
    with pytest.raises(ReplyRefused if refused else ModelUnavailable, match=said) as caught:
        ask(printing(tmp_path, int(refused), is_error=True, usage=usage, total_cost_usd=None, **result))  # fmt: skip

    assert not refused or caught.value.usage == Usage(400, 90)


def test_a_run_that_lost_its_connection_half_way_is_tried_again(tmp_path: Path) -> None:
    lost = {**RESULT, "is_error": True, "result": "Connection closed mid-response"}
    tried = str(tmp_path / "tried")
    program = f"again = os.path.exists({tried!r}); open({tried!r}, 'w').close()\nprint({OK!r} if again else json.dumps({lost!r}))"

    assert ask(claude(tmp_path, program)).text == "ok"


def test_it_is_found_where_its_installer_puts_it_and_what_cannot_be_started_is_said(tmp_path):
    place = tmp_path / ".local" / "bin" / "claude"
    place.parent.mkdir(parents=True)
    place.write_text("#!/nowhere/python\n")
    place.chmod(0o755)
    environ = {"PATH": "/nowhere", "HOME": str(tmp_path)}
    assert str(place) == find_claude(environ)
    with pytest.raises(ModelUnavailable, match="cannot be run"):
        ask(environ)
    with pytest.raises(ModelUnavailable, match="there is no `claude` on PATH"):
        ask({"PATH": "/nowhere", "HOME": "/nowhere"})
    assert able_to_start("/opt/bin/claude", {"PATH": "/bin"})["PATH"] == "/bin:/opt/bin"
