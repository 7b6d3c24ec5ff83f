"""How many tests a person knows to fail, without their names: "2 tests are red on main already", "three known failures"."""

from ace_reflect.late import Late, folded

_NUMBERS = {
    "one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "zwei": 2, "drei": 3, "vier": 4, "deux": 2, "trois": 3, "quatre": 4, "dos": 2, "tres": 3, "cuatro": 4, "dois": 2,
    "duas": 2, "três": 3, "quatro": 4, "due": 2, "tre": 3, "twee": 2, "drie": 3,
}  # fmt: skip
_OF = r"(?: (?:of|von|de|di|van) (?:the |our |your |my |these |those |all )?(?:\d{1,6} )?)?"
_STATE = r"fail(?:ing|ed)|red|broken|flaky|known|pre-?existing"
_VERB = (
    r"(?>(?: (?:that|which|still|already|always|currently|there))*) (?:fail|fails|failed|flake|(?:is|are|was|were|keep|keeps|stay|remain|(?:has|have) been)"
    r"(?>(?: (?:still|already|always|also|currently|known|all|both))*) (?:failing|failed|red|broken|flaky|to fail))\b"
    r"|[^.!?,;]{0,30}\b(?:fehl|rot|kaputt|échou|rouge|fall|falh|faal|falen)"
)
#: Two tests are told to fail in the words that count them ("2 known failing tests", "two failures"), or behind those.
_TOLD = Late(
    rf"(?i)(?<![\w.,:/#-])(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)}){_OF} ?"
    rf"(?:(?:[\w'-]{{1,20}} ){{0,2}}?(?:{_STATE}) (?:[\w'-]{{1,20}} ){{0,2}}?(?:tests?|specs?)\b"
    rf"|(?:[\w'-]{{1,20}} ){{0,3}}?(?:tests?|specs?)(?={_VERB})"
    r"|(?:[\w'-]{1,20} ){0,2}?(?:failures?|flakes?|fails|échecs|fallos|falhas|fallimenti)\b)",
    needs=("test|spec|fail|flake|échec|fallo|falha|falli",),
)
_WORDS_OF_FAILURE = r"(?:fail\w*|red|broken|flak\w+)"
_KNOWN = Late(
    rf"(?i)\balready (?:been )?{_WORDS_OF_FAILURE}"
    rf"|\b{_WORDS_OF_FAILURE}\b[^.!?;]{{0,60}}\b(?:already|anyway|on (?:main|master|develop|trunk)|everywhere|(?:for|since) (?:weeks|months|days|ages|years|last)|before (?:you|this|your|my|we))\b"
    r"|\b(?:known|pre-?existing|unrelated|(?:is|are|as|that'?s|it'?s|they'?re) expected|expected to fail|supposed to fail)\b"
    r"|\b(?:schon|bereits|bekannt|déjà|connus?|ya|conocid[oa]s?|já|conhecid[oa]s?|già|not[ie]|bekend|al)\b"
)
#: Who says so has nothing done about it.
NOT_YOURS = r"(?:don'?t|do not|no need to|needn'?t) (?:worry|care|bother|fuss|fix|touch|mind|chase|look)|(?:not|isn'?t|aren'?t) (?:your|our|my) (?:problem|concern|fault|job|business)"
_LEFT = Late(
    rf"(?i)\b(?:ignore|disregard|never ?mind|forget (?:about )?(?:it|them|those|that)|(?:leave|skip) (?:it|them|those|these|that|the)|{NOT_YOURS}"
    r"|(?:that'?s|it'?s|they'?re) (?:known|fine|ok(?:ay)?|normal|expected))\b"
)
#: The tests are to be written, or to be mended.
_WANTED = Late(r"(?i)\b(?:writ\w+|add\w*|creat\w+|need|want|mak\w+|generat\w+|start with|begin with)\b[^.!?;]{0,40}$")
_TO_MEND = Late(
    r"(?i)(?<!n't )(?<!not )(?<!to )\b(?:fix|mend|repair|solve|debug|investigate|find out|look into|get|make|turn)\b[^.!?;]{0,50}"
    rf"\b(?:tests?|specs?|suite|failures?|{_WORDS_OF_FAILURE}|them|those|these|it|that|both|why|all|everything|green)\b"
)
_PART = Late(
    r"(?i)\b(?:of|von|de|van|di) (?:them|those|these|which|denen|ellos|ellas)\b"
)  # "5 fail, 3 of them are known"
_SHORT = 120  # characters of a sentence behind, for one that is only about the tests


def told(sentence: str, after: str) -> "tuple[str, int] | None":
    """The words of a sentence that count failing tests, and their number, where it or the one behind says that they are known."""
    found = _TOLD.search(sentence)
    if found is None or _WANTED.search(sentence[: found.start()]) or _PART.search(sentence):
        return None
    behind = after if len(after) < _SHORT else ""
    if to_mend(sentence) or to_mend(behind):
        return None
    if not (_KNOWN.search(sentence) or _LEFT.search(sentence) or _LEFT.search(behind)):
        return None
    number = folded(found["number"])
    return found.group(), int(number) if number.isdigit() else _NUMBERS[number]


def to_mend(text: str) -> bool:
    """Whether the words ask to make failing tests pass."""
    return _TO_MEND.search(text) is not None
