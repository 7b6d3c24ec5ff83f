"""
Commands in code marks that an answer says pass: "`npm test` passes", "`go build ./...`, full `go test ./...` and `gofmt`
are all clean", "`npm test` → 12 passed". Several may stand before one verb.
"""

from ace_reflect.gates.claim_text import VERDICTS
from ace_reflect.late import Late
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_GOOD = Late(
    r"(?:all )?(?:\d[\d,]{0,8}(?:/\d[\d,]{0,8})? )?(?:tests? )?(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|clean)\b|(?:0|no|zero) (?:errors|issues|problems|warnings|failures|findings)\b|[✅✓✔]\ufe0f? ?(?=$|[,.;|)])",
    needs=("|".join(VERDICTS),),
)
#: What may stand between a command and its verdict: an aside, which may be the verdict itself, a sign, a mark.
_LEAD = Late(
    r"(?: \((?P<aside>[^)\n]{0,60})\))?,? ?(?P<sign>(?:[:=→—–|-]|->|=>)[ |]{1,3})?(?:(?:now|still|also|all|both|is|are|runs|run|comes|come|back) ){0,4}(?:[✅✓✔]\ufe0f? (?=\w))?"
)
_MARKS = ("✅", "✓", "✔")
#: Between two commands of which one verb says that they pass.
_JOINING = frozenset(["and", "the", "then", "full", "whole", "entire", "also", "plus", "as", "well", "both", "a"])
_WRONG = ("fail", "error", "broke", "red", "timed", "crash")
_NONE = frozenset(["0", "no", "zero", "without"])


class SaidToPass(Value):
    command: str
    begin: int  # where the first command of its list begins in the sentence
    end: int  # behind what is said of it
    listed: bool = False  # by a sign or a mark, as in a list, and not by a verb


def said_to_pass(said: str) -> "Iterator[SaidToPass]":
    """The commands of a sentence or a line that it says pass, in order."""
    pieces = said.split("`")
    waiting: list[str] = []
    begin = at = len(pieces[0])
    for command, behind in zip(pieces[1::2], pieces[2::2], strict=False):
        if not waiting:
            begin = at
        waiting.append(command)
        at += len(command) + 2
        end, listed = _verdict(behind.lower())
        for each in waiting if end and _none_wrong(behind) else ():
            yield SaidToPass(command=each, begin=begin, end=at + end, listed=listed)
        if end or not _joins(behind):
            waiting = []
        at += len(behind)


def _verdict(behind: str) -> tuple[int, bool]:
    """Where a verdict ends that stands behind a command, 0 where there is none; and whether a sign or a mark says it."""
    lead = _LEAD.match(behind)
    if lead is None or not _GOOD.may_match(behind):
        return 0, False
    good = _GOOD.match(behind, lead.end())
    if good:
        return good.end(), bool(lead["sign"]) or good.group().startswith(_MARKS)
    return (lead.end("aside") + 1 if lead["aside"] and _GOOD.match(lead["aside"]) else 0), False


def _none_wrong(behind: str) -> bool:
    """Whether nothing is told to be wrong behind a command: "12 passed, 3 failed"."""
    words = behind.lower().replace(",", " ").replace("(", " ").split()
    return not any(
        word.startswith(_WRONG) and before not in _NONE for before, word in zip(["", *words], words, strict=False)
    )


def _joins(between: str) -> bool:
    words = between.lower()
    for sign in ",+&/":
        words = words.replace(sign, " ")
    return bool(words) and _JOINING.issuperset(words.split())
