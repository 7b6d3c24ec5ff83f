"""Whose words a line holds, and what each form of line is read into."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.transcript import records as wire
from ace_reflect.transcript.messages import prompt_kind
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import AssistantText, Prompt, TaskNotice, ToolResult, ToolUse
from support.transcripts import TranscriptBuilder


def only(source: TranscriptBuilder | list[wire.Record], *kinds: type[wire.Record]) -> list[Any]:
    records = source.records() if isinstance(source, TranscriptBuilder) else source
    return [record for record in records if type(record) in kinds]


def prompts(builder: TranscriptBuilder) -> list[tuple[str, str]]:
    return [(r.kind, r.text) for r in only(builder, Prompt)]


def in_folders(built: TranscriptBuilder) -> TranscriptBuilder:
    built.say("a").say("b")
    for folder in ("/p/sub", "/p"):
        built.cwd = folder
        built.say("c").say("d")
    return built


#: What is written, the kind of record that is looked for, its fields, and what they are.
Step = Callable[[TranscriptBuilder], TranscriptBuilder]
TOLD: list[tuple[Step, type[wire.Record], str, list[tuple[object, ...]]]] = [
    (lambda b: b.prompt("Fix it").prompt("Go", ide_file="/p/a.py"), Prompt, "kind text", [("human", "Fix it"), ("human", "Go")]),
    (lambda b: b.prompt("", images=1).prompt("look", images=2), Prompt, "kind text", [("human", "[image]"), ("human", "look")]),
    # queued words are told once, and when they reach the agent
    (lambda b: b.queue("and the docs"), Prompt, "text queued", [("and the docs", True)]),
    (lambda b: b.queue("and the docs", delivered="next-turn"), Prompt, "text queued", [("and the docs", False)]),
    (lambda b: b.queue("and the docs", delivered=""), Prompt, "text", []),
    (lambda b: b.queue("and the docs", delivered="taken-back"), Prompt, "text", []),
    (lambda b: b.say("hm").say("\n\n"), AssistantText, "text", [("hm",)]),
    (lambda b: b.think("hm").think(""), wire.Thinking, "text", [("hm",)]),
    # an error of the API ends a turn, and a retry does not
    (lambda b: b.api_retry().api_error("API Error: 500 {}").api_error("A limit"), wire.ApiError, "text", [("API Error: 500 {}",), ("A limit",)]),
    (lambda b: b.interrupt().say("I abou", aborted=True), wire.Interrupt, "line", [(1,), (2,)]),
    (lambda b: b.interrupt(during_tool=True), wire.Interrupt, "line", [(1,)]),
    (lambda b: b.interrupt().interrupt(during_tool=True), Prompt, "text", []),
    (lambda b: b.shell(" uv run pytest -v", "5 passed", "warn"), wire.UserShell, "line command stdout stderr", [(1, "uv run pytest -v", "5 passed", "warn")]),
    (lambda b: b.mode("default").prompt("a", permission_mode="default").prompt("b", permission_mode="plan"), wire.Context, "mode", [("default",), (None,), ("plan",)]),
    (lambda b: b.hook("UserPromptSubmit", "[pat-001] x"), wire.HookOutput, "event kind text", [("UserPromptSubmit", "hook_additional_context", "[pat-001] x")]),
    (lambda b: b.hook("Stop", "{}", "hook_success"), wire.HookOutput, "event kind text", [("Stop", "hook_success", "{}")]),
    (lambda b: b.hook("Stop", "Run.", "hook_blocking_error"), wire.HookOutput, "event kind text", [("Stop", "hook_blocking_error", "Run.")]),
    (lambda b: b.pull_request(7), wire.PullRequestLink, "number url", [(7, "https://github.com/acme/app/pull/7")]),
    (in_folders, wire.Context, "line cwd", [(1, "/home/dev/project"), (3, "/p/sub"), (5, "/p")]),
    (lambda b: b.background("npm test").task_notification(exit_code=2), TaskNotice, "task_id status exit_code", [("b7xirly8o", "failed", 2)]),
    (lambda b: b.background("npm test").task_notification(exit_code=2, how="queue"), TaskNotice, "task_id status exit_code", [("b7xirly8o", "failed", 2)]),
]  # fmt: skip


@pytest.mark.parametrize(("step", "kind", "fields", "told"), TOLD)
def test_each_form_of_line_is_told(session, step, kind, fields, told) -> None:
    found = only(step(session), kind)
    assert [tuple(getattr(one, name) for name in fields.split()) for one in found] == told


def test_a_compaction_is_told_once(newest: TranscriptBuilder) -> None:
    assert len(only(newest.compact(), wire.Compaction)) == 1


def test_what_the_host_puts_into_a_prompt_is_taken_out(newest: TranscriptBuilder) -> None:
    newest.user_line("<system-reminder>\nToday is Monday.\n</system-reminder>\nFix it")
    newest.user_line("Use <system-reminder> tags")  # unclosed: to the end
    newest.user_line("<system-reminder>\nThe user started a task.\n</system-reminder>")
    newest.user_line([{"type": "text", "text": "<ide_selection>x</ide_selection>"}])
    assert prompts(newest) == [("human", "Fix it"), ("human", "Use")]


def test_a_slash_command_is_the_persons_and_its_body_is_not(session: TranscriptBuilder) -> None:
    found = only(session.slash("ship", "now please", "Ship it: now please"), Prompt)
    assert [(r.kind, r.text, r.command) for r in found] == [
        ("human", "/ship now please", "ship"),
        ("meta", "Ship it: now please", None),
    ]


def test_other_commands_are_nobodys_prompt(session: TranscriptBuilder) -> None:
    """Built-in ones, and those that the agent calls itself."""
    session.called_command("fast-ci", "Run `make fast-ci`").local_command("model", "opus", "Set")
    assert {kind for kind, _ in prompts(session)} == {"meta"}


def test_a_plan_is_the_hosts_whoever_is_said_to_have_typed_it(session: TranscriptBuilder) -> None:
    """What stands in it was written by the agent, and waives nothing."""
    session.plan_prompt("- skip gates").prompt("Now implement the following plan: x")
    assert [kind for kind, _ in prompts(session)] == ["plan", "human"]


@pytest.mark.parametrize(("text", "kind"), [
    ("<local-command-stdout>Bye!</local-command-stdout>", "meta"),
    ("<local-command-caveat>Caveat: …</local-command-caveat>", "meta"),
    ("<teammate-message teammate_id='a'>hi</teammate-message>", "teammate"),
    ("Operation stopped by hook: another session is active", "hook-feedback"),
    ("Stop hook feedback:\nRun the tests.", "hook-feedback"),
    ("This session is being continued from a previous conversation.", "meta"),
    ("<agent-notification><agent-id>a1</agent-id></agent-notification>", "task-notification"),
    ("<task-notification>\n<summary>woken</summary></task-notification>", "task-notification"),
    ("Caveat: The messages below were generated by the user while running local commands.", "meta"),
])  # fmt: skip
def test_lines_that_nobody_said_are_told_apart_without_a_mark(newest, text, kind) -> None:
    assert prompts(newest.user_line(text)) == [(kind, text)]


@pytest.mark.parametrize(("data", "kind"), [
    ({"origin": {"kind": "task-notification"}}, "task-notification"),
    ({"origin": {"kind": "peer"}}, "teammate"), ({"origin": {"kind": "scheduled"}}, "meta"),
    ({"origin": {"kind": "human"}}, "human"), ({"isMeta": True}, "meta"),
    ({"isSidechain": True}, "meta"),
    ({"isCompactSummary": True, "origin": {"kind": "human"}}, "meta"),
])  # fmt: skip
def test_the_host_says_who_speaks(data: dict[str, Any], kind: str) -> None:
    assert prompt_kind(data, "Fix it") == kind


@pytest.mark.parametrize("entrypoint", ["claude-desktop", "claude-vscode", "cli"])
def test_print_mode_is_where_nobody_can_answer(tmp_path: Path, entrypoint: str) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl", entrypoint=entrypoint)
    builder.prompt("do it", promptSource="sdk").prompt("do it", print_mode=True)
    assert [r.print_mode for r in only(builder, Prompt)] == [False, True]


def test_what_a_person_keeps_private_is_in_no_record(session) -> None:
    hidden = "<private>Zanzibar</private>"
    session.prompt(f"Fix it {hidden}").queue(f"And this {hidden}")
    session.call("Bash", {"command": "ls"}).reject(f"no {hidden}").shell(f"echo {hidden}", "x")
    (refused,) = only(session, ToolResult)
    assert refused.user_words == "no [private]"
    others = only(session, Prompt, wire.UserShell)
    assert len(others) == 3
    assert "Zanzibar" not in str(others)


def test_a_rewound_prompt_is_named_by_the_one_typed_in_its_place(session) -> None:
    """Both follow the same line of the conversation; all behind the first is a branch that was left."""
    session.prompt("one").say("1").prompt("two").say("2").prompt("three").say("3")
    two = json.loads(session.lines[2])
    session.prompt("two, but otherwise", parentUuid=two["parentUuid"]).say("4").prompt("five")
    told = [(record.line, record.replaces) for record in only(session, Prompt)]
    assert told[2:] == [(5, None), (7, 3), (9, None)]


def test_a_removed_line_without_content_is_the_persons_before_a_notice(tmp_path: Path) -> None:
    """Older hosts do not say which entry leaves the queue; the person's goes first."""
    built = TranscriptBuilder(tmp_path / "s.jsonl", version="2.1.40")
    notice = "<task-notification><task-id>b1</task-id></task-notification>"
    built.queue_operation("enqueue", notice).queue_operation("enqueue", "also this")
    built.queue_operation("remove").queue_operation("remove")
    assert [(r.kind, r.text) for r in only(built, Prompt)] == [("human", "also this")]


def test_lines_copied_by_a_resume_count_once(newest: TranscriptBuilder) -> None:
    newest.prompt("Fix it").edit("/a.py").say("Done.")
    newest.lines += newest.lines
    records = newest.records()
    assert (len(only(records, Prompt)), len(only(records, ToolUse))) == (1, 1)


def test_several_blocks_on_one_line_are_all_read_and_several_lines_may_be_one_message(newest):
    spoken = only(newest.say("I will look.").bash("ls", "a"), AssistantText, ToolUse)
    assert [type(r) for r in spoken] == [AssistantText, ToolUse]
    assert spoken[0].message_id
    newest.think("hm")
    line = json.loads(newest.lines.pop())
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    line["message"]["content"] += [{"type": "text", "text": "A"}, call]
    newest.raw(line)
    assert [type(r) for r in newest.records()[-3:]] == [wire.Thinking, AssistantText, ToolUse]


def test_what_the_host_says_in_the_models_place_is_not_told(newest: TranscriptBuilder) -> None:
    newest.say("No response requested.")
    line = json.loads(newest.lines.pop())
    line["message"]["model"] = "<synthetic>"
    assert [type(r) for r in newest.raw(line).records()] == [wire.Context]


def test_a_subagents_lines_in_the_same_file_are_marked(tmp_path: Path) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl", version="1.0.51").prompt("go")
    builder.sidechain().user_line("Look around").bash("ls", "a").sidechain(on=False).say("ok")
    records = builder.records()
    assert [r.sidechain for r in records if isinstance(r, ToolUse | ToolResult)] == [True, True]
    assert [r.kind for r in only(records, Prompt)] == ["human", "meta"]


@pytest.mark.parametrize("version", ["2.1.40", "2.1.62"])
def test_a_subagents_messages_repeated_in_the_main_file_are_its_own(tmp_path, version) -> None:
    builder = TranscriptBuilder(tmp_path / "s.jsonl", version=version)
    builder.agent_progress("Bash", {"command": "pytest"}, "1 passed")
    found = [r for r in builder.records() if isinstance(r, ToolUse | ToolResult)]
    assert [(type(r), r.sidechain) for r in found] == [(ToolUse, True), (ToolResult, True)]
    TranscriptBuilder(agent_id="a1").user_line("look").write_subagent(tmp_path / "s.jsonl")
    assert only(builder, ToolUse) == []


def test_a_subagents_file_names_itself_on_every_record(tmp_path: Path) -> None:
    agent = TranscriptBuilder(agent_id="a1").user_line("look").bash("ls", "a")
    path = agent.write_subagent(tmp_path / "s.jsonl")
    records = list(TranscriptReader(str(path), file=path.name))
    assert {(r.file, r.sidechain) for r in records} == {("agent-a1.jsonl", True)}
    assert not any(r.in_main_thread for r in records)


def test_a_monitors_events_are_told_each(newest: TranscriptBuilder) -> None:
    """Source: shared/cases/14 (2.1.330): the end has the last line as its event."""
    newest.call("Monitor", {"command": "make watch"})
    newest.result("Monitor started (task b2, expires in 10m).", answer={"taskId": "b2"})
    for status, event in (("", "1 failed"), ("", "2 passed"), ("completed", "3 passed")):
        ended = f"<status>{status}</status>" if status else ""
        newest.user_line(
            f"<task-notification>\n<task-id>b2</task-id>\n{ended}<event>{event}</event>\n</task-notification>",
            origin={"kind": "task-notification"},
        )
    records = newest.records()
    assert [r.background_id for r in only(records, ToolResult)] == ["b2"]
    told = [f"{r.status}: {r.output}" for r in only(records, TaskNotice)]
    assert told == ["running: 1 failed", "running: 2 passed", "completed: 3 passed"]


def test_a_queue_line_of_a_running_command_is_no_end(tmp_path: Path) -> None:
    """2.1.3x queues a bare object when a command has run for some seconds; its result comes as ever."""
    builder = TranscriptBuilder(tmp_path / "s.jsonl", version="2.1.40").prompt("x")
    builder.call("Bash", {"command": "pytest"}).task_notification(how="json").bash_result(
        "1 passed"
    )
    records = builder.queue_operation("remove").records()
    assert (only(records, TaskNotice), len(only(records, Prompt))) == ([], 1)
