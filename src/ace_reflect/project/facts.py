"""What a checkout says about itself: where its tests are, how they run, where it is pushed to."""

from ace_reflect.values import Value


class Scope(Value):
    """A folder with a manifest for a language: the whole repository, or one package of several."""

    dir: str  # relative to the root, "" for the root itself
    language: str  # python, javascript, rust, go, …
    tested: bool = False  # it has a unit-test file here
    test_command: str = ""  # as typed in the project's root: "cd packages/a && npm run test"


class Project(Value):
    """One project's facts; none where only a transcript is at hand."""

    root: str = ""
    scopes: tuple[Scope, ...] = ()  # by folder, the root first
    default_branch: str | None = None
    gitlab: bool = False  # it is pushed to one
    #: "path\tmtime_ns\tsize" of what was read: while all are as they were, a cached copy holds.
    stamps: tuple[str, ...] = ()


def within(folder: str, top: str) -> bool:
    """Whether a folder is another or below it."""
    return not top or f"{folder}/".startswith(f"{top}/")
