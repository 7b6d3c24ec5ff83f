"""
Children that have everything imported when they start, so that a kill meets them in their work and not in Python's.

    with Nursery(host) as nursery:
        child = nursery.hook("Stop", payload)            # or .command("playbook", "add", "…"), .worker()
        child = nursery.hook("Stop", payload, kill_after_s=0.004)
        child.killed, child.code, child.out, child.err, child.took_s

A process of its own forks each child: the hook's, the command line's or the worker's real `main`, with real streams, an
environment of its own and a session of its own. What a hook would start in the background is not started: its writes are
what is killed here, and workers get their own rounds. All nurseries of a run share that process, which has only imported;
one that stands inside of something (`wrapper`, `setup`) has its own.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

MODULES = {
    "UserPromptSubmit": "user_prompt_submit",
    "Stop": "stop",
    "PreCompact": "pre_compact",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
}


@dataclass(frozen=True)
class Child:
    """How a child ended. `code` is negative for a signal."""

    code: int
    killed: bool
    out: str
    err: str
    took_s: float

    @property
    def json(self) -> Any:
        return json.loads(self.out) if self.out else {}


#: Stands for what a hook starts: it ends at once, but not before it has what the hook hands it (else: a broken pipe).
TAKES_AND_ENDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "takes_and_ends")


def _started(wrapper: Sequence[str] = (), setup: str = "") -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*wrapper, sys.executable, "-I", __file__, setup],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "HOME": "/", "LANG": "C.UTF-8"},
        cwd="/",
    )


def _ended(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    process.wait(30)


_shared: "list[subprocess.Popen[bytes]]" = []


def _shared_process() -> "subprocess.Popen[bytes]":
    if not _shared or _shared[-1].poll() is not None:
        _shared.append(_started())
        atexit.register(_ended, _shared[-1])
    return _shared[-1]


class Nursery:
    """`wrapper` is a command that runs the nursery inside of something, such as `unshare`."""

    def __init__(
        self, environ: dict[str, str], folder: Path, *, wrapper: Sequence[str] = (), setup: str = ""
    ) -> None:
        self._environ = environ
        self._folder = folder
        self._streams = Path(tempfile.mkdtemp(prefix="nursery-"))
        self._own = bool(wrapper or setup)
        self._process = _started(wrapper, setup) if self._own else _shared_process()

    def hook(self, event: str, payload: dict[str, Any] | bytes, **more: Any) -> Child:
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self._run({"do": "hook", "event": event}, raw, **more)

    def command(self, *arguments: object, **more: Any) -> Child:
        task = {"do": "command", "arguments": [str(argument) for argument in arguments]}
        return self._run(task, b"", **more)

    def worker(self, **more: Any) -> Child:
        return self._run({"do": "worker"}, b"", **more)

    def python(self, code: str, *, stdin: bytes = b"", **more: Any) -> Child:
        """Code of the test's own, with everything imported."""
        return self._run({"do": "python", "code": code}, stdin, **more)

    def _run(
        self,
        task: dict[str, Any],
        stdin: bytes,
        *,
        kill_after_s: float | None = None,
        signal: int = 9,
        env: dict[str, str] | None = None,
        before: str = "",
        imports: Sequence[str] = (),
    ) -> Child:
        """`imports`: heavy modules that every child from now on has, such as a model's SDK."""
        for name, data in (("in", stdin), ("out", b""), ("err", b"")):
            (self._streams / name).write_bytes(data)
        task |= {
            "kill_after_s": kill_after_s,
            "signal": signal,
            "environ": {**self._environ, **(env or {})},
            "cwd": str(self._folder),
            "streams": str(self._streams),
            "before": before,
            "imports": list(imports),
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(task).encode() + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, "the nursery is gone"
        told = json.loads(answer)
        ends = [(self._streams / name).read_bytes() for name in ("out", "err")]
        out, err = (data.decode("utf-8", "replace") for data in ends)
        return Child(told["code"], told["killed"], out, err, told["took_s"])

    def close(self) -> None:
        if self._own:
            _ended(self._process)
        for path in self._streams.iterdir():
            path.unlink()
        self._streams.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


# ------------------------------------------------------------------ inside


def _import_all() -> None:
    """What the children use, compiled and imported before they are forked."""
    import importlib
    import pkgutil
    from contextlib import suppress

    import ace_reflect

    for found in pkgutil.walk_packages(ace_reflect.__path__, "ace_reflect."):
        if ".evals" not in found.name and not found.name.endswith("__main__"):
            with suppress(ImportError):  # its own tests tell
                importlib.import_module(found.name)
    import filelock  # noqa: F401
    import yaml  # noqa: F401


def _serve() -> None:
    import gc
    import signal
    import time
    from importlib import import_module

    if sys.argv[1]:
        exec(sys.argv[1])  # noqa: S102 - the test's own code
    _import_all()
    gc.freeze()
    replies = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        task = json.loads(line)
        for name in task["imports"]:
            import_module(name)
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            os.close(replies)
            _child(task)
        limit = task["kill_after_s"]
        deadline = started + (60.0 if limit is None else limit)
        killed, number = False, task["signal"]
        while True:
            left = deadline - time.monotonic()
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            if left <= 0:
                os.kill(child, number if limit is not None and not killed else signal.SIGKILL)
                killed, deadline = True, time.monotonic() + 20.0
                if number == signal.SIGKILL:
                    _, status = os.waitpid(child, 0)
                    break
            time.sleep(min(0.0005, max(left, 0)))
        code = os.waitstatus_to_exitcode(status)
        told = {"code": code, "killed": killed and code < 0, "took_s": time.monotonic() - started}
        os.write(replies, json.dumps(told).encode() + b"\n")


def _child(task: dict[str, Any]) -> None:
    """Become the hook, the command or the worker."""
    import signal

    code = 70
    try:
        os.setsid()
        folder = task["streams"]
        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        for number, name in enumerate(("in", "out", "err")):
            flags = writing if number else os.O_RDONLY
            os.dup2(os.open(os.path.join(folder, name), flags, 0o600), number)
        os.closerange(3, 64)
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
        sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8") for n in (1, 2))  # noqa: SIM115
        os.environ.clear()
        os.environ.update(task["environ"])
        os.chdir(task["cwd"])
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.executable, real = TAKES_AND_ENDS, sys.executable
        if task["before"]:
            exec(task["before"], {"__name__": "before"})  # noqa: S102
        if task["do"] == "hook":
            from importlib import import_module

            from ace_reflect.hooks.edge import run_script

            sys.argv = [task["event"]]
            run_script(import_module(f"ace_reflect.hooks.{MODULES[task['event']]}").main)
        elif task["do"] == "command":
            from ace_reflect.cli.main import main

            sys.executable = real
            sys.argv = ["ace-reflect", *task["arguments"]]
            code = main(task["arguments"])
        elif task["do"] == "worker":
            from ace_reflect.learning import worker

            code = worker.main()
        else:
            exec(task["code"], {"__name__": "child"})  # noqa: S102
            code = 0
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 0
    except BaseException:  # noqa: BLE001 - said on the child's own stderr
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve()
