"""gotestsum and Ginkgo: they run `go test` and close in their own words."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DONE = Late(
    r"^DONE (?:(\d{1,3}) runs?, )?(\d{1,7}) tests?(?:, (\d{1,7}) skipped)?(?:, (\d{1,7}) failures?)?(?:, (\d{1,7}) errors?)? in [\d.]{1,12}s$",
    needs=("DONE ", " test"),
)
_GINKGO = Late(
    r"^(SUCCESS|FAIL)! -- (\d{1,6}) Passed \| (\d{1,6}) Failed \| (?:\d{1,6} Flaked \| )?(\d{1,6}) Pending \| (\d{1,6}) Skipped",
    needs=(" Skipped",),
)
_SUITE = Late(
    r"^Test Suite (Passed|Failed)$|^Ginkgo run failed|^Failed to compile \S",
    needs=("Failed to compile |Ginkgo run failed|Test Suite Failed|Test Suite Passed",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    yield from _gotestsum(text) if _DONE.may_match(text.whole) else ()
    for index, line in text.having("! -- ", "Test Suite ", "Ginkgo run failed", "Failed to compile"):
        if match := _GINKGO.match(line):
            passed, failed, pending, skipped = (int(number) for number in match.groups()[1:])
            tally = Tally(passed=passed, failed=failed, skipped=pending + skipped)
            yield closing("ginkgo", line, index, tally, failed=match[1] == "FAIL", open_ended=True)
        elif match := _SUITE.match(line):
            yield closing("ginkgo", line, index, failed=match[1] != "Passed", wrapper=True)


def _gotestsum(text: Text) -> "Iterator[Summary]":
    """
    Its last word of each call. With `--rerun-fails` that adds up all runs of the call, and what failed in the last of
    them is what it counts above the run before; where that is not shown, nobody knows which run they are of.
    """
    before = (0, 0)  # failures, errors
    tests = 0
    found: list[Summary] = []
    for index, line in text.having("DONE "):
        match = _DONE.match(line)
        if match is None:
            continue
        runs, total, skipped, failed, errors = (int(number or 0) for number in match.groups())
        if runs < 2:
            tests = total
            found.append(closing("gotestsum", line, index, Tally.of_all(tests, failed, skipped), failed=bool(errors)))
        elif found:
            tally = Tally.of_all(tests, failed - before[0], skipped)
            found[-1] = closing("gotestsum", line, index, tally, failed=errors > before[1])
        before = (failed, errors)
    yield from found
