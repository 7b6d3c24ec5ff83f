"""What each command of a line is for, what it is limited to, and which files it changes."""

import json
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.evidence.commands import PushTarget, classify
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.programs import RUNNERS, TOOLS

RECORDED = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "runners" / "index.json").read_text("utf-8")
)

#: command => "kind:runner" of all that it runs
KINDS = r"""
pytest => test:pytest
python -m pytest tests/ => test:pytest
python3.11 -m pytest -x => test:pytest
.venv/bin/pytest -q => test:pytest
./node_modules/.bin/jest => test:jest
node_modules/.bin/vitest run => test:vitest
uv run --frozen pytest => test:pytest
uv run --group dev -- pytest -q => test:pytest
poetry run pytest => test:pytest
pdm run test => test:pdm run test
hatch run test => test:hatch run test
hatch run test:cov => test:hatch run test:cov
pipenv run pytest => test:pytest
rye run pytest => test:pytest
pixi run test => test:pixi run test
conda run -n env pytest => test:pytest
nix develop -c pytest => test:pytest
nix develop --command bash -c "pytest -q" => test:pytest
nix-shell --run "make test" => test:make test
mise exec -- npm test => test:npm test
mise x node@20 -- npm test => test:npm test
mise run check => other:mise run check
asdf exec bundle exec rspec => test:rspec
npx jest => test:jest
npx --yes vitest@1.2 run => test:vitest
npx playwright test => test:playwright
npx tsc --noEmit => typecheck:tsc
npx tsc -p . => build:tsc
npx eslint . --fix => format:eslint
npx eslint . => lint:eslint
node --test => test:node --test
node --test tests/ => test:node --test
node server.js => server:server.js
node test/run.js => script:node run.js
node -e "console.log(1)" => script:node
node --check a.js => lint:node --check
bun test => test:bun test
bun run test => test:bun run test
bunx vitest run => test:vitest
bun install => install:bun install
bun run dev => server:bun run dev
bun build ./a.ts => build:bun build
deno test -A => test:deno test
deno task test => test:deno task test
deno check a.ts => typecheck:deno check
deno lint => lint:deno lint
deno fmt => format:deno fmt
npm test => test:npm test
npm t => test:npm t
npm run test => test:npm run test
npm run build => build:npm run build
npm run lint => lint:npm run lint
npm run lint:fix => format:npm run lint:fix
npm run typecheck => typecheck:npm run typecheck
npm run dev => server:npm run dev
npm run ci => other:npm run ci
npm ci => install:npm ci
npm ls jest => read:npm ls
npm init -y => edit:npm init
pnpm test => test:pnpm test
pnpm -r test => test:pnpm test
pnpm lint => lint:pnpm lint
pnpm build => build:pnpm build
pnpm i => install:pnpm i
pnpm dev => server:pnpm dev
pnpm tsc --noEmit => typecheck:tsc
yarn => install:yarn
yarn test => test:yarn test
yarn run test => test:yarn run test
yarn build => build:yarn build
yarn lint --fix => lint:yarn lint
turbo run build test lint => build:turbo run build,test:turbo run test,lint:turbo run lint
turbo test --filter=web => test:turbo test
npx nx run-many -t test lint => test:nx run-many test,lint:nx run-many lint
npm-run-all lint test => lint:npm-run-all lint,test:npm-run-all test
run-s lint test:unit => lint:run-s lint,test:run-s test:unit
make test => test:make test
make => build:make
make check => other:make check
make -C dir test => test:make test
make -j8 test => test:make test
make lint test => lint:make lint,test:make test
pnpm run ci:build:test => build:pnpm run ci:build:test,test:pnpm run ci:build:test
make install => install:make install
make help => read:make
make fmt => format:make fmt
just test => test:just test
just test foo => test:just test
just --list => read:just
task test => test:task test
task -d dir test => test:task test
rake test => test:rake test
rake => test:rake
rake db:migrate => other:rake db:migrate
bundle exec rake spec => test:rake spec
bundle exec rspec spec/a_spec.rb:12 => test:rspec
rspec => test:rspec
bin/rspec => test:rspec
bin/rails test => test:rails test
rails test test/models => test:rails test
bin/rails s => server:rails s
rails db:migrate => other:rails
rails g model X => edit:rails g
ruby -Itest test/a_test.rb => test:minitest
ruby test/test_x.rb => test:minitest
bundle install => install:bundle
cargo test => test:cargo test
cargo t => test:cargo test
cargo build --release => build:cargo build
cargo check => typecheck:cargo check
cargo clippy -- -D warnings => lint:cargo clippy
cargo clippy --fix => format:cargo
cargo run => other:cargo
cargo add serde => install:cargo add
cargo new x => edit:cargo new
go test ./... => test:go test
go test -run TestX ./pkg => test:go test
go test -c => build:go test
go test -list . => test:go test
go vet ./... => lint:go vet
go fmt ./... => format:go fmt
gofmt -l . => lint:gofmt
gofmt -w . => format:gofmt
go run . => other:go
gotestsum --format testname -- ./... => test:gotestsum
ginkgo -r => test:ginkgo
golangci-lint run => lint:golangci-lint
golangci-lint run --fix => format:golangci-lint
go generate ./... => edit:go generate
./gradlew test => test:gradle test
./gradlew :app:testDebugUnitTest => test:gradle testDebugUnitTest
./gradlew build => build:gradle build,test:gradle build
./gradlew build -x test => build:gradle build
./gradlew lint => lint:gradle lint
./gradlew spotlessApply => format:gradle spotlessApply
./gradlew bootRun => server:gradle bootRun
./gradlew tasks => read:gradle
gradle test --tests Foo => test:gradle test
mvn test => test:mvn test
./mvnw -q test -Dtest=FooTest => test:mvn test
mvn clean install => build:mvn install,test:mvn install
mvn package -DskipTests => build:mvn package
mvn -pl core -am verify => build:mvn verify,test:mvn verify
mvn spotless:apply => format:mvn spotless:apply
mvn dependency:tree => read:mvn
mvn spring-boot:run => server:mvn spring-boot:run
sbt test => test:sbt test
sbt "testOnly foo.Bar" => test:sbt testOnly foo.Bar
sbt clean compile test => build:sbt compile,test:sbt test
dotnet test => test:dotnet test
dotnet test --filter Name~Foo => test:dotnet test
dotnet build => build:dotnet build
dotnet run => server:dotnet run
dotnet format => format:dotnet format
dotnet format --verify-no-changes => lint:dotnet
vendor/bin/phpunit => test:phpunit
./vendor/bin/pest => test:pest
php vendor/bin/phpunit --filter x => test:phpunit
php artisan test => test:artisan test
php artisan migrate => other:artisan
php artisan serve => server:artisan serve
php -l a.php => lint:php -l
composer test => test:composer test
composer run-script lint => lint:composer run-script lint
./vendor/bin/sail test => test:artisan test
vendor/bin/phpstan analyse => typecheck:phpstan
vendor/bin/pint => format:pint
vendor/bin/pint --test => lint:pint
ctest --test-dir build => test:ctest
ctest -N => test:ctest
cmake --build build => build:cmake
cmake --build build --target test => test:cmake
ninja -C build test => test:ninja
ninja -C build => build:ninja
meson test -C build => test:meson test
bats tests/ => test:bats
mix test => test:mix test
mix test test/a_test.exs:12 => test:mix test
mix compile => build:mix compile
mix credo => lint:mix credo
swift test => test:swift test
swift build => build:build
xcodebuild test -scheme X => test:xcodebuild test
xcodebuild -scheme X build => build:xcodebuild
xcrun simctl list => other:simctl
zig build test => test:zig build test
zig build => build:zig build
zig test src/a.zig => test:zig test
flutter test => test:flutter test
flutter build apk => build:flutter build
dart test => test:dart test
tox => test:tox
tox -e docs,py311 => test:tox
nox => test:nox
nox -s tests => test:nox
python manage.py test => test:django test
python manage.py runserver => server:manage.py runserver
python manage.py makemigrations => edit:manage.py makemigrations
python test_x.py => script:python test_x.py
python tests/run.py => script:python run.py
python setup.py test => test:setup.py test
python -m build => build:build
python -m mypy src => typecheck:mypy
coverage run -m unittest => test:unittest
coverage report => read:coverage
ptw => server:pytest
pytest-watch => server:pytest
./scripts/test.sh => test:test.sh
bash scripts/run_tests.sh => test:run_tests.sh
./run_tests.sh => test:run_tests.sh
scripts/ci.sh => script:ci.sh
./test.sh => test:test.sh
./test => test:test
bin/test => test:test
./scripts/build.sh => build:build.sh
sh -c 'npm test' => test:npm test
timeout 60 pytest => test:pytest
time pytest => test:pytest
nice -n 10 pytest => test:pytest
env CI=1 pytest => test:pytest
CI=1 pytest => test:pytest
cross-env NODE_ENV=test jest => test:jest
dotenv -e .env.test -- jest => test:jest
xvfb-run -a npm test => test:npm test
direnv exec . make test => test:make test
doppler run -- npm test => test:npm test
op run --env-file=.env -- npm test => test:npm test
sudo -u postgres pytest => test:pytest
docker compose run --rm web pytest => test:pytest
docker compose exec -T app npm test => test:npm test
docker-compose -f x.yml run web rspec => test:rspec
docker build . => build:docker build
docker compose up => server:docker compose up
docker ps => read:docker ps
kubectl exec pod -- pytest => test:pytest
ssh host 'cd app && npm test' => read:cd,test:npm test
script -q -c "npm test" /dev/null => test:npm test
tmux send-keys -t x 'npm test' Enter => other:tmux
act -j test => test:act
watch -n 2 pytest => test:pytest
ls | entr -c pytest => read:ls,test:pytest
watchexec -e py -- pytest => test:pytest
nodemon app.js => server:nodemon
xargs -n1 pytest => test:pytest
find . -name '*_test.py' -exec pytest {} \; => test:pytest
parallel npm test ::: a b => test:npm test
bazel test //... => test:bazel test
pants test :: => test:pants test
cypress run => test:cypress
jest --listTests => test:jest
vitest => test:vitest
vitest list => test:vitest
nyc mocha => test:mocha
c8 node --test => test:node --test
prove -r t => test:prove
perl t/a.t => test:prove
busted => test:busted
crystal spec => test:crystal spec
stack test => test:stack test
cabal test => test:cabal test
dune test => test:dune test
dune build @runtest => test:dune runtest
opam exec --switch 5.2 -- dune test => test:dune test
rebar3 eunit => test:rebar3 eunit
lein test => test:lein test
clojure -M:test => test:clojure test
julia --project -e 'using Pkg; Pkg.test()' => test:julia Pkg.test
Rscript -e 'devtools::test()' => test:testthat
R CMD check . => test:R CMD check
Rscript -e 'devtools::check()' => test:R CMD check
forge test => test:forge test
terraform test => test:terraform test
opa test . => test:opa test
newman run x.json => test:newman
k6 run x.js => other:k6
behave => test:behave
robot tests => test:robot
echo pytest => read:echo
git commit -m "pytest" => commit:git commit
grep pytest . => read:grep
cat pytest.ini => read:cat
which pytest => read:which
pytest --version => read:pytest
git push => push:git push
git push --dry-run => other:git push
git stash push => tree:git stash push
gh pr create --fill => pr-create:gh pr create
gh pr view 12 => pr-view:gh pr view
gh pr view --json statusCheckRollup => pr-checks:gh pr view
gh run rerun 1 => other:gh run rerun
gh pr merge --squash => pr-merge:gh pr merge
gh pr comment -b x => pr-comment:gh pr comment
gh issue create => issue:gh issue create
glab mr create => pr-create:glab mr create
glab ci status => pr-checks:glab ci status
hub pull-request => pr-create:hub pull-request
uvicorn app:app => server:uvicorn
mypy . => typecheck:mypy
pyright => typecheck:pyright
ty check => typecheck:ty
rm -rf dist => edit:rm
mkdir -p a => other:mkdir
rtk git push => push:git push
unknown-wrapper pytest -q => test:pytest
corepack pnpm@9.1.0 test => test:pnpm test
fvm flutter test => test:flutter test
lando phpunit => test:phpunit
dotenv -f .env.test run -- pytest -q => test:pytest
dotenvx run -f .env.test -- pytest => test:pytest
fastlane ios unit_tests device:iPhone => test:fastlane ios unit_tests
pwsh -NoProfile -File ./scripts/run-tests.ps1 -Fast => test:run-tests.ps1
pwsh ./test.ps1 => test:test.ps1
pwsh -NoProfile -File ./scripts/release.ps1 => script:release.ps1
./scripts/watch-ci.sh => pr-checks:watch-ci.sh
pwsh ./scripts/Wait-CI.ps1 -Sha abc => pr-checks:Wait-CI.ps1
make ci-status => pr-checks:make ci-status
./scripts/ci.sh => script:ci.sh
devcontainer exec --workspace-folder . npm test => test:npm test
devcontainer exec --workspace-folder . bash -lc 'cd api && pytest' => read:cd,test:pytest
distrobox enter dev -- cargo test => test:cargo test
lerna exec --scope core -- npm test => test:npm test
unheard-of run -- npm test => test:npm test
./dev.sh test => test:dev.sh
./x.py test library/std => test:x.py
./run => script:run
./mycli test => script:mycli
./target/debug/mycli build => script:mycli
curl -fsSL https://example.org/install.sh | sh => read:curl,other:sh
make -j$(nproc) test => other:nproc,test:make test
cmake --build build --target RUN_TESTS => test:cmake
java -cp build:lib/* org.junit.runner.JUnitCore com.acme.CartTest => test:junit
java -jar target/app.jar --port 8080 => script:java app.jar
bin/test sympy/core => test:test
./bin/test => test:test
python3 comprehensive_test.py => script:python comprehensive_test.py
bash scripts/test-unit.sh => test:test-unit.sh
sh a.sh => script:sh a.sh
./build/unit_tests => test:unit_tests
/tmp/entire-test sessions => script:entire-test
bun run src/x.ts => script:bun x.ts
bun x.ts => script:bun x.ts
xcrun swift test => test:swift test
arch -arm64 swift test => test:swift test
caffeinate -ims swift test => test:swift test
docker compose exec -T web sh -c 'cd app && pytest -q' => read:cd,test:pytest
wsl -e bash -c 'cd app && pytest -q' => read:cd,test:pytest
wsl --cd /repo/x pytest => test:pytest
script -qec 'npm test' /dev/null => test:npm test
rtk proxy go test ./... => test:go test
emacs -Q --batch -l ert -l a.el -f ert-run-tests-batch-and-exit => test:ert
cat a | python3 -c 'print(1)' => read:cat,script:python
"""


@pytest.mark.parametrize("row", KINDS.strip().splitlines())
def test_a_command_is_known_by_what_it_runs(row: str) -> None:
    command, _, meanings = row.rpartition(" => ")

    found = ",".join(f"{one.kind}:{one.runner}" for one in classify(command, "/repo"))

    assert found == meanings


FIELDS = ("targets", "selected", "deselects", "collects_only", "watch", "no_verify")

#: command -> what differs from the defaults for the first command in it that is no look; started in /repo
DETAILS: list[tuple[str, dict[str, Any]]] = [
    ('pytest tests/a.py::T::t tests/b.py -k "foo and not bar" -x -q --cov=src', {"targets": ("tests/a.py", "tests/b.py"), "selected": "::T::t", "deselects": "-k 'foo and not bar'"}),
    ('pytest -m "not slow" --ignore=tests/slow --deselect tests/a.py::x', {"deselects": "-m 'not slow' --ignore tests/slow --deselect tests/a.py::x"}),
    ("pytest -kfoo", {"selected": "-k foo"}),
    ("pytest -n 4 --lf", {"selected": "--lf"}),
    ("pytest -n auto tests", {"targets": ("tests",)}),
    ("pytest --cov src tests/unit", {"targets": ("tests/unit",)}),
    ("pytest --collect-only -q", {"collects_only": True}),
    ("python -m unittest tests.test_x.T", {"selected": "tests.test_x.T"}),
    ('python -m unittest discover -s tests -p "test_*.py"', {"selected": "-s tests"}),
    ('jest src/a.test.ts -t "does x"', {"targets": ("src/a.test.ts",), "selected": "-t 'does x'"}),
    ("jest --testPathPattern=foo --listTests", {"selected": "--testPathPattern foo", "collects_only": True}),
    ("jest --passWithNoTests --watchAll=false", {}),
    ("jest --watch", {"watch": True}),
    ("jest --findRelatedTests a.ts b.ts", {"targets": ("a.ts", "b.ts"), "selected": "--findRelatedTests"}),
    ("jest --testPathIgnorePatterns e2e", {"deselects": "--testPathIgnorePatterns e2e"}),
    ("vitest run src/a --exclude '**/slow/**'", {"targets": ("src/a",), "deselects": "--exclude **/slow/**"}),
    ('vitest run -t "x y" --reporter=verbose', {"selected": "-t 'x y'"}),
    ("vitest --run", {}),
    ("vitest --watch=false", {}),
    ("vitest watch", {"watch": True}),
    ("mocha test/*.js -g foo", {"targets": ("test/*.js",), "selected": "-g foo"}),
    ('node --test --test-name-pattern="x" tests/a.test.js', {"targets": ("tests/a.test.js",), "selected": "--test-name-pattern x"}),
    ("bun test src/a -t foo --timeout 1000", {"targets": ("src/a",), "selected": "-t foo"}),
    ("deno test --filter x tests/", {"targets": ("tests/",), "selected": "--filter x"}),
    ('npx playwright test e2e/a.spec.ts -g "login" --project=chromium', {"targets": ("e2e/a.spec.ts",), "selected": "-g login --project chromium"}),
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
    ("cargo test foo::bar -- --nocapture --test-threads 1", {"selected": "foo::bar"}),
    ("cargo test -p core --lib", {"selected": "-p core --lib"}),
    ("cargo test --workspace --exclude slow", {"deselects": "--exclude slow"}),
    ("cargo test -- --skip slow --ignored", {"selected": "--ignored", "deselects": "--skip slow"}),
    ("cargo test --test integration", {"selected": "--test integration"}),
    ("cargo test --manifest-path sub/Cargo.toml", {"cwd": "/repo/sub"}),
    ("cargo test --no-run", {"collects_only": True}),
    ("cargo nextest run -E 'test(foo)'", {"selected": "-E test(foo)"}),
    ("mvn test -Dtest=FooTest#bar -pl core", {"selected": "-Dtest FooTest#bar -pl core"}),
    ("mvn test -Dtest='!Slow'", {"deselects": "-Dtest !Slow"}),
    ("gradle :app:test --tests 'Foo*'", {"targets": ("app",), "selected": "--tests Foo*"}),
    ("./gradlew -p sub test", {"cwd": "/repo/sub"}),
    ('dotnet test tests/A.csproj --filter "Category!=Slow"', {"targets": ("tests/A.csproj",), "deselects": "--filter Category!=Slow"}),
    ("dotnet test --filter FullyQualifiedName~Foo", {"selected": "--filter FullyQualifiedName~Foo"}),
    ("dotnet test --list-tests", {"collects_only": True}),
    ('rspec spec/a_spec.rb:12 -e "does"', {"targets": ("spec/a_spec.rb",), "selected": "-e does spec/a_spec.rb:12"}),
    ("rspec --tag ~slow", {"deselects": "--tag ~slow"}),
    ("rails test test/models/a_test.rb:5 -n /x/", {"targets": ("test/models/a_test.rb",), "selected": "-n /x/ test/models/a_test.rb:5"}),
    ("vendor/bin/phpunit --filter testX tests/A.php", {"targets": ("tests/A.php",), "selected": "--filter testX"}),
    ("vendor/bin/phpunit --exclude-group slow", {"deselects": "--exclude-group slow"}),
    ("php artisan test --filter=x", {"selected": "--filter x"}),
    ("ctest --test-dir build -R foo -E bar", {"selected": "-R foo", "deselects": "-E bar", "cwd": "/repo/build"}),
    ("bats -f x tests/a.bats", {"targets": ("tests/a.bats",), "selected": "-f x"}),
    ("mix test test/a_test.exs:5 --only x", {"targets": ("test/a_test.exs",), "selected": "--only x test/a_test.exs:5"}),
    ("mix test --exclude slow", {"deselects": "--exclude slow"}),
    ("swift test --filter Foo --skip Bar", {"selected": "--filter Foo", "deselects": "--skip Bar"}),
    ("xcodebuild test -scheme X -only-testing:AppTests/Foo -skip-testing:AppTests/Slow", {"selected": "-only-testing AppTests/Foo", "deselects": "-skip-testing AppTests/Slow"}),
    ("flutter test test/a.dart --name x", {"targets": ("test/a.dart",), "selected": "--name x"}),
    ("tox -e py311 -- -k foo", {"selected": "-k foo"}),
    ("npm test -- src/a.test.ts -t foo", {"targets": ("src/a.test.ts",), "selected": "-t foo"}),
    ("npm test -- --testPathPattern=x --watch", {"selected": "--testPathPattern x", "watch": True}),
    ("npm --prefix web test", {"cwd": "/repo/web"}),
    ("npm test --workspace=packages/a", {"selected": "--workspace packages/a"}),
    ("pnpm --filter ./packages/a test -- -t x", {"selected": "--filter ./packages/a -t x"}),
    ("pnpm -C web test", {"cwd": "/repo/web"}),
    ("yarn --cwd web test src/a", {"targets": ("src/a",), "cwd": "/repo/web"}),
    ("make -C sub test", {"cwd": "/repo/sub"}),
    ("make test TESTS=a", {}),
    ("turbo test --filter=web", {"selected": "--filter web"}),
    ("turbo run test build --filter=@acme/api --filter=@acme/web", {"selected": "--filter @acme/api --filter @acme/web"}),
    ("pnpm -F api -F web test", {"selected": "-F api -F web"}),
    ("npm test -w packages/a --workspace=packages/b", {"selected": "-w packages/a --workspace packages/b"}),
    ("python manage.py test app.tests --exclude-tag slow", {"selected": "app.tests", "deselects": "--exclude-tag slow"}),
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
    ("pushd sub && pytest && popd && npm test", {"cwd": "/repo/sub"}),
    ("(cd a && npm test); npm run build", {"cwd": "/repo/a"}),
    ("mise run test -- -run Foo ./pkg/...", {"targets": ("./pkg",), "selected": "-run Foo"}),
    ("docker compose exec -w /app web pytest tests", {"targets": ("tests",)}),
    ("behave --tags=-slow", {"deselects": "--tags -slow"}),
    ("behave features/a.feature -n x", {"targets": ("features/a.feature",), "selected": "-n x"}),
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
    ("sed -i '' 's/a/b/' src/x.py", ("/repo/src/x.py",), ()),
    ("sed -i.bak -e s/a/b/ -e s/c/d/ a b", ("/repo/a", "/repo/b"), ()),
    ("sed -i'' -e s/a/b/ f", ("/repo/f",), ()),
    ("sed -Ei 's/a/b/' f", ("/repo/f",), ()),
    ("sed -ni p f", ("/repo/f",), ()),
    ("sed -i -E s/a/b/ *.py", ("/repo/*.py",), ()),
    ("sed -n 1,5p f", (), ()),
    ("sed -e s/a/b/ f > g", ("/repo/g",), ()),
    ("sed --in-place=.bak s/a/b/ f", ("/repo/f",), ()),
    ("gsed -i s/a/b/ f", ("/repo/f",), ()),
    ("perl -pi -e 's/a/b/' x y", ("/repo/x", "/repo/y"), ()),
    ("perl -i.bak -pe s/a/b/ x", ("/repo/x",), ()),
    ("perl -0pi -e s/a/b/ x", ("/repo/x",), ()),
    ("perl -e 'print 1'", (), ()),
    ("echo x > a.py", ("/repo/a.py",), ()),
    ("echo x >> a.py", ("/repo/a.py",), ()),
    ("cmd 2> err.log", ("/repo/err.log",), ()),
    ("cmd &> all.log", ("/repo/all.log",), ()),
    ("cmd > /dev/null 2>&1", (), ()),
    ("cmd >| f", ("/repo/f",), ()),
    ("cmd 2>&1 | tee out.txt", ("/repo/out.txt",), ()),
    ("tee -a x y < z", ("/repo/x", "/repo/y"), ()),
    ("mv a.py b.py", ("/repo/b.py",), ("/repo/a.py",)),
    ("mv a.py b.py src/", ("/repo/src/a.py", "/repo/src/b.py"), ("/repo/a.py", "/repo/b.py")),
    ("mv -t d a b", ("/repo/d/a", "/repo/d/b"), ("/repo/a", "/repo/b")),
    ("cp a b", ("/repo/b",), ()),
    ("cp -r a/ b/", ("/repo/b/a",), ()),
    ("cp a b c d/", ("/repo/d/a", "/repo/d/b", "/repo/d/c"), ()),
    ("ln -s a b", ("/repo/b",), ()),
    ("rm -rf a b", (), ("/repo/a", "/repo/b")),
    ("touch a b", ("/repo/a", "/repo/b"), ()),
    ("truncate -s 0 f", ("/repo/f",), ()),
    ("patch f x.patch", ("/repo/f",), ()),
    ("git apply <<'EOF'\nno patch\nEOF", (), ()),
    ("git commit -F - <<'EOF'\n+++ b/x.py\nEOF", (), ()),
    ("git checkout -- src/a.py", (), ()),
    ("git checkout main", (), ()),
    ("git checkout main -- a.py", (), ()),
    ("git checkout HEAD~1 src/a.py", (), ()),
    ("git checkout src/a.py", (), ()),
    ("git restore --staged a", (), ()),
    ("git restore --source=HEAD~1 a.py", (), ()),
    ("git mv a b", ("/repo/b",), ("/repo/a",)),
    ("git rm a", (), ("/repo/a",)),
    ("git rm --cached a", (), ()),
    ("cat > f.py <<EOF\nx\nEOF", ("/repo/f.py",), ()),
    ("cat <<'EOF' | tee f.py\nx\nEOF", ("/repo/f.py",), ()),
    ("prettier --write src/a.ts", ("/repo/src/a.ts",), ()),
    ("ruff format a.py b.py", ("/repo/a.py", "/repo/b.py"), ()),
    ("gofmt -w a.go", ("/repo/a.go",), ()),
    ("cd sub && echo x > a.py", ("/repo/sub/a.py",), ()),
    ("(cd sub; echo x > a.py) && echo y > b", ("/repo/sub/a.py", "/repo/b"), ()),
    ("curl http://x > f", ("/repo/f",), ()),
    ("jq . a.json > b.json && mv b.json a.json", ("/repo/b.json", "/repo/a.json"), ("/repo/b.json",)),
    ("for f in a b; do sed -i s/x/y/ $f; done", ("/repo/a", "/repo/b"), ()),
    ("F=src/a.py; sed -i s/x/y/ $F", ("/repo/src/a.py",), ()),
    ('echo x > "$TMPDIR/f"', ("$TMPDIR/f",), ()),
    ("{ echo a; echo b; } > f.md", ("/repo/f.md",), ()),
    ("docker exec app sh -c 'echo x > /app/f'", ("/app/f",), ()),
    ("ssh h 'echo x > f'", (), ()),
    ("echo x | sudo tee /etc/hosts", ("/etc/hosts",), ()),
    ("cat a >> b 2>/dev/null", ("/repo/b",), ()),
    ("echo x > ~/f", ("~/f",), ()),
    ("mkdir -p x && touch x/y.py", ("/repo/x/y.py",), ()),
    ("eslint --fix src/a.ts", ("/repo/src/a.ts",), ()),
    ("npx tsc > tsc.log", ("/repo/tsc.log",), ()),
    ("unzip x.zip", (), ()),
    ("tar xf x.tar", (), ()),
    ("install -m 755 a b", ("/repo/b",), ()),
    ("chmod +x f", (), ()),
    ("cp a.py /tmp/", ("/tmp/a.py",), ()),
    ("rm -f /tmp/x", (), ("/tmp/x",)),
]  # fmt: skip


@pytest.mark.parametrize(("command", "writes", "removes"), CHANGES, ids=[row[0] for row in CHANGES])
def test_the_files_that_the_shell_changes_are_named(
    command: str, writes: tuple[str, ...], removes: tuple[str, ...]
) -> None:
    found = classify(command, "/repo")

    assert tuple(dict.fromkeys(path for one in found for path in one.writes)) == writes
    assert tuple(dict.fromkeys(path for one in found for path in one.removes)) == removes


#: command -> what of the tree git replaces: its name, the paths (none: all of it)
TREES: list[tuple[str, str, tuple[str, ...]]] = [
    ("git checkout -- src/a.py", "restore", ("/repo/src/a.py",)),
    ("git checkout HEAD~1 src/a.py", "restore", ("/repo/src/a.py",)),
    ("git checkout src/a.py", "restore", ("/repo/src/a.py",)),
    ("git checkout .", "restore", ()),
    ("git restore --source=HEAD~1 a.py", "restore", ("/repo/a.py",)),
    ("git restore --staged a", "", ()),
    ("git checkout main", "", ()),
    ("git checkout feat/phase-12.6-per-file", "", ()),
    ("git checkout -b x", "", ()),
    ("git switch x", "", ()),
    ("git stash", "stash", ()),
    ("git stash push -m 'half of it'", "stash", ()),
    ("git stash push -- src/a.py", "stash", ("/repo/src/a.py",)),
    ("git stash --keep-index", "", ()),
    ("git stash pop", "pop", ()),
    ("git stash drop", "", ()),
    ("git reset --hard HEAD~1", "reset", ()),
    ("git reset HEAD a", "", ()),
    ("git -C sub merge x", "merge", ()),
    ("git merge --abort", "", ()),
    ("git pull --rebase", "pull", ()),
    ("git cherry-pick abc", "cherry-pick", ()),
    ("git revert HEAD", "revert", ()),
    ("git rebase main", "rebase", ()),
]


@pytest.mark.parametrize(("command", "tree", "paths"), TREES, ids=[row[0] for row in TREES])
def test_what_git_puts_into_the_tree_is_told(
    command: str, tree: str, paths: tuple[str, ...]
) -> None:
    (found,) = classify(command, "/repo")

    assert (found.tree, found.tree_paths) == (tree, paths)
    assert (found.kind is CommandKind.TREE) == bool(tree)
    assert found.argv[1] not in ("-C", "sub")


PUSHES: list[tuple[str, dict[str, Any]]] = [
    ("git push", {}),
    ("git push origin", {}),
    ("git push origin main", {"refspecs": ("main",)}),
    ("git push -u origin HEAD", {"refspecs": ("HEAD",)}),
    ("git push origin HEAD:main", {"refspecs": ("HEAD:main",)}),
    ("git push origin a:refs/heads/b", {"refspecs": ("a:refs/heads/b",)}),
    ("git push origin feature/main-menu", {"refspecs": ("feature/main-menu",)}),
    ("git push --force-with-lease origin x", {"refspecs": ("x",), "force": True}),
    ("git push -f", {"force": True}),
    ("git push origin +main", {"refspecs": ("+main",), "force": True}),
    ("git push --tags", {"only_tags": True}),
    ("git push --follow-tags origin main", {"refspecs": ("main",)}),
    ("git push origin v1.2.3", {"refspecs": ("v1.2.3",), "only_tags": True}),
    ("git push origin tag v1", {"refspecs": ("refs/tags/v1",), "only_tags": True}),
    ("git push origin main v1.0.0", {"refspecs": ("main", "v1.0.0")}),
    ("git push origin :x", {"refspecs": (":x",)}),
    ("git push --no-verify", {}),
    ("git push -o ci.skip origin main", {"refspecs": ("main",)}),
    ("git -C /x push origin main", {"refspecs": ("main",)}),
    ("git -c a.b=c push", {}),
    ("cd x && git add . && git commit -m 'y' && git push", {}),
    ("B=topic; git push -u origin $B", {"refspecs": ("topic",)}),
]


@pytest.mark.parametrize(("command", "fields"), PUSHES, ids=[command for command, _ in PUSHES])
def test_a_push_names_its_target(command: str, fields: dict[str, Any]) -> None:
    (found,) = [one for one in classify(command, "/repo") if one.kind is CommandKind.PUSH]

    assert found.push == PushTarget(**fields)


def test_every_push_of_a_line_is_one() -> None:
    found = classify("git push origin main && git push origin v1.0.0", "/repo")

    assert [one.push for one in found] == [
        PushTarget(refspecs=("main",)),
        PushTarget(refspecs=("v1.0.0",), only_tags=True),
    ]


@pytest.mark.parametrize(
    "command",
    [
        "git stash push",
        "git stash push -m 'push'",
        "echo git push",
        "git push --dry-run",
        "git log --grep 'git push'",
        "npm run push-docs",
    ],
)
def test_what_only_looks_like_a_push_is_none(command: str) -> None:
    assert CommandKind.PUSH not in {one.kind for one in classify(command)}


@pytest.mark.parametrize("task", ["check", "ci", "verify", "validate", "precommit"])
def test_a_task_that_may_be_anything_is_told_by_its_name_only(task: str) -> None:
    (found,) = classify(f"npm run {task}", "/repo")

    assert (found.kind, found.task) == (CommandKind.OTHER, f"npm run {task}")


def test_a_file_is_written_before_it_is_run() -> None:
    found = classify("cat > test_x.py <<'EOF'\nimport x\nEOF\npython test_x.py", "/repo")

    assert [(one.kind, one.writes, one.script) for one in found] == [
        ("edit", ("/repo/test_x.py",), ""),
        ("script", (), "test_x.py"),
    ]


@pytest.mark.parametrize("command", ["python - <<'E'\nprint(1)\nE", "node -e '1'", "python -c 1"])
def test_code_in_the_line_is_a_script_without_a_file(command: str) -> None:
    assert [(one.kind, one.script) for one in classify(command)] == [("script", "")]


def test_a_move_tells_where_from_and_where_to() -> None:
    (found,) = classify("git mv a.py src/", "/repo")

    assert found.moves == (("/repo/a.py", "/repo/src/a.py"),)


@pytest.mark.parametrize("command", ["cmd > out.log", "cmd 2> err.log", "make > build.out"])
def test_what_a_command_said_kept_in_a_file_is_no_edit(command: str) -> None:
    assert CommandKind.EDIT not in {one.kind for one in classify(command, "/repo")}


@pytest.mark.parametrize("command", ["black .", "ruff check --fix", "mise run fmt", "gofmt -w ."])
def test_formatters_are_marked(command: str) -> None:
    (found,) = classify(command, "/repo")

    assert (found.kind, found.formatter) == (CommandKind.FORMAT, True)


@pytest.mark.parametrize(
    ("command", "runner", "cwd"),
    [
        (".\\gradlew.bat test --no-daemon", "gradle test", "/repo"),
        (".\\.venv\\Scripts\\python.exe -m pytest -q", "pytest", "/repo"),
        (".venv\\Scripts\\pytest -q", "pytest", "/repo"),
        ("node_modules\\.bin\\jest", "jest", "/repo"),
        ("cd src\\app; npm test", "npm test", "/repo/src/app"),
        ("Set-Location web; npm test", "npm test", "/repo/web"),
        ("Push-Location web; npm test", "npm test", "/repo/web"),
        ("cd My\\ Project && npm test", "npm test", "/repo/My Project"),
        ("/opt/My\\ App/bin/pytest -q", "pytest", "/repo"),
        ("\\cd web && npm test", "npm test", "/repo/web"),
        ("$r = Invoke-Pester -Path scripts/tests -PassThru; $r.FailedCount", "pester", "/repo"),
        ("$script:out = npm test | Out-String\n$out", "npm test", "/repo"),
        ("$all += dotnet test src/App.Tests", "dotnet test", "/repo"),
        ("if ($true) { $r = cargo test }", "cargo test", "/repo"),
        ('cmd.exe /c "cd /d sub && dotnet test"', "dotnet test", "/repo/sub"),
    ],
)
def test_windows_lines_are_read(command: str, runner: str, cwd: str) -> None:
    tests = [one for one in classify(command, "/repo") if one.kind is CommandKind.TEST]

    assert [(one.runner, one.cwd) for one in tests] == [(runner, cwd)]


@pytest.mark.parametrize(
    "command",
    [
        'cmd.exe /c "cd /d C:\\Users\\me\\app && dotnet test"',
        'powershell.exe -NoProfile -Command "cd C:\\Users\\me\\app; dotnet test"',
        "powershell.exe -Command \"Set-Location 'C:\\Users\\me\\app'; dotnet test\"",
        "wsl -e bash -c 'cd /mnt/c/Users/me/app && dotnet test'",
    ],
)
def test_a_folder_of_windows_is_spelled_as_in_wsl(command: str) -> None:
    found = classify(command, "/mnt/c/Users/me/app")[-1]

    assert (found.runner, found.cwd) == ("dotnet test", "/mnt/c/Users/me/app")


@pytest.mark.parametrize(
    "command",
    ['$runner = "pytest"; Write-Host $runner', "$what = $env:TESTS", "echo $r = pytest -q"],
)
def test_a_value_that_is_no_command_runs_nothing(command: str) -> None:
    assert CommandKind.TEST not in {one.kind for one in classify(command, "/repo")}


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("for s in lint typecheck test; do npm run $s; done", "lint typecheck test"),
        ("for tool in ruff mypy pytest; do uv run $tool; done", "lint typecheck test"),
        ('for c in "npm test" "npm run lint"; do $c; done', "test lint"),
        ("for f in a.py b.py; do python $f; done", "script script"),
        ("for s in lint test; do echo npm run $s; done", "read read"),
    ],
)
def test_a_loop_runs_its_body_with_each_value(command: str, kinds: str) -> None:
    assert [str(one.kind) for one in classify(command, "/repo")] == kinds.split()


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


def test_the_tables_kinds_are_kinds() -> None:
    kinds = {kind for rules, kind in TOOLS.values()}
    kinds |= {kind for rules, _ in TOOLS.values() for _, kind in rules}

    assert kinds <= set(CommandKind)


def test_no_program_is_in_two_tables() -> None:
    assert set(TOOLS) & set(RUNNERS) == set()
