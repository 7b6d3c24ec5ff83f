"""
Home-made test scripts that close in plain words: "12 passed, 0 failed", "All 5 tests passed"; a make that had nothing to do.
Asked last of all.
"""

from ace_reflect import regex as re
from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text, first_match
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAD = r"^\W{0,20}(?:(?:results?|summary|total|tests?|test results?|test summary|done|final|overall)\W{1,4}){0,2}"
_THING = r"(?:tests? |checks? |assertions? |cases? |scenarios? )?"
_PATTERNS = (
    Late(
        rf"{_LEAD}(?P<passed>\d{{1,6}}) {_THING}(?:passed|passing|succeeded|ok|pass)\W{{1,5}}(?:and )?(?P<failed>\d{{1,6}}) {_THING}(?:failed|failing|failures?|fail|errors?)\b"
        r"(?:\W{1,5}(?P<skipped>\d{1,6}) (?:skipped|ignored|pending)\b)?.{0,80}$",
        re.IGNORECASE,
        needs=("error|fail", " ok| pass| succeeded"),
    ),
    # the closing lines of pytest and vitest without their time or their columns, as a wrapper or a person repeats them
    Late(
        rf"{_LEAD}(?P<failed>\d{{1,6}}) failed(?: \||,) (?P<passed>\d{{1,6}}) passed\b(?:, (?P<skipped>\d{{1,6}}) skipped\b)?.{{0,80}}$",
        re.IGNORECASE,
        needs=(" failed", " passed"),
    ),
    Late(
        r"^={0,17}=== (?P<passed>\d{1,6}) passed(?:, (?P<skipped>\d{1,6}) skipped)?(?:, \d{1,6} warnings?)? ={3,20}$",
        needs=("=== ", " passed"),
    ),
    Late(
        rf"{_LEAD}(?P<passed>\d{{1,6}}) passed \((?P<total>\d{{1,6}})\)$",
        re.IGNORECASE,
        needs=(" passed (",),
    ),
    # with the total behind them no other words are needed: "Pester scripts/tests: 247 passed / 0 failed / 247 total"
    Late(
        rf"^(?:.{{0,100}}[^\w.,])?(?P<passed>\d{{1,6}}) {_THING}passed\W{{1,5}}(?P<failed>\d{{1,6}}) {_THING}failed\W{{1,5}}(?:(?P<skipped>\d{{1,6}}) skipped\W{{1,5}})?(?P<total>\d{{1,6}}) total\W{{0,5}}$",
        re.IGNORECASE,
        needs=(" passed", " failed", " total"),
    ),
    Late(
        rf"{_LEAD}(?:\d{{1,6}}\W{{1,6}})?{_THING}pass(?:ed)?\W{{1,4}}(?P<passed>\d{{1,6}})\W{{1,6}}{_THING}fail(?:ed|ures)?\W{{1,4}}(?P<failed>\d{{1,6}})\b.{{0,80}}$",
        re.IGNORECASE,
        needs=("fail", "pass"),
    ),
    Late(
        rf"{_LEAD}(?P<passed>\d{{1,6}}) ?/ ?(?P<total>\d{{1,6}}) {_THING}(?:passed|passing|succeeded|ok)\b.{{0,40}}$",
        re.IGNORECASE,
        needs=(" ok| passed| passing| succeeded",),
    ),
    Late(
        rf"{_LEAD}(?P<failed>\d{{1,6}})(?: (?:of|/) (?P<total>\d{{1,6}}))? (?:tests?|checks?|assertions?|cases?) failed\b.{{0,40}}$",
        re.IGNORECASE,
        needs=(
            " assertion failed| assertions failed| case failed| cases failed| check failed| checks failed| test failed| tests failed",
        ),
    ),
    Late(
        rf"{_LEAD}(?P<total>\d{{1,6}}) (?:tests?|checks?|assertions?|cases?)\W{{1,3}}(?P<failed>\d{{1,6}}) (?:failed|failures?)\b.{{0,40}}$",
        re.IGNORECASE,
        needs=("test|check|assertion|case", " failed| failure"),
    ),
    Late(
        rf"{_LEAD}all (?:(?P<passed>\d{{1,6}}) )?(?:\w{{1,20}} )?(?:tests?|checks?|assertions?|cases?|suites?) (?:have |were |are )?(?:passed|pass|passing|succeeded|ok|green)\b.{{0,40}}$",
        re.IGNORECASE,
        needs=("all ", "assertion|case|check|suite|test"),
    ),
)

#: What `| grep -oE '[0-9]+ (passed|failed)'` leaves of a closing line; no more lines than it has counts.
_BARE = Late(r"(?P<number>\d{1,6}) (?P<word>passed|failed|errors?|skipped|deselected|xfailed|xpassed)")
_MOST_COUNTS = 6


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    patterns = text.possible(_PATTERNS)
    for index, line in enumerate(text.lines if patterns else ()):
        if not line or len(line) > 200:
            continue
        if match := first_match(patterns, line):
            yield _run(match, line, index)
    yield from _bare_counts(text)
    yield from _made_nothing(text) if "\nmake: " in text.whole or "\ngmake: " in text.whole else ()


def _bare_counts(text: Text) -> "Iterator[Summary]":
    """An output of counts alone, each on a line; those that are missing may have been left out on the way."""
    said = [line.strip() for line in text.lines if line.strip()]
    found = [_BARE.fullmatch(line) for line in said[: _MOST_COUNTS + 1]]
    counts = {match["word"]: int(match["number"]) for match in found if match is not None}
    if not said or len(counts) != len(said):
        return
    failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    tally = Tally(passed=counts.get("passed", 0), failed=failed, skipped=counts.get("skipped", 0))
    yield closing("script", ", ".join(said), len(text.lines) - 1, tally, open_ended=not failed)


def _made_nothing(text: Text) -> "Iterator[Summary]":
    """In any language: make prints one line of its own and no recipe (`make: „test“ ist bereits aktuell.`)."""
    said = [(index, line) for index, line in enumerate(text.lines) if line]
    if len(said) == 1 and said[0][1].startswith(("make: ", "gmake: ")):
        index, line = said[0]
        if "***" not in line and "arning" not in line:
            yield closing("make", line, index, vacuous="nothing was run", wrapper=True)


def _run(match: "re.Match[str]", line: str, index: int) -> Summary:
    named = match.groupdict()
    passed, failed, total = (int(named[name]) if named.get(name) else None for name in ("passed", "failed", "total"))
    if failed is None and passed is not None and total is not None:
        failed = max(total - passed, 0)
    elif passed is None and failed is not None and total is not None:
        passed = max(total - failed, 0)
    skipped = int(named["skipped"]) if named.get("skipped") else None
    tally = Tally(passed=passed, failed=failed, skipped=skipped)
    return closing("script", line, index, tally, passed=passed is None and not failed)
