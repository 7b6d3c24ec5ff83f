"""What `| head`, `| tail` and `| grep` behind a command let through of its output."""

from ace_reflect.late import Late
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

#: Patterns beyond these are not tried: nested repetition could take for ever.
_SIMPLE = Late(r"^[^\n]{1,300}$")
_NESTED = Late(r"[*+}?]\)?[*+{?]|\)[*+{]|\\\d|\.\*.*\.\*.*\.\*")
_GREPS = frozenset({"grep", "egrep", "fgrep", "rg", "ack", "ag", "ggrep"})
_WHOLE = frozenset({
    "cat", "tee", "sort", "uniq", "less", "more", "column", "nl", "ts", "strings", "col", "pee", "sponge", "out-string",
    "out-host", "tee-object", "xcbeautify", "xcpretty",
})  # fmt: skip
_WITH_VALUE = frozenset(
    {"-e", "-A", "-B", "-C", "-m", "--max-count", "--regexp", "-f", "--context", "--color", "--include"}
)


class Filters(Value):
    """The commands that a pipe leads through, read once."""

    head: int | None = None  # lines that `head` lets through
    greps: tuple[tuple[str, bool, bool], ...] = ()  # pattern, inverted, case ignored
    counts_only: bool = False  # `grep -c`, `wc -l`, `grep -q`
    other: bool = False  # scripts of awk and sed, jq …: nobody knows what is left
    tail: int | None = None


def read_filters(pipeline: "Sequence[tuple[str, ...]]") -> Filters:
    """The filters of a pipeline, from the argv of each command that the output goes through."""
    found = Filters()
    for argv in pipeline:
        if argv:
            found = _with(found, _program(argv[0]), argv[1:])
    return found


def _program(word: str) -> str:
    """PowerShell's cmdlets are written in any case."""
    name = word.rpartition("/")[2]
    return name.lower() if "-" in name else name


def _with(found: Filters, program: str, words: "tuple[str, ...]") -> Filters:
    if program in ("head", "ghead"):
        count = _number(words, 10)
        return found.replace(head=count if found.head is None else min(found.head, count))
    if program in ("tail", "gtail"):
        return found if any(word.startswith(("+", "-n+")) for word in words) else found.replace(tail=_number(words, 10))
    if program in _GREPS:
        return _grep(found, words)
    if program in ("select-object", "select"):
        return _select(found, words)
    if program == "select-string":
        return found.replace(greps=(*found.greps, (next((word for word in words if word[:1] != "-"), ""), False, True)))
    if program == "wc":
        return found.replace(counts_only=True)
    if (pattern := _matching_only(program, words)) is not None:
        return found.replace(greps=(*found.greps, (pattern, False, False)))
    return found if program in _WHOLE else found.replace(other=True)


def _matching_only(program: str, words: "tuple[str, ...]") -> str | None:
    """The pattern of `awk '/ok|FAIL/'` and `sed -n '/ok/p'`, which print the lines it fits, as grep does; None of any other call."""
    plain = {1: ("awk", "gawk", "mawk"), 2: ("sed", "gsed")}.get(len(words), ())
    script = words[-1] if program in plain and words[0] in ("-n", words[-1]) else ""
    whole = script.removesuffix("p") if len(words) == 2 else script
    if (
        len(whole) < 3
        or not (whole[0] == whole[-1] == "/")
        or "/" in whole[1:-1]
        or (len(words) == 2 and whole == script)
    ):
        return None
    return whole[1:-1].replace("\\|", "|") if program.endswith("sed") else whole[1:-1]


def _select(found: Filters, words: "tuple[str, ...]") -> Filters:
    """PowerShell's `Select-Object -First 5` and `-Last 5`."""
    flags = [word.lower() for word in words]
    for flag, field in (("-last", "tail"), ("-first", "head")):
        if flag in flags[:-1] and flags[flags.index(flag) + 1].isdigit():
            return found.replace(**{field: int(flags[flags.index(flag) + 1])})
    return found.replace(other=True)


def _number(words: "tuple[str, ...]", otherwise: int) -> int:
    for index, word in enumerate(words):
        if (count := _count(word)) is not None:
            return count
        if word in ("-n", "--lines") and index + 1 < len(words) and words[index + 1].lstrip("-+").isdigit():
            return int(words[index + 1].lstrip("-+"))
    return otherwise


def _count(word: str) -> int | None:
    """`-5`, `-n5`, `-n+5`, `--lines=5`."""
    for option in ("--lines=", "--lines", "-n", "-"):
        if word.startswith(option):
            digits = word[len(option) :].removeprefix("+")
            return int(digits) if len(digits) <= 6 and digits.isdecimal() else None
    return None


def _grep(found: Filters, words: "tuple[str, ...]") -> Filters:
    patterns, flags, skip = [], "", False
    for index, word in enumerate(words):
        if skip:
            skip = False
        elif word in _WITH_VALUE or (len(word) > 1 and word[0] == "-" and word[1] != "-" and word[-1] == "e"):
            flags += word.strip("-")
            skip = True
            if word.endswith("e") and index + 1 < len(words):
                patterns.append(words[index + 1])
        elif word.startswith("-") and len(word) > 1:
            flags += (
                word.strip("-")
                if not word.startswith("--")
                else {"--invert-match": "v", "--ignore-case": "i", "--count": "c", "--quiet": "q"}.get(word, "")
            )
        elif not patterns:
            patterns.append(word)
    if "q" in flags:
        return found.replace(counts_only=True, other=True)
    pattern = "|".join(patterns).replace("\\|", "|").replace("\\(", "(").replace("\\)", ")")
    greps = (*found.greps, (pattern, "v" in flags, "i" in flags))
    return found.replace(greps=greps, counts_only=found.counts_only or "c" in flags)


def lets_through(filters: Filters, lines: "Sequence[str]") -> bool:
    """Whether every one of these lines would have come through the pipe's greps."""
    if filters.other or filters.counts_only:
        return False
    return all(
        _passes(pattern, line, ignore_case) != inverted
        for pattern, inverted, ignore_case in filters.greps
        for line in lines
    )


def _passes(pattern: str, line: str, ignore_case: bool) -> bool:
    if not _SIMPLE.match(pattern) or _NESTED.search(pattern):
        return False
    import re  # the pattern is the session's own

    try:
        return re.search(pattern, line[:200], re.IGNORECASE if ignore_case else 0) is not None
    except (re.error, OverflowError, RecursionError):
        return False


def cut_by_tail(filters: Filters, lines_shown: int) -> bool:
    """Whether `tail` may have taken away what came before."""
    return filters.tail is not None and lines_shown >= filters.tail


def cut_by_head(filters: Filters, lines_shown: int) -> bool:
    """Whether `head` may have taken away what followed."""
    return filters.head is not None and lines_shown >= filters.head
