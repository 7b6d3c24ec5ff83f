"""
The clauses of a prompt's sentence, with a verb that several things share put in front of each.

"Skip lint and tests" is cut at its "and", and "tests" alone says nothing. The things are named here: behind "skip the
header and the tests" stands what a program is to skip, and no order to the agent.
"""

from functools import lru_cache

from ace_reflect.gates import prose
from ace_reflect.gates.opening import clause
from ace_reflect.gates.phrases import NOT, TAIL
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_THING = r"(?:(?:the|any|a|your|unit|e2e|integration)\s+){0,2}(?:lint(?:ing|er|ers)?|format(?:ting|ter)|type ?check(?:s|ing)?|docs|changelog|tests?|testing|specs|(?:test )?suite|builds?|prs?|pull requests?|merge requests?|ci|checks|(?<=no )(?:push(?:es)?|commits?))"
# A sentence has single blanks only (`prose.sentences`).
_AND = r"(?: ?(?:,|/|&|\+) ?(?:(?:and|or|nor|no) )?| (?:and|or|nor|no) )(?:no )?"
_LAST_AND = r"(?: ?[/&+] ?|,? (?:and|or|nor|no) )(?:no )?"
_DEED = (
    r"(?:(?:re)?build|compile|lint|test|commit|push|deploy|run (?:the |any )?(?:tests|specs|suite)|open (?:a |the )?pr)"
)
#: "Skip lint, tests and the build": one verb in front of several things, of which each could be left out alone.
_OF_THINGS = Late(
    rf"(?i)\b(?P<verb>skip|ignore|no|without|{NOT}\s+(?:run(?:ning)?|do|need|want))\s+(?P<things>{_THING}(?:{_AND}{_THING}){{0,4}}{_LAST_AND}{_THING}){TAIL}",
    needs=("/|&|+|and|or|nor|no",),
)
_BETWEEN_THINGS = Late(rf"(?i){_AND}")
_BETWEEN_DEEDS = Late(r"(?i) (?:or|nor) | ?/ ?", needs=("or|/",))
#: "Don't build or test".
_OF_DEEDS = Late(
    rf"(?i)\b(?P<verb>{NOT})\s+(?P<things>{_DEED}(?:(?: (?:or|nor) | ?/ ?){_DEED}){{1,4}})\b", needs=("or|/",)
)


@lru_cache(maxsize=1)  # what a sentence waives and what it asks for are looked for one after the other
def parts(sentence: str) -> "list[tuple[str, list[int]]]":
    """The clauses of a sentence, each as `opening.clause` gives it."""
    said = _OF_THINGS.sub(lambda match: _spelled_out(match, _BETWEEN_THINGS), sentence)
    said = _OF_DEEDS.sub(lambda match: _spelled_out(match, _BETWEEN_DEEDS), said)
    return [clause(part) for part in prose.clauses(said)]


def _spelled_out(match: "re.Match[str]", between: Late) -> str:
    return ", ".join(f"{match['verb']} {thing}" for thing in between.split(match["things"]))
