"""What a repository says of itself, as plain data: where its tests are, how they are run, where it is pushed to."""

from typing import Any

from ace_reflect.values import Value


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
    forge: str = ""  # github or gitlab; "" where unknown
    #: "path\tmtime_ns\tsize" of what was read: while all are as they were, a cached copy holds.
    stamps: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Project":
        scopes = tuple(Scope.from_json(item) for item in data.get("scopes") or ())
        return super().from_json({**data, "scopes": scopes})
