"""What a wrapper runs, as the readers of wrappers give it to `wrappers.unwrap`."""

from ace_reflect.values import Value


class Unwrapped(Value):
    """What a wrapper runs: `argv` (empty if a script), or the `scripts` it hands to a shell."""

    argv: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    extra: tuple[tuple[str, ...], ...] = ()  # run besides argv: `find -exec`
    via: tuple[str, ...] = ()
    cwd: str | None = None  # where it runs, relative to where the wrapper was started
    elsewhere: bool = False  # on a machine whose folders are not ours, or in folders that the line does not name
    remote: bool = False
    background: bool = False
    repeated: bool = False  # once for each of many inputs
    masked: str = ""
    same_shell: bool = False  # `eval`: what it changes stays changed
    errexit: bool = False
    pipefail: bool = False


def inner(
    argv: tuple[str, ...], start: int, via: str, *, cwd: str | None = None, remote: bool = False, repeated: bool = False
) -> Unwrapped | None:
    """The words from `start` on as what is run; None if there are none."""
    if start >= len(argv):
        return None
    return Unwrapped(argv=argv[start:], via=(via,), cwd=cwd, remote=remote, repeated=repeated)
