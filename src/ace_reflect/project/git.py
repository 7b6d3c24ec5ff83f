"""Branch, remotes and default branch, read from `.git` as files. Git itself is never run: its settings may run programs."""

import os
import stat

from ace_reflect.values import Value

_MAX_BYTES = 512 * 1024


class GitFacts(Value):
    top: str = ""  # the work tree's root, "" outside a repository
    branch: str | None = None  # None when the head is detached
    default_branch: str | None = None
    remotes: tuple[str, ...] = ()  # names only: an address may hold a password
    forge: str = ""  # of the first remote
    stamps: tuple[str, ...] = ()


def read_git(root: str) -> GitFacts:
    """What `.git` at or above `root` tells; an empty record where there is none."""
    top, git_dir = _find(os.path.abspath(root))
    if not top:
        return GitFacts()
    shared = read_text(os.path.join(git_dir, "commondir"), 4096).strip()
    common = os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
    remotes = _remotes(read_text(os.path.join(common, "config")))
    name = next(iter(remotes), "origin")
    known = os.path.join(common, "refs", "remotes", name, "HEAD")
    files = (os.path.join(git_dir, "HEAD"), os.path.join(common, "config"), known)
    return GitFacts(
        top=top,
        branch=_ref(read_text(files[0], 4096), "refs/heads/"),
        default_branch=_ref(read_text(known, 4096), f"refs/remotes/{name}/"),
        remotes=tuple(remotes),
        forge=forge_of(remotes.get(name, "")),
        stamps=tuple(map(stamp, files)),
    )


def forge_of(url: str) -> str:
    """The forge whose name the host of a remote's address has in it, wherever it is run; "" for another."""
    place = url.partition("://")[2] or url
    host = place.partition("/")[0].rpartition("@")[2].partition(":")[0].lower()
    return next((forge for forge in ("github", "gitlab") if forge in host), "")


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


def _ref(text: str, below: str) -> str | None:
    head, _, name = text.partition(below)
    return name.split()[0] if head.strip() == "ref:" and name.split() else None


def _remotes(config: str) -> dict[str, str]:
    """The address of each remote, "origin" first."""
    found: dict[str, str] = {}
    section = ""
    for line in map(str.strip, config.splitlines()):
        key, _, value = line.partition("=")
        if line.startswith("["):
            section = line.split('"')[1] if line.startswith('[remote "') else ""
        elif section and key.strip() == "url":
            found.setdefault(section, value.strip().strip('"'))
    names = sorted(found, key=lambda name: (name != "origin", name != "upstream", name))
    return {name: found[name] for name in names[:20]}
