"""
Commands that run another command: `timeout 60 pytest`, `env X=1 …`, `uv run …`, `docker compose exec web …`.

`unwrap` peels them off until the command that does the work is in sight. What is given as one string (`bash -lc '…'`)
comes back as a script, to be read by the shell's grammar.
"""

from ace_reflect.evidence.call_words import after_assignments, after_options, is_python, option_value, program, word_set
from ace_reflect.evidence.unwrapped import Unwrapped, inner
from ace_reflect.evidence.wrapper_table import (
    FOLDER_OPTIONS,
    GLOBAL_VALUES,
    NAMED,
    PLAIN,
    SCRIPT_OPTIONS,
    SCRIPT_WORDS,
    SPECIAL,
    SUB,
)

__all__ = ["Unwrapped", "unwrap"]

_MAX_LAYERS = 12
_PYTHON_VALUES = frozenset({"-W", "-X", "-c", "-m"})
_WITH_SUB = frozenset(name for name, _ in SUB)
#: Modules that run another module: `python -m cProfile -m pytest`.
_AROUND = frozenset({"cProfile", "profile", "trace", "debugpy", "torch.distributed.run", "torch.distributed.launch"})
_REMOTE = word_set("kubectl oc heroku ddev multipass lxc devcontainer limactl colima vagrant wp-env gcloud fly flyctl")
_MACHINES = word_set("vagrant colima limactl gcloud fly flyctl")
#: Their other subcommands are no wrappers: `gcloud compute instances list`.
_BY_OPTION_ONLY = word_set("gcloud fly flyctl")


def unwrap(argv: tuple[str, ...], bodies: tuple[str, ...]) -> Unwrapped | None:
    """
    What the command really runs; None if it is no wrapper.

    `bodies` are the here-documents it reads. At most a dozen layers are peeled off.
    """
    seen: Unwrapped | None = None
    for _ in range(_MAX_LAYERS):
        layer = _layer(argv, bodies)
        if layer is None:
            break
        seen = layer if seen is None else _joined(seen, layer)
        if not layer.argv or layer.extra:
            break
        argv = layer.argv
    return seen


def _joined(outer: Unwrapped, within: Unwrapped) -> Unwrapped:
    return within.replace(
        via=outer.via + within.via,
        cwd=_path(outer.cwd, within.cwd),
        elsewhere=outer.elsewhere or within.elsewhere,
        remote=outer.remote or within.remote,
        background=outer.background or within.background,
        repeated=outer.repeated or within.repeated,
        masked=outer.masked or within.masked,
        same_shell=outer.same_shell and within.same_shell,
    )


def _path(outer: str | None, within: str | None) -> str | None:
    if outer is None or within is None or within.startswith(("/", "~")):
        return outer if within is None else within
    return f"{outer}/{within}"


def _layer(argv: tuple[str, ...], bodies: tuple[str, ...]) -> Unwrapped | None:
    name = program(argv[0])
    if name in SPECIAL:
        from ace_reflect.evidence.wrapper_readers import READERS

        return READERS[name](argv, bodies)
    if len(argv) > 1 and name in _WITH_SUB:
        found = _with_subcommand(name, argv)
        if found is not None or name not in PLAIN:
            return found or _named(name, argv)
    if name in PLAIN:
        return _plain(name, argv)
    if is_python(name):
        return _python(argv)
    if name == "torchrun":
        return inner(argv, argv.index("-m") + 1, name) if "-m" in argv else None
    return _named(name, argv) if name in NAMED else None


def _named(name: str, argv: tuple[str, ...]) -> Unwrapped | None:
    first = argv[1].partition("@")[0] if len(argv) > 1 else ""
    if first not in NAMED.get(name, ()):
        return None
    return Unwrapped(argv=(first, *argv[2:]), via=(name,), remote=name in _REMOTE)


def _python(argv: tuple[str, ...]) -> Unwrapped | None:
    """`python -m pytest …` runs pytest; `-c` and files stay with python."""
    start = after_options(argv, 1, _PYTHON_VALUES)
    options = argv[:start]
    if "-c" in options or "-m" not in options:
        return None
    index = argv.index("-m")
    if argv[index + 1 : index + 2] and argv[index + 1] in _AROUND and "-m" in argv[index + 2 :]:
        index = argv.index("-m", index + 2)
    return inner(argv, index + 1, "python -m")


def _plain(name: str, argv: tuple[str, ...]) -> Unwrapped | None:
    values, skipped = PLAIN[name]
    start = after_options(argv, 1, values)
    start = after_options(argv, start + skipped) if skipped else start
    return inner(argv, after_assignments(argv, start), name)


def _with_subcommand(name: str, argv: tuple[str, ...]) -> Unwrapped | None:
    first = after_options(argv, 1, GLOBAL_VALUES.get(name, frozenset()))
    if first >= len(argv):
        return None
    if name == "uv" and argv[first : first + 2] == ("tool", "run"):
        return _plain("uvx", argv[first + 1 :])
    entry = SUB.get((name, argv[first]))
    if entry is None:
        return None
    values, skipped = entry
    start = after_options(argv, first + 1, values)
    start = after_options(argv, start + skipped, values) if skipped else start
    return _subcommand_inner(name, argv, first, start)


def _subcommand_inner(name: str, argv: tuple[str, ...], first: int, start: int) -> Unwrapped | None:
    via = f"{name} {argv[first]}"
    cwd = option_value(argv[:start], FOLDER_OPTIONS)
    remote = name in _REMOTE
    if name in ("uv", "coverage") and "-m" in argv[first:start]:
        return inner(argv, argv.index("-m", first) + 1, via, cwd=cwd)
    # behind the machine's name as well: `vagrant ssh web -c '…'`
    script = option_value(argv if name in _MACHINES else argv[:start], SCRIPT_OPTIONS.get(name, frozenset()))
    if script is None and name in SCRIPT_WORDS:
        script = argv[start] if start < len(argv) else None
    if script is not None:
        return Unwrapped(scripts=(script,), via=(via,), cwd=cwd, remote=remote, elsewhere=name in _MACHINES)
    if name in _BY_OPTION_ONLY:
        return None
    if name in ("mise", "rtx", "distrobox") and "--" in argv:
        start = argv.index("--") + 1
    return inner(argv, start, via, cwd=cwd, remote=remote)
