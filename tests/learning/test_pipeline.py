"""The pipeline: what is new is learned once, checked against the transcript, saved with its record."""

import json
import os

import pytest

from ace_reflect import config
from ace_reflect.errors import ModelError, PlaybookError, TranscriptError
from ace_reflect.state import inbox, intents, record, usage

PASSED, FAILED = "3 passed in 0.10s", "1 failed, 2 passed in 0.10s"


def a_turn(session, cited="[pat-001]"):
    session.prompt("Fix it").say(cited).edit(f"{session.cwd}/src/a.py")
    return session.bash("pytest -q", PASSED).say("Done.")


def changed(report):
    return any(applied.changed for _, applied in report.playbooks)


def users_playbook(host):
    rows = [{"name": "oth-9001", "text": "Run all tests.", "helpful": 0, "harmful": 0}]
    return host.write_playbook({"OTHERS": rows}, host.home / "playbook.json")


# ------------------------------------------------------------------ offline, once


def test_a_session_is_learned_offline_with_its_votes_on_record(host, state, session, run):
    a_turn(session)
    report = run()
    assert (report.mode, report.lesson.model, report.cited) == ("offline", None, ("pat-001",))
    assert (report.learned, report.known, changed(report)) == (1, 0, True)
    assert host.counters("pat-001") == (2, 0)
    (vote,) = record.votes_of(state, str(host.playbook), "pat-001")
    assert (vote["tag"], vote["counted"], vote["grounded"]) == ("helpful", True, True)
    assert vote["session"] == session.session_id
    assert intents.pending(state) == []


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


def test_a_turn_counts_in_the_users_playbook_too(host, session, run):
    users = users_playbook(host)
    a_turn(session, "[pat-001] and [oth-9001]").prompt("Always use tabs.").say("Ok.")
    run()
    run()
    assert host.counters("oth-9001", users) == (1, 0)
    assert host.counters("pat-001") == (2, 0)
    assert "tabs" not in users.read_text(), "additions go to the project's"


def test_a_users_playbook_made_later_gets_its_turns_and_the_projects_counts_none_again(
    host, state, session, run
):
    a_turn(session, "[pat-001] and [oth-9001]")
    run()
    users = users_playbook(host)
    a_turn(session, "[pat-001] and [oth-9001]")
    run()
    assert host.counters("oth-9001", users) == (2, 0)
    assert host.counters("pat-001") == (3, 0)
    assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2


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


def test_a_dry_run_writes_and_records_nothing(host, state, session, run):
    before = host.playbook.read_bytes()
    a_turn(session)
    assert run(dry_run=True).playbooks[0][1].changed
    assert host.playbook.read_bytes() == before
    assert record.votes_of(state, str(host.playbook)) == []
    assert run().learned == 1


def test_a_turn_that_changes_nothing_counts_as_learned_but_not_by_a_dry_run(session, run):
    session.prompt("What does the pager count?").say("Pages, from one.")
    assert not run(dry_run=True).playbooks[0][1].changed
    first, second = run(), run()
    assert (first.learned, changed(first), second.learned) == (1, False, 0)


def test_only_the_named_playbook_is_learned_into(host, session, run, tmp_path):
    before, other = host.playbook.read_bytes(), tmp_path / "new" / "playbook.json"
    session.prompt("Always use tabs.").say("Ok.")
    run(playbook=str(other))
    assert "tabs" in other.read_text()
    assert host.playbook.read_bytes() == before


def test_secrets_and_the_persons_own_patterns_reach_neither_the_playbook_nor_the_record(
    host, state, session, run
):
    secret = "sk-ant-api03-" + "Ab1" * 20
    (host.home / "reflection.yaml").write_text("redaction: {patterns: ['PROJ-[0-9]{6}']}\n")
    session.prompt(f"Always use the key {secret} for the API.").say("[pat-001]")
    session.edit("src/a.py").bash(f"TOKEN={secret} pytest -q -k PROJ-123456", PASSED).say("Done.")
    report = run(config=config.load(str(host.project), str(host.home), {}))
    dump = "\n".join(state.connection.iterdump()) + host.playbook.read_text() + str(report.lesson)
    assert "pytest -q -k" in dump
    assert secret not in dump
    assert "PROJ-123456" not in dump


def test_a_candidate_waits_in_the_inbox_whatever_review_says_and_is_asked_about_once(
    host, state, session, run
):
    for _ in range(2):
        session.prompt("I strongly prefer named exports.").say("Ok.")
        run(review="none")
    (item,) = inbox.waiting(state, str(host.playbook))
    assert (item["text"], item["section"]) == (
        "I strongly prefer named exports.",
        "USER PREFERENCES",
    )
    assert item["quote"] == "I strongly prefer named exports."
    assert "exports" not in host.playbook.read_text()


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "no such file"),
        ("a folder", "cannot read the transcript"),
        (b"", "empty"),
        (b"\x7fELF\x00\x00\x01" * 100, "binary"),
        (b"hello\nworld\n", "no Claude Code transcript"),
        (b'{"a": 1}\n[1, 2]\n', "no Claude Code transcript"),
    ],
    ids=["missing", "folder", "empty", "binary", "text", "other JSON"],
)
def test_a_path_that_is_no_transcript_is_an_error_of_one_line(content, said, run, tmp_path):
    path = tmp_path / "x.jsonl"
    if content == "a folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(TranscriptError, match=said) as caught:
        run(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_playbook_that_cannot_be_replaced_leaves_no_intent_and_the_turn_to_be_learned(
    host, state, session, run, monkeypatch
):
    a_turn(session)
    real = os.replace

    def full_disk(source, target, **more):
        if str(target) == str(host.playbook):
            raise OSError(28, "No space left on device")
        real(source, target, **more)

    monkeypatch.setattr("os.replace", full_disk)
    with pytest.raises(PlaybookError, match="No space left"):
        run()
    monkeypatch.undo()
    assert intents.pending(state) == []
    assert host.counters("pat-001") == (1, 0)
    assert run().learned == 1
    assert host.counters("pat-001") == (2, 0)


# ------------------------------------------------------------------ with a model


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


def test_a_models_votes_and_operations_are_applied_and_its_tokens_recorded(
    host, state, session, ask
):
    session.prompt("Fix it, and please always use tabs here").say("[pat-001]").edit("src/a.py")
    line = session.bash("pytest -q", PASSED).line
    helped = ("pat-001", "helpful", f"the tests passed in line {line}")
    tabs = {"text": "Indent with tabs.", "source": "user", "quote": "always use tabs here"}
    runs = {"text": "pytest -q runs the tests.", "source": "outcome", "line": line}
    report = ask(
        reflection(helped, ("pat-001", "helpful", "twice")),
        curation(
            {"op": "ADD", "section": "USER PREFERENCES", **tabs},
            {"op": "ADD", "section": "PROJECT CONTEXT", **runs},
            {"op": "UPDATE", "target_id": "pat-002", "text": "Use pnpm."},
            {"op": "DELETE", "target_id": "pat-777"},
        ),
    )
    assert (report.mode, report.lesson.model) == ("model", "anthropic/claude-sonnet-4-5")
    assert host.counters("pat-001") == (2, 0), "a key point tagged twice in a reply counts once"
    text = host.playbook.read_text()
    assert all(each in text for each in ("Indent with tabs.", "pytest -q runs", "Use pnpm."))
    ((_, applied),) = report.playbooks
    assert [outcome.applied for outcome in applied.outcomes] == [True, True, True, False]
    assert report.lesson.usage["calls"] == 2
    assert usage.tokens_today(state) > 0


def test_the_reflector_is_given_facts_with_their_lines_and_who_speaks(session, api, ask):
    a_turn(session).prompt("No, that's wrong. From now on use tabs.").say("Sorry.")
    session.call("Bash", {"command": "git push"}).reject("not to main")
    ask(reflection(), curation())
    asked = str(api.asked[0].body["messages"][0]["content"])
    for words in (
        "passed: 3 passed in 0.10s",
        "[pat-001] cited; ",
        "the person on the turn before, correction: \"No, that's wrong.",
        'the person, maybe for good: "From now on use tabs."',
        'the person, refusal: "not to main"',
        "at the end, gate tests: ",
        "] person:\nFix it",
        "] claude:\n[pat-001]",
        "] tool result:\n(result of line",
    ):
        assert words in asked


def test_a_long_session_is_asked_about_in_twenty_thousand_tokens(session, api, ask):
    for number in range(60):
        session.prompt(f"Wish {number}").read(f"/p/{number}.py", "value = 1\n" * 900)
    ask(reflection(), curation())
    prompt = str(api.asked[0].body["messages"][0]["content"])
    assert len(prompt) < 20_000 * 3 + 20_000
    assert all(f"Wish {number}\n" in prompt for number in range(60))


def test_a_models_vote_on_what_the_session_never_had_is_a_guess_and_counts_for_nothing(
    host, session, ask
):
    session.prompt("Fix it")
    session.hook("UserPromptSubmit", "[pat-001] helpful=1 harmful=0 :: Run the tests.")
    session.say("Ok.").edit("src/a.py").bash("pytest -q", PASSED).say("Done.")
    ask(reflection(("pat-002", "harmful", "line 5"), ("pat-001", "helpful", "line 5")), curation())
    assert (host.counters("pat-001"), host.counters("pat-002")) == ((2, 0), (0, 2))


def test_a_vote_on_what_was_shown_and_not_cited_counts(host, session, ask):
    a_turn(session, cited="Ok.")
    ask(reflection(("pat-002", "harmful", "line 5")), curation())
    assert "pat-002" not in host.playbook.read_text(), "pruned at its third"


def test_an_ungrounded_vote_is_recorded_and_not_counted_where_the_person_wants_it_so(
    host, state, session, ask
):
    session.prompt("Think").say("[pat-001] I did as it says.")
    ask(reflection(("pat-001", "helpful", "the agent said so")), curation(), ungrounded="neutral")
    assert host.counters("pat-001") == (1, 0)
    (vote,) = record.votes_of(state, str(host.playbook), "pat-001")
    assert (vote["tag"], vote["counted"], vote["grounded"]) == ("helpful", False, False)


def test_a_refused_key_says_which_variable_held_it_and_nothing_counts_as_learned(session, run, ask):
    a_turn(session)
    with pytest.raises(ModelError, match="ANTHROPIC_API_KEY"):
        ask({"status": 401})
    assert run().learned == 1


def test_garbage_from_every_model_is_an_error_and_with_offline_in_the_chain_the_rules_judge(
    host, session, ask
):
    a_turn(session)
    with pytest.raises(ModelError):
        ask(*["I cannot say."] * 8)
    report = ask(*["I cannot say."] * 8, offline=("offline",))
    assert (report.mode, report.learned) == ("offline", 1)
    assert host.counters("pat-001") == (2, 0)


def test_a_curator_that_fails_costs_the_proposals_not_the_votes(host, session, ask):
    a_turn(session)
    report = ask(reflection(("pat-001", "helpful", "line 5")), *["no"] * 4)
    assert host.counters("pat-001") == (2, 0)
    assert report.lesson.operations == ()


# ------------------------------------------------------------------ meanwhile


@pytest.fixture
def meanwhile(run):
    """A progress in which a path is learned offline, once, just before what was judged is saved."""

    def learned_by_another(path):
        stages = []

        def progress(stage):
            stages.append(stage)
            if stage == "saving" and stages.count(stage) == 1:
                assert run(path).learned

        return progress

    return learned_by_another


BUILT = {"op": "ADD", "section": "PATTERNS & APPROACHES", "source": "user"}


def test_turns_of_which_one_was_learned_meanwhile_are_judged_anew(
    host, state, session, ask, meanwhile
):
    """What was proposed of both turns may come from the one that another process has learned."""
    first = a_turn(session).write(host.project / "first.jsonl")
    path = a_turn(session).prompt("Build it with make").say("Built.").write()
    helped = reflection(("pat-001", "helpful", "it helped"))
    report = ask(
        helped,
        curation({**BUILT, "text": "Run pytest."}),
        helped,
        curation({**BUILT, "text": "Build with make."}),
        path=path,
        review="none",
        progress=meanwhile(first),
    )
    assert (report.learned, report.known) == (2, 1)
    assert host.counters("pat-001") == (3, 0)
    assert len(record.votes_of(state, str(host.playbook), "pat-001")) == 2
    assert "Build with make." in host.playbook.read_text()
    assert "Run pytest." not in host.playbook.read_text()


def test_turns_that_were_all_learned_meanwhile_change_nothing_and_ask_no_model_again(
    host, state, session, api, ask, meanwhile
):
    path = a_turn(session).write()
    helped = reflection(("pat-001", "helpful", "it helped"))
    proposed = curation({**BUILT, "text": "Read first."})
    report = ask(helped, proposed, path=path, review="all", progress=meanwhile(path))
    assert (report.learned, report.known, changed(report), len(api.requests)) == (0, 1, False, 2)
    assert host.counters("pat-001") == (2, 0)
    assert inbox.waiting(state, str(host.playbook)) == []


def test_a_turn_learned_meanwhile_costs_the_others_nothing_offline(
    host, state, session, run, meanwhile
):
    session.prompt("Always use tabs.").say("Ok.")
    first = a_turn(session).write(host.project / "first.jsonl")
    report = run(a_turn(session).write(), progress=meanwhile(first))
    assert (report.learned, report.known) == (1, 2)
    assert host.counters("pat-001") == (3, 0)
    changes = record.changes_of(state, str(host.playbook))
    assert [change["op"] for change in changes] == ["ADD"]
