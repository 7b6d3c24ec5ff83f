"""
The process that PreCompact starts and nobody waits for: it writes down what SessionStart(`compact`) will say.

First the rules' word, within the second; then, where a model is configured, the fast model's over it. What is ready only
after the next compaction has begun is dropped.
"""

import time
from collections.abc import Mapping
from typing import Any

from ace_reflect import log
from ace_reflect.assess import compaction
from ace_reflect.errors import AceReflectError
from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.ledger import read_ledger
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import Judgement
from ace_reflect.hooks.pre_compact import LINE, NOTE, begun
from ace_reflect.project.infer import infer_project, merge
from ace_reflect.project.read import read_project
from ace_reflect.redact import configured, redact
from ace_reflect.settings import Settings, for_hooks
from ace_reflect.state import cache
from ace_reflect.state.alone import run_alone
from ace_reflect.state.db import State
from ace_reflect.transcript.reader import TranscriptReader
from ace_reflect.transcript.records import AssistantText

LIFETIME_S = 90  # whatever it does
ANSWER_S = 60.0  # a summary is rarely written for longer


def main() -> int:
    """Write the note of one compaction; its facts come as JSON on stdin. Returns 0."""
    return run_alone("compaction", write_note, lifetime_s=LIFETIME_S)


def write_note(state: State, given: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    """`given`: session, transcript, project, trigger, and `begun`, which tells this compaction from the next."""
    session, trigger = str(given["session"]), str(given["trigger"])
    started = time.monotonic()
    project = str(given["project"])
    settings = for_hooks(project, state.home_dir, environ, state)
    ledger, judgement, words = _read(str(given["transcript"]), project, settings)
    ruled = compaction.by_rules(ledger, judgement, words)
    own = configured(settings.redaction_patterns)

    def clean(text: str) -> str:
        return redact(text, environ, patterns=own)

    if not _write(
        state, given, ruled, clean(compaction.message(ruled, ledger, judgement, trigger=trigger))
    ):
        log.write(state.home_dir, "compaction", session=session, decision="superseded")
        return
    action = _asked(state, given, environ, ledger, judgement, words)
    if action is not None and not action.rule:
        _write(
            state,
            given,
            action,
            clean(compaction.message(action, ledger, judgement, trigger=trigger)),
        )
    chosen = action or ruled
    log.write(
        state.home_dir,
        "compaction",
        session=session,
        decision=chosen.action,
        by="rule" if chosen.rule else "model",
        ms=round((time.monotonic() - started) * 1000),
    )


def _read(transcript: str, project: str, settings: Settings) -> tuple[Ledger, Judgement, str]:
    ledger = read_ledger(transcript, final=False)
    judgement = judge_stop(ledger, merge(read_project(project), infer_project(ledger)), settings)
    return ledger, judgement, last_words(transcript, ledger)


def last_words(transcript: str, ledger: Ledger) -> str:
    """The agent's last text, which in the middle of a turn is no final one."""
    first = ledger.turns[-1].line if ledger.turns else 0
    said = ""
    for record in TranscriptReader(transcript, progress=False):
        if (
            isinstance(record, AssistantText)
            and record.line >= first
            and not record.sidechain
            and record.text.strip()
        ):
            said = record.text
    return said


def _asked(
    state: State,
    given: Mapping[str, Any],
    environ: Mapping[str, str],
    ledger: Ledger,
    judgement: Judgement,
    words: str,
) -> compaction.Action | None:
    """The fast model's word; None where nobody is to be asked."""
    from ace_reflect.assess.asker import asker_for

    try:
        asker = asker_for(
            state,
            str(given["project"]),
            environ,
            session=str(given["session"]),
            ends=time.monotonic() + ANSWER_S,
        )
    except AceReflectError:
        return None
    if not asker.models or asker.config.settings.assess_when == "never":
        return None
    from ace_reflect.llm import event_loop

    return event_loop.run(
        compaction.ask_action(
            asker, ledger, judgement, last_words=words, trigger=str(given["trigger"])
        )
    )


def _write(state: State, given: Mapping[str, Any], action: compaction.Action, text: str) -> bool:
    """Keep the note, unless another compaction has begun; False then."""
    session = str(given["session"])
    with state.transaction():
        if begun(state, session) != given["begun"]:
            return False
        cache.put(state, NOTE, session, "", text.encode("utf-8", "replace"))
        cache.put(state, LINE, session, "", compaction.line_for_person(action).encode())
    return True
