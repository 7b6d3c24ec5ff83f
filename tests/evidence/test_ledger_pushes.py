"""Pushes, commits, pull requests and looks at CI, as git 2.43, gh 2.60 and glab 1.40 print them."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import Outcome, Push
from support.ledgers import ledger_of, session

UPDATED = "To github.com:owner/repo.git\n   1a2b3c4..5d6e7f8  {0} -> {0}"


def pushed(
    folder: Path, command: str, output: str, *, exit_code: int = 0, branch: str = "main"
) -> tuple[Push, ...]:
    return ledger_of(
        session(folder, branch=branch).prompt("Go").bash(command, output, exit_code=exit_code)
    ).pushes


def test_colours_hide_no_push_and_no_pull_request(tmp_path: Path) -> None:
    green = "\x1b[32m{}\x1b[0m"
    push = "\n".join(map(green.format, UPDATED.format("topic").splitlines()))
    url = "https://github.com/o/r/pull/7"
    built = session(tmp_path).prompt("Go").bash("git push", push)

    ledger = ledger_of(
        built.bash("gh pr create --fill", f"Creating pull request\n{green.format(url)}")
    )

    assert [(one.branch, one.outcome) for one in ledger.pushes] == [("topic", Outcome.PASSED)]
    assert [one.url for one in ledger.pull_requests] == [url]


@pytest.mark.parametrize(
    ("folder", "branch"),
    [("/d/code/app", "main"), ("D:/code/app", "main"), ("/d/code/other", None)],
)
def test_a_windows_folder_is_the_same_in_each_of_its_spellings(
    tmp_path: Path, folder: str, branch: str | None
) -> None:
    built = session(tmp_path, cwd="D:\\code\\app").prompt("Go").bash(f"git -C {folder} push -q", "")

    assert [push.branch for push in ledger_of(built).pushes] == [branch]


@pytest.mark.parametrize(
    ("command", "output", "branch"),
    [
        ("git push", UPDATED.format("main"), "main"),
        ("git push origin HEAD", "To x:o/r.git\n * [new branch]      HEAD -> feature/main-menu", "feature/main-menu"),
        ("git push -u origin fix/a 2>&1 | tail -3", "To x:o/r.git\n * [new branch]      fix/a -> fix/a\nbranch 'fix/a' set up to track 'origin/fix/a'.", "fix/a"),
        ("git -C /elsewhere push", UPDATED.format("topic"), "topic"),
        ("cd x && git add -A && git commit -qm y && git push", UPDATED.format("main"), "main"),
        ("git push origin local:remote", "To x:o/r.git\n   1a2b3c4..5d6e7f8  local -> remote", "remote"),
        ("git push --force-with-lease", "To x:o/r.git\n + 1a2b3c4...5d6e7f8 topic -> topic (forced update)", "topic"),
        ("git push -q origin topic", "", "topic"),
        ("git push -q", "", "main"),
        ("git checkout -b new && git push -q -u origin HEAD", "", None),
        ("rtk git push", "ok main", "main"),
        ("git push --porcelain", "To x:o/r.git\n \trefs/heads/main:refs/heads/main\t1a2b3c4..5d6e7f8\nDone", "main"),
    ],
)  # fmt: skip
def test_the_branch_comes_from_the_output_the_refspec_or_the_current_branch(
    command: str, output: str, branch: str | None, tmp_path: Path
) -> None:
    (push,) = pushed(tmp_path, command, output)

    assert (push.branch, push.outcome, push.up_to_date) == (branch, Outcome.PASSED, False)
    assert push.to_default is (branch == "main")


@pytest.mark.parametrize(
    ("output", "quote"),
    [
        (" ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'", "rejected"),
        ("remote: error: GH006: Protected branch update failed for refs/heads/main.\n ! [remote rejected] main -> main (protected branch hook declined)", "remote rejected"),
        ("fatal: unable to access 'https://github.com/o/r/': Could not resolve host: github.com", "fatal"),
        ("husky - pre-push script failed (code 1)\nerror: failed to push some refs to 'x'", "pre-push"),
    ],
)  # fmt: skip
def test_a_refused_push_reached_nothing(output: str, quote: str, tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git push", output, exit_code=1)

    assert push.outcome is Outcome.FAILED
    assert quote in push.quote


@pytest.mark.parametrize(
    ("command", "output", "code"),
    [
        ("if [-d x ]; then git rm -rf x && git commit -m y && git push; else echo 'nothing to do'; fi", "nothing to do", 0),
        ("git add gone && git commit -m y && git push", "fatal: pathspec 'gone' did not match any files", 128),
        ("git push --dry-run", "To x:o/r.git\n   1a2b3c4..5d6e7f8  main -> main", 0),
    ],
)  # fmt: skip
def test_a_push_whose_turn_never_came_reached_nothing(
    command: str, output: str, code: int, tmp_path: Path
) -> None:
    outcomes = {push.outcome for push in pushed(tmp_path, command, output, exit_code=code)}

    assert outcomes <= {Outcome.NOT_RUN, Outcome.UNKNOWN}


def test_up_to_date_is_said_and_stashing_is_no_push(tmp_path: Path) -> None:
    (push,) = pushed(
        tmp_path,
        "git stash push -m x && git push",
        "Saved working directory\nEverything up-to-date",
    )

    assert push.up_to_date


def test_a_tag_is_no_branch(tmp_path: Path) -> None:
    (push,) = pushed(
        tmp_path, "git push origin v1.2", "To x:o/r.git\n * [new tag]         v1.2 -> v1.2"
    )

    assert (push.tag, push.branch, push.to_default) == ("v1.2", None, False)


def test_of_several_refs_the_default_branch_is_named(tmp_path: Path) -> None:
    output = "To x:o/r.git\n * [new tag]         v2 -> v2\n   1a2b3c4..5d6e7f8  fix -> fix\n   1a2b3c4..5d6e7f8  main -> main\n - [deleted]         old"

    (push,) = pushed(tmp_path, "git push origin v2 fix main :old", output)

    assert (push.branch, push.tag, push.to_default, push.deleted) == ("main", "", True, False)


@pytest.mark.parametrize(
    ("command", "output", "found"),
    [
        ("git push origin main && git push origin v1", UPDATED.format("main") + "\nTo x:o/r.git\n * [new tag]  v1 -> v1", [("main", "", True), (None, "v1", False)]),
        ("git push origin fix; git push origin main", "Everything up-to-date\n" + UPDATED.format("main"), [("fix", "", False), ("main", "", True)]),
        ("git push -q origin fix && git push -q origin main", "", [("fix", "", False), ("main", "", True)]),
        ("git push origin main --tags", UPDATED.format("main") + "\n * [new tag]  v1 -> v1", [("main", "", True)]),
    ],
)  # fmt: skip
def test_every_push_of_a_line_is_its_own_fact(
    command: str, output: str, found: list[tuple[str | None, str, bool]], tmp_path: Path
) -> None:
    rows = pushed(tmp_path, command, output)

    assert [(push.branch, push.tag, push.to_default) for push in rows] == found


def test_what_a_pull_in_the_same_line_brought_in_was_not_pushed(tmp_path: Path) -> None:
    output = (
        "From github.com:o/r\n * [new tag]         v9 -> v9\n   1a2b3c4..5d6e7f8  main -> origin/main\n"
        + UPDATED.format("topic")
    )

    assert [
        (push.branch, push.tag) for push in pushed(tmp_path, "git pull && git push", output)
    ] == [("topic", "")]


def test_a_refused_call_pushed_nothing(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").bash("git push", answered=False).reject()

    assert [push.outcome for push in ledger_of(built).pushes] == [Outcome.NOT_RUN]


def test_the_default_branch_that_git_names_decides(tmp_path: Path) -> None:
    built = session(tmp_path, branch="trunk").prompt("Go").bash("git push", UPDATED.format("trunk"))
    built.bash("git remote show origin", "* remote origin\n  HEAD branch: trunk")

    ledger = ledger_of(built)

    assert (ledger.default_branch, ledger.pushes[0].to_default) == ("trunk", True)
    assert ledger.forge_remote == "github.com/owner/repo"


def test_another_repositorys_branch_is_not_guessed(tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git -C /elsewhere/other push -q", "")

    assert (push.branch, push.to_default) == (None, False)


GITLAB = "https://gitlab.com/o/r/-/merge_requests/3"
AZURE = "https://dev.azure.com/o/_apis/git/repositories/1/pullRequests/55"


@pytest.mark.parametrize(
    ("command", "output", "code", "outcome", "url"),
    [
        ("gh pr create --fill 2>&1 | tail -1", "Creating pull request for fix into main\n\nhttps://github.com/o/r/pull/12", 0, "passed", "https://github.com/o/r/pull/12"),
        ("gh pr create --fill", 'a pull request for branch "fix" into branch "main" already exists:\nhttps://github.com/o/r/pull/3', 1, "failed", "https://github.com/o/r/pull/3"),
        ("gh pr create", "pull request create failed: GraphQL: No commits", 1, "failed", None),
        ("gh pr create", "To get started with GitHub CLI, please run:  gh auth login", 4, "failed", None),
        ("git push -u origin fix -o merge_request.create", f"remote: View merge request for fix:\nremote:   {GITLAB}\nTo gitlab.com:o/r.git\n * [new branch]      fix -> fix", 0, "passed", GITLAB),
        ("glab mr create --fill --yes", f"!3 Fix (fix)\n {GITLAB}", 0, "passed", GITLAB),
        ("az repos pr create --title Retries", f'{{\n  "pullRequestId": 55,\n  "url": "{AZURE}"\n}}', 0, "passed", AZURE),
        # what a push tells of one that is there
        ("git push", "remote: View pull request for fix => main:\nremote:   https://bitbucket.org/o/r/pull-requests/8?t=1\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix", 0, "unknown", "https://bitbucket.org/o/r/pull-requests/8"),
        ("git push", f"remote: View merge request for fix:\nremote:   {GITLAB}\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix", 0, "unknown", GITLAB),
    ],
)  # fmt: skip
def test_a_pull_request_that_was_tried_or_is_there(
    tmp_path: Path, command: str, output: str, code: int, outcome: str, url: str | None
) -> None:
    built = session(tmp_path).prompt("Go").bash(command, output, exit_code=code)

    (pr,) = ledger_of(built).pull_requests

    assert (pr.outcome, pr.url) == (outcome, url)
    assert pr.number == (int(url.rpartition("/")[2]) if url else None)
    assert pr.existing is (outcome == "unknown" or (outcome == "failed" and url is not None))
    assert pr.quote or outcome == "unknown"


@pytest.mark.parametrize(
    "said",
    [
        "To create a merge request for fix, visit:\nremote:   https://gitlab.com/o/r/-/merge_requests/new?x=1",
        "Create a pull request for 'fix' on GitHub by visiting:\nremote:   https://github.com/o/r/pull/new/fix",
    ],
)
def test_an_invitation_is_no_pull_request(tmp_path: Path, said: str) -> None:
    output = f"remote: {said}\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix"

    assert ledger_of(session(tmp_path).prompt("Go").bash("git push", output)).pull_requests == ()


def test_a_servers_tools_make_pull_requests_and_look_at_ci(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").call("mcp__github__create_pull_request", {"title": "x"})
    built.result('{"number":5,"html_url":"https://github.com/o/r/pull/5"}')
    built.call("mcp__github__get_check_runs", {"ref": "x"}).result('[{"conclusion":"failure"}]')

    ledger = ledger_of(built)

    assert [(pr.number, pr.outcome) for pr in ledger.pull_requests] == [(5, Outcome.PASSED)]
    assert [look.outcome for look in ledger.ci_looks] == ["failed"]
