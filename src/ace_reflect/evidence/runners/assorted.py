"""Runners whose closing is one line and fits no other family: Bazel, Foundry, Terraform, OPA, testthat, Julia, Elm, LuaUnit, uvu …"""

from ace_reflect.evidence.runners.model import Summary, Tally, added, closing, shown
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Their groups are passed, failed, skipped and total; "bad" is the runner's own word for a failure.
_LINES = (
    (
        "forge test",
        Late(
            r"^Ran \d{1,6} test suites? in .{1,60}: (?P<passed>\d{1,7}) tests passed, (?P<failed>\d{1,7}) failed, (?P<skipped>\d{1,7}) skipped",
            needs=(" tests passed, ", " failed, "),
        ),
    ),
    (
        "forge test",
        Late(
            r"^Suite result: (?:ok|(?P<bad>FAILED))\. (?P<passed>\d{1,7}) passed; (?P<failed>\d{1,7}) failed; (?P<skipped>\d{1,7}) skipped",
            needs=(" failed; ", " skipped"),
        ),
    ),
    (
        "terraform test",
        Late(
            r"^(?:Success!|(?P<bad>Failure!)) (?P<passed>\d{1,7}) passed, (?P<failed>\d{1,7}) failed(?:, (?P<skipped>\d{1,7}) skipped)?\.",
            needs=(" failed", " passed, "),
        ),
    ),
    (
        "testthat",
        Late(
            r"^\[ FAIL (?P<failed>\d{1,7}) \| WARN \d{1,7} \| SKIP (?P<skipped>\d{1,7}) \| PASS (?P<passed>\d{1,7}) \]$",
            needs=("[ FAIL ",),
        ),
    ),
    (
        "julia",
        Late(
            r"^(?P<bad>ERROR: LoadError: Some tests did not pass): (?P<passed>\d{1,7}) passed, (?P<failed>\d{1,7}) failed",
            needs=("ERROR: LoadError: Some tests did not pass", " failed"),
        ),
    ),
    ("julia", Late(r"^ *Testing (?:\S{1,100} tests passed) *$", needs=(" tests passed", "Testing "))),
    (
        "elm-test",
        Late(
            r"^TEST RUN (?:(?:PASSED)|(?P<bad>FAILED|INCOMPLETE))",
            needs=("TEST RUN FAILED|TEST RUN INCOMPLETE|TEST RUN PASSED",),
        ),
    ),
    (
        "luaunit",
        Late(
            r"^Ran (?P<total>\d{1,7}) tests in [\d.]{1,12} seconds, (?P<passed>\d{1,7}) success(?:es)?(?:, (?P<failed>\d{1,7}) (?:failures?|errors?))?",
            needs=(" seconds, ", " success"),
        ),
    ),
    (
        "conftest",
        Late(
            r"^(?P<total>\d{1,7}) tests?, (?P<passed>\d{1,7}) passed, \d{1,7} warnings?, (?P<failed>\d{1,7}) failures?",
            needs=(" passed, ", " failure"),
        ),
    ),
    (
        "QUnit",
        Late(
            r"^(?P<passed>\d{1,7}) tests? of (?P<total>\d{1,7}) passed, (?P<failed>\d{1,7}) failed",
            needs=(" failed", " passed, "),
        ),
    ),
    (
        "testcafe",
        Late(
            r"^ (?:(?P<passed>\d{1,7}) passed|(?P<failed>\d{1,7})/(?P<total>\d{1,7}) failed) \(\d{1,4}[smh][\d ms]{0,10}\)$",
            needs=(" failed| passed",),
        ),
    ),
    ("uvu", Late(r"^ {2}Passed: {4}(?P<passed>\d{1,7})$", needs=("Passed:",))),
    (
        "pester",
        Late(
            r"^Tests Passed: (?P<passed>\d{1,7}), Failed: (?P<failed>\d{1,7}), Skipped: (?P<skipped>\d{1,7})",
            needs=(", Skipped: ", "Tests Passed: "),
        ),
    ),
    (
        "pio",
        Late(
            r"^=+ \d{1,6} test cases: (?:(?P<failed>\d{1,6}) failed, )?(?:(?P<skipped>\d{1,6}) skipped, )?(?P<passed>\d{1,6}) succeeded in ",
            needs=(" test cases: ", " succeeded in "),
        ),
    ),
    (
        "godot tests",  # GUT
        Late(
            r"^---- (?:(?:All tests passed!)|(?P<failed>\d{1,6}) failing tests) ----$",
            needs=("---- ", "All tests passed!| failing tests"),
        ),
    ),
    (
        "unity tests",  # NUnit's results
        Late(
            r"^\s{0,8}<test-run (?:[\w-]{1,30}=\"[^\"]{0,80}\" ){1,12}?total=\"(?P<total>\d{1,6})\" passed=\"(?P<passed>\d{1,6})\" failed=\"(?P<failed>\d{1,6})\"",
            needs=("<test-run ", ' failed="'),
        ),
    ),
    (
        "buck2",
        Late(
            r"^Tests finished: Pass (?P<passed>\d{1,6})\. Fail (?P<failed>\d{1,6})\. Timeout (?P<slow>\d{1,6})\. Fatal (?P<fatal>\d{1,6})\. Skip (?P<skipped>\d{1,6})\.",
            needs=("Tests finished: Pass ",),
        ),
    ),
    (
        "pants",
        Late(
            r"^(?:(?:✓)|(?P<bad>✕)) \S{1,150}:\S{1,60} (?:succeeded|failed) in \d",
            needs=("✓ |✕ ", " failed in | succeeded in "),
        ),
    ),
    ("dub", Late(r"^ *(?P<passed>\d{1,6}) modules passed unittests", needs=(" modules passed unittests",))),
    (
        "nimble",
        Late(
            r"^ *(?:(?:Success):|(?P<bad>Error):) {1,4}Execution (?:finished|failed with exit code \d)",
            needs=("Success|Error", "Execution "),
        ),
    ),
    (
        "R CMD check",
        Late(
            r"^Status: (?:(?P<bad>\d{1,3} ERRORs?\b)|(?:OK$|\d{1,3} (?:WARNING|NOTE)))",
            needs=("Status: ", "OK|ERROR|WARNING|NOTE"),
        ),
    ),
    (
        "R CMD check",
        Late(r"^(?:(?:0 errors ✔)|(?P<bad>\d{1,3} errors? ✖)) \| \d", needs=("✔|✖", " error")),
    ),
    (
        "west twister",
        Late(
            r"^(?:INFO {1,8}- )?\d{1,6} of \d{1,6} (?:executed )?test configurations passed \([\d.]{1,6}%\), (?:\d{1,6} built \(not run\), )?(?:(?:0 failed, 0 errored)|(?P<bad>\d{1,6} failed, \d{1,6} errored))",
            needs=(" test configurations passed (", " errored"),
        ),
    ),
    (
        "newman",
        Late(
            r"^ *assertions │ +(?P<total>\d{1,7}) │ +(?P<failed>\d{1,7}) │$",
            needs=("assertions │",),
        ),
    ),
    (
        "molecule",
        Late(
            r"^(?:(?P<bad>CRITICAL {1,4}Ansible return code was \d|ERROR {1,8}Molecule executed )|INFO {1,8}(?:Verifier completed successfully\.|Molecule executed \d{1,3} scenarios? \(\d{1,3} successful\)))",
            needs=("Ansible return code was |Molecule executed |Verifier completed successfully.",),
        ),
    ),
    (
        "act",
        Late(r"^🏁 {1,2}Job (?:(?:succeeded)|(?P<bad>failed))$", needs=("🏁", "Job failed|Job succeeded")),
    ),
    (
        "dbt test",
        Late(
            r"^(?:\d\d:\d\d:\d\d +)?Done\. PASS=(?P<passed>\d{1,6}) WARN=\d{1,6} ERROR=(?P<failed>\d{1,6}) SKIP=(?P<skipped>\d{1,6}) ",
            needs=("Done. PASS=",),
        ),
    ),
    (
        "helm test",
        Late(r"^Phase: {1,10}(?:(?:Succeeded)|(?P<bad>Failed))$", needs=("Phase:", "Failed|Succeeded")),
    ),
    (
        "rush",
        Late(
            r"^(?:(?:Operations succeeded)\.|(?P<bad>Operations failed)\.)$",
            needs=("Operations failed.|Operations succeeded.",),
        ),
    ),
    (
        "rush",
        Late(
            r"^==\[ (?:(?:SUCCESS)|(?P<bad>FAILURE|BLOCKED))(?: WITH WARNINGS)?: \d{1,5} operations? \]",
            needs=("==[ ", " operation"),
        ),
    ),
)
_BAZEL = Late(r"^(?:INFO: )?Executed \d{1,6} out of (\d{1,6}) tests?: (.{1,200})$", needs=("Executed ", " out of "))
_BAZEL_COUNT = Late(
    r"(\d{1,6}) (?:tests? |test targets? )?(pass|fail|was skipped|were skipped)",
    needs=(" fail| pass| was skipped| were skipped",),
)
_PLENARY = Late(
    r"^(?P<word>Success|Failed|Errors) ?: {0,2}\t(?P<number>\d{1,7})$", needs=("Success|Failed|Errors", "\t")
)
# zunit "✔ Passed   3", stestr " - Passed: 3"
_COLUMN = Late(
    r"^(?:\S| -) (?P<word>Passed|Failed|Errors|Skipped|Unexpected Success):? {1,30}(?P<number>\d{1,6})$",
    needs=("Passed|Failed|Errors|Skipped|Unexpected Success", " "),
)
_UVU = Late(r"^ {2}Total: {5}(\d{1,7})$", needs=("Total:",))
_NONE = Late(
    r"^(?:No test targets were found, yet testing was requested|ERROR: No test targets were found|No tests found in project! )",
    needs=(
        "ERROR: No test targets were found|No test targets were found, yet testing was requested|No tests found in project! ",
    ),
)


#: Words that other programs' logs hold as well.
_ONLY_IF_NAMED = frozenset({"R CMD check", "act", "nimble", "dub"})


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    yield from _plenary(text) if _PLENARY.may_match(text.whole) else ()
    yield from _column(text) if _COLUMN.may_match(text.whole) else ()
    lines = tuple(
        (runner, pattern)
        for runner, pattern in _LINES
        if (hinted or runner not in _ONLY_IF_NAMED) and pattern.may_match(text.whole)
    )
    if not lines and not _NONE.may_match(text.whole) and not _BAZEL.may_match(text.whole):
        return
    summed_up = _forge_closes(text)
    for index, line in enumerate(text.lines):
        if not line or len(line) > 250:
            continue
        if _NONE.match(line):
            yield closing("bazel test", line, index, vacuous="no tests found")
            continue
        found = _bazel(line, index) or _one(lines, text, line, index)
        if found and not (summed_up and line.startswith("Suite result: ")):
            yield found


def _plenary(text: Text) -> "Iterator[Summary]":
    for first, _, block in text.blocks(_PLENARY, "Success", "Failed", "Errors"):
        if len(block) > 1:
            tally = Tally(passed=block.get("Success", 0), failed=added(block, "Failed", "Errors"))
            yield closing("plenary", shown(block), first, tally)


def _column(text: Text) -> "Iterator[Summary]":
    for first, _, block in text.blocks(_COLUMN, "Passed", "Failed", "Errors", "Skipped", "Unexpected Success"):
        if len(block) > 2:
            failed = added(block, "Failed", "Errors", "Unexpected Success")
            tally = Tally(passed=block.get("Passed"), failed=failed, skipped=block.get("Skipped"))
            yield closing("counts", shown(block), first, tally)


def _forge_closes(text: Text) -> bool:
    """Foundry's last line sums up what each suite said before."""
    return _LINES[0][1].may_match(text.whole) and any(map(_LINES[0][1].match, text.lines))


def _bazel(line: str, index: int) -> Summary | None:
    """`Executed 1 out of 2 tests: 1 test passes and 1 fails locally.`; what is cached passed on the same inputs."""
    match = _BAZEL.match(line)
    if not match:
        return None
    counts = {word: int(number) for number, word in _BAZEL_COUNT.findall(match[2])}
    tally = Tally(passed=counts.get("pass", 0), failed=counts.get("fail", 0), total=int(match[1]))
    return closing("bazel test", line, index, tally)


def _one(lines: "tuple[tuple[str, Late], ...]", text: Text, line: str, index: int) -> Summary | None:
    for runner, pattern in lines:
        if match := pattern.match(line):
            named = match.groupdict()
            bad = bool(named.pop("bad", None))
            counts = {name: int(number) for name, number in named.items() if number}
            if runner == "buck2":
                counts["failed"] += counts.pop("slow") + counts.pop("fatal")
            if runner == "uvu" and (total := _UVU.match(text.lines[max(0, index - 1)])):
                counts["failed"] = int(total[1]) - counts["passed"]
            return closing(runner, line, index, Tally(**counts), failed=bad, open_ended=runner == "pants")
    return None
