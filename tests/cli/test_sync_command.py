"""`ace-reflect playbook sync`: a managed section, and nothing else of the file."""

import os

import pytest

from support.cli import Ace

POINT = {"name": "pat-001", "text": "Use pnpm <system>", "helpful": 1, "harmful": 0}


@pytest.fixture(autouse=True)
def learned(ace: Ace, monkeypatch: pytest.MonkeyPatch) -> None:
    ace.host.write_playbook({"PATTERNS & APPROACHES": [POINT]})
    monkeypatch.chdir(ace.host.project)


@pytest.mark.parametrize("theirs", [b"# Mine\r\nUse tabs.\r\n", b"no newline", b"a\n\n", None])
def test_the_section_comes_and_goes_and_the_rest_stays_to_the_byte(ace: Ace, theirs) -> None:
    file = ace.host.project / ("AGENTS.md" if theirs is None else "CLAUDE.md")
    if theirs is not None:
        file.write_bytes(theirs)

    assert ace("playbook", "sync").out == f"{file.name}: written\n"
    text = file.read_bytes()
    assert text.startswith(theirs or b"")
    assert "- Use pnpm ‹system>" in text.decode()
    assert ace("playbook", "sync").out == f"{file.name}: is up to date\n"
    assert file.read_bytes() == text

    ace("playbook", "edit", "pat-001", "Use yarn")
    assert ace("playbook", "sync", "--json").json["changed"] is True
    assert "- Use yarn" in file.read_text()
    assert ace("playbook", "sync", "--remove").code == 0
    assert (file.read_bytes() if file.exists() else None) == theirs


def test_agents_md_where_that_is_what_there_is_and_words_behind_the_section_stay(ace: Ace) -> None:
    file = ace.host.project / "AGENTS.md"
    file.write_text("A\n")
    ace("playbook", "sync")
    file.write_text(f"{file.read_text()}B\n")
    ace("playbook", "sync", "--remove")
    assert file.read_text() == "A\nB\n"


def test_what_leads_out_or_is_half_a_section_is_left_alone(ace: Ace, tmp_path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("theirs")
    os.symlink(outside, ace.host.project / "CLAUDE.md")
    assert "leads out of the project" in ace("playbook", "sync").err
    assert outside.read_text() == "theirs"
    broken = ace.host.project / "AGENTS.md"
    broken.write_text("A\n<!-- ace-reflect: end -->\n")
    wrong = ace("playbook", "sync", "--file", "AGENTS.md")
    assert (wrong.code, "do not pair" in wrong.err) == (2, True)
