"""The runs of package.json's scripts, taken for what the manifest says that they do: `npm run check` may check types."""

from ace_reflect.evidence.call_words import NODE_MANAGERS
from ace_reflect.evidence.facts import CommandKind, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Ledger, Run
    from ace_reflect.project.facts import Project

#: What a gate may ask for. Of a script without tests one of these is the kind, the first that fits.
_PROOF = (CommandKind.BUILD, CommandKind.TYPECHECK)


def as_scripts_say(ledger: "Ledger", project: "Project") -> "Ledger":
    """The ledger with such runs by their true kinds; the same one where no script's body adds to its name."""
    known = {name: frozenset(kinds) for name, *kinds in map(str.split, project.script_kinds)}
    if not known or not any(_script(run) in known for run in ledger.runs):
        return ledger
    return ledger.replace(runs=tuple(kind for run in ledger.runs for kind in _by_kind(run, known.get(_script(run)))))


def _script(run: "Run") -> str:
    """The script's name in `npm run check`, `pnpm check`; "" for other runs, and for Bun's own runner of tests."""
    tool, _, name = run.runner.rpartition(" ")
    of_script = run.kind is CommandKind.TEST and tool.partition(" ")[0] in NODE_MANAGERS and run.runner != "bun test"
    return name if of_script else ""


def _by_kind(run: "Run", kinds: "frozenset[str] | None") -> "tuple[Run, ...]":
    """One run for each kind. Which part of a script with tests failed is not known: it stays the tests' failure."""
    if kinds is None:
        return (run,)
    proof = [kind for kind in _PROOF if kind.value in kinds]
    if "test" not in kinds:
        return tuple(run.replace(kind=kind) for kind in proof or (CommandKind.LINT,))
    passed = run.outcome is Outcome.PASSED
    return (run, *(run.replace(kind=kind) for kind in proof if passed))
