"""Stop, the second entry: the assessment by a model, where the first entry's decision on this very stop leaves something open.

Exit code 2 wakes the session with what stands on stderr: in the terminal UI the host runs this entry beside the person's
work (`asyncRewake`), in print mode it waits for it.
"""

import time

from ace_reflect.hooks.edge import Event, Json, hook
from ace_reflect.state import cache, processes

DECISION_S = 10.0  # how long the first entry's decision is waited for


@hook("Assess")
def main(event: Event) -> Json | None:
    asks = event.settings.models or event.settings.review_enabled
    if not (asks and event.transcript) or event.text("agent_id"):
        return None
    # The host starts both entries at the stop, so it is as old as this process, and the decision is not older.
    started = processes.began(0.0)
    end = time.monotonic() + DECISION_S
    while (needed := cache.needs_model(event.state, event.raw, since=started - 0.25)) is None:
        if time.monotonic() >= end:
            event.log("no-decision")
            return None
        time.sleep(0.03)
    if not needed:
        return None
    from ace_reflect.hooks.assess_stop import Assessment

    return Assessment(event, started).answer()
