"""What an answer admits of its proof, in the short words of a session: heard, with a reason that is no excuse."""

import pytest

from ace_reflect.gates.honesty import admits


@pytest.mark.parametrize(
    "answer",
    [
        "I can't run the tests here: the sandbox has no network.",
        "Can't run tests: Permission to use Bash denied.",
        "I can't run cargo here, crates.io is unreachable.",
        "Renamed. cargo is still missing here, so it is untested.",
        "pytest needs a licence server I can't reach from here.",
        "`jest: not found`; please run npm install.",
        "pytest is not available in this environment.",
        "gradle can't resolve its dependencies offline, so nothing was run.",
        "xcodebuild is only available on macOS, so I couldn't test it here.",
        "I don't have permission to run commands, so the tests haven't been run.",
    ],
)
def test_what_an_agent_cannot_do_here_is_heard_in_short_words(answer: str) -> None:
    said = admits(answer)

    assert (said.kind, said.reason) == ("not-run", "environment")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("The tests need an update, since the old names don't have a prefix.", ""),
        ("You can't run it twice any more; that is fixed.", ""),
        ("The spec is not found in the index.", ""),
        ("I can't say whether the tests pass.", "not-run"),
    ],
)
def test_what_is_merely_not_so_gives_no_reason(answer: str, kind: str) -> None:
    said = admits(answer)

    assert (said.kind, said.reason) == (kind, "")
