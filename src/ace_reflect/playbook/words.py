"""
A key point's words, for telling whether two say the same.

Two texts are the same up to case, spacing, punctuation, order, word endings, words that carry nothing, and one slip of
the pen. They are not where a number, a name or identifier, a negation or the object of a preposition differs.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

#: Words whose absence changes nothing: no negation, no quantity, no preposition. `and` may go because `or` may not.
_FILLERS = frozenset(
    """
    a an the please also just always really very simply you your we our us i my me it its they them their is are
    be been being was were do does did will would shall should must to of and that this these those then so as
    """.split()  # noqa: SIM905 - as a list it is a line a word
)
_PHRASES = re.compile(
    r"\b(?:make sure|be sure|remember|ensure)(?: to| that| you)?\b", re.IGNORECASE
)
_SAME = {
    "every": "each",
    "using": "use",
    "used": "use",
    "uses": "use",
    "cannot": "not can",
    "dont": "not do",
    "doesnt": "not do",
}
#: The next word is what these are about: "tabs over spaces" is not "spaces over tabs".
_GOVERNING = frozenset(
    """
    not never no without avoid before after over under above below than instead rather unless except until from
    into onto with by on in at for when if while via against between
    """.split()  # noqa: SIM905 - as a list it is a line a word
)
_OPERATORS = re.compile(r"(<=|>=|==|!=|=>|->|[<>=≤≥≠])")
_EDGES = ".,;:!?…—–()[]{}\"'“”‘’«»„*¿¡‹›‚。、「」『』【】《》〈〉؟،؛।"
_VOWEL = re.compile(r"[aeiouyäöüáéíóúàèìòù]")


@dataclass(frozen=True, slots=True)
class Words:
    """What a text says, without its order and its dress."""

    content: tuple[str, ...]  # sorted; words as stems, numbers and identifiers whole
    governed: frozenset[tuple[str, str]]  # (preposition or negation, the word that it is about)
    code: tuple[tuple[str, str], ...]  # identifiers whose case says something: (folded, as written)
    plain: frozenset[str]  # those of `content` that are ordinary words and no names

    @property
    def key(self) -> tuple[tuple[str, ...], frozenset[tuple[str, str]]]:
        """Equal for texts that say the same, but for the case of identifiers."""
        return self.content, self.governed


@lru_cache(maxsize=1 << 15)
def words_of(text: str) -> Words:
    tokens = _tokens(text)
    fillers = _FILLERS - {"a"} if _is_labelled_a(text) else _FILLERS
    kept = [(word, plain) for word, plain, _ in tokens if not (plain and word in fillers)]
    names = {stem(name) for name in _names(text)}
    stems = [(stem(word), True) if plain else (word, False) for word, plain in kept]
    code = {word: written for word, plain, written in tokens if written}
    return Words(
        content=tuple(sorted(word for word, _ in stems)) or (" ".join(text.split()).casefold(),),
        governed=_governed([word for word, _ in kept], [word for word, _ in stems]),
        code=tuple(sorted(code.items())),
        plain=frozenset(word for word, plain in stems if plain and word not in names),
    )


def same_code(one: Words, other: Words) -> bool:
    """Whether identifiers that both write with meaningful case agree in it: `userId` is not `userID`."""
    written = dict(other.code)
    return all(written.get(folded, as_written) == as_written for folded, as_written in one.code)


def _names(text: str) -> set[str]:
    """Words that are capitalised within a sentence: `Marian` and `Marion` are no slip of the pen."""
    pairs = pairwise(text.split())
    inside = (
        word.strip(_EDGES)
        for before, word in pairs
        if not before.endswith((".", "!", "?", ":", ";", "—", "–"))
    )
    return {word.casefold() for word in inside if word[:1].isupper()}


def _is_labelled_a(text: str) -> bool:
    """Whether an `A` is a label, as in "plan A", and no article: within a sentence, and not before a word of a title."""
    bare = [word.strip(_EDGES) for word in text.split()]
    after = [*bare[1:], ""]
    at = [place for place, word in enumerate(bare) if word == "A" and place > 0]
    return any(not after[place][:1].isupper() for place in at) and "a" in _names(text)


def stem(word: str) -> str:
    """A light stemmer: plural, -ed, -ing. Enough for English notes; other languages' words mostly stay whole."""
    if len(word) < 4:
        return word
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
    ):
        if word.endswith(ending) and not word.endswith(("ss", "us", "is")):
            root = word[: -len(ending)] + instead
            if len(root) >= 3 and _VOWEL.search(root):
                return _bare(root)
            break
    return _bare(word)


def _bare(root: str) -> str:
    """Without a doubled last consonant or a mute e: `committ` and `commit`, `cache` and `cach`."""
    if len(root) > 3 and root[-1] == root[-2] and root[-1] in "bdgmnprt":
        return root[:-1]
    return root[:-1] if len(root) > 3 and root.endswith("e") else root


def _governed(words: list[str], stems: list[str]) -> frozenset[tuple[str, str]]:
    movement = "from" in words
    pairs = set()
    for at, word in enumerate(words[:-1]):
        if word in _GOVERNING or (movement and word == "to"):
            pairs.add((word, stems[at + 1]))
    return frozenset(pairs)


def _tokens(text: str) -> list[tuple[str, bool, str]]:
    """(folded token, whether it is an ordinary word, its written form where the case of an identifier says something)."""
    plain_text = unicodedata.normalize("NFKC", text).replace("’", "'")
    quoted = set(re.findall(r"`([^`\s]+)`", plain_text))
    spaced = _OPERATORS.sub(r" \1 ", plain_text.replace("`", " "))
    shouted = spaced.upper() == spaced
    found: list[tuple[str, bool, str]] = []
    for chunk in _PHRASES.sub(" ", spaced).split():
        token = chunk.strip(_EDGES) or chunk
        if not any(character.isalnum() for character in token):
            if not all(character in f"{_EDGES}-/|•·`" for character in token):
                found.append((token, False, ""))
            continue
        found += _classified(token, quoted=token in quoted, shouted=shouted)
    return found


def _classified(token: str, *, quoted: bool, shouted: bool) -> list[tuple[str, bool, str]]:
    folded = token.casefold()
    inner_case = not shouted and any(_has_humps(part) for part in token.split("-"))
    parts = folded.split("-")
    if all(part.isalpha() for part in parts) and not inner_case and not quoted:
        return [word for part in parts for word in _ordinary(part)]
    if _is_contraction(folded):
        return _ordinary(folded)
    return [(folded, False, token if inner_case or quoted else "")]


def _has_humps(word: str) -> bool:
    """`userId` and `GitHub`, but neither `Word` nor `WORD`."""
    return word[1:] != word[1:].lower() and word != word.upper()


def _is_contraction(folded: str) -> bool:
    return folded.replace("'", "").isalpha() and folded.endswith(
        ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")
    )


def _ordinary(word: str) -> list[tuple[str, bool, str]]:
    if word.endswith("n't"):
        root = {"ca": "can", "wo": "will", "sha": "shall"}.get(word[:-3], word[:-3])
        word = f"not {root}"
    elif "'" in word:
        word = word.partition("'")[0]
    return [(part, True, "") for part in _SAME.get(word, word).split()]


def slip(one: Words, other: Words) -> bool:
    """Whether the two differ in the spelling of one ordinary word and in nothing else."""
    missing = list((Counter(one.content) - Counter(other.content)).elements())
    instead = list((Counter(other.content) - Counter(one.content)).elements())
    if len(missing) != 1 or len(instead) != 1 or len(one.content) < 4:
        return False
    left, right = missing[0], instead[0]
    if left not in one.plain or right not in other.plain or not _one_slip(left, right):
        return False
    return one.governed == frozenset(
        (word, left if about == right else about) for word, about in other.governed
    )


def _one_slip(left: str, right: str) -> bool:
    from rapidfuzz.distance import OSA

    short, long = sorted((len(left), len(right)))
    if left[0] != right[0] or short < 5 or long < 6:
        return False
    return OSA.distance(left, right, score_cutoff=2) <= (2 if short >= 9 else 1)
