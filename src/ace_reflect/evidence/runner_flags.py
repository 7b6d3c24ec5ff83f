"""What the arguments of a test runner mean: what is selected, left out, only listed, watched. The options: `flag_table`."""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.flag_table import ROWS
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.late import Late


class Flags:
    """
    One runner's options. Those of `select`, `deselect` and `values` take a value, the others stand alone.

    A table of forty of them is read by every hook that meets a command, so a row stays text until it is needed.
    """

    __slots__ = ("alone", "collect", "deselect", "known", "positional", "select", "values", "watch")

    def __init__(self, row: dict[str, str]) -> None:
        self.select = frozenset(row.get("select", "").split())
        self.deselect = frozenset(row.get("deselect", "").split())
        self.values = frozenset(row.get("values", "").split())
        self.alone = frozenset(row.get("alone", "").split())  # select, without a value
        self.collect = frozenset(row.get("collect", "").split())
        self.watch = frozenset(row.get("watch", "").split())
        self.positional = row.get("positional", "path")  # path, name (of a test) or none
        self.known = self.select | self.deselect | self.values | self.alone | self.collect | self.watch


_READ: dict[str, Flags] = {}


def flags_of(runner: str) -> Flags:
    """The options of the runner with this name in `ROWS`."""
    if runner not in _READ:
        _READ[runner] = Flags(ROWS[runner])
    return _READ[runner]


_NEGATIVE = Late(r"(?:^|[\s(&|,])not[\s(]|^[~!]|^\^?\(\?!|!=|!~|(?:^|,)!", needs=("not|!|~",)).search
_OFF = frozenset({"false", "0", "no"})


def test_run(runner: str, row: str, args: tuple[str, ...]) -> Meaning:
    """A run of tests with what its arguments say; `row` is the runner's in `ROWS`."""
    meaning = Meaning(CommandKind.TEST, runner)
    read_flags(meaning, args, row)
    return meaning


def lines_of_files(meaning: Meaning) -> None:
    """`spec/a_spec.rb:12` is one test of the file."""
    lines = [target for target in meaning.targets if ":" in target and target.rpartition(":")[2].isdigit()]
    meaning.targets = tuple(target.partition(":")[0] if target in lines else target for target in meaning.targets)
    meaning.selected = " ".join(filter(None, (meaning.selected, *lines)))


def read_flags(meaning: Meaning, args: tuple[str, ...], runner: str) -> None:
    """Fill in what the arguments say of targets, selection, listing and watching."""
    reader = _Reader(flags_of(runner))
    index = 0
    while index < len(args):
        word = args[index]
        index += reader.take(word, args[index + 1] if index + 1 < len(args) else None)
    meaning.targets = (*meaning.targets, *reader.targets)
    meaning.selected = _together(meaning.selected, reader.selected)
    meaning.deselects = _together(meaning.deselects, reader.deselects)
    meaning.collects_only = meaning.collects_only or reader.collects
    meaning.watch = meaning.watch or reader.watch


def _together(before: str, more: list[str]) -> str:
    return " ".join((before, *more) if before else more)


class _Reader:
    """Collects what one option after the other says."""

    __slots__ = ("collects", "deselects", "flags", "selected", "targets", "watch")

    def __init__(self, flags: Flags) -> None:
        self.flags = flags
        self.selected: list[str] = []
        self.deselects: list[str] = []
        self.targets: list[str] = []
        self.collects = self.watch = False

    def take(self, word: str, following: str | None) -> int:
        """Read one word, and the next if it is its value. Returns how many were read."""
        if word == "--" or not word:
            return 1
        if word[0] != "-" or len(word) == 1:
            self._positional(word)
            return 1
        name, equals, value = word.partition("=")
        if not equals and ":" in word and word.partition(":")[0] + ":" in self.flags.select | self.flags.deselect:
            name, equals, value = word.partition(":")
        elif (
            not equals
            and not word.startswith("--")
            and name not in self.flags.known
            and len(word) > 2
            and word[:2] in self._valued()
        ):
            name, equals, value = word[:2], "=", word[2:]
        return self._option(word, name, value if equals else None, following)

    def _valued(self) -> frozenset[str]:
        return self.flags.select | self.flags.deselect

    def _option(self, word: str, name: str, value: str | None, following: str | None) -> int:
        flags = self.flags
        taken = 1
        if name in flags.select or name in flags.deselect or name in flags.values:
            if (
                value is None
                and following is not None
                and (not following.startswith("-") or name in flags.select | flags.deselect)
            ):
                value, taken = following, 2
            self._selection(name, value or "")
        elif name in flags.alone:
            self.selected.append(word)
        on = value is None or value.lower() not in _OFF
        self.collects = self.collects or (name in flags.collect and on)
        self.watch = self.watch or (name in flags.watch and on)
        return taken

    def _selection(self, name: str, value: str) -> None:
        text = f"{name} {_quoted(value)}" if value else name
        if name in self.flags.deselect or (name in self.flags.select and (_NEGATIVE(value) or value[:1] == "-")):
            self.deselects.append(text)
        elif name in self.flags.select:
            self.selected.append(text)

    def _positional(self, word: str) -> None:
        if self.flags.positional == "path":
            path, colons, node = word.partition("::")
            if path not in ("./...", "..."):  # Go's "all of it"
                self.targets.append(path.removesuffix("/..."))
            if colons:
                self.selected.append(f"::{node}")
        elif self.flags.positional == "name":
            self.selected.append(word)


def _quoted(value: str) -> str:
    return f"'{value}'" if " " in value or not value else value
