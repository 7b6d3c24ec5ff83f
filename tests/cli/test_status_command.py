"""`ace-reflect status`, `skip` and `statusline`."""

import json

import pytest
from click.testing import CliRunner

from ace_reflect.cli.log import statusline
from ace_reflect.install import registration
from ace_reflect.state import jobs, record, sessions
from support.cli import Ace
from support.transcripts import TranscriptBuilder


def words(ace: Ace, *arguments: object) -> str:
    said = ace("status", *arguments)
    return " ".join((said.out + said.err).split())


def test_a_machine_on_which_nothing_has_happened(ace: Ace) -> None:
    said = ace("status")
    assert said.code == 0
    assert "ace-reflect install" in said.out
    assert "nothing is sent anywhere" in said.out
    assert all(len(line) <= 80 or "/" in line for line in said.out.splitlines())
    body = ace("status", "--json").json
    nothing = {"schema": "ace-reflect/status/1", "enabled": True, "hooks": [], "models": [], "session": None}  # fmt: skip
    assert nothing.items() <= body.items()


def test_what_was_learned_what_waits_and_the_last_session_are_on_it(ace: Ace) -> None:
    host = ace.host
    made = TranscriptBuilder(host.project / "s.jsonl", cwd=str(host.project))
    ace("run", made.prompt("Always use tabs.").say("Ok.").write())
    with host.state() as state:
        waiting = (record.Waiting(section="OTHERS", text="x", source="read"),)
        record.write(state, str(host.playbook), record.Rows(waiting=waiting))
        sessions.touch(state, "aaaa1111", project=str(host.project))
        sessions.skip(state, "aaaa1111")
        prompt = sessions.note_prompt(state, "aaaa1111", "p", "hi")
        sessions.note_stop(state, prompt, end_state="gave_up", attempts=3)
        jobs.enqueue(state, "s", "/t", project="/p", reason="sweep", final=True)
    settings = "gates: {tests: warn}\nmodels: [anthropic/x]\n"
    (host.project / ".claude" / "reflection.yaml").write_text(settings)
    said = ace("status").out
    for part in ("1 key point, 0 votes", "1 to decide: `ace-reflect review`", "1 queued", "✗ gave up",
                 "checks off", "tests warn", "ace-reflect trust"):  # fmt: skip
        assert part in said
    body = ace("status", "--json").json
    assert (body["review"], body["session"]["end_state"]) == (1, "gave_up")
    assert body["gates"]["tests"] == "warn"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("playbook.json", "{", "is no playbook"),
        ("playbook.json", "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n", "merge conflict"),
        ("playbook.json", '{"sections": {"OTHERS": [{"name": "oth-001", "text": {}}]}}', "oth-001 in OTHERS cannot be read (it has no text)"),
        ("reflection.yaml", "gatez: {}\n", "gatez"),
        ("reflection.yaml", "gatez: {}\n", "until that is fixed, no model, endpoint or command in this file takes effect"),
        ("reflection.yaml", "enabled: false\n", "(switched off here by `enabled: false`)"),
    ],
)  # fmt: skip
def test_a_file_that_is_out_of_order_or_switches_it_off_is_named_and_stays(ace, name, text, says):
    file = ace.host.project / ".claude" / name
    file.write_text(text)

    assert says in words(ace)
    assert file.read_text() == text


def test_registered_hooks_are_named_once_and_so_is_what_switches_them_off(ace, monkeypatch):
    settings = ace.host.root / ".claude" / "settings.json"
    settings.parent.mkdir()
    ours = registration.with_ours({}, registration.entries(assess=False))
    settings.write_text(json.dumps(ours))

    assert ace("status", "--json").json["hooks"] == [str(settings)]
    assert ace("status", "--project", ace.host.root, "--json").json["hooks"] == [str(settings)]
    monkeypatch.setenv("ACE_REFLECT_DISABLE", "1")
    assert "(switched off here by ACE_REFLECT_DISABLE=1)" in ace("status").out


@pytest.fixture
def known(ace: Ace) -> Ace:
    with ace.host.state() as state:
        for name in ("aaaa-1", "aaaa-2", "bbbb-1"):
            sessions.touch(state, name, project=str(ace.host.project))
            state.run("UPDATE sessions SET seen_at = seen_at - 10")
    return ace


def skipped(ace: Ace) -> set[str]:
    with ace.host.state() as state:
        return {row[0] for row in state.all("SELECT id FROM sessions WHERE skipped_at IS NOT NULL")}


def test_the_checks_are_skipped_for_the_newest_session_and_switched_on_again(known: Ace) -> None:
    body = known("skip", "--json").json
    assert body == {"schema": "ace-reflect/skip/1", "session": "bbbb-1", "skipped": True}
    assert skipped(known) == {"bbbb-1"}
    assert known("skip", "--undo").code == 0
    assert skipped(known) == set()


def test_the_beginning_of_an_id_is_enough_where_it_is_one_sessions(known: Ace) -> None:
    known("skip", "--session", "aaaa-2")
    assert skipped(known) == {"aaaa-2"}
    for wanted in ("aaaa", "", "aaaa-%"):
        said = known("skip", "--session", wanted)
        assert (said.code, said.err.count("\n")) == (2, 1)
    assert "no sessions of this project" in known("skip", "--project", known.host.root).err


@pytest.mark.parametrize(
    ("text", "end_state", "shown"),
    [
        *((odd, "complete", "ace-reflect\n") for odd in ("", "{", "[1]", '{"session_id": null}', '{"session_id": "x"}', "[" * 100_000)),
        ('{"session_id": "s"}', "complete", "ace-reflect ✓ proven\n"),
        ('{"session_id": "s"}', "gave_up", "ace-reflect ✗ gave up\n"),
        ('{"session_id": "s"}', "not_applicable", "ace-reflect\n"),
    ],
)  # fmt: skip
def test_the_status_line_shows_the_last_verdict_whatever_stdin_is(ace, text, end_state, shown):
    with ace.host.state() as state:
        sessions.touch(state, "s", project="/p", transcript="/t")
        sessions.note_prompt(state, "s", "p1", "do it")
        sessions.note_stop(
            state, sessions.prompt_or_new(state, "s").id, attempts=0, end_state=end_state
        )

    result = CliRunner().invoke(statusline, input=text, catch_exceptions=False)

    assert (result.exit_code, result.output) == (0, shown)
