"""package.json with npm, pnpm, yarn and bun, their workspaces, turbo, nx and lerna."""

from ace_reflect import regex as re
from ace_reflect.evidence.call_words import NODE_MANAGERS
from ace_reflect.late import Late
from ace_reflect.project.manifests.node_scripts import script_kinds
from ace_reflect.project.place import Claim, Place, as_object, table_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEST_FILE = r"(?i)(^|/)(__tests__/.*\.[cm]?[jt]sx?|[^/]*[._-](test|spec|cy|e2e)\.[cm]?[jt]sx?)$"
#: What these runners take for tests by default: every script in the folder, whatever it is called.
_BY_FOLDER = Late(
    r"\b(mocha|ava|tap|uvu|tape|node --test|jasmine|zora)\b", needs=("mocha|ava|tap|uvu|node --test|jasmine|zora",)
)
_IN_TEST_FOLDER = r"(?i)^(test|tests|spec)/.*\.[cm]?[jt]s$"
_TEST_NAMES = ("test", "tests", "test:unit", "test:ci", "unit", "test:all", "spec")
_BUILD_NAMES = ("build", "compile", "build:prod", "dist", "bundle")
_NEEDS_FILES = Late(
    r"\b(jest|vitest|mocha|ava|playwright|cypress|bun test|node --test|karma|jasmine|tap|uvu)\b",
    needs=("ava|bun test|cypress|jasmine|jest|karma|mocha|node --test|playwright|tap|uvu|vitest",),
)
_EMPTY = Late(r"no test specified|^\s*(exit 0|true|:|echo\b[^&|;]*)\s*$", re.IGNORECASE)
_LOCKS = {
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "pnpm-lock.yaml": "pnpm",
    "pnpm-workspace.yaml": "pnpm",
    "yarn.lock": "yarn",
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
}


def package_json(place: Place) -> "Claim | None":
    data = place.json("package.json")
    if not data and "{" not in place.read("package.json"):
        return None
    scripts = {name: text_of(body) for name, body in table_of(data.get("scripts")).items() if text_of(body)}
    manager = _manager(place, data)
    test, tests_evidence, no_test_file = _tests(place, data, scripts, manager)
    build = next((name for name in _BUILD_NAMES if _real(scripts.get(name))), "")
    return Claim(
        manifest="package.json",
        language="typescript" if place.has("tsconfig.json") or place.first(r"\.tsx?$") else "javascript",
        test=test,
        tests_evidence=tests_evidence,
        no_test_file=no_test_file,
        build=_run(manager, build) if build else "",
        build_evidence=f"package.json script {build}: {scripts[build]}"[:200] if build else "",
        tests_build=_compiles(data, tests_evidence),
        rank=30,
        script_kinds=script_kinds(scripts),
    )


def _compiles(data: "dict[str, Any]", tests_evidence: str) -> bool:
    """Whether the tests are run on what a compiler made that looks at the types: Angular's builder, ts-jest."""
    if "ng test" in tests_evidence:
        return True
    checked = "isolatedModules" not in str(data.get("jest")) and "ts-jest" in table_of(data.get("devDependencies"))
    return checked and "jest" in tests_evidence


def _manager(place: Place, data: "dict[str, Any]") -> str:
    named = text_of(data.get("packageManager")).partition("@")[0]
    if named in NODE_MANAGERS:
        return named
    lock = place.nearest_above(*_LOCKS)
    if lock:
        return _LOCKS[lock]
    above = as_object(place.tree.read("package.json")) if place.folder else {}
    named = text_of(above.get("packageManager")).partition("@")[0]
    return named if named in NODE_MANAGERS else "npm"


def _run(manager: str, script: str) -> str:
    """How a script is typed. `bun test` and `yarn test`… differ: bun's own runner would take over `bun test`."""
    if script == "test" and manager != "bun":
        return f"{manager} test"
    return f"{manager} {script}" if manager in ("yarn", "pnpm") else f"{manager} run {script}"


def _real(body: "str | None") -> bool:
    return bool(body) and not _EMPTY.search(body or "")


def _tests(place: Place, data: "dict[str, Any]", scripts: "dict[str, str]", manager: str) -> tuple[str, str, bool]:
    """
    The test command, what shows that there are tests, and whether that is the script alone: one that starts a runner
    which wants files of tests, where none was found.
    """
    script = next((name for name in _TEST_NAMES if _real(scripts.get(name))), "")
    some = place.first(TEST_FILE)
    if script:
        needs_files = _NEEDS_FILES.search(scripts[script]) is not None
        some = some or (place.first(_IN_TEST_FOLDER) if _BY_FOLDER.search(scripts[script]) else "")
        anywhere = some or place.nested or place.tree.truncated
        evidence = f"package.json script {script}: {scripts[script]}"[:200]
        return _run(manager, script), evidence, needs_files and not anywhere
    if not some:
        return "", "", False
    exec_form = {"npm": "npx", "pnpm": "pnpm exec", "yarn": "yarn", "bun": "bunx"}[manager]
    if place.has_above("nx.json"):
        # Each project has a configuration and options of its own.
        return f"{exec_form} nx run-many -t test", some, False
    runner = _installed_runner(data) or (
        _installed_runner(as_object(place.tree.read("package.json"))) if place.folder else ""
    )
    if runner:
        return f"{exec_form} {runner}", some, False
    return ("bun test" if manager == "bun" else ""), some, False


def _installed_runner(data: "dict[str, Any]") -> str:
    known = {
        "vitest": "vitest run",
        "jest": "jest",
        "mocha": "mocha",
        "ava": "ava",
        "@playwright/test": "playwright test",
    }
    installed = {**table_of(data.get("dependencies")), **table_of(data.get("devDependencies"))}
    return next((command for name, command in known.items() if name in installed), "")
