"""Records for the hooks' path, where `dataclasses` costs as much as all the rest; type checkers see frozen keyword-only ones."""

from enum import Enum
from typing import Any, ClassVar, Self, dataclass_transform, get_args


@dataclass_transform(kw_only_default=True, frozen_default=True, eq_default=True)
class Value:
    """A subclass lists its fields as annotations, with defaults, which all its records share, where one makes sense."""

    _fields: ClassVar[dict[str, Any]] = {}  # name -> annotation
    _required: ClassVar[frozenset[str]] = frozenset()
    _kinds: ClassVar[dict[str, Any]]  # what each holds, of a class that was asked for it

    def __init_subclass__(cls) -> None:
        own = cls.__annotations__  # without the bases', also where 3.14 works them out only now
        if own:
            given = cls.__dict__
            cls._required = cls._required.union(own).difference(given)
            cls._fields = {**cls._fields, **own}

    def __init__(self, **values: Any) -> None:
        if not self._required <= values.keys() <= self._fields.keys():
            missing, unknown = self._required - values.keys(), values.keys() - self._fields.keys()
            raise TypeError(f"{type(self).__name__}: {missing=}, {unknown=}")
        self.__dict__ = values

    def _all(self) -> tuple[Any, ...]:
        return tuple([getattr(self, name) for name in self._fields])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash((type(self), self._all()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.__dict__})"

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        return type(self)(**{**self.__dict__, **changes})

    def to_json(self) -> dict[str, Any]:
        """The fields that were given, ready for `json.dumps`; nested records become objects."""
        return {name: _plain(value) for name, value in self.__dict__.items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The inverse of `to_json`, with enums and records where the annotations name them, alone or in a tuple; unknown keys
        are dropped. Raises TypeError for a missing field, ValueError for what an enum does not have.
        """
        if "_kinds" not in cls.__dict__:
            cls._kinds = {name: _kind(hint) for name, hint in cls._fields.items()}
        kinds, values = cls._kinds, {}
        for name, item in data.items():
            if name in kinds:
                plain = kinds[name] is None and type(item) is not list
                values[name] = item if plain else _revived(kinds[name], item)
        return cls(**values)


def _kind(hint: Any) -> Any:
    """The enum or record that a field holds, also in a tuple or beside None; else None."""
    kinds = (kind for kind in (hint, *get_args(hint)) if isinstance(kind, type))
    return next((kind for kind in kinds if issubclass(kind, (Enum, Value))), None)


def _revived(kind: Any, item: Any) -> Any:
    if isinstance(item, list):
        return tuple([_revived(kind, each) for each in item]) if kind else tuple(item)
    if kind is None or item is None:
        return item
    if issubclass(kind, Value):
        return kind.from_json(item) if isinstance(item, dict) else item
    return kind(item)


def _plain(value: Any) -> Any:
    if isinstance(value, Value):
        return value.to_json()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def newest(table: dict[str, Any], name: str, value: Any = None, most: int = 60) -> None:
    """Put something at the end of a table that stays small."""
    table.pop(name, None)
    table[name] = value
    while len(table) > most:
        del table[next(iter(table))]
