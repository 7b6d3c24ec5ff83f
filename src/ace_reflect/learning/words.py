"""
What a person said in a prompt, as sentences: without the logs, code blocks and quotations that are pasted into it.
"""

import re
from typing import NamedTuple

_PASTED_BLOCK = re.compile(
    r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)|<([a-z][\w-]{2,40})(?:\s[^<>]*)?>.*?</\2>"
)
#: What people put around what they paste; a prompt of which nothing else is left is their own.
_TRIPLE = re.compile(r"(?s)(\"\"\"|''').*?\1")
#: The single quote is an apostrophe too: that stands behind a letter.
QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]|「[^」\n]{1,400}」"
    r"|(?<![\w'])'(?! )(?:[^'\n]|(?<=\w)'(?=\w)){2,400}(?<! )'(?![\w'])"
)
_GAP = " “” "  # stands where a quotation stood
_COPIED = re.compile(r"[\"“`'„«].{2,81}[\"”`'“»]")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:\.(?=[\w/])[^.!?。！？\n]*)*[.!?。！？]*")
#: A line that a program wrote: prompts of shells, log levels, stack frames, diff marks.
_PASTED_LINE = re.compile(
    r"\+\s|at .+:\d+|\[?\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|(?:INFO|WARN|WARNING|ERROR|DEBUG|FAIL|PASS|===+)\b"
    r"|hint: |remote: |fatal: |npm (?:ERR!|error |WARN)|>|[$%] |\+\+\+|---|@@|Traceback|File \"|[|⎿●✓✗×]"
)
#: What joins a question to what went before.
_JOINING = re.compile(r"(?i)(?:(?:and|but|so|ok|okay|wait|hey|also|then|hm+)\b,? +)+")
_QUESTION = re.compile(
    r"(?i)(?:why|whats?|what's|how|when(?= (?:do|does|did|is|are|was|were|will|can|could|should|would|has|have)\b)|where|who|which|whose|did|does|is|are|was|were|has|have|had|should|shouldn't"
    r"|do (?:you|we|i|they)|don't you|isn't|aren't|can i|may i|could it|can it|would it|will (?:it|you|this|that)"
    r"|warum|wieso|weshalb|wie(?! gesagt)|wann|wer|welche[rs]?|hast du|hat|ist|sind|pourquoi|est-ce|comment|por qu[eé]|qué|cómo|cuándo"
    r"|perch[eé]|cosa|waarom|wat|hoe|wanneer|почему|зачем|что|как|когда)\b"
)
#: A request in the form of a question wants a deed: "can you skip the tests?".
_REQUEST = re.compile(
    r"(?i)(?:(?:please|bitte|und|por favor|¿)[ ,]*)*(?:(?:can|could|would|will|might) (?:you|we|u)|let's|lets|(?:kannst|könntest|würdest|magst) du|könnt ihr|(?:können|könnten|würden) sie"
    r"|(?:peux|pourrais)-tu|tu peux|(?:pouvez|pourriez)-vous|puedes|podrías|pode|poderia|você pode|puoi|potresti|(?:kun|kan|zou|wil) je|можешь|можете|мог бы|не мог)\b"
    r"|^(?:请|麻烦|你?能不能|你?能否|你能|可不可以|可以帮|你可以)|^[^。？?]{1,100}[てで](?:くれ|もらえ|もらって|いただけ|ください|下さい)[^。？?]{0,8}[？?]$"
)


class Sentence(NamedTuple):
    """One sentence; `asks` where it wants an answer and not a deed."""

    text: str
    asks: bool = False


def own_words(text: str) -> str:
    """The speaker's own words: without pasted blocks, quoted lines and quotations, markup and curly quotes undone."""
    whole = text.strip()
    if _COPIED.fullmatch(whole):  # the words of our own message, copied with their quotes
        whole = whole[1:-1]
    unquoted = _TRIPLE.sub("\n", whole)
    bare = _PASTED_BLOCK.sub("\n", unquoted if unquoted.strip() else whole)
    bare = bare.replace("’", "'").replace("`", "").replace("**", "")
    lines = [line for line in bare.split("\n") if not _PASTED_LINE.match(line.lstrip())]
    return QUOTED.sub(_GAP, "\n".join(lines))


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of `own_words(text)`, each line ending one."""
    found = []
    for line in own_words(text).split("\n"):
        for match in _SENTENCE.finditer(line.strip().lstrip("-*•# \t").strip()):
            said = " ".join(match.group().split())
            if said:
                found.append(Sentence(said, _asks(said)))
    return tuple(found)


def _asks(said: str) -> bool:
    joined = _JOINING.match(said)
    bare = said[joined.end() :] if joined else said
    if _QUESTION.match(bare):
        return True
    return said.endswith(("?", "？")) and not _REQUEST.match(bare)
