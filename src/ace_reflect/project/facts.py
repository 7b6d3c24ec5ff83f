"""What a repository says of itself, as plain data: where its tests are, how they are run, where it is pushed to."""

from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Scope(Value):
    """
    A folder with a manifest of its own: the whole repository, or one package of several.

    Commands are as a person would type them in the project's root, so those of a package start with `cd packages/a && `.
    """

    dir: str  # relative to the root, "" for the root itself
    name: str = ""  # what its manifest calls it, where a tool chooses packages by that: `cargo test -p ferrite-core`
    manifests: tuple[str, ...] = ()  # file names in `dir`
    languages: tuple[str, ...] = ()  # python, javascript, rust, go, …
    test_command: str = ""
    build_command: str = ""
    has_tests: bool = False
    tests_evidence: str = ""  # "package.json script test: vitest run"; "tests/test_app.py"
    no_test_file: bool = False  # that evidence is a script, a setting or a folder, and no file of tests was found
    has_build: bool = False
    build_evidence: str = ""
    tests_build: bool = False  # a passing test run has compiled the sources too (Rust, Go, Java, …)


class Remote(Value):
    name: str
    url: str  # without user and password


class Project(Value):
    """One project's facts; `present` is False where they were inferred from a transcript alone."""

    root: str = ""
    present: bool = False
    truncated: bool = False  # too big to be read whole: what was not found may still exist
    scopes: tuple[Scope, ...] = ()  # the root first, then by folder
    default_branch: str | None = None
    branch: str | None = None
    remotes: tuple[Remote, ...] = ()
    has_remote: bool | None = None  # None where nothing tells
    forge: str = ""  # github, gitlab, bitbucket, gitea, azure, sourcehut; "" where unknown
    instructions: str = ""  # CLAUDE.md, AGENTS.md and their local variants, capped
    instruction_files: tuple[str, ...] = ()
    wants_pr: str = ""  # the sentence of the instructions that asks for pull requests
    instructed_tests: tuple[str, ...] = ()  # test commands that the instructions name
    instructed_builds: tuple[str, ...] = ()
    script_kinds: tuple[str, ...] = ()  # "check lint typecheck": what scripts do that go by the name of a test
    hook_builds: bool = False  # husky's hook for commits type-checks or builds, which prints nothing where it passes
    #: "path\tmtime_ns\tsize" of what was read: while all are as they were, a cached copy holds.
    stamps: tuple[str, ...] = ()

    @property
    def test_command(self) -> str:
        """What to type for all tests: the instructions' words first, then the root's, then the only package's."""
        return self.instructed_tests[0] if self.instructed_tests else self._only("test_command")

    @property
    def build_command(self) -> str:
        return self.instructed_builds[0] if self.instructed_builds else self._only("build_command")

    @property
    def has_tests(self) -> bool:
        return any(scope.has_tests for scope in self.scopes)

    def _only(self, field: str) -> str:
        named = [(scope.dir, getattr(scope, field)) for scope in self.scopes if getattr(scope, field)]
        if named and (named[0][0] == "" or len(named) == 1):
            return str(named[0][1])
        return ""

    @classmethod
    def from_json(cls, data: "dict[str, Any]") -> "Project":
        nested = dict(data)
        nested["scopes"] = tuple(Scope.from_json(item) for item in data.get("scopes") or ())
        nested["remotes"] = tuple(Remote.from_json(item) for item in data.get("remotes") or ())
        return super().from_json(nested)
