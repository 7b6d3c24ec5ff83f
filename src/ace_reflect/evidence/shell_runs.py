"""
Runs of tests, builds, linters and type checkers in one shell call: the agent's, a subagent's, the person's own, a git
hook's inside `git commit`, and background shells that have ended.
"""

from ace_reflect.evidence.book import cut, made
from ace_reflect.evidence.call_words import TASK_RUNNERS, word_set
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.drafts import (
    GIT_KINDS,
    MAX_COMMAND,
    MAX_QUOTE,
    base_of,
    has_run,
    is_failure,
    line_of,
    output_of,
)
from ace_reflect.evidence.facts import RUN_KINDS, CommandKind, Outcome, Run
from ace_reflect.evidence.own_scripts import executed
from ace_reflect.late import MULTILINE, Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Draft, Result
    from ace_reflect.evidence.runners import Summary
    from ace_reflect.transcript.records import ToolResult

_BANNER = Late(r"^(?:\$|>|\[[\w:.-]+\] \$) (\S.{2,200})$", MULTILINE, needs=("$|>",))
#: Programs that start others: what they print may be a test runner's.
_STARTERS = frozenset(TASK_RUNNERS) | word_set(
    "bash sh zsh python node ruby deno np npx tox nox docker podman vagrant ssh earthly dagger act nx tmux screen turbo lerna moon pants bazel buck buck2 "
    "mvn gradle gradlew sbt lein mix rebar3"
)
_SCRIPTS = (".sh", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", ".bash")


def runs_of(draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Run]:
    line = line_of(result)
    found = [_run(draft, command, commands, result, line) for command in commands if command.kind in RUN_KINDS]
    hooked = by_git_hook(draft, commands, result)
    if not any(run.kind is CommandKind.TEST for run in (*found, *hooked)):
        found += _by_unknown_script(draft, commands, result, line)
    return found + hooked


def runs_of_scripts(draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Run]:
    """The project's scripts that the call executed by themselves: `python scripts/release.py --dry-run`."""
    found = []
    for command, path in executed(commands, result):
        run = _run(draft, command, commands, result, line_of(result))
        if run.outcome is Outcome.UNKNOWN and any(map(output_of(result).__contains__, _CRASHED)):
            run = run.replace(
                outcome=Outcome.FAILED, why="its status is hidden, and an error that nobody caught is shown"
            )
        found.append(run.replace(kind=CommandKind.OTHER, targets=(cut(path, MAX_QUOTE),)))
    return found


#: What interpreters print of an error that nobody caught.
_CRASHED = ("Traceback (most recent call last)", "\nNode.js v", "Uncaught ", "panicked at ")


def by_git_hook(draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> list[Run]:
    """The runs of a hook alone: its tests, where the call ran none itself, and what it compiled."""
    line = line_of(result)
    tests = any(command.kind is CommandKind.TEST for command in commands)
    found = [] if tests else _by_git_hook(draft, commands, result, line)
    return found + _compiled_by_git_hook(draft, commands, result, line)


def _run(
    draft: "Draft", command: "Command", commands: "tuple[Command, ...]", result: "Result", line: int | None
) -> Run:
    from ace_reflect.evidence.outcomes import read_outcome

    reading = read_outcome(commands, result, command)
    return made(
        Run,
        **base_of(draft, line),
        **_about(draft, command),
        outcome=reading.outcome,
        why=cut(reading.why, MAX_QUOTE),
        quote=cut(reading.quote, MAX_QUOTE),
        status_visible=reading.status_visible,
        masked=cut(reading.masked, 100),
        counts=reading.counts,
        running=reading.running,
        cut_off=reading.cut_off,
    )


def _about(draft: "Draft", command: "Command") -> "dict[str, Any]":
    own = command.simple.text
    return {
        "by": draft["by"],
        "command": cut(draft["command"], MAX_COMMAND),
        "own": "" if own == draft["command"] else cut(own, MAX_COMMAND),
        "kind": command.kind,
        "runner": command.runner,
        "cwd": None if command.simple.abroad else command.cwd,  # which of ours it is there, nobody knows
        "targets": tuple(cut(target, MAX_QUOTE) for target in command.targets[:20]),
        "selected": cut(command.selected, MAX_QUOTE),
        "deselects": cut(command.deselects, MAX_QUOTE),
    }


def _by_git_hook(draft: "Draft", commands: "tuple[Command, ...]", result: "Result", line: int | None) -> list[Run]:
    """
    Tests that a hook ran inside `git commit` or `git push`, known by the summary or the heading they printed.

    So are those of `pre-commit run`, which is the agent's own run of the same hooks.
    """
    carrier = next((item for item in commands if _runs_hooks(item)), None)
    if carrier is None or not has_run(result):
        return []
    found = _hook_summary(commands, carrier, result) or _hook_stopped(output_of(result), result)
    if found is None:
        return []
    return [_hook_run(draft, carrier, line, kind=CommandKind.TEST, **found)]


def _hook_run(draft: "Draft", carrier: "Command", line: int | None, **found: "Any") -> Run:
    """What a git hook ran inside `carrier`, the commit, the push or `pre-commit run`; whose status is not the runner's."""
    command = cut(draft["command"], MAX_COMMAND)
    by = "git-hook" if carrier.kind in GIT_KINDS else draft["by"]
    return made(Run, **base_of(draft, line), **found, by=by, command=command, status_visible=False, cwd=carrier.cwd)


def _runs_hooks(item: "Command") -> bool:
    if item.kind in GIT_KINDS:
        return not item.no_verify
    return item.kind is CommandKind.LINT and item.runner.partition(" ")[0] in _HOOK_MANAGERS


_HOOK_MANAGERS = word_set("pre-commit prek lefthook overcommit husky")


def _hook_summary(commands: "tuple[Command, ...]", carrier: "Command", result: "Result") -> "dict[str, Any] | None":
    """What a runner printed, and not the line itself: `git push && echo PASS`."""
    from ace_reflect.evidence.outcome_end import ended
    from ace_reflect.evidence.outcome_line import Line
    from ace_reflect.evidence.runners import combine, read_all

    found = tuple(item for item in read_all(output_of(result)) if _is_runners(item))
    line = Line(commands, ended(result), carrier) if found else None
    whole = combine(tuple(item for item in found if line is None or not line.echoes(item.quote)))
    if whole is None:
        return None
    why = cut(f"a git hook's own summary: {whole.vacuous or whole.quote}", MAX_QUOTE)
    return {"runner": whole.runner, "outcome": whole.outcome, "why": why, "quote": whole.quote, "counts": whole.counts}


def _is_runners(item: "Summary") -> bool:
    """
    A whole test runner's word: "All checks passed!" without a runner's form may be a linter's, and Go's closing "PASS" any
    script's; Go's own stands above the package's line.
    """
    return not item.partial and not item.wrapper and item.family != "plain" and item.quote not in ("PASS", "FAIL")


def _hook_stopped(output: str, result: "Result") -> "dict[str, Any] | None":
    """No summary was shown, but the hook stopped the commit and the last thing it announced (`$ bun test`) was tests."""
    from ace_reflect.evidence.git_facts import COMMITTED, HOOK_STOPPED

    if not (is_failure(result) or HOOK_STOPPED.search(output)) or COMMITTED.search(output):
        return None
    banners = _BANNER.findall(output)
    announced = classify(banners[-1]) if banners else ()
    test = next((item for item in announced if item.kind is CommandKind.TEST), None)
    if test is None:
        return None
    return {
        "runner": test.runner,
        "outcome": Outcome.FAILED,
        "why": "a git hook stopped at its tests",
        "quote": cut(banners[-1], MAX_QUOTE),
    }


def _compiled_by_git_hook(
    draft: "Draft", commands: "tuple[Command, ...]", result: "Result", line: int | None
) -> list[Run]:
    """The build or the type check that a hook ran inside a commit which went through; only git may have printed it."""
    carrier = next((item for item in commands if item.kind is CommandKind.COMMIT and not item.no_verify), None)
    if carrier is None or any(item.argv and item.argv[0] not in _GIT_ONLY for item in commands) or not has_run(result):
        return []
    output = output_of(result)
    if not any(map(output.__contains__, _COMPILERS)):
        return []
    from ace_reflect.evidence.git_facts import COMMITTED

    done = COMMITTED.search(output)
    told = _TOLD_BY_HOOK.findall(output[: done.start()]) if done else []
    named = ((text, item) for text in told for item in classify(text if " " in text else f"npm run {text}"))
    text, ran = next(((text, item) for text, item in named if item.kind in _COMPILES), ("", None))
    if ran is None:
        return []
    why = "a git hook ran it and let the commit through"
    found = {
        "kind": ran.kind,
        "runner": ran.runner,
        "outcome": Outcome.PASSED,
        "why": why,
        "quote": cut(text, MAX_QUOTE),
    }
    return [_hook_run(draft, carrier, line, **found)]


_GIT_ONLY = ("git", "cd")
_COMPILERS = ("build", "tsc", "type")
_COMPILES = frozenset((CommandKind.BUILD, CommandKind.TYPECHECK))
#: npm's and yarn's heading, and what lint-staged and lefthook tick off: `> tsc -b`, `[COMPLETED] tsc --noEmit`, `✔️  typecheck`.
_TOLD_BY_HOOK = Late(r"^(?:\$|>|\[COMPLETED\]|✔️?|✅) {1,2}(\S.{2,200})$", MULTILINE, needs=("$|>|[COMPLETED]|✔|✅",))


def _by_unknown_script(
    draft: "Draft", commands: "tuple[Command, ...]", result: "Result", line: int | None
) -> list[Run]:
    """`./ci.sh`, `make verify`: not a test command by its name, but it printed a runner's summary."""
    scripts = [
        item
        for item in commands
        if item.kind in (CommandKind.OTHER, CommandKind.BUILD) and item.argv and _runs_others(item.argv[0])
    ]
    if not scripts or not has_run(result):
        return []
    from ace_reflect.evidence.runners import read_summary

    summary = read_summary(output_of(result))
    if summary is None or not _is_runners(summary) or summary.outcome is Outcome.NOT_RUN:
        return []
    command = scripts[-1].replace(kind=CommandKind.TEST, runner=summary.runner)
    run = _run(draft, command, commands, result, line)
    return [run] if run.quote else []  # else what was read is the line's own `echo`


def _runs_others(program: str) -> bool:
    """`./x`, `/opt/x`, `ci/x.py`, `x.sh`, `make`, `python3.12`."""
    word = (program.split() or [""])[0]
    if not program.startswith(word):
        return False
    folder, slash, rest = word.partition("/")
    if slash and folder in ("", ".", ".."):
        return bool(rest)
    if slash and any(ending in rest[1:] for ending in _SCRIPTS):
        return True
    version = word.removeprefix("python")
    starts = word in _STARTERS or word[1:].endswith(".sh") or (version != word and not version.strip("0123456789."))
    return starts and word == program


def running(draft: "Draft", line: int | None) -> list[Run]:
    """The runs of a shell that was sent to the background."""
    return _unseen(draft, line, why="still running in the background", background=True)


def finished(draft: "Draft", result: "ToolResult", *, ended: bool, stopped: bool) -> list[Run]:
    """The same runs with what their output and end tell. Without a word on the end only a summary counts."""
    commands = classify(draft["command"], draft.get("cwd"))
    found = []
    for command in commands:
        if command.kind not in RUN_KINDS:
            continue
        run = _run(draft, command, commands, result, result.line)
        if not run.quote and (stopped or not ended):
            why = "stopped before it ended" if stopped else "its end was not seen"
            run = run.replace(outcome=Outcome.UNKNOWN, why=why, cut_off=stopped)
        found.append(run.replace(background=True, running=not ended and not stopped and not run.quote))
    return found


def cut_off(draft: "Draft") -> list[Run]:
    """The runs of a call without a result: it may be running, or the transcript ends here."""
    return _unseen(draft, None, why="no result in the transcript", cut_off=True)


def _unseen(draft: "Draft", line: int | None, **more: "Any") -> list[Run]:
    """The runs of a call whose end nobody has seen."""
    return [
        made(Run, **base_of(draft, line), **_about(draft, command), outcome=Outcome.UNKNOWN, running=True, **more)
        for command in classify(draft["command"], draft.get("cwd"))
        if command.kind in RUN_KINDS
    ]
