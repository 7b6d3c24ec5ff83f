"""What the fast model says of a stop that the rules could not tell."""

import pytest

from ace_reflect.assess.answers import StopKindAnswer
from ace_reflect.assess.role import Told
from ace_reflect.assess.stop_kind import kind_of


@pytest.mark.parametrize(
    ("confidence", "nudge"), [(0.9, True), (0.5, True), (None, True), (0.3, False)]
)
def test_a_nudge_wants_some_certainty(confidence: float | None, nudge: bool) -> None:
    told = Told(StopKindAnswer(kind="genuinely_stuck", confidence=confidence), "model")

    assert kind_of(told).nudge is nudge


def test_a_check_that_fails_pushes_nobody() -> None:
    found = kind_of(Told(None, "nobody", why="timed out"))

    assert (found.kind, found.nudge) == (None, False)
