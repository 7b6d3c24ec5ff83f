"""What one program call means, as the readers of git, of forges, of runners and of tools give it to `commands`."""

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Reader = Callable[[tuple[str, ...]], list["Meaning"]]


class PushTarget(Value):
    """Where a `git push` goes. Without refspecs: the current branch, or what the configuration says."""

    refspecs: tuple[str, ...] = ()  # as typed, a leading "+" included
    force: bool = False
    only_tags: bool = False  # no branch is pushed


class Meaning:
    """A kind and what belongs to it. Fields as in `commands.Command`."""

    __slots__ = (
        "collects_only",
        "cwd",
        "deselects",
        "formatter",
        "kind",
        "no_verify",
        "push",
        "runner",
        "script",
        "selected",
        "targets",
        "watch",
        "writes",
    )

    def __init__(self, kind: CommandKind, runner: str = "") -> None:
        self.kind = kind
        self.runner = runner
        self.targets: tuple[str, ...] = ()
        self.selected = ""
        self.deselects = ""
        self.collects_only = False
        self.watch = False
        self.formatter = False
        self.no_verify = False
        self.push: PushTarget | None = None
        self.writes: tuple[str, ...] = ()
        self.cwd: str | None = None
        self.script = ""


#: Marks files that a command changes and does not name.
UNKNOWN_FILES = "*"
