"""Branch, remotes and default branch, read from `.git` as files. Git itself is never run: its configuration may run programs."""

import os

from ace_reflect import regex as re
from ace_reflect.project.facts import Remote
from ace_reflect.project.tree import read_text, stamp
from ace_reflect.values import Value

MAX_PARENTS = 40
#: How default branches are called, the likeliest first.
MAINLINES = ("main", "master", "trunk", "develop")
#: Words of a forge's host, wherever it is run.
_FORGES = (
    ("github", ("github",)),
    ("gitlab", ("gitlab",)),
    ("bitbucket", ("bitbucket",)),
    ("gitea", ("codeberg", "gitea", "forgejo")),
    ("azure", ("dev.azure", "visualstudio")),
    ("sourcehut", (".sr.ht",)),
)


class GitFacts(Value):
    top: str = ""  # the work tree's root, "" outside a repository
    branch: str | None = None  # None when the head is detached
    default_branch: str | None = None
    remotes: tuple[Remote, ...] = ()
    stamps: tuple[str, ...] = ()


def read_git(root: str) -> GitFacts:
    """What `.git` at or above `root` tells; an empty record where there is none."""
    found = _find(root)
    if found is None:
        return GitFacts()
    top, git_dir = found
    common = _common_dir(git_dir)
    config = read_text(os.path.join(common, "config"))
    remotes = _remotes(config)
    branch = _branch(read_text(os.path.join(git_dir, "HEAD"), 4096))
    return GitFacts(
        top=top,
        branch=branch,
        default_branch=_default_branch(common, config, remotes),
        remotes=remotes,
        stamps=(stamp(os.path.join(git_dir, "HEAD")), stamp(os.path.join(common, "config"))),
    )


def forge_of(url: str) -> str:
    """Which forge a remote's address belongs to; "" when its host does not say."""
    return forge_at(host_of(url))


def forge_at(host: str) -> str:
    """The same by the host alone."""
    return next((name for name, words in _FORGES if any(word in f".{host}" for word in words)), "")


def host_of(url: str) -> str:
    """`github.com` of `git@github.com:o/r.git`, `https://user@github.com/o/r` and the like; "" for a path."""
    match = re.match(r"(?:[a-z][a-z0-9+.-]*://)(?:[^/]*@)?([^/:@]+)", url) or re.match(
        r"(?:[^@/\s]+@)?([\w.-]+\.[\w-]+):(?!/\d)", url
    )
    return match.group(1).lower() if match else ""


def without_login(url: str) -> str:
    """The address without user and password, which may hold an `@` of its own; of a damaged one the host may be gone."""
    bare = re.sub(r"(?<=://)[^/]*@", "", url)
    return re.sub(r"(?<=://)[^/:]+:(?!\d*(?:/|$))[^/]*", "", bare)  # what follows is no port


def _find(root: str) -> tuple[str, str] | None:
    folder = os.path.abspath(root)
    for _ in range(MAX_PARENTS):
        git_dir = _git_dir(folder)
        if git_dir:
            return folder, git_dir
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return None


def _git_dir(folder: str) -> str:
    """`.git` itself, or where a worktree's or submodule's `.git` file points."""
    path = os.path.join(folder, ".git")
    if os.path.isdir(path):
        return path if os.path.lexists(os.path.join(path, "HEAD")) else ""
    match = re.match(r"gitdir:\s*(.+)", read_text(path, 4096))
    if not match:
        return ""
    target = os.path.join(folder, match.group(1).strip())
    return target if os.path.isdir(target) else ""


def _common_dir(git_dir: str) -> str:
    named = read_text(os.path.join(git_dir, "commondir"), 4096).strip()
    return os.path.normpath(os.path.join(git_dir, named)) if named else git_dir


def _branch(head: str) -> str | None:
    match = re.match(r"ref:\s*refs/heads/(\S+)", head)
    return match.group(1) if match else None


def _remotes(config: str) -> tuple[Remote, ...]:
    found: dict[str, str] = {}
    section = ""
    for line in config.splitlines():
        header = re.match(r'\s*\[\s*remote\s+"([^"]+)"\s*\]', line)
        if header or line.lstrip().startswith("["):
            section = header.group(1) if header else ""
            continue
        value = re.match(r"\s*url\s*=\s*(.+)", line)
        if section and value:
            found.setdefault(section, without_login(value.group(1).strip().strip('"')))
    ordered = sorted(found, key=lambda name: (name != "origin", name != "upstream", name))
    return tuple(Remote(name=name, url=found[name]) for name in ordered[:20])


def _default_branch(common: str, config: str, remotes: tuple[Remote, ...]) -> str | None:
    """The remote's HEAD if it is known; else main or master if the remote, or the repository, has just that."""
    name = remotes[0].name if remotes else "origin"
    head = read_text(os.path.join(common, "refs", "remotes", name, "HEAD"), 4096)
    _, _, branch = head.removeprefix("ref:").strip().partition(f"refs/remotes/{name}/")
    if head.startswith("ref:") and branch:
        return branch.split(maxsplit=1)[0]
    packed = read_text(os.path.join(common, "packed-refs"))
    for prefix in (f"refs/remotes/{name}/", "refs/heads/"):
        known = [branch for branch in MAINLINES if _has_ref(common, packed, prefix + branch)]
        if known:
            return known[0]
    named = re.search(r"(?im)^[ \t]*defaultBranch[ \t]*=[ \t]*(\S+)", config)
    return named.group(1) if named else None


def _has_ref(common: str, packed: str, ref: str) -> bool:
    return os.path.isfile(os.path.join(common, *ref.split("/"))) or f" {ref}\n" in f"{packed}\n"
