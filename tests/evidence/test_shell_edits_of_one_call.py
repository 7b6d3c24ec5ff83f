"""Which files one shell call leaves changed."""

from pathlib import Path

import pytest

from support.ledgers import ledger_of, session


def edited(folder: Path, *commands: str) -> list[str]:
    built = session(folder).prompt("Fix the parser")
    for command in commands:
        built.bash(command, "ok")
    return [f"{edit.path.removeprefix('/home/dev/project/')} {edit.change}".strip() for edit in ledger_of(built).edits]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("cat > try_it.py <<'EOF'\nprint(1)\nEOF\npython try_it.py; rm try_it.py", []),
        ("echo 'print(1)' > t.py && python t.py && rm -f t.py", []),
        ("echo 'print(1)' > t.py && python t.py", ["t.py written"]),
        ("echo 'print(1)' > t.py; rm other.py", ["t.py written", "other.py removed"]),
        ("sed -i 's/a/b/' src/a.py; rm src/a.py", ["src/a.py"]),
        ("touch src/lib.rs && cargo clippy", []),
        ("touch src/main.c; make", []),
        ("touch src/new/__init__.py", ["src/new/__init__.py"]),
        ("touch src/__init__.py && pytest", ["src/__init__.py"]),
    ],
)
def test_what_a_call_makes_and_removes_is_not_left(tmp_path: Path, command: str, left: list[str]) -> None:
    assert edited(tmp_path, command) == left


def test_a_file_that_the_session_had_before_is_removed(tmp_path: Path) -> None:
    left = edited(tmp_path, "echo 1 > src/a.py", "echo 2 > src/a.py; rm src/a.py")

    assert left == ["src/a.py written", "src/a.py removed"]


def test_a_new_date_is_no_second_edit(tmp_path: Path) -> None:
    assert edited(tmp_path, "sed -i 's/a/b/' src/a.py", "touch src/a.py") == ["src/a.py"]


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("find src -name '*.ts' -exec sed -i 's/a/b/' {} +", "*.ts"),
        ("grep -rl old src --include=*.py | xargs sed -i 's/old/new/g'", "*.py"),
        ("rg -l old --glob '*.ts' | xargs perl -pi -e 's/old/new/'", "*.ts"),
        ("sed -i 's/old/new/' $(git ls-files '*.go')", "*.go"),
        ("grep -rl old src | xargs sed -i 's/*.py/x/'", "*"),
        ("find . -name '*.ts' -o -name '*.css' | xargs sed -i 's/a/b/'", "*"),
        ("find . -name '*.scss' -o -name '*.css' | xargs sed -i 's/a/b/'", "*"),
        ("find . -name '*.java' -o -name '*.scala' | xargs sed -i 's/a/b/'", "*.java"),
        ("rg -l old -t python | xargs sed -i 's/old/new/'", "*.py"),
        ("rg -lt ts old | xargs sed -i 's/old/new/'", "*.ts"),
        ("rg -l -e old --type=go | xargs sed -i 's/old/new/'", "*.go"),
        ("sed -i 's/old/new/' $(fd -e rs)", "*.rs"),
        ("files=$(grep -rl old --include=*.py); sed -i 's/old/new/' $files", "*.py"),
        ("grep -rl old --include=*.py | while read -r f; do sed -i 's/old/new/' \"$f\"; done", "*.py"),
        ("find lib -name '*.rb' | while read f; do perl -pi -e 's/a/b/' $f; done", "*.rb"),
        ("fd --type f old | xargs sed -i 's/old/new/'", "*"),
        ("find . -name '*.ts' -o -name '*.tsx' | xargs sed -i 's/a/b/'", "*.ts"),
        ("find . -name '*.pyc' -delete", "*"),
        ("git ls-files '*.orig' | xargs rm", "*"),
    ],
)
def test_files_that_are_searched_for_are_known_by_their_kind(tmp_path: Path, command: str, path: str) -> None:
    assert [name.partition(" ")[0] for name in edited(tmp_path, command)] == [path]


@pytest.mark.parametrize(
    ("before", "command", "path"),
    [
        ("echo 1 > src/a.py", "grep -rl old src | xargs sed -i 's/old/new/g'", "*.py"),
        ("echo 1 > src/a.py", "grep -rl old . | xargs sed -i 's/old/new/g'", "*.py"),
        ("echo 1 > src/a.py", "sed -i 's/old/new/' $(git grep -l old -- src)", "*.py"),
        ("echo 1 > src/a.py", "grep -rl old docs | xargs sed -i 's/old/new/g'", "*"),
        ("echo 1 > src/a.py; echo 2 > src/b.go", "grep -rl old src | xargs sed -i 's/old/new/g'", "*"),
        ("echo 1 > src/a.ts; echo 2 > src/b.tsx", "grep -rl old src | xargs sed -i 's/old/new/g'", "*.ts"),
        ("echo 1 > src/notes.md", "grep -rl old src | xargs sed -i 's/old/new/g'", "*"),
    ],
)
def test_a_search_without_a_kind_means_what_the_session_works_on(
    tmp_path: Path, before: str, command: str, path: str
) -> None:
    assert edited(tmp_path, before, command)[-1].partition(" ")[0] == path


@pytest.mark.parametrize(
    ("command", "output", "left"),
    [
        ("cd app && sed -i 's/A/B/' a.py b.py && grep -rn A . ; ruff check .", "ok", ["app/a.py", "app/b.py"]),
        ("mkdir -p src/x && cat > src/x/a.py <<'EOF'\nx = 1\nEOF\nls src/x", "a.py", ["src/x/a.py written"]),
        ("cd app && sed -i 's/A/B/' a.py || true", "ok", ["app/a.py"]),
        ("cd app && sed -i 's/A/B/' a.py; ls", "bash: line 1: cd: app: No such file or directory", []),
        ("grep -q A a.py && sed -i 's/A/B/' a.py; ls", "a.py", []),  # it may not have been there
        ("cd app && pytest && sed -i 's/A/B/' a.py; ls", "1 failed", []),
        ("cd app && grep -q A a.py || sed -i 's/A/B/' a.py; ls", "a.py", []),
    ],
)
def test_a_chain_whose_status_is_hidden_ran_as_far_as_nothing_stopped_it(
    tmp_path: Path, command: str, output: str, left: list[str]
) -> None:
    built = session(tmp_path).prompt("Rename A to B").bash(command, output)

    found = [f"{edit.path.removeprefix('/home/dev/project/')} {edit.change}".strip() for edit in ledger_of(built).edits]

    assert found == left
