"""Ledgers by hand, for gates: `Work("Fix it").edit("src/a.py").run("pytest -q", "failed").say("Done.")`."""

from typing import Any, Self

from ace_reflect.evidence import facts
from ace_reflect.evidence.files import edit_kind, language_of
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Finding, History, Judgement
from ace_reflect.project.facts import Project, Scope
from ace_reflect.settings import Settings

ROOT = "/home/dev/project"
#: The first word of a command -> what it runs; every other runner may run any language.
LANGUAGES = dict.fromkeys(("pytest", "tox", "python"), ("python",))
LANGUAGES |= dict.fromkeys(("npm", "node"), ("javascript",))


class Work:
    """A session's facts, in the order they happen; every step is one line."""

    def __init__(self, prompt: str = "Fix the parser", **turn: Any) -> None:
        self.line = 0
        self.turns: list[dict[str, Any]] = []
        self.facts: dict[str, list[Any]] = {}
        self.top: dict[str, Any] = {"cwd": ROOT, "session_id": "s"}
        self.history = History()
        if prompt:
            self.ask(prompt, **turn)

    def ask(self, prompt: str, **turn: Any) -> Self:
        self.line += 1
        number = len(self.turns) + 1
        begun = {"number": number, "line": self.line, "last_line": self.line}
        self.turns.append({**begun, "prompt": prompt, **turn})
        self.facts.pop("calls", None)
        return self

    def edit(self, path: str = "src/app.py", **more: Any) -> Self:
        full = path if path.startswith("/") else f"{ROOT}/{path}"
        kind = more.pop("kind", edit_kind(full))
        fields = {"tool": "Edit", "kind": kind, "language": language_of(full), **more}
        return self._add("edits", facts.Edit, path=full, **fields)._call(write=True, new=False)

    def run(self, command: str = "pytest -q", outcome: str = "passed", **more: Any) -> Self:
        """`kind`, `runner`, the number of those that `failed`, and fields of the fact."""
        failed, program = more.pop("failed", None), command.split(maxsplit=1)[0]
        kind, runner = more.pop("kind", "test"), more.pop("runner", program)
        quote = {"passed": "3 passed", "failed": f"{failed or 1} failed, 2 passed"}.get(outcome, "")
        counts = facts.Counts(failed=failed, passed=2) if failed is not None else None
        fields = {"quote": quote, "counts": counts, "why": quote or "status hidden", "cwd": ROOT}
        fields |= {"result_line": self.line + 2, "languages": LANGUAGES.get(program, ()), **more}
        fields |= {"runner": runner, "outcome": facts.Outcome(outcome)}
        self._add("runs", facts.Run, command=command, kind=facts.CommandKind(kind), **fields)
        return self._call(command, new=False)

    def script(self, command: str = "python repro.py", *outcome: str, **more: Any) -> Self:
        self.run(command, *outcome, kind="script", **more)
        self.facts.setdefault("script_runs", []).append(self.facts["runs"].pop())
        return self

    def tree(self, command: str = "git pull") -> Self:
        return self._add("tree_changes", facts.Done, command=command)._call(command, new=False)

    def push(self, outcome: str = "passed", **more: Any) -> Self:
        fields = {"branch": "main", **more}
        self._add(
            "pushes", facts.Push, command="git push", outcome=facts.Outcome(outcome), **fields
        )
        return self._call("git push", new=False)

    def commit(self, outcome: str = "passed", **more: Any) -> Self:
        self._add("commits", facts.Commit, outcome=facts.Outcome(outcome), **more)
        return self._call("git commit", new=False)

    def pr(self, outcome: str = "passed", **more: Any) -> Self:
        made = {"command": "gh pr create", "outcome": facts.Outcome(outcome), **more}
        return self._add("pull_requests", facts.PullRequest, **made)._call("gh pr create")

    def ci(self, outcome: str, **more: Any) -> Self:
        self._add("ci_looks", facts.CiLook, command="gh pr checks", outcome=outcome, **more)
        return self._call("gh pr checks", new=False)

    def todo(self, text: str, status: str = "pending") -> Self:
        self._call()
        fields = {"id": text, "text": text, "status": status}
        todo = facts.Todo(line=self.line, turn=len(self.turns), **fields)
        self.facts.setdefault("todos", []).append(todo)
        return self

    def read(self, times: int = 1) -> Self:
        for _ in range(times):
            self._call()
        return self

    def call(self, command: str) -> Self:
        return self._call(command)

    def say(self, text: str, **turn: Any) -> Self:
        self.line += 1
        ended = {"final_line": self.line, "last_line": self.line}
        self.turns[-1] |= {"final_text": text, **ended, **turn}
        return self

    def subagent(self) -> Self:
        self._call()
        self.facts["calls"][-1] = self.facts["calls"][-1].replace(name="Task", key="Task")
        self.top["subagents"] = self.top.get("subagents", 0) + 1
        return self

    def _call(self, command: str = "", *, write: bool = False, new: bool = True) -> Self:
        self.line += new
        turn = self.turns[-1]
        turn["tool_calls"] = turn.get("tool_calls", 0) + 1
        turn["writes"] = turn.get("writes", 0) + write
        name = "Bash" if command else "Edit" if write else "Read"
        told = {"name": name, "key": command or name, "write": write, "bash": bool(command)}
        call = facts.ToolCall(line=self.line, turn=turn["number"], **told)
        self.facts.setdefault("calls", []).append(call)
        return self

    def _add(self, name: str, fact: Any, /, **fields: Any) -> Self:
        self.line += 1
        place = {"line": self.line, "turn": len(self.turns), "sequence": self.line}
        self.facts.setdefault(name, []).append(fact(**place, **fields))
        return self

    def ledger(self) -> facts.Ledger:
        own = {name: tuple(items) for name, items in self.facts.items()}
        turns = tuple(facts.Turn(**turn) for turn in self.turns)
        return facts.Ledger(lines=self.line, turns=turns, **{**own, **self.top})

    def judge(self, project: Project | None = None, **settings: Any) -> Judgement:
        names = ("background", "permission_mode", "final_text")
        options = {name: settings.pop(name) for name in names if name in settings}
        given = (self.ledger(), project or Project(), Settings(**settings), self.history)
        judgement = judge_stop(*given, **options)
        self.history = judgement.history
        return judgement

    def gate(self, name: str, project: Project | None = None, **settings: Any) -> Finding:
        findings = self.judge(project, **settings).findings
        return next(finding for finding in findings if finding.gate == name)


def checkout(*scopes: Scope, **more: Any) -> Project:
    """A checkout with a Python root that has tests, unless other scopes are given."""
    scopes = scopes or (python_scope(),)
    return Project(root=ROOT, scopes=scopes, **more)


def python_scope(folder: str = "") -> Scope:
    command = f"cd {folder} && pytest" if folder else "pytest"
    return Scope(dir=folder, language="python", test_command=command, tested=True)


def node_scope(folder: str = "") -> Scope:
    at = f"cd {folder} && " if folder else ""
    return Scope(dir=folder, language="javascript", test_command=f"{at}npm test", tested=True)
