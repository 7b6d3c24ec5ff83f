"""The suites themselves: enough cases, balanced, each with a reason, each readable by the product."""

import re
from collections import Counter
from pathlib import Path

import pytest

from ace_reflect.errors import AceReflectError
from ace_reflect.evals.cases import KINDS, Case, load, read_file
from ace_reflect.evals.stage import stage

#: What the article names.
LEAST = {"judge": 30, "stuck": 16, "post-compaction": 14, "agent": 10}
ALL = [case for suite in KINDS for case in load(suite)]


@pytest.mark.parametrize("suite", KINDS)
def test_there_are_as_many_cases_as_the_article_names(suite: str) -> None:
    assert len(load(suite)) >= LEAST[suite]


@pytest.mark.parametrize("suite", KINDS)
def test_every_answer_is_some_cases_right_one(suite: str) -> None:
    assert {answer for case in load(suite) for answer in case.right} == set(KINDS[suite].answers)


@pytest.mark.parametrize("suite", ["judge", "agent"])
def test_about_as_many_cases_call_for_something_as_do_not(suite: str) -> None:
    share = sum(case.positive for case in load(suite)) / len(load(suite))

    assert 0.4 <= share <= 0.6


def test_the_kinds_of_stop_are_even() -> None:
    counts = Counter(case.right[0] for case in load("stuck"))

    assert max(counts.values()) - min(counts.values()) <= 1


def test_a_label_has_its_reason_in_one_sentence() -> None:
    odd = [case.id for case in ALL if not re.fullmatch(r"[^\n]{40,240}\.", case.why)]

    assert odd == []


def test_runners_and_languages_are_many() -> None:
    text = "\n".join(f"{case.session.text()} {case.files}" for case in load("judge"))
    runners = [
        "pytest",
        "jest",
        "vitest",
        "mocha",
        "go test",
        "cargo test",
        "rspec",
        "phpunit",
        "mvn",
        "gradlew",
        "mix test",
        "ctest",
    ]

    assert [runner for runner in runners if runner not in text] == []


@pytest.mark.parametrize("case", ALL, ids=lambda case: f"{case.suite}/{case.id}")
def test_the_product_reads_every_case_as_it_stands(case: Case) -> None:
    staged = stage(case)

    assert staged.ledger.bad_lines == 0
    assert staged.ledger.lines == len(case.session.lines)
    assert staged.subject.task
    assert not re.search(r"/(?:root|work|tmp/build)\b", case.session.text())


def test_a_subagents_own_session_stands_beside_the_main_one() -> None:
    case = next(case for case in load("judge") if case.id == "subagent-ran-the-tests")

    assert any(run.file for run in stage(case).ledger.runs)


GOOD = """
- id: a
  expect: complete
  why: Because.
  session: [{user: Go}, {say: Done.}]
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- id: a\n", "a: has id, expect, why and session"),
        (GOOD + "  mood: sunny\n", "a: has id, expect, why and session"),
        (
            GOOD.replace("complete", "perhaps"),
            "a: `expect` is one of complete, incomplete, waiting",
        ),
        (GOOD.replace("say", "shout"), "a: step 2 names none of"),
        ("a: b: c\n", "cannot be read"),
        ("cases\n", "is a list of cases"),
    ],
)
def test_a_case_that_cannot_be_used_is_named_with_its_file(
    text: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)

    with pytest.raises(AceReflectError) as caught:
        read_file(str(path), "judge")

    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


def test_a_range_of_scores_holds_what_lies_between(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD.replace("complete", "[2, 4]"))

    (case,) = read_file(str(path), "agent")

    assert case.right == ("2", "3", "4")
