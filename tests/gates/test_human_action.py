"""Who can do it: told by action and object."""

import pytest

from ace_reflect.gates.human_action import asked_of_person, classify, listed_for_person
from ace_reflect.gates.model import EndState
from support.work import Work, checkout


@pytest.mark.parametrize(
    "item",
    [
        "Accept the new agreement in the developer account",
        "accept the license agreement",
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
        "Provide OPENAI_API_KEY",
        "Send me the `STRIPE_SECRET` of the test account",
        "Have your administrator add you to the organisation",
        "Ask the org owner to approve the app",
        "Decide which of the two providers you prefer",
        "Choose what colours you want",
        "Verify your e-mail address by clicking the link",
        "Confirm your phone number",
        "Generate a personal access token on GitHub",
        "Generate a new fine-grained personal access token",
    ],
)
def test_what_only_a_person_can_do(item: str) -> None:
    assert classify(item) == "human"


@pytest.mark.parametrize(
    "item",
    [
        "Handle accepted agreements in the account model",
        "Write the accept agreement endpoint",
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
        "Write a 'verify your e-mail' page",
        "Handle personal access tokens that have expired",
        "Create the page on which owners add members",
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
        "Provide API_KEY in the test fixtures",
        "Generate a key for each row",
        "Decide which branch of the parser to take",
        "Have the admin page approve orders in one function",
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
        "The driver averages 16 samples, its test passes. Flashing failed: no board. Please plug in the ESP32 and tell me the port.",
        "The code is in place and tested. To finish, you need to approve the OAuth consent screen; I can't do that here.",
        "Everything is built and all tests pass. To complete, please sign in to the App Store.",
        "The code is done and tested. You have to approve the OAuth consent screen in the Google console before it works.",
        "Done, all tests pass. Before this works, please grant the app access in the Slack admin dashboard.",
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
        "Done, all tests pass. You have to restart the server before it works.",
        "Done, all tests pass. I checked that it asks for the login before it works on the queue.",
        "Fixed. Please try it on your phone when you find the time.",
        "Fixed, all tests pass. The log lines tell me the cache was cold. Connect your phone to see it there.",
        "Done, all tests pass. It takes a second to finish, so please connect your phone early when you try it.",
    ],
)
def test_a_hint_for_later_after_finished_work_is_no_wait(text: str) -> None:
    assert Work("Read the key").edit().run().say(text).judge(checkout()).verdict.complete


@pytest.mark.parametrize(
    "text",
    [
        "To continue I need your Stripe keys. Could you:\n\n1. Create a restricted key in the Stripe dashboard\n2. Put it in `.env`\n\nOnce that's in place I'll write the checkout.",
        "The config is ready, but nothing can be deployed yet. Please:\n\n- Run `fly auth login`\n- Tell me when you're done, and I'll deploy",
        "The hooks are written. You'll need to:\n* Approve the OAuth consent screen\n\nI can continue after that.",
    ],
)
def test_a_list_that_is_put_to_the_person_is_waited_for(text: str) -> None:
    verdict = Work("Hook up payments").read(3).say(text).judge(checkout()).verdict

    assert (verdict.decision, verdict.end_state, verdict.complete) == ("allow", EndState.BLOCKED_ON_HUMAN, False)


@pytest.mark.parametrize(
    "text",
    [
        "What I did:\n- Create an account in the dashboard on sign-up\n- Approve orders in the admin console",
        "Could you look at these later:\n- the parser tests\n- the token refresh logic",
        "Please note:\n\nThe change is small.\n\nOpen points:\n- Create a key in the Stripe dashboard",
    ],
)
def test_other_lists_are_not(text: str) -> None:
    assert listed_for_person(text) == ()


@pytest.mark.parametrize("heading", ["**What's left needs you:**", "**Remaining steps for you:**"])
def test_what_is_left_for_the_person_is_no_part_that_is_left(heading: str) -> None:
    text = f"Google login works, and the tests pass.\n\n{heading}\n1. Create an OAuth client\n2. Set `GOOGLE_CLIENT_ID` in `.env`"
    assert Work("Add Google login").edit().run().say(text).judge(checkout()).verdict.complete


def test_what_is_left_for_nobody_in_particular_is() -> None:
    text = "Google login works, and the tests pass.\n\n**Remaining steps:**\n1. GitHub login\n2. Linking accounts"
    verdict = Work("Add Google and GitHub login").edit().run().say(text).judge(checkout()).verdict
    assert (verdict.end_state, verdict.complete) == (EndState.INCOMPLETE, False)


@pytest.mark.parametrize("item", ["Install it with `sudo apt install libpq-dev`", "Run `sudo systemctl restart nginx`"])
def test_what_needs_the_machines_password_is_a_persons(item: str) -> None:
    assert classify(item) == "human"


@pytest.mark.parametrize(
    "item",
    [
        "Retrieve the API key from the Stripe dashboard",
        "Grab the client ID from the Azure portal",
        "Generate an API key in the OpenAI dashboard",
        "Add a payment method to the account",
        "Accept the terms of service",
        "Authorize the Slack app for your workspace",
        "Click the link in the confirmation email",
    ],
)
def test_what_is_kept_on_somebodys_own_pages_is_fetched_by_that_person(item: str) -> None:
    assert classify(item) == "human"


@pytest.mark.parametrize(
    "item",
    [
        "Copy the key from the dashboard component to the store",
        "Retrieve the session token in the dashboard loader",
        "Create API keys in the console app module",
        "Fetch the dashboard data and render it",
        "Add payment methods to the checkout page",
        "Add a payment method form",
        "Accept the terms checkbox in the signup form",
        "Authorize the app routes in the middleware",
        "Click the link in the email template test",
    ],
)
def test_a_program_of_the_same_words_is_not(item: str) -> None:
    assert classify(item) != "human"


def test_a_stop_that_waits_for_a_key_from_a_dashboard_stands() -> None:
    text = "The client is written, and its tests pass.\n\nWhat's left needs you:\n1. Retrieve the API key from the Stripe dashboard\n2. Accept the terms of service"
    assert Work("Add the payment client").edit().run().say(text).judge(checkout()).verdict.complete


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        ("Please approve the OAuth consent screen. Everything else is done and the tests pass.", "blocked_on_human"),
        ("The rest is finished. You still have to plug in the device.", "blocked_on_human"),
        ("Apart from that, it is done: I need you to approve the consent screen.", "blocked_on_human"),
        ("Added the login; the tests pass. To use it, you need to enter your API key in the dashboard.", "complete"),
        ("Everything else stays as it was. Added the login, it is done. You may need to rotate the key.", "complete"),
        ("Everything is done, all other tests pass too.", "complete"),
    ],
)
def test_all_but_a_persons_step_is_not_all(answer: str, end: str) -> None:
    assert Work().edit().run().say(answer).judge(checkout()).verdict.end_state.value == end
