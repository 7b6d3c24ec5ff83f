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
    "out-host", "tee-object", "xcbeautify", "xcpretty", "fold", "expand", "iconv", "dos2unix", "ansi2txt", "ansifilter",
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
        return _head(found, _number(words, 10))
    if program in ("tail", "gtail"):
        return found if any(word.startswith(("+", "-n+")) for word in words) else found.replace(tail=_number(words, 10))
    if program in _GREPS:
        return _grep(found, words)
    if program in ("select-object", "select"):
        return _select(found, words)
    if program == "select-string":
        return found.replace(greps=(*found.greps, (next((word for word in words if word[:1] != "-"), ""), False, True)))
    if (pattern := _matching_only(program, words)) is not None:
        return found.replace(greps=(*found.greps, (pattern, False, False)))
    if program in ("sed", "gsed"):
        return _sed(found, words)
    if program == "cut":
        return found if _leaves_beginnings(words) else found.replace(other=True)
    if program == "perl" and words[:1] == ("-pe",) and all(map(_substitutes, words[1:])):
        return found
    if program == "tr" and words in (("-d", "\\r"), ("-d", "\r"), ("-d", "\\015")):
        return found
    if program == "wc":
        return found.replace(counts_only=True)
    return found if program in _WHOLE else found.replace(other=True)


def _matching_only(program: str, words: "tuple[str, ...]") -> str | None:
    """The pattern of `awk '/ok|FAIL/'` and `sed -n '/ok/p'`, which print the lines it fits, as grep does; None of any other call."""
    of_awk = program in ("awk", "gawk", "mawk") and len(words) == 1
    of_sed = program in ("sed", "gsed") and len(words) == 2 and words[0] == "-n" and words[1].endswith("/p")
    script = words[-1].removesuffix("p") if of_sed else words[-1] if of_awk else ""
    pattern = script[1:-1]
    if not pattern or "/" in pattern or not script.startswith("/") or not script.endswith("/"):
        return None
    return pattern.replace("\\|", "|") if of_sed else pattern


def _head(found: Filters, count: int) -> Filters:
    return found.replace(head=count if found.head is None else min(found.head, count))


def _sed(found: Filters, words: "tuple[str, ...]") -> Filters:
    """All lines come through replacements within them; `sed -n 1,40p` and `sed 40q` are a `head`, `sed -n '5,$p'` a `tail -n +5`."""
    quiet = any(word in ("--quiet", "--silent") or (word[:1] == "-" != word[1:2] and "n" in word) for word in words)
    scripts = [word for word in words if word[:1] != "-"]
    if scripts and not quiet and all(map(_substitutes, scripts)):
        return found
    first, _, last = scripts[0][:-1].partition(",") if len(scripts) == 1 else ("", "", "")
    end = scripts[0][-1:] if scripts else ""
    if not _is_number(first):
        return found.replace(other=True)
    if (end, last, quiet) == ("p", "$", True):
        return found
    if (end, last, quiet) == ("q", "", False):
        return _head(found, int(first))
    return (
        _head(found, int(last) - int(first) + 1)
        if end == "p" and quiet and _is_number(last)
        else found.replace(other=True)
    )


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) <= 6


def _substitutes(script: str) -> bool:
    """Whether a script of sed or perl only replaces within lines: `s/\\x1b\\[[0-9;]*m//g; s|^ *||`."""
    rest = script.strip()
    while rest:
        parts = rest[2:].replace(f"\\{rest[1:2]}", "").split(rest[1:2], 2) if rest[:1] == "s" and rest[2:] else []
        if len(parts) < 3:
            return False
        rest = parts[2].lstrip("gIi0123456789").lstrip("; \n")
    return True


def _leaves_beginnings(words: "tuple[str, ...]") -> bool:
    """`cut -c1-200`: what a runner says stands at the beginning of its lines."""
    flat = " ".join(words)
    return flat[:2] in ("-c", "-b") and flat[2:].lstrip().startswith(("1-", "-"))


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
