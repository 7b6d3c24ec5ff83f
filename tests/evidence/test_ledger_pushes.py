"""Pushes, commits, pull requests and looks at CI, as git 2.43, gh 2.60 and glab 1.40 print them."""

from pathlib import Path

import pytest

from ace_reflect.evidence.ci import read_ci
from ace_reflect.evidence.facts import Outcome, Push
from ace_reflect.evidence.git_facts import unanswered
from support.ledgers import ledger_of, session

UPDATED = "To github.com:owner/repo.git\n   1a2b3c4..5d6e7f8  {0} -> {0}"


def pushed(folder: Path, command: str, output: str, *, exit_code: int = 0, branch: str = "main") -> tuple[Push, ...]:
    return ledger_of(session(folder, branch=branch).prompt("Go").bash(command, output, exit_code=exit_code)).pushes


def test_colours_hide_no_push_and_no_pull_request(tmp_path: Path) -> None:
    green = "\x1b[32m{}\x1b[0m"
    push = "\n".join(map(green.format, UPDATED.format("topic").splitlines()))
    url = "https://github.com/o/r/pull/7"
    built = session(tmp_path).prompt("Go").bash("git push", push)

    ledger = ledger_of(built.bash("gh pr create --fill", f"Creating pull request\n{green.format(url)}"))

    assert [(one.branch, one.outcome) for one in ledger.pushes] == [("topic", Outcome.PASSED)]
    assert [one.url for one in ledger.pull_requests] == [url]


@pytest.mark.parametrize(
    ("folder", "branch"), [("/d/code/app", "main"), ("D:/code/app", "main"), ("/d/code/other", None)]
)
def test_a_windows_folder_is_the_same_in_each_of_its_spellings(folder: str, branch: str | None) -> None:
    draft = {
        "cwd": "D:\\code\\app",
        "branch": "main",
        "command": f"git -C {folder} push -q",
        "line": 1,
        "turn": 1,
        "at": "",
    }

    assert [push.branch for push in unanswered(draft | {"by": "agent"})] == [branch]


@pytest.mark.parametrize(
    ("command", "output", "branch"),
    [
        ("git push", UPDATED.format("main"), "main"),
        ("git push origin HEAD", "To x:o/r.git\n * [new branch]      HEAD -> feature/main-menu", "feature/main-menu"),
        (
            "git push -u origin fix/a 2>&1 | tail -3",
            "To x:o/r.git\n * [new branch]      fix/a -> fix/a\nbranch 'fix/a' set up to track 'origin/fix/a'.",
            "fix/a",
        ),
        ("git -C /elsewhere push", UPDATED.format("topic"), "topic"),
        ("cd x && git add -A && git commit -qm y && git push", UPDATED.format("main"), "main"),
        ("git push origin local:remote", "To x:o/r.git\n   1a2b3c4..5d6e7f8  local -> remote", "remote"),
        ("git push --force-with-lease", "To x:o/r.git\n + 1a2b3c4...5d6e7f8 topic -> topic (forced update)", "topic"),
        ("git push -q origin topic", "", "topic"),
        ("git push -q", "", "main"),
        ("git checkout -b new && git push -q -u origin HEAD", "", "new"),
        ("rtk git push", "ok main", "main"),
        ("git push --porcelain", "To x:o/r.git\n \trefs/heads/main:refs/heads/main\t1a2b3c4..5d6e7f8\nDone", "main"),
    ],
)
def test_the_branch_comes_from_the_output_the_refspec_or_the_current_branch(
    command: str, output: str, branch: str, tmp_path: Path
) -> None:
    (push,) = pushed(tmp_path, command, output)

    assert (push.branch, push.outcome, push.up_to_date) == (branch, Outcome.PASSED, False)
    assert push.to_default is (branch == "main")


@pytest.mark.parametrize(
    ("output", "quote"),
    [
        (" ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'", "rejected"),
        (
            "remote: error: GH006: Protected branch update failed for refs/heads/main.\n ! [remote rejected] main -> main (protected branch hook declined)",
            "remote rejected",
        ),
        ("fatal: unable to access 'https://github.com/o/r/': Could not resolve host: github.com", "fatal"),
        ("husky - pre-push script failed (code 1)\nerror: failed to push some refs to 'x'", "pre-push"),
    ],
)
def test_a_refused_push_reached_nothing(output: str, quote: str, tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git push", output, exit_code=1)

    assert push.outcome is Outcome.FAILED
    assert quote in push.quote


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        (
            "if [ -d x ]; then git rm -rf x && git commit -m y && git push; else echo 'nothing to do'; fi",
            "nothing to do",
            0,
        ),
        ("git add gone && git commit -m y && git push", "fatal: pathspec 'gone' did not match any files", 128),
        ("git push --dry-run", "To x:o/r.git\n   1a2b3c4..5d6e7f8  main -> main", 0),
    ],
)
def test_a_push_whose_turn_never_came_reached_nothing(command: str, output: str, code: int, tmp_path: Path) -> None:
    assert [
        push for push in pushed(tmp_path, command, output, exit_code=code) if push.outcome is not Outcome.NOT_RUN
    ] == []


def test_a_push_without_a_result_names_where_it_was_going(tmp_path: Path) -> None:
    (push,) = ledger_of(session(tmp_path).prompt("Go").bash("git push origin dev", answered=False)).pushes

    assert (push.branch, push.outcome, push.result_line) == ("dev", Outcome.UNKNOWN, None)


def test_up_to_date_is_said_and_stashing_is_no_push(tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git stash push -m x && git push", "Saved working directory\nEverything up-to-date")

    assert push.up_to_date


def test_a_tag_is_no_branch(tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git push origin v1.2", "To x:o/r.git\n * [new tag]         v1.2 -> v1.2")

    assert (push.tag, push.branch, push.to_default) == ("v1.2", None, False)


def test_several_refs_are_several_facts(tmp_path: Path) -> None:
    output = "To x:o/r.git\n   1a2b3c4..5d6e7f8  main -> main\n * [new tag]         v2 -> v2\n - [deleted]         old"

    pushes = pushed(tmp_path, "git push origin main v2 :old", output)

    assert [(push.branch, push.tag, push.deleted) for push in pushes] == [
        ("main", "", False),
        (None, "v2", False),
        ("old", "", True),
    ]


def test_what_a_pull_in_the_same_line_brought_in_was_not_pushed(tmp_path: Path) -> None:
    output = (
        "From github.com:o/r\n * [new tag]         v9 -> v9\n   1a2b3c4..5d6e7f8  main -> origin/main\n"
        + UPDATED.format("topic")
    )

    assert [(push.branch, push.tag) for push in pushed(tmp_path, "git pull && git push", output)] == [("topic", "")]


def test_a_refused_call_pushed_nothing(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").bash("git push", answered=False).reject()

    assert [push.outcome for push in ledger_of(built).pushes] == [Outcome.NOT_RUN]


def test_the_default_branch_that_git_names_decides(tmp_path: Path) -> None:
    built = (
        session(tmp_path, branch="trunk")
        .prompt("Go")
        .bash("git remote show origin", "* remote origin\n  HEAD branch: trunk")
    )
    built.bash("git push", UPDATED.format("trunk"))

    ledger = ledger_of(built)

    assert (ledger.default_branch, ledger.pushes[0].to_default) == ("trunk", True)
    assert ledger.forge_remote == "github.com/owner/repo"


def test_another_repositorys_branch_is_not_guessed(tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git -C /elsewhere/other push -q", "")

    assert (push.branch, push.to_default) == (None, False)


class TestPullRequests:
    def test_a_created_one_has_its_address_and_number(self, tmp_path: Path) -> None:
        output = "Creating pull request for fix into main in owner/repo\n\nhttps://github.com/owner/repo/pull/12"

        (pr,) = ledger_of(
            session(tmp_path).prompt("Go").bash("gh pr create --fill 2>&1 | tail -1", output)
        ).pull_requests

        assert (pr.outcome, pr.url, pr.number) == (Outcome.PASSED, "https://github.com/owner/repo/pull/12", 12)

    def test_one_that_is_there_already_is_named(self, tmp_path: Path) -> None:
        output = (
            'a pull request for branch "fix" into branch "main" already exists:\nhttps://github.com/owner/repo/pull/3'
        )

        ledger = ledger_of(session(tmp_path).prompt("Go").bash("gh pr create --fill", output, exit_code=1))
        (pr,) = ledger.pull_requests

        assert (pr.outcome, pr.existing, pr.number) == (Outcome.FAILED, True, 3)
        assert ledger.pr_links == ("https://github.com/owner/repo/pull/3",)

    def test_a_failed_one_has_none(self, tmp_path: Path) -> None:
        (pr,) = ledger_of(
            session(tmp_path)
            .prompt("Go")
            .bash("gh pr create", "pull request create failed: GraphQL: No commits", exit_code=1)
        ).pull_requests

        assert (pr.outcome, pr.url) == (Outcome.FAILED, None)

    def test_the_quote_of_a_failed_one_is_what_the_forge_said(self, tmp_path: Path) -> None:
        said = "To get started with GitHub CLI, please run:  gh auth login"

        (pr,) = ledger_of(session(tmp_path).prompt("Go").bash("gh pr create", said, exit_code=4)).pull_requests

        assert pr.quote == said

    def test_gitlab_makes_one_for_a_pushs_option(self, tmp_path: Path) -> None:
        url = "https://gitlab.com/o/r/-/merge_requests/3"
        output = f"remote: \nremote: View merge request for fix:\nremote:   {url}\nremote: \nTo gitlab.com:o/r.git\n * [new branch]      fix -> fix"

        (pr,) = ledger_of(
            session(tmp_path).prompt("Go").bash("git push -u origin fix -o merge_request.create", output)
        ).pull_requests

        assert (pr.outcome, pr.url, pr.number) == (Outcome.PASSED, url, 3)

    def test_azures_json_has_its_address(self, tmp_path: Path) -> None:
        url = "https://dev.azure.com/o/_apis/git/repositories/1/pullRequests/55"
        output = f'{{\n  "pullRequestId": 55,\n  "status": "active",\n  "url": "{url}"\n}}'

        (pr,) = ledger_of(
            session(tmp_path).prompt("Go").bash("az repos pr create --title Retries", output)
        ).pull_requests

        assert (pr.outcome, pr.url, pr.number) == (Outcome.PASSED, url, 55)

    @pytest.mark.parametrize(
        ("said", "links"),
        [
            (
                "View pull request for fix => main:\nremote:   https://bitbucket.org/o/r/pull-requests/8?t=1",
                ("https://bitbucket.org/o/r/pull-requests/8",),
            ),
            (
                "View merge request for fix:\nremote:   https://git.example.com/o/r/-/merge_requests/9",
                ("https://git.example.com/o/r/-/merge_requests/9",),
            ),
            (
                "To create a merge request for fix, visit:\nremote:   https://gitlab.com/o/r/-/merge_requests/new?x=1",
                (),
            ),
            (
                "Create a pull request for 'fix' on GitHub by visiting:\nremote:   https://github.com/o/r/pull/new/fix",
                (),
            ),
        ],
    )
    def test_a_push_tells_of_the_one_that_is_there(self, tmp_path: Path, said: str, links: tuple[str, ...]) -> None:
        output = f"remote: {said}\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix"

        ledger = ledger_of(session(tmp_path).prompt("Go").bash("git push", output))

        assert (ledger.pull_requests, ledger.pr_links) == ((), links)

    def test_gitlabs_and_a_servers_tool_count_too(self, tmp_path: Path) -> None:
        built = (
            session(tmp_path)
            .prompt("Go")
            .bash("glab mr create --fill --yes", "!4 Fix (fix)\n https://gitlab.com/o/r/-/merge_requests/4")
        )
        built.call("mcp__github__create_pull_request", {"title": "x"}).result(
            '{"number":5,"html_url":"https://github.com/o/r/pull/5"}'
        )

        assert [pr.number for pr in ledger_of(built).pull_requests] == [4, 5]


class TestCi:
    @pytest.mark.parametrize(
        ("output", "outcome"),
        [
            ("build\tpass\t1m2s\thttps://github.com/o/r/actions/runs/1/job/2\t\ntest\tpass\t3s\thttps://x\t", "passed"),
            ("Exit code 1\nbuild\tpass\t1m2s\thttps://x\t\ntest\tfail\t3s\thttps://x\t", "failed"),
            ("build\tpending\t0\thttps://x\t\ntest\tpass\t3s\thttps://x\t", "pending"),
            (
                "All checks were successful\n0 cancelled, 0 failing, 3 successful, 0 skipped, and 0 pending checks",
                "passed",
            ),
            (
                "Some checks were not successful\n0 cancelled, 1 failing, 2 successful, 0 skipped, and 0 pending checks",
                "failed",
            ),
            ("Some checks are still pending", "pending"),
            ("no checks reported on the 'fix' branch", "unknown"),
            ("completed\tsuccess\tFix\tCI\tmain\tpush\t123\t1m\t2026-11-20T10:00:00Z", "passed"),
            ("in_progress\t\tFix\tCI\tmain\tpush\t123\t1m\t2026-11-20T10:00:00Z", "pending"),
            ("Run CI (123) has already completed with 'failure'", "failed"),
            ("✓ main CI · 123\nTriggered via push\n\nJOBS\n✓ test in 3m12s (ID 5)", "passed"),
            ("X main CI · 123\n\nJOBS\n✓ lint in 3s (ID 4)\nX test in 3m12s (ID 5)", "failed"),
            ('{"statusCheckRollup":[{"conclusion":"SUCCESS","status":"COMPLETED"}]}', "passed"),
            ('[{"conclusion":"failure","status":"completed"}]', "failed"),
            ('[{"conclusion":"","status":"in_progress"}]', "pending"),
            ("(failed) • 1m\ttest\tunit", "failed"),
            ("", "unknown"),
        ],
    )
    def test_what_was_shown_is_read(self, output: str, outcome: str) -> None:
        assert read_ci(output)[0] == outcome

    def test_of_a_list_of_runs_the_newest_counts(self) -> None:
        listing = "completed\tsuccess\tFix\tCI\tmain\tpush\t2\t1m\tx\ncompleted\tfailure\tOld\tCI\tmain\tpush\t1\t1m\tx"

        assert read_ci(listing, newest_only=True)[0] == "passed"

    @pytest.mark.parametrize(
        "command",
        [
            "gh pr checks 12",
            "gh run watch 5 --exit-status",
            "gh run list --limit 3",
            "gh pr view 3 --json statusCheckRollup",
        ],
    )
    def test_each_way_to_look_counts(self, command: str, tmp_path: Path) -> None:
        (look,) = ledger_of(session(tmp_path).prompt("Go").bash(command, "build\tpass\t1m\thttps://x\t")).ci_looks

        assert look.outcome == "passed"

    def test_the_log_of_failed_steps_shows_a_failure(self, tmp_path: Path) -> None:
        (look,) = ledger_of(
            session(tmp_path)
            .prompt("Go")
            .bash("gh run view 5 --log-failed 2>&1 | tail -9", "test\tRun tests\t2026-11-20T10:00:00Z boom")
        ).ci_looks

        assert look.outcome == "failed"

    def test_reading_a_pull_requests_comments_is_no_look_at_ci(self, tmp_path: Path) -> None:
        assert ledger_of(session(tmp_path).prompt("Go").bash("gh pr view 3 --comments", "nice")).ci_looks == ()
