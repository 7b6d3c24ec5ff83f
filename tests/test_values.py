"""Frozen records: construction, equality, JSON both ways."""

import json

import pytest

from ace_reflect.evidence.facts import CommandKind, Counts, Edit, Ledger, Run
from ace_reflect.values import Value


class Point(Value):
    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


class Point3(Point):
    z: int = 0


def test_fields_have_defaults_and_are_inherited():
    assert (Point(x=1).y, Point3(x=1, z=2).z, tuple(Point3._fields)) == (
        0,
        2,
        ("x", "y", "tags", "z"),
    )


def test_a_missing_field_an_unknown_one_and_a_change_are_errors():
    with pytest.raises(TypeError, match="needs 'x'"):
        Point()
    with pytest.raises(TypeError, match="has no w"):
        Point(x=1, w=2)
    with pytest.raises(AttributeError, match="frozen"):
        Point(x=1).x = 2


def test_equality_and_hash_follow_the_fields():
    assert Point(x=1) == Point(x=1, y=0)
    assert len({Point(x=1), Point(x=1, y=0), Point(x=2)}) == 2
    assert Point(x=1) != Point3(x=1)


def test_json_goes_both_ways_and_drops_what_it_does_not_know():
    edit = Edit(line=3, turn=1, path="a.py", tool="Edit", kind="code")

    assert Edit.from_json({**edit.to_json(), "future": 1}) == edit
    assert Point.from_json(Point(x=1, tags=("a",)).to_json()).tags == ("a",)
    assert Counts(passed=2).to_json() == {"passed": 2}


def test_enums_and_records_come_back_as_what_they_were():
    run = Run(line=3, turn=1, kind="test", runner="pytest", why="", outcome="failed")
    whole = Ledger(
        runs=(run.replace(kind=CommandKind.TEST, counts=Counts(failed=1)),), compactions=(4,)
    )
    again = Ledger.from_json(json.loads(json.dumps(whole.to_json())))

    assert again == whole
    assert isinstance(again.runs[0].kind, CommandKind)
    with pytest.raises(ValueError, match="not a valid"):
        Run.from_json({**run.to_json(), "kind": "nonsense"})
