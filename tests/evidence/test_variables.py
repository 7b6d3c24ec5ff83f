"""What a run was limited to where the line leaves a variable, a pattern or a loop's value in its words."""

import pytest

from ace_reflect.evidence.commands import Command, classify


def run(command: str) -> Command:
    return next(found for found in classify(command, "/home/dev/repo") if found.kind in ("test", "push"))


@pytest.mark.parametrize(
    "command",
    [
        "npm --prefix $DIR test",
        'make -C "$ROOT/native" test',
        "for p in api web; do npm --prefix packages/$p test || exit 1; done",
        "for d in packages/*; do (cd $d && npm test) || exit 1; done",
        "cd packages/* && npm test",
        "ls -d packages/*/ | xargs -I{} npm --prefix {} test",
        "ls packages | xargs -I% npm --prefix packages/% test",
    ],
)
def test_a_folder_that_the_line_does_not_settle_is_unknown(command: str) -> None:
    assert run(command).cwd is None


@pytest.mark.parametrize(
    ("command", "cwd"),
    [
        ("npm --prefix packages/api test", "/home/dev/repo/packages/api"),
        ("P=packages/api; npm --prefix $P test", "/home/dev/repo/packages/api"),
        ("for p in api; do npm --prefix packages/$p test; done", "/home/dev/repo/packages/api"),
        ("npm --prefix ~/repo/web test", "/home/dev/repo/web"),
        ('cd "app/[slug]" && npm test', "/home/dev/repo/app/[slug]"),
        ('git -C "$OTHER" push', "$OTHER"),  # not shown to be this repository
    ],
)
def test_a_folder_that_is_settled_is_known(command: str, cwd: str) -> None:
    assert run(command).cwd == cwd


@pytest.mark.parametrize(
    ("command", "targets"),
    [
        ("for p in core web; do pytest packages/$p -q || exit 1; done", ("packages/core", "packages/web")),
        ("for f in a b; do npx jest src/${f}.test.ts; done", ("src/a.test.ts", "src/b.test.ts")),
        ("pytest packages/$p/tests", ("packages",)),
        ("pytest packages/*/tests", ("packages",)),
        ("npx jest packages/{a,b}/src", ("packages",)),
        ("npx mocha 'test/**/*.spec.js'", ("test/**/*.spec.js",)),
        ("pytest tests/*.py", ("tests/*.py",)),
        ("pytest packages/core/tests", ("packages/core/tests",)),
        ("pytest $TESTS", ("$TESTS",)),
        ("dotnet test /p:CollectCoverage=true", ()),
        ("dotnet test /src/App.Tests", ("/src/App.Tests",)),
    ],
)
def test_a_path_ends_where_it_is_no_longer_known(command: str, targets: tuple[str, ...]) -> None:
    assert run(command).targets == targets


@pytest.mark.parametrize(
    ("command", "selected"),
    [
        ("for p in api web; do npm test -w packages/$p || exit 1; done", "-w packages/api -w packages/web"),
        ("pnpm --filter @acme/$PKG test", "--filter $PKG"),
        ("pnpm --filter=@acme/$PKG test", "--filter=$PKG"),
        ("ls packages | xargs -I{} npm test -w packages/{}", "-w $_"),
        ("pnpm --filter @acme/api test", "--filter @acme/api"),
        ('pytest "tests/a.py::test_x[$p]"', "::test_x[$p]"),
        ("go test -run 'TestA$' ./a", "-run TestA$"),
    ],
)
def test_a_package_that_is_not_known_is_not_named(command: str, selected: str) -> None:
    assert run(command).selected == selected


@pytest.mark.parametrize(
    ("command", "kinds", "targets"),
    [
        ("for s in lint typecheck test; do npm run $s || exit 1; done", ["lint", "typecheck", "test"], ()),
        ("for tool in ruff mypy pytest; do uv run $tool; done", ["lint", "typecheck", "test"], ()),
        ('for c in "npm test" "npm run lint"; do $c || exit 1; done', ["test", "lint"], ()),
        ('for c in "make test"; do eval "$c" || exit 1; done', ["test"], ()),
        (
            'for f in tests/a.test.js tests/b.test.js; do node "$f" || exit 1; done',
            ["test"],
            ("tests/a.test.js", "tests/b.test.js"),
        ),
        ("for f in tests/*.test.js; do node $f || exit 1; done", ["test"], ("tests/*.test.js",)),
        ("for f in a.py b.py; do python $f; done", [], ()),
        ("for f in $(ls tests); do python $f; done", [], ()),
        ("for s in lint test; do echo npm run $s; done", [], ()),
    ],
)
def test_a_call_in_a_loop_means_what_it_means_with_the_values(
    command: str, kinds: list[str], targets: tuple[str, ...]
) -> None:
    found = [one for one in classify(command, "/repo") if one.kind not in ("read", "other")]

    assert [one.kind for one in found] == kinds
    assert tuple(target for one in found for target in one.targets) == targets


@pytest.mark.parametrize(
    "line",
    [
        "for f in a b; do > $f.log; done; pytest",
        "for i in 1 2; do find . -exec rm {} ; > out.txt 2>&1; done && pytest",
        "for name in x y; do NAME=$name; done; pytest",
    ],
)
def test_what_runs_no_program_in_a_loop_is_no_stumbling_block(line: str) -> None:
    assert [item.runner for item in classify(line) if item.kind == "test"] == ["pytest"]
