"""Finished answers that do not confirm that the work works."""

import pytest

from ace_reflect.gates.confirmation import UNCONFIRMED
from ace_reflect.gates.model import Cause, EndState
from support.work import Work, checkout, node_scope


@pytest.mark.parametrize(
    "text",
    [
        "Fixed the filter. The groups should now collapse properly.",
        "I've changed the callback. Try the Google login again.",
        "Updated the query. The dashboard should show the right numbers.",
        "The timeout is 45 s now. Restart the app and see, it should work.",
        "Done. Let me know if that fixes it.",
    ],
)
def test_what_is_only_hoped_for_waits_for_the_person_and_does_not_block(text: str) -> None:
    judgement = (
        Work("The groups do not collapse, fix it").edit("web/page.html", kind="code").say(text).judge(checkout())
    )

    assert (judgement.verdict.decision, judgement.verdict.complete) == ("allow", False)
    assert (judgement.verdict.end_state, judgement.verdict.why_silent) == (
        EndState.WAITING_FOR_USER,
        UNCONFIRMED[Cause.LEFT_TO_TRY],
    )
    assert UNCONFIRMED[Cause.LEFT_TO_TRY] in judgement.verdict.system_message


@pytest.mark.parametrize(
    "work",
    [
        Work("Fix it").edit().run().say("Fixed. The groups should now collapse."),
        Work("Fix it").edit("web/page.html", kind="code").say("Fixed: the filter sets `visible` on each group."),
        Work("Write it down").edit("README.md").say("Written. Readers should now find the flag."),
        Work("Fix it").edit("web/page.html", kind="code").say("Fixed. Old keys should be removed by hand some day."),
        Work("Fix it").edit("web/page.html", kind="code").say("Fixed. You should run the migration before a release."),
        Work("Fix it").edit("web/page.html", kind="code").say("Fixed. It broke a test, so I put the old id in again."),
    ],
)
def test_proven_work_documents_and_advice_are_no_hopes(work: Work) -> None:
    assert work.judge(checkout()).verdict.complete


def bypassed(prompt: str, answer: str, *, commits: bool = True) -> Work:
    work = Work(prompt).edit("CHANGELOG.md").run("git commit -m x", "failed", by="git-hook")
    return work.commit(no_verify=commits).say(answer)


def test_a_commit_past_its_failed_hook_in_silence_is_not_complete() -> None:
    judgement = bypassed("Release 0.3", "Release 0.3 is committed.").judge(checkout())

    assert (judgement.verdict.end_state, judgement.verdict.decision) == (EndState.INCOMPLETE, "allow")
    assert UNCONFIRMED[Cause.PAST_THE_HOOK] in judgement.verdict.system_message


@pytest.mark.parametrize(
    "work",
    [
        bypassed("Release 0.3", "Committed with `--no-verify`, as the hook trips over stray folders."),
        bypassed("Release 0.3, commit with --no-verify", "Release 0.3 is committed."),
        bypassed("Release 0.3 without the hooks", "Release 0.3 is committed."),
        bypassed("Release 0.3", "Release 0.3 is committed.", commits=False),
        Work("Release 0.3").edit("CHANGELOG.md").commit(no_verify=True).say("Release 0.3 is committed."),
    ],
)
def test_a_bypass_that_was_wanted_or_told_or_of_no_failure_is_nothing(work: Work) -> None:
    assert UNCONFIRMED[Cause.PAST_THE_HOOK] not in work.judge(checkout()).verdict.why_silent


@pytest.mark.parametrize(
    ("asked", "answer", "complete"),
    [
        ("merge the PR", "I could not merge #214: the branch policy wants one approving review.", False),
        ("please publish 1.4.0 to npm", "The tests pass, but I can't publish: npm wants a login here.", False),
        ("Deploy it to staging", "I wasn't able to deploy it. The token has expired.", False),
        ("merge the PR", "Merged #214. I could not delete the branch, which is protected.", True),
        ("merge the PR", "Merged. You could not merge it yourself since the review was stale.", True),
    ],
)
def test_what_the_answer_itself_could_not_do_is_not_done(asked: str, answer: str, complete: bool) -> None:
    verdict = Work(asked).call("gh pr merge 214 --squash").say(answer).judge(checkout()).verdict

    assert (verdict.decision, verdict.complete) == ("allow", complete)


@pytest.mark.parametrize(
    ("work", "complete"),
    [
        (Work("Merge the two parsers").edit().run().say("I could not merge their error types, which differ."), True),
        (Work("Merge the two manuals").edit("README.md").say("I could not merge their indexes, which differ."), False),
        (Work("Fix it").edit("web/page.html", kind="code").run().say("Fixed. The groups should now collapse."), True),
        (Work("Migrate the handlers").edit().run().say("Migrated 4 of the 11 handlers."), False),
        (Work("How far are the handlers?").edit().run().say("Migrated 4 of the 11 handlers."), True),
        (Work("Check how far the handlers are").read().say("Migrated 4 of the 11 handlers."), True),
    ],
)
def test_doubt_is_of_what_was_asked_for_and_is_not_proven(work: Work, complete: bool) -> None:
    assert work.judge(checkout()).verdict.complete is complete


@pytest.mark.parametrize(("look", "doubted"), [("build and test pass 2m", False), ("", True)])
def test_what_ci_has_proven_needs_no_run_here(look: str, doubted: bool) -> None:
    work = Work("Fix it").edit("src/a.ts").push(branch="fix/x")
    judgement = (
        (work.ci("passed", quote=look) if look else work)
        .say("Fixed. The groups should now collapse.")
        .judge(checkout(node_scope()))
    )
    finding = next(finding for finding in judgement.findings if finding.gate == "completion")

    assert (finding.cause is Cause.LEFT_TO_TRY) is doubted
