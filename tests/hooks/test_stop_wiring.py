"""New files that nothing refers to are a line to the person."""

from pathlib import Path

import pytest

from ace_reflect.project.references import unreferenced
from support.hooks import Host
from support.stops import PASSED, Session, python_project


@pytest.mark.parametrize(("content", "lost"), [("from src import helpers\n", False), ("x = 1\n", True)])
def test_a_new_module_that_nobody_imports(host: Host, content: str, lost: bool) -> None:
    python_project(host)
    (host.project / "src" / "helpers.py").write_text("def help(): ...\n")
    (host.project / "src" / "app.py").write_text(content)
    session = Session(host).ask("Add helpers").create(f"{host.project}/src/helpers.py").bash("pytest -q", PASSED)

    answered = session.stop_hook()  # type: ignore[attr-defined]

    assert answered.json.get("decision") is None
    assert ("nothing refers to helpers.py" in answered.json["systemMessage"]) is lost


@pytest.mark.parametrize("name", ["src/main.py", "tests/test_x.py", "src/__init__.py", "scripts/do_it.py", "gone.py"])
def test_files_that_are_found_by_their_place_or_gone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if name != "gone.py":
        path.write_text("x = 1\n")

    assert unreferenced(str(tmp_path), (str(path),)) == ()


def test_a_tree_too_big_for_the_time_leaves_it_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ace_reflect.project.references.MAX_SECONDS", -1.0)
    for name in ("helpers.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")

    assert unreferenced(str(tmp_path), (str(tmp_path / "helpers.py"),)) is None
