"""Where a proposed key point comes from, checked against the transcript, and what a person decided about it before.

A named source is not enough: `user` needs a quote that is in the person's own words, `outcome` the line of a fact of the
ledger, and either must share the text's subject. All else counts as read: it may be anybody's, and waits for a person.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ace_reflect.learning.facts import line_subjects, subjects
from ace_reflect.learning.gather import words
from ace_reflect.learning.lesson import Case, Lesson, Operation, Options
from ace_reflect.learning.person import wishes
from ace_reflect.playbook.change import Outcome, apply_operations, in_one_form, named_in, text_of
from ace_reflect.playbook.dedup import meaning, same_text
from ace_reflect.playbook.model import find, key_points, resolve_section
from ace_reflect.state import record
from ace_reflect.state.db import State
from ace_reflect.state.record import Waiting

_SHINGLE = 6  # words in a row from what was read, that show that a text comes from there
_ALIKE = 0.7  # of all their words, that two wishes share
_SHORTEST_QUOTE = 8  # characters; "ok" and "yes please" are in every session
_WRITING = frozenset({"ADD", "UPDATE", "MERGE"})
#: "Skip gates when only docs changed", "you may stop without running the tests"; but not "never push without the tests".
_SWITCHES_OFF = re.compile(
    r"(?i)(?:(?!never\b|don'?t\b|do not\b)\w+ ){0,4}?(?:skip|disable|ignore|omit|(?:turn|switch) off|no need (?:to|for)|without|don'?t run|do not run)\b[^.!?\n]{0,30}\b(?:gates?|checks?|tests?|builds?|prs?)\b(?! with\b)"
)
_CLAUSE_END = re.compile(r"[.!?;:,\n]\s*|\b(?:and|then|but)\s")
#: A host on the net other than this machine: `git://x`, `scp a ops@x.y:`, `curl x.y`, or an ending that no file has.
_HOST = re.compile(
    r"(?i)(?:\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/@]{1,99}@)?|\w@(?=[\w-]+\.[a-z])|\b(?:curl|wget|scp|ssh|sftp|rsync|nc)\s(?:\S{1,40}\s){0,4}?(?=[\w-]+(?:\.[\w-]+)+)|(?<![\w./-])(?=(?:[\w-]+\.)+(?:com|net|org|io|dev|example|ru|cn|xyz|info|co|ai|app|cloud|site|top)\b))"
    r"(?!localhost\b|127\.|0\.0\.0\.0)([\w.-]{1,253})"
)
#: A path that means something on one machine only.
_ABSOLUTE = re.compile(
    r"(?i)(?<![\w.~:/-])((?:/(?:home|root|tmp|users|var)|[a-z]:)[\\/][\w./\\-]+)"
)


def check_sources(
    state: State, playbook_path: str, case: Case, lesson: Lesson, options: Options
) -> Lesson:
    """Leave only the operations that may enter the playbook at once; secrets are taken out of every text."""
    sources = _Words(case, lesson.read_text)
    kept, waiting, refused = [], [], []
    for asked in lesson.operations:
        operation = _without_secrets(in_one_form(asked), options)
        source = sources.source_of(operation)
        if source:
            operation["source"] = source
        why = _settled(state, playbook_path, case, operation, source)
        if why is None and not _must_wait(operation, source, options.review):
            kept.append(operation)
            continue
        _, (tried,), _ = apply_operations(case.books[0], [operation])
        why = why or ("" if tried.applied else tried.why)
        if not why:  # nobody is asked about what the playbook would refuse
            item = _waiting(operation, source, case)
            known = record.undecided(state, playbook_path) if operation.get("candidate") else ()
            waiting.append(_said_again(known, item, case.session))
            why = "it waits for a person: `ace-reflect review`"
        outcome = Outcome(operation["op"], applied=False, why=why, asked=operation)
        refused.append(outcome.to_json())
    votes = []
    for vote in lesson.votes:
        evidence = tuple(_without_secrets(item, options) for item in vote.evidence)
        votes.append(vote.replace(rationale=options.hidden(vote.rationale), evidence=evidence))
    lesson = replace(lesson, analysis=options.hidden(lesson.analysis), votes=tuple(votes))
    return replace(lesson, operations=tuple(kept), waiting=tuple(waiting), refused=tuple(refused))


class _Words:
    """What the person said and what was read in a session, to tell where a text comes from."""

    def __init__(self, case: Case, read_text: str) -> None:
        self._user = _plain("\n".join(said for turn in case.gathered.turns for said in turn.typed))
        ledger = case.gathered.ledger
        printed = (fact.quote for fact in (*ledger.runs, *ledger.commits))
        self._known = "\n".join((self._user, *map(_plain, printed)))
        self._read = _plain(read_text)
        self._texts = {str(row["name"]): str(row["text"]) for _, row in key_points(case.books[0])}
        self._done = line_subjects(case.gathered, case.turns)

    def source_of(self, operation: Operation) -> str:
        """`user`, `outcome` or `read`: for a text to add, or for the reason to remove one."""
        kind, text = operation["op"], text_of(operation)
        named = str(operation.get("source", "")).strip(" ()").lower()
        replaced = [self._texts[name] for name in named_in(operation) if name in self._texts]
        gone_or_new = " ".join(replaced) if kind == "DELETE" else text
        by_user = named == "user" and self._said(str(operation.get("quote") or ""), gone_or_new)
        # Neither a quote nor an outcome makes good advice of a sentence from a file, or of an address from nowhere else.
        if kind in _WRITING and (self._copied(text) or self._leads_outside(text)):
            return "read"
        about = self._done.get(str(operation.get("line")).strip(), set())
        shown = named == "outcome" and about & subjects(gone_or_new.replace("/", " "))
        return "user" if by_user else "outcome" if shown else "read"

    def _said(self, quote: str, about: str) -> bool:
        """Whether a quote is in the person's words and about the same subject: of a wish one word tells, else half of them."""
        plain = _plain(quote)
        stands = len(plain) >= _SHORTEST_QUOTE and plain in self._user
        if not stands or plain == _plain(about):
            return stands
        shared, wanted = subjects(quote) & subjects(about), subjects(about)
        return bool(shared) and (2 * len(shared) >= len(wanted) or any(wishes(quote)))

    def _copied(self, text: str) -> bool:
        """Whether a run of words is in what was read, but neither the person's nor the line that a fact rests on."""
        said = words(text)
        runs = (" ".join(said[at : at + _SHINGLE]) for at in range(len(said) - _SHINGLE + 1))
        return any(run in self._read and run not in self._known for run in runs)

    def _leads_outside(self, text: str) -> bool:
        """Whether it names a host or an absolute path that neither the person nor the playbook has named."""
        known = f" {self._user} {_plain(' '.join(self._texts.values()))} "
        places = (*_HOST.findall(text), *_ABSOLUTE.findall(text))
        return any(f" {_plain(place)} " not in known for place in places)


def _must_wait(operation: Operation, source: str, review: str) -> bool:
    text = text_of(operation) if operation["op"] in _WRITING else ""
    if operation.get("candidate") or review == "none":
        return bool(operation.get("candidate"))
    # No outcome shows that a check is not needed.
    off = source != "user" and any(map(_SWITCHES_OFF.match, _CLAUSE_END.split(text)))
    return off or source == "read" or review == "all"


def _settled(
    state: State, playbook_path: str, case: Case, operation: Operation, source: str
) -> str | None:
    """What a person's earlier decision means for an operation: None where there is none, "" where they are asked once more
    (what they took out may have gone for another reason), else why they are not. Their own words now are newer.
    """
    theirs = record.put_in_by_person(state, playbook_path) & set(named_in(operation))
    if theirs and source != "user":
        return ""
    text = text_of(operation)
    if operation["op"] not in _WRITING or not text:
        return None
    twin = next((name for book in case.books[1:] if (name := same_text(book, text))), None)
    if operation["op"] == "ADD" and twin:
        return f"{twin} of your own playbook says that already"
    if source == "user" and not operation.get("candidate"):
        return None
    rejected, gone = record.refused_texts(state, playbook_path)
    if meaning(text) in map(meaning, rejected):
        return "a person rejected it in review"
    return "" if meaning(text) in map(meaning, gone) else None


def _waiting(operation: Operation, source: str, case: Case) -> Waiting:
    section, text = resolve_section(operation.get("section")), text_of(operation)
    quote, why = (str(operation.get(name) or "") for name in ("quote", "reason"))
    if operation["op"] == "DELETE":  # shown with the text to be removed, and with the reason
        named = (find(case.books[0], name) for name in named_in(operation))
        section, point = next(found for found in named if found)
        text, source, quote = str(point["text"]), source or "model", quote or why
    kept = None if operation["op"] == "ADD" else dict(operation)
    item = Waiting(section=section, text=text, source=source or "read", quote=quote, why=why)
    turn = next((t for t in case.turns if t.line == operation.get("line")), case.turns[0])
    return item.replace(operation=kept, day=(turn.at or "")[:10])


def _said_again(rows: Iterable[Mapping[str, Any]], item: Waiting, session: str) -> Waiting:
    """The same wish as another session's, where there is one: a person is asked about it once."""
    for row in rows:
        if row["session"] != session and alike(item.text, str(row["text"])):
            return item.replace(text=str(row["text"]), why=record.AGAIN)
    return item


def alike(one: str, other: str) -> bool:
    """Whether two wishes share most of their words."""
    mine, theirs = set(meaning(one)[0]), set(meaning(other)[0])
    return len(mine & theirs) >= _ALIKE * len(mine | theirs)


def _plain(text: str) -> str:
    """Words only: spaces and punctuation in a quote are never quite the same."""
    return " ".join(words(text))


def _without_secrets(item: Mapping[str, Any], options: Options) -> dict[str, Any]:
    texts = {name: options.hidden(value) for name, value in item.items() if isinstance(value, str)}
    return {**item, **texts}
