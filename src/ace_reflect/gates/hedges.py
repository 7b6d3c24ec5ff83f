"""
What takes a claim back or makes it depend on something: a condition, a plan, a negation, an exception, a part.
"""

from ace_reflect.late import Late, folded, holds

#: A sentence with one of these claims nothing.
_NO_CLAIM = (
    "if", "once", "when", "whenever", "after", "before", "until", "unless", "should", "would", "could", "might",
    "may", "will", "'ll", "going to", "to verify", "to check", "to confirm", "to see",
    "to run", "to be", "make sure", "ensure", "so that", "need to", "needs to", "needed to", "must", "please",
    "you can", "hopefully", "probably", "likely", "want", "next", "todo", "plan",
    "planned", "not", "n't", "no longer", "never", "without", "except", "apart from", "other than", "besides",
    "excluding", "but", "however", "although", "unrelated", "preexisting", "pre-existing", "previously", "earlier",
    "originally", "used to", "was", "were", "had", "let me", "let's", "how", "whether", "why", "example", "e.g.",
    "ci", "pipeline", "github actions", "instead of", "even though", "while", "because",
    "since", "the user", "claim", "claims", "said", "says", "reported", "according", "upstream", "manually", "manual",
)  # fmt: skip
_NO_CLAIM_BEGINS = ("expect", "assum")
_NO_CLAIM_BEFORE = tuple(word for word in _NO_CLAIM if word not in {"was", "were", "had"})
#: What parts the clauses of a sentence.
_BREAKS = (",", ";", "(", "–", "—", " - ", " and ")
#: A clause behind a claim that has a bearing on it.
_OF_THE_CLAIM = Late(
    r"(?i)test|spec|suite|fail|pass|skip|except|besides|apart|exclud|other than|exist|unrelated|\bif\b|\bonce\b|\bwhen\b|\bafter\b|\bunless\b|\buntil\b|\byet\b|push|commit|\bpr\b|build|\bnot\b|n't",
    needs=(
        "test|spec|suite|fail|pass|skip|except|besides|apart|exclud|other than|exist|unrelated|if|once|when|after|unless|until|yet|push|commit|pr|build|not|n't",
    ),
)
#: Behind a claim of a clean check: it is about a part only ("mypy is clean for the new module").
_ABOUT_A_PART = (" for ", " on ", " in ", " of ", " under ")


#: What has been done, and no condition: "all tests pass after the rebase", and not "after the migration is applied".
_AFTER_THE_WORK = Late(
    r"\bafter (?:the|my|this|these|those|both|all) (?:[\w-]{1,20} ){0,2}(?:changes?|fix(?:es)?|rebase|merge|edits?|refactor(?:ing)?|rename|upgrade|update|bump|cleanup|clean-up|conversion|move)(?=\s*(?:[.!,;:)(]|$))",
    needs=("after ",),
)


def claims_nothing(said: str) -> bool:
    """Whether a text holds a word with which nothing is claimed."""
    return holds(folded(said), _NO_CLAIM, _NO_CLAIM_BEGINS)


def hedged(said: str, begin: int, end: int) -> bool:
    """
    Whether the sentence takes the claim that stands between two places back, or makes it depend on something.

    What comes behind it in a clause of its own ("…, ensuring that it works as expected", "…, but the linter has one
    complaint") does so only where it speaks of tests or of an exception; the past tense of a clause before it is that one's.
    """
    start = _last_break(said[:begin])
    end = min((place for each in _BREAKS if (place := said.find(each, end)) >= 0), default=len(said))
    behind = said[end:]
    if not _OF_THE_CLAIM.search(behind):
        behind = ""
    before = folded(said[:start])
    within = folded(said[start:end])
    within = _AFTER_THE_WORK.sub("", within)
    for own in ("as expected", "without errors", "without any errors", "without warnings"):
        within = within.replace(own, "")
    return claims_nothing(within) or holds(before, _NO_CLAIM_BEFORE, _NO_CLAIM_BEGINS) or claims_nothing(behind)


def of_a_part(said: str, begin: int, end: int) -> bool:
    """Whether the claim is about some files only: "mypy is clean for the new module", "core.py: mypy clean"."""
    before = said[:begin]
    clause = before[_last_break(before) :]
    return said[end:].startswith(_ABOUT_A_PART) or "``" in clause or names_a_file(clause)


def _last_break(text: str) -> int:
    """Where the last clause begins."""
    return max((text.rfind(each) + len(each) for each in _BREAKS if each in text), default=0)


def hedged_or_part(said: str, begin: int, end: int) -> bool:
    return hedged(said, begin, end) or of_a_part(said, begin, end)


def hand_on(rest: str) -> bool:
    """Whether what follows "the tests pass" is what they pass on, and no verdict: "a client to the handler", "the flag through"."""
    if not rest.startswith(" "):
        return False
    words = rest.replace(",", " , ").split(maxsplit=5)[:5]
    first, second, *more = (*(word.rstrip(".!;:)") for word in words), "", "")
    if first in ("a", "an"):
        return second not in ("second", "third")  # time
    if first in ("the", "its", "this", "their"):
        return second.startswith("``") or ("time" not in (second, *more) and not _ONWARD.isdisjoint(more))
    return first.startswith("``") or (first not in ("thanks", "due", "according", "up") and second in ("to", "into"))


_ONWARD = frozenset(["to", "into", "through", "on", "along", "down"])


def names_a_file(answer: str) -> bool:
    """Whether a word of the answer may be a file's name: letters behind a dot that ends no sentence."""
    return any(part[:1].islower() for part in answer.split(".")[1:])
