"""What was answered at the install, in a `reflection.yaml` that a person keeps by hand."""

import pytest

from ace_reflect.errors import ConfigError
from ace_reflect.install.answers import merged, parse_models


@pytest.mark.parametrize(
    "broken", ["[foo]", "5", "{a: b}", "\n  - foo # hm\n  - bar", "[anthropic/x,\n  foo]"]
)
def test_a_value_is_replaced_with_all_its_lines_and_its_neighbours_stay(broken: str) -> None:
    old = f"# mine\nworkflow: local\nmodels: {broken}\n# about attempts\nmax_attempts: 2\n"

    assert [parse_models(text) for text in ("", "none", " None ", "offline", ",")] == [[]] * 5
    new = merged(old, {"models": ["anthropic/x"]}, "f")
    assert merged(new, {"models": ["anthropic/x"]}, "f") == new

    rest = "# mine\nworkflow: local\n# about attempts\nmax_attempts: 2\n"
    assert new == f"{rest}models: [anthropic/x]\n"


@pytest.mark.parametrize("old", ["{models: [foo], max_attempts: 2}\n", "max_attempts: 2\n...\n"])
def test_a_file_that_is_not_written_in_lines_is_left_to_the_person(old: str) -> None:
    with pytest.raises(ConfigError, match="by hand, nothing was changed"):
        merged(old, {"models": ["anthropic/x"]}, "f")
