"""
Where a proposed key point comes from, checked against the transcript.

A reply names its source; a name is not enough. `user` needs a quote that stands in the person's own words, `outcome` a
line that the ledger has a fact for. Whatever cannot be found counts as read: text of files, pages and tool output,
which may have been written by anybody, and which waits for a person.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ace_reflect.learning.gather import Gathered, lies_in
from ace_reflect.learning.lesson import Lesson
from ace_reflect.playbook.change import apply_operations, in_one_form, named_in, target_of, text_of
from ace_reflect.playbook.model import Playbook, bare_id, find, key_points, resolve_section
from ace_reflect.playbook.outcome import Outcome
from ace_reflect.playbook.words import words_of
from ace_reflect.redact import redact
from ace_reflect.state.record import Waiting

if TYPE_CHECKING:
    from ace_reflect.learning.persons_word import PersonsWord
    from ace_reflect.learning.pipeline import Case, Consulted, Options

#: So many words in a row, taken over from what was read, show that a text comes from there.
_SHINGLE = 6
#: "Skip gates when only docs changed", "you may stop without running the tests"; "never push without the tests" is none.
_SWITCHES_OFF = re.compile(
    r"\b(?:skip|skipping|disable|ignore|omit|without|(?:turn|switch)(?:ing)? off|no need (?:to|for)|needn't|(?:don'?t|do not|never) (?:run|need|bother\b))\b"
    r"[^.!?\n]{0,30}\b(?:gates?|checks?|ace-reflect|tests?|test suite|builds?|pull requests?|prs?)\b(?! with\b)",
    re.IGNORECASE,
)
_KEEPS_ON = re.compile(
    r"\b(?:never|don'?t|do not)\b.{0,40}\b(?:skip|disable|ignore|omit|without)\b", re.IGNORECASE
)
_WRITING = frozenset({"ADD", "UPDATE", "MERGE"})
#: Words of any advice, whatever it is about (as the stems of `words_of`).
_OF_ANY_TEXT = re.compile(
    r"all|alway|and|any|befor|after|every|first|for|from|into|must|never|not|only|run|then|use|when|with"
)
_FEW = 3  # subjects; "Use npm for packages." may rightly become "Use pnpm."
#: A host on the net, this machine's own excepted.
_HOST = re.compile(r"\bhttps?://(?!localhost\b|127\.|0\.0\.0\.0)([\w.-]{1,253})", re.IGNORECASE)
_SHORTEST_QUOTE = 8  # characters; "ok" and "yes please" are in every session


@dataclass(frozen=True, slots=True)
class Checked:
    """A lesson fit to be applied, and what of it waits for a person."""

    lesson: Lesson
    waiting: tuple[Waiting, ...] = ()
    refused: tuple[
        Mapping[str, Any], ...
    ] = ()  # the operations behind `waiting`, and those no one is asked about


def check_sources(
    case: "Case", consulted: "Consulted", options: "Options", person: "PersonsWord"
) -> Checked:
    """
    Sort a lesson's operations by what may enter the playbook at once under `options.review`, and by what a person has
    settled before.

    Secrets are taken out of every text.
    """
    lesson = consulted.lesson
    clean = partial(redact, environ=options.environ, patterns=options.redaction_patterns)
    words = _Words(case, consulted.read_text)
    kept: list[Mapping[str, Any]] = []
    waiting: list[Waiting] = []
    refused: list[Mapping[str, Any]] = []
    for asked in lesson.operations:
        operation = _cleaned(in_one_form(asked), clean)
        source = words.source_of(operation)
        if source:
            operation = {**operation, "source": source}
        settled = _settled(operation, source, person)
        if settled is None and not _must_wait(operation, source, options.review):
            kept.append(operation)
            continue
        why = settled or _refusal(case.playbook, operation)
        if not why:
            waiting.append(_waiting(operation, source, case.playbook))
            why = "it waits for a person: `ace-reflect review`"
        refused.append(Outcome(operation["op"], applied=False, why=why, asked=operation).to_json())
    tags = tuple(
        replace(
            tag,
            rationale=clean(tag.rationale),
            evidence=tuple(_cleaned(item, clean) for item in tag.evidence),
        )
        for tag in lesson.tags
    )
    return Checked(
        Lesson(clean(lesson.analysis), tags, tuple(kept)), tuple(waiting), tuple(refused)
    )


class _Words:
    def __init__(self, case: "Case", read_text: str) -> None:
        gathered = case.gathered
        said = [turn.prompt for turn in gathered.turns if turn.kind == "human"]
        said += [item.text for item in gathered.said]
        self._user = _plain("\n".join(said))
        self._lines = {line for line in _fact_lines(gathered) if lies_in(line, case.turns)}
        self._read = _plain(read_text)
        self._texts = {
            str(point["name"]): str(point.get("text", "")) for _, point in key_points(case.playbook)
        }

    def source_of(self, operation: Mapping[str, Any]) -> str:
        """`user`, `outcome` or `read`; "" for an operation that brings no text of its own."""
        kind, text = operation["op"], text_of(operation)
        if kind == "DELETE":
            return "user" if self._said(operation) else ""
        if kind not in _WRITING or not text:
            return ""
        copied = self._copied(text) or self._leads_outside(text)
        if kind != "ADD" and not copied and self._keeps(operation, text):
            return ""
        # The person said something, or something happened: neither makes good advice of a sentence from a file, nor of an
        # address that is from nowhere else.
        if copied:
            return "read"
        if self._said(operation):
            return "user"
        return (
            "outcome"
            if _named(operation) == "outcome" and _line_of(operation) in self._lines
            else "read"
        )

    def _said(self, operation: Mapping[str, Any]) -> bool:
        quote = _plain(str(operation.get("quote") or ""))
        return _named(operation) == "user" and len(quote) >= _SHORTEST_QUOTE and quote in self._user

    def _keeps(self, operation: Mapping[str, Any], text: str) -> bool:
        """
        Whether a rewritten or merged text still has a subject in common with each key point that it replaces. Then it brings
        nothing new whose source would have to be known. Key points of hardly any words are not compared.
        """
        named = (
            operation.get("source_ids") if operation["op"] == "MERGE" else [target_of(operation)]
        )
        ids = [bare_id(str(name)) for name in named] if isinstance(named, list) else []
        own = [_subjects(self._texts[name]) for name in ids if name in self._texts]
        return all(len(words) < _FEW or words & _subjects(text) for words in own)

    def _copied(self, text: str) -> bool:
        """Whether a run of words stands in what was read, and not in what the person said."""
        words = _plain(text).split()
        runs = [
            " ".join(words[at : at + _SHINGLE]) for at in range(max(len(words) - _SHINGLE + 1, 0))
        ]
        return any(run in self._read and run not in self._user for run in runs)

    def _leads_outside(self, text: str) -> bool:
        """Whether it names a host that neither the person nor the playbook has named."""
        known = f" {self._user} {_plain(' '.join(self._texts.values()))} "
        return any(f" {_plain(host)} " not in known for host in _HOST.findall(text))


def _named(operation: Mapping[str, Any]) -> str:
    return str(operation.get("source", "")).strip().lower()


def _must_wait(operation: Mapping[str, Any], source: str, review: str) -> bool:
    if review == "none" or operation["op"] not in _WRITING or not text_of(operation):
        return False
    return (
        review == "all"
        or source == "read"
        or (source != "user" and _switches_off(text_of(operation)))
    )


def _switches_off(text: str) -> bool:
    """Whether it would switch a check off if the person said it. No outcome shows that a check is not needed."""
    return any(
        _SWITCHES_OFF.search(clause) and not _KEEPS_ON.search(clause)
        for clause in re.split(r"[.!?;\n]", text)
    )


def _settled(operation: Mapping[str, Any], source: str, person: "PersonsWord") -> str | None:
    """
    What an earlier decision of the person's means for an operation: None where there is none, "" where they are asked
    once more, else why they are not. Their own words in this session are newer than any decision.
    """
    if operation["op"] == "DELETE":
        return (
            ""
            if source != "user" and any(person.put_in(name) for name in named_in(operation))
            else None
        )
    text = text_of(operation)
    if operation["op"] not in _WRITING or not text:
        return None
    if operation["op"] == "ADD" and (twin := person.elsewhere(text)):
        return f"{twin} of your own playbook says that already"
    return None if source == "user" else person.refused(text)


def _refusal(playbook: Playbook, operation: Mapping[str, Any]) -> str:
    """
    Why the playbook would not take an operation, or "". A person is not asked about it: what they took in once would come
    back with every session that shows it again.
    """
    _, (outcome,), _ = apply_operations(playbook, [operation])
    return "" if outcome.applied else outcome.why


def _waiting(operation: Mapping[str, Any], source: str, playbook: Playbook) -> Waiting:
    section, text = resolve_section(operation.get("section")), text_of(operation)
    quote, why = (
        str(operation.get("quote") or ""),
        str(operation.get("reason") or operation.get("why") or ""),
    )
    if operation["op"] == "DELETE":  # it is shown with the text that would go, and with the reason
        home, point = next(found for name in named_in(operation) if (found := find(playbook, name)))
        section, text, source, quote = home, str(point["text"]), source or "model", quote or why
    return Waiting(
        section=section,
        text=text,
        source=source or "read",
        quote=quote,
        why=why,
        operation=None if operation["op"] == "ADD" else dict(operation),
    )


def _line_of(operation: Mapping[str, Any]) -> int | None:
    line = operation.get("line")
    if isinstance(line, str) and line.strip().isdecimal() and len(line) < 12:
        return int(line)
    return line if isinstance(line, int) and not isinstance(line, bool) else None


def _fact_lines(gathered: Gathered) -> set[int]:
    """Main lines that prove something: commands with an outcome, edits, pushes, looks at CI."""
    ledger = gathered.ledger
    facts: Sequence[Any] = (
        *ledger.runs, *ledger.edits, *ledger.pushes, *ledger.commits, *ledger.pull_requests, *ledger.ci_looks
    )  # fmt: skip
    return {
        line
        for fact in facts
        if fact.file is None
        for line in (fact.line, fact.result_line)
        if line
    }


def _plain(text: str) -> str:
    """Letters and digits only, for a quote is never quite the same in its spaces and marks."""
    return " ".join(re.findall(r"\w+", text.lower()))


def _subjects(text: str) -> set[str]:
    """The words that say what a text is about; of scripts without spaces, the characters."""
    words = {
        word
        for word in words_of(text).content
        if len(word) > 2 and not _OF_ANY_TEXT.fullmatch(word)
    }
    return words | {
        character for character in text if character.isalpha() and character >= "\u2e80"
    }


def _cleaned(record: Mapping[str, Any], clean: Callable[[str], str]) -> dict[str, Any]:
    return {
        name: clean(value) if isinstance(value, str) else value for name, value in record.items()
    }
