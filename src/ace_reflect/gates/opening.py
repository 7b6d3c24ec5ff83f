"""
What a clause opens with, behind the fillers that people put in front ("please", "ok, now", "can you").

The fillers are stepped over as plain text: an expression that holds all of them costs four times what it is there for.
"""

from ace_reflect.late import Late, folded

#: In lower case. A filler ends in white space, with or without a comma before it.
FILLERS = (
    "please", "pls", "plz", "just", "ok", "okay", "also", "then", "now", "oh", "btw", "hey", "yes", "yep", "yeah", "yup", "no", "sure", "great", "good", "actually",
    "instead", "again", "thanks", "thx", "perfect", "nice", "cool", "awesome", "alright", "amazing", "excellent", "yay", "wow", "sweet", "wait", "lgtm", "looks good", "can u", "could u", "don't forget to", "dont forget to", "do not forget to", "remember to", "be sure to", "make sure to", "make sure you", "for now", "this time", "next time", "from now on", "let's", "lets", "feel free to", "would you", "will you", "claude", "bitte",
    "s'il te plait", "s'il te plaît", "por favor", "per favore",
    *(f"we {verb}" for verb in ("can", "should", "will", "could", "do")),
    *(f"you {verb}" for verb in ("can", "may", "should", "could", "must")),
    *(f"{verb} {who}" for verb in ("can", "could") for who in ("you", "we")),
    *(f"{i} {verb}{you}{end}" for i in ("i'd", "i would") for verb in ("like", "prefer", "want", "rather") for you in ("", " you") for end in ("", " to", " if you")),
    *(f"i {verb}{you} to" for verb in ("need", "want") for you in ("", " you")),
)  # fmt: skip
_BY_LETTER: dict[str, list[str]] = {}
for _filler in FILLERS:
    _BY_LETTER.setdefault(_filler[0], []).append(_filler)


class Opening(Late):
    """
    An expression for the start of a clause, in lower case.

    `starts`: words between bars, one of which every match begins with; "" where that cannot be said.
    """

    __slots__ = ("_starts", "starts")

    def __init__(self, source: str, starts: str = "", *, needs: "tuple[str, ...]" = ()) -> None:
        super().__init__(source, needs=needs)
        self.starts = starts
        self._starts: tuple[str, ...] = ()

    def opens(self, low: str, places: "list[int]") -> bool:
        """Whether it matches at one of the places of a clause in lower case."""
        if self.starts and not self._starts:
            self._starts = tuple(self.starts.split("|"))
        for place in places:
            if self._starts and not low.startswith(self._starts, place):
                continue
            if self.match(low, place):
                return True
        return False


def clause(text: str) -> "tuple[str, list[int]]":
    """A clause in lower case, and the places at which something may open it: its start, and behind each filler."""
    low = folded(text)
    places = [0]
    for place in places:  # it grows
        for filler in _BY_LETTER.get(low[place : place + 1], ()):
            if not low.startswith(filler, place):
                continue
            end = place + len(filler)
            end += low.startswith(",", end)
            start = end
            while low[start : start + 1].isspace():
                start += 1
            if start > end and start not in places:
                places.append(start)
    return low, places
