"""
What is read by plain string work, because an expression for it would be compiled in every hook, reads as that expression.

The expressions stand here; each is tried on worded cases, on what it matches, and on what nearly is that.
"""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace_reflect.evidence import (
    call_words,
    hints,
    interpreters,
    kinds,
    loops,
    outcome_line,
    shell_facts,
    shell_runs,
    shell_state,
    task_names,
    tool_edits,
    weakened,
)
from ace_reflect.evidence.book import Book
from ace_reflect.evidence.runners import filters
from ace_reflect.evidence.runners import text as printed
from ace_reflect.transcript.tool_names import EDITS

Reading = tuple[Callable[[str], object], Callable[[str], object]]


def searches(expression: str, flags: int = 0) -> Callable[[str], bool]:
    compiled = re.compile(expression, flags)
    return lambda text: compiled.search(text) is not None


def matched_by(expression: str) -> Callable[[str], str]:
    compiled = re.compile(expression)
    return lambda text: match[0] if (match := compiled.match(text)) else ""


COMMENT = (
    r"^\s*(?:#(?!\[|!|include|define|if|endif|pragma)|//|/\*|\*/|\*\s|\*$|--\s|;;|<!--|%\s|\"\"\"[^\"]*\"\"\"\s*$)"
)
TEST_FILE = r"(?:^|/)(?:test_[^/]+|[^/]+_test|tests?|[^/]+[.-](?:test|spec))\.\w+$"
TEST_NAME = (
    r"^(?:(?:test|tests|spec|conftest|setuptests|testhelper|test_helper|spec_helper|rails_helper)$"
    r"|test[_.-]|.*[_.-](?:test|tests|spec|specs|unittest|e2e|cy)$|.*\.steps$|(?:jest|vitest|test|karma)[.-]setup)"
)
CONFIG_SCRIPT = (
    r"^(?:.+\.config\.[cm]?[jt]sx?$|\.\w+rc(?:\.[cm]?js)?$|(?:dockerfile|containerfile|makefile)[.-].+|.+\.dockerfile$)"
)
MANIFEST_NAME = (
    r"^(?:(?:jest|vitest|playwright|cypress|karma|mocha|hardhat|wdio|vite|webpack|rollup|next|nuxt|svelte|astro|tsup)\.config\.[cm]?[jt]s$|\.mocharc"
    r"|.+\.(?:csproj|fsproj|vbproj|sln|slnx|gemspec|podspec|cabal|nimble|rockspec|xcodeproj|xcworkspace)$)"
)
TEMPORARY = (
    r"(?i)^(?:(?:[\\/]private)?[\\/](?:tmp|var[\\/]tmp|var[\\/]folders)(?:[\\/]|$)|[\\/]dev[\\/]|[\\/]proc[\\/]"
    r"|(?:[\\/]mnt|[\\/]cygdrive)?(?:[\\/][a-z]|[a-z]:)[\\/]Te?mp[\\/])|[\\/]AppData[\\/]Local[\\/]Temp[\\/]|[\\/]scratchpad[\\/]"
)
SCRATCH = rf"{TEMPORARY}|^(?:/var/log/|/private/var/|\$\{{?(?:TMPDIR|TMP|TEMP)\b|\$\(mktemp|~/\.cache/|~/\.claude/)"
HOME = r"(?:/home|/Users|/c/Users|[A-Za-z]:[\\/]Users)[\\/][^\\/]+|/root"
HOST_LINE = r"^(?:Shell cwd was reset to |Exit code \d|<system-reminder>|Error: Exit code \d)"
REMOTE = r"(?i)github|gitlab|notion|slack|drive|jira|linear|confluence|browser|playwright|memory"
MCP_EDIT = (
    r"^mcp__.*__(?:write|edit|create_text|create_or_update|append|replace|insert|delete|patch|overwrite|update|apply|rename|move)\w*"
    r"(?:file|lines?|symbol\w*|content|regex|text|body|diff|notebook|cell)\w*$|^mcp__.*__(?:write|edit|str_replace|apply_patch)$"
)

ASSERTION = (
    r"^\s*(?:await\s+|return\s+|yield\s+)?(?:assert\b|self\.assert|self\.fail|expect[\s(.]|expect\.|should\.|assert[A-Z_.!]\w*|t\.(?:Error|Fatal|Fail|is|true|deepEqual|equal|throws)|require\.\w+|"
    r"assert_\w+|pytest\.raises|with\s+(?:pytest\.raises|self\.assertRaises)|verify\(|XCTAssert|#expect|\$this->assert|is\(|ok\(|cmp_ok|EXPECT_|ASSERT_|CHECK\(|REQUIRE\()"
)


def last_part(path: str) -> str:
    return (kinds._parts(path) or [""])[-1].lower()


READINGS: dict[str, Reading] = {
    "a comment's beginning": (weakened.begins_comment, searches(COMMENT)),
    "an assertion": (weakened._asserts, searches(ASSERTION)),
    "a test file that is run": (interpreters._is_test_file, searches(TEST_FILE)),
    "a configuration's script": (kinds._is_config_script, searches(CONFIG_SCRIPT)),
    "a manifest": (
        kinds.is_manifest,
        lambda path: (name := last_part(path)) in kinds._MANIFESTS or searches(MANIFEST_NAME)(name),
    ),
    "a test's stem": (
        lambda stem: kinds._is_test([stem], stem, "py"),
        searches(TEST_NAME),
    ),
    "a temporary file": (kinds.is_temporary, searches(TEMPORARY)),
    "a scratch file": (lambda path: shell_facts._is_scratch(path, None), searches(SCRATCH)),
    "a home folder": (shell_state._home_of, matched_by(HOME)),
    "a drive": (call_words.has_drive, searches(r"^[A-Za-z]:[\\/]")),
    "Python": (call_words.is_python, searches(r"^(?:(?:python|pypy)(?:\d+(?:\.\d+)?t?)?|py)$")),
    "the host's line": (outcome_line._is_hosts, searches(HOST_LINE)),
    "a command behind a cd": (
        lambda text: loops._without_cd(" ".join(text.split())),
        lambda text: re.sub(r"^cd [^\s;&|]+ && ", "", " ".join(text.split())),
    ),
    "an editing tool": (
        tool_edits.is_edit,
        lambda name: name in EDITS or (not searches(REMOTE)(name) and searches(MCP_EDIT)(name)),
    ),
}

WORDED: dict[str, list[str]] = {
    "a comment's beginning": [
        "# a", "#include <x>", "#!/bin/sh", "#[test]", "  // a", "/* a", "*/", "* a", "*", "*a", "-- a", "--a", "-", ";; a", "; a", "<!-- a",
        "% a", "%a", '"""doc"""  ', '"""doc', '"""a"b"""', '"""""', '""""""', "", "x = 1  # a", "#\tifx",
    ],
    "an assertion": [
        "assert x", "  assert", "asserts", "assert_equal 1", "assertThat(x)", "assert.ok", "assert!(x)", "assertörer", "assertÄ", "assert1", "assert(x)",
        "await expect(x)", "await assert x", "awaits expect(x)", "await return expect(x)", "return t.is(x)", "yield  require.Equal", "expect (x)", "expect", "expects",
        "expected(x)", "expect.soft", "with pytest.raises(E):", "with  self.assertRaises(E):", "withpytest.raises", "with open(x)", "pytest.raises(E)", "require.x",
        "require._x", "require.", "require(x)", "t.Errorf", "t.isnt", "t.run", "verify(x)", "verifying", "is(a, b)", "$this->assertSame", "#expect(x)", "CHECK(x)", "CHECKS",
        "self.assertEqual(", "self.fail(", "should.equal", "XCTAssertTrue(x)", "is(1, 1)", "ok(1)", "cmp_ok(", "EXPECT_EQ(", "ASSERT_EQ(", "REQUIRE(x)",
        "\x1cassert x", "\u00a0assert x", "return", "await", "with",
    ],
    "a test file that is run": [
        "test_a.py", "a/test_.py", "tests/run.js", "a_test.rb", "_test.rb", "test.js", "tests.ts", "a.spec.ts", ".spec.ts", "a-test.mjs", "latest.py",
        "test_a", "a/test.py/b.py", "a.test.", "a.test.j-s",
    ],
    "a configuration's script": [
        "vite.config.ts", ".config.ts", "a.config.config.mjs", "a.config.json", ".eslintrc", ".eslintrc.cjs", ".eslintrc.cjs.js", ".eslintrc.json", ".rc",
        ".xrc", ".a-rc", "dockerfile.dev", "dockerfile.", "makefile-x", "dev.dockerfile", ".dockerfile", "arch.py", ".x.config.js",
    ],
    "a manifest": [
        "jest.config.js", "jest.config.jsx", "wdio.config.cts", "my.jest.config.js", ".mocharc", ".mocharc.yml", "a.csproj", ".csproj", "x.config.sln",
        "package.json", "readme.md",
    ],
    "a test's stem": [
        "test", "tests", "tested", "test_a", "test-a", "test.a", "a_test", "_test", "attest", "a.specs", "a-e2e", "ae2e", "a.cy", "fancy", "x.steps",
        "steps", "jest.setup", "jest-setup.more", "karmasetup", "conftest", "spec_helper", "spec_helpers",
    ],
    "a temporary file": [
        "/tmp", "/tmp/a", "/TMP/a", "/tmpfiles/a", "/private/tmp/a", "/private/private/tmp/a", "/private/dev/null", "/var/tmp", "/var/tmpx", "/var/folders/a/b",
        "/dev/null", "/proc/1", "/home/a/tmp/b", "C:\\Temp\\a", "c:/tmp/a", "/mnt/c/Temp/a", "C:\\Users\\a\\AppData\\Local\\Temp\\x", "/c/Users/a/tmp/x",
    ],
    "a scratch file": [
        "/tmp/a", "/tmp", "/private/tmp/x", "/private/var/x", "/var/log/x", "/var/lib/x", "$TMPDIR/x", "${TMP}/x", "$TEMPLATES/x", "$TMP", "$TMP_A", "${TEMP:-x}",
        "$(mktemp -d)/x", "$HOME/x", "~/.cache/x", "~/.claude/x", "~/x", "C:\\Users\\a\\appdata\\local\\temp\\x", "/x/claude-1/a/b/scratchpad/c",
        "/x/scratch/c", "/x/Claude/a/b/Scratchpad/c",
    ],
    "a home folder": [
        "/home/anna/app", "/home/anna", "/home/", "/home", "/homes/a", "/Users/a/b", "/c/Users/a", "C:\\Users\\a\\b", "C:/Users/a", "C:/Usersx/a", "/root" + "/a",
        "/rootless", "/srv/a", "", "/home\\a/b",
    ],
    "a drive": ["C:/x", "c:\\x", "C:x", "1:/x", "é:/x", "", ":/", "/c/x"],
    "Python": ["python", "python3", "python3.12", "python3.13t", "py", "pypy", "pypy3.10", "pytest", "python-config", "pyright", "py3", ""],
    "the host's line": [
        "Exit code 1", "Exit code x", "Error: Exit code 127", "Error: Exit", "<system-reminder>", " <system-reminder>", "Shell cwd was reset to /x", "Shell cwd",
    ],
    "a command behind a cd": ["cd a && b", "cd a b && c", "cd && b", "cd a;b && c", "cd a && b && c", "cda && b", "cd a  &&  b", "cd a &&", "x && cd a && b"],
    "an editing tool": [
        "Edit", "mcp__serena__replace_symbol_body", "mcp__fs__write_file", "mcp__fs__write", "mcp__github__create_or_update_file", "mcp__fs__read_file",
        "mcp__x__edit", "mcp__GitHub__edit", "mcp__a__b__apply_patch", "write_file",
    ],
}  # fmt: skip


@pytest.mark.parametrize("what", READINGS)
def test_worded_cases_read_as_the_expression_does(what: str) -> None:
    ours, expression = READINGS[what]
    cases = WORDED[what]
    assert {case: ours(case) for case in cases} == {case: expression(case) for case in cases}


@pytest.mark.parametrize("what", READINGS)
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_what_nearly_is_a_worded_case_reads_as_the_expression_does(what: str, data: st.DataObject) -> None:
    ours, expression = READINGS[what]
    pieces = st.sampled_from(WORDED[what])
    text = (
        data.draw(pieces)
        + data.draw(st.sampled_from(["", "/", ".", "_", "-", " ", "a", "1", "\\"]))
        + data.draw(pieces)
    )
    start = data.draw(st.integers(0, len(text)))
    text = text[start : data.draw(st.integers(start, len(text)))]
    assert ours(text) == expression(text), text


@pytest.mark.parametrize(
    ("name", "stem_is_test"),
    [("test.sh", True), ("test.PY", True), ("test.md", False), ("test", False), (".sh", False), ("test.sh.txt", False)],
)
def test_a_scripts_ending_is_known_in_any_case(name: str, stem_is_test: bool) -> None:
    assert (task_names.meanings_of_script(f"/x/y/{name}", ())[0].kind == "test") is stem_is_test


PREFIXED = [
    "[test:unit] a", "[0] a", "[INFO] a", "[@scope/pkg]: a", "[a]b", "api:test: a", "a.py:12:3: error", "packages/api test: a", "packages/api type-check$ a",
    ". lint: a", "x test: ", "x testing: a", "@s/p: a", "web-1  | a", "web | a", "job\tstep\t2024-01-02T03:04:05.123Z a", "ok  \tpkg\t0.1s", "#12 3.4 a",
    "# a", "┃  a", "│ a", "a | b", "a: b", "a b: c", "12:03:04: a",
    "web:test | a", "@s/p:e2e  | a", "[10:02:14]: ▸ a", "[10:02:14]: a", "▸ a",
]  # fmt: skip


#: All that is known for a prefix, in one: the first branch that fits has it.
PREFIX = re.compile(
    r"""
      ()\[\d\d:\d\d:\d\d\]:[ ](?:▸[ ])?
    | \[(?!(?:[A-Z_]+|info|error|warn|debug|success|fatal)\])(?=[@\w./:#=-]{0,79}[a-z\d])([@\w./:#=-]{1,80})\]:?[ ]
    | ([@\w./-]{1,80}:(?=[A-Za-z@_])[\w./:@-]{1,80}):[ ]
    | ((?:\.|[@\w][@\w./-]{0,80})[ ](?:test|check|lint|build|typecheck|type-check|verify|ci|spec|e2e)(?::[\w-]{1,40})?)[:$][ ]
    | (@[\w.-]{1,60}/[\w.-]{1,60}):[ ]
    | ([\w.-]{1,60}[-_]\d{1,3}|[@\w./-]{1,80}:[A-Za-z][\w-]{0,60})[ ]{1,20}\|[ ]
    | ([^\t]{1,80})\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT[\d:.]{8,20}Z[ ]
    | (\#\d{1,4})[ ]\d{1,6}\.\d{1,6}[ ]
    | ()(?:[┃│][ ]{1,4}|▸[ ])
    """,
    re.VERBOSE,
)


def prefix(match: "re.Match[str] | None") -> tuple[str, str] | None:
    return match and (match[0], next((name for name in match.groups() if name), ""))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(PREFIXED), st.text(alphabet="a1: |\t[]#@$.Z", max_size=4), st.integers(0, 3))
def test_each_kind_of_prefix_is_asked_where_the_line_may_have_it(line: str, more: str, at: int) -> None:
    line = line[:at] + more + line[at:]
    assert prefix(printed._prefix(line)) == prefix(PREFIX.match(line)), line


@pytest.mark.parametrize("line", PREFIXED)
def test_worded_lines_lose_the_same_prefix(line: str) -> None:
    assert prefix(printed._prefix(line)) == prefix(PREFIX.match(line))


@settings(max_examples=300, deadline=None)
@given(st.from_regex(PREFIX))
def test_whatever_has_a_prefix_is_looked_at(line: str) -> None:
    assert prefix(printed._prefix(line)) == prefix(PREFIX.match(line))


@given(st.text(alphabet="0123456789af-x ²٣", max_size=60))
def test_no_long_number_is_passed_over(text: str) -> None:
    assert loops._NUMBERS.search(text) is None or loops._may_hold_numbers(text)


@pytest.mark.parametrize(
    "text", ["sleep 1700000000", "rm 0f8fad5b-d9cd-469f-a165-70867728950e", "x abcdefab-abcd-abcdefabcdefabcdefabcd", "٣٣٣٣٣٣٣٣٣"]
)  # fmt: skip
def test_long_numbers_are_made_alike(text: str) -> None:
    assert "N" in loops.normalised(text)


TEST_LINES = [
    "def test_a():", "  async def test_b( self ):", "it('works', () => {", 'it.each([1])("a", x)', "test 'words' do", "func TestA(t *testing.T) {", "fn test_a() {",
    "@Test", "#[test]", "[Fact]", "[TestMethod]", "public void testA() {", '@test "a" {', 'test "a" do', "TEST(A, b) {", "TEST_F(A, b)", "scenario('x'",
]  # fmt: skip


@pytest.mark.parametrize("line", TEST_LINES)
def test_the_beginnings_hold_every_test(line: str) -> None:
    assert weakened._TEST_START.search(line) is None or line.lstrip().startswith(weakened._STARTS_TEST)


@settings(max_examples=300, deadline=None)
@given(st.from_regex(re.compile(weakened._TEST_START.source)))
def test_the_beginnings_hold_whatever_the_expression_matches(line: str) -> None:
    assert line.lstrip().startswith(weakened._STARTS_TEST), line


@settings(max_examples=300, deadline=None)
@given(st.from_regex(re.compile(ASSERTION)))
def test_whatever_the_expression_matches_is_an_assertion(line: str) -> None:
    assert weakened._asserts(line), line


MANIFEST = re.compile(
    r"(?<![\w.@~/-])/*((?:[\w.@~-]+/)*(?:[\w.-]+\.(?:csproj|sln|fsproj)|package\.json|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|pytest\.ini|conftest\.py|requirements[\w-]*\.txt|Pipfile|Cargo\.toml|go\.(?:mod|work)|"
    r"pom\.xml|build\.gradle(?:\.kts)?|Makefile|[Jj]ustfile|Taskfile\.ya?ml|\.?mise\.toml|composer\.json|Gemfile|Rakefile|mix\.exs|Package\.swift|pubspec\.yaml|deno\.jsonc?|"
    r"CMakeLists\.txt|build\.zig|build\.sbt|tsconfig\.json|pnpm-workspace\.yaml|turbo\.json|nx\.json|"
    r"(?:jest|vitest|playwright|cypress|karma|mocha|hardhat|wdio|vite|webpack|rollup|next|nuxt|svelte|astro|tsup)\.config\.[cm]?[jt]s|phpunit\.xml(?:\.dist)?|bun\.lockb?|pnpm-lock\.yaml|yarn\.lock|package-lock\.json|uv\.lock|poetry\.lock))(?![\w/-])"
)
LISTINGS = [
    "a/package.json", "./package.json:12:", "//x//package.json", "/srv/app/pyproject.toml", "package.json.orig", "package.json-old", "package.json@1",
    "package.json.d/Makefile", "package.json.d/other", "my-package.json", "requirements-dev.txt", "requirements.txt", "requirements.dev.txt", "xrequirements.txt",
    "App.csproj", ".csproj", "a@b.csproj", "setup.py.csproj", "a.sln.b.fsproj", "build.gradle.kts", "build.gradle.kts.bak", ".mise.toml", "x.mise.toml",
    "jest.config.cjs", "jest.config.jsx", "vite.config.ts~", "nuxt.config.ts", "tailwind.config.js", "go.mod go.work", "'Makefile'", "Makefiles", "justfile\nJustfile", "bun.lockb", "yarn.lock|uv.lock",
    "(tsconfig.json)", "~/x/nx.json", "a b/turbo.json", "phpunit.xml.dist", "phpunit.xml.x", "nothing here.json",
]  # fmt: skip


def manifests(text: str) -> list[str]:
    book = Book(None, None)
    hints.from_paths(book, text)
    return list(book.files_seen)


@pytest.mark.parametrize("text", LISTINGS)
def test_worded_listings_name_the_same_manifests(text: str) -> None:
    assert manifests(text) == list(dict.fromkeys(MANIFEST.findall(text)))


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from(LISTINGS), min_size=1, max_size=3),
    st.sampled_from(["", " ", "/", ".", "-", "\n", "@", "~", "x"]),
)
def test_joined_listings_name_the_same_manifests(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    assert manifests(text) == list(dict.fromkeys(MANIFEST.findall(text))), text


@settings(max_examples=200, deadline=None)
@given(st.from_regex(MANIFEST))
def test_no_manifest_is_passed_over(text: str) -> None:
    assert manifests(text) == list(dict.fromkeys(name[:300] for name in MANIFEST.findall(text)))


STARTERS = (
    r"^(?:\.{0,2}/\S+|[^\s/]+/\S+\.(?:sh|py|js|mjs|ts|rb|pl|bash)|(?:bash|sh|zsh|python[\d.]*|node|ruby|deno|bun|npx?|npm|pnpm|yarn|make|just|task|mise|invoke|inv|rake|tox|nox|docker|podman|"
    r"vagrant|ssh|earthly|dagger|act|nx|turbo|lerna|moon|pants|bazel|buck2?|composer|mvn|gradle|gradlew|sbt|lein|mix|rebar3|\S+\.sh)$)"
)


@pytest.mark.parametrize(
    "program",
    ["./x", "../x", ".../x", "/x", "/", "./", "ci/a.sh", "ci/.sh", "ci/a.python", "ci/a", "a.sh", ".sh", "make", "makes", "python", "python3.12", "python3-config",
     "buck2", "np", "my ./x", "./my x", "a b.sh", "make x", " make", "", "x/y/z.rb"],
)  # fmt: skip
def test_programs_that_start_others(program: str) -> None:
    assert shell_runs._runs_others(program) == (re.match(STARTERS, program) is not None)


@pytest.mark.parametrize(
    "word", ["-5", "-n5", "-n+5", "--lines=5", "--lines5", "-+5", "-n", "--5", "-x5", "-1234567", "-٣", "5", "--lines=", "-5x", ""]
)  # fmt: skip
def test_the_lines_that_head_and_tail_let_through(word: str) -> None:
    match = re.search(r"^-(?:n|-lines=?)?\+?(\d{1,6})$", word)
    assert filters._count(word) == (int(match[1]) if match else None)


LOST_COLOUR = r"\[\d{1,3}(?:;\d{1,3}){0,4}m"


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="[]019;mx ٣", max_size=24))
def test_no_lost_colour_is_passed_over(output: str) -> None:
    sieve = any(f"[{digit}" in output for digit in range(10))
    assert not sieve or re.search(LOST_COLOUR, output) is None or printed._may_hold_colours(output)


REMOTES = [
    "To github.com:me/app.git", "From https://gitlab.com/a/b/c", "origin\tgit@github.com:me/app.git (fetch)", "remote: Visit https://github.com/me/app/pull/new/x",
    "remote:   https://codeberg.org/a/b", "  To github.com:me/app", "Totally github.com:me/app", "upstream  https://user@bitbucket.org/a/b.git", "origin /srv/git/app.git",
    "To ssh://git@ssh.dev.azure.com/v3/a/b/c", "a\nTo git.sr.ht:~me/app", "github.com/me/app\nFrom here", "remote: see\nhttps://github.com/me/app",
]  # fmt: skip
REMOTE_LINE = r"(?m)^(?:To|From|origin|upstream|remote:\S*(?:[ \t]+\S+){0,30}?)[ \t]+(?:https?://|ssh://|git@)?(?:[^@\s/]{1,100}@)?(?P<host>[\w.-]{0,100}(?:github|gitlab|bitbucket|codeberg|gitea|dev\.azure|sr\.ht)[\w.-]{0,100})[:/](?P<path>[\w.~-]+/[\w./-]+)"


@pytest.mark.parametrize("output", [*REMOTES, "\n".join(REMOTES), "\n".join(reversed(REMOTES))])
def test_a_remote_is_known_by_the_line_that_git_prints(output: str) -> None:
    book = Book(None, None)
    hints.from_shell_output(book, output)
    match = re.search(REMOTE_LINE, output)
    host = (book.top["forge_remote"] or "").partition("/")[0]
    assert host == (match["host"] if match else "")
