"""What is kept of earlier words from one stop to the next changes nothing of what they mean."""

from typing import Any

import pytest

from ace_reflect.gates.words_in_force import standing_waivers, words_in_force
from support.work import Work


def _of(work: Work, heard: "dict[str, Any] | None" = None) -> Any:
    ledger = work.ledger()
    return words_in_force(ledger, ledger.turns[-1], heard)


def _session(*prompts: str) -> Work:
    work = Work(prompts[0]).edit().say("Done.")
    for prompt in prompts[1:]:
        work.ask(prompt).edit().say("Done.")
    return work


@pytest.mark.parametrize(
    "prompts",
    [
        ("Fix the parser", "now the lexer", "and the printer"),
        ("Fix the parser", "skip gates for this session", "and the printer"),
        ("From now on never run the tests yourself", "fix the parser", "fix the lexer"),
        ("skip gates for this session", "fix the parser", "run the checks again please", "fix the lexer"),
    ],
)
def test_what_was_heard_once_means_the_same_at_every_later_stop(prompts: tuple[str, ...]) -> None:
    heard: dict[str, Any] = {}
    for count in range(1, len(prompts) + 1):
        work = _session(*prompts[:count])
        assert _of(work, heard) == _of(work), prompts[:count]
        assert _of(work, heard) == _of(work), "and once more"


def test_a_turn_that_said_nothing_is_noted_by_its_place_and_length() -> None:
    """A transcript that was rewritten has other words in the same place."""
    heard: dict[str, Any] = {}
    _of(_session("Fix the parser", "now the lexer"), heard)
    assert any(key.startswith("silent ") for key in heard)

    other = _session("Skip gates for this session", "now the lexer")

    assert _of(other, heard) == _of(other)
    assert [waiver.session for waiver in _of(other, heard).waivers] == [True]


def test_instructions_are_read_once_and_anew_when_they_change() -> None:
    heard: dict[str, Any] = {}
    first = standing_waivers("# Rules\n\nDo not run the tests yourself.\n", "CLAUDE.md", heard)
    assert [(waiver.gate, waiver.by) for waiver in first] == [("tests", "CLAUDE.md")]
    assert standing_waivers("# Rules\n\nDo not run the tests yourself.\n", "CLAUDE.md", heard) == first
    assert len(heard) == 1
    assert standing_waivers("# Rules\n\nRun the tests.\n", "CLAUDE.md", heard) == ()
    assert standing_waivers("", "CLAUDE.md") == ()
