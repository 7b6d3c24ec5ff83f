"""
Whether an answer says of the work that it is done, or at least reports on it without a word of anything open.

A done word counts where its own clause does not take it back: "not added yet", "will be fixed", "I need to create …"
and "failed to be merged" say nothing of the kind.
"""

from ace_reflect import regex as re
from ace_reflect.late import DIGITS, Late, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_IRREGULAR = "built|made|wrote|written|rewrote|rewritten|set|put|split|cut|ran|took|kept|brought|gave|got|hid|shrank"
#: Ends in -ed, and tells of no deed that was done.
_NO_DEED = (
    r"(?!(?:need|proceed|exceed|succeed|feed|speed|heed|embed|seed|bleed|indeed|hundred|red|shared|related|based|limited|expected|failed|tried|attempted|started|blocked|stopped|paused"
    r"|skipped|proposed|suggested|recommended|required|supposed|planned|noted|detailed|unused|nested|advanced|assumed|wanted|asked|noticed|wondered|hoped|expected|believed|needed|agreed|deprecated)\b)"
)
_DONE = Late(
    r"(?i)(?:✅|✓|🎉|☑)|\b(?:done|complete[d]?|completes|finished|implemented|fixed|resolved|all set|successful(?:ly)?|in place|ready (?:for|to)|works? (?:now|as expected|correctly|properly)"
    r"|(?:has|have) been (?:\w+ )?(?:\w+ed|built|made|written|rewritten|set)|(?:is|are) (?:now \w+|(?:published|released|deployed|live)(?=[.!,;]|$))|committed|pushed|merged|pass(?:es|ed|ing)?"
    rf"|i(?:'ve| have)? (?:now |also |just )?(?:{_NO_DEED}\w+ed|{_IRREGULAR})|created|updated|added|removed|refactored|renamed"
    r"|erledigt|fertig|terminé|hecho|listo|pronto|fatto|klaar|готово|完成|完了)\b|(?:完成|完了)"
)
#: A report in the past tense that leaves its subject out: "Moved the parser to …", "- Dropped both fields". "Deleted (…)".
_DEED_FIRST = Late(
    rf"(?i)^{_NO_DEED}(?:\w{{2,}}ed|{_IRREGULAR})(?=\s+(?:the|a|an|all|both|every|each|your|its|it|them|this|that|these|those|to|from|into|in|on|onto|with|out|up|down|off|back|over|under|per|by|as|for|two|three|four|five|\d|[`\"'“(/])|\s+[\w-]+[._/]\w|\s*[.:;!]|\s*$)"
)
#: How the work behaves since: "Len takes the lock now", "The loader now reads both".
_NOW = Late(
    r"(?i)\b(?:is|are|has|have|[a-z]{2,}s)\b[^.!?;:]{1,90}\bnow\b(?=\s*(?:[.,;:!)–—-]|$|and\b|with\b|instead\b|too\b|as\b|in\b|on\b|for\b))|\bnow\s+(?:also\s+|only\s+|always\s+|correctly\s+|properly\s+)?(?!(?:let|this|that|the|i|we|you|is|was|as|its|needs|fails|breaks|crashes|hangs|requires|lets|depends|unless|always|has)\b)[a-z]{3,}s\b"
    r"|\b(?:jetzt|nun|nunmehr|ahora|désormais|maintenant|agora|adesso)\b",
    needs=("now|jetzt|nun|ahora|désormais|maintenant|agora|adesso",),
)
#: Before a done word in its own clause: it is not so, not yet, or only if.
_TAKEN_BACK = Late(
    r"(?i)\b(?:not|never|cannot|nothing|none|no|without|isn'?t|aren'?t|wasn'?t|weren'?t|hasn'?t|haven'?t|hadn'?t|don'?t|doesn'?t|didn'?t|can'?t|couldn'?t|won'?t|wouldn'?t|unable to|fail(?:s|ed)? to|yet to|still (?:to|needs?|has)|needs? to|i need|i should|i must|have to|has to|to be|to get|should|must|will|would|could|might|may|'ll|going to|about to|once|when|if|after|before|until|unless|whether|let me|let's|try(?:ing)? to|want(?:s|ed)? to|in order to|how to|partially|partly|almost|nearly|half|hardly|nicht|noch|kein\w*|pas|sin|sans|não|non)\b"
)
_OPEN = Late(
    r"(?i)\b(?:not yet|n'?t yet|todo|to-do|remain(?:s|ing|der)|left to (?:do|fix|implement|write|add)|still|unfinished|incomplete|partial(?:ly)?|for now|work in progress|wip|placeholder|stub(?:bed)?|skip(?:s|ped|ping)?|fail(?:s|ed|ing|ure|ures)?|broken|errors?|unable|can(?:'t|not)|could(?:n't| not)|did(?:n't| not)|have(?:n't| not)|has(?:n't| not)|had(?:n't| not)|is(?:n't| not)|are(?:n't| not)|was(?:n't| not)|does(?:n't| not)|do(?:n't| not)|won'?t|blocked|stuck|wait(?:s|ing)?|pending|needs? to|i need|i should|we should|we need|i'?ll|i will|let me|let's|going to|next steps?|next,|unless|until|once you|please|but first|however|unclear|unsure|not sure|i think|probably|perhaps|might|maybe|assum\w+|option [a-d1-4]|approach(?:es)? (?:is|are|would)|would (?:be|need|have)|propose|suggest|recommend|plan)\b|\?|[:…]\s*$|\.\.\.\s*$"
)
_FAILS = Late(r"(?i)\b(?:fail\w*|red|broken|\d+ (?:of|/) \d+)\b")
_TO_DO = Late(
    r"(?i)\b(?:needs? to|has to|have to|remain(?:s|ing)?|still|todo|to-do|left to|next (?:steps?|i)|not yet|should(?! now)|must)\b|\byet[.!]?$"
)
#: At the end of an answer: it goes on.
_TO_COME = Late(
    r"(?i)^\W*(?:let me(?! know)|i'?ll|i will|i'?m (?:now |going |about )|now i|next,? i|checking|looking|searching|running|reading|i (?:start|begin|compare|go on|continue|check|move on|proceed)|on to|moving on|next)\b"
    r"|\b(?:wait(?:ing)? (?:for|on)|in progress|in the background|more (?:incoming|to come)|(?:come|comes|follow|follows|is|are) next|(?:is|are) the next (?!to the)\w+|on to (?:the |`|#|\d)|moving on|going on with|continuing with|next (?:i|comes?|up))\b"
)
#: Of a line that ends with a colon: it says something by itself.
_SAYS = Late(
    r"(?i)^(?!\W*(?:what|how|where|why|which|here)\b).*(?:\b(?:i|we|it|is|are|has|have|been|now)\b|\b(?:done|completed?|passe[sd]|committed|pushed|fixed|resolved|implemented|successful(?:ly)?)\W*$)"
)
#: Before a colon or a dash, and as a heading: what follows is still to come.
_AHEAD = frozenset(
    ["after that", "after this", "afterwards", "then", "next", "up next", "next up", "next step", "next steps", "later", "remaining", "pending", "still open", "still to do",
     "still to come", "to come", "to do", "to-do", "todo", "open", "follow-up", "follow-ups", "danach", "als nächstes"]
)  # fmt: skip
#: "14 of 22".
_PART = Late(
    r"(?i)\b([0-9]{1,6})\s*(?:of|out of|/)\s*(?:the\s+|all\s+)?([0-9]{1,6})\b",
    needs=("of|/", DIGITS),
)
#: Those of its words that are met most: with one of them the rest need not be compiled.
_DONE_WORDS = (
    "done", "complete", "fixed", "implemented", "committed", "pushed", "passes", "passed", "pass", "updated", "added", "created", "removed",
)  # fmt: skip
#: A line without any of them takes nothing back.
_MAY_TAKE_BACK = (
    "not", "never", "cannot", "nothing", "no", "none", "without", "unable", "fails", "failed", "fail", "need", "needs", "should", "must", "will", "would",
    "could", "might", "may", "be", "get", "once", "when", "if", "after", "before", "until", "unless", "let", "partially", "partly", "almost", "nearly", "half",
    "hardly", "yet", "have", "has", "still", "whether", "try", "trying", "want", "wants", "wanted", "to", "ll", "how", "going", "about", "nicht", "noch", "pas",
)  # fmt: skip


def says_done(text: str) -> bool:
    """Whether a text, read by `prose.plain`, says that the work is done."""
    return bool(done_sentence(text))


def done_sentence(text: str) -> str:
    """The line or sentence by which a text says that the work is done; "" where none does."""
    for sentence in _told(text):  # most answers have one early
        if not _names_what_follows(sentence) and _plainly(sentence.lower()):
            return sentence.strip()
    said = list(_sentences("\n".join(each for each in _told(text) if not _names_what_follows(each) or _says(each))))
    plain = next((each for each in said if _tells(each, _DONE)), "")
    if plain or not said or _TO_DO.search(said[-1]):
        return plain
    # Weaker words: that something works otherwise now is not the end where the last sentence names what is to do.
    return next((each for each in said if _DEED_FIRST.match(each) or _tells(each, _NOW)), "")


def _told(text: str) -> "Iterator[str]":
    """The sentences of a text, without what it announces: "After that: the docs", and the list below "Next steps"."""
    ahead = False
    for line in text.split("\n"):
        name = _name(line)
        if name in _AHEAD:
            ahead = True
            continue
        if name and (line[:1].isalpha() or line[:1] == "#" or _names_what_follows(line)):
            ahead = False
        if not ahead:
            yield from (each for each in line.replace(". ", ".\n").split("\n") if not _announced(each))


def _name(line: str) -> str:
    return line.strip(" #>*-•_`:\t").lower()


def _announced(sentence: str) -> bool:
    """ "After that: the docs", "Next — the docs"."""
    name = _name(sentence)
    return any(name.partition(mark)[0] in _AHEAD for mark in (":", " — ", " – "))


def _names_what_follows(line: str) -> bool:
    return line.rstrip(" *_`").endswith(":")


def _says(line: str) -> bool:
    """Whether a line in front of a colon is a sentence, and no heading: "Both are resolved:", not "Updated files:"."""
    return bool(_SAYS.match(line) or _DEED_FIRST.match(line.strip(" #*_")))


def stands(text: str) -> bool:
    """Whether a text is a whole answer: more than a word or two, and neither a question nor a step to come at its end."""
    lines = list(_lines(text))
    if len(re.findall(r"\w+", text)) < 4:
        return False
    end = re.split(r"(?<=[.!?])\s+", lines[-1])[-1]
    return not re.search(r"[?？:…]\s*$|\.\.\.\s*$", end) and not _TO_COME.search(end)


def _plainly(low: str) -> bool:
    """What needs no closer look: a done word, and nothing that could take it back. Most answers have such a line."""
    low = _joined(low)
    return (
        holds(low, _DONE_WORDS)
        and "n't" not in low
        and "?" not in low
        and not holds(low, _MAY_TAKE_BACK)
        and not _is_part(low)
    )


def plain_report(text: str, *, spared: bool = False) -> bool:
    """
    Whether a text tells something and leaves nothing open: no question, no step to come, nothing that does not work.

    `spared`: what fails the person exempted, so that a sentence on it leaves nothing open.
    """
    said = [re.sub(r"`[^`]*`", "``", each) for each in _sentences(text)]  # names of code tell nothing of the work
    if spared:
        said = [each for each in said if not _FAILS.search(each)] or said
    return len(re.findall(r"\w+", text)) >= 3 and not any(_OPEN.search(each) or _is_part(each) for each in said)


def _tells(sentence: str, words: Late) -> bool:
    if sentence.endswith(("?", "？")) or _is_part(sentence):
        return False
    sentence = _joined(sentence)
    return any(not _TAKEN_BACK.search(_before(sentence, match.start())) for match in words.finditer(sentence))


def _joined(sentence: str) -> str:
    """ "well-implemented" as one word: it praises, and tells of nothing done."""
    for first in ("well-", "half-", "non-"):
        sentence = sentence.replace(first, f"{first[:-1]}_")
    return sentence


def _is_part(sentence: str) -> bool:
    """ "14 of 22 handlers": work that is counted and not all there."""
    return any(int(done) < int(of) for done, of in _PART.findall(sentence))


def _before(sentence: str, at: int) -> str:
    """What stands in front of a place, within its clause."""
    return re.split(r"[,;:()–—]|\b(?:and|but|so|und|aber)\b", sentence[max(0, at - 80) : at])[-1]


def _lines(text: str) -> "Iterator[str]":
    for line in text.split("\n"):
        bare = line.strip().lstrip("#>*-•|+ \t").rstrip("*_` |")
        bare = re.sub(r"^(?:\d+[.)]|\[[ x]\])\s+", "", bare).lstrip("*_ ")
        if re.search(r"\w|✅|✓|🎉|☑", bare):
            yield bare


def _sentences(text: str) -> "Iterator[str]":
    for line in _lines(text):
        yield from (part.strip(" *_") for part in re.split(r"(?<=[.!?。！？])\s+", line) if part)
