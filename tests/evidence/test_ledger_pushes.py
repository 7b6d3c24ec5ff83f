"""Pushes, commits, pull requests and looks at CI, as git 2.43, gh 2.60 and glab 1.40 print them."""

from pathlib import Path

import pytest

from ace_reflect.evidence.facts import Outcome, Push
from support.ledgers import ledger_of, session

UPDATED = "To github.com:owner/repo.git\n   1a2b3c4..5d6e7f8  {0} -> {0}"


def pushed(folder: Path, command: str, output: str, code: int = 0, **options: str) -> list[Push]:
    built = session(folder, **options).prompt("Go").bash(command, output, exit_code=code)
    return list(ledger_of(built).pushes)


MAIN = ("main", "", True, False)


@pytest.mark.parametrize(("command", "output", "found"), [
    # the branch comes from the output, the refspec or the current branch
    ("git push", UPDATED.format("main"), [MAIN]), ("git push origin HEAD", "To x:o/r.git\n * [new branch]      HEAD -> feature/main-menu", [("feature/main-menu", "", False, False)]), ("git push -u origin fix/a 2>&1 | tail -3", "To x:o/r.git\n * [new branch]      fix/a -> fix/a\nbranch 'fix/a' set up to track 'origin/fix/a'.", [("fix/a", "", False, False)]),
    ("git -C /elsewhere/other push -q", "", [(None, "", False, False)]), ("git push origin local:remote", "To x:o/r.git\n   1a2b3c4..5d6e7f8  local -> remote", [("remote", "", False, False)]), ("git push -q origin topic", "", [("topic", "", False, False)]), ("git push -q", "", [MAIN]), ("git checkout -b new && git push -q -u origin HEAD", "", [(None, "", False, False)]),
    ("rtk git push", "ok main", [MAIN]), ("git push --porcelain", "To x:o/r.git\n \trefs/heads/main:refs/heads/main\t1a2b3c4..5d6e7f8\nDone", [MAIN]), ("git stash push -m x && git push", "Saved working directory\nEverything up-to-date", [("main", "", True, True)]),
    # a tag is no branch; of several refs the default branch is named
    ("git push origin v1.2", "To x:o/r.git\n * [new tag]         v1.2 -> v1.2", [(None, "v1.2", False, False)]), ("git push origin v2 fix main :old", "To x:o/r.git\n * [new tag]         v2 -> v2\n   1a2b3c4..5d6e7f8  fix -> fix\n   1a2b3c4..5d6e7f8  main -> main\n - [deleted]         old", [MAIN]),
    # what a pull in the same line brought in was not pushed
    ("git pull && git push", "From github.com:o/r\n * [new tag]         v9 -> v9\n   1a2b3c4..5d6e7f8  main -> origin/main\n" + UPDATED.format("topic"), [("topic", "", False, False)]),
])  # fmt: skip
def test_every_push_of_a_line_is_told(command, output, found, tmp_path):
    rows = pushed(tmp_path, command, output)
    assert [(one.branch, one.tag, one.to_default, one.up_to_date) for one in rows] == found
    assert {one.outcome for one in rows} == {Outcome.PASSED}
    assert not any(one.deleted for one in rows)


@pytest.mark.parametrize(("folder", "branch"), [
    ("/d/code/app", "main"), ("D:/code/app", "main"), ("/d/code/other", None),
])  # fmt: skip
def test_a_windows_folder_has_many_spellings(tmp_path, folder, branch):
    (push,) = pushed(tmp_path, f"git -C {folder} push -q", "", cwd="D:\\code\\app")
    assert push.branch == branch


def test_colours_hide_no_push_and_no_pull_request(tmp_path: Path) -> None:
    green, url = "\x1b[32m{}\x1b[0m", "https://github.com/o/r/pull/7"
    push = "\n".join(map(green.format, UPDATED.format("topic").splitlines()))
    built = session(tmp_path).prompt("Go").bash("git push", push)
    ledger = ledger_of(built.bash("gh pr create", f"Creating pull request\n{green.format(url)}"))
    assert [(one.branch, one.outcome) for one in ledger.pushes] == [("topic", Outcome.PASSED)]
    assert [one.url for one in ledger.pull_requests] == [url]


@pytest.mark.parametrize(("output", "quote"), [
    (" ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'x'", "rejected"),
    ("remote: error: GH006: Protected branch update failed for refs/heads/main.\n ! [remote rejected] main -> main (protected branch hook declined)", "remote rejected"),
    ("fatal: unable to access 'https://github.com/o/r/': Could not resolve host: github.com", "fatal"),
    ("husky - pre-push script failed (code 1)\nerror: failed to push some refs to 'x'", "pre-push"),
])  # fmt: skip
def test_a_refused_push_reached_nothing(output: str, quote: str, tmp_path: Path) -> None:
    (push,) = pushed(tmp_path, "git push", output, 1)
    assert push.outcome is Outcome.FAILED
    assert quote in push.quote


@pytest.mark.parametrize(("command", "output", "code"), [
    ("if [-d x ]; then git rm -rf x && git commit -m y && git push; else echo 'nothing to do'; fi", "nothing to do", 0),
    ("git add gone && git commit -m y && git push", "fatal: pathspec 'gone' did not match any files", 128),
    ("git push --dry-run", "To x:o/r.git\n   1a2b3c4..5d6e7f8  main -> main", 0),
])  # fmt: skip
def test_a_push_whose_turn_never_came_reached_nothing(command, output, code, tmp_path):
    outcomes = {push.outcome for push in pushed(tmp_path, command, output, code)}
    assert outcomes <= {Outcome.NOT_RUN, Outcome.UNKNOWN}
    built = session(tmp_path).prompt("Go").bash(command, answered=False).reject()
    assert {push.outcome for push in ledger_of(built).pushes} <= {Outcome.NOT_RUN}


GITLAB = "https://gitlab.com/o/r/-/merge_requests/3"
AZURE = "https://dev.azure.com/o/_apis/git/repositories/1/pullRequests/55"


@pytest.mark.parametrize(("command", "output", "code", "outcome", "url"), [
    ("gh pr create --fill 2>&1 | tail -1", "Creating pull request for fix into main\n\nhttps://github.com/o/r/pull/12", 0, "passed", "https://github.com/o/r/pull/12"),
    ("gh pr create --fill", 'a pull request for branch "fix" into branch "main" already exists:\nhttps://github.com/o/r/pull/3', 1, "failed", "https://github.com/o/r/pull/3"),
    ("gh pr create", "pull request create failed: GraphQL: No commits", 1, "failed", None),
    ("gh pr create", "To get started with GitHub CLI, please run:  gh auth login", 4, "failed", None),
    ("git push -u origin fix -o merge_request.create", f"remote: View merge request for fix:\nremote:   {GITLAB}\nTo gitlab.com:o/r.git\n * [new branch]      fix -> fix", 0, "passed", GITLAB),
    ("glab mr create --fill --yes", f"!3 Fix (fix)\n {GITLAB}", 0, "passed", GITLAB),
    ("az repos pr create --title Retries", f'{{\n  "pullRequestId": 55,\n  "url": "{AZURE}"\n}}', 0, "passed", AZURE),
    # what a push tells of one that is there
    ("gh pr view 8 --json url,state", '{"state":"OPEN","url":"https://github.com/o/r/pull/8"}', 0, "unknown", "https://github.com/o/r/pull/8"),
    ("git push", "remote: View pull request for fix => main:\nremote:   https://bitbucket.org/o/r/pull-requests/8?t=1\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix", 0, "unknown", "https://bitbucket.org/o/r/pull-requests/8"),
    ("git push", f"remote: View merge request for fix:\nremote:   {GITLAB}\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix", 0, "unknown", GITLAB),
])  # fmt: skip
def test_a_pull_request_that_was_tried_or_is_there(tmp_path, command, output, code, outcome, url):
    built = session(tmp_path).prompt("Go").bash(command, output, exit_code=code)
    (pr,) = ledger_of(built).pull_requests
    assert (pr.outcome, pr.url) == (outcome, url)
    assert pr.number == (int(url.rpartition("/")[2]) if url else None)
    assert pr.existing is (outcome == "unknown" or (outcome == "failed" and url is not None))
    assert pr.quote or outcome == "unknown"


@pytest.mark.parametrize("said", [
    "To create a merge request for fix, visit:\nremote:   https://gitlab.com/o/r/-/merge_requests/new?x=1",
    "Create a pull request for 'fix' on GitHub by visiting:\nremote:   https://github.com/o/r/pull/new/fix",
])  # fmt: skip
def test_an_invitation_is_no_pull_request(tmp_path: Path, said: str) -> None:
    output = f"remote: {said}\nTo x:o/r.git\n   1a2b3c4..5d6e7f8  fix -> fix"
    assert ledger_of(session(tmp_path).prompt("Go").bash("git push", output)).pull_requests == ()


def test_a_servers_tools_make_pull_requests(tmp_path: Path) -> None:
    built = session(tmp_path).prompt("Go").call("mcp__github__create_pull_request", {"title": "x"})
    built.result('{"number":5,"html_url":"https://github.com/o/r/pull/5"}')
    ledger = ledger_of(built)
    assert [(pr.number, pr.outcome) for pr in ledger.pull_requests] == [(5, Outcome.PASSED)]
