"""The builders of the JVM: gradle, Maven, sbt, mill. One call may build and test at once."""

from ace_reflect.evidence.call_parts import kinds_table
from ace_reflect.evidence.call_words import option_value, word_set
from ace_reflect.evidence.facts import CommandKind
from ace_reflect.evidence.meaning import Meaning
from ace_reflect.evidence.task_names import kinds_of_name, meanings_of_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Reader

_TEST, _BUILD, _LINT, _READ, _OTHER, _SERVER, _FORMAT = (
    CommandKind.TEST,
    CommandKind.BUILD,
    CommandKind.LINT,
    CommandKind.READ,
    CommandKind.OTHER,
    CommandKind.SERVER,
    CommandKind.FORMAT,
)


def _gradle(argv: tuple[str, ...]) -> list[Meaning]:
    values = word_set(
        "-p --project-dir -b --build-file -c -g -I --init-script -x --exclude-task --tests -P -D --console --max-workers --warning-mode"
    )
    tasks: list[str] = []
    excluded: set[str] = set()
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in values:
            if word in ("-x", "--exclude-task") and index + 1 < len(argv):
                excluded.add(argv[index + 1].rpartition(":")[2])
            index += 1
        elif not word.startswith("-"):
            tasks.append(word)
        index += 1
    return _gradle_meanings(argv, tasks, excluded)


def _gradle_meanings(argv: tuple[str, ...], tasks: list[str], excluded: set[str]) -> list[Meaning]:
    found: dict[CommandKind, Meaning] = {}
    for task in tasks:
        name = task.rpartition(":")[2]
        for kind in _gradle_kinds(name, excluded):
            meaning = found.setdefault(kind, Meaning(kind, f"gradle {name}"))
            module = task.rpartition(":")[0].strip(":").replace(":", "/")
            meaning.targets = (*meaning.targets, module) if module else meaning.targets
    selected = [f"--tests {argv[i + 1]}" for i in range(1, len(argv) - 1) if argv[i] == "--tests"]
    for meaning in found.values():
        meaning.formatter = meaning.kind is _FORMAT
        if meaning.kind is _TEST:
            meaning.selected = " ".join(selected)
            meaning.collects_only = bool({"--dry-run", "-m", "--test-dry-run"} & set(argv))
        meaning.watch = bool({"-t", "--continuous"} & set(argv))
        meaning.cwd = option_value(argv, word_set("-p --project-dir"))
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values()) or [Meaning(_READ if "--version" in argv or "-v" in argv else _OTHER, "gradle")]


_GRADLE_READS = word_set(
    "tasks dependencies projects properties help dependencyInsight components model buildEnvironment"
)
_GRADLE_BUILDS = (
    *("assemble", "compile", "bundle", "package", "install", "process"),
    *("jar", "bootJar", "shadowJar", "war", "classes", "testClasses"),
)


def _gradle_kinds(name: str, excluded: set[str]) -> list[CommandKind]:
    no_tests = "test" in excluded or "check" in excluded
    if name in ("build", "buildNeeded", "buildDependents"):
        return [_BUILD] if no_tests else [_BUILD, _TEST]
    if name == "check":
        return [_LINT] if "test" in excluded else [_TEST]
    if name in _GRADLE_READS:
        return [_READ]
    if name.endswith("Apply") or name in ("spotlessApply", "ktlintFormat", "formatKotlin", "googleJavaFormat"):
        return [_FORMAT]
    if name.endswith(("Check", "detekt", "Detekt")) or name.startswith(
        ("lint", "ktlint", "checkstyle", "pmd", "spotbugs", "detekt")
    ):
        return [_LINT]
    if name in ("bootRun", "run", "appRun", "quarkusDev", "runServer"):
        return [_SERVER]
    if name.startswith(_GRADLE_BUILDS):
        return [_BUILD]
    return kinds_of_name(name) or [_OTHER]


_MAVEN_PHASES = {
    **dict.fromkeys(
        ("test", "integration-test", "surefire:test", "failsafe:integration-test", "failsafe:verify"), (_TEST,)
    ),
    **dict.fromkeys(("package", "verify", "install", "deploy"), (_BUILD, _TEST)),
    **dict.fromkeys(("compile", "test-compile", "process-classes", "jar:jar", "war:war"), (_BUILD,)),
}


#: The modules that the named ones need, or that need them, are tested too: which those are, only the poms say.
_MAVEN_ALSO = word_set("-am --also-make -amd --also-make-dependents")


def _maven(argv: tuple[str, ...]) -> list[Meaning]:
    values = word_set(
        "-f --file -pl --projects -P --activate-profiles -s --settings -T --threads -rf --resume-from -l --log-file -gs"
    )
    skips = _maven_skips(argv)
    found: dict[CommandKind, Meaning] = {}
    index = 1
    while index < len(argv):
        word = argv[index]
        if word in values:
            index += 1
        elif not word.startswith("-"):
            for kind in _maven_kinds(word, skips=skips):
                found.setdefault(kind, Meaning(kind, f"mvn {word}"))
        index += 1
    if len(found) > 1:
        found.pop(_OTHER, None)
    for meaning in found.values():
        _maven_selection(meaning, argv)
    return list(found.values()) or [Meaning(_READ, "mvn")]


def _maven_skips(argv: tuple[str, ...]) -> bool:
    """Whether no test is run. `-DskipITs` leaves out those of failsafe only: surefire's run before them."""
    marks: tuple[str, ...] = ("-DskipTests", "-Dmaven.test.skip")
    if not any(word in _MAVEN_PHASES and "failsafe" not in word for word in argv):
        marks = (*marks, "-DskipITs")
    return any(word.startswith(marks) and not word.endswith("=false") for word in argv)


def _maven_kinds(goal: str, *, skips: bool) -> tuple[CommandKind, ...]:
    kinds = _MAVEN_PHASES.get(goal)
    if kinds is not None:
        return tuple(kind for kind in kinds if kind is not _TEST or not skips) or (_OTHER,)
    plugin, _, action = goal.rpartition(":")
    if action in ("apply", "format") and plugin:
        return (_FORMAT,)
    if "surefire" in plugin or "failsafe" in plugin:
        return (_TEST,)
    if action in ("check", "pmd", "checkstyle", "spotbugs", "lint", "validate") and plugin:
        return (_LINT,)
    if action in ("run", "dev", "start") and plugin:
        return (_SERVER,)
    if action in ("tree", "list", "effective-pom", "help", "describe", "display-dependency-updates", "analyze"):
        return (_READ,)
    return (_OTHER,)


def _maven_selection(meaning: Meaning, argv: tuple[str, ...]) -> None:
    meaning.formatter = meaning.kind is _FORMAT
    file = option_value(argv, word_set("-f --file"))
    if file:
        meaning.cwd = file.rpartition("/")[0] if file.endswith(".xml") else file
    if meaning.kind is not _TEST:
        return
    modules = option_value(argv, word_set("-pl --projects")) or ""
    with_others = [word for word in argv if modules and word in _MAVEN_ALSO]
    if not with_others:
        meaning.targets = tuple(part for part in modules.split(",") if part and part[0] not in "!-:")
    names = [word for word in argv if word.startswith(("-Dtest=", "-Dit.test=", "-Dgroups=", "-Dcucumber.filter"))]
    names += with_others
    meaning.selected = " ".join(word for word in names if "=!" not in word)
    dropped = [word for word in argv if word.startswith("-DexcludedGroups=") or "=!" in word]
    meaning.deselects = " ".join(dropped + [part for part in modules.split(",") if part[:1] == "!"])


def _sbt(argv: tuple[str, ...]) -> list[Meaning]:
    found: dict[CommandKind, Meaning] = {}
    for word in argv[1:]:
        for command in word.split(";"):
            name = command.strip().split(" ")[0].lstrip("~+").rpartition("/")[2].rpartition(":")[2]
            if not name or name.startswith("-"):
                continue
            for kind in _sbt_kinds(name):
                meaning = found.setdefault(kind, Meaning(kind, f"sbt {name}"))
                meaning.watch = meaning.watch or command.strip().startswith("~")
                meaning.formatter = kind is _FORMAT
                if name in ("testOnly", "testQuick"):
                    meaning.selected = command.strip()
    if len(found) > 1:
        found.pop(_OTHER, None)
    return list(found.values()) or [Meaning(_OTHER, "sbt")]


def _sbt_kinds(name: str) -> list[CommandKind]:
    known = kinds_table(
        test="test testOnly testQuick",
        build="compile package assembly publishLocal stage dist",
        format="scalafmt scalafmtAll scalafixAll",
        server="run reStart",
    )
    if name in known:
        return [known[name]]
    return kinds_of_name(name) or [_OTHER]


def _mill(argv: tuple[str, ...]) -> list[Meaning]:
    words = [word for word in argv[1:] if not word.startswith("-")]
    return meanings_of_name(words[0].rpartition(".")[2] if words else "", " ".join(("mill", *words[:1])))


READERS: "dict[str, Reader]" = {
    **dict.fromkeys(("gradle", "gradlew"), _gradle),
    **dict.fromkeys(("mvn", "mvnw", "mvnd"), _maven),
    "sbt": _sbt,
    "sbtn": _sbt,
    "mill": _mill,
}
