"""
Is there work on a pull request or an issue under way? Told by the tools that were used and by what the texts refer to.

A tool counts by what it does (`gh pr comment`, `git push`), never by its name in some text. A reference is `#123`,
`PR #34`, `PR34`, `issue #42`, a link; a bare number is none, and neither is a colour.
"""

import re
from dataclasses import dataclass
from typing import Literal

from ace_reflect.assess.text import without_code
from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind, Ledger, Outcome

Kind = Literal["pr", "issue", ""]

FORGE = frozenset(
    {CommandKind.PR_CREATE, CommandKind.PR_COMMENT, CommandKind.PR_MERGE, CommandKind.ISSUE}
)
LOOKS = frozenset({"view", "list", "status", "show", "checks", "diff", "checkout"})
SHIPS = frozenset({CommandKind.COMMIT, CommandKind.PUSH})
_LINK = re.compile(
    r"https?://[^\s)>\]]{1,300}/(?P<kind>pull|issues|merge_requests)/(?P<number>\d{1,7})\b"
)
_NAMED = re.compile(
    r"(?i)\b(?:(?P<pr>prs?|pull[- ]requests?|merge[- ]requests?|mrs?)|(?P<issue>issues?|tickets?|bugs?))\s*(?:number\s+)?[#!]?(?P<number>\d{1,6})\b"
)
_BARE = re.compile(r"(?<![\w#&/])#(?P<number>\d{1,5})\b(?![\w-]*[;{])")
_MENTIONS = re.compile(r"(?i)\b(?:pull|merge)[- ]requests?\b|\bPRs?\b")
_NUMBER_IN_COMMAND = re.compile(r"^#?(\d{1,7})$")
_COMMANDS_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Reference:
    """A pull request or issue by number; `kind` is "" where the text does not say which it is."""

    number: int
    kind: Kind = ""

    def __str__(self) -> str:
        return f"{ {'pr': 'PR ', 'issue': 'issue '}.get(self.kind, '') }#{self.number}"


@dataclass(frozen=True, slots=True)
class GitHubWork:
    """
    `on_forge`: the session itself made or commented on a pull request or issue. `looked`: it looked at one. `on_git`: it
    committed, pushed or made a branch. `asked`: the person's words name one. `mentions`: some text does, with or without
    a number.
    """

    on_forge: bool = False
    looked: bool = False
    on_git: bool = False
    asked: bool = False
    mentions: bool = False
    target: Reference | None = None  # what the work is on, as far as it can be told

    @property
    def active(self) -> bool:
        """Work on a pull request or issue is under way: done there with tools, or looked up or asked for, and committed to."""
        return self.on_forge or ((self.asked or self.looked) and self.on_git)


def detect(ledger: Ledger, texts: tuple[str, ...] = ()) -> GitHubWork:
    """What the session's tools and texts show. `texts`: the agent's own last words; the prompts are in the ledger."""
    prompts = [turn.prompt for turn in ledger.turns if turn.prompt]
    calls = forge_calls(ledger)
    made = [pr for pr in ledger.pull_requests if pr.outcome is Outcome.PASSED]
    asked = [found for prompt in prompts for found in references(prompt)]
    said = [found for text in texts for found in references(text)]
    return GitHubWork(
        on_forge=bool(made)
        or any(_writes(kind, argv, tried=bool(ledger.pull_requests)) for kind, argv in calls),
        looked=any(
            kind in {CommandKind.PR_VIEW, CommandKind.PR_CHECKS, CommandKind.ISSUE}
            for kind, _ in calls
        ),
        on_git=bool(ledger.commits or ledger.pushes)
        or any(kind in SHIPS for kind, _ in calls)
        or _branched(ledger),
        asked=bool(asked),
        mentions=bool(asked or said) or any(_MENTIONS.search(text) for text in (*prompts, *texts)),
        target=_target(ledger, calls, asked, said),
    )


def references(text: str) -> list[Reference]:
    """The references in a text, in order; what stands in code blocks and quotations is none."""
    found: list[tuple[int, Reference]] = []
    links = [(m.start(), m.end()) for m in _LINK.finditer(text)]
    for match in _LINK.finditer(text):
        kind: Kind = "issue" if match["kind"] == "issues" else "pr"
        found.append((match.start(), Reference(int(match["number"]), kind)))
    plain = without_code(text)
    found += [
        (match.start(), Reference(int(match["number"]), "pr" if match["pr"] else "issue"))
        for match in _NAMED.finditer(plain)
    ]
    known = {reference.number for _, reference in found}
    for match in _BARE.finditer(plain):
        inside = any(start <= match.start() < end for start, end in links)
        if int(match["number"]) not in known and not inside:
            found.append((match.start(), Reference(int(match["number"]))))
    return [reference for _, reference in sorted(found, key=lambda item: item[0])]


def forge_calls(ledger: Ledger) -> list[tuple[CommandKind, tuple[str, ...]]]:
    """What the turn's commands did, with their words."""
    return [
        (item.kind, item.argv)
        for call in ledger.calls[-_COMMANDS_LOOKED_AT:]
        if call.bash and any(word in call.key for word in ("gh ", "glab ", "git ", "hub "))
        for item in classify(call.key)
    ]


def _writes(kind: CommandKind, argv: tuple[str, ...], *, tried: bool) -> bool:
    """
    Whether a forge's command changed something there; `gh issue view` and `list` only look. Of pull requests that were
    tried the ledger knows what came of it.
    """
    return (
        kind in FORGE
        and not LOOKS & set(argv[1:4])
        and not (tried and kind is CommandKind.PR_CREATE)
    )


def _branched(ledger: Ledger) -> bool:
    return any(
        re.search(r"\bgit\s+(?:checkout\s+-[bB]|switch\s+-[cC]|branch\s+[\w./-]+)", call.key)
        for call in ledger.calls[-_COMMANDS_LOOKED_AT:]
    )


def _target(
    ledger: Ledger,
    calls: list[tuple[CommandKind, tuple[str, ...]]],
    asked: list[Reference],
    said: list[Reference],
) -> Reference | None:
    """The surest first: what was made, what was commented on, what was asked for, what was spoken of."""
    for pr in reversed(ledger.pull_requests):
        number = pr.number or _number_of(pr.url or "")
        if pr.outcome is Outcome.PASSED and number:
            return Reference(number, "pr")
    for kind, argv in reversed(calls):
        number = next(
            (int(m[1]) for word in argv[2:] if (m := _NUMBER_IN_COMMAND.match(word))), None
        )
        if kind in FORGE | {CommandKind.PR_VIEW} and number is not None:
            return Reference(number, "issue" if kind is CommandKind.ISSUE else "pr")
    return next(iter(reversed([*said, *asked])), None)


def _number_of(url: str) -> int | None:
    match = re.search(r"/(?:pull|merge_requests|issues)/(\d{1,7})\b", url)
    return int(match[1]) if match else None
