"""
Which files a shell command changes: redirections, `sed -i`, `tee`, `mv`, here-documents, scripts given inline.

Paths come as typed; "*" stands for files that the command does not name. Devices are no files.
"""

from ace_reflect.evidence.call_words import after_options, flags_and_words, is_python, option_value, program, word_set
from ace_reflect.evidence.meaning import UNKNOWN_FILES
from ace_reflect.evidence.shell import SimpleCommand
from ace_reflect.evidence.variables import each_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[tuple[str, ...]], tuple[str, ...]]

_DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/", "/dev/tcp/", "NUL", "nul", "$null")
_PATCH_MARKS = ("+++ ", "*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_TAKES_FILES = frozenset({"rm", "mv", "cp", "touch", "unlink", "trash", "shred", "sd", "dos2unix"})
_INLINE = {"-c", "-e", "--eval", "-p", "--print", "-r", "-E", "-"}
_INTERPRETERS = frozenset({"node", "nodejs", "bun", "deno", "ruby", "perl", "php", "tsx", "ts-node"})


def writes_of(simple: SimpleCommand) -> tuple[str, ...]:
    """The files that the command changes, by redirection or by what it is."""
    paths = [target for op, target in simple.redirects if ">" in op and not _is_descriptor(op, target)]
    argv = simple.unwrapped
    if "ssh" in simple.via:
        return ()  # another machine's files
    if argv:
        name = program(argv[0])
        reader = _READERS.get(name)
        said = _said_by_heredoc(name, simple.heredoc) if simple.heredoc is not None else ()
        if said:
            paths.extend(said)
        elif reader is not None:
            paths.extend(reader(argv) or ((UNKNOWN_FILES,) if name in _TAKES_FILES and "xargs" in simple.via else ()))
        elif name in _INTERPRETERS or is_python(name):
            paths.extend(_inline(argv, simple.heredoc))
    if not paths:
        return ()
    named = (one for path in paths for one in each_value(path, simple.loops) or (UNKNOWN_FILES,))
    return tuple(dict.fromkeys(_plain(path) for path in named if path and not path.startswith(_DEVICES)))


def _said_by_heredoc(name: str, text: str) -> tuple[str, ...]:
    """What a here-document says is changed: of a script what it writes, of a patch the files that it names."""
    if name == "ruby":
        return _inline((name,), text)
    return files_of_patch(text) if name in ("patch", "apply_patch") else ()


def files_of_patch(text: str) -> tuple[str, ...]:
    """The files that a patch changes, as they are called without git's `a/` and `b/`."""
    paths: list[str] = []
    before = ""
    for line in text.splitlines():
        mark = next((mark for mark in _PATCH_MARKS if line.startswith(mark)), "")
        if mark:
            path = line[len(mark) :].partition("\t")[0].strip()
            paths.append(before if path == "/dev/null" else path)  # a deleted file is named in the line before
        before = line[4:].partition("\t")[0].strip() if line.startswith("--- ") else ""
    return tuple(path[2:] if path.startswith(("a/", "b/")) else path for path in paths)


def _is_descriptor(op: str, target: str) -> bool:
    return (op.endswith("&") and (target.isdigit() or target == "-" or target[:-1].isdigit())) or target.startswith(
        (">(", "<(")
    )


def _plain(path: str) -> str:
    """Files named by another command's output, or by a pattern nobody can expand here, are unknown ones."""
    if path in ("{}", "-") or "$(" in path or "`" in path or path.startswith("{"):
        return UNKNOWN_FILES
    return path


def _words(argv: tuple[str, ...], values: frozenset[str] = frozenset()) -> list[str]:
    return flags_and_words(argv[1:], values)[1]


def _sed(argv: tuple[str, ...]) -> tuple[str, ...]:
    """GNU: `sed -i.bak s/a/b/ f`; BSD: `sed -i '' s/a/b/ f`. Without -i nothing is written."""
    scripted = in_place = False
    words: list[str] = []
    index = 1
    while index < len(argv):
        word = argv[index]
        if word.startswith("--"):
            in_place = in_place or word.startswith("--in-place")
            scripted = scripted or word.startswith(("--expression", "--file"))
            index += word in ("--expression", "--file")
        elif len(word) > 1 and word[0] == "-":
            flags, _, suffix = word[1:].partition("i")
            taken = not {"e", "f"}.isdisjoint(flags)  # partition leaves the whole cluster where there is no -i
            in_place = in_place or ("i" in word[1:] and not taken)
            scripted = scripted or taken or (suffix == "e")
            index += (word[-1] in "ef" and (taken or suffix == "e")) or (
                word.endswith("i") and argv[index + 1 : index + 2] == ("",)
            )
        else:
            words.append(word)
        index += 1
    if not in_place:
        return ()
    files = words if scripted else words[1:]
    if len(files) > 1 and words[0].startswith(".") and not scripted and len(words[0]) < 8:
        files = words[2:]  # BSD's suffix as a word of its own
    return tuple(files) or (UNKNOWN_FILES,)


def _perl(argv: tuple[str, ...]) -> tuple[str, ...]:
    """`perl -pi -e '…' files`, `ruby -i.bak -pe '…' files`"""
    in_place = False
    index = 1
    while index < len(argv) and argv[index][:1] == "-" and len(argv[index]) > 1:
        word = argv[index]
        if word == "--":
            index += 1
            break
        cluster = word[1:]
        in_place = in_place or ("i" in cluster.partition("e")[0].partition("M")[0] and word[1] not in "MIE")
        index += 2 if cluster[-1] in "eE" or word in ("-I", "-M") else 1
    if in_place:
        return tuple(argv[index:]) or (UNKNOWN_FILES,)
    return _inline(argv, None)


def _inline(argv: tuple[str, ...], heredoc: str | None) -> tuple[str, ...]:
    """What a script on the command line or in a here-document writes."""
    texts = [
        argv[i + 1]
        for i in range(1, len(argv) - 1)
        if argv[i] in _INLINE or (argv[i][:1] == "-" and argv[i][-1:] in "ec" and len(argv[i]) < 6)
    ]
    if heredoc is not None:
        texts.append(heredoc)
    if not texts:
        return ()
    from ace_reflect.evidence.inline_scripts import files_written

    return tuple(path for text in texts for path in files_written(text))


def _awk(argv: tuple[str, ...]) -> tuple[str, ...]:
    for index in range(1, len(argv) - 1):
        if argv[index] in ("-i", "--include") and argv[index + 1] == "inplace":
            return tuple(_words(argv, word_set("-i --include -v -F -f --assign"))[1:]) or (UNKNOWN_FILES,)
    return ()


def _moves(argv: tuple[str, ...]) -> tuple[str, ...]:
    """`mv a b`: a is gone and b is new."""
    words = _words(argv, word_set("-t --target-directory -S --suffix"))
    folder = option_value(argv, word_set("-t --target-directory"))
    return (*(words if folder else words[:-1]), *_destinations(words, folder))


def _copies(argv: tuple[str, ...]) -> tuple[str, ...]:
    words = _words(argv, word_set("-t --target-directory -S --suffix -m -o -g --mode --owner --group"))
    folder = option_value(argv, word_set("-t --target-directory"))
    if program(argv[0]) == "install" and "-d" in argv:
        return ()
    return _destinations(words, folder)


def _destinations(words: list[str], folder: str | None) -> tuple[str, ...]:
    """Where the files end up. A last word that looks like a folder gets each file under its own name."""
    if folder is not None:
        sources, into = words, folder
    elif len(words) < 2:
        return ()
    else:
        sources, into = words[:-1], words[-1]
    if folder is None and len(sources) == 1 and not into.endswith(("/", "/.", "..")) and into != ".":
        return (into,)
    return tuple(f"{into.rstrip('/')}/{source.rstrip('/').rpartition('/')[2]}" for source in sources)


def _dd(argv: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word[3:] for word in argv if word.startswith("of="))


def _patch(argv: tuple[str, ...]) -> tuple[str, ...]:
    if {"--dry-run", "-C", "--check"} & set(argv):
        return ()
    words = _words(argv, word_set("-d --directory -i --input -o --output -p --strip -B -F -D -r --reject-file -V -z"))
    return tuple(words[:1]) or (UNKNOWN_FILES,)


def _option_output(*names: str) -> "Reader":
    """A program that writes where one option says."""
    wanted = frozenset(names)

    def read(argv: tuple[str, ...]) -> tuple[str, ...]:
        found = option_value(argv, wanted)
        attached = next(
            (word[2:] for word in argv[1:] if word[:2] in wanted and len(word) > 2 and word[:2] != "--"), None
        )
        path = found or attached
        return (path,) if path and path != "-" else ()

    return read


def _yq(argv: tuple[str, ...]) -> tuple[str, ...]:
    if not any(
        word in ("--inplace", "--in-place") or (word[:1] == "-" and word[1:2] != "-" and "i" in word)
        for word in argv[1:]
    ):
        return ()
    return tuple(_words(argv)[1:]) or (UNKNOWN_FILES,)


def _named(start: int | None = None, values: str = "") -> "Reader":
    """A program that changes the files it names, from that word on: `rm a b`, `sd old new a b`."""
    taking = word_set(values)
    return lambda argv: tuple(_words(argv, taking)[start:])


def _unnamed(_argv: tuple[str, ...]) -> tuple[str, ...]:
    return (UNKNOWN_FILES,)


def _first_word(argv: tuple[str, ...]) -> tuple[str, ...]:
    start = after_options(argv, 1)
    return argv[start : start + 1]


def _find(argv: tuple[str, ...]) -> tuple[str, ...]:
    return (UNKNOWN_FILES,) if "-delete" in argv else ()


_READERS: "dict[str, Reader]" = {
    "sed": _sed,
    "gsed": _sed,
    "perl": _perl,
    "ruby": _perl,
    "awk": _awk,
    "gawk": _awk,
    "tee": _named(),
    "sponge": _named(),
    "mv": _moves,
    "gmv": _moves,
    "cp": _copies,
    "gcp": _copies,
    "install": _copies,
    "ln": _copies,
    "rm": _named(),
    "unlink": _named(),
    "shred": _named(),
    "trash": _named(),
    "touch": _named(values="-s --size -r --reference -o -n -d -t --date"),
    "truncate": _named(values="-s --size -r --reference -o -n -d -t --date"),
    "dd": _dd,
    "patch": _patch,
    "curl": _option_output("-o", "--output"),
    "wget": _option_output("-O", "--output-document"),
    "sort": _option_output("-o", "--output"),
    "yq": _yq,
    "sd": _named(2),
    "dos2unix": _named(values="-e -c -o"),
    "unix2dos": _named(values="-e -c -o"),
    "ed": _first_word,
    "ex": _named(-1),
    "rename": _unnamed,
    "apply_patch": _unnamed,
    "find": _find,
}
