"""SubagentStop: a subagent that is about to report, and leaves the tests of its own edits red without a word, is told so once."""

import os

from ace_reflect.hooks.edge import Event, Json, hook
from ace_reflect.hooks.stop import wait_for_answer


@hook("SubagentStop")
def main(event: Event) -> Json | None:
    path, own = event.text("agent_transcript_path"), event.text("last_assistant_message")
    # At a compaction the host names a file that is not there.
    if event.payload.get("stop_hook_active") or not own or not os.path.isfile(path):
        return None
    if not wait_for_answer(event, path):
        event.log("transcript-behind")
        return None
    from ace_reflect.hooks.judge import judge_subagent

    reason = judge_subagent(event, os.path.basename(path), own)
    event.log("block" if reason else "allow")
    return {"decision": "block", "reason": reason} if reason else None
