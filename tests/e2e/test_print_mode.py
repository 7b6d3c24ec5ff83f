"""`claude -p` with our hooks in settings.json."""

import json
import signal
import time

import pytest

from support.claude_code import BIN, POINT, RUN_TESTS, ClaudeCode, bash, edit, eventually


def proven_work(host: ClaudeCode) -> list:
    read, change = edit(host)
    cited = {"blocks": [{"text": "By [pat-001] the test comes first."}, read]}
    return [cited, change, RUN_TESTS, "Slugs fold case now, by [pat-001]; 1 passed."]


@pytest.mark.parametrize(
    ("prompt", "turns", "flags"),
    [
        ("make slugs fold case", proven_work, ()),
        ("what is in the log?", lambda _: [bash("git log --oneline"), "One commit so far."], ()),
        ("fold case, and don't run the tests", lambda host: [*edit(host), "Not tested."], ()),
        ("plan it", lambda host: [edit(host)[0], "The plan: …"], ("--permission-mode", "plan")),
    ],
    ids=["proven at once", "a question", "the person's words", "plan mode"],
)
def test_nothing_is_said_of_what_is_in_order_and_key_points_come_once(host, prompt, turns, flags):
    host.with_playbook()
    host.install()
    host.api.enqueue(*turns(host))

    host.prompt(prompt, *flags)

    assert host.blocks() == []
    assert [text.count(POINT["text"]) for text in host.asked()] == [1] * len(turns(host))


def test_an_unproven_edit_is_blocked_and_the_proof_lets_the_stop_stand(host):
    host.install()
    host.api.enqueue(
        *edit(host), "Slugs are case-folded now.", RUN_TESTS, "Slugs are case-folded now; 1 passed."
    )

    host.prompt("make slugs fold case")

    (message,) = host.blocks()
    assert "pytest" in message
    assert "slugs.py" in message
    assert len(message) <= 1200
    assert str(host.home) not in message
    assert len(host.asked()) == 5
    assert host.verdict() == (True, "complete")


def test_the_budget_ends_with_giving_up_and_never_at_the_hosts_cap(host):
    host.install()
    host.api.enqueue(*edit(host), *["It is done."] * 12)

    done = host.prompt("make slugs fold case")

    said = host.blocks()
    assert 1 <= len(said) <= 3
    assert "last" in said[-1].lower()
    assert not any("overriding and ending turn" in json.dumps(line) for line in host.lines())
    assert "It is done." in done.stdout
    assert host.verdict() == (False, "gave_up")


def test_a_citation_becomes_one_vote_over_resume_and_fork(host):
    host.with_playbook()
    host.install()
    host.api.enqueue(*proven_work(host))
    host.prompt("make slugs fold case")
    host.learned()
    assert host.point("pat-001")["helpful"] == 2

    host.api.enqueue("Nothing else.")
    host.prompt("anything else?", "--continue")
    host.learned(2)
    host.api.enqueue("Nothing here either.")
    host.prompt("and now?", "--continue", "--fork-session")
    host.learned(3)

    assert host.point("pat-001")["helpful"] == 2


def test_edits_of_a_subagent_are_debt_too(host):
    host.install()
    agent = {"description": "fold", "prompt": "fold case", "subagent_type": "general-purpose"}
    call = {"tool": "Agent", "input": {**agent, "run_in_background": False}}
    host.api.enqueue(call, "The agent changed it.", RUN_TESTS, "1 passed.")
    host.answers({"kind": "subagent"}, *edit(host), "Changed slugs.py.")

    host.prompt("let an agent make slugs fold case")

    (message,) = host.blocks()
    assert "slugs.py" in message


def test_a_subagent_that_hides_its_red_run_is_sent_back_once(host):
    host.install()
    agent = {"description": "fold", "prompt": "fold case", "subagent_type": "general-purpose"}
    call = {"tool": "Agent", "input": {**agent, "run_in_background": False}}
    host.api.enqueue(call, RUN_TESTS, "1 passed.")
    read, wrong = edit(host, new="title.upper()")
    _, right = edit(host, old="title.upper()")
    done = [read, wrong, RUN_TESTS, "Changed slugs.py.", right, RUN_TESTS, "Now it passes."]
    host.answers({"kind": "subagent"}, *done)

    host.prompt("let an agent make slugs fold case")

    told = [row["decision"] for row in host.log() if row["event"] == "SubagentStop"]
    assert told == ["block"]
    assert host.verdict() == (True, "complete")


def test_a_background_test_run_is_waited_for_and_its_result_counts(host):
    host.install()
    run = bash("sleep 2; python -m pytest -q", run_in_background=True)
    said = ["The tests run in the background.", "They passed.", "Still passed.", "Yes."]
    host.api.enqueue(*edit(host), run, *said)

    host.prompt("make slugs fold case")

    assert not any("never ran" in message or "none ran" in message for message in host.blocks()[:1])
    assert len(host.blocks()) <= 1


def test_our_own_model_calls_call_no_hooks(host):
    host.with_playbook()
    host.install("--models", "claude-code/haiku")
    tags = [{"name": "pat-001", "tag": "helpful", "rationale": "The test passed."}]
    asks_for_tags = "bullet_tags.{0,40}(?:type|description)"
    reflected = {"structured": {"analysis": "Fine.", "bullet_tags": tags}}
    curated = {"structured": {"reasoning": "Nothing to change.", "operations": []}}
    host.answers({"tools": "StructuredOutput", "body": asks_for_tags}, *[reflected] * 9)
    host.answers({"tools": "StructuredOutput"}, *[curated] * 9)
    host.api.enqueue(*proven_work(host))

    host.prompt(
        "make slugs fold case", PATH=f"{BIN}:{host.command.rpartition('/')[0]}:/usr/bin:/bin"
    )
    host.learned()

    assert host.point("pat-001")["helpful"] == 2
    started = {entry.get("session") for entry in host.log() if entry["event"] == "SessionStart"}
    assert started == {host.transcripts()[0].stem}
    assert sum(entry["event"] == "SessionEnd" for entry in host.log()) == 1


def test_an_api_error_ends_in_silence(host):
    host.install()
    host.api.enqueue(*edit(host), *[{"status": 400, "message": "scripted"}] * 6)

    done = host.prompt("make slugs fold case", check=False)

    assert done.returncode != 0
    assert host.blocks() == []


def test_two_sessions_in_one_project_keep_apart(host):
    host.with_playbook()
    host.install()
    host.answers({"last": "only look"}, "Looked.")
    host.api.enqueue(*edit(host), "Changed.", RUN_TESTS, "1 passed.")

    working = host.start("make slugs fold case")
    looking = host.start("only look")
    outputs = [looking.communicate(timeout=120), working.communicate(timeout=120)]

    assert (looking.returncode, working.returncode) == (0, 0), outputs
    injected = [text for text in host.asked() if POINT["text"] in text]
    assert len({("only look" in text) for text in injected}) == 2
    by_session = {
        path: sum("Stop hook feedback" in line for line in path.read_text().splitlines())
        for path in host.transcripts()
    }
    assert sorted(bool(count) for count in by_session.values()) == [False, True]


def test_a_killed_session_is_learned_from_at_the_next_start(host):
    host.with_playbook()
    host.install()
    host.api.enqueue(*proven_work(host)[:-1], {"text": "x", "delay_s": 30})
    process = host.start("make slugs fold case")
    eventually(lambda: len(host.asked()) >= 4, within_s=60)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)

    host.api.enqueue("Hello.")
    host.prompt("Fix it")
    host.learned(2)

    assert host.point("pat-001")["helpful"] == 2


def test_uninstall_leaves_a_host_that_starts_no_process_of_ours(host):
    host.install()
    host.ace("uninstall")
    host.api.enqueue(*edit(host), "Changed.")

    host.prompt("make slugs fold case")

    assert host.blocks() == []
    assert host.log() == []
