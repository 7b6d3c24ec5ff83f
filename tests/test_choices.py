"""Enumerations: what of the standard library's own is used here."""

import copy
import enum
import json

import pytest

from ace_reflect.choices import Choice, Rank


class Colour(Choice):
    """Of a light."""

    RED = "red"
    DARK_GREEN = "dark-green"


class Size(Rank):
    SMALL = 1
    LARGE = 2


class StandardColour(enum.StrEnum):
    RED = "red"
    DARK_GREEN = "dark-green"


class StandardSize(enum.IntEnum):
    SMALL = 1
    LARGE = 2


@pytest.mark.parametrize(("ours", "theirs"), [(Colour, StandardColour), (Size, StandardSize)])
def test_members_are_what_the_standard_library_makes_of_them(ours, theirs):
    assert [(each.name, each.value, str(each), f"{each}") for each in ours] == [
        (each.name, each.value, str(each), f"{each}") for each in theirs
    ]
    assert json.dumps(list(ours)) == json.dumps(list(theirs))
    assert [repr(each) for each in ours] == [repr(each).replace("Standard", "") for each in theirs]
    for mine, standard in zip(ours, theirs, strict=True):
        assert ours(mine.value) is ours[mine.name] is ours(mine) is copy.deepcopy(mine)
        assert mine == mine.value == standard
        assert {mine.value: 1}[mine] == 1
        assert mine in ours
        assert isinstance(mine, ours)


@pytest.mark.parametrize("wrong", ["blue", "RED", None, ["red"], 3])
def test_another_value_is_an_error(wrong):
    with pytest.raises(ValueError, match="is not a valid Colour"):
        Colour(wrong)
    with pytest.raises(ValueError, match="is not a valid Size"):
        Size(wrong)


def test_another_name_is_an_error():
    with pytest.raises(KeyError, match="BLUE"):
        Colour["BLUE"]


def test_ranks_are_in_order():
    assert max(Size.SMALL, Size.LARGE) is Size.LARGE
    assert Size.SMALL < Size.LARGE
