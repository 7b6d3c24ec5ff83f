"""dotnet test: VSTest, the Microsoft Testing Platform, and the terminal logger of SDK 8 to 10."""

from ace_reflect import regex as re
from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_VSTEST = Late(
    r"^ *(Passed|Failed|Skipped)! {1,4}- Failed: {1,8}(\d{1,7}), Passed: {1,8}(\d{1,7}), Skipped: {1,8}(\d{1,7}), Total: {1,8}(\d{1,7})",
    needs=(", Skipped:", ", Total:"),
)
_LOGGER = Late(
    r"^ *Test summary: total: (\d{1,7}), failed: (\d{1,7}), succeeded: (\d{1,7}), skipped: (\d{1,7})",
    needs=(", failed: ", ", skipped: "),
)
_MTP = Late(
    r"^ *Test run summary: (Passed!|Failed!|Zero tests ran|Aborted)",
    needs=(
        "Test run summary: Aborted|Test run summary: Failed!|Test run summary: Passed!|Test run summary: Zero tests ran",
    ),
)
_RUN = Late(
    r"^ *Test Run (Successful|Failed|Aborted)\.?$",
    needs=("Test Run Aborted|Test Run Failed|Test Run Successful",),
)
_COUNT = Late(
    r"^ {0,8}(total|failed|succeeded|passed|skipped|total tests): {1,8}(\d{1,7})$",
    re.IGNORECASE,
    needs=("failed:|passed:|skipped:|succeeded:|total tests:|total:",),
)
_NONE = Late(
    r"^ *(?:No test is available in |No test matches the given testcase filter|Zero tests ran)",
    needs=("No test is available in |No test matches the given testcase filter|Zero tests ran",),
)
_BUILD = Late(
    r"^ *(?:Build FAILED\.|Build failed with \d{1,6} error|.{1,300}: error (?:CS|FS|BC|MSB|NU|NETSDK)\d{2,5}: )|^MSBUILD : error ",
    needs=(
        ": error BC|: error CS|: error FS|: error MSB|: error NETSDK|: error NU|Build FAILED.|Build failed with |MSBUILD : error ",
    ),
)
# Any other language: a verdict and an exclamation mark, then what failed, passed, was skipped, and all of them together.
_TRANSLATED = Late(
    r"^ *\D{2,20}! {0,4}\D{2,40}(\d{1,7})\D{2,40}(\d{1,7})\D{2,40}(\d{1,7})\D{2,40}(\d{1,7})\D.{2,60} - .{1,250}\.(?:dll|exe) \(net",
    needs=("!", " - ", ".dll (net|.exe (net"),
)
# The same of the terminal logger ("gesamt: 12; fehlgeschlagen: 0; erfolgreich: 12; …"): all of them first, a time last.
_TRANSLATED_LOGGER = Late(
    r"^ *[^\W\d]\D{2,40}: ?\D{2,30}(\d{1,7})\D{2,30}(\d{1,7})\D{2,30}(\d{1,7})\D{2,30}(\d{1,7})\D{2,30}\d{1,7}[.,]\d{1,3} ?[^\W\d]{1,10}$",
    needs=(":", ".|,"),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    told = False
    for found in _english(text):
        told = True
        yield found
    if not told:
        yield from _translated(text, hinted)


def _translated(text: Text, hinted: bool) -> "Iterator[Summary]":
    """The numbers stand in the same order in every language; that they add up proves that it is this line."""
    for index, line in enumerate(text.lines):
        total = failed = passed = skipped = 0
        if match := _TRANSLATED.match(line):
            failed, passed, skipped, total = map(int, match.groups())
        elif hinted and (match := _TRANSLATED_LOGGER.match(line)):
            total, failed, passed, skipped = map(int, match.groups())
        if match and total == failed + passed + skipped:
            tally = Tally(passed=passed, failed=failed, skipped=skipped)
            yield closing("dotnet test", line, index, tally, open_ended="! " in line)


def _english(text: Text) -> "Iterator[Summary]":
    for index, line in text.having(
        "! ", "Test summary:", "Test run summary:", "Test Run ", "No test ", "Zero tests ran", "Build ", "error "
    ):
        found = _one(text, index, line)
        if found:
            yield found


def _one(text: Text, index: int, line: str) -> Summary | None:
    if match := _VSTEST.match(line):
        failed, passed, skipped, _ = (int(number) for number in match.groups()[1:])
        return closing(
            "dotnet test",
            line,
            index,
            Tally(passed=passed, failed=failed, skipped=skipped),
            failed=match[1] == "Failed",
            open_ended=True,
        )
    if match := _LOGGER.match(line):
        _, failed, passed, skipped = (int(number) for number in match.groups())
        return closing("dotnet test", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
    if match := _MTP.match(line) or _RUN.match(line):
        return _block(text, index, line, match[1])
    if _NONE.match(line):
        return closing("dotnet test", line, index, vacuous="no tests found")
    if _BUILD.match(line):
        return closing("dotnet test", line, index, failed=True, wrapper=True)
    return None


def _block(text: Text, index: int, line: str, word: str) -> Summary:
    """A verdict with its counts on the lines that follow."""
    counts: dict[str, int] = {}
    for _, follows in text.near(index, 6):
        if match := _COUNT.match(follows):
            counts[match[1].lower()] = int(match[2])
    failed = word.startswith(("Failed", "Aborted"))
    if not counts:
        return closing(
            "dotnet test", line, index, failed=failed, vacuous="no tests ran" if word.startswith("Zero") else ""
        )
    tally = Tally(
        passed=counts.get("succeeded", counts.get("passed", 0)),
        failed=counts.get("failed", 0),
        skipped=counts.get("skipped", 0),
    )
    return closing(
        "dotnet test",
        f"{line}: " + ", ".join(f"{name} {number}" for name, number in counts.items()),
        index,
        tally,
        failed=failed,
    )
