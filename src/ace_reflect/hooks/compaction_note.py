"""A process that PreCompact starts and nobody waits for: what SessionStart(`compact`) will say, by rules, then by the fast model."""

import time
from collections.abc import Mapping
from typing import Any

from ace_reflect import log
from ace_reflect.assess import compaction
from ace_reflect.assess.role import asker_for
from ace_reflect.assess.subject import read_turn
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.hooks.pre_compact import NOTE, SAID
from ace_reflect.llm import event_loop
from ace_reflect.playbook.neutral import neutral_lines
from ace_reflect.project.read import read_project
from ace_reflect.state import cache
from ace_reflect.state.db import State
from ace_reflect.state.processes import run_alone
from ace_reflect.transcript.records import AssistantText


def main() -> int:
    """Write the note of one compaction; what PreCompact gives comes as JSON on stdin. Returns 0."""
    return run_alone("compaction", write_note, lifetime_s=90)


def write_note(state: State, given: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    """Write down the rules' word, then the model's."""
    session, project, transcript = given["session"], given["project"], given["transcript"]
    ends = time.monotonic() + 60.0  # a summary is rarely written for longer
    asker = asker_for(state, project, environ, session=session, ends=ends)
    ledger = read_ledger(transcript, final=False)
    judgement = judge_stop(ledger, read_project(project), asker.config.settings)
    turn = read_turn(transcript, ledger.now.line, ledger.lines)
    # The agent's last text, which in the middle of a turn is no final one.
    said = [one.text.strip() for one in turn if isinstance(one, AssistantText)]
    words = next(filter(None, reversed(said)), "")

    def write(action: compaction.Action) -> None:
        note = asker.clean(compaction.message(action, ledger, judgement, trigger=given["trigger"]))
        if cache.identity_of(state, NOTE, session) != SAID:
            cache.put(state, NOTE, session, "", neutral_lines(note).encode("utf-8", "replace"))

    action = compaction.by_rules(ledger, judgement, words)
    write(action)
    if asker.models and asker.config.settings.assess_when != "never":
        more = {"last_words": words, "trigger": given["trigger"]}
        action = event_loop.run(compaction.ask_action(asker, ledger, judgement, **more))
        write(action)
    by = "rule" if action.rule else "model"
    log.write(state.home_dir, "compaction", session=session, decision=action.action, by=by)
