"""The words of a call: programs' names, options and their values."""

from ace_reflect.late import Late

#: They run the scripts of package.json by name. `bun test` is Bun's own runner.
NODE_MANAGERS = ("npm", "pnpm", "yarn", "bun")
#: They run what the project itself wrote down under a name: the name says little, and any program may be behind it.
TASK_RUNNERS = (
    *NODE_MANAGERS, "make", "gmake", "just", "task", "mise", "rake", "mage", "invoke", "inv", "composer", "poe",
)  # fmt: skip
_SUFFIXES = (".exe", ".cmd", ".bat")
_PLAIN_PYTHONS = frozenset({"python", "python3", "py", "pypy", "pypy3"})
_PYTHON = Late(r"(?:(?:python|pypy)(?:\d+(?:\.\d+)?t?)?|py)$", needs=("py",)).match
_ASSIGNMENT = Late(r"[A-Za-z_]\w*=", needs=("=",)).match


def word_set(text: str) -> frozenset[str]:
    """The words of a table's row."""
    return frozenset(text.split())


def program(word: str) -> str:
    """The name of a program without its folder and Windows suffix."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1] if "/" in word or "\\" in word else word
    return name.rsplit(".", 1)[0] if name.endswith(_SUFFIXES) else name


def is_python(name: str) -> bool:
    """Whether a program's name is an interpreter's of Python."""
    return name in _PLAIN_PYTHONS or (name.startswith(("python", "pypy")) and _PYTHON(name) is not None)


def has_drive(path: str) -> bool:
    """Whether it is an absolute path of Windows: `C:/x`, `C:\\x`."""
    return path[1:3] in (":/", ":\\") and path[0].isascii() and path[0].isalpha()


def posix(path: str) -> str:
    """A Windows path (`D:\\a\\b`, `D:/a/b`) as its shell there writes it (`/d/a/b`); any other as it is."""
    return f"/{path[0].lower()}{path[2:]}".replace("\\", "/") if has_drive(path) else path


def after_options(argv: tuple[str, ...], start: int, values: frozenset[str] = frozenset()) -> int:
    """Index of the first word from `start` that is neither an option nor an option's value; a `--` is passed over."""
    index = start
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return index + 1
        if len(word) < 2 or word[0] != "-":
            return index
        index += 2 if word in values else 1
    return min(index, len(argv))


def after_assignments(argv: tuple[str, ...], start: int) -> int:
    """Index of the first word from `start` that gives no variable a value (`CI=1`)."""
    while start < len(argv) and _ASSIGNMENT(argv[start]):
        start += 1
    return start


def flags_and_words(args: tuple[str, ...], values: frozenset[str]) -> tuple[set[str], list[str]]:
    """
    The options by name (`--file` of `--file=x`), and the words that are neither options nor values of one. Options in
    `values` take the next word; behind `--` all are words.
    """
    flags: set[str] = set()
    words: list[str] = []
    index = 0
    while index < len(args):
        word = args[index]
        if word == "--":
            words.extend(args[index + 1 :])
            break
        if len(word) > 1 and word[0] == "-":
            flags.add(word.partition("=")[0])
            index += word in values
        else:
            words.append(word)
        index += 1
    return flags, words


def option_value(argv: tuple[str, ...], names: frozenset[str], end: int | None = None) -> str | None:
    """The value of the first of the options, written `-C dir`, `--cwd dir` or `--cwd=dir`."""
    stop = len(argv) if end is None else min(end, len(argv))
    for index in range(1, stop):
        word = argv[index]
        if word in names:
            return argv[index + 1] if index + 1 < len(argv) else None
        if word.startswith("--") and "=" in word and word.partition("=")[0] in names:
            return word.partition("=")[2]
    return None


def values_after(argv: tuple[str, ...], names: frozenset[str]) -> list[str]:
    """The words behind one of the options, up to the next option: `-t a b`, `--target=a`; what follows `--` is another's."""
    found: list[str] = []
    taking = False
    for word in argv[1 : argv.index("--") if "--" in argv else len(argv)]:
        if word.startswith("-"):
            name, equals, value = word.partition("=")
            found += [value] if equals and name in names else []
            taking = word in names
        elif taking:
            found.append(word)
    return found
