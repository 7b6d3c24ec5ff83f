"""
Scores facts against labels: precision and recall of each fact, and every disagreement with its line.

`bench/published` runs it. How the labels are defined, and where our definitions differ, is in bench/README.md.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ace_reflect.evidence.facts import CommandKind, Edit, Ledger, Outcome, Run

OUTCOMES = {
    "pass": "passed",
    "fail": "failed",
    "unknown": "unknown",
    "not-run": "not-run",
    "denied": "not-run",
    "no-result": "unknown",
    "background": "unknown",
}
PUSHES = {**OUTCOMES, "ok": "passed", "up-to-date": "up-to-date"}
Labels = dict[str, Any]


def outcome_in(row: Labels, where: str, known: dict[str, str] = OUTCOMES) -> str:
    """A label's outcome in our words. Ends the program where the label has one that nobody knows."""
    if row["outcome"] not in known:
        raise SystemExit(
            f"{where}:{row['line']}: the label's outcome {row['outcome']!r} is none of {', '.join(known)}"
        )
    return known[row["outcome"]]


@dataclass
class Score:
    """One fact's counts over a corpus. `extra` and `missed` make precision and recall; `wrong` values make accuracy."""

    fact: str
    hits: int = 0
    extra: int = 0
    missed: int = 0
    right: int = 0
    wrong: int = 0
    notes: list[str] = field(default_factory=list)
    excused: list[str] = field(default_factory=list)

    def found(
        self,
        mine: Iterable[int],
        labelled: Iterable[int],
        where: str,
        *,
        excuse: Callable[[int], str] = lambda _: "",
    ) -> None:
        """Compare two sets of line numbers."""
        ours, theirs = set(mine), set(labelled)
        self.hits += len(ours & theirs)
        self.missed += len(theirs - ours)
        self.notes += [f"{where}:{line} missed" for line in sorted(theirs - ours)]
        for line in sorted(ours - theirs):
            why = excuse(line)
            if why:
                self.excused.append(f"{where}:{line} not labelled: {why}")
            else:
                self.extra += 1
                self.notes.append(f"{where}:{line} not labelled")

    def value(self, mine: object, labelled: object, where: str, why: str = "") -> None:
        """Compare one value."""
        if mine == labelled:
            self.right += 1
        else:
            self.wrong += 1
            self.notes.append(f"{where} ours {mine!r}, label {labelled!r} {why}".rstrip())

    def truth(self, mine: bool, labelled: bool, where: str, why: str = "") -> None:
        """Compare a claim, for precision and recall as well."""
        self.hits += mine and labelled
        self.extra += mine and not labelled
        self.missed += labelled and not mine
        self.value(mine, labelled, where, why)

    def row(self) -> str:
        sets = (
            f"P {self.hits}/{self.hits + self.extra} R {self.hits}/{self.hits + self.missed}"
            if self.hits + self.extra + self.missed
            else ""
        )
        values = f"{self.right}/{self.right + self.wrong}" if self.right + self.wrong else ""
        return f"{self.fact:<26} {values:>9}  {sets:<22} {len(self.excused) or '':>4}"


class Card:
    """All scores, by fact."""

    def __init__(self) -> None:
        self.scores: dict[str, Score] = {}

    def __getitem__(self, fact: str) -> Score:
        return self.scores.setdefault(fact, Score(fact))


def mains(items: Iterable[Any], *, pure_sidechain: bool) -> list[Any]:
    """Facts of the main thread; of a file that is nothing but a subagent's, that subagent's."""
    return [
        item
        for item in items
        if item.file is None
        and (pure_sidechain or getattr(item, "by", "agent") in ("agent", "git-hook"))
    ]


def score_session(
    card: Card, ledger: Ledger, labels: Labels, where: str, *, pure_sidechain: bool
) -> None:
    edits: list[Edit] = [
        edit for edit in mains(ledger.edits, pure_sidechain=pure_sidechain) if edit.tool != "Bash"
    ]
    runs: list[Run] = mains(ledger.runs, pure_sidechain=pure_sidechain)
    tests = [run for run in runs if run.kind is CommandKind.TEST and run.by != "git-hook"]
    _edits(card, edits, labels, where)
    _tests(card, tests, edits, labels, where)
    _hooks(card, [run for run in runs if run.by == "git-hook"], labels, where)
    _builds(card, runs, labels, where)
    _pushes(card, mains(ledger.pushes, pure_sidechain=pure_sidechain), labels, where)
    _forge(card, ledger, labels, where)
    _course(card, ledger, labels, where)


def _edits(card: Card, edits: list[Edit], labels: Labels, where: str) -> None:
    lines = [edit.line for edit in edits]
    card["edits: count"].value(len(lines), labels["edits_made"], where, f"at {lines[-3:]}")
    card["edits: last line"].value(max(lines, default=None), labels["last_edit_line"], where)


def _tests(card: Card, tests: list[Run], edits: list[Edit], labels: Labels, where: str) -> None:
    wanted = {row["line"]: row for row in labels["test_commands"]}
    by_line: dict[int, list[Run]] = {}
    for run in tests:
        by_line.setdefault(run.line, []).append(run)
    card["tests: a test ran"].truth(
        any(run.outcome is not Outcome.NOT_RUN for run in tests if not _is_adhoc(run)),
        any(row["outcome"] not in ("not-run", "denied") for row in wanted.values()),
        where,
    )
    card["tests: commands found"].found(
        by_line, wanted, where, excuse=lambda line: _adhoc_excuse(by_line[line])
    )
    for line, row in wanted.items():
        label = outcome_in(row, where)
        mine = _outcome_of(by_line.get(line, []))
        why = "; ".join(f"[{run.runner}] {run.why}" for run in by_line.get(line, []))
        card["tests: outcome, all"].value(mine, label, f"{where}:{line}", why)
        if label in ("passed", "failed", "unknown"):
            card["tests: outcome, executed"].value(mine, label, f"{where}:{line}", why)
        if label == "failed":
            card["tests: failing seen"].value(mine, "failed", f"{where}:{line}", why)
        if line in by_line:
            card["tests: result line"].value(
                by_line[line][0].result_line, row["result_line"], f"{where}:{line}"
            )
    _after(card, tests, edits, labels, where)


def _outcome_of(runs: list[Run]) -> str:
    """One word for a line with several runs, as the labels have it: any failure fails it."""
    words = [str(run.outcome) for run in runs]
    return next(
        (word for word in ("failed", "passed", "unknown", "not-run") if word in words), "missed"
    )


def _is_adhoc(run: Run) -> bool:
    return run.runner.startswith("python") or run.runner in ("", "script")


def _adhoc_excuse(runs: list[Run]) -> str:
    return (
        "an ad-hoc test script (by the labels' choice no test command)"
        if all(_is_adhoc(run) for run in runs)
        else ""
    )


def _after(card: Card, tests: list[Run], edits: list[Edit], labels: Labels, where: str) -> None:
    """By the labels' rule: any tool edit counts, of the runs only those started directly."""
    last = max((edit.line for edit in edits), default=None)
    label = labels["tests_after_last_edit"]
    after = (
        None
        if last is None
        else any(
            run.line > last and run.outcome is not Outcome.NOT_RUN
            for run in tests
            if not _is_adhoc(run)
        )
    )
    if label is not None or after is not None:
        card["tests after last edit"].value(after, label, where)
        card["tests after last edit"].hits += bool(after and label)
        card["tests after last edit"].extra += bool(after and not label)
        card["tests after last edit"].missed += bool(label and not after)


def _hooks(card: Card, runs: list[Run], labels: Labels, where: str) -> None:
    wanted = {row["line"]: row for row in labels["hook_test_runs"]}
    card["tests by git hooks"].found({run.line for run in runs}, wanted, where)
    for run in runs:
        if run.line in wanted:
            card["tests by git hooks"].value(
                str(run.outcome),
                outcome_in(wanted[run.line], where),
                f"{where}:{run.line}",
                run.why,
            )


def _builds(card: Card, runs: list[Run], labels: Labels, where: str) -> None:
    wanted = {row["line"]: row for row in labels["build_commands"]}
    kinds = (CommandKind.BUILD, CommandKind.LINT, CommandKind.TYPECHECK)
    by_line: dict[int, list[Run]] = {}
    for run in runs:
        if run.kind in kinds:
            by_line.setdefault(run.line, []).append(run)
    card["builds and checks found"].found(by_line, wanted, where)
    for line, row in wanted.items():
        if (
            line in by_line and row["outcome"] != "background"
        ):  # that is no outcome, and ours follows the task to its end
            why = "; ".join(f"[{run.runner}] {run.why}" for run in by_line[line])
            card["builds: outcome"].value(
                _outcome_of(by_line[line]), outcome_in(row, where), f"{where}:{line}", why
            )


def _pushes(card: Card, pushes: list[Any], labels: Labels, where: str) -> None:
    wanted = {row["line"]: row for row in labels["git_pushes"]}
    card["pushes found"].found({push.line for push in pushes}, wanted, where)
    for push in pushes:
        if push.line in wanted:
            mine = "up-to-date" if push.up_to_date else str(push.outcome)
            if wanted[push.line]["outcome"] == "fail" and push.outcome is Outcome.NOT_RUN:
                mine = "failed"  # `git add gone && git push`: the labels call the push of a line that failed before it failed
            card["pushes: outcome"].value(
                mine,
                outcome_in(wanted[push.line], where, PUSHES),
                f"{where}:{push.line}",
                push.quote,
            )
            if wanted[push.line]["branches"]:
                card["pushes: branch"].value(
                    push.branch, wanted[push.line]["branches"][0], f"{where}:{push.line}"
                )
    landed = [
        push
        for push in pushes
        if push.outcome is Outcome.PASSED and not push.up_to_date and push.branch
    ]
    card["push landed"].truth(
        bool(landed), any(row["outcome"] == "ok" for row in wanted.values()), where
    )
    to_main = any(push.branch in ("main", "master") for push in landed)
    card["pushed to main"].truth(to_main, labels["pushed_to_main"], where)


def _forge(card: Card, ledger: Ledger, labels: Labels, where: str) -> None:
    made = [pr for pr in ledger.pull_requests if pr.outcome is Outcome.PASSED and pr.file is None]
    card["pr created"].truth(bool(made), labels["pr_created"], where)
    if labels["pr_url"]:
        card["pr address"].value(" ; ".join(str(pr.url) for pr in made), labels["pr_url"], where)
    card["ci looked at"].truth(
        any(look.file is None for look in ledger.ci_looks),
        labels["ci_checked"],
        where,
        str([look.line for look in ledger.ci_looks]),
    )


def _course(card: Card, ledger: Ledger, labels: Labels, where: str) -> None:
    last = ledger.turns[-1].interrupted if ledger.turns else False
    card["interrupted last"].truth(last, labels["interrupted_last"], where)
    card["compactions"].found(ledger.compactions, labels["compaction_lines"], where)
    if labels["plan_mode"]:
        card["plan mode seen"].truth(ledger.planned, True, where)
