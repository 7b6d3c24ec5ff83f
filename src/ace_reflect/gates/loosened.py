"""
Whether a test that was removed, skipped or loosened in this turn is worth a word.

It is not where the person asked for it, where the answer tells of it, or where what it tested went as well.
"""

from ace_reflect.evidence.weakened import AND_MORE, begins_test, test_name
from ace_reflect.gates.left_out import UNFIT_REASON, module_of
from ace_reflect.gates.prose import sentences
from ace_reflect.gates.undone import put_back_since
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from ace_reflect.evidence.facts import Edit
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt

_TESTS = Late(
    r"(?<![A-Za-z])(?:[Tt]ests?|TESTS?|[Ss]pecs?|[Aa]ssert\w*|[Ee]xpect\w*|[Cc]overage|[Ss]napshots?)(?![A-Za-z])"
    # By the name of one: `TestParse`, `testParse`, `ParserTest`; `testId` and TestFlight are none.
    r"|\b[Tt]est(?=[A-Z])(?!I[dD]|Flight)|(?<=[a-z0-9])(?:Tests?|Specs?)\b",
    needs=("est|EST|pec|ssert|overage|napshot",),
)
_SILENCED = Late(
    r"(?i)\b(?:skip|disabl|remov|delet|drop|ignor|quarantin|exclu|xfail|mark|mute|comment|loosen|relax|updat|rewrit|replac|clean|obsolete|unused|dead)",
    needs=(
        "skip|disabl|remov|delet|drop|ignor|quarantin|exclu|xfail|mark|mute|comment|loosen|relax|updat|rewrit|replac|clean|obsolete|unused|dead",
    ),
)
_FAILING = Late(
    r"(?i)\b(?:fail(?:s|ed|ing|ures?)?|broken|red|flaky|pass(?:es|ing)?)\b", needs=("fail|broken|red|flaky|pass",)
)
#: A test, an assertion, or a test's name or file; the second, behind a verb, where it is not said to pass.
_A_TEST = r"(?:(?<![A-Za-z])(?:tests?|specs?)(?![a-z])|\b(?:test cases?|assert(?:ion)?s?|expectations?|snapshots?)\b|(?-i:\bTest[A-Z]))"
_TEST_WORDS = "test|spec|assert|expectation|snapshot"
_ITS_TEST = rf"{_A_TEST}(?! (?:(?:all|still|now|suite) )?(?:pass|run|ran|succe|are|is|green))"
_STOPS = r"so|then|until|because|before|after|ran|run|pass\w{0,3}|but|and(?! (?:its?|their|the))"
_CHARACTER = r"(?:[^.!?;\n]|\.(?=\w))"
_WITHIN = rf"(?:(?!\b(?:{_STOPS})\b){_CHARACTER}){{0,80}}?"
#: Between a verb and its object: "replaced the parser, covered by tests" replaced no test.
_UP_TO = rf"(?:(?!\b(?:{_STOPS}|by|under|covered|with(?! (?:its?|their|the)))\b){_CHARACTER}){{0,80}}?"
_REMOVED = r"remov(?:ed|es|ing|al)|delet(?:ed|es|ing)|dropp(?:ed|ing)|replac(?:ed|es|ing)|merg(?:ed|es|ing)|consolidat(?:ed|es|ing)|collaps(?:ed|ing)|folded|rewrote|rewritten|rewrit(?:es|ing)"
_CHANGED = rf"{_REMOVED}|updat(?:ed|es|ing)|adjust(?:ed|s|ing)|adapt(?:ed|s|ing)|chang(?:ed|es|ing)|simplif(?:ied|ies|ying)|loosen(?:ed|s|ing)|relax(?:ed|es|ing)|convert(?:ed|s|ing)|switch(?:ed|es|ing)|migrat(?:ed|es|ing)|refactor(?:ed|s|ing)|rework(?:ed|s|ing)|align(?:ed|s|ing)"
_MUTED = r"skipped|skipping|disabled|disabling|ignored|ignoring|xfailed|muted|muting|quarantined|commented out|loosened|relaxed|weakened|stubbed"
_STEMS = "remov|delet|dropp|replac|merg|consolidat|collaps|folded|rewrote|rewrit"
_TELLS_REMOVED = Late(
    rf"(?i)\b(?:{_REMOVED})\b{_UP_TO}{_ITS_TEST}|{_A_TEST}{_WITHIN}\b(?:{_REMOVED})\b",
    needs=(_STEMS, _TEST_WORDS),
)
_TELLS_CHANGED = Late(
    rf"(?i)\b(?:{_CHANGED})\b{_UP_TO}{_ITS_TEST}|{_A_TEST}{_WITHIN}\b(?:{_CHANGED})\b",
    needs=(
        f"{_STEMS}|updat|adjust|adapt|chang|simplif|loosen|relax|convert|switch|migrat|refactor|rework|align",
        _TEST_WORDS,
    ),
)
#: Programs skip things too: that a test is skipped takes the test for an object, or a form of "to be".
_TELLS_MUTED = Late(
    rf"(?i)\b(?:{_MUTED}|(?:had to|i) (?:skip|disable|mute|ignore|loosen|relax)) (?:(?:the|a|an|one|two|three|both|that|this|these|those|\d{{1,3}}) )?[^.!?;:()\n,]{{0,30}}?{_ITS_TEST}"
    rf"|{_A_TEST}[^.!?;:()\n,]{{0,60}}\b(?:is|are|was|were|be|been|being|stays?|now|marked|as)(?: (?:now|currently|temporarily|explicitly|all|both|therefore))? (?:{_MUTED}|skip|xfail|pending)\b"
    rf"|\bmarked {_WITHIN}{_A_TEST}{_WITHIN}\b(?:skip|xfail|pending)",
    needs=(
        "skip|disabl|ignor|xfail|mut|quarantin|commented|loosen|relax|weaken|stubbed|pending",
        _TEST_WORDS,
    ),
)
_DENIED = Late(r"(?i)\b(?:no(?! longer)|not|never|without|none|nothing)\b|n't\b", needs=("no|without|never|n't",))
_BEFORE = 25
_WORD = Late(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def loosened(each: "Debt", case: "Case") -> "Edit | None":
    """The last edit of this turn that gave up something of a test unbidden and untold."""
    here = [edit for edit in case.own(each.edits) if edit.weakened and not put_back_since(edit, case.ledger)]
    return next((edit for edit in reversed(here) if not _accounted_for(edit, each, case)), None)


def _accounted_for(edit: "Edit", each: "Debt", case: "Case") -> bool:
    quote = edit.weakened
    return (
        _asked(case.turn.said, quote)
        or (_tells(case.plain, quote) and not called_unfit(edit, case))
        or _went_with_its_module(edit, each)
        or _went_with_what_it_tests(quote, case)
    )


def called_unfit(edit: "Edit", case: "Case") -> bool:
    """
    Whether a test was switched off for being flaky or unimportant, as its mark or the answer says.

    To tell of it does not make up for it: the test is one that should have passed.
    """
    quote = edit.weakened
    if not quote.startswith("+"):
        return False
    if UNFIT_REASON.search(quote):
        return True
    if not UNFIT_REASON.search(case.plain):
        return False
    said = (sentence.text for sentence in sentences(case.plain))
    return any(_TELLS_MUTED.search(text) and UNFIT_REASON.search(text) for text in said)


def _asked(said: str, quote: str) -> bool:
    """
    Who speaks of tests may have wanted other assertions; to have one skipped or deleted takes a word for it.

    So does it to have a whole test deleted where they were said to fail.
    """
    if _TESTS.search(said) is None:
        return False
    if quote.startswith("-") and not (_is_whole(quote) and _FAILING.search(said)):
        return True
    return _SILENCED.search(said) is not None


def _tells(answer: str, quote: str) -> bool:
    """Whether the answer says that a test was removed, skipped, or had its assertions changed, as the quote shows."""
    whole = _TELLS_REMOVED if _is_whole(quote) else _TELLS_CHANGED
    told = _TELLS_MUTED if quote.startswith("+") else whole
    return any(_DENIED.search(_with_beginning(match, answer)) is None for match in told.finditer(answer))


def _with_beginning(match: "re.Match[str]", answer: str) -> str:
    """What was found, with what stands in front of it in its sentence."""
    before = answer[max(0, match.start() - _BEFORE) : match.start()]
    return before.replace("\n", ". ").rpartition(". ")[2] + match.group()


def _is_whole(quote: str) -> bool:
    """Whether a test or a file of tests is gone, not just an assertion."""
    return not quote.startswith(("+", "-")) or begins_test(quote[2:])


def _went_with_its_module(test: "Edit", each: "Debt") -> bool:
    """A test that was removed together with what it tests: `git rm src/csv.py tests/test_csv.py`."""
    if test.change != "removed":
        return False
    gone = {module_of(edit.path) for edit in each.edits if edit.change == "removed" and edit.kind == "code"}
    return module_of(test.path) in gone


def _went_with_what_it_tests(quote: str, case: "Case") -> bool:
    """The same with one function: `TestClientSetCommand`, where this turn took `SetCommand` out."""
    if not quote.startswith("-") or AND_MORE in quote:
        return False
    gone = " ".join(edit.gone for edit in case.own(case.ledger.edits) if edit.gone).split()
    test = _words(test_name(quote[2:])) if gone else []
    return any(_is_about(test[test[:1] == ["test"] :], _words(name)) for name in gone)


def _is_about(test: list[str], name: list[str]) -> bool:
    """A name of several words anywhere in the test's; one of a single word, which many share, as the whole of it."""
    if len(name) == 1:
        return test == name
    return any(test[place : place + len(name)] == name for place in range(len(test)))


def _words(name: str) -> list[str]:
    """`SetCommand`, `set_command` and "set command" as set, command."""
    return [word.lower() for word in _WORD.findall(name)]
