"""A change was asked for, and the session holds nothing but the answer."""

import pytest

from ace_reflect.gates.model import EndState, State
from support.work import Work, checkout


@pytest.mark.parametrize(
    "final",
    [
        "Fixed. All 12 tests pass now.",
        "I've updated `src/app.py`, and all tests pass.",
        "Done. I created `src/new_parser.py`.",
        "I have committed and pushed the fix.",
    ],
)
def test_work_that_is_made_up_is_held_against_the_session(final: str) -> None:
    judgement = Work("Fix the parser").say(final).judge(checkout())

    assert judgement.verdict.decision == "block"
    assert "in this session" in judgement.verdict.feedback


def test_done_without_more_is_not_complete_and_the_person_is_told() -> None:
    verdict = Work("Fix the parser").say("Done, the parser handles empty lines now.").judge(checkout()).verdict

    assert (verdict.decision, verdict.end_state) == ("allow", EndState.INCOMPLETE)
    assert "no tool was used" in verdict.system_message


@pytest.mark.parametrize(
    ("prompt", "final"),
    [
        ("How would I fix the parser?", "Change `src/app.py`; then all tests pass."),
        ("Rename x to y in this snippet: x = 1", "Done:\n\n```python\ny = 1\n```\n\nAll tests pass with it."),
        ("Fix the parser", "What should it do with empty lines?"),
        ("Write a haiku about parsers", "Tokens fall like rain."),
    ],
)
def test_what_is_answered_with_words_is_not(prompt: str, final: str) -> None:
    judgement = Work(prompt).say(final).judge(checkout())

    assert judgement.verdict.decision == "allow"
    assert "no tool was used" not in judgement.verdict.system_message


def test_words_that_the_person_gave_are_no_claim() -> None:
    work = Work("Write a line for the changelog: all tests pass again").say("All tests pass again.")

    assert work.gate("claims", checkout()).state is not State.DISPROVEN


def test_an_earlier_turns_work_may_be_what_the_answer_is_about() -> None:
    work = Work("Fix the parser").edit().run().say("Done.").ask("Now commit it").say("All tests pass.")

    assert work.gate("claims", checkout()).state is not State.DISPROVEN
