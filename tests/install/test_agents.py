"""The agents of routing: written with their models, known as ours, and exactly ours taken out."""

import json
import os
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from ace_reflect.cli.install import install, uninstall
from ace_reflect.install import agents
from ace_reflect.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
ON = Settings(
    routing_enabled=True,
    routing_models=("backend=anthropic/claude-opus-5", "frontend=claude-code/sonnet"),
)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return tmp_path / ".claude"


def configure(home: Path, text: str) -> None:
    (home / "ace-reflect").mkdir(parents=True, exist_ok=True)
    (home / "ace-reflect" / "reflection.yaml").write_text(text)


ROUTING = """\
routing:
  enabled: true
  models: {backend: anthropic/claude-opus-5, frontend: claude-code/sonnet}
"""


def run(command: object, *arguments: str) -> str:
    done = CliRunner().invoke(command, list(arguments), catch_exceptions=False)  # type: ignore[arg-type]
    assert done.exit_code == 0, done.output
    return done.output


def front(text: str) -> dict[str, str]:
    found = yaml.safe_load(text.split("---\n")[1])
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("category", agents.CATEGORIES)
def test_each_category_has_an_agent_that_says_when_to_use_it(category: str) -> None:
    text = (ROOT / "agents" / f"ace-{category}.md").read_text()

    assert front(text)["name"] == f"ace-{category}"
    assert f"`ace-{category}`" in front(text)["description"]
    assert front(text)["model"] == "inherit"
    assert "Do not loosen, skip or delete a test" in text


def test_with_routing_off_there_are_none(home: Path) -> None:
    run(install, "--yes")

    assert not (home / "agents").exists()


def test_install_writes_them_with_the_configured_models_and_uninstall_takes_exactly_them_out(
    home: Path,
) -> None:
    configure(home, ROUTING)
    (home / "agents").mkdir(parents=True)
    (home / "agents" / "mine.md").write_text("mine\n")

    said = run(install, "--yes")

    assert f"{home}/agents/ace-backend.md: written" in said
    assert sorted(os.listdir(home / "agents")) == ["ace-backend.md", "ace-frontend.md", "mine.md"]
    assert front((home / "agents" / "ace-backend.md").read_text())["model"] == "claude-opus-5"
    assert front((home / "agents" / "ace-frontend.md").read_text())["model"] == "sonnet"

    run(uninstall)
    assert os.listdir(home / "agents") == ["mine.md"]


def test_a_folder_that_was_made_for_them_goes_with_them(home: Path) -> None:
    configure(home, ROUTING)
    run(install, "--yes")
    run(uninstall)

    assert not (home / "agents").exists()


def test_a_second_install_changes_nothing_and_a_changed_setting_follows(home: Path) -> None:
    configure(home, ROUTING)
    run(install, "--yes")
    before = (home / "agents" / "ace-backend.md").stat().st_mtime_ns
    assert "ace-backend.md" not in run(install, "--yes")
    assert (home / "agents" / "ace-backend.md").stat().st_mtime_ns == before

    configure(
        home,
        ROUTING.replace("claude-opus-5", "claude-opus-5-5").replace(
            ", frontend: claude-code/sonnet", ""
        ),
    )
    run(install, "--yes")
    assert front((home / "agents" / "ace-backend.md").read_text())["model"] == "claude-opus-5-5"
    assert not (home / "agents" / "ace-frontend.md").exists()

    configure(home, "routing: {enabled: false}\n")
    run(install, "--yes")
    assert not (home / "agents").exists()


@pytest.mark.parametrize("theirs", ["---\nname: ace-backend\n---\nTheir own.\n", "", "\udcff"])
def test_somebodys_own_agent_of_that_name_is_left_alone(theirs: str, home: Path) -> None:
    configure(home, ROUTING)
    (home / "agents").mkdir(parents=True)
    own = home / "agents" / "ace-backend.md"
    own.write_bytes(theirs.encode("utf-8", "surrogateescape"))

    said = run(install, "--yes")
    run(uninstall)

    assert "ace-backend.md is somebody's own" in said
    assert own.read_bytes() == theirs.encode("utf-8", "surrogateescape")


def test_an_agent_of_ours_that_was_changed_since_stays_and_is_named(home: Path) -> None:
    configure(home, ROUTING)
    run(install, "--yes")
    ours = home / "agents" / "ace-backend.md"
    ours.write_text(ours.read_text().replace("Finish it.", "Finish it, and be brief."))

    assert "ace-backend.md is somebody's own, or was changed since" in run(install, "--yes")
    assert "is left as it is" in run(uninstall)
    assert "be brief" in ours.read_text()
    assert not (home / "agents" / "ace-frontend.md").exists()


def test_a_model_that_no_agent_can_carry_is_said(home: Path) -> None:
    configure(home, ROUTING.replace("anthropic/claude-opus-5", "openai/gpt-5.1"))

    said = run(install, "--yes")

    assert (
        "routing.models.backend: openai/gpt-5.1 cannot be carried by an agent of Claude Code"
        in said
    )
    assert os.listdir(home / "agents") == ["ace-frontend.md"]


@pytest.mark.parametrize("scope", ["project", "local"])
def test_a_projects_agents_stand_in_the_project(scope: str, home: Path, tmp_path: Path) -> None:
    configure(home, ROUTING)
    project = tmp_path / "app"
    project.mkdir()

    run(install, "--yes", "--scope", scope, "--project", str(project))

    assert sorted(os.listdir(project / ".claude" / "agents")) == [
        "ace-backend.md",
        "ace-frontend.md",
    ]
    assert not (home / "agents").exists()
    run(uninstall, "--scope", scope, "--project", str(project))
    assert not (project / ".claude" / "agents").exists()


def test_a_dry_run_names_them_and_writes_none(home: Path) -> None:
    configure(home, ROUTING)

    said = run(install, "--yes", "--dry-run")

    assert "ace-backend.md: would be written" in said
    assert not (home / "agents").exists()


def test_json_lists_the_files_that_change(home: Path) -> None:
    configure(home, ROUTING)

    body = json.loads(run(install, "--json"))

    assert [Path(path).name for path in body["agents"]] == ["ace-backend.md", "ace-frontend.md"]
    assert json.loads(run(uninstall, "--json"))["agents"] == body["agents"]


def test_review_alone_registers_the_second_stop_entry(home: Path) -> None:
    configure(home, "review: {enabled: true}\n")

    run(install, "--yes")

    stops = json.loads((home / "settings.json").read_text())["hooks"]["Stop"]
    assert [entry["hooks"][0]["args"][-2].rpartition("/")[2] for entry in stops] == [
        "stop.py",
        "assess.py",
    ]


def test_a_model_name_cannot_write_other_lines_into_the_file() -> None:
    text = agents.with_model("---\nname: x\nmodel: inherit\n---\nBody\n", r"claude\1-opus")

    assert front(text)["model"] == r"claude\1-opus"
    assert agents.is_ours(text)
    assert re.search(r"\n<!-- ace-reflect: .* -->\n\Z", text)


def test_only_an_untouched_file_is_ours() -> None:
    files, _ = agents.wanted(ON)
    text = files["ace-backend.md"]

    assert agents.is_ours(text)
    assert not agents.is_ours(text.replace("Finish it.", "Finish."))
    assert not agents.is_ours(text + "more\n")
    assert not agents.is_ours("")


def test_a_category_without_a_model_of_its_own_has_no_agent_and_no_note() -> None:
    files, notes = agents.wanted(ON)

    assert sorted(files) == ["ace-backend.md", "ace-frontend.md"]
    assert notes == ()
    _, notes = agents.wanted(
        Settings(routing_enabled=True, routing_models=("backend=openai/gpt-5",))
    )
    assert [note.partition(":")[0] for note in notes] == ["routing.models.backend"]
