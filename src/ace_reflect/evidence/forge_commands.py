"""
The forges' command lines: `gh`, `glab`, `hub`, `tea`, `az repos`, Graphite's `gt`, and plain API calls.

Source: the manuals of gh 2.x (cli.github.com/manual) and glab 1.x.
"""

from ace_reflect.evidence.call_words import after_options, option_value
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.git_commands import read_git
from ace_reflect.evidence.meaning import Meaning, PushTarget
from ace_reflect.late import Late

_GLOBAL_VALUES = frozenset({"-R", "--repo", "--hostname"})
_PR = {
    "create": CommandKind.PR_CREATE,
    "new": CommandKind.PR_CREATE,
    "view": CommandKind.PR_VIEW,
    "show": CommandKind.PR_VIEW,
    "list": CommandKind.PR_VIEW,
    "ls": CommandKind.PR_VIEW,
    "status": CommandKind.PR_VIEW,
    "diff": CommandKind.PR_VIEW,
    "checks": CommandKind.PR_CHECKS,
    "merge": CommandKind.PR_MERGE,
    "comment": CommandKind.PR_COMMENT,
    "note": CommandKind.PR_COMMENT,
    "review": CommandKind.PR_COMMENT,
    "edit": CommandKind.PR_COMMENT,
    "update": CommandKind.PR_COMMENT,
    "ready": CommandKind.PR_COMMENT,
    "close": CommandKind.PR_COMMENT,
    "reopen": CommandKind.PR_COMMENT,
    "approve": CommandKind.PR_COMMENT,
    "lock": CommandKind.PR_COMMENT,
}
_RUN_LOOKS = frozenset({"watch", "view", "list", "ls", "download", "status", "trace", "get"})
_CI_FIELDS = (
    "statusCheckRollup",
    "checkSuites",
    "check-runs",
    "/actions/runs",
    "/actions/jobs",
    "/check-suites",
    "/statuses",
    "/pipelines",
)
_COMMIT_STATUS = Late(r"/commits/[^/]+/status\b", needs=("/commits/", "/status")).search
_PULLS = Late(r"/(?:pulls|merge_requests)\b", needs=("/merge_requests|/pulls",)).search
_PULL = Late(r"/(?:pulls|merge_requests)/[^/\s?]+(?:$|\?)", needs=("/merge_requests/|/pulls/",)).search
_PULL_MERGE = Late(r"/(?:pulls|merge_requests)/[^/\s]+/merge\b", needs=("/merge", "merge_requests|pulls")).search
_ISSUES = Late(r"/issues\b", needs=("/issues",)).search
_CREATES_PR = Late(r"createPullRequest\b", needs=("createPullRequest",)).search
_FIELDS = frozenset({"-f", "-F", "--field", "--raw-field", "--input"})
_HELP = frozenset({"--help", "-h"})
_METHOD = frozenset({"-X", "--method", "--request"})
_DATA = frozenset({"-d", "--data", "--data-raw", "--data-binary", "--json", "-F", "--form"})
_API_HOSTS = ("api.github.com", "/api/v3/repos/", "/api/v4/projects/", "api.bitbucket.org")


def read_gh(argv: tuple[str, ...]) -> list[Meaning]:
    """`gh …` (and `glab …`, whose nouns are `mr` and `ci`)."""
    first = after_options(argv, 1, _GLOBAL_VALUES)
    noun = argv[first] if first < len(argv) else ""
    second = after_options(argv, first + 1, _GLOBAL_VALUES)
    verb = argv[second] if second < len(argv) else ""
    tool = "glab" if argv[0].endswith("glab") else "gh"
    runner = f"{tool} api" if noun == "api" else f"{tool} {noun} {verb}".rstrip()
    return [Meaning(_gh_kind(noun, verb, argv), runner)]


def _gh_kind(noun: str, verb: str, argv: tuple[str, ...]) -> CommandKind:
    if not _HELP.isdisjoint(argv):
        return CommandKind.READ
    if noun in ("pr", "mr"):
        return _pr_kind(verb, argv)
    if noun in ("run", "workflow", "ci", "pipeline", "pipe", "job", "cache"):
        return CommandKind.PR_CHECKS if verb in _RUN_LOOKS and noun != "cache" else CommandKind.OTHER
    if noun in ("issue", "issues", "incident"):
        return CommandKind.ISSUE
    if noun == "api":
        return _api_kind(argv)
    if noun in ("status", "search", "browse", "auth", "help", "version", "config", "alias", "extension") or verb in (
        "view",
        "list",
        "status",
    ):
        return CommandKind.READ
    return CommandKind.OTHER


def _pr_kind(verb: str, argv: tuple[str, ...]) -> CommandKind:
    kind = _PR.get(verb, CommandKind.OTHER)
    if kind is CommandKind.PR_CREATE and "--dry-run" in argv:
        return CommandKind.READ
    if kind is CommandKind.PR_VIEW and any(mark in word for word in argv for mark in _CI_FIELDS):
        return CommandKind.PR_CHECKS
    return kind


def _api_kind(argv: tuple[str, ...]) -> CommandKind:
    method = (option_value(argv, _METHOD) or "").upper()
    sends = any(word in _FIELDS or word.startswith(("--field=", "--raw-field=", "--input=")) for word in argv)
    url = next((word for word in argv[2:] if "/" in word or word == "graphql"), "")
    if url == "graphql":
        return _graphql_kind(" ".join(argv))
    return api_kind(url, method or ("POST" if sends else "GET"))


def _graphql_kind(query: str) -> CommandKind:
    if _CREATES_PR(query):
        return CommandKind.PR_CREATE
    if "mergePullRequest" in query:
        return CommandKind.PR_MERGE
    if "mutation" in query:
        return CommandKind.PR_COMMENT
    if any(mark in query for mark in _CI_FIELDS):
        return CommandKind.PR_CHECKS
    return CommandKind.PR_VIEW if "pullRequest" in query else CommandKind.READ


def api_kind(url: str, method: str) -> CommandKind:
    """The meaning of a call of a forge's REST API."""
    if any(mark in url for mark in _CI_FIELDS) or _COMMIT_STATUS(url):
        return CommandKind.PR_CHECKS if method == "GET" else CommandKind.OTHER
    if _PULL_MERGE(url) and method == "PUT":
        return CommandKind.PR_MERGE
    if _PULLS(url):
        if method == "GET":
            return CommandKind.PR_VIEW
        return (
            CommandKind.PR_COMMENT
            if "/pulls/" in url or "/merge_requests/" in url or _PULL(url)
            else CommandKind.PR_CREATE
        )
    if _ISSUES(url):
        return CommandKind.ISSUE
    return CommandKind.READ if method == "GET" else CommandKind.OTHER


def read_curl(argv: tuple[str, ...]) -> list[Meaning]:
    """`curl`: a look, unless it sends something; a forge's API by what it asks."""
    method = (option_value(argv, _METHOD) or "").upper()
    sends = (
        any(word in _DATA or word.startswith(("--data", "--form", "--upload-file")) for word in argv) or "-T" in argv
    )
    method = method or ("POST" if sends else "GET")
    url = next((word for word in argv[1:] if "://" in word), "")
    if any(host in url for host in _API_HOSTS):
        return [Meaning(api_kind(url, method), "curl")]
    return [Meaning(CommandKind.READ if method in ("GET", "HEAD") else CommandKind.OTHER, "curl")]


def read_hub(argv: tuple[str, ...]) -> list[Meaning]:
    """`hub pull-request`, `hub ci-status`; the rest is git."""
    sub = argv[1] if len(argv) > 1 else ""
    kinds = {
        "pull-request": CommandKind.PR_CREATE,
        "ci-status": CommandKind.PR_CHECKS,
        "issue": CommandKind.ISSUE,
        "pr": CommandKind.PR_VIEW,
    }
    if sub in kinds:
        return [Meaning(kinds[sub], f"hub {sub}")]
    return read_git(("git", *argv[1:]))


def read_tea(argv: tuple[str, ...]) -> list[Meaning]:
    """Gitea's `tea pr create`."""
    noun, verb = (*argv[1:3], "", "")[:2]
    if noun in ("pr", "pull", "pulls"):
        return [Meaning(_PR.get(verb, CommandKind.PR_VIEW), f"tea {noun} {verb}".rstrip())]
    return [Meaning(CommandKind.ISSUE if noun.startswith("issue") else CommandKind.OTHER, f"tea {noun}".rstrip())]


def read_az(argv: tuple[str, ...]) -> list[Meaning]:
    """Azure's `az repos pr create`, `az pipelines runs show`."""
    words = [word for word in argv[1:] if not word.startswith("-")]
    runner = " ".join(("az", *words[:3]))
    if words[:2] == ["repos", "pr"]:
        verb = words[2] if len(words) > 2 else ""
        return [Meaning(_PR.get(verb, CommandKind.PR_VIEW), runner)]
    if words[:1] == ["pipelines"]:
        return [Meaning(CommandKind.PR_CHECKS if {"show", "list"} & set(words) else CommandKind.OTHER, runner)]
    return [Meaning(CommandKind.READ if {"show", "list"} & set(words) else CommandKind.OTHER, runner)]


def read_graphite(argv: tuple[str, ...]) -> list[Meaning]:
    """`gt submit` pushes the branch and opens its pull request; `gt create` and `gt modify` commit."""
    sub = argv[1] if len(argv) > 1 else ""
    runner = f"gt {sub}".rstrip()
    if sub in ("submit", "s", "ss", "stack") and "--dry-run" not in argv:
        if sub == "stack" and argv[2:3] not in (("submit",), ("s",)):
            return [Meaning(CommandKind.OTHER, runner)]
        push = Meaning(CommandKind.PUSH, runner)
        push.push = PushTarget(refspecs=("HEAD",), force=True)
        return [push, Meaning(CommandKind.PR_CREATE, runner)]
    if sub in ("create", "c", "modify", "m"):
        commit = Meaning(CommandKind.COMMIT, runner)
        commit.no_verify = "--no-verify" in argv
        return [commit]
    looks = ("log", "ls", "ll", "l", "info", "status", "pr", "branch", "parent", "children", "trunk", "--version")
    return [Meaning(CommandKind.READ if sub in looks else CommandKind.OTHER, runner)]


READERS = {
    "gh": read_gh,
    "glab": read_gh,
    "hub": read_hub,
    "tea": read_tea,
    "az": read_az,
    "gt": read_graphite,
    "curl": read_curl,
    "http": read_curl,
}
