"""What `gh pr create` and its like on other forges printed."""

from ace_reflect import regex as re
from ace_reflect.evidence.facts import Outcome
from ace_reflect.late import Late

_URL = Late(
    r"https?://[^\s\"'<>)\]]{1,300}?/(?:pull|pulls|merge_requests|pull-requests|pullrequest|pullRequests|_git/[^\s/]+/pullrequest|github/pr/[^\s/]+/[^\s/]+)/(?P<number>\d+)",
    needs=("http://|https://", "_git/|github/pr/|merge_requests|pull"),
)
_EXISTS = Late(
    r"already exists|already has (?:a|an open) (?:pull|merge) request|Another open merge request already exists",
    re.IGNORECASE,
    needs=("already exists|merge|pull",),
)
_FAILED = Late(
    r"^(?:pull request create failed|aborted:|failed to create|error:|GraphQL:|could not|must provide|no commits between|HTTP [45]\d\d|fatal:|To get started with GitHub CLI)",
    re.IGNORECASE | re.MULTILINE,
    needs=(
        "aborted:|could not|error:|failed to create|fatal:|graphql:|http 4|http 5|must provide|no commits between|pull request create failed|to get started with github cli",
    ),
)


def find_url(text: str) -> tuple[str | None, int | None]:
    """The last pull or merge request address in `text`, with its number."""
    found = None
    for match in _URL.finditer(text):
        found = match
    return (found.group(0), int(found["number"])) if found else (None, None)


def read_created(
    output: str, *, failed: bool, others_may_have_failed: bool, status_visible: bool
) -> "tuple[Outcome, str | None, int | None, bool]":
    """
    Outcome, address, number, and whether it was there before this command.

    A line that failed may have failed in another command (`gh pr create && gh pr checks`): then an address still counts,
    and without one nobody can tell.
    """
    url, number = find_url(output)
    if _EXISTS.search(output):
        return Outcome.FAILED, url, number, True
    if _FAILED.search(output):
        return Outcome.FAILED, None, None, False
    if failed and not (url and others_may_have_failed):
        return (Outcome.UNKNOWN if others_may_have_failed else Outcome.FAILED), None, None, False
    if url:
        return Outcome.PASSED, url, number, False
    return (Outcome.PASSED if status_visible and output.strip() else Outcome.UNKNOWN), None, None, False
