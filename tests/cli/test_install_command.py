"""install and uninstall as a person runs them, on real files."""

import json
from pathlib import Path

import pytest

from ace_reflect.install.registration import EVENTS, registered
from ace_reflect.state import sessions
from ace_reflect.state.db import open_state
from support.cli import Ace, at_a_terminal


@pytest.fixture
def settings(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's settings.json, which is not there yet; their configuration stands beside it."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.delenv("ACE_REFLECT_HOME")
    (ace.host.root / ".claude" / "ace-reflect").mkdir(parents=True)
    return ace.host.root / ".claude" / "settings.json"


def configuration(settings: Path) -> Path:
    return settings.parent / "ace-reflect" / "reflection.yaml"


def test_an_install_registers_every_event_and_naming_a_model_the_assessment_too(ace, settings):
    def stop_entries() -> int:
        found = registered(json.loads(settings.read_text()))
        assert set(found) == set(EVENTS)
        return len(found["Stop"])

    said = ace("install", "--yes")
    assert said.code == 0
    assert "hooks for SessionStart, " in said.err
    assert stop_entries() == 1
    assert not configuration(settings).exists()

    ace("install", "--yes", "--models", "claude-code/sonnet", "--workflow", "local")
    assert "nothing to change" in ace("install", "--yes").err
    assert stop_entries() == 2
    written = "models: [claude-code/sonnet]\nworkflow: local\n"
    assert configuration(settings).read_text() == written

    ace("install", "--yes", "--models", "none")
    assert stop_entries() == 1
    assert configuration(settings).read_text() == "workflow: local\nmodels: []\n"


def test_a_dry_run_changes_nothing_and_diff_shows_every_line(ace: Ace, settings: Path) -> None:
    brief = ace("install", "--yes", "--dry-run")
    said = ace("install", "--yes", "--dry-run", "--diff")

    assert "{" not in brief.err
    assert f"{settings}: hooks for SessionStart, " in brief.err

    assert said.code == 0
    assert '+            "statusMessage": "Checking that it is done"' in said.err
    assert not settings.exists()
    assert ace("install", "--dry-run", "--json").json["changed"] is True
    ace("install", "--yes")
    assert "-  " in ace("uninstall", "--dry-run", "--diff").err
    assert settings.exists()


@pytest.mark.parametrize(
    ("before", "second"),
    [
        (b"\n", None), (b"", None), (b"{}", "another place"), (b'\xef\xbb\xbf{"a": 1}\n', "another model"),
        (b'{\r\n"a":1}\r\n', "another place"), (b'{"model":   "opus"}', "another model"),
        (None, "another model"), (None, None),
    ],
)  # fmt: skip
def test_install_and_uninstall_give_the_file_back_byte_for_byte(ace, settings, before, second):
    """What is given back is the file from before the first of several installs."""
    if before is not None:
        settings.write_bytes(before)
    ace("install", "--yes", *(["--models", "claude-code/sonnet"] * (second == "another model")))
    if second == "another place":
        settings.write_text(settings.read_text().replace("ace-reflect-hook", "older"))
    ace("install", "--yes", "--models", "none")

    said = ace("uninstall")

    assert said.out.startswith("Taken out.")
    assert (settings.read_bytes() if settings.exists() else None) == before
    assert {item.name for item in settings.parent.iterdir()} <= {"settings.json", "ace-reflect"}
    assert "nothing to change" in ace("uninstall", "-y").err


def test_what_others_changed_meanwhile_stays(ace: Ace, settings: Path) -> None:
    settings.write_text('{"model":   "opus"}')
    ace("install", "--yes")
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "theme": "dark"}))
    ace("uninstall")

    assert json.loads(settings.read_text()) == {"model": "opus", "theme": "dark"}
    assert {item.name for item in settings.parent.iterdir()} == {"settings.json", "ace-reflect"}


@pytest.mark.parametrize(
    ("file", "text", "arguments", "says"),
    [
        ("settings.json", '{"a": 1,}', (), "settings.json:1"),
        ("settings.json", '{"hooks": {"Stop": {}}}', (), "`hooks.Stop`: input should be a"),
        ("settings.json", '{"env": {},\n"env": {}}', (), 'settings.json:2: "env" occurs twice'),
        (None, "", ("--models", "foo"), "provider/model"),
        (None, "", ("--models", "claude-code/sonnet,gpt 5"), "provider/model"),
        (None, "", ("--models", "nobody/x"), "no provider is called"),
        ("ace-reflect/reflection.yaml", "max_attempts: many\n", (), "reflection.yaml:1"),
        ("ace-reflect/reflection.yaml", "a: 1\nmodels: [foo\n", (), "reflection.yaml:"),
        ("../project/.claude/reflection.yaml", "gates: {tests: never}\n", ("--scope", "project", "--project", "."), "reflection.yaml:1"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_before_any_change(ace, settings, file, text, arguments, says):
    if file:
        (settings.parent / file).write_text(text)

    said = ace("install", "--yes", *arguments)

    assert (said.code, says in " ".join(said.err.split())) == (2, True)
    assert not settings.exists() or settings.read_text() == text


def test_each_scope_has_its_own_file_and_what_is_registered_elsewhere_is_named(ace, settings):
    project = str(ace.host.project)
    ace("install", "--yes", "--scope", "local", "--project", project)
    assert registered(json.loads((ace.host.project / ".claude/settings.local.json").read_text()))
    both = ace("install", "--yes", "--project", project)
    left = ace("uninstall", "--project", project)
    last = ace("uninstall", "--project", project, "--scope", "local")

    for said in (both, left):
        assert "`ace-reflect uninstall --scope local` takes those out" in said.err
    assert "takes those out" not in last.err
    assert last.out.startswith("Taken out.")


@pytest.mark.parametrize("how", ["the home directory", "a link"])
def test_one_file_under_two_names_is_one_registration(ace: Ace, settings: Path, how: str) -> None:
    ace("install", "--yes")
    project = settings.parent.parent
    if how == "a link":
        project = ace.host.project
        (project / ".claude" / "settings.json").symlink_to(settings)

    assert "registered in" not in ace("install", "--yes", "--project", project).err


def test_a_person_is_told_what_is_done_and_asked_before(ace, settings, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")

    refused, code = at_a_terminal(ace, "install", typed="none\nn\n")
    assert (code, settings.exists(), "your answer was no" in refused) == (2, False, True)
    shown, code = at_a_terminal(ace, "install", typed="sonnet\nnone\n\n")
    again, _ = at_a_terminal(ace, "install", typed="")

    assert code == 0
    assert "stop in seven, about 0.5 cents each" in " ".join(shown.split())
    assert "provider/model" in shown
    assert f"{settings}:" in shown.replace("\n", "")
    assert "statusMessage" not in shown
    assert configuration(settings).read_text() == "models: []\n"
    assert "Do that?" not in again
    assert "nothing to change" in again
    assert configuration(settings).read_text() == "models: []\n", "an upgrade sets nothing back"


def test_an_uninstall_names_all_that_stays_and_a_purge_deletes_it(ace: Ace, settings: Path) -> None:
    project, home = ace.host.project, settings.parent / "ace-reflect"
    mine = {"statusLine": {"type": "command", "command": "ace-reflect statusline"}}
    settings.write_text(json.dumps({"theme": "dark"}))
    ace("install", "--yes")
    settings.write_text(json.dumps({**json.loads(settings.read_text()), **mine}))
    learned = (project / ".claude" / "playbook.json", project / ".reflection" / "verdict_s.json")
    learned += (project.parent / "b" / ".claude" / "playbook.json",)  # no hook ran there
    for path in (*learned, home / "report.db", home / "report.html", home / "notes.txt"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    with open_state(str(home)) as state:
        sessions.touch(state, "s", project=str(project))
        sessions.touch(state, "t", project="/gone")
    ace("playbook", "add", "Use uv.", "--playbook", learned[-1])

    said = ace("uninstall")
    stub = (home / "bin" / "ace-reflect-hook").read_text()
    refused = ace("uninstall", "--purge")
    purged = ace("uninstall", "--purge", "--yes")

    for part in (".reflection: the verdicts", "b/.claude/playbook.json: its key points", "which holds your prompts", "settings.json: its `statusLine`"):  # fmt: skip
        assert part in " ".join(said.out.split())
    assert "/gone" not in said.out
    assert stub == "#!/bin/sh\nexit 0\n"
    assert (refused.code, "--purge --yes" in refused.err) == (2, True)
    assert purged.out == "Taken out.\n"
    assert [path for path in learned if path.exists()] == []
    assert [path.name for path in home.iterdir()] == ["notes.txt"], "what is not ours stays"
    assert json.loads(settings.read_text()) == {"theme": "dark"}
    (home / "notes.txt").unlink()
    home.rmdir()
    assert ace("uninstall").out == "Nothing was changed.\n", "nothing is there to be named"


def test_codex_gets_the_same_hooks_in_its_own_file_and_gives_them_back(ace, settings, monkeypatch):
    own = ace.host.root / "codex"
    monkeypatch.setenv("CODEX_HOME", str(own))
    own.mkdir()
    before = b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}'
    (own / "hooks.json").write_bytes(before)
    (own / "config.toml").write_text("[[hooks.Stop]]\n")

    said = ace("install", "--host", "codex", "--yes")

    hooks = json.loads((own / "hooks.json").read_text())["hooks"]
    assert set(registered({"hooks": hooks})) == set(EVENTS)
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] == 3
    assert not any("args" in hook for items in hooks.values() for item in items for hook in item["hooks"])  # fmt: skip
    assert "Trust all and continue" in said.out
    assert "config.toml has hooks too" in said.err
    assert not settings.exists()
    checks = {check["name"]: check for check in ace("doctor", "--json").json["checks"]}
    assert checks["Codex, proof: a bad stop is blocked"]["state"] == "ok"
    assert "not trusted" in checks["Codex hooks"]["says"]
    assert checks["hooks"]["state"] == "note", "Claude Code may not be there at all"
    assert ace("status", "--json").json["hooks"] == [str(own / "hooks.json")]
    with (own / "config.toml").open("a") as file:
        for name in (script for script, *_ in EVENTS.values()):
            file.write(f'[hooks.state."{own}/hooks.json:{name}:1:0"]\n')
    assert any(check["says"].endswith("and trusted") for check in ace("doctor", "--json").json["checks"])  # fmt: skip

    assert ace("install", "--host", "codex", "--scope", "local").code == 2
    ace("uninstall", "--host", "codex", "--yes")
    assert (own / "hooks.json").read_bytes() == before


def test_codexs_sessions_are_found_by_their_folder(ace, monkeypatch):
    monkeypatch.setenv("CODEX_HOME", str(ace.host.root / "codex"))
    day = ace.host.root / "codex" / "sessions" / "2026" / "11" / "26"
    day.mkdir(parents=True)
    name = "rollout-2026-11-26T13-06-15-01a217f6-bb7b-7a00-a547-c613dc6bcceb.jsonl"
    recorded = Path(__file__).parents[1] / "fixtures" / "codex" / "0.167.2-code-mode.jsonl"
    text = recorded.read_text().replace("/home/me/slugs", str(ace.host.project))
    (day / name).write_text(text)

    assert ace("check", "--json").json["session_id"] == "01a217f6-bb7b-7a00-a547-c613dc6bcceb"
    (session,) = ace("report", "--json").json["sessions"]
    assert (session["model"], session["verdict"]) == ("gpt-6-astra", "complete")
    assert ace("audit", "--json").json["total"]["proven"] == 1
    assert ace("learn", "--offline", "--json").json["projects"][0]["turns"] == 1
