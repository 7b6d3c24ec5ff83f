"""
What was changed, as text for a reviewer: everything since the branch left the default branch, committed or not.

From the merge base to the work tree, untracked files included; capped, without secrets, and without what nobody reviews
(binaries, lock files, minified code), which is named only. How git is run without running anything of the
repository's own stands in `git.py`.
"""

import hashlib
import os
import re
import stat
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ace_reflect.assess.git import Checkout, GitError, open_checkout
from ace_reflect.project.git import GitFacts, read_git
from ace_reflect.redact import redact

#: How default branches are called, the likeliest first.
_MAINLINES = ("main", "master", "trunk", "develop")
WHOLE_CHARS = 60_000
FILE_CHARS = 15_000
_FILE_BYTES = 400_000  # of an untracked file
_UNTRACKED = 200
_READ_S = 30.0
_DIFF = (
    "diff-index",
    "-p",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "--find-renames",
    "-U4",
)
#: Contents that tell a reviewer nothing.
_UNREAD = re.compile(
    r"(?i)(?:^|/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock"
    r"|pdm\.lock|pipfile\.lock|cargo\.lock|gemfile\.lock|composer\.lock|go\.sum|mix\.lock|pubspec\.lock|flake\.lock"
    r"|packages\.lock\.json|podfile\.lock)$|\.(?:min\.(?:js|css)|map|snap|svg|ipynb)$"
    r"|(?:^|/)(?:node_modules|vendor|third_party|dist|build|target|\.venv|venv|__pycache__|\.next|\.reflection)/"
)
#: Contents that may be secrets as a whole.
_SECRET = re.compile(
    r"(?i)(?:^|/)(?:\.env(?:\.(?!example$|sample$|template$)[\w.-]+)?|\.netrc|\.npmrc|\.pypirc|id_(?:rsa|dsa|ecdsa|ed25519)"
    r"|credentials(?:\.json)?|service[-_]account\S*\.json|secrets?\.(?:ya?ml|json|toml)|\S+\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$"
)


@dataclass(frozen=True, slots=True)
class Diff:
    """
    The changes of a checkout. `files` are all that changed, `text` those that are shown; `left_out` says of the others
    why. `digest` is of all of them: the same one means the same changes.
    """

    text: str
    files: tuple[str, ...]
    base: str = ""
    left_out: tuple[str, ...] = ()
    digest: str = ""


def read_diff(
    root: str,
    environ: Mapping[str, str],
    *,
    first: Iterable[str] = (),
    commits: int = 0,
    patterns: Iterable["re.Pattern[str]"] = (),
) -> Diff:
    """
    The changes of the checkout that `root` stands in. Raises GitError where it is none, or git cannot tell.

    `first`: paths that are shown before others (what the session edited). `commits`: how many the session made, for a
    checkout where they are on the default branch already. `patterns`: the person's own for secrets.
    """
    facts = read_git(root)
    if not facts.top:
        raise GitError(f"{root}: is in no git repository")
    checkout = open_checkout(facts.top, environ, ends=time.monotonic() + _READ_S)
    base = find_base(checkout, facts, commits)
    raw = checkout.run(*_DIFF, base, "--").decode("utf-8", "replace")
    pieces = {**_by_file(raw), **_untracked(checkout)}
    wanted = [_relative(path, facts.top) for path in first]
    order = sorted(pieces, key=lambda path: (path not in wanted, path))
    shown, left_out = _fitted([(path, pieces[path]) for path in order])
    text = redact("".join(shown), environ, patterns=patterns)
    whole = "".join(pieces[path] for path in sorted(pieces)).encode("utf-8", "replace")
    return Diff(text, tuple(order), base, tuple(left_out), hashlib.sha256(whole).hexdigest()[:16])


# ------------------------------------------------------------------ from where


def find_base(checkout: Checkout, facts: GitFacts, commits: int) -> str:
    """
    The commit to compare with: where the branch left the default branch. On that branch itself it is where the
    session's own commits began; without any commit it is the empty tree.
    """
    head = checkout.line("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if not head:
        return checkout.line("hash-object", "-t", "tree", os.devnull)
    found = next(
        (base for name in _mainlines(facts) if (base := checkout.line("merge-base", "HEAD", name))),
        head,
    )
    if found != head or commits <= 0:
        return found
    for count in range(min(commits, 50), 0, -1):
        before = checkout.line("rev-parse", "--verify", "--quiet", f"HEAD~{count}^{{commit}}")
        if before:
            return before
    return head


def _mainlines(facts: GitFacts) -> tuple[str, ...]:
    """Where changes go in the end, as refs, the likeliest first."""
    named = facts.default_branch or ""
    names = (named,) if named else _MAINLINES
    far = [f"refs/remotes/{remote}/{name}" for remote in facts.remotes for name in names]
    return (*far, *(f"refs/heads/{name}" for name in names if name != facts.branch))


# ------------------------------------------------------------------ what


def _by_file(raw: str) -> dict[str, str]:
    """Git's output, a piece for each file."""
    parts = [
        part for part in re.split(r"(?m)^(?=diff --git )", raw) if part.startswith("diff --git ")
    ]
    # A file that was only touched comes as a head without a change.
    return {_path_of(part): part for part in parts if part.count("\n") > 1}


def _path_of(part: str) -> str:
    for mark in ("+++ b/", "--- a/", "rename to "):
        found = re.search(rf"(?m)^{re.escape(mark)}(.+?)\t?$", part)
        if found:
            return found[1]
    head = part.partition("\n")[0].removeprefix("diff --git a/")
    return head.partition(" b/")[0]


def _untracked(checkout: Checkout) -> dict[str, str]:
    """New files that git does not know yet, in the form of a diff."""
    raw = checkout.run("ls-files", "--others", "--exclude-standard", "-z", most_bytes=1_000_000)
    names = [name for name in raw.decode("utf-8", "surrogateescape").split("\0") if name][
        :_UNTRACKED
    ]
    return {path: piece for path in names if (piece := _new_file(checkout.top, path))}


def _new_file(top: str, path: str) -> str:
    head = f"diff --git a/{path} b/{path}\nnew file (untracked)\n"
    if _SECRET.search(path) or _UNREAD.search(path):
        return head
    content = _content(top, path)
    if content is None:
        return ""
    if "\0" in content:
        return f"{head}Binary file\n"
    lines = content.splitlines()
    return f"{head}--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{len(lines)} @@\n" + "".join(
        f"+{line}\n" for line in lines
    )


def _content(top: str, path: str) -> str | None:
    """A plain file of the work tree; None for a link, a pipe, or one whose folder leads out of the tree."""
    whole = os.path.join(top, path)
    folder = os.path.realpath(os.path.dirname(whole))
    if f"{folder}/".startswith(os.path.realpath(top).rstrip("/") + "/"):
        try:
            descriptor = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except (OSError, ValueError):
            return None
        with os.fdopen(descriptor, "rb") as file:
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                return file.read(_FILE_BYTES).decode("utf-8", "replace")
    return None


def _relative(path: str, top: str) -> str:
    whole = os.path.realpath(path) if os.path.isabs(path) else path
    return whole.removeprefix(os.path.realpath(top).rstrip("/") + "/")


# ------------------------------------------------------------------ how much


def _fitted(pieces: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Whole files as long as there is room, each with a cap; and what is not shown, with the reason."""
    shown: list[str] = []
    left_out: list[str] = []
    room = WHOLE_CHARS
    for path, piece in pieces:
        why = _why_unread(path, piece)
        if not why and room < min(len(piece), FILE_CHARS):
            why = "no room"
        if why:
            left_out.append(f"{path} ({why})")
            continue
        shown.append(_cut(path, piece))
        room -= len(shown[-1])
    return shown, left_out


def _cut(path: str, piece: str) -> str:
    if len(piece) <= FILE_CHARS:
        return piece
    note = f"\n[… the rest of {path} is left out]\n"
    return piece[: FILE_CHARS - len(note)].rpartition("\n")[0] + note


def _why_unread(path: str, piece: str) -> str:
    if _SECRET.search(path):
        return "may hold secrets"
    if _UNREAD.search(path):
        return "generated"
    if re.search(r"(?m)^(?:Binary files? |GIT binary patch)", piece):
        return "binary"
    return ""
