"""What a reflector and a curator came to, whoever they were."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """One vote as a reflector gives it, and what it stands on."""

    name: str
    tag: str  # helpful, harmful, neutral
    rationale: str
    turn: str = ""  # the turn's key; "" where a model judged several turns at once
    based_on: str = "cited"
    grounded: bool = False
    evidence: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a reflector and a curator came to."""

    analysis: str
    tags: tuple[Tag, ...] = ()
    operations: tuple[Mapping[str, Any], ...] = ()
