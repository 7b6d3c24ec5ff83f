"""zig test and zig build test."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_ALL = Late(r"^All (\d{1,6}) tests passed\.$", needs=(" tests passed.", "All "))
_COUNTS = Late(r"^(\d{1,6}) passed; (\d{1,6}) skipped; (\d{1,6}) failed\.$", needs=(" skipped; ", " passed; "))
_BUILD = Late(
    r"^Build Summary: (\d{1,6})/(\d{1,6}) steps succeeded(?:; (\d{1,6}) failed)?(?:; (\d{1,6})/(\d{1,6}) tests passed)?(?:; (\d{1,6}) skipped)?(?:; (\d{1,6}) failed)?",
    needs=(" steps succeeded", "Build Summary: "),
)
_FAILED = Late(
    r"^error: the following (?:test command|build command) (?:failed|crashed|terminated)|^\S{1,200}\.zig:\d{1,6}:\d{1,6}: error: ",
    needs=(".zig:|build command|test command",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    if not hinted and "zig" not in text.whole and "Build Summary" not in text.whole:
        return
    for index, line in text.having(" passed", "Build Summary:", "error: "):
        if match := _ALL.match(line):
            yield closing("zig test", line, index, Tally(passed=int(match[1]), failed=0))
        elif match := _COUNTS.match(line):
            passed, skipped, failed = (int(number) for number in match.groups())
            yield closing("zig test", line, index, Tally(passed=passed, failed=failed, skipped=skipped))
        elif match := _BUILD.match(line):
            yield _build(match, line, index)
        elif _FAILED.match(line):
            yield closing("zig test", line, index, failed=True, wrapper=True)


def _build(match: "re.Match[str]", line: str, index: int) -> Summary:
    steps, of, steps_failed, passed, _, skipped, failed = (int(number or 0) for number in match.groups())
    if match[5] is None:
        bad = bool(steps_failed) or steps < of
        return closing("zig build", line, index, failed=bad, wrapper=True)
    return closing(
        "zig build test", line, index, Tally(passed=passed, failed=failed, skipped=skipped), failed=bool(steps_failed)
    )
