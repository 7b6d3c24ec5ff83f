"""What else a transcript shows of its project: default branch, forge, manifests, package scripts."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book

_DEFAULT_BRANCH = r"(?m)^[ \t]*HEAD branch: (?P<a>\S+)|origin/HEAD -> origin/(?P<b>\S+)|\"defaultBranchRef\"\s*:\s*\{\s*\"name\"\s*:\s*\"(?P<c>[^\"]+)\"|^refs/remotes/origin/(?P<d>\S+)$"
_REMOTE = r"(?m)^(?:To|From|origin|upstream|remote:\S*(?:[ \t]+\S+){0,30}?)[ \t]+(?:https?://|ssh://|git@)?(?:[^@\s/]{1,100}@)?(?P<host>[\w.-]{0,100}(?:github|gitlab|bitbucket|codeberg|gitea|dev\.azure|sr\.ht)[\w.-]{0,100})[:/](?P<path>[\w.~-]+/[\w./-]+)"
_MANIFEST = (
    r"(?<![\w.@~/-])/*((?:[\w.@~-]+/)*(?:package\.json|pyproject\.toml|setup\.(?:cfg|py)|tox\.ini|pytest\.ini|conftest\.py|requirements[\w-]*\.txt|Pipfile|Cargo\.toml|go\.(?:mod|work)|"
    r"pom\.xml|build\.gradle(?:\.kts)?|Makefile|[Jj]ustfile|Taskfile\.ya?ml|\.?mise\.toml|composer\.json|Gemfile|Rakefile|mix\.exs|Package\.swift|pubspec\.yaml|deno\.jsonc?|"
    r"CMakeLists\.txt|build\.zig|build\.sbt|[\w.-]+\.(?:csproj|sln|fsproj)|tsconfig\.json|pnpm-workspace\.yaml|turbo\.json|nx\.json|"
    r"(?:vitest|jest|playwright|cypress|vite|webpack|next)\.config\.[cm]?[jt]s|phpunit\.xml(?:\.dist)?|bun\.lockb?|(?:pnpm-lock|yarn)\.(?:yaml|lock)|package-lock\.json|uv\.lock|poetry\.lock))(?![\w/-])"
)
_SCRIPT = r'(?m)^[^\S\n]*(?:\d+[→\t][^\S\n]*)?"(?P<name>[\w:.-]+)"\s*:\s*"(?P<body>(?:[^"\\]|\\.){1,300})"'
#: One of these is in every name that `_MANIFEST` knows; looking for them costs less than building the expression.
_SIGNS = (
    ".json", ".toml", ".cfg", ".ini", "conftest.py", "setup.py", "requirements", "Pipfile", "go.mod", "go.work", "pom.xml", "gradle", "akefile", "ustfile",
    "askfile", "Gemfile", "mix.exs", "Package.swift", "pubspec", "CMakeLists", "build.zig", "build.sbt", "proj", ".sln", ".config.", "phpunit", ".lock", "lockb", ".yaml",
)  # fmt: skip
MAX_LOOKED_AT = 20_000
MAX_SCRIPTS = 60


def from_shell_output(book: "Book", output: str) -> None:
    """Default branch and forge, where git or the forge's client printed them."""
    text = output[:MAX_LOOKED_AT]
    if "HEAD" in text or "defaultBranchRef" in text or "refs/remotes/origin/" in text:
        found = re.search(_DEFAULT_BRANCH, text)
        if found:
            book.top["default_branch"] = next(group for group in found.groups() if group)
    if book.top["forge_remote"] is None and ("/" in text):
        remote = re.search(_REMOTE, text)
        if remote:
            book.top["forge_remote"] = f"{remote['host']}/{_repository(remote['host'], remote['path'])}"


def _repository(host: str, path: str) -> str:
    """owner/repository; only GitLab and Azure have deeper ones. `remote:` lines name pages below it."""
    path = path.partition("/-/")[0].removesuffix(".git")
    deep = "gitlab" in host or "azure" in host
    return path if deep else "/".join(path.split("/")[:2]).removesuffix(".git")


def from_paths(book: "Book", text: str, *, cwd: str | None = None) -> None:
    """Manifests and configuration files named in a command, a path or a listing."""
    if not any(map(text.__contains__, _SIGNS)):
        return
    for name in re.findall(_MANIFEST, text[:MAX_LOOKED_AT]):
        book.note_file(f"{cwd}/{name}" if cwd and "/" not in name else name)


def from_package_json(book: "Book", path: str, text: str) -> None:
    """The scripts of a package.json that was read."""
    _, found, rest = text.partition('"scripts"')
    if not found:
        return
    folder = path.rpartition("/")[0]
    for match in re.finditer(_SCRIPT, rest.partition("}")[0]):
        if len(book.scripts_seen) < MAX_SCRIPTS:
            book.scripts_seen[f"{folder}\t{match['name']}\t{match['body']}"] = None


def is_package_json(data: "dict[str, Any]") -> bool:
    return str(data.get("path") or "").endswith("package.json")
