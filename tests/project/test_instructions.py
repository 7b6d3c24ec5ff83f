"""What instruction files ask about pull requests; a wrong "yes" blocks people's work."""

import pytest

from ace_reflect.project.instructions import commands_in, wish_for_pr


@pytest.mark.parametrize(
    "text",
    [
        "- Always open a pull request for your changes.",
        "Changes land on main via PRs only.",
        "Code reaches `main` only through a reviewed pull request.",
        "Direct pushes to main are rejected.",
        "Nothing goes to master without a merge request.",
        "Never push directly to main.",
        "**All changes must go through a PR**",
        "1. Create a feature branch\n2. Open a pull request",
        "Every change should be submitted as a pull request.",
        "Do not commit directly to `master`; use a branch.",
        "Pull requests are required.",
        "No direct pushes to main!",
        "You must create a merge request and wait for CI.",
        "Open a PR when you are done.",
        "Once the feature is complete, create a pull request with gh.",
        "Branch from `develop` and open a PR against `develop`.",
        "Use feature branches and submit PRs for review.",
    ],
)
def test_a_rule_that_asks_for_pull_requests_is_quoted(text: str) -> None:
    assert wish_for_pr(text)


@pytest.mark.parametrize(
    "text",
    [
        "When creating a PR, use the template.",
        "Dependency changes come via PRs only from Renovate.",
        "Direct pushes to a feature branch run no CI.",
        "No changes are deployed without a green build.",
        "The changelog lists changes by PR.",
        "If the user asks for a pull request, use `gh pr create`.",
        "## Pull requests\nTitles follow Conventional Commits.",
        "PR titles should be short.",
        "Only create a PR when asked.",
        "Pull requests are reviewed by two people.",
        "```\nAlways open a PR\n```",
        "| PR | must |",
        "The bot opens PRs for dependency updates.",
        "Before opening a PR, run `make test`.",
        "Run the tests. Keep functions small.",
        "Don't open a PR unless I say so.",
        "The main menu must open in the sidebar.",
        "When the user is done reviewing, open a PR.",
        "External contributors fork the repository and open a PR.",
        "Run the tests and create a PR description.",
        "When you are ready, ask me before you open a PR.",
        "",
    ],
)
def test_speaking_of_pull_requests_is_not_asking_for_them(text: str) -> None:
    assert wish_for_pr(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Commit directly to main.",
        "We do trunk-based development.",
        "Do not create pull requests.",
        "No PRs: push straight to main.",
        "Once you are done, do not open a pull request.",
    ],
)
def test_a_rule_against_pull_requests_asks_for_none(text: str) -> None:
    assert not wish_for_pr(text)


def test_commands_are_taken_from_shell_blocks_and_inline_code() -> None:
    text = "Run `npm test` first.\n```bash\n$ make build   # everything\n# a comment\npytest -q\n```\n```python\nimport os\n```"

    assert list(commands_in(text)) == ["npm test", "make build", "pytest -q"]
