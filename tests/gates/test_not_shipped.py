"""A commit or a push that was ordered, of which nothing was tried and nothing is said."""

import pytest

from ace_reflect.gates.model import State
from support.work import Work, checkout

_COMMITTED = "Committed as `1a2b3c4`. All checks are green."


def _committed(prompt: str, answer: str = _COMMITTED) -> Work:
    return Work("Fix the pager").edit().run().say("Fixed.").ask(prompt).commit().say(answer)


@pytest.mark.parametrize(
    "prompt",
    [
        "commit and push",
        "push",
        "Push it.",
        "then commit, update the changelog and push",
        "Commit this, then push to origin please",
        "ok, commit & push everything to main",
        "When you're done, commit and push.",
        "Don't forget to push the changes",
        "can you push it to the remote?",
        "Fix the typo in the header, commit with a short message and push it up to origin/fix-header",
    ],
)
def test_a_push_that_was_ordered_and_not_even_tried_is_sent_back_once(prompt: str) -> None:
    work = _committed(prompt)

    judgement = work.judge(checkout())

    finding = next(f for f in judgement.findings if f.gate == "remaining_work")
    assert (finding.state, finding.settle, judgement.verdict.decision) == (State.DISPROVEN, "git push", "block")
    assert "A push was asked for, and none was tried" in judgement.verdict.feedback
    again = work.say("I have no rights to push there.").judge(checkout())
    assert again.verdict.decision == "allow"


@pytest.mark.parametrize(
    ("command", "gate"),
    [
        ("git rebase origin/main", State.DISPROVEN),
        ("git merge main && git stash pop", State.DISPROVEN),
        ("git pull --rebase origin main", State.DISPROVEN),
        ("git acp", State.NOT_APPLICABLE),  # an alias may push
        ("./release.sh", State.NOT_APPLICABLE),
    ],
)
def test_what_git_brings_in_has_pushed_nothing(command: str, gate: State) -> None:
    work = Work("Rebase on main and push").edit("*").call(command).edit().run()

    assert work.say("Rebased; the conflict is resolved.").gate("remaining_work", checkout()).state is gate


@pytest.mark.parametrize(
    ("prompt", "settle"),
    [
        ("Fix the pager and commit it", "git commit"),
        ("Rename the flag. Commit.", "git commit"),
        ("Update the docs of the pager. Let's commit it.", "git commit"),
        ("Update the install guide, then commit and push", "git commit && git push"),
        ("Fix the links in the readme and commit", "git commit"),
        ("Corrige le lien, puis commit et push", "git commit && git push"),
        ("Link reparieren, danach commit und push", "git commit && git push"),
        ("Herstel de link, daarna commit en push", "git commit && git push"),
        ("Atualiza o texto, faz o commit e dá push", "git commit && git push"),
        ("Correggi il testo, fai il commit e il push", "git commit && git push"),
        ("Werk de tekst bij, commit en push het", "git commit && git push"),
        ("更新说明，然后提交并推送到 main", "git commit && git push"),
        ("Fix the pager, then commit everything.", "git commit"),
        ("Fix the pager, commit and push", "git commit && git push"),
        ("Fix the pager. When you're done:\n- run the tests\n- commit and push", "git commit && git push"),
        ("Fix the pager. Once everything's finished:\n- commit", "git commit"),
        ("Fix the pager, then:\n\n1. run the tests\n2. commit", "git commit"),
        ("Please do the following:\nfix the pager\ncommit it", "git commit"),
    ],
)
def test_a_commit_that_was_ordered_and_not_even_tried_is_sent_back(prompt: str, settle: str) -> None:
    finding = Work(prompt).edit().run().say("Done. The pager counts from one.").gate("remaining_work", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, settle)


@pytest.mark.parametrize(
    "prompt",
    [
        "commit, and push once CI passes",
        "commit; push if it is green",
        "If the tests pass, commit and push",
        "commit, you may push",
        "commit it, I'll push",
        "commit, don't push",
        "commit and push after my review",
        "commit, show me the log, then push",
        "commit. Wait for my ok. Then push.",
        "commit so we can push",
        "commit, then push the button in the simulator",
        "commit the push notifications",
        "commit and push back on the review",
        "commit the fix of: git push fails, why?",
        "commit, then push the validation into the service",
        "commit the docs for add, commit and push",
        "commit the list of verbs:\n- status\n- push",
        "on:\n  push\n\ncommit this workflow",
        "commit the script to bump the version, tag and push",
        "commit and publish",
    ],
)
def test_what_is_no_plain_order_to_push_now_is_not_asked_for(prompt: str) -> None:
    assert _committed(prompt).gate("remaining_work", checkout()).state is State.NOT_APPLICABLE


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix the bug in commit and push",
        "Add support for commit, push and pull",
        "The labels for pull, commit and push are wrong, fix them",
        "Write a script to bump the version, commit and push",
        "Make the bot commit and push",
        "Fix the sync so we can commit and push",
        "Improve the commit message template",
        "Fix it, we can commit later",
        "From now on commit and push",
        "Implement these verbs:\n- init\n- commit\n- push",
        "Fix it but do not commit",
        "Add a menu with open, save, commit",
        "The CI runs lint, commit, push and it is slow",
        "commit and push fails with error 403",
        "Steps to reproduce\n\n1. Make a change\n2. Commit it\n3. Push it\n\nThe pager shows -1.",
        "Write ship.sh. It runs the tests. Commit. Push. Then it tags.",
        "Build a Makefile target 'ship'. Stage all, commit, push.",
        "Describe our flow in the docs. Make changes. Commit changes. Push changes.",
        "Extend the readme with install, commit and push",
        "Write a guide about clone, commit and push",
        "Il bottone per il commit e il push è rotto",
        "O commit e o push falham",
        "Le bouton commit et push ne marche pas",
        "O fluxo é build, depois commit e push",
        "Die Reihenfolge: build, danach commit und push",
        "Let Enter commit the edit and push it",
        "Fix the pager. When the release is done:\n- commit\n- push",
        "Fix the pager, commit + push by me",
        "Write a runner. It should do the following:\n- commit\n- push",
        "The deploy job should, when done:\n- commit\n- push",
        "Our bot must test, then:\n- commit\n- push",
    ],
)
def test_gits_verbs_as_the_subject_of_the_work_order_nothing(prompt: str) -> None:
    finding = Work(prompt).edit().run().say("Done. It works now.").gate("remaining_work", checkout())

    assert finding.state is State.NOT_APPLICABLE


@pytest.mark.parametrize(
    "work",
    [
        _committed("commit and push").push().say(_COMMITTED),
        _committed("commit and push").push("failed").say(_COMMITTED),
        _committed("commit and push").pr().say(_COMMITTED),
        _committed("commit and push").call("./scripts/ship.sh").say(_COMMITTED),
        _committed("commit and push").call("make release").say(_COMMITTED),
        _committed("commit and push").call("erk pr submit").say(_COMMITTED),
        _committed("commit and push").subagent().say(_COMMITTED),
        _committed("commit and push", "Committed. I have not pushed it: there is no remote."),
        _committed("commit and push", "Committed. Your credentials have expired."),
        _committed("commit and push", "Committed. Which branch should it go to?"),
        _committed("commit and push").run(outcome="failed").say("test_pager is red now, so I left off there."),
        _committed("/ship"),
        _committed("commit and push", "Committed.").ask("What does it count?").read().say("Pages, from one."),
        Work("Fix it").edit().commit().push().say("Pushed.").ask("push").read().say("It is all there."),
        Work("commit and push").read().say("The tree is clean."),
        Work("Fix it and commit").edit("/home/dev/notes/a.md").say("Done."),
        Work("Fix it and commit").edit().call("git merge --continue").run().say("Done."),
        Work("Fix it, no commit, no push").edit().run().say("Fixed."),
        _committed("Commit, push and open a pull request."),  # of which its own gate speaks
        Work("Fix it and commit").edit().commit().edit().run().say("Done."),
        Work("Fix it").edit().run().commit().say("Committed.").ask("commit").read().say("The tree is clean."),
        Work("Fix it and commit").edit(".notes/plan.md").edit("tmp/trial.py").say("Done."),
        Work("Fix it and commit", limits=("wait, I look at it first",)).edit().run().say("Done."),
        Work("Fix it and commit").edit().run().say("Next I will update the changelog."),
        Work("Fix it. Commit and push when the tests are green")
        .edit()
        .run(outcome="failed")
        .run("ruff check", kind="lint")
        .say("Fixed."),
    ],
)
def test_where_it_was_tried_or_told_or_may_have_been_done_unseen_nothing_is_asked_for(work: Work) -> None:
    finding = work.gate("remaining_work", checkout())

    assert "asked for" not in finding.reason


def test_what_has_no_remote_is_not_pushed() -> None:
    finding = _committed("commit and push").gate("remaining_work", checkout(has_remote=False))

    assert finding.state is State.NOT_APPLICABLE
    assert _committed("commit and push").gate("remaining_work", checkout(), workflow="local").settle == ""
    edited = Work("Fix it and commit").edit().run().say("Done.")
    assert "git commit" in edited.gate("remaining_work", checkout(has_remote=False)).settle


def test_a_long_message_of_a_commit_hides_no_other_way_to_push() -> None:
    long = "git add src/app.py && git commit -m \"$(cat <<'EOF'\nCount from one\n" + "The pager did not. " * 20
    work = Work("Fix the pager").edit().run().say("Fixed.").ask("commit and push").commit()

    assert work.call(long[:300]).say(_COMMITTED).gate("remaining_work", checkout()).settle == "git push"


def test_an_interrupted_turn_and_plan_mode_are_left_alone() -> None:
    assert _committed("commit and push").say(_COMMITTED, interrupted=True).judge().verdict.decision == "allow"
    assert _committed("commit and push").judge(permission_mode="plan").verdict.decision == "allow"


@pytest.mark.parametrize(
    "prompt",
    [
        "Fix the pager. Comit and push when the tests are green",
        "Fix the pager, run the tests, if they pass, push it",
        "Fix the pager, then commit and push once everything is green",
    ],
)
def test_an_order_on_green_tests_holds_where_they_are(prompt: str) -> None:
    work = Work(prompt).edit().run().commit().say("Fixed. Everything passes.")

    assert work.gate("remaining_work", checkout()).settle == "git push"


@pytest.mark.parametrize(
    "work",
    [
        Work("Fix the pager, push if the tests pass").edit().run(outcome="failed").say("One test fails now."),
        Work("Fix the pager, push when CI is green").edit().run().commit().say("Fixed."),
        Work("Fix the pager and run the tests. I'll push when they pass.").edit().run().commit().say("Fixed."),
    ],
)
def test_an_order_on_green_tests_is_none_before_nor_of_other_conditions(work: Work) -> None:
    assert work.gate("remaining_work", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("prompt", "settle"),
    [
        ("Bitte den Rundungsfehler beheben und danach committen.", "git commit"),
        ("Fehler beheben, Tests laufen lassen, committen und pushen", "git commit && git push"),
        ("Behebe den Fehler. Mach einen Commit und push.", "git commit && git push"),
        ("Behebe den Fehler, lass die Tests laufen und committe das Ganze", "git commit"),
        ("corrige le lien, lance les tests puis commite", "git commit"),
        ("arregla el cálculo del IVA y haz commit, por favor", "git commit"),
        ("corrige o bug do cpf e faz o commit", "git commit"),
        ("sistema la ricerca e fai il commit", "git commit"),
        ("почини парсер дат, закоммить и запушь", "git commit && git push"),
        ("修复排序。提交并推送", "git commit && git push"),
        ("ソートを直してコミットしてください", "git commit"),
        ("誤字を直してからプッシュして", "git push"),
        ("誤字を直してください。最後にコミットしてください", "git commit"),
        ("修正错别字，然后提交并推送", "git commit && git push"),
        ("Corrija o erro no README e faça o commit", "git commit"),
        ("Verbeter de typfout en commit het", "git commit"),
        ("Исправь опечатку и потом закоммить это", "git commit"),
        ("Исправь опечатку и запушь", "git push"),
        ("ソートを直して、コミットしてプッシュしてください", "git commit && git push"),
    ],
)
def test_an_order_in_another_language_is_one(prompt: str, settle: str) -> None:
    finding = Work(prompt).edit().run().say("OK.").gate("remaining_work", checkout())

    assert (finding.state, finding.settle) == (State.DISPROVEN, settle)


@pytest.mark.parametrize(
    "prompt",
    [
        "Behebe den Fehler, aber nicht committen",
        "Behebe den Fehler, committen werde ich selbst",
        "Behebe den Fehler. Committen und pushen dauert ewig.",
        "Behebe den Fehler; wer committe das ganze Zeug nur dauernd",
        "Beim Committen und Pushen hängt die App, behebe das",
        "Behebe den Fehler und zeig mir den Diff, danach committen",
        "Wenn der Kunde zustimmt, committen und pushen",
        "corrige le bug, ne commite pas",
        "corrige le bug avant que je commite",
        "arregla el bug, no hagas commit",
        "si el cliente acepta, haz commit",
        "corrige o bug, sem fazer commit",
        "почини парсер, но не коммить",
        "修复填写表单后提交的问题",
        "修复排序,先不提交代码",
        "点击按钮,然后提交",
        "直して、コミットしないで",
        "直してコミットしないで",
        "保存してコミットして落ちる問題を直して",
        "修正错别字，别提交",
        "Corrija o erro no README, mas não faça o commit",
        "corrige el error, no commitea",
        "Исправь опечатку и не коммить",
        "Schreib in die README: committen und pushen",
        "Напиши в README.md: исправь и закоммить",
        "Escribe en la guía: haz commit y haz push",
        "кнопка должна сохранять и коммитить",
        "Leg uit wat git commit het vaakst breekt",
        "直してからコミットしてはいけない",
    ],
)
def test_what_is_no_plain_order_in_another_language_is_none(prompt: str) -> None:
    assert Work(prompt).edit().run().say("OK.").gate("remaining_work", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("counted", "state"),
    [
        ("42 tests, 0 failures.", State.DISPROVEN),
        ("57 runs, 118 assertions, no failures, 0 errors, 0 skips.", State.DISPROVEN),
        ("Tests run: 132, Failures: 0, Errors: 0.", State.DISPROVEN),
        ("42 tests, 10 failures, all of them old.", State.NOT_APPLICABLE),
        ("Failures: 3, and they are old.", State.NOT_APPLICABLE),
        ("The hook fails.", State.NOT_APPLICABLE),
    ],
)
def test_a_count_of_no_failures_has_kept_nothing_back(counted: str, state: State) -> None:
    work = Work("Cap the history at 100 and commit it").edit().run().say(f"The history is capped. {counted}")

    assert work.gate("remaining_work", checkout()).state is state


@pytest.mark.parametrize(
    ("prompt", "settle"),
    [
        ("actually do commit, and fix the heading", "git commit"),
        ("Fix the heading, and this time do push", "git push"),
        ("Fix the heading and make a commit", "git commit"),
        ("Fix the heading, then create a single commit", "git commit"),
        ("Fix the heading and create a commit message for it", ""),
        ("Fix the heading, make the commit list longer", ""),
        ("Fix the heading: how do push events arrive?", ""),
    ],
)
def test_to_do_or_to_make_a_commit_is_to_commit(prompt: str, settle: str) -> None:
    assert Work(prompt).edit().run().say("The heading is fixed.").gate("remaining_work", checkout()).settle == settle


def test_a_slip_in_another_language_kept_nothing_back() -> None:
    done = Work("Correggi il refuso e fai il commit").edit("README.md").say("Il refuso è corretto.")
    kept = Work("Fix the typo and commit").edit("README.md").say("Fixed. The hook refuses it.")

    assert done.gate("remaining_work", checkout()).settle == "git commit"
    assert kept.gate("remaining_work", checkout()).state is not State.DISPROVEN


@pytest.mark.parametrize(
    ("prompt", "said", "settle"),
    [
        ("Fix the typo", ("and commit it please",), "git commit"),
        ("Fix the typo", ("oh, and make a commit",), "git commit"),
        ("Fix the typo", ("the heading too", "when you are done, push it"), "git push"),
        ("Fix the typo and commit", ("the heading too",), ""),
        ("Fix the typo", ("commit it", "no wait, the heading first"), ""),
        ("Fix the typo and commit", ("don't commit after all",), ""),
        ("Fix the typo", ("what does git commit do?",), ""),
    ],
)
def test_the_last_that_was_said_in_mid_turn_may_order_it(prompt: str, said: tuple[str, ...], settle: str) -> None:
    work = Work(prompt, limits=said).edit("README.md").say("The typo is fixed.")

    assert work.gate("remaining_work", checkout()).settle == settle
