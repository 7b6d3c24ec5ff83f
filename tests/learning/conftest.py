import pytest

from support.hooks import host
from support.messages_api import MessagesApi

__all__ = ["host"]


@pytest.fixture
def asked_by_environment(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Anthropic API as the environment names it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("ACE_REFLECT_RETRY_BASE_S", "0.01")
