"""What a stop keeps for the next one, as bytes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.evidence.facts import Edit, Ledger, Turn
from ace_reflect.hooks.packed import packed, unpacked

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=8), _values, max_size=8))
def test_what_is_packed_comes_back(data: dict[str, Any]) -> None:
    assert unpacked(packed(data)) == data


@pytest.mark.parametrize("count", [0, 1, 5, 999, 1_000, 1_001, 2_500])
def test_records_come_back_as_their_own_json_however_many_there_are(count: int) -> None:
    edits = tuple(
        Edit(line=number, turn=1, path=f"src/module{number}.py", tool="Edit", kind="code") for number in range(count)
    )
    ledger = Ledger(
        session_id="s", turns=(Turn(number=1, line=1, last_line=3, prompt="a\ud800b"),), edits=edits, subagents=2
    )
    kept = packed(ledger.__dict__)
    assert unpacked(kept) == ledger.to_json() | {"edits": [edit.to_json() for edit in edits]}
    assert Ledger.from_json(unpacked(kept)) == ledger


def test_little_is_kept_as_it_is_and_much_is_compressed() -> None:
    assert packed({"a": 1}) == b'{"a":1}'
    assert len(packed({"a": "x" * 10_000})) < 200


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]x", b"x\x9c\x00"])
def test_what_was_not_packed_is_an_error_that_the_caller_knows(raw: bytes) -> None:
    import zlib

    with pytest.raises((ValueError, zlib.error)):
        unpacked(raw)
