"""Branches and remotes, read from `.git` as files. Git itself is never run: its settings may run programs."""

import os
import re

from ace_reflect.values import Value

_MAX_BYTES = 512 * 1024
_REMOTE = r'(?m)^[ \t]*\[remote "([^"\n]+)"\]([^\[]*)'
_URL = r"(?m)^[ \t]*url[ \t]*=(.*)"


class GitFacts(Value):
    top: str = ""  # the work tree's root, "" outside a repository
    branch: str | None = None  # None when the head is detached
    default_branch: str | None = None
    remotes: tuple[str, ...] = ()  # those with an address; names only: it may hold a password
    gitlab: bool = False  # one of the addresses names it
    stamps: tuple[str, ...] = ()


def read_git(root: str) -> GitFacts:
    """What `.git` at or above `root` tells; an empty record where there is none."""
    top, git_dir = _find(os.path.abspath(root))
    if not top:
        return GitFacts()
    shared = read_text(os.path.join(git_dir, "commondir"), 4096).strip()
    common = os.path.normpath(os.path.join(git_dir, shared)) if shared else git_dir
    head, config = os.path.join(git_dir, "HEAD"), os.path.join(common, "config")
    sections = re.findall(_REMOTE, read_text(config))
    urls = {name: url[1].lower() for name, body in sections if (url := re.search(_URL, body))}
    remotes = tuple(sorted(urls, key=lambda each: (each != "origin", each != "upstream", each)))
    name = remotes[0] if remotes else "origin"
    known = os.path.join(common, "refs", "remotes", name, "HEAD")
    branch, default = _ref(head, "refs/heads/"), _ref(known, f"refs/remotes/{name}/")
    facts = GitFacts(top=top, branch=branch, default_branch=default, remotes=remotes)
    gitlab = any("gitlab" in url for url in urls.values())
    return facts.replace(gitlab=gitlab, stamps=tuple(map(stamp, (head, config, known))))


def read_text(path: str, limit: int = _MAX_BYTES) -> str:
    """A regular file's text, at most `limit` bytes of it; "" for anything that is not one or cannot be read."""
    try:
        if not os.path.isfile(path):  # a pipe would wait for its writer
            return ""
        with open(path, "rb") as file:
            data = file.read(limit)
    except (OSError, ValueError):
        return ""
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


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
