"""The project's own words: added to the prompt, kept for a minute, never followed out of the project."""

import os
from pathlib import Path

import pytest

from ace_reflect.assess.instructions import NAMES, project_texts, read_instructions
from ace_reflect.state.db import State


def test_both_texts_are_read_and_kept_for_a_minute(state: State, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    (tmp_path / "reflection.md").write_text("Ask for a changelog line.")
    first = project_texts(state, str(tmp_path))
    (tmp_path / "AGENTS.md").write_text("Use spaces.")

    assert first == ("Use tabs.", "Ask for a changelog line.")
    assert project_texts(state, str(tmp_path)) == first
    state.run("UPDATE cache SET at = at - 60")
    assert project_texts(state, str(tmp_path)).instructions == "Use spaces."
    assert project_texts(state, str(tmp_path / "nowhere")).rubric == ""


@pytest.mark.parametrize(
    "make", [lambda place: place.symlink_to(place.parent / "secret"), Path.mkdir, os.mkfifo]
)
def test_a_link_a_folder_and_a_pipe_are_not_read(make, state, tmp_path):
    (tmp_path / "secret").write_text("the person's own")
    make(tmp_path / "reflection.md")

    assert project_texts(state, str(tmp_path)).rubric == ""


@pytest.mark.parametrize("name", NAMES)
def test_instructions_that_link_out_of_the_project_are_not_sent_to_a_model(name, state, tmp_path):
    """A clone's CLAUDE.md -> ~/.netrc."""
    (tmp_path / "secret").write_text("the person's own")
    project = tmp_path / "project"
    place = project / name
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "secret")
    assert project_texts(state, str(project)).instructions == ""
    place.unlink()
    state.run("DELETE FROM cache")
    (project / "docs.md").write_text("Use tabs.")
    place.symlink_to(project / "docs.md")
    assert project_texts(state, str(project)).instructions == "Use tabs."


def test_those_of_the_folders_above_come_first_and_a_huge_one_is_cut(tmp_path: Path) -> None:
    texts = {".git/HEAD": "ref: x\n", "CLAUDE.md": "Be kind.", "app/AGENTS.md": "Be quick.", "app/CLAUDE.local.md": "Be me."}  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "app/CLAUDE.md").symlink_to("AGENTS.md")

    assert read_instructions(str(tmp_path / "app")) == "Be kind.\n\nBe quick.\n\nBe me."
    (tmp_path / "CLAUDE.md").write_text("x" * 1_000_000)
    assert len(read_instructions(str(tmp_path))) == 64_000
