"""
make and ninja: goals named among options whose values may be attached, and what a goal is for.

Source: GNU make manual, "Summary of Options"; ninja(1).
"""

from ace_reflect.evidence.call_words import option_value, program, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name, target_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _BUILD, _READ, _OTHER = CommandKind.TEST, CommandKind.BUILD, CommandKind.READ, CommandKind.OTHER

_MAKES = ("make", "gmake", "mingw32-make", "nmake", "remake", "bmake")
#: Short options that take a value, attached or as the next word: what follows them in a cluster is no option.
_MAKE_VALUES, _NINJA_VALUES = "CfIoW", "Cfkldtwj"
#: Those whose value may be missing; the next word is one if it is a number.
_NUMBERED = "jlO"
_LONG_VALUES = word_set("--directory --file --makefile --include-dir --old-file --what-if --assume-new --assume-old")
_DRY = word_set("--dry-run --just-print --recon --question")
#: Goals that mean the whole of it.
_WHOLE = word_set("all default")


class _Call:
    """The words of a call, sorted."""

    def __init__(self, argv: tuple[str, ...], values: str) -> None:
        self.goals: list[str] = []
        self.letters: set[str] = set()
        self.folder: str | None = None
        self._values = values
        index = 1
        while index < len(argv):
            word, following = argv[index], argv[index + 1] if index + 1 < len(argv) else ""
            if word.startswith("--"):
                index += word in _LONG_VALUES or (word in ("--jobs", "--load-average") and _number(following))
            elif word[:1] == "-" and len(word) > 1:
                index += self._cluster(word, following)
            elif "=" not in word and not _number(word):
                self.goals.append(word)
            index += 1

    def _cluster(self, word: str, following: str) -> bool:
        """`-sC dir`, `-Cdir`, `-j$(nproc)`, `-kn`; whether the next word is the last option's value."""
        for place, letter in enumerate(word[1:], 2):
            if letter in _NUMBERED and letter not in self._values:
                return place == len(word) and _number(following)
            if letter in self._values:
                value = word[place:] or following
                self.folder = value if letter == "C" else self.folder
                return place == len(word)
            self.letters.add(letter)
        return False


def _number(word: str) -> bool:
    """A number, or what the shell makes one of: `$(nproc)`, `$JOBS`."""
    return word.isdigit() or word[:1] in ("$", "`")


def _make(argv: tuple[str, ...]) -> list[Meaning]:
    runner = program(argv[0])
    call = _Call(argv, _MAKE_VALUES)
    found = _goals(call.goals, "make" if runner in ("gmake", "mingw32-make", "nmake") else runner)
    dry = bool(call.letters & {"n", "q"}) or not _DRY.isdisjoint(argv)
    return _placed(found, call.folder or option_value(argv, word_set("--directory")), dry=dry)


def _ninja(argv: tuple[str, ...]) -> list[Meaning]:
    if any(word[:2] == "-t" for word in argv[1:]):
        return [Meaning(_READ, "ninja")]
    call = _Call(argv, _NINJA_VALUES)
    found = _goals(call.goals, "ninja", built=True)
    return _placed(found, call.folder, dry="n" in call.letters)


def _goals(names: list[str], runner: str, *, built: bool = False) -> list[Meaning]:
    """One meaning for each kind among the goals, in their order. `built`: most of them are files that are built."""
    found: dict[CommandKind, Meaning] = {}
    for name in names or [""]:
        label = f"{runner} {name}".rstrip()
        for meaning in [Meaning(_BUILD, label)] if name in _WHOLE or not name else meanings_of_name(name, label):
            if built and name:
                meaning.kind = target_kind(name, kinds_of_name(name))
            found.setdefault(meaning.kind, meaning)
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values())


def _placed(found: list[Meaning], folder: str | None, *, dry: bool) -> list[Meaning]:
    for meaning in found:
        meaning.cwd = folder
        meaning.collects_only = dry
        if dry and meaning.kind is not _TEST:
            meaning.kind = _READ
    return found


READERS: "dict[str, Reader]" = {**dict.fromkeys(_MAKES, _make), "ninja": _ninja}
