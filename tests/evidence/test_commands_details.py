"""What a run is limited to, what it leaves out, and whether it executes anything."""

from typing import Any

import pytest

from ace_reflect.evidence.commands import Command, classify
from ace_reflect.evidence.facts import CommandKind

FIELDS = ("targets", "selected", "deselects", "collects_only", "watch", "no_verify")

#: command -> what differs from the defaults for the first command in it that is no look; started in /repo
DETAILS: list[tuple[str, dict[str, Any]]] = [
    (
        'pytest tests/a.py::T::t tests/b.py -k "foo and not bar" -x -q --cov=src',
        {"targets": ("tests/a.py", "tests/b.py"), "selected": "::T::t", "deselects": "-k 'foo and not bar'"},
    ),
    (
        'pytest -m "not slow" --ignore=tests/slow --deselect tests/a.py::x',
        {"deselects": "-m 'not slow' --ignore tests/slow --deselect tests/a.py::x"},
    ),
    ("pytest -kfoo", {"selected": "-k foo"}),
    ("pytest -n 4 --lf", {"selected": "--lf"}),
    ("pytest -n auto tests", {"targets": ("tests",)}),
    ("pytest --cov src tests/unit", {"targets": ("tests/unit",)}),
    ("pytest --collect-only -q", {"collects_only": True}),
    ("python -m unittest tests.test_x.T", {"selected": "tests.test_x.T"}),
    ('python -m unittest discover -s tests -p "test_*.py"', {"targets": ("tests",)}),
    ('jest src/a.test.ts -t "does x"', {"targets": ("src/a.test.ts",), "selected": "-t 'does x'"}),
    ("jest --testPathPattern=foo --listTests", {"selected": "--testPathPattern foo", "collects_only": True}),
    ("jest --passWithNoTests --watchAll=false", {}),
    ("jest --watch", {"watch": True}),
    ("jest --findRelatedTests a.ts b.ts", {"selected": "--findRelatedTests a.ts b.ts"}),
    ("jest --testPathIgnorePatterns e2e", {"deselects": "--testPathIgnorePatterns e2e"}),
    ("vitest run src/a --exclude '**/slow/**'", {"targets": ("src/a",), "deselects": "--exclude **/slow/**"}),
    ('vitest run -t "x y" --reporter=verbose', {"selected": "-t 'x y'"}),
    ("vitest --run", {}),
    ("vitest --watch=false", {}),
    ("vitest watch", {"watch": True}),
    ("vitest related src/a.ts --run", {"selected": "related src/a.ts"}),
    ("mocha --grep foo --invert", {"deselects": "--invert --grep foo"}),
    ("mocha test/*.js -g foo", {"targets": ("test/*.js",), "selected": "-g foo"}),
    (
        'node --test --test-name-pattern="x" tests/a.test.js',
        {"targets": ("tests/a.test.js",), "selected": "--test-name-pattern x"},
    ),
    ("bun test src/a -t foo --timeout 1000", {"targets": ("src/a",), "selected": "-t foo"}),
    ("deno test --filter x tests/", {"targets": ("tests/",), "selected": "--filter x"}),
    (
        'npx playwright test e2e/a.spec.ts -g "login" --project=chromium',
        {"targets": ("e2e/a.spec.ts",), "selected": "-g login --project chromium"},
    ),
    ("npx playwright test --list", {"collects_only": True}),
    ("npx playwright test --grep-invert @slow", {"deselects": "--grep-invert @slow"}),
    ("npx cypress run --spec cypress/e2e/a.cy.ts", {"selected": "--spec cypress/e2e/a.cy.ts"}),
    ("go test ./...", {}),
    ("go test ./pkg/a ./pkg/b/... -run TestX -count=1", {"targets": ("./pkg/a", "./pkg/b"), "selected": "-run TestX"}),
    ("go test -v -timeout 30s ./internal/...", {"targets": ("./internal",)}),
    ("go test -run '^$' -bench . ./...", {"selected": "-run ^$", "collects_only": True}),
    ("go test -skip Slow ./...", {"deselects": "-skip Slow"}),
    ("go test -short ./...", {}),
    ("cd sub && go test", {"cwd": "/repo/sub"}),
    ("go test .", {"targets": (".",)}),
    ('gotestsum --packages="./a/..." -- -run X', {"targets": ("./a",), "selected": "-run X"}),
    ("cargo test foo::bar -- --nocapture --test-threads 1", {"selected": "foo::bar"}),
    ("cargo test -p core --lib", {"selected": "-p core --lib"}),
    ("cargo test --workspace --exclude slow", {"deselects": "--exclude slow"}),
    ("cargo test -- --skip slow --ignored", {"selected": "--ignored", "deselects": "--skip slow"}),
    ("cargo test --test integration", {"selected": "--test integration"}),
    ("cargo test --manifest-path sub/Cargo.toml", {"cwd": "/repo/sub"}),
    ("cargo test --no-run", {"collects_only": True}),
    ("cargo nextest run -E 'test(foo)'", {"selected": "-E test(foo)"}),
    ("mvn test -Dtest=FooTest#bar -pl core", {"targets": ("core",), "selected": "-Dtest=FooTest#bar"}),
    ("mvn -pl core -am test", {"selected": "-am"}),
    ("mvn test --projects core,web --also-make-dependents", {"selected": "--also-make-dependents"}),
    ("mvn test -Dtest='!Slow'", {"deselects": "-Dtest=!Slow"}),
    ("gradle :app:test --tests 'Foo*'", {"targets": ("app",), "selected": "--tests Foo*"}),
    ("./gradlew -p sub test", {"cwd": "/repo/sub"}),
    (
        'dotnet test tests/A.csproj --filter "Category!=Slow"',
        {"targets": ("tests/A.csproj",), "deselects": "--filter Category!=Slow"},
    ),
    ("dotnet test --filter FullyQualifiedName~Foo", {"selected": "--filter FullyQualifiedName~Foo"}),
    ("dotnet test --list-tests", {"collects_only": True}),
    ('rspec spec/a_spec.rb:12 -e "does"', {"targets": ("spec/a_spec.rb",), "selected": "-e does spec/a_spec.rb:12"}),
    ("rspec --tag ~slow", {"deselects": "--tag ~slow"}),
    (
        "rails test test/models/a_test.rb:5 -n /x/",
        {"targets": ("test/models/a_test.rb",), "selected": "-n /x/ test/models/a_test.rb:5"},
    ),
    ("vendor/bin/phpunit --filter testX tests/A.php", {"targets": ("tests/A.php",), "selected": "--filter testX"}),
    ("vendor/bin/phpunit --exclude-group slow", {"deselects": "--exclude-group slow"}),
    ("php artisan test --filter=x", {"selected": "--filter x"}),
    ("ctest --test-dir build -R foo -E bar", {"selected": "-R foo", "deselects": "-E bar", "cwd": "/repo/build"}),
    ("bats -f x tests/a.bats", {"targets": ("tests/a.bats",), "selected": "-f x"}),
    (
        "mix test test/a_test.exs:5 --only x",
        {"targets": ("test/a_test.exs",), "selected": "--only x test/a_test.exs:5"},
    ),
    ("mix test --exclude slow", {"deselects": "--exclude slow"}),
    ("swift test --filter Foo --skip Bar", {"selected": "--filter Foo", "deselects": "--skip Bar"}),
    (
        "xcodebuild test -scheme X -only-testing:AppTests/Foo -skip-testing:AppTests/Slow",
        {"selected": "-only-testing AppTests/Foo", "deselects": "-skip-testing AppTests/Slow"},
    ),
    ("flutter test test/a.dart --name x", {"targets": ("test/a.dart",), "selected": "--name x"}),
    ("tox -e py311 -- -k foo", {"selected": "-k foo"}),
    ("npm test -- src/a.test.ts -t foo", {"targets": ("src/a.test.ts",), "selected": "-t foo"}),
    ("npm test -- --testPathPattern=x --watch", {"selected": "--testPathPattern x", "watch": True}),
    ("npm --prefix web test", {"cwd": "/repo/web"}),
    ("npm test --workspace=packages/a", {"selected": "--workspace=packages/a"}),
    ("pnpm --filter ./packages/a test -- -t x", {"selected": "--filter ./packages/a -t x"}),
    ("pnpm -C web test", {"cwd": "/repo/web"}),
    ("yarn --cwd web test src/a", {"targets": ("src/a",), "cwd": "/repo/web"}),
    ("yarn workspace web test src/a", {"targets": ("src/a",), "selected": "workspace web"}),
    ("make -C sub test", {"cwd": "/repo/sub"}),
    ("make test TESTS=a", {}),
    ("turbo test --filter=web", {"selected": "--filter=web"}),
    (
        "turbo run test build --filter=@acme/api --filter=@acme/web",
        {"selected": "--filter=@acme/api --filter=@acme/web"},
    ),
    ("pnpm -F api -F web test", {"selected": "-F api -F web"}),
    ("npm test -w packages/a --workspace=packages/b", {"selected": "-w packages/a --workspace=packages/b"}),
    ("nx test web", {"selected": "--project web"}),
    ("nx run web:test", {"selected": "--project web"}),
    ("nx run-many -t test -p web,api", {"selected": "--project web --project api"}),
    ("nx affected -t test", {"selected": "affected"}),
    ("bazel test //a/... --test_filter=x", {"selected": "//a/... --test_filter=x"}),
    ("just test unit", {}),
    (
        "python manage.py test app.tests --exclude-tag slow",
        {"selected": "app.tests", "deselects": "--exclude-tag slow"},
    ),
    ("git commit --no-verify -m x", {"no_verify": True}),
    ("git commit -nm x", {"no_verify": True}),
    ('git commit -am "n -n"', {}),
    ("git commit -m x -n", {"no_verify": True}),
    ("git commit -anS -m x", {"no_verify": True}),
    ("git commit -uno -m x", {}),
    ("git commit -Fnotes.txt", {}),
    ("git push --no-verify", {"no_verify": True}),
    ("uv run --directory sub pytest", {"cwd": "/repo/sub"}),
    ("env -C sub pytest", {"cwd": "/repo/sub"}),
    ("poetry -C sub run pytest", {"cwd": "/repo/sub"}),
    ("cd ~/x && pytest", {"cwd": None}),
    ('cd "$(git rev-parse --show-toplevel)" && pytest', {"cwd": None}),
    ("cd $X && pytest", {"cwd": None}),
    ("D=/a/b; cd $D/c && pytest", {"cwd": "/a/b/c"}),
    ("pushd sub && pytest && popd && npm test", {"cwd": "/repo/sub"}),
    ("(cd a && npm test); npm run build", {"cwd": "/repo/a"}),
    ("mise run test -- -run Foo ./pkg/...", {"targets": ("./pkg",), "selected": "-run Foo"}),
    ("docker compose exec -w /app web pytest tests", {"targets": ("tests",)}),
    ("behave --tags=-slow", {"deselects": "--tags -slow"}),
    ("behave features/a.feature -n x", {"targets": ("features/a.feature",), "selected": "-n x"}),
]


def first_work(command: str) -> Command:
    return next(one for one in classify(command, "/repo") if one.kind is not CommandKind.READ)


@pytest.mark.parametrize(("command", "details"), DETAILS, ids=[command for command, _ in DETAILS])
def test_the_arguments_say_what_is_run_and_where(command: str, details: dict[str, Any]) -> None:
    found = first_work(command)
    seen: dict[str, Any] = {name: getattr(found, name) for name in FIELDS if getattr(found, name)}
    if found.cwd != "/repo":
        seen["cwd"] = found.cwd

    assert seen == details
