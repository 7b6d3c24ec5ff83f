"""The project's own words: added to the prompt, kept for a minute, never followed out of the project."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ace_reflect.assess.instructions import NAMES, project_texts, read_instructions
from ace_reflect.state.db import State


def test_both_texts_are_read_and_kept_for_a_minute(state: State, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    (tmp_path / "reflection.md").write_text("Ask for a changelog line.")
    first = project_texts(state, str(tmp_path), now=960.0)
    (tmp_path / "AGENTS.md").write_text("Use spaces.")

    assert first == ("Use tabs.", "Ask for a changelog line.")
    assert project_texts(state, str(tmp_path), now=1019.0) == first
    assert project_texts(state, str(tmp_path), now=1020.0).instructions == "Use spaces."
    assert project_texts(state, str(tmp_path / "nowhere"), now=0.0).rubric == ""


@pytest.mark.parametrize(
    "make", [lambda place: place.symlink_to(place.parent / "secret"), Path.mkdir, os.mkfifo]
)
def test_a_link_a_folder_and_a_pipe_are_not_read(
    make: Callable[[Path], None], state: State, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("the person's own")
    make(tmp_path / "reflection.md")

    assert project_texts(state, str(tmp_path)).rubric == ""


@pytest.mark.parametrize("name", NAMES)
def test_instructions_that_are_a_link_out_of_the_project_are_not_sent_to_a_model(
    name: str, state: State, tmp_path: Path
) -> None:
    """A clone's CLAUDE.md -> ~/.netrc."""
    (tmp_path / "secret").write_text("the person's own")
    project = tmp_path / "project"
    place = project / name
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "secret")
    assert project_texts(state, str(project), now=0.0).instructions == ""
    place.unlink()
    (project / "docs.md").write_text("Use tabs.")
    place.symlink_to(project / "docs.md")
    assert project_texts(state, str(project), now=100.0).instructions == "Use tabs."


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_those_of_the_folders_above_come_first(tmp_path: Path) -> None:
    texts = {"CLAUDE.md": "Be kind.", "app/AGENTS.md": "Be quick.", "app/CLAUDE.local.md": "Be me."}
    lay(tmp_path, {**texts, ".git/HEAD": "ref: refs/heads/main\n"})
    (tmp_path / "app/CLAUDE.md").symlink_to("AGENTS.md")

    assert read_instructions(str(tmp_path / "app")) == "Be kind.\n\nBe quick.\n\nBe me."


def test_a_huge_file_is_cut(tmp_path: Path) -> None:
    lay(tmp_path, {"CLAUDE.md": "x" * 1_000_000})

    assert len(read_instructions(str(tmp_path))) == 64_000
