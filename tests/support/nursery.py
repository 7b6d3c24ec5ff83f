"""
Children that have everything imported when they start, so that a kill meets them in their work and not in Python's.

    with Nursery(host.environment(), host.project) as nursery:
        child = nursery.hook("Stop", payload)            # or .command("playbook", "add", "…"), .worker()
        child = nursery.hook("Stop", payload, kill_after_s=0.004)
        child.killed, child.code, child.out, child.err, child.took_s

A process of its own forks each child: the hook's, the command line's or the worker's real `main`, with real streams, an
environment of its own and a session of its own. What a hook would start in the background is not started unless asked for.
All nurseries of a run share that process, which has only imported; one that stands inside of something (`wrapper`, `setup`) has its own.
"""

import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


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

HOOK = "from ace_reflect.hooks import {module}, edge; edge.run_script({module}.main)"
COMMAND = """
import sys
from ace_reflect.cli.main import main
sys.argv = ["ace-reflect", *{arguments!r}]
sys.exit(main({arguments!r}))
"""
WORKER = "import sys; from ace_reflect.learning import worker; sys.exit(worker.main())"

_one_at_a_time = threading.Lock()
_shared: "list[subprocess.Popen[bytes]]" = []


def _started(wrapper: Sequence[str] = (), setup: str = "") -> "subprocess.Popen[bytes]":
    environ = {"PATH": os.environ["PATH"], "HOME": "/", "LANG": "C.UTF-8"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [*wrapper, sys.executable, "-I", __file__, setup]
    return subprocess.Popen(command, env=environ, cwd="/", **pipes)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.communicate(timeout=30)


class Nursery:
    """`wrapper` is a command that runs the nursery inside of something, such as `unshare`; `setup` is run there first."""

    def __init__(self, environ: dict[str, str], folder: Path, *, wrapper=(), setup="") -> None:
        self._environ = environ
        self._folder = folder
        self._streams = tempfile.TemporaryDirectory(prefix="nursery-")
        self._own = bool(wrapper or setup)
        if self._own:
            self._process = _started(wrapper, setup)
        else:
            if not _shared or _shared[-1].poll() is not None:
                _shared.append(_started())
                atexit.register(_end, _shared[-1])
            self._process = _shared[-1]

    def hook(self, event: str, payload: dict[str, Any] | bytes, **more: Any) -> Child:
        module = "".join("_" + c.lower() if c.isupper() else c for c in event).strip("_")
        raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return self.python(HOOK.format(module=module), stdin=raw, **more)

    def command(self, *arguments: object, **more: Any) -> Child:
        code = COMMAND.format(arguments=[str(argument) for argument in arguments])
        return self.python(code, starts=True, **more)

    def worker(self, **more: Any) -> Child:
        return self.python(WORKER, **more)

    def python(
        self,
        code: str,
        *,
        stdin=b"",
        kill_after_s=None,
        signal=9,
        env=None,
        before="",
        starts=False,
    ) -> Child:
        """Run code with everything imported; `before` comes first. `starts`: what it starts in the background runs, too."""
        streams = Path(self._streams.name)
        for name, data in (("in", stdin), ("out", b""), ("err", b"")):
            (streams / name).write_bytes(data)
        place = {"cwd": str(self._folder), "streams": str(streams)}
        task = {
            "code": f"{before}\n{code}",
            "kill_after_s": kill_after_s,
            "signal": signal,
            **place,
        }
        task["environ"] = {**self._environ, **(env or {})}
        task["executable"] = sys.executable if starts else TAKES_AND_ENDS
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with _one_at_a_time:
            self._process.stdin.write(json.dumps(task).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        assert answer, "the nursery is gone"
        out, err = ((streams / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Child(out=out, err=err, **json.loads(answer))

    def close(self) -> None:
        if self._own:
            _end(self._process)
        self._streams.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# ------------------------------------------------------------------ inside


def _import_all() -> None:
    """What the children use, compiled and imported before they are forked."""
    import importlib
    import pkgutil
    from contextlib import suppress

    import filelock  # noqa: F401
    import yaml  # noqa: F401

    import ace_reflect

    for found in pkgutil.walk_packages(ace_reflect.__path__, "ace_reflect."):
        if ".evals" not in found.name and not found.name.endswith("__main__"):
            with suppress(ImportError):  # its own tests tell
                importlib.import_module(found.name)


def _serve() -> None:
    import gc
    import time

    exec(sys.argv[1])  # noqa: S102 - the test's own code
    _import_all()
    gc.freeze()
    replies = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        task = json.loads(line)
        started = time.monotonic()
        child = os.fork()
        if child == 0:
            os.close(replies)
            _child(task)
        status, killed = _ended(child, started, task["kill_after_s"], task["signal"])
        code = os.waitstatus_to_exitcode(status)
        told = {"code": code, "killed": killed and code < 0, "took_s": time.monotonic() - started}
        os.write(replies, json.dumps(told).encode() + b"\n")


def _ended(child: int, started: float, limit: float | None, number: int) -> tuple[int, bool]:
    """Wait for a child, with a signal at its limit; its status, and whether the signal was sent."""
    import signal
    import time

    deadline, killed = started + (60.0 if limit is None else limit), False
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status, killed
        left = deadline - time.monotonic()
        if left <= 0:
            os.kill(child, signal.SIGKILL if killed or limit is None else number)
            killed, deadline = True, time.monotonic() + 20.0
        time.sleep(min(0.0005, max(left, 0)))


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
        sys.executable = task["executable"]
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
