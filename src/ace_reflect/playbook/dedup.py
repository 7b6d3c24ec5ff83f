"""Near-duplicate key points become one: the first in canonical order stays, with its own text; counters are summed."""

from collections.abc import Hashable, Iterator
from copy import deepcopy

from ace_reflect.playbook.model import Playbook, counters, key_points
from ace_reflect.playbook.outcome import Memory, Outcome, copy_of
from ace_reflect.playbook.words import Words, same_code, slip, words_of


def merge_duplicates(
    playbook: Playbook, memory: Memory | None = None
) -> tuple[Playbook, list[Outcome], Memory]:
    """
    The playbook with near-duplicates merged across all sections; the argument is left alone.

    Each outcome names the one that stays and those that went into it.
    """
    memory = memory or Memory()
    result = deepcopy(playbook)
    index = _Index()
    going: dict[str, list[str]] = {}
    for _, point in key_points(result):
        first = index.same_as(point["name"], words_of(str(point.get("text", ""))))
        if first is not None:
            going.setdefault(first, []).append(point["name"])
    outcomes = []
    for survivor, duplicates in going.items():
        outcomes.append(_merge(result, survivor, duplicates))
        memory = memory.inherit(survivor, duplicates)
    return result, outcomes, memory


def same_text(playbook: Playbook, text: str) -> str | None:
    """The id of a key point that says the same in the same words, or None."""
    wanted = words_of(text)
    for _, point in key_points(playbook):
        present = words_of(str(point.get("text", "")))
        if present.key == wanted.key and same_code(present, wanted):
            return str(point["name"])
    return None


def identical_text(playbook: Playbook, text: str) -> str | None:
    """The id of a key point that says exactly this, up to white space, or None."""
    wanted = text.split()
    said = ((str(point["name"]), str(point.get("text", ""))) for _, point in key_points(playbook))
    return next((name for name, present in said if present.split() == wanted), None)


def _merge(playbook: Playbook, survivor: str, duplicates: list[str]) -> Outcome:
    before, after, gone = {}, {}, []
    for section, point in list(key_points(playbook)):
        if point["name"] == survivor:
            before, after, home = copy_of(point, section), point, section
        elif point["name"] in duplicates:
            playbook["sections"][section].remove(point)
            gone.append(copy_of(point, section))
    for point in gone:
        helpful, harmful = counters(point)
        after["helpful"] = counters(after)[0] + helpful
        after["harmful"] = counters(after)[1] + harmful
    return Outcome(
        "DEDUP",
        survivor,
        why=f"says the same as {', '.join(duplicates)}",
        before=before,
        after=copy_of(after, home),
        removed=tuple(gone),
    )


class _Index:
    """
    Finds an earlier text that says the same without comparing with every one.

    Texts that differ by one misspelt word share what is left when that word is taken out, so each is filed under all
    such remainders.
    """

    def __init__(self) -> None:
        self._names: list[tuple[str, Words]] = []
        self._filed: dict[Hashable, list[int]] = {}

    def same_as(self, name: str, words: Words) -> str | None:
        keys = [words.content, *_remainders(words)]
        for at in sorted({at for key in keys for at in self._filed.get(key, ())}):
            earlier, present = self._names[at]
            if same_code(present, words) and (present.key == words.key or slip(present, words)):
                return earlier
        self._names.append((name, words))
        for key in keys:
            self._filed.setdefault(key, []).append(len(self._names) - 1)
        return None


def _remainders(words: Words) -> Iterator[tuple[str, ...]]:
    """The content without one of its words. Long texts are notes of their own; a slip in them is left alone."""
    content = words.content
    if 4 <= len(content) <= 60:
        for at in range(len(content)):
            if content[at] in words.plain and len(content[at]) >= 5:
                yield ("", *content[:at], *content[at + 1 :])
