"""Programs that do many things, and run tests where one of their words says so: the game engines, `java`."""

from ace_reflect.evidence.runner_flags import test_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ace_reflect.evidence.meaning import Meaning, Reader


def _told_by(runner: str, signs: tuple[str, ...], *, selects: tuple[str, ...] = ()) -> "Reader":
    """Tests where a word holds one of `signs`; a word of `selects` narrows them by its value (`-gtest=a`, `-testFilter A`)."""

    def read(argv: tuple[str, ...]) -> "list[Meaning]":
        if not any(sign in word for word in argv[1:] for sign in signs):
            return []
        meaning = test_run(runner, "any", ())
        chosen = [i for i in range(1, len(argv)) if argv[i].partition("=")[0] in selects]
        meaning.selected = " ".join(argv[i] if "=" in argv[i] else " ".join(argv[i : i + 2]) for i in chosen)
        return [meaning]

    return read


_UNITY = _told_by(
    "unity tests",
    ("-runTests", "-runEditorTests"),
    selects=("-testFilter", "-testCategory", "-assemblyNames", "-editorTestsFilter"),
)
_GODOT = _told_by(
    "godot tests",
    ("gut_cmdln.gd", "GdUnitCmdTool.gd"),
    selects=("-gtest", "-gselect", "-gunit_test_name", "-ginner_class", "-a", "--add"),
)
_UNREAL = _told_by("unreal tests", ("Automation RunTest", "Automation RunAll", "Automation RunFilter"))
_JAVA = _told_by(
    "junit",
    ("junit-platform-console", "org.junit.platform.console", "JUnitCore", "org.testng.TestNG"),
    selects=("-c", "--select-class", "-m", "--select-method", "-p", "--select-package", "-n", "--include-classname"),
)

READERS: "dict[str, Reader]" = {
    **dict.fromkeys(("Unity", "unity-editor"), _UNITY),
    **dict.fromkeys(("godot", "godot3", "godot4", "Godot", "godot-mono"), _GODOT),
    **dict.fromkeys(("UnrealEditor", "UnrealEditor-Cmd", "UE4Editor", "UE4Editor-Cmd"), _UNREAL),
    "java": _JAVA,
}
