"""
What the person wants from now on, in their own explicit words: "always …", "never …", "from now on …".

A request for this once, a question, a complaint ("it never works") and pasted text are none. The sentence itself
becomes the key point, cleaned; nothing is paraphrased.
"""

import re
from dataclasses import dataclass

from ace_reflect.gates import prose

MAX_PROMPT = 4_000  # of a longer prompt only the first and the last lines are taken for the person's own
MAX_SENTENCE = 300

_LEAD = (
    r"^(?:(?:please|pls|plz|oh|ok(?:ay)?|also|and|but|so|hey|btw|by the way|note(?: that)?|remember(?: that| to)?|reminder|important|fyi|actually|no|yes|great|thanks|thank you"
    r"|good|right|well|then|again|as a rule|in general|generally|rule|claude|one more thing|for the record|you (?:should|must|need to|have to)|i(?:'d| would)? (?:want|need|like|expect) you to"
    r"|make sure (?:to|you|that you)|be sure to|keep in mind(?: that)?)[,:;.!]*\s+)*"
)
_VERB = r"(?!(?:mind|again|ever mind|the case|been|had|seen|got|get|happens?|works?|worked|fails?|said|asked|told|wanted|knew|was|were|is|are|did|does)\b)[a-z][\w'-]*"
_RULES = tuple(
    re.compile(_LEAD + f"(?:{pattern})", re.IGNORECASE)
    for pattern in (
        rf"always,?\s+{_VERB}",
        rf"never,?\s+(?:ever\s+)?{_VERB}",
        rf"(?:don'?t|do not|dont)\s+(?:you\s+)?ever\s+{_VERB}",
        r"from (?:now|here|today|this point) on(?:wards?)?\b",
        r"(?:in|for) (?:the )?future\b",
        r"going forward\b",
        r"(?:by|as a) default,?\s+(?:always\s+)?(?:use|write|run|put|prefer|do|keep|make|add)\b",
        r"we (?:always|never|only)\s+(?!(?:had|got|saw|see|get|have had|wanted|said)\b)\w+",
        r"(?:in this (?:project|repo|repository|codebase),?\s+)?we (?:use|prefer|write|go with|stick (?:to|with)) .{1,80}?(?:,? (?:and )?not |,? instead of |,? rather than |,? over |,? never )\S",
        r"(?:this|our|the) (?:project|repo|repository|codebase|team) (?:always|never|only) \w+",
        r"(?:this|our|the) (?:project|repo|repository|codebase|team) (?:uses?|prefers?|writes?) .{1,80}?(?:,? (?:and )?not |,? instead of |,? rather than |,? never )\S",
        r"i (?:always|never) want\b",
        r"i(?:'d| would)? (?:always |strongly |generally |much )*prefer .{1,80}?(?: over | to | rather than | instead of )\S",
        r"every time (?:you|i|we)\b.{3,}",
        r"whenever you\b.{3,}",
        r"(?:immer|niemals|nie) (?!wieder\b|mehr\b|mind\b)\w+|ab (?:jetzt|sofort)\b|in zukunft\b",
        r"toujours \w+|ne (?:jamais|\w+ jamais)\b|jamais \w+|(?:à partir de maintenant|désormais|dorénavant)\b",
        r"siempre \w+|nunca \w+|a partir de ahora\b|de ahora en adelante\b",
    )
)
#: The same at the end or in the middle: "use pnpm from now on", "you should always run the linter".
_ANYWHERE = re.compile(
    r"\bfrom (?:now|here|this point) on(?:wards?)?\b|\bgoing forward\b|\bin (?:the )?future\b|\b(?:ab jetzt|in zukunft|désormais|de ahora en adelante)\b"
    r"|^(?:[^,;]{0,40}\b)?(?:you|we) (?:should|must|shall|need to|have to) (?:always|never) \w+|, (?:and )?(?:always|never) (?:use|run|write|add|commit|push|put|make|keep|edit|touch|change|delete|create|import)\b",
    re.IGNORECASE,
)
_IMPERATIVE_FUTURE = re.compile(
    r"\b(?:use|run|write|put|keep|make|add|call|name|commit|push|ask|check|prefer|stop|avoid|don'?t|do not|never|always|please|should|must|start|include|verwende|benutze|nutze|utilise|usa)\b",
    re.IGNORECASE,
)
_ONE_OFF = re.compile(
    r"\b(?:for|in|during) (?:this|the (?:current|rest of (?:this|the))) (?:session|task|conversation|chat|time|prompt|pr|branch|commit|change|turn|one)\b|\bthis (?:time|once|session)\b"
    r"|\bfor now\b|\bjust (?:this )?once\b|\btoday\b|\bright now\b|\buntil (?:i|we|it|the)\b|\btemporar|\bthis one\b|\bfür (?:diese|heute)\b",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    _LEAD
    + r"(?:(?:it|this|that|they|there|he|she|the \w+(?: \w+)?|my \w+|these|those|which)\s+(?:\w+\s+)?(?:always|never)\b|i(?:'ve| have| had|'ll| will)? (?:always|never)\b(?! want))",
    re.IGNORECASE,
)
_LIKES_WORK = re.compile(r"(?i)\b(?:future|going forward)\b")
_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|also|and|but|so|hey|btw|by the way|actually|no|nope|yes|yeah|great|thanks|thank you|good|right|well|then|again|please|pls|plz|claude|note(?: that)?|fyi|important|reminder|oh|hm+)[,:;.!]*\s+)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Preference:
    text: str  # the sentence, cleaned: one line, a capital at the start, a full stop at the end
    quote: str  # as it was said


def read_preferences(prompt: str) -> list[Preference]:
    """The lasting wishes in one prompt, each once, in order."""
    own = _own_part(prompt)
    found: dict[str, Preference] = {}
    for sentence in prose.sentences(own):
        said = sentence.text
        if not sentence.asks and len(said) <= MAX_SENTENCE and is_lasting(said):
            quote = _with_quotations(said, own)
            text = _cleaned(quote)
            found.setdefault(text.lower(), Preference(text, quote))
    return list(found.values())


def is_lasting(said: str) -> bool:
    """Whether a sentence of the person's says how it is to be from now on."""
    if said.endswith("?") or _ONE_OFF.search(said) or _DESCRIBES.match(said) or len(said.split()) < 3:
        return False
    if any(rule.match(said) for rule in _RULES):
        return not _LIKES_WORK.search(said) or _IMPERATIVE_FUTURE.search(said) is not None
    return _ANYWHERE.search(said) is not None and _IMPERATIVE_FUTURE.search(said) is not None


def _own_part(prompt: str) -> str:
    """A long prompt is mostly pasted: a document's "always" is not the person's."""
    if len(prompt) <= MAX_PROMPT:
        return prompt
    blocks = [block for block in re.split(r"\n\s*\n", prompt) if block.strip()]
    ends = [blocks[0], blocks[-1]] if len(blocks) > 1 else [blocks[0][:1_000]] if blocks else []
    return "\n\n".join(block for block in ends if len(block) <= MAX_PROMPT // 2)


def _with_quotations(said: str, prompt: str) -> str:
    """`prose` blanks quotations and drops backticks; the key point keeps the person's own."""
    pattern = r"\s+".join(re.escape(word).replace("“”", r"[\"“«„][^\"”»\n]{1,400}[\"”»“]") for word in said.split())
    loose = pattern.replace(r"\s+", r"[\s`*]+")
    match = re.search(f"`?{loose}`?", prompt.replace("’", "'"))
    return " ".join(match[0].split()).replace("**", "") if match else said


def _cleaned(said: str) -> str:
    text = _FILLER.sub("", said).strip(" \t-*•#>").rstrip(" ,;:!.")
    return f"{text[:1].upper()}{text[1:]}."
