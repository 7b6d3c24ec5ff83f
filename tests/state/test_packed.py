"""What a stop keeps for the next one, as bytes."""

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.evidence.facts import Edit, Ledger, Turn
from ace_reflect.state import sessions
from ace_reflect.state.db import State, open_state
from ace_reflect.state.packed import Kept, packed, rest, unpacked

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=40),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.text(max_size=8), _values, max_size=8))
def test_what_is_packed_comes_back(data: dict[str, Any]) -> None:
    assert unpacked(packed(data)) == data


def _edits(numbers: range, path: str) -> list[Edit]:
    return [Edit(line=n, turn=1, path=f"{path}{n}.py", tool="Edit", kind="code") for n in numbers]


@given(
    count=st.integers(0, 200),
    cut=st.integers(0, 200),
    replaced=st.lists(st.integers(0, 200), max_size=6),
    added=st.integers(0, 40),
)
def test_what_has_not_changed_is_written_again_as_it_stood(
    count: int, cut: int, replaced: list[int], added: int
) -> None:
    """Whatever was cut off, replaced or added since: the bytes are those of writing everything."""
    before = {
        "n": 1,
        "edits": tuple(_edits(range(count), "old")),
        "names": [f"a{n}" for n in range(cut)],
    }
    kept = Kept(before, packed(before))

    now = list(before["edits"][:cut])  # type: ignore[index]
    for place in replaced:
        now[place : place + 1] = _edits(range(place, place + 1), "new") if place < len(now) else []
    now += _edits(range(1_000, 1_000 + added), "added")
    data = {"n": 2, "names": [*before["names"], "z"], "edits": now, "turns": ("t",)}  # type: ignore[misc]

    raw = packed(data, kept)
    assert unpacked(raw) == {**data, "edits": [edit.to_json() for edit in now], "turns": ["t"]}
    assert raw == packed(data)


def test_whole_lines_of_what_stood_are_not_made_again() -> None:
    edits = tuple(_edits(range(100), ""))
    raw = packed({"edits": edits})
    marked = raw.replace(b'"5.py"', b'"as it stood"')

    again = unpacked(packed({"edits": (*edits, edits[0])}, Kept({"edits": edits}, marked)))

    assert [edit["path"] for edit in again["edits"]][4:7] == ["4.py", "as it stood", "6.py"]
    assert len(again["edits"]) == 101


@pytest.mark.parametrize("count", [0, 1, 5, 31, 32, 33, 64, 999, 1_000, 1_001, 2_500])
def test_records_come_back_as_their_own_json_however_many_there_are(count: int) -> None:
    edits = tuple(
        Edit(line=number, turn=1, path=f"src/module{number}.py", tool="Edit", kind="code")
        for number in range(count)
    )
    ledger = Ledger(
        session_id="s",
        turns=(Turn(number=1, line=1, last_line=3, prompt="a\ud800b"),),
        edits=edits,
        subagents=2,
    )
    kept = packed(ledger.__dict__)
    assert unpacked(kept) == ledger.to_json() | {"edits": [edit.to_json() for edit in edits]}
    assert Ledger.from_json(unpacked(kept)) == ledger


def test_little_is_kept_as_it_is_and_much_is_compressed() -> None:
    assert packed({"a": 1}) == b'{"a":1}'
    assert len(packed({"a": "x" * 1_000_001})) < 6_000


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]x", b"x\x9c\x00"])
def test_what_was_not_packed_is_an_error_that_the_caller_knows(raw: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(raw)


def _keep(state: State, session: str, ledger: bytes) -> None:
    kept = sessions.StoredLedger(
        device=1,
        inode=1,
        size=1,
        mtime_ns=1,
        cursor="{}",
        ledger=ledger,
        builder=b"{}",
        extra=b"{}",
    )
    sessions.save_ledger(state, session, kept)


def _ledger_of(state: State, session: str) -> bytes:
    found = sessions.load_ledger(state, session)
    assert found is not None
    return found.ledger


def test_what_lies_still_is_compressed_once_and_reads_the_same(tmp_path: Path) -> None:
    large = packed({"turns": [{"prompt": "again and again " * 40}] * 20})
    with open_state(str(tmp_path)) as state:
        _keep(state, "still", large)
        assert rest(state, time.time() + 600) == 0  # a session at work is left alone
        assert rest(state, time.time() + 7_200) == 1
        assert rest(state, time.time() + 7_200) == 0
        small = _ledger_of(state, "still")
        assert len(small) < len(large) / 5
        assert unpacked(small) == unpacked(large)


def test_a_stop_in_the_meantime_keeps_its_own(tmp_path: Path) -> None:
    with open_state(str(tmp_path)) as state, open_state(str(tmp_path)) as hook:
        _keep(state, "busy", packed({"lines": 1}))
        looked: list[str] = []

        class Slow:
            """The worker's state; between its look and its write a stop writes."""

            def all(self, *query: Any) -> Any:
                found = state.all(*query)
                _keep(hook, "busy", packed({"lines": 2}))
                looked.append("once")
                return found

            def __getattr__(self, name: str) -> Any:
                return getattr(state, name)

        rest(Slow(), time.time() + 7_200)  # type: ignore[arg-type]
        assert looked == ["once"]
        assert unpacked(_ledger_of(state, "busy")) == {"lines": 2}
