"""
The Curator: what the playbook gains, loses or says better after a reflection.

`run_curator` asks the Anthropic API and never raises; `curate` is the pipeline's, with any model of the chain.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ace_reflect.learning.reflector import NO_KEY_POINTS, facts_block
from ace_reflect.llm.chain import Answer, chain_of
from ace_reflect.llm.json_reply import every_object, object_in
from ace_reflect.llm.port import Model, ModelReplyInvalid, Reply, Request
from ace_reflect.llm.template import as_data, fill
from ace_reflect.log import save_diagnostic
from ace_reflect.paths import load_template

_TEXT = {"type": "string"}
#: One loose shape for all four operations: held to four strict ones a model errs more often, and each is checked anyway.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "reasoning": _TEXT,
        "operations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "op": {"type": "string", "enum": ["ADD", "UPDATE", "DELETE", "MERGE"]},
                    "section": _TEXT,
                    "text": _TEXT,
                    "target_id": _TEXT,
                    "source_ids": {"type": "array", "items": _TEXT},
                    "merged_text": _TEXT,
                    "source": {"type": "string", "enum": ["user", "outcome", "read"]},
                    "quote": _TEXT,
                    "line": {"type": "integer"},
                    "reason": _TEXT,
                },
                "required": ["op"],
            },
        },
    },
    "required": ["reasoning", "operations"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Curation:
    """`operations` as the model wrote them; `playbook.change` judges each one."""

    reasoning: str
    operations: tuple[Mapping[str, Any], ...] = ()

    def as_result(self) -> dict[str, Any]:
        return {
            "reasoning": self.reasoning,
            "operations": [dict(operation) for operation in self.operations],
        }


async def run_curator(reflector_output: dict[str, Any], playbook: dict[str, Any]) -> dict[str, Any]:
    """`{"reasoning": str, "operations": [{"op", …}, …]}`; on any failure both empty. Never raises."""
    try:
        from ace_reflect.learning.whom import anthropic_model
        from ace_reflect.playbook.render import render_sections

        request = curator_request(_output(reflector_output), render_sections(playbook))
        reply = await anthropic_model(os.environ).ask(request)
        return _read(object_in(reply), reply.text).as_result()
    except Exception as error:  # noqa: BLE001 - the learning goes on with the votes alone
        save_diagnostic(f"run_curator failed: {type(error).__name__}: {error}", "curator_error")
        return {"reasoning": "", "operations": []}


async def curate(
    model: Model, reflection: Mapping[str, Any], playbook_text: str, *, facts: str = ""
) -> Answer[Curation]:
    """
    The operations for a reflection (`Reflection.as_result()`). `playbook_text`: its rendered sections.

    Raises ModelUnavailable or ModelReplyInvalid.
    """
    request = curator_request(reflection, playbook_text, facts=facts)
    return await chain_of(model).answer(request, read_curation)


def curator_request(
    reflection: Mapping[str, Any], playbook_text: str, *, facts: str = ""
) -> Request:
    shown = as_data(json.dumps(reflection, ensure_ascii=False, indent=1, default=str))
    prompt = fill(
        load_template("curator.txt"),
        {
            "reflector_output": f"{facts_block(facts)}<reflection>\n{shown}\n</reflection>",
            "playbook": as_data(playbook_text) or NO_KEY_POINTS,
        },
    )
    return Request(prompt, load_template("system.txt"), schema=SCHEMA, role="curator")


def read_curation(reply: Reply) -> Curation:
    """The operations in a reply. Raises ModelReplyInvalid for one that holds none."""
    found = object_in(reply, "operations", "reasoning")
    curation = _read(found, reply.text)
    if not {"operations", "reasoning"} & found.keys() and not curation.operations:
        raise ModelReplyInvalid('the object has neither "operations" nor "reasoning"')
    return curation


def _read(found: dict[str, Any], text: str) -> Curation:
    operations = found.get("operations", [])
    if "operations" not in found and "reasoning" not in found:
        operations = [other for other in every_object(text) if "op" in other or "type" in other]
    rows = (
        [row for row in operations if isinstance(row, dict)] if isinstance(operations, list) else []
    )
    reasoning = found.get("reasoning", "")
    return Curation(reasoning if isinstance(reasoning, str) else "", tuple(rows))


def _output(reflector_output: Any) -> Mapping[str, Any]:
    if not isinstance(reflector_output, Mapping):
        raise TypeError(
            f"the reflector's output is an object, not {type(reflector_output).__name__}"
        )
    return reflector_output
