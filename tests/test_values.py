"""Frozen records: construction, equality, JSON both ways."""

import json

import pytest

from ace_reflect.evidence.facts import CommandKind, Counts, Ledger, Run
from ace_reflect.values import Value


class Point(Value):
    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


def test_fields_have_defaults_and_equality_follows_them():
    assert Point(x=1) == Point(x=1, y=0)
    assert len({Point(x=1), Point(x=1, y=0), Point(x=2)}) == 2
    assert Point.from_json(Point(x=1, tags=("a",)).to_json()).tags == ("a",)


def test_enums_and_records_come_back_as_what_they_were():
    run = Run(line=3, turn=1, kind="test", runner="pytest", why="", outcome="failed")
    counted = run.replace(kind=CommandKind.TEST, counts=Counts(failed=1))
    whole = Ledger(runs=(counted,), compactions=(4,))
    again = Ledger.from_json(json.loads(json.dumps({**whole.to_json(), "future": 1})))

    assert again == whole
    assert isinstance(again.runs[0].kind, CommandKind)
    with pytest.raises(ValueError, match="not a valid"):
        Run.from_json({**run.to_json(), "kind": "nonsense"})
