"""What people are shown is their own clock's time, from whatever place it was recorded in."""

import time

import pytest

from ace_reflect.cli.times import local
from support.cli import Ace


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2026-11-22T14:22:08Z", "2026-11-22 09:22"),
        ("2026-07-01T02:00:00+00:00", "2026-06-30 22:00"),
        ("2026-11-22T14:22:08.123Z", "2026-11-22 09:22"),
        ("", ""),
        ("no time", "no time"),
    ],
)
def test_a_time_in_utc_becomes_the_local_one(new_york, text, shown):
    assert local(text) == shown


def test_every_page_tells_the_same_time(new_york, ace: Ace) -> None:
    before = time.strftime("%Y-%m-%d %H:%M")
    ace("playbook", "add", "Use uv")
    pages = [
        ace("playbook", "history").out,
        ace("playbook", "diff").err,
        ace("playbook", "why", "pref-001").out,
    ]
    after = time.strftime("%Y-%m-%d %H:%M")

    assert all(before in page or after in page for page in pages)
    assert "UTC" not in "".join(pages)
