"""Transcripts in the form of every host."""

from pathlib import Path

import pytest

from support.transcripts import NEWEST, TranscriptBuilder

VERSIONS = (NEWEST, "2.1.40", "2.0.40", "1.0.51")


@pytest.fixture(params=VERSIONS)
def session(request: pytest.FixtureRequest, tmp_path: Path) -> TranscriptBuilder:
    return TranscriptBuilder(tmp_path / "s.jsonl", version=request.param)


@pytest.fixture
def newest(tmp_path: Path) -> TranscriptBuilder:
    return TranscriptBuilder(tmp_path / "s.jsonl")
