"""The project's own words: added to the prompt, kept for a minute, never followed out of the project."""

import os
from pathlib import Path

import pytest

from ace_reflect.assess.instructions import NAMES, project_texts, read_instructions, read_rubric
from ace_reflect.paths import leads_into
from ace_reflect.state.db import State


def test_both_texts_are_read_and_kept_for_a_minute(state: State, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    (tmp_path / "reflection.md").write_text("Ask for a changelog line.")
    first = project_texts(state, str(tmp_path), now=1000.0)
    (tmp_path / "AGENTS.md").write_text("Use spaces.")

    assert (first.instructions, first.rubric) == ("Use tabs.", "Ask for a changelog line.")
    assert project_texts(state, str(tmp_path), now=1059.0) == first
    assert project_texts(state, str(tmp_path), now=1061.0).instructions == "Use spaces."


def test_a_project_without_them_has_none(state: State, tmp_path: Path) -> None:
    assert project_texts(state, str(tmp_path / "nowhere"), now=0.0).rubric == ""


def test_a_link_a_folder_and_a_pipe_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the person's own")
    place = tmp_path / "reflection.md"
    place.symlink_to(secret)
    assert read_rubric(str(tmp_path)) == ""
    place.unlink()
    place.mkdir()
    assert read_rubric(str(tmp_path)) == ""
    place.rmdir()
    os.mkfifo(place)
    assert read_rubric(str(tmp_path)) == ""


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


def test_a_long_text_keeps_its_beginning_and_its_end(state: State, tmp_path: Path) -> None:
    (tmp_path / "reflection.md").write_text("begin " + "x" * 50_000 + " end")

    rubric = project_texts(state, str(tmp_path), now=0.0).rubric

    assert rubric.startswith("begin")
    assert rubric.endswith("end")
    assert len(rubric) < 6_200


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


class TestInstructions:
    def test_those_of_the_folders_above_come_first(self, tmp_path: Path) -> None:
        lay(
            tmp_path,
            {
                "CLAUDE.md": "Be kind.",
                "app/AGENTS.md": "Be quick.",
                "app/CLAUDE.local.md": "Be me.",
            },
        )
        lay(tmp_path, {".git/HEAD": "ref: refs/heads/main\n"})
        (tmp_path / "app/CLAUDE.md").symlink_to("AGENTS.md")

        assert read_instructions(str(tmp_path / "app")) == "Be kind.\n\nBe quick.\n\nBe me."

    def test_no_link_out_of_the_repository_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "secret.md").write_text("The password is hunter2.")
        lay(tmp_path / "repo", {"src/a.py": ""})
        (tmp_path / "repo/CLAUDE.md").symlink_to(tmp_path / "secret.md")

        assert read_instructions(str(tmp_path / "repo")) == ""

    def test_a_huge_file_is_cut(self, tmp_path: Path) -> None:
        lay(tmp_path, {"CLAUDE.md": "x" * 1_000_000})

        assert len(read_instructions(str(tmp_path))) == 64_000


def test_a_path_that_leaves_its_folder_by_a_link_is_told(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "out").symlink_to(tmp_path)

    assert leads_into(str(tmp_path / "in" / "a"), str(tmp_path / "in"))
    assert not leads_into(str(tmp_path / "in" / "out" / "a"), str(tmp_path / "in"))
    assert not leads_into(os.fspath(tmp_path / "inner"), str(tmp_path / "in"))
