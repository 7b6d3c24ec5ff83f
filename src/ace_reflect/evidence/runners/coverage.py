"""
Coverage thresholds that were not met: they fail a run after all of its tests have passed.

Istanbul (nyc, c8, vitest, Karma), jest, node:test, coverage.py, SimpleCov, ExCoveralls, Pest, Coverlet, Kover, tarpaulin, gcovr,
scoverage. Where the command's own status is 0 the threshold was only told: such a line is `partial`.
"""

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text, first_match
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: With the words that stand in each.
_UNMET = (
    Late(
        r"^(?:ERROR(?: \[[\w-]{1,40}\])?: |\W{0,4})?Coverage for \w{1,12} \([\d.]{1,8}%\) does not meet ",
        needs=("Coverage for ", "%) does not meet "),
    ),
    Late(
        r"^Jest: .{1,200} coverage threshold for \w{1,12} \([\d.%-]{1,8}\) not met",
        needs=("Jest: ", " coverage threshold for "),
    ),
    Late(
        r"^(?:\S )?Error: [\d.]{1,8}% \w{1,10} coverage does not meet threshold",
        needs=(" coverage does not meet threshold",),
    ),
    Late(r"^(?:ERROR: )?Coverage failure: total of ", needs=("Coverage failure: total of ",)),
    Late(
        r"^(?:Line|Branch|Method|Coverage)\S* ?(?:coverage )?(?:by file )?\([\d.]{1,8}%\) is below the expected minimum",
        needs=("%) is below the expected minimum",),
    ),
    Late(r"^SimpleCov failed with exit \d{1,3} due to a coverage", needs=("SimpleCov failed with exit ",)),
    Late(r"^Coverage test failed, threshold not met", needs=("Coverage test failed, threshold not met",)),
    Late(r"^FAILED: Expected minimum coverage of ", needs=("FAILED: Expected minimum coverage of ",)),
    Late(r"^ {0,8}FAIL {1,4}Code coverage below expected", needs=("Code coverage below expected",)),
    Late(
        r"^.{0,300}error ?: The (?:minimum|total|average) \w{1,10} coverage is below the specified ",
        needs=(" coverage is below the specified ",),
    ),
    Late(  # of Gradle, as what went wrong; Maven warns in the same words where nothing is to fail
        r"^> Rule violated(?: for .{1,100})?: .{1,80} but expected minimum is ",
        needs=("> Rule violated", "expected minimum is "),
    ),
    Late(r"^Error: \W?Coverage is below the failure threshold", needs=("Coverage is below the failure threshold",)),
    Late(r"^(?:\(ERROR\) )?failed minimum (?:line|branch|function) coverage", needs=("failed minimum ",)),
    Late(
        r"^\[error\] .{0,60}[Cc]overage is below minimum|^\[error\] Coverage minimum was not reached",
        needs=("[error] ",),
    ),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    patterns = text.possible(_UNMET)
    for index, line in text.having("overage", "Rule violated") if patterns else ():
        if first_match(patterns, line):
            yield closing("coverage", line, index, failed=True, wrapper=True, partial=True)
