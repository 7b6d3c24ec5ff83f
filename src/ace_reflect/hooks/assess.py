"""
Stop, the second entry: the assessment by a model, where the rules left something open.

It waits for the first entry's decision on this very stop and goes on only if that says that a model is needed; what
asks stands in `assess_stop`. Exit code 2 wakes the session with what stands on stderr: in the terminal UI the host runs
this entry beside the person's work (`asyncRewake`), in print mode it waits for it.
"""

import sys
import time
from collections.abc import Mapping
from typing import BinaryIO, TextIO

from ace_reflect.hooks.edge import Event, Json, Pace, answer
from ace_reflect.state import claims

WAKE = 2
#: Both entries start at the same moment; the first one's decision is not older than this one's process.
_SLACK_S = 0.25


def main(
    stdin: BinaryIO,
    stdout: TextIO,
    environ: Mapping[str, str],
    stderr: TextIO | None = None,
    pace: Pace | None = None,
) -> int:
    """Answer one Stop event. Returns 2 where the session is to go on, with the message on `stderr`; else 0."""
    woken: list[str] = []

    def body(event: Event) -> Json | None:
        return _body(event, pace or Pace(waits="--wait" in sys.argv), woken)

    answer("Assess", body, stdin, stdout, environ)
    try:
        for message in woken:
            print(message, file=stderr or sys.stderr, flush=True)
    except (OSError, ValueError):
        return 0  # nobody is there to be woken
    return WAKE if woken else 0


def _body(event: Event, pace: Pace, woken: list[str]) -> Json | None:
    settings = event.settings
    may_ask = settings.models and settings.assess_when != "never"
    if not event.transcript or event.text("agent_id") or not (may_ask or settings.review_enabled):
        return None
    # The host started this process at the stop, so the stop is as old as the process.
    started = claims.process_start(0.0) if pace.age_s is None else time.time() - pace.age_s
    key = claims.stop_key("Stop", event.raw)
    end = time.monotonic() + pace.decision_s
    while (needed := claims.needs_model(event.state, key, since=started - _SLACK_S)) is None:
        if time.monotonic() >= end:
            event.log("no-decision")
            return None
        time.sleep(0.03)
    if not needed:
        return None
    from ace_reflect.hooks.assess_stop import Assessment

    return Assessment(event, started, pace).answer(woken)
