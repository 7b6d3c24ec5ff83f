"""What the last words of an answer say of the work behind them: a step that comes now, one for later, a part that is left."""

import pytest

from ace_reflect.evidence.facts import Background, CommandKind, Counts
from ace_reflect.gates.confirmation import part_left
from ace_reflect.gates.honesty import admits
from ace_reflect.gates.human_action import asked_of_person
from ace_reflect.gates.model import EndState, StopKind
from ace_reflect.gates.stop_kind import announces_step, goes_on, read_kind
from support.work import ROOT, Work, checkout, node_scope, python_scope

NOW = [
    "Fixed the cookie flag.\n\nLet me check the logout path too.",
    "Fixed the cookie flag in `auth.py`. Now I'll run the full suite.",
    "The check is fixed. The one thing left is the changelog entry, which I'll add now.",
    "Three files are updated and the tests pass. I'm going to run the linter right away.",
    "All 69 tests pass. Let me now complete the remaining steps.",
    "Fixed; the tests pass. Let me open the PR.",
    "Der Fehler ist behoben. Jetzt führe ich die ganze Suite aus.",
    "Le bug est corrigé. Je vais maintenant mettre à jour la documentation.",
    "El parser está arreglado. Ahora voy a actualizar la documentación.",
    "解析器已修复。现在我来更新文档。",
]
NEXT = [
    "Added retry to `Client.get`. I'll add it to `post` and `stream` next.",
    "Four handlers are migrated and tested. The rest follows.",
    "Added the toggle. The settings page isn't wired up yet: I'll do that in the next step.",
    "Erledigt. Als Nächstes passe ich die Dokumentation an.",
    "Corrigé. Ensuite, je vais mettre à jour la documentation.",
    "解析器已修复。接下来我会更新文档。",
]
NEITHER = [
    "Fixed the token check. I'll keep the old header for one more release.",
    "Fixed. I'll leave it as it is for now.",
    "Fixed. I'll stop here now.",
    "Fixed. Let me know what to do next.",
    "Fixed. I'll be around for whatever comes next.",
    "Fixed. Once you confirm, I'll merge it now.",
    "Fixed. If the nightly run stays red, I'll look at the runner next.",
    "Fixed. Let me know how the staging test goes.",
    "Fixed. I'll do what you decide next.",
    "Fixed. Let me check with you before I touch the middleware.",
    "Erledigt. Jetzt sehe ich keinen Fehler mehr.",
    "Erledigt. Als Nächstes würde ich die Dokumentation anpassen.",
    "Erledigt. Jetzt warte ich auf deine Rückmeldung.",
    "Corrigé. Je vais maintenant attendre ton retour.",
    "已修复。现在我建议你重新部署。",
    "設定を読み込みます。次にキャッシュを更新します。",
    "Fixed. The remaining warnings come from a dependency.",
    "All tests pass now. Let me create … ✅ and the linter shows 0 issues ✅",
    "Fixed; all tests pass. Let me know if you want a PR.",
    "Fixed. Let me do a quick summary: the cache is keyed by user now.",
]


@pytest.mark.parametrize("answer", NOW)
def test_a_step_that_comes_now_is_announced_even_behind_finished_work(answer: str) -> None:
    assert announces_step(answer)
    work = Work("Fix the login").edit().run().say(answer)
    assert work.judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize("answer", NEXT)
def test_work_that_comes_next_is_not_complete_and_no_push(answer: str) -> None:
    assert goes_on(answer)
    verdict = Work("Fix the login").edit().run().say(answer).judge(checkout()).verdict
    assert (verdict.decision, verdict.complete, verdict.end_state) == ("allow", False, EndState.WORKING)


@pytest.mark.parametrize("answer", NEITHER)
def test_last_words_that_announce_nothing(answer: str) -> None:
    assert not announces_step(answer)
    assert not goes_on(answer)


def test_todos_are_still_asked_for_where_the_answer_says_that_they_come_next() -> None:
    work = Work("Fix the login").edit().run().todo("Update the middleware").say("Fixed. I'll do the middleware next.")
    assert work.gate("remaining_work", checkout()).open
    assert not work.gate("remaining_work", checkout()).silent


def test_a_look_that_is_offered_for_whenever_announces_nothing() -> None:
    answer = "The reindex runs in the background (pid 4123). I can look into it whenever you ask."
    assert not announces_step(answer)
    assert not announces_step("The import runs. I'll be able to check on it whenever you ask.")
    assert announces_step("The import is long. I'll check on it.")


# ------------------------------------------------------------------ a part that is left

PART = [
    "2 of 3 done: `get` and `post` retry now.",
    "I've migrated 4 of the 11 handlers; the tests pass for those.",
    "`get` and `post` retry now. `stream` is still missing.",
    "The tokenizer is ported, and its tests pass. The formatter and the CLI are not ported yet.",
    "Dark mode works on the main page. Still to do:\n\n- settings page\n- modals\n\nTests pass.",
    "## Progress\n\n- ✅ Model\n- ✅ API\n- ⬜ UI\n\nTests pass.",
    "- [x] validation\n- [ ] rate limiting",
    "3 von 7 Formularen sind umgestellt.",
]
WHOLE = [
    "All 3 of 3 handlers are migrated.",
    "The bug affected 3 of the 7 endpoints; it is fixed.",
    "12 of 40 tests cover it now.",
    "Done on 2026/07/14.",
    "Works in 2 of 3 browsers here; Safari ignores the flag by design, and that is done on purpose.",
    "Dark mode is done.\n\n## Next steps\n\n- push the changes\n- write a blog post",
    "The PR text:\n\n```\n- [x] tests\n- [ ] screenshots\n```\n\nDone.",
    "## Test plan\n\n- [ ] open the page\n- [ ] resize it",
    "Colours could be asserted as well, if you want that; it just isn't done yet.",
    "Still to do:\n\n- rotate the API key in the Stripe dashboard",
    "- [x] code\n- [ ] approve the OAuth consent screen",
    "No TODOs left. The parser handles what was missing.",
    "Future ideas (not implemented): a Redis backend.",
]


@pytest.mark.parametrize("answer", PART)
def test_an_answer_that_says_that_a_part_is_left_is_not_complete(answer: str) -> None:
    assert part_left(answer)
    verdict = Work("Add retry to all three").edit().run().say(answer).judge(checkout()).verdict
    assert (verdict.decision, verdict.complete) == ("allow", False)
    assert verdict.system_message == ""  # the answer told it


@pytest.mark.parametrize("answer", WHOLE)
def test_what_only_reads_like_a_part_that_is_left(answer: str) -> None:
    assert not part_left(answer)


def test_a_part_is_whole_where_no_more_was_asked_for() -> None:
    answer = "Phase 1 is done.\n\n- ✅ Model\n- ⬜ UI"
    assert Work("Implement phase 1 of the plan").edit().run().say(answer).judge(checkout()).verdict.complete
    assert not Work("Implement the plan").edit().run().say(answer).judge(checkout()).verdict.complete


# ------------------------------------------------------------------ tests that cannot run, or not pass, here


@pytest.mark.parametrize(
    "answer",
    [
        "I couldn't run the test suite: the sandbox has no network, so `pip install -e .[dev]` fails and pytest isn't installed.",
        "I could not run the tests: pytest needs the libpq headers to build psycopg2, and I have no root access to install them.",
        "I could not run the tests here: `npm ci` fails but vitest needs it, and there is no network access.",
    ],
)
def test_an_installation_that_fails_is_no_failing_test(answer: str) -> None:
    said = admits(answer)
    assert (said.kind, said.reason) == ("not-run", "environment")


@pytest.mark.parametrize(
    "answer",
    [
        "The check is stricter now. Tests not run: `pytest` isn't on the PATH, and I didn't want to install anything.",
        "The change is in `src/auth.py`. Running the tests was denied by the permission settings.",
        "Running the suite was blocked here: the command needs approval, which was rejected.",
        "I couldn't verify this with the test suite because it talks to a database that's only reachable over your VPN.",
        "Edited. The test run kept hanging at the browser (no Chrome in this container), so I killed it.",
        "The suite can't be run from here, since `.env.test` isn't in the repo.",
        "The tests did not run, since `pytest` isn't installed.",
        "No test run: the virtualenv is broken, and mending the interpreter is outside this task.",
        "The tests require macOS (they use XCTest), and this is a Linux box.",
        "I changed the parser. Please run `pytest -q` on your side, I can't install the requirements in this sandbox.",
        "Changed. Please run the whole suite, for I have no way to reach the database: it's only available in your VPN.",
        "Changed. Not verified: running anything was blocked by the permission settings.",
        "The edit is in. Every shell command was denied, so I could not prove it.",
    ],
)
def test_what_kept_the_tests_from_running_is_a_reason(answer: str) -> None:
    verdict = Work("Tighten the token check").edit().say(answer).judge(checkout()).verdict
    assert (verdict.decision, verdict.complete) == ("allow", False)


@pytest.mark.parametrize(
    "answer",
    [
        "Changed; no test run, since the change is small.",
        "Changed. The tests need an update.",
        "Running the tests was not necessary here, for only a name changed.",
        "Changed. Running the tests now.",
        "Changed. Please run the tests.",
        "You can run the tests, I can't promise that they pass.",
        "All commands were denied without a token, as they should be now.",
    ],
)
def test_what_kept_nobody_from_running_the_tests_is_none(answer: str) -> None:
    verdict = Work("Tighten the token check").edit().say(answer).judge(checkout()).verdict
    assert verdict.decision == "block"


def test_a_sentence_about_a_run_announces_none() -> None:
    assert not announces_step("The change is in. Running the tests was denied.")
    assert not announces_step("Checking each row takes a second on the old machine.")
    assert announces_step("I looked at the callers. Running the tests.")


def test_a_broken_suite_is_still_a_failing_one() -> None:
    assert admits("The change fails two of the tests.").kind == "failing"


@pytest.mark.parametrize(
    "answer",
    [
        "The auth tests pass. Two tests in `test_billing.py` fail; they call Stripe, and there is no `STRIPE_KEY` here.",
        "The fix is in, but 2 tests fail with ConnectionRefusedError to localhost:6379: Redis isn't running here.",
    ],
)
def test_failures_for_want_of_something_that_is_named_are_told_and_not_nagged_about(answer: str) -> None:
    work = Work("Tighten the token check").edit().run(outcome="failed", failed=2).say(answer)
    verdict = work.judge(checkout()).verdict
    assert (verdict.decision, verdict.complete) == ("allow", False)


@pytest.mark.parametrize(
    "answer",
    [
        "Two tests fail, but they are unrelated.",
        "Two tests fail because of the environment.",
        "Two tests fail: they are flaky, and the cache is not set.",
    ],
)
def test_an_excuse_for_failures_names_nothing_that_is_wanting(answer: str) -> None:
    work = Work("Tighten the token check").edit().run(outcome="failed", failed=2).say(answer)
    assert work.judge(checkout()).verdict.decision == "block"


def test_who_was_asked_to_mend_the_tests_is_held_to_it_whatever_is_wanting() -> None:
    answer = "Two tests fail; there is no `STRIPE_KEY` here."
    work = Work("Fix the failing tests").edit().run(outcome="failed", failed=2).say(answer)
    assert work.judge(checkout()).verdict.decision == "block"


def test_a_claim_about_a_part_of_the_tests_stands_beside_the_failures_that_are_told() -> None:
    told = "All auth tests pass. Two billing tests fail, since there is no `STRIPE_KEY` here."
    hidden = "All auth tests pass."
    everything = "All 5 tests pass. Two billing tests fail on some days."
    for answer, is_open in ((told, False), (hidden, True), (everything, True)):
        work = Work("Tighten the token check").edit().run(outcome="failed", failed=2).say(answer)
        assert work.gate("claims", checkout()).open is is_open, answer


@pytest.mark.parametrize(
    ("answer", "decision"),
    [("✅ 12/12 tests passing.", "block"), ("All 3/3 tests pass.", "allow"), ("10/12 tests pass.", "allow")],
)
def test_a_share_that_is_the_whole_names_a_number_of_tests(answer: str, decision: str) -> None:
    work = Work("Fix the parser").edit().run(counts=Counts(passed=3, failed=0, total=3)).say(answer)
    assert work.judge(checkout()).verdict.decision == decision


# ------------------------------------------------------------------ only the person


def test_an_answer_that_begins_with_being_stuck_is_about_that_however_long_it_is() -> None:
    answer = (
        "I'm stuck. The three failing tests need a Postgres with `pgvector`; the one here lacks it. Everything else passes. "
        "`CREATE EXTENSION` fails with a permission error. It was tried twice. A superuser has to create it."
    )
    work = Work("Fix the migration").edit().run(outcome="failed", failed=3).say(answer)
    assert read_kind(answer) in {StopKind.GENUINELY_STUCK, StopKind.WAITING_FOR_USER}
    assert work.judge(checkout()).verdict.decision == "allow"


def test_who_was_stuck_and_is_no_longer_is_done() -> None:
    assert read_kind("I was stuck on the fixture at first. Fixed it; the tests pass. All is done.") is StopKind.COMPLETE


def test_an_imperative_with_a_report_back_asks_the_person() -> None:
    answer = "The script is ready. Run `aws sso login --profile staging`, then tell me and I'll deploy."
    assert asked_of_person(answer)
    assert read_kind(answer) is StopKind.WAITING_FOR_USER
    assert not asked_of_person("The fix is in. Run the tests, then tell me and I'll mend what fails.")


@pytest.mark.parametrize(
    "answer",
    [
        "Fixed. Once you merge this, the API will return the new totals and CI will run the long suite.",
        "Fixed. Once you restart the server, the UI will show the right total.",
    ],
)
def test_what_a_program_does_once_the_person_acted_is_not_waited_for(answer: str) -> None:
    assert read_kind(answer) is StopKind.COMPLETE


@pytest.mark.parametrize(
    "answer",
    [
        "I need two things from you first.\n\nOnce I have those, I'll add the SDK.",
        "Once you've set the key, I can go on.",
    ],
)
def test_what_the_agent_does_then_is(answer: str) -> None:
    assert read_kind(answer) is StopKind.WAITING_FOR_USER


JOBS = [
    "Training is running in the background (50 epochs). I'll check on it when it completes.",
    "I've kicked off the download in the background. It takes a while; I'll unpack the files once it's finished.",
]


@pytest.mark.parametrize("answer", JOBS)
def test_a_job_that_no_gate_waits_for_is_work_that_goes_on(answer: str) -> None:
    work = Work("train the model").call("python train.py")
    work.facts["background"] = [Background(id="b", line=2, turn=1, command="python train.py", kind=CommandKind.OTHER)]

    verdict = work.say(answer).judge(checkout()).verdict

    assert (verdict.end_state, verdict.complete) == (EndState.WORKING, False)


@pytest.mark.parametrize(
    "answer",
    [
        "The dev server is running in the background at http://localhost:5173.",
        "The app is up: the frontend is now running on port 5173.",
        "Please create the key in the dashboard; I'll wire it up once that's done.",
        "All findings are fixed and force-pushed. CI checks are running on the new head.",
        "Pushed. The pipeline is now running.",
        "The PR is open: https://example.org/pull/7. GitHub Actions are running.",
    ],
)
def test_a_server_or_ci_that_is_up_is_no_work_that_goes_on_nor_is_what_the_person_does(answer: str) -> None:
    assert read_kind(answer) is not StopKind.WORKING


@pytest.mark.parametrize(
    "answer",
    [
        "The e2e tests are running in the background against http://localhost:5173.",
        "CI is running; waiting for it to finish.",
        "The pipeline is running. I'll report back when it is done.",
    ],
)
def test_tests_that_run_against_a_server_are_and_ci_that_is_waited_for(answer: str) -> None:
    assert read_kind(answer) is StopKind.WORKING


NO_DATABASE = "Fixed the login. The tests couldn't run: the database isn't running here."


def test_tests_that_the_environment_kept_from_running_leave_the_work_to_the_person() -> None:
    work = Work("Fix the login").edit().run("pytest", "failed", quote="connect ECONNREFUSED 127.0.0.1:5432")

    verdict = work.say(NO_DATABASE).judge(checkout()).verdict

    assert (verdict.decision, verdict.end_state, verdict.complete) == ("allow", EndState.WAITING_FOR_USER, False)


def test_others_that_passed_in_this_turn_speak_for_it() -> None:
    work = (
        Work("Fix the login")
        .edit("api/a.py")
        .run("cd api && pytest", "failed", quote="connect ECONNREFUSED 127.0.0.1:1")
    )
    work.edit("web/b.ts").run("cd web && npm test", runner="jest", cwd=f"{ROOT}/web")

    assert work.say("Done.").judge(checkout(python_scope("api"), node_scope("web"))).verdict.complete


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("I haven't run the tests. For manual testing, add two items to the cart.", ""),
        ("- Unit tests: not run\n- Manual verification: open", ""),
        ("The tests could not be run: they need manual login.", "environment"),
        ("I haven't run the e2e tests: they have to be run manually.", "environment"),
    ],
)
def test_a_hint_at_manual_steps_is_no_reason(answer: str, reason: str) -> None:
    said = admits(answer)
    assert (said.kind, said.reason) == ("not-run", reason)


# -- next steps, and then nothing


@pytest.mark.parametrize(
    "answer",
    [
        "## Next Steps\n- Implement the parser\n- Add error handling",
        "I've looked at the module.\n\n**Next steps:**\n1. Move the cache\n2. Fix the callers",
        "Remaining work:\n\n- [ ] the lexer\n- [ ] the printer",
        "Next steps:",
    ],
)
def test_next_steps_and_then_nothing_is_stuck(answer: str) -> None:
    verdict = Work("Port the tokenizer").edit().run().say(answer).judge(checkout()).verdict

    assert (read_kind(answer), verdict.complete) == (StopKind.GENUINELY_STUCK, False)


@pytest.mark.parametrize(
    "answer",
    [
        "The tokenizer is ported.\n\nNext steps:\n- Port the formatter",
        "The lexer reads numbers too.\n\n## Next steps\n- Dates",
        "Done.\n\n## Next steps\n\n1. Add a benchmark",
        "## Next steps\n\nYou could add a cache.",
        "Next steps (optional):\n- a cache",
        "Next steps:\n- consider a cache",
    ],
)
def test_a_wish_list_or_one_for_the_person_is_not(answer: str) -> None:
    assert read_kind(answer) is not StopKind.GENUINELY_STUCK


# -- done, and a step that only the person can take


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            "Done. You need to approve the OAuth consent screen.",
            "Waits for you: You need to approve the OAuth consent screen.",
        ),
        ("It is fixed. Please plug in the device.", "Waits for you: Please plug in the device."),
    ],
)
def test_a_step_that_only_the_person_can_take_is_told_behind_finished_work(answer: str, told: str) -> None:
    verdict = Work("Add the login").edit().run().say(answer).judge(checkout()).verdict

    assert (verdict.end_state, verdict.complete, verdict.requires_human_action) == (EndState.COMPLETE, True, True)
    assert verdict.system_message.endswith(f". {told}")


@pytest.mark.parametrize("answer", ["Done. Sign-in errors are handled.", "Done: the token refresh logic is fixed."])
def test_work_that_only_speaks_of_such_things_asks_the_person_for_nothing(answer: str) -> None:
    verdict = Work("Add the login").edit().run().say(answer).judge(checkout()).verdict

    assert (verdict.complete, verdict.requires_human_action) == (True, False)
    assert "Waits for you" not in verdict.system_message


# -- what only the person has, and what only looks like it


@pytest.mark.parametrize(
    "answer",
    [
        "I'm blocked: I need the database password to go on.",
        "The client is there. I need a 2FA code to log in.",
        "I can't continue without the production credentials.",
        "Blocked on a missing API key.",
    ],
)
def test_a_secret_that_keeps_the_agent_from_going_on_is_the_persons(answer: str) -> None:
    verdict = Work("Add the sync").edit().run().say(answer).judge(checkout()).verdict

    assert asked_of_person(answer)
    assert verdict.requires_human_action
    assert verdict.decision == "allow"


@pytest.mark.parametrize(
    "answer",
    [
        "I need the API key validation to be stricter, so it is.",
        "Done: the client asks for an API key.",
        "I need to rotate the log file.",
        "Passwords are hashed now; the token refresh logic is blocked by a lock while it runs.",
    ],
)
def test_a_program_that_deals_with_secrets_asks_for_none(answer: str) -> None:
    assert not asked_of_person(answer)


@pytest.mark.parametrize(
    ("question", "decision"),
    [
        ("Could you run the tests for me?", "block"),
        ("Can you please re-run the test suite?", "block"),
        ("Could you run the tests on your phone?", "allow"),
        ("Could you run the build on a Mac?", "allow"),
        ("Could you tell me which format you want?", "allow"),
    ],
)
def test_who_could_run_the_tests_does_not_ask_the_person_to(question: str, decision: str) -> None:
    assert Work().edit().say(f"The parser is changed. {question}").judge(checkout()).verdict.decision == decision
