"""Whether the words that waive the tests go for the build too: it is named beside them, or the person tries the work out."""

from ace_reflect.gates import elsewhere, shared_verb
from ace_reflect.late import Late, folded

#: "I'll look at it in the browser", "I'll run the tests": whoever does sees whether it is built.
_MINE = Late(
    r"\b(?:i'?ll|i will|i'?m going to|i'?m gonna|let me|i can|i want to|i have to|we'?ll|we will) (?:(?:just|then|first|also|now|do|go and) ){0,3}(?:test|try|check|look|verify|see|run|re-?run|execute|do|handle|take)\b|\bi (?:test|check|try|verify)\b|\b(?:myself|up to me|on me|my job|to me)\b"
    r"|\b(?:selbst|selber|mach ich|mache ich|bei mir|moi-même|m'en occupe|m'occupe|zelf)\b|\b(?:lo|los|las) hago\b|\byo mism|\beu mesm|\b(?:faccio|lancio|eseguo) io\b|\bсама?\b|我(?:自己|来|來)|自己来|(?:こちらで|自分で|私が|僕が)",
)
_OF_BUILD = ("build", "compil", "kompil", "сборк", "构建", "構建", "编译", "ビルド")


def goes_for_build(sentence: str) -> bool:
    """Of a sentence that waives the tests. Where it speaks of the build in other ways, that is an order of its own."""
    low = folded(sentence)
    if any(sign in low for sign in _OF_BUILD):
        return elsewhere.TESTS_AND_BUILD.search(low) is not None
    return _MINE.search(low) is not None or any(
        elsewhere.tries_it(part, sentence) for part, _ in shared_verb.parts(sentence)
    )
