"""
The Reflector: what happened in a session, and what the key points did.

`run_reflector` is the specification's: the Anthropic API, the specified result or the empty one, never an exception.
`reflect` is the pipeline's: any model of the chain, usage on record, a second ask when the reply is no JSON.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ace_reflect.learning.messages import transcript_text
from ace_reflect.llm.chain import Answer, chain_of
from ace_reflect.llm.json_reply import every_object, object_in
from ace_reflect.llm.port import Model, ModelReplyInvalid, Reply, Request
from ace_reflect.llm.template import as_data, fill
from ace_reflect.log import save_diagnostic
from ace_reflect.paths import load_template
from ace_reflect.playbook.model import bare_id, id_parts
from ace_reflect.playbook.tags import TAGS

NONE_CITED = "(none)"
NO_KEY_POINTS = "(empty: there are no key points yet)"

#: The answer's form, for providers that can hold a model to one.
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "analysis": {"type": "string"},
        "bullet_tags": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "tag": {"type": "string", "enum": list(TAGS)},
                    "rationale": {"type": "string"},
                },
                "required": ["name", "tag", "rationale"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["analysis", "bullet_tags"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Reflection:
    """`tags` are `{"name", "tag", "rationale"}` in the reply's order; one id may come twice."""

    analysis: str
    tags: tuple[Mapping[str, Any], ...] = ()

    def as_result(self) -> dict[str, Any]:
        """The specification's form (REQ-REFL-004)."""
        return {"analysis": self.analysis, "bullet_tags": [dict(tag) for tag in self.tags]}


async def run_reflector(
    messages: list[dict[str, Any]], playbook: dict[str, Any], cited_ids: list[str]
) -> dict[str, Any]:
    """
    `{"analysis": str, "bullet_tags": [{"name", "tag", "rationale"}, …]}`; on any failure both empty.

    Asks the Anthropic API, with key, base URL and model from the environment. Never raises; a cancellation and ^C go
    through. Source: REQ-REFL-003 to REQ-REFL-006, REQ-REFL-008, INV-REFL-002.
    """
    try:
        from ace_reflect.learning.whom import anthropic_model
        from ace_reflect.playbook.render import format_playbook

        request = reflector_request(
            _transcript(messages), format_playbook(playbook), cited_ids or ()
        )
        reply = await anthropic_model(os.environ).ask(request)
        return _read(object_in(reply), reply.text).as_result()
    except Exception as error:  # noqa: BLE001 - INV-REFL-002: nothing reaches the caller
        save_diagnostic(f"run_reflector failed: {type(error).__name__}: {error}", "reflector_error")
        return {"analysis": "", "bullet_tags": []}


async def reflect(
    model: Model,
    transcript: str,
    playbook_text: str,
    cited_ids: Sequence[str],
    *,
    facts: str = "",
) -> Answer[Reflection]:
    """
    The reflection on a transcript that is already text and fits (`learning.fit`).

    `facts`: the outcome evidence, a line each with its line number. Raises ModelUnavailable or ModelReplyInvalid.
    """
    request = reflector_request(transcript, playbook_text, cited_ids, facts=facts)
    return await chain_of(model).answer(request, read_reflection)


def reflector_request(
    transcript: str, playbook_text: str, cited_ids: Iterable[str], *, facts: str = ""
) -> Request:
    """The question as it is asked. Its text is data to the model: our own delimiters in it are made harmless."""
    ids = ", ".join(str(cited) for cited in cited_ids)
    prompt = fill(
        load_template("reflector.txt"),
        {
            "transcript": f"{facts_block(facts)}<transcript>\n{as_data(transcript)}\n</transcript>",
            "playbook": as_data(playbook_text) or NO_KEY_POINTS,
            "cited_ids": as_data(ids) or NONE_CITED,
        },
    )
    return Request(prompt, load_template("system.txt"), schema=SCHEMA, role="reflector")


def facts_block(facts: str) -> str:
    return f"<facts>\n{as_data(facts.strip())}\n</facts>\n\n" if facts.strip() else ""


def read_reflection(reply: Reply) -> Reflection:
    """The reflection in a reply. Raises ModelReplyInvalid for one that holds none."""
    reflection = _read(object_in(reply, "analysis", "bullet_tags"), reply.text)
    if not reflection.analysis and not reflection.tags:
        raise ModelReplyInvalid('the object has neither "analysis" nor "bullet_tags"')
    return reflection


def _read(found: dict[str, Any], text: str) -> Reflection:
    tags = found.get("bullet_tags", [])
    if "analysis" not in found and "bullet_tags" not in found:
        # One stray quote in the analysis spoils the whole; the votes after it are still whole objects.
        tags = [other for other in every_object(text) if "tag" in other]
    analysis = found.get("analysis", "")
    return Reflection(_clean(analysis) if isinstance(analysis, str) else "", clean_tags(tags))


def clean_tags(tags: Any) -> tuple[Mapping[str, Any], ...]:
    """
    The well-formed tags, as they are. `Helpful`, `[pat-001]`, the older names of the fields (`id`, `rating`) and tags by
    id (`{"pat-001": "helpful"}`) are put right; what has no id or no known tag is dropped.
    """
    if isinstance(tags, dict):
        by_id = [(name, tag) for name, tag in tags.items() if id_parts(bare_id(str(name)))]
        tags = [
            {"name": name, **(tag if isinstance(tag, dict) else {"tag": tag})}
            for name, tag in by_id
        ]
    rows = (
        _clean_tag(row) for row in (tags if isinstance(tags, list) else []) if isinstance(row, dict)
    )
    return tuple(row for row in rows if row is not None)


def _clean_tag(row: dict[str, Any]) -> dict[str, Any] | None:
    name, tag, rationale = (
        row.get("name", row.get("id")),
        row.get("tag", row.get("rating")),
        row.get("rationale", ""),
    )
    if not isinstance(name, str) or not isinstance(tag, str):
        return None
    name, tag = bare_id(_clean(name)), tag.strip().lower()
    if not name or tag not in TAGS:
        return None
    rest = {key: value for key, value in row.items() if key not in {"id", "rating"}}
    return {
        **rest,
        "name": name,
        "tag": tag,
        "rationale": _clean(rationale) if isinstance(rationale, str) else "",
    }


def _clean(text: str) -> str:
    """Without lone surrogates, which JSON may carry and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _transcript(messages: Any) -> str:
    if not isinstance(messages, (list, tuple)):
        raise TypeError(f"messages are a list, not {type(messages).__name__}")
    return transcript_text(messages)
