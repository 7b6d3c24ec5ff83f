"""What was done to the tree and what ran on it: the facts of edits and shell calls, while they are being collected."""

import re
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from posixpath import basename
from typing import Any, TypeVar
from zlib import crc32

from ace_reflect.evidence import forge
from ace_reflect.evidence.commands import Command, classify
from ace_reflect.evidence.edits import closed_imports, weakens
from ace_reflect.evidence.facts import DATED, RUN_KINDS, Background, Edit, Ledger, Outcome, Run
from ace_reflect.evidence.facts import CommandKind as K
from ace_reflect.evidence.files import absolute, edit_kind, is_test_file, language_of, relative
from ace_reflect.evidence.outcomes import Shell, complains, finished, read_outcome, read_status
from ace_reflect.evidence.programs import INTERPRETERS, TASK_WORDS, option, words
from ace_reflect.evidence.runners import combine, read_all
from ace_reflect.text import cut_middle
from ace_reflect.transcript.records import ToolResult, UserShell
from ace_reflect.values import Value, newest

Json = dict[str, Any]
Call = Json  # a call that was begun: plain JSON, since a stop may fall before its result
V = TypeVar("V", bound=Value)
#: Marks of folders of the host's and temporary ones; a project that itself lies in one is a project.
_OUTSIDE = ("/.claude/", "/AppData/Local/Temp/", "/scratchpad/", "~/.", "$TMP", "${TMP", "$(mktemp")
_NAMELESS = frozenset(("test", "tests", "main", "index", "app", "models", "__init__", "conftest"))
#: What is remembered of earlier calls beside the facts.
_EMPTY: Json = {
    "sequence": 0,
    "waiting": {},  # calls whose output is shown later, by the background shell's id or its file
    "sides": {},  # the text before and after of each file's last edit, as checksums
    "roots": {},  # working folders so far, the first is the project
    "scratch": {},  # files that the session made for itself
    "aside": False,  # the work is stashed
}


def made(cls: type[V], /, **fields: Any) -> V:
    """A record without fields that have their default, to shorten the JSON."""
    return cls(**{k: value for k, value in fields.items() if value != getattr(cls, k, cls)})


class Work:
    """The facts by the ledger's field, and what has to be remembered to judge the next call."""

    def __init__(self, ledger: Ledger, state: Json) -> None:
        self.facts: dict[str, list[Any]] = {name: [*getattr(ledger, name)] for name in DATED}
        self.edits: list[Edit] = self.facts["edits"]
        self.runs: list[Run] = self.facts["runs"]
        self.background: list[Background] = [*ledger.background]
        kept = state.get("work") or {}
        self.memory = {name: kept.get(name, type(empty)()) for name, empty in _EMPTY.items()}

    def note(self, field: str, call: Call, line: int | None, **fields: Any) -> Any:
        """Add a fact of a call; `line` is that of its result. Facts of one line keep the order they came in."""
        self.facts[field].append(fact := self.fact(field, call, line, **fields))
        return fact

    def fact(self, field: str, call: Call, line: int | None, **fields: Any) -> Any:
        self.memory["sequence"] += 1
        base = {name: call.get(name) for name in ("at", "line", "file", "turn", "by")}
        if "command" in call and field != "edits":
            base["command"] = cut_middle(call["command"], 1_000)
        base |= {"result_line": line, "sequence": self.memory["sequence"]}
        return made(DATED[field], **{**base, **fields})

    def outside(self, path: str) -> bool:
        """Whether a file is not part of what the session works on."""
        if "/.git/" in path:
            return True
        if any(relative(path, root) is not None for root in self.memory["roots"]):
            return False
        return path.startswith(("/", "..", "$")) or any(mark in path for mark in _OUTSIDE)

    def edited(self, call: Call, line: int | None, path: str, **fields: Any) -> Edit:
        """Note a successful change to a file."""
        inside = relative(path, next(iter(self.memory["roots"]), ""))
        about: Json = {"path": path, "language": language_of(path)}
        about["kind"] = edit_kind(inside or path)
        about["scratch"] = self.outside(path) or path in self.memory["scratch"]
        edit: Edit = self.note("edits", call, line, **{"tool": "Bash", **about, **fields})
        self.memory["aside"] = self.memory["aside"] and not edit.is_work
        return edit

    def _of(self, path: str) -> list[Edit]:
        """The edits of a file or below a folder; by base name where none fits: the folder is often wrong after `cd`."""
        below = path.rstrip("/") + "/"
        found = [e for e in self.edits if e.path.startswith(below) or fnmatchcase(e.path, path)]
        name = basename(path)
        return found or [e for e in self.edits if name and f"/{e.path}".endswith(f"/{name}")]

    def _undo(self, paths: Sequence[str], how: str) -> None:
        """Git restored files to the last commit; untracked ones stay."""
        done = [fact.sequence for fact in self.facts["commits"] if fact.outcome is Outcome.PASSED]
        ours = {edit.path for edit in self.edits if edit.created}
        named = {edit.path for path in paths for edit in self._of(path)}
        for place, edit in enumerate(self.edits):
            new = edit.sequence > max(done, default=0) and not edit.undone
            if new and (edit.path in named if paths else edit.path not in ours):
                self.edits[place] = edit.replace(undone=how)

    def taken_back(self, call: Call, line: int, path: str, pairs: list[Any]) -> str:
        """ "edit" if it is the file's last edit the other way round: both are undone."""
        sides = [crc32(repr([pair[side] for pair in pairs]).encode()) for side in (0, 1)]
        back = self.memory["sides"].get(path) == sides[::-1]
        newest(self.memory["sides"], path, None if back else sides)
        places = [at for at, e in enumerate(self.edits) if e.path == path] if back else []
        for place in places[-1:]:
            self.edits[place] = (old := self.edits[place]).replace(undone="edit")
            if any(run.sequence > old.sequence for run in self.runs):  # of a tree that is gone
                self.note("tree_changes", call, line)
        return "edit" if places else ""

    def _make_scratch(self, edits: Iterable[Edit]) -> None:
        """Files were made for the session alone: so were their edits, and the runs that are limited to them."""
        paths = {edit.path for edit in edits}
        new = paths.difference(self.memory["scratch"])
        for each in sorted(paths):
            newest(self.memory["scratch"], each)
        self.edits[:] = [e.replace(scratch=True) if e.path in new else e for e in self.edits]
        for runs in (self.runs, self.facts["script_runs"]) if new else ():
            runs[:] = [r.replace(of_scratch=True) if self._of_scratch(r) else r for r in runs]

    def _of_scratch(self, run: Run | Command) -> bool:
        """Whether all it is limited to are scratch files, by path or by module (`app.test_x`)."""
        names = run.targets or [word for word in run.selected.split() if word[:1] != "-"]
        scratch = self.memory["scratch"] if names else {}
        stems = {path.rpartition("/")[2].partition(".")[0] for path in scratch} - _NAMELESS
        return bool(names) and all(
            absolute(name, run.cwd) in scratch
            or self.outside(absolute(name, run.cwd))
            or not stems.isdisjoint(re.split("[/.]", name))
            for name in (each.partition("::")[0] for each in names)
        )

    def shell(self, shell: Shell) -> None:
        """All facts of a finished call, in the order of its line."""
        for place, command in enumerate(shell.commands):
            if shell.ran and "ssh" not in command.simple.via and _happened(place, shell):
                self._changed(shell, command)
                self._tree(shell, command)
            path = absolute(command.script, command.cwd) if command.script and shell.ran else ""
            own = self._of(path) if path else ()
            mine = [edit for edit in own if basename(edit.path) == basename(path)]
            if any(edit.created for edit in mine):  # made here and run by itself
                self._make_scratch(mine)
            if command.kind in RUN_KINDS:
                self.runs.append(self._run(shell, command))
            elif command.kind is K.SCRIPT and shell.ran and not self._is_closed(command, mine):
                name, target = command.script or command.runner, (path[:200],) if path else ()
                run = self._run(shell, command, runner=name, targets=target)
                self.facts["script_runs"].append(run)
        if shell.ran:
            self._by_output(shell)
            self._log_files(shell)
        self._shipped(shell)

    def _is_closed(self, command: Command, own: Sequence[Edit]) -> bool:
        """Whether a script that was made for the session runs no code but its own: that it passes proves nothing."""
        imports = own[-1].imports if any(edit.created for edit in own) else None
        code = "" if command.script else command.simple.heredoc or option(command.argv, words("-c"))
        imports = closed_imports(code) if code and command.runner == "python" else imports
        names = (name for edit in self.edits for name in re.split("[/.]", edit.path))
        return imports is not None and set(imports).isdisjoint(names)

    def _changed(self, shell: Shell, command: Command) -> None:
        """The files that a command wrote, moved and removed."""
        call, line, simple = shell.call, shell.line, command.simple
        stays = [path for path in command.writes if command.removes and not self.outside(path)]
        for path in command.removes:
            edits, hides = self._of(path), is_test_file(path) and not any(map(is_test_file, stays))
            made = {edit.path for edit in edits if edit.created}
            if not stays and edits and made.issuperset(edit.path for edit in edits):
                self._make_scratch(edits)  # the session made it
            elif hides and not self.outside(path):
                self.edited(call, line, path, trivial="removed", weakened=simple.text[:200])
        for path in () if command.kind in (K.FORMAT, *RUN_KINDS) else command.writes:
            new = not any(edit.path == path for edit in self.edits)
            if path in stays and not any(map(self.outside, command.removes)):
                self.edited(call, line, path, trivial="moved")
            elif not self.outside(path):
                hides = not simple.writes and is_test_file(path) and weakens(simple.text)
                lost = simple.text[:200] if hides else ""
                created = new and bool(simple.writes) and not simple.appends
                self.edited(call, line, path, created=created, weakened=lost)

    def _tree(self, shell: Shell, command: Command) -> None:
        """Git put other contents into the tree, or work aside."""
        tree, memory = command.tree, self.memory
        elsewhere = [word for word in command.argv[2:] if word[:1] != "-" and word != "HEAD"]
        if tree == "stash":
            self._undo(command.tree_paths, "stash")
            memory["aside"] = True
        elif tree == "pop" and memory["aside"]:
            self.edits[:] = [e.replace(undone="") if e.undone == "stash" else e for e in self.edits]
            memory["aside"] = False
        elif tree == "restore" or (tree == "reset" and not elsewhere):
            self._undo(command.tree_paths, "restore")
        elif tree:
            idle = "lready up to date" in shell.output
            if not idle and (not shell.failed or "CONFLICT" in shell.output):
                self.note("tree_changes", shell.call, shell.line)

    def _run(self, shell: Shell, command: Command, **more: Any) -> Run:
        reading = read_outcome(shell, command)
        fields = {**self._about(shell.call, command), **reading.__dict__, **more}
        run: Run = self.fact("runs", shell.call, shell.line, **fields)
        names_scratch = not command.simple.apart and self._of_scratch(run)
        return run.replace(of_scratch=run.of_scratch or names_scratch)

    def _about(self, call: Call, command: Command) -> Json:
        text, cwd = command.simple.text, "" if command.simple.apart else command.cwd or ""
        root = next(iter(self.memory["roots"]), "")
        outside = bool(self.edits and cwd) and relative(cwd, root) is None
        elsewhere = outside and all(relative(edit.path, cwd) is None for edit in self.edits)
        return {name: getattr(command, name) for name in ("kind", "runner", "languages", "cwd")} | {
            "own": "" if text == call["command"] else text[:1_000],
            "targets": tuple(target[:200] for target in command.targets[:20]),
            "selected": command.selected[:200],
            "deselects": command.deselects[:200],
            "of_scratch": absolute(command.script, command.cwd) in self.memory["scratch"],
            "baseline": self.memory["aside"] or elsewhere,
            "elsewhere": elsewhere,
        }

    def _by_output(self, shell: Shell) -> None:
        """Tests that a task, a script or a git hook ran: a runner's summary tells, and nothing that the line itself echoes."""
        hooks = [i for i in shell.commands if i.kind in (K.COMMIT, K.PUSH) and not i.no_verify]
        tasks = [item for item in shell.commands if _starts_others(item)]
        named = [item for item in tasks if item.kind not in RUN_KINDS] or tasks
        carrier = named[-1] if named else hooks[-1] if hooks else None
        if not (tasks or hooks):  # a program that nobody knows
            others = [i for i in shell.commands if i.kind in {K.OTHER, K.SCRIPT, *RUN_KINDS}]
            carrier = others[0] if len(others) == 1 and _is_program(others[0]) else None
        if carrier is None or any(command.kind is K.TEST for command in shell.commands):
            return
        echoes = [i.simple.text for i in shell.commands if i.argv[:1] in (("echo",), ("printf",))]
        found = [item for item in read_all(shell.output) if not (item.partial or item.wrapper)]
        found = [item for item in found if not any(item.quote in text for text in echoes)]
        known = _told([item for item in found if item.runner != "counts"])
        plain = carrier.kind in (K.OTHER, K.SCRIPT) and not carrier.script
        told = known or (_told(found) if plain else {})
        came = told.get("outcome", Outcome.NOT_RUN)
        if came is Outcome.NOT_RUN or (came is Outcome.FAILED and not known):
            return
        said = re.findall("[a-z]+", carrier.simple.text.lower())
        tests = bool({*said} & TASK_WORDS["test"]) and (came is Outcome.PASSED or shell.failed)
        told["outcome"] = came if known and (tasks or hooks or tests) else Outcome.UNKNOWN
        told["by"] = "git-hook" if carrier in hooks else shell.call["by"]
        about = {**self._about(shell.call, carrier), "kind": K.TEST, "status_visible": False}
        self.note("runs", shell.call, shell.line, **{**about, **told})

    def tests_of_tool(self, call: Call, result: ToolResult) -> None:
        """Tests that a server's tool ran (`mcp__XcodeBuildMCP__test_sim`)."""
        told = {"outcome": Outcome.UNKNOWN, "why": "no summary is shown", "runner": call["name"]}
        told |= {"kind": K.TEST, "status_visible": False, **_told(read_all(result.text))}
        self.note("runs", call, result.line, **told)

    def unfinished(self, call: Call, line: int | None, why: str) -> list[Run]:
        """The runs of a call whose end nobody has seen."""
        more: Json = {"outcome": Outcome.UNKNOWN, "running": True, "why": why}
        runs = [i for i in classify(call["command"], call.get("cwd")) if i.kind in RUN_KINDS]
        return [self.fact("runs", call, line, **self._about(call, item), **more) for item in runs]

    def in_background(self, call: Call, task: str, text: str, **fields: Any) -> None:
        place = {"line": call["line"], "turn": call["turn"]}
        self.background.append(made(Background, id=task, command=text[:300], **place, **fields))

    def started(self, call: Call, task: str, line: int) -> None:
        """A shell or monitor went into the background: its tests are running from now on."""
        shell = finished(call, ToolResult(line=line, tool_use_id=""))
        kinds = [command.kind for command in shell.commands]
        first = [kind for kind in (K.TEST, K.BUILD, K.SERVER, K.PR_CHECKS, *kinds) if kind in kinds]
        self.runs += self.unfinished(call, line, "still running in the background")
        newest(self.memory["waiting"], task, call)
        self._log_files(shell)
        self.in_background(call, task, call["command"], kind=(*first, K.OTHER)[0])

    def ended(self, task: str, line: int, status: str, code: int | None, output: str) -> None:
        """A background task's end, or an event while it goes on, was reported."""
        call = self.memory["waiting"].get(task)
        if status not in ("running", "pending", "in_progress", "async_launched"):
            items = self.background
            items[:] = [i.replace(running=False) if i.id == task else i for i in items]
            if call:
                stopped = status.startswith(("kill", "stop", "cancel"))
                call.setdefault("end", [] if stopped else [status == "failed" or bool(code), code])
        self.shown(task, output, line)

    def _log_files(self, shell: Shell) -> None:
        """A run's output went to a file, or such a file is shown, by `head` or `grep` in part."""
        runs = [item for item in shell.commands if item.kind in RUN_KINDS]
        for item in runs:
            for path in item.simple.writes if not item.simple.appends else ():
                newest(self.memory["waiting"], absolute(path, item.cwd), shell.call)
        for item in shell.commands if not runs else ():
            part = not {*item.argv[:1], *(one[0] for one in item.simple.pipe)} <= {"cat", "tail"}
            for word in item.argv[1:] if item.kind is K.READ else ():
                self.shown(absolute(word, item.cwd), shell.output, shell.line, part=part)

    def shown(self, source: str, output: str, line: int | None, *, part: bool = False) -> None:
        """More is known of an earlier call's output or its end. A part of the output proves failures only."""
        call = self.memory["waiting"].get(source)
        if call is None or not (output.strip() or "end" in call):
            return
        before, end = call.get("output", ""), call.get("end")
        text = output if before in output else f"{before}\n{output}"
        call["output"] = text = text[-6_000:]
        if end:
            own: Json = {"line": line or call["line"], "is_error": end[0], "exit_code": end[1]}
            for rows in self.facts.values():
                rows[:] = [fact for fact in rows if not _is_of(fact, call)]
            self.shell(finished(call, ToolResult(tool_use_id="", text=text, **own)))
            return
        shell = finished(call, UserShell(line=line or 0, command="", stdout=text))
        for run in [self._run(shell, item) for item in shell.commands if item.kind in RUN_KINDS]:
            proves = run.quote and not (part and run.outcome is Outcome.PASSED)
            for place, old in enumerate(self.runs):
                same = _is_of(old, call) and (old.kind, old.own) == (run.kind, run.own)
                if same and old.outcome is Outcome.UNKNOWN and (proves or end is not None):
                    new = run if proves else old.replace(running=False, why="its end was not seen")
                    kept = {n: getattr(old, n) for n in words("sequence baseline elsewhere")}
                    self.runs[place] = new.replace(result_line=line, **kept)

    def _shipped(self, shell: Shell) -> None:
        """The commits, pushes, pull requests and looks at CI of a finished call."""
        call, output, line = shell.call, shell.output, shell.line
        pushed = any(item.kind is K.PUSH for item in shell.commands)
        rows = forge.read_pushes(output) if pushed else []
        for command in shell.commands:
            quiet = " -q" in command.simple.text or command.simple.pipe or command.simple.captured
            if command.kind is K.COMMIT and shell.ran:
                told = forge.read_commit(output, read_status(shell, command))
                self.note("commits", call, line, no_verify=command.no_verify, **told)
            elif command.kind is K.PUSH:
                hangs = not (rows or quiet) and shell.failed and command.simple.conditional
                status = Outcome.NOT_RUN if hangs else read_status(shell, command)
                switched = any(i.argv[1:2] in (("checkout",), ("switch",)) for i in shell.commands)
                here, there = call.get("cwd") or "", command.cwd or ""
                mine = relative(there, here) is not None or relative(here, there) is not None
                branch = call.get("branch") if mine and not switched else None
                told = forge.read_push(command, rows, status, branch)
                self.note("pushes", call, line, **told)
                rows = []  # of several pushes the first one's
            if command.kind is K.PR_CREATE or "merge_request.create" in command.argv:
                told = forge.read_created(output, read_status(shell, command))
                self.note("pull_requests", call, line, **told)
        viewed = any(item.kind is K.PR_VIEW for item in shell.commands) and "OPEN" in output
        if viewed or (pushed and ("View pull request" in output or "View merge request" in output)):
            told = forge.read_created(output, Outcome.UNKNOWN)
            self.linked(call, told["url"], told["number"])
        looks = [item for item in shell.commands if item.kind is K.PR_CHECKS]
        for item in looks[:1] if shell.ran else ():
            seen, shown = forge.read_ci(output, item.argv)
            self.note("ci_looks", call, line, outcome=seen, quote=shown)

    def linked(self, call: Call, url: str | None, number: int | None) -> None:
        """The host or the forge says that a pull request is there, whoever made it."""
        if url and not any(pr.url == url for pr in self.facts["pull_requests"]):
            fields = {"url": url, "number": number, "existing": True, "outcome": Outcome.UNKNOWN}
            self.note("pull_requests", call, None, **fields)


def _is_of(fact: Any, call: Call) -> bool:
    return bool((fact.line, fact.file) == (call["line"], call.get("file")))


def _told(summaries: Iterable[Any]) -> Json:
    """What a run's summaries add up to."""
    if not (summary := combine(summaries)):
        return {}
    own = {name: getattr(summary, name) for name in ("runner", "outcome", "quote", "counts")}
    return {**own, "why": cut_middle(f"it printed: {summary.quote}", 200)}


def _starts_others(command: Command) -> bool:
    """A task, a script or a program of the project: what it prints may be a test runner's."""
    name = command.argv[0] if command.argv else ""
    own = command.kind is K.OTHER and ("/" in name or name.endswith((".sh", ".py")))
    return own or command.runner in ("pre-commit", "prek") or bool(command.task or command.script)


def _is_program(command: Command) -> bool:
    """An installed one, as far as its name tells, that is no interpreter of code in the line."""
    own = command.simple.feigned or "/" in "".join(command.argv[:1])
    return not own and (command.kind is not K.SCRIPT or command.runner not in INTERPRETERS)


def _happened(place: int, shell: Shell) -> bool:
    """Whether a command that changes files was reached, and a later one may be why the line failed."""
    simple, later = shell.commands[place].simple, shell.commands[place + 1 :]
    if complains(shell.output, "cd", basename("".join(simple.argv[:1])) or "cd"):
        return False  # it complains, or the way there does
    hidden = not simple.status_visible or any(item.simple.status_visible for item in later)
    return simple.operator != "||" and (hidden or not shell.failed)
