"""
Stop, the second entry: the assessment by a model, where the rules left something open.

It waits for the first entry's decision on this very stop and goes on only if that says that a model is needed; what
asks and judges stands in `assess_stop`. Exit code 2 wakes the session with what stands on stderr: in the terminal UI the
host runs this entry beside the person's work (`asyncRewake`), in print mode it waits for it.
"""

import sys
import time
from collections.abc import Mapping
from typing import BinaryIO, TextIO

from ace_reflect.hooks.edge import Answer, Event, answer
from ace_reflect.state import claims, stops

WAKE = 2
#: Both entries start at the same moment; the first one's decision is not older than this one's process.
_SLACK_S = 0.25


class Pace:
    """How long to wait for what, in seconds; the tests hurry."""

    __slots__ = (
        "age_s",
        "background_s",
        "decision_s",
        "foreground_s",
        "message_age_s",
        "poll_s",
        "waits",
    )

    def __init__(
        self,
        *,
        decision_s: float = 10.0,
        message_age_s: float = 30.0,
        foreground_s: float = 60.0,
        background_s: float = 190.0,
        poll_s: float = 1.0,
        age_s: float | None = None,
        waits: bool = False,
    ) -> None:
        self.decision_s = decision_s  # wait for the first entry's decision
        self.message_age_s = (
            message_age_s  # how old a stop must be before a model is asked whether it is stuck
        )
        self.foreground_s = foreground_s  # for everything, where somebody waits
        self.background_s = (
            background_s  # the same where nobody does; below the host's limit for this entry
        )
        self.poll_s = poll_s  # between two looks whether the person has gone on
        self.age_s = age_s  # how old the stop is when this begins; None: as old as this process
        self.waits = waits  # the host waits for the answer, in the terminal UI too


def main(
    stdin: BinaryIO,
    stdout: TextIO,
    environ: Mapping[str, str],
    stderr: TextIO | None = None,
    pace: Pace | None = None,
) -> int:
    """
    Answer one Stop event. Returns 2 where the session is to go on, with the message on `stderr`; else 0.

    `--wait` among the arguments says that the host waits for this entry (`assess.mode: foreground`).
    """
    said: list[str] = []
    pace = pace or Pace(waits="--wait" in sys.argv)
    answer("Assess", stdin, stdout, environ, lambda event: _body(event, said, pace))
    if not said:
        return 0
    told = sys.stderr if stderr is None else stderr
    from ace_reflect.playbook.neutral import neutral_lines

    try:
        told.write(neutral_lines(said[0]) + "\n")
        told.flush()
    except (OSError, ValueError):
        return 0  # nobody is there to be woken
    return WAKE


def _body(event: Event, said: list[str], pace: Pace) -> Answer | None:
    if (
        event.state is None
        or not event.session_id
        or not event.transcript
        or event.text("agent_id")
    ):
        return None
    if not event.settings.review_enabled and (
        not event.settings.models or event.settings.assess_when == "never"
    ):
        return None
    # The host started this process at the stop, so the stop is as old as the process.
    started = claims.process_start(0.0) if pace.age_s is None else time.time() - pace.age_s
    decided = _decision(event, started, pace)
    if decided is None:
        event.log("no-decision")
        return None
    decision, needs_model = decided
    if decision != "allow" or not needs_model:
        return None
    from ace_reflect.hooks.assess_stop import assess_event

    woken = assess_event(event, started, pace)
    if woken.message:
        said.append(woken.message)
    return woken.answer


def _decision(event: Event, started: float, pace: Pace) -> tuple[str, bool] | None:
    """
    The first entry's decision on this stop, as soon as it is there; None where it does not come in time. One from before
    `started` is about an earlier stop with an equal payload.
    """
    key = claims.stop_key("Stop", event.raw)
    end = time.monotonic() + pace.decision_s
    while True:
        found = stops.get(event.db, key, since=started - _SLACK_S)
        if found is not None:
            return found[0], found[1]
        if time.monotonic() >= end:
            return None
        time.sleep(0.03)
