"""Which removed or loosened tests are worth a word: those that nobody asked for and the answer does not tell of."""

import pytest

from ace_reflect.gates.model import State
from ace_reflect.project.facts import Project
from support.work import Work, checkout

ASSERTION = "- assert total == 3"
WHOLE = "- def test_total():"
SKIP = "+ it.skip('tz', () => {"


def state_of(work: Work) -> State:
    return work.gate("tests", Project(root="/home/dev/project")).state


@pytest.mark.parametrize(
    ("prompt", "quote", "state"),
    [
        ("now finally do that to func TestCollect_Succeeds too", '- t.Fatal("one")', State.PROVEN),
        ("Compare the whole list in ParserTest", ASSERTION, State.PROVEN),
        ("let test_total compare the rows", ASSERTION, State.PROVEN),
        ("make testParsesDates stricter", ASSERTION, State.PROVEN),
        ("Use the latestVersion and the fastestRoute", ASSERTION, State.UNKNOWN),
        ("Add the testId and upload it to TestFlight", ASSERTION, State.UNKNOWN),
        # To be told that a test fails is no wish to have it gone.
        ("TestCheckAndNotify_SkipsHidden is failing", "- func TestCheckAndNotify_SkipsHidden(t *testing.T) {", State.UNKNOWN),
        ("Make the tests pass", "rm tests/test_total.py", State.UNKNOWN),
        ("test_total is failing, delete it", WHOLE, State.PROVEN),
        ("Merge the two tests of the total", WHOLE, State.PROVEN),
    ],
)  # fmt: skip
def test_a_test_that_is_named_is_asked_for(prompt: str, quote: str, state: State) -> None:
    assert state_of(Work(prompt).edit("tests/test_a.py", weakened=quote).run().say("Done.")) is state


@pytest.mark.parametrize(
    ("quote", "answer", "state"),
    [
        (ASSERTION, '4. **`generator.test.ts`** — Removed assertion for the deleted "resources" criterion', State.PROVEN),
        (ASSERTION, "Simplified the prompt. The assertion about bundled resources was dropped.", State.PROVEN),
        (ASSERTION, "2. **`telemetry_test.go`** - Updated tests for the new API", State.PROVEN),
        (ASSERTION, "- Removed `output_filter` from test JSON and assertions (the field is gone)", State.PROVEN),
        (ASSERTION, "- Removed `csv` and its tests", State.PROVEN),
        (WHOLE, "I deleted `test_total`, as the function is gone.", State.PROVEN),
        (WHOLE, "Both old tests were replaced by one table.", State.PROVEN),
        (SKIP, "I skipped the tz test for now.", State.PROVEN),
        (SKIP, "The `tz` test is temporarily skipped until the server is back.", State.PROVEN),
        ("+ @pytest.mark.xfail", "I marked the tz test as xfail.", State.PROVEN),
        (ASSERTION, "The assertion on a key that no longer exists was removed.", State.PROVEN),
        (ASSERTION, "There was no other way.\n- Removed the third assertion", State.PROVEN),
        (SKIP, "Note: I had to skip the failing login test for now.", State.PROVEN),
        # that it is flaky or unimportant is no reason to switch it off, and to tell of it makes up for nothing
        (SKIP, "Note: I had to skip the flaky login test for now.", State.DISPROVEN),
        (SKIP, "I disabled the tz test, it is not important here.", State.DISPROVEN),
        ('+ @Disabled("flaky")', "Simplified it.", State.DISPROVEN),
        ("+ @pytest.mark.skip(reason='unreliable in CI')", "The tz test is skipped now.", State.DISPROVEN),
        ("+ @pytest.mark.skip(reason='needs docker')", "I skipped the tz test, it needs docker.", State.PROVEN),
        (SKIP, "I skipped the tz test, it needs a network. The retry is no longer flaky.", State.PROVEN),
        (ASSERTION, "Removed a flaky assertion from the test.", State.PROVEN),
        # told of something else, or the opposite
        (ASSERTION, "Removed the cache. All tests pass.", State.UNKNOWN),
        (ASSERTION, "Removed the cache and all tests pass.", State.UNKNOWN),
        (ASSERTION, "I ran the tests and removed the cache.", State.UNKNOWN),
        (ASSERTION, "Updated the parser; the tests are green.", State.UNKNOWN),
        (ASSERTION, "Changed the code under test.", State.UNKNOWN),
        (WHOLE, "Replaced the old parser with a faster one, covered by new tests.", State.UNKNOWN),
        (WHOLE, "Dropped support for v1 (with tests).", State.UNKNOWN),
        (SKIP, "All green: 12 passed, 1 skipped.", State.UNKNOWN),
        (ASSERTION, "No tests were removed or changed.", State.UNKNOWN),
        (ASSERTION, "Fixed it without changing any tests.", State.UNKNOWN),
        (WHOLE, "Updated 4 tests to expect the new behaviour.", State.UNKNOWN),
        (SKIP, "Updated the tests.", State.UNKNOWN),
        (SKIP, "Added tests for skipped commands.", State.UNKNOWN),
        (SKIP, "Hidden commands are skipped (tests added).", State.UNKNOWN),
        (SKIP, "The tests were not skipped.", State.UNKNOWN),
    ],
)  # fmt: skip
def test_what_the_answer_tells_of_needs_no_word(quote: str, answer: str, state: State) -> None:
    assert state_of(Work("Simplify the total").edit("tests/test_a.py", weakened=quote).run().say(answer)) is state


@pytest.mark.parametrize(
    ("gone", "quote", "state"),
    [
        ("SetCommand", "- func TestClientSetCommand(t *testing.T) {", State.PROVEN),
        ("Parser parse_date", "- def test_parse_date_with_zone():", State.PROVEN),
        ("setCommand", "- it('set command stores it', () => {", State.PROVEN),
        ("parse", "- def test_parse():", State.PROVEN),
        ("parse", "- def test_parse_date():", State.UNKNOWN),
        ("set_command", "- def test_set_total():", State.UNKNOWN),
        ("SetCommand", "- func TestSetCommand(t *testing.T) { (and 2 more)", State.UNKNOWN),
        ("SetCommand", '+ t.Skip("SetCommand")', State.UNKNOWN),
        ("", "- def test_parse():", State.UNKNOWN),
    ],
)  # fmt: skip
def test_a_test_goes_with_the_function_it_tests(gone: str, quote: str, state: State) -> None:
    work = Work("op 2").edit("src/app.py", gone=gone).edit("tests/test_a.py", weakened=quote)

    assert state_of(work.run().say("Done.")) is state


def test_what_went_in_an_earlier_turn_accounts_for_nothing_now() -> None:
    work = Work("Drop it").edit("src/app.py", gone="SetCommand").run().say("Done.").ask("Simplify the total")
    work = work.edit("tests/test_a.py", weakened="- func TestSetCommand(t *testing.T) {").run().say("Done.")

    assert state_of(work) is State.UNKNOWN


def test_each_loosened_test_has_to_be_accounted_for() -> None:
    work = Work("Fix the failing date test").edit("tests/test_a.py", weakened=SKIP)
    work = work.edit("tests/test_a.py", weakened=ASSERTION).run().say("Fixed.")

    finding = work.gate("tests", Project(root="/home/dev/project"))

    assert (finding.state, finding.evidence[0].quote) == (State.UNKNOWN, SKIP)


def test_who_asks_to_have_a_flaky_test_skipped_gets_it_skipped() -> None:
    skip = "+ @pytest.mark.skip(reason='flaky')"
    work = (
        Work("Simplify the total and skip the flaky tz test").edit("tests/test_a.py", weakened=skip).run().say("Done.")
    )

    assert state_of(work) is State.PROVEN


def test_the_message_asks_to_switch_a_flaky_test_on_again() -> None:
    skip = "+ it.skip('tz', () => {  // flaky"
    work = Work("Simplify the total").edit("tests/test_a.py", weakened=skip).run().say("Done.")
    feedback = work.judge(checkout()).verdict.feedback

    assert "test change " in feedback
    assert "Switch it on again, run `pytest` with it in, and fix what fails." in feedback
