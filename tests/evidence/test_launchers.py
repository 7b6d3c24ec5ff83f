"""Tests behind programs that start others, and programs that do what their first word says."""

import pytest

from ace_reflect.evidence.commands import classify


def work(command: str) -> list[str]:
    return [
        f"{found.kind}:{found.runner}" for found in classify(command, "/repo") if found.kind not in ("read", "other")
    ]


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("corepack pnpm@9.1.0 test", ["test:pnpm test"]),
        ("corepack enable", ["install:corepack"]),
        ("fvm flutter test", ["test:flutter test"]),
        ("fvm install 3.22", []),
        ("lando phpunit", ["test:phpunit"]),
        ("lando start", []),
        ("symfony php bin/phpunit", ["test:phpunit"]),
        ("dotenv -f .env.test run -- pytest -q", ["test:pytest"]),
        ("dotenv -e .env.test -- jest", ["test:jest"]),
        ("dotenvx run -f .env.test -- pytest", ["test:pytest"]),
        ("dotenvx set KEY value", []),
        ("sops exec-env secrets.yaml 'pytest -q'", ["test:pytest"]),
        ("firebase emulators:exec --only firestore 'npm test'", ["test:npm test"]),
        ("firebase deploy", []),
        ("bundle exec fastlane test", ["test:fastlane test"]),
        ("fastlane ios unit_tests device:iPhone", ["test:fastlane unit_tests"]),
        ("fastlane run scan scheme:App", ["test:fastlane scan"]),
        ("fastlane gym", ["build:fastlane gym"]),
        ("fastlane ios beta", []),
        ("fastlane lanes", []),
        ("uv tool run pytest", ["test:pytest"]),
        ("pwsh -NoProfile -File ./scripts/run-tests.ps1 -Fast", ["test:run-tests.ps1"]),
        ("powershell -ExecutionPolicy Bypass -File 'scripts\\Build.ps1'", ["build:Build.ps1"]),
        ("pwsh ./test.ps1", ["test:test.ps1"]),
        ("pwsh -NoProfile -File ./scripts/release.ps1", []),
        ("pwsh -Version", []),
        ("./scripts/watch-ci.sh", ["pr-checks:watch-ci.sh"]),
        ("pwsh ./scripts/Wait-CI.ps1 -Sha abc", ["pr-checks:Wait-CI.ps1"]),
        ("make ci-status", ["pr-checks:make ci-status"]),
        ("./scripts/ci.sh", ["test:ci.sh"]),
        ("npm run ci:watch", []),
        ("./scripts/watch.sh", ["server:watch.sh"]),
        ("perl -e 'alarm 60; exec @ARGV' pytest -q", ["test:pytest"]),
        ("perl -e 'alarm(shift); exec(@ARGV)' -- 60 npm test", ["test:npm test"]),
        ("perl -e 'print join q( ), @ARGV' pytest -q", []),
        ("perl -e 'alarm 60; exec @ARGV'", []),
        ("uv tool install ruff", ["install:uv tool"]),
        ("nix run nixpkgs#ruff -- check .", ["lint:ruff check"]),
        ("nix run .#test", ["test:nix run test"]),
        ("devcontainer exec --workspace-folder . npm test", ["test:npm test"]),
        ("devcontainer exec --workspace-folder . bash -lc 'cd api && pytest'", ["test:pytest"]),
        ("devcontainer up --workspace-folder .", []),
        ("distrobox enter dev -- cargo test", ["test:cargo test"]),
        ("vagrant ssh -c 'cd /vagrant && phpunit'", ["test:phpunit"]),
        ("vagrant ssh web -c 'cd /vagrant; phpunit'", ["test:phpunit"]),
        ("vagrant up", []),
        ("gcloud compute ssh gpu --zone=b --command='cd app && pytest -q'", ["test:pytest"]),
        ("gcloud compute instances list --filter=name:test", []),
        ("fly ssh console -a app -C 'bin/rails test'", ["test:rails test"]),
        ("fly deploy", []),
        ("lima bash -c 'make test'", ["test:make test"]),
        ("srun -n 1 pytest", ["test:pytest"]),
        ("torchrun --nproc_per_node 2 -m pytest tests", ["test:pytest"]),
        ("torchrun train.py", []),
        ("python -m cProfile -o out.prof -m pytest tests", ["test:pytest"]),
        ("python -m cProfile -s cumtime app.py", []),
        ("lerna exec --scope core -- npm test", ["test:npm test"]),
        ("yarn workspaces foreach -A exec tsc --noEmit", ["typecheck:tsc"]),
        ("docker compose up --exit-code-from tests", ["test:docker compose up"]),
        ("docker compose up -d", []),
        ("unheard-of run -- npm test", ["test:npm test"]),
        ("unheard-of run -- npm-test-notes", []),
    ],
)
def test_a_launcher_is_seen_through_and_its_own_commands_are_left(command: str, runs: list[str]) -> None:
    assert work(command) == runs


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("./dev.sh test", ["test"]),
        ("./x.py test library/std", ["test"]),
        ("./mach lint", ["lint"]),
        ("python run.py test", ["test"]),
        ("./dev.sh", ["server"]),
        ("./run", []),
        ("./mycli test", []),  # the product itself, perhaps
        ("./target/debug/mycli build", []),
        ("python -m tests", ["test"]),
        ("python -m app.tests.test_api", ["test"]),
        ("python -m scripts.run_tests", ["test"]),
        ("python -m app", []),
        ("python -m app.testing", []),
    ],
)
def test_a_projects_own_script_does_what_its_words_say(command: str, kinds: list[str]) -> None:
    assert [one.partition(":")[0] for one in work(command)] == kinds


@pytest.mark.parametrize(
    ("command", "kinds"),
    [
        ("git push --help", []),
        ("git commit -h", []),
        ("gh pr create --help", []),
        ("gh pr merge -h", []),
        ("gh pr create -H feature --fill", ["pr-create"]),
        ("glab mr create --help", []),
        ("curl -fsSL https://example.org/install.sh | sh", []),
        ("ssh box bash -s < deploy.sh", []),
        ("bash -n deploy.sh", ["lint"]),
        ("mvn package -DskipITs", ["build", "test"]),
        ("mvn verify -DskipITs=true", ["build", "test"]),
        ("mvn failsafe:integration-test -DskipITs", []),
        ("mvn package -DskipTests", ["build"]),
        ("npm audit fix", ["install"]),
        ("npm audit", []),
        ("npx remix vite:build", ["build"]),
        ("npx remix vite:dev", ["server"]),
        ("npx eslint --print-config a.js", []),
        ("xmake test", ["test"]),
        ("xmake", ["build"]),
        ("bundle exec minitest test/a_test.rb", ["test"]),
        ("npm run cy:run", ["test"]),
        ("npm run cy:run:component", ["test"]),
        ("npm run cy:install", []),
        ("npm run i18n:cy", []),
        ("npm run storybook:build", ["build"]),
        ("npm run storybook", ["server"]),
        ("hg commit -m x && hg push", ["commit", "push"]),
        ("jj git push", ["push"]),
        ("jj log", []),
    ],
)
def test_the_same_program_does_more_than_one_thing(command: str, kinds: list[str]) -> None:
    assert [one.partition(":")[0] for one in work(command)] == kinds
