"""What every test gets: a home of its own, no keys, no colour, and the fixtures that stand on real files."""

import gc
import itertools
import os
import signal
import ssl
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from support.messages_api import MessagesApi

pytest_plugins = ["support.figures"]

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
OURS = ("ANTHROPIC_", "AGENTIC_CONTEXT_", "OPENAI_", "CLAUDE", "ACE_REFLECT_", "REFLECTION_", "FORCE_COLOR")  # fmt: skip


# How long one case takes tells how busy the machine is; what must not be slow has tests of its own.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

# Each client of an SDK reads all certificates there are, for a tenth of a second; what tests ask is on loopback, in plain HTTP.
ssl.SSLContext.load_verify_locations = lambda *_, **__: None

# Run in the background of a shell, where SIGINT is ignored: programs under test would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--e2e", action="store_true", help="also run the tests that drive the real CLIs"
    )
    parser.addoption("--long", action="store_true", help="also run the tests with many rounds")
    parser.addoption("--req", default=None, help="only the tests that hold this specification id")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for by deselecting it: a skipped test looks like one that passed."""
    wanted = config.getoption("--req")
    kept, left_out = [], []
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        ids = {spec_id for mark in item.iter_markers("req") for spec_id in mark.args}
        out = (
            ("e2e" in marks and not config.getoption("--e2e"))
            or ("long" in marks and not config.getoption("--long"))
            or ("shared" in marks and not SHARED.is_dir() and not os.environ.get("CI"))
            or (wanted is not None and wanted not in ids)
        )
        (left_out if out else kept).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = kept


def pytest_collection_finish() -> None:
    """What stands by now stays to the end: the collector need not look through it again and again."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure's text may hold half a surrogate: no worker could send it, and the failure would be lost with the worker."""
    report = yield
    told = str(report.longrepr) if report.failed else ""
    printable = told.encode("utf-8", "backslashreplace").decode()
    if printable != told:
        report.longrepr = printable
    return report


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the tests' homes stand, to be taken one by one. (`mktemp` would look at all earlier ones, thousands of times.)"""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, homes: Iterator[Path]) -> None:
    """No key, no colour, and a home that nobody shares: a test that forgets to name one must not touch the person's."""
    for name in list(os.environ):
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    home = next(homes)
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def api() -> Iterator["MessagesApi"]:
    """A scripted model behind real HTTP on loopback."""
    from support.messages_api import MessagesApi

    with MessagesApi() as server:
        yield server


@pytest.fixture
def asked_by_environment(api: "MessagesApi", monkeypatch: pytest.MonkeyPatch) -> None:
    """The Anthropic API as the environment names it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
    monkeypatch.setenv("ACE_REFLECT_RETRY_BASE_S", "0.01")


@pytest.fixture
def shared_dir() -> Path:
    """The labelled transcripts beside the checkout. Deselected in a plain clone; a failure where CI should have them."""
    assert SHARED.is_dir(), "the labelled transcripts are not beside the checkout"
    return SHARED
