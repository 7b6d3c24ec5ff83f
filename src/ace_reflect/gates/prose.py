"""
A person's prompt and an agent's answer as sentences and clauses, without what is only quoted in them.

Pasted logs, code blocks and quotations are not the speaker's own words: they may neither waive a gate nor claim a proof.
"""

from ace_reflect import regex as re
from ace_reflect.late import Alternatives, Late, Scripts, begins, folded
from ace_reflect.values import Value

_FENCE = Late(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", needs=("```|~~~",))
#: What people put around what they paste; a prompt of which nothing else is left is their own.
_TRIPLE = Late(r'(?s)("""|\'\'\').*?\1', needs=("\"\"\"|'''",))
_TAGGED = Late(r"(?s)<([a-z][\w-]{2,40})(?:\s[^<>]*)?>.*?</\1>", needs=("</",))
QUOTED = Late(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”\n]{1,400}[“”]|「[^」\n]{1,400}」", needs=('"|“|«|„|「',)
)
#: In single quotes, which are apostrophes too: those stand behind a letter.
_SINGLE = Late(r"(?<![\w'])'(?! )(?:[^'\n]|(?<=\w)'(?=\w)){2,400}(?<! )'(?![\w'])", needs=("'",))
_GAP = "“”"  # stands where a quotation stood
_DRAWN = "=!_*-"  # what programs draw lines with
_SENTENCE = Scripts(
    r"[^.!?。！？\n]+(?:\.(?=[\w/])[^.!?。！？\n]*)*[.!?。！？]*",
    r"[^.!?\n]+(?:\.(?=[\w/])[^.!?\n]*)*[.!?]*",
)
_JOINTS = r"\b(?:and|but|then|so|und|aber|dann|et|mais|puis|y|pero|luego|e|ma|poi|mas|en|maar)\b"
_CLAUSE = Scripts(
    rf"[,;:()\[\]]+|\s[-–—]+\s|\s(?:\+|&&?)\s(?=push|commit|git (?:push|commit)|open|pr\b)|—|{_JOINTS}|[，；：、（）]",
    rf"[,;:()\[\]]+|\s-+\s|\s(?:\+|&&?)\s(?=push|commit|git (?:push|commit)|open|pr\b)|{_JOINTS}",
)
#: A line that a program wrote: prompts of shells, log levels, stack frames, diff marks.
_PASTED_LINE = Late(
    r"\+\s|at .+:\d+|\[?\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d|(?:INFO|WARN|WARNING|ERROR|DEBUG|FAIL|PASS|===+)\b"
)
_PASTED = (
    "hint: ",
    "remote: ",
    "fatal: ",
    "npm ERR!",
    "npm error ",
    "npm WARN",
    ">",
    "$ ",
    "% ",
    "+++",
    "---",
    "@@",
    "Traceback",
    'File "',
    "|",
    "⎿",
    "●",
    "✓",
    "✗",
    "×",
)
_MAY_BE_PASTED = ("+", "at ", "[", "INFO", "WARN", "ERROR", "DEBUG", "FAIL", "PASS", "===")
#: What joins a question to what went before; "hm" with any number of m too.
_JOINING = frozenset(["and", "but", "so", "ok", "okay", "wait", "hey", "also", "then"])
_QUESTIONS = (
    "why", "what", "whats", "what's", "how", "when", "where", "who", "which", "whose", "did", "does", "is", "are", "was", "were", "has", "have", "had", "should",
    "shouldn't", "do you", "do we", "do i", "do they", "don't you", "isn't", "aren't", "can i", "may i", "could it", "can it", "would it", "will it", "will you",
    "will this", "will that",
    "warum", "wieso", "weshalb", "wie", "wann", "wo", "wer", "welche", "welcher", "welches", "hast du", "hat", "ist", "sind",
    "pourquoi", "qu'", "que", "quand", "est-ce", "comment", "por que", "por qué", "qué", "como", "cómo", "cuando", "cuándo",
    "perche", "perché", "cosa", "come", "quando", "waarom", "wat", "hoe", "wanneer", "почему", "зачем", "что", "как", "когда",
)  # fmt: skip
#: Those that also join: "when you are done, push", "wie gesagt, keine Tests".
_ALSO_JOIN = ("when", "where", "wie", "wo", "come", "como", "quand", "quando", "cuando", "que", "как", "когда")
_ASKING = frozenset(
    ["do", "does", "did", "is", "are", "was", "were", "will", "can", "could", "should", "would", "has", "have"]
)
#: A request in the form of a question: "can you skip the tests?"; and in other languages.
_REQUESTS = (
    "let's", "lets", *(f"{verb} {who}" for verb in ("can", "could", "would", "will", "might") for who in ("you", "we", "u"))
)  # fmt: skip
_POLITE = Alternatives(
    Late(
        r"(?i)^(?:bitte |und |ok,? |por favor,? |¿)*(?:(?:kannst|könntest|würdest|magst) du|könnt ihr|(?:können|könnten|würden) sie|(?:peux|pourrais)-tu|tu peux|(?:pouvez|pourriez)-vous|puedes|podrías|pode|poderia|você pode|puoi|potresti|(?:kun|kan|zou|wil) je)\b",
        needs=(
            "st du|könnt ihr|en sie|-tu|tu peux|-vous|puedes|podrías|pode|puoi|potresti|kun je|kan je|zou je|wil je",
        ),
    ),
    Late(
        r"(?i)^(?:можешь|можете|мог бы|не мог)|^(?:请|麻烦|你?能不能|你?能否|你能|可不可以|可以帮|你可以)|^[^。？?]{1,100}(?:て|で)(?:くれ|もらえ|もらって|いただけ|ください|下さい)[^。？?]{0,8}[？?]$",
        needs=("мож|мог|请|麻烦|能|可不可以|可以|くれ|もら|いただけ|ください|下さい",),
    ),
)
_OPEN = frozenset("\"“`'„«")


class Sentence(Value):
    """One sentence; `asks` where it wants an answer and not a deed ("can you …?" wants a deed)."""

    text: str
    asks: bool = False


def own_words(text: str) -> str:
    """The speaker's own words: without code blocks, tagged blocks, quoted lines and quotations, markup and curly quotes undone."""
    whole = text.strip()
    if (
        len(whole) <= 82 and whole[:1] in _OPEN and re.fullmatch(r".{2,81}[\"”`'“»]", whole)
    ):  # the words of our own message, copied with their quotes
        whole = whole[1:-1]
    unquoted = _TRIPLE.sub("\n", whole)
    text = (
        _TAGGED.sub("\n", _FENCE.sub("\n", unquoted if unquoted.strip() else whole))
        .replace("’", "'")
        .replace("`", "")
        .replace("**", "")
    )
    lines = [line for line in text.split("\n") if not _pasted(line)]
    return _SINGLE.sub(f" {_GAP} ", QUOTED.sub(f" {_GAP} ", "\n".join(lines)))


def _pasted(line: str) -> bool:
    begins = line.lstrip()
    dated = begins[:1].isdigit() and (begins[2:3] == ":" or begins[4:5] == "-")
    if dated or begins.startswith(_MAY_BE_PASTED):
        return begins.startswith(_PASTED) or _PASTED_LINE.match(begins) is not None
    return begins.startswith(_PASTED)


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of `own_words(text)`, each line ending one."""
    found = []
    for line in own_words(text).split("\n"):
        bare = line.strip().lstrip("-*•# \t").strip()
        for match in _SENTENCE.of(bare.replace(_GAP, "")).finditer(bare):
            said = " ".join(match.group().split())
            if said:
                found.append(Sentence(text=said, asks=_asks(said)))
    return tuple(found)


def _asks(said: str) -> bool:
    low = _behind_joining(folded(said))
    if begins(low, _QUESTIONS) and not _joins(low):
        return True
    if not said.endswith(("?", "？")):
        return False
    return not begins(_behind_joining(low.removeprefix("please ")), _REQUESTS) and _POLITE.search(said) is None


def _joins(low: str) -> bool:
    """Whether a word that may ask leads a clause in front of another: "when the tests pass, commit"."""
    if not begins(low, _ALSO_JOIN) or low.endswith(("?", "？")):
        return False
    if low.startswith(("when ", "where ")):
        return low.split(maxsplit=2)[1] not in _ASKING
    return "," in low


def _behind_joining(low: str) -> str:
    """A sentence without the words that join it to what went before: "ok, but why …" → "why …"."""
    while True:
        word = low.replace(",", " ").partition(" ")[0]
        if len(word) == len(low) or not (word in _JOINING or (word[:2] == "hm" and not word[1:].strip("m"))):
            return low
        low = low[len(word) :].lstrip(", ")


def clauses(sentence: str) -> tuple[str, ...]:
    """A sentence cut at its commas, brackets and conjunctions."""
    return tuple(part.strip() for part in _CLAUSE.of(sentence.replace(_GAP, "")).split(sentence) if part.strip())


def plain(markdown: str) -> str:
    """An answer without code blocks and emphasis; list marks and headings stay."""
    return _FENCE.sub("\n", markdown).replace("’", "'").replace("**", "").replace("__", "")


def shortened(text: str, most: int = 120) -> str:
    """One line of at most `most` characters, cut at a word, without the rules that runners draw around their summaries."""
    line = " ".join(text.split())
    line = _without_rules(line)
    if len(line) <= most:
        return line
    return line[: most - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def counted(number: int, noun: str) -> str:
    """`1 vote`, `2 votes`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _without_rules(line: str) -> str:
    """`==== 3 failed ====` without what is drawn around it."""
    left = len(line) - len(line.lstrip(_DRAWN))
    if left >= 3 and line[left : left + 1] == " " and len(line) - left > 3:
        line = line[left + 1 :]
    right = len(line.rstrip(_DRAWN))
    return line[: right - 1] if len(line) - right >= 3 and line[right - 1 : right] == " " and right > 3 else line
