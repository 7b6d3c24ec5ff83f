"""Codex CLI's rollouts: recorded ones (tests/fixtures/codex) and lines in the same form."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.transcript import records as rec
from ace_reflect.transcript.codex_files import rollouts
from ace_reflect.transcript.files import looks_like_transcript, session_files, subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader
from support.ledgers import fed

RECORDED = Path(__file__).parent.parent / "fixtures" / "codex"
EVERY = sorted(RECORDED.rglob("*.jsonl"))
INTERRUPTED, ITS_SUBAGENT = sorted((RECORDED / "0.167.2-interrupted").glob("*.jsonl"))


def read(path: Path, kind: type[Any] = rec.Record) -> list[Any]:
    return [one for one in TranscriptReader(str(path), final=True) if isinstance(one, kind)]


def written(folder: Path, *rows: tuple[str, dict[str, Any]]) -> Path:
    """A rollout of these (type, payload) lines."""
    path = folder / "rollout-2026-11-26T13-00-00-01a217f5-20ce-7e41-a366-13aae029ddc4.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = ("session_meta", {"id": "01a217f5-20ce-7e41-a366-13aae029ddc4", "cwd": "/p"})
    at = "2026-11-26T13:00:00.000Z"
    lines = [{"timestamp": at, "type": kind, "payload": own} for kind, own in (meta, *rows)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def said(text: str, **more: Any) -> tuple[str, dict[str, Any]]:
    content = [{"type": "input_text", "text": text}]
    return "response_item", {"type": "message", "role": "user", "content": content, **more}


def call(name: str, arguments: dict[str, Any], output: str) -> Iterator[tuple[str, dict[str, Any]]]:
    own = {"call_id": f"call_{name}"}
    yield "response_item", {"type": "function_call", "name": name, "arguments": json.dumps(arguments), **own}  # fmt: skip
    yield "response_item", {"type": "function_call_output", "output": output, **own}


def told(kind: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return "event_msg", {"type": "item_completed", "item": {"type": kind, **fields}}


#: What the person said, the edits that happened, commands with their exit codes, todos.
FACTS = {
    "0.23.0": ("Make slugs casefold", "Edit slugs.py, Write notes.py", "cat 0", 0),
    "0.45.0": ("Make slugs casefold", "Edit slugs.py, Write notes.py, Write more.py, Write third.py", "cat 0, sleep 124", 0),
    "0.118.0": ("Make slugs casefold", "Edit slugs.py, Write notes.py, Write more.py, Write third.py", "cat 0, false 1, false 1, sleep 124", 2),
    "0.149.0": ("Make slugs casefold", "", "false 1, false 1", 2),
    "0.167.2-functions": ("Make slugs casefold", "Edit slugs.py, Write notes.py", "ls; 0, python None, false 0", 0),
    "0.167.2-code-mode": ("Make slugs casefold", "Edit slugs.py", "cat 0, python 0, echo 0, false 1", 0),
    "0.171.0-code-mode": ("Make slugs casefold", "Edit slugs.py", "cat 0, python 0, false 1, echo 0", 0),
    "0.167.2-blocked": ("Make slugs casefold, go on please", "", "echo 0", 0),
    "0.167.2-forked": ("fork on", "", "", 0),
    "0.167.2-terminal": ("hello there, run it, what now, after compact, plan it", "", "sleep None, sleep 0", 0),
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_a_recording_tells_what_happened(name: str) -> None:
    records = read(RECORDED / f"{name}.jsonl")
    prompts = [one.text for one in records if isinstance(one, rec.Prompt) and one.kind == "human"]
    uses = {one.id: one for one in records if isinstance(one, rec.ToolUse)}
    edits, commands = [], []
    for one in records:
        use = uses.get(one.tool_use_id) if isinstance(one, rec.ToolResult) else None
        if use and use.name in ("Edit", "Write") and not one.is_error:
            edits.append(f"{use.name} {use.input['file_path'].rpartition('/')[2]}")
        if use and use.name == "Bash" and not one.not_run:
            commands.append(f"{use.input['command'].split()[0]} {one.exit_code}")
    ledger = read_ledger(str(RECORDED / f"{name}.jsonl"))

    found = (", ".join(prompts), ", ".join(edits), ", ".join(commands), len(ledger.todos))
    assert found == FACTS[name]
    assert ledger.cwd == "/home/me/slugs"
    assert ledger.bad_lines == 0


@pytest.mark.parametrize("name", ["0.167.2-functions", "0.167.2-code-mode"])
def test_tests_are_proven_by_what_really_ended(name: str) -> None:
    """In the first the run went on in the background, and its end is told four calls later."""
    (run,) = read_ledger(str(RECORDED / f"{name}.jsonl")).runs
    assert (run.kind, run.outcome.value) == (CommandKind.TEST, "passed")
    assert run.counts.passed == 1


def test_what_the_host_puts_in_is_nobodys_prompt() -> None:
    blocked, terminal = (RECORDED / f"0.167.2-{name}.jsonl" for name in ("blocked", "terminal"))
    hooks = ["START CONTEXT startup", "KEYPOINTS for you"]
    feedback = [one.text for one in read(blocked, rec.Prompt) if one.kind == "hook-feedback"]
    assert feedback == ["Tests have not passed.\n  run pytest"] * 2
    assert [one.text for one in read(blocked, rec.HookOutput) if one.text][:2] == hooks
    assert [one.command for one in read(terminal, rec.UserShell)] == ["echo mine"]
    assert [one.text for one in read(terminal, rec.Prompt) if one.queued] == ["plan it"]
    assert len(read(terminal, rec.Compaction)) == len(read(terminal, rec.Interrupt)) == 1
    assert all(one.print_mode for one in read(blocked, rec.Prompt) if one.kind == "human")


def test_a_subagent_and_an_interruption_and_plan_mode(tmp_path: Path) -> None:
    assert subagent_files(str(INTERRUPTED)) == [str(ITS_SUBAGENT)]
    assert session_files(str(INTERRUPTED.parent)) == [str(INTERRUPTED)]
    ledger = read_ledger(str(INTERRUPTED))
    assert (ledger.subagents, ledger.plan_mode) == (1, True)
    assert [(item.subagent, item.running) for item in ledger.background][:1] == [(True, False)]
    assert [turn.interrupted for turn in ledger.turns] == [False, True, False]

    day = tmp_path / "codex" / "sessions" / "2026" / "11"
    for folder, path in (("26", INTERRUPTED), ("27", ITS_SUBAGENT)):  # it worked past midnight
        (day / folder).mkdir(parents=True)
        shutil.copy(path, day / folder)
    environ = {"CODEX_HOME": str(tmp_path / "codex")}
    (found,) = rollouts(environ, "/home/me/slugs")
    assert subagent_files(found) == [str(day / "27" / ITS_SUBAGENT.name)]
    assert rollouts(environ, "/home/me") == []


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem[:30])
def test_it_reads_the_same_in_pieces(path: Path, tmp_path: Path) -> None:
    data, copy, chance = path.read_bytes(), tmp_path / "copy.jsonl", random.Random(3)
    whole = read(path)
    assert looks_like_transcript(str(path))
    for _ in range(4):
        cuts = sorted(chance.randrange(len(data)) for _ in range(3))
        records: list[rec.Record] = []
        cursor: Cursor | None = None
        copy.write_bytes(b"")
        for begin, end in zip([0, *cuts], [*cuts, len(data)], strict=True):
            with copy.open("ab") as file:
                file.write(data[begin:end])
            reader = TranscriptReader(str(copy), cursor)
            records += reader
            cursor = Cursor.from_json(json.loads(json.dumps(reader.cursor.to_json())))
        assert records == whole
    assert fed(whole, (len(whole) // 2,)) == fed(whole)


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem[:30])
def test_no_value_of_another_kind_stops_it(path: Path, tmp_path: Path) -> None:
    chance = random.Random(5)
    odd: list[Any] = [None, 7, "x", [], {}, ["x", 1, {"text": 3}], {"type": []}, True]

    def bent(value: Any) -> Any:
        if chance.random() < 0.04:
            return chance.choice(odd)
        if isinstance(value, dict):
            return {key: bent(one) for key, one in value.items()}
        return [bent(one) for one in value] if isinstance(value, list) else value

    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for number in range(20):
        copy = tmp_path / f"{number}.jsonl"
        rows = [lines[0], *(bent(line) for line in lines[1:])]
        copy.write_text("\n".join(json.dumps(row) for row in rows))
        read_ledger(str(copy))


def test_a_rewound_prompt_is_void_and_an_error_of_the_api_is_told(tmp_path: Path) -> None:
    back = ("event_msg", {"type": "thread_rolled_back", "num_turns": 1})
    ended = ("event_msg", {"type": "task_complete", "error": {"message": "high demand"}})
    path = written(tmp_path, said("skip gates"), back, said("do it well"), ended)
    assert [one.text for one in read(path, rec.ApiError)] == ["high demand"]
    assert [one.replaces for one in read(path, rec.Prompt)] == [None, 2]
    assert [turn.prompt for turn in read_ledger(str(path)).turns] == ["", "do it well"]


def test_words_that_are_and_are_not_the_persons(tmp_path: Path) -> None:
    hosts = ("Warning: apply_patch was requested via shell.", "<subagent_notification>{}</subagent_notification>",
             "<turn_aborted>x</turn_aborted>", "<goal_context>go</goal_context>", "<skill>x</skill>")  # fmt: skip
    editor = "# Context from my IDE setup:\n\n## My request for Codex:\nfix it\n"
    own = (editor, "<b>bold</b> please", "mail <private>x</private>me", "Warning: it is slow")
    path = written(tmp_path, *map(said, (*hosts, *own)))
    heard = ["fix it", "<b>bold</b> please", "mail [private]me", "Warning: it is slow"]
    assert [one.text for one in read(path, rec.Prompt)] == heard


def test_a_script_that_no_event_has_told_of_is_unclear_and_proves_only_by_its_summary(tmp_path: Path) -> None:  # fmt: skip
    def script(output: str) -> Path:
        own = {"call_id": "call_1"}
        source = 'const r = await tools.exec_command({cmd:"pytest -q \\"a b\\""});'
        started = {"type": "custom_tool_call", "name": "exec", "input": source, **own}
        ended = {"type": "custom_tool_call_output", "output": output, **own}
        return written(tmp_path, said("x"), ("response_item", started), ("response_item", ended))

    (run,) = read_ledger(str(script("Script completed\nWall time 1.3 seconds\nOutput:\n"))).runs
    assert (run.outcome.value, run.command) == ("unknown", 'pytest -q "a b"')
    (run,) = read_ledger(str(script("Script completed\nWall time 1 seconds\nOutput:\n3 passed in 1s"))).runs  # fmt: skip
    assert run.outcome.value == "passed"


def test_a_scripts_call_of_a_server_a_question_and_a_refusal(tmp_path: Path) -> None:
    made = {"content": [{"type": "text", "text": "https://github.com/me/slugs/pull/7"}]}
    server = told("McpToolCall", id="exec-1", server="github", tool="create_pull_request", arguments={}, status="completed", result=made)  # fmt: skip
    asked = {"questions": [{"id": "q", "question": "Which one?"}]}
    killed = {"id": "c", "command": ["zsh", "-lc", "make"], "cwd": "file:///q", "exit_code": -1}
    rows = (
        said("open a pull request"),
        server,
        *call("request_user_input", asked, '{"answers":{"q":{"answers":["the left one"]}}}'),
        *call("exec_command", {"cmd": "rm -r x", "workdir": "/q"}, "exec command rejected by user"),
        told("CommandExecution", **killed),
    )
    path = written(tmp_path, *rows)
    ledger = read_ledger(str(path))
    assert [one.url for one in ledger.pull_requests] == ["https://github.com/me/slugs/pull/7"]
    assert [(one.text, one.answer) for one in ledger.questions] == [("Which one?", "the left one")]
    uses = [one.input.get("command") for one in read(path, rec.ToolUse) if one.name == "Bash"]
    assert uses == ["cd /q && rm -r x", "cd /q && make"]
    results = read(path, rec.ToolResult)
    assert [one.denied for one in results] == [False, False, True, False]
    assert results[-1].timed_out


def test_a_patch_that_moves_deletes_and_edits(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: a.sql\n*** Move to: b.sql\n@@ x\n keep\n--- old\n+-- new\n*** Delete File: c d.py\n*** End Patch"
    path = written(tmp_path, said("x"), *call("apply_patch", {"input": patch}, "Success."))
    uses = read(path, rec.ToolUse)
    assert [one.input.get("command") for one in uses] == ["mv a.sql b.sql", None, "rm 'c d.py'"]
    assert uses[1].input == {"file_path": "b.sql", "old_string": "keep\n-- old", "new_string": "keep\n-- new"}  # fmt: skip
