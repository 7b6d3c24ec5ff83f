"""The map in each room's `__init__` names every file of the room."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "ace_reflect"
ROOMS = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists())
#: Whose files a reader finds by the command's name.
BY_NAME = {"cli"}


def _map(room: str) -> set[str]:
    module = ast.parse((SOURCE / room / "__init__.py").read_text(encoding="utf-8"))
    text = ast.get_docstring(module) or ""
    return {word.partition(".")[0].rstrip("/") for word in re.findall(r"`([\w/.]+)`", text)}


def _files(room: str) -> set[str]:
    return {path.stem for path in (SOURCE / room).glob("*.py") if path.stem != "__init__"}


@pytest.mark.parametrize("room", [room for room in ROOMS if room not in BY_NAME])
def test_a_rooms_map_names_every_file_in_it(room: str) -> None:
    assert _files(room) - _map(room) == set()


@pytest.mark.parametrize("room", ROOMS)
def test_contributing_names_every_room(room: str) -> None:
    assert f"`{room}/`" in (SOURCE.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
