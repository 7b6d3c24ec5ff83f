"""The host's terminal UI under tmux: what a person sees, interrupts, compacts and clears."""

import sqlite3
import threading
import time

import pytest

from support.claude_code import POINT, RUN_TESTS, ClaudeCode, bash, edit, eventually

SUMMARY = "<analysis>x</analysis><summary>The slugs are being changed.</summary>"


def cited_work(host: ClaudeCode) -> list:
    read, change = edit(host)
    cited = {"blocks": [{"text": "By [pat-001] the test comes first."}, read]}
    return [cited, change, RUN_TESTS, "Done; 1 passed."]


def stops(host: ClaudeCode) -> list[str]:
    return [entry.get("decision", entry) for entry in host.log() if entry["event"] == "Stop"]


def test_a_block_and_a_completion_as_a_person_sees_them(host):
    host.install()
    host.api.enqueue(
        *edit(host), "Slugs fold case now.", RUN_TESTS, "Slugs fold case now; 1 passed."
    )

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("Slugs fold case now; 1 passed.")
        screen.wait_for("Stop says: ")
        shown = screen.screen()
        screen.leave()

    assert "No test has been run since the code was edited." in shown
    assert "ace-reflect: proven" in shown
    assert str(host.home) not in shown
    assert "python -I" not in shown


@pytest.mark.parametrize("work", [
    {"text": "I will now explain at length " * 60, "chunk_delay_s": 0.3}, bash('python -c "import time; time.sleep(30)"'),
], ids=["the model writes", "a tool runs"])  # fmt: skip
def test_esc_while_it_works_leaves_the_person_in_peace(host, work):
    host.install()
    host.api.enqueue(*edit(host), work, "Fine.")

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        eventually(lambda: len(host.asked()) >= 3, within_s=30)
        time.sleep(1.5)
        screen.keys("Escape")
        screen.wait_for("Interrupted")
        screen.keys("C-u")
        screen.say("never mind, thanks")
        screen.wait_for("Fine.")
        eventually(lambda: stops(host), within_s=20)
        screen.leave()

    assert host.blocks() == [], host.log()


def test_esc_while_our_stop_hook_runs_ends_the_turn_and_leaves_a_whole_state(host):
    host.install()
    host.api.enqueue("Hello.", *edit(host), "Slugs fold case now.", "Fine.")

    with host.terminal() as screen:
        screen.say("hello")
        screen.wait_for("Hello.")
        eventually(lambda: stops(host), within_s=10)
        time.sleep(1.0)
        with held_lock(host) as release:
            screen.say("make slugs fold case")
            screen.wait_for("Checking that it is done", within_s=30)
            screen.keys("Escape")
            time.sleep(1.0)
            release.set()
        screen.keys("C-u")
        screen.say("thanks")
        screen.wait_for("Fine.")
        screen.leave()

    assert sqlite3.connect(host.ace_home / "state.db").execute(
        "PRAGMA integrity_check"
    ).fetchone() == ("ok",)


class held_lock:  # noqa: N801 - used as a verb
    """Hold state.db's write lock as soon as the model has given its last answer, so that the Stop hook has to wait."""

    def __init__(self, host: ClaudeCode) -> None:
        self.host, self.release = host, threading.Event()
        self.thread = threading.Thread(target=self._hold)

    def _hold(self) -> None:
        asked = len(self.host.asked())
        eventually(
            lambda: self.release.is_set() or len(self.host.asked()) >= asked + 3, within_s=40
        )
        connection = sqlite3.connect(
            self.host.ace_home / "state.db", isolation_level=None, timeout=30
        )
        connection.execute("BEGIN IMMEDIATE")
        self.release.wait(20)
        connection.execute("ROLLBACK")

    def __enter__(self) -> threading.Event:
        self.thread.start()
        return self.release

    def __exit__(self, *_: object) -> None:
        self.release.set()
        self.thread.join()


def test_a_compaction_by_hand_brings_the_key_points_back_and_learns_once(host):
    host.with_playbook()
    host.answers({"kind": "compact"}, {"text": SUMMARY, "repeat": 9})
    host.install()
    host.api.enqueue(*cited_work(host), "Going on.")

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("Done; 1 passed.")
        eventually(lambda: stops(host), within_s=10)
        screen.say("/compact")
        screen.wait_for("Compacted", within_s=40)
        screen.say("is there more?")
        screen.wait_for("Going on.")
        shown = screen.screen()
        screen.leave()
    host.learned(2)

    assert POINT["text"] in host.asked()[-1]
    assert host.point("pat-001")["helpful"] == 2
    assert "PreCompact" not in shown


def test_a_compaction_in_mid_task_tells_how_to_go_on_and_keeps_the_debt(host):
    host.with_playbook()
    host.answers({"kind": "compact"}, {"text": SUMMARY, "repeat": 9})
    host.install()
    read, change = edit(host)
    full = {**change, "usage": {"input_tokens": 990000}}
    host.api.enqueue(read, full, "Slugs fold case now.", RUN_TESTS, "Proven: 1 passed.")

    host.prompt("make slugs fold case")

    after = [text for text in host.asked() if "The slugs are being changed." in text]
    assert after
    assert POINT["text"] in after[0]
    assert len(host.blocks()) == 1


def test_clear_begins_a_session_of_its_own_and_the_old_one_is_learned_once(host):
    host.with_playbook()
    host.install()
    host.api.enqueue(*cited_work(host), "A new day.")

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("Done; 1 passed.")
        eventually(lambda: stops(host), within_s=10)
        screen.say("/clear")
        eventually(lambda: any(entry["event"] == "SessionEnd" for entry in host.log()), within_s=20)
        time.sleep(1)
        screen.say("what could be better in slugs?")
        screen.wait_for("A new day.")
        screen.leave()
    host.learned(2)

    assert host.point("pat-001")["helpful"] == 2
    assert POINT["text"] in host.asked()[-1]


def test_the_persons_own_test_run_proves_the_work(host):
    host.install()
    host.api.enqueue(
        *edit(host), "Changed. Which links should keep their old slugs?", "I saw it pass.", "Good."
    )

    with host.terminal() as screen:
        screen.say("make slugs fold case")
        screen.wait_for("old slugs?")
        eventually(lambda: stops(host), within_s=10)
        screen.say("!python -m pytest -q")
        screen.wait_for("1 passed")
        time.sleep(2)
        screen.say("commit later, thanks")
        screen.wait_for("Good.")
        eventually(lambda: len(stops(host)) >= 2, within_s=10)
        screen.leave()

    assert host.blocks() == [], host.log()
    assert not any("error" in entry for entry in host.log()), host.log()
