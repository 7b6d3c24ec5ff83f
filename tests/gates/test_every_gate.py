"""What CONTRIBUTING's "Add a gate" asks for: each table names every gate, and the message of what is missing names the table."""

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from ace_reflect.config_form import Gates
from ace_reflect.gates import judge
from ace_reflect.gates.case import SEVERITY
from ace_reflect.gates.model import Mode, Severity
from ace_reflect.settings import GATES
from support.work import Work, checkout

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("config_form.Gates", set(Gates.model_fields)),
        ("gates/case.py: SEVERITY", set(SEVERITY)),
        ("gates/judge.py: _RANK", set(judge._RANK)),
    ],
)
def test_a_table_names_every_gate(table: str, names: set[str]) -> None:
    assert names == set(GATES), table


def test_the_two_defaults_are_one() -> None:
    assert {name: field.default for name, field in Gates.model_fields.items()} == GATES
    assert set(GATES.values()) <= {mode.value for mode in Mode}


def test_every_gate_that_is_written_is_known_to_the_judge() -> None:
    files = (ROOT / "src" / "ace_reflect" / "gates").glob("*.py")
    written = {name for file in files for name in re.findall(r"^def (\w+_gate)\(", file.read_text(), re.MULTILINE)}

    assert written
    assert written <= vars(judge).keys(), "gates/judge.py: _findings"


def test_every_gate_is_asked_at_a_stop() -> None:
    asked = {finding.gate for finding in Work().edit().run().say("Done.").judge(checkout()).findings}

    assert asked == set(GATES), "gates/judge.py: _findings"


@pytest.mark.parametrize("gate", GATES)
def test_every_gate_is_in_the_readmes_table(gate: str) -> None:
    assert f"| `{gate}` |" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("work", "state"),
    [
        (Work().edit("src/new.py", created=True).run("license-checker", kind="lint", runner="license-checker"), "proven"),
        (Work().edit("src/new.py", created=True).run("license-checker", "failed", kind="lint", runner="license-checker"), "disproven"),
        (Work().edit("src/new.py", created=True).run("license-checker", "unknown", kind="lint", runner="license-checker"), "unknown"),
        (Work().edit("src/new.py", created=True).run(), "disproven"),
        (Work().edit("src/old.py").run(), "not_applicable"),
        (Work("Add it, and skip gates").edit("src/new.py", created=True), "waived"),
    ],
)  # fmt: skip
def test_the_gate_that_contributing_shows_works(work: Work, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = text.partition("   ```python\n")[2].partition("   ```\n")[0]
    module: dict[str, Any] = {}
    exec(dedent(code), module)  # noqa: S102 - our own page
    monkeypatch.setitem(SEVERITY, "licence", Severity.LOW)
    monkeypatch.setitem(GATES, "licence", "block")
    monkeypatch.setattr(judge, "_RANK", (*judge._RANK, "licence"))
    monkeypatch.setattr(judge, "wiring_gate", lambda case, _: module["licence_gate"](case))

    assert work.say("Done.").gate("licence", checkout()).state.value == state
