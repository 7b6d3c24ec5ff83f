"""`check --json`: the contract that other tools build on."""

import json

import pytest

from ace_reflect.report.session import report
from support.work import Work, checkout


def test_builds_pull_requests_ci_and_todos() -> None:
    """The other facts, the gates and the verdict: the snapshot in tests/cli/test_check_command.py."""
    work = Work("Fix the parser and open a PR").edit().run("npm run build", kind="build")
    work.push().pr(url="https://x/pull/1").ci("passed").todo("Write docs").say("Done.")
    given = report(work.ledger(), work.judge(checkout()))
    facts = given["facts"]

    assert (facts["builds"][0]["kind"], facts["builds"][0]["outcome"]) == ("build", "passed")
    assert facts["pr"] == {"created": True, "url": "https://x/pull/1", "line": 5}
    assert facts["ci"] == {"checked": True, "outcome": "passed"}
    assert facts["todos_open"] == [{"line": 8, "text": "Write docs", "status": "pending"}]
    assert json.loads(json.dumps(given)) == given


@pytest.mark.parametrize(("work", "came"), [
    (Work().edit("README.md"), None), (Work().run().edit(), False),
    (Work().edit().run("pytest", "unknown"), True), (Work().edit().run("pytest", "not-run"), False),
])  # fmt: skip
def test_whether_a_run_came_after_the_last_edit_of_code(work: Work, came: bool | None) -> None:
    facts = report(work.say("Done.").ledger(), work.judge(checkout()))["facts"]
    assert facts["tests_after_last_edit"] is came
