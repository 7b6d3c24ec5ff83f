"""Branch, remotes and default branch, read from `.git` as files. Git itself is never run: its settings may run programs."""

import os
import re
import stat
from typing import Any

from ace_reflect.values import Value

_MAX_BYTES = 512 * 1024
#: A remote's name, and what its section says.
_REMOTE = re.compile(r'(?m)^[ \t]*\[remote "([^"\n]+)"\]([^\[]*)')
_URL = re.compile(r"(?m)^[ \t]*url[ \t]*=")


class GitFacts(Value):
    top: str = ""  # the work tree's root, "" outside a repository
    branch: str | None = None  # None when the head is detached
    default_branch: str | None = None
    remotes: tuple[str, ...] = ()  # names only: an address may hold a password
    stamps: tuple[str, ...] = ()


def read_git(root: str) -> GitFacts:
    """What `.git` at or above `root` tells; an empty record where there is none."""
    top, git_dir = _find(os.path.abspath(root))
    if not top:
        return GitFacts()
    shared = read_text(os.path.join(git_dir, "commondir"), 4096).strip()
    common = os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
    head, config = os.path.join(git_dir, "HEAD"), os.path.join(common, "config")
    remotes = _remotes(read_text(config))
    name = remotes[0] if remotes else "origin"
    known = os.path.join(common, "refs", "remotes", name, "HEAD")
    branch, default = _ref(head, "refs/heads/"), _ref(known, f"refs/remotes/{name}/")
    stamps = tuple(map(stamp, (head, config, known)))
    about: Any = {"branch": branch, "default_branch": default, "remotes": remotes}
    return GitFacts(top=top, stamps=stamps, **about)


def read_text(path: str, limit: int = _MAX_BYTES) -> str:
    """A regular file's text, at most `limit` bytes of it; "" for anything that is not one or cannot be read."""
    try:
        with open(path, "rb", buffering=0, opener=_at_once) as file:
            data = file.read(limit) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except (OSError, ValueError):
        return ""
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a FIFO in a file's place must not hold the hook


def stamp(path: str) -> str:
    """A file's identity as one string: it changes when the file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return f"{path}\t0\t0"
    return f"{path}\t{found.st_mtime_ns}\t{found.st_size}"


def _find(folder: str) -> tuple[str, str]:
    while True:
        path = os.path.join(folder, ".git")
        pointed = read_text(path, 4096)  # a worktree's or a submodule's `.git` is a file
        path = os.path.join(folder, pointed.removeprefix("gitdir:").strip()) if pointed else path
        if os.path.isfile(os.path.join(path, "HEAD")):
            return folder, path
        if folder == os.path.dirname(folder):
            return "", ""
        folder = os.path.dirname(folder)


def _ref(path: str, below: str) -> str | None:
    head, _, name = read_text(path, 4096).partition(below)
    return name.split()[0] if head.strip() == "ref:" and name.split() else None


def _remotes(config: str) -> tuple[str, ...]:
    """The names of the remotes that have an address, "origin" first."""
    names = {name for name, body in _REMOTE.findall(config) if _URL.search(body)}
    return tuple(sorted(names, key=lambda name: (name != "origin", name != "upstream", name)))[:20]
