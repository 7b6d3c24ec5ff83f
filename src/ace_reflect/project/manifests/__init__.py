"""
The manifests that are read, one reader an ecosystem. A new one is a function and a line here.

A reader takes a `Place` (a folder that holds the manifest) and gives a `Claim`, or None where the file says nothing.
"""

from ace_reflect.project.manifests import compiled, node, python, scripted, tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ace_reflect.project.place import Claim, Place

    Reader = Callable[[Place], "Claim | None"]

_BY_NAME: "dict[str, Reader]" = {
    "package.json": node.package_json,
    "Cargo.toml": compiled.cargo,
    "go.mod": compiled.go,
    "pom.xml": compiled.maven,
    "build.sbt": compiled.sbt,
    "Package.swift": compiled.swift,
    "build.zig": compiled.zig,
    "pubspec.yaml": compiled.pub,
    "CMakeLists.txt": compiled.cmake,
    "meson.build": compiled.meson,
    "stack.yaml": compiled.haskell,
    "cabal.project": compiled.haskell,
    "dune-project": compiled.dune,
    "shard.yml": compiled.crystal,
    "composer.json": scripted.composer,
    "mix.exs": scripted.mix,
    "rebar.config": scripted.rebar,
    "deno.json": scripted.deno,
    "deno.jsonc": scripted.deno,
    "project.clj": scripted.clojure,
    "deps.edn": scripted.clojure,
    "Project.toml": scripted.julia,
    ".busted": scripted.lua,
    "mise.toml": tasks.mise,
    ".mise.toml": tasks.mise,
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile"), tasks.makefile),
    **dict.fromkeys(("justfile", "Justfile", ".justfile", "JUSTFILE"), tasks.justfile),
    **dict.fromkeys(("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"), scripted.phpunit),
    **dict.fromkeys(scripted.RUBY, scripted.ruby),
    **dict.fromkeys(scripted.PERL, scripted.perl),
    **dict.fromkeys(compiled.GRADLE, compiled.gradle),
    **dict.fromkeys(compiled.BAZEL, compiled.bazel),
    **dict.fromkeys(python.MANIFESTS, python.python),
    **{
        f"{first}askfile{middle}.{end}": tasks.taskfile
        for first in "Tt"
        for middle in ("", ".dist")
        for end in ("yml", "yaml")
    },
}

_BY_SUFFIX: "dict[str, Reader]" = {
    **dict.fromkeys(compiled.DOTNET, compiled.dotnet),
    ".gemspec": scripted.ruby,
    ".cabal": compiled.haskell,
    ".nimble": compiled.nimble,
}


def readers(names: "tuple[str, ...]") -> "Iterator[Reader]":
    """The readers that the files of a folder call for, each once."""
    seen = set()
    for name in names:
        reader = _BY_NAME.get(name)
        if reader is None and "." in name:
            reader = _BY_SUFFIX.get(name[name.rindex(".") :])
        if reader is not None and reader not in seen:
            seen.add(reader)
            yield reader
