"""The agents of routing: written with their models, known as ours, and exactly ours taken out."""

import json
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from ace_reflect.cli.install import install, uninstall
from ace_reflect.install import agents

ROOT = Path(__file__).resolve().parents[2]
ROUTING = "routing: {enabled: true, models: {backend: anthropic/claude-opus-5, frontend: claude-code/sonnet}}\n"


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A person with routing on."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / ".claude" / "ace-reflect").mkdir(parents=True)
    configure(tmp_path / ".claude", ROUTING)
    return tmp_path / ".claude"


def configure(home: Path, text: str) -> None:
    (home / "ace-reflect" / "reflection.yaml").write_text(text)


def run(command: object, *arguments: str) -> Result:
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def there(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "agents").glob("*"))


def front(text: str) -> dict[str, str]:
    return yaml.safe_load(text.split("---\n")[1])


@pytest.mark.parametrize("theirs", [True, False])
def test_install_writes_them_with_their_models_and_uninstall_takes_exactly_them_out(theirs, home):
    if theirs:
        (home / "agents").mkdir()
        (home / "agents" / "mine.md").write_text("mine\n")
    mine = ["mine.md"] * theirs

    said = run(install, "--yes").output

    assert f"{home}/agents/ace-backend.md: written" in said
    assert there(home) == ["ace-backend.md", "ace-frontend.md", *mine]
    assert front((home / "agents" / "ace-backend.md").read_text())["model"] == "claude-opus-5"
    assert front((home / "agents" / "ace-frontend.md").read_text())["model"] == "sonnet"
    assert "ace-backend.md" not in run(install, "--yes").output, "there is nothing to do"
    command = (home / "commands" / "ace-reflect" / "learn.md").read_text()
    assert "Run `ace-reflect learn --request`" in command
    assert "CLAUDE_PLUGIN" not in command
    run(uninstall)
    assert (there(home), (home / "agents").exists()) == (mine, theirs)
    assert not (home / "commands" / "ace-reflect").exists()


def test_a_changed_setting_is_followed_and_a_model_that_no_agent_can_carry_is_said(home):
    assert "ace-backend.md: written" in run(install, "--yes", "--dry-run").output
    assert there(home) == []
    run(install, "--yes")
    newer = ROUTING.replace("claude-opus-5", "claude-opus-5-5")
    configure(home, newer.replace(", frontend: claude-code/sonnet", ""))
    run(install, "--yes")
    assert there(home) == ["ace-backend.md"]
    assert front((home / "agents" / "ace-backend.md").read_text())["model"] == "claude-opus-5-5"

    configure(home, ROUTING.replace("anthropic/claude-opus-5", "openai/gpt-5.1"))
    said = run(install, "--yes").output
    assert "routing.models.backend: openai/gpt-5.1 cannot be carried by an agent" in said
    assert there(home) == ["ace-frontend.md"]

    configure(home, "routing: {enabled: false}\n")
    run(install, "--yes")
    assert there(home) == []


@pytest.mark.parametrize("scope", ["project", "local"])
def test_a_projects_agents_stand_in_the_project_and_json_lists_them(scope, home, tmp_path):
    place = ("--scope", scope, "--project", str(tmp_path / "app"), "--json")
    (tmp_path / "app").mkdir()

    body = json.loads(run(install, "--yes", *place).stdout)
    both = ["ace-backend.md", "ace-frontend.md"]
    assert [Path(path).name for path in body["agents"]] == both
    assert (there(tmp_path / "app" / ".claude"), there(home)) == (both, [])
    assert json.loads(run(uninstall, *place).stdout)["agents"] == body["agents"]
    assert there(tmp_path / "app" / ".claude") == []


@pytest.mark.parametrize(
    "theirs", [b"---\nname: ace-backend\n---\nTheir own.\n", b"", b"\xff", None]
)
def test_somebodys_own_agent_and_one_of_ours_that_was_changed_since_stay(theirs, home):
    own = home / "agents" / "ace-backend.md"
    if theirs is None:
        run(install, "--yes")
        theirs = own.read_bytes().replace(b"Finish it.", b"Finish it, and be brief.")
    own.parent.mkdir(exist_ok=True)
    own.write_bytes(theirs)

    said = run(install, "--yes").output
    left = run(uninstall).output

    assert "ace-backend.md is somebody's own" in said
    assert ("ace-backend.md is somebody's own" in left) == (b"<!-- ace-reflect" in theirs)
    assert own.read_bytes() == theirs
    assert there(home) == ["ace-backend.md"]


def test_a_model_name_writes_no_other_line_and_only_an_untouched_file_is_ours() -> None:
    text = agents.with_model("---\nname: x\nmodel: inherit\n---\nBody\n", r"claude\1-opus")

    assert front(text)["model"] == r"claude\1-opus"
    assert agents.is_ours(text)
    for other in (text.replace("Body", "Their body"), text + "more\n", ""):
        assert not agents.is_ours(other)
