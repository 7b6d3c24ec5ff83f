"""Git's own files with anything in them: facts or nothing, and no name that leads out of where it belongs."""

import shutil
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ace_reflect.project.git import GitFacts, read_git
from ace_reflect.project.read import read_project
from support.fuzz import fuzzed
from support.fuzz_json import breaks, broken, texts

_NAMES = ("origin", "upstream", "x", "../../..", "a/b", "é", "with space", ".*", "$(id)", "a\x00b", "-x", "\n")  # fmt: skip
_URLS = ("git@github.com:o/r.git", "https://user:secret@gitlab.com/o/r", "ssh://git@bitbucket.org:22/o/r", "/srv/git/r", "C:\\r", "ext::sh -c id", "https://a@b@c/x", "file:///x", "", "://@", "a:b@c:d")  # fmt: skip
_BRANCHES = ("main", "master", "feature/main-menu", "release/1.0", "../x", "a b", "é", "-d", "HEAD", "refs/heads/main", "x" * 300, "trunk")  # fmt: skip
_SECTIONS = ("[core]\n\tbare = false\n\tfsmonitor = sh -c id\n", "[init]\n\tdefaultBranch = trunk\n", "[include]\n\tpath = /etc/passwd\n", "[remote", "url = x\n", "; c\n", "\\\n", '[REMOTE "O"]\n\tURL=y\n')  # fmt: skip
_HEADS = ("0" * 40 + "\n", "", "ref:", "ref: refs/tags/x\n", "ref: refs/heads/\n")
_PACKED = ("# pack-refs with: peeled fully-peeled sorted \n", "^" + "3c" * 20 + "\n")
_REMOTE = '[remote "{0}"]\n\turl = {1}\n\tfetch = +refs/heads/*:refs/remotes/{0}/*\n'
_name, _branch = st.sampled_from(_NAMES), st.sampled_from(_BRANCHES)


def lines(*strategies: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(st.one_of(*strategies, texts), max_size=5).map("".join)


config = lines(
    st.builds(_REMOTE.format, _name, st.sampled_from(_URLS)),
    _branch.map('[branch "{0}"]\n\tremote = origin\n\tmerge = refs/heads/{0}\n'.format),
    st.sampled_from(_SECTIONS),
)
head = st.one_of(_branch.map("ref: refs/heads/{}\n".format), st.sampled_from(_HEADS), texts)
packed = lines(
    st.builds(("1a" * 20 + " refs/remotes/{}/{}\n").format, _name, _branch),
    _branch.map(("2b" * 20 + " refs/heads/{}\n").format),
    st.sampled_from(_PACKED),
)
common = st.sampled_from((None, "..", "../..", "/", ".", "\x00", "x" * 5000, "/etc"))
damages = st.lists(breaks, max_size=3)


def put(path: Path, text: str, damage: list[Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(broken(text.encode("utf-8", "surrogatepass"), damage))


@fuzzed(
    "git files", 50, 6_000, config=config, head=head, packed=packed, commondir=common,
    remote_head=st.none() | _branch, damage=damages, worktree=st.booleans(),
)  # fmt: skip
def test_any_git_files_give_facts_or_none(
    *, config, head, packed, remote_head, damage, commondir, worktree, tmp_path
):
    shutil.rmtree(tmp_path / "r", ignore_errors=True)
    root = tmp_path / "r"
    git = root / ("real" if worktree else ".git")
    put(git / "HEAD", head, damage[:1])
    put(git / "config", config, damage)
    put(git / "packed-refs", packed, damage[1:])
    if worktree:
        put(root / ".git", f"gitdir: {git}\n", damage)
    if remote_head is not None:
        told = f"ref: refs/remotes/origin/{remote_head}\n"
        put(git / "refs" / "remotes" / "origin" / "HEAD", told, [])
    if commondir is not None:
        put(git / "commondir", commondir, [])

    found = read_git(str(root))

    assert GitFacts.from_json(found.to_json()).to_json() == found.to_json()
    named = head.startswith("ref: refs/heads/") and head.strip() != "ref: refs/heads/"
    if named and not damage and not worktree:
        assert found.branch == head.removeprefix("ref: refs/heads/").split()[0]
    for branch in (found.branch, found.default_branch):
        assert branch is None or (branch and not any(character.isspace() for character in branch))
    assert len(found.remotes) == len(set(found.remotes)) <= 20
    assert "origin" not in found.remotes or found.remotes[0] == "origin"
    read_project(str(root)).to_json()
