"""How the person took it: a correction, a revert or a confirmation, from their own words alone."""

import re
from dataclasses import dataclass
from typing import Literal

from ace_reflect.gates import prose

Kind = Literal["correction", "revert", "confirmation"]

#: What they say first is about what was done; further down a prompt is the next task.
_LEADING = 3

_LEAD = (
    r"^(?:(?:hm+|um+|uh|oh|ok(?:ay)?|sorry|but|and|so|wait|hey|actually|well|please|claude|still|great|thanks|yes|yeah)"
    r"[,.!…]*\s+)*"
)
_SUBJECT = r"(?:that|this|it|these|those|they|your \w+|the (?:code|fix|change|changes|result|output|test|tests|button|page|app|build|script|function))"
_CORRECTIONS = (
    (
        r"(?:no|nope|nah|nein|non)\b(?!\s*(?:problem|worries|worry|need|rush|prs?\b|pull|tests?\b|gates?\b|idea|thanks|one|matter|longer|more|changes?\b|rush)"
        r"|,?\s*(?:that'?s|it'?s|this is|looks|all)\s+(?:fine|ok(?:ay)?|good|great|right|correct|perfect|it|all))"
    ),
    rf"{_SUBJECT}(?:'s|'re| is| are| was| were| looks?| seems?)?\s+(?:\w+\s+){{0,2}}(?:wrong|incorrect|not (?:right|correct|true|it|good)|a mistake|nonsense|terrible|awful)\b",
    rf"{_SUBJECT}(?:'s|'re| is| are| was)?\s+(?:still |now |just |completely |totally )*(?:broken|fail(?:s|ed|ing)?|crash(?:es|ed|ing)?|not working|(?:doesn'?t|does not|didn'?t|did not|don'?t|isn'?t|won'?t|never) (?:work|help|fix|solve|compile|build|run|do)\w*)",
    r"(?:still|again)\s+(?:broken|fail\w*|the same|wrong|crash\w*|not|doesn'?t|getting|seeing|does not)\b",
    r"(?:doesn'?t|does not|didn'?t|did not) (?:work|help|fix)\b|not working\b",
    r"(?:wrong|incorrect|falsch)\b",
    r"(?:(?:that|this|it)(?:'?s| is| was) )?(?:absolutely |really |definitely )?not (?:what|how|where|the way) (?:i|we)\b",
    r"i (?:said|told you|asked (?:you )?(?:for|to|not)|specifically|explicitly|already (?:said|told)|didn'?t (?:ask|say|want|mean)|did not (?:ask|say|want|mean)|meant|never (?:asked|said|wanted))\b",
    r"you (?:broke|forgot|missed|misunderstood|misread|ignored|lied|should(?:n'?t| not) have|should have|were (?:supposed|not supposed)|weren'?t supposed|deleted|overwrote|messed|made (?:it|that) up|hallucinated|invented|keep|kept|(?:did|do) not|didn'?t|failed|can'?t just)\b",
    r"why (?:did|do|would|are|have|didn'?t|don'?t) you\b",
    r"stop (?:doing|using|adding|changing|making|trying|it|that|editing|writing|creating)\b",
    r"(?:don'?t|do not) do (?:that|this|it)\b",
    r"(?:das|es) (?:ist|war) (?:falsch|nicht richtig)|(?:das )?(?:geht|funktioniert) (?:immer noch )?nicht|c'est faux|ça ne marche pas|eso est[aá] mal|no funciona",
)
_REVERTS = (
    r"(?:please |then |now |just |can you |could you )*(?:revert|undo|roll ?back|un-?do|back out)\b(?:\s+(?:that|this|it|these|those|them|your|all|everything|the (?:last|previous|change|changes|commit|edit|edits)|what|my)\b|\s*[.!]?$)",
    r"(?:put|change|switch|set) (?:it|that|this|them|everything) back\b",
    r"(?:restore|go back to|bring back) (?:the|what|how|my) (?:old|previous|original|earlier|was|had|it was)\b",
    r"(?:take|rip) (?:that|it|this|them|those) (?:out|back)\b",
)
_CONFIRMATIONS = (
    r"(?:thanks|thank you|thx|perfect|great|excellent|awesome|nice|lovely|wonderful|brilliant|lgtm|exactly|good job|well done|very good|looks (?:good|great|fine)|super|danke|merci|gracias|parfait|perfekt|perfecto)\b",
    r"(?:that|it|this)(?:'s| is| now)?\s*(?:works?|worked|working|(?:exactly )?right|correct|great|perfect|good|it)\b",
    r"works\b",
)
_KINDS: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    ("revert", _REVERTS),
    ("correction", _CORRECTIONS),
    ("confirmation", _CONFIRMATIONS),
)
_SHELL_REVERT = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:revert|restore|reset\s+--hard|checkout\s+(?:\S+\s+)?--|checkout\s+\.|stash\b(?!\s+(?:pop|apply|list)))"
)


@dataclass(frozen=True, slots=True)
class Reaction:
    kind: Kind
    quote: str


def read_reaction(text: str) -> Reaction | None:
    """
    What a prompt says of the work before it, or None where it goes on to something else.

    Pasted logs, quotations and code are not the person's own words.
    """
    sentences = prose.sentences(text[:6_000])[:_LEADING]
    for kind, patterns in _KINDS:
        for at, sentence in enumerate(sentences):
            said = sentence.text
            if len(said) <= 500 and any(re.match(f"{_LEAD}(?:{pattern})", said, re.IGNORECASE) for pattern in patterns):
                # What follows says what it is about: "No! Never npm."
                return Reaction(kind, prose.shortened(" ".join(other.text for other in sentences[at:]), 200))
    return None


def reverts(command: str) -> bool:
    """Whether the person's own shell command takes changes back."""
    return _SHELL_REVERT.search(command) is not None
