"""What the README shows is what the program prints."""

import html
import importlib.util
import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

from ace_reflect import config
from ace_reflect.cli.main import COMMANDS
from ace_reflect.settings import GATES
from conftest import ROOT
from support.programs import ran

ACE = str(Path(sys.executable).parent / "ace-reflect")
README = (ROOT / "README.md").read_text()
GETTING_STARTED = (ROOT / "docs" / "getting-started.md").read_text()


def printed(*arguments: str, home: Path, folder: Path = ROOT) -> str:
    environ = {**os.environ, "ACE_REFLECT_HOME": str(home), "NO_COLOR": "1", "COLUMNS": "80"}
    return ran(ACE, *arguments, cwd=folder, env=environ).stdout.rstrip()


def script(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_demo_prints_what_the_readme_shows(tmp_path):
    folder = tmp_path / "checkout"
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copytree(ROOT / "examples", folder / ".cache" / "demo")
    command = "run examples/session.jsonl --offline --playbook .cache/demo/playbook.json"

    assert printed(*command.split(), home=tmp_path / "home", folder=folder) in GETTING_STARTED


def test_check_prints_what_the_readme_shows(tmp_path):
    assert printed("check", "examples/session.jsonl", home=tmp_path) in GETTING_STARTED


def test_audit_prints_what_the_guide_shows(tmp_path, monkeypatch):
    folder = tmp_path / "claude" / "projects" / "-home-dev-slugs"
    folder.mkdir(parents=True)
    for name in ("block.jsonl", "session.jsonl"):
        shutil.copy(ROOT / "examples" / name, folder)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder.parent.parent))

    assert printed("audit", "--all", home=tmp_path / "home") in GETTING_STARTED


def test_the_picture_shows_what_is_said_to_a_session_that_is_blocked_and_then_proven(tmp_path):
    stops = ("--every-stop", "--project", "examples/slugs", "examples/block.jsonl")
    blocked, proven = printed("check", *stops, home=tmp_path).split("stop 2")
    said = re.findall(r"^  \| (.+)$", blocked, re.M)
    rows = re.findall(r"<text[^>]*>([^<]*)</text>", (ROOT / "docs" / "terminal.svg").read_text())
    shown = html.unescape("".join(rows)).replace("\xa0", " ")

    assert blocked.startswith("stop 1, line 38: block")
    assert "Stop hook reported a problem" in shown
    assert said[0] in shown
    assert re.search(r"proven: passed after the last edit: 1 passed", " ".join(proven.split()))
    assert "proven: passed after the last edit: 1 passed" in shown


def test_the_badges_are_true():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()

    assert f"![Python {versions[0]} to {versions[-1]}](" in README
    assert f"python-{versions[0]}%20to%20{versions[-1]}-" in README
    assert set(versions) == set(re.findall(r'"(3\.\d+)"', workflow))
    assert f"![{project['license']} licence](" in README


def test_on_pypi_every_link_is_absolute():
    page = script("for_pypi").absolute(README, "https://forge.example/me/it", "v1")
    targets = re.findall(r'\]\(([^)\s]+)|(?:src|srcset)="([^"]+)', page)

    assert [one for pair in targets for one in pair if one and not one.startswith("https://")] == []
    assert "(https://forge.example/me/it/actions/workflows/ci.yml)" in page
    assert "(https://forge.example/me/it/raw/v1/docs/terminal.svg)" in page
    assert "(https://forge.example/me/it/blob/v1/docs/why.md)" in page


def test_the_readme_is_short_and_names_commands_that_exist():
    lines = [line.split() for line in README.splitlines()]
    plugin = {path.stem for path in (ROOT / "commands").glob("*.md")}

    assert len(lines) < 200
    assert {words[1] for words in lines if words[:1] == ["ace-reflect"]} <= set(COMMANDS)
    assert plugin == set(re.findall(r"`/ace-reflect:(\w+)`", README))


def test_the_configuration_that_the_readme_shows_can_be_used_as_it_stands_and_names_every_setting(
    tmp_path,
):
    (block,) = re.findall(r"```yaml\n(.*?)```", README, re.S)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "reflection.yaml").write_text(block)

    found = config.load(str(tmp_path), str(tmp_path / "home"), {}).sound()

    named = {key for key, source in found.sources.items() if source != "default"}
    assert found.warnings == ()
    assert {key.partition(".")[0] for key in config.KEYS} == {
        key.partition(".")[0] for key in named
    }


def test_the_configuration_page_is_what_the_schema_says():
    assert script("make_configuration").page() == (ROOT / "docs" / "configuration.md").read_text()


def test_every_link_of_the_documents_leads_somewhere():
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        targets = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
        files = [
            each.replace("../../actions", ".github").removesuffix("/badge.svg") for each in targets
        ]
        assert [one for one in files if not (page.parent / one).exists()] == [], page


def test_every_gate_stands_in_the_readme_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| (blocks|a line to you) \|", README, re.M))

    words = {"block": "blocks"}
    assert rows == {gate: words.get(mode, "a line to you") for gate, mode in GATES.items()}


def test_the_blocks_that_the_readme_counts_are_those_that_were_judged_one_by_one():
    judged = (ROOT / "bench" / "wide_judgements.md").read_text()
    ((stops, blocks),) = re.findall(r"transcripts: (\d+) stops, (\d+) blocks", judged)
    table = judged.partition("| judged |")[2].partition("\n\n")[0]
    right = len(re.findall(r"\| right[^|]*\|$", table, re.M))

    claim = r"At (\d+) stops of \d+ sessions (\d+) blocks, by our reading (\d+) right"
    assert re.findall(claim, README) == [(stops, blocks, str(right))]
