"""What else a transcript shows of its project: default branch, forge, manifests, package scripts."""

from functools import lru_cache

from ace_reflect.evidence.book import MAX_FILES
from ace_reflect.evidence.call_words import word_set
from ace_reflect.evidence.kinds import COMMON_MANIFESTS, is_configuration
from ace_reflect.late import MULTILINE, Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ace_reflect.evidence.book import Book

_DEFAULT_BRANCH = Late(
    r"^[ \t]*HEAD branch: (?P<a>\S+)|origin/HEAD -> origin/(?P<b>\S+)|\"defaultBranchRef\"\s*:\s*\{\s*\"name\"\s*:\s*\"(?P<c>[^\"]+)\"|^refs/remotes/origin/(?P<d>\S+)$",
    MULTILINE,
    needs=('HEAD branch: |origin/HEAD -> origin/|"defaultBranchRef"|refs/remotes/origin/',),
)
_REMOTE_LINES = ("To", "From", "origin", "upstream", "remote:")
_REMOTE = Late(
    r"(?:To|From|origin|upstream|remote:\S*(?:[ \t]+\S+){0,30}?)[ \t]+(?:https?://|ssh://|git@)?(?:[^@\s/]{1,100}@)?(?P<host>[\w.-]{0,100}(?:github|gitlab|bitbucket|codeberg|gitea|dev\.azure|sr\.ht)[\w.-]{0,100})[:/](?P<path>[\w.~-]+/[\w./-]+)",
    needs=("github|gitlab|bitbucket|codeberg|gitea|dev.azure|sr.ht", "To|From|origin|upstream|remote:"),
)
_NOTED = COMMON_MANIFESTS | word_set(
    "conftest.py tsconfig.json bun.lock bun.lockb pnpm-lock.yaml yarn.lock package-lock.json uv.lock poetry.lock"
)
_PROJECTS = (".csproj", ".sln", ".fsproj")
#: One of these is in the name of every manifest: most texts hold none.
_SIGNS = (
    ".json", ".toml", ".cfg", ".ini", "conftest.py", "setup.py", "requirements", "Pipfile", "go.mod", "go.work", "pom.xml", "gradle", "akefile", "ustfile",
    "askfile", "Gemfile", "mix.exs", "Package.swift", "pubspec", "CMakeLists", "build.zig", "build.sbt", "proj", ".sln", ".config.", "phpunit", ".lock", "lockb", ".yaml",
)  # fmt: skip
_PATH = Late(r"[\w.@~/-]+")
_NAME_ENDS = frozenset(".@~")
_SCRIPT = Late(
    r"^[^\S\n]*(?:\d+[→\t][^\S\n]*)?\"(?P<name>[\w:.-]+)\"\s*:\s*\"(?P<body>(?:[^\"\\]|\\.){1,300})\"",
    MULTILINE,
    needs=('"', ":"),
)
MAX_LOOKED_AT = 20_000
MAX_SCRIPTS = 60


def from_shell_output(book: "Book", output: str) -> None:
    """Default branch and forge, where git or the forge's client printed them."""
    text = output[:MAX_LOOKED_AT]
    found = _DEFAULT_BRANCH.search(text)
    if found:
        book.top["default_branch"] = next(group for group in found.groups() if group)
    if book.top["forge_remote"] is None and _REMOTE.may_match(text):
        lines = (line for line in text.split("\n") if line.startswith(_REMOTE_LINES))
        remote = next((match for line in lines if (match := _REMOTE.match(line))), None)
        if remote:
            book.top["forge_remote"] = f"{remote['host']}/{_repository(remote['host'], remote['path'])}"


def _repository(host: str, path: str) -> str:
    """owner/repository; only GitLab and Azure have deeper ones. `remote:` lines name pages below it."""
    path = path.partition("/-/")[0].removesuffix(".git")
    deep = "gitlab" in host or "azure" in host
    return path if deep else "/".join(path.split("/")[:2]).removesuffix(".git")


def from_paths(book: "Book", text: str, *, cwd: str | None = None) -> None:
    """Manifests and configuration files named in a command, a path or a listing."""
    text = text[:MAX_LOOKED_AT]
    if len(book.files_seen) >= MAX_FILES or not any(map(text.__contains__, _SIGNS)):
        return
    signs = [sign for sign in _SIGNS if sign in text]
    for line in text.split("\n"):
        if any(map(line.__contains__, signs)):
            for name in filter(None, map(_manifest, _PATH.findall(line))):
                book.note_file(f"{cwd}/{name}" if cwd and "/" not in name else name)


@lru_cache(maxsize=256)  # the same files are read, edited and listed again and again
def _manifest(path: str) -> str:
    """
    The manifest that a path names, with its folders; "" if none.

    What stands behind the name does not matter unless it goes on: `package.json.orig` and `package.json@1` name one,
    `package.json-old` does not.
    """
    parts = path.lstrip("/").split("/")
    for place in range(len(parts) - 1, -1, -1):
        name = _manifest_name(parts[place], last=place == len(parts) - 1)
        if name and all(parts[:place]):
            return "/".join((*parts[:place], name))
    return ""


def _manifest_name(part: str, *, last: bool) -> str:
    ends = [place for place, char in enumerate(part) if place and char in _NAME_ENDS]
    names = [part[:end] for end in reversed((*ends, len(part)) if last else ends)]
    return next((name for name in names if _is_manifest(name)), "")


def _is_manifest(name: str) -> bool:
    return name in _NOTED or _is_project(name) or _is_requirements(name) or is_configuration(name)


def _is_requirements(name: str) -> bool:
    middle = name.removeprefix("requirements").removesuffix(".txt")
    return len(middle) == len(name) - 16 and not _NAME_ENDS.intersection(middle)


def _is_project(name: str) -> bool:
    return name.endswith(_PROJECTS) and name not in _PROJECTS and "@" not in name and "~" not in name


def from_package_json(book: "Book", path: str, text: str) -> None:
    """The scripts of a package.json that was read."""
    _, found, rest = text.partition('"scripts"')
    if not found:
        return
    folder = path.rpartition("/")[0]
    for match in _SCRIPT.finditer(rest.partition("}")[0]):
        if len(book.scripts_seen) < MAX_SCRIPTS:
            book.scripts_seen[f"{folder}\t{match['name']}\t{match['body']}"] = None


def is_package_json(data: "dict[str, Any]") -> bool:
    return str(data.get("path") or "").endswith("package.json")
