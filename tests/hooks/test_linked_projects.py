"""A project by two names (/tmp/app and /private/tmp/app on macOS, a link anywhere): what the host says and what was typed."""

from pathlib import Path

import pytest

from support.hooks import Host
from support.stops import PASSED, Session, python_project


@pytest.fixture
def link(host: Host, tmp_path: Path) -> Path:
    python_project(host)
    place = tmp_path / "by another name"
    place.symlink_to(host.project)
    return place


def test_work_in_a_project_that_the_host_names_by_a_link_is_asked_for_its_tests(
    host: Host, link: Path
) -> None:
    host.environ["CLAUDE_PROJECT_DIR"] = str(link)
    session = Session(host).ask("Fix the parser").code()

    assert session.stop_hook().json["decision"] == "block"
    assert "done and proven" in session.bash("pytest -q", PASSED).stop_hook().json["systemMessage"]


def test_work_that_the_transcript_tells_of_by_a_link_is_asked_for_its_tests(
    host: Host, link: Path
) -> None:
    session = Session(host).ask("Fix the parser")
    session.cwd = str(link)
    session.lines.clear()  # the host has that name from its first line on
    session.prompt("Fix the parser").edit(f"{link}/src/app.py")

    assert session.stop_hook().json["decision"] == "block"
    assert "done and proven" in session.bash("pytest -q", PASSED).stop_hook().json["systemMessage"]


def test_an_edit_beside_the_project_is_still_none_of_it(
    host: Host, link: Path, tmp_path: Path
) -> None:
    host.environ["CLAUDE_PROJECT_DIR"] = str(link)
    (tmp_path / "other").mkdir()

    assert (
        Session(host)
        .ask("Try it out")
        .edit(f"{tmp_path}/other/trial.py")
        .stop_hook()
        .json.get("decision")
        is None
    )


def test_a_home_that_is_the_projects_own_folder_brings_its_key_points_once(host: Host) -> None:
    host.write_playbook(
        {"OTHERS": [{"name": "oth-001", "text": "Run the tests.", "helpful": 0, "harmful": 0}]}
    )

    answered = host.prompt("Fix it", env={"ACE_REFLECT_HOME": str(host.project / ".claude")})

    assert answered.context.count("Run the tests.") == 1
