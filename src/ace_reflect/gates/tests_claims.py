"""That the tests pass, or one command of them: what an answer says of tests, against the runs of the session."""

from ace_reflect.evidence.call_words import TASK_RUNNERS
from ace_reflect.evidence.facts import CommandKind, Outcome
from ace_reflect.gates import debt, prose
from ace_reflect.gates.claim_text import run_named
from ace_reflect.gates.proof import shown_run
from ace_reflect.gates.unanswered import unanswered
from ace_reflect.late import Late, folded, holds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ace_reflect.evidence.facts import Run
    from ace_reflect.gates.case import Case
    from ace_reflect.gates.claim_text import Claim
    from ace_reflect.gates.claims import Checked

_TASKS = "|".join(TASK_RUNNERS)
#: A command that may have run tests without looking like it.
_MAY_TEST = Late(
    rf"(?i)(?:^|[\s;&|(])(?:\./|bash |sh |zsh |python\d?[ .]|node |ruby |php |perl |(?:{_TASKS}|act)\b|deno |npx |docker|ssh |gradle|mvn|bazel|nx |turbo |tsx |ts-node |xcodebuild|swift |dotnet )",
    needs=(
        f"{_TASKS}|./|act|bazel|deno |docker|dotnet |gradle|mvn|node |npx |nx |perl |php |python|ruby |sh |swift |tsx |turbo |xcodebuild",
    ),
)
#: A claim about every test.
_OF_ALL = Late(
    r"(?i)\b(?:full|entire|whole|complete|suite|everything)\b|\ball\s+(?:(?:of|the|our|your|my|these|\d[\d,]*)\s+){0,3}(?:tests?|specs?|checks)\b",
    needs=("full|entire|whole|complete|suite|everything|all",),
)


def against_facts(claim: "Claim", case: "Case") -> "Checked":
    """That the tests pass, or so many of them."""
    ran = _on_the_work(_test_runs(case), case)
    executed = _as_set(claim, _decided(ran))
    if not any(run.executed for run in ran):
        return ((), "") if _only_ticked(claim.quote) else _never_tested(ran, case, empty=ran)
    if not executed:
        return (), ""
    last = executed[-1]
    if last.covers_too_little:
        return (), ""  # the tests did pass
    if last.outcome is Outcome.FAILED and not _limited_claim(claim, last, case) and not case.spared(last):
        return (
            (shown_run(last),),
            f"the answer says that the tests pass, and their last run failed: {prose.shortened(last.quote or last.why, 80)}",
        )
    if last.outcome is Outcome.PASSED and unanswered(executed) is not None:  # all failed, and only some were run again
        from ace_reflect.gates.suite_claims import never_ran_whole

        told = "" if out_of_view(executed, case) else never_ran_whole(claim.quote, executed, case)
        if told or _OF_ALL.search(claim.quote):
            return ((shown_run(last),) if told else ()), told
    counted = _count_contradicts(claim, executed, case)
    shown = last.outcome is Outcome.PASSED or (last.counts is not None and str(last.counts.passed) == claim.detail)
    return ((shown_run(last),), counted) if counted or shown else ((), "")


def all_is_well(case: "Case") -> "Checked":
    """ "Everything is green", against tests that fail and that the answer keeps to itself."""
    ran = _decided(_on_the_work(_test_runs(case), case))
    if not ran or ran[-1].outcome is Outcome.PASSED or ran[-1].covers_too_little or case.spared(ran[-1]):
        return (), ""
    if case.admission.kind == "failing":
        return (), ""
    last = ran[-1]
    return (
        (shown_run(last),),
        f"the answer says that all is green, and the last run of the tests failed: {prose.shortened(last.quote or last.why, 80)}",
    )


def _test_runs(case: "Case") -> "list[Run]":
    return [run for run in case.ledger.runs if run.kind is CommandKind.TEST and not run.running]


def _decided(runs: "list[Run]") -> "list[Run]":
    """Those whose outcome is known."""
    return [run for run in runs if run.outcome in {Outcome.PASSED, Outcome.FAILED}]


def _on_the_work(ran: "list[Run]", case: "Case") -> "list[Run]":
    """
    The runs on the work itself. Left out are those on the code from before it (`git stash; pytest`), which are to fail: they
    show that a new test tells the difference. All runs where there are no others.
    """
    if not ran or ran[-1].outcome is not Outcome.FAILED:
        return ran
    old = debt.on_old_code(case.ledger, ran)
    return [run for run in ran if id(run) not in old] or ran


def _as_set(claim: "Claim", executed: "list[Run]") -> "list[Run]":
    """The runs with the setting or the option that the claim names ("under `TZ=UTC` no test fails"); all where there are none."""
    marked = claim.quote.split("`")[1::2]
    named = [word for word in marked if word[:1] == "-" or "=" in word.partition(" ")[0]]
    return [run for run in executed if any(word in run.command for word in named)] or executed


def _only_ticked(quote: str) -> bool:
    """Whether a mark alone says it: "Tests ✅" may also be of tests that were written, and not of a run."""
    return quote.endswith(("✅", "✓", "✔", "☑")) and not any(sign in quote for sign in ("pass", "green", "/"))


def _never_tested(ran: "list[Run]", case: "Case", empty: "Sequence[Run]" = ()) -> "Checked":
    """
    What contradicts "the tests pass" where no run of tests is known. Silent where any command, tool, subagent or CI may
    have run them unseen, and where the session changed no code: then the answer may speak of somebody else's run. (In a
    session that did nothing at all the claim is made up.)

    `empty`: runs that are known to have run nothing, and may have run no others.
    """
    worked = any(edit.kind in {"code", "test"} for edit in case.ledger.edits)
    made_up = case.untouched and not any(word in case.turn.prompt.lower() for word in ("pass", "green"))
    none = empty and holds(folded(case.final), _NO_TESTS)
    if not (worked or made_up) or none or out_of_view(empty, case):
        return (), ""
    return tuple(
        shown_run(run) for run in ran[-1:]
    ), "the answer says that the tests pass, and none ran in this session"


def out_of_view(known: "Sequence[Run]", case: "Case") -> bool:
    """Whether anything but the `known` runs may have run tests: a command, a tool, a subagent, CI."""
    from ace_reflect.evidence.commands import starts_a_stranger

    return (
        case.out_of_sight
        or any(look.outcome == "passed" for look in case.ledger.ci_looks)
        or case.used_servers
        or any(_MAY_TEST.search(command) for command in _beside(known, case))
        or any(map(starts_a_stranger, case.ledger.commands_seen))
    )


#: The answer says itself that there are none.
_NO_TESTS = ("no tests", "0 tests", "zero tests", "any tests", "without tests")


def _beside(empty: "Sequence[Run]", case: "Case") -> "Iterator[str]":
    """The session's commands, and of those whose tests are known to have run nothing only what stands beside the tests."""
    from ace_reflect.evidence.commands import classify

    ran = {run.command for run in empty}
    for command in case.ledger.commands_seen:
        if command not in ran:
            yield command
            continue
        others = (item for item in classify(command) if item.kind is not CommandKind.TEST)
        yield from (" ".join(item.simple.argv) for item in others)


#: Of one platform or part of several: "Windows: the full suite is green", "all tests pass on Node 20".
_ON_ONE = Late(
    r"(?i)^[^:.!?\n]{1,40}:\s|\b(?:on|in|under) (?:windows|macos|linux|wsl|ubuntu|debian|alpine|docker|this machine|my machine|(?:node|python|ruby|php|java|jdk|go) ?[\d.]+)\b",
    needs=(":|on |in |under ",),
)


def _limited_claim(claim: "Claim", run: "Run", case: "Case") -> bool:
    """The claim is about some tests ("the parser tests", "all other tests"), and the failing ones may be others."""
    said = folded(claim.quote)
    if holds(said, ("other", "others", "remaining", "rest")):
        return True
    part = not _OF_ALL.search(claim.quote) or _ON_ONE.search(claim.quote)
    if part and case.admission.tells_the_rest:
        return True  # "All auth tests pass. Two of the billing tests fail", "Windows: green. WSL: fails": it tells both
    return run.limited and not holds(said, ("all", "full", "entire", "whole", "suite"))


def _count_contradicts(claim: "Claim", executed: "list[Run]", case: "Case") -> str:
    if not claim.detail:
        return ""
    claimed = int(claim.detail)
    counts = [run.counts for run in executed]
    if (
        claimed > 100_000
        or any(count is None or (count.passed is None and count.total is None) for count in counts)
        or case.out_of_sight
    ):
        return ""
    shown = [
        number
        for count in counts
        if count is not None
        for number in (count.passed, count.total, count.skipped)  # "31 tests pass (2 skipped)" of 29 and 2
        if number is not None
    ]
    if claimed <= sum(shown):
        return ""
    if any(word in claim.quote.lower() for word in _MORE_THAN_ONCE) or all(
        run.runner.startswith("go ") for run in executed
    ):
        return ""  # go counts no subtests
    return f"the answer speaks of {claimed} passing tests, and the runs of this session show {max(shown)} at most"


#: "ran it 20 times: 280 tests passed", "10 on each of three Pythons"
_MORE_THAN_ONCE = (" times", " runs", " rounds", " each", " seeds", "subtest", "×")


def as_named(claim: "Claim", case: "Case") -> "Checked":
    """A command by its name ("`npm test` passes"), against the last run of that very command."""
    said = run_named(claim.detail)
    if said is None:
        return (), ""
    from ace_reflect.gates import check_claims

    what = (said.kind, said.runner, said.targets, said.selected)
    runs = [run for run in case.ledger.runs if (run.kind, run.runner, run.targets, run.selected) == what]
    decided = _decided(runs)
    if said.kind is CommandKind.TEST and not _only_ticked(claim.quote):
        tests = _test_runs(case)
        if not any(run.executed for run in tests):
            return _never_tested(tests, case)
    if not decided and said.kind is not CommandKind.TEST:
        return check_claims.not_run(claim, claim.detail.partition(" ")[0], case)
    if not decided or case.spared(decided[-1]) or case.admission.kind == "failing":
        return (), ""
    if check_claims.apart(decided):
        return (), ""
    return check_claims.as_it_ended(decided[-1], f"`{prose.shortened(claim.detail, 60)}`", case)
