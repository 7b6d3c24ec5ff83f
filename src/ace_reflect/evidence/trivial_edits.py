"""
Whether an edit changes anything that runs: blank lines, comments, directives to a linter, docstrings, a version's number
and some imports do not.
"""

from itertools import pairwise

from ace_reflect import regex as re
from ace_reflect.evidence.weakened import begins_comment
from ace_reflect.late import IGNORECASE, Late, folded

#: What `Edit.trivial` says of a change of imports alone.
IMPORTS = "imports"
_LONGEST_LINE = 200  # of imports: a longer line is taken for more


def trivial_change(path: str, removed: list[str], added: list[str]) -> str:
    """
    "blank lines", "comments", "lint directives", "version" or IMPORTS where nothing else was changed; "" otherwise, and where
    no line is known.
    """
    found = _by_lines(removed, added)
    if found:
        return found
    if _is_bump(removed, added):
        return "version"
    if _are_imports(path, removed, added):
        return IMPORTS
    whole = _are_docstrings(added) and (not any(map(str.strip, removed)) or _by_lines(removed, []))
    return "comments" if whole else ""


def _by_lines(removed: list[str], added: list[str]) -> str:
    """
    What the lines tell without the file's name: "blank lines", "comments" or "lint directives".

    A directive (`# noqa`, `//nolint`) is acted on by a linter or a type checker; what runs stays the same.
    """
    changed = removed + added
    if not changed:
        return ""
    if not any(line.strip() for line in changed):
        return "blank lines"
    if all(not line.strip() or _is_comment(line) for line in changed):
        return "" if _puts_aside(added) or _puts_aside(removed) else "comments"
    directives = _WHOLE.may_match("\n".join(changed))
    if not directives and set(map(str.strip, removed)).isdisjoint(map(str.strip, added)):
        return ""  # some line that runs came or went
    return "lint directives" if _bare(removed) == _bare(added) else ""


#: A comment that some tool acts on, which stands at its beginning: `test.go:22` further on is a place in a file. Of
#: annotations those of test runners and compilers, and PHP's, which begin with a capital; `@param` is for readers.
_ACTED_ON = Late(
    r"^\s*(?:#+|/{2,}|/\*+|\*+|-{2,}|;+|%+|<!--|\"\"\")\s*(?:(?:type:|noqa|pragma|eslint|ts-ignore|ts-expect|go:|\+build|nolint|prettier|pylint|mypy|istanbul|c8 |v8 |shellcheck)"
    r"|.{0,30}coding[:=]|@(?:ts-|jest|vitest|flow|jsx|babel|vite|swc|license|preserve|test\b|before|after|dataprovider|depends|covers|group|runin|runtests|requires)|@(?-i:[A-Z]))|__PURE__",
    IGNORECASE,
    needs=(
        "type:|noqa|pragma|eslint|ts-ignore|ts-expect|go:|+build|nolint|prettier|pylint|mypy|istanbul|c8 |v8 |coding|shellcheck|@|__pure__",
    ),
)
#: A comment that only a linter or a type checker acts on, alone or behind a statement.
_DIRECTIVE = (
    r"(?:#|(?<!/)//+|/\*)\s*(?:noqa|nolint|nosec|type: ignore|pyright: ignore|pylint:|mypy:|ruff:|eslint-(?:disable|enable)|tslint:|biome-ignore|prettier-ignore"
    r"|@ts-(?:ignore|expect-error)|NOSONAR|rubocop:|swiftlint:|ktlint-|shellcheck disable|stylelint-|pragma: no cover)"
)
_WHOLE = Late(
    rf"^\s*{_DIRECTIVE}",
    needs=(
        "@ts-expect-error|@ts-ignore|NOSONAR|biome-ignore|eslint-disable|eslint-enable|ktlint-|mypy:|nolint|noqa|nosec|pragma: no cover|prettier-ignore|pylint:|pyright: ignore|rubocop:|ruff:|shellcheck disable|stylelint-|swiftlint:|tslint:|type: ignore",
    ),
)
_TRAILING = Late(
    rf"(?<!\s)\s*{_DIRECTIVE}[^\"']*$",
    needs=(
        "@ts-expect-error|@ts-ignore|NOSONAR|biome-ignore|eslint-disable|eslint-enable|ktlint-|mypy:|nolint|noqa|nosec|pragma: no cover|prettier-ignore|pylint:|pyright: ignore|rubocop:|ruff:|shellcheck disable|stylelint-|swiftlint:|tslint:|type: ignore",
    ),
)


def _puts_aside(lines: list[str]) -> bool:
    """Whether they open a comment and close it with nothing between: what it puts aside stands between them, unchanged."""
    plain = [line.strip() for line in lines]
    return any(first in ("/*", "<!--") and last in ("*/", "-->") for first, last in pairwise(plain))


def _bare(lines: list[str]) -> list[str]:
    """The lines that run, without directives, in an order that does not depend on theirs."""
    kept = (line for line in lines if line.strip() and not _is_comment(line) and not _WHOLE.match(line))
    return sorted(_TRAILING.sub("", line).rstrip() for line in kept)


def _is_comment(line: str) -> bool:
    """
    A whole-line comment that no tool acts on (`# type: ignore`, `// eslint-disable`, `//go:build` are acted on).

    What stands behind a `*/` runs, also where that is a pattern of files in a comment: it ends there.
    """
    return begins_comment(line) and "*/" not in line.rstrip()[:-2] and not _ACTED_ON.search(line)


def _are_docstrings(lines: list[str]) -> bool:
    """
    Whether lines hold nothing but whole docstrings of several lines, and blanks between them.

    One with a `>>>` in it may be run as a test. A string that is an argument or a value ends in more than its quotes.
    """
    quotes = ""
    found = False
    for line in map(str.strip, lines):
        opens = not quotes and line[:3] in _QUOTES
        if (line and not quotes and not opens) or ">>>" in line:
            return False
        quotes = line[:3] if opens else quotes
        text = line[3:] if opens else line
        if quotes and quotes in text:
            if not text.endswith(quotes) or text.count(quotes) > 1:
                return False
            quotes, found = "", True
    return found and not quotes


_QUOTES = ('"""', "'''")
_NUMBER = Late(r"(?<!\d)\d+\.\d+(?:\.\d+)?[\w.+-]{0,40}", needs=(".",))


def _is_bump(removed: list[str], added: list[str]) -> bool:
    """Whether nothing but the number of a version was changed: `__version__ = "1.4.0"`."""
    if not removed or len(removed) != len(added) or not all("version" in folded(line) for line in removed):
        return False
    changed = (_NUMBER.sub("", old) == _NUMBER.sub("", new) != old for old, new in zip(removed, added, strict=True))
    return all(changed)


#: By a file's suffix a line that names what a compiler looks up, and runs nothing: `import './style.css'`, `pub use` and
#: Go's `_ "driver"` do more, and so does each import of an interpreter.
_JVM = r"import (?:static )?[\w.]+(?:\.\*|\.\{[\w, =>]+\})?(?: as \w+)?;?"
_TS = r"import (?:type )?[\w${}, *]+ from (?P<quote>['\"])[^'\"]+(?P=quote);?"
_IMPORT = {
    **dict.fromkeys(("java", "kt", "scala"), Late(_JVM)),
    **dict.fromkeys(("ts", "tsx", "mts"), Late(_TS)),
    "cs": Late(r"using (?:static )?[\w.]+(?: = [\w.<>]+)?;"),
    "go": Late(r"(?:import )?(?:(?!_ )\w+ )?\"[\w./~-]+\""),
    "rs": Late(r"use [\w:{}, *]+;"),
    "swift": Late(r"import [\w.]+"),
}


def _are_imports(path: str, removed: list[str], added: list[str]) -> bool:
    """
    Whether a change only takes imports of a compiled language out, or only puts some in, comments and blanks aside.

    What is imported from elsewhere than before may do something else: that is for the tests.
    """
    pattern = _IMPORT.get(path.rpartition(".")[2])
    if pattern is None:
        return False
    before, behind = (
        [line.strip() for line in lines if line.strip() and not _by_lines([line], [])] for lines in (removed, added)
    )
    if not all(len(line) < _LONGEST_LINE and pattern.fullmatch(line) for line in before + behind):
        return False
    named, left = (set(re.findall(r"[\w./~@-]+", " ".join(lines))) for lines in (before, behind))
    return bool(before or behind) and (not before or left <= named)
