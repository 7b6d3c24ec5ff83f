"""Have the tests of what was edited passed since? Only certain evidence accuses."""

from typing import Any

import pytest

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.model import State
from ace_reflect.project.facts import Project, Scope
from support.work import ROOT, Work, checkout, node_scope, python_scope

PROVEN, DISPROVEN, UNKNOWN = State.PROVEN, State.DISPROVEN, State.UNKNOWN
NOTHING, WAIVED = State.NOT_APPLICABLE, State.WAIVED
PART = {"targets": ("tests/test_app.py",)}
LEFT_OUT = {"deselects": "-k 'not slow'"}


def state(work: Work, project: Project | None = None) -> State:
    return work.say("Done.").gate("tests", project or checkout()).state


@pytest.mark.parametrize(("work", "expected", "words"), [
    (Work().edit().run(), PROVEN, "passed after the last edit: 3 passed"),
    (Work().run().edit(), DISPROVEN, "not been run since the last edit"),
    (Work().run("pytest", "failed").edit(), DISPROVEN, "not been run since the last edit"),
    (Work().edit().run("pytest", "failed"), DISPROVEN, "the last run of the tests failed: 1 failed"),
    (Work().edit(), DISPROVEN, "no test has been run"),
    (Work().edit().run("pytest | tail -3", "unknown", why="hidden by tail"), UNKNOWN, "hidden by tail"),
    (Work().edit().run("pytest", "unknown", running=True), UNKNOWN, "still to come"),
    (Work().edit().run("pytest", "not-run", why="docker is not there"), UNKNOWN, "could not be run: docker"),
    (Work().edit().run("pytest", "not-run", why="the person refused it"), UNKNOWN, "refused"),
    (Work().edit("README.md"), NOTHING, "no product code"),
    (Work(), NOTHING, "no product code"),
    (Work().edit("tests/test_app.py").run("pytest", "failed"), NOTHING, "only tests"),
])  # fmt: skip
def test_its_reason_says_what_decided(work: Work, expected: State, words: str) -> None:
    finding = work.say("Done.").gate("tests", checkout())

    assert (finding.state, words in finding.reason) == (expected, True), finding.reason


@pytest.mark.parametrize(("work", "expected"), [
    # whoever ran them, a pass is a pass
    (Work().edit().run(by="subagent"), PROVEN),
    (Work().edit().run(by="user"), PROVEN),
    (Work().edit().run(by="git-hook"), PROVEN),
    (Work().edit().run("pytest", "failed", by="git-hook"), DISPROVEN),
    (Work().edit().run("pytest", "not-run", why="refused").run("pytest", "failed"), DISPROVEN),
    # a copy of the work, or another worktree: nobody knows which
    (Work().edit().run(baseline=True, elsewhere=True), UNKNOWN), (Work().edit().run("pytest", "failed", baseline=True, elsewhere=True), DISPROVEN),
    # another language's run proves nothing, and one of any language does
    (Work().edit().run("npm test"), DISPROVEN),
    (Work().edit().run("make test"), PROVEN),
    # full runs, parts, and runs that leave tests out
    (Work().edit().run(**PART), PROVEN),
    (Work().edit().run(**LEFT_OUT), UNKNOWN),
    (Work().edit().run("pytest", "failed", **PART), DISPROVEN),
    (Work().edit().run("pytest", "failed", **PART).run(**PART), PROVEN), (Work().edit().run("pytest", "failed", **PART).run(targets=("tests/test_b.py",)), UNKNOWN),
    (Work().edit().run(**PART).run("pytest", "failed", **PART), UNKNOWN),
    (Work().edit().run("pytest", "failed").run(**PART), UNKNOWN),
    (Work().edit().run("pytest", "failed").run(**LEFT_OUT), UNKNOWN),
    (Work().edit().run("pytest", "failed").run(), PROVEN),
    (Work().edit().run().run("pytest", "failed"), DISPROVEN),
    (Work().edit().run().run("pytest", "failed", **PART), PROVEN),
    (Work().edit().run().run("pytest", "unknown"), PROVEN),
    (Work().edit().run("pytest", "failed").run("pytest", "unknown"), UNKNOWN),
    (Work().run("pytest", "failed").edit().run(**PART), UNKNOWN),
    (Work().run().edit().run("pytest", "failed").edit().run(**PART), UNKNOWN),
    (Work().run("pytest", "failed").run().edit().run(**PART), PROVEN),
    # a script that passes blocks and proves nothing, and its failure fails nothing
    (Work().edit().script(), UNKNOWN),
    (Work().edit().script(of_scratch=True), UNKNOWN),
    (Work().edit().script(of_scratch=True, outcome="failed"), DISPROVEN),
    (Work().edit().script(outcome="unknown"), UNKNOWN),
    (Work().edit().script(outcome="failed"), DISPROVEN),
    (Work().script().edit(), DISPROVEN),
    (Work().edit().script("node try.js"), DISPROVEN),
    (Work().edit().run("pytest", "failed").script(), UNKNOWN),
    (Work().edit().run("pytest", "failed", **PART).script(), UNKNOWN),
    (Work().edit().run().script(outcome="failed"), PROVEN),
    (Work().edit().run().run("python try.py", "failed", of_scratch=True), PROVEN),
    (Work().edit().run("pytest test_try.py", "failed", of_scratch=True), DISPROVEN),
    # what was red before the first edit, or without the work, is not held against it; a test that was written first is its own
    (Work().run("pytest", "failed", failed=2).edit().run("pytest", "failed", failed=2), UNKNOWN),
    (Work().run("pytest", "failed", failed=2).edit().run("pytest", "failed", failed=1), UNKNOWN),
    (Work().run("pytest", "failed", failed=1).edit().run("pytest", "failed", failed=2), DISPROVEN),
    (Work().run("pytest", "failed").edit().run("pytest", "failed", failed=2), UNKNOWN),
    (Work().edit().run("pytest", "failed", failed=2).run("pytest", "failed", failed=2, baseline=True), UNKNOWN),
    (Work().edit("tests/test_app.py").run("pytest", "failed", failed=1).edit().run("pytest", "failed", failed=1), DISPROVEN),
    (Work().run("python try.py", "failed", of_scratch=True).edit().run("pytest", "failed"), DISPROVEN),
    # after git changed the tree earlier runs are unknown
    (Work().edit().run().tree(), UNKNOWN),
    (Work().edit().run("pytest", "failed").tree(), UNKNOWN),
    (Work().edit().tree().run(), PROVEN),
    (Work().edit().tree(), DISPROVEN),
    # CI of what was pushed
    (Work().edit().push(branch="fix").ci("passed"), PROVEN),
    (Work().edit().push(branch="fix").ci("pending"), UNKNOWN),
    (Work().edit().push(branch="fix").ci("failed"), DISPROVEN),
    (Work().edit().ci("passed"), DISPROVEN),  # of what was pushed before
    (Work().edit().push(branch="fix").ci("passed").edit(), DISPROVEN),
    # a hook that was seen to run the tests lets a commit through
    (Work().run("git commit", by="git-hook").edit().commit(), PROVEN),
    (Work().run("git commit", by="git-hook").edit().commit(no_verify=True), DISPROVEN),
    (Work().run("git commit", by="git-hook").edit().commit("failed"), DISPROVEN),
    (Work().run().edit().commit(), DISPROVEN),  # nobody has seen a hook
    # a run of nothing is no attempt
    (Work().edit().run("pytest", "not-run", why="all 12 deselected"), DISPROVEN),
    (Work().edit().run("pytest", "not-run", why="all 12 skipped"), UNKNOWN),
    # a subagent whose transcript is not at hand may have run them
    (Work().edit().subagent(), UNKNOWN),
    (Work().subagent().edit(), DISPROVEN),
    (Work().edit().run("pytest", "failed").subagent(), UNKNOWN),
    (Work().edit().subagent().run("pytest", "failed"), DISPROVEN),
    (Work().edit().subagent().edit("x.md", file="agent-1.jsonl"), DISPROVEN),
    # the person's words waive them
    (Work("Fix it, don't run the tests").edit(), WAIVED),
    (Work("Fix it. I'll run the tests.").edit(), WAIVED),
    (Work("Fix it. Don't run the tests against production.").edit(), DISPROVEN),
    (Work("Fix it. Should I skip the tests?").edit(), DISPROVEN),
    # what no test takes in makes no debt
    (Work().edit("notebooks/eda.ipynb"), NOTHING),
    (Work().edit("src/Icon.stories.tsx"), NOTHING),
])  # fmt: skip
def test_what_the_work_and_the_runs_come_to(work: Work, expected: State) -> None:
    assert state(work) is expected


def test_a_disproven_gate_shows_the_edit_the_run_and_the_command_that_settles_it() -> None:
    finding = Work().run("pytest -q").edit().say("Done.").gate("tests", checkout())
    quotes = [f"edited {ROOT}/src/app.py", "pytest -q → 3 passed"]

    assert [item.quote for item in finding.evidence] == quotes
    told = (finding.settle, finding.severity.name, finding.key)
    assert told == ("pytest", "HIGH", "tests python")


def test_what_kept_the_tests_from_running_is_told_to_the_person() -> None:
    work = Work().edit().run("pytest", "not-run", why="no network").say("Done.")
    verdict = work.judge(checkout()).verdict

    assert verdict.decision == "allow"
    assert verdict.system_message.startswith("ace-reflect: the tests could not be run")


@pytest.mark.parametrize("more", [
    {"trivial": "formatter"}, {"trivial": "removed"}, {"scratch": True}, {"undone": True},
    {"by": "user"}, {"kind": "config"},
])  # fmt: skip
def test_edits_that_are_no_work_make_no_debt(more: dict[str, Any]) -> None:
    assert state(Work().edit(**more)) is NOTHING
    assert state(Work().edit().run().edit("src/b.py", **more)) is PROVEN


# -- are there tests


@pytest.mark.parametrize(("work", "expected"), [
    (Work().edit(), UNKNOWN),  # nobody has seen a test
    (Work().run().edit(), DISPROVEN),  # they really ran
    (Work().run("pytest", "unknown", counts=Counts(passed=3)).edit(), DISPROVEN),
    (Work().run("pytest", "unknown").edit(), UNKNOWN),
    (Work().run("pytest", "not-run", why="no tests ran").edit(), UNKNOWN),
    (Work().run("python try.py", "failed", of_scratch=True).edit(), UNKNOWN),
    (Work().edit("tests/test_app.py").edit(), DISPROVEN),  # one was written
    (Work().edit("test_try.py", scratch=True).edit(), UNKNOWN),
    (Work().edit("e2e/login.spec.ts").edit("src/a.ts"), UNKNOWN),
    (Work().run("npm test").edit(), UNKNOWN),  # of another language
    (Work().run("make test").edit(), DISPROVEN),  # whatever it runs, there is but one
])  # fmt: skip
def test_tests_of_the_language_have_to_be_certain(work: Work, expected: State) -> None:
    assert work.say("Done.").gate("tests").state is expected


def test_the_unit_test_of_the_edited_file_was_seen() -> None:
    work = Work().edit("src/parser.py").say("Done.")
    for folder, expected in ((ROOT, DISPROVEN), (f"{ROOT}/.venv", UNKNOWN), ("/usr/lib", UNKNOWN)):
        work.top["files_seen"] = (f"{folder}/tests/test_parser.py", f"{folder}/tests/conftest.py")
        assert work.gate("tests", checkout(Scope(dir="", language="python"))).state is expected


def test_a_manifests_test_command_alone_does_not_make_them_certain() -> None:
    scope = Scope(dir="", language="javascript", test_command="npm run test")
    assert state(Work().edit("src/a.ts"), checkout(scope)) is UNKNOWN
    assert state(Work().edit("src/a.ts"), checkout(scope.replace(tested=True))) is DISPROVEN


# -- languages and packages


def test_each_language_has_a_debt_of_its_own() -> None:
    work = Work().edit().edit("web/a.ts").run().say("Done.")
    judgement = work.judge(checkout(python_scope(), node_scope("web")))
    states = {f.key: f.state for f in judgement.findings if f.gate == "tests"}
    assert states == {"tests python": PROVEN, "tests javascript web": DISPROVEN}
    assert "(web)" in judgement.verdict.feedback
    assert "`cd web && npm test`" in judgement.verdict.feedback


@pytest.mark.parametrize(("run", "expected"), [
    ({"cwd": f"{ROOT}/packages/a"}, PROVEN),
    ({"cwd": f"{ROOT}/packages/a/src"}, PROVEN),  # a part of the code's own package
    ({"cwd": ROOT}, PROVEN),
    ({"cwd": None}, PROVEN),
    ({"cwd": "/elsewhere"}, PROVEN),  # a worktree, perhaps
    ({"cwd": f"{ROOT}/packages/b"}, DISPROVEN),
    ({"cwd": ROOT, "targets": ("packages/a/x.test.ts",)}, PROVEN),
    ({"cwd": ROOT, "targets": ("packages/b/x.test.ts",)}, DISPROVEN),
    ({"cwd": ROOT, "targets": ("checkout",)}, PROVEN),  # a name, of whatever package
])  # fmt: skip
def test_where_a_run_counts(run: dict[str, Any], expected: State) -> None:
    packages = checkout(node_scope("packages/a"), node_scope("packages/b"))
    web = checkout(python_scope(), Scope(dir="web", language="javascript"))
    assert state(Work().run("make test").edit("web/a.ts"), web) is UNKNOWN, "pytest's, perhaps"
    assert state(Work().edit("packages/a/x.ts").run("npm test", **run), packages) is expected


@pytest.mark.parametrize(("work", "expected"), [
    (Work().edit().run("pytest", "failed").edit("tests/test_app.py", weakened="- assert a").run(), UNKNOWN),
    (Work().edit().edit("tests/test_app.py", weakened="- assert a").run(), PROVEN),
    (Work().edit().run("pytest", "failed").edit("tests/test_app.py").run(), PROVEN),
])  # fmt: skip
def test_a_test_that_is_taken_out_after_it_failed_is_told(work: Work, expected: State) -> None:
    judgement = work.say("Done.").judge(checkout())
    told = "taken out after it had failed" in judgement.verdict.system_message
    assert judgement.findings[0].state is expected
    assert judgement.verdict.decision == "allow"
    assert told is (expected is UNKNOWN)


# -- which turn, and what settles it


def test_debt_of_an_earlier_prompt_is_silent_until_it_is_added_to() -> None:
    work = Work().edit().say("Done.").ask("And now?").say("It works.")
    finding = work.gate("tests", checkout())

    assert (finding.state, finding.silent) == (DISPROVEN, "of an earlier prompt")
    work.ask("Go on").edit("src/b.py").say("Done.")
    assert work.gate("tests", checkout()).silent == ""
    work.ask("run the tests").run().say("3 pass.")
    assert work.gate("tests", checkout()).state is PROVEN


@pytest.mark.parametrize(("work", "project", "settle"), [
    (Work().edit().run("cd x && pytest -q", "failed", own="pytest -q"), checkout(), "pytest -q"),
    (Work().run("tox").edit(), checkout(), "pytest"),
    (Work().edit().run("git commit", "failed", by="git-hook"), checkout(), "pytest"),
    # without a manifest it is what the session ran, or what everybody types
    (Work().run("tox -e py").edit(), None, "tox -e py"),
    (Work().edit("tests/test_app.py").edit(), None, "pytest"),
])  # fmt: skip
def test_the_command_that_settles_it(work: Work, project: Project | None, settle: str) -> None:
    assert work.say("Done.").gate("tests", project).settle == settle
