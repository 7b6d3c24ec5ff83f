"""
Failures that the person exempted by name: "ignore test_upload", "UploadTest fails here, has for weeks", "all but e2e/pay.spec.ts".

Which tests failed is not in the ledger, only how many; so the names are held against the number, and against what the
answer says failed. A name may stand in quotes or code marks: "ignore `Cart > adds up twice`", "the test "should return 500" fails".
"""

from ace_reflect import regex as re
from ace_reflect.gates import known_number, prose
from ace_reflect.late import Late, folded
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case

_ONE = r"(?<![\w./-])[\w./-]*::[\w:.\[\]-]+|\btest_\w+\b(?!\.\w)|\btest[A-Z]\w+|\b[A-Z]\w*Tests?[.#:]+\w+|\bTest[A-Z]\w*/[\w/]+|\bTest[A-Z]\w*\b"
_MANY = (
    r"(?<![\w./-])[\w./-]*(?:\btest|spec|_test|Test)[\w-]{0,80}\.(?:[\w-]{1,80}\.){0,5}[a-z]{1,4}\b|\b[A-Z]\w*(?:Tests?|Spec)\b|\b(?:tests?|spec|e2e)/[\w./-]+"
    r"|\b(?:[Tt]he|[Tt]hat|[Tt]hose|[Tt]hese|[Oo]ur|[Aa]ll)\s+(?:[\w'-]+\s+){1,3}?(?:tests?|specs?|suite)\b(?!\s+(?:suite|runner|file))"
)
#: How runners print a test, up to the verb behind it: "Cart > adds up fails on main"; and what stands for a marked name.
_PRINTED = r"\b[A-Z]\w{1,60} [>›] [A-Za-z][^.,;!?\n]{2,120}?(?=\s+(?:is|are|was|fails?|failed|has|keeps?|always|already)\b|[.,;!?]|$)"
_STAND_IN = "marked0name"
_NAME = Late(
    rf"(?P<one>{_STAND_IN}\d+\b|{_PRINTED}|{_ONE})|(?P<many>{_MANY})",
    needs=(f"test|spec|e2e|::|suite|Test|Spec| > | › |{_STAND_IN}",),
)
_MARKED = Late(
    r"(?<![`\w])`(?P<code>[^`\n]{3,160})`(?!`)|(?<![\"\w])\"(?P<said>[^\"\n]{3,160})\"(?!\")|“(?P<curly>[^”\n]{3,160})”"
    r"|(?<![\w'])'(?! )(?P<single>(?:[^'\n]|(?<=\w)'(?=\w)){3,160})(?<! )'(?![\w'])",
    needs=("`|\"|“|'",),
)
#: What is marked reads as a test's own name, or stands where one does: "the test called "…"".
_READS_AS_NAME = Late(
    r"\w [>›] \w|::|^(?:it |should |returns? |throws? |rejects? )", needs=("> |› |::|it |should |return|throw|reject",)
)
_CALLED = Late(r"(?i)\b(?:test|spec)(?: case)?(?: called| named)?:? *$|\b(?:tests|specs):? *$", needs=("test|spec",))
#: One by a name of its own, which only an answer can show to be a test's: "CartRoutes fails on main".
_CAMEL = Late(r"\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b(?!\d)")
_IGNORE = rf"(?:ignor\w+|skip|disregard|overlook|exclude|never ?mind|leave (?:out|alone)|forget about|(?:{known_number.NOT_YOURS})(?:\s+(?:about|with|at|into))?|leave (?:it|that|them|those|this)\b)"
#: Before a name: all else is meant, or the person sees to it.
_EXCEPT = r"except(?:ing)?(?: for)?|apart from|aside from|other than|besides|(?:all|everything|anything) but|i(?:'ll| will) (?:fix|mend|handle|look (?:at|into)|take care of)"
_LEADING = r"(?:the |that |those |for |about |failing |failures? (?:of|in) |flaky |broken |red |known |one |test |tests |called |named |and |,|in |of )*$"
_EXCEPTED = Late(rf"(?i)\b(?:{_EXCEPT})\W*{_LEADING}")
#: Before a name: what is said of it.
_BEFORE = Late(
    rf"(?i)\b(?:{_IGNORE}|{_EXCEPT}|known (?:failures?|failing(?: tests?)?|issues?|flakes?|to fail|red)\s*[:=]?|flak(?:y|es?)\s*:)\W*{_LEADING}"
)
#: Behind a name: it fails, and that is known.
_BEHIND = Late(
    r"(?i)^[^.!?]{0,80}?\b(?:known to (?:fail|be)|(?:is|are|'s|was|were) (?:a )?known|known (?:failure|issue|flake)|flak(?:y|es|ey)|expected to fail|(?:may|can|will|might|could) (?:still )?fail|(?:may|can|might|could|should) (?:stay|remain|be left) (?:red|broken|failing)|won'?t ?fix|allowed to fail|ok(?:ay)? to fail|supposed to fail"
    r"|(?:fail\w*|red|broken|times? out|timing out|hangs?)\b[^.!?]{0,60}\b(?:already|always|anyway|on (?:main|master|this machine|my machine|ci too)|locally|here|(?:for|since) (?:weeks|months|days|ages|a while|a long time|ever|last)|has for|before (?:this|your|my)|unrelated|pre-?existing|known|that'?s (?:fine|ok|known)|not (?:your|our)|every(?:where)?)"
    r"|(?:already|always) (?:fail\w*|red|broken)|(?:has|have) (?:always |long )?been (?:failing|red|broken)|unrelated|pre-?existing)"
)
_IGNORED = Late(
    rf"(?i)\b{_IGNORE}(?:\W+(?:about |with |at )?(?:it|that|them|those|this|these|both)(?: (?:one|ones|two|test|tests|failures?))?)?\b"
)
_NEXT_IGNORES = Late(
    rf"(?i)^\W*(?:so |but |and |no,? |yes,? |ok,? |just |please |you can |that'?s (?:known|fine|ok(?:ay)?)|it'?s (?:known|fine|ok(?:ay)?|unrelated))*(?:{_IGNORE}\s*(?:about |with )?(?:it|that|them|those|this|these|both)?|that'?s (?:known|fine|ok(?:ay)?)|it'?s (?:known|fine|ok(?:ay)?|unrelated|not your))\b"
)
_FAILS = Late(
    r"(?i)\b(?:fail\w*|red|broken|flak\w+|times? out|hangs?|schl(?:ägt|agen)\b[^.!?,;]{0,40}\bfehl|fehlschl\w+|échou\w+|fall(?:a|an|ando)|falh\w+|fallisc\w+|faalt|falen)\b"
)
#: The name is the task itself.
_TO_MEND = Late(
    r"(?i)\b(?:fix|mend|repair|solve|debug|find out why|investigate|look into|get|make|turn)\b[^.!?,;]{0,50}$"
)
_MENDED = Late(
    r"(?i)(?<!n't )(?<!not )\b(?:investigate|debug|fix|mend|repair|find out|look into|make (?:it|them) (?:pass|green))\b"
)
_NOT_IGNORED = Late(
    r"(?i)\b(?:don'?t|do not|never|must not|mustn'?t|no longer|stop|should(?:n'?t| not)|can(?:'?t|not)) (?:just |simply )?(?:ignor|skip|exclud|overlook|disregard|leav)"
    r"|\b(?:nicht|nie|pas|jamais|no|nunca|não|non|niet) (?:(?:zu|einfach|simplement) )?(?:(?:lo|la|los|las|le|les|o|a) )?ignor"
)


class Exempt(Value):
    name: str
    quote: str
    single: bool  # one test; else a file, a class or a description of several
    certain: bool = True  # else it may be the name of something else, and counts where the answer tells it to fail
    sentences: tuple[str, ...] = ()  # the sentences that say so, as `prose.sentences` has them
    number: int = 0  # how many tests, where that is all the person told of them


class Exempted(Value):
    """The person's words that exempt what failed in a run. `sure`: number and answer show that nothing else failed."""

    quote: str
    sure: bool


def exempts(text: str) -> tuple[Exempt, ...]:
    """The tests that a prompt exempts by name."""
    if not any(sign in folded(text) for sign in _SIGNS):
        return ()
    marked: list[_Marked] = []
    said = prose.sentences(_MARKED.sub(lambda match: _stand_in(match, marked), text))
    found: list[Exempt] = []
    for number, sentence in enumerate(said):
        after = said[number + 1].text if number + 1 < len(said) else ""
        if len(sentence.text) < _LONGEST and not sentence.asks and not _NOT_IGNORED.search(sentence.text):
            found += _of_sentence(sentence.text, after, marked)
    return tuple(found)


def named_in(text: str) -> "set[str]":
    """
    The sentences of a prompt that exempt certain tests, or a file of tests, by name or by number; they are no waiver of all
    tests.
    """
    found = (each for each in exempts(text) if each.certain and (each.single or each.number or "." in each.name))
    return {sentence for each in found for sentence in each.sentences}


#: Characters: a longer "sentence" is a pasted log or a list, and what is said of its names is not told by words beside them.
_LONGEST = 1_000
#: A text without one of these exempts nothing.
_SIGNS = ("test", "spec", "e2e", "suite", "::", "fail", "red", "flak", "ignor", "skip", "known", "> ")


class _Marked(Value):
    name: str
    shown: str  # as the person typed it
    plain: str  # what `prose` leaves of it
    reads_as_name: bool


def _stand_in(match: "re.Match[str]", marked: list[_Marked]) -> str:
    """
    A placeholder for a name in quotes or code marks, so that its dots and spaces do not end a sentence; `marked` keeps the
    name. One that is recognised as a test's name without its marks needs none.
    """
    name = (match.group(match.lastgroup or 0)).strip()
    known = _NAME.fullmatch(name)
    if known is not None and _PLAIN.fullmatch(name):
        return name
    code = match.lastgroup == "code"
    before = match.string[max(0, match.start() - 40) : match.start()].rpartition("\n")[2]
    called = _CALLED.search(before)
    one = called is not None and (not called.group().rstrip(" :").endswith("s") or name.count(" ") > 1)
    reads = one or _READS_AS_NAME.search(name) is not None
    marked.append(_Marked(name=name, shown=match.group(), plain=name if code else " “” ", reads_as_name=reads))
    return f"{_STAND_IN}{len(marked) - 1}"


_PLAIN = Late(r"[\w./:\[\]#-]+")
_TOKEN = Late(rf"{_STAND_IN}(\d+)\b", needs=(_STAND_IN,))


def _restored(text: str, marked: list[_Marked], field: str) -> str:
    return " ".join(_TOKEN.sub(lambda match: getattr(marked[int(match.group(1))], field), text).split())


def _names(said: str, marked: list[_Marked]) -> "tuple[list[re.Match[str]], bool]":
    """The names in a sentence, and whether they are certainly those of tests."""
    found = list(_NAME.finditer(said))
    tokens = [match for match in found if match.group().startswith(_STAND_IN)]
    sure = any(marked[int(match.group()[len(_STAND_IN) :])].reads_as_name for match in tokens)
    plain = [match for match in found if match not in tokens]
    if sure:  # "the failing test `a > b`": its name is what counts
        return [m for m in found if m in tokens or not _leads(m, tokens, said)], True
    if plain:
        return plain, True
    return tokens + list(_CAMEL.finditer(said)), False


def _leads(match: "re.Match[str]", tokens: "list[re.Match[str]]", said: str) -> bool:
    """Whether a match only introduces the marked name right behind it ("the failing test `a > b`"), and is no name itself."""
    return any(not said[match.end() : token.start()].strip(" :(") for token in tokens if token.start() >= match.end())


def _of_sentence(said: str, after: str, marked: list[_Marked]) -> "Iterator[Exempt]":
    names, certain = _names(said, marked)
    counted = known_number.told(said, after) if not (certain and any(match["one"] for match in names)) else None
    if counted is not None:
        sentences = tuple(_restored(each, marked, "plain") for each in (said, after))
        quote = prose.shortened(_restored(said, marked, "shown"), 100)
        yield Exempt(name=counted[0], quote=quote, single=False, sentences=sentences, number=counted[1])
        return
    ignored_next = _NEXT_IGNORES.match(after) is not None
    whole = bool(names) and _FAILS.search(said) is not None and (_IGNORED.search(said) is not None or ignored_next)
    of_it = ignored_next and not any(word in folded(after) for word in ("tests", "suite", "specs"))
    sentences = tuple(_restored(each, marked, "plain") for each in ((said, after) if of_it else (said,)))
    for match in _exempted(said, names, whole=whole):
        yield Exempt(
            name=_restored(match.group(), marked, "name"),
            quote=prose.shortened(_restored(said, marked, "shown"), 100),
            single=match.re is _CAMEL.compiled or match.group("one") is not None,
            certain=certain,
            sentences=sentences,
        )


def _exempted(said: str, names: "list[re.Match[str]]", *, whole: bool) -> "Iterator[re.Match[str]]":
    """
    Which of a sentence's `names` it exempts; with `whole` all but those that are to be mended. What is said in front of a list
    of names or behind it counts for each name in the list.
    """
    ends = [*(match.start() for match in names[1:]), len(said)][: len(names)]
    mended = [_is_to_mend(said, match, end) for match, end in zip(names, ends, strict=True)]
    taken: list[bool] = []
    for place, (match, end) in enumerate(zip(names, ends, strict=True)):
        listed = place > 0 and taken[-1] and _joins(said, names[place - 1], match)
        told = whole or _BEFORE.search(said[: match.start()]) or _BEHIND.match(said[match.end() : end])
        taken.append(not mended[place] and bool(listed or told))
    for place in range(len(names) - 2, -1, -1):  # "test_a and test_b fail on main"
        of_both = taken[place + 1] and not _SINGULAR.match(said, names[place + 1].end())
        taken[place] |= of_both and not mended[place] and _joins(said, names[place], names[place + 1])
    yield from (match for match, is_taken in zip(names, taken, strict=True) if is_taken)


def _is_to_mend(said: str, match: "re.Match[str]", end: int) -> bool:
    before = said[: match.start()]
    if _TO_MEND.search(before) and not _EXCEPTED.search(before):
        return True
    return _MENDED.search(said[match.end() : end]) is not None and not _IGNORED.search(said)


def _joins(said: str, one: "re.Match[str]", other: "re.Match[str]") -> bool:
    return _LIST.fullmatch(said[one.end() : other.start()]) is not None


_LIST = Late(r"[\s,&/]*+(?:and|or|und)?[\s,]*+(?:the |for )?")
_SINGULAR = Late(r"(?i)\s+(?:(?:still|also|always|already)\s+)?(?:fails|is|was|has|keeps|hangs|times)\b")


def exempted(run: "Run", case: "Case") -> Exempted | None:
    """The person's words that cover the failures of a run; None where they do not, or not all of them."""
    known = in_force(case)
    failed = run.counts.failed if run.counts is not None else None
    most = max((each for each in known if each.number), key=lambda each: each.number, default=None)
    if most is not None and failed is not None and 0 < failed <= most.number:
        return Exempted(quote=most.quote, sure=True)
    names = [each for each in known if not each.number and (each.certain or _told(case.final, each))]
    if not names:
        return None
    single = all(each.single for each in names)
    if failed is not None and failed > len(names) and single:
        return None
    answered = [each for each in names if _mentions(case.final, each)]
    enough = failed is not None and (
        failed <= len(answered) or (bool(answered) and not all(each.single for each in answered))
    )
    shown = answered or names
    return Exempted(quote=shown[0].quote, sure=enough)


def in_force(case: "Case") -> list[Exempt]:
    """What the person's prompts up to now and the project's instructions exempt."""
    found: dict[str, Exempt] = {}
    answer = ""
    for turn in case.ledger.turns:
        if turn.number > case.turn.number:
            break
        if turn.kind == "human" and answer and _NEXT_IGNORES.match(turn.prompt):
            found |= {each.name: each for each in _told_red(answer, turn.prompt)}
        answer = turn.final_text or answer
        for text in turn.typed:
            if known_number.to_mend(text):  # they are the task now
                found = {name: each for name, each in found.items() if not each.number}
            found |= {each.name: each for each in exempts(text)}
        if turn.kind == "plan":  # the person read and accepted it: no waiver, but a test that it names may fail
            found |= {each.name: each for each in exempts(turn.prompt) if each.single and each.certain}
    for line in case.project.instructions.split("\n"):
        if len(line) < 300:
            found |= {each.name: each for each in exempts(line)}
    return list(found.values())


def _told_red(answer: str, said: str) -> "Iterator[Exempt]":
    """The tests by name that an answer told to fail, where the person's next words are "that's known, ignore it"."""
    for sentence in prose.sentences(answer):
        if _FAILS.search(sentence.text):
            for match in _NAME.finditer(sentence.text):
                if match.group("one"):
                    yield Exempt(name=match.group(), quote=prose.shortened(said, 100), single=True)


def _told(answer: str, each: Exempt) -> bool:
    """Whether a line of the answer tells it to fail."""
    return any(_mentions(line, each) and _FAILS.search(line) is not None for line in answer.split("\n"))


def _mentions(answer: str, each: Exempt) -> bool:
    """Whether the answer names it too, whole or by its last part."""
    last = re.split(r"::|[#/]| [>›] |\.(?=[a-z]\w+$)", each.name)[-1] if each.single else each.name
    if each.name in answer or (len(last) > 5 and last in answer):
        return True
    words = [
        word
        for word in re.findall(r"\w{4,}", each.name.lower())
        if word not in {"that", "those", "these", "test", "tests", "suite", "spec", "specs"}
    ]
    return not each.single and bool(words) and all(word in answer.lower() for word in words)
