"""What was asked for: deeds first, words second, and never substrings."""

import pytest

from ace_reflect.gates.task import asks_for_change, asks_for_plan, is_question, type_by_words
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
    ],
)
def test_the_type_that_the_words_suggest(prompt: str, kind: str) -> None:
    assert type_by_words(prompt) == kind


def test_deeds_go_before_words() -> None:
    assert Work("Look at the docs").edit("src/a.py").say("Done.").judge().task.type == "coding"
    assert Work("Fix the wording").edit("README.md").say("Done.").judge().task.type == "docs"


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
    ["Fix it", "please add a test", "can you rename x?", "ok, now make it faster", "let's refactor this", "commit"],
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
