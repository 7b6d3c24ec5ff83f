"""The ledger's facts in the words that a model is shown, for whoever asks one: a stop's judges and the reflector."""

from ace_reflect.gates.prose import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ace_reflect.evidence.facts import CiLook, Ledger, PullRequest, Push, Run


def run_line(run: "Run") -> str:
    return f"`{shortened(run.command, 160)}` {run.outcome.value}: {shortened(run.quote or run.why, 200)}"


def shipped_lines(ledger: "Ledger") -> "Iterator[tuple[Push | PullRequest | CiLook, str]]":
    """What left the machine and what came of it, each fact with its text."""
    for push in ledger.pushes:
        to = f"{push.branch or push.tag or 'an unknown branch'}{' (the default branch)' if push.to_default else ''}"
        yield push, f"push to {to}: {push.outcome.value}"
    for pr in ledger.pull_requests:
        yield pr, f"pull request: {pr.outcome.value} {pr.url or ''}".rstrip()
    for look in ledger.ci_looks:
        yield look, f"a look at CI: {look.outcome} {shortened(look.quote, 120)}".rstrip()
