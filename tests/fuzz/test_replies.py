"""What models answer: an object or none, every field of its kind, and secrets out of whatever they saw."""

import asyncio
import json
from typing import Any

from hypothesis import strategies as st

from ace_reflect.assess.answers import Assessment, CompactionAnswer, JudgeAnswer, StopKindAnswer
from ace_reflect.assess.review import ReviewAnswer
from ace_reflect.assess.role import Role, ask, read_answer
from ace_reflect.assess.routing import RoutingAnswer
from ace_reflect.errors import ModelReplyInvalid
from ace_reflect.learning.curator import read_curation
from ace_reflect.learning.reflector import TAGS, read_reflection
from ace_reflect.llm.chain import chain_of
from ace_reflect.llm.json_reply import extract_json, extract_object_with
from ace_reflect.llm.port import Reply
from ace_reflect.llm.template import as_data
from ace_reflect.playbook.change import apply_operations
from ace_reflect.redact import redact, without_private
from support.fake_model import FakeModel
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, json_values, spoils, spoilt, texts
from support.plants import KINDS as SECRETS
from support.plants import Plants
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
    "{}",
    "```json\n{}\n```",
    "Here it is:\n```\n{}\n```\nDone.",
    "I think {{x}} and\n{}",
    "{}\n{}",
    "```json\n{}",
    "<answer>{}</answer>",
    "[{}]",
    '"{}"',
    "{{'a': 1}} {}",
    "// c\n{}",
    "{},",
    "data: {}\n\n",
)
KINDS = (Assessment, JudgeAnswer, StopKindAnswer, CompactionAnswer, RoutingAnswer, ReviewAnswer)

objects = st.tuples(st.sampled_from(_REPLIES), st.lists(spoils, max_size=4)).map(
    lambda pair: spoilt(*pair)
)
replies = st.tuples(
    st.one_of(objects.map(json.dumps), objects.map(lambda data: json.dumps(data, ensure_ascii=False, indent=2)), texts),
    st.sampled_from(_AROUND),
    st.lists(breaks, max_size=2),
).map(lambda three: broken(three[1].replace("{}", three[0]).replace("{{", "{").replace("}}", "}").encode("utf-8", "surrogatepass"), three[2]).decode("utf-8", "replace"))  # fmt: skip


@fuzzed(
    "JSON in replies",
    short=120,
    long=9_000,
    said=replies,
    wanted=st.sampled_from(("status", "operations", "kind")),
)
def test_a_reply_holds_an_object_or_none(said: str, wanted: str) -> None:
    found = extract_json(said)

    assert found is None or isinstance(found, dict)
    assert repr(extract_json(said)) == repr(found)
    # It reads what is only nearly JSON too: a line separator between brace and key.
    assert found is None or extract_object_with(said, wanted) is not None
    if found is not None:
        try:
            again = json.dumps(found, allow_nan=False)
        except ValueError:
            return
        assert extract_json(again) == found


@fuzzed(
    "JSON kept in prose",
    short=60,
    long=4_000,
    data=st.dictionaries(texts, json_values, max_size=4),
    before=texts,
    after=texts,
)
def test_an_object_in_a_fence_comes_back_as_it_was(
    data: dict[str, Any], before: str, after: str
) -> None:
    try:
        written = json.dumps(data, allow_nan=False)
    except ValueError:
        return
    if "```" in written or "`" in before:
        return

    assert extract_json(f"{before}\n```json\n{written}\n```\n{after}") == data


@fuzzed(
    "answers",
    short=120,
    long=10_000,
    said=replies,
    data=objects | json_values,
    kind=st.sampled_from(KINDS),
    structured=st.booleans(),
)
def test_every_answer_is_of_its_form_or_refused(
    said: str, data: Any, kind: Any, structured: bool
) -> None:
    reply = Reply(said, "m", structured=data if structured and isinstance(data, dict) else None)
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
    for name in ("remaining_work", "missing", "next_actions", "next_steps"):
        items = getattr(found, name, [])
        assert len(items) <= 20
        assert all(item.strip() and len(item) <= 400 for item in items)
    if isinstance(found, Assessment):
        assert 0 <= found.certainty <= 1
    if isinstance(found, ReviewAnswer):
        assert all(
            one.path and one.problem and (one.line is None or one.line > 0)
            for one in found.findings
        )


@fuzzed(
    "roles asked",
    short=20,
    long=1_500,
    said=st.lists(replies, min_size=1, max_size=3),
    kind=st.sampled_from(KINDS),
    task=texts,
)
def test_a_role_gives_an_answer_or_its_fallback_and_never_raises(
    said: list[str], kind: Any, task: str
) -> None:
    files = {Assessment: "assess.txt", JudgeAnswer: "judge.txt", StopKindAnswer: "stop_kind.txt"}
    role = Role("judge", files.get(kind, "judge.txt"), kind)

    told = asyncio.run(ask(role, chain_of(FakeModel(*said)), {"task": task}))

    assert (told.source == "model") == (told.value is not None)
    assert told.value is not None or told.why


@fuzzed(
    "votes and operations in replies",
    short=80,
    long=6_000,
    said=replies,
    data=objects | json_values,
    structured=st.booleans(),
)
def test_votes_and_operations_are_of_their_form(said: str, data: Any, structured: bool) -> None:
    reply = Reply(said, "m", structured=data if structured and isinstance(data, dict) else None)
    try:
        reflection = read_reflection(reply)
    except ModelReplyInvalid:
        pass
    else:
        assert all(
            tag["name"].strip() and tag["tag"] in TAGS and isinstance(tag["rationale"], str)
            for tag in reflection.tags
        )
        reflection.analysis.encode()
    try:
        curation = read_curation(reply)
    except ModelReplyInvalid:
        return
    rows = curation.as_result()["operations"]
    _, outcomes, _ = apply_operations(
        playbook(point("pat-001"), point("pat-002", "other words")), rows
    )
    assert len(outcomes) == len(rows)
    for outcome in outcomes:
        json.dumps(outcome.to_json())


# ------------------------------------------------------------------ secrets


_WORDS = ("password=", "api_key: ", '"token": "', "Authorization: Bearer ", "sk-ant-", "ghp_", "AKIA", "-----BEGIN ", "RSA PRIVATE KEY-----", "-----END ", "://u:", "@h", "eyJ", ".", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7", "\n", '"', "'", "\\", " ", "<private>", "</private>", "[REDACTED:assigned]", "secret", "=", ":", "--token ", "cookie: ", "None", "${X}")  # fmt: skip
secretive = st.lists(
    st.one_of(st.sampled_from(_WORDS), st.sampled_from(_WORDS), texts), max_size=10
).map("".join)


@fuzzed(
    "redactions",
    short=150,
    long=9_000,
    text=secretive,
    environ=st.dictionaries(
        st.sampled_from(("X_TOKEN", "SECRET", "PATH")),
        secretive.filter(lambda value: "REDACTED" not in value),
        max_size=2,
    ),
)
def test_what_is_redacted_stays_as_it_is(text: str, environ: dict[str, str]) -> None:
    """Twice is once: nothing of ours is taken for a secret, and no secret shows only after another is gone."""
    once = redact(text, environ)

    assert redact(once, environ) == once
    private = without_private(text)
    assert without_private(private) == private
    if "<private>" not in text.lower():
        assert private == text
    as_data(text)


@fuzzed(
    "secrets in any text",
    short=60,
    long=4_000,
    before=texts,
    after=texts,
    number=st.integers(0, 10_000),
)
def test_no_planted_secret_survives_whatever_stands_around_it(
    before: str, after: str, number: int
) -> None:
    """Set apart by spaces or lines; what touches it may make another word of it."""
    plants = Plants()
    secret = plants.one(list(SECRETS)[number % len(SECRETS)], str(number))

    assert plants.leaks([("redacted", redact(f"{before} \n{secret}\n {after}"))]) == []
