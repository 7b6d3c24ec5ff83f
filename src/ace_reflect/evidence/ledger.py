"""`LedgerBuilder`: records in, ledger out. The conversation is here (turns, todos, pending calls); `work` has what ran."""

import re
from operator import attrgetter
from typing import Any

from ace_reflect.errors import TranscriptError
from ace_reflect.evidence import edits, forge
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind as K
from ace_reflect.evidence.facts import Ledger, Outcome, Question, Todo, ToolCall, Turn
from ace_reflect.evidence.files import absolute, is_test_file, manifest_language
from ace_reflect.evidence.outcomes import finished
from ace_reflect.evidence.programs import words
from ace_reflect.evidence.work import Call, Work, made
from ace_reflect.text import cut_middle, without_private
from ace_reflect.transcript import records as wire
from ace_reflect.transcript.files import subagent_files
from ace_reflect.transcript.reader import Cursor, TranscriptReader
from ace_reflect.values import newest

_TOP = words("session_id lines bad_lines cwd branch subagents plan_mode planned compactions")
_OWN = ("pending", "orphans", "cwd", "clock", "message")
#: Records that count in a subagent's lines; the rest there is only the agent's word.
_ANYWHERE = (wire.Context, wire.ToolUse, wire.ToolResult, wire.TaskNotice, wire.PullRequestLink)
_CHANGES = frozenset((K.EDIT, K.FORMAT, K.COMMIT, K.PUSH, K.PR_CREATE, K.PR_MERGE))
#: Parts of the names of servers' tools that run tests.
_TESTS = ("run", "test_sim", "test_device", "test_macos", "package_test")
_NAMES = re.compile(r"[^\s\"'`()\[\]{}<>,;:=|&*]+")


class LedgerBuilder:
    """Feed records in the order of their file; a subagent's file may be fed at any time after the main lines it follows.
    `LedgerBuilder(builder.ledger(), builder.state())` goes on exactly where `builder` stood; both are plain JSON.
    """

    def __init__(self, ledger: Ledger | None = None, state: dict[str, Any] | None = None) -> None:
        ledger, state = ledger or Ledger(), state or {}
        self._pending: dict[str, Call] = dict(state.get("pending") or {})
        self._orphans: dict[str, Any] = dict(state.get("orphans") or {})  # results before calls
        self._cwd: dict[str, str] = dict(state.get("cwd") or {})  # by file
        self._clock: dict[str, str] = dict(state.get("clock") or {})
        self._message: str | None = state.get("message")  # whose text goes on; None: begin anew
        waiting = {(call["line"], call["file"]) for call in self._pending.values()}
        known = tuple(run for run in ledger.runs if (run.line, run.file) not in waiting)
        self._work = Work(ledger.replace(runs=known), state)
        self._turns = [*ledger.turns[:-1]]
        self._turn: dict[str, Any] = dict(ledger.turns[-1].__dict__) if ledger.turns else {}
        self._todos = {todo.id: todo for todo in ledger.todos}
        self._questions, self._calls = [*ledger.questions], [*ledger.calls]
        self._files = dict.fromkeys(ledger.files_seen)
        self._top = {name: getattr(ledger, name) for name in _TOP}

    def state(self) -> dict[str, Any]:
        """What is needed to continue later and is not in the ledger; for after `ledger()`, which numbers the facts."""
        return {name: getattr(self, f"_{name}") for name in _OWN} | {"work": self._work.memory}

    def count(self, lines: int, bad_lines: int) -> None:
        """Note how many physical lines the main file has, and how many more of them could not be read."""
        self._top |= {"lines": lines, "bad_lines": self._top["bad_lines"] + bad_lines}

    def ledger(self) -> Ledger:
        """Everything known so far; calls without a result count as unsettled."""
        work, why = self._work, "no result in the transcript"
        waiting = [call for call in self._pending.values() if "command" in call]
        unsettled = [run for call in waiting for run in work.unfinished(call, None, why)]
        _number([*work.facts.values(), unsettled])
        work.memory["sequence"] = sum(map(len, work.facts.values()))
        runs = sorted((*work.runs, *unsettled), key=attrgetter("sequence"))
        rows = {**work.facts, "runs": runs, "todos": self._todos.values()}
        rows |= {"questions": self._questions, "calls": self._calls, "files_seen": self._files}
        rows["turns"] = [*self._turns, *([made(Turn, **self._closed())] if self._turn else [])]
        rows["background"] = work.background
        return made(Ledger, **self._top, **{name: tuple(row) for name, row in rows.items()})

    def _closed(self) -> dict[str, Any]:
        own = [call for call in self._pending.values() if call["turn"] == self._turn["number"]]
        waits = sum(call["by"] == "agent" and not call.get("lost") for call in own)
        return {**self._turn, "plan_mode": bool(self._top["plan_mode"]), "pending_calls": waits}

    def feed(self, record: wire.Record) -> None:
        """Take in one record; `_on_prompt` and the like are named after the records."""
        file, main = record.file or "", record.in_main_thread
        handler = getattr(self, f"_on_{type(record).__name__.lower()}", None)
        self._clock[file] = max(self._clock.get(file, ""), record.timestamp or "")
        if main and self._turn:
            self._turn["last_line"] = max(record.line, self._turn["last_line"])
        if handler is not None and (main or isinstance(record, _ANYWHERE)):
            handler(record)

    def _open_turn(self, record: wire.Record) -> dict[str, Any]:
        """The current turn; turn 0 where nobody has said anything yet."""
        if not self._turn:
            line, at = record.line * record.in_main_thread, self._clock[record.file or ""]
            self._turn = {"number": 0, "line": line, "last_line": line, "at": at}
        return self._turn

    def _call(self, record: wire.Record, **own: Any) -> Call:
        """Where and when something was done; a subagent's turn by its time, since its file is read apart."""
        turn, at = self._open_turn(record), self._clock[record.file or ""]
        number = turn["number"]
        if record.file and at and at < turn.get("at", ""):
            number = next((turn.number for turn in reversed(self._turns) if at >= turn.at), 0)
        by = "agent" if record.in_main_thread else "subagent"
        place = {"line": record.line, "file": record.file, "at": at, "turn": number, "by": by}
        cwd = self._cwd.get(record.file or "") or self._cwd.get("") or self._top["cwd"]
        return {**place, "cwd": cwd, **own}

    def _on_context(self, record: wire.Context) -> None:
        if record.cwd:
            self._cwd[record.file or ""] = record.cwd
            self._work.memory["roots"].setdefault(absolute(record.cwd, None))
            self._top["cwd"] = self._top["cwd"] or record.cwd
        if record.in_main_thread:
            self._top["branch"] = record.branch or self._top["branch"]
            self._top["session_id"] = self._top["session_id"] or record.session_id or ""
            if record.mode:
                self._top["plan_mode"] = record.mode == "plan"
            self._top["planned"] = self._top["planned"] or self._top["plan_mode"]

    def _on_prompt(self, record: wire.Prompt) -> None:
        self._message = None
        if record.kind not in ("human", "plan"):
            return
        if record.queued and self._turn.get("number"):
            self._limit(record.text)
            return
        number = self._turn["number"] + 1 if self._turn else 1
        if self._turn:
            self._turns.append(made(Turn, **self._closed()))
        for place, turn in enumerate(self._turns):
            if record.replaces is not None and turn.line >= record.replaces:  # rewound
                self._turns[place] = turn.replace(prompt="", limits=())
            elif place < len(self._turns) - 2 and len(turn.final_text) > 100:
                self._turns[place] = turn.replace(final_text=turn.final_text[-100:])
        self._top["plan_mode"] = self._top["plan_mode"] and record.kind != "plan"
        self._calls, self._turn = [], {}
        own = {"prompt_uuid": record.uuid, "kind": record.kind, "print_mode": record.print_mode}
        words = {"prompt": cut_middle(record.text, 4_000), "command": record.command or ""}
        self._turn = {**self._open_turn(record), **own, **words, "number": number}

    def _limit(self, text: str) -> None:
        if self._turn and text:
            self._turn["limits"] = (*self._turn.get("limits", ()), cut_middle(text, 1_000))[-20:]

    def _on_assistanttext(self, record: wire.AssistantText) -> None:
        turn = self._open_turn(record)
        goes_on = record.message_id and record.message_id == self._message
        text = f"{turn.get('final_text', '')}\n\n{record.text}" if goes_on else record.text
        turn |= {"final_text": cut_middle(text, 8_000), "final_line": record.line}
        turn |= {"interrupted": False, "api_error": False}
        self._message = record.message_id

    def _on_interrupt(self, record: wire.Interrupt) -> None:
        self._open_turn(record)["interrupted"] = True

    def _on_apierror(self, record: wire.ApiError) -> None:
        self._open_turn(record)["api_error"] = True

    def _on_compaction(self, record: wire.Compaction) -> None:
        self._top["compactions"] = (*self._top["compactions"], record.line)
        for call in self._pending.values():
            call["lost"] = True  # the host waits for no result of before

    def _on_usershell(self, record: wire.UserShell) -> None:
        call = self._call(record, command=record.command, branch=self._top["branch"])
        self._shell({**call, "by": "user"}, record)

    def _on_tasknotice(self, record: wire.TaskNotice) -> None:
        end = (record.status, record.exit_code, record.output)
        self._work.ended(record.task_id, record.line, *end)

    def _on_pullrequestlink(self, record: wire.PullRequestLink) -> None:
        self._work.linked(self._call(record), record.url, record.number)

    def _on_tooluse(self, record: wire.ToolUse) -> None:
        call = self._call(record, name=record.name)
        call |= self._kept(record, call["cwd"])
        if record.in_main_thread:
            turn = self._turn
            turn |= {"final_text": "", "final_line": None, "interrupted": False, "api_error": False}
            turn["tool_calls"] = turn.get("tool_calls", 0) + 1
            self._message = None
            self._note_call(record, call)
        newest(self._pending, record.id, call, 200)
        if early := self._orphans.pop(record.id, None):
            self._on_toolresult(wire.ToolResult(tool_use_id=record.id, **early))

    def _kept(self, record: wire.ToolUse, cwd: str | None) -> Call:
        """The part of the input needed when the result comes."""
        given, name = record.input, record.name
        command, path = given.get("command"), edits.path_of(given)
        if edits.is_edit(name, given):
            path = absolute(path, _string(given.get("projectPath")) or cwd)
            texts = [*edits.texts_of(given)]
            pairs = [(old.splitlines(), new.splitlines()) for old, new in texts if old]
            code = _string(given.get("content")) if name == "Write" and path[-3:] == ".py" else None
            imports = None if code is None else edits.closed_imports(code)
            return {"path": path, "pairs": pairs, "imports": imports, "empty": code == ""}
        if isinstance(command, str) and (name in wire.SHELLS or name.startswith("mcp__")):
            self._note_files(command, cwd)
            return {"command": command, "branch": self._top["branch"]}
        if name in wire.TODOS:
            rows = _rows(given.get("todos"))[:200]
            todos = [[_string(row.get(key))[:300] for key in ("content", "status")] for row in rows]
            keys = ("taskId", "status", "subject")
            return {"todos": todos, **{key: _string(given.get(key))[:300] for key in keys}}
        words = [_string(row.get("question")) for row in _rows(given.get("questions")) or [given]]
        ids = (given.get(key) for key in ("bash_id", "task_id", "shell_id"))
        return {
            "text": ("\n".join(words) or _string(given.get("description")))[:600],
            "task": next(filter(None, map(_string, ids)), ""),
            "path": absolute(path, cwd)[:500] if path else "",
            "part": bool(given.get("offset") or given.get("limit")),
        }

    def _note_call(self, record: wire.ToolUse, call: Call) -> None:
        """The call as the loop detectors see it: a command, or a tool and its target."""
        command, write = call.get("command"), "pairs" in call
        text = f"{record.name} {edits.path_of(record.input)}".strip()
        if command is not None:
            text = " ".join(command.split())
            found = classify(command, call["cwd"])
            write = any(item.kind in _CHANGES or item.writes for item in found)
        self._turn["writes"] = self._turn.get("writes", 0) + write
        about = {"line": record.line, "turn": call["turn"], "name": record.name, "key": text[:300]}
        self._calls.append(made(ToolCall, **about, write=write, bash=command is not None))
        del self._calls[:-300]

    def _on_toolresult(self, record: wire.ToolResult) -> None:
        call = self._pending.pop(record.tool_use_id, None)
        if record.denied and record.user_words and record.in_main_thread:
            self._limit(record.user_words)
        if call is None:
            fields = {k: v for k, v in record.to_json().items() if k != "tool_use_id"}
            newest(self._orphans, record.tool_use_id, {**fields, "text": record.text[-20_000:]}, 20)
            return
        started = not (record.denied or record.not_run)
        done, agent = started and not record.is_error, call["by"] == "agent"
        if record.denied and record.user_words and agent:
            about = call.get("command") or call.get("path") or call.get("text") or ""
            self._ask(call, f"refused {call['name']}: {about}", record.user_words)
        if "command" in call:
            self._settle_command(call, record)
        elif "pairs" in call:
            if done and call["path"]:
                self._settle_edit(call, record)
        elif "todos" in call:
            if done and agent:
                self._settle_todo(call, record)
        elif agent and call["name"] in ("EnterPlanMode", "ExitPlanMode", "AskUserQuestion"):
            self._settle_plan(call, record, done=done)
        elif started:
            self._settle_other(call, record, done=done)

    def _settle_command(self, call: Call, record: wire.ToolResult) -> None:
        if record.background_id:
            self._work.started(call, record.background_id, record.line)
        elif call["name"].startswith("mcp__"):  # which tells no status
            text = record.text.replace("\\n", "\n") if record.text[:1] == "{" else record.text
            self._shell(call, wire.UserShell(line=record.line, command="", stdout=text))
        else:
            self._shell(call, record)
            for task in () if record.is_error else _output_tasks(call["command"]):
                self._work.shown(task, record.text, record.line)

    def _shell(self, call: Call, result: wire.ToolResult | wire.UserShell) -> None:
        shell = finished(call, result)
        self._work.shell(shell)
        if any(item.kind is K.READ for item in shell.commands):
            self._note_files(shell.output[:20_000], call["cwd"])

    def _settle_edit(self, call: Call, record: wire.ToolResult) -> None:
        details, path = record.details or {}, call["path"]
        pairs = edits.patch_sides(record.patch) or call["pairs"]
        new = details.get("type") == "create" or "created successfully" in record.text[:400]
        if "/.claude/plans/" in path:
            return
        fresh = {"language": ""} if call["empty"] else {}  # an `__init__.py`
        judged = {"imports": call["imports"], **(fresh if new else _judge(path, pairs))}
        created = new and not any(edit.path == path for edit in self._work.edits)
        undone = self._work.taken_back(call, record.line, path, pairs)
        about = {"tool": call["name"], "created": created, "undone": undone, **judged}
        self._work.edited(call, record.line, path, **about)
        self._note_files(path, None)

    def _settle_todo(self, call: Call, record: wire.ToolResult) -> None:
        """TodoWrite replaces the list; TaskCreate and TaskUpdate change it."""
        name, todos, number = call["name"], self._todos, call["taskId"].lstrip("#")
        rows: list[Any] = []
        if name == "TodoWrite":
            rows = [(str(at), *row) for at, row in enumerate(call["todos"], 1)]
            self._todos = {}
        elif name == "TaskCreate":
            number = record.text.partition("#")[2].split(" ")[0] or str(len(todos) + 1)
            rows = [(number, call["subject"], "pending")]
        elif name == "TaskUpdate" and number and (call["status"] or call["subject"]):
            rows = [(number, call["subject"], call["status"])]
        known = {(todo.text, todo.status): todo for todo in todos.values()}
        for key, text, status in rows:
            old = known.get((text, status)) if name == "TodoWrite" else todos.get(key)
            line, turn = call["line"], call["turn"]
            if old and (old.text, old.status) == (text, status):
                line, turn = old.line, old.turn
            told = text or (old.text if old else "")
            state = _STATUS.get(status, old.status if old else "pending")
            self._todos[key] = Todo(id=key, text=told, status=state, line=line, turn=turn)

    def _settle_plan(self, call: Call, record: wire.ToolResult, *, done: bool) -> None:
        """A question to the person was answered or refused, or the host's plan mode begins or ends."""
        if call["name"] == "AskUserQuestion":
            answers = (record.details or {}).get("answers")
            said = answers.values() if isinstance(answers, dict) else ()
            told = [without_private(_string(answer)) for answer in said]
            self._ask(call, call["text"], "\n".join(told) if done else record.user_words)
            self._limit("\n".join(told))
            return
        self._top["planned"] = self._top["planned"] or done or record.denied
        if done:
            self._top["plan_mode"] = call["name"] == "EnterPlanMode"
        elif record.denied and self._turn["number"] == call["turn"]:
            self._turn["plan_rejected"] = call["name"] == "ExitPlanMode"

    def _settle_other(self, call: Call, record: wire.ToolResult, *, done: bool) -> None:
        name, details, tool = call["name"], record.details or {}, call["name"].rpartition("__")[2]
        if name in wire.SUBAGENTS:
            self._top["subagents"] += call["by"] == "agent"
            if details.get("status") == "async_launched" or details.get("isAsync") is True:
                agent = _string(details.get("agentId") or details.get("agent_id"))
                self._work.in_background(call, agent, call["text"], kind=K.OTHER, subagent=True)
        elif name in ("BashOutput", "TaskOutput") and done:  # what a background task has printed
            told = details["task"] if isinstance(details.get("task"), dict) else details
            tagged = record.text.partition("<status>")[2].partition("<")[0]
            status = _string(told.get("status")) or tagged or "running"
            code, output = told.get("exitCode"), _string(told.get("output")) or record.text
            code = code if isinstance(code, int) else None
            self._work.ended(call["task"], record.line, status, code, output)
        elif name in ("KillShell", "KillBash", "TaskStop") and done:
            self._work.ended(call["task"], record.line, "killed", None, "")
        elif name == "Read" and call["path"] and done:
            self._note_files(call["path"], None)
            waiting = self._work.memory["waiting"].keys()
            for source in {call["path"], *_output_tasks(call["path"])} & waiting:
                lines = (line.replace("→", "\t", 1) for line in record.text.splitlines())
                text = "\n".join(line.partition("\t")[2] or line for line in lines)
                self._work.shown(source, text, record.line, part=call["part"])
        elif name != tool:
            self._settle_server(call, record, tool.lower(), done=done)

    def _settle_server(self, call: Call, record: wire.ToolResult, tool: str, *, done: bool) -> None:
        """A server's tool that ran tests or made a pull request."""
        call = {**call, "command": call["name"]}
        if "run_conf" in tool or ("test" in tool and any(part in tool for part in _TESTS)):
            self._work.tests_of_tool(call, record)
        elif tool.replace("_", "") in ("createpullrequest", "createmergerequest"):
            told = forge.read_created(record.text, Outcome.UNKNOWN if done else Outcome.FAILED)
            self._work.note("pull_requests", call, record.line, **told)

    def _ask(self, call: Call, text: str, answer: str) -> None:
        words = {"text": cut_middle(text, 600), "answer": cut_middle(answer, 600)}
        self._questions.append(made(Question, line=call["line"], turn=call["turn"], **words))

    def _note_files(self, text: str, cwd: str | None) -> None:
        """Manifests and test files that a command, a path or a listing names."""
        for name in dict.fromkeys(_NAMES.findall(text)) if len(self._files) < 250 else ():
            if "." in name and (manifest_language(name) is not None or is_test_file(name)):
                self._files[absolute(name, cwd)[:300]] = None


_STATUS: dict[str, Any] = {"pending": "pending", "in_progress": "in_progress", "completed": "completed", "done": "completed", "deleted": "deleted", "cancelled": "deleted"}  # fmt: skip


def _rows(value: object) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _string(value: object) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def _number(lists: list[list[Any]]) -> None:
    """Number all facts by time in one common order; those of one line stay in the order they came in."""
    every = [fact for rows in lists for fact in rows]
    every.sort(key=attrgetter("at", "line", "sequence"))
    place = {id(f): number for number, f in enumerate(every, 1) if f.sequence != number}
    for rows in lists if place else ():
        rows[:] = [f.replace(sequence=place[id(f)]) if id(f) in place else f for f in rows]
        rows.sort(key=attrgetter("sequence"))


def _judge(path: str, pairs: list[tuple[list[str], list[str]]]) -> dict[str, Any]:
    """`pairs`: the lines before and after, of each place that was changed."""
    before, after = ([line for pair in pairs for line in pair[side]] for side in (0, 1))
    weakened = edits.weakening(before, after) if is_test_file(path) else ""
    kinds = [edits.trivial_change(path, *pair) for pair in pairs if pair[0] != pair[1]]
    return {"weakened": weakened, "trivial": max(kinds, default="") if all(kinds) else ""}


def _output_tasks(text: str) -> list[str]:
    """The ids of background tasks whose output files a text names."""
    parts = text.split("tasks/")[1:]
    return [part.partition(".output")[0] for part in parts if ".output" in part[:60]]


def read_ledger(path: str, *, final: bool = True) -> Ledger:
    """The ledger of a session with its subagents. Raises TranscriptError where its own file cannot be read."""
    builder = LedgerBuilder()
    reader = TranscriptReader(path, final=final)
    for record in reader:
        builder.feed(record)
    builder.count(reader.cursor.line, reader.bad_lines)
    for other in subagent_files(path):
        feed_subagent(builder, other, final=final)
    return builder.ledger()


def feed_subagent(
    builder: LedgerBuilder, path: str, cursor: Cursor | None = None, *, final: bool = True
) -> Cursor | None:
    """Feed a subagent's file from `cursor` on; how far it is read now. One that is unreadable, or was replaced, is left out."""
    try:
        reader = TranscriptReader(path, cursor, file=path.rpartition("/")[2], final=final)
        if reader.restarted:
            reader.close()
            return cursor
        for record in reader:
            builder.feed(record)
    except TranscriptError:
        return cursor
    return reader.cursor
