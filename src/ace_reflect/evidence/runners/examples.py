"""The "N examples, N failures" of RSpec, and of Crystal, Hspec, ShellSpec, specs2 and Lua's busted, which speak alike."""

import re

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EXAMPLES = re.compile(
    r"^(?:\[info\] )?(\d{1,6}) examples?, (\d{1,6}) (?:failures?|errors?)(?:, (\d{1,6}) errors?(?: occurred outside of examples)?)?(?:, (\d{1,6}) (?:pending|skipped|skips?|skip))?"
    r"(?:, (\d{1,6}) errors? occurred outside of examples)?"
)
_NONE = re.compile(r"^(?:No examples found\.|All examples were filtered out)")
_BUSTED = re.compile(r"^(\d{1,6}) success(?:es)? / (\d{1,6}) failures? / (\d{1,6}) errors? / (\d{1,6}) pending")
_OUTSIDE = re.compile(r"errors? occurred (?:while|outside)")


def read(text: Text, hinted: bool) -> "Iterator[Summary]":  # noqa: ARG001
    for index, line in text.having(" example", " examples", " success"):
        if match := _EXAMPLES.match(line):
            total, failures, errors, pending, outside = (int(number or 0) for number in match.groups())
            failed = failures + errors + outside
            tally = Tally(passed=max(total - failures - pending, 0), failed=failed, skipped=pending)
            yield closing("rspec", line, index, tally)
        elif match := _BUSTED.match(line):
            passed, failures, errors, pending = (int(number) for number in match.groups())
            yield closing("busted", line, index, Tally(passed=passed, failed=failures + errors, skipped=pending))
        elif _NONE.match(line) and not any(_OUTSIDE.search(follows) for _, follows in text.near(index, 8)):
            yield closing("rspec", line, index, vacuous="no tests found")
