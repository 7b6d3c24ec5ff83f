"""
The clauses of a prompt's sentence, with what several of them share put in front of each.

"Skip lint and tests" is cut at its "and", and "tests" alone says nothing. The things are named here: behind "skip the
header and the tests" stands what a program is to skip, and no order to the agent. "I'll review and push" leaves both to
the person. And what is typed in a hurry has no commas: "fix the typo no need to run tests".
"""

from functools import lru_cache

from ace_reflect.gates import prose
from ace_reflect.gates.opening import clause
from ace_reflect.gates.phrases import NOT, TAIL
from ace_reflect.late import Late, folded

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
    needs=(
        "/|&|+|and |or |no ",
        "avoid|don't|dont|needn't|neednt|never|no|refrain from|skip|stop|without|ignore",
        "lint|format|check|docs|changelog|test|specs|suite|build|pr|pull request|merge request|ci|push|commit",
    ),
)
_BETWEEN_THINGS = Late(rf"(?i){_AND}")
_BETWEEN_DEEDS = Late(r"(?i) (?:or|nor) | ?/ ?", needs=("or|/",))
#: "Don't build or test".
_OF_DEEDS = Late(
    rf"(?i)\b(?P<verb>{NOT})\s+(?P<things>{_DEED}(?:(?: (?:or|nor) | ?/ ?){_DEED}){{1,4}})\b",
    needs=(
        " or | nor |/",
        "avoid|don't|dont|needn't|neednt|never|no need|not|refrain from|skip|stop",
        "build|compile|lint|test|specs|suite|commit|push|deploy|open",
    ),
)
#: "I'll review and push": the person does both.
_BOTH_MINE = Late(
    r"(?i)\b(?P<who>i'?ll|i will|let me|i'?m going to|i want to|we'?ll) (?P<first>(?:just |first )?(?:review|check|test|try|look|verify|read|inspect|validate|run|commit|build|stage|handle|do)\b[^,;.]{0,40}?) and (?:then )?(?P<last>(?:push|commit|merge|test|deploy|release|publish|(?:open|create|make) (?:a |the )?(?:pr|pull))\b)",
    needs=(
        "i'll |ill |i will |let me |going to |i want to |we'll |well ",
        " and ",
        "push|commit|merge|test|deploy|release|publish|open|create|make",
    ),
)
#: How an order begins that stands behind another without a comma; the last ones only to the end of the clause.
_NEXT = (" don't ", " dont ", " do not ", " no need ", " i'll ", " ill ", " i will ")
_NEXT_TO_END = (" skip ", " no ")
_WITHOUT = frozenset(
    ["no", "skip", "the", "tests", "test", "testing", "build", "builds", "pr", "push", "commit", "needed", "required", "necessary", "please", "pls", "for", "now"]
)  # fmt: skip
#: The first words of a clause that another may follow: an order, or what is said to set the scene.
_ORDERS = frozenset(
    ["add", "adjust", "analyze", "build", "bump", "change", "check", "clean", "code", "commit", "continue", "convert", "correct", "create", "delete", "describe", "do", "drop",
     "edit", "explain", "extract", "find", "finish", "fix", "go", "implement", "improve", "investigate", "just", "list", "look", "make", "merge", "migrate", "move", "patch",
     "plan", "please", "pls", "port", "push", "refactor", "remove", "rename", "replace", "revert", "review", "rewrite", "set", "show", "simplify", "swap", "tweak", "undo",
     "update", "upgrade", "use", "wire", "write"]
)  # fmt: skip
_SCENES = (
    "for this ", "for these ", "for the rest of ", "for today", "in this ", "on this ", "this session", "this time", "going forward", "from here ", "until ", "to save ",
    "since it", "since ci ", "since the tests ", "as it's ", "it's ", "its ", "i'm ", "im ", "this is ", "ci is ", "ci takes ", "tests take ", "the tests take ", "tests are ", "the tests are ",
    "the suite ", "the test suite ",
)  # fmt: skip
#: With one of these in front, what follows is told of something, and no order.
_TOLD_OF = frozenset(
    ["if", "when", "whenever", "where", "why", "that", "which", "who", "whose", "whether", "because", "sure", "case", "says", "say", "seems", "issue", "problem", "bug"]
)  # fmt: skip
_SUBJECTS = frozenset(
    ["i", "you", "u", "we", "they", "people", "users", "devs", "developers", "agents", "workers", "jobs", "hooks", "tests", "there's", "is", "are", "to", "or"]
)  # fmt: skip
#: Before "no tests" and "skip tests" further words say that they belong to what went before.
_LEADING_ON = frozenset(
    ["it", "this", "them", "can", "will", "should", "not", "always", "never", "with", "has", "have", "had", "on", "for", "of", "contains", "finds", "returns", "shows", "show",
     "handle", "in", "from", "at", "than", "flag", "option", "a", "the"]
)  # fmt: skip


@lru_cache(maxsize=1)  # what a sentence waives and what it asks for are looked for one after the other
def parts(sentence: str) -> "list[tuple[str, list[int]]]":
    """The clauses of a sentence, each as `opening.clause` gives it."""
    said = _OF_THINGS.sub(lambda match: _spelled_out(match, _BETWEEN_THINGS), sentence)
    said = _OF_DEEDS.sub(lambda match: _spelled_out(match, _BETWEEN_DEEDS), said)
    said = _BOTH_MINE.sub(r"\g<who> \g<first>, \g<who> \g<last>", said)
    return [clause(piece) for part in prose.clauses(said) for piece in _run_together(part)]


def _run_together(part: str) -> "tuple[str, ...]":
    """A clause, or the two orders that stand in it without a comma: "fix the typo dont push"."""
    low = folded(part)
    for sign in _NEXT:
        at = low.rfind(sign)
        if at > 0 and _may_end(low[:at], _SUBJECTS):
            return part[:at], part[at + 1 :]
    for sign in _NEXT_TO_END:
        at = low.rfind(sign)
        if at > 0 and _WITHOUT.issuperset(low[at:].split()) and _may_end(low[:at], _SUBJECTS | _LEADING_ON):
            return part[:at], part[at + 1 :]
    return (part,)


def _may_end(before: str, leading_on: "frozenset[str]") -> bool:
    """Whether a clause may be over here: it is an order or sets the scene, and what follows has no subject in it."""
    words = before.split()
    opens = words[0] in _ORDERS or f"{before} ".startswith(_SCENES)
    return opens and words[-1] not in leading_on and _TOLD_OF.isdisjoint(words)


def _spelled_out(match: "re.Match[str]", between: Late) -> str:
    return ", ".join(f"{match['verb']} {thing}" for thing in between.split(match["things"]))
