"""What covers what: packages, worktrees, old code put aside, hooks that let a commit through, work that cannot be seen."""

import re
from typing import Any

import pytest

from ace_reflect.evidence.commands import classify
from ace_reflect.evidence.facts import Background, CommandKind
from ace_reflect.gates import debt
from ace_reflect.gates.model import State
from ace_reflect.gates.places import package_of, relative, within
from ace_reflect.project.facts import Project, Scope
from support.work import ROOT, Work, checkout, node_scope

DONE = "Done, it works."


@pytest.mark.parametrize(
    ("path", "root", "inside"),
    [
        ("/home/dev/project/src/a.py", ROOT, "src/a.py"),
        ("src/a.py", ROOT, "src/a.py"),
        ("./a.py", ROOT, "a.py"),
        ("../other/a.py", ROOT, None),
        ("/elsewhere/a.py", ROOT, None),
        ("/home/dev/project2/a.py", ROOT, None),
        ("~/a.py", ROOT, None),
        ("D:\\code\\app\\src\\a.go", "/d/code/app", "src/a.go"),
        ("D:\\code\\app\\src\\a.go", "D:\\code\\app", "src/a.go"),
        ("C:\\Temp\\a.go", "/d/code/app", None),
    ],
)
def test_paths_as_seen_from_the_root(path: str, root: str, inside: str | None) -> None:
    assert relative(path, root) == inside


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/tmp/a.py",
            "/TMP/a.py",
            "/private/tmp/a.py",
            "/private/private/tmp/a",
            "/var/folders/x/a.py",
            "/variable/a.py",
            "/tmpx/a",
        ),
        *(
            "~/a.py",
            "~anna/a.py",
            "a~b.py",
            "$HOME/a.py",
            "a$b.py",
            "/srv/Scratchpad/a.py",
            "/srv/template/a.py",
            "/srv/tmp/a.py",
        ),
        *("C:\\Users\\a\\Temp\\b.py", "C:/temp/b.py", "C:/Temperature/b.py", "\\tmp\\a.py", "", "/"),
    ],
)
def test_scratch_files_are_known_as_an_expression_would(path: str) -> None:
    wanted = re.search(r"(?i)^(?:/private)?/(?:tmp|var)/|^[~$]|scratch|[\\/]Temp[\\/]", path)
    assert debt._is_scratch(path) is (wanted is not None)


def test_the_root_holds_what_is_relative_to_it() -> None:
    assert within("src/a", "")
    assert not within("/src/a", "")
    assert not within("src2", "src")


@pytest.mark.parametrize(
    ("path", "known", "package"),
    [
        ("apps/web/src/a.ts", (), "apps/web"),
        ("packages/x/index.ts", (), "packages/x"),
        ("src/a.ts", (), ""),
        ("apps/a.ts", (), ""),
        ("frontend/src/a.ts", ("frontend",), "frontend"),
        ("apps/web/native/a.rs", ("apps/web/native",), "apps/web/native"),
    ],
)
def test_packages_by_path_or_by_manifest(path: str, known: tuple[str, ...], package: str) -> None:
    assert package_of(path, known) == package


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("@acme/web", State.PROVEN),
        ("./apps/web", State.PROVEN),
        ("acme-web", State.PROVEN),
        ("@acme/api", State.DISPROVEN),
    ],
)
def test_a_workspace_filter_covers_the_package_it_names(name: str, state: State) -> None:
    before = Work().edit("apps/web/a.ts").run("npm test", cwd=f"{ROOT}/apps/web").edit("apps/web/b.ts")
    work = before.run(f"pnpm --filter {name} test", runner="pnpm test", selected=f"--filter {name}").say(DONE)

    assert work.gate("tests").state is state


@pytest.mark.parametrize(
    ("path", "runner", "selected"),
    [
        ("app/Cart.php", "artisan test", "--filter CartTest"),
        ("src/Cart.php", "phpunit", "--filter testRoundsUp"),
        ("Sources/Kit/A.swift", "swift test", "--filter ParserTests"),
        ("src/App/A.cs", "dotnet test", "--filter FullyQualifiedName~Discount"),
        ("src/App.tsx", "playwright", "--project chromium"),
        ("src/App.tsx", "npm test", "--project chromium"),
        ("src/util.ts", "vitest", "--project unit"),
    ],
)
def test_an_option_that_chooses_tests_or_a_browser_names_no_package(path: str, runner: str, selected: str) -> None:
    work = Work().edit(path).run(f"{runner} {selected}", runner=runner, selected=selected).say(DONE)

    assert work.gate("tests").state is State.PROVEN


@pytest.mark.parametrize(
    ("runner", "selected", "state"),
    [
        ("pnpm test", "--filter @acme/web", State.PROVEN),
        ("pnpm test", "--filter @acme/api", State.DISPROVEN),
        (
            "pnpm test",
            "--filter @acme/design-system",
            State.PROVEN,
        ),  # no folder's name: nothing says that it is another
        ("turbo test", "--filter=@acme/api --filter=@acme/web", State.PROVEN),
        ("npm test", "-w api -w web", State.PROVEN),
        ("turbo test", "--filter=@acme/api --filter=@acme/docs", State.DISPROVEN),
        ("turbo test", "--filter=...[origin/main]", State.PROVEN),
        ("pnpm test", "--filter ...@acme/api", State.PROVEN),  # with the packages that use it
        ("turbo test", "--filter=@acme/api^...", State.PROVEN),  # the packages that it needs
        ("turbo test", "--filter=@acme/api", State.DISPROVEN),
        ("vitest", "--project web", State.PROVEN),
        ("vitest", "--project api", State.DISPROVEN),
    ],
)
def test_in_a_checkout_a_filter_limits_to_the_packages_that_are_there(runner: str, selected: str, state: State) -> None:
    here = checkout(node_scope("apps/web"), node_scope("apps/api"))
    work = Work().edit("apps/web/src/a.ts").run(f"{runner} {selected}", runner=runner, selected=selected).say(DONE)

    assert work.gate("tests", here).state is state


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("npx nx test api", State.DISPROVEN),
        ("nx run api:test", State.DISPROVEN),
        ("nx run-many -t test -p api,docs", State.DISPROVEN),
        ("nx run-many -t test -p api,web", State.PROVEN),
        ("nx test web", State.PROVEN),
        ("nx test shop-core", State.PROVEN),  # no folder's name: nothing says that it is another
        ("nx affected -t test", State.PROVEN),
        ("nx run-many -t test", State.PROVEN),
    ],
)
def test_a_project_that_nx_is_given_is_the_package_of_that_name(command: str, state: State) -> None:
    (said,) = classify(command)
    here = checkout(node_scope("apps/web"), node_scope("apps/api"))
    work = Work().edit("apps/web/src/a.ts").run(command, runner=said.runner, selected=said.selected).say(DONE)

    assert work.gate("tests", here).state is state


def crate(folder: str, name: str, *, tests: bool = True) -> Scope:
    return Scope(
        dir=folder,
        name=name,
        languages=("rust",),
        test_command=f"cd {folder} && cargo test",
        build_command=f"cd {folder} && cargo build",
        has_tests=tests,
        has_build=True,
        tests_build=True,
    )


@pytest.mark.parametrize(
    ("selected", "own", "tests", "build"),
    [
        ("-p ferrite-core", True, State.PROVEN, State.PROVEN),
        ("-p ferrite", True, State.DISPROVEN, State.PROVEN),  # it compiles the crates that it needs
        ("-p ferrite -p ferrite-core", True, State.PROVEN, State.PROVEN),
        ("--package ferrite", False, State.PROVEN, State.PROVEN),  # a crate without tests has those of its users
        ("-p ferrite-macros", True, State.PROVEN, State.PROVEN),  # no known one
    ],
)
def test_a_crate_is_known_by_the_name_that_its_manifest_gives_it(
    selected: str, own: bool, tests: State, build: State
) -> None:
    root = Scope(dir="", languages=("rust",), test_command="just test", has_tests=True)
    here = checkout(root, crate("crates/cli", "ferrite"), crate("crates/lang", "ferrite-core", tests=own))
    work = Work().edit("crates/lang/src/a.rs").run(f"cargo test {selected}", runner="cargo test", selected=selected)

    found = {finding.gate: finding.state for finding in work.say(DONE).judge(here).findings}

    assert (found["tests"], found["build"]) == (tests, build)


@pytest.mark.parametrize(
    ("command", "runner", "edited", "state"),
    [
        ("make test-api test-web", "make test-api", "tools/seed.ts", State.DISPROVEN),
        ("make test-api test-tools", "make test-api", "tools/seed.ts", State.PROVEN),
        ("npm run test:web", "npm run test:web", "tools/seed.ts", State.DISPROVEN),
        ("just test_tools --bail", "just test_tools", "tools/seed.ts", State.PROVEN),
        ("make test", "make test", "tools/seed.ts", State.PROVEN),
        ("make test-web test", "make test-web", "tools/seed.ts", State.PROVEN),
        ("task test:unit", "task test:unit", "tools/seed.ts", State.PROVEN),
        ("make e2e", "make e2e", "web/a.ts", State.PROVEN),  # a package of tests for all the others
        ("npm run test:web", "npm run test:web", "src/a.ts", State.PROVEN),  # the root's own may be among them
    ],
)
def test_a_task_named_for_a_package_tests_that_one(command: str, runner: str, edited: str, state: State) -> None:
    here = checkout(node_scope(), *map(node_scope, ("services/api", "web", "tools", "e2e")))
    work = Work().edit(edited).run(command, runner=runner).say(DONE)

    assert work.gate("tests", here).state is state


@pytest.mark.parametrize(
    ("edited", "state"),
    [
        ("billing/src/main/java/A.java", State.DISPROVEN),
        ("orders/src/main/java/A.java", State.PROVEN),
        ("common/src/main/java/A.java", State.PROVEN),  # it has no tests of its own
    ],
)
def test_a_module_named_bare_is_that_module(edited: str, state: State) -> None:
    modules = [
        Scope(dir=name, languages=("java",), test_command=f"mvn -pl {name} test", has_tests=name != "common")
        for name in ("orders", "billing", "common")
    ]
    here = checkout(Scope(dir="", languages=("java",), test_command="mvn test"), *modules)
    work = Work().edit(edited).run("mvn -pl orders test", runner="mvn test", targets=("orders",)).say(DONE)

    assert work.gate("tests", here).state is state


@pytest.mark.parametrize(
    ("command", "runner", "more", "state"),
    [
        ("go test ./...", "go test", {}, State.DISPROVEN),
        ("gotestsum -- ./...", "gotestsum", {}, State.DISPROVEN),
        ("go test ./tools/gen/...", "go test", {"targets": ("./tools/gen",)}, State.PROVEN),  # in a workspace
        ("go test x/tools/gen/...", "go test", {"targets": ("x/tools/gen",)}, State.PROVEN),
        ("go test ./...", "go test", {"cwd": f"{ROOT}/tools/gen"}, State.PROVEN),
        ("make test", "make test", {}, State.PROVEN),
        ("find . -name go.mod -execdir go test ./... ';'", "go test", {"cwd": None}, State.PROVEN),
    ],
)
def test_go_stops_at_a_module_inside_of_the_module(
    command: str, runner: str, more: dict[str, Any], state: State
) -> None:
    modules = [
        Scope(dir=name, manifests=("go.mod",), languages=("go",), test_command="go test ./...", has_tests=True)
        for name in ("", "tools/gen")
    ]
    work = Work().edit("tools/gen/main.go").run(command, runner=runner, **more).say(DONE)

    assert work.gate("tests", checkout(*modules)).state is state


@pytest.mark.parametrize(
    "command", ["bundle exec rspec", "bundle exec rspec engines/shop/spec", "cd engines/shop && rspec"]
)
def test_an_engine_is_proven_by_the_roots_specs_and_by_its_own(command: str) -> None:
    root, engine = (
        Scope(dir=name, languages=("ruby",), test_command="bundle exec rspec", has_tests=True)
        for name in ("", "engines/shop")
    )
    folder = f"{ROOT}/engines/shop" if command.startswith("cd") else ROOT
    targets = tuple(word for word in command.split() if word.endswith("/spec"))
    work = Work().edit("engines/shop/app/models/cart.rb").run(command, runner="rspec", cwd=folder, targets=targets)

    assert work.say(DONE).gate("tests", checkout(root, engine)).state is State.PROVEN
    work.edit("app/models/user.rb").run("rspec", runner="rspec", cwd=f"{ROOT}/engines/shop")
    assert work.say(DONE).gate("tests", checkout(root, engine)).state is State.DISPROVEN


def test_a_task_runner_started_below_the_root_runs_the_whole_project() -> None:
    work = Work().edit("src/deep/a.go").run("mise run test", runner="mise run test", cwd=f"{ROOT}/src/deep").say(DONE)

    assert work.gate("tests").state is State.PROVEN


def test_tests_of_a_worktree_are_known_by_where_they_ran() -> None:
    tree = "/home/dev/worktrees/fix"
    work = Work().edit(f"{tree}/src/a.py").run("pytest", cwd=tree).edit(f"{tree}/src/b.py").say(DONE)

    finding = work.gate("tests")

    assert (finding.state, finding.scope) == (State.DISPROVEN, tree)


# -- the work put aside

_KEPT = "cp src/app.py /tmp/a;"


@pytest.mark.parametrize(
    "command",
    [
        "git stash && pytest -q; git stash pop",
        "git checkout main -- src && pytest -q",
        "git checkout HEAD~1 && pytest -q",
        "git worktree add /tmp/base main && cd /tmp/base && pytest -q",
    ],
)
def test_a_run_on_old_code_proves_nothing_of_the_work(command: str) -> None:
    work = Work().edit().run().edit("src/b.py").run(command, runner="pytest").say(DONE)

    assert work.gate("tests", checkout()).state is State.DISPROVEN


def test_a_run_on_old_code_that_failed_shows_what_failed_before() -> None:
    work = (
        Work("Add a flag")
        .edit()
        .run("pytest", "failed")
        .run("git stash && pytest; git stash pop", "failed", runner="pytest")
    )

    said = work.say("Added. One pre-existing test failure, unrelated to this change.").judge(checkout())

    assert said.verdict.decision == "allow"


@pytest.mark.parametrize(
    ("command", "outcomes", "state"),
    [
        ("git stash; pytest -q; git stash pop; pytest -q", ["failed", "passed"], State.PROVEN),
        ("git stash -u && pytest -q; git stash pop && pytest -q", ["passed", "failed"], State.DISPROVEN),
        ("pytest -q; git stash push -m x; pytest -q; git stash pop", ["passed", "failed"], State.PROVEN),
        ("git stash; pytest -q; pytest -q tests/a.py; git stash pop", ["passed", "passed"], State.DISPROVEN),
        (
            f"{_KEPT} git checkout -- src/app.py; pytest -q; cp /tmp/a src/app.py; pytest -q",
            ["failed", "passed"],
            State.PROVEN,
        ),
        ("git checkout main && pytest -q; git checkout - && pytest -q", ["failed", "passed"], State.PROVEN),
        ("pytest -q; git checkout main -- src; pytest -q", ["passed", "failed"], State.PROVEN),
        ("git checkout -- package-lock.json && pytest -q", ["passed"], State.PROVEN),
        ("git checkout main && git merge --ff-only fix-parser && pytest -q", ["passed"], State.PROVEN),
        ("git checkout main && git merge origin/main && pytest -q", ["passed"], State.DISPROVEN),
        (f"{_KEPT} git checkout -- src/app.py; pytest -q; cp /tmp/a src/app.py", ["passed"], State.DISPROVEN),
        ("git checkout main; cp /tmp/a src/local.py; pytest -q", ["passed"], State.DISPROVEN),
        ("git checkout main -- src package-lock.json; pytest -q", ["passed"], State.DISPROVEN),
        ("bash run.sh 'git checkout main' && pytest -q", ["passed"], State.DISPROVEN),
    ],
)
def test_of_a_line_that_takes_the_work_back_the_run_behind_is_on_the_work(
    command: str, outcomes: list[str], state: State
) -> None:
    work = Work().edit()
    for outcome in outcomes:
        work.run(command, outcome, runner="pytest")
    line = work.facts["runs"][0].line
    work.facts["runs"] = [run.replace(line=line) for run in work.facts["runs"]]

    assert work.say(DONE).gate("tests", checkout()).state is state


@pytest.mark.parametrize(("after", "state"), [("passed", State.PROVEN), ("failed", State.DISPROVEN)])
def test_what_is_edited_on_the_stashed_tree_is_work_of_its_own(after: str, state: State) -> None:
    work = Work("Put my changes aside, fix the off-by-one, bring them back").call("git stash").edit()
    work.run("pytest -q", after).commit().call("git stash pop").say(DONE)

    assert work.gate("tests", checkout()).state is state


def test_a_run_between_a_stash_and_the_edit_behind_it_is_on_old_code() -> None:
    work = Work().edit().call("git stash").run("pytest -q").edit("src/b.py").call("git stash pop").say(DONE)

    assert work.gate("tests", checkout()).state is State.DISPROVEN


@pytest.mark.parametrize(
    ("manifest", "language", "path", "state"),
    [
        ("go.mod", "go", "tools/gen/main.go", State.NOT_APPLICABLE),  # a module of its own, without tests
        ("Cargo.toml", "rust", "tools/gen/main.rs", State.DISPROVEN),  # a member: the workspace's tests reach it
    ],
)
def test_the_tests_above_reach_a_package_but_no_go_module(
    manifest: str, language: str, path: str, state: State
) -> None:
    root = Scope(dir="", manifests=(manifest,), languages=(language,), test_command="x test", has_tests=True)
    inner = Scope(dir="tools/gen", manifests=(manifest,), languages=(language,))

    assert Work().edit(path).say(DONE).gate("tests", checkout(root, inner)).state is state


@pytest.mark.parametrize(
    "answer", ["Added. All tests pass.", "Added; the new test fails without the change and passes with it."]
)
def test_a_run_that_is_to_fail_between_two_calls_of_git_stash_contradicts_no_claim(answer: str) -> None:
    work = Work("Add a flag").edit().edit("tests/test_flag.py").run("pytest").call("git stash push -- src")
    work.run("pytest", "failed").call("git stash pop")

    assert work.say(answer).judge(checkout()).verdict.decision == "allow"


def test_a_run_that_fails_behind_the_stash_contradicts_it() -> None:
    work = Work("Add a flag").edit().run("pytest").call("git stash").run("pytest", "failed").call("git stash pop")

    assert work.run("pytest", "failed").say("Added. All tests pass.").judge(checkout()).verdict.decision == "block"


def test_a_stash_in_calls_of_its_own_is_seen_too() -> None:
    work = (
        Work("Add a flag")
        .edit()
        .run("pytest", "failed")
        .call("git stash")
        .run("pytest", "failed")
        .call("git stash pop")
    )

    said = work.say("Added. The one failing test is pre-existing.").judge(checkout())

    assert said.verdict.decision == "allow"


def test_a_scratch_file_that_was_made_and_removed_is_no_debt() -> None:
    work = Work().edit().run().edit("test_try.py", created=True)
    work._add(
        "edits",
        type(work.facts["edits"][0]),
        path=f"{ROOT}/test_try.py",
        tool="Bash",
        kind="test",
        change="removed",
    )

    assert work.say(DONE).gate("tests", checkout()).state is State.PROVEN


# -- hooks, subagents, environments


def test_a_commit_that_a_testing_hook_let_through_is_proof() -> None:
    work = Work().edit().run("git commit -m a", by="git-hook", runner="pytest").edit("src/b.py")
    work.commit(result_line=90).say(DONE)

    finding = work.gate("tests", checkout())

    assert (finding.state, "let it through" in finding.reason) == (State.PROVEN, True)
    assert [shown.line for shown in finding.evidence] == [90], "where git says that it went through"


def test_a_commit_past_the_hook_is_none() -> None:
    work = (
        Work()
        .edit()
        .run("git commit -m a", by="git-hook", runner="pytest")
        .edit("src/b.py")
        .commit(no_verify=True)
        .say(DONE)
    )

    assert work.gate("tests", checkout()).state is State.DISPROVEN


def test_what_an_unseen_subagent_may_have_run_is_unknown() -> None:
    assert Work().edit().subagent().say(DONE).gate("tests", checkout()).state is State.UNKNOWN


@pytest.mark.parametrize(
    "quote", ["Error: Timed out waiting 120000ms from config.webServer.", "connect ECONNREFUSED 127.0.0.1:5432"]
)
def test_what_the_environment_stopped_is_not_the_works_failure(quote: str) -> None:
    work = Work().edit().run("npx playwright test", "failed", runner="make test", quote=quote, why=quote).say(DONE)

    judgement = work.judge(checkout())

    assert judgement.verdict.decision == "allow"
    assert "environment" in judgement.verdict.system_message


def test_a_test_file_that_was_written_and_never_run_is_a_gap_even_without_a_checkout() -> None:
    finding = Work("Add tests").edit("tests/test_a.py", created=True).say(DONE).gate("tests")

    assert (finding.state, finding.settle) == (State.DISPROVEN, "pytest")


def test_a_script_run_by_its_name_is_no_sign_of_tests() -> None:
    work = Work().edit("src/a.py").run("python try_it.py", runner="script").edit("src/b.py").say(DONE)

    assert work.gate("tests").state is State.NOT_APPLICABLE


# -- still running, as the transcript shows it


@pytest.mark.parametrize(("kind", "decision"), [(CommandKind.TEST, "defer"), (CommandKind.SERVER, "block")])
def test_background_work_of_the_transcript(kind: CommandKind, decision: str) -> None:
    work = Work().edit()
    work.facts["background"] = [Background(id="b", line=3, turn=1, command="x", kind=kind)]

    assert work.say(DONE).judge(checkout()).verdict.decision == decision


# -- CI as the task


def test_a_fix_of_red_ci_is_not_complete_before_ci_was_looked_at() -> None:
    work = Work("CI fails on the PR, fix it").ci("failed").edit().run().push(branch="fix").say("Fixed and pushed.")
    work.top["pr_links"] = ("https://github.com/a/b/pull/1",)

    verdict = work.judge(checkout()).verdict

    assert (verdict.decision, verdict.complete) == ("allow", False)
    assert "CI was not looked at" in verdict.system_message


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("api/alembic/versions/9f1c_index.py", State.NOT_APPLICABLE),
        ("db/migrate/20261122_add_index.rb", State.NOT_APPLICABLE),
        ("src/main/resources/db/migration/V2__weight.sql", State.NOT_APPLICABLE),
        ("shop/migrations/0002_price.py", State.NOT_APPLICABLE),
        ("internal/migrate/runner.go", State.DISPROVEN),  # what migrates is code
        ("alembic/env.py", State.DISPROVEN),
        ("src/versions/parse.py", State.DISPROVEN),
    ],
)
def test_a_migration_alone_asks_for_no_tests(path: str, state: State) -> None:
    work = Work("Add it").run("make test").edit(path).say("Done.")

    assert work.gate("tests", Project(present=True, root=ROOT, scopes=(Scope(dir="", has_tests=True),))).state is state


@pytest.mark.parametrize(
    ("path", "more", "counts"),
    [
        ("src/pager.js", {}, True),
        ("dist/pager.js", {}, False),  # what a build made
        ("vite.config.ts", {}, False),
        ("src/pager.js", {"by": "subagent"}, True),
        (".claude/worktrees/agent-a1/src/pager.js", {"by": "subagent"}, False),
    ],
)
def test_what_makes_debt_is_program_text_of_the_project_itself(path: str, more: dict[str, str], counts: bool) -> None:
    (edit,) = Work().edit(path, **more).ledger().edits

    assert debt.relevant(edit, ROOT) is counts
