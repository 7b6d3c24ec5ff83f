"""
Whether an edit of a test removed, skipped or loosened something, and which names an edit of code takes away.

Both look at the lines an edit takes out and puts in, wherever they come from: `structuredPatch`, an Edit's old and new
string, a whole file.
"""

from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

MAX_QUOTE = 200
_TEST_START = Late(
    r"^\s*(?:(?:async\s+)?def\s+(test\w*)\s*\(|(?:it|test|describe|context|specify|scenario)(?:\.each\S*)?\s*\(\s*[\"'`](?P<title>[^\"'`]{1,120})|"
    r"(?:it|test|describe|context|specify)\s+[\"'](?P<words>[^\"']{1,120})[\"']\s+do\b|func\s+(Test\w+)\s*\(|fn\s+(test_\w+|\w+_test)\s*\(|@Test\b|#\[test\]|\[(?:Fact|Theory|Test|TestMethod)\]|"
    r"public\s+(?:function|void)\s+(test\w*)\s*\(|@test\s+\"|test\s+\"[^\"]+\"\s+do|TEST(?:_F|_P)?\()",
    needs=(
        "@Test|TEST(|TEST_F(|TEST_P(|[Fact]|[TestMethod]|[Test]|[Theory]|context|describe|do|func|it|public|scenario|specify|test",
    ),
)
_SKIP = Late(
    r"@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip|skipIf|skipUnless|expectedFailure)|Disabled|Ignore|skip\b|tag\s+:skip)|"
    r"\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\b(?:t|b)\.(?:Skip|SkipNow|Skipf)\(|"
    r"\b(?:it|test|describe|context|suite|specify)\.(?:skip|todo|fixme|failing|fails)\b|\b(?:xit|xdescribe|xtest|xcontext|xspecify|fit|fdescribe)\s*\(|"
    r"\b(?:it|test|describe)\.only\b|#\[ignore|\[(?:Ignore|Skip)\b|Skip\s*=\s*\"|markTestSkipped|markTestIncomplete|\bXCTSkip|#\s*skip:|"
    r"\bpending\s+['\"]|\bskip\s+['\"]|\bthis\.skip\(\)|\btest\.skip\(|@unittest\.skip|\.skip\(\s*[\"'`]|GTEST_SKIP",
    needs=(
        "#[ignore|Disabled|GTEST_SKIP|Ignore|Skip|describe.only|failing|fails|fdescribe|fit|fixme|it.only|markTestIncomplete|pending|pytest.mark.xfail|pytest.xfail(|skip|test.only|todo|unittest.expectedFailure|xcontext|xdescribe|xit|xspecify|xtest",
    ),
)
#: Checks that the set-up worked: they come and go with what is set up.
_SET_UP = Late(
    r"\bNoError\(|\b(?:t|b)\.Fatalf?\(.{0,300}\berr\b", needs=("NoError(|b.Fatal(|b.Fatalf(|t.Fatal(|t.Fatalf(",)
)
_LOOSE = Late(
    r"\bassert\s+True\b|expect\(true\)\.toBe\(true\)|assertTrue\(True\)|\bassert\s+1\b|expect\(1\)\.toBe\(1\)|assert!\(true\)|\bXCTAssertTrue\(true\)",
    needs=("XCTAssertTrue(true)|assert|expect(1).toBe(1)|expect(true).toBe(true)", "True|true|1"),
)
#: How what `_TEST_START` matches begins: most lines begin otherwise.
_STARTS_TEST = (
    *("async", "def", "it", "test", "describe", "context", "specify", "scenario", "func", "fn", "public"),
    *("@Test", "@test", "#[test]", "[Fact]", "[Theory]", "[Test", "TEST"),
)
#: How an assertion begins, behind what may stand before it.
_ASSERTS = (
    *("self.assert", "self.fail", "expect(", "expect.", "should.", "pytest.raises", "verify(", "XCTAssert", "#expect"),
    *("$this->assert", "is(", "ok(", "cmp_ok", "EXPECT_", "ASSERT_", "CHECK(", "REQUIRE("),
    *("t.Error", "t.Fatal", "t.Fail", "t.is", "t.true", "t.deepEqual", "t.equal", "t.throws"),
)
_ASSERTS_RAISED = ("pytest.raises", "self.assertRaises")
_BEFORE_ASSERTION = ("await", "return", "yield")
_BEGINS_COMMENT = ("//", "/*", "*/", ";;", "<!--")
#: What marks a test in front of its own line.
_MARKS_TEST = ("@Test", "#[test]", "[")
AND_MORE = " (and "
_IFS = ("if ", "if(", "} else if", "else if")
#: How the line of a definition begins, and the words behind which its name stands.
_DEFINES = (
    *("def ", "async ", "func ", "fn ", "fun ", "pub ", "function ", "export ", "class ", "abstract ", "final "),
    *("struct ", "interface ", "trait ", "enum ", "type ", "public ", "private ", "protected ", "internal ", "static "),
)
_NAMES_NEXT = frozenset(
    ["def", "func", "fn", "fun", "function", "class", "struct", "interface", "trait", "enum", "type", "const"]
)
_MOST_NAMES = 20
#: What a `#` may stand in front of in C, Rust and shell scripts.
_NO_COMMENT = ("[", "!", "include", "define", "if", "endif", "pragma")


def changed_lines(old: str, new: str) -> tuple[list[str], list[str]]:
    """The lines taken out and put in, by multiset: a moved line is neither."""
    before, after = old.splitlines(), new.splitlines()
    return _without(before, after), _without(after, before)


def patch_lines(hunks: "Iterable[dict[str, Any]]") -> tuple[list[str], list[str]]:
    """The same from a `structuredPatch`."""
    out, put = [], []
    for hunk in hunks:
        for line in hunk.get("lines") or ():
            if isinstance(line, str) and line[:1] == "-":
                out.append(line[1:])
            elif isinstance(line, str) and line[:1] == "+":
                put.append(line[1:])
    return _without(out, put), _without(put, out)


def _without(lines: list[str], others: list[str]) -> list[str]:
    left: dict[str, int] = {}
    for key in map(str.strip, others):
        left[key] = left.get(key, 0) + 1
    kept = []
    for line, key in zip(lines, map(str.strip, lines), strict=True):
        if left.get(key):
            left[key] -= 1
        else:
            kept.append(line)
    return kept


def weakening(removed: list[str], added: list[str]) -> str:
    """
    A quote of what this change of a test file gives up: "- assert total == 3", "+ @pytest.mark.skip"; "" if nothing.

    A rewritten assertion (one out, one in) is no weakening, nor is one that makes up for several, nor one less where a
    test more was put in; fewer tests than before are.
    """
    skips = [line for line in _having(_SKIP, added) if not begins_comment(line)]
    tests_out, tests_in = _tests(removed), _tests(added)
    if skips and len(skips) > len(_having(_SKIP, removed)) and len(tests_in) <= len(tests_out):
        return _quote("+", skips[0])
    loose = _having(_LOOSE, added)
    if loose and not _having(_LOOSE, removed):
        return _quote("+", loose[0])
    if len(tests_out) > len(tests_in):
        return _tests_lost(tests_out, tests_in)
    out, put = _assertions(removed), _assertions(added)
    if len(out) - len(put) <= len(tests_in) - len(tests_out):
        return ""
    if put:
        from ace_reflect.evidence.whole_checks import make_up

        if make_up(_conditions(removed), _conditions(added)):
            return ""
    return _quote("-", out[0])


def _tests_lost(out: list[str], put: list[str]) -> str:
    """The first of the tests taken out, and how many more: "- def test_a(): (and 2 more)"."""
    named = [line for line in out if not line.lstrip().startswith(_MARKS_TEST)]
    more = _how_many(out) - _how_many(put) - 1
    quote = _quote("-", (named or out)[0])
    return f"{quote}{AND_MORE}{more} more)" if more > 0 else quote


def _how_many(tests: list[str]) -> int:
    """Where a test is marked and called `test…` as well (`@Test public void testA`), that is one."""
    marks = sum(line.lstrip().startswith(_MARKS_TEST) for line in tests)
    return max(marks, len(tests) - marks)


def _conditions(lines: list[str]) -> list[str]:
    """What is asserted: the line itself, or the `if` above one that only reports (`t.Errorf("got %v", x)`)."""
    found = []
    for place, line in enumerate(lines):
        if _assertions([line]):
            above = lines[place - 1].strip() if place else ""
            found.append(above if above.startswith(_IFS) else line.strip())
    return found


def test_name(line: str) -> str:
    """The name or title of the test that begins on a line; "" where none begins, or it is only marked as one."""
    found = _TEST_START.search(line)
    return next(filter(None, found.groups()), "") if found else ""


def taken_out(removed: list[str], added: list[str]) -> str:
    """
    The names of the functions and classes that this change of code took out, between blanks: "set_command Parser".

    Where as many came as went they may have been renamed, and none is known to be gone.
    """
    if not any(line.lstrip().startswith(_DEFINES) for line in removed):  # most changes
        return ""
    went, came = (dict.fromkeys(filter(None, map(_defined, lines))) for lines in (removed, added))
    gone = [name for name in went if name not in came]
    new = sum(name not in went for name in came)
    return " ".join(gone[:_MOST_NAMES]) if len(gone) > new else ""


def _defined(line: str) -> str:
    text = line.strip()
    if not text.startswith(_DEFINES):
        return ""
    if text.startswith("func ("):  # a method's receiver
        text = f"func{text.partition(')')[2]}"
    head = text.partition("(")[0].replace("<", " ").replace(":", " ").replace("{", " ").split()
    name = next((head[place + 1] for place, word in enumerate(head[:-1]) if word in _NAMES_NEXT), "")
    if not name and "(" in text and head:  # `public static Date parseDate(`
        name = head[-1]
    return name if name.isidentifier() else ""


def _having(pattern: Late, lines: list[str]) -> list[str]:
    if not pattern.may_match("\n".join(lines)):  # all at once: most changes hold nothing of it
        return []
    return [line for line in lines if pattern.search(line)]


def _tests(lines: list[str]) -> list[str]:
    return _which(begins_test, lines)


def _assertions(lines: list[str]) -> list[str]:
    return _which(_asserts, lines)


def _which(wanted: "Callable[[str], bool]", lines: list[str]) -> list[str]:
    return [line for line in lines if wanted(line) and not begins_comment(line) and not _SET_UP.search(line)]


def begins_test(line: str) -> bool:
    return line.lstrip().startswith(_STARTS_TEST) and _TEST_START.search(line) is not None


def _asserts(line: str) -> bool:
    text = line.lstrip()
    for word in _BEFORE_ASSERTION:
        if text.startswith(word):
            text = _behind(text, word)
            break
    if text.startswith(_ASSERTS):
        return True
    if text.startswith(
        "assert"
    ):  # a word by itself, `assert_equal`, `assertThat`, `assert.ok`, `assert!`; no `asserts`
        letter = text[6:7]
        return not letter.isalnum() or "A" <= letter <= "Z"
    if text.startswith("require."):
        return text[8:9].isalnum() or text[8:9] == "_"
    return text[6:7].isspace() if text.startswith("expect") else _behind(text, "with").startswith(_ASSERTS_RAISED)


def _behind(text: str, word: str) -> str:
    """What stands behind a word that the text begins with, and behind the spaces that must follow it; else ""."""
    rest = text[len(word) :]
    return rest.lstrip() if text.startswith(word) and rest[:1].isspace() else ""


def begins_comment(line: str) -> bool:
    """Whether a line begins with what begins a comment in some language."""
    text = line.lstrip()
    first, second = text[:1], text[1:2]
    if first == "#":
        return not text.startswith(_NO_COMMENT, 1)
    if first == "*":
        return second in ("", "/") or second.isspace()
    if first == "%":
        return second.isspace()
    if first == "-":
        return second == "-" and text[2:3].isspace()
    if first == '"':
        text = text.rstrip()
        return len(text) > 5 and text.startswith('"""') and text.endswith('"""') and '"' not in text[3:-3]
    return text.startswith(_BEGINS_COMMENT)


def _quote(sign: str, line: str) -> str:
    return f"{sign} {' '.join(line.split())}"[:MAX_QUOTE]
