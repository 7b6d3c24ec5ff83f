"""Builds, pull requests, CI and pushes to the default branch."""

from typing import Any

import pytest

from ace_reflect.evidence.facts import Question
from ace_reflect.gates.model import Mode, State
from support.work import Work, checkout

PR = {"workflow": "pull-request"}


# -- build


def build(work: Work, command: str = "make build", outcome: str = "failed", **more: Any) -> Work:
    return work.run(command, outcome, kind="build", **more)


@pytest.mark.parametrize(("work", "state"), [
    (build(Work().edit()), State.DISPROVEN),
    (build(Work().edit(), outcome="passed"), State.PROVEN),
    (build(build(Work().edit()), outcome="passed"), State.PROVEN),
    (build(Work().edit()).run("pytest"), State.UNKNOWN),  # what compiles passed since
    (build(Work().edit()).run("tsc", kind="typecheck"), State.UNKNOWN),
    (build(Work()).edit(), State.NOT_APPLICABLE),
    (build(Work().edit(), outcome="not-run"), State.NOT_APPLICABLE),
    (build(Work().edit(), languages=("go",)), State.NOT_APPLICABLE),
    (build(Work().edit("README.md")), State.NOT_APPLICABLE),
    (build(Work("Fix it, don't build it").edit()), State.WAIVED),
])  # fmt: skip
def test_build(work: Work, state: State) -> None:
    assert work.say("Done.").gate("build", checkout()).state is state


def test_a_failed_build_is_a_line_to_the_person() -> None:
    work = build(Work().edit()).say("Done.")
    verdict = work.judge(checkout(), gates={"tests": "off"}).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)
    assert verdict.system_message.startswith("ace-reflect: left open: the last build failed")


# -- pull request


@pytest.mark.parametrize(("work", "settings", "state"), [
    (Work().edit().run().commit(), {}, State.NOT_APPLICABLE),
    (Work().edit().run().commit(), PR, State.DISPROVEN),
    (Work().edit().run(), PR, State.NOT_APPLICABLE),
    (Work().edit().push(branch="fix"), PR, State.DISPROVEN),
    (Work("Fix it, commit and push to main").edit().commit().push(), PR, State.NOT_APPLICABLE),
    (Work("Open a PR").say("Ok.").ask("Push straight to main").edit().commit().push(), PR, State.NOT_APPLICABLE),
    (Work("Open a PR, then push to main").edit().commit().push(), PR, State.DISPROVEN),
    (Work().edit().push(tag="v1", branch=None), PR, State.NOT_APPLICABLE),
    (Work().edit().commit("failed"), PR, State.NOT_APPLICABLE),
    (Work("Fix it and open a PR").edit().commit(), {}, State.DISPROVEN),
    (Work("Fix it and open a PR").edit().commit().pr(url="https://x/pull/1"), {}, State.PROVEN),
    (Work("Fix it and open a PR").edit().commit().pr("failed", existing=True), {}, State.PROVEN),
    (Work("Fix it and open a PR").edit().commit().pr("failed"), {}, State.UNKNOWN),
    (Work("Fix it, no PR").edit().commit(), PR, State.WAIVED),
    (Work("Open a PR").pr().ask("Fix b and open another PR").edit().commit(), {}, State.DISPROVEN),
    (Work("Never push to main").edit().commit(), {}, State.NOT_APPLICABLE),
    (Work("Every commit in a PR must build. Fix it").edit().commit(), {}, State.NOT_APPLICABLE),
    (Work("Look at open PRs first, then fix it").edit().commit(), {}, State.NOT_APPLICABLE),
])  # fmt: skip
def test_pull_request(work: Work, settings: dict[str, str], state: State) -> None:
    finding = work.say("Done.").gate("pr", checkout(), **settings)

    assert finding.state is state, finding.reason
    assert state is not State.DISPROVEN or finding.evidence


def test_an_address_in_the_answer_is_plausible() -> None:
    for at in ("github.com/a/b/pull/7", "app.graphite.dev/github/pr/a/b/7", "review.x/c/app/+/7"):
        work = Work("Open a PR").edit().commit().say(f"See https://{at}")
        assert work.gate("pr", checkout()).state is State.UNKNOWN


def test_a_pull_request_that_was_asked_for_is_asked_for_once_more_and_not_later() -> None:
    work = Work("Fix it and open a PR").edit().run().commit().say("Done.")
    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.severity.name) == ("block", "LOW")
    assert "`gh pr create --fill`" in verdict.feedback
    assert work.gate("pr", checkout(gitlab=True)).settle == "glab mr create --fill"
    later = work.ask("Thanks!").say("Sure.").gate("pr", checkout())
    assert later.silent == "of an earlier prompt"


# -- CI


@pytest.mark.parametrize(("work", "state"), [
    (Work().push(branch="fix").ci("failed"), State.DISPROVEN),
    (Work().push(branch="fix").ci("failed").ci("passed"), State.PROVEN),
    (Work().push(branch="fix").ci("pending"), State.UNKNOWN),
    (Work().push(branch="fix").pr(), State.UNKNOWN),
    (Work().push(branch="fix"), State.NOT_APPLICABLE),
    (Work().ci("failed").push(branch="fix"), State.NOT_APPLICABLE),
    (Work("Why is CI red?").ci("failed"), State.NOT_APPLICABLE),
])  # fmt: skip
def test_ci(work: Work, state: State) -> None:
    finding = work.say("Done.").gate("ci", checkout())

    assert (finding.state, finding.mode) == (state, Mode.WARN)


# -- straight to the default branch


def pushed(work: Work, **more: Any) -> Work:
    return work.edit().run().push(**more).say("Done.")


@pytest.mark.parametrize(("work", "state"), [
    (pushed(Work("casefold the slugs")), State.DISPROVEN),
    (pushed(Work("casefold the slugs and push")), State.WAIVED),
    (pushed(Work("Fix it").say("Ok.").ask("ship it").say("Ok.").ask("and b")), State.WAIVED),
    (pushed(Work("Fix it"), by="user"), State.NOT_APPLICABLE),
    (pushed(Work("Fix it"), up_to_date=True), State.NOT_APPLICABLE),
    (pushed(Work("Fix it"), tag="v1"), State.NOT_APPLICABLE),
    (Work("Fix it").edit().push("failed").say("Done."), State.NOT_APPLICABLE),
    (Work("Fix it").edit().push(branch="fix").say("Done."), State.NOT_APPLICABLE),
])  # fmt: skip
def test_direct_push(work: Work, state: State) -> None:
    assert work.gate("direct_push", checkout()).state is state


@pytest.mark.parametrize(("default", "branch", "state"), [
    ("trunk", "trunk", State.DISPROVEN), ("develop", "main", State.NOT_APPLICABLE),
])  # fmt: skip
def test_the_checkout_knows_its_default_branch(default: str, branch: str, state: State) -> None:
    work = Work("Fix it").edit().push(branch=branch).say("Done.")

    assert work.gate("direct_push", checkout(default_branch=default)).state is state


def test_an_answer_to_a_question_about_it_is_the_persons_word() -> None:
    work = pushed(Work("Fix it"))
    work.facts["questions"] = [Question(line=2, turn=1, text="Push now?", answer="Yes")]

    assert work.gate("direct_push", checkout()).state is State.WAIVED


@pytest.mark.parametrize(
    ("workflow", "decision"), [("auto", "allow"), ("pull-request", "block"), ("local", "allow")]
)
def test_its_mode_goes_by_the_workflow(workflow: str, decision: str) -> None:
    judgement = pushed(Work("Fix it")).judge(checkout(), workflow=workflow)
    open_ = [finding.gate for finding in judgement.findings if finding.open]

    assert judgement.verdict.decision == decision
    assert open_ == ([] if workflow == "local" else ["direct_push"])
    assert judgement.verdict.complete is (workflow == "local")
    if workflow == "auto":
        assert "pushed straight to main, and no order" in judgement.verdict.system_message
