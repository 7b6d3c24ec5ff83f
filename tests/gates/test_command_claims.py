"""Commands that a sentence says pass, several of them before one verb too, and each half of a sentence by itself."""

import pytest

from ace_reflect.gates.claim_text import claims_in
from ace_reflect.gates.model import State
from support.work import Work, checkout


def read(answer: str) -> list[tuple[str, str]]:
    return [(claim.kind, claim.detail) for claim in claims_in(answer)]


@pytest.mark.parametrize(
    ("answer", "claimed"),
    [
        ("All 1309 tests pass and `bun run lint` is clean.", [("tests", "1309"), ("passes", "bun run lint")]),
        ("`bun run test` passes and `bun run lint` passes.", [("passes", "bun run test"), ("passes", "bun run lint")]),
        ("All tests pass (1290/1290) and lint is clean.", [("tests", ""), ("check", "lint")]),
        (
            "`go build ./...`, full `go test ./...`, and `gofmt` are all clean.",
            [("passes", "go build ./..."), ("passes", "go test ./..."), ("passes", "gofmt")],
        ),
        (
            "Verified: `go test ./...` (green), `golangci-lint run` 0 issues.",
            [("passes", "go test ./..."), ("passes", "golangci-lint run")],
        ),
        (
            "Both `npm run lint` & `npm run build` now succeed.",
            [("passes", "npm run lint"), ("passes", "npm run build")],
        ),
        ("The full run, `go test ./... -race`, passes.", [("passes", "go test ./... -race")]),
        ("Nothing else changed; `npm test` → 12 passed, 0 failed.", [("passes", "npm test")]),
    ],
)
def test_each_command_and_each_half_is_a_claim_of_its_own(answer: str, claimed: list[tuple[str, str]]) -> None:
    assert read(answer) == claimed


@pytest.mark.parametrize(
    "answer",
    [
        "`npm test` passes `--coverage` to the runner.",
        "`npm test` → 12 passed, 3 failed.",
        "`npm test` (12 passed, 3 failed).",
        "Run `npm run build`, then see that `npm test` should be green.",
        "I changed `npm run lint` in `package.json` to be clean.",
        "Once `npm run build` and `npm test` pass, merge it.",
        "`npm run lint`, `npm test` and the docs.",
        "`items` and `names` are clean.",
    ],
)
def test_what_passes_something_on_fails_or_is_wished_is_none(answer: str) -> None:
    assert read(answer) == []


@pytest.mark.parametrize("lint", ["", "failed", "passed"])
@pytest.mark.parametrize(
    "answer", ["All tests pass and `npm run lint` is clean.", "`npm test` and `npm run lint` both pass."]
)
def test_a_half_that_is_not_shown_does_not_ride_on_one_that_is(answer: str, lint: str) -> None:
    work = Work().edit().run("npm test", runner="npm test")
    if lint:
        work.run("npm run lint", lint, kind="lint", runner="npm run lint")

    state = work.say(f"Fixed. {answer}").gate("claims", checkout()).state

    assert state is {"": State.UNKNOWN, "failed": State.DISPROVEN, "passed": State.PROVEN}[lint]


def test_a_test_command_said_to_pass_where_nothing_ran_is_contradicted_and_a_tick_alone_is_not() -> None:
    def state(answer: str, *ran: str) -> State:
        work = Work().edit()
        for command in ran:
            work.call(command)
        return work.say(answer).gate("claims", checkout()).state

    assert state("Fixed. `pytest` and `ruff check` pass.") is State.DISPROVEN
    assert state("Fixed. `pytest -q` (12 passed).", "make all") is State.UNKNOWN
    assert state("Fixed.\n\n- `pytest` ✅") is State.UNKNOWN
