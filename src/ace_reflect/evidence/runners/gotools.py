"""gotestsum and Ginkgo: they run `go test` and close in their own words."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DONE = Late(
    r"^DONE (?:\d{1,3} runs?, )?(\d{1,7}) tests?(?:, (\d{1,7}) skipped)?(?:, (\d{1,7}) failures?)?(?:, (\d{1,7}) errors?)? in [\d.]{1,12}s$",
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
    for index, line in text.having("DONE ", "! -- ", "Test Suite ", "Ginkgo run failed", "Failed to compile"):
        if match := _DONE.match(line):
            total, skipped, failed, errors = (int(number or 0) for number in match.groups())
            tally = Tally.of_all(total, failed, skipped)
            yield closing("gotestsum", line, index, tally, failed=bool(errors))
        elif match := _GINKGO.match(line):
            passed, failed, pending, skipped = (int(number) for number in match.groups()[1:])
            tally = Tally(passed=passed, failed=failed, skipped=pending + skipped)
            yield closing("ginkgo", line, index, tally, failed=match[1] == "FAIL", open_ended=True)
        elif match := _SUITE.match(line):
            yield closing("ginkgo", line, index, failed=match[1] != "Passed", wrapper=True)
