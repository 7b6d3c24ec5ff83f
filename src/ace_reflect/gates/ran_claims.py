"""A command that an answer says it ran ("I ran `npm run build`"), against the commands of the session."""

from ace_reflect.evidence.call_words import NODE_MANAGERS, TASK_RUNNERS
from ace_reflect.gates import prose
from ace_reflect.gates.model import Evidence
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.claim_text import Claim
    from ace_reflect.gates.claims import Checked

_PROGRAMS = frozenset(
    ["npm", "yarn", "pnpm", "bun", "npx", "pytest", "python", "python3", "go", "cargo", "make", "gradle", "mvn", "dotnet", "ruff", "mypy", "eslint", "tsc", "deno", "uv", "tox",
     "rspec", "bundle", "phpunit", "composer", "mix", "swift", "flutter"]
)  # fmt: skip
_TASKS = "|".join([*TASK_RUNNERS, "tox", "nox", "hatch", "pdm", "pre-commit", "lefthook"])
#: A command that runs others, which it does not name: a script, a task. To install packages is no task.
RUNS_OTHERS = Late(
    rf"(?:^|[\s;&|(])(?:\./|(?:bash|sh|zsh) [\w./]|(?!(?:{'|'.join(NODE_MANAGERS)}) (?:i|ci|install|add)\b)(?:{_TASKS})\b)",
    needs=(f"./|bash |sh |{_TASKS}",),
)


def against_facts(claim: "Claim", case: "Case") -> "Checked":
    """Only the program and its first word are compared: people shorten the rest."""
    words = [word for word in claim.detail.split() if not word.startswith("-") and "=" not in word]
    if len(words) < 2 or case.out_of_sight or case.used_servers:
        return (), ""
    program, first = words[:2]
    seen = [command for command in case.ledger.commands_seen if program in command]
    if any(first in command for command in seen):
        return (Evidence(line=case.turn.last_line, quote=claim.detail),), ""
    near = seen or any(program in run.runner or first in run.command for run in case.ledger.runs)
    if near or program not in _PROGRAMS or any(RUNS_OTHERS.search(command) for command in case.ledger.commands_seen):
        return (), ""
    return (), f"the answer says that `{prose.shortened(claim.detail, 60)}` was run, and it never ran in this session"
