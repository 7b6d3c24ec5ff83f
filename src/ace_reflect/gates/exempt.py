"""
Failures that the person exempted by name: "ignore test_upload", "UploadTest fails here, has for weeks", "all but e2e/pay.spec.ts".

Which tests failed is not in the ledger, only how many; so the names are held against the number, and against what the
answer says failed.
"""

import re

from ace_reflect.gates import prose
from ace_reflect.late import Late
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
_NAME = Late(rf"(?P<one>{_ONE})|(?P<many>{_MANY})", needs=("test|spec|e2e|::|suite|Test|Spec",))
_IGNORE = r"(?:ignor\w+|skip|disregard|overlook|exclude|never ?mind|leave (?:out|alone)|forget about|(?:don'?t|do not|no need to|needn'?t) (?:worry|care|bother|fuss|fix|touch|mind|chase|look)(?:\s+(?:about|with|at|into))?|not (?:your|our|my) (?:problem|concern|fault|job|business)|leave (?:it|that|them|those|this)\b)"
#: Before a name: what is said of it.
_BEFORE = Late(
    rf"(?i)\b(?:{_IGNORE}|except(?:ing)?(?: for)?|apart from|aside from|other than|besides|(?:all|everything|anything) but|known (?:failures?|failing(?: tests?)?|issues?|flakes?|to fail|red)\s*[:=]?|flak(?:y|es?)\s*:)\W*(?:the |that |those |for |about |failing |failures? (?:of|in) |flaky |broken |red |known |one |test |tests |called |named |and |,|in |of )*$"
)
#: Behind a name: it fails, and that is known.
_BEHIND = Late(
    r"(?i)^[^.!?]{0,80}?\b(?:known to (?:fail|be)|(?:is|are|'s|was|were) (?:a )?known|known (?:failure|issue|flake)|flak(?:y|es|ey)|expected to fail|(?:may|can|will|might|could) (?:still )?fail|allowed to fail|ok(?:ay)? to fail|supposed to fail"
    r"|(?:fail\w*|red|broken|times? out|timing out|hangs?)\b[^.!?]{0,60}\b(?:already|always|anyway|on (?:main|master|this machine|my machine|ci too)|locally|here|(?:for|since) (?:weeks|months|days|ages|a while|a long time|ever|last)|has for|before (?:this|your|my)|unrelated|pre-?existing|known|that'?s (?:fine|ok|known)|not (?:your|our)|every(?:where)?)"
    r"|(?:already|always) (?:fail\w*|red|broken)|(?:has|have) (?:always |long )?been (?:failing|red|broken)|unrelated|pre-?existing)"
)
_IGNORED = Late(
    rf"(?i)\b{_IGNORE}(?:\W+(?:about |with |at )?(?:it|that|them|those|this|these|both)(?: (?:one|ones|two|test|tests|failures?))?)?\b"
)
_NEXT_IGNORES = Late(
    rf"(?i)^\W*(?:so |but |and |no,? |yes,? |ok,? |just |please |you can |that'?s (?:known|fine|ok(?:ay)?)|it'?s (?:known|fine|ok(?:ay)?|unrelated))*(?:{_IGNORE}\s*(?:about |with )?(?:it|that|them|those|this|these|both)?|that'?s (?:known|fine|ok(?:ay)?)|it'?s (?:known|fine|ok(?:ay)?|unrelated|not your))\b"
)
_FAILS = Late(r"(?i)\b(?:fail\w*|red|broken|flak\w+|times? out|hangs?)\b")
#: The name is the task itself.
_TO_MEND = Late(
    r"(?i)\b(?:fix|mend|repair|solve|debug|find out why|investigate|look into|get|make|turn)\b[^.!?,;]{0,50}$"
)
_MENDED = Late(
    r"(?i)(?<!n't )(?<!not )\b(?:investigate|debug|fix|mend|repair|find out|look into|make (?:it|them) (?:pass|green))\b"
)
_NOT_IGNORED = Late(
    r"(?i)\b(?:don'?t|do not|never|must not|mustn'?t|no longer|stop|should(?:n'?t| not)|can(?:'?t|not)) (?:just |simply )?(?:ignor|skip|exclud|overlook|disregard|leav)"
)


class Exempt(Value):
    name: str
    quote: str
    single: bool  # one test; else a file, a class or a description of several


class Exempted(Value):
    """What the person's words make of a failed run: `sure` where number and answer bear them out."""

    quote: str
    sure: bool


def exempts(text: str) -> tuple[Exempt, ...]:
    """The tests that a prompt exempts by name."""
    if not re.search(r"(?i)test|spec|e2e|suite|::", text):
        return ()
    said = prose.sentences(text)
    found: list[Exempt] = []
    for number, sentence in enumerate(said):
        after = said[number + 1].text if number + 1 < len(said) else ""
        if not sentence.asks and not _NOT_IGNORED.search(sentence.text):
            found += _of_sentence(sentence.text, after)
    return tuple(found)


def _of_sentence(said: str, after: str) -> "Iterator[Exempt]":
    names = list(_NAME.finditer(said))
    whole = (
        bool(names)
        and _FAILS.search(said) is not None
        and (_IGNORED.search(said) is not None or _NEXT_IGNORES.match(after) is not None)
    )
    taken = False
    for place, match in enumerate(names):
        before, behind = said[: match.start()], said[match.end() :]
        upto = behind[: names[place + 1].start() - match.end()] if place + 1 < len(names) else behind
        if _TO_MEND.search(before) or (_MENDED.search(upto) and not _IGNORED.search(said)):
            taken = False
            continue
        # "ignore test_a and test_b": what leads a list leads all of it.
        listed = (
            taken
            and re.fullmatch(
                r"[\s,&/]*+(?:and|or|und)?[\s,]*+(?:the |for )?", said[names[place - 1].end() : match.start()]
            )
            is not None
        )
        taken = listed or whole or _BEFORE.search(before) is not None or _BEHIND.match(upto) is not None
        if taken:
            yield Exempt(name=match.group(), quote=prose.shortened(said, 100), single=match.group("one") is not None)


def exempted(run: "Run", case: "Case") -> Exempted | None:
    """The person's words that cover the failures of a run; None where they do not, or not all of them."""
    names = in_force(case)
    if not names:
        return None
    failed = run.counts.failed if run.counts is not None else None
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
            found |= {each.name: each for each in exempts(text)}
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


def _mentions(answer: str, each: Exempt) -> bool:
    """Whether the answer names it too, whole or by its last part."""
    last = re.split(r"::|[#/]|\.(?=[a-z]\w+$)", each.name)[-1] if each.single else each.name
    if each.name in answer or (len(last) > 5 and last in answer):
        return True
    words = [
        word
        for word in re.findall(r"\w{4,}", each.name.lower())
        if word not in {"that", "those", "these", "test", "tests", "suite", "spec", "specs"}
    ]
    return not each.single and bool(words) and all(word in answer.lower() for word in words)
