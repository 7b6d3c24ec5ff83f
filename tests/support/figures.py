"""What the fault and fuzz tests counted, said at the end of the run: a test that met nothing proves nothing."""

from collections import Counter
from typing import Any

import pytest

_counted: Counter[str] = Counter()


def add(what: str, number: int = 1) -> None:
    _counted[what] += number


def pytest_sessionfinish(session: pytest.Session) -> None:
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["figures"] = dict(_counted)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _counted.update(getattr(node, "workeroutput", {}).get("figures", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if _counted:
        terminalreporter.section("figures")
        for what, number in sorted(_counted.items()):
            terminalreporter.write_line(f"{number:>9,}  {what}")
