"""The rooms' imports point one way, without a circle, and pure rooms touch no file, clock, environment or network."""

import ast
from functools import cache
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "ace_reflect"
#: From the bottom up; a room may import those above it here, and `state`, `llm`, `evals` only some.
ENGINE = ["transcript", "evidence", "project", "gates"]
LOWER = [*ENGINE, "playbook", "llm", "state"]
MAY_IMPORT = {
    "transcript": [],
    "evidence": ["transcript"],
    "project": ["evidence", "transcript"],
    "gates": ["evidence", "transcript", "project"],
    "state": ["evidence", "transcript"],
    "llm": [],
    "playbook": ["evidence", "transcript"],
    "learning": ["assess", *LOWER],
    "assess": LOWER,
    "evals": ["report", "assess", "llm", "state", *ENGINE],
    "report": ["assess", "state", "playbook", *ENGINE],
    "install": ["evals", "learning", "assess", *LOWER],
    "hooks": ["report", "install", "learning", "assess", *LOWER],
    "cli": ["report", "evals", "hooks", "install", "learning", "assess", *LOWER],
}
PURE = ("evidence", "gates")
IMPURE = set("socket subprocess urllib http time datetime random tempfile shutil pathlib sqlite3".split())  # fmt: skip  # noqa: SIM905
OUTSIDE = {"environ", "getenv", "getcwd", "listdir", "stat"}


@cache
def imports(path: Path) -> list[tuple[str, int]]:
    """(dotted module, line) of every import, those in functions and under TYPE_CHECKING included."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def modules(room: str = "") -> list[Path]:
    return sorted((SOURCE / room).rglob("*.py"))


def wrong(paths: list[Path], allowed: set[str]) -> list[str]:
    """The imports of our own rooms and modules that are not allowed."""
    return [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in paths
        for name, line in imports(path)
        if name.startswith("ace_reflect.") and name.split(".")[1] not in allowed
    ]


def beside_the_rooms() -> set[str]:
    return {path.stem for path in SOURCE.glob("*.py")} | {"__version__"}


def test_every_room_is_in_the_table():
    folders = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}

    assert folders == set(MAY_IMPORT)


def test_imports_point_one_way():
    for room, others in MAY_IMPORT.items():
        assert wrong(modules(room), {room, *others, *beside_the_rooms()}) == []


def test_what_stands_beside_the_rooms_serves_them_and_knows_none():
    assert wrong([*SOURCE.glob("*.py")], beside_the_rooms()) == []


def test_the_engine_knows_four_modules_beside_the_rooms():
    paths = [path for room in ENGINE for path in modules(room)]

    assert wrong(paths, {"values", "text", "errors", "settings", *MAY_IMPORT}) == []


def test_no_file_imports_itself_by_way_of_others():
    """By file, between rooms and inside one; an import in a function and one for types alone count too."""
    files = {
        ".".join(("ace_reflect", *path.relative_to(SOURCE).with_suffix("").parts)): path
        for path in modules()
        if path.name != "__init__.py"
    }
    wanted = {
        name: {
            part for found, _ in imports(path) for part in (found, found.rpartition(".")[0])
        }.intersection(files)
        for name, path in files.items()
    }
    while leaves := {name for name, others in wanted.items() if not others}:
        wanted = {name: others - leaves for name, others in wanted.items() if name not in leaves}

    assert _circles(wanted) == []


def _circles(wanted: dict[str, set[str]]) -> list[str]:
    """`a -> b -> a` for what is left when all that leads nowhere is gone; one is enough to begin with."""
    if not wanted:
        return []
    path = [min(wanted)]
    while path[-1] not in path[:-1]:
        path.append(min(wanted[path[-1]]))
    circle = path[path.index(path[-1]) :]
    return [" -> ".join(name.removeprefix("ace_reflect.") for name in circle)]


def test_nothing_stands_on_modules_that_only_the_interpreters_own_library_is_meant_to_use():
    """`_json`, `_sqlite3`, `_sre` and their like change from one version to the next without a word."""
    private = [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in modules()
        for name, line in imports(path)
        if name.startswith("_") and not name.startswith("__future__")
    ]

    assert private == []


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_reach_nothing_outside(room):
    reached = []
    for path in modules(room):
        reached += [(path.name, name) for name, _ in imports(path) if name.split(".")[0] in IMPURE]
        for node in ast.walk(ast.parse(path.read_text())):
            is_open = isinstance(node, ast.Name) and node.id == "open"
            if is_open or (isinstance(node, ast.Attribute) and node.attr in OUTSIDE):
                reached.append((path.name, f"line {node.lineno}"))

    assert reached == []


def test_rich_and_jinja2_stay_at_the_edge_to_people():
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in modules()
        for name, line in imports(path)
        if name.split(".")[0] in {"rich", "jinja2", "click"}
        and path.relative_to(SOURCE).parts[0]
        not in {"cli", *(("report",) if name.startswith("jinja2") else ())}
    ]

    assert found == []
