"""Task runners: make, just, task, mise, rake is Ruby's. Their `test` target is what people type."""

from ace_reflect import regex as re
from ace_reflect.late import Late
from ace_reflect.project.place import Claim, Place, table_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_TESTS = ("test", "tests", "check", "unit-test", "test-unit", "test:unit", "unittest", "test-all", "test:ci")
_BUILDS = ("build", "compile")
_LINTS = ("lint", "check-lint")
_MAKE_TARGET = Late(r"^([A-Za-z0-9_./:%-]+(?: +[A-Za-z0-9_./:-]+)*) *::?(?!=)", re.MULTILINE)
_JUST_RECIPE = Late(r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:\n]*+)?:(?!=)", re.MULTILINE)
_TASK_NAME = Late(r"^  (?:'|\")?([\w:.-]+)(?:'|\")?:", re.MULTILINE)


def makefile(place: Place) -> "Claim | None":
    name = next(n for n in ("GNUmakefile", "Makefile", "makefile") if n in place.names)
    lines = place.read(name)
    targets = [target for match in _MAKE_TARGET.findall(lines) for target in match.split() if target != ".PHONY"]
    if place.has("CMakeCache.txt", "config.status"):
        return None  # generated: the real manifest stands beside it
    return _claim(name, "make", targets, rank=20)


def justfile(place: Place) -> "Claim | None":
    name = next(n for n in place.names if n.lower() in ("justfile", ".justfile"))
    return _claim(name, "just", _JUST_RECIPE.findall(place.read(name)), rank=15)


def taskfile(place: Place) -> "Claim | None":
    name = next(
        n
        for n in place.names
        if n.lower() in ("taskfile.yml", "taskfile.yaml", "taskfile.dist.yml", "taskfile.dist.yaml")
    )
    _, _, tasks = place.read(name).partition("\ntasks:")
    return _claim(name, "task", _TASK_NAME.findall(re.split(r"\n(?=\S)", tasks)[0]), rank=15)


def mise(place: Place) -> "Claim | None":
    name = next(n for n in ("mise.toml", ".mise.toml") if n in place.names)
    tasks = [task for task, body in table_of(place.toml(name).get("tasks")).items() if body is not None]
    return _claim(name, "mise run", tasks, rank=10) if tasks else None


def _claim(manifest: str, runner: str, targets: "Iterable[str]", rank: int) -> "Claim | None":
    """`check` means tests in GNU make only; elsewhere it is often a linter."""
    known = list(dict.fromkeys(targets))
    wanted = [name for name in _TESTS if name != "check" or runner == "make"]
    test = next((name for name in wanted if name in known), "")
    build = next((name for name in _BUILDS if name in known), "")
    if not (test or build or any(name in known for name in _LINTS)):
        return None
    return Claim(
        manifest=manifest,
        test=f"{runner} {test}" if test else "",
        tests_evidence=f"{manifest} target {test}" if test else "",
        build=f"{runner} {build}" if build else "",
        build_evidence=f"{manifest} target {build}" if build else "",
        rank=rank,
    )


def composer_scripts(scripts: "dict[str, object]") -> "dict[str, str]":
    """Composer's scripts, whose bodies may be lists."""
    found = {}
    for name, body in scripts.items():
        parts = body if isinstance(body, list) else [body]
        found[name] = " && ".join(text_of(part) for part in parts)
    return found
