"""Makes text that anybody may have written safe for a model's context: one line, nothing invisible, no host tags.

Not on the hot path: the injected lines are made once, when the index is built.
"""

import re
import unicodedata

# CSI and OSC sequences, then any other escape with its one character. https://ecma-international.org (ECMA-48)
_ANSI = r"(?s)(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b.?"
_LINE_BREAKS = r"(?<![ \t])[ \t]*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+[ \t]*"

#: Invisible letters outside category Cf; runs of them smuggle text past a reader.
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_JOINERS = "\u200c\u200d"  # needed in Persian and Indic words and in emoji
_STYLES = "\ufe0e\ufe0f"  # text or emoji

# Tags of the host or of a model's own format open or close context: closing tags, hyphenated or prefixed names, and
# words used by such formats. Generics (`Vec<Command>`) and HTML stay readable.
_WORDS = (
    "system|user|human|assistant|developer|tool|thinking|invoke|parameters?|results?|output|context|documents?|"
    "instructions?|prompt|reminder|private|examples?|command|analysis|summary|functions?|env|claudeMd"
)
_TAG = (  # compiled only if a text has a "<"
    rf"(?i)[<\uff1c\ufe64](?=\s*(?:/|!\[CDATA|\?|\||[a-z][a-z0-9]*[-_:][a-z0-9]|(?-i:{_WORDS}|{_WORDS.upper()})\b))"
    rf"|(?<!\w)[<\uff1c\ufe64](?=\s*(?:{_WORDS})\b)"
)


def neutralise(text: str) -> str:
    """`text` on one line that UTF-8 can hold, without control and invisible characters, and with host tags disarmed."""
    if not (text.isascii() and text.isprintable()):
        text = re.sub(_LINE_BREAKS, " ", re.sub(_ANSI, "", text))
    return _safe_line(text).strip()


def neutral_lines(text: str) -> str:
    """A message of several lines: its line ends and indents stay, the rest as in `neutralise`."""
    return "\n".join(_safe_line(line) for line in text.split("\n"))


def neutral_id(name: str) -> str:
    """An id that cannot leave its brackets."""
    if name.isascii() and name.replace("-", "").replace("_", "").isalnum():
        return name[:64]
    kept = "".join("_" if ch in "[]<>:" or ch.isspace() else ch for ch in neutralise(name))
    return kept[:64] or "unnamed"


def _safe_line(line: str) -> str:
    if not (line.isascii() and line.isprintable()):
        line = re.sub(_ANSI, "", line).replace("\t", " ")
        shown = (letter for at, letter in enumerate(line) if _is_shown(line, at, letter))
        line = "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in shown)
    return re.sub(_TAG, "‹", line) if not line.isascii() or "<" in line else line


def _is_shown(text: str, at: int, letter: str) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if letter in _JOINERS:
        return all(side > "\x7f" and side not in _JOINERS for side in (before, after))
    if letter in _STYLES:  # once, after a symbol
        return before > "\x7f" and before not in _STYLES
    selects = "\ufe00" <= letter <= "\ufe0d" or "\U000e0100" <= letter <= "\U000e01ef"
    if selects or letter in _BLANK_LETTERS:
        return False
    return unicodedata.category(letter) not in {"Cc", "Cf", "Zl", "Zp"}
