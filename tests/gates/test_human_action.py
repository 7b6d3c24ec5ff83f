"""Who can do it: told by action and object."""

import pytest

from ace_reflect.gates.human_action import asked_of_person, classify


@pytest.mark.parametrize(
    "item",
    [
        "Approve the PR",
        "Open the OAuth consent page and click Allow",
        "Rotate credentials in the dashboard",
        "Plug in the device",
        "Provide API key",
        "Log in and approve OAuth consent",
        "Approve the OAuth consent screen",
        "Enter the 2FA code",
        "Provide the OTP code",
        "Solve the captcha",
        "unlock the 1Password SSH agent",
        "test it on your device",
        "Sign in to the AWS console",
        "Get an API key from the dashboard",
        "Scan the QR code",
    ],
)
def test_what_only_a_person_can_do(item: str) -> None:
    assert classify(item) == "human"


@pytest.mark.parametrize(
    "item",
    [
        "Run tests",
        "Open PR and check CI",
        "Commit and push changes",
        "Handle sign-in errors",
        "Handle sign in errors",
        "Upload endpoint error handling",
        "Token refresh logic",
        "Add login form validation",
        "Implement OAuth flow",
        "Create the API key rotation script",
        "Write tests for the permission module",
        "Document the API keys page component",
        "Fix the failing test",
    ],
)
def test_what_the_agent_can_do(item: str) -> None:
    assert classify(item) == "agent"


def test_what_an_answer_asks_of_the_person() -> None:
    text = "I fixed the hook. The commit is blocked: please unlock the 1Password SSH agent, then I can commit."

    assert len(asked_of_person(text)) == 1
    assert asked_of_person("You can run the tests with `npm test`.") == ()
