"""
Start a module of ours as a process of its own that outlives the hook: new session, streams on /dev/null.

On the hooks' path: `subprocess` would cost a hook twice its whole time, so this spawns by hand.
"""

import os
import sys
from collections.abc import Mapping

from ace_reflect import log, paths

MAX_PAYLOAD = 60_000  # bytes: what a pipe holds without a reader
#: The session's own variables: what is started serves the session and is not a part of it.
_OF_THE_SESSION = ("CLAUDE_ENV_FILE", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA")
_RUN = (
    "import os, sys\n"
    "os.chdir('/')\n"  # what outlives a hook must not hold a person's folder
    "root, module = sys.argv.pop(1), sys.argv.pop(1)\n"
    "if root not in sys.path: sys.path.insert(0, root)\n"
    "from importlib import import_module\n"
    "sys.exit(import_module(module).main())\n"
)


def start(module: str, environ: Mapping[str, str], payload: bytes = b"") -> None:
    """
    Run `main()` of a module ("ace_reflect.…") with `payload` on its stdin, and return at once.

    Raises OSError; ValueError for a payload over `MAX_PAYLOAD`.
    """
    if len(payload) > MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes does not fit a pipe")
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    command = [sys.executable, "-I", "-c", _RUN, root, module]
    environment = {name: value for name, value in environ.items() if name not in _OF_THE_SESSION}
    reading, writing = os.pipe()
    try:
        actions = [
            (os.POSIX_SPAWN_DUP2, reading, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            os.posix_spawn(sys.executable, command, environment, file_actions=actions, setsid=True)
        except NotImplementedError:  # an older C library: the process makes its own session
            os.posix_spawn(sys.executable, command, environment, file_actions=actions)
    except BaseException:
        os.close(writing)
        raise
    finally:
        os.close(
            reading
        )  # now, so that a process that ended early is an error below and not a wait for ever
    try:
        while (
            payload
        ):  # macOS may give a pipe less than Linux does: then it is the new process that empties it
            payload = payload[os.write(writing, payload) :]
    finally:
        os.close(writing)


def start_after(event: str, module: str, environ: Mapping[str, str], payload: str) -> None:
    """The same for a hook, named by its event, that has its answer: what goes wrong is logged."""
    try:
        start(module, environ, payload.encode("utf-8", "replace"))
    except (OSError, ValueError) as error:
        log.failure(paths.home(environ), event, error)
