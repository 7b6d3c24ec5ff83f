"""The numbers, on answers whose numbers are known."""

from ace_reflect.evals.cases import Case
from ace_reflect.evals.engines import UNDECIDED, Answer
from ace_reflect.evals.score import Result, Score
from ace_reflect.evals.session import Session


def result(right: str, said: str, suite: str = "judge", **more: object) -> Result:
    case = Case(suite, f"{right}-case", tuple(right.split()), "Because.", Session([], "/home/dev"))
    return Result(case, Answer(said, **more))  # type: ignore[arg-type]


RESULTS = (
    *(result("incomplete", said) for said in ("incomplete", "complete", UNDECIDED)),
    result("incomplete", "", failed="no model"),
    *(result("complete", said) for said in ("complete", "waiting")),  # not exact, and left in peace all the same
    *(result("waiting", said) for said in ("incomplete", UNDECIDED)),
)  # fmt: skip


def test_undecided_and_unanswered_are_never_right_and_are_counted_apart() -> None:
    body = Score("judge", RESULTS).to_json()

    counts = ("cases", "positive", "right", "undecided", "failed", "false_alarms")
    assert [body[name] for name in counts] == [8, 4, 2, 2, 1, 1]
    assert (body["accuracy"], body["sensitivity"], body["specificity"]) == (2 / 8, 1 / 4, 2 / 4)
    assert len(body["misses"]) == 6
    assert {"id", "expected", "label_why", "said", "why", "false_alarm"} == body["misses"][0].keys()
    assert body["misses"][2]["why"] == "no model"
    assert "rules_first" not in body


def test_a_score_in_the_labels_range_is_right_and_the_rules_come_first_where_they_decide() -> None:
    assert [result("4 5", said, "agent").right for said in "345"] == [False, True, True]
    one = Result(RESULTS[0].case, Answer("complete"), rules_first=Answer("incomplete"))
    body = Score("judge", (one,)).to_json()
    assert (body["right"], body["rules_first"]["right"]) == (0, 1)
