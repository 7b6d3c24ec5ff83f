"""
Whether the assertions that were put in make up for the more that were taken out.

`assert x == ["a"]` says all that `assert len(x) == 1` and `assert x[0] == "a"` said: a whole value compared stands for
every look into it.
"""

from ace_reflect.late import Late, folded

_QUOTED = Late(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`", needs=("\"|'|`",))
_NAME = Late(r"(?<![\w.])[A-Za-z_]\w*")
#: A name that nothing is asked of, neither an item nor an attribute, with what asks for less than the value.
_BARE = Late(r"(?<![\w.])((?:len|cap|count|size|bool|type|any|all)\(\s*)?([A-Za-z_]\w*)(?![\w.(\[])")
_EQUALS = ("equal", "==", "tobe(", "_eq", " eq ", "eq(", "diff(")
_NO_VALUE = frozenset(["nil", "None", "null", "undefined", "true", "false", "True", "False"])
#: Names that tell nothing of what is compared.
_ANYTHING = frozenset(
    ["assert", "if", "else", "in", "is", "and", "or", "t", "want", "wanted", "expected", "err", "message", "msg"]
)


def make_up(out: list[str], put: list[str]) -> bool:
    """Whether as much is asserted as before: each check put in stands for one, a whole comparison for all looks into its value."""
    wholes = [names for names in map(_compared, put) if names]
    looks = [frozenset(_NAME.findall(_QUOTED.sub("", check))) for check in out]
    left = sum(all(names.isdisjoint(look) for names in wholes) for look in looks)
    used = sum(any(not names.isdisjoint(look) for look in looks) for names in wholes)
    return used > 0 and left <= len(put) - used


def _compared(check: str) -> "frozenset[str]":
    """The names whose whole value a check compares: `x`, `want` of `slices.Equal(x, want)`."""
    bare = _QUOTED.sub('""', check)
    low = folded(bare)
    if check.startswith(("if", "}", "else")):  # what is reported: the opposite of what is wanted
        equal = "!=" in low or ("!" in low and "equal" in low)
    else:
        equal = any(word in low for word in _EQUALS) and "not" not in low
    names = frozenset(name for part, name in _BARE.findall(bare) if not part) if equal else frozenset()
    return frozenset() if names & _NO_VALUE else names - _ANYTHING
