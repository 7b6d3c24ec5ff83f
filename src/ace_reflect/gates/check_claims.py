"""What an answer says of a linter, a type check or a build, against their last runs."""

from ace_reflect.evidence.call_words import NODE_MANAGERS
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import debt, places, prose
from ace_reflect.gates.claim_text import LINTERS, TYPE_CHECKERS
from ace_reflect.gates.model import Evidence
from ace_reflect.gates.proof import shown_run
from ace_reflect.late import Late, folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Edit, Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.claim_text import Claim
    from ace_reflect.gates.claims import Checked

_CHECKERS = (*LINTERS, *TYPE_CHECKERS)
#: How a claim of a container's image names it, and the programs that build one.
_IMAGES = ("docker", "container", "image")
_IMAGE_BUILDERS = ("docker", "podman", "nerdctl", "buildah", "kaniko")
#: How the word for a check begins, the runs it is about, and its name in a message.
_CHECKED = (
    (("lint", *LINTERS), CommandKind.LINT, "the linter"),
    (("type", *TYPE_CHECKERS), CommandKind.TYPECHECK, "the type check"),
    (_IMAGES, CommandKind.BUILD, "the image's build"),
    ("", CommandKind.BUILD, "the build"),
)


def against_facts(claim: "Claim", case: "Case") -> "Checked":
    """What the session shows of a claim of kind "check", and what contradicts it."""
    runs = runs_of(claim, case)
    if not runs:
        return not_run(claim, claim.detail, case)
    if apart(runs):
        return (), ""
    what = claim.detail if claim.detail in _CHECKERS else _check_of(claim)[1]
    return as_it_ended(runs[-1], what, case)


def _check_of(claim: "Claim") -> "tuple[CommandKind, str]":
    return next((kind, what) for begins, kind, what in _CHECKED if claim.detail.startswith(begins))


def runs_of(claim: "Claim", case: "Case") -> "list[Run]":
    """The runs that a claim of a clean check is about; one checker's red run says nothing of another's."""
    kind, _ = _check_of(claim)
    named = claim.detail if claim.detail in _CHECKERS else ""
    runs = [
        run
        for run in case.ledger.runs
        if run.kind is kind and run.outcome in {Outcome.PASSED, Outcome.FAILED} and named in run.command
    ]
    return _built(runs, claim) if kind is CommandKind.BUILD else runs


def _built(runs: "list[Run]", claim: "Claim") -> "list[Run]":
    """The builds of an image, or those of the project: where both ran, "the build" is the project's own."""
    images = [run for run in runs if run.runner.startswith(_IMAGE_BUILDERS)]
    if claim.detail.startswith(_IMAGES):
        return images
    return [run for run in runs if run not in images] or images


def apart(runs: "list[Run]") -> bool:
    """Whether the last runs in different folders disagree: then the claim may be about the folder where the check passes."""
    return len({run.outcome for run in {run.cwd: run for run in runs}.values()}) > 1


def not_run(claim: "Claim", checker: str, case: "Case") -> "Checked":
    """A clean check of which no run is known: shown by something else, made up, or neither."""
    shown = by_others(checker, case)
    if shown or checker not in _CHECKERS:
        return shown, ""
    from ace_reflect.gates.ran_claims import never_started

    return (), never_started(claim, case)


def by_others(checker: str, case: "Case") -> tuple[Evidence, ...]:
    """Evidence for a clean check of which no run is known by its own name."""
    return _by_task(checker, case) or _by_hook(case)


def _by_task(checker: str, case: "Case") -> tuple[Evidence, ...]:
    """Evidence for "ESLint is clean" from `npm run lint`, a task that does not say which checker it starts."""
    kind = CommandKind.TYPECHECK if checker in TYPE_CHECKERS else CommandKind.LINT
    runs = [run for run in case.ledger.runs if run.kind is kind and run.runner.partition(" ")[0] in NODE_MANAGERS]
    passed = checker in _OF_NODE and runs and runs[-1].outcome is Outcome.PASSED
    return (shown_run(runs[-1]),) if passed and not apart(runs) else ()


_OF_NODE = ("eslint", "tsc", "svelte-check")


def _by_hook(case: "Case") -> tuple[Evidence, ...]:
    """
    Evidence for a clean check that was not run by itself: a commit of this turn that the git hook let through. Only where
    this session shows that there is such a hook.
    """
    if not any(run.by == "git-hook" for run in case.ledger.runs):
        return ()
    done = [commit for commit in case.own(case.ledger.commits) if commit.let_through]
    return (Evidence.of(done[-1], prose.shortened(done[-1].quote or "git commit went through", 100)),) if done else ()


def as_it_ended(last: "Run", what: str, case: "Case") -> "Checked":
    """Compare "`what` passes" with its last run. A failed one contradicts, unless something may have mended it since."""
    if last.outcome is Outcome.PASSED:
        return (shown_run(last),), ""
    edited_since = any(_may_mend(edit, case) and not debt.follows(last, edit) for edit in case.ledger.edits)
    if edited_since or _mended_since(last, case) or _OLD_ONES.search(case.final):
        return (), ""
    if last.kind is CommandKind.BUILD and _FAILS_TOO.search(case.plain):
        return (), ""
    failed = prose.shortened(last.quote or last.why, 80)
    return (shown_run(last),), f"the answer says that {what} passes, and its last run failed: {failed}"


def _may_mend(edit: "Edit", case: "Case") -> bool:
    """Program text, or what a build or a check is set up with: a Dockerfile, `mypy.ini`."""
    set_up = edit.kind in {"config", "other"} and places.relative(edit.path, case.root) is not None
    return set_up or debt.relevant(edit, case.root)


#: The answer tells apart what was wrong before: "tsc is clean (the two errors in legacy.ts are old)".
_OLD_ONES = Late(
    r"(?i)\b(?:pre-?existing|unrelated|legacy|baseline|old(?:er)?|elsewhere|remain\w*|untouched|left|already (?:there|present|known)|before (?:my|this|these|the) changes?|new errors)\b"
)


#: Of another build beside the one that passes: "the wheel builds; the crate does not yet", "on macOS the linker fails".
_FAILS_TOO = Late(
    r"(?i)\bfails\b|\bdo(?:es)?(?: not|n't)(?: yet)?(?: build| compile| link|[.,;:\n]|$)",
    needs=("fails|does not|do not|doesn't|don't",),
)


def _mended_since(last: "Run", case: "Case") -> bool:
    """A later command of this turn that may have mended or repeated the check (`bun run lint:fix`, `prettier --write`)."""
    mends = _MENDS if last.kind is CommandKind.LINT else (*_MENDS, *_BUILDS)
    later = (folded(call.key) for call in case.ledger.calls if call.bash and call.line > last.line)
    return any(word in key for key in later for word in mends)


_MENDS = ("fix", "format", "fmt", "--write", "prettier", "biome", "eslint", "ruff", "lint", "black", "check", "make")
#: They say nothing of a linter's complaints.
_BUILDS = ("build", "compile", "tsc", "dev")
