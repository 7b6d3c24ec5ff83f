"""Pull requests that were made, and looks at CI, in one shell call."""

from ace_reflect.evidence.book import MAX_COMMAND, cut, made
from ace_reflect.evidence.drafts import FORGE_KINDS, MAX_QUOTE, base_of, has_run, is_failure, line_of, output_of
from ace_reflect.evidence.facts import CiLook, CommandKind, Outcome, PullRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.book import Book
    from ace_reflect.evidence.commands import Command
    from ace_reflect.evidence.drafts import Draft, Result


def add(book: "Book", draft: "Draft", commands: "tuple[Command, ...]", result: "Result") -> None:
    """Add what the call shows of pull requests and CI."""
    ours = [command for command in commands if command.kind in FORGE_KINDS or command.kind is CommandKind.PUSH]
    existing = None
    for command in ours:
        if command.kind is CommandKind.PR_CREATE or _pushes_one(command):
            created = _created(draft, commands, command, result)
            existing = created.url if created.existing else existing
            book.pull_requests.append(created)
        elif has_run(result) and (command.kind is CommandKind.PR_CHECKS or _asks_for_checks(command)):
            _look(book, draft, command, result)
    if existing:  # `gh pr create` fails where there is one already, and names it
        book.pr_links[existing] = None
    if ours and has_run(result) and not is_failure(result):
        from ace_reflect.evidence.pull_requests import find_url

        url = find_url(output_of(result))[0]
        if url:
            book.pr_links[url] = None


def _pushes_one(command: "Command") -> bool:
    """GitLab opens a merge request for `git push -o merge_request.create`."""
    return command.kind is CommandKind.PUSH and any("merge_request.create" in word for word in command.argv)


def _created(draft: "Draft", commands: "tuple[Command, ...]", command: "Command", result: "Result") -> PullRequest:
    from ace_reflect.evidence.pull_requests import read_created

    output, simple = output_of(result), command.simple
    others = [item for item in commands if item is not command and item.simple.status_visible]
    read = read_created(
        output, failed=is_failure(result), others_may_have_failed=bool(others), status_visible=simple.status_visible
    )
    outcome, url, number, existing = read
    if not has_run(result) or (
        simple.conditional and is_failure(result) and not url and not existing and outcome is Outcome.UNKNOWN
    ):
        outcome = Outcome.NOT_RUN
    lines = (line for line in output.splitlines() if line.strip() and not line.startswith("Exit code "))
    quote = url or next(lines, "")
    return made(
        PullRequest,
        **base_of(draft, line_of(result)),
        outcome=outcome,
        url=url,
        number=number,
        existing=existing,
        command=cut(draft["command"], MAX_COMMAND),
        quote=cut(quote, MAX_QUOTE),
    )


def _look(book: "Book", draft: "Draft", command: "Command", result: "Result") -> None:
    """One look at CI for each call, however many commands of its line look."""
    from ace_reflect.evidence.ci import read_ci, read_failed_log

    output = output_of(result)
    if "--log-failed" in command.argv:
        outcome, quote = read_failed_log(output)
    else:
        others = command.argv[:1] not in (("gh",), ("glab",))  # az, the project's own script
        shaped = (
            others
            or "| jq" in draft["command"]
            or any(word in ("-q", "--jq", "-t", "--template") or word.startswith("--jq=") for word in command.argv)
        )
        outcome, quote = read_ci(output, newest_only="list" in command.argv[1:3], words=shaped)
    if outcome == "unknown" and not output.strip() and _exit_tells(command) and not is_failure(result):
        outcome, quote = "passed", "exit code 0"
    words = {"command": cut(draft["command"], MAX_COMMAND), "outcome": outcome, "quote": cut(quote, MAX_QUOTE)}
    look = made(CiLook, **base_of(draft, line_of(result)), **words)
    last = book.ci_looks[-1] if book.ci_looks else None
    if last is None or (last.line, last.file) != (look.line, look.file):
        book.ci_looks.append(look)
    elif last.outcome == "unknown":
        book.ci_looks[-1] = look


def _exit_tells(command: "Command") -> bool:
    """Of a shell in the background often only the exit code is told: 0 says here that all checks passed."""
    words = command.argv[:3]
    watched = words == ("gh", "run", "watch") and "--exit-status" in command.argv
    return command.simple.status_visible and (watched or words == ("gh", "pr", "checks"))


def _asks_for_checks(command: "Command") -> bool:
    return any("statusCheckRollup" in word or "--checks" in word for word in command.argv)
