"""The registered hooks played through: a bad stop is blocked, a good one stands, and neither takes long."""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ace_reflect import paths
from ace_reflect.install import registration
from ace_reflect.install.findings import Check, Command
from ace_reflect.install.rehearsal import SESSIONS, Session, write_session

#: A stop that is judged costs three to seven times a bare start of its interpreter, a prompt about twice; beyond this
#: something other than our work takes the time.
SLOW_RATIO = {"UserPromptSubmit": 6, "Stop": 16}
#: And nobody notices less than this.
SLOW_S = 0.25
_ROUNDS = 5


def paths_proved(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """Give the registered Stop command a stop that must be blocked and one that must stand."""
    stops = [
        command for command in commands if command.event == "Stop" and command.script == "stop.py"
    ]
    stop = next((command for command in stops if command.may_be_run), None)
    if stop is None:
        return [_not_run(command) for command in stops[:1]]
    checks = []
    for name, session in SESSIONS.items():
        answer, _ = _rehearse(stop, session, environ)
        blocked = answer.get("decision") == "block"
        right = blocked == session.blocked
        says = f"a stop {session.says} {'is blocked' if blocked else 'stands'}"
        checks.append(
            Check(
                f"proof: {name}",
                "ok" if right else "wrong",
                says,
                "" if right else "Run `ace-reflect install` again; if it stays, please report it.",
            )
        )
    return checks


def _not_run(command: Command) -> Check:
    says = f"not tried: the {command.source} settings start {command.argv[0]} {command.place}, which is not this installation"
    return Check("proof", "note", says, "Look at it; `ace-reflect install` registers this one.")


def _rehearse(
    command: Command, session: Session, environ: Mapping[str, str], home: str | None = None
) -> tuple[dict[str, Any], float]:
    """The hook's answer to a session of its own, and how long it took; `home` is where it keeps what it knows."""
    with tempfile.TemporaryDirectory(prefix="ace-reflect-doctor-") as folder:
        payload = write_session(Path(folder), session, command.event)
        if home is None:
            home = os.path.join(folder, "home")
            os.mkdir(home)
            # Reading one needs packages that a hook without it does not touch.
            Path(paths.user_config(home)).write_text("enabled: true\n")
        own = {k: v for k, v in environ.items() if not k.startswith(("ACE_REFLECT_", "CLAUDE_"))}
        started = time.perf_counter()
        try:
            done = subprocess.run(
                command.argv,
                input=json.dumps(payload).encode(),
                capture_output=True,
                timeout=60,
                cwd=folder,
                env={**own, "ACE_REFLECT_HOME": home},
                check=False,
            )
            answer = json.loads(done.stdout or b"{}")
        except (subprocess.TimeoutExpired, ValueError):
            answer = {}
        took = time.perf_counter() - started
    return (answer if isinstance(answer, dict) else {}), took


def speed(commands: list[Command], environ: Mapping[str, str]) -> list[Check]:
    """The hooks that a person waits for, on the disk that the home is on, each with what it knew from the time before."""
    good = next(session for session in SESSIONS.values() if not session.blocked)
    at = paths.home(environ)
    checks = []
    for command in commands:
        if command.event not in SLOW_RATIO or command.script == registration.ASSESS[0]:
            continue
        if not command.may_be_run or not os.path.exists(command.argv[0]):
            continue
        with tempfile.TemporaryDirectory(
            prefix=".doctor-", dir=at if os.access(at, os.W_OK) else None
        ) as home:
            # In turns, so that a busy moment makes both slow.
            rounds = [
                (_rehearse(command, good, environ, home)[1], _bare(command.argv[0]))
                for _ in range(_ROUNDS)
            ]
        took, bare = zip(*rounds, strict=True)
        if is_slow(command.event, min(took[1:]), min(bare)):
            checks.append(_slow(command.event, min(took[1:]), min(bare), at))
    return checks or (
        [Check("speed", "ok", "each hook costs little more than starting Python")]
        if commands
        else []
    )


def is_slow(event: str, took_s: float, bare_s: float) -> bool:
    """Whether a hook takes out of all proportion to a bare start of its interpreter, and long enough to be noticed."""
    return took_s > SLOW_RATIO[event] * bare_s and took_s - bare_s > SLOW_S


def _slow(event: str, took_s: float, bare_s: float, home: str) -> Check:
    says = f"{event} took {took_s * 1000:.0f} ms at best of {_ROUNDS - 1}, a bare Python {bare_s * 1000:.0f} ms"
    fix = (
        f"Run it again when the machine is idle. If that stays, {home} may be on a slow or network disk "
        "(ACE_REFLECT_HOME puts it elsewhere), or a scanner reads every file that is opened."
    )
    return Check("speed", "note", says, fix)


def _bare(python: str) -> float:
    started = time.perf_counter()
    subprocess.run([python, "-I", "-c", "pass"], check=False, timeout=60)
    return time.perf_counter() - started
