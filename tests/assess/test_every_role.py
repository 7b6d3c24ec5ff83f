"""What CONTRIBUTING's "Add a role" asks for: its name in the budget, its prompt, and an answer that claims nothing by itself."""

from importlib import import_module
from pathlib import Path

import pytest

from ace_reflect import assess
from ace_reflect.assess.role import ROLES, Role
from ace_reflect.paths import load_template


def _roles() -> dict[str, Role]:  # type: ignore[type-arg]
    found = {}
    for path in sorted(Path(assess.__path__[0]).glob("[a-z]*.py")):
        module = import_module(f"ace_reflect.assess.{path.stem}")
        for value in vars(module).values():
            several = value.values() if isinstance(value, dict) else (value,)
            found |= {role.name: role for role in several if isinstance(role, Role)}
    return found


FOUND = _roles()
PROMPTS = Path(__file__).resolve().parents[2] / "prompts"


def test_every_roles_tokens_count_against_the_daily_budget() -> None:
    assert set(FOUND) == set(ROLES), "assess/role.py: ROLES"


@pytest.mark.parametrize("name", FOUND)
def test_a_roles_prompt_is_there_and_says_where_its_parts_come_from(name: str) -> None:
    assert load_template(FOUND[name].prompt_file)
    headings = [
        row
        for row in (PROMPTS / "README.md").read_text(encoding="utf-8").split("\n")
        if row.startswith("## ")
    ]
    assert any(FOUND[name].prompt_file in row for row in headings)
