"""What a rule makes of a failure that was mended: a key point that is true, and of use, on another day."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ace_reflect.learning.gather import gather
from ace_reflect.learning.mistakes import mistakes
from support.transcripts import TranscriptBuilder

PASSED, FAILED = "3 passed in 0.10s", "1 failed, 2 passed in 0.10s"
ROOT = "/home/dev/project"
AFTER = (
    "after changing code, before saying that it is done: it showed here what a change had broken."
)

Steps = Callable[[TranscriptBuilder], object]


@pytest.fixture
def session(tmp_path: Path) -> TranscriptBuilder:
    return TranscriptBuilder(tmp_path / "session.jsonl")


def texts(
    session: TranscriptBuilder, steps: Steps, known: dict[str, str] | None = None
) -> list[str]:
    steps(session.prompt("Fix it"))
    gathered = gather(str(session.write()))
    return [str(found["text"]) for found in mistakes(gathered, gathered.turns, known or {})]


def red(session: TranscriptBuilder, command: str, output: str = FAILED) -> TranscriptBuilder:
    return session.bash(command, output, exit_code=1)


@pytest.mark.parametrize(
    ("steps", "command"),
    [
        (lambda s: red(s.edit("src/a.py"), "pytest -k name").edit("src/a.py").bash("pytest -k name", PASSED).bash("pytest", PASSED), "pytest"),
        (lambda s: red(s.bash("uv run pytest", PASSED).edit("src/a.py"), "uv run pytest tests/test_a.py").edit("src/a.py").bash("uv run pytest tests/test_a.py", PASSED), "uv run pytest"),
        (lambda s: red(s.edit("src/a.ts"), "pnpm --filter api test").edit("src/a.ts").bash("pnpm --filter api test", "Tests  3 passed (3)"), "pnpm --filter api test"),
    ],
    ids=["a name", "a file", "a part of the workspace is the whole of it"],
)  # fmt: skip
def test_the_command_that_is_named_is_the_whole_one(
    session: TranscriptBuilder, steps: Steps, command: str
) -> None:
    assert texts(session, steps) == [f"Run `{command}` {AFTER}"]


@pytest.mark.parametrize(
    "steps",
    [
        lambda s: red(s.edit("src/a.py"), "pytest -k name").edit("src/a.py").bash("pytest -k name", PASSED),
        lambda s: red(s.edit("src/a.py"), "x=$(date) pytest 2>&1 > out; cat out").edit("src/a.py").bash("x=$(date) pytest 2>&1 > out; cat out", PASSED),
    ],
    ids=["only a selection was ever run", "no command that one would type"],
)  # fmt: skip
def test_where_no_whole_command_is_shown_nothing_is_proposed(
    session: TranscriptBuilder, steps: Steps
) -> None:
    assert texts(session, steps) == []


def test_a_command_run_in_a_folder_of_the_project_is_named_with_it(
    session: TranscriptBuilder,
) -> None:
    def steps(s: TranscriptBuilder) -> object:
        return (
            red(s.edit("app/a.py"), f"cd {ROOT}/app && pytest")
            .edit("app/a.py")
            .bash(f"cd {ROOT}/app && pytest", PASSED)
        )

    assert texts(session, steps) == [f"Run `pytest` (in `app`) {AFTER}"]


def test_what_the_playbook_says_already_is_not_said_again(session: TranscriptBuilder) -> None:
    def steps(s: TranscriptBuilder) -> object:
        return red(s.edit("src/a.py"), "pytest -q").edit("src/a.py").bash("pytest -q", PASSED)

    assert (
        texts(session, steps, {"ctx-001": "The tests are run with `pytest -q` from the root."})
        == []
    )


def test_another_command_in_the_playbook_says_nothing_of_this_one(
    session: TranscriptBuilder,
) -> None:
    def steps(s: TranscriptBuilder) -> object:
        return red(s.edit("src/a.py"), "pytest -q").edit("src/a.py").bash("pytest -q", PASSED)

    assert texts(session, steps, {"ctx-001": "The linter is `ruff check`."}) == [
        f"Run `pytest -q` {AFTER}"
    ]


def test_a_suite_that_passed_where_another_one_failed_is_not_enough(
    session: TranscriptBuilder,
) -> None:
    def steps(s: TranscriptBuilder) -> object:
        s.edit("src/a.py").bash("make test", PASSED)
        return (
            red(s, "make test-integration").edit("src/a.py").bash("make test-integration", PASSED)
        )

    assert texts(session, steps) == [
        "`make test` is not enough before saying that it is done: it passed here where `make test-integration` failed on the same code. Run both."
    ]


def test_one_that_passed_before_the_change_says_nothing_of_it(session: TranscriptBuilder) -> None:
    def steps(s: TranscriptBuilder) -> object:
        red(s.bash("make test", PASSED).edit("src/a.py"), "make test-integration")
        return s.edit("src/a.py").bash("make test-integration", PASSED)

    assert texts(session, steps) == [f"Run `make test-integration` {AFTER}"]


@pytest.mark.parametrize(
    "mended",
    ["tests/test_a.py", "src/a.test.ts", "src/a_spec.rb"],
    ids=["its test", "its test in another style", "its spec"],
)
def test_no_other_file_had_to_follow(session: TranscriptBuilder, mended: str) -> None:
    path = f"{ROOT}/{mended}"
    changed = f"{ROOT}/src/a{Path(mended).suffix}"
    found = texts(
        session, lambda s: red(s.edit(changed), "pytest").edit(path).bash("pytest", PASSED)
    )
    assert found == [f"Run `pytest` {AFTER}"]


def test_a_file_that_the_session_made_itself_was_not_overlooked(session: TranscriptBuilder) -> None:
    def steps(s: TranscriptBuilder) -> object:
        red(s.edit(f"{ROOT}/src/a.py"), "pytest").create(f"{ROOT}/src/b.py", "b = 1\n")
        return s.bash("pytest", PASSED)

    assert texts(session, steps) == [f"Run `pytest` {AFTER}"]


def test_the_test_of_another_file_had_to_follow(session: TranscriptBuilder) -> None:
    def steps(s: TranscriptBuilder) -> object:
        red(s.edit(f"{ROOT}/src/a.py").edit(f"{ROOT}/tests/test_a.py"), "pytest -k a")
        return s.edit(f"{ROOT}/tests/test_b.py").bash("pytest", PASSED)

    assert texts(session, steps) == [
        "When `src/a.py` changes, look at `tests/test_b.py` too: a test failed until that was changed as well."
    ]


@pytest.mark.parametrize(
    "steps",
    [
        lambda s: red(s.edit("src/a.py").bash("pytest", PASSED).edit("tests/test_a.py"), "pytest").edit("tests/test_a.py").bash("pytest", PASSED),
        lambda s: s.edit("api/a.ts").bash("npx tsc --noEmit", "a.ts(1,1): error TS2322: x\nFound 1 error.", exit_code=2).edit("web/a.ts").bash("pnpm --filter web exec tsc --noEmit"),
    ],
    ids=["what was changed before it last passed", "another compiler run passed"],
)  # fmt: skip
def test_what_did_not_break_it_or_prove_it_mended_makes_no_mistake(
    session: TranscriptBuilder, steps: Steps
) -> None:
    assert texts(session, steps) == []


def test_the_same_compiler_run_that_passes_then_makes_one(session: TranscriptBuilder) -> None:
    def steps(s: TranscriptBuilder) -> object:
        s.edit("api/a.ts").bash(
            "npx tsc --noEmit", "a.ts(1,1): error TS2322: x\nFound 1 error.", exit_code=2
        )
        return s.edit("api/a.ts").bash("npx tsc --noEmit 2>&1 | tail -5").bash("npx tsc --noEmit")

    assert texts(session, steps) == [f"Run `npx tsc --noEmit` {AFTER}"]
