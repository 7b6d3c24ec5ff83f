"""A command that an answer says it ran ("I ran `npm run build`"), against the commands of the session."""

from itertools import pairwise

from ace_reflect.evidence.facts import CommandKind
from ace_reflect.gates import prose
from ace_reflect.gates.asked_for import PROGRAM, RUNS_OTHERS, serves
from ace_reflect.gates.claim_text import LINTERS, TYPE_CHECKERS, run_named
from ace_reflect.gates.model import Evidence
from ace_reflect.late import Late

#: Checks of documents, configuration and infrastructure. Behind "run" their names may be words ("run black on it"), so
#: that only a claim in code marks is held against them.
_CHECKERS = frozenset(
    ["actionlint", "ansible-lint", "ansible-playbook", "bandit", "basedpyright", "biome", "black", "checkov", "codespell", "flake8", "golangci-lint", "hadolint", "isort", "kubeconform", "kubeval",
     "kustomize", "lychee", "markdownlint", "markdownlint-cli2", "mkdocs", "prettier", "pylint", "pyright", "rubocop", "semgrep", "shellcheck", "sphinx-build", "sqlfluff", "stylelint", "tflint", "tofu",
     "trivy", "vale", "yamllint"]
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.claim_text import Claim
    from ace_reflect.gates.claims import Checked


def against_facts(claim: "Claim", case: "Case") -> "Checked":
    """Only the program and what it is told to do are compared: people shorten the rest."""
    words = [word for word in claim.detail.split() if not word.startswith("-") and "=" not in word]
    if len(words) < 2 or case.out_of_sight or case.used_servers:
        return (), ""
    program, first = words[:2]
    said, runs = run_named(claim.detail), case.ledger.runs
    if said is not None and said.runner.startswith(f"{program} "):
        first = said.runner.rpartition(" ")[2]  # lint of `pnpm --filter api run lint`
    seen = [command for command in case.ledger.commands_seen if program in command]
    if any(first in command for command in seen):
        return (Evidence(line=case.turn.last_line, quote=claim.detail),), ""
    others = case.ledger.commands_seen
    near = any(first in run.command or run.by == "git-hook" for run in runs)
    if seen and said is not None:  # another command may have been as good, and is told by the wrong name
        near = near or any(serves(run, (said,)) for run in runs)
        known = {run.command for run in runs}
        others = tuple(command for command in others if command not in known)
    else:
        near = near or bool(seen) or any(program in run.runner for run in runs)
        near = near or any(_under_an_alias(program, first, command) for command in others)
    if (
        near
        or not (program in _CHECKERS or PROGRAM.search(program))
        or program.startswith("./")
        or any(RUNS_OTHERS.search(command) for command in others)
    ):
        return (), ""
    return (), f"the answer says that `{prose.shortened(claim.detail, 60)}` was run, and it never ran in this session"


#: What stands behind a checker that is named as a command.
_LOOKED_AT = frozenset(["src", "app", "lib", "tests", ".", "./", "check", "run"])
_OF_CHECKERS = (CommandKind.LINT, CommandKind.TYPECHECK)
#: Of another time or place, a rule, or a conclusion: "CI: `mypy src` passes", "`mypy src` still passes, only a comment changed".
_OF_ELSEWHERE = Late(
    r"(?i)\b(?:ci|pipelines?|workflows?|actions|jobs?|steps?|gates?|hooks?|pre-?commit|locally|earlier|already|previous(?:ly)?|last|before|still|only|since|because|until|unless|once|ensures?|requires?|criteri(?:on|a)|rules?|polic(?:y|ies)|goals?|requirements?|says?|states?|documents?|describes?|according|would|will|when(?:ever)?|if|example|e\.g|so that|your?|user)\b"
)


def never_started(claim: "Claim", case: "Case") -> str:
    """
    Why "`mypy src` passes" cannot be: this turn changed code, and no command of the session may have started that checker,
    nor one of its kind. "" wherever a hook of git, CI, a task, a server's tool, a stranger or the person may have done it.
    """
    from ace_reflect.gates.tests_claims import out_of_view

    program, ledger = claim.detail.split()[0], case.ledger
    said, command = run_named(claim.detail), as_command(program, claim.quote)
    if said is None or said.kind not in _OF_CHECKERS or program not in (*LINTERS, *TYPE_CHECKERS) or not command:
        return ""
    if _OF_ELSEWHERE.search(claim.quote):
        return ""
    shipped = ledger.commits or ledger.pushes or ledger.ci_looks or ledger.background
    alike = any(run.kind is said.kind or run.by in {"git-hook", "user"} for run in ledger.runs)
    worked = any(edit.kind in {"code", "test"} for edit in case.own(ledger.edits))
    if shipped or alike or not worked or out_of_view(ledger.runs, case):
        return ""
    if any(program in line or RUNS_OTHERS.search(line) for line in ledger.commands_seen):
        return ""
    return f"the answer says that `{prose.shortened(command, 60)}` passes, and it never ran in this session"


def as_command(program: str, quote: str) -> str:
    """
    A checker as a sentence names it for a command, in code marks or with what it looks at; "" where it may as well be
    what an editor shows ("mypy is clean").
    """
    for code in quote.split("`")[1::2]:
        if program in code.split():
            return code
    words = quote.replace("`", "").split()
    pairs = (f"{one} {then}" for one, then in pairwise(words) if one == program and _is_looked_at(then))
    return next(pairs, "")


def _is_looked_at(word: str) -> bool:
    return word in _LOOKED_AT or word[:1] == "-"


def _under_an_alias(program: str, first: str, command: str) -> bool:
    """Whether `tf validate` may have been `terraform validate`: a shorter word of the same first letter, told to do the same."""
    words = command.split()
    return any(
        said == first and short[0] == program[0] and len(short) < len(program) for short, said in pairwise(words)
    )
