"""What the log says of the hooks' latest runs: one that fails lets the session go on, and nobody would see it."""

import json
import os
from collections.abc import Mapping
from typing import Any

from ace_reflect import paths
from ace_reflect.install import registration
from ace_reflect.install.findings import Check

_READ = 200_000  # bytes of the log's end


def failed_last(environ: Mapping[str, str]) -> list[Check]:
    """One line for all hooks that failed when they last ran; none where each worked since."""
    last = {str(row.get("event")): row for row in _latest(paths.log_file(paths.home(environ)))}
    failed = [event for event in registration.EVENTS if "error" in last.get(event, {})]
    if not failed:
        return []
    row = last[failed[-1]]
    says = f"{', '.join(failed)} failed when last run ({row.get('at')}): {row['error']} {row.get('message', '')} {row.get('where', '')}"
    fix = "Start a new session and run this again; if it stays, please report it with `ace-reflect log`."
    return [Check("hooks", "note", " ".join(says.split()), fix)]


def _latest(path: str) -> list[dict[str, Any]]:
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _READ))
            lines = file.read().splitlines()
    except OSError:
        return []
    rows = []
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:  # cut off, by us or by a full disk
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows
