"""
The hooks' side of the queue: start the worker, and know whether there is anything for it.

A hook never learns. It commits a job and starts the worker, detached, with all streams on /dev/null, and is gone.
"""

import os
import sys
import time

from ace_reflect.state import jobs, processes, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ace_reflect.state.db import State

#: A session whose process is not known has died when it was not heard of for so long. A known process tells at once.
IDLE_S = 3600.0
#: The session's own variables: the worker serves every project, and must not take this one for its own.
_OF_THE_SESSION = (
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_ENV_FILE",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PLUGIN_DATA",
)
_RUN = (
    "import os, sys\n"
    "os.chdir('/')\n"  # a worker must not hold a person's folder
    "root = sys.argv.pop(1)\n"
    "if root not in sys.path: sys.path.insert(0, root)\n"
    "from ace_reflect.learning.worker import main\n"
    "sys.exit(main())\n"
)


def has_work(state: "State") -> bool:
    """Whether a job waits, or a session died with something unread, as far as can be told without looking at files."""
    if jobs.waiting(state):
        return True
    rows = state.all(
        "SELECT process FROM sessions WHERE (seen_at < ? OR seen_at > ? OR process <> '') AND transcript <> '' AND ended_at IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM jobs WHERE jobs.transcript = sessions.transcript AND jobs.state <> 'done')"
        " ORDER BY seen_at DESC LIMIT 20",
        (time.time() - IDLE_S, time.time() + sessions.AHEAD_S),
    )
    return any(not processes.alive(process) for (process,) in rows)


def start_worker(environ: "Mapping[str, str]") -> None:
    """
    Start the worker and return at once. Where one runs already, the new one sees its lock and ends.

    `subprocess` costs a hook twice its whole time, so this spawns by hand. Raises OSError.
    """
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    command = [sys.executable, "-I", "-c", _RUN, root]
    environment = {name: value for name, value in environ.items() if name not in _OF_THE_SESSION}
    null = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    try:
        os.posix_spawn(sys.executable, command, environment, file_actions=null, setsid=True)
    except NotImplementedError:  # an older C library: the worker makes its own session
        os.posix_spawn(sys.executable, command, environment, file_actions=null)
