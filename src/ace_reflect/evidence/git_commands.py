"""
git's subcommands: what is a push, a commit, a look, or a change of files.

What takes work back or puts it aside (`reset`, `checkout`, `restore`, `stash`, `revert`) counts here for the files that it
changes. The same commands are read for other questions, which have other answers, each where it is asked: whether a file
stands as in the last commit (`shell_facts`: not by `revert`, nor from another revision), whether a run saw the work or the
code from before it (`gates/debt`: of the text that the ledger keeps of a line), what may bring in files that nobody wrote
here (`gates/file_claims`: `pull` and `switch` do, `reset` does not), and whether a person who typed it threw the work away
(`learning/reactions`: `stash` does, `switch` does not).

Source: git(1), git-push(1) "<refspec>…", git-commit(1).
"""

from ace_reflect.evidence.call_parts import edits, subcommand
from ace_reflect.evidence.call_words import flags_and_words, option_value, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import UNKNOWN_FILES, Meaning, PushTarget
from ace_reflect.late import Late

_GLOBAL_VALUES = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--config-env", "--super-prefix"}
)
_READS = word_set(
    "status log diff show blame annotate grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog "
    "cat-file show-ref for-each-ref name-rev merge-base merge-tree whatchanged cherry count-objects check-ignore "
    "check-attr var version help fsck range-diff diff-tree diff-index diff-files show-branch symbolic-ref "
    "verify-commit verify-tag get-tar-commit-id column bisect-log instaweb"
)
#: The working tree's files change, and the command does not say which.
_CHANGES_TREE = frozenset({"am", "revert", "cherry-pick", "merge"})
#: Their `--continue` is a `git commit` of what was solved, with its hooks; a rebase's goes past them.
_CONTINUED_BY_COMMIT = frozenset({"cherry-pick", "merge", "revert"})
_PUSH_VALUES = frozenset({"-o", "--push-option", "--repo", "--receive-pack", "--exec", "--signed"})
_COMMIT_VALUES = word_set(
    "-m --message -F --file -C -c --reuse-message --reedit-message --author --date -t --template --trailer --fixup --squash "
    "--cleanup --pathspec-from-file"
)
_LISTS = word_set(
    "-l --list -a -r -v -vv --all --remotes --show-current --contains --merged --no-merged --points-at -n"
)
_STASH_RESTORES = frozenset({"pop", "apply", "branch"})
_VERSION = Late(r"(?!.{100})[vV]?\d+(?:\.\d+)+(?:[-+.](?!x$)[0-9A-Za-z][\w.+-]*)?$", needs=(".",)).match
_ABORTS = frozenset({"--abort", "--quit", "--skip", "--show-current-patch"})


def read_git(argv: tuple[str, ...]) -> list[Meaning]:
    """The meaning of `git …` (always one)."""
    sub, rest = subcommand(argv, _GLOBAL_VALUES)
    meaning = _subcommand(sub, (sub, *rest)) if sub else Meaning(CommandKind.READ, "git")
    meaning.cwd = option_value(argv, frozenset({"-C", "--work-tree"}), len(argv) - len(rest) - 1)
    return [meaning]


def _subcommand(sub: str, argv: tuple[str, ...]) -> Meaning:
    if "--help" in argv or argv[1:] == ("-h",):
        return Meaning(CommandKind.READ, f"git {sub}")
    if sub == "push":
        return _push(argv)
    if sub in ("commit", "ci") or (sub in _CONTINUED_BY_COMMIT and "--continue" in argv):
        return _commit(argv)
    if sub in ("checkout", "co", "restore"):
        return _checkout(sub, argv)
    if sub == "apply":
        return _apply(argv)
    if sub == "stash":
        return _stash(argv)
    if sub in _CHANGES_TREE:
        return _tree(sub, argv)
    if sub == "reset":
        return edits("git reset") if "--hard" in argv else Meaning(CommandKind.OTHER, "git reset")
    if sub in ("mv", "rm"):
        return _moved(sub, argv)
    if sub == "clean":
        return Meaning(CommandKind.OTHER, "git clean")
    return Meaning(CommandKind.READ if _only_looks(sub, argv) else CommandKind.OTHER, f"git {sub}")


def _only_looks(sub: str, argv: tuple[str, ...]) -> bool:
    rest = argv[1:]
    if sub in _READS:
        return True
    if sub in ("branch", "tag"):
        return not rest or not _LISTS.isdisjoint(rest) or rest[0].startswith(("--sort", "--format"))
    if sub == "remote":
        return not rest or rest[0] in ("-v", "--verbose", "show", "get-url")
    if sub == "config":
        return bool({"--get", "--list", "-l", "--get-all", "--get-regexp", "get", "list"} & set(rest)) or len(rest) == 1
    if sub in ("worktree", "submodule", "notes", "bundle", "lfs"):
        return rest[:1] in (("list",), ("status",), ("show",), ("verify",), ("ls-files",))
    return False


def _push(argv: tuple[str, ...]) -> Meaning:
    """`git push [options] [remote [refspec …]]`"""
    flags, words = flags_and_words(argv[1:], _PUSH_VALUES)
    short = "".join(flag[1:] for flag in flags if not flag.startswith("--"))
    if "--dry-run" in flags or "n" in short:
        return Meaning(CommandKind.OTHER, "git push")
    refspecs, tag_words = _refspecs(words[1:])
    tags = "--tags" in flags or tag_words or any(_is_tag(ref) for ref in refspecs)
    meaning = Meaning(CommandKind.PUSH, "git push")
    meaning.push = PushTarget(
        refspecs=refspecs,
        force=any(flag.startswith("--force") for flag in flags)
        or "f" in short
        or any(ref.startswith("+") for ref in refspecs),
        only_tags=tags
        and ("--tags" in flags or bool(refspecs))
        and "--follow-tags" not in flags
        and all(_is_tag(ref) for ref in refspecs),
    )
    meaning.no_verify = "--no-verify" in flags
    return meaning


def _refspecs(words: "list[str]") -> tuple[tuple[str, ...], bool]:
    """The refspecs, with `tag v1` written out, and whether there was one of that form."""
    refspecs: list[str] = []
    tagged = False
    for index, word in enumerate(words):
        if word == "tag" and index + 1 < len(words):
            tagged = True
        else:
            refspecs.append(f"refs/tags/{word}" if index and words[index - 1] == "tag" else word)
    return tuple(refspecs), tagged


def _is_tag(refspec: str) -> bool:
    """By its name: a version number is a tag, for hardly anybody calls a branch so."""
    name = refspec.lstrip("+").rpartition(":")[2]
    return name.startswith("refs/tags/") or _VERSION(name) is not None


def _letters(flag: str) -> str:
    """The short options of a commit in one word, without the value of the last: `-am"new"`, `-uno`."""
    return flag[1 : min((at for at in map(flag.find, "mFCctuS") if at > 0), default=len(flag))]


def _commit(argv: tuple[str, ...]) -> Meaning:
    flags, _ = flags_and_words(argv[1:], _COMMIT_VALUES)
    short = "".join(_letters(flag) for flag in flags if not flag.startswith("--"))
    meaning = Meaning(CommandKind.COMMIT, "git commit")
    meaning.no_verify = "--no-verify" in flags or "n" in short
    if "--dry-run" in flags:
        meaning.kind = CommandKind.READ
    return meaning


def _checkout(sub: str, argv: tuple[str, ...]) -> Meaning:
    """Paths are put back to an earlier state; another branch is no change of files that anybody made."""
    flags, words = flags_and_words(
        argv[1:], frozenset({"-b", "-B", "--orphan", "-s", "--source", "--conflict", "--pathspec-from-file"})
    )
    if sub == "restore":
        staged_only = ("--staged" in flags or "-S" in flags) and not flags & {"--worktree", "-W"}
        return Meaning(CommandKind.OTHER, "git restore") if staged_only else edits("git restore", _named_files(words))
    paths: tuple[str, ...] = ()
    if "--" in argv:
        paths = argv[argv.index("--") + 1 :]
    elif flags & {"--theirs", "--ours", "-p", "--patch"}:
        paths = tuple(words)
    elif words and not flags & {"-b", "-B", "--orphan", "-t", "--track", "--detach", "-d"}:
        paths = tuple(
            word for word in words if word == "." or (len(words) > 1 and word != words[0]) or _looks_like_file(word)
        )
    if paths:
        return edits("git checkout", _named_files(paths))
    return Meaning(CommandKind.OTHER, "git checkout")


def _named_files(paths: "list[str] | tuple[str, ...]") -> tuple[str, ...]:
    return tuple(UNKNOWN_FILES if path == "." else path for path in paths) or (UNKNOWN_FILES,)


def _looks_like_file(word: str) -> bool:
    name = word.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    return bool(stem and dot) and suffix.isalpha() and len(suffix) <= 5


def _apply(argv: tuple[str, ...]) -> Meaning:
    looks = {"--check", "--stat", "--numstat", "--summary", "--cached"} & set(argv)
    return Meaning(CommandKind.READ, "git apply") if looks else edits("git apply")


def _stash(argv: tuple[str, ...]) -> Meaning:
    sub = argv[1] if len(argv) > 1 and not argv[1].startswith("-") else "push"
    if sub in ("list", "show"):
        return Meaning(CommandKind.READ, f"git stash {sub}")
    if sub in _STASH_RESTORES or (sub in ("push", "save") and _is_whole(sub, argv[1:])):
        return edits(f"git stash {sub}")
    return Meaning(CommandKind.OTHER, f"git stash {sub}")


def _is_whole(sub: str, argv: tuple[str, ...]) -> bool:
    """Whether `git stash push` puts all of the work aside: no path, no part, nothing kept."""
    flags, words = flags_and_words(argv, frozenset({"-m", "--message"}))
    if flags & {"-p", "--patch", "-S", "--staged", "-k", "--keep-index", "--pathspec-from-file"}:
        return False
    return sub == "save" or not set(words) - {sub}


def _tree(sub: str, argv: tuple[str, ...]) -> Meaning:
    if _ABORTS & set(argv):
        return Meaning(CommandKind.OTHER, f"git {sub}")
    return edits(f"git {sub}")


def _moved(sub: str, argv: tuple[str, ...]) -> Meaning:
    flags, words = flags_and_words(argv[1:], frozenset())
    if "--cached" in flags or "-n" in flags or "--dry-run" in flags:
        return Meaning(CommandKind.OTHER, f"git {sub}")
    return edits(f"git {sub}", tuple(words))


READERS = {"git": read_git}
