"""Who can do it: told by action and object."""

import pytest

from ace_reflect.gates.human_action import asked_of_person, classify
from ace_reflect.gates.model import EndState
from support.work import Work, checkout


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
        "Plug the USB cable into the board",
        "Power-cycle the router",
        "Hold the BOOT button while resetting",
        "Insert the SD card",
        "Turn on the printer",
        "Put the phone into developer mode",
        "Run `gcloud auth login` in your terminal",
        "Log into npm",
        "Enter the 6-digit code from your authenticator",
        "Pay the invoice",
        "Sign the contract",
        "Submit the app for review in App Store Connect",
        "Whitelist our IP at the provider",
        "Request access to the dataset",
        "Contact support to raise the quota",
        "Grant Terminal screen recording permission",
        "Review and merge PR #12",
        "Reboot the server in the data centre",
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
        "Support Touch ID in the iOS code",
        "Document how to create an API key",
        "Add a dark mode toggle to the settings screen",
        "Add retry to the payment service",
        "Refactor the printer driver",
        "Handle USB disconnect events",
        "Write to the support table",
        "Replace the device table with a view component",
        "Tap into the event bus for device events",
    ],
)
def test_what_the_agent_can_do(item: str) -> None:
    assert classify(item) == "agent"


def test_what_an_answer_asks_of_the_person() -> None:
    text = "I fixed the hook. The commit is blocked: please unlock the 1Password SSH agent, then I can commit."

    assert len(asked_of_person(text)) == 1
    assert asked_of_person("You can run the tests with `npm test`.") == ()


@pytest.mark.parametrize(
    "item",
    [
        "Reset the board after checkmate",
        "Rotate the camera",
        "Place the camera behind the player",
        "Move the arm bone",
        "Restart the watch process",
        "Replace the router with react-router",
        "Connect to the database",
        "Sign the document hash in the backend",
        "Call the support endpoint",
        "Unlock the mutex",
    ],
)
def test_names_of_programs_that_are_also_things_are_nobodys_errand(item: str) -> None:
    assert classify(item) != "human"


@pytest.mark.parametrize(
    "text",
    [
        "The driver averages 16 samples and its test passes. Please plug in the ST-Link device, and I will flash it.",
        "All tests pass. To continue I need you to approve the OAuth consent screen.",
        "The build is signed. You need to unlock the iPhone; let me know when it is.",
        "Committed. You'll have to log into npm. Then I can publish it.",
        "The script is ready. Please insert the SD card. Once that is done, I'll write the image.",
    ],
)
def test_a_task_that_goes_on_only_after_a_persons_deed_waits_whatever_was_done_before(text: str) -> None:
    judgement = Work("Average 16 samples and flash it").edit().run().say(text).judge(checkout())

    assert (judgement.verdict.end_state, judgement.verdict.complete) == (EndState.BLOCKED_ON_HUMAN, False)


@pytest.mark.parametrize(
    "text",
    [
        "The loader reads the key now; all tests pass. You'll need to set STRIPE_SECRET_KEY in the dashboard before a release.",
        "Done, all tests pass. Please review and merge PR #12.",
        "Fixed. Please try it on your phone when you find the time.",
    ],
)
def test_a_hint_for_later_after_finished_work_is_no_wait(text: str) -> None:
    assert Work("Read the key").edit().run().say(text).judge(checkout()).verdict.complete
