"""What was changed, as text for a reviewer: everything since the branch left the default branch, committed or not.

The checkout's configuration may name programs for git to run. So git is given a `.git` of our own, in a temporary folder,
that borrows the checkout's objects and refs and copies its index; nothing is written into the checkout.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

from ace_reflect.errors import AceReflectError
from ace_reflect.paths import leads_into, own_programs
from ace_reflect.project.git import GitFacts, read_git, read_text
from ace_reflect.redact import redact
from ace_reflect.text import cut_middle

WHOLE_CHARS = 60_000
FILE_CHARS = 15_000
_OUTPUT_BYTES = 4_000_000
_COMMAND_S = 15.0
_EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
#: Names of default branches, the likeliest first.
_MAINLINES = ("main", "master", "trunk", "develop")
_CONFIG = """[core]
	bare = false
	bigFileThreshold = 400k
	fileMode = false
	precomposeUnicode = true
	quotePath = false
	excludesFile = "{}"
"""
_IGNORES = ("config", "--global", "--type=path", "core.excludesFile")
_DIFF = "diff-index -p --no-color --no-ext-diff --no-textconv --ignore-submodules=all --find-renames -U4"
#: Files and folders whose contents are not shown: they may be private, or nobody reviews them.
_PRIVATE = (
    ".env .env.* .netrc .npmrc .pypirc id_rsa id_dsa id_ecdsa id_ed25519 credentials credentials.json secret.* secrets.*"
    " service[-_]account*.json *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx"
)
_GENERATED = (
    "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json bun.lockb *.lock go.sum *.min.js *.min.css"
    " *.map *.snap *.svg *.ipynb"
)
_FOLDERS = (
    "node_modules vendor third_party dist build target .venv venv __pycache__ .next .reflection"
)


class GitError(AceReflectError):
    """Git can tell nothing about this checkout."""


class Diff(NamedTuple):
    """The changes of a checkout."""

    text: str  # of the files that are shown
    files: tuple[str, ...]  # all that changed
    base: str  # the commit that they are compared with
    left_out: tuple[str, ...]  # those that are not shown, and why
    digest: str  # of all of them: equal digests mean equal changes


def read_diff(
    root: str,
    environ: Mapping[str, str],
    *,
    first: Iterable[str] = (),
    commits: int = 0,
    patterns: Iterable[str] = (),
) -> Diff:
    """The changes of the checkout that `root` stands in. Raises GitError where it is none, or git cannot tell; OSError.

    `first`: paths to show before others. `commits`: how many the session made. `patterns`: the person's for secrets.
    """
    facts = read_git(root)
    if not facts.top:
        raise GitError(f"{root}: is in no git repository")
    with tempfile.TemporaryDirectory(prefix="ace-reflect-git-") as own:
        git = _Git(facts.top, own, environ)
        base = _base(git, facts, min(commits, 50))
        # Into the copy of the index; a nested repository without a commit is an error, and the rest is added.
        git.run("add", "--intent-to-add", "--ignore-errors", ".", optional=True)
        pieces = _by_file(git.run(*_DIFF.split(), base, "--"))
    top = os.path.realpath(facts.top).rstrip("/") + "/"
    edited = [os.path.realpath(path).removeprefix(top) for path in first]
    order = sorted(pieces, key=lambda path: (path not in edited, path))
    shown, left_out = _fitted([(path, pieces[path]) for path in order])
    text = redact("".join(shown), environ, patterns=patterns)
    whole = "".join(pieces[path] for path in sorted(pieces)).encode("utf-8", "replace")
    return Diff(text, tuple(order), base, tuple(left_out), hashlib.sha256(whole).hexdigest()[:16])


class _Git:
    """Git on the work tree `top`, with `own` (an empty folder) made its `.git`."""

    def __init__(self, top: str, own: str, environ: Mapping[str, str]) -> None:
        program = shutil.which("git", path=own_programs(environ))
        if program is None or not os.path.isabs(program) or leads_into(program, top):
            raise GitError("there is no git to read the changes with")
        self._program, self._top, self._own = program, "/", own
        home = environ.get("HOME") or os.path.expanduser("~")
        self._environ = {"PATH": environ.get("PATH", os.defpath), "HOME": home, "LC_ALL": "C"}
        self._environ["GIT_CONFIG_NOSYSTEM"] = "1"
        ignores = self.run(*_IGNORES, optional=True).strip()
        usual = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
        common = _borrow(top, own, ignores or os.path.join(usual, "git", "ignore"))
        self._top = top
        self._environ |= {
            "HOME": os.devnull,
            "GIT_DIR": own,
            "GIT_WORK_TREE": top,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.path.join(common, "objects"),
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
        }

    def run(self, *arguments: str, optional: bool = False) -> str:
        """One command's output, cut at `_OUTPUT_BYTES`; where it fails or takes too long, "" if `optional`, else GitError."""
        with open(os.path.join(self._own, "output"), "wb+") as output:
            try:
                subprocess.run(
                    [self._program, "--no-pager", *arguments],
                    cwd=self._top,
                    env=self._environ,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.DEVNULL,
                    timeout=_COMMAND_S,
                    check=True,
                )
            except subprocess.SubprocessError as error:
                if optional:
                    return ""
                raise GitError(f"{self._top}: `git {arguments[0]}` failed") from error
            output.seek(0)
            return output.read(_OUTPUT_BYTES).decode("utf-8", "replace")


def _borrow(top: str, own: str, ignores: str) -> str:
    """Make `own` a `.git` for the work tree. Returns the folder whose objects it has."""
    git_dir = os.path.join(top, ".git")
    pointed = read_text(git_dir, 4096).removeprefix("gitdir:").strip()  # a worktree's is a file
    git_dir = os.path.join(top, pointed) if pointed else git_dir
    shared = read_text(os.path.join(git_dir, "commondir"), 4096).strip()
    common = os.path.abspath(os.path.join(git_dir, shared))
    settings = read_text(os.path.join(common, "config")).lower()
    if "refstorage" in settings or "objectformat" in settings:
        raise GitError(f"{top}: a repository with reftables or SHA-256 is not read")
    for name in ("objects", "info"):
        os.mkdir(os.path.join(own, name))
    for name in ("refs", "packed-refs", "shallow", "info/exclude"):
        os.symlink(os.path.join(common, name), os.path.join(own, name))
    if os.path.isfile(os.path.join(git_dir, "index")):
        # With its mtime, by which git decides which entries to compare by content.
        shutil.copy2(os.path.join(git_dir, "index"), os.path.join(own, "index"))
    quoted = ignores.replace("\\", "\\\\").replace('"', '\\"')
    head = read_text(os.path.join(git_dir, "HEAD"), 4096)
    for name, text in (("HEAD", head), ("config", _CONFIG.format(quoted))):
        with open(os.path.join(own, name), "w", encoding="utf-8") as file:
            file.write(text)
    return common


def _base(git: _Git, facts: GitFacts, commits: int) -> str:
    """Where the branch left the default branch; on the default branch, where the session's commits begin."""

    def commit(*arguments: str) -> str:
        return git.run(*arguments, optional=True).partition("\n")[0]

    head = commit("rev-parse", "--verify", "HEAD^{commit}")
    names = (facts.default_branch,) if facts.default_branch else _MAINLINES
    mainlines = [f"refs/remotes/{remote}/{name}" for remote in facts.remotes for name in names]
    mainlines += [f"refs/heads/{name}" for name in names if name != facts.branch]
    bases = (commit("merge-base", "HEAD", name) for name in mainlines)
    base = next(filter(None, bases), head)
    own = (commit("rev-parse", "--verify", f"HEAD~{n}^{{commit}}") for n in range(commits, 0, -1))
    return base if base != head else next(filter(None, own), head or _EMPTY_TREE)


def _by_file(raw: str) -> dict[str, str]:
    """Git's output, split by file. A file that was only touched has a header and no change."""
    found = {}
    for part in f"\n{raw}".split("\ndiff --git ")[1:]:
        head = part.partition("\n@@")[0].replace('"', "").split("\n")
        path = head[0].partition(" b/")[2]
        for mark in ("rename to ", "--- a/", "+++ b/"):  # the surest last
            named = [line.removeprefix(mark) for line in head if line.startswith(mark)]
            path = named[0].removesuffix("\t") if named else path
        if part.count("\n", 0, -1):
            found[path] = f"diff --git {part}".rstrip("\n") + "\n"
    return found


def _fitted(pieces: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Whole files while there is room, each capped; and what is not shown, with the reason."""
    shown: list[str] = []
    left_out: list[str] = []
    room = WHOLE_CHARS
    for path, piece in pieces:
        full = room < min(len(piece), FILE_CHARS)
        if why := _not_shown(path, piece) or ("no room" if full else ""):
            left_out.append(f"{path} ({why})")
            continue
        shown.append(cut_middle(piece, FILE_CHARS))
        room -= len(shown[-1])
    return shown, left_out


def _not_shown(path: str, piece: str) -> str:
    """Why the contents of a file are left out; "" if they are shown."""
    *folders, name = path.lower().split("/")
    example = name.endswith((".example", ".sample", ".template"))
    if not example and any(fnmatchcase(name, row) for row in _PRIVATE.split()):
        return "may hold secrets"
    generated = any(fnmatchcase(name, row) for row in _GENERATED.split())
    if generated or set(folders) & set(_FOLDERS.split()):
        return "generated"
    binary = ("Binary files ", "GIT binary patch")
    return "binary" if any(line.startswith(binary) for line in piece.split("\n")) else ""
