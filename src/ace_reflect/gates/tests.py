"""Have the tests of what was edited passed since? Only certain evidence accuses; anything plausible acquits."""

import re
from posixpath import basename
from typing import NamedTuple

from ace_reflect.evidence.facts import CommandKind, Commit, Edit, Outcome, Push, Run
from ace_reflect.evidence.files import absolute, is_unit_test, language_of, relative
from ace_reflect.gates.case import EARLIER, Case, ended
from ace_reflect.gates.model import Evidence, Finding, State
from ace_reflect.gates.words import waiver
from ace_reflect.project.facts import Scope, within
from ace_reflect.text import shortened

PASSED, FAILED, UNKNOWN = Outcome.PASSED, Outcome.FAILED, Outcome.UNKNOWN
#: What everybody types if the language brings its own runner.
_PLAIN = {"python": "pytest", "go": "go test ./...", "rust": "cargo test", "elixir": "mix test"}
_NEVER_TESTED = (".ipynb", ".stories.tsx", ".stories.jsx", ".stories.ts", ".stories.js")
_NO_START, _TAKEN_OUT = "the tests could not be run", "a test was taken out after it had failed"
_EMPTY = ("only listed", "deselected", "no tests ran")  # why a run is no attempt at one either
Proof = tuple[State, str, Run | None]


class Debt(NamedTuple):
    """Edits of one language's product code under one manifest, with the runs that may cover that code."""

    scope: Scope  # of the nearest manifest for the language
    edits: list[Edit]
    runs: list[Run]  # of tests
    after: list[Run]  # of the work as it stands after its last edit, scripts too


def tests_gate(case: Case) -> tuple[Finding, ...]:
    """A finding for each language and package with edits from this session still in place, the latest first."""
    owed: dict[Scope, list[Edit]] = {}
    for edit in case.ledger.edits:
        mine = edit.is_work and edit.by != "user" and not edit.path.endswith(_NEVER_TESTED)
        if mine and edit.kind == "code" and edit.language:
            owed.setdefault(_scope(case, edit.path, edit.language), []).append(edit)
    debts = sorted(owed.items(), key=lambda debt: -debt[1][-1].sequence)
    found = tuple(_judge(_debt(scope, edits, case), case) for scope, edits in debts)
    return found or (case.nothing("tests", "no product code was edited, or only tests"),)


def _debt(scope: Scope, edits: list[Edit], case: Case) -> Debt:
    """What a throw-away file fails, and what fails in the unedited tree, fails nothing."""
    runs = [r for r in case.ledger.runs if r.kind is CommandKind.TEST and _reaches(r, scope, case)]
    ran = sorted((*runs, *case.ledger.script_runs), key=lambda run: run.sequence)
    ran = [run for run in ran if scope.language in (run.languages or (scope.language,))]
    after = [run for run in ran if run.sequence > edits[-1].sequence]
    copy = {"baseline": False, "outcome": UNKNOWN, "why": "it ran in another folder"}
    after = [r.replace(**copy) if r.elsewhere and r.outcome is PASSED else r for r in after]
    after = [r for r in after if not (r.baseline or (r.of_scratch and r.outcome is FAILED))]
    return Debt(scope, edits, [r for r in ran if r.kind is CommandKind.TEST], after)


def _scope(case: Case, path: str, language: str) -> Scope:
    """The nearest package for a language at or above a path."""
    inside = relative(path, case.project.root)
    fits = [each for each in case.project.scopes if each.language == language]
    near = [each for each in fits if inside is not None and within(inside, each.dir)]
    return max(near, key=lambda scope: len(scope.dir), default=Scope(dir="", language=language))


def _reaches(run: Run, scope: Scope, case: Case) -> bool:
    """Whether a run may cover a package: not if its targets or its folder show that it was another's."""
    start, own = run.cwd or case.project.root, scope.dir
    named = [absolute(each, start) for each in run.targets if "/" in each]
    places = [relative(path, case.project.root) for path in named or [start]]
    return any(place is None or within(own, place) or within(place, own) for place in places)


def _certain(debt: Debt, case: Case) -> bool:
    """Whether this code has tests: some ran, one was written, the file's own was seen, or the checkout has them."""
    stems = {"conf", *(_stem(edit.path) for edit in debt.edits)}  # conftest.py is pytest's
    paths = [edit.path for edit in case.ledger.edits if not (edit.scratch or edit.trivial)]
    paths += [path for path in case.ledger.files_seen if _stem(path) in stems]
    language, root = debt.scope.language, case.project.root
    inside = [relative(path, root) or "" for path in paths if language_of(path) == language]
    here = any(_scope(case, each, language) == debt.scope for each in filter(is_unit_test, inside))
    return debt.scope.tested or here or any(_really_ran(run, debt, case) for run in debt.runs)


def _stem(path: str) -> str:
    """`app` of `src/app.py`, `tests/test_app.py`, `app.spec.ts` and `AppTest.java`."""
    name = re.sub("unittest|tests?|specs?", "", basename(path).lower().partition(".")[0])
    return name.strip("_-").replace("-", "_")


def _really_ran(run: Run, debt: Debt, case: Case) -> bool:
    """Whether a run certainly covers this code, and shows that there are tests."""
    shown = run.outcome in {PASSED, FAILED} or (run.outcome is UNKNOWN and run.counts)
    languages = {edit.language for edit in case.ledger.edits if edit.kind == "code"} - {""}
    other = not debt.scope.tested and any(scope.tested for scope in case.project.scopes)
    only = languages == {debt.scope.language} and not other  # `make test` may be the other's
    own = debt.scope.language in run.languages or only
    return bool(shown) and own and not run.of_scratch


def _judge(debt: Debt, case: Case) -> Finding:
    state, reason, run = _proof(debt, case)
    proven, last, scope = state is State.PROVEN, debt.edits[-1], debt.scope.dir
    of_now = case.turn.number in {last.turn, run.turn if run and proven else 0}
    evidence = [Evidence(line=last.line, file=last.file, quote=f"edited {last.path}")]
    if run:
        shown = f"{shortened(run.command, 80)} → {shortened(run.quote or run.why, 80)}"
        evidence.append(Evidence.of(run, shown))
    newest = max((each.sequence for each in (*debt.runs, *debt.after)), default=0)
    more = {"scope": scope, "key": f"tests {debt.scope.language} {scope}".strip()}
    more |= {"mark": f"{last.sequence}:{newest}", "silent": "" if of_now else EARLIER}
    if not proven and (said := waiver(case.ledger.turns, "tests", last.turn)):
        return case.waived("tests", said, evidence=tuple(evidence), **more)
    tell = of_now and reason.startswith((_NO_START, _TAKEN_OUT))
    more["settle"] = "" if proven else _settle(debt, run)
    return case.finding("tests", state, reason, tell=tell, evidence=tuple(evidence), **more)


def _proof(debt: Debt, case: Case) -> Proof:
    """The state of a debt, why, and the run that shows it."""
    full = [run for run in ended(debt.runs) if not run.partial][-1:]
    red = full[0] if full and full[0].outcome is FAILED else None
    shown = [run for run in debt.after if run.outcome in {PASSED, FAILED}][-1:]
    last, changes = (debt.edits[-1], *shown)[-1].sequence, case.ledger.tree_changes
    back = [c for c in changes if shown or {"revert", "reset"} & {*c.command.split()}]
    if any(change.sequence > last for change in back):
        return State.UNKNOWN, "git changed the tree after the last run or edit", (*shown, None)[0]
    since = [run for run in debt.after if not red or run.sequence > red.sequence]
    passed = [run for run in since if run.outcome is PASSED]
    if any(run.kind is CommandKind.TEST and not run.of_scratch for run in passed):
        return _passed([run for run in since if run.kind is CommandKind.TEST], red, debt, case)
    if passed:
        what = shortened(passed[-1].own or passed[-1].command, 60)
        return State.UNKNOWN, f"only a script ran since the last edit: {what}", passed[-1]
    if unseen := [run for run in since if run.running or run.outcome is UNKNOWN]:
        what = "is still to come" if unseen[-1].running else f"cannot be seen: {unseen[-1].why}"
        return State.UNKNOWN, f"the result of the last run {what}", unseen[-1]
    tests = [run for run in debt.after if run.kind is CommandKind.TEST]
    if case.may_have_run(max(debt.edits[-1].line, *(run.line for run in tests), 0)):
        return State.UNKNOWN, "a subagent whose transcript is not at hand may have run them", None
    failed = [run for run in tests if run.outcome is FAILED]
    other = _failed(failed[-1], debt, case) if failed else _nothing_ran(debt, case, tests)
    return _by_hook_or_ci(debt, case) or other


def _passed(since: list[Run], red: Run | None, debt: Debt, case: Case) -> Proof:
    """A pass proves, unless a full run was red before, tests were left or taken out, or a part failed after it."""
    tests = [run for run in since if run.executed]
    passed = [run for run in since if run.outcome is PASSED]
    whole = [run for run in passed if not run.partial]
    good = whole or [run for run in passed if not run.deselects]
    failed = [run.sequence for run in debt.runs if run.outcome is FAILED]
    weakened = [edit for edit in case.own(case.ledger.edits) if edit.weakened and failed and good]
    hidden = [e.weakened for e in weakened if failed[0] < e.sequence < good[-1].sequence]
    if red:
        why = "the last full run failed, and only parts passed since"
    elif not good:
        why = f"the run that passed left tests out: {passed[-1].deselects}"
    elif not whole and not all(_settled(run, passed) for run in tests if run.outcome is FAILED):
        why = "some tests passed, and others failed"
    elif hidden:
        why = f"{_TAKEN_OUT}: {shortened(hidden[0], 80)}"
    else:
        what = shortened(good[-1].quote or good[-1].why, 80)
        return State.PROVEN, f"passed after the last edit: {what}", good[-1]
    return State.UNKNOWN, why, red or passed[-1]


def _settled(red: Run, passed: list[Run]) -> bool:
    later = tuple(name for p in passed if p.sequence > red.sequence for name in p.targets or ("",))
    return bool(later) and all(name.startswith(later) for name in red.targets)  # in what passed


def _by_hook_or_ci(debt: Debt, case: Case) -> Proof | None:
    """A silent commit hook that was seen running the tests before, or CI of what was pushed."""
    good = [d for d in (*case.ledger.commits, *case.ledger.pushes) if d.outcome is PASSED]
    since = [each for each in good if each.sequence > debt.edits[-1].sequence]
    hooked = any(isinstance(each, Commit) and not each.no_verify for each in since)
    if hooked and any(run.by == "git-hook" for run in debt.runs):
        return State.PROVEN, "the commit's hook, which runs the tests, let it through", None
    pushed = [each.sequence for each in since if isinstance(each, Push)]
    looks = [c.outcome for c in case.ledger.ci_looks if pushed and c.sequence > pushed[0]][-1:]
    if looks == ["passed"]:
        return State.PROVEN, "CI is green for what was pushed", None
    return (State.UNKNOWN, "CI is still running", None) if looks == ["pending"] else None


def _failed(red: Run, debt: Debt, case: Case) -> Proof:
    what = shortened(red.quote or red.why, 100)
    language = debt.scope.language
    begun = next(e.sequence for e in case.ledger.edits if e.language == language and e.is_work)
    before = [run for run in debt.runs if run.baseline or run.sequence < begun]
    was = [run.counts for run in before if run.outcome is FAILED and not run.of_scratch]
    now = (red.counts and red.counts.failed) or 0
    if any(counts is None or counts.failed is None or now <= counts.failed for counts in was):
        return State.UNKNOWN, f"it fails as it did without the work: {what}", red
    if not _really_ran(red, debt, case):
        return State.UNKNOWN, f"a run failed that may not be of this code: {what}", red
    return State.DISPROVEN, f"the last run of the tests failed: {what}", red


def _nothing_ran(debt: Debt, case: Case, tried: list[Run]) -> Proof:
    tried = tried or [run for run in case.own(debt.runs[-1:]) if "refused" in run.why]
    if tried and not all(run.why.endswith(_EMPTY) for run in tried):
        return State.UNKNOWN, f"{_NO_START}: {shortened(tried[-1].why, 100)}", tried[-1]
    if not _certain(debt, case):
        return State.UNKNOWN, "no tests of this code are known", None
    if ran := [run for run in debt.runs if run.executed and not run.baseline]:
        return State.DISPROVEN, "the tests have not been run since the last edit", ran[-1]
    return State.DISPROVEN, "no test has been run since the code was edited", None


def _settle(debt: Debt, run: Run | None) -> str:
    """The run that failed, else the project's own command, else the session's, else what everybody types."""
    typed = [r for r in debt.runs if r.executed and r.by != "git-hook" and not r.of_scratch]
    if run and run.outcome is FAILED and run in typed:
        return run.own or run.command
    used = [run.own or run.command for run in typed[-1:]] or [_PLAIN.get(debt.scope.language, "")]
    return debt.scope.test_command or used[0]
