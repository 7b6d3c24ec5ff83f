"""`claude -p` with our hooks in settings.json."""

import json
import signal
import time

from support.claude_code import BIN, RUN_TESTS, ClaudeCode, edit, eventually

POINT = {
    "name": "pat-001",
    "text": "Reproduce a bug with a failing test first.",
    "helpful": 1,
    "harmful": 0,
}


def with_playbook(host: ClaudeCode) -> None:
    path = host.project / ".claude" / "playbook.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        json.dumps(
            {"version": "1.0", "last_updated": None, "sections": {"PATTERNS & APPROACHES": [POINT]}}
        )
    )


def proven_work(host: ClaudeCode) -> list:
    read, change = edit(host)
    cited = {"blocks": [{"text": "By [pat-001] the test comes first."}, read]}
    return [cited, change, RUN_TESTS, "Slugs fold case now, by [pat-001]; 1 passed."]


def test_key_points_reach_the_models_request_once(host):
    with_playbook(host)
    host.install()
    host.api.enqueue(RUN_TESTS, "Looked.")

    host.prompt("look around")

    assert [text.count("Reproduce a bug with a failing test first.") for text in host.asked()] == [
        1,
        1,
    ]


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
    verdict = json.loads(next((host.project / ".reflection").glob("verdict_*.json")).read_text())
    assert (verdict["complete"], verdict["endState"]) == (True, "complete")


def test_work_that_is_proven_at_once_is_never_spoken_of(host):
    host.install()
    host.api.enqueue(*proven_work(host))

    host.prompt("make slugs fold case")

    assert host.blocks() == []
    assert len(host.asked()) == 4


def test_a_question_and_a_look_around_are_left_in_peace(host):
    host.install()
    host.api.enqueue(
        {"tool": "Bash", "input": {"command": "git log --oneline"}}, "One commit so far."
    )

    host.prompt("what is in the log?")

    assert host.blocks() == []


def test_the_budget_ends_with_giving_up_and_never_at_the_hosts_cap(host):
    host.install()
    host.api.enqueue(*edit(host), *["It is done."] * 12)

    done = host.prompt("make slugs fold case")

    said = host.blocks()
    assert 1 <= len(said) <= 3
    assert "last" in said[-1].lower()
    assert not any("overriding and ending turn" in json.dumps(line) for line in host.lines())
    assert "It is done." in done.stdout
    verdict = json.loads(next((host.project / ".reflection").glob("verdict_*.json")).read_text())
    assert (verdict["complete"], verdict["endState"]) == (False, "gave_up")


def test_the_persons_words_switch_the_checks_off_for_their_prompt(host):
    host.install()
    host.api.enqueue(*edit(host), "Changed, not tested, as you said.")

    host.prompt("make slugs fold case, and don't run the tests")

    assert host.blocks() == []


def test_a_citation_becomes_one_vote_over_resume_and_fork(host):
    with_playbook(host)
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
    read, change = edit(host)
    agent = {
        "tool": "Agent",
        "input": {
            "description": "fold",
            "prompt": "fold case",
            "subagent_type": "general-purpose",
            "run_in_background": False,
        },
    }
    host.api.enqueue({**agent}, "The agent changed it.", RUN_TESTS, "1 passed.")
    host.api.script._rules.append(_rule({"kind": "subagent"}, [read, change, "Changed slugs.py."]))

    host.prompt("let an agent make slugs fold case")

    (message,) = host.blocks()
    assert "slugs.py" in message


def _rule(match: dict, turns: list):
    from support.api_script import _Turns

    return match, _Turns({"turns": turns})


def test_a_background_test_run_is_waited_for_and_its_result_counts(host):
    host.install()
    background = {
        "tool": "Bash",
        "input": {"command": "sleep 2; python -m pytest -q", "run_in_background": True},
    }
    host.api.enqueue(
        *edit(host),
        background,
        "The tests run in the background.",
        "They passed.",
        "Still passed.",
        "Yes.",
    )

    host.prompt("make slugs fold case")

    assert not any("never ran" in message or "none ran" in message for message in host.blocks()[:1])
    assert len(host.blocks()) <= 1


def test_an_api_error_ends_in_silence(host):
    host.install()
    host.api.enqueue(*edit(host), *[{"status": 400, "message": "scripted"}] * 6)

    done = host.prompt("make slugs fold case", check=False)

    assert done.returncode != 0
    assert host.blocks() == []


def test_two_sessions_in_one_project_keep_apart(host):
    with_playbook(host)
    host.install()
    host.api.script._rules.append(_rule({"last": "only look"}, ["Looked."]))
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
    with_playbook(host)
    host.install()
    host.api.enqueue(*proven_work(host)[:-1], {"text": "x", "delay_s": 30})
    process = host.start("make slugs fold case")
    eventually(lambda: len(host.asked()) >= 4, within_s=60)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=20)

    host.api.enqueue("Hello.")
    host.prompt("hello")
    host.learned(2)

    assert host.point("pat-001")["helpful"] == 2


def test_our_own_model_calls_call_no_hooks(host):
    with_playbook(host)
    host.install("--models", "claude-code/haiku")
    reflected = {
        "analysis": "Fine.",
        "bullet_tags": [{"name": "pat-001", "tag": "helpful", "rationale": "The test passed."}],
    }
    curated = {"reasoning": "Nothing to change.", "operations": []}
    host.api.script._rules.append(
        _rule(
            {"tools": "StructuredOutput", "body": "bullet_tags.{0,40}(?:type|description)"},
            [{"structured": reflected}] * 9,
        )
    )
    host.api.script._rules.append(
        _rule({"tools": "StructuredOutput"}, [{"structured": curated}] * 9)
    )
    host.api.enqueue(*proven_work(host))

    host.prompt(
        "make slugs fold case", PATH=f"{BIN}:{host.command.rpartition('/')[0]}:/usr/bin:/bin"
    )
    host.learned()

    assert host.point("pat-001")["helpful"] == 2
    assert {entry.get("session") for entry in host.log() if entry["event"] == "SessionStart"} == {
        host.transcripts()[0].stem
    }
    assert sum(entry["event"] == "SessionEnd" for entry in host.log()) == 1


def test_plan_mode_is_left_in_peace(host):
    host.install()
    plan = {"tool": "Read", "input": {"file_path": str(host.project / "slugs.py")}}
    host.api.enqueue(plan, "The plan: fold the case in slug().")

    host.prompt("plan how to fold case", "--permission-mode", "plan")

    assert host.blocks() == []


def test_uninstall_leaves_a_host_that_starts_no_process_of_ours(host):
    host.install()
    host.ace("uninstall")
    host.api.enqueue(*edit(host), "Changed.")

    host.prompt("make slugs fold case")

    assert host.blocks() == []
    assert host.log() == []
