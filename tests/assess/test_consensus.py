"""Author, reviewer and auditor: who counts, and for what."""

import pytest

from ace_reflect.assess.consensus import AUDITOR, REVIEWER, Consensus, Finding, Review, held
from ace_reflect.assess.evaluate import Opinion
from ace_reflect.gates.model import Severity

DONE = Opinion(source="assessment", complete=True)
OPEN = Opinion(source="assessment", complete=False, missing=("Write the test",))
FILES = ("src/app.py", "src/web/app.js", "README.md")


def finding(
    path: str = "src/app.py", severity: Severity = Severity.HIGH, problem: str = "Off by one."
) -> Finding:
    return Finding(path, 3, severity, problem)


def review(
    role: str = REVIEWER, *findings: Finding, approves: bool = False, why: str = ""
) -> Review:
    return Review(role, f"other/{role}", approves, "So.", findings, why=why)


def test_done_means_that_all_who_answered_say_so() -> None:
    assert Consensus(DONE, [review(approves=True), review(AUDITOR, approves=True)]).complete
    assert not Consensus(DONE, [review(approves=True), review(AUDITOR, finding())]).complete
    assert not Consensus(OPEN, [review(approves=True)]).complete


def test_who_cannot_be_asked_holds_nobody_up() -> None:
    consensus = Consensus(DONE, [review(why="no key"), review(AUDITOR, approves=True)])

    assert consensus.complete
    assert consensus.heard
    assert consensus.to_json() == {
        "complete": True,
        "severity": "NONE",
        "dissents": [],
        "abstentions": ["reviewer"],
    }
    assert not Consensus(DONE, [review(why="no key")]).heard


@pytest.mark.parametrize(
    "dissent",
    [
        review(),  # a mood
        review(REVIEWER, finding(severity=Severity.LOW)),
        review(REVIEWER, finding(), approves=True),
        review(REVIEWER, finding(), why="it failed on the way"),
    ],
)
def test_an_objection_without_a_grave_finding_is_no_dissent(dissent: Review) -> None:
    assert not dissent.dissents
    assert Consensus(DONE, [dissent]).complete
    assert dissent.opinion().missing == ()


def test_the_gravest_dissent_comes_first_and_the_auditor_before_the_reviewer() -> None:
    consensus = Consensus(DONE, [review(REVIEWER, finding()), review(AUDITOR, finding())])
    assert [one.role for one in consensus.dissents] == [AUDITOR, REVIEWER]

    consensus = Consensus(
        DONE, [review(REVIEWER, finding()), review(AUDITOR, finding(severity=Severity.MEDIUM))]
    )
    assert [one.role for one in consensus.dissents] == [REVIEWER, AUDITOR]
    assert consensus.to_json()["severity"] == "HIGH"


def test_a_dissent_is_an_opinion_with_what_is_missing() -> None:
    opinion = review(
        AUDITOR, finding(severity=Severity.BLOCKER), finding(severity=Severity.LOW)
    ).opinion()

    assert (opinion.source, opinion.complete, opinion.severity) == (
        AUDITOR,
        False,
        Severity.BLOCKER,
    )
    assert opinion.missing == ("src/app.py:3: Off by one.",)


def test_a_blocker_is_the_auditors_alone_to_give() -> None:
    found = [finding(severity=Severity.BLOCKER)]

    assert held(REVIEWER, found, FILES)[0][0].severity is Severity.HIGH
    assert held(AUDITOR, found, FILES)[0][0].severity is Severity.BLOCKER


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("src/app.py", "src/app.py"),
        ("b/src/app.py", "src/app.py"),
        ("./src/app.py", "src/app.py"),
        ("/home/dev/project/src/app.py", "src/app.py"),
        ("app.js", "src/web/app.js"),
        ("web/app.js", "src/web/app.js"),
        ("src/other.py", ""),
        ("app", ""),
        ("", ""),
        ("..", ""),
    ],
)
def test_what_is_said_of_files_that_were_not_changed_is_struck_out(said: str, meant: str) -> None:
    kept, struck = held(REVIEWER, [finding(said)], FILES)

    assert [one.path for one in kept] == ([meant] if meant else [])
    assert len(struck) == (0 if meant else 1)


def test_findings_are_ordered_by_their_weight() -> None:
    found = [
        finding(severity=severity) for severity in (Severity.LOW, Severity.HIGH, Severity.MEDIUM)
    ]

    assert [one.severity for one in held(REVIEWER, found, FILES)[0]] == [
        Severity.HIGH,
        Severity.MEDIUM,
        Severity.LOW,
    ]
