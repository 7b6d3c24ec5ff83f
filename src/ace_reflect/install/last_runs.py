"""What the log says of the hooks' latest runs: one that fails lets the session go on, and nobody would see it."""

from collections.abc import Mapping

from ace_reflect import paths
from ace_reflect.install import registration
from ace_reflect.install.findings import Check
from ace_reflect.log import entries


def failed_last(environ: Mapping[str, str]) -> list[Check]:
    """One line for all hooks that failed when they last ran; none where each worked since."""
    home = paths.home(environ)
    try:
        last = {str(row.get("event")): row for row in entries(home)}
    except OSError as fault:
        says = f"{fault.filename} cannot be read: {fault.strerror}"
        return [
            Check(
                "hooks", "note", says, "Mend its permissions, or move it away: a new one is begun."
            )
        ]
    failed = [event for event in registration.EVENTS if "error" in last.get(event, {})]
    if not failed:
        return []
    row = last[failed[-1]]
    says = f"{', '.join(failed)} failed when last run ({row.get('at')}): {row['error']} {row.get('message', '')} {row.get('where', '')}"
    fix = "Start a new session and run this again; if it stays, please report it with `ace-reflect log`."
    return [Check("hooks", "note", " ".join(says.split()), fix)]
