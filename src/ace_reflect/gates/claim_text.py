"""
Which plain statements an answer makes that could be checked. A condition, a wish, a plan, a negation, a quotation or a
heading claims nothing.
"""

import re

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import answers_elsewhere, prose
from ace_reflect.late import DIGITS, Alternatives, Late, folded, holds
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.commands import Command

#: A sentence with one of these claims nothing.
_NO_CLAIM = (
    "if",
    "once",
    "when",
    "whenever",
    "after",
    "before",
    "until",
    "unless",
    "should",
    "would",
    "could",
    "might",
    "may",
    "will",
    "'ll",
    "going to",
    "to ensure",
    "to make sure",
    "to verify",
    "to check",
    "to confirm",
    "to see",
    "to run",
    "to be",
    "make sure",
    "ensure",
    "so that",
    "need to",
    "needs to",
    "needed to",
    "must",
    "please",
    "you can",
    "you could",
    "you should",
    "hopefully",
    "probably",
    "likely",
    "want",
    "next",
    "todo",
    "plan",
    "planned",
    "not",
    "n't",
    "no longer",
    "never",
    "without",
    "except",
    "apart from",
    "other than",
    "besides",
    "excluding",
    "but",
    "however",
    "although",
    "unrelated",
    "preexisting",
    "pre-existing",
    "previously",
    "earlier",
    "originally",
    "used to",
    "was",
    "were",
    "had",
    "let me",
    "let's",
    "how",
    "whether",
    "why",
    "example",
    "e.g.",
    "would've",
    "ci",
    "pipeline",
    "github actions",
    "instead of",
    "even though",
    "while",
    "only when",
    "because",
    "since",
    "the user",
    "claim",
    "claims",
    "said",
    "says",
    "reported",
    "according",
    "upstream",
    "manually",
    "manual",
)
_NO_CLAIM_BEGINS = ("expect", "assum")
_NO_CLAIM_BEFORE = tuple(word for word in _NO_CLAIM if word not in {"was", "were", "had"})
_CLAUSE = Late(r"[,;(–—]|\s-\s|\band\b")
#: A clause behind a claim that has a bearing on it.
_OF_THE_CLAIM = Late(
    r"(?i)test|spec|suite|fail|pass|skip|except|besides|apart|exclud|other than|exist|unrelated|\bif\b|\bonce\b|\bwhen\b|\bafter\b|\bunless\b|\buntil\b|\byet\b|push|commit|\bpr\b|build|\bnot\b|n't",
    needs=(
        "test|spec|suite|fail|pass|skip|except|besides|apart|exclud|other than|exist|unrelated|if|once|when|after|unless|until|yet|push|commit|pr|build|not|n't",
    ),
)
_STATED = "|".join(
    f"{what}{mark}" for what in ("test", "tests", "suite", "test ", "tests ", "suite ") for mark in ":=–—-"
)
_TESTS_PASS = Alternatives(
    Late(
        r"(?i)\ball\s+(?:(?:of\s+)?(?:the|our|your|my|its|these|those|new|existing|unit|integration|e2e|automated|relevant|\d[\d,]*|backend|frontend|other|\w+)\s+){0,4}(?:tests?|specs?|test cases|test suites?|suites?)\s*(?:\([^)]{0,40}\)\s*)?(?:(?:are|is|now|still|have|has|all|successfully|currently)\s+){0,3}(?:pass(?:es|ed|ing)?|green|succeed(?:ed|s)?)\b",
        needs=("all", "test|spec|suite", "pass|green|succeed"),
    ),
    Late(
        r"(?i)\b(?:the\s+|full\s+|entire\s+|whole\s+|complete\s+){0,6}(?:tests?|test suite|suite|specs?)\s+(?:(?:are|is|now|all|still|also|have|has|successfully)\s+){0,3}(?:pass(?:es|ed|ing)?|green)\b",
        needs=("test|spec|suite", "pass|green"),
    ),
    Late(
        r"(?i)\b[0-9][0-9,]*(?:\s*/\s*[0-9][0-9,]*)?\s+(?:(?:unit|integration|e2e|new|existing|of\s+the|total|other|backend|frontend)\s+)*(?:tests?|specs?|test cases)\s+(?:(?:are|all|now|have|still|also|successfully)\s+){0,3}(?:pass(?:es|ed|ing)?|green|succeed(?:ed)?)\b",
        needs=("test|spec", "pass|green|succeed", DIGITS),
    ),
    Late(
        r"(?i)\btests?\b(?:[^\W\d]|[ `'/()-]){0,40}\band\s+(?:they|these|those|it)\s+(?:(?:now|all|both|still)\s+){0,2}pass(?:es|ed)?\b",
        needs=("test", "and", "they|these|those|it", "pass"),
    ),
    Late(
        r"(?i)\b(?:tests?|test suite)[ ]?[:=–—-]\s*(?:(?:✅|✓|all\s)\s*)?(?:(?P<share>\d[\d,]*)\s*/\s*(?P=share)\s+)?(?:pass(?:ed|ing)?|green)\b",
        needs=("pass|green", _STATED),
    ),
    Late(r"(?i)(?:✅|✓)\s*(?:all\s+)?(?:\d+\s+)?tests?\s+pass", needs=("✅|✓", "test", "pass")),
)
#: "63 of 64 tests pass" says itself that not all do.
_PART = Late(
    r"(?i)\b(?P<some>[0-9][0-9,]*)\s*(?:of|out of|/)\s*(?:the\s+|our\s+|all\s+)?(?!(?P=some)\b)[0-9][0-9,]*\s+(?:\w+\s+){0,2}(?:tests?|specs?)\b",
    needs=("of|/", "test|spec", DIGITS),
)
_CHECK_PASSES = Alternatives(
    Late(
        r"(?i)\b(?P<what>build|compil\w+|type-?\s?check(?:ing|s)?|tsc|lint(?:ing|er|s)?|eslint|ruff|mypy|clippy)\s+(?:(?:is|are|now|also|still|step|check|checks|run|runs)\s+){0,3}(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|clean(?:ly)?|green|successful(?:ly)?|works)\b",
        needs=("build|compil|type|tsc|lint|ruff|mypy|clippy", "clean|green|pass|succeed|successful|works"),
    ),
    Late(
        r"(?i)\b(?:the\s+)?(?:project|code|app)\s+(?:now\s+)?(?:builds|compiles)\s+(?:cleanly|successfully|without (?:errors|warnings))",
        needs=("builds|compiles", "project|code|app", "cleanly|successfully|without"),
    ),
)
#: A checker by its name, which often stands in code marks with its options: "`mypy --strict src` is clean".
_CHECKER_CLEAN = Alternatives(
    Late(
        r"(?i)\b(?P<what>tsc|mypy|pyright|ruff|eslint|svelte-check)`?(?:\s+(?:check|src|app|\.|--?[\w=./-]{1,40})){0,4}`?\s+(?:(?:is|now|comes|came|runs|back|also|still)\s+){0,3}(?:(?:pass(?:es|ed)?|clean(?:ly)?|green)\b|(?:reports|shows|finds|has|gives)\s+(?:no|0|zero)\s+(?:errors|issues|problems)\b)",
        needs=("tsc|mypy|pyright|ruff|eslint|svelte-check", "pass|clean|green|errors|issues|problems"),
    ),
    Late(
        r"(?i)\b(?P<what>typescript\s+(?:now\s+)?compiles|type-?checks)\s+(?:cleanly|with(?:out| no| zero| 0)\s+(?:any\s+)?(?:type\s+)?errors)\b",
        needs=("type", "cleanly|errors"),
    ),
)
#: Behind a claim of a clean check: it is about a part only ("mypy is clean for the new module").
_ABOUT_A_PART = (" for ", " on ", " in ", " of ", " under ")
_RAN = Late(
    r"(?i)(?:\bi\s+(?:also\s+|then\s+|just\s+|have\s+)?(?:[a-z]+\s+[^.`;]{1,60}\band\s+(?:then\s+)?)?(?:ran|executed|verified (?:with|by running|using|via))|\bi've\s+(?:also\s+|just\s+)?(?:run|executed|verified (?:with|by running|using|via))"
    r"|^\W*(?:also |then |and |just )?(?:ran|executed|after running)|\bverified (?:with|by running|via))\s+(?:the\s+)?`(?P<command>[^`\n]{4,100})`",
    needs=("executed|ran|run|after running|verified by running|verified using|verified via|verified with",),
)
#: "`npm test` passes", "`go vet ./...` (0 issues) is clean".
_PASSES = Late(
    r"(?i)`(?P<command>[^`\n]{4,80})`(?: \([^)\n]{0,40}\))?,? (?:(?:now|still|also|all|is|runs|comes back|—|–|-) ){0,3}(?:pass(?:es|ed)?|succeed(?:s|ed)?|green|clean)\b",
    needs=("`", "pass|succeed|green|clean"),
)
_PUSHED = Late(
    r"(?i)\b(?:i(?:'ve| have)?\s+|and\s+|successfully\s+|changes\s+(?:have been\s+|are\s+|were\s+)?|^\W*)(?:committed and )?pushed\b",
    needs=("pushed",),
)
_COMMITTED = Late(
    r"(?i)\b(?:i(?:'ve| have)?\s+|successfully\s+|changes\s+(?:have been\s+|are\s+|were\s+)?|^\W*|^\W*(?:done|\w{2,20}ed)(?:,? \w{2,20}ed(?: \([^)\n]{1,30}\))?){0,3},? and )committed\b|\band (?:then )?committed (?:it|this|that|them|everything|(?:all )?the (?:changes?|fix|work|result))\b",
    needs=("committed",),
)
_PR_MADE = Late(
    r"(?i)\b(?:i(?:'ve| have)?\s+|successfully\s+|^\W*)(?:just\s+)?(?:created|opened|raised|submitted)\s+(?:a\s+|the\s+|draft\s+|new\s+)*(?:pr|pull request|merge request)\b|\b(?:pr|pull request)\s+(?:#\d+\s+)?(?:has been\s+|is\s+|was\s+)?(?:created|opened)\b",
    needs=("created|opened|raised|submitted",),
)
_DEEDS = (("push", _PUSHED), ("commit", _COMMITTED), ("pr", _PR_MADE))
#: How a line begins that may list a check with its result (`listed_claims`), behind what stands before a list's items.
LISTED_TESTS = ("all tests", "full test suite", "test suite", "tests", "test", "specs")
LISTED_CHECKS = (
    "linting", "linter", "lint", "eslint", "ruff", "clippy", "type checking", "type-checking", "typechecking", "type checks", "type check", "type-check", "typecheck",
    "typescript", "types", "tsc", "mypy", "pyright", "svelte-check", "build",
)  # fmt: skip
_LISTED = tuple({label[:4] for label in (*LISTED_TESTS, *LISTED_CHECKS)})
_ITEM = "-*•+|_ \t`[x]✅✓✔☑\ufe0f"
_RUNS = frozenset({CommandKind.TEST, CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK, CommandKind.FORMAT})


class Claim(Value):
    kind: str
    quote: str
    detail: str = ""


def claims_tests_pass(answer: str) -> bool:
    """Whether the answer states that the tests pass."""
    return any(claim.kind == "tests" for claim in claims_in(answer))


def claims_in(answer: str) -> "Iterator[Claim]":
    heard = set()
    for said in _statements(answer):
        for claim in _of_sentence(said):
            heard.add(claim.quote)
            yield claim
    if any(line.lstrip(_ITEM)[:4].lower().startswith(_LISTED) for line in answer.split("\n")):
        yield from (claim for claim in _listed(answer) if claim.quote not in heard)


def _listed(answer: str) -> "Iterator[Claim]":
    from ace_reflect.gates.listed_claims import listed_checks

    for line, what, count in listed_checks(prose.plain(answer)):
        quote = prose.shortened(line.strip("-*•| "), 160)
        kind, detail = ("tests", count) if what == "tests" else ("check", what)
        yield Claim(kind=kind, quote=quote, detail=detail)


def names_a_file(answer: str) -> bool:
    """Whether a word of the answer may be a file's name: letters behind a dot that ends no sentence."""
    return any(part[:1].islower() for part in answer.split(".")[1:])


def plain_statements(answer: str) -> tuple[str, ...]:
    """The sentences of an answer that state something as it is: no condition, no plan, no negation."""
    return tuple(said for said in _statements(answer) if not holds(folded(_bare(said)), _NO_CLAIM, _NO_CLAIM_BEGINS))


def _statements(answer: str) -> "Iterator[str]":
    for sentence in prose.plain(answer).split("\n"):
        if sentence.lstrip().startswith((">", "|", "- [ ]", "* [ ]")):
            continue
        for part in re.split(r"(?<=[.!])\s+|;\s", sentence):
            said = part.strip()
            if said and not said.rstrip("*_ ").endswith(("?", ":")) and not prose.QUOTED.search(_bare(said)):
                yield said


def _bare(said: str) -> str:
    return re.sub(r"`[^`]*`", "``", said) if "`" in said else said


def _of_sentence(said: str) -> "Iterator[Claim]":
    bare = " ".join(_bare(said).split())  # "Tests    : green"
    if answers_elsewhere.says_tests_pass(bare):
        yield Claim(kind="tests", quote=prose.shortened(said.strip("-*• "), 160))
    tests, check = _tests_pass(bare), _CHECK_PASSES.search(bare)
    deeds = [(kind, pattern.search(bare)) for kind, pattern in _DEEDS]
    ran = _RAN.search(said)
    checker = None if check else _CHECKER_CLEAN.search(said)
    passes = None if tests or checker else _PASSES.search(said)
    if not (tests or check or checker or ran or passes or any(match for _, match in deeds)):
        return
    quote = prose.shortened(said.strip("-*• "), 160)
    around = f"{said[: ran.start()]} {said[ran.end() :]}" if ran else ""
    if ran and not re.search(r"(?i)\b(?:if|you|would|could|should|please|not|n't|never|before|can|when)\b", around):
        yield Claim(kind="command", quote=quote, detail=ran.group("command"))
    if tests and not _PART.search(bare) and not _hedged(bare, tests):
        yield Claim(kind="tests", quote=quote, detail=_count(tests.group()))
    if check and not _hedged(bare, check) and not _of_a_part(bare, check):
        yield Claim(kind="check", quote=quote, detail=check.groupdict().get("what", "build").lower())
    if passes and not _hedged(said, passes) and not _of_a_part(said, passes) and run_named(passes["command"]):
        yield Claim(kind="passes", quote=quote, detail=passes.group("command"))
    if checker and not _hedged(said, checker) and not _of_a_part(said, checker):
        yield Claim(kind="check", quote=quote, detail=checker.group("what").lower())
    for kind, match in deeds:
        if match and not _hedged(bare, match):
            yield Claim(kind=kind, quote=quote, detail=_hashes(said) if kind == "commit" else "")


def run_named(words: str) -> "Command | None":
    """The command in code marks that tests, builds or checks; None for a function or a flag that passes something on."""
    from ace_reflect.evidence.commands import classify

    return next((item for item in classify(words) if item.runner and item.kind in _RUNS), None)


def _hashes(said: str) -> str:
    """The commits' hashes in a sentence, with spaces between them; a path or a word of such letters is none."""
    words = (word.strip("`.,;:!()[]*\"'") for word in said.replace("](", "] (").split())
    return " ".join(word for word in words if 7 <= len(word) <= 40 and not word.strip("0123456789abcdef"))


def _tests_pass(bare: str) -> "re.Match[str] | None":
    found = _TESTS_PASS.search(bare)
    if found and _hand_on(folded(bare[found.end() :])):
        return _TESTS_PASS.search(" " * found.end() + bare[found.end() :])
    return found


def _hand_on(rest: str) -> bool:
    """Whether what follows "the tests pass" is what they pass to something, and no verdict: "a client to the handler"."""
    if not rest.startswith(" "):
        return False
    first, second, third = (*rest.replace(",", " , ").split(maxsplit=3), "", "", "")[:3]
    if first in ("a", "an"):
        return second not in ("second", "third")  # time
    if first in ("the", "its", "this", "their"):
        first, second = second, third
    return first.startswith("``") or (first not in ("thanks", "due", "according", "up") and second in ("to", "into"))


def _hedged(said: str, claim: "re.Match[str]") -> bool:
    """
    Whether the sentence takes the claim back, or makes it depend on something.

    What comes behind it in a clause of its own ("…, ensuring that it works as expected", "…, but the linter has one
    complaint") does so only where it speaks of tests or of an exception; the past tense of a clause before it is that one's.
    """
    start = max(_end(_CLAUSE, said[: claim.start()]), 0)
    rest = _CLAUSE.search(said, claim.end())
    end = rest.start() if rest else len(said)
    behind = said[end:]
    if not _OF_THE_CLAIM.search(behind):
        behind = ""
    before = folded(said[:start])
    within = folded(said[start:end])
    for own in ("as expected", "without errors", "without any errors", "without warnings"):
        within = within.replace(own, "")
    return (
        holds(within, _NO_CLAIM, _NO_CLAIM_BEGINS)
        or holds(before, _NO_CLAIM_BEFORE, _NO_CLAIM_BEGINS)
        or holds(folded(behind), _NO_CLAIM, _NO_CLAIM_BEGINS)
    )


def _of_a_part(said: str, claim: "re.Match[str]") -> bool:
    """Whether the claim is about some files only: "mypy is clean for the new module", "core.py: mypy clean"."""
    before = said[: claim.start()]
    clause = before[max(_end(_CLAUSE, before), 0) :]
    return said[claim.end() :].startswith(_ABOUT_A_PART) or "``" in clause or names_a_file(clause)


def _end(pattern: Late, text: str) -> int:
    return max((match.end() for match in pattern.finditer(text)), default=-1)


def _count(said: str) -> str:
    """The number of tests that are said to pass; "" where none is named, or a fraction ("10 of 12")."""
    numbers = {number.replace(",", "") for number in re.findall(r"\d[\d,]*", said)}  # "12/12" names one
    return numbers.pop() if len(numbers) == 1 else ""
