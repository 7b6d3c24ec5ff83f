"""A run that died before its closing lines: what an interpreter or the shell says of it. Asked where no run is told of."""

from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text, first_match
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEATHS = (
    Late(r"^(?:\S{1,200} )?Fatal Python error: \S", needs=("Fatal Python error: ",)),
    Late(
        r"^FATAL ERROR: .{1,200} - JavaScript heap out of memory",
        needs=("FATAL ERROR: ", " - JavaScript heap out of memory"),
    ),
    Late(r"^panic: test timed out after \d", needs=("panic: test timed out after ",)),
    Late(r"^fatal error: (?:all goroutines are asleep|stack overflow)", needs=("fatal error: ",)),
    Late(r"^(?:PHP )?Fatal error: {1,2}Allowed memory size of \d", needs=("Allowed memory size of ",)),
    Late(
        r"^(?:\S{1,80}: line \d{1,5}: {1,4}\d{1,8} )?(?:Segmentation fault|Bus error|Illegal instruction|Aborted) {0,20}\(core dumped\)",
        needs=("(core dumped)",),
    ),
    Late(r"^Segmentation fault(?:: \d{1,3})?$", needs=("Segmentation fault",)),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    patterns = text.possible(_DEATHS)
    for index, line in enumerate(text.lines if patterns else ()):
        if line and first_match(patterns, line):
            yield closing("crash", line, index, failed=True, wrapper=True, partial=True)
