"""The pipeline: what is new is learned once, checked against the transcript, saved with its record."""

import json

import pytest

from ace_reflect import config
from ace_reflect.errors import ModelError
from ace_reflect.state import record

PASSED = "3 passed in 0.10s"


def a_turn(session, cited="[pat-001]"):
    session.prompt("Fix it").say(cited).edit(f"{session.cwd}/src/a.py")
    return session.bash("pytest -q", PASSED).say("Done.")


def changed(report):
    return any(applied.before != applied.after for _, applied in report.playbooks)


def test_a_session_is_learned_offline_with_its_votes_on_record(host, state, session, run):
    a_turn(session)
    report = run()
    assert (report.mode, report.lesson.model, report.cited) == ("offline", None, ("pat-001",))
    assert (report.learned, report.known, changed(report)) == (1, 0, True)
    assert host.counters("pat-001") == (2, 0)
    (vote,) = record.votes_of(state, str(host.playbook), "pat-001")
    assert (vote["tag"], vote["counted"], vote["grounded"]) == ("helpful", True, True)
    assert vote["session"] == session.session_id
    assert record.pending(state) == []


def test_the_same_session_again_changes_nothing_unless_that_is_wanted(host, session, run):
    a_turn(session)
    run()
    before = host.playbook.read_bytes()
    report = run()
    assert (report.learned, report.known, changed(report)) == (0, 1, False)
    assert host.playbook.read_bytes() == before
    run(again=True)
    assert host.counters("pat-001") == (3, 0)


@pytest.mark.parametrize("cuts", [(), (1,), (2,), (1, 2), (1, 1, 2, 2)])
def test_however_the_events_cut_a_session_the_counters_come_out_the_same(cuts, host, session, run):
    """PreCompact after some turns, each but the open one; SessionEnd, and a retry of it."""
    for turn in (1, 2, 3):
        a_turn(session)
        for _ in range(cuts.count(turn)):
            run(final=False)
    run()
    run()
    assert host.counters("pat-001") == (4, 0)


def test_a_turn_counts_once_in_each_playbook_also_in_one_made_later(host, state, session, run):
    both = "[pat-001] and [oth-9001]"
    a_turn(session, both)
    run()
    rows = [{"name": "oth-9001", "text": "Run all tests.", "helpful": 0, "harmful": 0}]
    users = host.write_playbook({"OTHERS": rows}, host.home / "playbook.json")
    a_turn(session, both).prompt("Always use tabs.").say("Ok.")
    run()
    run()
    assert host.counters("oth-9001", users) == (2, 0)
    assert host.counters("pat-001") == (3, 0)
    assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2
    assert "tabs" not in users.read_text(), "additions go to the project's"


def test_only_what_was_injected_into_the_session_can_have_been_cited(session, run):
    session.prompt("Fix it")
    session.hook("UserPromptSubmit", "[pat-002] helpful=0 harmful=2 :: Use npm for packages.")
    session.say("[pat-001] [pat-002]").edit("src/a.py").bash("pytest -q", PASSED)
    assert run().cited == ("pat-002",)


def test_a_key_point_that_harmed_too_often_goes(host, state, session, run):
    session.prompt("Add it").say("[pat-002]").bash("npm i x", "ok")
    session.prompt("No, never npm!").say("Sorry.")
    run()
    assert "pat-002" not in host.playbook.read_text()
    changes = record.changes_of(state, str(host.playbook))
    assert ("PRUNE", "pat-002") in [(change["op"], change["key_point"]) for change in changes]


def test_a_deleted_number_is_not_used_again(host, session, run):
    session.prompt("Always use tabs.").say("Ok.")
    run()
    data = json.loads(host.playbook.read_text())
    data["sections"]["USER PREFERENCES"] = []
    host.playbook.write_text(json.dumps(data))
    session.prompt("Never use semicolons.").say("Ok.")
    run()
    assert "pref-002" in host.playbook.read_text()


def test_a_migrated_key_point_is_not_pruned_before_its_first_vote(host, session, run):
    old = {"name": "kpt_001", "text": "Run old tests.", "score": -5}
    host.playbook.write_text(json.dumps({"key_points": [old]}))
    session.prompt("Always use tabs.").say("Ok.")
    run()
    assert host.counters("kpt_001") == (0, 5)
    a_turn(session, "[kpt_001]")
    run()
    assert "kpt_001" not in host.playbook.read_text(), "after a vote the rules hold"


def test_a_dry_run_writes_nothing_also_where_nothing_would_change(host, state, session, run):
    before = host.playbook.read_bytes()
    session.prompt("What does the pager count?").say("Pages, from one.")
    assert not changed(run(dry_run=True))
    a_turn(session)
    assert changed(run(dry_run=True))
    assert host.playbook.read_bytes() == before
    assert record.votes_of(state, str(host.playbook)) == []
    assert [run().learned, run().learned] == [2, 0]


def test_only_the_named_playbook_is_learned_into(host, session, run, tmp_path):
    before, other = host.playbook.read_bytes(), tmp_path / "new" / "playbook.json"
    session.prompt("Always use tabs.").say("Ok.")
    run(playbook=str(other))
    assert "tabs" in other.read_text()
    assert host.playbook.read_bytes() == before


def test_secrets_and_own_patterns_reach_neither_playbook_nor_record(host, state, session, run):
    secret = "sk-ant-api03-" + "Ab1" * 20
    (host.home / "reflection.yaml").write_text("redaction: {patterns: ['PROJ-[0-9]{6}']}\n")
    session.prompt(f"Always use the key {secret} for the API.").say("[pat-001]")
    session.edit("src/a.py").bash(f"TOKEN={secret} pytest -q -k PROJ-123456", PASSED).say("Done.")
    report = run(config=config.load(str(host.project), str(host.home), {}))
    dump = "\n".join(state.connection.iterdump()) + host.playbook.read_text() + str(report.lesson)
    assert "pytest -q -k" in dump
    assert secret not in dump
    assert "PROJ-123456" not in dump


def test_a_candidate_waits_whatever_review_says_and_is_asked_once(host, state, session, run):
    for _ in range(2):
        session.prompt("I strongly prefer named exports.").say("Ok.")
        run(review="none")
    (item,) = record.waiting(state)
    assert item["section"] == "USER PREFERENCES"
    assert item["text"] == item["quote"] == "I strongly prefer named exports."
    assert "exports" not in host.playbook.read_text()


@pytest.fixture
def ask(host, api, run):
    """Learn with a model that gives these answers: reflections and curations in turn."""
    environ = {"ANTHROPIC_API_KEY": "sk-fake", "ANTHROPIC_BASE_URL": api.url}
    environ["ACE_REFLECT_RETRY_BASE_S"] = "0.01"

    def ask_model(*answers, path=None, offline=(), **more):
        api.enqueue(*(each if "status" in each else {"text": json.dumps(each)} for each in answers))
        configured = config.load(str(host.project), str(host.home), environ)
        models = ("anthropic/claude-sonnet-4-5", *offline)
        return run(path, environ=environ, models=models, config=configured, **more)

    return ask_model


def reflection(*votes):
    rows = [{"name": name, "tag": tag, "rationale": why} for name, tag, why in votes]
    return {"analysis": "It went well.", "bullet_tags": rows}


def curation(*operations):
    return {"reasoning": "…", "operations": list(operations)}


def test_a_models_votes_and_operations_are_applied_its_tokens_recorded(host, state, session, ask):
    session.prompt("Fix it, and please always use tabs here").say("[pat-001]").edit("src/a.py")
    line = session.bash("pytest -q", PASSED).line
    helped = ("pat-001", "helpful", f"the tests passed in line {line}")
    tabs = {"text": "Indent with tabs.", "source": "user", "quote": "always use tabs here"}
    runs = {"text": "pytest -q runs the tests.", "source": "outcome", "line": line}
    proposed = curation(
        {"op": "ADD", "section": "USER PREFERENCES", **tabs},
        {"op": "ADD", "section": "PROJECT CONTEXT", **runs},
        {"op": "UPDATE", "target_id": "pat-002", **runs, "text": "Use pnpm for pytest."},
        {"op": "DELETE", "target_id": "pat-777", "source": "outcome", "line": line},
    )
    report = ask(reflection(helped, ("pat-001", "helpful", "twice")), proposed)
    assert (report.mode, report.lesson.model) == ("model", "anthropic/claude-sonnet-4-5")
    assert host.counters("pat-001") == (2, 0), "a key point tagged twice in a reply counts once"
    text = host.playbook.read_text()
    assert all(each in text for each in ("Indent with tabs.", "pytest -q runs", "Use pnpm for"))
    ((_, applied),) = report.playbooks
    assert [outcome.applied for outcome in applied.outcomes] == [True, True, True]
    assert "pat-777" in report.lesson.refused[0]["why"]
    assert report.lesson.usage["calls"] == 2
    assert record.tokens_today(state) > 0


def test_the_reflector_is_given_facts_with_their_lines_and_who_speaks(session, api, ask):
    a_turn(session).prompt("No, that's wrong. From now on use tabs.").say("Sorry.")
    session.call("Bash", {"command": "git push"}).reject("not to main")
    ask(reflection(), curation())
    asked = str(api.asked[0].body["messages"][0]["content"])
    for words in (
        "passed: 3 passed in 0.10s", "[pat-001] cited; ", "the person on the turn before, correction: \"No, that's wrong.",
        'the person, maybe for good: "From now on use tabs."', 'the person, refusal: "not to main"', "at the end, gate tests: ",
        "] person:\nFix it", "] claude:\n[pat-001]", "] tool result:\n(result of line",
    ):  # fmt: skip
        assert words in asked


@pytest.mark.parametrize(("shown", "harmful"), [("pat-001", 2), ("pat-002", 3)])
def test_a_models_vote_counts_on_what_was_shown_also_uncited(shown, harmful, host, session, ask):
    session.prompt("Fix it")
    session.hook("UserPromptSubmit", f"[{shown}] helpful=1 harmful=0 :: As it says.")
    line = f"line {session.say('Ok.').edit('src/a.py').bash('npm test', PASSED).line}"
    ask(reflection(("pat-002", "harmful", line), ("pat-001", "helpful", line)), curation())
    assert host.counters("pat-001") == (1 + (shown == "pat-001"), 0)
    assert ("pat-002" in host.playbook.read_text()) is (harmful < 3), "pruned at its third"


@pytest.mark.parametrize(("ungrounded", "helpful"), [("neutral", 1), ("count", 2)])
def test_a_vote_without_a_fact_on_its_subject_counts_only_where_the_person_wants_so(
    ungrounded, helpful, host, state, session, ask
):
    line = (
        session.prompt("Think").bash("npm run build", "ok").say("[pat-001] I did as it says.").line
        - 1
    )
    ask(reflection(("pat-001", "helpful", f"line {line}")), curation(), ungrounded=ungrounded)
    assert host.counters("pat-001") == (helpful, 0)
    (vote,) = record.votes_of(state, str(host.playbook), "pat-001")
    counted = ungrounded == "count"
    assert (vote["tag"], vote["counted"], vote["grounded"]) == ("helpful", counted, False)


def test_a_refused_key_says_which_variable_held_it_and_nothing_counts_as_learned(session, run, ask):
    a_turn(session)
    with pytest.raises(ModelError, match="ANTHROPIC_API_KEY"):
        ask({"status": 401})
    assert run().learned == 1


def test_garbage_is_an_error_and_with_offline_in_the_chain_the_rules_judge(host, session, ask):
    a_turn(session)
    with pytest.raises(ModelError):
        ask(*["I cannot say."] * 8)
    report = ask(*["I cannot say."] * 8, offline=("offline",))
    assert (report.mode, report.learned) == ("offline", 1)
    assert host.counters("pat-001") == (2, 0)


def test_of_a_curator_that_fails_the_reflection_is_kept_and_the_next_try_goes_on_there(
    host, session, ask, api
):
    a_turn(session)
    with pytest.raises(ModelError):
        ask(reflection(("pat-001", "helpful", "line 5")), *["no"] * 2)
    assert host.counters("pat-001") == (1, 0), "nothing counts as learned"
    assert ask(curation()).learned == 1
    assert host.counters("pat-001") == (2, 0)
    assert ["You are the Reflector" in str(one.body) for one in api.requests].count(True) == 1


@pytest.fixture
def meanwhile(run):
    """A path is learned offline, once, just before what was judged is saved."""

    def learned_by_another(path):
        left = [path]
        return lambda: left and run(left.pop()).learned

    return learned_by_another


BUILT = {"op": "ADD", "section": "PATTERNS & APPROACHES", "source": "user"}


def test_turns_are_judged_anew_if_one_was_learned_meanwhile(host, state, session, ask, meanwhile):
    """What was proposed of both turns may come from the one that another process has learned."""
    first = a_turn(session).write(host.project / "first.jsonl")
    path = a_turn(session).prompt("Build it with make").say("Built.").write()
    helped = reflection(("pat-001", "helpful", "it helped"))
    both = [curation({**BUILT, "text": text}) for text in ("Run pytest.", "Build with make.")]
    more = {"path": path, "review": "none", "saving": meanwhile(first)}
    report = ask(helped, both[0], helped, both[1], **more)
    assert (report.learned, report.known) == (2, 1)
    assert host.counters("pat-001") == (3, 0)
    assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2
    assert "Build with make." in host.playbook.read_text()
    assert "Run pytest." not in host.playbook.read_text()


def test_turns_all_learned_meanwhile_ask_no_model_again(host, state, session, api, ask, meanwhile):
    path = a_turn(session).write()
    helped = reflection(("pat-001", "helpful", "it helped"))
    proposed = curation({**BUILT, "text": "Read first."})
    report = ask(helped, proposed, path=path, review="all", saving=meanwhile(path))
    assert (report.learned, report.known, changed(report), len(api.requests)) == (0, 1, False, 2)
    assert host.counters("pat-001") == (2, 0)
    assert record.waiting(state) == []
