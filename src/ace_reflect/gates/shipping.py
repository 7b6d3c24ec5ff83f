"""Builds, pull requests, CI and pushes to the default branch: is what was shipped in order?"""

from ace_reflect.evidence.facts import STATIC_KINDS, CommandKind, Commit, Outcome, Push
from ace_reflect.gates import words
from ace_reflect.gates.case import Case, ended
from ace_reflect.gates.model import Finding, State
from ace_reflect.text import shortened

_COMPILES = STATIC_KINDS - {CommandKind.LINT} | {CommandKind.TEST}
_PR_ADDRESS = ("/pull/", "github/pr/", "/+/", "/pulls/", "/merge_requests/", "/pull-requests/")
_CI = {"passed": "green", "failed": "red", "pending": "still running", "unknown": "not shown"}


def build_gate(case: Case) -> Finding:
    """Disproven if the last build after the edits failed; nobody has to run one."""
    edits = [edit for edit in case.ledger.edits if edit.kind == "code" and edit.is_work]
    languages = {edit.language for edit in edits}
    runs = ended(run for run in case.ledger.runs if run.kind in _COMPILES)
    since = [run for run in runs if edits and run.sequence > edits[-1].sequence]
    since = [run for run in since if not run.languages or languages & {*run.languages}]
    builds = [run for run in since if run.kind is CommandKind.BUILD]
    if not builds:
        return case.nothing("build", "no build was run since the last edit")
    last = builds[-1]
    what = shortened(last.quote or last.why, 100)
    more = case.shown(last, f"{shortened(last.command, 60)} → {what}")
    if last.outcome is Outcome.PASSED:
        why = f"the build passed after the last edit: {what}"
        return case.finding("build", State.PROVEN, why, **more)
    if since[-1].outcome is Outcome.PASSED:
        return case.finding("build", State.UNKNOWN, "something that compiles passed since", **more)
    if said := words.waiver(case.ledger.turns, "build"):
        return case.waived("build", said, **more)
    more |= {"settle": last.own or last.command}
    return case.finding("build", State.DISPROVEN, f"the last build failed: {what}", **more)


def pr_gate(case: Case) -> Finding:
    """Asks for a pull request if the workflow or the person wants one, once the agent committed or pushed."""
    pushes = [push for push in case.ledger.pushes if not (push.tag or push.up_to_date)]
    deeds: list[Push | Commit] = [*case.ledger.commits, *(p for p in pushes if not p.to_default)]
    shipped = [d for d in deeds if d.outcome is Outcome.PASSED and d.by != "user"]
    if not shipped:
        return case.nothing("pr", "nothing was shipped")
    last = max(shipped, key=lambda deed: deed.sequence)
    asked_in, asked = words.asked(case.ledger.turns, "make_pr")
    if not asked and case.settings.workflow != "pull-request":
        return case.nothing("pr", "no order for a pull request was found")
    if any(p.to_default for p in pushes) and words.asked(case.ledger.turns, "push")[0] > asked_in:
        return case.nothing("pr", "the person asked for a push to the default branch")
    if last.turn < asked_in:
        return case.nothing("pr", "nothing was shipped since it was asked for")
    if said := words.waiver(case.ledger.turns, "pr", asked_in or last.turn):
        return case.waived("pr", said)
    if tried := [pr for pr in case.ledger.pull_requests if pr.turn >= asked_in]:
        shown = tried[-1].url or tried[-1].quote or tried[-1].command
        more = case.shown(tried[-1], shown)
        if tried[-1].existing or tried[-1].outcome is Outcome.PASSED:
            return case.finding("pr", State.PROVEN, f"pull request {shortened(shown, 100)}", **more)
        return case.finding("pr", State.UNKNOWN, "no pull request could be made", tell=True, **more)
    if case.may_have_run(last.line) or any(part in case.final for part in _PR_ADDRESS):
        return case.finding("pr", State.UNKNOWN, "it may have been made where nobody saw it")
    wish = f"the person asked for one: “{asked}”" if asked else "the project works with them"
    more = case.shown(last, last.quote or "committed")
    more |= {"settle": f"{'glab mr' if case.project.gitlab else 'gh pr'} create --fill"}
    return case.finding("pr", State.DISPROVEN, f"no pull request was made, and {wish}", **more)


def ci_gate(case: Case) -> Finding:
    """What the last look at CI showed about what was pushed."""
    pushed = [each for each in case.ledger.pushes if each.outcome is Outcome.PASSED]
    made = [pr for pr in case.ledger.pull_requests if pr.existing or pr.outcome is Outcome.PASSED]
    since = max((fact.sequence for fact in (*pushed, *made)), default=0)
    looks = [look for look in case.ledger.ci_looks if since and look.sequence > since]
    if not looks:
        state = State.UNKNOWN if made else State.NOT_APPLICABLE
        return case.finding("ci", state, "CI was not looked at since something was pushed")
    last = looks[-1]
    state = {"passed": State.PROVEN, "failed": State.DISPROVEN}.get(last.outcome, State.UNKNOWN)
    more = case.shown(last, last.quote or last.command)
    more["settle"] = "" if state is State.PROVEN else last.command
    return case.finding("ci", state, f"CI is {_CI[last.outcome]}", **more)


def direct_push_gate(case: Case) -> Finding:
    """Disproven if the agent pushed to the default branch without being asked to push."""
    own = [push for push in case.own(case.ledger.pushes) if push.outcome is Outcome.PASSED]
    own = [p for p in own if not (p.up_to_date or p.tag or p.deleted or p.by == "user")]
    default = case.project.default_branch  # the checkout knows best which one that is
    pushed = [p for p in own if (p.branch == default if default and p.branch else p.to_default)]
    if not pushed:
        return case.nothing("direct_push", "the agent pushed nothing to the default branch")
    last = pushed[-1]
    more = case.shown(last, last.quote or last.command)
    answers = (q.answer for q in case.ledger.questions if "push" in f"{q.text} {q.answer}".lower())
    if asked := words.asked(case.ledger.turns, "push")[1] or next(filter(None, answers), ""):
        return case.waived("direct_push", shortened(asked, 100), **more)
    where = last.branch or "the default branch"
    reason = f"the work was pushed straight to {where}, and no order to push was found"
    return case.finding("direct_push", State.DISPROVEN, reason, **more)
