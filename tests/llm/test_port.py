"""What every provider hands over."""

import pytest

from ace_reflect.llm.claude_code import _usage
from ace_reflect.llm.port import Usage, tokens


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        (12, 12),
        (0, 0),
        (-5_000, 0),
        (10**400, 1_000_000_000),
        ("12", 0),
        (None, 0),
        (1.5, 0),
        (float("inf"), 0),
        ([], 0),
    ],
)
def test_a_count_is_a_number_that_neither_lowers_the_days_sum_nor_breaks_it(
    told: object, counted: int
) -> None:
    assert tokens(told) == counted


@pytest.mark.parametrize(
    ("told", "cost"),
    [
        (0.25, 0.25),
        (0, 0.0),
        (-1.0, None),
        (10**400, None),
        (float("nan"), None),
        (float("inf"), None),
        ("0.25", None),
    ],
)
def test_a_price_that_can_be_none_is_not_known(told: object, cost: float | None) -> None:
    spent = _usage({"usage": {"input_tokens": 10**400, "output_tokens": 7}, "total_cost_usd": told})
    assert spent == Usage(1_000_000_000, 7, cost)
