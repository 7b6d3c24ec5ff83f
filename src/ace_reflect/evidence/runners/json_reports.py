"""The counts of a report in JSON, whole or picked out by jq: jest, vitest, rspec, mocha, playwright."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, shown
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COUNT = Late(r'"([A-Za-z_]{4,32})" ?: ?(\d{1,7}|true|false)\b')
#: What a report calls its counts: those that must be there, then passed, failed, skipped and all.
_REPORTS = (
    (("numFailedTests",), "numPassedTests", "numFailedTests", "numPendingTests", "numTotalTests"),
    (("failure_count", "example_count"), "", "failure_count", "pending_count", "example_count"),
    (("passes", "failures", "tests"), "passes", "failures", "pending", "tests"),
    (("expected", "unexpected", "flaky"), "expected", "unexpected", "skipped", ""),
)
#: A file that did not load, an error outside of the examples; and the report's own word, as a count of what went wrong.
_BROKEN = ("numFailedTestSuites", "errors_outside_of_examples_count", "success")
_WORDS = {"true": "0", "false": "1"}
_KNOWN = frozenset((*_BROKEN, *(name for needed, *names in _REPORTS for name in (*needed, *names) if name)))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    counts: dict[str, int] = {}
    last = 0
    for index, line in text.having('":', '" :'):
        for name, number in _COUNT.findall(line):
            if name not in _KNOWN:
                continue
            if name in counts and (told := _report(counts, last)):  # the next package's report
                yield told
                counts = {}
            counts[name], last = int(_WORDS.get(number, number)), index
    if told := _report(counts, last):
        yield told


def _report(counts: dict[str, int], index: int) -> Summary | None:
    for needed, passed, failed, skipped, total in _REPORTS:
        if all(name in counts for name in needed):
            number = {"failed": counts[failed], "skipped": counts.get(skipped, 0)}
            of_all = passed not in counts and total in counts
            tally = Tally.of_all(counts[total], **number) if of_all else Tally(passed=counts.get(passed), **number)
            shown_as = {name: counts[name] for name in (passed, failed, skipped, total) if name in counts}
            return closing("json report", shown(shown_as), index, tally, failed=any(map(counts.get, _BROKEN)))
    return None
