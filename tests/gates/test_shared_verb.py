"""One verb in front of several things that may be left out."""

import pytest

from ace_reflect.gates.shared_verb import parts
from ace_reflect.gates.words import read_words


def waived(text: str) -> set[str]:
    return {waiver.gate for waiver in read_words(text).waivers}


def test_the_verb_is_put_in_front_of_each_thing() -> None:
    assert [low for low, _ in parts("Skip lint, tests and the build, then commit")] == [
        "skip lint",
        "skip tests",
        "skip the build",
        "commit",
    ]


@pytest.mark.parametrize(
    ("text", "gates"),
    [
        ("skip the build and the tests, just patch config.ts", {"build", "tests"}),
        ("no need to run lint, tests or the build", {"build", "tests"}),
        ("don't build or test", {"build", "tests"}),
        ("no lint no tests no build just change the string", {"build", "tests"}),
        ("skip tests/build", {"build", "tests"}),
        ("without tests or a PR, just change the badge", {"pr", "tests"}),
        ("just commit locally, no push no pr", {"pr"}),
    ],
)
def test_each_of_them_is_waived(text: str, gates: set[str]) -> None:
    assert waived(text) == gates


@pytest.mark.parametrize(
    "text",
    [
        "skip the header row and the tests folder when globbing",
        "no lint errors and tests must pass",
        "ignore lint warnings and test files in the coverage config",
        "ignore whitespace and run the tests",
        "fix the import and the tests",
        "no mocks, tests should hit the real db",
    ],
)
def test_what_is_no_such_list_waives_nothing(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize("text", ["skip the tests, build and deploy", "skip the tests, commit and push"])
def test_an_order_behind_the_comma_is_not_left_out(text: str) -> None:
    assert waived(text) - {"pr", "direct_push"} == {"tests"}
    assert not read_words(text).no_push


def test_no_push_forbids_it() -> None:
    words = read_words("just commit locally, no push no pr")
    assert words.no_push
    assert not words.asks_push
