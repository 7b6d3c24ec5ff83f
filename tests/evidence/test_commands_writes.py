"""Which files a shell command changes; "*" where it does not say."""

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind

#: command -> files, started in /repo
WRITES: list[tuple[str, tuple[str, ...]]] = [
    ("sed -i 's/a/b/' src/x.py", ("/repo/src/x.py",)),
    ("sed -i '' 's/a/b/' src/x.py", ("/repo/src/x.py",)),
    ("sed -i.bak -e s/a/b/ -e s/c/d/ a b", ("/repo/a", "/repo/b")),
    ("sed -i'' -e s/a/b/ f", ("/repo/f",)),
    ("sed -Ei 's/a/b/' f", ("/repo/f",)),
    ("sed -ni p f", ("/repo/f",)),
    ("sed -i -E s/a/b/ *.py", ("/repo/*.py",)),
    ("sed -n 1,5p f", ()),
    ("sed -e s/a/b/ f > g", ("/repo/g",)),
    ("sed --in-place=.bak s/a/b/ f", ("/repo/f",)),
    ("sed -i .bak 's/a/b/' f", ("/repo/f",)),
    ("gsed -i s/a/b/ f", ("/repo/f",)),
    ("grep -rl a . | xargs sed -i s/a/b/g", ("*",)),
    ("find . -name '*.py' -exec sed -i s/a/b/ {} +", ("*",)),
    ("perl -pi -e 's/a/b/' x y", ("/repo/x", "/repo/y")),
    ("perl -i.bak -pe s/a/b/ x", ("/repo/x",)),
    ("perl -0pi -e s/a/b/ x", ("/repo/x",)),
    ("perl -e 'print 1'", ()),
    ("ruby -i -pe x f", ("/repo/f",)),
    ("awk -i inplace '{print}' f", ("/repo/f",)),
    ("echo x > a.py", ("/repo/a.py",)),
    ("echo x >> a.py", ("/repo/a.py",)),
    ("cmd 2> err.log", ("/repo/err.log",)),
    ("cmd &> all.log", ("/repo/all.log",)),
    ("cmd > /dev/null 2>&1", ()),
    ("cmd >| f", ("/repo/f",)),
    ("cmd 2>&1 | tee out.txt", ("/repo/out.txt",)),
    ("tee -a x y < z", ("/repo/x", "/repo/y")),
    ("mv a.py b.py", ("/repo/a.py", "/repo/b.py")),
    ("mv a.py b.py src/", ("/repo/a.py", "/repo/b.py", "/repo/src/a.py", "/repo/src/b.py")),
    ("mv -t d a b", ("/repo/a", "/repo/b", "/repo/d/a", "/repo/d/b")),
    ("cp a b", ("/repo/b",)),
    ("cp -r a/ b/", ("/repo/b/a",)),
    ("cp a b c d/", ("/repo/d/a", "/repo/d/b", "/repo/d/c")),
    ("ln -s a b", ("/repo/b",)),
    ("rm -rf a b", ("/repo/a", "/repo/b")),
    ("touch a b", ("/repo/a", "/repo/b")),
    ("truncate -s 0 f", ("/repo/f",)),
    ("dd if=a of=b", ("/repo/b",)),
    ("patch -p1 < x.patch", ("*",)),
    ("patch f x.patch", ("/repo/f",)),
    ("git apply x.patch", ("*",)),
    ("git apply <<'EOF'\n--- a/src/x.py\n+++ b/src/x.py\n@@ -1 +1 @@\n-a\n+b\nEOF", ("/repo/src/x.py",)),
    ("git apply - <<'EOF'\n--- a/src/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\nEOF", ("/repo/src/x.py",)),
    ("git apply <<'EOF'\nno patch\nEOF", ("*",)),
    ("git apply --check <<'EOF'\n--- a/x.py\n+++ b/x.py\nEOF", ()),
    ("patch -p1 <<'EOF'\n--- a/x.py\t2024-01-01\n+++ b/x.py\t2024-01-02\nEOF", ("/repo/x.py",)),
    ("git commit -F - <<'EOF'\n+++ b/x.py\nEOF", ()),
    ("ruby - <<'EOF'\nFile.write('lib/x.rb', '')\nEOF", ("/repo/lib/x.rb",)),
    ("ruby - <<'EOF'\nputs File.read('lib/x.rb')\nEOF", ()),
    ("git apply --check x", ()),
    ("git checkout -- src/a.py", ("/repo/src/a.py",)),
    ("git checkout .", ("*",)),
    ("git checkout main", ()),
    ("git checkout main -- a.py", ("/repo/a.py",)),
    ("git checkout HEAD~1 src/a.py", ("/repo/src/a.py",)),
    ("git checkout src/a.py", ("/repo/src/a.py",)),
    ("git restore .", ("*",)),
    ("git restore --staged a", ()),
    ("git restore --source=HEAD~1 a.py", ("/repo/a.py",)),
    ("git revert HEAD", ("*",)),
    ("git cherry-pick abc", ("*",)),
    ("git merge x", ("*",)),
    ("git merge --abort", ()),
    ("git stash pop", ("*",)),
    ("git stash", ("*",)),
    ("git stash push -m 'half of it'", ("*",)),
    ("git stash push src/a.py", ()),
    ("git stash --keep-index", ()),
    ("git stash drop", ()),
    ("git reset --hard", ("*",)),
    ("git reset HEAD a", ()),
    ("git mv a b", ("/repo/a", "/repo/b")),
    ("git rm a", ("/repo/a",)),
    ("git rm --cached a", ()),
    ("git am x", ("*",)),
    ("git pull", ()),
    ("git rebase main", ()),
    ("git switch x", ()),
    ("cat > f.py <<EOF\nx\nEOF", ("/repo/f.py",)),
    ("cat <<'EOF' | tee f.py\nx\nEOF", ("/repo/f.py",)),
    ("python - <<'EOF'\nfrom pathlib import Path\np = Path('src/a.py')\np.write_text('x')\nEOF", ("/repo/src/a.py",)),
    ("python3 -c \"open('a.txt','w').write('x')\"", ("/repo/a.txt",)),
    ("python - <<EOF\nwith open('a.py') as f: s=f.read()\nEOF", ()),
    ("python - <<EOF\npath='x/y.py'\ns=open(path).read()\nopen(path,'w').write(s)\nEOF", ("/repo/x/y.py",)),
    ("python - <<EOF\nfor f in fs:\n  open(f,'w').write(s)\nEOF", ("*",)),
    (
        "python - <<EOF\nfor p in pathlib.Path('src').rglob('*.py'):\n    p.write_text(p.read_text().replace('a', 'b'))\nEOF",
        ("/repo/src/*.py",),
    ),
    (
        "python - <<EOF\nfor f in glob.glob('app/**/*.ts', recursive=True):\n  open(f,'w').write(s)\nEOF",
        ("/repo/app/*.ts",),
    ),
    ("node <<EOF\nfor (const f of globSync('lib/*.js')) fs.writeFileSync(f, y)\nEOF", ("/repo/lib/*.js",)),
    ("python - <<EOF\nfor p in Path('src').rglob('*.py'):\n    total += 1\nout.write_text(str(total))\nEOF", ("*",)),
    (
        "python - <<EOF\nfor p in Path('.').rglob('*.py'):\n    n += len(p.read_text())\nopen('n.txt', 'w').write(str(n))\nEOF",
        ("/repo/n.txt",),
    ),
    ("node -e \"require('fs').writeFileSync('a.js','x')\"", ("/repo/a.js",)),
    ("node <<EOF\nconst f='x.ts'; fs.writeFileSync(f, y)\nEOF", ("/repo/x.ts",)),
    ("python - <<EOF\nimport shutil; shutil.copy('a','b')\nEOF", ("/repo/a", "/repo/b")),
    ("prettier --write src/a.ts", ("/repo/src/a.ts",)),
    ("black .", ("*",)),
    ("ruff format a.py b.py", ("/repo/a.py", "/repo/b.py")),
    ("gofmt -w a.go", ("/repo/a.go",)),
    ("npx prisma generate", ("*",)),
    ("npm init -y", ("/repo/package.json",)),
    ("cargo new x", ("*",)),
    ("cd sub && echo x > a.py", ("/repo/sub/a.py",)),
    ("(cd sub; echo x > a.py) && echo y > b", ("/repo/sub/a.py", "/repo/b")),
    ("curl -o f http://x", ("/repo/f",)),
    ("wget -O f x", ("/repo/f",)),
    ("curl http://x > f", ("/repo/f",)),
    ("sort -o f f", ("/repo/f",)),
    ("yq -i '.a=1' f.yaml", ("/repo/f.yaml",)),
    ("sd a b f", ("/repo/f",)),
    ("jq . a.json > b.json && mv b.json a.json", ("/repo/b.json", "/repo/b.json", "/repo/a.json")),
    ("for f in a b; do sed -i s/x/y/ $f; done", ("/repo/a", "/repo/b")),
    ("F=src/a.py; sed -i s/x/y/ $F", ("/repo/src/a.py",)),
    ('echo x > "$TMPDIR/f"', ("$TMPDIR/f",)),
    ("{ echo a; echo b; } > f.md", ("/repo/f.md",)),
    ("docker exec app sh -c 'echo x > /app/f'", ("/app/f",)),
    ("ssh h 'echo x > f'", ()),
    ("echo x | sudo tee /etc/hosts", ("/etc/hosts",)),
    ("python gen.py > src/gen.py", ("/repo/src/gen.py",)),
    ("cat a >> b 2>/dev/null", ("/repo/b",)),
    ("echo x > ~/f", ("~/f",)),
    ("mkdir -p x && touch x/y.py", ("/repo/x/y.py",)),
    ("eslint --fix src/a.ts", ("/repo/src/a.ts",)),
    ("npm version patch", ("/repo/package.json",)),
    ("ex -sc '%s/a/b/|x' f", ("/repo/f",)),
    ("npx tsc > tsc.log", ("/repo/tsc.log",)),
    ("unzip x.zip", ()),
    ("tar xf x.tar", ()),
    ("ed f <<E\nw\nE", ("/repo/f",)),
    ("install -m 755 a b", ("/repo/b",)),
    ("rename s/a/b/ *.x", ("*",)),
    ("chmod +x f", ()),
    ("cp a.py /tmp/", ("/tmp/a.py",)),
    ("rm -f /tmp/x", ("/tmp/x",)),
]


@pytest.mark.parametrize(("command", "files"), WRITES, ids=[command for command, _ in WRITES])
def test_the_files_that_the_shell_changes_are_named(command: str, files: tuple[str, ...]) -> None:
    found = tuple(path for one in classify(command, "/repo") for path in one.writes)

    assert found == files


@pytest.mark.parametrize(
    "command", ["echo x > /tmp/a.py", "rm -rf /tmp/x", "cmd 2> err.log", "echo x > ~/notes.md", "cp a.py /tmp/"]
)
def test_files_outside_the_project_make_no_edit(command: str) -> None:
    assert CommandKind.EDIT not in {one.kind for one in classify(command, "/repo")}


@pytest.mark.parametrize(
    "command", ["echo x > a.py", "sed -i s/a/b/ a.py", "git stash pop", "npx prisma generate", "rm a.py"]
)
def test_files_of_the_project_make_an_edit(command: str) -> None:
    assert [one.kind for one in classify(command, "/repo")] == [CommandKind.EDIT]


@pytest.mark.parametrize(
    "command", ["black .", "prettier --write src/a.ts", "ruff check --fix", "mise run fmt", "gofmt -w ."]
)
def test_formatters_are_marked(command: str) -> None:
    (found,) = classify(command, "/repo")

    assert found.kind is CommandKind.FORMAT
    assert found.formatter
    assert found.writes
