"""`ace-reflect status`: one screen."""

import pytest

from ace_reflect.state import jobs, prompts, record, sessions
from support.cli import Ace
from support.transcripts import TranscriptBuilder


def test_a_machine_on_which_nothing_has_happened(ace: Ace) -> None:
    said = ace("status")
    assert said.code == 0
    assert "ace-reflect install" in said.out
    assert "nothing is sent anywhere" in said.out
    assert all(len(line) <= 80 or "/" in line for line in said.out.splitlines())
    body = ace("status", "--json").json
    assert (body["schema"], body["enabled"], body["hooks"], body["models"], body["session"]) == (
        "ace-reflect/status/1",
        True,
        [],
        [],
        None,
    )


def test_what_was_learned_what_waits_and_the_last_session_are_on_it(ace: Ace) -> None:
    host = ace.host
    path = (
        TranscriptBuilder(host.project / "s.jsonl", cwd=str(host.project))
        .prompt("Always use tabs.")
        .say("Ok.")
        .write()
    )
    ace("run", path)
    with host.state() as state:
        record.write(
            state,
            str(host.playbook),
            record.Rows(waiting=(record.Waiting(section="OTHERS", text="x", source="read"),)),
        )
        sessions.touch(state, "aaaa1111", project=str(host.project))
        sessions.skip(state, "aaaa1111")
        prompts.update(
            state, prompts.note(state, "aaaa1111", "p", "hi"), end_state="gave_up", attempts=3
        )
        jobs.enqueue(state, "s", "/t", project="/p", reason="sweep", final=True)
    (host.project / ".claude" / "reflection.yaml").write_text(
        "gates: {tests: warn}\nmodels: [anthropic/x]\n"
    )
    said = ace("status").out
    assert "1 key point, 0 votes" in said
    assert "1 waits: `ace-reflect review`" in said
    assert "1 to do" in said
    assert "enough messages were given" in said
    assert "checks off" in said
    assert "tests warn" in said
    assert "ace-reflect trust" in said, "what waits for trust is said"
    body = ace("status", "--json").json
    assert (body["review"], body["session"]["end_state"], body["gates"]["tests"]) == (
        1,
        "gave_up",
        "warn",
    )


def test_the_last_stop_is_told_in_the_words_of_the_log_and_one_of_a_newer_program_as_it_stands(
    ace: Ace,
) -> None:
    for end_state, words in (
        ("not_applicable", "nothing to check"),
        ("waiting_for_user", "Claude waits for you"),
        ("later", "later"),
    ):
        with ace.host.state() as state:
            sessions.touch(state, "aaaa1111", project=str(ace.host.project))
            prompts.update(
                state, prompts.note(state, "aaaa1111", end_state, "hi"), end_state=end_state
            )

        assert ace("status").out.rstrip().endswith(f", {words}")
        assert ace("status", "--json").json["session"]["end_state"] == end_state


def test_a_broken_playbook_and_a_broken_configuration_are_said_and_stop_nothing(ace: Ace) -> None:
    ace.host.playbook.write_text("{")
    (ace.host.project / ".claude" / "reflection.yaml").write_text("gatez: {}\n")
    said = ace("status")
    assert said.code == 0
    assert "gatez" in said.out
    assert "until that is mended, no model, endpoint or command of this file counts" in " ".join(
        said.out.split()
    )
    assert "JSON" in said.out
    assert ace.host.playbook.read_text() == "{"


def test_a_model_that_cannot_be_asked_says_why(ace: Ace, monkeypatch) -> None:
    monkeypatch.setenv("ACE_REFLECT_MODELS", "anthropic/claude-sonnet-5,nobody/x,offline")

    lines = " ".join(ace("status").out.split())

    assert (
        "anthropic/claude-sonnet-5 (cannot be asked: no key; set one of AGENTIC_CONTEXT_API_KEY"
        in lines
    )
    assert "nobody/x (cannot be asked: no provider is called 'nobody'" in lines
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ACE_REFLECT_MODELS", "anthropic/claude-sonnet-5")
    assert "models     anthropic/claude-sonnet-5\n" in ace("status").out


def test_the_registered_hooks_are_named(ace: Ace) -> None:
    from ace_reflect.install import registration

    settings = ace.host.root / ".claude" / "settings.json"
    settings.parent.mkdir()
    import json

    settings.write_text(
        json.dumps(registration.with_ours({}, registration.entries("/py", "/hooks", assess=False)))
    )
    assert ace("status", "--json").json["hooks"] == [str(settings)]


def test_in_the_home_directory_the_one_settings_file_is_listed_once(ace: Ace, monkeypatch) -> None:
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    ace("install", "--yes")

    assert len(ace("status", "--project", ace.host.root, "--json").json["hooks"]) == 1


CONFLICT = "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> theirs\n"


def test_a_playbook_that_cannot_be_read_is_named_and_stays(ace: Ace) -> None:
    ace.host.playbook.write_text(CONFLICT)

    said = ace("status")

    assert "merge conflict" in " ".join(said.out.split())
    assert "none yet" not in said.out
    assert all(len(line) <= 80 or len(line[11:].split()) == 1 for line in said.out.splitlines())
    assert ace.host.playbook.read_text() == CONFLICT


def test_a_playbook_that_was_set_aside_is_named(ace: Ace) -> None:
    aside = ace.host.playbook.with_name("playbook.json.unreadable-20260101T000000000000")
    aside.write_text("{")

    said = ace("status")

    assert aside.name in said.out
    assert ace("status", "--json").json["playbooks"][0]["set_aside"] == [str(aside)]


def test_an_entry_that_cannot_be_read_is_named(ace: Ace) -> None:
    ace.host.playbook.write_text('{"sections": {"OTHERS": [{"name": "oth-001", "text": {}}]}}')

    assert "oth-001 in OTHERS cannot be read (its text is an object)" in " ".join(
        ace("status").out.split()
    )


def test_a_home_inside_the_project_has_one_playbook(ace: Ace, monkeypatch) -> None:
    monkeypatch.setenv("ACE_REFLECT_HOME", str(ace.host.playbook.parent))

    assert len(ace("status", "--json").json["playbooks"]) == 1


@pytest.mark.parametrize(
    ("variable", "says"),
    [("ACE_REFLECT_DISABLE", "ACE_REFLECT_DISABLE=1"), ("", "`enabled: false`")],
)
def test_what_switches_it_off_is_named(ace: Ace, monkeypatch, variable: str, says: str) -> None:
    if variable:
        monkeypatch.setenv(variable, "1")
    else:
        (ace.host.project / ".claude" / "reflection.yaml").write_text("enabled: false\n")

    assert f"(switched off here by {says})" in ace("status").out
