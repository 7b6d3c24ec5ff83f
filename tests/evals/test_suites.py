"""The suites: enough cases, balanced, each with a reason, each readable by the product; and the rules' score on them."""

import re
from collections import Counter

import pytest

from ace_reflect.errors import AceReflectError
from ace_reflect.evals.cases import KINDS, load, read_file, stage
from ace_reflect.evals.engines import UNDECIDED, by_rules
from ace_reflect.evals.score import by_rules as scored_by_rules

#: What the article names.
LEAST = {"assess": 40, "judge": 30, "stuck": 16, "post-compaction": 14, "agent": 10}
#: suite -> (right answers, shares of what calls for something and is found, false alarms). It may rise and must not drop:
#: a floor is lowered only where a label was wrong, or where a rule went that was unjust on real sessions.
FLOOR = {
    "assess": (8, 0, 0),  # most are left to the model whose prompt they are for
    "judge": (43, 14, 2),  # both alarms are failures that the person exempted by name
    "stuck": (15, 1, 0),
    "post-compaction": (32, 21, 0),  # what only words tell is left to a model
}


@pytest.mark.parametrize("suite", FLOOR)
def test_the_rules_are_as_good_as_they_were(suite: str) -> None:
    (score,) = scored_by_rules([suite])
    right, found, alarms = FLOOR[suite]
    body = score.to_json()

    assert body["right"] >= right, [miss["id"] for miss in body["misses"]]
    assert sum(result.found for result in score.results if result.case.positive) >= found
    assert body["false_alarms"] <= alarms, [m["id"] for m in body["misses"] if m["false_alarm"]]


SCENARIOS = {
    "npm-install-for-ninety-seconds": "working", "asks-which-database": "waiting_for_user", "stops-in-mid-sentence": UNDECIDED,
    "next-steps-and-then-nothing": UNDECIDED, "long-release-build": "working",
}  # fmt: skip


@pytest.mark.parametrize(("name", "said"), SCENARIOS.items())
def test_the_architectures_five_scenarios_are_told_as_the_product_tells_them(name, said):
    (case,) = (case for case in load("stuck") if case.id == name)

    assert by_rules(stage(case)).said == said


@pytest.mark.parametrize("suite", KINDS)
def test_a_suite_has_enough_balanced_cases_with_a_reason_and_the_product_reads_each(suite):
    cases = load(suite)
    assert len({case.id for case in cases}) == len(cases) >= LEAST[suite]
    assert {answer for case in cases for answer in case.right} == set(KINDS[suite])
    if suite in {"assess", "judge", "agent"}:
        assert 0.4 <= sum(case.positive for case in cases) / len(cases) <= 0.6
    if suite == "stuck":
        kinds = Counter(case.right[0] for case in cases).values()
        assert max(kinds) - min(kinds) <= 1

    for case in cases:
        staged = stage(case)
        assert re.fullmatch(r"[^\n]{40,240}\.", case.why), case.id
        assert (staged.ledger.bad_lines, staged.ledger.lines) == (0, len(case.session.lines))
        assert staged.ledger.now.prompt, case.id
        assert not re.search(r"/(?:root|work|tmp/build)\b", "".join(case.session.lines))
        read_a_subagents = any(run.file for run in staged.ledger.runs)
        assert read_a_subagents is (case.id == "subagent-ran-the-tests"), case.id


GOOD = "- id: a\n  expect: complete\n  why: Because.\n  session: [{user: Go}, {say: Done.}]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- id: a\n", "mine.yaml: a: cannot be used: "),
        (GOOD + "  mood: sunny\n", "unexpected keyword argument 'mood'"),
        (GOOD.replace("complete", "perhaps"), "a: cannot be used: `expect` is one of complete, "),
        (GOOD.replace("say", "shout"), "a: cannot be used: step 2 begins with none of user, say,"),
        (GOOD.replace("Done.", "Done., loud: 1"), "step 2 (`say`): "),
        ("cases\n", "cannot be used"),
    ],
)
def test_a_case_that_cannot_be_used_is_named_with_its_file(text, said, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(text)

    with pytest.raises(AceReflectError) as caught:
        read_file(str(path), "judge")

    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
