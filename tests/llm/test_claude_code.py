"""`claude -p` as a model: how it is started, what it leaves behind, and what it prints when it fails."""

import asyncio
import gc
import json
import os
import time
from pathlib import Path

import pytest

from ace_reflect.errors import ModelReplyInvalid, ModelUnavailable
from ace_reflect.llm import processes
from ace_reflect.llm.claude_code import ClaudeCodeModel, able_to_start, find_claude
from ace_reflect.llm.port import Reply, ReplyRefused, Request, Usage
from support.programs import put_python

OK = '{"type": "result", "subtype": "success", "is_error": false, "result": "ok", "total_cost_usd": 0.01, "usage": {}}'


def claude(folder: Path, program: str) -> dict[str, str]:
    """An environment in which `claude` is this Python program."""
    place = folder / "bin" / "claude"
    place.parent.mkdir()
    put_python(place, f"import json, os, subprocess, sys, time\n{program}\n")
    return {
        "PATH": f"{place.parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "ACE_REFLECT_RETRY_BASE_S": "0.01",
    }


def ask(environ: dict[str, str], prompt: str = "?", **options: object) -> Reply:
    limits = {"deadline_s": 20.0, **options}
    return asyncio.run(
        ClaudeCodeModel("sonnet", environ).ask(Request(prompt, "You judge.", **limits))
    )  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ended(pid: int) -> bool:
    """A kill is sent and not waited for where the process is nobody's child any more: the kernel has a moment for it."""
    until = time.monotonic() + 3
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not alive(pid)


def test_it_is_started_without_hooks_tools_or_a_transcript_in_an_empty_folder(
    tmp_path: Path,
) -> None:
    seen = tmp_path / "seen.json"
    environ = claude(
        tmp_path,
        f"json.dump({{'argv': sys.argv[1:], 'stdin': sys.stdin.read(), 'cwd': os.getcwd(), 'files': os.listdir(), 'env': dict(os.environ)}}, open({str(seen)!r}, 'w'))\nprint({OK!r})",
    )
    session = {
        "CLAUDECODE": "1",
        "CLAUDE_PROJECT_DIR": "/home/dev/project",
        "CLAUDE_CODE_SESSION_ID": "s",
        "ANTHROPIC_API_KEY": "sk-kept",
    }

    reply = ask(
        {**environ, **session}, "a long transcript", schema={"type": "object"}, max_tokens=777
    )

    found = json.loads(seen.read_text())
    assert reply.text == "ok"
    assert reply.usage.cost_usd == 0.01
    assert found["stdin"] == "a long transcript"
    assert "a long transcript" not in found["argv"]
    for words in (
        ["-p"],
        ["--safe-mode"],
        ["--no-session-persistence"],
        ["--model=sonnet"],
        ["--tools", ""],
        ["--output-format", "json"],
        ["--system-prompt", "You judge."],
        ["--json-schema", '{"type": "object"}'],
    ):
        at = found["argv"].index(words[0])
        assert words == found["argv"][at : at + len(words)]
    assert found["files"] == []
    assert not os.path.exists(found["cwd"])
    assert found["env"]["ACE_REFLECT_CHILD"] == "1"
    assert found["env"]["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "777"
    assert found["env"]["CLAUDE_CODE_MAX_RETRIES"] == "0"
    assert found["env"]["ANTHROPIC_API_KEY"] == "sk-kept"
    assert not {"CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID"} & found["env"].keys()


def test_structured_output_is_the_answer_where_there_is_one(tmp_path: Path) -> None:
    result = {"is_error": False, "result": "Done.", "structured_output": {"label": "x"}}

    reply = ask(claude(tmp_path, f"print({json.dumps(result)!r})"), schema={"type": "object"})

    assert reply.structured == {"label": "x"}
    assert reply.text == '{"label": "x"}'


def test_text_is_the_answer_where_structured_output_is_missing(tmp_path: Path) -> None:
    result = {"is_error": False, "result": '{"label": "y"}'}

    reply = ask(claude(tmp_path, f"print({json.dumps(result)!r})"), schema={"type": "object"})

    assert reply.structured is None
    assert reply.text == '{"label": "y"}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("(node:9) Warning: something old is used", ""),
        ('[WARN] {"theme": 1} was ignored', "A new version is there"),
        ("\ufeff", ""),
        ('[{"type": "system"},', "]"),
    ],
)
def test_an_answer_among_other_lines_is_not_lost(tmp_path: Path, before: str, after: str) -> None:
    end = "" if before.startswith("[{") else "\n"

    reply = ask(claude(tmp_path, f"print({before!r}, {OK!r}, {after!r}, sep={end!r})"))

    assert (reply.text, reply.usage.cost_usd) == ("ok", 0.01)


def test_an_object_in_a_warning_is_no_answer(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="exit code 0"):
        ask(claude(tmp_path, """print('warned\\n{"result": "ok", "is_error": false}')"""))


def test_a_pipe_that_was_not_read_to_its_end_leaves_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    environ = claude(tmp_path, "while True: print('x' * 65536)")

    with pytest.raises(ModelReplyInvalid):
        ask(environ)
    gc.collect()

    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("own_session", [False, True])
def test_what_it_started_is_ended_with_it_at_the_deadline(
    tmp_path: Path, own_session: bool
) -> None:
    pids = tmp_path / "pids"
    environ = claude(
        tmp_path,
        f"helper = subprocess.Popen(['sleep', '600'], start_new_session={own_session})\n"
        f"open({str(pids)!r}, 'a').write(f'{{os.getpid()}} {{helper.pid}} ')\ntime.sleep(600)",
    )
    started = time.monotonic()

    with pytest.raises(ModelUnavailable, match="no answer"):
        ask(environ, deadline_s=2.5, attempt_s=1.1)

    assert time.monotonic() - started < 30
    found = [int(pid) for pid in pids.read_text().split()]
    assert len(found) >= 4
    assert [pid for pid in found if alive(pid)] == []


@pytest.mark.parametrize("own_session", [False, True])
def test_a_helper_that_outlives_it_neither_delays_the_answer_nor_stays(
    tmp_path: Path, own_session: bool
) -> None:
    """It holds our pipes open, which some versions of asyncio wait for."""
    pid = tmp_path / "pid"
    environ = claude(
        tmp_path,
        f"helper = subprocess.Popen(['sleep', '600'], start_new_session={own_session})\nopen({str(pid)!r}, 'w').write(str(helper.pid))\nprint({OK!r})",
    )
    started = time.monotonic()

    assert ask(environ).text == "ok"

    assert time.monotonic() - started < 30
    assert ended(int(pid.read_text()))


@pytest.mark.parametrize("turns", range(6))
def test_a_deadline_that_comes_while_it_is_started_ends_it_too(tmp_path: Path, turns: int) -> None:
    """A busy machine: the program has started a helper before the loop has connected its pipes."""
    pids = tmp_path / "pids"
    program = f"helper = subprocess.Popen(['sleep', '600'])\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}} {{helper.pid}}')\ntime.sleep(600)"
    environ = claude(tmp_path, program)

    async def cancelled_at_once() -> None:
        asking = asyncio.ensure_future(
            processes.run([str(find_claude(environ))], b"", environ, str(tmp_path), max_bytes=1000)
        )
        for _ in range(turns):
            await asyncio.sleep(0)
        while turns > 1 and not (pids.exists() and pids.read_text()):
            time.sleep(0.01)  # noqa: ASYNC251 - the loop is what has no time
        asking.cancel()
        done, _ = await asyncio.wait([asking], timeout=20)
        assert done
        assert asking.cancelled()

    asyncio.run(cancelled_at_once())

    found = [int(pid) for pid in pids.read_text().split()] if pids.exists() else []
    assert [pid for pid in found if not ended(pid)] == []


def test_a_cancellation_ends_it(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    environ = claude(tmp_path, f"open({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)")

    async def impatient() -> None:
        asking = asyncio.ensure_future(ClaudeCodeModel("sonnet", environ).ask(Request("?")))
        while not pid.exists() or not pid.read_text():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.02)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(impatient())

    assert ended(int(pid.read_text()))


def test_a_program_that_lets_go_of_its_output_and_goes_on_is_ended(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    program = f"open({str(pid)!r}, 'w').write(str(os.getpid()))\nprint({OK!r}, flush=True)\nos.close(1)\nos.close(2)\ntime.sleep(600)"
    started = time.monotonic()

    with pytest.raises(ModelUnavailable, match="exit code -1"):
        ask(claude(tmp_path, program), deadline_s=60.0, attempt_s=60.0)

    assert time.monotonic() - started < 30
    assert ended(int(pid.read_text()))


def test_endless_output_is_cut_off(tmp_path: Path) -> None:
    environ = claude(tmp_path, "while True: print('x' * 65536)")
    started = time.monotonic()

    with pytest.raises(ModelReplyInvalid, match="more than 4 MB"):
        ask(environ)

    assert time.monotonic() - started < 30


def test_a_prompt_that_is_not_read_to_its_end_does_no_harm(tmp_path: Path) -> None:
    assert ask(claude(tmp_path, f"print({OK!r})"), "x" * 3_000_000).text == "ok"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "print('Not logged in · Please run /login'); sys.exit(1)",
            "start `claude` once and log in",
        ),
        (
            "sys.stderr.write('error: unknown option --safe-mode'); sys.exit(1)",
            "exit code 1: error: unknown option --safe-mode",
        ),
        ("os.kill(os.getpid(), 11)", "exit code -11"),
        ("print('[]')", "exit code 0"),
        ("print('{' * 5000)", "exit code 0"),
        (f"print({OK!r}); sys.exit(3)", "exit code 3"),
        (
            "print(json.dumps({'is_error': True, 'api_error_status': 401, 'result': 'OAuth token expired'})); sys.exit(1)",
            "the login of `claude` was refused",
        ),
        (f"print(json.dumps({{**json.loads({OK!r}), 'is_error': True}}))", "exit code 0"),
        ("print('You are NOT LOGGED IN here'); sys.exit(1)", "start `claude` once and log in"),
        ("print('Session expired, run /login'); sys.exit(1)", "start `claude` once and log in"),
        (
            "print(json.dumps({'is_error': True, 'subtype': 'error_max_turns'}))",
            "exit code 0: error_max_turns",
        ),
        ("print(json.dumps({'is_error': True}))", "exit code 0: it said nothing"),
        (
            "print(json.dumps({'is_error': True})); sys.stderr.write('no room')",
            "exit code 0: no room",
        ),
        ("sys.exit(1)", "exit code 1: it said nothing"),
    ],
)
def test_a_failure_says_what_to_do(tmp_path: Path, program: str, said: str) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        ask(claude(tmp_path, program))

    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_program_that_cannot_be_started_is_said(tmp_path: Path) -> None:
    environ = claude(tmp_path, "")
    (tmp_path / "bin" / "claude").write_text("#!/nowhere/python\n")

    with pytest.raises(ModelUnavailable, match="cannot be run"):
        ask(environ)


def test_without_claude_the_message_says_so(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="there is no `claude` on PATH"):
        ask({"PATH": str(tmp_path), "HOME": str(tmp_path)})


def test_claude_is_found_where_its_installer_puts_it_when_path_is_short(tmp_path: Path) -> None:
    place = tmp_path / ".local" / "bin" / "claude"
    place.parent.mkdir(parents=True)
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)

    assert str(place) == find_claude({"PATH": "/nowhere", "HOME": str(tmp_path)})


@pytest.mark.parametrize(
    "path", ["/usr/bin:/bin", "/bin:/usr/bin:/usr/sbin"], ids=["a Dock's", "another short one"]
)
def test_a_claude_of_npm_finds_its_node_beside_it_when_path_is_short(
    tmp_path: Path, path: str
) -> None:
    place = tmp_path / ".local" / "bin"
    environ = {**claude(tmp_path, f"print({OK!r})"), "PATH": path, "HOME": str(tmp_path)}
    place.mkdir(parents=True)
    (place / "claude").write_text("#!/usr/bin/env node-of-this-test\n")
    (place / "node-of-this-test").write_text(
        f'#!/bin/sh\nshift\nexec "{tmp_path}/bin/claude" "$@"\n'
    )
    for program in place.iterdir():
        program.chmod(0o755)

    assert ask(environ).text == "ok"


def test_a_path_that_names_the_programs_folder_stays_as_it_is() -> None:
    given = {"PATH": "/usr/bin:/opt/homebrew/bin:/bin"}
    assert able_to_start("/opt/homebrew/bin/claude", given) == given
    assert (
        able_to_start("/opt/homebrew/bin/claude", {"PATH": "/bin"})["PATH"]
        == "/bin:/opt/homebrew/bin"
    )


@pytest.mark.parametrize(
    "result",
    [
        {"is_error": True, "api_error": "max_output_tokens", "result": "too long"},
        {"is_error": True, "result": "Parse error in the answer"},
    ],
)
def test_an_answer_that_is_cut_off_is_refused_with_what_it_took(
    tmp_path: Path, result: dict[str, object]
) -> None:
    result = {**result, "usage": {"input_tokens": 40, "output_tokens": 2}}

    with pytest.raises(ReplyRefused) as caught:
        ask(claude(tmp_path, f"print({json.dumps(result)!r}); sys.exit(1)"))

    assert "cut off or no answer" in str(caught.value)
    assert caught.value.usage == Usage(40, 2)


@pytest.mark.parametrize(
    "subtype", ["error_max_structured_output_retries", "error_during_execution"]
)
def test_a_run_that_failed_after_the_model_answered_tells_what_it_took(
    tmp_path: Path, subtype: str
) -> None:
    result = {
        "is_error": True,
        "subtype": subtype,
        "usage": {"input_tokens": 400, "output_tokens": 90},
    }

    with pytest.raises(ReplyRefused, match=f"exit code 1: {subtype}") as caught:
        ask(claude(tmp_path, f"print({json.dumps(result)!r}); sys.exit(1)"))

    assert caught.value.usage == Usage(400, 90)


def test_a_run_that_lost_its_connection_half_way_is_tried_again(tmp_path: Path) -> None:
    result = {
        "is_error": True,
        "result": "Connection closed mid-response",
        "usage": {"output_tokens": 90},
    }
    program = f"""
if os.path.exists({str(tmp_path / "tried")!r}):
    print({OK!r})
else:
    open({str(tmp_path / "tried")!r}, "w").close()
    print({json.dumps(result)!r}); sys.exit(1)
"""
    assert ask(claude(tmp_path, program)).text == "ok"


@pytest.mark.parametrize(
    ("cost", "price"), [(0, 0.0), (0.5, 0.5), (-1, None), (1e12, None), ("0.5", None), (None, None)]
)
def test_a_cost_that_is_none_is_not_on_record(
    tmp_path: Path, cost: object, price: float | None
) -> None:
    program = f"print(json.dumps({{**json.loads({OK!r}), 'total_cost_usd': {cost!r}}}))"

    assert ask(claude(tmp_path, program)).usage.cost_usd == price
