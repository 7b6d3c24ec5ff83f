"""
What a passing run left out: the tests of what was edited, tests that had just failed, or tests called flaky.

A marker for slow or networked tests is a habit of many projects and no evasion; a name that is the edited file's is.
"""

from ace_reflect import regex as re
from ace_reflect.evidence.call_words import posix
from ace_reflect.evidence.facts import Outcome
from ace_reflect.gates import places, prose
from ace_reflect.gates.known_tests import own_command
from ace_reflect.gates.model import State
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.debt import Debt

_CALLED_UNFIT = Late(
    r"(?i)flak|broken|quarantine|unimportant|unstable|intermittent",
    needs=("broken|flak|quarantine|unimportant|unstable|intermittent",),
)
#: The reason that an answer gives for it.
UNFIT_REASON = Late(
    r"(?i)(?<!not )(?<!n't )(?<!no longer )\b(?:flak(?:y|es?|iness)|unstable|intermittent(?:ly)?|unimportant|(?:not|n't) (?:that |so |very |really )?important|unreliable)\b",
    needs=("flak|unstable|intermittent|important|unreliable",),
)
#: The answer speaks of what it left out, and names no test: "one test is flaky, so I skipped it".
_LEFT_OUT_AS = Late(
    r"(?i)(?=.{0,300}\btests?\b).{0,300}\b(?:i(?:'ve| have)? (?:have )?|and )(?:skipped|deselected|excluded|ignored|left (?:it|them|that|this) out)\b",
    needs=("test", "skipped|deselected|excluded|ignored|left "),
)
_SAME_THING = Late(r"(?i)^(?:it|they|this|that|these|those|both)\b")
_LOGIC = frozenset(["not", "and", "or", "", "fullyqualifiedname", "name", "displayname", "category", "testcategory"])
#: What every project's tests are called, and no module in particular.
_GENERAL = frozenset(
    ["test", "tests", "spec", "specs", "src", "lib", "app", "main", "index", "init", "unit", "integration", "e2e", "slow", "network", "conftest", "util", "utils", "core", "common", "helpers"]
)  # fmt: skip
_FLAGS = Late(r"(?:^|\s)--?[\w-]+(?=[\s=:]|$)[=:]?")


def left_out(last: "Run", each: "Debt", case: "Case") -> tuple[State, str]:
    """Whether a passing run still proves the edits though it left tests out: (state, reason); (PROVEN, "") where it does."""
    if not last.deselects or _agreed(last.deselects, each, case) or _run_elsewhere(last, each):
        return State.PROVEN, ""
    quoted = f"`{last.deselects}`"
    names = names_in(last.deselects)
    whole, part = _of_the_edited(names, _places(each, case))
    if whole:
        return State.DISPROVEN, f"the tests of what was edited ({whole}) were left out with {quoted}"
    failed = _failed_before(last, each, names)
    if failed is State.DISPROVEN:
        return failed, f"tests that failed were left out with {quoted}"
    if any(_CALLED_UNFIT.search(name) for name in names):
        return State.DISPROVEN, f"tests called {names[0]} were left out with {quoted}"
    if named := _called_unfit(names, case.final):
        return (
            State.DISPROVEN,
            f"tests that the answer calls flaky or unimportant ({named}) were left out with {quoted}",
        )
    if failed is State.UNKNOWN:
        return (
            failed,
            f"tests failed, and then some were left out with {quoted}; whether those that failed pass now is not shown",
        )
    if part:
        return State.UNKNOWN, f"a test of what was edited ({part}) was left out with {quoted}"
    return State.PROVEN, ""


def _called_unfit(names: tuple[str, ...], answer: str) -> str:
    """The name left out that the answer itself calls flaky or unimportant, in its sentence or in the next one about it."""
    if not UNFIT_REASON.search(answer):
        return ""
    said = [sentence.text for sentence in prose.sentences(prose.plain(answer))]
    for number, text in enumerate(said):
        after = next(iter(said[number + 1 :]), "")
        about = f"{text} {after}" if _SAME_THING.search(after) else text
        if UNFIT_REASON.search(about):
            import re  # the names are the session's own

            for name in names:
                if re.search(rf"(?i)(?<![\w-]){re.escape(_last_part(name))}(?![\w-])", text):
                    return name
            if names and _LEFT_OUT_AS.search(about):
                return names[0]
    return ""


def _last_part(name: str) -> str:
    """`test_upload` of `tests/test_upload.py` and of `tests/test_io.py::test_upload`."""
    return re.sub(r"\.\w{1,4}$", "", name.rpartition("::")[2].rstrip("/*").rpartition("/")[2])


def names_in(deselects: str) -> tuple[str, ...]:
    """What is left out, without flags and the words between: "-k 'not (a or b)' --ignore=tests/x.py" is a, b, tests/x.py."""
    values = _FLAGS.sub(" ", f" {deselects}")
    words = re.split(r"[\s'\"()|,&]+", values)
    bare = (word.strip("!~=^$*").removeprefix("FullyQualifiedName").strip("!~=^$*") for word in words)
    return tuple(word for word in bare if word.lower() not in _LOGIC and re.search(r"[^\W\d_]", word))


def _agreed(deselects: str, each: "Debt", case: "Case") -> bool:
    """The person, the instructions or the project's own command leave the same out."""
    said = " ".join((case.turn.prompt, *case.turn.limits, case.project.instructions[:20_000]))
    known = (*case.project.instructed_tests, own_command(each, case))
    if deselects in said or any(deselects in command for command in known if command):
        return True
    from ace_reflect.gates import exempt  # only where a run left tests out

    spared = [each.name for each in exempt.in_force(case) if not each.number]
    return bool(spared) and all(any(_same(name, one) for one in spared) for name in names_in(deselects))


def _same(name: str, spared: str) -> bool:
    return name in spared or spared in name or (_bare(name) != "" and _bare(name) == _bare(spared))


def _run_elsewhere(last: "Run", each: "Debt") -> bool:
    """A run after the last edit that left nothing out passed too, or some of just what this one left out."""
    passed = [run for run in each.after if run.outcome is Outcome.PASSED and not run.deselects]
    aimed = " ".join(word for run in passed for word in (*run.targets, run.selected))
    # `a.py::test_b` is a run's target a.py and its selection ::test_b.
    named = [part for name in names_in(last.deselects) for part in name.split("::")]
    return any(not run.limited for run in passed) or (bool(named) and all(part in aimed for part in named))


def _places(each: "Debt", case: "Case") -> tuple[str, ...]:
    """The edited files as seen from the root: what the folders above it are called tells nothing."""
    return tuple(dict.fromkeys(places.relative(edit.path, case.root) or posix(edit.path) for edit in each.edits))


def _of_the_edited(names: tuple[str, ...], paths: tuple[str, ...]) -> tuple[str, str]:
    """
    Of the names left out: one that covers an edited file or module as a whole, and one that is a single test of such a file;
    each "" where there is none.
    """
    whole = part = ""
    for name in names:
        file, _, test = name.partition("::")
        if any(_is_of(file, path) for path in paths):
            whole, part = (whole, part or name) if test else (whole or name, part)
    return whole, part


def _is_of(name: str, path: str) -> bool:
    """
    Whether a name that is left out means an edited file: by its path, by a folder above it, or because the two are called
    after the same module (`tests/test_payments.py` and `app/payments.py`).
    """
    bare = name.replace("\\", "/").rstrip("/*").removeprefix("./").rstrip("/*")
    if "/" in bare:
        inside = f"/{path}".endswith(f"/{bare}") or f"/{bare}/" in f"/{path}"
        return inside or (
            re.search(r"\.\w+$", bare) is not None
            and module_of(bare) == module_of(path)
            and module_of(path) not in _GENERAL
        )
    plain = _bare(bare)
    return plain not in _GENERAL and len(plain) > 2 and (plain == module_of(path) or f"/{plain}/" in f"/{path.lower()}")


def module_of(path: str) -> str:
    """`payments` of `app/payments.py`, `tests/test_payments.py`, `src/PaymentsTest.java` and `payments.spec.ts`."""
    return _bare(path.rpartition("/")[2])


def _bare(name: str) -> str:
    stem = re.sub(r"(?:\.(?:test|tests|spec|e2e|cy|stories))?\.[a-z]{1,4}$", "", name, flags=re.IGNORECASE)
    return re.sub(
        r"^(?:Test(?=[A-Z])|test[_-])|(?<=[a-z0-9])(?:Tests?|Spec|IT)$|[_-](?:tests?|spec)$", "", stem
    ).lower()


def _failed_before(last: "Run", each: "Debt", names: tuple[str, ...]) -> State:
    """
    Whether the tests left out are the ones that failed before. DISPROVEN: they are, or nothing was edited to mend them.
    UNKNOWN: that cannot be told. PROVEN: nothing failed before, or the failures pass now.
    """
    wide = [run for run in each.runs if run.outcome is Outcome.FAILED and not run.deselects]
    if not wide:
        return State.PROVEN
    before = wide[-1]
    if any(name in f"{before.quote} {before.why}" for name in names):
        return State.DISPROVEN
    mended = any(before.sequence < edit.sequence < last.sequence for edit in each.edits)
    if not mended:
        return State.DISPROVEN
    then, now = before.counts, last.counts
    if then is None or now is None or then.passed is None or now.passed is None or then.failed is None:
        return State.UNKNOWN
    # If the failures were mended, all that passed or failed then pass now. If they were left out, no more pass than then.
    return (
        State.PROVEN
        if now.passed >= then.passed + then.failed
        else (State.UNKNOWN if now.passed > then.passed else State.DISPROVEN)
    )
