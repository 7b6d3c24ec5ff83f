"""
What the author, the reviewer and the auditor come to together.

Done means that all who answered say so. A dissent needs a finding, graver than LOW, in a file that was changed: an
uneasy feeling is none, and what a reviewer says about other files is struck out. Who could not be asked abstains, so
that a model that fails holds nobody up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ace_reflect.assess.evaluate import Opinion
from ace_reflect.gates.model import Severity
from ace_reflect.text import shortened

REVIEWER, AUDITOR = "reviewer", "auditor"
_PROBLEM = 300
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """One objection to a change. `line` is the new file's, None where the reviewer named none."""

    path: str
    line: int | None
    severity: Severity
    problem: str
    fix: str = ""

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {shortened(self.problem, _PROBLEM)}"


@dataclass(frozen=True, slots=True)
class Review:
    """
    What one of them said, as far as it holds. `why` says why there is no word of theirs; `struck_out` what was said of
    files that were not changed.
    """

    role: str
    spec: str  # the configured model
    approves: bool = True
    summary: str = ""
    findings: tuple[Finding, ...] = ()
    struck_out: tuple[str, ...] = ()
    why: str = ""
    cached: bool = False

    @property
    def abstains(self) -> bool:
        return bool(self.why)

    @property
    def dissents(self) -> bool:
        """Whether it asks for a change that it can point at."""
        return not self.approves and not self.abstains and self.severity > Severity.LOW

    @property
    def severity(self) -> Severity:
        return max((finding.severity for finding in self.findings), default=Severity.NONE)

    def opinion(self) -> Opinion:
        """As one of the opinions that a stop is judged by."""
        return Opinion(
            source=self.role,
            complete=not self.dissents,
            severity=self.severity if self.dissents else Severity.NONE,
            reason=self.summary,
            missing=tuple(str(finding) for finding in self.grave) if self.dissents else (),
        )

    @property
    def grave(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity > Severity.LOW)

    def to_json(self) -> Json:
        """For the artifact's `crossReview`."""
        return {
            "role": self.role,
            "model": self.spec,
            "verdict": "abstains" if self.abstains else "dissents" if self.dissents else "approves",
            "severity": self.severity.name,
            "summary": self.summary,
            "findings": [
                {
                    "path": f.path,
                    "line": f.line,
                    "severity": f.severity.name,
                    "problem": f.problem,
                    "fix": f.fix,
                }
                for f in self.findings
            ],
            "struckOut": list(self.struck_out),
            "cached": self.cached,
            **({"error": self.why} if self.why else {}),
        }


@dataclass(frozen=True, slots=True)
class Consensus:
    """The author's word and the reviews', merged."""

    author: Opinion
    reviews: Sequence[Review]

    @property
    def dissents(self) -> tuple[Review, ...]:
        """The gravest first; the auditor before the reviewer where they weigh the same."""
        return tuple(
            sorted(
                (r for r in self.reviews if r.dissents),
                key=lambda r: (-r.severity, r.role != AUDITOR),
            )
        )

    @property
    def complete(self) -> bool:
        return self.author.complete and not self.dissents

    @property
    def heard(self) -> bool:
        """Whether anybody answered at all."""
        return any(not review.abstains for review in self.reviews)

    def to_json(self) -> Json:
        return {
            "complete": self.complete,
            "severity": max(
                (review.severity for review in self.dissents), default=Severity.NONE
            ).name,
            "dissents": [review.role for review in self.dissents],
            "abstentions": [review.role for review in self.reviews if review.abstains],
        }


def held(
    role: str, found: Sequence[Finding], changed: Iterable[str]
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """
    The findings that hold, the gravest first, and those that are struck out: what is said of files that were not
    changed is made up. BLOCKER is the auditor's alone to give.
    """
    known = set(changed)
    kept, struck = [], []
    for finding in found:
        path = _known_path(finding.path, known)
        if not path:
            struck.append(str(finding))
            continue
        severity = min(finding.severity, Severity.BLOCKER if role == AUDITOR else Severity.HIGH)
        kept.append(Finding(path, finding.line, Severity(severity), finding.problem, finding.fix))
    return tuple(sorted(kept, key=lambda finding: -finding.severity)), tuple(struck)


def _known_path(path: str, known: set[str]) -> str:
    """The changed file that is meant: by its path, with or without the diff's prefix, or by its only bearer's name."""
    for name in (path, path.removeprefix("b/"), path.removeprefix("a/"), path.removeprefix("./")):
        if name in known:
            return name
    ending = [
        name
        for name in known
        if name.endswith(f"/{path.lstrip('/')}") or f"/{path}".endswith(f"/{name}")
    ]
    return ending[0] if path and len(ending) == 1 else ""
