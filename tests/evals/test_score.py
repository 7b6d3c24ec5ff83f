"""The numbers, on answers whose numbers are known."""

import pytest

from ace_reflect.evals.cases import Case
from ace_reflect.evals.score import UNDECIDED, Answer, Result, Score
from ace_reflect.evals.session import Session
from ace_reflect.llm.port import Usage


def case(right: str, suite: str = "judge") -> Case:
    return Case(
        suite,
        f"{right}-case",
        tuple(right.split()),
        "Because.",
        Session([], cwd="/home/dev/project"),
    )


def result(right: str, said: str, **more: object) -> Result:
    return Result(case(right), Answer(said, **more))  # type: ignore[arg-type]


RESULTS = (
    result("incomplete", "incomplete"),
    result("incomplete", "complete"),
    result("incomplete", UNDECIDED),
    result("incomplete", "", failed="no model"),
    result("complete", "complete"),
    result("complete", "waiting"),  # not exact, and left in peace all the same
    result("waiting", "incomplete"),
    result("waiting", UNDECIDED),
)


def test_undecided_and_unanswered_are_never_right_and_are_counted_apart() -> None:
    score = Score("judge", RESULTS)

    assert (score.cases, score.right, score.undecided, score.failed, score.false_alarms) == (
        8,
        2,
        2,
        1,
        1,
    )
    assert score.accuracy == 2 / 8
    assert score.sensitivity == 1 / 4
    assert score.specificity == 2 / 4


def test_an_engine_that_pushes_always_has_no_specificity() -> None:
    score = Score("judge", tuple(Result(one.case, Answer("incomplete")) for one in RESULTS))

    assert (score.sensitivity, score.specificity, score.false_alarms) == (1.0, 0.0, 4)


def test_a_score_in_the_labels_range_is_right() -> None:
    found = [Result(case("4 5", "agent"), Answer(said)).right for said in ("3", "4", "5")]

    assert found == [False, True, True]


@pytest.mark.parametrize(
    ("costs", "wanted"), [((0.1, 0.2), 0.3), ((0.1, None), 0.1), ((None, None), None)]
)
def test_the_cost_is_the_sum_of_what_is_known(
    costs: tuple[float | None, ...], wanted: float | None
) -> None:
    results = tuple(
        Result(case("complete"), Answer("complete", usage=Usage(1, 1, cost))) for cost in costs
    )

    found = Score("judge", results).usage.cost_usd

    assert found == (None if wanted is None else pytest.approx(wanted))


def test_the_rules_come_first_where_they_decide() -> None:
    one = Result(case("incomplete"), Answer("complete"), rules_first=Answer("incomplete"))
    score = Score("judge", (one,))

    assert score.combined is not None
    assert (score.right, score.combined.right) == (0, 1)
    assert score.to_json()["rules_first"]["accuracy"] == 1.0
    assert Score("judge", RESULTS).combined is None


def test_every_miss_is_listed_with_the_reason_of_its_label() -> None:
    misses = Score("judge", RESULTS).to_json()["misses"]

    assert len(misses) == 6
    assert {"id", "expected", "label_why", "said", "why", "false_alarm"} == misses[0].keys()
    assert misses[2]["why"] == "no model"
