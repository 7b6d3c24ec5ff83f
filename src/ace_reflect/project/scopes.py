"""From manifests to scopes: one for each folder that has a manifest (and language with tests), with the command a person would type in it."""

from ace_reflect import regex as re
from ace_reflect.late import Late
from ace_reflect.project.facts import Scope
from ace_reflect.project.manifests import python, readers, scripted
from ace_reflect.project.manifests.node_scripts import merged
from ace_reflect.project.place import Place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ace_reflect.project.place import Claim
    from ace_reflect.project.tree import Tree

MAX_SCOPES = 200
_PART_OF_ABOVE = Late(
    r"(^|/)(tests?|specs?|docs?|t|scripts|ci|templates?|examples?|samples?|e2e-fixtures)(/|$)", re.IGNORECASE
)
_SETTINGS_ONLY = frozenset(
    ("requirements.txt", "pytest.ini", "tox.ini", "setup.cfg", "Makefile", "makefile", "manage.py", "noxfile.py")
)


def find_scopes(tree: "Tree") -> "tuple[tuple[Scope, ...], tuple[str, ...]]":
    """The scopes, root first, and what the scripts do that go by the name of a test."""
    with_manifest = [folder for folder, names in tree.folders.items() if _is_scope(folder, names)][:MAX_SCOPES]
    scopes, scripts = [], []
    for folder in dict.fromkeys(("", *with_manifest)):
        nested = frozenset(other for other in with_manifest if other != folder and _is_below(other, folder))
        claims = _claims(Place(tree, folder, nested))
        if claims:
            scopes += [_scope(folder, group) for group in _by_tested_language(claims)]
            scripts += [row for claim in claims for row in claim.script_kinds]
    return tuple(sorted(scopes, key=lambda scope: scope.dir)), merged(scripts)


def _is_scope(folder: str, names: tuple[str, ...]) -> bool:
    """A folder of tests or documents with settings of its own belongs to the package above it."""
    if next(readers(names), None) is None:
        return False
    if not folder or not _PART_OF_ABOVE.search(folder):
        return True
    return not _is_test_folder(folder) and any(
        next(readers((name,)), None) for name in names if name not in _SETTINGS_ONLY
    )


def _is_test_folder(folder: str) -> bool:
    return re.search(r"(^|/)(tests?|specs?|t)(/|$)", folder, re.IGNORECASE) is not None


def _is_below(folder: str, above: str) -> bool:
    return not above or folder.startswith(above + "/")


def _claims(place: Place) -> "list[Claim]":
    found = []
    for reader in readers(place.names):
        claim = reader(place)
        if claim is not None:
            found.append(claim)
    if not place.folder and not any(claim.language == "python" for claim in found):
        found += filter(None, [python.without_manifest(place)])
    if not place.folder and not any(claim.language for claim in found) and (shell := scripted.bats(place)):
        found.append(shell)
    return sorted(found, key=lambda claim: claim.rank)


def _by_tested_language(claims: "list[Claim]") -> "list[list[Claim]]":
    """A Rails application with a Vue front end in one folder has two suites: one scope for each language with tests."""
    tested = list(dict.fromkeys(claim.language for claim in claims if claim.tests_evidence and claim.language))
    others = tested[1:]
    return [
        [claim for claim in claims if claim.language not in others],
        *([claim for claim in claims if claim.language == language] for language in others),
    ]


def _scope(folder: str, claims: "list[Claim]") -> Scope:
    tests = _first(claims, lambda claim: claim.tests_evidence)
    test = _first(claims, lambda claim: claim.test if claim.tests_evidence else "") or _first(
        claims, lambda claim: claim.test
    )
    build = _first(claims, lambda claim: claim.build)
    return Scope(
        dir=folder,
        name=next((claim.name for claim in claims if claim.name), ""),
        manifests=tuple(claim.manifest for claim in claims),
        languages=tuple(dict.fromkeys(claim.language for claim in claims if claim.language)),
        test_command=_typed(folder, test, test.test) if test else "",
        has_tests=tests is not None,
        tests_evidence=tests.tests_evidence if tests else "",
        no_test_file=tests is not None and tests.no_test_file,
        build_command=_typed(folder, build, build.build) if build else "",
        has_build=build is not None,
        build_evidence=build.build_evidence if build else "",
        tests_build=any(claim.tests_build for claim in claims)
        and not any(claim.build and not claim.tests_build and claim.language for claim in claims),
    )


def _first(claims: "list[Claim]", field: "Callable[[Claim], str]") -> "Claim | None":
    return next((claim for claim in claims if field(claim)), None)


def _typed(folder: str, claim: "Claim", command: str) -> str:
    """The command as typed in the project's root."""
    if not folder or claim.at_root:
        return command
    quoted = f"'{folder}'" if re.search(r"[^\w./@+-]", folder) else folder
    return f"cd {quoted} && {command}"
