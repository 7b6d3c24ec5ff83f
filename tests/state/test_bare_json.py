"""JSON through SQLite: what `json` would say, for everything a host could send, and silence for everything else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.state.bare_json import read_object, write_object

_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
_SCALARS = st.none() | st.booleans() | st.integers(-(2**62), 2**62) | _TEXT


@given(st.dictionaries(_TEXT, _SCALARS, max_size=6))
def test_a_flat_object_is_read_as_json_reads_it(data: dict[str, Any]) -> None:
    found = read_object(json.dumps(data).encode())
    assert found == data
    assert list(map(type, found.values())) == list(map(type, data.values())), "True is no 1"


@given(st.dictionaries(_TEXT, _SCALARS, max_size=6))
def test_what_is_written_is_what_json_reads(data: dict[str, Any]) -> None:
    assert json.loads(write_object(data)) == data


@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    found = read_object(data)
    assert found is None or isinstance(found, dict)


@given(st.text(max_size=50))
def test_any_text_can_be_written_lone_surrogates_included(text: str) -> None:
    assert isinstance(json.loads(write_object({"x": text}))["x"], str)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"null",
        b"[]",
        b'"x"',
        b"1",
        b"{",
        b'{"a":1} x',
        b"\xff\xfe",
        b"\x00{}",
        b'{"a":1}\x00{',
        b"[" * 100_000,
        b'{"a":' * 5000,
        b"nonsense",
    ],
)
def test_what_is_no_object_is_none(raw: bytes) -> None:
    assert read_object(raw) is None


def test_nested_values_come_as_json_text() -> None:
    raw = b'{"a": [1, {"b": 2}], "c": {"d": null}, "e": 1.5, "f": true}'
    assert read_object(raw) == {"a": '[1,{"b":2}]', "c": '{"d":null}', "e": 1.5, "f": True}


def test_invalid_utf8_a_byte_order_mark_and_lone_surrogates_are_put_up_with() -> None:
    assert read_object(b'\xef\xbb\xbf{"a": "\xff", "b": "\\ud83d"}') is not None


def test_a_prompt_of_ten_megabytes_is_read_and_cut() -> None:
    found = read_object(json.dumps({"prompt": "ä" * 5_000_000}).encode())
    assert found is not None
    assert len(str(found["prompt"])) == 1_000_000


def test_a_nested_object_is_written_one_level_down() -> None:
    answer = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": 'a "b"\n\x1b\x7f é 😀'}}
    assert json.loads(write_object(answer)) == answer
