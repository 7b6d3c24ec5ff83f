"""The suites as they stand in `evals/`: one folder each, cases as YAML, every label with its reason."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ace_reflect.errors import AceReflectError
from ace_reflect.evals.session import Session
from ace_reflect.paths import data_dir

CWD = "/home/dev/project"


@dataclass(frozen=True, slots=True)
class Kind:
    """
    What a suite asks and what can be answered.

    `positive` are the answers that the product acts on: sensitivity is the share of those cases that were found,
    specificity the share of the others that were left in peace.
    """

    name: str
    asks: str
    answers: tuple[str, ...]
    positive: frozenset[str]


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "judge",
            "Is the task done when the agent stops?",
            ("complete", "incomplete", "waiting"),
            frozenset({"incomplete"}),
        ),
        Kind(
            "stuck",
            "What kind of stop is it?",
            ("genuinely_stuck", "waiting_for_user", "working", "complete"),
            frozenset({"genuinely_stuck"}),
        ),
        Kind(
            "post-compaction",
            "What should be said after a compaction?",
            ("needs_github_update", "continue_task", "needs_clarification", "task_complete"),
            frozenset({"needs_github_update", "continue_task", "needs_clarification"}),
        ),
        Kind(
            "agent",
            "How well was the whole task done, 0 to 5?",
            ("0", "1", "2", "3", "4", "5"),
            frozenset({"0", "1", "2", "3"}),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Case:
    """
    One case: a session, the checkout it stands in, and the right answers.

    `right` holds one answer, or a range of neighbouring scores. `stop` is what the host's event says beside the
    transcript (`permission_mode`, `background`, `age_s`).
    """

    suite: str
    id: str
    right: tuple[str, ...]
    why: str
    session: Session
    files: Mapping[str, str] = field(default_factory=dict)
    stop: Mapping[str, Any] = field(default_factory=dict)

    @property
    def positive(self) -> bool:
        """Whether something is to be done about it."""
        return self.right[0] in KINDS[self.suite].positive

    @property
    def background(self) -> tuple[str, ...] | None:
        """What the host lists as still running; None where it lists nothing."""
        listed = self.stop.get("background")
        return None if listed is None else tuple(map(str, listed))


def load(suite: str) -> tuple[Case, ...]:
    """The cases of one suite, in the order of its files. Raises AceReflectError naming file and case."""
    folder = os.path.join(data_dir("evals"), suite)
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
    except OSError as error:
        raise AceReflectError(
            f"{folder}: cannot be read ({error.strerror}); is the installation whole?"
        ) from None
    cases = tuple(case for name in names for case in read_file(os.path.join(folder, name), suite))
    twice = {case.id for case in cases if sum(other.id == case.id for other in cases) > 1}
    if twice:
        raise AceReflectError(f"{folder}: several cases are called {', '.join(sorted(twice))}")
    return cases


def read_file(path: str, suite: str) -> tuple[Case, ...]:
    """The cases of one file."""
    import yaml

    try:
        with open(path, encoding="utf-8") as file:
            listed = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
    except (
        OSError,
        ValueError,
        OverflowError,
        yaml.YAMLError,
    ) as error:  # of an escape that names no character too
        raise AceReflectError(f"{path}: cannot be read: {' '.join(str(error).split())}") from None
    if not isinstance(listed, list):
        raise AceReflectError(f"{path}: is a list of cases, each with id, expect, why and session")
    return tuple(_case(path, suite, item) for item in listed)


_KEYS = frozenset({"id", "expect", "why", "session", "files", "stop", "branch"})


def _case(path: str, suite: str, item: Any) -> Case:
    if (
        not isinstance(item, dict)
        or not {"id", "expect", "why", "session"} <= item.keys()
        or item.keys() - _KEYS
    ):
        name = item.get("id", "a case") if isinstance(item, dict) else "a case"
        raise AceReflectError(
            f"{path}: {name}: has id, expect, why and session, and may have files, stop and branch"
        )
    try:
        right = _right(suite, item["expect"])
        session = Session(item["session"], cwd=CWD, branch=item.get("branch", "main"))
    except AceReflectError as error:
        raise AceReflectError(f"{path}: {item['id']}: {error}") from None
    files = {name: text or "" for name, text in (item.get("files") or {}).items()}
    return Case(suite, item["id"], right, item["why"], session, files, item.get("stop") or {})


def _right(suite: str, expected: Any) -> tuple[str, ...]:
    """One answer, or `[low, high]` for a range of scores."""
    known = KINDS[suite].answers
    named = [str(answer) for answer in (expected if isinstance(expected, list) else [expected])]
    if any(answer not in known for answer in named):
        raise AceReflectError(f"`expect` is one of {', '.join(known)}, not {expected!r}")
    if len(named) == 2:
        return known[known.index(named[0]) : known.index(named[1]) + 1]
    return tuple(named)
