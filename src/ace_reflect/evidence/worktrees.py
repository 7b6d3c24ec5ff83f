"""Working copies that the session made beside its checkout: `git worktree add ../fix`, up to when their work is taken over."""

from ace_reflect.evidence.call_words import flags_and_words, program, word_set
from ace_reflect.evidence.drafts import is_failure, line_of
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.kinds import absolute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Draft, Result

_VALUES = word_set("-b -B --reason")
#: What may bring a working copy's work into another one.
_TAKES_OVER = word_set("merge cherry-pick pull rebase am apply checkout co switch restore reset")
_COPIES = word_set("cp mv rsync patch ln tar")


def add(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> None:
    """
    Note the working copies that a finished call made. Once anything is merged or copied elsewhere, all are let go: what was
    edited in them may stand in the checkout from then on.
    """
    for command in commands:
        if command.runner == "git worktree":
            _worktree(book, draft, command, result, commits=any(one.kind is CommandKind.COMMIT for one in commands))
        elif book.worktrees and _takes_over(command, book.worktrees):
            book.worktrees.clear()


def _worktree(book: "Book", draft: "Draft", command: "Command", result: "Result", *, commits: bool) -> None:
    at = command.argv.index("worktree")
    sub = (*command.argv[at + 1 : at + 2], "")[0]
    flags, words = flags_and_words(command.argv[at + 2 :], _VALUES)
    path = absolute(words[0], command.cwd).rstrip("/") if words else ""
    if not path.startswith("/") or any(mark in path for mark in "$`*?{"):
        path = ""
    forced = not {"-f", "--force", "-ff"}.isdisjoint(flags)
    if sub == "remove" and forced and not commits and path in book.worktrees and not is_failure(result):
        _throw_away(book, draft, path, line_of(result))
    if sub in ("remove", "move", "prune"):
        book.worktrees.clear()
    elif sub == "add" and path and not is_failure(result):
        book.worktrees[path] = None


def _throw_away(book: "Book", draft: "Draft", tree: str, line: int | None) -> None:
    """What was edited there and not committed is gone: `git worktree remove --force`."""
    from ace_reflect.evidence.shell_facts import edit_fact

    kinds = {edit.path: edit.kind for edit in book.edits if edit.path.startswith(f"{tree}/")}
    facts = [edit_fact(path, "Bash", draft, line, kind) for path, kind in kinds.items()]
    book.edits += [fact.replace(change="restored") for fact in facts if fact is not None]


def _takes_over(command: "Command", worktrees: "dict[str, None]") -> bool:
    name = program(command.argv[0]) if command.argv else ""
    sub = command.runner.removeprefix("git ") if name == "git" else ""
    inside = command.cwd is not None and any(f"{command.cwd}/".startswith(f"{tree}/") for tree in worktrees)
    return (
        name in _COPIES
        or command.runner.startswith(("gh pr merge", "gh pr checkout"))
        or (sub in _TAKES_OVER and not inside)
    )
