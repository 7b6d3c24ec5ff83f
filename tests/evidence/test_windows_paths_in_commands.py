"""Commands as people on Windows type them: PowerShell's paths and changes of folder. bash's own escapes stay as they are."""

import pytest

from ace_reflect.evidence.commands import classify


@pytest.mark.parametrize(
    ("command", "runner", "cwd"),
    [
        (".\\gradlew.bat test --no-daemon", "gradle test", "/repo"),
        (".\\.venv\\Scripts\\python.exe -m pytest -q", "pytest", "/repo"),
        (".venv\\Scripts\\pytest -q", "pytest", "/repo"),
        ("node_modules\\.bin\\jest", "jest", "/repo"),
        ("cd src\\app; npm test", "npm test", "/repo/src/app"),
        ("cd C:\\repo\\web && npm test", "npm test", "C:/repo/web"),
        ("Set-Location web; npm test", "npm test", "/repo/web"),
        ("Push-Location web; npm run lint; Pop-Location; npm test", "npm test", "/repo"),
        ("cd My\\ Project && npm test", "npm test", "/repo/My Project"),
        ("/opt/My\\ App/bin/pytest -q", "pytest", "/repo"),
        ("\\cd web && npm test", "npm test", "/repo/web"),
    ],
)
def test_a_backslash_between_names_is_windows_and_before_a_name_is_bashs(command: str, runner: str, cwd: str) -> None:
    assert [(one.runner, one.cwd) for one in classify(command, "/repo") if one.kind == "test"] == [(runner, cwd)]


@pytest.mark.parametrize("command", ["grep foo\\.bar src/a.py", "\\ls", "find . -name a\\*", "echo a\\nb"])
def test_an_escape_is_no_path(command: str) -> None:
    assert [one.kind for one in classify(command, "/repo")] == ["read"]
