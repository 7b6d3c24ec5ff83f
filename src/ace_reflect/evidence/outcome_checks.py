"""What a checker's lines say of it where no closing line that is known decides: files listed, nothing checked, complaints."""

from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.evidence.outcome_line import CHECKS, prints_files, program
from ace_reflect.evidence.runners.model import quote
from ace_reflect.late import IGNORECASE, Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from ace_reflect.evidence.outcome_line import Line
    from ace_reflect.evidence.runners import Summary

_CHECKERS = CHECKS - {CommandKind.BUILD}
#: By these gofmt, shfmt and gci exit with 0 and print the names of the files that are not formatted.
_LISTS = frozenset({"-l", "--list", "list"})
_LISTED = (".go", ".sh", ".bash")
_PRINTS_NAMES = word_set("ls find fd tree stat wc")

# "No Python files found under the given path(s)", but not "no files found with errors", nor one hook's "(no files to check)Skipped"
_NO_FILES = Late(
    r"^[^\w(]{0,8}(?:\w{1,12}[:\]] {1,3})?(?:there are )?no (?:(?:input|source|lintable|matching|supported|such|\.\w{1,6}(?:\[\w\])?|go|python|ruby|php|shell|ya?ml|markdown|javascript|typescript) )?(?:files?|inputs?)"
    r"\b.{0,60}?\b(?:found|match|matched|matching|present|provided|specified|given|processed|to (?:be )?(?:check|lint|format|analy[sz]e|process|scan|validate)\w{0,2})\b(?! (?:with|that|which|contain|need|requir))",
    IGNORECASE,
    needs=("no ", "file|input"),
)
# counted as checked, not as those with complaints: "Summary: 0 issues in 0 files" is a clean run of markdownlint-cli2
_ZERO_FILES = Late(
    r"\b(?:checked|checking|inspected|linted|linting|analy[sz]ed|scanned|processed|examined):? 0 (?:source )?files?\b"
    r"|(?<![\d.,])0 (?:source )?files? (?:were )?(?:checked|inspected|linted|analy[sz]ed|scanned|processed|examined)\b|(?:suggestions?|serious) in 0 files\b",
    IGNORECASE,
    needs=("0 file|0 source file",),
)
_WRONG = "error|issue|problem|finding|violation|offense|failure|leak"
_COUNT = Late(
    rf"(?<![\w.,/:-])(\d{{1,6}}) (?:[a-z]{{1,12}} )?({_WRONG})s?\b|\b({_WRONG})s?(?: found)?: (\d{{1,6}})\b",
    IGNORECASE,
    needs=(_WRONG,),
)
_MILD = ("warn", "note", "info", "hint", "style", "convention", "suggest")
_LONGEST = 300


def listed(line: "Line") -> tuple[Outcome, str] | None:
    """`gofmt -l`: a file that it names is not formatted, whatever the status; None where it names none."""
    if line.which.kind is not CommandKind.LINT or _LISTS.isdisjoint(line.which.argv):
        return None
    name = next((item for item in line.text.lines if item.endswith(_LISTED) and " " not in item), "")
    if not name or line.echoes(name):
        return None
    return (Outcome.UNKNOWN if _others_name_files(line) else Outcome.FAILED), name


def _others_name_files(line: "Line") -> bool:
    """`gofmt -l .; git diff --name-only`: the names may be the other's."""
    return any(
        prints_files(item) or program(item) in _PRINTS_NAMES or any("$" in word for word in item.simple.argv)
        for item in line.commands
        if item.simple is not line.simple
        and program(item) != "cd"
        and not (item.simple.piped_to or item.simple.piped_from or item.simple.captured)
    )


def nothing_checked(line: "Line", found: "Sequence[Summary]", own: "Summary | None") -> str:
    """
    The line that says that a checker looked at no file; "" where there is none, or another verdict stands beside it.

    `ruff check` says "All checks passed!" below its warning that it found no files: a good line directly behind is no verdict.

    Args:
        found: the verdicts in the output.
        own: what they come to for this command.
    """
    whole = line.text.whole
    if line.which.kind not in _CHECKERS or not (_NO_FILES.may_match(whole) or _ZERO_FILES.may_match(whole)):
        return ""
    void = {i: text for i, text in enumerate(line.text.lines) if i not in line.text.labels and _is_void(text)}
    if not void:
        return ""
    mixed = any(item.runner != line.which.runner for item in line.rival_checks())
    verdicts = [own] if mixed and own is not None else found
    warned = void.keys() - {item.line_index for item in found}  # a verdict of its own takes no other back
    if (mixed and own is None) or any(not item.wrapper and not _taken_back(item, void, warned) for item in verdicts):
        return ""
    return quote(next(iter(void.values())))


def _is_void(text: str) -> bool:
    return len(text) <= _LONGEST and (_NO_FILES.match(text) or _ZERO_FILES.search(text)) is not None


def _taken_back(item: "Summary", void: "Container[int]", warned: "Container[int]") -> bool:
    """Whether a verdict says itself that there were no files, or the line in front of it does; a failure stands."""
    return item.outcome is not Outcome.FAILED and (item.line_index in void or item.line_index - 1 in warned)


def complaint(line: "Line", found: "Sequence[Summary]") -> tuple[Outcome, str] | None:
    """
    What a checker whose status is hidden says is wrong: FAILED for an error at a place in a file, UNKNOWN for what may be less.

    Warnings are no complaint, and neither are other tools' verdicts (`found`).
    """
    kind, alone = line.which.kind, line.alone()
    if kind not in _CHECKERS and not (kind is CommandKind.BUILD and alone):
        return None
    said = list(_own_lines(line, {item.quote for item in found}))
    error = next((text for text in said if _is_error(_behind_place(text))), "")
    if error:
        return (Outcome.FAILED if alone else Outcome.UNKNOWN), error
    if kind not in _CHECKERS:
        return None
    tested = any(item.kind is CommandKind.TEST for item in line.commands)
    less = next(
        (
            text
            for text in said
            if _is_finding(_behind_place(text)) or _is_stopped(text) or (not tested and _counts(text))
        ),
        "",
    )
    return (Outcome.UNKNOWN, less) if less else None


def _own_lines(line: "Line", known: set[str]) -> "Iterator[str]":
    for text in line.text.lines:
        if len(text) <= _LONGEST and quote(text) not in known and not line.echoes(text.strip()):
            yield text


def _behind_place(text: str) -> str:
    """What stands behind `a/b.md:3:5 `, `C:\\a.py:3: ` or an indented `3:5 `, in lower case; "" where no place stands there."""
    place, _, rest = text.strip().partition(" ")
    name, *numbers = place[2 if place[1:3] == ":\\" else 0 :].rstrip(":").split(":")
    if not 0 < len(numbers) < 3 or not all(number.isdecimal() for number in numbers):
        return ""
    in_file = "." in name and name.rpartition(".")[2][:1].isalpha()
    if not in_file and not (name.isdecimal() and text[0] == " ") and not name.endswith("Dockerfile"):
        return ""
    return rest.lstrip(" -[").lower()


def _is_error(said: str) -> bool:
    return said.removeprefix("fatal ").startswith(("error ", "error:", "error]"))


def _is_finding(said: str) -> bool:
    return bool(said) and not said.startswith(_MILD) and " warning" not in said[:40]


def _is_stopped(text: str) -> bool:
    """`Execution stopped with code 1.`"""
    return any(text.partition(words)[2][:1] in tuple("123456789") for words in (" with code ", " with exit code "))


def _counts(text: str) -> bool:
    """Whether a summary counts more than none: its errors where it names them (`3 problems (0 errors, 3 warnings)`)."""
    if "fixed" in text.lower():
        return False
    counts = [((a or b).lower(), int(m or n)) for m, a, b, n in _COUNT.findall(text)]
    errors = [number for what, number in counts if what == "error"]
    return any(errors or [number for _, number in counts])
