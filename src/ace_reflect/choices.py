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

    class _Few:
        """`Class(value)` is the member of that value, `Class["NAME"]` of that name; ValueError or KeyError for none."""

        def __init_subclass__(cls) -> None:
            cls._by_value, cls._by_name = {}, {}
            for name, value in list(cls.__dict__.items()):
                if value.__class__ is cls._plain and name[0] != "_":
                    member = cls._plain.__new__(cls, value)
                    member.name, member.value = name, value
                    cls._by_value[value] = cls._by_name[name] = member
                    setattr(cls, name, member)

        def __new__(cls, value: object) -> "_Few":  # noqa: PYI034 - the one that is there
            try:
                return cls._by_value[value]
            except (KeyError, TypeError):
                raise ValueError(f"{value!r} is not a valid {cls.__name__}") from None

        def __class_getitem__(cls, name: str) -> "_Few":
            return cls._by_name[name]

        def __repr__(self) -> str:
            return f"<{type(self).__name__}.{self.name}: {self.value!r}>"

    class Choice(_Few, str):  # noqa: SLOT000 - a member has a name
        """A string of a few."""

        _plain = str

    class Rank(_Few, int):
        """A number of a few, in their order."""

        _plain = int
