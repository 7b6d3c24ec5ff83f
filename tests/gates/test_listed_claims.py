"""Checks that an answer lists with their results: which of them are claims, and what contradicts one."""

import pytest

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.claim_text import claims_in
from ace_reflect.gates.model import State
from support.work import Work, checkout


def read(answer: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.detail) for claim in claims_in(answer)]


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        (
            "**Pre-commit checks passed:**\n- ✅ Tests: 1329 pass, 0 fail\n- ✅ Linting: All clean\n- ✅ TypeScript: No errors",
            [("tests", "1329"), ("check", "linting"), ("check", "typescript")],
        ),
        (
            "## Verification\n\n| Check | Result |\n|---|---|\n| Tests | ✅ 45 passed |\n| Lint | `ruff check .` | clean |\n| **Build** | ✅ |",
            [("tests", "45"), ("check", "lint"), ("check", "build")],
        ),
        ("Verification\n\n- Test suite – 1,329 passed (2 skipped) in 3s", [("tests", "1329")]),
        ("Tests ✅", [("tests", "")]),
        ("- [x] Tests: 12/12 ✅", [("tests", "12")]),
        ("- `mypy`: no errors\n- Typecheck: 0 errors, 0 warnings", [("check", "mypy"), ("check", "typecheck")]),
        ("Tests: 45 passed, 45 total", [("tests", "45")]),
        ("- `bun run lint`: passes\n- `npm test` → 12 passed", [("passes", "bun run lint"), ("passes", "npm test")]),
        ("- `pytest` ✅", [("passes", "pytest")]),
        (
            "| Check | Command | Result |\n|---|---|---|\n| Integration | `npm run test:integration` | ✅ pass |",
            [("passes", "npm run test:integration")],
        ),
        ("Here are the results of the final run:\n1. The parser is done.\n* Tests — all 45 passed.", [("tests", "45")]),
    ],
)
def test_a_check_listed_with_its_result_is_a_claim(answer: str, claimed: list[tuple[str, str]]) -> None:
    assert read(answer) == claimed


@pytest.mark.parametrize(
    "answer",
    [
        "- Tests: 3 failed",
        "- Tests: 40 passed, 5 failed",
        "- Tests: ❌ 45 passed",
        "- Tests: 10/12 ✅",
        "- Tests: 40 passed, 45 total",
        "- Tests: 45 passed before my change",
        "- Tests: 45 passed (without the slow ones)",
        "Before:\n- Tests: 45 passed, 0 failed",
        "## Acceptance criteria\n\n- Lint: clean\n- Tests: 45 passed",
        "**Baseline**\n\n- Tests: 45 passed",
        "To verify it:\n- Lint: clean",
        "### `packages/api`\n- Tests: 45 passed",
        "Billing:\n- Tests: 45 passed",
        "| Check | Before | After |\n|---|---|---|\n| Tests | 45 passed | 45 passed |",
        "| Check | Expected |\n|---|---|\n| Lint | clean |",
        "- Unit tests: 45 passed",
        "- `npm test` → 12 passed, 3 failed",
        "| `npm test` | ❌ 3 failed |",
        "Before:\n- `npm test`: passes",
        "To do:\n- `npm test`: passes",
        "| Command | Expected |\n|---|---|\n| `npm test` | passes |",
        "- `parse()`: passes",
        "- `npm test`: not run, passes in CI",
        "- `npm test` ✅ added to the script",
        "- [ ] Tests: 45 passed",
        "> Tests: 45 passed",
        "```\nTests: 45 passed\n```",
        "- ✅ Tests",
        "- ✅ Tests: added for both forms",
        "- TypeScript ✅",
        "- Lint: no new errors",
        "- Build: see CI",
        "- Build-time: ok",
    ],
)
def test_a_failure_a_part_an_earlier_or_a_wanted_result_is_none(answer: str) -> None:
    assert read(answer) == []


def failed(answer: str) -> Work:
    counts = Counts(passed=1351, failed=114)
    return Work().edit().run("bun test", "failed", counts=counts, quote="114 fail").say(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "**Checks:**\n- ✅ Tests: 1465 pass, 0 fail",
        "| Check | Result |\n|---|---|\n| Tests | ✅ all passed |",
        "Tests ✅",
    ],
)
def test_a_listed_success_whose_last_run_failed_is_contradicted(answer: str) -> None:
    assert failed(f"Committed.\n\n{answer}").gate("claims", checkout()).state is State.DISPROVEN


def test_a_listed_type_check_whose_last_run_failed_is_contradicted() -> None:
    work = Work().edit().run("npx tsc --noEmit", "failed", kind="typecheck", runner="tsc")
    assert work.say("Done.\n\n- TypeScript: No errors").gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    "answer", ["- Tests: 114 failed, 1351 passed", "- Tests: 1351 passed\n- Known: 114 tests fail, as they did before"]
)
def test_a_list_that_tells_of_the_failures_is_not(answer: str) -> None:
    assert failed(f"Committed.\n\n{answer}").gate("claims", checkout()).state is not State.DISPROVEN


def test_a_mark_by_itself_may_be_of_tests_that_were_written() -> None:
    work = Work().edit("src/a.py").edit("tests/test_a.py")
    assert work.say("Tests ✅\nDocs ✅").gate("claims", checkout()).state is State.UNKNOWN
    assert work.say("Tests: 12 passed").gate("claims", checkout()).state is State.DISPROVEN
