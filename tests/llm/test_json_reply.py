"""The JSON object in a reply: the specification's four strategies in order, then salvage."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect import extract_json
from ace_reflect.llm.json_reply import every_object, extract_object_with

TAG = {"name": "pat-001", "tag": "helpful", "rationale": "Applied."}
REPLY = {"analysis": "Good use of type hints.", "bullet_tags": [TAG]}
TEXT = json.dumps(REPLY)

finite = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**9), 10**9)
values = st.recursive(
    finite | st.none() | st.booleans() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=8), values, max_size=5)


@pytest.mark.req("REQ-REFL-008", "SCN-REFL-008-01", "SCN-REFL-008-02")
@pytest.mark.parametrize(
    "said",
    [
        pytest.param('Here is my analysis:\n\n{"n": 1}\n\nLet me know if you need more.', id="in prose by balanced braces"),
        pytest.param('```json\n{"n": 1}\n```', id="in a json fence"),
        pytest.param('{"n": 3} and ```\n{"n": 2}\n``` and ```json\n{"n": 1}\n```', id="the json fence before all else"),
        pytest.param('{"n": 3} and ```\n{"n": 1}\n```', id="then the bare fence"),
        pytest.param('```json\nnot json\n``` {"n": 3} ```\n{"n": 1}\n```', id="a json fence that holds none gives way"),
        pytest.param('```python\nd = {"n": 2}\n```\nso\n```\n{"n": 1}\n```', id="a fence of another language is no bare one"),
        pytest.param('so {"n": 1} and {"n": 2}', id="then the first balanced braces"),
        pytest.param('  {"n": 1}  ', id="then the whole text"),
        pytest.param('[1, 2] {"n": 1}', id="a list is no object"),
        pytest.param('```JSON\n{"n": 1}\n```', id="the language in capitals"),
        pytest.param('```json {"n": 1}```', id="a fence on one line"),
    ],
)  # fmt: skip
def test_the_first_strategy_that_gives_a_valid_object_wins(said: str) -> None:
    assert extract_json(said) == {"n": 1}


@pytest.mark.req("REQ-REFL-008")
@pytest.mark.parametrize("braces", ["}{", "{{}}", "{", '\\"}', "```", "a } b { c"])
def test_braces_and_fences_inside_strings_do_not_count(braces: str) -> None:
    wanted = {"analysis": f"uses {braces} here", "bullet_tags": []}

    assert wanted == extract_json(f"So: {json.dumps(wanted)} Done.")
    assert wanted == extract_json(f"```json\n{json.dumps(wanted)}\n```")


@pytest.mark.req("REQ-REFL-006", "REQ-REFL-008")
@pytest.mark.parametrize(
    "said",
    ["", "no JSON", "[1, 2]", "42", '"text"', "null", "{", "}", "{]", "```json\n```", "{'a': 1}", "{a: 1}",
     None, 5, b"{}", ["{}"], {}],
)  # fmt: skip
def test_what_holds_no_object_gives_none(said: Any) -> None:
    assert extract_json(said) is None


# ------------------------------------------------------------------ salvage


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(f"```json\nsorry\n```\nAgain:\n```json\n{TEXT}\n```", id="the second fence"),
        pytest.param(f"The set {{x, y}} is empty. {TEXT}", id="a brace in prose before it"),
        pytest.param(f"An unclosed {{ and then {TEXT}", id="an unclosed brace before it"),
        pytest.param(f"f({{x: 1}}) {TEXT}", id="code before it"),
        pytest.param(TEXT.replace("}]}", "},],}"), id="trailing commas"),
        pytest.param(TEXT.replace("}]}", "} ,\n ] ,\n }"), id="trailing commas with space"),
    ],
)
def test_a_reply_with_a_flaw_is_read_all_the_same(said: str) -> None:
    assert extract_json(said) == REPLY


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"l": "two\nlines\tand a tab"}', "two\nlines\tand a tab"),
        ('{"l": "x, ]", "b": [1,],}', "x, ]"),
        ('{"l": ["a","b"],}', ["a", "b"]),
        ('{"l": ["a", "b" , ], }', ["a", "b"]),
        ('{"l": ["a",\n\n],\n}', ["a"]),
        ('{"l": [ , ],}', []),
        ('{"l": {"m": [1,[2,3],],},}', {"m": [1, [2, 3]]}),
    ],
)
def test_raw_newlines_stay_and_only_a_comma_with_nothing_behind_it_goes(text, value):
    assert (extract_json(text) or {})["l"] == value


def test_a_cut_reply_gives_its_complete_tags_wherever_it_is_cut() -> None:
    """Each tag comes whole or not at all, and the analysis only if it ended."""
    tags = [{**TAG, "name": f"pat-00{n}", "rationale": f"because {{{n}}}"} for n in (1, 2, 3)]
    whole = json.dumps({"analysis": "As it was.", "bullet_tags": tags})

    for at in range(len(whole) + 1):
        found = extract_json(whole[:at]) or {}

        assert found.get("analysis", "As it was.") == "As it was."
        assert found.get("bullet_tags", []) == tags[: len(found.get("bullet_tags", []))]
        if at >= whole.index("pat-003"):
            assert len(found["bullet_tags"]) >= 2


def test_a_stray_quote_in_the_analysis_leaves_the_tags_as_objects_of_their_own() -> None:
    said = '{"analysis": "he said "no" twice", "bullet_tags": [{"name": "pat-001", "tag": "harmful", "rationale": "r"}, {"name": "pat-002", "tag": "neutral", "rationale": "s"}]}'

    found = [one["name"] for one in every_object(said) if "tag" in one]
    assert found == ["pat-001", "pat-002"]


# ------------------------------------------------------------------ what a role asked for


def test_the_object_that_was_asked_for_is_preferred_where_that_is_wanted() -> None:
    said = f'First a note {{"confidence": 1}}, then the answer: {TEXT}'

    assert extract_json(said) == {"confidence": 1}
    assert extract_object_with(said, "analysis", "bullet_tags") == REPLY
    assert extract_object_with(said, "absent") == {"confidence": 1}
    assert extract_object_with("nothing", "absent") is None


@pytest.mark.parametrize(
    "said",
    [
        f'<think>perhaps {{"analysis": "a draft", "bullet_tags": []}}, or not</think>\n{TEXT}',
        f'so: {{"analysis": "a draft"}}\n</think>\n```json\n{TEXT}\n```',
        f'<thinking>\n```json\n{{"analysis": "a draft"}}\n```\n</thinking>\n\nHere it is:\n{TEXT}',
        f'{{"result": {TEXT}}}',
        f'{{"ok": true, "reflection": {TEXT}}}',
        f"{TEXT}\nI left the </think> tag out.",
    ],
)
def test_neither_a_draft_in_a_thought_nor_a_wrapping_is_the_answer(said: str) -> None:
    assert extract_object_with(said, "analysis", "bullet_tags") == REPLY
    undecided = '<think>{"analysis": "a draft"}</think> I could not decide.'
    assert extract_object_with(undecided, "analysis") == {"analysis": "a draft"}


# ------------------------------------------------------------------ anything whatever


HARMLESS = st.text(alphabet=st.characters(exclude_characters='{}`[]"'), max_size=40)


@given(objects, HARMLESS, st.text(max_size=40))
def test_any_object_after_harmless_prose_is_given_back(wanted, before, after):
    after = after.replace("`", "'")
    assert wanted == extract_json(before + json.dumps(wanted) + after)


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("{" * 50_000, id="braces"),
        pytest.param('{"' * 50_000, id="open strings"),
        pytest.param('{"a":' * 50_000, id="open values"),
        pytest.param('{"k":[' * 900 + "1," * 150_000, id="many starts before one long list"),
        pytest.param('{"a":' + "[" * 50_000 + "1," * 50_000, id="deep, then long"),
        pytest.param('{"a":' * 50_000 + "1" + "}" * 50_000, id="nested deeper than decoders go"),
        pytest.param("```json{" * 50_000, id="fences and braces"),
        pytest.param('{"a":"' + '\\"' * 500_000, id="escapes that never end"),
        pytest.param("{ " * 1000 + " " * 1_000_000, id="space"),
        pytest.param('{"n":' + "1" * 1_000_000 + "}", id="a number of a million digits"),
        pytest.param("{}" * 150_000, id="many empty objects"),
    ],
)
def test_a_hostile_reply_is_given_up_on_in_linear_time(hostile: str) -> None:
    started = time.process_time()

    extract_object_with(hostile, "absent")

    assert time.process_time() - started < 5
