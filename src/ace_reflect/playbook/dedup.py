"""Whether two key points say the same, apart from case, punctuation, word order, word endings and filler words.

In doubt they are kept apart: a duplicate costs a line, a wrong merge costs a key point.
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise

from ace_reflect.playbook.model import Playbook, key_points

#: Words whose absence changes nothing: no negations, quantities or prepositions. `and` may go because `or` may not.
_FILLERS = frozenset(
    """
    a an the please also just always really very simply ensure sure remember you your we our us i my me it its they them
    their is are be been being was were do does did will would shall should must to of and that this these those then so as
    """.split()  # noqa: SIM905 - as a list it is a line a word
)
#: These belong to the next word: "tabs over spaces" is not "spaces over tabs".
_GOVERNING = frozenset(
    """
    not never no without avoid before after over under above below than instead rather unless except until from
    into onto with by on in at for when if while via against between
    """.split()  # noqa: SIM905 - as a list it is a line a word
)
_SAME = {"every": "each", "using": "use", "used": "use", "cannot": "not can", "can't": "not can"}
_VOWELS = frozenset("aeiouyäöüáéíóúàèìòù")
_PUNCTUATION = ".,;:!?…—–()[]{}\"'“”‘’«»„*`¿¡‹›‚。、「」『』【】《》〈〉؟،؛।"


#: What a text says, whatever its order and form: the words that carry meaning, sorted (ordinary ones as stems), and
#: each preposition or negation with its word.
Meaning = tuple[tuple[str, ...], frozenset[tuple[str, str]]]


@lru_cache(maxsize=1 << 15)
def meaning(text: str) -> Meaning:
    """Equal for texts that say the same."""
    kept: list[tuple[str, str]] = []  # (word, its stem if it is an ordinary word)
    for written, word in _tokens(text):
        if word in _FILLERS and not (written == "A" and kept):  # in "plan A" it is no article
            continue
        ordinary = word.isalpha() and not _is_identifier(written)
        kept.append((word, _stem(word) if ordinary else word))
    pairs = pairwise(kept)
    governed = frozenset((word, about) for (word, _), (_, about) in pairs if word in _GOVERNING)
    return tuple(sorted(stem for _, stem in kept)) or (" ".join(text.split()).casefold(),), governed


def same_text(playbook: Playbook, text: str, said: Callable[[str], object] = meaning) -> str | None:
    """The id of a key point that says the same, or None; `said` gives what must be equal."""
    wanted = said(text)
    texts = ((point["name"], str(point.get("text", ""))) for _, point in key_points(playbook))
    return next((name for name, there in texts if said(there) == wanted), None)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """(as written, folded) for each word, number and name; ordinary words in one form, "don't" as `do` and `not`."""
    written = unicodedata.normalize("NFKC", text).replace("’", "'")
    for chunk in written.replace("make sure", "").replace("Make sure", "").split():
        token = chunk.strip(_PUNCTUATION)
        if not token.strip("-/|•·"):
            continue
        parts = token.replace("'", "").split("-")
        if _is_identifier(token) or not all(part.isalpha() for part in parts):
            yield token, token if _is_identifier(token) else token.casefold()
            continue
        for part in token.split("-"):
            word = part.casefold()
            short = f"not {word[:-3]}" if word.endswith("n't") else word.partition("'")[0]
            for one in _SAME.get(word, short).split():
                yield part, one


def _is_identifier(token: str) -> bool:
    """`userId`, where case matters; not `Word`, `WORD` or `GitHub`."""
    return token[0].islower() and token != token.lower()


def _stem(word: str) -> str:
    """Without plural endings, -ed, -ing, a mute e or a doubled last letter: enough for English notes."""
    root = word
    for ending in ("ing", "ed", "es", "s", "e"):
        shorter = word.removesuffix(ending)
        if shorter != word and len(shorter) > 2 and not _VOWELS.isdisjoint(shorter):
            root = shorter
            break
    return root[:-1] if len(root) > 3 and root[-1] == root[-2] else root
