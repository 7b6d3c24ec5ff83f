"""What was asked for by name, and the session shows no trace of."""

import pytest

from ace_reflect.gates.model import EndState, State
from support.work import Work, checkout


@pytest.mark.parametrize(
    "prompt",
    [
        "Add a retry to Client.get (3 tries) and write a test that proves the delays.",
        "Fix the off-by-one in the pager, with a regression test.",
        "Please handle empty lines. Also add tests.",
        "Reject refunds above the charge and a unit test for it",
        "Add unit tests for the parser and make it faster",
    ],
)
def test_a_test_that_was_asked_for_and_not_written_is_sent_back(prompt: str) -> None:
    judgement = (
        Work(prompt).edit().run().say("The retry waits 1, 2 and 4 s. All existing tests pass.").judge(checkout())
    )

    finding = next(f for f in judgement.findings if f.gate == "remaining_work")
    assert (finding.state, judgement.verdict.decision) == (State.DISPROVEN, "block")
    assert "none was written" in finding.reason


@pytest.mark.parametrize(
    "work",
    [
        Work("Add a retry and write a test for it").edit().edit("tests/test_a.py").run().say("Both are in."),
        Work("Add a retry and write a test for it").edit().edit("e2e/retry.py").run().say("Both are in."),
        Work("Add a retry and write a test for it").edit().run().say("Added. test_get already covers the delays."),
        Work("Add a retry and write a test for it")
        .edit()
        .run()
        .say("Added. I did not write a test: no clock to fake."),
        Work("Add a retry and write a test for it").edit("src/a.rs").run("cargo test").say("Both are in."),
        Work("Add a retry, but don't write a test").edit().run().say("Added."),
        Work("Fix the lint and test failures").edit().run().say("Fixed."),
        Work("Add a test user to the seed script").edit().run().say("Added."),
        Work("Why did you not write a test?").read().say("It had none to begin with."),
        Work("Add the test data page").edit().run().say("Added."),
        Work("Make it work with test accounts").edit().run().say("Done."),
        Work("Add tests/fixtures to the loader").edit().run().say("Done."),
        Work("Add the tests to the pipeline").edit("ci.py").run().say("They are in."),
        Work("Write test-utils.ts anew").edit().run().say("Done."),
        Work("Add a retry and write a test for it").edit().edit("/home/dev/project/*").run().say("Both are in."),
    ],
)
def test_where_there_is_one_or_none_was_wanted_or_it_was_told(work: Work) -> None:
    assert work.gate("remaining_work", checkout()).state is not State.DISPROVEN


def test_who_asks_back_about_the_test_is_let_go() -> None:
    work = Work("Add a retry and write a test for it").edit().run().say("Added. Which framework should the test use?")

    assert work.gate("remaining_work", checkout()).state is State.DISPROVEN
    assert work.judge(checkout()).verdict.end_state is EndState.WAITING_FOR_USER


@pytest.mark.parametrize(
    ("prompt", "command"),
    [
        ("Upgrade fastify. Verify with: npm test, npm run lint, and docker build .", "docker build"),
        ("Rename the flag, then run `make docs`.", "make docs"),
        ("Bump the client and run helm template chart and npm test", "helm template chart"),
        ("Document the flag and run `mkdocs build --strict` to check the links", "mkdocs build --strict"),
        ("Keep the latest row per id. Run `dbt source freshness` when you are done", "dbt source freshness"),
        ("Bump the chart, then `run` it. Finally run `sqlfluff fix models`.", "sqlfluff fix models"),
    ],
)
def test_a_command_that_was_asked_for_and_never_ran_is_sent_back(prompt: str, command: str) -> None:
    work = Work(prompt).edit().run("npm test").run("npm run lint", kind="lint")

    finding = work.say("It is upgraded. Tests pass.").gate("remaining_work", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, command)


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("When I run `npm start` it crashes. Fix it.", "Fixed."),
        ("I open the shell and run `mkdocs serve --dirty`, then nothing loads. Fix it.", "Fixed."),
        ("Add a hook that formats and then run `sqlfluff fix models`", "Added."),
        ("The readme should say: clone it and run `mkdocs serve --dirty` for a preview", "It says so."),
        ("Document the flag, then run `mkdocs build --strict`", "`mkdocs build` is not installed here."),
        ("Document the flag and run `mkdocs build --strict` fails on CI, see why", "A link was dead."),
        ("Upgrade fastify. Verify with npm test.", "Upgraded, tests pass."),
        ("Upgrade fastify. Don't run docker build .", "Upgraded."),
        ("Upgrade fastify, then run docker build .", "Upgraded. `docker build .` cannot run here: no daemon."),
        ("Add a command that can run npm scripts", "Added."),
        ("Should I run npm audit?", "It cannot hurt."),
        ("Rename the flag, then run yarn test", "Renamed; the tests pass."),
        ("Rename the flag, then run npm run dev", "Renamed."),
        ("Rename the flag, then run npm install", "Renamed."),
    ],
)
def test_commands_that_ran_or_were_not_wanted_or_are_spoken_of(prompt: str, answer: str) -> None:
    work = Work(prompt).edit().run("npm test").say(answer)

    assert work.gate("remaining_work", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("prompt", "state"),
    [
        ("add a section to the readme: to run the tests, run pytest -x", State.NOT_APPLICABLE),
        ("Document in CONTRIBUTING.md how to set up: clone it, then run `make setup`", State.NOT_APPLICABLE),
        ("Put a note into docs/dev.md that people install the hooks and then run `cargo doc`", State.NOT_APPLICABLE),
        ("Add this to the guide:\n1. clone it\n2. run `helm lint charts/app`", State.NOT_APPLICABLE),
        ("Add the flag to the guide, then run `helm lint charts/app`", State.DISPROVEN),
        ("Add a section to the readme and run make docs", State.DISPROVEN),
        ("Run make docs. Add a note to the readme that it needs graphviz.", State.DISPROVEN),
    ],
)
def test_a_command_in_the_text_that_is_to_be_written_is_no_order(prompt: str, state: State) -> None:
    assert Work(prompt).edit("README.md").say("It says so now.").gate("remaining_work", checkout()).state is state


def test_a_quoted_command_may_have_run_behind_a_task() -> None:
    asked = "Document the flag and run `mkdocs build --strict`"
    behind = Work(asked).edit("README.md").call("make docs").say("It is documented.")
    itself = Work(asked).edit("README.md").call("uvx mkdocs build --strict").say("It is documented.")
    neither = Work(asked).edit("README.md").call("git diff").say("It is documented.")

    states = [work.gate("remaining_work", checkout()).state for work in (behind, itself, neither)]
    assert states == [State.NOT_APPLICABLE, State.NOT_APPLICABLE, State.DISPROVEN]


@pytest.mark.parametrize(
    ("prompt", "command"),
    [
        ("Make the header stick. Run `pnpm --filter @x/web e2e` before you finish.", "pnpm --filter @x/web e2e"),
        ("Rename the flag and make sure `npm run typecheck` passes", "npm run typecheck"),
        ("Rename the flag; ensure that `make docs` succeeds before committing", "make docs"),
        ("Rename the flag. Then run `yarn workspace web gen:types` before you open the PR.", "yarn workspace web gen:types"),
        ("Rename the flag, run npx playwright test before we merge", "npx playwright test"),
        ("Rename the flag. Run `npm run test:e2e` at the end, not just the unit tests!", "npm run test:e2e"),
        ("Rename the flag and run `make acceptance` when done, not only the unit tests", "make acceptance"),
    ],
)  # fmt: skip
def test_a_command_is_asked_for_whatever_the_moment_and_the_package_it_is_named_for(prompt: str, command: str) -> None:
    done = Work(prompt).edit().run("pnpm --filter @x/web test", runner="pnpm test").run("pnpm lint", kind="lint")

    finding = done.say("It is done. All unit tests pass.").gate("remaining_work", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, command)


@pytest.mark.parametrize(
    ("prompt", "command", "kind", "answer"),
    [
        ("Fix it. Run `pnpm e2e` before you finish.", "pnpm --filter web run e2e", "test", "Done."),
        ("Fix it. Run `pnpm e2e` before you finish.", "npx playwright test", "test", "Done."),
        ("Fix it. Run `npm run test:integration` at the end", "pytest tests/integration", "test", "Done."),
        ("Fix it. Run `npm run test:unit` at the end", "npx vitest run", "test", "Done."),
        ("Fix it and make sure `npm run lint` is clean", "npx eslint src", "lint", "Done."),
        ("Fix it and make sure `npm run lint` is clean", "make check", "test", "Done."),
        ("Fix it. Run `pnpm --filter web e2e` when done", "pnpm test", "test", "Done. e2e needs a browser that is not here."),
        ("Fix it. Run `pnpm exec playwright test` last", "pnpm test", "test", "I couldn't do the Playwright run: no browser."),
        ("Rename it. Run `npm run test:e2e` at the end, not the unit tests", "npx playwright test", "test", "Done."),
        ("Run `make release` not before I say so", "pytest", "test", "Renamed."),
        ("Before you run `make release`, bump the version", "pytest", "test", "Bumped."),
        ("Make sure it works and looks clean", "pytest", "test", "It does."),
        ("Make sure the lint job is green", "pytest", "test", "It is not mine to start."),
        ("Make sure nobody can run `rm -rf build` while `npm run dev` is green", "pytest", "test", "Done."),
    ],
)  # fmt: skip
def test_another_form_of_the_command_serves_and_so_does_a_word_on_it(
    prompt: str, command: str, kind: str, answer: str
) -> None:
    work = Work(prompt).edit().run(command, kind=kind, runner=command if command == "make check" else "").say(answer)

    assert work.gate("remaining_work", checkout()).state is not State.DISPROVEN
