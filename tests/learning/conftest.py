from collections.abc import Iterator

import pytest

from ace_reflect.learning.lesson import Options
from ace_reflect.learning.pipeline import Report, learn
from ace_reflect.state.db import State, open_state
from support.hooks import Host, host
from support.transcripts import TranscriptBuilder

__all__ = ["host"]

POINTS = {
    "PATTERNS & APPROACHES": [
        {"name": "pat-001", "text": "Run the tests.", "helpful": 1, "harmful": 0},
        {"name": "pat-002", "text": "Use npm for packages.", "helpful": 0, "harmful": 2},
    ]
}


@pytest.fixture
def state(host: Host) -> Iterator[State]:
    with open_state(str(host.home), durable=True) as made:
        yield made


@pytest.fixture
def session(host: Host) -> TranscriptBuilder:
    """A session in a project whose playbook holds `POINTS`."""
    host.write_playbook(POINTS)
    return TranscriptBuilder(host.transcript(), cwd=str(host.project))


@pytest.fixture
def run(host: Host, state: State, session: TranscriptBuilder):
    """Learn from the session as it is now, offline unless `models` says otherwise."""

    def learn_now(path: object = None, *, saving=lambda: None, **more: object) -> Report:
        given = {"home_dir": str(host.home), "project": str(host.project), "environ": {}, **more}
        return learn(state, str(path or session.write()), Options(**given), saving)

    return learn_now
