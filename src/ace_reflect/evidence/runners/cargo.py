"""cargo test (libtest) and cargo nextest."""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, counts_in
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_RESULT = Late(
    r"^test result: (ok|FAILED)\. (\d{1,7}) passed; (\d{1,7}) failed; (\d{1,7}) ignored; (\d{1,7}) measured(?:; (\d{1,7}) filtered out)?",
    needs=(" ignored; ", " failed; "),
)
_ERROR = Late(
    r"^error(?:\[E\d{4}\])?: (?:test failed, to rerun pass|\d+ targets? failed:|doctest failed|could not (?:compile|document) )|^error: test run failed$",
    needs=(
        "error",
        " target failed:| targets failed:|: test run failed|could not compile |could not document |doctest failed|test failed, to rerun pass",
    ),
)
_NEVER = Late(
    r"^error: (?:no (?:test|bin|example|library) targets? (?:named|found)|no tests to run|could not find `Cargo\.toml`|no such command|package ID specification|unexpected argument)",
    needs=(
        "error: could not find `Cargo.toml`|error: no bin target found|error: no bin target named|error: no bin targets found|error: no bin targets named|error: no example target found|error: no example target named|error: no example targets found|error: no example targets named|error: no library target found|error: no library target named|error: no library targets found|error: no library targets named|error: no such command|error: no test target found|error: no test target named|error: no test targets found|error: no test targets named|error: no tests to run|error: package ID specification|error: unexpected argument",
    ),
)
_NEXTEST = Late(
    r"^ *Summary \[ *[\d.]{1,12}s\] +(\d{1,7})(?:/(\d{1,7}))? tests? run: (.{1,200})$",
    needs=("Summary [", " test run: | tests run: "),
)
_SINGLE = Late(r"^test \S.{0,300} \.\.\. FAILED$", needs=(" ... FAILED", "test "))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    told = False
    for index, line in text.having("test result: ", "error", "Summary ["):
        found = _one(line, index)
        if found:
            told = told or not found.wrapper
            yield found
    if not told:
        for index, line in text.having("... FAILED"):
            if _SINGLE.match(line):
                yield closing("cargo test", line, index, failed=True, partial=True)


def _one(line: str, index: int) -> Summary | None:
    if match := _RESULT.match(line):
        passed, failed, ignored, measured, filtered = (int(number or 0) for number in match.groups()[1:])
        tally = Tally(passed=passed + measured, failed=failed, skipped=ignored, deselected=filtered)
        return closing("cargo test", line, index, tally, failed=match[1] != "ok", open_ended=True)
    if match := _NEXTEST.match(line):
        counts = counts_in(match[3])
        failed = added(counts, "failed", "timed out", "exec failed")
        tally = Tally(passed=counts.get("passed", 0), failed=failed, skipped=counts.get("skipped", 0))
        return closing("cargo nextest", line, index, tally)
    if _ERROR.match(line):
        return closing("cargo test", line, index, failed=True, wrapper=True)
    if _NEVER.match(line):
        return closing("cargo test", line, index, vacuous="no tests to run")
    return None
