"""What kind of files a search hands to an editor in place: `find -name '*.ts' -exec sed -i …`, `rg -lt py x | xargs sed -i …`."""

from ace_reflect.evidence.kinds import absolute
from ace_reflect.evidence.languages import of_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.facts import Edit

_SEARCHES = frozenset(("find", "grep", "egrep", "rg", "git", "fd", "fdfind", "ag", "ack", "ls"))
#: The options that name a kind of files, short and long.
_KINDS = {"rg": ("-t", "--type"), "fd": ("-e", "--extension"), "fdfind": ("-e", "--extension")}
_ENDINGS = {
    "python": "py", "rust": "rs", "typescript": "ts", "javascript": "js", "ruby": "rb", "kotlin": "kt", "csharp": "cs", "cpp": "cc",
}  # fmt: skip


def kind_of_files(commands: "Iterable[Command]", edits: "Iterable[Edit]") -> str:
    """
    `*.ts`, or "" where the searches of a call are for files of several languages.

    A search that names no kind means the files that the session works on in the folders searched, if they are of one.
    """
    searches = [command for command in commands if command.argv[:1] and command.argv[0] in _SEARCHES]
    endings = {ending for search in searches for ending in _endings(search.argv)}
    if not endings:
        folders = tuple({f"{folder}/" for search in searches for folder in _words(search)})
        endings = {
            edit.path.rpartition(".")[2] for edit in edits if edit.kind == "code" and edit.path.startswith(folders)
        }
    ending = min(endings, default="")
    of_one = len(endings) == 1 or (len({of_file(f"*.{each}") for each in endings}) == 1 and of_file(f"*.{ending}"))
    return f"*.{ending}" if of_one and ending.isalnum() else ""


def _words(search: "Command") -> "list[str]":
    """The words that can be folders, as absolute paths."""
    return [absolute(word, search.cwd) for word in search.argv[1:] if word[:1] not in ("", "-")]


def _endings(argv: "tuple[str, ...]") -> "list[str]":
    found = [word.rpartition("*.")[2] for word in argv[1:] if "*." in word]
    short, long = _KINDS.get(argv[0], ("", ""))
    for place, word in enumerate(argv[1:], 2):
        if short and word in (short, long):
            found += argv[place : place + 1]
        elif short and word.startswith((f"{long}=", short)):
            found.append(word.partition("=")[2] or word[2:])
        elif short == "-t" and word[:1] == "-" and word.endswith("t"):  # `-lt py`
            found += argv[place : place + 1]
    return [_ENDINGS.get(ending, ending.removeprefix(".")) for ending in found]
