"""
Which key points a session cited, and where.

More than the specification's `extract_cited_ids`: several ids in one bracket, a bracket in another dress
("[`pat-001`]", "[pat-001: what it says]", "【pat-001】") and citations in thinking count; the
directive's own example, lines quoted from the injected playbook and ids that the session never got do not.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ace_reflect.transcript.records import HookOutput, Record

_AROUND = 80  # characters of the line that a citation keeps on either side
ID = r"(?:(?:pat|mis|pref|ctx|oth)-\d+|kpt_\d+)"
_BETWEEN = r"\s?(?:[,;/&+|、，；・]|\b(?:and|und|et|y|и)\b|と|和)\s?"
_DRESS = r"[*_`]{0,3}"  # bold, code
#: One id or several; in front of them what leads to them, behind them, after a colon, what the key point says.
_BRACKET = re.compile(
    rf"\\?[\[【]({_DRESS}(?:(?:see|cf\.?|per|siehe|key points?|playbook:?)\s){{0,2}}{_DRESS}"
    rf"{ID}{_DRESS}(?:(?:{_BETWEEN}){{1,2}}{_DRESS}{ID}{_DRESS}){{0,20}})(:\s[^\[\]【】]{{1,200}})?\\?[\]】]"
)
_ONE = re.compile(ID)
_RENDERED = re.compile(
    rf"^[^\S\n]*(?:[-*>][^\S\n]*)?`?\[({ID})\]\s+helpful=\d+\s+harmful=\d+\s+::", re.MULTILINE
)
_READ_OUT = re.compile(rf"\[{ID}\]`?\s+helpful=\d+\s+harmful=\d+")
#: How an agent says of a key point that it does not follow it, behind the id or before it.
_DOES_NOT_APPLY = re.compile(
    r"[^\w\]]{0,6}(?:(?:here|also|itself) )?(?:(?:does|do|is|are|was)(?:n'?t| not)|not|(?:gilt|greift|passt|trifft)(?: hier)? nicht|ne|no)(?: (?:really|quite|directly|actually|strictly))?"
    r" (?:appl(?:y|ies|icable)|relevant|needed|helpful|matter|help|concern|cover|about|fit|suit|pertain|relate(?:d|s)?|zu|s'applique|aplica)\b|[^\w\]]{0,6}(?:is |are )?(?:irrelevant|inapplicable|gilt hier nicht)\b",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(
    r"(?:(?<!not )(?<!n't )(?<!never )\b(?:ignoring|unlike|despite|contrary to|deviating from|departing from)|\b(?:not (?:following|applying|using)|(?:not|don'?t|won'?t|can'?t|cannot) (?:follow|apply|use)))\W{1,4}$",
    re.IGNORECASE,
)
_DIRECTIVE = re.compile(r"cite its id|cite the ids?\b.{0,40}\bkey point", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Citation:
    key_point: str
    line: int
    quote: str
    at: str = ""  # the line's timestamp: places it among what subagents did


def cited_in(text: str, line: int, at: str = "") -> list[Citation]:
    """The citations in one text of the assistant's."""
    if "[" not in text and "【" not in text:
        return []
    found = []
    for whole in text.split("\n"):
        if _RENDERED.match(whole) or _DIRECTIVE.search(whole):
            continue
        said = _READ_OUT.sub("", whole)
        for bracket in _BRACKET.finditer(said):
            quote = " ".join(
                said[max(bracket.start() - _AROUND, 0) : bracket.end() + _AROUND].split()
            )
            found += [Citation(name, line, quote, at) for name in _ONE.findall(bracket[1])]
    return found


def is_set_aside(citation: Citation) -> bool:
    """Whether the agent names a key point only to say that it does not follow it: "[pat-002] does not apply here"."""
    found = re.search(
        rf"[\[【][^\[\]【】]*{re.escape(citation.key_point)}\b([^\[\]【】]*)[\]】]", citation.quote
    )
    if found is None:
        return False
    before, after = citation.quote[: found.start()], citation.quote[found.end() :]
    said = _DOES_NOT_APPLY.match(found[1]) or _DOES_NOT_APPLY.match(after)
    return (said or _INSTEAD_OF.search(f"{before[-40:]}[")) is not None


def in_own_words(citations: Iterable[Citation], texts: Mapping[str, str]) -> tuple[Citation, ...]:
    """
    The citations without those that only read a key point out: a line of its id and its own text cites nothing.

    `texts`: id -> text of the key points that may have been cited.
    """
    return tuple(
        citation
        for citation in citations
        if not _reads_out(citation, texts.get(citation.key_point, ""))
    )


def _reads_out(citation: Citation, text: str) -> bool:
    # "[pat-001: its text]" is read out as "[pat-001] its text" is.
    before, bracket, after = re.sub(r"(\[[\w-]+):", r"\1]", citation.quote).partition(
        f"[{citation.key_point}]"
    )
    said, own = _words(after), _words(text)
    if not bracket or not own or re.sub(r"^\d+", "", "".join(_words(before))):
        return False
    cut_off = len(after) >= _AROUND - 1  # the quote ends in the middle of the line, maybe of a word
    return said[:-1] == own[: len(said) - 1] if cut_off else said == own


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def injected_in(record: Record) -> frozenset[str]:
    """The ids that a hook's output put in front of the model, from the transcript's own attachment."""
    if not isinstance(record, HookOutput) or record.event not in {
        "UserPromptSubmit",
        "SessionStart",
    }:
        return frozenset()
    return frozenset(_RENDERED.findall(record.text))
