import pytest

from ace_reflect import log
from ace_reflect.install.registration import EVENTS
from support.cli import ace
from support.hooks import Host, host

__all__ = ["ace", "host"]

#: What a mistake in our code raises; what a broken file, a full disk or a locked state raises is another thing.
MISTAKES = set(
    "AssertionError AttributeError IndexError KeyError NameError TypeError UnboundLocalError".split()
)


@pytest.fixture(autouse=True)
def no_mistake_of_ours(request):
    """A hook that fails is silent, as one that has nothing to say is: the log tells them apart."""
    host: Host | None = request.getfixturevalue("host") if "host" in request.fixturenames else None
    yield
    if host is not None and host.home.is_dir():
        rows = [
            row for row in log.entries(str(host.home)) if row.get("event") in {*EVENTS, "Assess"}
        ]
        assert [row for row in rows if row.get("error") in MISTAKES] == []
