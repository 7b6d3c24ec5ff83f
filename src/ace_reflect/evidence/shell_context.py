"""One command of a line, and where in the line it stands."""

from ace_reflect.values import Value


class SimpleCommand(Value):
    """
    One command that a line runs.

    `status_visible`: the line's exit status tells this command's. If the command fails, the line fails; and if the line
    exits 0, the command, where it ran at all, exited 0. Where it does not tell, `masked` quotes what hides it:
    "| tail -5", "|| true", "; echo done", "&", "!", "$(…)", "for".
    `conditional`: whether it may not have run. "&&": it runs only after a success, and if it does not run, the line fails.
    "||": the line may exit 0 though it did not run: behind `||`, in a branch of `if` or `case`, in a loop over nothing.
    """

    argv: tuple[str, ...]  # without quotes; variables the line itself sets are filled in, others stay as text
    redirects: tuple[tuple[str, str], ...] = ()  # ("2>&", "1"), (">", "out.txt")
    text: str = ""
    cwd: str | None = None  # None: not known
    status_visible: bool = True
    masked: str = ""
    conditional: str = ""
    background: bool = False
    in_loop: bool = False
    piped_from: bool = False
    piped_to: bool = False
    captured: bool = False  # its output goes into a variable or an argument
    heredoc: str | None = None  # the here-document or here-string it reads
    unwrapped: tuple[str, ...] = ()  # argv seen through `timeout 60`, `env`, `uv run`, `npx` …
    via: tuple[str, ...] = ()  # what it was seen through, outermost first
    remote: bool = False  # on another machine or in a container
    abroad: bool = False  # and there in a folder of its own: `ssh pi 'cd /srv/app && pytest'`
    echoed_status: str = ""  # what prints its status: "EXIT: $?"
    echo_passed: str = ""  # what is printed if it passed: `&& echo OK`
    echo_failed: str = ""
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()  # variables of the loops around it; no values: not known


class Context:
    """
    Where in the line a command stands, and so what becomes of its status.

    Each `…mask` is the piece of the line that hides a status ("| tail -5"), or "" where it reaches the line's end.
    """

    def __init__(self) -> None:
        self.mask = ""  # for the status of a command that stands here
        self.shell_mask = ""  # for the shell's status, if the command here is an `exit`
        self.return_mask = ""  # for the function's status, if it is a `return`
        self.early_mask = ""  # for a command before `&&`: there errexit, which shows other failures, does not apply
        self.first_shown = False  # the status of a pipe's first command (`${PIPESTATUS[0]}`) is handed on
        self.conditional = ""
        self.echoed_status = self.echo_passed = self.echo_failed = ""
        self.background = self.in_loop = self.piped_from = self.piped_to = False
        self.captured = self.remote = self.errexit_ignored = False
        self.nesting = 0  # of everything that can be nested
        self.scripts = 0  # of scripts in scripts
        self.via: tuple[str, ...] = ()
        self.loops: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def but(self, **changes: object) -> "Context":
        other = Context.__new__(Context)
        other.__dict__.update(self.__dict__)
        other.__dict__.update(changes)
        return other

    def own_shell(self, mask: str, **changes: object) -> "Context":
        """For a shell of its own, or a script, of which `mask` hides the status."""
        return self.but(mask=mask, shell_mask=mask, return_mask=mask, early_mask="", **changes)

    def early(self) -> "Context":
        """For what stands before `&&` or `||`: errexit ends no shell for it (Bash manual, "The Set Builtin")."""
        return self.but(mask=self.early_mask) if self.early_mask and not self.mask else self

    def mask_of(self, end: str) -> str:
        """The mask for a status by what it is used for, one of the words that `shell_status.handed_on` gives."""
        return self.shell_mask if end == "exit" else self.return_mask if end == "return" else self.mask

    def describe(self, fields: "dict[str, object]") -> None:
        """Add to a command's fields what differs from the defaults."""
        if self.mask:
            fields["status_visible"] = False
            fields["masked"] = self.mask
        for name in _FACTS:
            value = getattr(self, name)
            if value:
                fields[name] = value


#: What a context and a `SimpleCommand` both have, empty or false by default.
_FACTS = (
    "background",
    "captured",
    "conditional",
    "echo_failed",
    "echo_passed",
    "echoed_status",
    "in_loop",
    "loops",
    "piped_from",
    "piped_to",
    "remote",
    "via",
)
