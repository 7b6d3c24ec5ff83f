"""The Curator: what to add to, remove from or reword in the playbook after a reflection."""

import json
from collections.abc import Mapping
from typing import Any

from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.learning import reflector
from ace_reflect.learning.reflector import NO_KEY_POINTS, TEXT, answer_schema, facts_block
from ace_reflect.llm.json_reply import every_object, object_in
from ace_reflect.llm.port import Reply, Request, as_data, fill
from ace_reflect.log import save_diagnostic
from ace_reflect.paths import load_template
from ace_reflect.playbook.render import render_sections

Result = dict[str, Any]  # {"reasoning": str, "operations": [{"op", …}, …]}

#: One loose shape for all four operations: models err more often with four strict ones, and each is checked anyway.
_OPERATION = {
    "op": {"type": "string", "enum": ["ADD", "UPDATE", "DELETE", "MERGE"]},
    **dict.fromkeys(("section", "text", "target_id", "merged_text", "quote", "reason"), TEXT),
    "source_ids": {"type": "array", "items": TEXT},
    "source": {"type": "string", "enum": ["user", "outcome", "read"]},
    "line": {"type": "integer"},
}
_ITEM = {"type": "object", "properties": _OPERATION, "required": ["op"]}
SCHEMA = answer_schema({"reasoning": TEXT, "operations": {"type": "array", "items": _ITEM}})


async def run_curator(reflector_output: dict[str, Any], playbook: dict[str, Any]) -> Result:
    """`{"reasoning": str, "operations": [{"op", …}, …]}`; on any failure both empty. Asks the Anthropic API; never raises."""
    try:
        request = curator_request(dict(reflector_output), render_sections(playbook))
        return read_curation(await reflector.anthropic_model().ask(request))
    except Exception as error:  # noqa: BLE001 - learning goes on with the votes alone
        save_diagnostic(f"run_curator failed: {type(error).__name__}: {error}", "curator_error")
        return {"reasoning": "", "operations": []}


def curator_request(
    reflection: Mapping[str, Any], playbook_text: str, facts: str = "", instructions: str = ""
) -> Request:
    """The request about a reflection. `playbook_text`: its rendered sections."""
    shown = as_data(json.dumps(reflection, ensure_ascii=False, indent=1, default=str))
    values = {
        "reflector_output": f"{facts_block(facts)}<reflection>\n{shown}\n</reflection>",
        "playbook": as_data(playbook_text) or NO_KEY_POINTS,
        "instructions": as_data(instructions.strip()) or "(none)",
    }
    prompt = fill(load_template("curator.txt"), values)
    return Request(prompt, load_template("system.txt"), schema=SCHEMA, role="curator")


def read_curation(reply: Reply) -> Result:
    """The operations in a reply. Raises ModelReplyInvalid if there are none."""
    found = object_in(reply, "operations", "reasoning")
    if not {"operations", "reasoning"} & found.keys():
        rows = [one for one in every_object(reply.text) if "op" in one or "type" in one]
        if not rows:
            raise ModelReplyInvalid('the object has neither "operations" nor "reasoning"')
        return {"reasoning": "", "operations": rows}
    operations, reasoning = found.get("operations"), found.get("reasoning")
    listed = operations if isinstance(operations, list) else []
    rows = [row for row in listed if isinstance(row, dict)]
    return {"reasoning": reasoning if isinstance(reasoning, str) else "", "operations": rows}
