"""An asker behind a scripted endpoint."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ace_reflect.assess.role import Asker, asker_for
from ace_reflect.state.db import State, open_state
from support.hooks import host
from support.messages_api import MessagesApi

__all__ = ["host"]

MODEL = "anthropic/claude-sonnet-4-5"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with open_state(str(tmp_path / "home")) as opened:
        yield opened


@pytest.fixture
def asker(api: MessagesApi, state: State, tmp_path: Path) -> Callable[..., Asker]:
    """`asker(models=…, within_s=…, ACE_REFLECT_…=…)`: someone who asks the scripted endpoint."""

    def make(models: str = MODEL, within_s: float = 30.0, **environ: str) -> Asker:
        given = {"ANTHROPIC_BASE_URL": api.url, "OPENAI_BASE_URL": api.url + "/v1"}
        given |= dict.fromkeys(("ANTHROPIC_API_KEY", "OPENAI_API_KEY"), "sk-test-0123456789")
        given |= {"ACE_REFLECT_MODELS": models, "ACE_REFLECT_RETRY_BASE_S": "0.02", **environ}
        ends = time.monotonic() + within_s
        return asker_for(state, str(tmp_path), given, session="s1", ends=ends)

    return make
