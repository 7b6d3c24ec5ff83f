"""Every message as Claude and the person get it. A changed snapshot is a change of the product."""

from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion

from ace_reflect.gates import message
from ace_reflect.project.facts import Scope
from support.work import ROOT, Work, checkout, node_scope

DONE = "Done, the parser handles empty lines now."


def _twice(work: Work) -> Work:
    work.judge(checkout())
    return work


def _spent(work: Work) -> Work:
    for number in range(2):
        work.judge(checkout())
        work.edit(f"src/{number}.py").say(DONE)
    return work


CASES: dict[str, Callable[[], Work]] = {
    "tests never ran": lambda: Work().edit().say(DONE),
    "tests went stale": lambda: Work().run().edit().say(DONE),
    "tests stale after a failure": lambda: Work().run(outcome="failed").edit().say(DONE),
    "tests failed": lambda: Work().edit().run(outcome="failed").say(DONE),
    "tests hidden": lambda: Work().edit().run("pytest 2>&1 | tail -5", "unknown", masked="| tail -5").say(DONE),
    "tests collected nothing": lambda: (
        Work().edit().run("pytest -k parsr", "not-run", why="collected 0 items").say(DONE)
    ),
    "tests left out": lambda: Work().edit().run("pytest -m 'not flaky'", deselects="-m 'not flaky'").say(DONE),
    "second message": lambda: _twice(Work().edit().say(DONE)).run(outcome="failed").say(DONE),
    "nothing changed since": lambda: _twice(Work().edit().say(DONE)),
    "last message": lambda: _spent(Work().edit().say(DONE)),
    "a claim": lambda: Work().edit().run(outcome="failed").say("Fixed. All tests pass."),
    "a claim that never ran": lambda: Work().edit().run().say("I ran `npm run lint` and it is clean."),
    "no pull request": lambda: Work("Fix it and open a PR").edit().run().say(DONE),
    "a pull request that failed": lambda: (
        Work("Fix it")
        .edit()
        .run()
        .pr("failed", quote="could not create pull request: No commits between main and main")
        .say(DONE)
    ),
    "todos open": lambda: Work().todo("Write the docs").todo("Add a test").edit().run().say(DONE),
    "broken off": lambda: Work().edit().run().say("I changed the parser and"),
    "announced": lambda: Work().edit().run().say("Now I'll update the docs:"),
    "planning loop in print mode": lambda: Work("Fix the parser", print_mode=True).read(12).say("It reads lines."),
    "question in print mode": lambda: (
        Work("Fix it", print_mode=True).edit().run().say("Should it be called parse or read?")
    ),
    "tests of the edit left out": lambda: (
        Work()
        .edit("src/pay.py")
        .run("pytest --ignore tests/test_pay.py", deselects="--ignore tests/test_pay.py")
        .say(DONE)
    ),
    "a file that nobody made": lambda: Work().edit().run().say("Fixed. I saved the findings to `docs/parser.md`."),
    "a test that was asked for": lambda: Work("Fix the parser and write a test for it").edit().run().say(DONE),
    "a command that was asked for": lambda: Work("Fix the parser, then run docker build .").edit().run().say(DONE),
    "a forced push": lambda: (
        Work("Fix it and push")
        .edit()
        .run()
        .push("failed", to_default=True)
        .push(forced=True, to_default=True, quote="+ 9d8c7b6...1a2b3c4 main -> main (forced update)")
        .say(DONE)
    ),
    "tests and pull request": lambda: Work("Fix it and open a PR").edit().say(DONE),
}


@pytest.mark.parametrize("name", CASES)
def test_messages_to_claude(name: str, snapshot: SnapshotAssertion) -> None:
    verdict = CASES[name]().judge(checkout()).verdict

    assert verdict.decision == "block"
    assert len(verdict.feedback) <= message.MAX_CHARS
    assert verdict.feedback == snapshot


def test_the_message_on_an_action_loop(snapshot: SnapshotAssertion) -> None:
    work = Work("Fix it").edit()
    for _ in range(4):
        work.run("pytest -q", "failed")

    assert work.say("Still failing.").judge(checkout()).verdict.feedback == snapshot


def test_the_message_on_a_package(snapshot: SnapshotAssertion) -> None:
    work = Work().edit("packages/api/src/a.ts").say(DONE)

    assert work.judge(checkout(node_scope("packages/api"))).verdict.feedback == snapshot


def test_the_message_on_a_build(snapshot: SnapshotAssertion) -> None:
    work = Work().edit("src/a.ts").run("npm test").say(DONE)

    assert work.judge(checkout(node_scope(build=True))).verdict.feedback == snapshot


def test_the_message_on_a_direct_push(snapshot: SnapshotAssertion) -> None:
    work = (
        Work("Fix it").edit().run().push(to_default=True, quote="a1b2c3d..d4e5f6a  main -> main").pr(url="u").say(DONE)
    )

    assert work.judge(checkout(), workflow="pull-request").verdict.feedback == snapshot


def test_lines_to_the_person(snapshot: SnapshotAssertion) -> None:
    gave_up = Work().edit().say(DONE)
    for _ in range(2):
        gave_up.judge(checkout())
    works = {
        "proven": Work().edit().run().say(DONE),
        "blocked on a person": Work().edit().run().say("The commit is blocked. Please unlock the 1Password SSH agent."),
        "gave up": gave_up,
        "ci not looked at": Work("Open a PR").edit().run().pr(url="https://github.com/a/b/pull/3").say(DONE),
        "said openly": Work()
        .edit()
        .run("pytest", "not-run", why="command not found")
        .say("I could not run the tests: pytest is not installed here."),
    }

    assert {name: work.judge(checkout()).verdict.system_message for name, work in works.items()} == snapshot


@pytest.mark.parametrize(
    ("work", "label", "way_out"),
    [
        (Work().todo("Add what was asked for in the ticket"), "  open  ", "take off the list"),
        (Work("Fix the parser, then run npm run todo"), "  asked ", "Run `npm run todo` now"),
        (Work("Fix it", print_mode=True), "  open  ", "Do it now."),
    ],
)
def test_what_is_advised_goes_by_what_is_open_not_by_words_that_are_quoted(
    work: Work, label: str, way_out: str
) -> None:
    final = "Done so far. Remaining work:\n- Port the todo view"
    feedback = work.edit().run().say(final).judge(checkout()).verdict.feedback

    assert label in feedback
    assert way_out in feedback


def test_a_message_is_short_whatever_the_session_holds() -> None:
    long = "x" * 5000
    work = (
        Work(f"Fix it and open a PR {long}")
        .todo(long)
        .edit(f"src/{'d/' * 300}a.py")
        .run(f"pytest {long}", "failed", quote=long)
        .say(f"Done. {long}. All tests pass.")
    )

    feedback = work.judge(checkout()).verdict.feedback

    assert len(feedback) <= message.MAX_CHARS
    assert feedback.endswith(message.OFF)


def test_no_message_names_a_file_of_ours() -> None:
    for make in CASES.values():
        feedback = make().judge(checkout()).verdict.feedback
        assert "ace_reflect" not in feedback
        assert ".reflection" not in feedback


def test_what_is_proven_is_told_with_its_package_and_with_the_claim_that_is_not_shown() -> None:
    def told(answer: str) -> str:
        work = (
            Work("Fix the login").edit("apps/api/src/a.ts").run("npm test", cwd=f"{ROOT}/apps/api", runner="npm test")
        )
        return work.say(answer).judge(checkout(node_scope("apps/api"), node_scope("apps/web"))).verdict.system_message

    proven = "`npm test` passed after the last edit in apps/api (transcript line 4)"
    assert told("Fixed.") == f"Done and proven: {proven}"
    assert told("Fixed. The linter passes.") == (
        f"Proven: {proven}; neither shown nor contradicted: “The linter passes.”"
    )


def test_what_is_open_in_several_packages_is_told_in_one_message() -> None:
    """The person is not sent back once for each package."""
    work = Work().edit("packages/api/src/a.ts").edit("packages/web/src/b.ts").say(DONE)
    here = checkout(node_scope("packages/api", build=True), node_scope("packages/web", build=True))

    feedback = work.judge(here).verdict.feedback

    assert feedback.startswith("packages/api: no test has been run")
    assert "Also open: the same in packages/web (`cd packages/web && npm test`); " in feedback
    assert (
        "since the code was edited (`cd packages/api && npm run build`, `cd packages/web && npm run build`)" in feedback
    )


def test_what_is_open_in_one_package_is_told_once() -> None:
    work = Work().edit("web/src/a.ts").say(DONE)

    feedback = work.judge(checkout(node_scope("web", build=True), node_scope("api"))).verdict.feedback

    assert feedback.startswith("web: no test has been run since the code was edited.")  # a folder's name stays as it is
    assert "the same" not in feedback


def compiled_scope(folder: str, language: str, tests: str, build: str) -> Scope:
    return Scope(dir=folder, manifests=("x",), languages=(language,), test_command=tests, build_command=build, has_tests=True, has_build=True)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("crates/core/src/a.rs", compiled_scope("crates/core", "rust", "cargo test", "cargo build")),
        ("core/src/main/kotlin/A.kt", compiled_scope("core", "jvm", "./gradlew :core:test", "./gradlew :core:assemble")),
        ("rate/limiter.go", compiled_scope("", "go", "go test ./...", "go build ./...")),
    ],
)  # fmt: skip
def test_a_build_that_the_tests_will_have_done_is_not_asked_for_beside_them(path: str, scope: Scope) -> None:
    feedback = Work().edit(path).say(DONE).judge(checkout(scope)).verdict.feedback

    assert f"Run `{scope.test_command}` and read its result." in feedback
    assert "Also open" not in feedback


def test_a_build_that_no_test_does_or_that_failed_is_asked_for_beside_them() -> None:
    scope = compiled_scope("", "rust", "cargo test", "cargo build")
    failed = Work().edit("src/a.rs").run("cargo build", "failed", kind="build").say(DONE)
    web = Work().edit("packages/web/src/b.ts").say(DONE).judge(checkout(node_scope("packages/web", build=True)))

    assert "Also open: the last build failed" in failed.judge(checkout(scope)).verdict.feedback
    assert "Also open: the build has not been run" in web.verdict.feedback


def test_where_the_tests_are_waived_the_build_is_asked_for() -> None:
    scope = compiled_scope("", "rust", "cargo test", "cargo build")
    work = Work("Fix it; I'll run the tests myself, but run the build").edit("src/a.rs").say(DONE)

    assert work.judge(checkout(scope)).verdict.feedback.startswith("The build has not been run")
