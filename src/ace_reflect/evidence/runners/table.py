"""Which file reads which runner, and the words one of which must occur in an output for it to be asked."""

from ace_reflect.values import Value


class Family(Value):
    module: str
    runners: tuple[str, ...]  # the names `commands.classify` gives
    signs: tuple[str, ...]


#: In the order of trust: where two read the same line, the first has it.
TESTS: tuple[Family, ...] = (
    Family(
        module="pytest",
        runners=("pytest", "py.test"),
        signs=(
            " passed",
            " failed",
            " error",
            "no tests ran",
            " collected",
            " skipped",
            " deselected",
            "::",
            "Interrupted",
            "xfailed",
        ),
    ),
    Family(
        module="unittest",
        runners=("unittest", "nose", "nose2", "nosetests", "django", "manage.py test", "green", "shunit2"),
        signs=("Ran ", "FAILED (", "NO TESTS RAN"),
    ),
    Family(
        module="jest",
        runners=("jest", "react-scripts test"),
        signs=("Tests:  ", "Test Suites:", "No tests found", "FAIL ", "PASS ", "Jest:"),
    ),
    Family(
        module="vitest",
        runners=("vitest",),
        signs=(" Test Files  ", " Tests  ", "No test files found", " FAIL  ", " ✓ "),
    ),
    Family(module="mocha", runners=("mocha",), signs=(" passing", " failing", "No test files found")),
    Family(
        module="bun",
        runners=("bun test", "bun"),
        signs=(" pass\n", " fail\n", "Ran ", "No tests found!", "test files matching", " pass", " fail"),
    ),
    Family(module="go", runners=("go test",), signs=("ok  \t", "FAIL", "--- ", "[no test", '"Action":', "ok  ")),
    Family(
        module="cargo",
        runners=("cargo test", "cargo"),
        signs=("test result: ", "could not compile", "error: test failed", "no test target"),
    ),
)
CHECKS: tuple[Family, ...] = ()


def modules_of(runner: str) -> frozenset[str]:
    """The files that read a runner's output; empty where the name tells none (`make test`, `npm test`)."""
    return _BY_RUNNER.get(runner) or _BY_RUNNER.get(runner.partition(" ")[0]) or frozenset()


def _by_runner() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for family in (*TESTS, *CHECKS):
        for name in family.runners:
            table[name] = table.get(name, frozenset()) | {family.module}
    return table


_BY_RUNNER = _by_runner()
