"""What a transcript alone tells of its project, for sessions whose checkout is not on this machine."""

from collections.abc import Iterable
from posixpath import dirname

from ace_reflect.evidence.facts import Ledger
from ace_reflect.evidence.files import MADE, manifest_language, relative
from ace_reflect.project.facts import Project, Scope
from ace_reflect.project.git import forge_of

_MAX_PACKAGES = 60
#: Folders that are no packages, whatever settings they have of their own.
_PARTS = MADE | {"tests", "test", "spec", "specs", "t", "requirements"}
#: Languages whose builds take in everything below: a solution's projects, CMake's subdirectories.
_WHOLE = {"dotnet", "c"}


def infer_project(ledger: Ledger) -> Project:
    """Packages, default branch and forge, as far as the session shows them; its tests stand in the ledger itself."""
    root = ledger.cwd or ""
    met = (relative(path, root) for path in (*ledger.files_seen, *(e.path for e in ledger.edits)))
    folders = packages(path for path in met if path)
    return Project(
        root=root,
        scopes=tuple(Scope(dir=each, languages=tuple(folders[each])) for each in folders),
        default_branch=ledger.default_branch,
        forge=forge_of(ledger.forge_remote or ""),
    )


def merge(project: Project, inferred: Project) -> Project:
    """A checkout's facts, completed by what the session showed; without one the session has the word."""
    if not project.present:
        return inferred.replace(root=project.root or inferred.root)
    return project.replace(
        default_branch=project.default_branch or inferred.default_branch,
        forge=project.forge or inferred.forge,
    )


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
