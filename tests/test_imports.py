"""The rooms' imports point one way, and pure rooms touch no file, clock, environment or network."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src" / "ace_reflect"
MAY_IMPORT = {
    "transcript": set(),
    "evidence": {"transcript"},
    "project": {"evidence", "transcript"},
    "state": {"evidence", "transcript"},
    "llm": set(),
    "playbook": {"evidence", "transcript"},
    "gates": {"evidence", "transcript", "project"},
    "learning": {"gates", "playbook", "llm", "state", "project", "evidence", "transcript"},
    "assess": {"gates", "playbook", "llm", "state", "project", "evidence", "transcript"},
    "evals": {"assess", "gates", "llm", "state", "project", "evidence", "transcript"},
    "hooks": {
        "learning",
        "assess",
        "gates",
        "playbook",
        "llm",
        "state",
        "project",
        "evidence",
        "transcript",
        "install",
    },
    "install": {
        "learning",
        "assess",
        "gates",
        "playbook",
        "llm",
        "state",
        "project",
        "evidence",
        "transcript",
    },
    "cli": {
        "evals",
        "hooks",
        "install",
        "learning",
        "assess",
        "gates",
        "playbook",
        "llm",
        "state",
        "project",
        "evidence",
        "transcript",
    },
}
PURE = ("evidence", "gates")
IMPURE = {
    "socket",
    "subprocess",
    "urllib",
    "http",
    "time",
    "datetime",
    "random",
    "tempfile",
    "shutil",
    "pathlib",
    "sqlite3",
}


def modules(room: str) -> list[Path]:
    return sorted((SOURCE / room).rglob("*.py"))


def imports(path: Path) -> list[tuple[str, int]]:
    """(dotted module, line) of every import, those in functions and under TYPE_CHECKING included."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def type_only_lines(path: Path) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        ):
            lines |= set(
                range(node.lineno, max(getattr(n, "end_lineno", 0) or 0 for n in node.body) + 1)
            )
    return lines


def test_every_room_is_in_the_table():
    assert {
        path.name
        for path in SOURCE.iterdir()
        if path.is_dir() and path.name not in {"__pycache__", "_data"}
    } == set(MAY_IMPORT)


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_point_one_way(room):
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in modules(room)
        for name, line in imports(path)
        if name.startswith("ace_reflect.")
        and name.split(".")[1] in MAY_IMPORT
        and name.split(".")[1] not in MAY_IMPORT[room] | {room}
    ]

    assert wrong == []


def test_what_stands_beside_the_rooms_serves_them_and_knows_none():
    """`__main__` starts the program; a hook's settings are cached in the state."""
    wrong = [
        f"{path.name}:{line} imports {name}"
        for path in sorted(SOURCE.glob("*.py"))
        if path.name != "__main__.py"
        for name, line in imports(path)
        if name.startswith("ace_reflect.") and name.split(".")[1] in MAY_IMPORT
        if (path.name, name.split(".")[1]) != ("settings.py", "state")
    ]

    assert wrong == []


def test_nothing_stands_on_modules_that_only_the_interpreters_own_library_is_meant_to_use():
    """`_json`, `_sqlite3`, `_sre` and their like change from one version to the next without a word."""
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for name, line in imports(path)
        if name.startswith("_") and not name.startswith("__future__")
    ]

    assert wrong == []


@pytest.mark.parametrize("room", ["transcript", "evidence", "project", "gates"])
def test_the_engine_knows_four_modules_beside_the_rooms(room):
    allowed = {"values", "text", "errors", "settings", *MAY_IMPORT}
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in modules(room)
        for name, line in imports(path)
        if name.startswith("ace_reflect.") and name.split(".")[1] not in allowed
    ]

    assert wrong == []


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_import_nothing_that_reaches_outside(room):
    wrong = [
        f"{path.relative_to(SOURCE)}:{line} imports {name}"
        for path in modules(room)
        for name, line in imports(path)
        if name.split(".")[0] in IMPURE and line not in type_only_lines(path)
    ]

    assert wrong == []


@pytest.mark.parametrize("room", PURE)
def test_pure_rooms_open_nothing_and_read_no_environment(room):
    wrong = []
    for path in modules(room):
        for node in ast.walk(ast.parse(path.read_text())):
            opened = (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "open"
            )
            environ = isinstance(node, ast.Attribute) and node.attr in {
                "environ",
                "getenv",
                "getcwd",
                "listdir",
                "stat",
            }
            if opened or environ:
                wrong.append(f"{path.relative_to(SOURCE)}:{node.lineno}")

    assert wrong == []


def imported_at_once(path: Path) -> set[str]:
    """The modules of ours that importing this one imports; those that a function asks for later are none."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in found if name.startswith("ace_reflect.")}


def test_no_module_imports_itself_by_way_of_others():
    names = {
        ".".join(("ace_reflect", *path.relative_to(SOURCE).with_suffix("").parts)): path
        for path in SOURCE.rglob("*.py")
        if path.name != "__init__.py"
    }
    asked = {name: imported_at_once(path) & names.keys() for name, path in names.items()}
    while leaves := [name for name, wanted in asked.items() if not wanted]:
        for leaf in leaves:
            del asked[leaf]
        asked = {name: wanted.difference(leaves) for name, wanted in asked.items()}

    assert asked == {}


def test_rich_and_jinja2_stay_at_the_edge_to_people():
    wrong = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in SOURCE.rglob("*.py")
        for name, line in imports(path)
        if name.split(".")[0] in {"rich", "jinja2", "click"}
        and path.relative_to(SOURCE).parts[0] != "cli"
    ]

    assert wrong == []
