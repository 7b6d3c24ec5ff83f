"""Git hooks that run tests inside `git commit` and `git push`: pre-commit, lefthook, husky, lint-staged, overcommit."""

from ace_reflect import regex as re
from ace_reflect.evidence.runners.model import Summary, closing
from ace_reflect.evidence.runners.text import Text
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# A hook's name, dots up to the margin, perhaps the reason for skipping it, and the word.
_PRE_COMMIT = Late(
    r"^([\w@][^\n.]{0,100}?)\.{3,150}(?:\(.{1,40}\))?(Passed|Failed|Skipped)$", needs=("Failed|Passed|Skipped",)
)
_LEFTHOOK = Late(r"^ {0,4}(?:(✔️|✅|✔)|(🥊|❌|✗)) {1,2}([\w@][^()]{0,80}?)(?: \([\d.]{1,10} seconds?\))?$")
_LINT_STAGED = Late(r"^\W{0,20}(?:\[(COMPLETED|FAILED)\]|(✔)|([✖×])) {1,2}(\S.{0,200})$")
_HUSKY = Late(
    r"^husky - (?:pre-commit|pre-push|commit-msg) (?:script failed|hook exited with code) ?\(?(?:code )?\d{1,3}",
    needs=("hook exited with code|script failed", "commit-msg|pre-commit|pre-push"),
)
_TESTS = Late(
    r"(?:^|[^a-z])(?:test|tests|pytest|jest|vitest|mocha|rspec|spec|specs|unittest|unittests|phpunit)(?:$|[^a-z])",
    re.IGNORECASE,
    needs=("jest|mocha|phpunit|spec|test",),
)
_NOT_TESTS = Late(
    r"nam(?:ing|e)|should end|lint|format|typecheck|type-check",
    re.IGNORECASE,
    needs=("format|lint|name|naming|should end|type-check|typecheck",),
)


def read(text: Text, hinted: bool) -> "Iterator[Summary]":
    for index, line in text.having(
        "Passed", "Failed", "Skipped", "✔", "🥊", "✅", "❌", "✗", "✖", "×", "[COMPLETED]", "[FAILED]", "husky - "
    ):
        found = _one(line, index, "summary: (done in" in text.whole)
        if found:
            yield found


def _one(line: str, index: int, lefthook: bool) -> Summary | None:
    if match := _PRE_COMMIT.match(line):
        if not _is_tests(match[1]):
            return None
        vacuous = "the hook had no files to check" if match[2] == "Skipped" else ""
        return closing("pre-commit", line, index, failed=match[2] == "Failed", vacuous=vacuous, open_ended=True)
    if lefthook and (match := _LEFTHOOK.match(line)):
        return closing("lefthook", line, index, failed=bool(match[2]), wrapper=True) if _is_tests(match[3]) else None
    if _HUSKY.match(line):
        return closing("husky", line, index, failed=True, wrapper=True)
    if match := _LINT_STAGED.match(line):
        if not _RUNNER.match(match[4]):
            return None
        failed = match[1] == "FAILED" or bool(match[3])
        return closing("lint-staged", line, index, failed=failed, open_ended=True)
    return None


#: A lint-staged task is the command itself.
_RUNNER = Late(
    r"^(?:npx |pnpm (?:exec )?|yarn |bunx? )?(?:jest|vitest|mocha|ava|pytest|npm test|(?:npm|pnpm|yarn|bun) (?:run )?test)\b",
    needs=("ava|bun run test|bun test|jest|mocha|npm run test|npm test|pytest|vitest|yarn run test|yarn test",),
)


def _is_tests(name: str) -> bool:
    return bool(_TESTS.search(name)) and not _NOT_TESTS.search(name)
