"""Expressions kept from an earlier stop are the same expressions, and a broken row costs nothing."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ace_reflect.hooks import warm_patterns
from ace_reflect.state import cache
from ace_reflect.state.db import State, open_state

SOURCE = r"(?i)\b(?P<word>päss(?:ed|ing)?)\b|[^\x00-\x7f]{3,}(?=x)|(?<!a)b{2,4}?$"
TEXTS = ("all PÄSSED", "päss", "äöüx", "bbb", "abb", "", "x\ny")


@pytest.fixture
def state(tmp_path: Path):
    with open_state(str(tmp_path)) as found:
        yield found


def _found(pattern: re.Pattern[str], text: str) -> tuple[object, ...] | None:
    match = pattern.search(text)
    return None if match is None else (match.span(), match.groupdict())


def _kept(state: State) -> None:
    re.purge()
    for flags in (0, re.MULTILINE | re.DOTALL):
        re.compile(SOURCE, flags)
    warm_patterns.keep(state, set())
    re.purge()


def test_a_kept_expression_is_not_compiled_again_and_finds_the_same(state: State) -> None:
    fresh = re.compile(SOURCE, re.MULTILINE | re.DOTALL)
    _kept(state)
    primed = warm_patterns.prime(state)
    kept = re.compile(SOURCE, re.MULTILINE | re.DOTALL)

    assert (SOURCE, int(re.MULTILINE | re.DOTALL)) in primed
    assert kept is not fresh
    assert kept.flags == fresh.flags
    assert (kept.groups, dict(kept.groupindex)) == (fresh.groups, dict(fresh.groupindex))
    assert [_found(kept, text) for text in TEXTS] == [_found(fresh, text) for text in TEXTS]
    assert kept.sub(r"<\g<word>>", "päss") == fresh.sub(r"<\g<word>>", "päss")


def test_nothing_is_written_where_nothing_is_new(state: State) -> None:
    _kept(state)
    primed = warm_patterns.prime(state)
    state.run("DELETE FROM cache")
    warm_patterns.keep(state, primed)

    assert state.one("SELECT count(*) FROM cache") == (0,)


@pytest.mark.parametrize("blob", [b"", b"\x00", b"garbage", b"\xfb" * 40])
def test_a_broken_row_primes_nothing(state: State, blob: bytes) -> None:
    cache.put(state, "patterns", "stop", warm_patterns._identity(), blob)

    assert warm_patterns.prime(state) == set()


def test_another_interpreter_is_left_alone(state: State) -> None:
    _kept(state)
    state.run("UPDATE cache SET identity = 'another'")

    assert warm_patterns.prime(state) == set()


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_other_versions_of_python(tmp_path: Path, version: str) -> None:
    """Run these tests under them, where they are installed."""
    found = shutil.which(f"python{version}")
    program = f"""
import re, sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[2] / "src")!r})
from ace_reflect.hooks import warm_patterns
from ace_reflect.state.db import open_state
with open_state({str(tmp_path / version)!r}) as state:
    re.purge(); fresh = re.compile({SOURCE!r}); warm_patterns.keep(state, set()); re.purge()
    primed = warm_patterns.prime(state); kept = re.compile({SOURCE!r})
    assert primed and kept is not fresh and kept.search("PÄSSED").group("word") == "PÄSSED"
"""
    subprocess.run([found or sys.executable, "-I", "-c", program], check=True)
