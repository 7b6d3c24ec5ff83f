"""What a shell remembers from one command of a line to the next: its folder, variables, functions and options."""

from posixpath import isabs, join, normpath

from ace_reflect.evidence.call_words import has_drive
from ace_reflect.evidence.kinds import spelled_as
from ace_reflect.evidence.shell_status import is_failure
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from ace_reflect.evidence.shell_tree import CompoundNode

#: A variable's value or a path that is longer is not followed.
MAX_VALUE = 4000
_fill = Late(r"\$(?:\{(\w+)\}|(\w+))").sub
#: PowerShell's as well.
FOLDER_CHANGERS = frozenset({"cd", "pushd", "chdir", "Set-Location", "Push-Location", "sl"})
_HOMES = ("/home", "/Users", "/c/Users")  # and Windows' `C:\\Users`


class Shell:
    """What a shell remembers from one command to the next."""

    __slots__ = (
        "abroad",
        "cwd",
        "errexit",
        "functions",
        "home",
        "left",
        "pipefail",
        "previous",
        "remote",
        "returned",
        "stack",
        "variables",
    )

    def __init__(self, cwd: str | None) -> None:
        self.cwd = cwd
        self.previous: str | None = None
        self.home = _home_of(cwd)
        self.pipefail = False
        self.errexit = False
        self.remote = False  # on another machine or in a container
        self.abroad = False  # in a folder of that machine's own
        self.left = self.returned = False  # an `exit` or `return` without failure may have ended it
        self.variables: dict[str, str] = {}
        self.functions: dict[str, tuple[CompoundNode, str]] = {}
        self.stack: tuple[str | None, ...] = ()

    def copy(self) -> "Shell":
        other = Shell.__new__(Shell)
        other.cwd, other.previous, other.home = self.cwd, self.previous, self.home
        other.pipefail, other.errexit = self.pipefail, self.errexit
        other.remote, other.abroad = self.remote, self.abroad
        other.left, other.returned = self.left, self.returned
        other.variables, other.functions = dict(self.variables), dict(self.functions)
        other.stack = self.stack
        return other

    def options(self) -> tuple[bool, bool]:
        return self.errexit, self.pipefail

    def only_options(self, sure: tuple[bool, bool]) -> None:
        """Forget what was switched on by a command that may not have run."""
        self.errexit = self.errexit and sure[0]
        self.pipefail = self.pipefail and sure[1]

    def for_substitution(self) -> "Shell":
        """bash switches errexit off in `$(…)` (Bash manual, "Command Execution Environment")."""
        other = self.copy()
        other.errexit = False
        return other


def filled(value: str, shell: Shell) -> str:
    """The text with the variables that the line has set itself."""
    if "$" not in value:
        return value
    if shell.cwd is not None and "$(pwd)" in value:
        value = value.replace("$(pwd)", shell.cwd)

    def known(match: "re.Match[str]") -> str:
        name = match[1] or match[2]
        if name == "PWD" and shell.cwd is not None:
            return shell.cwd
        if name == "HOME" and shell.home:
            return shell.home
        return shell.variables.get(name, match[0])

    return _fill(known, value)


def _home_of(cwd: str | None) -> str:
    """The home folder that a working directory shows: `/home/anna` of `/home/anna/app`."""
    if not cwd or cwd.startswith("/root"):
        return "/root" if cwd else ""
    above = next((folder for folder in _HOMES if cwd.startswith(folder)), "")
    if has_drive(cwd) and cwd.startswith("Users", 3):
        above = cwd[:8]
    rest = cwd[len(above) :].replace("\\", "/")
    name = rest[1:].partition("/")[0]
    return cwd[: len(above) + 1 + len(name)] if above and rest[:1] == "/" and name else ""


def joined(cwd: str | None, path: str, shell: Shell) -> str | None:
    """Where `cd path` leads from `cwd`; None if that cannot be known."""
    if path == "~" or path.startswith("~/"):
        path = shell.home + path[1:] if shell.home else path
    if any(mark in path for mark in "$`*?") or path.startswith("~") or len(path) + len(cwd or "") > MAX_VALUE:
        return None
    if has_drive(path):
        return path.replace("\\", "/").rstrip("/")
    if isabs(path):
        return spelled_as(cwd or "", normpath(path))
    return normpath(join(cwd, path)) if cwd is not None else None


def run_builtin(argv: tuple[str, ...], shell: Shell) -> None:
    """What the shell's own commands change in the shell."""
    name = argv[0] if argv else ""
    if name in FOLDER_CHANGERS:
        _change_directory(argv, shell)
    elif name in ("popd", "Pop-Location") and shell.stack:
        shell.cwd, shell.stack = shell.stack[-1], shell.stack[:-1]
    elif name == "set":
        _set_options(argv[1:], shell)
    elif name in ("exit", "return"):
        fails = len(argv) == 2 and is_failure(argv[1])
        shell.returned = shell.returned or (name == "return" and not fails)
        shell.left = shell.left or (name != "return" and not fails)
    elif name in ("export", "declare", "local", "readonly", "typeset"):
        for word in argv[1:]:
            key, equals, value = word.partition("=")
            if equals and "$" not in value and "`" not in value:
                shell.variables[key] = value
            elif equals:
                shell.variables.pop(key, None)
    elif name in ("unset", "read"):
        for word in argv[1:]:
            shell.variables.pop(word, None)


def _change_directory(argv: tuple[str, ...], shell: Shell) -> None:
    words = [word for word in argv[1:] if word == "-" or not word.startswith("-")]
    before = shell.cwd
    if argv[0] in ("pushd", "Push-Location"):
        shell.stack = (*shell.stack, before)
    if not words:
        shell.cwd = shell.home or None
    elif words[0] == "-":
        shell.cwd = shell.previous
    else:
        shell.cwd = joined(before, words[0], shell)
        if words[0].startswith(("/", "~")):
            shell.abroad = shell.remote and not (before and f"{shell.cwd}/".startswith(f"{before}/"))
    shell.previous = before


def _set_options(words: tuple[str, ...], shell: Shell) -> None:
    expects = ""
    for word in words:
        if expects:
            on = expects == "-"
            shell.pipefail = on if word == "pipefail" else shell.pipefail
            shell.errexit = on if word == "errexit" else shell.errexit
            expects = ""
        elif word == "--" or word[:1] not in "+-":
            return
        else:
            if "e" in word[1:]:
                shell.errexit = word[0] == "-"
            expects = word[0] if word.endswith("o") else ""
