"""
PreCompact: finished turns go to the queue before the conversation is summed up. The open turn waits for its end.

What is to be said after the compaction is worked out meanwhile, by a process that is not waited for. Nothing is said
here: this event's stdout becomes instructions for the summary.
"""

import json
import time
from functools import partial

from ace_reflect.hooks.edge import Event, answer
from ace_reflect.state import cache

#: `cache` kind, by session, as JSON: `begun`: what set the compaction off, and when, which tells it from the next one
#: ("auto 17…"); and what SessionStart(`compact`) says, once that is known: `note` to the model, `line` to the person.
NOTE = "compaction-note"


def _body(event: Event) -> None:
    if event.transcript:
        event.touch()
        begun = f"{event.text('trigger')} {time.time()}"
        told = json.dumps({"begun": begun}).encode()
        cache.put(event.state, NOTE, event.session_id, "", told)
        event.queue("pre_compact", final=False)
        given = {"session": event.session_id, "transcript": event.transcript}
        given |= {"project": event.project, "begun": begun}
        event.to_start.append(("ace_reflect.hooks.compaction_note", given))
        event.log("queued" if event.wants_worker else "learning-off")


main = partial(answer, "PreCompact", _body)
