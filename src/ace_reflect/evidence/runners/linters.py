"""Linters, formatters and type checkers, by the line with which they close."""

from ace_reflect.evidence.runners.model import Summary, Tally, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

#: `bad` counts what makes the tool fail; a line without it speaks by `good` or `ill`.
_LINES = tuple(
    (name, Late(pattern, needs=needs))
    for name, pattern, needs in (
        (
            "eslint",
            r"^✖ \d{1,6} problems? \((?P<bad>\d{1,6}) errors?, \d{1,6} warnings?\)",
            (" problem (| problems (", " error, | errors, "),
        ),
        (
            "eslint",
            r"^ESLint found too many warnings|(?P<ill>^Oops! Something went wrong! :\()",
            ("ESLint found too many warnings|Oops! Something went wrong! :(",),
        ),
        ("ruff", r"^(?P<good>All checks passed!)$", ("All checks passed!",)),
        (
            "ruff",
            r"^Found (?P<bad>\d{1,6}) errors?(?: \((?P<fixed>\d{1,6}) fixed, (?P<left>\d{1,6}) remaining\))?\.$",
            (" error", "Found "),
        ),
        (
            "ruff",
            r"^(?P<bad>\d{1,6}) files? would be reformatted|^(?P<ill>Would reformat: \S)",
            (" file would be reformatted| files would be reformatted|Would reformat: ",),
        ),
        (
            "ruff",
            r"^(?P<good>\d{1,6} files? (?:already formatted|left unchanged|reformatted))",
            (
                " file already formatted| file left unchanged| file reformatted| files already formatted| files left unchanged| files reformatted",
            ),
        ),
        (
            "mypy",
            r"^(?P<good>Success: no issues found) in \d",
            ("Success: no issues found in ",),
        ),
        ("mypy", r"^Found (?P<bad>\d{1,6}) errors? in \d{1,6} files?", (" file", "Found ")),
        (
            "pyright",
            r"^(?P<bad>\d{1,6}) errors?, \d{1,6} warnings?, \d{1,6} (?:informations?|notes?)",
            (" error, | errors, ", " information| note"),
        ),
        ("ty", r"^Found (?P<bad>\d{1,6}) diagnostics?$", (" diagnostic", "Found ")),
        ("black", r"^(?P<good>All done! ✨ 🍰 ✨)|^(?P<ill>Oh no! 💥 💔 💥)", ("All done! ✨ 🍰 ✨|Oh no! 💥 💔 💥",)),
        (
            "isort",
            r"^(?P<ill>ERROR: \S{1,300} Imports are incorrectly sorted)",
            (" Imports are incorrectly sorted", "ERROR: "),
        ),
        ("pylint", r"^Your code has been rated at (?P<ten>10\.00)?", ("Your code has been rated at ",)),
        ("biome", r"^Found (?P<bad>\d{1,6}) errors?\.$", ("Found ", " error.| errors.")),
        ("biome", r"^(?P<good>Checked \d{1,6} files? in )", ("Checked ", " file in | files in ")),
        (
            "oxlint",
            r"^Found \d{1,6} warnings? and (?P<bad>\d{1,6}) errors?\.$",
            ("Found ", " warning and | warnings and "),
        ),
        (
            "prettier",
            r"^(?P<good>All matched files use Prettier code style!)|^(?P<ill>\[warn\] Code style issues (?:found|in))",
            ("All matched files use Prettier code style!|[warn] Code style issues found|[warn] Code style issues in",),
        ),
        ("golangci-lint", r"^(?P<bad>\d{1,6}) issues?[.:]$", (" issue.| issue:| issues.| issues:",)),
        ("clippy", r"^error: could not compile .{0,200}(?P<ill>due to)", ("error: could not compile ", "due to")),
        (
            "rubocop",
            r"^\d{1,6} files? inspected, (?:(?P<good>no)|(?P<bad>\d{1,6})) offenses? detected(?:, (?P<fixed>\d{1,6}) offenses? corrected)?",
            (" file inspected, | files inspected, ", " offense detected| offenses detected"),
        ),
        (
            "phpstan",
            r"^ *\[(?:(?P<good>OK)\] No errors|ERROR\] Found (?P<bad>\d{1,6}) errors?)",
            ("ERROR] Found |OK] No errors",),
        ),
        ("psalm", r"^(?P<bad>\d{1,6}) errors? found$|^ *(?P<good>No errors found!)", (" error found| errors found",)),
        (
            "stylelint",
            r"^(?P<bad>\d{1,6}) problems? \(\d{1,6} errors?, \d{1,6} warnings?\)$",
            (" problem (| problems (", " warning)| warnings)"),
        ),
        (
            "svelte-check",
            r"^svelte-check found (?P<bad>\d{1,6}) errors? and \d{1,6} warnings?",
            ("svelte-check found ", " warning"),
        ),
        (
            "flutter analyze",
            r"^(?P<good>No issues found!)|^(?P<bad>\d{1,6}) issues? found\.",
            (" issue found.| issues found.|No issues found!",),
        ),
        ("deno lint", r"^Found (?P<bad>\d{1,6}) problems?$", ("Found ", " problem")),
        (
            "swiftlint",
            r"^Done linting! Found \d{1,6} violations?, (?P<bad>\d{1,6}) serious in ",
            (" serious in ", "Done linting! Found "),
        ),
        (
            "credo",
            r"^.{0,80}found (?P<good>no issues)\.$|^(?P<ill>\d{1,6} mods/funs, found [1-9]\d{0,5} )",
            (" mods/funs, found |found no issues.",),
        ),
        ("tsc", r"^\S.{0,250}(?:\(\d{1,7},\d{1,5}\)|:\d{1,7}:\d{1,5}) ?[:-] (?P<ill>error TS\d{3,5})", ("error TS",)),
        (
            "terraform",
            r"^(?P<good>Success! The configuration is valid)|^(?:│ )?(?P<ill>Error: (?:Unsupported (?:argument|block type|attribute)|Missing required argument|Reference to undeclared|Invalid (?:expression|resource type|block definition)))",
            (
                "Error: Invalid block definition|Error: Invalid expression|Error: Invalid resource type|Error: Missing required argument|Error: Reference to undeclared|Error: Unsupported argument|Error: Unsupported attribute|Error: Unsupported block type|Success! The configuration is valid",
            ),
        ),
        ("shellcheck", r"^In \S{1,300} line \d{1,7}:(?P<ill>)$", (" line ", "In ")),
        ("flake8", r"^\S{1,300}\.py:\d{1,7}:\d{1,5}: (?P<ill>[A-Z]{1,3}\d{2,4}) ", (".py:",)),
        (
            "shellcheck",
            r"^ {2}(?P<ill>https://www\.shellcheck\.net/wiki/SC\d{4} -- )",
            ("https://www.shellcheck.net/wiki/SC",),
        ),
        (
            "ansible-lint",
            r"^(?:Passed: (?P<good>0)|(?:Failed|Passed): (?P<bad>\d{1,6})) failure\(s\), \d{1,6} warning\(s\)",
            ("Failed: |Passed: ", " failure(s), "),
        ),
        ("pyrefly", r"^ ?INFO (?P<bad>\d{1,6}) errors?\b(?! shown)", ("INFO ", " error")),
        ("flow", r"^Found (?P<bad>\d{1,6}) errors?$", ("Found ", " error")),
        ("srb", r"^(?P<good>No errors! Great job\.)|^Errors: (?P<bad>\d{1,6})$", ("No errors! Great job.|Errors: ",)),
        ("tflint", r"^(?P<bad>\d{1,6}) issue\(s\) found:", (" issue(s) found:",)),
        ("markdownlint", r"^Summary: (?P<bad>\d{1,6}) error\(s\)", ("Summary: ", " error(s)")),
        # since 0.21 with the warnings: what is counted need not be errors, but none is none
        ("markdownlint", r"^Summary: (?P<good>0 issues) in 0 files", ("Summary: 0 issues in 0 files",)),
        (
            "vale",
            r"^[✔✖] (?P<bad>\d{1,6}) errors?, \d{1,6} warnings? and \d{1,6} suggestions? in \d{1,6} files?",
            (" error, | errors, ", " suggestion in | suggestions in "),
        ),
        ("tsc", r"^(?P<ill>Errors {2}Files)$", ("Errors", "Files")),  # the table below `--pretty`
        (
            "helm",
            r"^(?:Error: )?\d{1,5} chart\(s\) linted, (?P<bad>\d{1,5}) chart\(s\) failed",
            (" chart(s) linted, ",),
        ),
        (
            "kubeconform",
            r"^Summary: \d{1,6} resources? found .{1,80}Invalid: (?P<bad>\d{1,6}), Errors: 0,|^Summary: .{1,100}(?P<ill>Errors: [1-9])",
            ("Summary: ", "Errors: "),
        ),
        ("gofmt", r"^(?P<ill>diff (?:-u )?\S{1,300}\.go\.orig )", (".go.orig ", "diff ")),
    )
)
_PRE_COMMIT = Late(r"^[\w@][^\n.]{0,100}?\.{3,150}(?:\(.{1,40}\))?(Passed|Failed)$", needs=("Failed|Passed",))


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    lines = tuple((tool, pattern) for tool, pattern in _LINES if pattern.may_match(text.whole))
    if not lines and not _PRE_COMMIT.may_match(text.whole):
        return
    for index, line in enumerate(text.lines):
        if not line or len(line) > 500:
            continue
        for tool, pattern in lines:
            if match := pattern.match(line):
                yield _verdict(tool, match, line, index)
                break
        else:
            if match := _PRE_COMMIT.match(line):
                yield closing("pre-commit", line, index, failed=match[1] == "Failed", open_ended=True)


def _verdict(tool: str, match: "re.Match[str]", line: str, index: int) -> Summary:
    named = match.groupdict()
    count = named.get("left") or named.get("bad")
    if count is not None:
        left = int(count) - (int(named.get("fixed") or 0) if "left" not in named else 0)
        return closing(tool, line, index, Tally(failed=left), failed=left > 0, passed=left == 0)
    failed = (
        named.get("ill") is not None
        or (tool == "pylint" and named.get("ten") is None)
        or line.startswith("ESLint found too many")
    )
    return closing(tool, line, index, failed=failed)
