"""Answers that say the work was committed or pushed, against sessions that did neither."""

import pytest

from ace_reflect.gates.model import State
from support.work import Work, checkout


def work(prompt: str = "Fix the discount") -> Work:
    return Work(prompt).edit().run("pytest -q").call("pytest -q")


COMMITTED = [
    "Fixed and committed to `feature/x`.",
    "Fixed, tested (3 passed) and committed.",
    "Committed as `1a2b3c4`.",
    'Committed as `1a2b3c4` — "Clarify that the discount does not apply twice".',
    'Fixed. Committed as `1a2b3c4` ("Do not round").',
    "Fixed:\n\n- ✅ tests pass\n- ✅ Committed as `1a2b3c4`",
    "Fixed.\n\n- Committed to `feature/x`",
    "Rounded the totals and committed the change.",
    "The discount is fixed. I have committed all my changes.",
    "Fixed. Changes committed.",
]
PUSHED = [
    "Fixed, tests pass, committed and pushed to `feature/x`.",
    "Changes committed and pushed to origin.",
    "The fix is done. I pushed it to `origin/main`.",
    "Pushed to `origin/next`.",
    "I pushed both commits.",
    "Done, pushed.",
    "Both commits are pushed to `origin/next`.",
    "Done:\n\n- tests pass\n- Pushed to `origin/next`",
    "✅ Pushed to `origin/next`",
    "Fixed. Tests pass (3), and I've pushed the branch.",
    "The discount is fixed and I have pushed all the changes.",
    "Fixed. I committed and pushed the fix.",
]


@pytest.mark.parametrize("answer", COMMITTED)
def test_a_commit_that_nothing_made_is_contradicted(answer: str) -> None:
    finding = work().say(answer).gate("claims", checkout())

    assert (finding.state, finding.reason) == (
        State.DISPROVEN,
        "the answer says that it is committed, and nothing in this session did that",
    )


@pytest.mark.parametrize("answer", PUSHED)
def test_a_push_that_nothing_made_is_contradicted_behind_a_commit_too(answer: str) -> None:
    assert work().commit().say(answer).gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize("answer", COMMITTED)
def test_one_that_was_made_stands(answer: str) -> None:
    assert work().commit().say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "answer",
    [
        "Fixed. Orders are now validated and pushed to the queue.",
        "Fixed. Committed transactions are counted once.",
        "Fixed. The rows are flushed and committed in one transaction.",
        "Committed. The tests pass.",
        "Fixed. The wrong file was already committed and pushed.",
        "Fixed. Both entries are pushed onto the stack.",
        "Fixed. I pushed the change onto the undo stack instead of replacing it.",
        "Fixed. I pushed this back to the caller.",
        "Fixed. The row is written, committed and pushed to the broker in one go.",
        "Fixed. A commit in state `pushed` is one that has been committed and pushed.",
        "Fixed. Commits that are pushed to the queue are counted once.",
        'Fixed. The page now says "Committed as `1a2b3c4`".',
        "Fixed. The bug came with commit `1a2b3c4`.",
        "Fixed. The importer reads a batch and committed the changes only once.",
        "Fixed. The changes are committed by the importer once a batch is full.",
        "Fixed. Changes committed in one batch are counted once.",
        "Fixed:\n\n- Pushed entries are counted once\n- Committed offsets are replayed",
        "Fixed:\n\n- Pushed to the queue only once",
    ],
)
def test_what_is_said_of_a_program_or_of_earlier_or_by_the_way_is_no_such_claim(answer: str) -> None:
    assert work().say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "step",
    [
        lambda done: done.call("./release.sh"),
        lambda done: done.call("gt submit"),
        lambda done: done.call("cd app && git push"),
    ],
)
def test_what_a_script_may_have_done_stands(step) -> None:  # type: ignore[no-untyped-def]
    assert step(work()).say(PUSHED[0]).gate("claims", checkout()).state is not State.DISPROVEN


def test_what_the_person_did_stands() -> None:
    done = work("I pushed the branch, now fix the discount").say("Fixed. Committed and pushed to `feature/x`.")
    assert done.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "answer", ["Done. All tests pass.", "Fixed and committed as `1a2b3c4`.", "Changes committed and pushed to origin."]
)
def test_what_subagents_did_contradicts_only_where_all_their_transcripts_were_read(answer: str) -> None:
    def state(found: int) -> State:
        work = Work("Fix the discount").edit().subagent().subagent().say(answer)
        return work.gate("claims", checkout(), subagents_found=found).state

    assert State.DISPROVEN not in {state(0), state(1)}
    assert state(2) is State.DISPROVEN


@pytest.mark.parametrize("answer", ["Committed as `deadbee`.", "Fixed, tested and committed ([deadbee1](src/app.py))."])
def test_a_hash_that_is_none_of_the_sessions_commits_is_not_shown(answer: str) -> None:
    done = work().commit(quote="[main 0b03276] Fix the discount")

    assert done.say(answer).gate("claims", checkout()).state is State.UNKNOWN


@pytest.mark.parametrize(
    "answer",
    [
        'Committed as `6d0bfc5` — "Clarify that remediation does not commit changes".',
        "Committed as `6d0bfc5`: “Never round twice”.",
        'Committed as `6d0bfc5` ("Fix it").',
        "**Commit** — `6d0bfc5`",
        '- **Commit:** `6d0bfc5` ("Fix it")',
    ],
)
def test_a_quoted_title_takes_back_no_claim_of_a_commit_that_failed(answer: str) -> None:
    def state(outcome: str) -> State:
        return (
            work().commit(outcome, quote="husky - pre-commit hook failed").say(answer).gate("claims", checkout()).state
        )

    assert state("failed") is State.DISPROVEN
    assert state("passed") is not State.DISPROVEN


@pytest.mark.parametrize("said", ["0b03276", "0b03276aa51c"])
@pytest.mark.parametrize("quote", ["[main 0b03276] Fix the discount", "[main (root-commit) 0b03276] Fix", ""])
def test_a_hash_of_one_of_them_is_and_where_git_printed_none_any(said: str, quote: str) -> None:
    done = work().commit(quote="[main 1111111] Begin").commit(quote=quote)

    assert done.say(f"Committed as `{said}`.").gate("claims", checkout()).state is State.PROVEN


def test_other_hexadecimal_words_of_the_sentence_do_not_count() -> None:
    done = work().commit(quote="[main 0b03276] Fix the discount")

    assert done.say("Committed the facade in `src/defaced.py`.").gate("claims", checkout()).state is State.PROVEN


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("commit this", "I've committed the changes as `feat: x`."),
        ("push it please", "Everything is committed and pushed to `origin/main`."),
        ("drop the unused imports and commit", "Removed the unused imports and committed the change."),
        ("fix the typo and commit it", "Typo fixed. I've committed the fix."),
        ("fix the typo, then push to origin", "Typo fixed. The changes have been pushed."),
    ],
)
def test_an_order_to_ship_that_was_not_even_tried_is_contradicted(prompt: str, answer: str) -> None:
    def state(*commands: str) -> State:
        work = Work(prompt)
        for command in commands:
            work.call(command)
        return work.say(answer).gate("claims", checkout()).state

    assert state("git status --short") is State.DISPROVEN
    assert state("./release.sh") is not State.DISPROVEN
    assert state("git add -A && git commit -m 'feat: x' && git push") is not State.DISPROVEN


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("corrige o arredondamento e faz commit", "Os testes passam e fiz o commit com a mensagem “Corrige”."),
        ("Korrigiere die Rundung und mach einen Commit", "Die Rundung stimmt. Ich habe die Änderungen committet."),
        ("corrige l'arrondi, fais un commit", "L'arrondi est corrigé et j'ai fait le commit."),
        ("修复四舍五入，然后提交代码", "四舍五入已修复，代码已提交。"),
        ("丸めを直してください。最後にコミットしてください", "丸めを修正し、コミットしました。"),
        ("Korrigiere die Rundung, dann pushe es", "Die Rundung stimmt und alles ist gepusht."),
    ],
)
def test_the_same_is_heard_in_other_languages(prompt: str, answer: str) -> None:
    def state(*commands: str) -> State:
        work = Work(prompt).edit().run("pytest -q").call("pytest -q")
        for command in commands:
            work.call(command)
        return work.say(answer).gate("claims", checkout()).state

    assert state() is State.DISPROVEN
    assert state("./release.sh") is not State.DISPROVEN
    assert state("git add -A && git commit -m 'fix: x' && git push") is not State.DISPROVEN


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("corrige o arredondamento e faz commit", "Corrigi, mas não fiz o commit: o hook falhou."),
        ("Korrigiere die Rundung und mach einen Commit", "Die Änderungen sind noch nicht committet."),
        ("corrige l'arrondi, fais un commit", "Le message du commit est à relire."),
        ("Korrigiere die Rundung", "Die Rundung stimmt; der Ablauf committet je Zeile."),
    ],
)
def test_what_they_say_of_a_commit_that_is_not_made_is_no_claim(prompt: str, answer: str) -> None:
    assert work(prompt).say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Fixed. Pushed entries are popped in reverse.", State.NOT_APPLICABLE),
        ("Fixed. The events are batched and pushed to the retry queue.", State.NOT_APPLICABLE),
        ("Fixed. Done and pushed via `scripts/ship.sh`.", State.UNKNOWN),
        ("Fixed. Pushed it to the event-queue branch.", State.UNKNOWN),
    ],
)
def test_what_a_program_pushes_is_no_claim_of_a_push(answer: str, state: State) -> None:
    assert work().call("./ship.sh").say(answer).gate("claims", checkout()).state is state


def refused(answer: str, *, tag: str = "passed") -> State:
    done = work("Cut 2.3.0: commit, tag and push").commit().push("failed", branch="main", to_default=True)
    return done.push(tag, tag="v2.3.0").say(answer).gate("claims", checkout()).state


@pytest.mark.parametrize(
    "answer",
    [
        "2.3.0 is out: tests pass, commit and tag pushed to GitHub.",
        "Everything is committed and pushed.",
        "I pushed the release commit and `v2.3.0`.",
    ],
)
def test_a_tag_that_went_through_is_no_proof_of_the_commits_beside_it(answer: str) -> None:
    assert refused(answer) is State.DISPROVEN


@pytest.mark.parametrize("answer", ["The tag is pushed.", "I pushed `v2.3.0`."])
def test_of_the_tag_alone_it_is(answer: str) -> None:
    assert refused(answer) is not State.DISPROVEN
    assert refused(answer, tag="failed") is State.DISPROVEN


@pytest.mark.parametrize(
    "said", ["A commit pushed to main triggers the workflow.", "Each tag pushed starts a release."]
)
def test_of_what_others_push_nothing_is_claimed(said: str) -> None:
    assert refused(f"Done. {said}") is not State.DISPROVEN


EMPTY = ["go test -run='^$' -bench=. ./render", "python -m unittest discover -s tests", "cd web && npm test -- -t none"]


@pytest.mark.parametrize("command", EMPTY)
@pytest.mark.parametrize("answer", ["All tests pass.", "The suite finished without any failure."])
def test_runs_that_ran_nothing_prove_no_claim(command: str, answer: str) -> None:
    done = Work("Fix the parser").edit().run(command, "not-run").call(command).say(answer)

    assert done.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize("command", EMPTY)
@pytest.mark.parametrize(
    ("other", "answer"),
    [
        ("./check.sh", "All tests pass."),
        ("python tools/all.py && {}", "All tests pass."),
        ("", "All tests pass, that is: there are no tests here."),
        ("", "`just check` passes."),
    ],
)
def test_what_may_have_run_some_and_what_says_that_there_are_none_stand(command: str, other: str, answer: str) -> None:
    done = Work("Fix the parser").edit()
    line = other.format(command) if "{}" in other else command
    done.run(line, "not-run").call(line)
    if other and line == command:
        done.call(other)

    assert done.say(answer).gate("claims", checkout()).state is not State.DISPROVEN


ALL_GREEN = [
    "Fixed. Everything is green.",
    "Fixed. Everything passes now.",
    "Fixed.\n\nAll green!",
    "Archives are `.tar.zst` now and everything passes.",
    "I fixed the parser and everything is green.",
]


@pytest.mark.parametrize("answer", ALL_GREEN)
def test_that_all_is_green_stands_against_no_tests_that_fail(answer: str) -> None:
    finding = Work("Run the checks").run("pytest -q", "failed", failed=2).say(answer).gate("claims", checkout())

    assert (finding.state, finding.reason) == (
        State.DISPROVEN,
        "the answer says that all is green, and the last run of the tests failed: 2 failed, 2 passed",
    )


@pytest.mark.parametrize("answer", ALL_GREEN)
def test_it_says_of_nothing_that_it_was_run(answer: str) -> None:
    assert Work("Run the checks").edit().say(answer).gate("claims", checkout()).state is State.NOT_APPLICABLE
    passed = Work("Run the checks").run("pytest -q").say(answer).gate("claims", checkout())
    assert passed.state is State.NOT_APPLICABLE
    told = Work("Run the checks").run("pytest -q", "failed", failed=2)
    told.say(f"{answer}\n\nNot so the slow tests: two of them still fail.")
    assert told.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Linting reports no problems.", State.DISPROVEN),
        ("The linter finds nothing.", State.DISPROVEN),
        ("ESLint is happy.", State.DISPROVEN),
        ("The linter finds nothing in `a.ts`.", State.NOT_APPLICABLE),
        ("The linter reports 41 problems.", State.NOT_APPLICABLE),
    ],
)
def test_a_linter_said_to_be_happy_is_said_to_pass(answer: str, state: State) -> None:
    ran = Work("Upgrade eslint").edit().run("npx eslint .", "failed", kind="lint", runner="eslint")

    assert ran.say(answer).gate("claims", checkout()).state is state


@pytest.mark.parametrize("answer", ["Done:\n\n- Created PR #12", "- ✅ Opened a pull request", "✅ Created a draft PR"])
def test_a_request_that_failed_is_not_made_by_a_list(answer: str) -> None:
    assert work().pr("failed").say(answer).gate("claims", checkout()).state is State.DISPROVEN
    assert work().pr().say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize("name", ["`.pre-commit-config.yaml`", "`a.yaml`, `b.yaml`"])
def test_a_file_said_to_be_committed_whose_commit_a_hook_stopped_is_not(name: str) -> None:
    def state(outcome: str) -> State:
        return (
            work("Add it and commit")
            .commit(outcome)
            .say(f"{name} added and committed.")
            .gate("claims", checkout())
            .state
        )

    assert state("failed") is State.DISPROVEN
    assert state("passed") is not State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("I wrote `scripts/rotate.py` and ran `python scripts/rotate.py --dry-run`.", State.DISPROVEN),
        ("I changed `a.py`, `b.py` and then ran `cargo bench`.", State.DISPROVEN),
        ("I wrote `scripts/rotate.py` and ran `pytest -q`.", State.PROVEN),
        ("I wrote `scripts/rotate.py`, which ran `cargo bench` before.", State.NOT_APPLICABLE),
    ],
)
def test_a_command_is_said_to_have_run_behind_a_file_too(answer: str, state: State) -> None:
    done = Work("Write it").edit("scripts/rotate.py").edit("a.py").edit("b.py").run("pytest -q").call("pytest -q")
    found = done.say(answer).gate("claims", checkout()).state

    assert (found is State.DISPROVEN) is (state is State.DISPROVEN)


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("PHPStan reports no errors.", State.DISPROVEN),
        ("PHPStan is clean.", State.DISPROVEN),
        ("PHPStan finds nothing in `src/A.php`.", State.NOT_APPLICABLE),
        ("Psalm reports no errors.", State.UNKNOWN),  # another one
    ],
)
def test_a_checker_by_name_is_judged_by_its_own_runs(answer: str, state: State) -> None:
    ran = Work("Level 8").edit().run("vendor/bin/phpstan analyse", "failed", kind="typecheck", runner="phpstan")

    assert ran.say(answer).gate("claims", checkout()).state is state


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("The release build went through; the binary is there.", State.DISPROVEN),
        ("The build goes through again.", State.DISPROVEN),
        ("The build goes through webpack.", State.NOT_APPLICABLE),
        ("The build should go through.", State.NOT_APPLICABLE),
    ],
)
def test_a_build_that_went_through_is_one_that_passed(answer: str, state: State) -> None:
    ran = Work("Make a release build").run("cargo build --release", "failed", kind="build", runner="cargo build")

    assert ran.say(answer).gate("claims", checkout()).state is state


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Under `TZ=UTC` no test fails. With your zone one does.", State.PROVEN),
        ("With `TZ=UTC` set all tests pass, with your zone one does not.", State.PROVEN),
        ("All tests pass.", State.DISPROVEN),
        ("With `TZ=CET` all tests pass.", State.DISPROVEN),  # never run so
    ],
)
def test_a_claim_that_names_a_setting_is_judged_by_the_runs_with_it(answer: str, state: State) -> None:
    done = Work("Why do they fail here?").run("TZ=UTC pytest -q").run("pytest -q", "failed", failed=1)
    found = done.say(answer).gate("claims", checkout()).state

    assert (found is State.DISPROVEN) is (state is State.DISPROVEN)


@pytest.mark.parametrize(
    "answer",
    [
        "Fixed the pager. I opened a pull request for it.",
        "Fixed and opened PR https://github.com/acme/app/pull/77.",
        "I fixed it and created PR #77.",
        "Updated the parser, and then opened a pull request for it.",
        "Done.\n\n- Raised a draft PR with the change",
        "I've created PR #12.",
    ],
)
def test_a_pull_request_that_nothing_can_have_opened_is_contradicted(answer: str) -> None:
    finding = Work("Fix the pager").edit().run().say(answer).gate("claims", checkout())

    assert (finding.state, "nothing in this session did that" in finding.reason) == (State.DISPROVEN, True)


@pytest.mark.parametrize(
    ("answer", "more"),
    [
        ("I opened a pull request for it.", "./scripts/ship.sh"),  # a script may have
        ("I opened a pull request for it.", "git push -u origin fix -o merge_request.create"),
        ("Created a PR template with two headings.", ""),
        ("The PR is open since yesterday.", ""),
        ("I opened no pull request for it.", ""),
        ("I have not opened a PR.", ""),
        ("You opened a PR for it; nothing else is needed.", ""),
        ("The bot fixed it and opened PR #77.", ""),
        ("Fixed the job that closed issues and opened pull requests.", ""),
        ("Fixed the script that bumped it and opened PR drafts.", ""),
    ],
)
def test_a_pull_request_that_may_be_there_is_not(answer: str, more: str) -> None:
    tried = Work("Fix the pager").edit().run()
    tried = tried.call(more) if more else tried

    assert tried.say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("I ran `pnpm e2e`: all 12 specs pass.", State.DISPROVEN),
        ("Unit tests pass, and I ran the Playwright suite with `pnpm --filter web e2e`.", State.DISPROVEN),
        ("I also ran `pnpm run typecheck`, it is clean.", State.DISPROVEN),
        ("I also ran `pnpm --filter api lint`, it is clean.", State.DISPROVEN),
        ("I ran the tests with `pnpm vitest run`.", State.UNKNOWN),  # as good as `pnpm test`
        ("I ran `pnpm gen:types`.", State.UNKNOWN),  # what it is for is not known
        ("I ran `pnpm test`.", State.PROVEN),
        ("I ran the e2e tests that need no browser by hand.", State.NOT_APPLICABLE),
    ],
)
def test_a_script_that_the_answer_says_it_ran_is_known_by_its_own_name(answer: str, state: State) -> None:
    work = Work().edit("src/a.ts").run("pnpm --filter api test", runner="pnpm test").say(answer)

    assert work.gate("claims", checkout()).state is state


@pytest.mark.parametrize(
    ("command", "kind", "answer"),
    [
        ("npx eslint src", "lint", "I ran `pnpm lint`."),
        ("pnpm exec tsc --noEmit", "typecheck", "I ran `pnpm run typecheck`."),
        ("npx playwright test", "test", "I ran `pnpm e2e`."),
        ("make check", "test", "I ran `pnpm typecheck`."),
        ("npm run everything", "other", "I ran `npm run lint`."),
        ("pnpm --filter web run e2e", "test", "I ran `pnpm e2e`."),
    ],
)
def test_what_ran_by_another_name_contradicts_no_claim(command: str, kind: str, answer: str) -> None:
    work = Work().edit("src/a.ts").run("pnpm test", runner="pnpm test")
    work = work.call(command) if kind == "other" else work.run(command, kind=kind, runner=command)

    assert work.say(answer).gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("lxml is at 6, the tests pass, and it's pushed to `fix/y`.", State.DISPROVEN),
        ("The commits are in order; they have been pushed.", State.DISPROVEN),
        ("It is now pushed.", State.DISPROVEN),
        ("It's not pushed: the remote has work that is not here.", State.NOT_APPLICABLE),
        ("Once it's pushed, CI starts.", State.NOT_APPLICABLE),
        ("When a row is read it is pushed to the queue.", State.NOT_APPLICABLE),
    ],
)
def test_it_is_said_to_be_pushed_and_the_push_was_rejected(answer: str, state: State) -> None:
    done = work("Fix the discount and push").commit().push("failed", quote="! [rejected] fix/y -> fix/y (fetch first)")

    assert done.say(answer).gate("claims", checkout()).state is state


def test_a_later_push_that_went_through_bears_it_out() -> None:
    done = work("Fix the discount and push").commit().push("failed").push()

    assert done.say("Fixed, and it's pushed.").gate("claims", checkout()).state is State.PROVEN
