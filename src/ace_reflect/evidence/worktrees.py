"""Working copies that the session made beside its checkout: `git worktree add ../fix`, up to when their work is taken over."""

from ace_reflect.evidence.call_words import flags_and_words, program, word_set
from ace_reflect.evidence.drafts import is_failure
from ace_reflect.evidence.kinds import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Result

_VALUES = word_set("-b -B --reason")
#: What may bring a working copy's work into another one.
_TAKES_OVER = word_set("merge cherry-pick pull rebase am apply checkout co switch restore reset")
_COPIES = word_set("cp mv rsync patch ln tar")


def add(book: "Book", commands: "tuple[Command, ...]", result: "Result") -> None:
    """
    Note the working copies that a finished call made. Once anything is merged or copied elsewhere, all are let go: what was
    edited in them may stand in the checkout from then on.
    """
    for command in commands:
        if command.runner == "git worktree":
            _worktree(book, command, failed=is_failure(result))
        elif book.worktrees and _takes_over(command, book.worktrees):
            book.worktrees.clear()


def _worktree(book: "Book", command: "Command", *, failed: bool) -> None:
    at = command.argv.index("worktree")
    sub, path = (*command.argv[at + 1 : at + 2], "")[0], ""
    if sub in ("remove", "move", "prune"):
        book.worktrees.clear()
    elif sub == "add" and not failed:
        _, words = flags_and_words(command.argv[at + 2 :], _VALUES)
        path = absolute(words[0], command.cwd) if words else ""
    if path.startswith("/") and not any(mark in path for mark in "$`*?{"):
        book.worktrees[path.rstrip("/")] = None


def _takes_over(command: "Command", worktrees: "dict[str, None]") -> bool:
    name = program(command.argv[0]) if command.argv else ""
    sub = command.runner.removeprefix("git ") if name == "git" else ""
    inside = command.cwd is not None and any(f"{command.cwd}/".startswith(f"{tree}/") for tree in worktrees)
    return (
        name in _COPIES
        or command.runner.startswith(("gh pr merge", "gh pr checkout"))
        or (sub in _TAKES_OVER and not inside)
    )
