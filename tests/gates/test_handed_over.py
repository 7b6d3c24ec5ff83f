"""To-do lists that are open at a stop because the person has the next word, or was told why."""

import pytest

from ace_reflect.gates.completion import breaks_off
from ace_reflect.gates.words import read_words
from support.work import Work, checkout

DONE = "The first part is in place; the tests pass."


@pytest.mark.parametrize(
    "answer",
    [
        "Ready for your review; I'll go on with the next batch when you give the word.",
        "I've stopped here as agreed; 4 and 5 are next once you've had a look.",
        "You wanted to see it before the UI, so I'll hold here until you've looked at it.",
        'Say "go" and I\'ll do the rest the same way.',
        "Before I touch the other eight I'd like your OK on the mocks.",
        "As soon as you've approved the schema I'll continue with the importer.",
        "I'd hold the remaining ones back until you have decided on the name.",
        "Give me a nod and I'll start on the docs.",
    ],
)
def test_open_items_wait_where_the_answer_goes_on_at_the_persons_word(answer: str) -> None:
    work = Work("Move the pages over to the new table").todo("Admin page").edit().run().say(f"{DONE} {answer}")
    assert work.judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    "answer",
    [
        "Ready for your review.",
        "When you click Save, the next page is loaded.",
        "I left the other pages as they are.",
        "The rest of the pages use the old table.",
        "If you check the box, the rest of the form is hidden.",
    ],
)
def test_what_only_looks_like_handing_over_does_not_excuse_open_items(answer: str) -> None:
    work = Work("Move the pages over to the new table").todo("Admin page").edit().run().say(f"{DONE} {answer}")
    assert work.judge(checkout()).verdict.decision == "block"


def test_in_print_mode_nobody_gives_the_word() -> None:
    work = Work("Move the pages over to the new table", print_mode=True).todo("Admin page").edit().run()
    work.say(f"{DONE} I'll go on with the next batch when you give the word.")
    assert work.judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(
    ("item", "answer"),
    [
        (
            "Benchmark on a low-end phone",
            "I left “Benchmark on a low-end phone” open on purpose: it needs hardware.",
        ),
        ("Benchmark on slow hardware", "The benchmark on slow hardware is open: I don't have any."),
        ("Smoke test (needs VPN)", "What is left is yours: the smoke test, which goes through the VPN."),
        ("Import the production dump", "I cannot reach production, so the import of the dump has to wait."),
        ("Rotate certificates", "Rotating the certificates is for you to do."),
        ("Ask Maria about the header format", "Maria has to say how the header should look, so that one is open."),
        ("Deploy to staging", "Deployment to staging is left: it needs the VPN, and that's on your side."),
        ("Update the wiki page", "I couldn't update the wiki page: Confluence asks for SSO, which I can't do."),
        ("Add French translations", "The French translations are missing, because nobody has sent me the texts."),
        ("Migrate old rows", "I haven't migrated the old rows: I'd rather not do that without your explicit OK."),
        ("Performance test", "The performance test would run for two hours; tell me whether it's worth it."),
        ("Windows check", "The Windows check is open, I only have Linux here."),
        ("Open the firewall port", "Opening the firewall port has to be done by your network team."),
        ("Release 2.0", "I haven't cut the release; say when."),
        ("Fix the flaky test", "I ran out of ideas on the flaky test. I'd need access to the CI machine."),
        ("Update the screenshots", "The screenshots are out of date now; there's no display here."),
        ("Second pass over naming", "You asked me to stop after the first pass, so the second one is untouched."),
    ],
)
def test_open_items_stand_where_the_answer_says_of_each_why(item: str, answer: str) -> None:
    work = Work("Speed up the list").todo(item).edit().run().say(f"{DONE}\n\n{answer}")
    assert work.judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize(
    ("item", "answer"),
    [
        ("Write the importer", "The importer still needs a parser, which I'd do next time."),
        ("Write the importer", "I left the exporter alone on purpose."),  # of another one
        ("Write the importer", "I left the importer for later."),
        ("Write the importer", "The importer isn't written. Tell me if you want it."),
        ("Write the importer", "The importer should be easy for you to add."),
        ("Write the importer", "I don't have enough context left for the importer."),
        ("Write the importer", "The importer is out of scope for now."),
        ("Write the importer", "I'd do the importer separately, it is a bigger task."),
        ("Write the importer", "The importer I skipped due to time constraints."),
        ("Handle empty input", "Empty input isn't handled yet."),
        ("Write docs", "I'd suggest writing the docs next."),
        ("Update callers", "The callers need to be updated."),
    ],
)
def test_an_open_item_without_a_reason_is_asked_for(item: str, answer: str) -> None:
    work = Work("Speed up the list").todo(item).edit().run().say(f"{DONE}\n\n{answer}")
    assert work.judge(checkout()).verdict.decision == "block"


def test_one_reason_does_not_stand_for_all_open_items() -> None:
    work = Work("Speed up the list").todo("Benchmark on a phone").todo("Write the docs").edit().run()
    work.say(f"{DONE} The benchmark is for you to run on your phone.")
    assert work.judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(
    "text",
    [
        "Work through it until step 3, then stop so that I can look at it.",
        "It's about 40 files; start with the first five and then check in with me",
        "Show me the data model before you go on to the UI.",
        "After each package, check back with me.",
        "Send me the draft before continuing with the emails",
    ],
)
def test_the_person_wants_to_look_in_between(text: str) -> None:
    assert read_words(text).limits_scope


@pytest.mark.parametrize(
    "text",
    [
        "check with me if you are unsure about a name",
        "tell me what broke before the release",
        "show me a spinner before the table is loaded",
        "do the whole list and check with me when all is done",
    ],
)
def test_these_words_set_no_limit(text: str) -> None:
    assert not read_words(text).limits_scope


@pytest.mark.parametrize(
    "answer",
    [
        "The link to open it: https://github.com/acme/app/pull/new/feat/a",
        "The branch you asked for is called fix/the-build-and",
        "The new call is written to docs/how-to",
    ],
)
def test_the_end_of_a_name_or_address_joins_no_more(answer: str) -> None:
    assert not breaks_off(answer)


def test_a_joining_word_in_brackets_or_quotes_still_breaks_off() -> None:
    assert breaks_off("The parser reads the header (and")
    assert breaks_off("The store is renamed, and now it reads the")


@pytest.mark.parametrize(
    ("prompt", "item", "decision"),
    [
        ("Let's do phase 1 of the plan today", "Phase 2: account", "allow"),
        ("Implement step 3 from the design", "Step 4 - remove the shim", "allow"),
        ("Implement phase 1 and phase 2", "Phase 2: account", "block"),
        ("Implement phases 1 to 3", "Phase 2: account", "block"),
        ("Do phase 1", "Phase 1: checkout", "block"),
        ("Do phase 1", "Step 2: write the reader", "block"),  # a step of it
        ("Do phase 1 to 3", "Phase 2: account", "block"),
        ("Move the pages over", "Phase 2: account", "block"),
    ],
)
def test_items_of_another_numbered_part_than_the_one_asked_for(prompt: str, item: str, decision: str) -> None:
    work = Work(prompt).todo(item).edit().run().say("The checkout is translated; the tests pass.")
    assert work.judge(checkout()).verdict.decision == decision


@pytest.mark.parametrize(
    ("prompt", "decision"),
    [
        ("Implement the reader. The writer comes tomorrow.", "allow"),
        ("get the reader done, the writer isn't for today", "allow"),
        ("Do the reader and ping me before you touch the writer", "allow"),
        ("Just the reader here; the writer gets its own PR", "allow"),
        ("Do the reader, don't touch the writer yet", "allow"),
        ("Do the reader, leave the writer for now", "allow"),
        ("Do the reader. Hold off on the writer until I've talked to Ann", "allow"),
        ("Rename the helpers, one file per turn", "allow"),
        ("First the reader, then wait", "allow"),
        ("Do as much as you can, we continue tomorrow", "allow"),
        ("Do the reader and the writer", "block"),
        ("First the reader, then the writer", "block"),
        ("Do the reader and the writer, leave the docs for now", "block"),
        ("The reader must not wait for the first byte; do the writer as well", "block"),
        ("Do the reader and the writer. The release is tomorrow.", "block"),
        ("Do the reader and the writer, the tests aren't green yet", "block"),
    ],
)
def test_an_item_that_the_prompt_puts_off_is_not_asked_for(prompt: str, decision: str) -> None:
    work = Work(prompt).todo("Reader", "completed").todo("Writer for the new format").edit().run()
    assert work.say("The reader is in place; the tests pass.").judge(checkout()).verdict.decision == decision
