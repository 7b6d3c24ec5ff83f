"""What was asked for: deeds first, words second, and never substrings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace_reflect.gates.task import (
    _WANTS,
    _without_asking,
    asks_for_change,
    asks_for_plan,
    is_question,
    type_by_words,
)
from support.work import Work


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("Fix the login bug", "coding"),
        ("Investigate and fix the login bug", "coding"),
        ("Analyze the error and implement a fix", "coding"),
        ("Study the regression and create a patch", "coding"),
        ("Evaluate the issue and update the handler", "coding"),
        ("Investigate https://github.com/a/b/issues/12", "coding"),
        ("analyze this https://github.com/a/b/issues/7660", "coding"),
        ("Fix the React props bug", "coding"),
        ("Write a parser", "coding"),
        ("Make the tests green", "coding"),
        ("Rename x to y", "coding"),
        ("Add email validation to the form", "coding"),
        ("add a filter", "coding"),
        ("Fix the Dockerfile", "coding"),
        ("implement the doctor command", "coding"),
        ("Refactor the loops in the scheduler", "coding"),
        ("Update the README docs", "docs"),
        ("Write documentation for the API", "docs"),
        ("Investigate performance regressions", "research"),
        ("Investigate performance characteristics", "research"),
        ("Research best practices for caching", "research"),
        ("Analyze the trade-offs between approaches", "research"),
        ("Set up Gmail filters for newsletters", "ops"),
        ("Clean up my inbox", "ops"),
        ("Reply to the recruiter on LinkedIn", "ops"),
        ("Schedule a calendar event", "ops"),
        ("Configure MCP server", "ops"),
        ("Install dependencies on the server", "ops"),
        ("Deploy the service to production", "ops"),
        ("Builds entities and relationships for email", "ops"),
        ("push to github", "ops"),
        ("https://github.com/a/b/issues/12", "other"),
        ("Investigate the crash, then fix the parser", "coding"),
        ("Explore the logs and remove what is unused", "coding"),
        ("Explore the logs, remove nothing", "research"),
        ("Release the fix for the login page", "coding"),
        ("Release the login page", "ops"),
        ("Fix the wording of the README", "coding"),
        ("The login page throws an exception", "coding"),
        ("The login page looks nice", "other"),
        ("Why does it take so long to start?", "research"),
        ("Why?", "other"),
    ],
)
def test_the_type_that_the_words_suggest(prompt: str, kind: str) -> None:
    assert type_by_words(prompt) == kind


def test_deeds_go_before_words() -> None:
    assert Work("Look at the docs").edit("src/a.py").say("Done.").judge().task.type == "coding"
    assert Work("Fix the wording").edit("README.md").say("Done.").judge().task.type == "docs"


@pytest.mark.parametrize(
    ("work", "kind"),
    [
        (Work("Look at it").edit("tests/test_a.py"), "coding"),
        (Work("Look at it").edit("src/a.py", formatter=True), "other"),
        (Work("Look at it").edit("src/*", kind="code"), "other"),
        (Work("Look at it").push(), "ops"),
        (Work("Research the trade-offs").commit(), "research"),
        (Work("Publish version 2").edit("CHANGELOG.md"), "ops"),
        (Work("Publish version 2").edit("CHANGELOG.md").edit("README.md").edit("docs/a.md"), "docs"),
        (Work("Look at it").edit("settings.toml"), "ops"),
        (Work("Implement the new option").edit("settings.toml"), "coding"),
        (Work("Investigate the cache").ask("go on"), "research"),
        (Work("Investigate the cache").ask("Fix the parser"), "coding"),
    ],
)
def test_the_type_of_a_session(work: Work, kind: str) -> None:
    assert work.say("So it stands.").judge().task.type == kind


def test_what_came_before_the_first_prompt_says_nothing_of_the_task() -> None:
    work = Work("").ask("").ask("Investigate the cache").ask("go on").say("So it stands.")

    assert work.judge().task.type == "research"


def test_a_plan_that_claude_code_typed_is_to_be_carried_out() -> None:
    steps = "1. Make a plan of the tables.\n2. Write the migration."
    typed = Work(f"Implement the following plan:\n\n# The cache\n\n{steps}", kind="plan").say("Ok.")

    assert not typed.judge().task.plan_only
    assert Work(steps).say("Ok.").judge().task.plan_only


def test_committing_at_the_end_of_coding_is_coding() -> None:
    work = Work("Fix it").edit("src/a.py").say("Done.").ask("commit and push").commit().push().say("Pushed.")

    assert work.judge().task.type == "coding"


@pytest.mark.parametrize(
    "prompt",
    [
        "Switch to Plan Mode",
        "plan the migration",
        "create a plan",
        "write a detailed plan for auth",
        "let's plan the refactor",
    ],
)
def test_a_plan_asked_for_in_words(prompt: str) -> None:
    assert asks_for_plan(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "airplane booking form",
        "fix the bug",
        "Implement the following plan: x",
        "update the plan and implement step 2",
        "execute the plan",
        "the plan is good, go",
        "write the plane parser",
        "",
    ],
)
def test_no_plan_was_asked_for(prompt: str) -> None:
    assert not asks_for_plan(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix it",
        "please add a test",
        "can you rename x?",
        "ok, now make it faster",
        "let's refactor this",
        "commit",
        "Fix it. Why was it slow?",
    ],
)
def test_prompts_that_want_a_deed(prompt: str) -> None:
    assert asks_for_change(prompt)
    assert not is_question(prompt)


@pytest.mark.parametrize(
    "prompt",
    ["Cache the parsed templates", "Please throttle all requests to the API", "ok, now paginate the order list"],
)
def test_verbs_that_are_done_to_code_alone_want_a_deed(prompt: str) -> None:
    assert asks_for_change(prompt)
    assert type_by_words(prompt) == "coding"


@pytest.mark.parametrize(
    "prompt",
    [
        "Cache misses are high. Find out why",
        "Mock failures are in the log, list them",
        "Review the parser. Extend the review to lib/",
        "Explain how we cache the templates",
        "Why do we escape the names?",
    ],
)
def test_the_same_words_as_names_or_for_an_answer_want_none(prompt: str) -> None:
    assert not asks_for_change(prompt)
    assert type_by_words(prompt) != "coding"


@pytest.mark.parametrize(
    "prompt",
    [
        "why does it fail?",
        "how does the cache work?",
        "is geFtileContent still used now?",
        "does getAll have tests?",
        "what are you doing?",
    ],
)
def test_prompts_that_want_an_answer(prompt: str) -> None:
    assert is_question(prompt)
    assert not asks_for_change(prompt)


@pytest.mark.parametrize("prompt", ["", "...", "???", "@", "😀"])
def test_signs_alone_want_nothing(prompt: str) -> None:
    assert not is_question(prompt)
    assert not asks_for_change(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "find all places where we build SQL by string concatenation",
        "List the handlers that write to the audit table",
        "find every caller that builds the cache key by hand",
        "/review https://github.com/acme/api/pull/311",
        "pourquoi le build est si lent ? ne change rien pour l'instant",
        "Why is the handler slow? Don't change anything yet, just add up the numbers",
    ],
)
def test_what_is_to_be_found_or_judged_without_a_change_is_research(prompt: str) -> None:
    assert Work(prompt).read().say("There are two.").judge().task.type == "research"


@pytest.mark.parametrize(
    "prompt",
    [
        "Find the handlers that build SQL by hand and fix them",
        "Review https://github.com/acme/api/pull/311 and address the comments",
        "The list of handlers crashes",
    ],
)
def test_what_is_to_be_found_and_changed_is_coding(prompt: str) -> None:
    assert Work(prompt).read().say("There are two.").judge().task.type == "coding"


def test_a_search_that_ended_in_an_edit_is_what_was_done() -> None:
    assert Work("find where we build SQL by hand").read().edit().say("Fixed.").judge().task.type == "coding"


_ASKING = re.compile(
    r"(?i)(?:(?:please|pls|ok(?:ay)?|now|then|also|and|but|so|yes|just|great|thanks?|next|first|hey|hi|claude|actually|let'?s|(?:can|could) (?:you|u)|would you|will you|i want you to|i need you to|i'd like you to|we need to|we should|you should|you need to|go ahead and|help me|try to|i want to|need to)[,\s]+)*"
)


@given(
    st.lists(
        st.sampled_from([*_WANTS, "Please", "OK", "LET'S", "tests", "add", "can", "i want", "neſt", " ", ",", "\t", "ſo"]),
        max_size=6,
    ),
    st.sampled_from([" ", ", ", ",", "  "]),
)  # fmt: skip
def test_words_of_asking_are_passed_over_as_one_expression_would(words: list[str], between: str) -> None:
    clause = between.join(words)
    assert _without_asking(clause) == _ASKING.sub("", clause, count=1)
