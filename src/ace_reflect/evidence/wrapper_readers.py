"""
The wrappers that need reading of their own: shells, containers, other machines, watchers, interpreters.

What is given as one string comes back as a script for the shell's grammar.
"""

from ace_reflect.evidence.call_words import after_assignments, after_options, option_value, program
from ace_reflect.evidence.unwrapped import Unwrapped, inner
from ace_reflect.evidence.wrapper_table import (
    CONTAINER_VALUES,
    GLOBAL_VALUES,
    PLAIN,
    SCRIPT_OPTIONS,
    SSH_VALUES,
    XARGS_VALUES,
)
from ace_reflect.late import Late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "bash.exe"})
_without_version = Late(r"(?<=[^/@])@[^/@]+$", needs=("@",)).sub
_without_shorthand = Late(r"^(?:npm|pnpm|yarn|bun):", needs=("bun:|npm:|yarn:",)).sub
_WATCHERS = frozenset({"watch", "entr", "watchexec", "reflex", "viddy", "hwatch"})


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
    start = after_assignments(argv, after_options(argv, 1, values))
    script = option_value(argv[:start], frozenset({"-S", "--split-string"}))
    if script is not None:
        return Unwrapped(scripts=(" ".join((script, *argv[start:])),), via=("env",))
    return inner(argv, start, "env", cwd=option_value(argv[:start], frozenset({"-C", "--chdir"})))


def _command(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    if len(argv) > 1 and argv[1].startswith("-") and "p" not in argv[1]:
        return None  # `command -v` only asks
    return inner(argv, after_options(argv, 1), "command")


def _perl(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`perl -e 'alarm shift; exec @ARGV' 60 pytest -q`: what is typed on a Mac, which has no `timeout`."""
    script = argv[2] if len(argv) > 3 and argv[1] == "-e" else ""
    if "alarm" not in script or "exec" not in script or "@ARGV" not in script:
        return None
    start = 3 + (argv[3] == "--")
    return inner(argv, start + ("shift" in script), "perl -e")


def _eval(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(argv, 1)
    script = " ".join(argv[start:])
    return Unwrapped(scripts=(script,), via=("eval",), same_shell=True) if script else None


def _xargs(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    return inner(argv, after_options(argv, 1, XARGS_VALUES), "xargs", repeated=True)


def _find(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`find … -exec cmd {} \\;`: find itself, and besides it what it runs."""
    extra: list[tuple[str, ...]] = []
    masked, elsewhere = "", False
    index = 0
    while index < len(argv):
        if argv[index] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = index + 1
            while end < len(argv) and argv[end] not in (";", "+", "\\;"):
                end += 1
            if end > index + 1:
                extra.append(argv[index + 1 : end])
            masked = masked or ("" if argv[end : end + 1] == ("+",) else "find -exec")
            elsewhere = elsewhere or argv[index].endswith("dir")  # in the folder of each file that is found
            index = end
        index += 1
    if not extra:
        return None
    return Unwrapped(
        argv=argv, extra=tuple(extra), via=("find -exec",), masked=masked, repeated=True, elsewhere=elsewhere
    )


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
    elif inside and program(inside[0]) not in _SHELLS:
        own = _own_program(argv[target], via)
        inside = inside if own in {"", program(inside[0])} else (own, *inside)
    detached = any(
        word == "--detach" or (word[:1] == "-" and word[1:2] != "-" and "d" in word)
        for word in argv[first + 1 : target]
    )
    if not inside:
        return None
    if bodies and program(inside[0]) in _SHELLS and len(inside) <= 2:
        return Unwrapped(scripts=bodies, via=(via,), remote=True, background=detached)
    return Unwrapped(argv=inside, via=(via,), remote=True, background=detached)


def _own_program(image: str, via: str) -> str:
    """`bats` of `docker run bats/bats:1.11 test`: the image starts it, and is only told what with."""
    name = image.rpartition("/")[2].partition("@")[0].partition(":")[0]
    return name if via.endswith(" run") and name in _IMAGES_THAT_START_THEIR_OWN else ""


_IMAGES_THAT_START_THEIR_OWN = frozenset({"bats", "newman", "hurl", "conftest", "shellcheck", "hadolint"})


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
        found = inner(argv, after_options(argv, 1, frozenset({"-w", "-E", "-t", "-F"})) + 1, name)
        return found.replace(masked="script") if found is not None and name == "script" else found
    if name == "runuser":
        return inner(argv, after_options(argv, 1, frozenset({"-u", "-g"})), name)
    return None


def _nix(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    if not {"develop", "shell", "run"} & set(argv[1:3]):
        return None
    first = next((i for i, word in enumerate(argv) if word in ("-c", "--command", "--")), len(argv))
    package = argv[after_options(argv, 2) :][:1] if argv[1] == "run" else ()
    if package and "#" in package[0]:  # `nix run nixpkgs#ruff -- check .`
        return Unwrapped(argv=(package[0].rpartition("#")[2], *argv[first + 1 :]), via=("nix run",))
    return inner(argv, first + 1, f"nix {argv[1]}")


def _wsl(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    start = after_options(argv, 1, PLAIN["wsl"][0])
    return inner(argv, start, "wsl", cwd=option_value(argv[:start], frozenset({"--cd"})))


def _powershell(argv: tuple[str, ...], _bodies: tuple[str, ...]) -> Unwrapped | None:
    """`pwsh -Command '…'`, `pwsh -NoProfile -File scripts/test.ps1 -Fast`, `pwsh ./test.ps1`."""
    for index in range(1, len(argv)):
        if argv[index].lower() in ("-command", "-c") and argv[index + 1 :]:
            return Unwrapped(scripts=(" ".join(argv[index + 1 :]),), via=(program(argv[0]),))
        if argv[index].lower().endswith(".ps1"):
            return inner(argv, index, program(argv[0]))
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
    return inner(argv, start, "rtk")


READERS: "dict[str, Callable[[tuple[str, ...], tuple[str, ...]], Unwrapped | None]]" = {
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
    "perl": _perl,
}
