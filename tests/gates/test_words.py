"""The person's words: what they waive, what they ask for, and what they do not do."""

import pytest

from ace_reflect.gates.words import ALL, read_words
from support.work import Work, checkout


def waived(text: str) -> set[str]:
    return {waiver.gate for waiver in read_words(text).waivers}


@pytest.mark.parametrize(
    "text",
    [
        "skip gates",
        "please skip gates",
        '"skip gates"',
        "“skip gates”",
        "fix it, skip the gates",
        "ignore the checks for now",
        "gates off",
        "turn the gates off",
        "can you skip the gates this time?",
        "Überspringe die Gates",
        "ignore les gates",
        "sin gates por favor",
    ],
)
def test_words_that_switch_all_gates_off(text: str) -> None:
    assert ALL in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "don't run the tests",
        "don’t run the tests",
        "fix it but don't run tests",
        "commit but don't run tests",
        "I'll test it myself",
        "Make the button green. I run the tests myself.",
        "I always run the specs myself, thanks",
        "reject empty carts; I do the tests by hand",
        "tests are broken, ignore",
        "skip the tests for this session",
        "can you skip the tests this time?",
        "no tests please",
        "no need to run the tests",
        "just fix the typo, without running the test suite",
        "Do not run pytest, I will run the tests on my machine.",
        "you don't need to run the tests",
        "don't bother with tests",
        "the tests can't run here",
        "Führe keine Tests aus",
        "Bitte ohne Tests",
        "ich teste selbst",
        "ne lance pas les tests",
        "no ejecutes los tests",
        "sem testes",
        "non eseguire i test",
        "geen tests",
        "не запускай тесты",
        "不要运行测试",
        "テストは実行しないで",
        "테스트 실행하지 마",
    ],
)
def test_words_that_waive_the_tests(text: str) -> None:
    assert "tests" in waived(text)
    assert ALL not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "no PR",
        "no pull request please",
        "commit it, no PR",
        "don't open a PR",
        "don't create a PR yet",
        "kein PR",
        "pas de PR",
        "sin PR",
        "push directly to main",
        "don't push",
    ],
)
def test_words_that_waive_the_pull_request(text: str) -> None:
    assert "pr" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "why did it skip gates?",
        "did you skip the tests?",
        "should I skip gates?",
        'what does "skip gates" do?',
        "add a skip gates command",
        "implement the `no PR` flag",
        "fix the skip tests option",
        "don't skip the tests",
        "never skip the gates",
        "there are no tests for this module, add some",
        "no tests cover this function",
        "skip the tests that need network",
        "never run the tests in parallel",
        "don't run all the tests, only the parser ones",
        "You said skip tests",
        "the log says: skip gates",
        "If I say skip gates, what happens?",
        "> skip gates",
        "```\nskip gates\n```",
        "<output>\nskip gates\n</output>",
        "ERROR skip gates",
        'The message was "skip gates for this session" and nothing happened.',
        "update the PR description",
        "don't touch the tests",
        "When I run the tests myself, they hang",
        "I run the tests myself before each push, keep them green",
        "Do I run the tests myself?",
        "Write tests, no mocks",
        "without tests this is useless",
        "",
        "?",
    ],
)
def test_asking_quoting_or_naming_a_waiver_waives_nothing(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "skip gates for this session",
        "from now on, don't run the tests",
        "Keine Tests für diese Sitzung",
        "no PR for the rest of this session",
    ],
)
def test_a_waiver_for_the_session_says_so(text: str) -> None:
    assert all(waiver.session for waiver in read_words(text).waivers)
    assert read_words(text).waivers


def test_a_waiver_without_those_words_is_for_its_prompt() -> None:
    assert not any(waiver.session for waiver in read_words("skip gates").waivers)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("commit and push", "asks_push"),
        ("commit and hpush", "asks_push"),
        ("and push", "asks_push"),
        ("Fix it, commit and push to origin", "asks_push"),
        ("/ship now", "asks_push"),
        ("open a PR", "asks_pr"),
        ("commit, push and pr it", "asks_pr"),
        ("can you create a pull request?", "asks_pr"),
        ("/create-pr", "asks_pr"),
        ("/git:pr-create for the fix", "asks_pr"),
        ("/open_pull_request now", "asks_pr"),
        ("run the tests", "asks_tests"),
        ("make sure the build works", "asks_build"),
        ("don't push", "no_push"),
        ("just explain how it works", "no_change"),
        ("don't change anything", "no_change"),
        ("stop after the first one", "limits_scope"),
        ("only do step 2", "limits_scope"),
    ],
)
def test_what_else_the_words_ask_for(text: str, name: str) -> None:
    assert getattr(read_words(text), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("does this push to main?", "asks_push"),
        ("don't push", "asks_push"),
        ("update the PR description", "asks_pr"),
        ("address the PR comments", "asks_pr"),
        ("/pr-comments", "asks_pr"),
        ("/review-pr 12", "asks_pr"),
        ("/process", "asks_push"),
        ("fix the push notification", "asks_push"),
    ],
)
def test_what_the_words_do_not_ask_for(text: str, name: str) -> None:
    assert not getattr(read_words(text), name)


def test_a_bare_yes_agrees_to_the_push_that_was_offered() -> None:
    assert read_words("yes", previous_answer="All done. Shall I push it to origin?").asks_push
    assert not read_words("yes", previous_answer="Shall I go on with step 2?").asks_push


@pytest.mark.parametrize(
    "said", ["👍", "👍 thanks", "Yep.", "OK, do that", "do it", "Sounds good!", "lgtm", "Sí", "sure, go on"]
)
def test_a_short_agreement_takes_up_the_offer_before_it(said: str) -> None:
    assert read_words(said, previous_answer="All is committed. Shall I push it?").asks_push


@pytest.mark.parametrize(
    "said", ["yesterday it was fine", "goal: a faster start", "no", "okapi support", "doing it myself", ""]
)
def test_what_only_begins_like_one_does_not(said: str) -> None:
    assert not read_words(said, previous_answer="All is committed. Shall I push it?").asks_push


@pytest.mark.parametrize(("word", "behind"), [("yes", 40), ("go ahead", 40), ("yes please", 40), ("sounds good", 40)])
def test_forty_characters_may_stand_behind_an_agreement_and_no_more(word: str, behind: int) -> None:
    rest = " " + "x" * (behind - 1)
    assert read_words(word + rest, previous_answer="Shall I push it?").asks_push
    assert not read_words(f"{word}{rest}x", previous_answer="Shall I push it?").asks_push


@pytest.mark.parametrize(
    "text",
    [
        "Rename it everywhere, skip the test run pls, it takes forever",
        "null check in UserCard.tsx. tests can wait",
        "Make the change but leave running the test suite to me",
        "you dont have to run anything, CI will do it",
        "The env is broken so you can't run tests here, just make the edit",
        "Fix it w/o running tests",
        "bump the version, no verification needed",
        "implement it, i will verify manually",
        "Just a demo, don't need tests or anything fancy",
        "we don't need tests for this one, just change the label",
        "can u skip the tests?",
    ],
)
def test_more_words_that_waive_the_tests(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "the tests can wait for at most 5 seconds, fix the timeout",
        "I want to verify that the parser handles empty lines, fix it",
        "I don't want tests to break. Fix the parser",
        "We don't need the tests to be pretty",
        "You can't run the tests without starting docker first",
        "Don't verify tokens twice in app.py",
        "I'll verify that everything is there, so run the tests",
        'Here is the issue:\n"""\nNo tests required.\n"""\nWhat do you think?',
    ],
)
def test_more_words_that_do_not(text: str) -> None:
    assert "tests" not in waived(text)


def test_triple_quotes_around_the_whole_prompt_leave_it_the_persons_own() -> None:
    assert "tests" in waived('"""\nFix the parser.\nNo tests please.\n"""')


@pytest.mark.parametrize(
    "text",
    [
        "nicht direkt auf main pushen",
        "ne pousse jamais directement sur main",
        "不要直接推到main",
        "no commits directly to main, ever!!!",
        "no push to main please, use a branch",
        "don't push to main, open a PR",
        "never push directly to main",
        "do not commit to master, use a branch and a PR",
    ],
)
def test_a_forbidden_branch_waives_no_pull_request_and_allows_no_push_to_it(text: str) -> None:
    assert waived(text) == set()
    assert not read_words(text).no_push
    assert not read_words(text).asks_push


@pytest.mark.parametrize(
    "text",
    [
        "don't push to main yet",
        "no push to main yet",
        "Don't push",
        "Don't commit anything",
        "hold off on pushing until I've reviewed",
    ],
)
def test_a_push_that_is_put_off_is_none(text: str) -> None:
    assert read_words(text).no_push


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("When you are finished, push the branch, but do not merge.", "asks_push"),
        ("When the build is green, push and open a pull request", "asks_pr"),
        ("it works now, don't forget to push", "asks_push"),
        ("lgtm ship it", "asks_push"),
        ("create a commit when done + push", "asks_push"),
        ("don't push to main, push to a branch", "asks_push"),
        ("thanks, now commit and push", "asks_push"),
        ("pls commmit n push", "asks_push"),
        ("works now, thanks!", "confirmed"),
        ("tested it on my machine, all good", "confirmed"),
        ("perfect, that fixed it", "confirmed"),
        ("looks good to me", "confirmed"),
        ("one file at a time, let me review before continuing", "limits_scope"),
        ("Don't do step 3 yet", "limits_scope"),
    ],
)
def test_more_that_the_words_ask_for(text: str, name: str) -> None:
    assert getattr(read_words(text), name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("when do you push?", "asks_push"),
        ("when will you push it", "asks_push"),
        ("push the item onto the stack before the loop", "asks_push"),
        ("log:\n    hint: push to main is blocked, open a PR\nwhy?", "asks_push"),
        ("ok now push to main directly, no PR", "asks_pr"),
        ("create the directory but not commit its contents", "no_push"),
        ("it works now but the color is wrong", "confirmed"),
        ("looks good on desktop, broken on mobile", "confirmed"),
        ("make it look good", "confirmed"),
        ("explain how this works", "confirmed"),
        ("make sure that works", "confirmed"),
        ("tested the wrong branch, sorry", "confirmed"),
    ],
)
def test_more_that_they_do_not(text: str, name: str) -> None:
    assert not getattr(read_words(text), name)


@pytest.mark.parametrize(
    "text",
    [
        "Tests are optional here, just fix the label",
        "hotfix: change the url. We'll run the regression suite tonight",
        "change the url and stop there, I'll take it from here",
        "don't execute any commands, only edit the file",
        "no bash commands please, just make the edit",
        "you don't have permission to run tests in this repo",
        "The test suite takes 40 minutes so don't run it. Fix the parser",
        "The tests take an hour. Don't run them.",
        "Fix the parser; tests are run by the CI, not locally",
        "Fix the parser. CI will run the tests.",
        "Update the parser but hold off on testing until I get back",
    ],
)
def test_who_else_runs_them_or_that_they_may_not_be_run_waives_the_tests(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "CI will run the tests twice, fix that",
        "make sure CI will run the tests",
        "Don't run commands as root in app.py",
        "Add tests for the deploy script. Don't run it.",
        "The tests call the server, don't run it in prod",
        "Make the suite optional with a flag",
        "hold off on testing the waters, fix it now",
    ],
)
def test_what_is_near_to_that_does_not(text: str) -> None:
    assert "tests" not in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "pushe das direkt auf main",
        "sube esto directo a main",
        "pousse directement sur main",
        "直接推到main",
        "It's ok to go straight to master here",
        "merging to main is fine",
    ],
)
def test_the_default_branch_is_allowed_where_it_is_named(text: str) -> None:
    assert {"pr", "direct_push"} <= waived(text)


@pytest.mark.parametrize("text", ["pushing to main fails with a 403", "der Link zeigt direkt auf die Startseite"])
def test_a_report_on_it_allows_nothing(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    ("prompt", "waived"),
    [
        ("commit everything as WIP, tests are still red, I will fix them tomorrow", True),
        ("The integration tests keep failing, I'll take care of that myself. Just finish the endpoint.", True),
        ("tests are failing but push anyway", True),
        ("the tests still fail, fix them and commit", False),
        ("the tests are red, can you fix them?", False),
        ("tests are broken, I can do nothing, help", False),
        ("The tests are failing. We will fix them together: start with a.py", False),
    ],
)
def test_red_tests_that_the_person_takes_on_are_not_asked_for(prompt: str, waived: bool) -> None:
    assert any(waiver.gate == "tests" for waiver in read_words(prompt).waivers) is waived


@pytest.mark.parametrize(
    "text",
    [
        "rename getUsr to getUser. skip running the suite, it takes 40 min",
        "bump the padding pls, dont bother w tests",
        "don't try to run the tests either",
        "stop nagging me about the tests",
        "you don't need to test",
        "just do it without testing",
        "commit it without tests",
        "nothing fancy, do it without tests",
        "do everything except tests",
        "untested is fine, it is for a demo",
        "hardware isn't connected so you can't test this, that's fine",
        "you can't test it without the device",
        "I don't have docker so do it without running the tests",
        "tests are failing because of the CI db, ignore those and finish the migration",
        "the snapshot tests fail, that's expected. leave them",
        "Ignorier bitte die Tests",
        "ignora los tests que fallan",
        "ignore les tests",
        "ignore os testes por enquanto",
        "non serve testare",
        "测试我自己来",
    ],
)
def test_sloppy_words_and_red_tests_that_may_stay_waive_them_too(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "tests fail because of your change, fix them",
        "the tests fail. ignore the first error, it comes from setup",
        "tests fail and skip half of the cases, find out why",
        "these tests are red because we skip them on ci, turn them on",
        "you can't test private methods, so make it package-private",
        "users can't run the tests on windows, fix that",
        "never test in production, add a guard",
        "the worker should skip jobs without tests",
        "please do not commit without running the tests",
        "you must not finish without running the tests",
        "Without tests we can't release, set them up",
        "His review: 'no tests needed imo'. Add tests for the parser",
        "写一个脚本，跳过测试目录",
        "ignore les tests du dossier e2e dans la config",
    ],
)
def test_what_only_sounds_like_that_does_not(text: str) -> None:
    assert "tests" not in waived(text)


def test_an_apostrophe_opens_no_quotation() -> None:
    assert "tests" in waived("the dogs' owner's name isn't shown; don't run the tests, they're slow")
    assert "tests" in waived("Rock 'n' roll theme, no tests please, it's fun")


@pytest.mark.parametrize(
    "text",
    [
        "dont rebuild the image, it takes forever",
        "don't run npm run build, the dev server is running",
        "do not compile",
        "edit the shader, I'll compile it on my machine",
        "Den Build kannst du dir sparen",
        "ne lance pas le build",
        "no compiles, lo hago yo",
        "ビルドは不要です",
        "不用编译",
    ],
)
def test_words_that_waive_the_build(text: str) -> None:
    assert waived(text) == {"build"}


@pytest.mark.parametrize(
    "text",
    [
        "don't build a new component, reuse the Modal",
        "don't compile the regex in the loop",
        "I'll build on this later, just add the interface",
        "do not build the query by hand",
        "ne lance pas le serveur",
    ],
)
def test_building_and_compiling_something_else_does_not(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "add a github action that runs eslint on every push to main",
        "The last push to main broke the build. Fix it.",
        "after the commit to main yesterday the site is blank",
        "the workflow should deploy on merge to master",
        "can't merge without a PR. open one",
    ],
)
def test_a_push_that_is_spoken_of_allows_none(text: str) -> None:
    assert waived(text) == set()


@pytest.mark.parametrize("text", ["push this to main", "Just land it on main", "merge to main when it is green"])
def test_an_order_to_push_there_does(text: str) -> None:
    assert {"pr", "direct_push"} <= waived(text)


@pytest.mark.parametrize(
    ("text", "gates"),
    [
        ("don't open the PR until the tests are green", set()),
        ("dont push until tests pass", set()),
        ("don't open a PR until I say so", {"pr"}),
        ("don't push until I tell you", {"pr"}),
        ("i dont need a pull request for this", {"pr"}),
    ],
)
def test_until_the_proof_is_put_off_and_until_the_persons_word_is_waived(text: str, gates: set[str]) -> None:
    assert waived(text) == gates


@pytest.mark.parametrize(
    "text",
    [
        "ill commit it myself",
        "I'll push it myself later",
        "I'll handle git myself",
        "leave the commit to me",
        "leave git alone",
        "don't use git, I do that",
        "keep it local for now",
        "je ferai le commit moi-même",
        "コミットは自分でします",
        "我自己提交",
    ],
)
def test_a_person_who_does_the_git_work_wants_no_push(text: str) -> None:
    assert read_words(text).no_push


@pytest.mark.parametrize(
    "text",
    [
        "I'll commit to the design, now implement it",
        "i'll push back on that: the api should stay",
        "keep the state local to this component",
        "keep it local to the component",
        "don't use git submodules",
    ],
)
def test_what_is_near_to_that_forbids_no_push(text: str) -> None:
    assert not read_words(text).no_push


@pytest.mark.parametrize(
    "text",
    [
        "I tested it and it crashes on startup",
        "tested, crashes on launch",
        "I tested it and nothing happens",
        "tried it, still the same error",
    ],
)
def test_a_trial_that_went_wrong_confirms_nothing(text: str) -> None:
    assert not read_words(text).confirmed


def test_what_still_works_was_confirmed() -> None:
    assert read_words("I tested it, still works").confirmed


@pytest.mark.parametrize(
    "text",
    [
        "implement the first 3 items, the rest we do tomorrow",
        "lets pause here, we can pick up the rest on monday",
        "don't worry about the other TODOs, just finish the export",
        "forget about the other tasks, this one is urgent",
    ],
)
def test_words_that_put_the_rest_off(text: str) -> None:
    assert "remaining_work" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "the rest of the page loads later than the header, fix",
        "the rest endpoint answers later than the socket",
        "don't worry about other browsers",
    ],
)
def test_a_rest_of_something_else_does_not(text: str) -> None:
    assert "remaining_work" not in waived(text)


@pytest.mark.parametrize("text", ["stop skipping the tests", "don't skip tests anymore"])
def test_tests_that_may_not_be_skipped_any_more_are_asked_for_again(text: str) -> None:
    assert read_words(text).restores == ("tests",)


@pytest.mark.parametrize(
    "text",
    [
        "Turn the gates back on.",
        "ok, gates on again, then fix the parser",
        "switch on the checks please",
        "Re-enable ace-reflect",
        "resume the stop hook",
    ],
)
def test_a_waiver_for_the_session_is_taken_back(text: str) -> None:
    work = Work("skip gates for this session").edit().say("Done.").ask(text).edit().say("Done.")

    assert read_words(text).restores == (ALL,)
    assert work.judge(checkout()).verdict.decision == "block"


@pytest.mark.parametrize(
    "text", ["Should I turn the gates back on?", "turn on the dark mode", "carry on with the checks page", "go on"]
)
def test_a_question_or_another_thing_that_is_turned_on_takes_back_no_waiver(text: str) -> None:
    work = Work("skip gates for this session").edit().say("Done.").ask(text).edit().say("Done.")

    assert read_words(text).restores == ()
    assert work.judge(checkout()).verdict.decision == "allow"


def test_a_promise_to_test_takes_back_no_waiver() -> None:
    words = read_words("No tests for this session. We will test it manually in QA.")
    assert words.restores == ()


@pytest.mark.parametrize(
    "text",
    [
        "prod is down, just get the fix out, tests later",
        "we can do the tests later, first make the endpoint work",
        "its only css so nothing to test",
        "no time for tests",
        "can u fix? no tests rn, prod is on fire",
        "failing tests are ok for now",
        "it's fine if the tests fail",
        "don't mind the failing tests",
        "commit even if tests fail",
        "QA will test it",
        "will test tomorrow, just commit",
        "I'll test on device",
        "musst du nicht testen",
        "Tests kommen später, jetzt nur das Grundgerüst",
        "pas besoin de tester",
        "on fera les tests plus tard",
        "deja los tests para después",
        "pode pular os testes",
        "lascia perdere i test",
        "テストはあとでやる",
        "测试可以跳过",
        "不需要测试",
    ],
)
def test_tests_that_come_later_may_fail_or_are_somebody_elses_are_waived(text: str) -> None:
    assert "tests" in waived(text)


@pytest.mark.parametrize(
    "text",
    [
        "run the tests later than the lint step in ci.yml",
        "why is it fine if the tests fail?",
        "The tests are ok but now the page is blank",
        "the tests are fine, go on with the next step",
        "ohne Tests geht das nicht durch, schreib welche",
        "sans tests on ne peut pas merger, ajoute-les",
        "テストをスキップするオプションを追加して",
        "les tests ne passent pas, corrige",
        "nicht vergessen die Tests laufen zu lassen",
        "nothing works, write a test for it",
    ],
)
def test_what_is_said_of_tests_besides_waives_nothing(text: str) -> None:
    assert "tests" not in waived(text)


def test_a_titled_pull_request_is_asked_for_and_its_title_is_none() -> None:
    assert read_words('3. Open a PR titled "orders: validate input"').asks_pr
    assert read_words("commit, push and then gh pr create").asks_pr
    assert not read_words("make the PR title shorter").asks_pr


@pytest.mark.parametrize(
    ("text", "waives"),
    [
        ("Don't run the tests for this one, someone else does that.", True),
        ("No need to run the tests here, as the docs have changed only.", True),
        ("As I said, don't run the tests.", True),
        ("Someone said don't run the tests.", False),
        ("The readme says: skip the tests.", False),
    ],
)
def test_a_waiver_is_reported_where_the_report_comes_first(text: str, waives: bool) -> None:
    assert bool(read_words(text).waiver("tests")) is waives


@pytest.mark.parametrize(
    "prompt",
    [
        "I have to go, just commit it as WIP even though it's red",
        "Please push it even if it doesn't compile yet",
        "Fix the parser and commit that as work in progress",
        "commit the broken state so that I can switch branches",
        "Make a WIP commit",
        "push that even when CI is red",
    ],
)
def test_what_is_to_be_shipped_unfinished_needs_no_proof(prompt: str) -> None:
    assert [waiver.gate for waiver in read_words(prompt).waivers] == ["tests"]


@pytest.mark.parametrize(
    "prompt",
    [
        "Squash the WIP commit into the one before",
        "Push to the wip branch",
        "Why did you commit it even though it's red?",
        "Commit the broken link fix",
        "Merge it even if it doesn't work on Windows",
        "Save the work in progress bar's state",
        "It commits even if it's red, fix that",
    ],
)
def test_words_of_unfinished_things_waive_nothing_by_themselves(prompt: str) -> None:
    assert not read_words(prompt).waivers


@pytest.mark.parametrize(
    "text",
    [
        "tests run in CI, don't worry about them here",
        "CI has the tests covered, skip them locally",
        "my pre-push hook runs the tests, so you don't have to",
        "I'm going to run the suite once you're done",
        "I'll run everything at the end myself",
        "I have the tests running continuously on my side",
        "my watcher reruns the tests on save",
        "jest is in watch mode over here",
        "don't spend time on testing",
        "don't worry if the tests break",
        "I don't care if tests break right now",
        "breaking tests is fine for now",
        "tests may fail for the moment",
        "code only please. No execution needed",
    ],
)
def test_who_else_runs_the_tests_and_that_they_may_fail_for_now(text: str) -> None:
    assert "tests" in waived(f"Raise the limit to 20. {text}")


@pytest.mark.parametrize(
    "text",
    [
        "don't worry about them, the users get an e-mail",
        "the tests start a server, so you don't need to",
        "the suite is slow, don't wait for it in the hook",
        "jest is in watch mode and never ends, fix that",
        "my watcher rule is wrong",
        "I'm going to run the suite of scripts through the linter",
        "I have tests running on Windows",
        "I care if the tests break",
        "tests may fail on Windows",
        "tests can break, find out why",
        "our test helper has no execution timeout, add one",
        "skip those here that need the network",
    ],
)
def test_what_is_told_of_tests_and_watchers_waives_nothing(text: str) -> None:
    assert waived(f"Raise the limit to 20. {text}") == set()
