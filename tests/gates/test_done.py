"""Whether an answer says that the work is done, and whether it reports without anything open."""

from pathlib import Path

import pytest

from ace_reflect.assess.when import asks
from ace_reflect.gates.done import done_sentence, plain_report, says_done
from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, State, StopKind
from ace_reflect.gates.stop_kind import read_kind
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.work import Work, checkout


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "I've added the retry.",
        "I rewrote the loader and removed the cache.",
        "Len takes the lock now.",
        "The loader now reads both forms.",
        "`TIMEOUT_S` is 900 now. I have not run the tests, as you asked.",
        "Deleted (it was at 77ac01e).",
        "- Moved the parser to `core/`\n- Dropped both fields",
        "Bumped to 2.3.",
        "Alle Slugs sind jetzt klein.",
        "It is not pretty, but it is fixed.",
        "All 31 tests pass, not a single failure.",
        "12 of 12 files are done.",
        "✅ parser",
        "Both issues have been resolved:\n- the cache\n- the lock",
        "The parser reads both forms.\n\nImplemented and verified:",
        "After that, I fixed the loader.",
        "## Next steps\n\n- tell them\n\nAll is done.",
        "I re-implemented the loader.",
        "`@acme/widgets@1.4.0` is published.",
        "v1.2 is released, and its notes are live.",
    ],
)
def test_done(text: str) -> None:
    assert says_done(text)


@pytest.mark.parametrize(
    "text",
    [
        "I need the board for that.",
        "I need to create the index first.",
        "The index is not created yet.",
        "I have not added the retry.",
        "The retry hasn't been added.",
        "It will be fixed in the next step.",
        "The field needs to be removed.",
        "Once this is merged the build can go on.",
        "Failed to be pushed.",
        "Should this be removed?",
        "14 of 22 handlers are async now.",
        "Ack, 11/18.",
        "Based on the logs the pool is the cause.",
        "Tried the second mirror.",
        "The server now fails at start.",
        "Will report a summary once all 18 land.",
        "Related work stands in #12.",
        "I feed the rows one by one.",
        "Summary:\n- the cache holds rows",
        "## Summary of changes\n\n- `a.py`: a lock",
        "Here's what I found:\n- the cache holds rows",
        "Updated files:\n- `a.py`",
        "After that: a full verification pass, then conventional commits.",
        "The table is read. Next — pushed commits and a merged branch.",
        "## Next steps\n\n1. Docs updated\n2. A complete run",
        "A small, well-implemented loader.",
        "Once the site is deployed, its address works.",
        "What is published under the MIT license stays there.",
    ],
)
def test_not_said_to_be_done(text: str) -> None:
    assert not says_done(text)


@pytest.mark.parametrize(
    "text",
    [
        "Slugs fold case. `slugify` lowers its input before the table is asked.",
        "PR is up: https://example.org/pull/3\n\nIt holds the API module and its docs.",
    ],
)
def test_plain_reports(text: str) -> None:
    assert plain_report(text)
    assert read_kind(text) is StopKind.UNCLEAR


@pytest.mark.parametrize(
    "text",
    [
        "Slugs fold case. Umlauts still need a table.",
        "Slugs fold case. Shall I go on with umlauts?",
        "Slugs fold case; the second part remains.",
        "The approach would be to fold case first.",
        "Slugs fold case. The importer fails on one file.",
        "Ack.",
        "Slugs fold case. Next:",
        "I think slugs fold case.",
    ],
)
def test_reports_that_leave_something_open(text: str) -> None:
    assert not plain_report(text)


def test_a_plain_report_on_proven_work_needs_no_model() -> None:
    judgement = Work("Fold case in slugs").edit().run().say("Slugs fold case, umlauts too.").judge(checkout())

    completion = next(f for f in judgement.findings if f.gate == "completion")
    assert completion.state is State.PROVEN
    assert asks(judgement, Settings(models=("house/big",)), "Slugs fold case, umlauts too.") == ()
    assert (judgement.verdict.end_state, judgement.verdict.stop_kind) == (EndState.COMPLETE, StopKind.UNCLEAR)


@pytest.mark.parametrize(
    ("answer", "quote"),
    [
        ("### Summary of changes:\n- Added 8 tests", "Added 8 tests"),
        ("The reviewer agrees. Summary:\n- a well-implemented loader\n- All 15 tests pass", "All 15 tests pass"),
        ("All changes are implemented:\n- a lock\n\nCommitted.", "Committed."),
        ("All changes are implemented:\n- a lock", "All changes are implemented:"),
    ],
)
def test_the_sentence_that_says_it_is_quoted_and_no_heading(answer: str, quote: str) -> None:
    assert done_sentence(answer).lstrip("- ") == quote


@pytest.mark.parametrize(
    "work",
    [
        Work("Fold case in slugs").edit().say("Slugs fold case, umlauts too."),
        Work("Fold case in slugs").edit().run().say("Slugs fold case. Umlauts are for later, I think."),
        Work("Fold case").edit().run().ask("And umlauts").read().say("The table lists umlauts."),
    ],
)
def test_without_proof_of_this_turn_or_with_something_open_a_report_is_undecided(work: Work) -> None:
    findings = work.judge(checkout()).findings

    assert next(f for f in findings if f.gate == "completion").state is State.UNKNOWN


def test_a_question_that_stands_open_waits_for_the_person(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Move the forms.").call("AskUserQuestion", {"questions": [{"question": "?"}]})
    judgement = judge_stop(ledger_of(built), checkout(), Settings())

    assert judgement.verdict.end_state is EndState.WAITING_FOR_USER


@pytest.mark.parametrize(
    "text",
    [
        "T1 is launched. Waiting for its result before T2. Then the writer changes follow.",
        "Noted, continuing to wait for the remaining batches.",
        "Ack, 9/18 in.",
        "Status: T1, T2 done and verified. T3 running on another model. T4 after. The last commits stay with me.",
        "Phase 1 is finished. Phase 2 (schema and docs) is still in progress. It is the last one.",
        "Batches launched. I'll report a summary once all 18 land.",
        "The index is mapped. Still waiting on the competitor sweep. One find: a dead link.",
    ],
)
def test_who_waits_for_others_is_at_work(text: str) -> None:
    assert read_kind(text) is StopKind.WORKING


@pytest.mark.parametrize(
    "text",
    [
        "Done. Waiting for your review.",
        "I fixed the wait for the lock.",
        "Acknowledged and fixed.",
        "Phase 2 is done. Step 3 now running in 2 s instead of 9. Fixed.",
        "Phase 1 is done. All 12 tasks of phase 2 are open.",
        "All checks pass. I'll merge it once you approve.",
    ],
)
def test_who_waits_for_the_person_or_is_done_is_not(text: str) -> None:
    assert read_kind(text) is not StopKind.WORKING


@pytest.mark.parametrize(
    "offer",
    [
        "Tell me if you'd like that handled as well.",
        "Say the word if you want the same for the reader.",
        "Say so if you would prefer a default.",
    ],
)
def test_an_offer_of_more_behind_finished_work_asks_nothing(offer: str) -> None:
    assert read_kind(f"Found and fixed it: each client has its own context now. {offer}") is StopKind.COMPLETE


@pytest.mark.parametrize(
    "question",
    ["Tell me which of the two you want.", "Tell me if you'd like a new column or a table of its own."],
)
def test_a_choice_is_no_offer(question: str) -> None:
    assert read_kind(f"The reader is done. {question}") is StopKind.WAITING_FOR_USER
