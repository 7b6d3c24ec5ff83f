"""
The process that PreCompact starts and nobody waits for: it writes down what SessionStart(`compact`) will say.

First the rules' word, within the second; then, where a model is configured, the fast model's over it. What is ready only
after the next compaction has begun is dropped.
"""

import json
import time
from collections.abc import Mapping
from typing import Any

from ace_reflect import log
from ace_reflect.assess import compaction
from ace_reflect.assess.role import asker_for
from ace_reflect.assess.work import read_turn
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.hooks.edge import read_object
from ace_reflect.hooks.pre_compact import NOTE
from ace_reflect.llm import event_loop
from ace_reflect.project.read import read_project
from ace_reflect.state import cache
from ace_reflect.state.db import State
from ace_reflect.state.processes import run_alone
from ace_reflect.transcript.records import AssistantText

LIFETIME_S = 90  # whatever it does
ANSWER_S = 60.0  # a summary is rarely written for longer


def main() -> int:
    """Write the note of one compaction; what PreCompact gives comes as JSON on stdin. Returns 0."""
    return run_alone("compaction", write_note, lifetime_s=LIFETIME_S)


def write_note(state: State, given: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    """Write down the rules' word, then the model's where it differs, unless another compaction has begun by then."""
    session, project, transcript = given["session"], given["project"], given["transcript"]
    asker = asker_for(state, project, environ, session=session, ends=time.monotonic() + ANSWER_S)
    ledger = read_ledger(transcript, final=False)
    judgement = judge_stop(ledger, read_project(project), asker.config.settings)
    first = ledger.turns[-1].line if ledger.turns else 0
    turn = read_turn(transcript, first, ledger.lines)
    # The agent's last text, which in the middle of a turn is no final one.
    said = [one.text.strip() for one in turn if isinstance(one, AssistantText)]
    words = next(filter(None, reversed(said)), "")
    begun, trigger = given["begun"], given["begun"].partition(" ")[0]

    def written(action: compaction.Action) -> bool:
        note = asker.clean(compaction.message(action, ledger, judgement, trigger=trigger))
        told = {"begun": begun, "note": note, "line": compaction.line_for_person(action)}
        with state.transaction():
            kept = read_object(cache.get(state, NOTE, session, "")) or {}
            ours: bool = kept.get("begun") == begun
            if ours:
                cache.put(state, NOTE, session, "", json.dumps(told).encode())
        return ours

    action = compaction.by_rules(ledger, judgement, words)
    in_time = written(action)
    if in_time and asker.models and asker.config.settings.assess_when != "never":
        more = {"last_words": words, "trigger": trigger}
        action = event_loop.run(compaction.ask_action(asker, ledger, judgement, **more))
        in_time = action.rule or written(action)
    decision = action.action if in_time else "superseded"
    by = "rule" if action.rule else "model"
    log.write(state.home_dir, "compaction", session=session, decision=decision, by=by)
