"""Cypress run: the closing table; each spec before it prints through mocha."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# "✔  All specs passed!   00:02   5   5   -   -   -": tests, passing, failing, pending, skipped
_TABLE = Late(
    r"^ *(?:[✔✖√×] +)?(?:(All specs passed!)|\d{1,5} of \d{1,5} failed \(\d{1,3}%\)) +[\d:ms-]{1,12} +([\d-]{1,6}) +([\d-]{1,6}) +([\d-]{1,6}) +([\d-]{1,6}) +([\d-]{1,6})$",
    needs=(" failed (|All specs passed!",),
)
_NONE = Late(
    r"^(?:Can't run because no spec files were found|Can't run because you've entered an invalid|No specs? files? (?:was|were) found)",
    needs=(
        "Can't run because no spec files were found|Can't run because you've entered an invalid|No spec file was found|No spec file were found|No spec files was found|No spec files were found|No specs file was found|No specs file were found|No specs files was found|No specs files were found",
    ),
)
_WDIO = Late(
    r"^Spec Files:[ \t]{1,6}((?:\d{1,6} (?:passed|failed|retries|skipped), ){1,4})(\d{1,6}) total",
    needs=("Spec Files:", " total"),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having("All specs passed!", " failed (", "no spec", "Spec Files:", "invalid"):
        if match := _TABLE.match(line):
            tests, passed, failed, pending, skipped = (0 if cell == "-" else int(cell) for cell in match.groups()[1:])
            yield closing(
                "cypress",
                line,
                index,
                Tally(passed=passed, failed=failed, skipped=pending + skipped, total=tests),
                failed=not match[1],
            )
        elif _NONE.match(line):
            yield closing("cypress", line, index, vacuous="no tests found")
        elif match := _WDIO.match(line):
            yield closing("wdio", line, index, failed=" failed" in match[1], wrapper=True)
