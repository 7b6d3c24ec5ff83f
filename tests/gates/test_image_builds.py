"""Builds of a container's image beside the project's own, and builds that the environment kept from running."""

from pathlib import Path

import pytest

from ace_reflect.gates.judge import judge_stop
from ace_reflect.gates.model import EndState, Judgement, State, Verdict
from ace_reflect.project.infer import infer_project
from ace_reflect.settings import Settings
from support.ledgers import ledger_of, session
from support.transcripts import TranscriptBuilder

HOME = "/home/dev/project"
NO_NETWORK = (
    "ERROR: failed to solve: node:20: failed to resolve source metadata for docker.io/library/node:20: failed to do "
    "request: dial tcp: lookup registry-1.docker.io on 127.0.0.53:53: server misbehaving"
)
NO_DAEMON = "ERROR: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"
NO_MAVEN = (
    "[ERROR] Plugin org.apache.maven.plugins:maven-resources-plugin:3.3.1 or one of its dependencies could not be resolved: "
    "Could not transfer artifact from/to central: repo.maven.apache.org: Temporary failure in name resolution"
)
RED = 'ERROR: failed to solve: process "/bin/sh -c pip install ." did not complete successfully: exit code: 1'


def judged(built: TranscriptBuilder) -> Judgement:
    ledger = ledger_of(built)
    return judge_stop(ledger, infer_project(ledger), Settings())


def verdict_on(built: TranscriptBuilder) -> Verdict:
    return judged(built).verdict


def blamed(built: TranscriptBuilder) -> set[str]:
    return {finding.gate for finding in judged(built).findings if finding.state is State.DISPROVEN}


@pytest.mark.parametrize(
    ("path", "command", "shown"),
    [
        ("web/worker.ts", "docker build -t web .", NO_DAEMON),
        ("web/worker.ts", "docker build -t web .", NO_NETWORK),
        ("src/main/java/Order.java", "mvn -q package", NO_MAVEN),
    ],
)
def test_a_build_that_the_environment_kept_from_running_is_not_the_works_fault(
    tmp_path: Path, path: str, command: str, shown: str
) -> None:
    built = session(tmp_path).prompt("Log as JSON").edit(f"{HOME}/{path}").bash(command, shown, exit_code=1)

    verdict = verdict_on(built.say("It logs JSON now. I couldn't build it here: there is no network."))

    assert verdict.decision == "allow"
    assert verdict.end_state is EndState.WAITING_FOR_USER


def test_a_build_that_failed_for_the_work_is_pressed_whatever_failed_elsewhere_before(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Log as JSON").bash("docker build .", NO_DAEMON, exit_code=1)
    built.edit(f"{HOME}/web/worker.ts").bash("docker build .", RED, exit_code=1)

    assert verdict_on(built.say("It logs JSON now.")).decision == "block"


@pytest.mark.parametrize(
    "answer",
    [
        "Two stages now. The image builds cleanly.",
        "I split the Dockerfile in two; it builds successfully.",
        "The image is based on `python:3.12-alpine` now and builds successfully.",
        "Two stages now, and the Docker build succeeds.",
    ],
)
def test_an_image_said_to_build_whose_last_build_failed_is_contradicted(tmp_path: Path, answer: str) -> None:
    def stopped(*, mended: bool) -> str:
        built = session(tmp_path).prompt("Make the image smaller").edit(f"{HOME}/Dockerfile")
        built.bash("docker build .", RED, exit_code=1)
        if mended:
            built.edit(f"{HOME}/Dockerfile", "RUN apk add gcc\n", "RUN apk add gcc musl-dev\n")
        return verdict_on(built.say(answer)).decision

    assert stopped(mended=False) == "block"
    assert stopped(mended=True) == "allow"  # what it is set up with was changed since


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ("Bundled with vite, and the build passes. The Docker image couldn't be built: no network.", "allow"),
        ("The bundle builds successfully. I had no network for the Docker image.", "allow"),
        ("Bundled with vite. The Docker image builds successfully.", "block"),
    ],
)
def test_the_projects_own_build_and_its_image_are_two(tmp_path: Path, answer: str, decision: str) -> None:
    built = session(tmp_path).prompt("Bundle the worker with vite").edit(f"{HOME}/web/worker.ts")
    built.bash("npm run build", "✓ built in 2.31s").bash("docker build -t web .", NO_NETWORK, exit_code=1)

    assert verdict_on(built.say(answer)).decision == decision


@pytest.mark.parametrize(
    ("answer", "contradicted"),
    [
        ("The wheel builds successfully. The crate does not yet: its types are wrong.", False),
        ("On Linux it builds successfully, on macOS the linker fails.", False),
        ("It builds successfully. An empty name does not crash it any more.", True),
    ],
)
def test_an_answer_that_tells_of_the_build_that_fails_is_not_contradicted_for_another(
    tmp_path: Path, answer: str, contradicted: bool
) -> None:
    built = session(tmp_path).prompt("Port it to the next edition").edit(f"{HOME}/src/main.rs")
    built.bash("cargo build", 'error: could not compile `app` (bin "app") due to 1 previous error', exit_code=101)

    assert ("claims" in blamed(built.say(answer))) is contradicted
