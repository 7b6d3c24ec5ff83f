"""
No expression of the package takes a time that grows with more than its text: each is tried with hostile input of its own.

The short form tries a part of the attacks on each expression, the long form all of them.
"""

import re
from pathlib import Path

import pytest

from ace_reflect.evidence.read import read_ledger
from ace_reflect.project.instructions import wish_for_pr
from ace_reflect.project.read import read_project
from support import figures
from support.fuzz import watching
from support.patterns import Attack, Found, attacks, patterns, repeats_group_possessively
from support.slow_patterns import Inputs, grows
from support.transcripts import TranscriptBuilder

#: Whose texts are bounded before they are matched, by (the longest first) name; and what bounds them.
_BOUNDS = {
    "ace_reflect.evidence.runners": Inputs(600),  # text.LINE_CHARS
    "ace_reflect.evidence.hints": Inputs(20_000),  # MAX_LOOKED_AT
    "ace_reflect.evidence.tool_edits": Inputs(200),  # _LONGEST_NAME
    "ace_reflect.gates.vocabulary": Inputs(4_000, one_blank=True),  # book.MAX_PROMPT, prose.sentences
    "ace_reflect.gates.tests_waived": Inputs(4_000, one_blank=True),  # the same
    "ace_reflect.gates.tests_may_fail": Inputs(4_000, one_blank=True),  # the same
    "ace_reflect.gates.requests": Inputs(4_000, one_blank=True),  # the same
    "ace_reflect.gates.exempt": Inputs(4_000, one_blank=True),  # the same
    "ace_reflect.gates.asked_for": Inputs(4_000, one_blank=True),  # the same
    "ace_reflect.gates.confirmation": Inputs(1_200, one_blank=True),  # the answer's end
    "ace_reflect.assess.standing": Inputs(4_000),  # book.MAX_PROMPT
    "ace_reflect.gates": Inputs(8_000),  # book.MAX_FINAL
    "ace_reflect.project.instructions": Inputs(64_000, line=1_000),  # MAX_FILE, _LONGEST_LINE
    "ace_reflect.project": Inputs(512_000),  # tree.MAX_FILE_BYTES
    "ace_reflect.learning.judged": Inputs(2_000),  # _LONGEST_TYPED
    "ace_reflect.learning.orders": Inputs(300, one_blank=True),  # preferences.MAX_SENTENCE
    "ace_reflect.learning.preferences": Inputs(300, one_blank=True),  # the same
    "ace_reflect.learning.segment": Inputs(1_000),  # _LONGEST_PATH
    "ace_reflect.assess.diff": Inputs(4_096),  # the longest path of a file
}
#: In a module without such a bound, those that have one of their own, by how they begin.
_OWN_BOUNDS = {
    r"(?i)^(?:then,? |finally,? |and )?(?:open|": Inputs(500, one_blank=True),  # instructions._sentences
    r"^[(){<\[$%]|": Inputs(400),  # redact: a value that _ASSIGNED took
}


def inputs_of(found: Found) -> Inputs:
    own = [bound for begin, bound in _OWN_BOUNDS.items() if found.source.startswith(begin)]
    named = [bound for name, bound in _BOUNDS.items() if (found.module + ".").startswith(name + ".")]
    return (own + named + [Inputs()])[0]


def tried(number: int, found: Found, share: int) -> list[Attack]:
    """Every `share`-th attack, another choice for each expression."""
    return attacks(found)[number % share :: share]


@pytest.mark.parametrize(
    ("share", "size"), [(24, 1_000), pytest.param(1, 2_000, marks=[pytest.mark.long, pytest.mark.timeout(1800)])]
)
def test_no_expression_takes_longer_than_its_text(share: int, size: int) -> None:
    slow, known = [], patterns()
    with watching(cpu_s=1.0) as watch:
        for number, found in enumerate(known):
            said, count = grows(found, inputs_of(found), watch, size=size, tried=tried(number, found, share))
            figures.add("hostile texts for expressions", count)
            if said:
                slow.append(f"{found.module}: {found.source}\n    {said}")
    figures.add("expressions tried with hostile texts", len(known))
    assert not slow, "\n".join(slow)


def test_all_expressions_are_found_and_attacked() -> None:
    known = patterns()

    assert len(known) > 700
    assert {"ace_reflect.redact", "ace_reflect.llm.json_reply", "ace_reflect.transcript.quick"} <= {
        found.module for found in known
    }
    assert all(attacks(found) for found in known)


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 (Debian 12 has 3.11.2) loses matches of `(?:ab?)*+` and the like: python/cpython#106052."""
    wrong = [found for found in patterns() if repeats_group_possessively(found.source, found.flags)]

    assert wrong == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [(r"(?:ab?)*+c", True), (r"x(?=(?:ab|c)?+)", True), (r"(?>(?:ab?)*)c", False), (r"[^x]*+\s++", False)],
)
def test_a_possessive_group_is_found(source: str, expected: bool) -> None:
    assert repeats_group_possessively(source, 0) is expected


BAD = (
    (r"(a+)+$", True), (r"(?:a|aa)+$", True), (r"(?:\w+\s?)*:", True), (r"\s*\n\s*$", True), (r"(?m)^\s*x", True), (r"\s+$", True), (r"<!--.*?-->", True), (r"(?s)/\*.*?\*/", True),
    (r"(\w*)\.(\w*)x$", True), (r"^\s*(?:a)?\s*(?:b)?\s*$", False), (r"(?:(?:x)?\d+)*y", True), (r"^(?:.*,)*z", False), (r"[a-z]+\d*[a-z]+;", True),
)  # fmt: skip
GOOD = (
    (r"\bgh[po]_\w{20,255}", True), (r"(?m)^[ \t]*x", True), (r"(?<!\s)\s+$", True), (r"^\s*a\s*$", False), (r"[^\n]*\n", False), (r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', True), (r"(\d+) passed", False),
    (r"a.{0,40}b", True), (r"\s*+x", False), (r"(?:ab)++", True),
)  # fmt: skip


@pytest.mark.parametrize(
    ("source", "everywhere"),
    [*BAD[:1], *BAD[3:5], *(pytest.param(*bad, marks=pytest.mark.long) for bad in (*BAD[1:3], *BAD[5:]))],
)
def test_an_expression_that_goes_back_and_forth_is_caught(source: str, everywhere: bool) -> None:
    found = Found("made.up", source, 0, everywhere)

    with watching(cpu_s=1.0) as watch:
        said, _ = grows(found, Inputs(512_000), watch, size=1_000)

    assert " take" in said


@pytest.mark.parametrize(("source", "everywhere"), GOOD)
def test_an_expression_that_reads_once_is_not(source: str, everywhere: bool) -> None:
    found = Found("made.up", source, 0, everywhere)

    with watching(cpu_s=2.0) as watch:
        assert grows(found, Inputs(512_000), watch, size=1_000) == ("", len(attacks(found)))


#: What each of these took before it was mended: minutes to days.
_HOSTILE_FILES = {
    "CLAUDE.md": "<!--" * 16_000,
    "AGENTS.md": "```" + " " * 60_000 + "`" * 3 + "\n``` `a" * 300,
    ".git/config": "[core]\n" + "\n" * 500_000,
    "pubspec.yaml": "name: a\n" + "\n" * 500_000,
    "meson.build": "test" + "\n" * 500_000,
    "package.json": '{"scripts": {"test": "' + "turbo node nx " * 30_000 + '"}}',
    "tsconfig.json": "/* " * 150_000,
    "justfile": "@test" + " " * 500_000,
}


@pytest.mark.parametrize("name", _HOSTILE_FILES)
def test_a_clones_files_do_not_hold_a_hook(name: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / name).write_text(_HOSTILE_FILES[name])

    with watching(cpu_s=5.0) as watch:
        watch.run(lambda: wish_for_pr(read_project(str(tmp_path)).instructions))


@pytest.mark.parametrize(
    "output",
    ["remote:" + " " * 19_000, "a/" * 10_000, "To x\n" + " " * 20_000, "\n" * 20_000 + '"a"', "https://a" * 4_000],
)
def test_what_a_push_printed_does_not_hold_a_stop(output: str, tmp_path: Path) -> None:
    built = TranscriptBuilder(tmp_path / "s.jsonl").prompt("Push it").bash("git push origin main", output).say("Done.")
    path = str(built.write())

    with watching(cpu_s=5.0) as watch:
        watch.run(lambda: read_ledger(path) and None)


def test_how_an_expression_is_used_belongs_to_it() -> None:
    """What is only matched at a text's start is not looked for everywhere; a table's expressions are what its module does."""
    known = {found.source: found for found in patterns()}

    assert not known[r"[A-Za-z0-9_+\-]*"].everywhere, "json_reply._TAG is matched at a place"
    assert known[r"\[((?:pat|mis|pref|ctx|oth)-\d+|kpt_\d+)\]"].everywhere
    assert re.compile(known[r"[A-Za-z0-9_+\-]*"].source)
