"""A test command as it is shown: one that can be typed, and the step that ran the tests."""

import pytest

from ace_reflect.gates.command_text import unmasked


@pytest.mark.parametrize(
    ("command", "runner", "shown"),
    [
        ("rsync -a ./ pi@10.0.0.7:prog/ && ssh pi@10.0.0.7 'cd prog && make check'", "make check", "make check"),
        ("for d in pkg/*; do (cd $d && go test .) || exit 1; done", "go test", "go test ."),
        ('bash -lc "source env.sh && cargo test"', "cargo test", "cargo test"),
        ("npm run test -- --grep 'a (b)'", "npm test", "npm run test -- --grep 'a (b)'"),
        ("(go test ./...)", "go test", "(go test ./...)"),
        ("for i in 1 2 3; do uv run pytest -q || break; done", "pytest", "uv run pytest -q"),
        ("if ! bundle exec rspec; then echo red; fi", "rspec", "bundle exec rspec"),
        ("do-tests --fast; echo done", "do-tests", "do-tests --fast"),
        ("go test ./... -run 'TestA|TestB' -v 2>&1 | tail -5", "go test", "go test ./... -run 'TestA|TestB' -v"),
        ('npx jest -t "adds|removes" > out.log', "jest", 'npx jest -t "adds|removes"'),
        ("npm test | grep -E 'passed|failed'", "npm test", "npm test"),
    ],
)
def test_no_quote_or_bracket_of_an_earlier_step_is_left(command: str, runner: str, shown: str) -> None:
    assert unmasked(command, runner) == shown


@pytest.mark.parametrize(
    ("command", "runner", "shown"),
    [
        (
            'docker run --rm -v "$PWD":/app app sh -c "pip install pytest && pytest -q" 2>&1 | tail -4',
            "pytest",
            'docker run --rm -v "$PWD":/app app sh -c "pip install pytest && pytest -q"',
        ),
        (
            "Rscript -e 'devtools::document(); devtools::test()' | tail -3",
            "Rscript",
            "Rscript -e 'devtools::document(); devtools::test()'",
        ),
        ("cd api && pytest -k 'a && b' && git push", "pytest", "cd api && pytest -k 'a && b'"),
        ('docker compose exec web bash -c "pytest -q; echo done"; date', "pytest", 'docker compose exec web bash -c "pytest -q; echo done"'),
        # opened in an earlier step, or never closed
        ("ssh pi 'cd prog; make check'", "make check", "make check"),
        ("echo it's && pytest -q", "pytest", "pytest -q"),
    ],
)  # fmt: skip
def test_a_quote_that_a_step_opens_is_closed(command: str, runner: str, shown: str) -> None:
    assert unmasked(command, runner) == shown


@pytest.mark.parametrize(
    ("command", "runner", "shown"),
    [
        ("cd build && make -j8 && ./ring_test", "gtest", "cd build && ./ring_test"),
        ("cmake --build build && build/tests/unit --success", "catch2", "build/tests/unit --success"),
        ("mvn -pl common install -DskipTests && mvn -pl orders test", "mvn test", "mvn -pl orders test"),
        ("pnpm run build:tests && pnpm -C web test -- --run", "pnpm test", "pnpm -C web test -- --run"),
        ("make && ./check", "gtest", "make"),  # nothing tells which of them it was
    ],
)
def test_a_test_program_is_known_by_its_name(command: str, runner: str, shown: str) -> None:
    assert unmasked(command, runner) == shown


@pytest.mark.parametrize(
    ("command", "runner", "shown"),
    [
        ("git add README.md && git commit -m 'docs: say more'", "bun test", "git commit -m 'docs: say more'"),
        ("cd app && git add -A && git push origin main 2>&1 | tail -3", "pytest", "cd app && git push origin main"),
        ("git add tests && git commit -m x && pytest", "pytest", "pytest"),
    ],
)
def test_what_a_hook_ran_is_run_again_by_what_git_did(command: str, runner: str, shown: str) -> None:
    assert unmasked(command, runner) == shown


@pytest.mark.parametrize(
    ("command", "runner", "shown"),
    [
        ("npm test | tail -8 && (cd api && uv run pytest -q | tail -4) && git push", "pytest", "cd api && uv run pytest -q"),
        ("( cd api && pytest -q )", "pytest", "cd api && pytest -q"),
        ("pushd web && npm ci && npm test", "npm test", "cd web && npm test"),
        # it holds no more
        ("(cd web && npm ci) && pytest -q", "pytest", "pytest -q"),
        ("pushd web && npm ci && popd && pytest -q", "pytest", "pytest -q"),
    ],
)  # fmt: skip
def test_the_folder_is_the_one_that_the_run_was_in(command: str, runner: str, shown: str) -> None:
    assert unmasked(command, runner) == shown


@pytest.mark.parametrize(
    ("command", "runner", "shown"),
    [
        (
            "go list ./... | xargs -n1 -P4 go test 2>&1 | grep -v '^ok'",
            "go test",
            "go list ./... | xargs -n1 -P4 go test",
        ),
        (
            "git ls-files '*_test.py' | xargs pytest -q | tail -3",
            "pytest",
            "git ls-files '*_test.py' | xargs pytest -q",
        ),
        ("pytest -q | tee pytest.txt | grep pytest", "pytest", "pytest -q"),
        ("./setup.sh || go test ./...", "go test", "./setup.sh"),
    ],
)
def test_what_a_pipe_feeds_the_runner_with_is_kept(command: str, runner: str, shown: str) -> None:
    assert unmasked(command, runner) == shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("(cd web && npm test --silent) > out.txt 2>&1 & wait $!; echo rc=$?", "npm test --silent"),
        ("npm test & sleep 60; kill %1", "npm test"),
        ("npm test -- 'a & b'", "npm test -- 'a & b'"),
    ],
)
def test_what_sends_it_into_the_background_is_left_out(command: str, shown: str) -> None:
    assert unmasked(command, "npm test") == shown
