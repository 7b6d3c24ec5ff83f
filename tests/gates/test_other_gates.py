"""Build, shipping, claims, remaining work, wiring, completion and loops."""

import pytest

from ace_reflect.evidence.facts import Counts
from ace_reflect.gates.loops import find_loops
from ace_reflect.gates.model import State
from support.work import Work, checkout, node_scope, python_scope

BUILT = checkout(node_scope(build=True))


# -- build


@pytest.mark.parametrize(
    ("work", "state"),
    [
        (Work().edit("src/a.ts"), State.DISPROVEN),
        (Work().edit("src/a.ts").run("npm run build", kind="build"), State.PROVEN),
        (Work().edit("src/a.ts").run("npm run build", "failed", kind="build"), State.DISPROVEN),
        (Work().run("npm run build", kind="build").edit("src/a.ts"), State.DISPROVEN),
        (Work().edit("src/a.ts").run("npm run build | tail", "unknown", kind="build", masked="| tail"), State.UNKNOWN),
        (Work().edit("src/a.ts").run("tsc --noEmit", kind="typecheck"), State.PROVEN),
        (
            Work().edit("src/a.ts").run("npm run build", "failed", kind="build").run("tsc", kind="typecheck"),
            State.PROVEN,
        ),
        (Work().edit("src/a.test.ts"), State.NOT_APPLICABLE),
        (Work().edit("README.md"), State.NOT_APPLICABLE),
    ],
)
def test_build_states(work: Work, state: State) -> None:
    assert work.say("Done.").gate("build", BUILT).state is state


def test_python_has_no_build_unless_somebody_asks() -> None:
    assert Work().edit().run().say("Done.").gate("build", checkout()).state is State.NOT_APPLICABLE


def test_a_passing_test_run_has_compiled_go() -> None:
    go = python_scope().replace(
        languages=("go",), test_command="go test ./...", has_build=True, build_command="go build ./..."
    )
    work = Work().edit("main.go").run("go test ./...", runner="go test").say("Done.")

    assert work.gate("build", checkout(go)).state is State.PROVEN


@pytest.mark.parametrize(
    ("language", "edited", "command", "failed", "state"),
    [
        ("go", "main.go", "go test ./...", 1, State.PROVEN),
        ("rust", "src/a.rs", "cargo test", 2, State.PROVEN),
        ("rust", "src/a.rs", "cargo test", None, State.DISPROVEN),  # no test ran: it may not have compiled
        ("javascript", "src/a.ts", "npx jest", 1, State.DISPROVEN),  # looks at no types
    ],
)
def test_tests_that_ran_and_failed_have_been_compiled(
    language: str, edited: str, command: str, failed: int | None, state: State
) -> None:
    project = checkout(
        python_scope().replace(languages=(language,), test_command=command, has_build=True, build_command="make")
    )
    work = Work().edit(edited).run(command, "failed", failed=failed).say("Done; test_tz failed before as well.")

    assert work.gate("build", project).state is state


@pytest.mark.parametrize(
    ("asked", "state"),
    [
        ("Change the page size. Don't bother running tests, CI does it", State.WAIVED),
        ("Make the sidebar 280px wide, I'll test it myself", State.WAIVED),
        ("Swap the columns, skip the tests", State.WAIVED),
        ("Swap the columns, skip the tests but make sure the build works", State.DISPROVEN),
        ("Swap the columns", State.DISPROVEN),
    ],
)
def test_who_wants_no_tests_of_it_is_not_asked_for_a_build_instead(asked: str, state: State) -> None:
    assert Work(asked).edit("src/a.ts").say("Done.").gate("build", BUILT).state is state


def test_a_build_that_failed_is_told_also_where_the_tests_are_waived() -> None:
    work = Work("Swap the columns, skip the tests").edit("src/a.ts").run("npm run build", "failed", kind="build")

    assert work.say("Done.").gate("build", BUILT).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("look", "state"),
    [
        (("passed", "build pass 1m12s"), State.PROVEN),
        (("passed", "Build and test pass 3m"), State.PROVEN),
        (("passed", "Vercel pass 1m12s"), State.UNKNOWN),
        (("failed", "build fail 1m12s"), State.DISPROVEN),
        (("pending", "build pending 0"), State.DISPROVEN),
    ],
)
def test_green_ci_on_what_was_pushed_stands_for_the_build(look: tuple[str, str], state: State) -> None:
    work = Work().edit("src/a.ts").push(branch="fix/x").ci(look[0], quote=look[1]).say("Done.")

    assert work.gate("build", BUILT).state is state


def test_green_ci_from_before_the_edit_does_not() -> None:
    work = (
        Work().edit("src/b.ts").push(branch="fix/x").ci("passed", quote="build pass 1m").edit("src/a.ts").say("Done.")
    )

    assert work.gate("build", BUILT).state is State.DISPROVEN


def test_a_build_that_passed_here_needs_no_ci_that_names_one() -> None:
    work = Work().edit("src/a.ts").run("npm run build", kind="build").push(branch="fix/x")

    assert work.ci("passed", quote="lint pass 3s").say("Done.").gate("build", BUILT).state is State.PROVEN


@pytest.mark.parametrize(
    ("command", "runner", "state"),
    [
        ("npx tsc -b", "tsc", State.NOT_APPLICABLE),
        ("npx vue-tsc -b", "vue-tsc", State.NOT_APPLICABLE),
        ("npx vite build", "vite build", State.DISPROVEN),
    ],
)
def test_a_look_at_the_types_makes_no_build_step_of_the_project(command: str, runner: str, state: State) -> None:
    work = Work().edit("src/a.ts").run(command, kind="build", runner=runner).edit("src/b.ts").say("Done.")

    assert work.gate("build", checkout(node_scope())).state is state


def test_one_that_failed_after_the_last_edit_is_held_against_it_all_the_same() -> None:
    work = Work().edit("src/a.ts").run("npx tsc -b", "failed", kind="build", runner="tsc").say("Done.")

    assert work.gate("build", checkout(node_scope())).state is State.DISPROVEN


def test_with_no_checkout_a_build_that_was_never_run_is_not_asked_for() -> None:
    assert Work().edit("src/a.ts").say("Done.").gate("build").state is State.NOT_APPLICABLE


def test_with_no_checkout_a_build_that_failed_last_is() -> None:
    work = Work().edit("src/a.ts").run("npm run build", "failed", kind="build").say("Done.")

    assert work.gate("build").state is State.DISPROVEN


# -- pull request, CI, push


def test_nobody_asked_for_a_pull_request() -> None:
    assert Work().edit().run().push().say("Done.").gate("pr", checkout()).state is State.NOT_APPLICABLE


def test_the_person_asked_for_one_and_none_was_made() -> None:
    judgement = Work("Fix it and open a PR").edit().run().say("Done.").judge(checkout())

    assert judgement.verdict.decision == "block"
    assert judgement.verdict.severity.name == "LOW"
    assert "gh pr create" in judgement.verdict.feedback


def test_a_made_pull_request_needs_its_address() -> None:
    shown = Work("Open a PR").edit().run().pr(url="https://github.com/a/b/pull/3").say("Done.")
    hidden = Work("Open a PR").edit().run().pr().say("Done.")

    assert shown.gate("pr", checkout()).state is State.PROVEN
    assert "address" in hidden.gate("pr", checkout()).reason


def test_a_pull_request_that_failed_is_none() -> None:
    assert Work("Fix it").edit().run().pr("failed").say("Done.").gate("pr", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("workflow", "remote", "state"),
    [
        ("pull-request", True, State.DISPROVEN),
        ("pull-request", False, State.NOT_APPLICABLE),
        ("local", True, State.NOT_APPLICABLE),
        ("auto", True, State.NOT_APPLICABLE),
    ],
)
def test_the_workflow_decides(workflow: str, remote: bool, state: State) -> None:
    work = Work().edit().run().say("Done.")

    assert work.gate("pr", checkout(has_remote=remote), workflow=workflow).state is state


def test_the_projects_instructions_call_for_one_when_work_is_pushed() -> None:
    project = checkout(wants_pr="All changes go through pull requests.")

    assert Work().edit().run().say("Done.").gate("pr", project).state is State.NOT_APPLICABLE
    assert Work().edit().run().push(branch="fix").say("Done.").gate("pr", project).state is State.DISPROVEN


def test_why_none_is_asked_for_is_said_as_it_is() -> None:
    project = checkout(wants_pr="All changes go through pull requests.")
    by_order = Work("Fix it and push to main").edit().run().push(to_default=True).say("Done.")

    assert "nothing was pushed" in Work().edit().run().say("Done.").gate("pr", project).reason
    assert "asked for the push" in by_order.gate("pr", project).reason
    assert Work().edit().run().push(branch="fix").say("Done.").gate("pr", checkout()).reason == "nobody asked for one"


@pytest.mark.parametrize(
    ("prompt", "branch", "state"),
    [
        ("Fix it", "refs/for/main", State.NOT_APPLICABLE),
        ("Fix it and open a PR", "refs/for/release/2.1", State.NOT_APPLICABLE),
        ("Fix it", "review/for-main", State.DISPROVEN),
    ],
)
def test_a_push_for_review_is_the_request_where_gerrit_makes_it(prompt: str, branch: str, state: State) -> None:
    work = Work(prompt).edit().run().commit().push(branch=branch).say("Done.")

    assert work.gate("pr", checkout(wants_pr="Every change is reviewed in Gerrit.")).state is state


def test_the_persons_words_waive_it() -> None:
    finding = Work("Fix it, no PR").edit().run().say("Done.").gate("pr", checkout(), workflow="pull-request")

    assert (finding.state, finding.waived_by) == (State.WAIVED, "Fix it, no PR")


@pytest.mark.parametrize(
    ("outcome", "state"),
    [("passed", State.PROVEN), ("failed", State.DISPROVEN), ("pending", State.UNKNOWN), ("unknown", State.UNKNOWN)],
)
def test_ci_of_a_pull_request(outcome: str, state: State) -> None:
    work = Work("Open a PR").edit().run().pr(url="u").ci(outcome).say("Done.")

    assert work.gate("ci", checkout()).state is state


def test_on_gitlab_its_own_commands_settle_it() -> None:
    project = checkout().replace(forge="gitlab")
    wanted = Work("Open a PR").edit().run().say("Done.")
    made = Work("Open a PR").edit().run().pr().say("Done.")

    assert wanted.gate("pr", project).settle == "glab mr create --fill"
    assert made.gate("pr", project).settle == "glab mr view"
    assert made.gate("ci", project).settle == "glab ci status --live"


def test_ci_never_pushes_but_tells_the_person() -> None:
    judgement = Work("Open a PR").edit().run().pr(url="u").say("Done.").judge(checkout())

    assert judgement.verdict.decision == "allow"
    assert "CI was not looked at" in judgement.verdict.system_message


def test_ci_looked_at_before_the_last_push_is_stale() -> None:
    work = Work("Open a PR").edit().run().pr(url="u").ci("passed").push(branch="fix").say("Done.")

    assert work.gate("ci", checkout()).state is State.DISPROVEN


def test_a_push_to_the_default_branch_that_nobody_asked_for() -> None:
    judgement = (
        Work("Fix it").edit().run().push(to_default=True).say("Done.").judge(checkout(), workflow="pull-request")
    )
    finding = next(f for f in judgement.findings if f.gate == "direct_push")

    assert finding.state is State.DISPROVEN
    assert "Leave the history as it is" in judgement.verdict.feedback


@pytest.mark.parametrize("prompt", ["commit and push", "push to main", "/ship"])
def test_a_push_that_was_asked_for_is_waived(prompt: str) -> None:
    work = Work("Fix it").edit().run().say("Done.").ask(prompt).push(to_default=True).say("Pushed.")

    assert work.gate("direct_push", checkout(), workflow="pull-request").state is State.WAIVED


def test_a_forced_push_over_a_rejected_one_is_told_even_where_a_push_was_asked_for() -> None:
    judgement = (
        Work("Fix it and push.")
        .edit()
        .run()
        .push("failed", to_default=True)
        .push(forced=True, to_default=True)
        .say("Pushed.")
        .judge(checkout())
    )

    finding = next(f for f in judgement.findings if f.gate == "direct_push")
    assert (finding.state, judgement.verdict.decision) == (State.DISPROVEN, "block")
    assert "Say in your answer what was overwritten" in judgement.verdict.feedback


@pytest.mark.parametrize(
    "work",
    [
        Work("Fix it and force push.").edit().run().push("failed").push(forced=True).say("Pushed."),
        Work("Fix it and push.").edit().run().push("failed").push(forced=True).say("I had to force the push."),
        Work("Fix it and push.").edit().run().push("failed").push().say("Pushed."),
        Work("Rebase and push.").edit().run().push("failed", branch="x").push(forced=True, branch="x").say("Pushed."),
        Work("Fix it and push.").edit().run().push(forced=True).say("Pushed."),
    ],
)
def test_a_forced_push_that_was_wanted_or_told_or_overwrote_nothing(work: Work) -> None:
    for push in work.facts["pushes"]:
        work.facts["pushes"][work.facts["pushes"].index(push)] = push.replace(to_default=push.branch == "main")

    assert work.gate("direct_push", checkout()).state is not State.DISPROVEN


def pushed_past_the_rules(then: str) -> Work:
    """The default branch was pushed to, Claude was told so, and answered."""
    work = Work("Fix the timer and open a pull request").edit().run().push(to_default=True).say("Fixed and green.")
    assert work.judge(checkout()).verdict.decision == "block"
    return work.say(then)


@pytest.mark.parametrize(
    "answer",
    [
        "The fix went straight to main instead of through a pull request; from now on I'll work on a branch.",
        "My mistake: I pushed this directly to main. The history is untouched.",
    ],
)
def test_whoever_says_where_the_work_went_is_not_told_twice(answer: str) -> None:
    assert pushed_past_the_rules(answer).judge(checkout()).verdict.decision == "allow"


@pytest.mark.parametrize("answer", ["The timer is fixed.", "I have not pushed to main.", "The main loop is fixed."])
def test_whoever_does_not_is_told_once_more(answer: str) -> None:
    assert pushed_past_the_rules(answer).judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(("quote", "state"), [("", State.NOT_APPLICABLE), ("main -> main", State.DISPROVEN)])
def test_a_quiet_push_beside_a_pull_request_went_to_its_branch(quote: str, state: State) -> None:
    work = Work("Fix the parser").edit().push(branch="main", to_default=True, quote=quote).pr()

    assert work.gate("direct_push", checkout(), workflow="pull-request").state is state


@pytest.mark.parametrize(
    ("command", "answer", "decision"),
    [
        ("git spr update", "It is at https://github.com/acme/app/pull/77.", "allow"),
        ("git spr update", "It is done.", "block"),
        ("git log -3", "It is at https://github.com/acme/app/pull/77.", "block"),
    ],
)
def test_the_address_of_a_pull_request_that_an_unknown_tool_may_have_made(
    command: str, answer: str, decision: str
) -> None:
    work = Work("Fix the parser and open a PR").edit().run().call(command).say(answer)

    assert work.judge(checkout()).verdict.decision == decision


@pytest.mark.parametrize(
    ("earlier", "instructions", "state"),
    [
        ("From now on, always push after each commit.", "", State.WAIVED),
        ("Whenever a step is done, commit and push it.", "", State.WAIVED),
        ("Look at the parser.", "Push small fixes directly to main.", State.WAIVED),
        ("Look at the parser.", "Release branches are cut by CI; everybody pushes to master.", State.WAIVED),
        ("Always push back when you disagree.", "", State.DISPROVEN),
        ("Never push, always ask.", "", State.DISPROVEN),
        ("Always ask me before you push.", "", State.DISPROVEN),
        ("From now on, don't push to main.", "", State.DISPROVEN),
        ("Look at the parser.", "Never push directly to main.", State.DISPROVEN),
    ],
)
def test_a_standing_order_to_push_is_one_for_the_default_branch_too(
    earlier: str, instructions: str, state: State
) -> None:
    project = checkout().replace(wants_pr="Open a PR for every change.", instructions=instructions)
    work = Work(earlier).say("OK.").ask("Fix it").edit().run().push(to_default=True).say("Done.")

    assert work.gate("direct_push", project).state is state


def test_a_push_to_another_branch_is_no_direct_push() -> None:
    work = Work("Fix it").edit().run().push(branch="feature/main-menu").say("Done.")

    assert work.gate("direct_push", checkout(), workflow="pull-request").state is State.NOT_APPLICABLE


# -- claims


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (Work().edit().run("pytest", "failed"), "All tests pass."),
        (Work().edit().run("pytest", "failed"), "Fixed. All 12 tests pass now."),
        (Work().edit().run("pytest", "failed"), "The test suite is green."),
        (Work().edit(), "Done. All tests pass."),
        (Work().edit().run("pytest", counts=None), "I ran `npm run lint` and it is clean."),
        (Work().edit().run("npm run build", "failed", kind="build"), "The build succeeds."),
        (Work().edit().run("eslint .", "failed", kind="lint"), "Lint passes."),
        (Work().edit().run().push("failed"), "I've pushed the changes."),
        (Work().edit().run().commit("failed"), "I've committed the changes."),
        (Work().edit().run().pr("failed"), "I've opened a pull request."),
    ],
)
def test_claims_that_the_session_contradicts(work: Work, text: str) -> None:
    judgement = work.say(text).judge(checkout())
    finding = next(f for f in judgement.findings if f.gate == "claims")

    assert finding.state is State.DISPROVEN, finding
    assert judgement.verdict.decision == "block"
    assert finding.evidence[0].quote in text


@pytest.mark.parametrize(
    "text",
    [
        "Once all tests pass, you can merge.",
        "Make sure all tests pass.",
        "All tests should pass.",
        "Not all tests pass.",
        "The user said that all tests pass.",
        'The log says "all tests pass".',
        "If all tests pass, CI is green.",
        "Do all tests pass?",
        "All tests pass except two that are pre-existing failures.",
        "> All tests pass.",
        "- [ ] All tests pass",
        "You can run `npm run lint` to check.",
        "I'll push the changes next.",
        "The hook ran `npm run lint` and refused the commit.",
        "When CI then ran `go vet ./...` it found nothing.",
        "After running `npm run build` you can open the page.",
    ],
)
def test_conditions_wishes_negations_and_quotations_claim_nothing(text: str) -> None:
    work = Work().edit().run("pytest", "failed").say(text)

    assert work.gate("claims", checkout()).state in {State.NOT_APPLICABLE, State.UNKNOWN}


@pytest.mark.parametrize(
    "work",
    [
        Work().edit().run(),
        Work().edit().call("./check.sh"),
        Work().edit().run("pytest", "unknown"),
        Work("Look at CI").ci("passed"),
    ],
)
def test_claims_that_may_be_true_stand(work: Work) -> None:
    assert work.say("All tests pass.").gate("claims").state is not State.DISPROVEN


@pytest.mark.parametrize(
    "text", ["I ran `npm run lint`.", "Ran `npm run lint`, no findings.", "I changed it and then ran `npm run lint`."]
)
def test_a_command_that_the_agent_says_it_ran_and_that_never_ran(text: str) -> None:
    assert Work().edit().run().say(text).gate("claims", checkout()).state is State.DISPROVEN


def test_the_evidence_of_a_finished_answer_is_the_sentence_that_says_so() -> None:
    finding = Work().edit().run().say("I fixed the pager.\n\n- `page`: clamps").gate("completion", checkout())

    assert finding.evidence[0].quote == "I fixed the pager."


def test_a_contradicted_claim_in_an_answer_to_a_question_is_judged() -> None:
    work = Work().edit().run("pytest", "failed").say("One fails.").ask("do the tests pass?").say("Yes, all tests pass.")

    judgement = work.judge(checkout())

    assert judgement.verdict.decision == "block"


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Done, 31 tests pass (2 skipped).", State.PROVEN),
        ("All 31 tests pass, 2 of them are pending.", State.PROVEN),
        ("Done, 29 tests pass.", State.PROVEN),
        ("Done, 40 tests pass.", State.DISPROVEN),
    ],
)
def test_a_count_with_the_skipped_ones_is_no_contradiction(answer: str, state: State) -> None:
    """Surefire's "Tests run: 31, Skipped: 2" and rspec's "31 examples, 2 pending"."""
    work = Work().edit().run(counts=Counts(passed=29, failed=0, skipped=2)).say(answer)

    assert work.gate("claims", checkout()).state is state


def test_more_passing_tests_than_were_ever_run_is_a_contradiction() -> None:
    work = Work().edit().run(counts=Counts(passed=3, failed=0)).say("All 120 tests pass.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


# -- remaining work


def test_todos_of_this_prompt_that_are_open() -> None:
    judgement = (
        Work().todo("Write the docs").todo("Fix the parser", "completed").edit().run().say("Done.").judge(checkout())
    )

    assert judgement.verdict.decision == "block"
    assert "Write the docs" in judgement.verdict.feedback


@pytest.mark.parametrize(
    ("status", "answer", "state"),
    [
        ("completed", "Done.", State.PROVEN),
        ("in_progress", "Done.", State.UNKNOWN),  # begun, and not ticked off: no proof, and no reason to push
        ("in_progress", "The parser is half way there", State.DISPROVEN),
        ("pending", "Done.", State.DISPROVEN),
    ],
)
def test_an_item_that_was_begun_and_not_ticked_off_is_not_called_done(status: str, answer: str, state: State) -> None:
    judgement = Work().todo("Write the docs", status).edit().run().say(answer).judge(checkout())
    finding = next(finding for finding in judgement.findings if finding.gate == "remaining_work")

    assert finding.state is state
    assert (judgement.verdict.decision == "block") is (state is State.DISPROVEN)
    assert finding.reason != "the todo list is done" or status == "completed"


@pytest.mark.parametrize(
    "text",
    ["Approve the OAuth consent screen", "Ask the user for feedback", "Optional: add a cache", "Wait for review"],
)
def test_todos_that_are_not_the_agents(text: str) -> None:
    assert Work().todo(text).edit().run().say("Done.").gate("remaining_work", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("User: change the nameservers at the registrar", State.PROVEN),
        ("You - pick the winner of the raffle", State.PROVEN),
        ("Order the new plates (manual step)", State.PROVEN),
        ("User to choose the colours", State.PROVEN),
        ("User: add the e-mail field", State.DISPROVEN),
        ("Change the user's colours", State.DISPROVEN),
        ("Write the manual", State.DISPROVEN),
        ("Manual: write chapter 3", State.DISPROVEN),
        ("Check the colours (user list)", State.DISPROVEN),
    ],
)
def test_an_item_that_says_whose_it_is_is_a_persons(text: str, state: State) -> None:
    assert Work().todo(text).edit().run().say("Done.").gate("remaining_work", checkout()).state is state


def test_a_list_left_over_from_an_earlier_prompt_is_no_debt() -> None:
    work = Work().todo("Write the docs").say("Stopped.").ask("rename x").edit().run().say("Renamed.")

    assert work.gate("remaining_work", checkout()).state is not State.DISPROVEN


def test_a_limit_that_the_person_set_holds() -> None:
    work = Work("Do the list, but stop after the first one").todo("Second").edit().run().say("First is done.")

    assert work.judge(checkout()).verdict.decision == "allow"


def test_todos_stand_when_the_person_was_asked() -> None:
    work = Work().todo("Write the docs").edit().run().say("Which format do you want for the docs: Markdown or RST?")

    assert work.judge(checkout()).verdict.end_state == "waiting_for_user"


def test_print_mode_lists_of_remaining_work_count() -> None:
    text = "Done with the parser.\n\nRemaining work:\n- Add tests for the lexer\n- Update the README"
    printed = Work("Do it all", print_mode=True).edit().run().say(text)
    typed = Work("Do it all").edit().run().say(text)

    assert printed.gate("remaining_work", checkout()).state is State.DISPROVEN
    assert typed.gate("remaining_work", checkout()).state is State.NOT_APPLICABLE


def test_a_wish_list_is_no_debt() -> None:
    text = "Done.\n\nNext steps (optional):\n- Consider a cache later\n- Nice-to-have: metrics"

    assert Work(print_mode=True).edit().run().say(text).gate("remaining_work", checkout()).state is State.NOT_APPLICABLE


# -- wiring


def test_new_files_that_nothing_refers_to_are_a_line_to_the_person() -> None:
    work = Work().edit("src/new.py", created=True).run().say("Done.")

    judgement = work.judge(checkout(), unreferenced=("/home/dev/project/src/new.py",))

    assert judgement.verdict.decision == "allow"
    assert "new.py" in judgement.verdict.system_message


def test_without_a_look_at_the_tree_wiring_is_unknown() -> None:
    assert Work().edit("src/new.py", created=True).run().say("Done.").gate("wiring", checkout()).state is State.UNKNOWN


# -- completion and loops


@pytest.mark.parametrize(
    "text", ["I changed the parser and", "Now I'll run the tests:", "Let me fix the other file.", "```python\nx = 1"]
)
def test_an_answer_that_breaks_off_or_only_announces(text: str) -> None:
    judgement = Work().edit().run().say(text).judge(checkout())

    assert judgement.verdict.decision == "block"


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "Let me know if you need anything else!",
        "I'll wait for the build to finish.",
        "Renamed a to b",
        "I will not touch the tests.",
        "| a | b |",
        "The file is in src/",
    ],
)
def test_answers_that_end(text: str) -> None:
    assert Work().edit().run().say(text).gate("completion", checkout()).state is not State.DISPROVEN


def test_the_planning_loop_warns_a_person_and_pushes_in_print_mode() -> None:
    typed = Work("Fix the parser").read(12).say("The parser reads lines.").judge(checkout())
    printed = Work("Fix the parser", print_mode=True).read(12).say("The parser reads lines.").judge(checkout())

    assert (typed.verdict.decision, printed.verdict.decision) == ("allow", "block")
    assert "only read" in typed.verdict.system_message
    assert "start writing" in printed.verdict.feedback


@pytest.mark.parametrize(
    ("work", "planning"),
    [
        (Work("Fix it").read(15), True),
        (Work("Fix it").read(7), False),
        (Work("How does it work?").read(15), False),
        (Work("Fix it").read(9).edit(), False),
    ],
)
def test_planning_loops(work: Work, planning: bool) -> None:
    ledger = work.ledger()

    assert (
        find_loops(ledger, ledger.turns[-1], asks_for_change=ledger.turns[-1].prompt == "Fix it").planning is planning
    )


def _again(*commands: str) -> Work:
    work = Work("Fix it")
    for command in commands:
        work.call(command, read=command in _LOOKS)
    return work


_LOOKS = ("git log", "git status", "git diff", "ls -l")


@pytest.mark.parametrize(
    ("work", "action"),
    [
        (_again(), False),
        (_again("a", "b"), False),
        (_again("a", "b", "c", "d", "e"), False),
        (_again("a", "b", "a", "b", "a", "b"), True),
        (_again("a", "a", "a"), False),
        (_again("a", "a", "a", "a"), True),
        (_again("a", "a", "a", "b", "c", "d", "e"), False),
        (_again("a", "a").edit().call("a").call("a"), False),
        # Commands that only look count as well, but make no loop and hide none.
        (_again("a", "a", "a", "git log"), True),
        (_again("a", "git log", "a", "ls -l", "a"), True),
        (_again("a", "a", "a", "git log", "ls -l", "git diff"), False),
        (_again("git status", "git status", "git status", "git status"), False),
        (_again("a", "git log", "a", "ls -l", "a", "git diff", "a"), True),
    ],
)
def test_action_loops(work: Work, action: bool) -> None:
    ledger = work.ledger()

    assert find_loops(ledger, ledger.turns[-1], asks_for_change=True).action is action


def test_the_action_loop_chooses_the_message() -> None:
    work = Work("Fix it").edit()
    for _ in range(4):
        work.run("pytest -q", "failed")

    assert "4 times with nothing changed" in work.say("Still failing.").judge(checkout()).verdict.feedback


@pytest.mark.parametrize(
    "answer",
    [
        "Pushed to `fix`. I couldn't open the PR because `gh` isn't installed here: https://github.com/a/b/pull/new/fix",
        "Fixed and pushed. The GitHub CLI is not authenticated, so the pull request has to be opened in the browser.",
    ],
)
def test_a_pull_request_that_cannot_be_made_from_here_is_told_and_not_nagged_about(answer: str) -> None:
    verdict = Work("Fix it and open a PR").edit().run().push(branch="fix").say(answer).judge(checkout()).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)
    assert "kept it from making one" in verdict.system_message


@pytest.mark.parametrize(
    "answer",
    [
        "Pushed, but creating the PR failed: the token has no permission for it.",
        "The branch is pushed. I could not open the pull request: GitHub answers 502.",
    ],
)
def test_a_pull_request_that_was_tried_in_vain_is_told_and_not_nagged_about(answer: str) -> None:
    work = Work("Fix it and open a PR").edit().run().push(branch="fix")
    verdict = work.pr("failed", quote="pull request create failed").say(answer).judge(checkout()).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)
    untried = Work("Fix it and open a PR").edit().run().push(branch="fix").say(answer)
    assert untried.judge(checkout()).verdict.decision == "block"


def test_one_that_was_only_left_out_is() -> None:
    answer = "Fixed and pushed to `fix`. I used git and not gh."
    work = Work("Fix it and open a PR").edit().run().push(branch="fix").say(answer)
    assert work.judge(checkout()).verdict.decision == "block"


def test_a_build_that_fails_here_after_green_ci_is_what_counts() -> None:
    work = Work().edit("src/a.ts").push(branch="fix/x").ci("passed", quote="build pass 1m")
    before = Work().edit("src/a.ts").run("npm run build", "failed", kind="build").push(branch="fix/x")

    assert work.run("npm run build", "failed", kind="build").say("Done.").gate("build", BUILT).state is State.DISPROVEN
    assert before.ci("passed", quote="build pass 1m").say("Done.").gate("build", BUILT).state is State.PROVEN


@pytest.mark.parametrize(
    "work",
    [
        Work().edit().run().call("npm run ci").say("I ran `npm run lint`."),
        Work().edit().run("npm test").call("make").say("I ran `npm run lint`."),
        Work().edit().run("git commit -m a", by="git-hook", runner="npm run lint").say("I ran `npm run lint`."),
        Work().edit().run("git commit -m 'run all'", by="git-hook", runner="husky").say("I ran `npm run lint`."),
        Work().edit().run().call("terraform fmt").subagent().say("I ran `npm run lint`."),
        Work().edit().run().call("cd infra && tf plan").say("I ran `terraform plan`."),
        Work().edit().run().call("ls").say("I ran `frobnicate plan`."),
        Work().edit().run().call("npm run lint").say("I ran `NODE_ENV=test npm --silent run lint`."),
        Work().edit().run().call("npm run lint").say("I ran `npm --silent CI=1 run lint`."),
        Work().edit().run().call("pre-commit run --all-files").say("I ran `markdownlint README.md`."),
        Work().edit().run().call("uvx mkdocs build").say("I ran `mkdocs build --strict`."),
        Work().edit().run().call("docker compose run --rm lint").say("I ran `ansible-lint site.yml`."),
        Work().edit().run().call("podman run --rm img").say("I ran `terraform validate`."),
        Work().edit().run().call("ls").say("I ran `total 3`."),
        Work().edit().run().call("ls").say("I ran `cargo --version`."),
    ],
)
def test_a_command_that_may_well_have_run_is_contradicted_by_nothing(work: Work) -> None:
    assert work.gate("claims", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    "command",
    ["mkdocs build --strict", "markdownlint README.md", "shellcheck install.sh", "ansible-playbook site.yml --check"],
)
def test_a_check_of_documents_or_configuration_that_never_ran_is_contradicted(command: str) -> None:
    work = Work().edit("README.md").call("git diff").say(f"The heading is fixed. I ran `{command}` and it is clean.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize("command", ["terraform validate", "helm lint charts/app", "kubectl apply -f x.yaml"])
def test_a_command_of_the_infrastructure_that_never_ran_is_contradicted(command: str) -> None:
    work = Work().edit("main.tf").call("git diff").say(f"Versioning is on. I ran `{command}`.")

    assert work.gate("claims", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("todo", "question", "decision"),
    [
        ("Drop old table", "The parser is fixed. Should I drop the old table as well?", "allow"),
        ("Publish the package", "The parser is fixed. Shall I also publish the package?", "allow"),
        ("Drop old table", "The parser is fixed. Should I also commit it?", "block"),  # something else
        ("Write the docs for the old table", "The parser is fixed. Should I drop the old table as well?", "block"),
    ],
)
def test_an_open_item_waits_where_the_last_question_is_about_just_that(todo: str, question: str, decision: str) -> None:
    work = Work("Fix the parser and tidy up").todo(todo).edit().run().say(question)

    assert work.judge(checkout()).verdict.decision == decision


def test_in_print_mode_a_question_about_an_open_item_waits_for_nobody() -> None:
    work = Work("Fix the parser and tidy up", print_mode=True).todo("Drop old table").edit().run()

    assert work.say("Fixed. Should I drop the old table as well?").judge(checkout()).verdict.decision == "block"
