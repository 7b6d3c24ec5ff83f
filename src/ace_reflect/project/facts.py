"""What a repository says of itself: where its tests are, how they are run, where it is pushed to; of a checkout or a transcript."""

from collections.abc import Iterable
from posixpath import dirname

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.files import MADE, manifest_language, relative
from ace_reflect.values import Value

_MAX_PACKAGES = 60
#: Folders that are no packages, whatever settings they have of their own.
_PARTS = MADE | {"tests", "test", "spec", "specs", "t", "requirements"}
#: Languages whose builds take in everything below: a solution's projects, CMake's subdirectories.
_WHOLE = {"dotnet", "c"}


class Scope(Value):
    """A folder with a manifest of its own: the whole repository, or one package of several."""

    dir: str  # relative to the root, "" for the root itself
    languages: tuple[str, ...] = ()  # python, javascript, rust, go, … that its manifests are for
    tested: tuple[str, ...] = ()  # the languages that have a unit-test file here
    #: Of a known runner, and not only end-to-end; as typed in the project's root: "cd packages/a && npm run test".
    test_command: str = ""


class Project(Value):
    """One project's facts; `present` is False where they were inferred from a transcript alone."""

    root: str = ""
    present: bool = False
    scopes: tuple[Scope, ...] = ()  # by folder, the root first
    default_branch: str | None = None
    #: "path\tmtime_ns\tsize" of what was read: while all are as they were, a cached copy holds.
    stamps: tuple[str, ...] = ()


def infer_project(ledger: Ledger) -> Project:
    """What a session shows of a project that is not on this machine; of its tests the ledger itself tells."""
    root = ledger.cwd or ""
    met = (relative(path, root) for path in (*ledger.files_seen, *(e.path for e in ledger.edits)))
    found = packages(path for path in met if path)
    scopes = tuple(Scope(dir=each, languages=tuple(found[each])) for each in found)
    return Project(root=root, scopes=scopes, default_branch=ledger.default_branch)


def merge(project: Project, inferred: Project) -> Project:
    """A checkout's facts, completed by what the session showed; without one the session has the word."""
    if not project.present:
        return inferred.replace(root=project.root or inferred.root)
    return project.replace(default_branch=project.default_branch or inferred.default_branch)


def packages(files: Iterable[str]) -> dict[str, list[str]]:
    """The root and each folder with a manifest of its own, with the languages that these are for."""
    found: dict[str, list[str]] = {"": []}
    for path in sorted(files, key=lambda path: path.count("/")):
        folder, language = dirname(path), manifest_language(path)
        own = _PARTS.isdisjoint(folder.split("/")) and len(found) < _MAX_PACKAGES
        if language and own and language not in found.get(folder, ()):
            above = [each for top in found if within(folder, top) for each in found[top]]
            if language not in _WHOLE.intersection(above):
                found.setdefault(folder, []).append(language)
    return dict(sorted(found.items()))


def within(folder: str, top: str) -> bool:
    """Whether a folder is another or below it."""
    return not top or f"{folder}/".startswith(f"{top}/")
