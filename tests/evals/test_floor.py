"""
The rules' own score on the suites, held: it may rise and must not drop.

A floor is raised with the change that earned it. It is lowered only where a label was wrong, with the reason in the
commit; a case is never changed to please the rules.
"""

import pytest

from ace_reflect.evals.cases import KINDS, load
from ace_reflect.evals.rules import answer
from ace_reflect.evals.run import by_rules
from ace_reflect.evals.score import UNDECIDED
from ace_reflect.evals.stage import stage

#: suite -> (right answers, cases that call for something and are found, false alarms)
FLOOR = {
    "judge": (61, 27, 0),
    "stuck": (19, 4, 0),  # one is left to a model
    "post-compaction": (39, 25, 0),
    "agent": (10, 5, 0),
}


@pytest.mark.parametrize("suite", KINDS)
def test_the_rules_are_as_good_as_they_were(suite: str) -> None:
    (score,) = by_rules([suite])
    right, found, alarms = FLOOR[suite]

    assert score.right >= right, [result.case.id for result in score.misses]
    assert sum(result.found for result in score.results if result.case.positive) >= found
    assert score.false_alarms <= alarms, [result.case.id for result in score.results if result.false_alarm]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("npm-install-for-ninety-seconds", "working"),
        ("asks-which-database", "waiting_for_user"),
        ("stops-in-mid-sentence", "genuinely_stuck"),
        ("next-steps-and-then-nothing", UNDECIDED),  # in print mode the gate decides; else a model is asked
        ("long-release-build", "working"),
    ],
)
def test_the_architectures_five_scenarios_are_told_as_the_product_tells_them(name: str, said: str) -> None:
    (case,) = (case for case in load("stuck") if case.id == name)

    assert answer(stage(case)).said == said
