"""
Which words every match of a regular expression must hold.

`covered` proves that a group of words is such a one; `groups_of` finds the best groups, for whoever writes `needs`.
Both walk the parsed expression: a sequence needs what any of its parts needs, a choice what all of its branches need.
"""

import re
from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

Group = frozenset[str]
_MOST = 64  # texts that one stretch is written out to
_MOST_OF_A_RANGE = 16


def covered(source: str, flags: int, words: Iterable[str]) -> bool:
    """Whether every match of the expression holds one of the words."""
    parsed = _parser.parse(source, flags)
    return _covers(parsed, tuple(words), bool(parsed.state.flags & re.IGNORECASE))


def groups_of(source: str, flags: int = 0, *, most: int = 2) -> list[Group]:
    """The best groups of words that a match needs one of each, best first; none has a word of another."""
    parsed = _parser.parse(source, flags)
    fold = bool(parsed.state.flags & re.IGNORECASE)
    chosen: list[Group] = []
    while len(chosen) < most:
        taken = frozenset[str]().union(*chosen)
        found = [group for group in _candidates(parsed, fold, taken) if not _meet(group, taken)]
        if not found:
            break
        chosen.append(min(found, key=_cost))
    return chosen


def _meet(group: Group, taken: Group) -> bool:
    return any(word in other or other in word for word in group for other in taken)


def _cost(group: Group) -> float:
    """How likely a group is to be found by chance: short words are everywhere."""
    return sum({1: 50.0, 2: 8.0, 3: 1.5, 4: 0.5}.get(len(word), 0.25) for word in group)


def _covers(parsed: Any, words: tuple[str, ...], fold: bool) -> bool:
    stretches = _stretches(parsed, fold)
    return any(all(any(word in text for word in words) for text in stretch) for stretch in stretches) or any(
        _part_covers(op, argument, words, fold) for op, argument in parsed
    )


def _part_covers(op: Any, argument: Any, words: tuple[str, ...], fold: bool) -> bool:
    name = str(op)
    if name == "BRANCH":
        return all(_covers(branch, words, fold) for branch in argument[1])
    body = _body(name, argument)
    return body is not None and _covers(body, words, fold)


def _body(name: str, argument: Any) -> Any:
    """What must occur at least once inside of this part; None where nothing must."""
    if name == "SUBPATTERN":
        return argument[3]
    if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
        return argument[2] if argument[0] > 0 else None
    if name == "ATOMIC_GROUP":
        return argument
    return argument[1] if name == "ASSERT" else None


def _candidates(parsed: Any, fold: bool, taken: Group) -> list[Group]:
    found = list(_stretches(parsed, fold))
    for op, argument in parsed:
        name = str(op)
        body = _body(name, argument)
        if body is not None:
            found += _candidates(body, fold, taken)
        elif name == "BRANCH":
            best = [_best(_candidates(branch, fold, taken), taken) for branch in argument[1]]
            if None not in best:
                found.append(frozenset[str]().union(*(group for group in best if group)))
    return [_shortest(group) for group in found]


def _best(groups: list[Group], taken: Group) -> Group | None:
    """The group that says most, and nothing that was said before where that can be."""
    return min(groups, key=lambda group: _cost(group) + 1000 * _meet(group, taken), default=None)


def _shortest(group: Group) -> Group:
    """Without the words that hold another of the group."""
    return frozenset(word for word in group if not any(other != word and other in word for other in group))


def _stretches(parsed: Any, fold: bool) -> list[Group]:
    """For each stretch of the expression that stands for a few texts: these texts."""
    done: list[Group] = []
    now: Group = frozenset({""})
    for op, argument in parsed:
        few = _few(op, argument, fold)
        if few is None or len(now) * len(few) > _MOST:
            done.append(now)
            now = frozenset({""}) if few is None else few
        else:
            now = frozenset(one + other for one in now for other in few)
    return [group for group in (*done, now) if "" not in group]


def _few(op: Any, argument: Any, fold: bool) -> Group | None:
    """The texts that a part stands for, where they are few; None for all else."""
    name = str(op)
    if name == "LITERAL":
        return frozenset({_letter(argument, fold)})
    if name == "AT":
        return frozenset({""})
    if name == "IN":
        return _letters(argument, fold)
    if name == "SUBPATTERN":
        return _whole(argument[3], fold)
    if name == "BRANCH":
        parts = [_whole(branch, fold) for branch in argument[1]]
        together = frozenset[str]().union(*(part for part in parts if part is not None))
        return together if None not in parts and len(together) <= _MOST else None
    if name == "MAX_REPEAT" and argument[:2] == (0, 1):
        part = _whole(argument[2], fold)
        return None if part is None or len(part) >= _MOST else part | {""}
    return None


def _letters(parts: Any, fold: bool) -> Group | None:
    """The characters of a class that has no more than a few, and names each or gives their range."""
    found: set[str] = set()
    for kind, what in parts:
        if str(kind) not in {"LITERAL", "RANGE"}:
            return None
        first, last = (what, what) if str(kind) == "LITERAL" else what
        if last - first >= _MOST_OF_A_RANGE:
            return None
        found |= {_letter(code, fold) for code in range(first, last + 1)}
    return frozenset(found) if len(found) <= _MOST else None


def _whole(parsed: Any, fold: bool) -> Group | None:
    now: Group = frozenset({""})
    for op, argument in parsed:
        few = _few(op, argument, fold)
        if few is None or len(now) * len(few) > _MOST:
            return None
        now = frozenset(one + other for one in now for other in few)
    return now


def _letter(code: int, fold: bool) -> str:
    return chr(code).lower() if fold else chr(code)


def begins(source: str, flags: int, words: Iterable[str]) -> bool:
    """Whether every match of the expression begins with one of the words."""
    firsts = firsts_of(source, flags)
    return firsts is not None and all(any(first.startswith(word) for word in words) for first in firsts)


def firsts_of(source: str, flags: int = 0) -> Group | None:
    """The letters with which a match can begin, as far as they are known; None where it could be anything."""
    parsed = _parser.parse(source, flags)
    found = _firsts(list(parsed), bool(parsed.state.flags & re.IGNORECASE))
    return None if found is None or "" in found else found


def _firsts(parts: list[Any], fold: bool) -> Group | None:
    now: Group = frozenset({""})
    for number, (op, argument) in enumerate(parts):
        few = _few(op, argument, fold)
        if few is not None and len(now) * len(few) <= _MOST:
            now = frozenset(one + other for one in now for other in few)
            continue
        inner = _branch_firsts(op, argument, parts[number + 1 :], fold) if now == {""} else None
        return inner if inner is not None else now
    return now


def _branch_firsts(op: Any, argument: Any, rest: list[Any], fold: bool) -> Group | None:
    name = str(op)
    if name == "SUBPATTERN":
        return _firsts([*argument[3], *rest], fold)
    if name == "BRANCH":
        parts = [_firsts([*branch, *rest], fold) for branch in argument[1]]
        return None if None in parts else frozenset[str]().union(*(part for part in parts if part))
    if name in {"MAX_REPEAT", "MIN_REPEAT"} and argument[1] == 1 and argument[0] == 0:
        once = _firsts([*argument[2], *rest], fold)
        without = _firsts(rest, fold)
        return None if once is None or without is None else once | without
    if name in {"MAX_REPEAT", "MIN_REPEAT"} and argument[0] == 0:
        once, without = _firsts(list(argument[2]), fold), _firsts(rest, fold)
        return None if once is None or without is None else once | without
    return None
