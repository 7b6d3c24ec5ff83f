"""UserPromptSubmit: each key point once a session, never more than fits, only for what a person said."""

import json

import pytest

from ace_reflect.hooks.user_prompt_submit import kept_text
from ace_reflect.playbook.render import utf16_units
from ace_reflect.state import sessions


def points(count, text="Run the tests of {n}.", first=1):
    return [
        {"name": f"pat-{n:03d}", "text": text.format(n=n), "helpful": n % 5, "harmful": 0}
        for n in range(first, first + count)
    ]


def write(host, *rows, path=None):
    host.write_playbook({"PATTERNS & APPROACHES": list(rows)}, path)


def cited(text):
    lines = text.split("\n")
    return [line.split("]")[0][1:] for line in lines if line[:1] == "[" and " helpful=" in line]


def test_the_first_prompt_gets_both_playbooks_once_with_the_order_to_cite(host):
    write(host, *points(2))
    write(host, *points(1, first=9001), path=host.home / "playbook.json")

    answered = host.prompt("Fix the parser")

    assert answered.json["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert cited(answered.context) == ["pat-001", "pat-002", "pat-9001"]
    assert "cite its ID" in answered.context
    assert host.prompt("Run the tests of 2").stdout == ""
    assert cited(host.prompt("Fix it", session_id="another").context)[:2] == ["pat-001", "pat-002"]


@pytest.mark.parametrize("folder", ["project", "elsewhere"])
def test_where_the_host_names_no_project_it_is_the_sessions_folder(host, folder):
    write(host, *points(1))
    (host.root / "elsewhere").mkdir()

    said = host.prompt("Fix it", cwd=str(host.root / folder), env={"CLAUDE_PROJECT_DIR": ""})

    assert cited(said.context) == (["pat-001"] if folder == "project" else [])


def test_a_key_point_that_came_while_the_session_ran_is_injected_when_it_is_called_for(host):
    write(host, *points(2))
    host.prompt("Fix it")
    write(host, *points(2), *points(1, "Migrations need the staging database.", first=3))

    assert host.prompt("say hello").context == ""
    assert cited(host.prompt("migrate the staging database").context) == ["pat-003"]
    assert host.prompt("migrate the staging database again").context == ""


@pytest.mark.parametrize(("count", "most"), [(5, 9_000), (2_000, 2_000), (2_000, 0)])
@pytest.mark.parametrize(
    "text", ["Use the {n} option.", "Größe {n} 測試 😀😀😀 " * 5, "x" * 900 + "{n}"]
)
def test_what_is_injected_never_passes_the_budget_in_utf16_units(count, text, most, host):
    write(host, *points(count, text))
    host.environ["ACE_REFLECT_INJECTION_MAX_CHARS"] = str(most)

    context = host.prompt(f"Use the option 1777, {'x' * 900}3 or {'x' * 900}1777").context

    assert utf16_units(context) <= most
    assert bool(context) is (most > 0)
    rows = [line for line in context.split("\n") if line.startswith("[pat-")]
    assert all(
        row.split(" :: ")[1] == text.format(n=int(row[5:].split("]")[0])).strip() for row in rows
    )


@pytest.mark.parametrize(
    ("prompt", "persons"),
    [
        ("<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>", False),
        ('<task-notification>\n<summary>Stop hook feedback</summary>\n</task-notification>\n<system-reminder>\nStop hook blocking error from command "Stop": no\n</system-reminder>', False),
        ('<teammate-message teammate_id="lead">do it</teammate-message>', False),
        ("Stop hook feedback:\nTests have not run since your last edit.", False),
        ("[SYSTEM NOTIFICATION - NOT USER INPUT]\nA task ended.", False),
        ("  ", False),
        ("/ship now please", True),
        ("Implement the following plan:\n\n1. Do it.", True),
        ("<ide_opened_file>x</ide_opened_file>Fix it", True),
        ("#1 is broken", True),
        ("3 > 2?", True),
    ],
)  # fmt: skip
def test_what_no_person_said_injects_nothing_and_is_not_noted(prompt, persons, host):
    write(host, *points(3))
    assert host.prompt("Fix it", agent_id="a1").stdout == "", "inside a subagent"
    assert (cited(host.prompt(prompt).context) != []) is persons
    with host.state() as state:
        assert (sessions.prompt(state, host.session_id) is not None) is persons
    assert (cited(host.prompt("Now a person").context) != []) is not persons


def test_the_prompt_is_noted_with_its_id_without_secrets_and_is_not_in_the_log(host):
    secret = "sk-ant-api03-" + "Ab1" * 20
    text = (
        f"Skip the zebra. My key is {secret}, and hunterhunterhunter 9. <private>my own</private>"
    )
    host.prompt(text + " word" * 5_000, env={"DB_PASSWORD": "hunterhunterhunter 9"})

    with host.state() as state:
        row, found = sessions.prompt(state, host.session_id), sessions.get(state, host.session_id)
        assert state.all("SELECT prompt_id FROM prompts") == [("prompt-1",)]
    assert row is not None
    assert found is not None
    assert found.project == str(host.project)
    assert row.text.startswith("Skip the zebra.")
    kept = b"".join(path.read_bytes() for path in host.home.iterdir() if path.is_file())
    assert not [word for word in (secret, "hunterhunter", "my own") if word.encode() in kept]
    assert "zebra" not in (host.home / "log.jsonl").read_text()


@pytest.mark.parametrize("length", [sessions.MAX_TEXT, sessions.MAX_TEXT + 1, 200_000])
def test_of_a_long_prompt_the_beginning_and_the_end_are_kept(length):
    kept = kept_text("b" + "a" * (length - 2) + "e", {})

    assert (kept[0], kept[-1]) == ("b", "e")
    assert len(kept) <= sessions.MAX_TEXT
    assert ("…" in kept) is (length > sessions.MAX_TEXT)


@pytest.mark.parametrize(
    ("prompt", "heard"),
    [
        ("Fix it. Skip gates.", "prompt: “Fix it. Skip gates.”"),
        ("Fix it\nskip gates for this session", "session: “skip gates for this session”"),
        ("The gate code is wrong: investigate it", ""),
        ("Fix it", ""),
    ],
)
def test_that_the_checks_are_off_is_confirmed_when_it_is_heard(prompt, heard, host):
    said = host.prompt(prompt).stdout

    line = f"ace-reflect: checks are off for this {heard}" if heard else ""
    assert json.loads(said or "{}").get("systemMessage", "") == line
