"""pyproject.toml, setup.cfg, tox.ini, pytest.ini, noxfile.py, setup.py, requirements.txt, manage.py."""

from ace_reflect import regex as re
from ace_reflect.project.place import Claim, Place, names_in, table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEST_FILE = r"(^|/)(test_[^/]*|[^/]*_test|tests)\.py$"
_IN_TEST_FOLDER = r"^tests?/.*\.py$"
_TESTS_IN_FOLDER = r"^tests?/(.*/)?(test_[^/]*|[^/]*_test)\.py$"


def python(place: Place) -> "Claim | None":
    """One claim for all of Python's manifests of a folder."""
    manifest = next(name for name in MANIFESTS if name in place.names)
    data = place.toml("pyproject.toml")
    if manifest == "pyproject.toml" and not (data and _is_python(place, data)):
        return None
    some = place.first(TEST_FILE)
    configured = _pytest_config(place, data)
    evidence = some or (configured if place.tree.truncated else "") or place.first(_IN_TEST_FOLDER)
    return Claim(
        manifest=manifest,
        language="python",
        test=_test_command(place, data, configured) if evidence or configured else "",
        tests_evidence=evidence
        and (f"{evidence} ({configured})" if configured and evidence != configured else evidence),
        no_test_file=not some and not place.tree.truncated and bool(evidence),
        rank=40,
    )


def without_manifest(place: Place) -> "Claim | None":
    """Scripts with a folder of tests beside them, and no manifest at all: the folder shows that there are tests."""
    some = place.first_containing(_TESTS_IN_FOLDER, r"^\s*(import pytest|import unittest|from unittest|def test_)")
    if not some:
        return None
    return Claim(manifest=some, language="python", test=_test_command(place, {}, ""), tests_evidence=some, rank=60)


def _is_python(place: Place, data: "dict[str, Any]") -> bool:
    """A pyproject.toml may hold nothing but a tool's settings in a repository of another language."""
    return (
        "project" in data
        or "build-system" in data
        or "poetry" in table_of(data.get("tool"))
        or bool(place.first(r"\.py$"))
    )


def _pytest_config(place: Place, data: "dict[str, Any]") -> str:
    if "pytest" in table_of(data.get("tool")):
        return "pyproject.toml [tool.pytest]"
    if place.has("pytest.ini", ".pytest.ini", "pytest.toml"):
        return "pytest.ini"
    for name, section in (("setup.cfg", "[tool:pytest]"), ("tox.ini", "[pytest]")):
        if section in place.read(name):
            return f"{name} {section}"
    return ""


def _test_command(place: Place, data: "dict[str, Any]", configured: str) -> str:
    if script := _script(table_of(data.get("tool"))):
        return script
    prefix = {"uv.lock": "uv run ", "poetry.lock": "poetry run ", "pdm.lock": "pdm run ", "Pipfile.lock": "pipenv run "}
    lock = place.nearest_above(*prefix)
    inside = prefix[lock] if lock else ""
    if not configured and not _needs_pytest(place, data):
        if place.has("manage.py"):
            return f"{inside}python manage.py test"
        if "nox" in place.read("noxfile.py"):
            return "nox"
        if place.has("tox.ini"):
            return "tox"
        if not place.first_containing(TEST_FILE, r"^\s*(import pytest|from pytest|def test_)"):
            return f"{inside}python -m unittest"
    return f"{inside}pytest"


def _script(tool: "dict[str, Any]") -> str:
    """The project's own script for its tests, in the environment that it names: a plain `pytest` may not be installed."""
    default = table_of(table_of(table_of(tool.get("hatch")).get("envs")).get("default"))
    tables = {"hatch run": default.get("scripts"), "pdm run": table_of(tool.get("pdm")).get("scripts")}
    return next(
        (f"{run} {name}" for run, table in tables.items() for name in ("test", "tests") if name in table_of(table)), ""
    )


def _needs_pytest(place: Place, data: "dict[str, Any]") -> bool:
    """Whether pytest is among the dependencies, wherever they are listed."""
    project, tool = table_of(data.get("project")), table_of(data.get("tool"))
    lists = [
        project.get("dependencies"),
        *table_of(project.get("optional-dependencies")).values(),
        *table_of(data.get("dependency-groups")).values(),
    ]
    named = " ".join(names_in(item for one in lists if isinstance(one, list) for item in one))
    poetry = table_of(tool.get("poetry"))
    tables = [poetry.get("dependencies"), poetry.get("dev-dependencies")]
    tables += [table_of(group).get("dependencies") for group in table_of(poetry.get("group")).values()]
    if re.search(r"\bpytest\b", named) or any("pytest" in table_of(table) for table in tables):
        return True
    texts = (
        "setup.cfg",
        "setup.py",
        "tox.ini",
        "noxfile.py",
        "Pipfile",
        *(name for name in place.names if name.startswith("requirements")),
    )
    return any(re.search(r"\bpytest\b", place.read(name)) for name in texts)


MANIFESTS = (
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "pytest.ini",
    "noxfile.py",
    "Pipfile",
    "manage.py",
    "requirements.txt",
)
