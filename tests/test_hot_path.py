"""
What a hook may import, each in a fresh interpreter, on the paths where a person waits.

A failure names the chain of imports that led to the module.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.hooks import SCRIPTS, Host
from support.transcripts import TranscriptBuilder

HOOKS = Path(__file__).resolve().parents[1] / "hooks"

#: Nobody's hook, whatever there is to read.
NEVER = frozenset(
    {"logging", "argparse", "asyncio", "urllib.request", "http.client", "subprocess", "socket", "ssl", "importlib.metadata",
     "tempfile", "shutil", "multiprocessing", "concurrent.futures", "unittest", "pydoc", "ctypes", "email", "xml", "decimal",
     "dataclasses", "inspect", "random", "hashlib", "copy",
     "anthropic", "openai", "pydantic", "click", "rich", "yaml", "filelock", "jinja2", "json5", "httpx"}
)  # fmt: skip
#: What only a stop with news may import.
NEWS = frozenset(
    {"tree_sitter", "tree_sitter_bash", "ace_reflect.transcript", "ace_reflect.evidence", "ace_reflect.project", "ace_reflect.gates", "ace_reflect.hooks.judge"}
)  # fmt: skip

#: Runs a script and writes, last of all, what is imported, with who imported it first.
_PROBE = """
import builtins, os, sys
os._exit = sys.exit  # a hook leaves without looking back
parents, real = {}, builtins.__import__
def watching(name, globals=None, locals=None, fromlist=(), level=0):
    before = set(sys.modules)
    result = real(name, globals, locals, fromlist, level)
    for new in set(sys.modules) - before:
        parents.setdefault(new, (globals or {}).get("__name__", "?"))
    return result
builtins.__import__ = watching
try:
    exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"), {"__name__": "__main__", "__file__": sys.argv[1]})
except SystemExit:
    pass
sys.stderr.write("\\n".join(f"{name}\\t{parents.get(name, '')}" for name in sys.modules))
"""


def imported(host: Host, event: str, *, packages: bool = False, **fields: Any) -> dict[str, str]:
    """Module -> who imported it, after one run of a hook; without `packages` where none is installed at all."""
    alone = () if packages else ("-S",)
    payload = json.dumps(host.payload(event, **fields)).encode()
    done = subprocess.run(
        [sys.executable, "-I", *alone, "-c", f"import sys; sys.path.insert(0, {str(HOOKS.parent / 'src')!r})\n" + _PROBE, str(HOOKS / SCRIPTS[event])],
        input=payload, capture_output=True, env=host.environment(), timeout=60, check=True,
    )  # fmt: skip
    rows = [row.split("\t") for row in done.stderr.decode().split("\n") if "\t" in row]
    found = {row[0]: row[1] for row in rows}
    assert "ace_reflect.hooks.edge" in found, done.stderr.decode()
    return found


def chain(found: dict[str, str], module: str) -> str:
    """`re <- json <- ace_reflect.x <- …`."""
    names = [module]
    while found.get(names[-1]) and found[names[-1]] not in names and len(names) < 20:
        names.append(found[names[-1]])
    return " <- ".join(names)


def forbidden(found: dict[str, str], names: frozenset[str]) -> list[str]:
    return [chain(found, name) for name in sorted(names) if name in found]


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A machine on which everything has run once: what is compiled and indexed is compiled and indexed."""
    host = Host(tmp_path_factory.mktemp("warm"))
    points = [
        {"name": f"pat-{n:03d}", "text": f"Key point {n}: run `make {n}`.", "helpful": 1}
        for n in range(1, 501)
    ]
    host.write_playbook({"PATTERNS & APPROACHES": points})  # type: ignore[arg-type]
    session = TranscriptBuilder(host.transcript(), cwd=str(host.project))
    session.prompt("Fix it").edit(f"{host.project}/src/a.py")
    session.bash("pytest -q", "3 passed in 0.1s").say("Done.").write()
    host.prompt("Fix the parser", session_id="other")
    host.hook("Stop", last_assistant_message="Done.", prompt_id="p", stop_hook_active=False)
    host.hook("SessionEnd", reason="other", session_id="other")
    host.wait_for_workers()
    yield host
    host.close()


QUIET: dict[str, tuple[str, dict[str, Any]]] = {
    "the first prompt": ("UserPromptSubmit", {"prompt": "Fix the parser", "prompt_id": "p1", "session_id": "fresh"}),
    "a later prompt": ("UserPromptSubmit", {"prompt": "run make 7", "prompt_id": "p2", "session_id": "other"}),
    "a notification": ("UserPromptSubmit", {"prompt": "<task-notification>x", "prompt_id": "p3"}),
    "a start": ("SessionStart", {"source": "startup", "session_id": "fresh"}),
    "a start after a compaction": ("SessionStart", {"source": "compact", "session_id": "other"}),
    "a session's end": ("SessionEnd", {"reason": "other"}),
    "a compaction": ("PreCompact", {"trigger": "auto"}),
    "a stop with nothing new": ("Stop", {"last_assistant_message": "Done.", "prompt_id": "p", "stop_hook_active": True}),
}  # fmt: skip


@pytest.mark.parametrize("what", list(QUIET))
def test_where_nothing_is_new_a_hook_imports_next_to_nothing(what: str, warm: Host) -> None:
    """`-S`: it works where no package is installed at all."""
    event, fields = QUIET[what]
    found = imported(warm, event, **fields)
    told_apart = frozenset({"ace_reflect.transcript"} if what == "a notification" else ())
    assert forbidden(found, NEVER | (NEWS - told_apart)) == []
    ours = {"ace_reflect", "__main__", "sitecustomize", "usercustomize"} | sys.stdlib_module_names
    assert [name for name in found if name.partition(".")[0] not in ours] == []
    warm.wait_for_workers()


def test_a_prompt_after_the_playbook_changed_loads_nothing_that_writes_one(warm: Host) -> None:
    point = {"name": "pat-001", "text": "Run it.", "helpful": 1, "harmful": 0}
    warm.write_playbook({"PATTERNS & APPROACHES": [point]})
    found = imported(
        warm, "UserPromptSubmit", prompt="Fix the parser", prompt_id="p1", session_id="anew"
    )
    assert "ace_reflect.playbook.read" in found  # it was read anew
    writes = {"ace_reflect.playbook.store", "ace_reflect.playbook.history"}
    assert forbidden(found, NEVER - {"dataclasses", "inspect", "copy"} | writes) == []


def test_a_stop_with_news_imports_one_package(warm: Host) -> None:
    session = TranscriptBuilder(warm.transcript("news"), cwd=str(warm.project))
    session.prompt("And the lexer").edit(f"{warm.project}/src/b.py")
    session.bash("cd src && pytest -q | tail -3; echo done", "3 passed in 0.1s")
    session.say("Done.").write()
    fields = {"last_assistant_message": "Done.", "prompt_id": "p9", "session_id": "news"}
    found = imported(warm, "Stop", packages=True, stop_hook_active=False, **fields)
    assert "tree_sitter" in found
    # The grammar's package brings some of it itself.
    assert [each for each in forbidden(found, NEVER) if "tree_sitter_bash" not in each] == []
