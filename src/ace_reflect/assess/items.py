"""The open items that a model names, sorted: what the agent may be told to do, what is a person's, what is done already.

What the model says is a person's stays one's, but for running tests and builds and reading files and logs. Merging,
publishing, deploying, deleting, paying, accounts and production are a person's whoever names them.
"""

import re
from collections.abc import Iterable

from ace_reflect.evidence.facts import Ledger, Outcome
from ace_reflect.gates.words import is_persons, starts

_HARMLESS = re.compile(
    r"(?i)^\W*(?:please )?(?:(?:(?:re-?)?run|execute|npm|pnpm|yarn|cargo)\b.{0,30}\b(?:tests?|pytest|suite|specs|build|linter|type ?checks?)"
    r"|build (?:it|the project)|pytest|(?:read|look (?:at|into)|inspect|view|check)\b.{0,40}\b(?:files?|logs?))\b"
)
#: It is more than that, or elsewhere.
_MORE = re.compile(
    r"(?i)[,;?&|]|\b(?:and|then|or|that|before|after|once|your|by hand|manual\w*|prod\w*|live|staging|servers?|devices?|console"
    r"|dashboard|browser|accounts?|(?:deploy|publish|releas|merg|delet|migrat|pay)\w*)\b"
)
#: Where an order begins, or as a command's argument. "The merge conflict" and "the delete button" are the agent's.
_NEVER = re.compile(
    r"""(?ix)(?:^\W*|[,;:.(]\ *|\b(?:and|then|or|please|you|(?:needs?|have|has)\ to)\ )(?:
      (?:merge|(?:un)?publish|(?:re)?deploy|delete|pay|buy|purchase|subscribe|ship|sign\ up|roll\ (?:out|back)|go\ live|tag\ v?\d
        |release\ (?=v?\d|it\b|to\b|(?:the\ |a\ )?(?:new\ )?(?:package|version|app|update)\b)|(?:rotate|revoke)\b.{0,20}\b(?:key|token|secret)s?
        |(?:cut|make|create|do|open|close|set\ up|upgrade|link|connect)\ (?:an?\ |the\ |your\ )?(?:\w+\ )?(?:release|payment|purchase|deployment|account)
      )\b(?!['’`]|[-\ ](?:conflict|request|script|step|button|endpoint|route|handler|job|test|workflow|note|method|page|model|form|view)s?\b)
      |(?:remove|drop|destroy|wipe|purge|truncate)\b.{0,30}\b(?:branch|database|table|bucket|volume|cluster|backup|repository)(?:e?s)?\b
      |(?:upload|submit)\b.{0,40}\b(?:store|pypi|npm|registry|marketplace|hub)\b
      |(?:(?:re-?)?run|execute|(?:re)?start|apply|test|try|check|verify|migrate|move|enable|change)\b.{0,60}\bprod(?:uction)?\b(?!\ (?:mode|build))
    )|(?:`[^`\s]+|\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv|gh|git|docker|make|just|terraform|kubectl))\ (?:[^`]{0,60}\ )?
      (?:merge|publish|deploy|release|delete|destroy|apply|upload|rm|drop|--force\S*|--delete|-D)(?=[\s`:,.]|$)
    |`(?:rm|twine|vercel|netlify|fly|helm)\ """
)
#: A file, a command, a number or an order; a courtesy has none of them.
_CONCRETE = re.compile(
    r"(?i)^(?!\W*(?:no|none|nothing|everything)\b)(?:.*(?:`|\w[./_]\w|#\d)"
    r"|\W*(?:(?:re-?)?run|execute|push|commit|mention|document|verify|show|read|use|look|call)\b)"
)


def sort_items(
    items: Iterable[str], ledger: Ledger, *, persons: bool = False
) -> tuple[list[str], list[str], list[str]]:
    """The agent's items, a person's, and those the ledger shows as done. `persons`: the model says they are a person's."""
    agent, human, done = [], [], []
    for item in items:
        harmless = _HARMLESS.search(item) and not _MORE.search(item)
        if not may_order(item) or (persons and not harmless):
            human.append(item)
        elif _is_done(item, ledger):
            done.append(item)
        else:
            agent.append(item)
    return agent, human, done


def may_order(item: str) -> bool:
    """Whether the agent may be told this at all."""
    return not (_NEVER.search(item) or is_persons(f"You: {item}"))


def is_concrete(item: str) -> bool:
    """Whether it says what to do or where, as "All done" does not."""
    return bool(_CONCRETE.search(item) or starts("change", item))


def _is_done(item: str, ledger: Ledger) -> bool:
    """Whether the commands in its backticks passed, there, since the last edit; never what the prompt asks for."""
    last_edit = max((edit.sequence for edit in ledger.edits if edit.is_work), default=0)
    runs = [run for run in ledger.runs if run.sequence > last_edit]
    ended = {run.command: run.outcome for run in runs}
    ended |= {run.own: run.outcome for run in runs if run.own and run.cwd == ledger.cwd}
    named, words = item.split("`")[1::2], "".join(item.split("`")[::2])
    asked = "\n".join(ledger.now.typed)
    done = all(ended.get(name) is Outcome.PASSED and name not in asked for name in named)
    return bool(named) and done and "/" not in words  # another folder, perhaps
