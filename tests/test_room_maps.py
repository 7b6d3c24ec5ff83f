"""The map in each room's `__init__` names every file of the room."""

import ast
import re
from pathlib import Path

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


def test_a_rooms_map_names_every_file_in_it() -> None:
    missing = {room: _files(room) - _map(room) for room in ROOMS if room not in BY_NAME}
    assert {room: names for room, names in missing.items() if names} == {}


def test_contributing_names_every_room() -> None:
    page = (SOURCE.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [room for room in ROOMS if f"`{room}/`" not in page] == []
