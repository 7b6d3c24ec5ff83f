"""Have the tests of what was edited passed since? Only certain evidence accuses."""

from typing import Any

import pytest

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.model import State
from ace_reflect.project.facts import Project, Scope
from support.work import ROOT, Work, checkout, node_scope, python_scope

PROVEN, DISPROVEN, UNKNOWN = State.PROVEN, State.DISPROVEN, State.UNKNOWN
NOTHING, WAIVED = State.NOT_APPLICABLE, State.WAIVED


def state(work: Work, project: Project | None = None) -> State:
    return work.say("Done.").gate("tests", project or checkout()).state


# -- the run after the last edit


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
def test_states(work: Work, expected: State, words: str) -> None:
    finding = work.say("Done.").gate("tests", checkout())

    assert (finding.state, words in finding.reason) == (expected, True), finding.reason


def test_a_disproven_gate_shows_the_edit_the_run_and_the_command_that_settles_it() -> None:
    finding = Work().run("pytest -q").edit().say("Done.").gate("tests", checkout())

    assert [item.quote for item in finding.evidence] == [
        f"edited {ROOT}/src/app.py",
        "pytest -q → 3 passed",
    ]
    told = (finding.settle, finding.severity.name, finding.key)
    assert told == ("pytest", "HIGH", "tests python")


@pytest.mark.parametrize("by", ["subagent", "user", "git-hook"])
def test_whoever_ran_them_a_pass_is_a_pass(by: str) -> None:
    assert state(Work().edit().run(by=by)) is PROVEN


def test_the_tests_kept_from_running_are_told_to_the_person() -> None:
    judgement = (
        Work().edit().run("pytest", "not-run", why="no network").say("Done.").judge(checkout())
    )

    assert judgement.verdict.decision == "allow"
    assert judgement.verdict.system_message.startswith("ace-reflect: the tests could not be run")


def test_a_run_that_was_refused_and_then_a_red_one_is_red() -> None:
    work = Work().edit().run("pytest", "not-run", why="refused").run("pytest", "failed")

    assert state(work) is DISPROVEN


# -- what is work


@pytest.mark.parametrize("more", [
    {"trivial": "formatter"},
    {"trivial": "white space"},
    {"trivial": "removed"},
    {"scratch": True},
    {"undone": True},
    {"by": "user"},
    {"kind": "config"},
])  # fmt: skip
def test_edits_that_are_no_work_make_no_debt(more: dict[str, Any]) -> None:
    assert state(Work().edit(**more)) is NOTHING
    assert state(Work().edit().run().edit("src/b.py", **more)) is PROVEN


@pytest.mark.parametrize("path", ["notebooks/eda.ipynb", "src/Icon.stories.tsx"])
def test_what_no_test_takes_in_makes_no_debt(path: str) -> None:
    assert state(Work().edit(path)) is NOTHING


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
    (Work().run("make test").edit("run.sh"), UNKNOWN),
])  # fmt: skip
def test_tests_of_the_language_have_to_be_certain(work: Work, expected: State) -> None:
    assert work.say("Done.").gate("tests").state is expected


def test_the_unit_test_of_the_edited_file_was_seen() -> None:
    work = Work().edit("src/parser.py")
    work.top["files_seen"] = (f"{ROOT}/tests/test_parser.py",)

    assert work.say("Done.").gate("tests").state is DISPROVEN


def test_a_manifests_test_command_makes_them_certain() -> None:
    scope = Scope(dir="", languages=("javascript",), test_command="npm test")

    assert state(Work().edit("src/a.ts"), checkout(scope)) is DISPROVEN
    assert state(Work().edit("src/a.ts"), checkout(scope.replace(test_command=""))) is UNKNOWN


# -- languages and packages


def test_a_run_of_another_language_proves_nothing_and_one_of_any_does() -> None:
    assert state(Work().edit().run("npm test")) is DISPROVEN
    assert state(Work().edit().run("make test")) is PROVEN


def test_each_language_has_a_debt_of_its_own() -> None:
    work = Work().edit().edit("web/a.ts").run().say("Done.")
    judgement = work.judge(checkout(python_scope(), node_scope("web")))
    states = {f.key: f.state for f in judgement.findings if f.gate == "tests"}

    assert states == {"tests python": PROVEN, "tests javascript web": DISPROVEN}
    assert "(web)" in judgement.verdict.feedback
    assert "`cd web && npm test`" in judgement.verdict.feedback


PACKAGES = checkout(node_scope("packages/a"), node_scope("packages/b"))


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
    assert state(Work().edit("packages/a/x.ts").run("npm test", **run), PACKAGES) is expected


# -- parts, filters and what was red before


PART = {"targets": ("tests/test_app.py",)}
LEFT_OUT = {"deselects": "-k 'not slow'"}


@pytest.mark.parametrize(("work", "expected"), [
    (Work().edit().run(**PART), PROVEN),
    (Work().edit().run(**LEFT_OUT), UNKNOWN),
    (Work().edit().run("pytest", "failed", **PART), DISPROVEN),
    (Work().edit().run("pytest", "failed", **PART).run(**PART), PROVEN),
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
    (Work().edit().run("pytest", "failed", by="git-hook"), DISPROVEN),
])  # fmt: skip
def test_full_runs_parts_and_runs_that_leave_tests_out(work: Work, expected: State) -> None:
    assert state(work) is expected


# -- scripts


@pytest.mark.parametrize(("work", "expected"), [
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
])  # fmt: skip
def test_a_script_that_passes_blocks_and_proves_nothing_and_its_failure_fails_nothing(
    work: Work, expected: State
) -> None:
    assert state(work) is expected


# -- what failed without the work


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(2, 2, UNKNOWN), (2, 1, UNKNOWN), (1, 2, DISPROVEN), (None, 2, UNKNOWN)],
)
def test_what_was_red_before_the_first_edit_is_not_held_against_the_work(
    before: int | None, after: int, expected: State
) -> None:
    work = (
        Work().run("pytest", "failed", failed=before).edit().run("pytest", "failed", failed=after)
    )

    assert state(work) is expected


def test_a_failing_test_that_was_written_first_is_the_works_own() -> None:
    first = Work().edit("tests/test_app.py").run("pytest", "failed", failed=1).edit()

    assert state(first.run("pytest", "failed", failed=1)) is DISPROVEN
    other = Work().run("python try.py", "failed", of_scratch=True).edit().run("pytest", "failed")
    assert state(other) is DISPROVEN


def test_nor_what_the_unedited_tree_shows() -> None:
    work = Work().edit().run("pytest", "failed", failed=2)

    assert state(work.run("pytest", "failed", failed=2, baseline=True)) is UNKNOWN


# -- around the run


def test_after_git_changed_the_tree_earlier_runs_are_unknown() -> None:
    assert state(Work().edit().run().tree()) is UNKNOWN
    assert state(Work().edit().run("pytest", "failed").tree()) is UNKNOWN
    assert state(Work().edit().tree().run()) is PROVEN
    assert state(Work().edit().tree()) is DISPROVEN


@pytest.mark.parametrize(("work", "expected"), [
    (Work() .edit() .run("pytest", "failed") .edit("tests/test_app.py", weakened="- assert a") .run(), UNKNOWN),
    (Work().edit().edit("tests/test_app.py", weakened="- assert a").run(), PROVEN),
    (Work().edit().run("pytest", "failed").edit("tests/test_app.py").run(), PROVEN),
])  # fmt: skip
def test_a_test_that_is_taken_out_after_it_failed_is_told(work: Work, expected: State) -> None:
    judgement = work.say("Done.").judge(checkout())

    assert judgement.findings[0].state is expected
    assert judgement.verdict.decision == "allow"
    assert ("taken out after it had failed" in judgement.verdict.system_message) is (
        expected is UNKNOWN
    )


@pytest.mark.parametrize(("work", "expected"), [
    (Work().edit().push(branch="fix").ci("passed"), PROVEN),
    (Work().edit().push(branch="fix").ci("pending"), UNKNOWN),
    (Work().edit().push(branch="fix").ci("failed"), DISPROVEN),
    (Work().edit().ci("passed"), DISPROVEN),  # of what was pushed before
    (Work().edit().push(branch="fix").ci("passed").edit(), DISPROVEN),
])  # fmt: skip
def test_ci_of_what_was_pushed(work: Work, expected: State) -> None:
    assert state(work) is expected


@pytest.mark.parametrize(("work", "expected"), [
    (Work().run("git commit", by="git-hook").edit().commit(), PROVEN),
    (Work().run("git commit", by="git-hook").edit().commit(no_verify=True), DISPROVEN),
    (Work().run("git commit", by="git-hook").edit().commit("failed"), DISPROVEN),
    (Work().run().edit().commit(), DISPROVEN),  # nobody has seen a hook
])  # fmt: skip
def test_a_hook_that_was_seen_to_run_the_tests_lets_a_commit_through(
    work: Work, expected: State
) -> None:
    assert state(work) is expected


def test_a_subagent_whose_transcript_is_not_at_hand_may_have_run_them() -> None:
    assert state(Work().edit().subagent()) is UNKNOWN
    assert state(Work().subagent().edit()) is DISPROVEN
    assert state(Work().edit().subagent().edit("x.md", file="agent-1.jsonl")) is DISPROVEN


# -- whose words and which turn


@pytest.mark.parametrize(("prompt", "expected"), [
    ("Fix it, don't run the tests", WAIVED),
    ("Fix it. I'll run the tests.", WAIVED),
    ("Fix it. Don't run the tests against production.", DISPROVEN),
    ("Fix it. Should I skip the tests?", DISPROVEN),
])  # fmt: skip
def test_the_persons_words_waive_them(prompt: str, expected: State) -> None:
    assert state(Work(prompt).edit()) is expected


def test_debt_of_an_earlier_prompt_is_silent_until_it_is_added_to() -> None:
    work = Work().edit().say("Done.").ask("And now?").say("It works.")
    finding = work.gate("tests", checkout())

    assert (finding.state, finding.silent) == (DISPROVEN, "of an earlier prompt")
    work.ask("Go on").edit("src/b.py").say("Done.")
    assert work.gate("tests", checkout()).silent == ""


def test_a_run_in_a_later_turn_proves_it() -> None:
    finding = (
        Work()
        .edit()
        .say("Done.")
        .ask("run the tests")
        .run()
        .say("3 pass.")
        .gate("tests", checkout())
    )

    assert (finding.state, finding.silent) == (PROVEN, "")


@pytest.mark.parametrize(("work", "settle"), [
    (Work().edit().run("cd x && pytest -q", "failed", own="pytest -q"), "pytest -q"),
    (Work().run("tox").edit(), "pytest"),
    (Work().edit().run("git commit", "failed", by="git-hook"), "pytest"),
])  # fmt: skip
def test_the_command_that_settles_it(work: Work, settle: str) -> None:
    assert work.say("Done.").gate("tests", checkout()).settle == settle


def test_without_a_manifest_it_is_what_the_session_ran_or_what_everybody_types() -> None:
    assert Work().run("tox -e py").edit().say("Done.").gate("tests").settle == "tox -e py"
    assert Work().edit("tests/test_app.py").edit().say("Done.").gate("tests").settle == "pytest"
