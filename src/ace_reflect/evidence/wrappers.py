"""
Commands that run another command: `timeout 60 pytest`, `env X=1 …`, `uv run …`, `docker compose exec web …`.

`unwrap` peels them off until the command that does the work is in sight. What is given as one string (`bash -lc '…'`)
comes back as a script, to be read by the shell's grammar.
"""

from ace_reflect.evidence.patterns import matcher, replacer
from ace_reflect.evidence.wrapper_table import (
    CONTAINER_VALUES,
    FOLDER_OPTIONS,
    GLOBAL_VALUES,
    PLAIN,
    SCRIPT_OPTIONS,
    SSH_VALUES,
    SUB,
    XARGS_VALUES,
)
from ace_reflect.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_LAYERS = 12
_ASSIGNMENT = matcher(r"[A-Za-z_]\w*=")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "bash.exe"})
_without_version = replacer(r"(?<=[^/@])@[^/@]+$")
_without_shorthand = replacer(r"^(?:npm|pnpm|yarn|bun):")
_PYTHON = matcher(r"(?:(?:python|pypy)(?:\d+(?:\.\d+)?t?)?|py)$")
_SUFFIXES = (".exe", ".cmd", ".bat")
_WATCHERS = frozenset({"watch", "entr", "watchexec", "reflex", "viddy", "hwatch"})


class Unwrapped(Value):
    """What a wrapper runs: `argv` (empty if a script), or the `scripts` it hands to a shell."""

    argv: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
    extra: tuple[tuple[str, ...], ...] = ()  # run besides argv: `find -exec`
    via: tuple[str, ...] = ()
    cwd: str | None = None  # where it runs, relative to where the wrapper was started
    elsewhere: bool = False  # on a machine whose folders are not ours
    remote: bool = False
    background: bool = False
    repeated: bool = False  # once for each of many inputs
    masked: str = ""
    same_shell: bool = False  # `eval`: what it changes stays changed
    errexit: bool = False
    pipefail: bool = False


def program(word: str) -> str:
    """The name of a program without its folder and Windows suffix."""
    name = word.replace("\\", "/").rsplit("/", 1)[-1] if "/" in word or "\\" in word else word
    return name.rsplit(".", 1)[0] if name.endswith(_SUFFIXES) else name


def is_python(name: str) -> bool:
    """Whether a program's name is an interpreter's of Python."""
    return name[:2] == "py" and _PYTHON(name) is not None


def after_options(argv: tuple[str, ...], start: int, values: frozenset[str] = frozenset()) -> int:
    """Index of the first word from `start` that is neither an option nor an option's value; a `--` is passed over."""
    index = start
    while index < len(argv):
        word = argv[index]
        if word == "--":
            return index + 1
        if len(word) < 2 or word[0] != "-":
            return index
        index += 2 if word in values else 1
    return index


def option_value(argv: tuple[str, ...], names: frozenset[str], end: int | None = None) -> str | None:
    """The value of the first of the options, written `-C dir`, `--cwd dir` or `--cwd=dir`."""
    stop = len(argv) if end is None else end
    for index in range(1, stop):
        word = argv[index]
        if word in names:
            return argv[index + 1] if index + 1 < len(argv) else None
        if word.startswith("--") and "=" in word and word.partition("=")[0] in names:
            return word.partition("=")[2]
    return None


def unwrap(argv: tuple[str, ...], bodies: tuple[str, ...] = ()) -> Unwrapped | None:
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


def _joined(outer: Unwrapped, inner: Unwrapped) -> Unwrapped:
    return inner.replace(
        via=outer.via + inner.via,
        cwd=_path(outer.cwd, inner.cwd),
        elsewhere=outer.elsewhere or inner.elsewhere,
        remote=outer.remote or inner.remote,
        background=outer.background or inner.background,
        repeated=outer.repeated or inner.repeated,
        masked=outer.masked or inner.masked,
        same_shell=outer.same_shell and inner.same_shell,
    )


def _path(outer: str | None, inner: str | None) -> str | None:
    if outer is None or inner is None or inner.startswith(("/", "~")):
        return outer if inner is None else inner
    return f"{outer}/{inner}"


def _layer(argv: tuple[str, ...], bodies: tuple[str, ...]) -> Unwrapped | None:
    name = program(argv[0])
    special = _SPECIAL.get(name)
    if special is not None:
        return special(argv, bodies)
    if name in PLAIN:
        return _plain(name, argv)
    if len(argv) > 1 and name in _WITH_SUB:
        return _with_subcommand(name, argv)
    if is_python(name):
        return _python(argv)
    return None


def _plain(name: str, argv: tuple[str, ...]) -> Unwrapped | None:
    values, skipped = PLAIN[name]
    start = after_options(argv, 1, values)
    start = after_options(argv, start + skipped) if skipped else start
    while start < len(argv) and _ASSIGNMENT(argv[start]):
        start += 1
    return _inner(argv, start, name)


def _inner(argv: tuple[str, ...], start: int, via: str, **facts: "object") -> Unwrapped | None:
    if start >= len(argv):
        return None
    return Unwrapped(argv=argv[start:], via=(via,), **facts)


def _with_subcommand(name: str, argv: tuple[str, ...]) -> Unwrapped | None:
    first = after_options(argv, 1, GLOBAL_VALUES.get(name, frozenset()))
    if first >= len(argv):
        return None
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
    remote = name in ("kubectl", "oc", "heroku", "ddev", "multipass", "lxc")
    if name in ("uv", "coverage") and "-m" in argv[first:start]:
        return _inner(argv, argv.index("-m", first) + 1, via, cwd=cwd)
    script = option_value(argv[:start], SCRIPT_OPTIONS.get(name, frozenset()))
    if script is not None:
        return Unwrapped(scripts=(script,), via=(via,), cwd=cwd)
    if name in ("mise", "rtx") and "--" in argv:
        start = argv.index("--") + 1
    return _inner(argv, start, via, cwd=cwd, remote=remote)


def _shell(argv: tuple[str, ...], bodies: tuple[str, ...]) -> Unwrapped | None:
    """`bash -lc 'script' …`, `bash script.sh …`, `bash <<EOF`."""
    errexit = pipefail = wants_script = False
    index = 1
    while index < len(argv) and argv[index][:1] in ("-", "+") and len(argv[index]) > 1:
        word = argv[index]
        index += 1
        if word == "--":
            break
        if word.startswith("--"):
            index += word in ("--rcfile", "--init-file")
            continue
        if "n" in word and "c" not in word:
            return None  # a check of the syntax
        errexit = errexit or (word[0] == "-" and "e" in word)
        wants_script = wants_script or "c" in word
        if word.endswith(("o", "O")):
            pipefail = pipefail or argv[index : index + 1] == ("pipefail",)
            index += 1
    name = program(argv[0])
    if wants_script:
        scripts = argv[index : index + 1]
        return Unwrapped(scripts=scripts, via=(f"{name} -c",), errexit=errexit, pipefail=pipefail) if scripts else None
    if index < len(argv) and argv[index] != "-":
        return Unwrapped(argv=argv[index:], via=(name,))
    return Unwrapped(scripts=bodies, via=(name,), errexit=errexit, pipefail=pipefail) if bodies else None


def _env(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    values = frozenset({"-u", "--unset", "-C", "--chdir", "-S", "--split-string"})
    start = after_options(argv, 1, values)
    while start < len(argv) and _ASSIGNMENT(argv[start]):
        start += 1
    script = option_value(argv[:start], frozenset({"-S", "--split-string"}))
    if script is not None:
        return Unwrapped(scripts=(" ".join((script, *argv[start:])),), via=("env",))
    return _inner(argv, start, "env", cwd=option_value(argv[:start], frozenset({"-C", "--chdir"})))


def _command(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    if len(argv) > 1 and argv[1].startswith("-") and "p" not in argv[1]:
        return None  # `command -v` only asks
    return _inner(argv, after_options(argv, 1), "command")


def _eval(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(argv, 1)
    script = " ".join(argv[start:])
    return Unwrapped(scripts=(script,), via=("eval",), same_shell=True) if script else None


def _xargs(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    return _inner(argv, after_options(argv, 1, XARGS_VALUES), "xargs", repeated=True)


def _find(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`find … -exec cmd {} \\;`: find itself, and besides it what it runs."""
    extra: list[tuple[str, ...]] = []
    masked = ""
    index = 0
    while index < len(argv):
        if argv[index] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = index + 1
            while end < len(argv) and argv[end] not in (";", "+", "\\;"):
                end += 1
            if end > index + 1:
                extra.append(argv[index + 1 : end])
            masked = masked or ("" if argv[end : end + 1] == ("+",) else "find -exec")
            index = end
        index += 1
    if not extra:
        return None
    return Unwrapped(argv=argv, extra=tuple(extra), via=("find -exec",), masked=masked, repeated=True)


def _ssh(argv: tuple[str, ...], bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(argv, after_options(argv, 1, SSH_VALUES) + 1, SSH_VALUES)
    rest = argv[start:]
    if bodies and (not rest or program(rest[0]) in _SHELLS):
        scripts = bodies
    elif rest:
        scripts = (" ".join(rest),)
    else:
        return None
    return Unwrapped(scripts=scripts, via=("ssh",), remote=True, elsewhere=True)


def _docker(argv: tuple[str, ...], bodies: tuple[str, ...]) -> Unwrapped | None:
    first = after_options(argv, 1, GLOBAL_VALUES["docker"])
    if argv[first : first + 1] == ("compose",):
        return _compose(argv, first + 1)
    if argv[first : first + 1] == ("container",):
        first += 1
    if first >= len(argv) or argv[first] not in ("run", "exec"):
        return None
    return _container(argv, first, f"docker {argv[first]}", bodies)


def _docker_compose(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    return _compose(argv, 1)


def _compose(argv: tuple[str, ...], start: int) -> Unwrapped | None:
    first = after_options(argv, start, GLOBAL_VALUES["docker-compose"])
    if first >= len(argv) or argv[first] not in ("run", "exec"):
        return None
    return _container(argv, first, f"docker compose {argv[first]}", ())


def _container(argv: tuple[str, ...], first: int, via: str, bodies: tuple[str, ...]) -> Unwrapped | None:
    """`run [options] image [command]`, `exec [options] container command`."""
    target = after_options(argv, first + 1, CONTAINER_VALUES)
    inside = argv[target + 1 :]
    entry = option_value(argv[first:target], frozenset({"--entrypoint"}))
    if entry:
        inside = (entry, *inside)
    detached = any(
        word == "--detach" or (word[:1] == "-" and word[1:2] != "-" and "d" in word)
        for word in argv[first + 1 : target]
    )
    if not inside:
        return None
    if bodies and program(inside[0]) in _SHELLS and len(inside) <= 2:
        return Unwrapped(scripts=bodies, via=(via,), remote=True, background=detached)
    return Unwrapped(argv=inside, via=(via,), remote=True, background=detached)


def _node_package(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`npx --yes jest@29 …`"""
    name = program(argv[0])
    values, _ = PLAIN[name]
    start = after_options(argv, 1, values | {"-c", "--call"})
    script = option_value(argv[:start], frozenset({"-c", "--call"}))
    if script is not None:
        return Unwrapped(scripts=(script,), via=(name,))
    if start >= len(argv):
        return None
    package = _without_version("", argv[start])
    return Unwrapped(argv=(package, *argv[start + 1 :]), via=(name,))


def _scripts_of_words(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`concurrently "npm test" "npm run lint"`: each word is a command."""
    start = after_options(
        argv, 1, frozenset({"-n", "--names", "-c", "--prefix-colors", "-p", "--prefix", "-w", "-r", "-m"})
    )
    scripts = tuple(_without_shorthand("npm run ", word) for word in argv[start:])
    return Unwrapped(scripts=scripts, via=(program(argv[0]),)) if scripts else None


def _start_server_and_test(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    command = argv[-1]
    if len(argv) < 3:
        return None
    return Unwrapped(scripts=(command if " " in command else f"npm run {command}",), via=(program(argv[0]),))


def _parallel(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(
        argv,
        1,
        frozenset({"-j", "--jobs", "-a", "--arg-file", "--joblog", "--delay", "--timeout", "-n", "-N", "-I", "-S"}),
    )
    end = next((i for i in range(start, len(argv)) if argv[i].startswith(":::")), len(argv))
    words = argv[start:end]
    if not words:
        return Unwrapped(scripts=argv[end + 1 :], via=("parallel",), repeated=True) if argv[end + 1 :] else None
    return Unwrapped(scripts=(" ".join(words),), via=("parallel",), repeated=True)


def _watcher(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    name = program(argv[0])
    values = frozenset(
        {"-n", "--interval", "-e", "--exts", "-w", "--watch", "-i", "--ignore", "-g", "-r", "-s", "--debounce"}
    )
    start = after_options(argv, 1, values)
    script = " ".join(argv[start:])
    return Unwrapped(scripts=(script,), via=(name,), masked=name, repeated=True) if script else None


def _hyperfine(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(
        argv,
        1,
        frozenset({"-w", "--warmup", "-r", "--runs", "-m", "-M", "-p", "--prepare", "-n", "-L", "--export-json"}),
    )
    return Unwrapped(scripts=argv[start:], via=("hyperfine",), repeated=True) if argv[start:] else None


def _script_option(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`su user -c '…'`, `script -qec '…' /dev/null`, `nix-shell --run '…'`, `flock file -c '…'`."""
    name = program(argv[0])
    names = SCRIPT_OPTIONS[name]
    for index in range(1, len(argv) - 1):
        word = argv[index]
        if word in names or (name == "script" and word[:1] == "-" and word[1:2] != "-" and word.endswith("c")):
            masked = "script" if name == "script" and "e" not in word and not {"-e", "--return"} & set(argv) else ""
            return Unwrapped(scripts=(argv[index + 1],), via=(name,), masked=masked)
    if name in ("flock", "script"):
        inner = _inner(argv, after_options(argv, 1, frozenset({"-w", "-E", "-t", "-F"})) + 1, name)
        return inner.replace(masked="script") if inner is not None and name == "script" else inner
    if name == "runuser":
        return _inner(argv, after_options(argv, 1, frozenset({"-u", "-g"})), name)
    return None


def _nix(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    if not {"develop", "shell", "run"} & set(argv[1:3]):
        return None
    first = next((i for i, word in enumerate(argv) if word in ("-c", "--command", "--")), len(argv))
    return _inner(argv, first + 1, f"nix {argv[1]}")


def _wsl(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(argv, 1, PLAIN["wsl"][0])
    return _inner(argv, start, "wsl", cwd=option_value(argv[:start], frozenset({"--cd"})))


def _powershell(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    for index in range(1, len(argv) - 1):
        if argv[index].lower() in ("-command", "-c"):
            return Unwrapped(scripts=(" ".join(argv[index + 1 :]),), via=(program(argv[0]),))
    return None


def _cmd(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    for index in range(1, len(argv) - 1):
        if argv[index].lower() in ("/c", "//c", "/k", "//k"):
            return Unwrapped(scripts=(" ".join(argv[index + 1 :]),), via=("cmd /c",))
    return None


def _tmux(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """A new session or window runs its command by itself; `send-keys` only types."""
    first = after_options(argv, 1, frozenset({"-L", "-S", "-f"}))
    if argv[first : first + 1] not in (("new-session",), ("new",), ("new-window",), ("neww",), ("split-window",)):
        return None
    start = after_options(argv, first + 1, frozenset({"-s", "-n", "-c", "-t", "-x", "-y", "-e", "-F", "-l"}))
    script = " ".join(argv[start:])
    return Unwrapped(scripts=(script,), via=("tmux",), masked="tmux", background=True) if script else None


def _trap(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    if len(argv) < 3 or not argv[1] or argv[1].startswith("-"):
        return None
    return Unwrapped(scripts=(argv[1],), via=("trap",), masked="trap")


def _rtk(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(argv, 1)
    if start < len(argv) - 1 and argv[start] in ("proxy", "err", "test", "summary", "run"):
        start = after_options(argv, start + 1)
    return _inner(argv, start, "rtk")


def _python(argv: tuple[str, ...]) -> Unwrapped | None:
    """`python -m pytest …` runs pytest; `-c` and files stay with python."""
    start = after_options(argv, 1, frozenset({"-W", "-X", "-c", "-m"}))
    options = argv[:start]
    if "-c" in options or "-m" not in options:
        return None
    index = argv.index("-m")
    return _inner(argv, index + 1, "python -m")


_SPECIAL: "dict[str, Callable[[tuple[str, ...], tuple[str, ...]], Unwrapped | None]]" = {
    **dict.fromkeys(_SHELLS, _shell),
    **dict.fromkeys(_WATCHERS, _watcher),
    **dict.fromkeys(("npx", "pnpx", "bunx"), _node_package),
    **dict.fromkeys(("concurrently", "conc"), _scripts_of_words),
    **dict.fromkeys(("start-server-and-test", "start-test", "server-test"), _start_server_and_test),
    **dict.fromkeys(("docker", "podman", "nerdctl"), _docker),
    **dict.fromkeys(("docker-compose", "podman-compose"), _docker_compose),
    **dict.fromkeys(("powershell", "pwsh"), _powershell),
    **dict.fromkeys(("su", "runuser", "script", "flock", "nix-shell"), _script_option),
    "env": _env,
    "genv": _env,
    "command": _command,
    "eval": _eval,
    "xargs": _xargs,
    "gxargs": _xargs,
    "find": _find,
    "ssh": _ssh,
    "parallel": _parallel,
    "hyperfine": _hyperfine,
    "nix": _nix,
    "wsl": _wsl,
    "cmd": _cmd,
    "tmux": _tmux,
    "trap": _trap,
    "rtk": _rtk,
}
_WITH_SUB = frozenset(name for name, _ in SUB)
