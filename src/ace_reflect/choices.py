"""
Enumerations for the hooks' path.

`enum` takes a hook 20 microseconds for each member that it makes. These have what is used here: a member is the one of
its value, compares and hashes as the plain string or number, and has a name. Type checkers see the standard library's.
"""

__all__ = ["Choice", "Rank"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enum import IntEnum as Rank
    from enum import StrEnum as Choice
else:

    class _Few(type):
        """`Class(value)` is the member of that value, `Class["NAME"]` of that name; ValueError or KeyError for none."""

        def __init__(cls, _name: str, _bases: tuple[type, ...], given: dict[str, object]) -> None:
            plain = str if issubclass(cls, str) else int
            cls._by_value, cls._by_name = {}, {}
            for key, value in given.items():
                if value.__class__ is plain and key[0] != "_":
                    member = cls._by_value[value] = cls._by_name[key] = plain.__new__(cls, value)
                    member.name, member.value = key, value
                    setattr(cls, key, member)

        def __getitem__(cls, name: str) -> object:
            return cls._by_name[name]

        def __iter__(cls):  # noqa: ANN204 - of members
            return iter(cls._by_name.values())

        def __contains__(cls, value: object) -> bool:
            return value in cls._by_value

    def _member(cls: _Few, value: object) -> object:
        try:
            return cls._by_value[value]
        except (KeyError, TypeError):
            raise ValueError(f"{value!r} is not a valid {cls.__name__}") from None

    class Choice(str, metaclass=_Few):  # noqa: SLOT000 - a member has a name
        """A string of a few."""

        __new__ = _member

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    class Rank(int, metaclass=_Few):
        """A number of a few, in their order."""

        __new__ = _member
        __repr__ = Choice.__repr__
        __str__ = int.__repr__
