"""Languages whose test run compiles the sources: Rust, Go, JVM, .NET, Swift, Zig, Dart, Haskell, OCaml, Crystal, Nim."""

from ace_reflect import regex as re
from ace_reflect.project.place import Claim, Place, as_object, names_in, table_of, text_of


def cargo(place: Place) -> "Claim | None":
    data = place.toml("Cargo.toml")
    if not data:
        return None
    workspace = "workspace" in data and "package" not in data
    evidence = place.first(r"(^|/)tests/[^/]*\.rs$") or place.first_containing(
        r"\.rs$", r"#\[(?:\w+::)*(?:test|rstest)\b|#\[cfg\(test\)\]"
    )
    if workspace and not evidence:
        members = table_of(data.get("workspace")).get("members")
        evidence = "Cargo workspace" if place.tree.truncated and members else ""
    everything = " --workspace" if "workspace" in data else ""
    return Claim(
        manifest="Cargo.toml",
        name=text_of(table_of(data.get("package")).get("name")),
        language="rust",
        test=f"cargo test{everything}",
        tests_evidence=evidence,
        build=f"cargo build{everything}",
        build_evidence="Cargo.toml",
        tests_build=True,
    )


def go(place: Place) -> "Claim | None":
    if "go.mod" not in place.names:
        return None  # go.work lists modules, which are scopes of their own
    return Claim(
        manifest="go.mod",
        language="go",
        test="go test ./...",
        tests_evidence=place.first(r"_test\.go$"),
        build="go build ./...",
        build_evidence="go.mod",
        tests_build=True,
    )


def maven(place: Place) -> "Claim | None":
    """A module is built through the root, which knows the modules it needs: `./mvnw -pl billing -am test`."""
    modules = "<modules>" in place.read("pom.xml")
    at_root = bool(place.folder) and f"<module>{place.folder}</module>" in place.tree.read("pom.xml")
    wrapper = "./mvnw" if place.has("mvnw") or (at_root and place.tree.has("mvnw")) else "mvn"
    own = f" -pl {place.folder} -am" if at_root else ""
    return Claim(
        manifest="pom.xml",
        language="java",
        test=f"{wrapper}{own} test",
        tests_evidence=_jvm_tests(place) or ("pom.xml modules" if modules and place.tree.truncated else ""),
        build=f"{wrapper}{own} compile",
        build_evidence="pom.xml",
        tests_build=True,
        at_root=at_root,
    )


def gradle(place: Place) -> "Claim | None":
    """A subproject is addressed through the root's wrapper: `./gradlew :app:test`."""
    name = next(n for n in GRADLE if n in place.names)
    at_root = bool(place.folder) and place.tree.has("gradlew")
    wrapper = "./gradlew" if at_root or place.has("gradlew") else "gradle"
    path = ":" + place.folder.replace("/", ":") + ":" if at_root else ""
    return Claim(
        manifest=name,
        language="kotlin" if name.endswith(".kts") or place.first(r"\.kt$") else "java",
        test=f"{wrapper} {path}test",
        tests_evidence=_jvm_tests(place),
        build=f"{wrapper} {path}assemble",
        build_evidence=name,
        tests_build=True,
        at_root=at_root,
    )


def _jvm_tests(place: Place) -> str:
    return place.first(r"(^|/)src/(?:\w*[tT]est\w*)/.+\.(java|kt|groovy|scala)$")


def sbt(place: Place) -> "Claim | None":
    return Claim(
        manifest="build.sbt",
        language="scala",
        test="sbt test",
        tests_evidence=_jvm_tests(place),
        build="sbt compile",
        build_evidence="build.sbt",
        tests_build=True,
    )


def dotnet(place: Place) -> "Claim | None":
    """A solution's projects are built and tested through it and are no packages of their own."""
    name = next((n for n in place.names if n.endswith(_SOLUTION)), "") or next(
        n for n in place.names if n.endswith(DOTNET)
    )
    solution = name.endswith(_SOLUTION)
    if not solution and _has_solution_above(place):
        return None
    marks = r"Microsoft\.NET\.Test\.Sdk|\bxunit\b|\bNUnit\b|MSTest|TUnit"
    # a solution's test projects are packages of their own below it
    files = place.tree.below(place.folder) if solution else (place.path(n) for n in place.names)
    projects = [file for file in files if re.search(r"\.(cs|fs|vb)proj$", file)][:60]
    evidence = next((file for file in projects if re.search(marks, place.tree.read(file))), "")
    return Claim(
        manifest=name,
        language="fsharp" if name.endswith(".fsproj") else "csharp",
        test="dotnet test" if solution or evidence else "",
        tests_evidence=evidence,
        build="dotnet build",
        build_evidence=name,
        tests_build=True,
    )


def _has_solution_above(place: Place) -> bool:
    folder = place.folder
    while folder:
        folder = folder.rpartition("/")[0]
        if any(name.endswith(_SOLUTION) for name in place.tree.folders.get(folder, ())):
            return True
    return False


def swift(place: Place) -> "Claim | None":
    evidence = place.first(r"(^|/)Tests/.+\.swift$")
    return Claim(
        manifest="Package.swift",
        language="swift",
        test="swift test",
        tests_evidence=evidence,
        build="swift build",
        build_evidence="Package.swift",
        tests_build=True,
    )


def zig(place: Place) -> "Claim | None":
    has_step = re.search(r'\.step\(\s*"test"', place.read("build.zig")) is not None
    evidence = place.first_containing(r"\.zig$", r'^[ \t]*test\s+("|\{|\w)') if has_step else ""
    return Claim(
        manifest="build.zig",
        language="zig",
        test="zig build test" if has_step else "",
        tests_evidence=evidence,
        build="zig build",
        build_evidence="build.zig",
        tests_build=True,
    )


def pub(place: Place) -> "Claim | None":
    flutter = re.search(r"^[ \t]+sdk:\s*flutter|^flutter:", place.read("pubspec.yaml"), re.MULTILINE) is not None
    return Claim(
        manifest="pubspec.yaml",
        language="dart",
        test="flutter test" if flutter else "dart test",
        tests_evidence=place.first(r"(^|/)(test|integration_test)/.*_test\.dart$"),
        tests_build=True,
    )


def cmake(place: Place) -> "Claim | None":
    """Only the outermost CMakeLists.txt is a build of its own."""
    if place.folder and place.tree.has("CMakeLists.txt"):
        return None
    texts = [place.read("CMakeLists.txt")]
    texts += [place.tree.read(file) for file in place.files() if file.endswith("/CMakeLists.txt")][:30]
    tested = any(
        re.search(
            r"(?i)\benable_testing\s*\(|\binclude\s*\(\s*CTest|\badd_test\s*\(|gtest_discover_tests|catch_discover_tests",
            text,
        )
        for text in texts
    )
    return Claim(
        manifest="CMakeLists.txt",
        language="c++" if place.first(r"\.(cc|cpp|cxx|hpp)$") else "c",
        test=_preset(place, "test", "ctest --preset") or "ctest --test-dir build" if tested else "",
        tests_evidence="CMakeLists.txt adds tests" if tested else "",
        build=next((tool for sign, tool in _OWN_CMAKE if sign in texts[0]), "")
        or _preset(place, "build", "cmake --build --preset")
        or "cmake --build build",
        build_evidence="CMakeLists.txt",
    )


#: What a CMakeLists.txt calls in whose builds are started by a tool of their own.
_OWN_CMAKE = (("find_package(Zephyr", "west build"), ("tools/cmake/project.cmake", "idf.py build"))


def _preset(place: Place, kind: str, command: str) -> str:
    """The command with the first preset of its kind that is no hidden one; "" where there is none."""
    found = as_object(place.read("CMakePresets.json")).get(f"{kind}Presets")
    shown = (table_of(preset) for preset in (found if isinstance(found, list) else ()))
    name = next(iter(names_in(preset.get("name") for preset in shown if not preset.get("hidden"))), "")
    return f"{command} {name}" if re.fullmatch(r"[\w.+-]+", name) else ""


def meson(place: Place) -> "Claim | None":
    if place.folder and place.tree.has("meson.build"):
        return None
    texts = [place.read("meson.build"), *(place.tree.read(f) for f in place.files() if f.endswith("/meson.build"))][:30]
    tested = any(re.search(r"^[ \t]*test\s*\(", text, re.MULTILINE) for text in texts)
    return Claim(
        manifest="meson.build",
        language="c",
        test="meson test -C build" if tested else "",
        tests_evidence="meson.build adds tests" if tested else "",
        build="meson compile -C build",
        build_evidence="meson.build",
    )


def bazel(place: Place) -> "Claim | None":
    if place.folder:
        return None
    builds = r"(^|/)BUILD(\.bazel)?$"
    return Claim(
        manifest=next(n for n in BAZEL if n in place.names),
        language="",
        test="bazel test //...",
        tests_evidence=place.first_containing(builds, r"^\w+_test\("),
        build="bazel build //...",
        build_evidence="Bazel",
        tests_build=True,
        rank=25,
    )


def haskell(place: Place) -> "Claim | None":
    name = next(n for n in place.names if n == "stack.yaml" or n.endswith(".cabal") or n == "cabal.project")
    suite = next((n for n in place.names if n.endswith(".cabal") and "test-suite" in place.read(n)), "")
    package = "package.yaml" if re.search(r"^tests:", place.read("package.yaml"), re.MULTILINE) else ""
    tool = "stack" if "stack.yaml" in place.names else "cabal"
    return Claim(
        manifest=name,
        language="haskell",
        test=f"{tool} test" + (" all" if tool == "cabal" else ""),
        tests_evidence=suite or package,
        build=f"{tool} build",
        build_evidence=name,
        tests_build=True,
    )


def dune(place: Place) -> "Claim | None":
    evidence = place.first_containing(r"(^|/)dune$", r"\((?:test|tests|inline_tests|cram)\b")
    return Claim(
        manifest="dune-project",
        language="ocaml",
        test="dune test",
        tests_evidence=evidence,
        build="dune build",
        build_evidence="dune-project",
        tests_build=True,
    )


def crystal(place: Place) -> "Claim | None":
    return Claim(
        manifest="shard.yml",
        language="crystal",
        test="crystal spec",
        tests_evidence=place.first(r"_spec\.cr$"),
        build="shards build",
        build_evidence="shard.yml",
        tests_build=True,
    )


def nimble(place: Place) -> "Claim | None":
    name = next(n for n in place.names if n.endswith(".nimble"))
    return Claim(
        manifest=name,
        language="nim",
        test="nimble test",
        tests_evidence=place.first(r"(^|/)tests/.*\.nim$"),
        build="nimble build",
        build_evidence=name,
        tests_build=True,
    )


GRADLE = ("build.gradle.kts", "build.gradle", "settings.gradle.kts", "settings.gradle")
_SOLUTION = (".sln", ".slnx")
DOTNET = (".sln", ".slnx", ".csproj", ".fsproj", ".vbproj")
BAZEL = ("MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE")
