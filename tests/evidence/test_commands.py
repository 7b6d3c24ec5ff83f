"""What each command of a line is for, what it is limited to, and which files it changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.programs import RUNNERS, TOOLS

FIXTURES = Path(__file__).parent.parent / "fixtures" / "runners"
RECORDED = json.loads((FIXTURES / "index.json").read_text("utf-8"))

#: What a command is for: the commands, each with its runner where it is not the command itself; between dots.
KINDS = {
    "test": r"""
    pytest · python3.11 -m pytest -x => pytest · node_modules/.bin/vitest run => vitest
    uv run --frozen pytest => pytest · uv run --group dev -- pytest -q => pytest · poetry run pytest => pytest
    pdm run test · hatch run test · hatch run test:cov · pipenv run pytest => pytest · rye run pytest => pytest
    pixi run test · conda run -n env pytest => pytest · nix develop --command bash -c "pytest -q" => pytest
    nix-shell --run "make test" => make test · mise exec -- npm test => npm test
    mise x node@20 -- npm test => npm test · asdf exec bundle exec rspec => rspec
    npx --yes vitest@1.2 run => vitest · node --test · bunx vitest run => vitest · deno test -A => deno test
    npm test · npm t · pnpm -r test => pnpm test · turbo test --filter=web => turbo test
    make -j8 test => make test · pnpm run ci:build:test · just test foo => just test · task -d dir test => task test
    rake · ruby -Itest test/a_test.rb => minitest · cargo t => cargo test · go test -run TestX ./pkg => go test
    ./gradlew :app:testDebugUnitTest => gradle testDebugUnitTest · ./mvnw -q test -Dtest=FooTest => mvn test
    sbt "testOnly foo.Bar" => sbt testOnly foo.Bar · php vendor/bin/phpunit --filter x => phpunit · composer test
    ./vendor/bin/sail test => artisan test · ctest -N => ctest · cmake --build build --target test => cmake
    tox -e docs,py311 => tox · nox -s tests => nox
    coverage run -m unittest => unittest
    sh -c 'npm test' => npm test · timeout 60 pytest => pytest
    time pytest => pytest · nice -n 10 pytest => pytest · env CI=1 pytest => pytest · CI=1 pytest => pytest
    cross-env NODE_ENV=test jest => jest · dotenv -e .env.test -- jest => jest · xvfb-run -a npm test => npm test
    direnv exec . make test => make test · doppler run -- npm test => npm test
    op run --env-file=.env -- npm test => npm test · sudo -u postgres pytest => pytest
    docker compose run --rm web pytest => pytest · docker compose exec -T app npm test => npm test
    docker-compose -f x.yml run web rspec => rspec · kubectl exec pod -- pytest => pytest
    script -q -c "npm test" /dev/null => npm test · act -j test => act · watch -n 2 pytest => pytest
    watchexec -e py -- pytest => pytest · xargs -n1 pytest => pytest · parallel npm test ::: a b => npm test
    jest --listTests => jest · vitest list => vitest · nyc mocha => mocha · c8 node --test => node --test
    perl t/a.t => prove · dune build @runtest => dune runtest · opam exec --switch 5.2 -- dune test => dune test
    clojure -M:test => clojure test · julia --project -e 'using Pkg; Pkg.test()' => julia Pkg.test
    Rscript -e 'devtools::test()' => testthat · R CMD check . => R CMD check
    Rscript -e 'devtools::check()' => R CMD check · unknown-wrapper pytest -q => pytest
    corepack pnpm@9.1.0 test => pnpm test · fvm flutter test => flutter test
    dotenvx run -f .env.test -- pytest => pytest · fastlane ios unit_tests device:iPhone => fastlane ios unit_tests
    devcontainer exec --workspace-folder . npm test => npm test
    lerna exec --scope core -- npm test => npm test · unheard-of run -- npm test => npm test
    java -cp build:lib/* org.junit.runner.JUnitCore com.acme.CartTest => junit
    arch -arm64 swift test => swift test
    caffeinate -ims swift test => swift test · wsl --cd /repo/x pytest => pytest
    rtk proxy go test ./... => go test · emacs -Q --batch -l ert -l a.el -f ert-run-tests-batch-and-exit => ert
    """,
    "other": r"""
    mise run check · make install · just --list => just · rake db:migrate · rails db:migrate => rails
    cargo run => cargo · ./gradlew tasks => gradle tasks
    xcrun simctl list => simctl · tmux send-keys -t x 'npm test' Enter => tmux · k6 run x.js => k6
    git push --dry-run => git push · gh run rerun 1 => gh run rerun
    """,
    "typecheck": r"""
    npx tsc --noEmit => tsc · deno check a.ts => deno check · npm run typecheck · pnpm tsc --noEmit => tsc
    cargo check · vendor/bin/phpstan analyse => phpstan · python -m mypy src => mypy
    """,
    "build": r"""
    npx tsc -p . => tsc · npm run build · make · go test -c => go test · ./gradlew build -x test => gradle build
    mvn package -DskipTests => mvn package · dotnet build · swift build
    xcodebuild -scheme X build => xcodebuild · zig build · flutter build apk => flutter build
    python -m build => build · docker build . => docker build
    """,
    "format": r"""
    npx eslint . --fix => eslint · npm run lint:fix · cargo clippy --fix => cargo · gofmt -w . => gofmt
    golangci-lint run --fix => golangci-lint · ./gradlew spotlessApply => gradle spotlessApply · dotnet format
    vendor/bin/pint => pint
    """,
    "lint": r"""
    npx eslint . => eslint · node --check a.js => node --check · npm run lint · yarn lint --fix => yarn lint
    gofmt -l . => gofmt · ./gradlew lint => gradle lint · dotnet format --verify-no-changes => dotnet
    php -l a.php => php -l · vendor/bin/pint --test => pint
    """,
    "server": r"""
    node server.js · npm run dev · ./gradlew bootRun => gradle bootRun
    php artisan serve => php artisan · python manage.py runserver => python manage.py · ptw => pytest
    pytest-watch => pytest · docker compose up · nodemon app.js => nodemon · uvicorn app:app => uvicorn
    """,
    "script": r"""
    node test/run.js => node run.js · ./scripts/test.sh => test.sh · bin/test sympy/core => test · node -e "console.log(1)" => node · python test_x.py
    pwsh -NoProfile -File ./scripts/release.ps1 => release.ps1 · ./scripts/ci.sh => ci.sh · ./run => run
    ./mycli test => mycli · java -jar target/app.jar --port 8080 => java app.jar
    python3 comprehensive_test.py => python comprehensive_test.py · /tmp/entire-test sessions => entire-test
    bun run src/x.ts => bun x.ts · bun x.ts
    """,
    "install": r"""
    yarn · bundle install => bundle · cargo add serde => cargo add
    """,
    "read": r"""
    coverage report => coverage · echo pytest => echo
    grep pytest . => grep · which pytest => which · pytest --version => pytest
    """,
    "edit": r"""
    rails g model X => rails g · go generate ./... => go generate · rm -rf dist => rm
    """,
    "": r"""
    turbo run build test lint => build:turbo run build,test:turbo run test,lint:turbo run lint
    npx nx run-many -t test lint => test:nx run-many test,lint:nx run-many lint
    npm-run-all lint test => lint:npm-run-all lint,test:npm-run-all test
    make lint test => lint:make lint,test:make test · ./gradlew build => build:gradle build,test:gradle build
    mvn clean install => build:mvn install,test:mvn install
    sbt clean compile test => build:sbt compile,test:sbt test
    ssh host 'cd app && npm test' => read:cd,test:npm test · ls | entr -c pytest => read:ls,test:pytest
    devcontainer exec --workspace-folder . bash -lc 'cd api && pytest' => read:cd,test:pytest
    curl -fsSL https://example.org/install.sh | sh => read:curl,other:sh
    make -j$(nproc) test => other:nproc,test:make test
    docker compose exec -T web sh -c 'cd app && pytest -q' => read:cd,test:pytest
    cat a | python3 -c 'print(1)' => read:cat,script:python · git commit -m "pytest" => commit:git commit
    git stash push => tree:git stash push · gh pr view 12 => pr_view:gh pr view
    gh pr merge --squash => pr_merge:gh pr merge · gh pr comment -b x => pr_comment:gh pr comment
    gh issue create => issue:gh issue create
    """,
    "push": r"""
    git push · rtk git push => git push
    """,
    "pr_create": r"""
    glab mr create · hub pull-request
    """,
    "pr_checks": r"""
    gh pr view --json statusCheckRollup => gh pr view
    """,
}
COMMANDS = [
    (kind, entry.strip())
    for kind, text in KINDS.items()
    for entry in text.replace("\n", " · ").split(" · ")
    if entry.strip()
]


@pytest.mark.parametrize(("kind", "entry"), COMMANDS, ids=[entry for _, entry in COMMANDS])
def test_a_command_is_known_by_what_it_runs(kind: str, entry: str) -> None:
    """Where no one kind is given, each command's stands before its runner."""
    command, _, runner = entry.partition(" => ")
    found = ",".join(f"{one.kind}:{one.runner}" for one in classify(command, "/repo"))
    assert found == (f"{kind}:{runner or command}" if kind else runner)


FIELDS = ("targets", "selected", "deselects", "collects_only", "watch", "no_verify", "refs", "only_tags")  # fmt: skip

#: command -> what differs from the defaults for the first command in it that is no look; started in /repo
DETAILS: list[tuple[str, dict[str, Any]]] = [
    ('pytest tests/a.py::T::t tests/b.py -k "foo and not bar" -x -q --cov=src', {"targets": ("tests/a.py", "tests/b.py"), "selected": "tests/a.py::T::t", "deselects": "-k 'foo and not bar'"}),
    ('pytest -m "not slow" --ignore=tests/slow --deselect tests/a.py::x', {"deselects": "-m 'not slow' --ignore tests/slow --deselect tests/a.py::x"}),
    ("pytest -n 4 --lf", {"selected": "--lf"}),
    ("python -m unittest tests.test_x.T", {"selected": "tests.test_x.T"}),
    ('jest src/a.test.ts -t "does x"', {"targets": ("src/a.test.ts",), "selected": "-t 'does x'"}),
    ("jest --testPathPattern=foo --listTests", {"selected": "--testPathPattern foo", "collects_only": True}),
    ("jest --watch", {"watch": True}),
    ("jest --findRelatedTests a.ts b.ts", {"targets": ("a.ts", "b.ts"), "selected": "--findRelatedTests"}),
    ("vitest run src/a --exclude '**/slow/**'", {"targets": ("src/a",), "deselects": "--exclude **/slow/**"}),
    ("vitest --watch=false", {}),
    ("mocha test/*.js -g foo", {"targets": ("test/*.js",), "selected": "-g foo"}),
    ('node --test --test-name-pattern="x" tests/a.test.js', {"targets": ("tests/a.test.js",), "selected": "--test-name-pattern x"}),
    ('npx playwright test e2e/a.spec.ts -g "login" --project=chromium', {"targets": ("e2e/a.spec.ts",), "selected": "-g login --project chromium"}),
    ("npx playwright test --grep-invert @slow", {"deselects": "--grep-invert @slow"}),
    ("npx cypress run --spec cypress/e2e/a.cy.ts", {"selected": "--spec cypress/e2e/a.cy.ts"}),
    ("go test ./pkg/a ./pkg/b/... -run TestX -count=1", {"targets": ("./pkg/a", "./pkg/b"), "selected": "-run TestX"}),
    ("go test -run '^$' -bench . ./...", {"selected": "-run ^$", "collects_only": True}),
    ("cd sub && go test", {"cwd": "/repo/sub"}),
    ("cargo test foo::bar -- --nocapture --test-threads 1", {"selected": "foo::bar"}),
    ("cargo test --workspace --exclude slow", {"deselects": "--exclude slow"}),
    ("cargo test -- --skip slow --ignored", {"selected": "--ignored", "deselects": "--skip slow"}),
    ("cargo test --manifest-path sub/Cargo.toml", {"cwd": "/repo/sub"}),
    ("mvn test -Dtest=FooTest#bar -pl core", {"selected": "-Dtest FooTest#bar -pl core"}),
    ("mvn test -Dtest='!Slow'", {"deselects": "-Dtest !Slow"}),
    ("gradle :app:test --tests 'Foo*'", {"selected": "--tests Foo*"}),
    ('dotnet test tests/A.csproj --filter "Category!=Slow"', {"targets": ("tests/A.csproj",), "deselects": "--filter Category!=Slow"}),
    ('rspec spec/a_spec.rb:12 -e "does"', {"targets": ("spec/a_spec.rb",), "selected": "-e does spec/a_spec.rb:12"}),
    ("rails test test/models/a_test.rb:5 -n /x/", {"targets": ("test/models/a_test.rb",), "selected": "-n /x/ test/models/a_test.rb:5"}),
    ("vendor/bin/phpunit --filter testX tests/A.php", {"targets": ("tests/A.php",), "selected": "--filter testX"}),
    ("php artisan test --filter=x", {"selected": "--filter x"}),
    ("ctest --test-dir build -R foo -E bar", {"selected": "-R foo", "deselects": "-E bar", "cwd": "/repo/build"}),
    ("mix test test/a_test.exs:5 --only x", {"targets": ("test/a_test.exs",), "selected": "--only x test/a_test.exs:5"}),
    ("swift test --filter Foo --skip Bar", {"selected": "--filter Foo", "deselects": "--skip Bar"}),
    ("xcodebuild test -scheme X -only-testing:AppTests/Foo -skip-testing:AppTests/Slow", {"selected": "-only-testing AppTests/Foo", "deselects": "-skip-testing AppTests/Slow"}),
    ("tox -e py311 -- -k foo", {"selected": "-k foo"}),
    ("npm test -- src/a.test.ts -t foo", {"targets": ("src/a.test.ts",), "selected": "-t foo"}),
    ("npm test -- --testPathPattern=x --watch", {"selected": "--testPathPattern x", "watch": True}),
    ("npm --prefix web test", {"cwd": "/repo/web"}),
    ("pnpm --filter ./packages/a test -- -t x", {"selected": "--filter ./packages/a -t x"}),
    ("yarn --cwd web test src/a", {"targets": ("src/a",), "cwd": "/repo/web"}),
    ("make -C sub test", {"cwd": "/repo/sub"}),
    ("turbo run test build --filter=@acme/api --filter=@acme/web", {"selected": "--filter @acme/api --filter @acme/web"}),
    ("npm test -w packages/a --workspace=packages/b", {"selected": "-w packages/a --workspace packages/b"}),
    ("python manage.py test app.tests --exclude-tag slow", {"selected": "app.tests", "deselects": "--exclude-tag slow"}),
    ("git commit -nm x", {"no_verify": True}), ('git commit -am "n -n"', {}),
    ("git commit -anS -m x", {"no_verify": True}), ("git commit -uno -m x", {}),
    ("git push --no-verify", {"no_verify": True}),
    ("uv run --directory sub pytest", {"cwd": "/repo/sub"}), ("cd ~/x && pytest", {"cwd": None}),
    ('cd "$(git rev-parse --show-toplevel)" && pytest', {"cwd": None}),
    ("cd $X && pytest", {"cwd": None}),
    ("pushd sub && pytest && popd && npm test", {"cwd": "/repo/sub"}),
    ("(cd a && npm test); npm run build", {"cwd": "/repo/a"}),
    ("mise run test -- -run Foo ./pkg/...", {"targets": ("./pkg",), "selected": "-run Foo"}),
    ("docker compose exec -w /app web pytest tests", {"targets": ("tests",)}),
    ("behave --tags=-slow", {"deselects": "--tags -slow"}),
    ("git push -f", {}), ("git push -u origin HEAD", {"refs": ("HEAD",)}),
    ("git push origin a:refs/heads/b", {"refs": ("a:refs/heads/b",)}),
    ("git push origin +main", {"refs": ("+main",)}), ("git push --tags", {"only_tags": True}),
    ("git push --follow-tags origin main", {"refs": ("main",)}),
    ("git push origin v1.2.3", {"refs": ("v1.2.3",), "only_tags": True}),
    ("git push origin tag v1", {"refs": ("refs/tags/v1",), "only_tags": True}),
    ("git push origin main v1.0.0", {"refs": ("main", "v1.0.0")}),
    ("git push origin :x", {"refs": (":x",)}),
    ("git push -o ci.skip origin main", {"refs": ("main",)}),
    ("git -C /x push origin main", {"refs": ("main",), "cwd": "/x"}),
    ("git push -u origin $B", {"refs": ("$B",)}),
]  # fmt: skip


@pytest.mark.parametrize(("command", "details"), DETAILS, ids=[command for command, _ in DETAILS])
def test_the_arguments_say_what_is_run_and_where(command: str, details: dict[str, Any]) -> None:
    found = next(one for one in classify(command, "/repo") if one.kind is not CommandKind.READ)
    seen: dict[str, Any] = {name: getattr(found, name) for name in FIELDS if getattr(found, name)}
    if found.cwd != "/repo":
        seen["cwd"] = found.cwd
    assert seen == details


#: command -> files it writes, files it removes; started in /repo
CHANGES: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ("sed -i 's/a/b/' src/x.py", ("/repo/src/x.py",), ()),
    ("sed -i.bak -e s/a/b/ -e s/c/d/ a b", ("/repo/a", "/repo/b"), ()),
    ("sed -Ei 's/a/b/' f", ("/repo/f",), ()), ("sed -i -E s/a/b/ *.py", ("/repo/*.py",), ()),
    ("sed -n 1,5p f", (), ()), ("sed --in-place=.bak s/a/b/ f", ("/repo/f",), ()),
    ("perl -pi -e 's/a/b/' x y", ("/repo/x", "/repo/y"), ()), ("perl -e 'print 1'", (), ()),
    ("echo x > a.py", ("/repo/a.py",), ()), ("cmd 2> err.log", ("/repo/err.log",), ()),
    ("cmd &> all.log", ("/repo/all.log",), ()), ("cmd 2>&1 | tee out.txt", ("/repo/out.txt",), ()),
    ("mv a.py b.py src/", ("/repo/src/a.py", "/repo/src/b.py"), ("/repo/a.py", "/repo/b.py")),
    ("mv -t d a b", ("/repo/d/a", "/repo/d/b"), ("/repo/a", "/repo/b")),
    ("cp a b", ("/repo/b",), ()), ("cp -r a/ b/", ("/repo/b/a",), ()),
    ("ln -s a b", ("/repo/b",), ()), ("rm -rf a b", (), ("/repo/a", "/repo/b")),
    ("patch f x.patch", ("/repo/f",), ()), ("git apply <<'EOF'\nno patch\nEOF", (), ()),
    ("git commit -F - <<'EOF'\n+++ b/x.py\nEOF", (), ()),
    ("git mv a b", ("/repo/b",), ("/repo/a",)), ("git rm --cached a", (), ()),
    ("cat > f.py <<EOF\nx\nEOF", ("/repo/f.py",), ()),
    ("ruff format a.py b.py", ("/repo/a.py", "/repo/b.py"), ()),
    ("cd sub && echo x > a.py", ("/repo/sub/a.py",), ()),
    ("(cd sub; echo x > a.py) && echo y > b", ("/repo/sub/a.py", "/repo/b"), ()),
    ("curl http://x > f", ("/repo/f",), ()),
    ("jq . a.json > b.json && mv b.json a.json", ("/repo/b.json", "/repo/a.json"), ("/repo/b.json",)),
    ('echo x > "$TMPDIR/f"', ("$TMPDIR/f",), ()),
    ("{ echo a; echo b; } > f.md", ("/repo/f.md",), ()),
    ("docker exec app sh -c 'echo x > /app/f'", ("/app/f",), ()), ("ssh h 'echo x > f'", (), ()),
    ("echo x | sudo tee /etc/hosts", ("/etc/hosts",), ()), ("echo x > ~/f", ("~/f",), ()),
    ("npx tsc > tsc.log", ("/repo/tsc.log",), ()), ("install -m 755 a b", ("/repo/b",), ()),
    ("chmod +x f", (), ()),
]  # fmt: skip


@pytest.mark.parametrize(("command", "writes", "removes"), CHANGES, ids=[row[0] for row in CHANGES])
def test_the_files_that_the_shell_changes_are_named(command, writes, removes):
    found = classify(command, "/repo")
    assert tuple(dict.fromkeys(path for one in found for path in one.writes)) == writes
    assert tuple(dict.fromkeys(path for one in found for path in one.removes)) == removes


#: command -> what of the tree git replaces: its name, the paths (none: all of it)
TREES: list[tuple[str, str, tuple[str, ...]]] = [
    ("git checkout -- src/a.py", "restore", ("/repo/src/a.py",)),
    ("git checkout HEAD~1 src/a.py", "restore", ("/repo/src/a.py",)),
    ("git checkout .", "restore", ()),
    ("git restore --source=HEAD~1 a.py", "restore", ("/repo/a.py",)),
    ("git restore --staged a", "", ()), ("git checkout feat/phase-12.6-per-file", "", ()),
    ("git switch x", "", ()), ("git stash", "stash", ()),
    ("git stash push -m 'half of it'", "stash", ()),
    ("git stash push -- src/a.py", "stash", ("/repo/src/a.py",)),
    ("git stash --keep-index", "", ()), ("git stash pop", "pop", ()),
    ("git reset --hard HEAD~1", "reset", ()), ("git -C sub merge x", "merge", ()),
    ("git pull --rebase", "pull", ()), ("git cherry-pick abc", "cherry-pick", ()),
    ("git rebase main", "rebase", ()),
]  # fmt: skip


@pytest.mark.parametrize(("command", "tree", "paths"), TREES, ids=[row[0] for row in TREES])
def test_what_git_puts_into_the_tree_is_told(command, tree, paths):
    (found,) = classify(command, "/repo")
    assert (found.tree, found.tree_paths) == (tree, paths)
    assert (found.writes, found.removes) == ((), ())
    assert (found.kind is CommandKind.TREE) == bool(tree)
    assert found.argv[1] not in ("-C", "sub")


@pytest.mark.parametrize(("kind", "command"), [
    ("push", "git stash push"), ("push", "git stash push -m 'push'"), ("push", "echo git push"),
    ("push", "git push --dry-run"), ("push", "git log --grep 'git push'"), ("push", "npm run push-docs"),
    ("edit", "cmd > out.log"), ("edit", "cmd 2> err.log"), ("edit", "make > build.out"),
    ("test", '$runner = "pytest"; Write-Host $runner'), ("test", "$what = $env:TESTS"), ("test", "echo $r = pytest -q"),
])  # fmt: skip
def test_what_only_looks_like_one_is_none(kind: str, command: str) -> None:
    assert kind not in {one.kind for one in classify(command, "/repo")}


@pytest.mark.parametrize("task", ["check", "ci", "verify", "validate", "precommit"])
def test_a_task_that_may_be_anything_is_told_by_its_name_only(task: str) -> None:
    (found,) = classify(f"npm run {task}", "/repo")
    assert (found.kind, found.task) == (CommandKind.OTHER, f"npm run {task}")


@pytest.mark.parametrize(("command", "found"), [
    ("cat > test_x.py <<'EOF'\nimport x\nEOF\npython test_x.py", [("edit", ("/repo/test_x.py",), ""), ("script", (), "test_x.py")]),
    ("python - <<'E'\nprint(1)\nE", [("script", (), "")]),
    ("node -e '1'", [("script", (), "")]), ("python -c 1", [("script", (), "")]),
])  # fmt: skip
def test_a_file_is_written_before_it_is_run_and_code_in_the_line_has_none(command, found):
    assert [(one.kind, one.writes, one.script) for one in classify(command, "/repo")] == found


WSL = "/mnt/c/Users/me/app"


@pytest.mark.parametrize(("command", "runner", "cwd"), [
    (".\\gradlew.bat test --no-daemon", "gradle test", "/repo"),
    (".\\.venv\\Scripts\\python.exe -m pytest -q", "pytest", "/repo"),
    ("cd src\\app; npm test", "npm test", "/repo/src/app"),
    ("Set-Location web; npm test", "npm test", "/repo/web"),
    ("cd My\\ Project && npm test", "npm test", "/repo/My Project"),
    ("$r = Invoke-Pester -Path scripts/tests -PassThru; $r.FailedCount", "pester", "/repo"),
    ("$script:out = npm test | Out-String\n$out", "npm test", "/repo"),
    ("if ($true) { $r = cargo test }", "cargo test", "/repo"),
    ('cmd.exe /c "cd /d sub && dotnet test"', "dotnet test", "/repo/sub"),
    ('cmd.exe /c "cd /d C:\\Users\\me\\app && dotnet test"', "dotnet test", WSL),
    ('powershell.exe -NoProfile -Command "cd C:\\Users\\me\\app; dotnet test"', "dotnet test", WSL),
    ("powershell.exe -Command \"Set-Location 'C:\\Users\\me\\app'; dotnet test\"", "dotnet test", WSL),
    ("wsl -e bash -c 'cd /mnt/c/Users/me/app && dotnet test'", "dotnet test", WSL),
])  # fmt: skip
def test_windows_lines_are_read(command: str, runner: str, cwd: str) -> None:
    found = classify(command, WSL if cwd == WSL else "/repo")
    assert [(one.runner, one.cwd) for one in found if one.kind == "test"] == [(runner, cwd)]


#: What a recorded output was printed by and no name tells: a script, a binary, a task called `check`.
NAMELESS = ("clojure a.clj", "g++ ", "gcc -o", "runghc a.hs", "sh a.sh", "npm run check", "git add", "gradle tset", "mvn -B tset", "mvn -B test -DskipTests")  # fmt: skip


@pytest.mark.parametrize("name", [name for name, row in RECORDED.items() if row.get("command")])
def test_what_printed_a_recorded_output_is_known_for_what_it_is(name: str) -> None:
    command = RECORDED[name]["command"]
    kinds = {str(one.kind) for one in classify(command, "/repo")}
    checks = {"build", "lint", "typecheck", "format"} if name.startswith("checks/") else {"test"}
    assert kinds & checks or command.startswith(NAMELESS)


@pytest.mark.parametrize("call", sorted(RUNNERS))
def test_a_runner_that_lists_or_explains_itself_runs_nothing(call: str) -> None:
    (found,) = classify(f"{call} --version", "/repo")
    assert found.kind is CommandKind.READ


def test_the_tables_kinds_are_kinds_and_no_program_is_in_two() -> None:
    kinds = {kind for _, kind in TOOLS.values()}
    kinds |= {kind for rules, _ in TOOLS.values() for _, kind in rules}
    assert kinds <= set(CommandKind)
    assert set(TOOLS) & set(RUNNERS) == set()
