"""The Reflector: what happened in a session, and what the key points did."""

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.llm.json_reply import every_object, object_in
from ace_reflect.llm.port import Model, Reply, Request, as_data, fill
from ace_reflect.log import save_diagnostic
from ace_reflect.playbook.model import bare_id
from ace_reflect.playbook.render import format_playbook
from ace_reflect.playbook.votes import TAGS
from ace_reflect.text import without_private

Result = dict[str, Any]  # {"analysis": str, "bullet_tags": [{"name", "tag", "rationale"}, …]}

NO_KEY_POINTS = "(empty: there are no key points yet)"
DEFAULT_MODEL = "claude-sonnet-5"  # if none is named
TEXT: Mapping[str, Any] = {"type": "string"}


def answer_schema(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with exactly these properties, for providers that can hold a model to one."""
    form = {"type": "object", "properties": dict(properties), "required": list(properties)}
    return {**form, "additionalProperties": False}


_TAG = {"name": TEXT, "tag": {"type": "string", "enum": list(TAGS)}, "rationale": TEXT}
_TAG_LIST = {"type": "array", "items": answer_schema(_TAG)}
SCHEMA = answer_schema({"analysis": TEXT, "bullet_tags": _TAG_LIST})


async def run_reflector(
    messages: list[dict[str, Any]], playbook: dict[str, Any], cited_ids: list[str]
) -> Result:
    """`{"analysis": str, "bullet_tags": [{"name", "tag", "rationale"}, …]}`; on any failure both empty.

    Asks the Anthropic API, with key, base URL and model from the environment. Never raises; a cancellation and ^C go
    through. Source: REQ-REFL-003 to REQ-REFL-006, REQ-REFL-008, INV-REFL-002.
    """
    try:
        text, shown = transcript_text(list(messages)), format_playbook(playbook)
        request = reflector_request(text, shown, cited_ids or ())
        return read_reflection(await anthropic_model().ask(request))
    except Exception as error:  # noqa: BLE001 - INV-REFL-002: nothing reaches the caller
        save_diagnostic(f"run_reflector failed: {type(error).__name__}: {error}", "reflector_error")
        return {"analysis": "", "bullet_tags": []}


def reflector_request(
    transcript: str, playbook_text: str, cited_ids: Iterable[str], *, facts: str = ""
) -> Request:
    """The request. `facts`: the evidence, one per line. All text is data: our delimiters in it are disarmed."""
    values = {
        "transcript": f"{facts_block(facts)}<transcript>\n{as_data(transcript)}\n</transcript>",
        "playbook": as_data(playbook_text) or NO_KEY_POINTS,
        "cited_ids": as_data(", ".join(map(str, cited_ids))) or "(none)",
    }
    prompt = fill(paths.load_template("reflector.txt"), values)
    return Request(prompt, paths.load_template("system.txt"), schema=SCHEMA, role="reflector")


def facts_block(facts: str) -> str:
    return f"<facts>\n{as_data(facts.strip())}\n</facts>\n\n" if facts.strip() else ""


def read_reflection(reply: Reply) -> Result:
    """The reflection in a reply. Raises ModelReplyInvalid if there is none."""
    found = object_in(reply, "analysis", "bullet_tags")
    if not {"analysis", "bullet_tags"} & found.keys():
        # One stray quote in the analysis spoils the object; the votes after it are still intact objects.
        found = {"bullet_tags": [other for other in every_object(reply.text) if "tag" in other]}
    analysis, tags = _clean(found.get("analysis")), clean_tags(found.get("bullet_tags"))
    if not analysis and not tags:
        raise ModelReplyInvalid('the object has neither "analysis" nor "bullet_tags"')
    return {"analysis": analysis, "bullet_tags": tags}


def clean_tags(tags: Any) -> list[dict[str, Any]]:
    """The well-formed tags, as they are; `Helpful` and `[pat-001]` are corrected. Those without an id or a known tag are dropped."""
    cleaned = []
    for row in tags if isinstance(tags, list) else []:
        given = row if isinstance(row, dict) else {}
        name, tag = bare_id(_clean(given.get("name"))), _clean(given.get("tag")).strip().lower()
        if name and tag in TAGS:
            rationale = _clean(given.get("rationale"))
            cleaned.append({**given, "name": name, "tag": tag, "rationale": rationale})
    return cleaned


def _clean(text: Any) -> str:
    """A text without lone surrogates, which JSON may carry but no file can; "" for anything else."""
    return text.encode("utf-8", "replace").decode("utf-8") if isinstance(text, str) else ""


def transcript_text(messages: Iterable[Any]) -> str:
    """`[n] role:`, or `[line n] speaker:` if a message has them, and its content without private parts."""
    parts = []
    for number, message in enumerate(messages, 1):
        given = message if isinstance(message, Mapping) else {}
        content = without_private(_content_text(given.get("content"))).strip()
        if content:
            place = f"line {given['line']}" if isinstance(given.get("line"), int) else number
            speaker = given.get("speaker") or given.get("role", "unknown")
            parts.append(f"[{place}] {speaker}:\n{content}")
    return as_data("\n\n".join(parts))


def _content_text(content: Any) -> str:
    """The text of a message's blocks, or of one of them; calls and results are marked as such."""
    if isinstance(content, list):
        return "\n".join(filter(None, map(_content_text, content)))
    given = content if isinstance(content, Mapping) else {"text": content}
    kind, text = given.get("type"), given.get("text")
    if kind == "tool_use":
        called = json.dumps(given.get("input"), ensure_ascii=False, default=str)
        return f"(calls {given.get('name')}) {called}"
    if kind == "tool_result":
        failed = ", failed" if given.get("is_error") else ""
        return f"(result{failed}) {_content_text(given.get('content'))}"
    if kind == "thinking":
        return f"(thinks) {given.get('thinking', '')}"
    return text if isinstance(text, str) else f"({kind})" if kind else ""


def anthropic_model() -> Model:
    """`AGENTIC_CONTEXT_MODEL`, `ANTHROPIC_MODEL`, `ANTHROPIC_DEFAULT_SONNET_MODEL`, else the first `anthropic/…` of
    the person's own `models:`, else the current Sonnet. A fault in the configuration must not cost the votes.
    """
    from ace_reflect import config
    from ace_reflect.llm.port import ANTHROPIC_MODELS, first_set
    from ace_reflect.llm.registry import model_for

    environ = os.environ
    found = config.load(paths.project_dir(environ), paths.home(environ), environ)
    listed = (spec for spec in found.settings.models if spec.startswith("anthropic/"))
    name = first_set(environ, ANTHROPIC_MODELS)[1] or next(listed, DEFAULT_MODEL)
    return model_for(f"anthropic/{name.removeprefix('anthropic/')}", found, environ)
