"""
The key point that a wish becomes: the person's own words, without the talk around the rule.

Nothing is paraphrased: words are left out at the head and at the end, none are put in.
"""

import re

#: A "no" or "good" that begins the rule itself is none: "no more mocks", "good names".
_FILLER = re.compile(
    r"^(?:(?:ok(?:ay)?|also|and|but|so|hey|dude|btw|by the way|actually|yes|yeah|thanks|thank you|then|again|please|pls|plz|claude|note(?: that)?|fyi|important|(?:quick |small |friendly |gentle )?reminder|oh|hm+"
    r"|(?:no|nope|great|good|right|well)(?=[,:;.!]|\s+(?:use|always|never|don'?t|do not|please)\b))[,:;.!]*\s+)+",
    re.IGNORECASE,
)
#: What leads to the rule and says nothing of it: "I said this before: …", "one more thing: …".
_ANNOUNCED = re.compile(
    r"(?:(?:as )?i(?:'ve)? (?:said|(?:have |already )*told you)(?: (?:this|that|it|so|before|already|earlier|twice|often)){0,2}|one (?:more |last |other |small )?(?:thing|note|request)(?: though)?)[,:;]\s+",
    re.IGNORECASE,
)
#: What is asked in words of which the order is left without them: "could you please always …?"
_ASKED = re.compile(
    r"(?:can|could|would|will) you,? (?:please )?(?P<order>[^?]+)\?$", re.IGNORECASE
)
#: "…, ok?" asks for no answer.
_TAG = re.compile(
    r",? (?:ok(?:ay)?|alright|understood|got it|deal|clear|verstanden|klar|d'accord|compris|vale|entendido|capito) ?\?+$",
    re.IGNORECASE,
)


def without_tag(said: str) -> str:
    """ "Never push to main, ok?" as the order that it is."""
    return _TAG.sub(".", said)


def with_quotations(said: str, prompt: str) -> str:
    """`prose` blanks quotations and drops backticks; the key point keeps the person's own."""
    parts = re.findall(r"“”|\w+|[^\w\s]", said)
    quoted = r"(?:[\"“«„][^\"”»\n]{1,400}[\"”»“]|'[^'\n]{1,400}')"
    pattern = r"[\s`*]*".join(quoted if part == "“”" else re.escape(part) for part in parts)
    match = re.search(f"`?{pattern}`?", prompt.replace("’", "'"))
    return " ".join(match[0].split()).replace("**", "") if match else said


def cleaned(said: str) -> str:
    """One line, a capital at the start, a full stop at the end."""
    text = _FILLER.sub("", said).strip(" \t-*•#>")
    if announced := _ANNOUNCED.match(text):
        text = _FILLER.sub("", text[announced.end() :])
    asked = _ASKED.match(text)
    text = (asked["order"] if asked else text).rstrip(" ,;:!.?。！？")
    # Japanese and Chinese end a sentence with a mark of their own.
    stop = "。" if "\u3040" <= text[-1:] <= "\u9fff" else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"
