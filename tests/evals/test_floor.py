"""
The rules' own score on the suites, held: it may rise and must not drop.

A floor is raised with the change that earned it. It is lowered where a label was wrong, or where a rule went that was
unjust on real sessions: what only words tell is left to a model. A case is never changed to please the rules.
"""

import pytest

from ace_reflect.evals.cases import KINDS, load
from ace_reflect.evals.rules import answer
from ace_reflect.evals.run import by_rules
from ace_reflect.evals.score import UNDECIDED
from ace_reflect.evals.stage import stage

#: suite -> (right answers, cases that call for something and are found, false alarms)
FLOOR = {
    "judge": (43, 14, 2),  # both alarms are failures that the person exempted by name
    "stuck": (15, 1, 0),
    "post-compaction": (37, 24, 0),
    "agent": (8, 3, 0),
}


@pytest.mark.parametrize("suite", KINDS)
def test_the_rules_are_as_good_as_they_were(suite: str) -> None:
    (score,) = by_rules([suite])
    right, found, alarms = FLOOR[suite]

    assert score.right >= right, [result.case.id for result in score.misses]
    assert sum(result.found for result in score.results if result.case.positive) >= found
    assert score.false_alarms <= alarms, [
        result.case.id for result in score.results if result.false_alarm
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("npm-install-for-ninety-seconds", "working"),
        ("asks-which-database", "waiting_for_user"),
        ("stops-in-mid-sentence", UNDECIDED),
        ("next-steps-and-then-nothing", UNDECIDED),
        ("long-release-build", "working"),
    ],
)
def test_the_architectures_five_scenarios_are_told_as_the_product_tells_them(
    name: str, said: str
) -> None:
    (case,) = (case for case in load("stuck") if case.id == name)

    assert answer(stage(case)).said == said
