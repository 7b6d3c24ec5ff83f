"""`ace-reflect config show` and `trust`, as their reader sees them."""

from pathlib import Path

import pytest

from support.cli import Ace, at_a_terminal


@pytest.fixture
def own(ace: Ace) -> Path:
    """The person's reflection.yaml, which is not there yet."""
    ace.host.home.mkdir(parents=True, exist_ok=True)
    return ace.host.home / "reflection.yaml"


@pytest.fixture
def project(ace: Ace) -> Path:
    return ace.host.project / ".claude" / "reflection.yaml"


def rows(page: str) -> dict[str, list[str]]:
    return {line.split()[0]: line.split()[1:] for line in page.splitlines() if line.strip()}


def test_each_setting_has_its_source_and_the_files_are_named_below(ace, own, project):
    assert ace("config").out.count("(not there yet)") == 2
    own.write_text("max_attempts: 2\nendpoints: {own: {base_url: 'http://bob:hunter2@x/v1'}}\n")
    project.write_text("# ours\ngates: {tests: off}\n")

    page, body = ace("config", "show").out, ace("config", "--json").json

    found = rows(page)
    assert found["max_attempts"] == ["user:1", "2"]
    assert found["gates.tests"] == ["project:2", "off"]
    assert found["routing.enabled"] == ["default", "false"]
    assert found["project"] == [".claude/reflection.yaml"]
    assert found["user"][0].endswith("reflection.yaml")
    assert all(len(line) <= 80 for line in page.splitlines() if not line.startswith("user"))
    assert body["files"]["user"] == str(own)
    assert body["settings"]["max_attempts"] == {"value": 2, "source": f"user: {own}:1"}
    assert body["settings"]["endpoints"]["value"] == {"own": {"base_url": "http://x/v1"}}
    assert "hunter2" not in page, "it may be pasted into a report"


def test_every_error_is_told_beside_what_is_in_force(ace: Ace, own: Path, project: Path) -> None:
    own.write_text("max_attempts: 2\n")
    project.write_text("gats: {tests: warn}\nmax_attempts: many\ngates: {ci: block}\n")

    said, as_json = ace("config"), ace("config", "--json")

    assert (said.code, as_json.code) == (2, 2)
    told = " ".join(said.err.split())
    assert f"{project}:1: unknown key `gats`; did you mean `gates`?" in told
    assert f"{project}:2: max_attempts" in told
    assert "unknown key `gats`" in as_json.json["error"]
    assert rows(said.out)["gates.ci"] == ["project:3", "block"]
    assert as_json.json["settings"]["max_attempts"]["value"] == 2


def test_a_setting_that_waits_for_trust_is_said(ace: Ace, project: Path) -> None:
    project.write_text("assess: {daily_tokens: 5}\n")
    asking = ace("trust")
    assert (asking.code, trusted(ace)) == (2, False), "nobody can be asked"
    assert asking.err.endswith("then `ace-reflect trust --yes`\n")

    said, trusting = ace("config"), ace("trust", "--yes")

    assert "not in force before you run `ace-reflect trust`" in " ".join(said.err.split())
    assert trusting.err == "   1  assess: {daily_tokens: 5}\n"
    assert trusting.out.startswith("Trusted: ")
    assert rows(ace("config").out)["assess.daily_tokens"] == ["project:1", "5"]
    assert ace("trust", "--revoke").out.startswith("No longer trusted: ")


def trusted(ace: Ace) -> bool:
    with ace.host.state() as state:
        return bool(state.all("SELECT 1 FROM cache WHERE kind = 'trust'"))


@pytest.mark.parametrize(
    ("typed", "meanwhile", "said", "trusts"),
    [
        ("y", "", "Trusted: ", True),
        ("", "", "your answer was no; nothing was changed", False),
        ("y", "notify: {command: sh evil.sh}\n", "run `ace-reflect trust` again", False),
    ],
    ids=["yes", "neither", "yes to another file"],
)
def test_a_person_is_shown_the_file_and_asked(ace, project, typed, meanwhile, said, *, trusts):
    text = "models: [claude-code/sonnet]\n"
    project.write_text(text)

    change = {"until": "[y/N]", "meanwhile": lambda: project.write_text(meanwhile or text)}
    shown, code = at_a_terminal(ace, "trust", typed=f"{typed}\n", **change)

    assert text in shown
    assert said in " ".join(shown.split())
    assert trusted(ace) is trusts
    assert code == (0 if trusts else 2)
