"""Every id of the specification is held by a test that carries it as a mark, and no mark names an id that there is not."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
SPECIFICATION = TESTS.parent.parent / "shared" / "spec" / "reflector-module.md"
_SCENARIOS = {1: 3, 2: 2, 3: 3, 4: 2, 5: 2, 6: 2, 7: 1, 8: 2}
IDS = {
    *(f"REQ-REFL-{number:03}" for number in range(1, 9)),
    *(
        f"SCN-REFL-{group:03}-{number:02}"
        for group, count in _SCENARIOS.items()
        for number in range(1, count + 1)
    ),
    *(f"INV-REFL-{number:03}" for number in range(1, 5)),
}


def _marked() -> set[str]:
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for arguments in re.findall(
            r"pytest\.mark\.req\(([^)]*)\)", path.read_text(encoding="utf-8")
        ):
            found |= set(re.findall(r'"([^"]*)"', arguments))
    return found


def test_the_marks_are_the_specifications_ids() -> None:
    assert _marked() == IDS


@pytest.mark.shared
def test_the_ids_are_those_that_the_specification_anchors() -> None:
    assert set(re.findall(r"\{#([\w-]+)\}", SPECIFICATION.read_text(encoding="utf-8"))) == IDS
