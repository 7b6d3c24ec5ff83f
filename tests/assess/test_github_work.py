"""Work on GitHub, by the tools that were used and by what the texts refer to."""

import pytest

from ace_reflect.assess.github_work import detect, references
from support.work import Work


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("fix #123", ["#123"]),
        ("see PR #34", ["PR #34"]),
        ("PR34 is open", ["PR #34"]),
        ("closes issue #42 and issue 43", ["issue #42", "issue #43"]),
        ("pull request 7", ["PR #7"]),
        (
            "https://github.com/a/b/pull/77 and https://github.com/a/b/issues/5",
            ["PR #77", "issue #5"],
        ),
        ("!12 in https://gitlab.com/a/b/-/merge_requests/12", ["PR #12"]),
        ("it returns 42", []),
        ("color: #123456; background: #fff", []),
        ("&#39;quoted&#39;", []),
        ("a pull request would be good", []),
        ("```\n#99\n```", []),
        ("step 2 of 3", []),
    ],
)
def test_references(text: str, found: list[str]) -> None:
    assert [str(reference) for reference in references(text)] == found


@pytest.mark.parametrize(
    ("work", "active", "target"),
    [
        (Work().call("gh pr create --fill"), True, None),
        (Work().call("gh pr comment 34 --body hi"), True, "PR #34"),
        (Work().call("gh issue comment 42 -b hi"), True, "issue #42"),
        (Work().call("gh issue create -t x"), True, None),
        (Work().call("echo gh pr create"), False, None),
        (Work().call("gh issue view 5"), False, "issue #5"),
        (Work().call("gh issue view 5").commit(), True, "issue #5"),
        (Work("work on issue #42").edit(), False, "issue #42"),
        (Work("work on issue #42").edit().commit(), True, "issue #42"),
        (Work().edit().commit().push(branch="fix"), False, None),
        (Work().edit().pr(url="https://github.com/a/b/pull/8", number=8), True, "PR #8"),
        (Work().edit().pr("failed"), False, None),
        (Work("work on #9").call("git checkout -b nine"), True, "#9"),
    ],
)
def test_tools_and_words(work: Work, active: bool, target: str | None) -> None:
    found = detect(work.ledger())

    assert (found.active, str(found.target) if found.target else None) == (active, target)


def test_a_mention_is_no_work() -> None:
    found = detect(Work("how do pull requests work here?").ledger())

    assert (found.mentions, found.active) == (True, False)
