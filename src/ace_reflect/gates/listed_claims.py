"""
Checks that an answer lists with their results, where a sentence would say it: "- ✅ Tests: 1329 pass, 0 fail",
"| Lint | clean |", "Tests ✅". Plain string work: most answers with a colon or a mark hold none of these.
"""

from ace_reflect.gates.claim_text import LISTED_CHECKS, LISTED_TESTS
from ace_reflect.late import folded, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS = "✅✓✔☑\ufe0f"
_LEADS = "-*•+| \t" + _MARKS
_LABELS = (*LISTED_TESTS, *LISTED_CHECKS)
#: A mark alone says of these too little: "TypeScript ✅" may be what is supported, "Types ✅" what was written.
_NEEDS_WORDS = ("typescript", "types")
_PASS = frozenset(["pass", "passes", "passed", "passing", "green", "ok", "succeeded"])
_CLEAN = frozenset(["clean", "success", "successful", *_PASS])
_NONE = ("no ", "0 ", "zero ")
_WRONG = frozenset(["fail", "fails", "failed", "failing", "failure", "failures", "error", "errors", "issues", "warnings", "problems", "regressions"])  # fmt: skip
_BESIDES = frozenset(["skipped", "ignored", "new", "s", "ms", "seconds", "todo"])
#: What a heading must speak of for its list to be of the whole work, and words with which it is of something else: what
#: is wanted, what was before, a part.
_OF_CHECKS = ("check", "verif", "valid", "test", "result", "summary", "status", "quality", "pass", "hook", "done", "complet", "commit")  # fmt: skip
_OF_ELSE = (
    "criteria", "criterion", "baseline", "before", "goal", "goals", "target", "targets", "require", "required", "requirements", "checklist", "previous", "previously", "earlier",
    "original", "old", "plan", "planned", "steps", "next", "todo", "to do", "to", "should", "must", "will", "if", "when", "once", "ci", "pipeline", "main", "master", "upstream", "example",
    "not", "for", "in", "on", "under", "manual", "remaining", "missing", "pending",
)  # fmt: skip
_OF_ELSE_BEGINS = ("expect", "assum")


def listed_checks(text: str) -> "Iterator[tuple[str, str, str]]":
    """
    The line, what is checked ("tests", the check's own word or "command") and how many tests are said to pass ("" where no
    number is named) or the command in code marks, of each listed check of an answer read by `prose.plain`.
    """
    section = lead = columns = ""
    in_table = False
    for line in text.split("\n"):
        said, begin = _unmarked(line), line.strip()[:1]
        if begin == "|" and not in_table:
            columns = said
        in_table = begin == "|"
        if begin == "#":
            section, lead = said, ""
        elif said.endswith(":"):
            lead = said
        elif _is_labelled(said) or (said and "`" in line and (in_table or said.startswith("`"))):
            if _of_the_work(section) and _of_the_work(lead) and not (in_table and _of_else(columns)):
                yield from ((line, *check) for check in _checks(line, said))
        elif said and begin not in _LEADS:
            lead = "" if said.endswith((".", "!")) else said  # "Verification" by itself is a heading too


def _is_labelled(said: str) -> bool:
    return said.lstrip("`").startswith(_LABELS)


def _checks(line: str, said: str) -> "Iterator[tuple[str, str]]":
    """What is checked and the number, or "command" and the command, of one item or row."""
    if not _is_labelled(said):
        yield from (("command", command) for command in _commands(line))
    elif found := _check(said.lstrip("`")):
        yield found


def _commands(line: str) -> "Iterator[str]":
    """The commands of an item or a row that a sign or a cell says pass; what a verb says of them is read as a sentence."""
    from ace_reflect.gates.command_claims import said_to_pass

    if not _of_else("".join(folded(line).split("`")[::2])):
        yield from (found.command for found in said_to_pass(line) if found.listed)


def _unmarked(line: str) -> str:
    """A line folded, without list marks, ticked boxes and emphasis; "" for a quoted line and an open item."""
    bare = line.strip()
    if bare.startswith((">", "- [ ]", "* [ ]")):
        return ""
    bare = folded(bare).replace("*", "").lstrip("# " + _LEADS)
    return bare.removeprefix("[x]").lstrip(_LEADS).rstrip("| \t")


def _of_else(heading: str) -> bool:
    return holds(heading, _OF_ELSE, _OF_ELSE_BEGINS)


def _of_the_work(heading: str) -> bool:
    if not heading:
        return True
    return any(word in heading for word in _OF_CHECKS) and not _of_else(heading) and not set("(/.`") & set(heading)


def _check(said: str) -> "tuple[str, str] | None":
    label = next(word for word in _LABELS if said.startswith(word))
    what = "tests" if label in LISTED_TESTS else label
    # without a command in a cell of its own: "| Tests | `bun test` | … |"
    rest = "".join(said[len(label) :].removeprefix("`").split("`")[::2])
    verdict = rest.lstrip(" :=|–—-" + _MARKS)
    between = rest[: len(rest) - len(verdict)]
    if not between.strip() or ("-" in between and " - " not in between):
        return None  # "tests pass" is a sentence, "build-time" a word
    parts = [part for part in map(str.strip, _split(verdict)) if part]
    counts = [_passes(part, tests=what == "tests") for part in parts]
    stated = [count for count in counts if count is not None]
    total = f"{stated[0]} total" if stated else ""  # jest's own line: "Tests: 45 passed, 45 total"
    others = [part for part, count in zip(parts, counts, strict=True) if count is None and part != total]
    if len(stated) > 1 or not all(map(_is_nothing_wrong, others)):
        return None
    if stated:
        return what, stated[0]
    by_mark = any(mark in between for mark in _MARKS) and label not in _NEEDS_WORDS
    return (what, "") if by_mark or (what != "tests" and _clears(others)) else None


def _split(verdict: str) -> list[str]:
    for mark in "|;()·" + _MARKS:
        verdict = verdict.replace(mark, ", ")
    return verdict.rstrip(".!, ").split(", ")


def _passes(part: str, *, tests: bool) -> str | None:
    """The number of tests that a part says to pass, "" where it names none; None where it says no such thing."""
    words = part.removeprefix("all ").replace(" / ", "/").split()
    if words[-1:] and words[-1] in (_PASS if tests else _CLEAN):
        words = [word for word in words[:-1] if word not in ("tests", "checks", "checking", "type")]
        if not words:
            return ""
    elif "/" not in part:
        return None
    some, _, of = words[0].replace(",", "").partition("/")  # "12/12" says it without a word
    return some if tests and len(words) == 1 and some.isdigit() and of in ("", some) else None


def _is_nothing_wrong(part: str) -> bool:
    """ "0 failed", "2 skipped", "1.4s": nothing that takes the result back."""
    if part.startswith(_NONE):
        return part.rsplit(maxsplit=1)[-1] in _WRONG and len(part.split()) <= 3
    part = part.removeprefix("in ")
    number = part.lstrip("+0123456789.,")
    return number != part and number.strip() in _BESIDES


def _clears(parts: list[str]) -> bool:
    return any(part.startswith(_NONE) and part.split()[1] not in ("new", "more") for part in parts)
