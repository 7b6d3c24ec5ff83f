"""The "N examples, N failures" of RSpec, and of Crystal, Hspec, ShellSpec, specs2 and Lua's busted, which speak alike."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing, without_parts
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EXAMPLES = Late(
    r"^(?:\[info\] |[\w-]{1,60}> )?(\d{1,6}) examples?, (\d{1,6}) (?:failures?|errors?)(?:, (\d{1,6}) errors?(?: occurred outside of examples)?)?(?:, (\d{1,6}) (?:pending|skipped|skips?|skip))?"
    r"(?:, (\d{1,6}) errors? occurred outside of examples)?",
    needs=("error|failure", " example, | examples, "),
)
_NONE = Late(
    r"^(?:No examples found\.|All examples were filtered out)",
    needs=("All examples were filtered out|No examples found.",),
)
_BUSTED = Late(
    r"^(\d{1,6}) success(?:es)? / (\d{1,6}) failures? / (\d{1,6}) errors? / (\d{1,6}) pending",
    needs=(" pending", " error / | errors / "),
)
_OUTSIDE = Late(
    r"errors? occurred (?:while|outside)",
    needs=("error occurred outside|error occurred while|errors occurred outside|errors occurred while",),
)
_FAILED = Late(r"^rspec (?:\./)?\S{1,250}\.rb(?::\d{1,6}|\[[\d:,]{1,40}\]) # ", needs=("rspec ", ".rb", " # "))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    told = without_parts(tuple(_closing_lines(text)))
    yield from told
    if not told:  # cut to the list of failed examples at the end
        for index, line in text.having("rspec "):
            if _FAILED.match(line):
                yield closing("rspec", line, index, failed=True, partial=True)


def _closing_lines(text: Text) -> "Iterator[Summary]":
    for index, line in text.having(" example", " examples", " success"):
        if match := _EXAMPLES.match(line):
            total, failures, errors, pending, outside = (int(number or 0) for number in match.groups())
            tally = Tally.of_all(total, failures, pending).replace(failed=failures + errors + outside)
            yield closing("rspec", line, index, tally)
        elif match := _BUSTED.match(line):
            passed, failures, errors, pending = (int(number) for number in match.groups())
            yield closing("busted", line, index, Tally(passed=passed, failed=failures + errors, skipped=pending))
        elif _NONE.match(line) and not any(_OUTSIDE.search(follows) for _, follows in text.near(index, 8)):
            yield closing("rspec", line, index, vacuous="no tests found")
