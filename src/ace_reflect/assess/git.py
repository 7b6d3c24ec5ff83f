"""
Git, asked about a checkout that may be anybody's: its configuration, attributes and hooks run nothing here.

What could run a program is answered before git looks: the file-system monitor, hooks, external diffs, text conversions,
content filters (every driver that the repository's configuration names), transports, pagers. Global and system
configuration are left out, the work tree is the folder that holds `.git` and no other, and nothing is written.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass

from ace_reflect.errors import AceReflectError
from ace_reflect.paths import leads_into

COMMAND_S = 15.0
#: Settings that win over the repository's own.
_QUIET = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.attributesFile": os.devnull,
    "core.quotePath": "false",
    "core.bare": "false",
    "core.sshCommand": "false",
    "core.gitProxy": "",
    "core.alternateRefsCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "diff.noprefix": "false",
    "diff.mnemonicPrefix": "false",
    "diff.srcPrefix": "a/",
    "diff.dstPrefix": "b/",
    "diff.orderFile": os.devnull,
    "protocol.allow": "never",
    "submodule.recurse": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
}
_FILTERS = ("clean", "smudge", "process")


class GitError(AceReflectError):
    """A checkout of which git tells nothing here."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A work tree with what git is run with."""

    top: str
    environ: Mapping[str, str]
    program: str
    ends: float = float("inf")  # of `time.monotonic()`, for all commands together

    def run(self, *arguments: str, most_bytes: int = 4_000_000) -> bytes:
        """
        One command's output, cut at `most_bytes`. Raises GitError for a failure or where time ran out.
        """
        left_s = min(COMMAND_S, self.ends - time.monotonic())
        if left_s <= 0:
            raise GitError(f"{self.top}: reading the changes took too long")
        child = subprocess.Popen(
            [self.program, "--no-pager", *arguments],
            cwd=self.top,
            env=dict(self.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        return _read(child, most_bytes, left_s, self.top, arguments[0])

    def line(self, *arguments: str) -> str:
        """The first line of a command's output; "" where it fails."""
        try:
            return (
                self.run(*arguments, most_bytes=10_000)
                .decode("utf-8", "replace")
                .partition("\n")[0]
                .strip()
            )
        except GitError:
            return ""


def open_checkout(top: str, environ: Mapping[str, str], *, ends: float) -> Checkout:
    """
    The checkout whose `.git` stands in `top`. Raises GitError where there is no git, or none that may be run.
    """
    program = shutil.which("git", path=environ.get("PATH"))
    if program is None or not os.path.isabs(program) or leads_into(program, top):
        raise GitError("there is no git to read the changes with")
    base = _environment(top, environ)
    if not _knows_variables(Checkout("/", base, program, ends)):
        raise GitError(
            "git 2.31 or newer is needed: an older one cannot be told to run nothing of the checkout's"
        )
    quiet = {**_QUIET, "core.excludesFile": _own_ignores(program, environ)}
    names = _filters(Checkout(top, {**base, **_as_variables(quiet)}, program, ends))
    off = {f"filter.{name}.{what}": "" for name in names for what in _FILTERS}
    off |= {f"filter.{name}.required": "false" for name in names}
    return Checkout(top, {**base, **_as_variables({**quiet, **off})}, program, ends)


def _knows_variables(checkout: Checkout) -> bool:
    """Whether this git takes settings from `GIT_CONFIG_COUNT`, as of 2.31: an older one would go by the repository's."""
    words = checkout.line("version").split()
    numbers = [
        int(part)
        for part in (words[2] if len(words) > 2 else "").split(".")[:2]
        if part.isdecimal()
    ]
    return numbers >= [2, 31]


def _own_ignores(program: str, environ: Mapping[str, str]) -> str:
    """The person's own list of what git is to pass over everywhere: the one thing of their configuration that counts."""
    home = environ.get("HOME") or os.path.expanduser("~")
    ask = Checkout(
        "/",
        {"HOME": home, "PATH": environ.get("PATH", os.defpath), "GIT_CONFIG_NOSYSTEM": "1"},
        program,
    )
    named = ask.line("config", "--global", "--type=path", "core.excludesFile")
    usual = os.path.join(
        environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git", "ignore"
    )
    return named or (usual if os.path.isfile(usual) else os.devnull)


def _environment(top: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Nothing of the caller's but where programs are: variables configure git as well as files do."""
    return {
        "PATH": environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_DIR": os.path.join(top, ".git"),
        "GIT_WORK_TREE": top,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1",
    }


def _as_variables(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings for git's environment; `-c` could not say a name with `=` in it."""
    found = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def _filters(checkout: Checkout) -> tuple[str, ...]:
    """The names of the content filters that the repository's configuration, with all it includes, defines."""
    try:
        raw = checkout.run("config", "--null", "--name-only", "--get-regexp", r"^filter\.")
    except GitError:
        return ()
    keys = raw.decode("utf-8", "surrogateescape").split("\0")
    return tuple(
        dict.fromkeys(
            key.removeprefix("filter.").rpartition(".")[0] for key in keys if key.count(".") >= 2
        )
    )


def _read(child: "subprocess.Popen[bytes]", most: int, left_s: float, top: str, what: str) -> bytes:
    """What a child says, up to `most` bytes and `left_s` seconds; it is ended in any case."""
    import selectors

    assert child.stdout is not None  # noqa: S101 - it was asked for
    ends, parts, size = time.monotonic() + left_s, [], 0
    with selectors.DefaultSelector() as selector, child.stdout as out:
        selector.register(out, selectors.EVENT_READ)
        while size < most:
            if not selector.select(max(0.0, ends - time.monotonic())):
                child.kill()
                child.wait()
                raise GitError(f"{top}: `git {what}` took too long")
            piece = os.read(out.fileno(), 65_536)
            if not piece:
                break
            parts.append(piece)
            size += len(piece)
    cut = size >= most
    if cut:
        child.kill()
    if child.wait() != 0 and not cut:
        raise GitError(f"{top}: `git {what}` failed")
    return b"".join(parts)[:most]
