"""What models answer: an object or none, every field of its kind, and secrets out of whatever they saw."""

import contextlib
import json
from typing import Any

from hypothesis import strategies as st

from ace_reflect.assess.answers import Assessment, CompactionAnswer, JudgeAnswer, StopKindAnswer
from ace_reflect.assess.review import ReviewAnswer
from ace_reflect.assess.role import read_answer
from ace_reflect.assess.routing import RoutingAnswer
from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.learning.curator import read_curation
from ace_reflect.learning.reflector import TAGS, read_reflection
from ace_reflect.llm.json_reply import extract_json, extract_object_with
from ace_reflect.llm.port import Reply, as_data
from ace_reflect.playbook.change import apply_operations
from ace_reflect.redact import redact
from ace_reflect.text import without_private
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, spoils, spoilt, texts
from support.playbooks import playbook, point

_REPLIES: tuple[dict[str, Any], ...] = (
    {"status": "complete", "confidence": "90%", "task_summary": "x", "tests": {"ran": "yes", "results": "pass", "ran_after_changes": True, "commands": ["pytest -q"]},
     "build": {"ran": False}, "pr": {"created": True, "url": "https://github.com/o/r/pull/1", "ci_status": "pending"}, "remaining_work": ["- [ ] a", "none"], "next_steps": "a\nb"},
    {"status": "in_progress", "confidence": 0.2, "evidence": {"tests": {"ran": False}}, "tests_ran": True, "needs_user_action": ["log in"], "stuck": "no"},
    {"complete": False, "severity": "high", "feedback": "Run them.", "missing": ["tests"], "next_actions": [{"action": "pytest"}], "requires_human_action": 0},
    {"kind": "waiting_for_user", "confidence": 0.9, "why": "asks"}, {"reason": "working", "explanation": "x"}, {"action": "continue_task", "confidence": "high", "current_work": "x"},
    {"category": "backend", "confidence": 0.7, "why": "api"},
    {"verdict": "request_changes", "summary": "x", "findings": [{"path": "a.py", "line": "12-15", "severity": "critical", "problem": "p", "fix": "f"}, {"file": "b", "issue": "q"}]},
    {"analysis": "x", "bullet_tags": [{"name": "pat-001", "tag": "Helpful", "rationale": "r"}, {"name": "[mis-002]", "tag": "harmful"}]},
    {"reasoning": "x", "operations": [{"op": "ADD", "section": "OTHERS", "text": "t"}, {"type": "DELETE", "target_id": "pat-001"}, {"op": "MERGE", "source_ids": ["pat-001", "pat-002"], "merged_text": "m"}]},
)  # fmt: skip
_AROUND = (
    "{}", "```json\n{}\n```", "Here it is:\n```\n{}\n```\nDone.", "I think {{x}} and\n{}", "{}\n{}",
    "```json\n{}", "<answer>{}</answer>", "[{}]", '"{}"', "{{'a': 1}} {}", "// c\n{}", "{},",
    "data: {}\n\n",
)  # fmt: skip
KINDS = (Assessment, JudgeAnswer, StopKindAnswer, CompactionAnswer, RoutingAnswer, ReviewAnswer)

objects = st.builds(spoilt, st.sampled_from(_REPLIES), st.lists(spoils, max_size=4))


def _reply(said: str, around: str, damage: list[Any]) -> str:
    text = around.replace("{}", said).replace("{{", "{").replace("}}", "}")
    return broken(text.encode("utf-8", "surrogatepass"), damage).decode("utf-8", "replace")


_said = st.one_of(
    objects.map(json.dumps),
    objects.map(lambda data: json.dumps(data, ensure_ascii=False, indent=2)),
    texts,
)
sayings = st.builds(_reply, _said, st.sampled_from(_AROUND), st.lists(breaks, max_size=2))
replies = st.builds(lambda said: Reply(said, "m"), sayings)
_wanted = st.sampled_from(("status", "operations", "kind"))


def _strict(data: Any) -> str | None:
    """As JSON, None where it holds what JSON does not."""
    try:
        return json.dumps(data, allow_nan=False)
    except ValueError:
        return None


@fuzzed("JSON in replies", 80, 9_000, said=sayings, wanted=_wanted)
def test_a_reply_holds_an_object_or_none(said, wanted) -> None:
    found = extract_json(said)
    assert found is None or isinstance(found, dict)
    assert repr(extract_json(said)) == repr(found)
    # It reads what is only nearly JSON too: a line separator between brace and key.
    assert extract_object_with(said, wanted) is not None or found is None
    if found is not None and (again := _strict(found)) is not None:
        assert extract_json(again) == found


@fuzzed("answers", 80, 10_000, reply=replies, kind=st.sampled_from(KINDS))
def test_every_answer_is_of_its_form_or_refused(reply, kind) -> None:
    try:
        found = read_answer(kind, reply)
    except ModelReplyInvalid as refused:
        said = str(refused)
        assert said
        return
    written = found.model_dump_json().encode()
    assert kind.model_validate_json(written) == found
    confidence = getattr(found, "confidence", None)
    assert confidence is None or 0 <= confidence <= 1
    assert confidence is not None or kind is not Assessment
    for name in ("remaining_work", "missing", "next_actions", "next_steps"):
        items = getattr(found, name, [])
        assert len(items) <= 20
        assert all(item.strip() and len(item) <= 400 for item in items)
    for one in found.findings if isinstance(found, ReviewAnswer) else ():
        assert one.path
        assert one.problem
        assert one.line is None or one.line > 0


@fuzzed("votes and operations in replies", 50, 6_000, reply=replies)
def test_votes_and_operations_are_of_their_form(reply) -> None:
    with contextlib.suppress(ModelReplyInvalid):
        reflection = read_reflection(reply)
        for tag in reflection["bullet_tags"]:
            assert tag["name"].strip()
            assert tag["tag"] in TAGS
            assert isinstance(tag["rationale"], str)
        reflection["analysis"].encode()
    with contextlib.suppress(ModelReplyInvalid):
        rows = read_curation(reply)["operations"]
        book = playbook(point("pat-001"), point("pat-002", "other words"))
        _, outcomes, _ = apply_operations(book, rows)
        assert len(outcomes) == len(rows)
        json.dumps([outcome.to_json() for outcome in outcomes])


# ------------------------------------------------------------------ secrets


_WORDS = ("password=", "api_key: ", '"token": "', "Authorization: Bearer ", "sk-ant-", "ghp_", "AKIA", "-----BEGIN ", "RSA PRIVATE KEY-----", "-----END ", "://u:", "@h", "eyJ", ".", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7", "\n", '"', "'", "\\", " ", "<private>", "</private>", "[REDACTED:assigned]", "secret", "=", ":", "--token ", "cookie: ", "None", "${X}")  # fmt: skip
_word = st.sampled_from(_WORDS)
secretive = st.lists(st.one_of(_word, _word, texts), max_size=10).map("".join)
_variables = st.dictionaries(
    st.sampled_from(("X_TOKEN", "SECRET", "PATH")),
    secretive.filter(lambda value: "REDACTED" not in value),
    max_size=2,
)


@fuzzed("redactions", 80, 9_000, text=secretive, environ=_variables)
def test_what_is_redacted_stays_as_it_is(text, environ) -> None:
    """Twice is once: nothing of ours is taken for a secret, and no secret shows only after another is gone."""
    once = redact(text, environ)
    assert redact(once, environ) == once
    private = without_private(text)
    assert without_private(private) == private
    assert private == text or "<private>" in text.lower()
    as_data(text)
