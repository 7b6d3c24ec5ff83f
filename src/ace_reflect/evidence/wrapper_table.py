"""What the wrappers' options look like: which take a value of their own, and how many words stand before the command."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NONE = _set("")

#: program -> (options that take the next word, words to pass over before the command)
PLAIN: dict[str, tuple[frozenset[str], int]] = {
    "timeout": (_set("-s --signal -k --kill-after"), 1),
    "gtimeout": (_set("-s --signal -k --kill-after"), 1),
    "nohup": (_NONE, 0),
    "nice": (_set("-n --adjustment"), 0),
    "ionice": (_set("-c -n -p --class --classdata"), 0),
    "chrt": (_set("-p"), 1),
    "taskset": (_NONE, 1),
    "time": (_set("-f -o --format --output"), 0),
    "gtime": (_set("-f -o --format --output"), 0),
    "exec": (_set("-a"), 0),
    "builtin": (_NONE, 0),
    "noglob": (_NONE, 0),
    "nocorrect": (_NONE, 0),
    "setsid": (_NONE, 0),
    "stdbuf": (_set("-i -o -e"), 0),
    "unbuffer": (_NONE, 0),
    "chronic": (_NONE, 0),
    "ts": (_NONE, 0),
    "caffeinate": (_set("-t -w"), 0),
    "arch": (_NONE, 0),
    "sudo": (_set("-u -g -h -p -C -r -t -U -D -T --user --group --chdir"), 0),
    "doas": (_set("-u -C"), 0),
    "gosu": (_NONE, 1),
    "su-exec": (_NONE, 1),
    "tini": (_NONE, 0),
    "dumb-init": (_NONE, 0),
    "fakeroot": (_set("-l -s -i -u"), 0),
    "faketime": (_set("-f"), 1),
    "chroot": (_set("--userspec --groups"), 1),
    "unshare": (_set("-R -w"), 0),
    "firejail": (_NONE, 0),
    "bwrap": (_set("--bind --ro-bind --dev --proc --tmpfs --chdir"), 0),
    "systemd-run": (_set("-p --property -u --unit -E --setenv --slice"), 0),
    "strace": (_set("-e -o -p -s -P -E -u -O -S -a -b"), 0),
    "ltrace": (_set("-e -o -p -s -u -n -a"), 0),
    "valgrind": (_NONE, 0),
    "catchsegv": (_NONE, 0),
    "retry": (_set("-t -d -n -m -s --tries --delay --times --max-attempts"), 0),
    "xcrun": (_set("-sdk --sdk -toolchain --toolchain"), 0),
    "xvfb-run": (_set("-e -f -n -p -s -w --error-file --server-num --server-args --wait"), 0),
    "dbus-run-session": (_set("--config-file"), 0),
    "cross-env": (_NONE, 0),
    "cross-env-shell": (_NONE, 0),
    "env-cmd": (_set("-f -e --file --environments"), 0),
    "dotenv": (_set("-e -f -v -c -p --file"), 0),
    "dotenvx": (_NONE, 0),
    "nyc": (_set("--reporter -r --temp-dir --include -n --exclude -x --cwd"), 0),
    "c8": (_set("--reporter -r --temp-directory --include -n --exclude -x --src -o"), 0),
    "kcov": (_NONE, 1),
    "uvx": (_set("--from --with --python -p --index --index-url --with-requirements --with-editable -c"), 0),
    "npx": (_set("-p --package -w --workspace --prefix --cache --userconfig"), 0),
    "pnpx": (_set("-p --package"), 0),
    "bunx": (_set("-p --package"), 0),
    "rtk": (_NONE, 0),
    "wsl": (_set("-d --distribution -u --user --cd --shell-type"), 0),
}

#: (program, subcommand) -> (options that take the next word, words to pass over before the command)
SUB: dict[tuple[str, str], tuple[frozenset[str], int]] = {
    ("uv", "run"): (
        _set(
            "--with --with-requirements --with-editable --python -p --extra --group --only-group --no-group --no-extra --env-file --directory --project "
            "--package --index --index-url --extra-index-url -i --default-index --find-links -f --refresh-package -P --upgrade-package --color --config-file --cache-dir"
        ),
        0,
    ),
    ("poetry", "run"): (_NONE, 0),
    ("pdm", "run"): (_set("-p --project -e --env-file --venv -v"), 0),
    ("pipenv", "run"): (_NONE, 0),
    ("rye", "run"): (_set("--pyproject"), 0),
    ("pixi", "run"): (_set("-e --environment --manifest-path --color"), 0),
    ("pipx", "run"): (_set("--spec --python --pip-args --index-url"), 0),
    ("conda", "run"): (_set("-n --name -p --prefix --cwd"), 0),
    ("mamba", "run"): (_set("-n --name -p --prefix --cwd"), 0),
    ("micromamba", "run"): (_set("-n --name -p --prefix --cwd"), 0),
    ("bundle", "exec"): (_set("--gemfile"), 0),
    ("rbenv", "exec"): (_NONE, 0),
    ("pyenv", "exec"): (_NONE, 0),
    ("nodenv", "exec"): (_NONE, 0),
    ("asdf", "exec"): (_NONE, 0),
    ("mise", "exec"): (_set("-C --cd -j --jobs -E --env"), 0),
    ("mise", "x"): (_set("-C --cd -j --jobs -E --env"), 0),
    ("rtx", "exec"): (_set("-C --cd"), 0),
    ("volta", "run"): (_set("--node --npm --pnpm --yarn --env"), 0),
    ("fnm", "exec"): (_set("--using --fnm-dir"), 0),
    ("nvm", "exec"): (_NONE, 1),
    ("direnv", "exec"): (_NONE, 1),
    ("doppler", "run"): (_set("-p --project -c --config -t --token --scope --mount --fallback --name-transformer"), 0),
    ("op", "run"): (_set("--env-file --account"), 0),
    ("infisical", "run"): (_set("--env --path --projectId --token"), 0),
    ("dotenvx", "run"): (_set("-f --env-file -fk --env -e"), 0),
    ("varlock", "run"): (_NONE, 0),
    ("aws-vault", "exec"): (_set("-d --duration --region"), 1),
    ("chamber", "exec"): (_NONE, 1),
    ("heroku", "run"): (_set("-a --app -s --size -e --env"), 0),
    ("ddev", "exec"): (_set("-s --service -d --dir"), 0),
    ("lando", "ssh"): (_NONE, 0),
    ("devbox", "run"): (_set("-c --config -e --env --env-file"), 0),
    ("devenv", "shell"): (_NONE, 0),
    ("flox", "activate"): (_set("-d --dir -r --remote"), 0),
    ("multipass", "exec"): (_set("-d --working-directory"), 1),
    ("lxc", "exec"): (_set("--cwd --env --user --group --mode"), 1),
    ("npm", "exec"): (_set("-p --package -w --workspace --prefix"), 0),
    ("npm", "x"): (_set("-p --package -w --workspace --prefix"), 0),
    ("pnpm", "exec"): (_NONE, 0),
    ("pnpm", "dlx"): (_set("--package"), 0),
    ("yarn", "exec"): (_NONE, 0),
    ("yarn", "dlx"): (_set("-p --package"), 0),
    ("bun", "x"): (_set("-p --package"), 0),
    ("coverage", "run"): (_set("--rcfile --source --include --omit --data-file --context --concurrency"), 0),
    ("kubectl", "exec"): (_set("-n --namespace -c --container --context --kubeconfig -f --filename"), 1),
    ("oc", "exec"): (_set("-n --namespace -c --container --context"), 1),
    ("go", "tool"): (_NONE, 0),
    ("dotnet", "tool-run"): (_NONE, 0),
    ("composer", "exec"): (_NONE, 0),
    ("perf", "stat"): (_set("-e -r -o -p -C"), 0),
    ("perf", "record"): (_set("-e -o -p -F -g"), 0),
    ("rtk", "proxy"): (_NONE, 0),
    ("rtk", "err"): (_NONE, 0),
    ("rtk", "test"): (_NONE, 0),
    ("rtk", "summary"): (_NONE, 0),
    ("sail", "exec"): (_NONE, 1),
}

#: Options that stand before the subcommand and take a value; those that name a folder move the command there.
GLOBAL_VALUES = {
    "uv": _set("--directory --project --config-file --cache-dir --color"),
    "poetry": _set("-C --directory -P --project"),
    "pdm": _set("-p --project -c --config"),
    "hatch": _set("-e --env -p --project"),
    "kubectl": _set("-n --namespace --context --kubeconfig"),
    "oc": _set("-n --namespace --context"),
    "npm": _set("--prefix -C -w --workspace --userconfig --loglevel"),
    "pnpm": _set("-C --dir --filter -F --filter-prod --reporter --loglevel"),
    "yarn": _set("--cwd"),
    "bun": _set("--cwd -F --filter"),
    "mise": _set("-C --cd -E --env -P --profile"),
    "docker": _set("-H --host -c --context --config -l --log-level"),
    "docker-compose": _set("-f --file -p --project-name --env-file --profile --project-directory --ansi --progress"),
    "composer": _set("-d --working-dir"),
    "bundle": _set("--gemfile"),
    "go": _set("-C"),
    "pixi": _set("--manifest-path"),
    "devbox": _set("-c --config"),
    "doppler": _set("-p -c -t"),
}
FOLDER_OPTIONS = frozenset(
    {
        "--directory",
        "-C",
        "--dir",
        "--cwd",
        "--cd",
        "--prefix",
        "--working-dir",
        "--project-directory",
        "--chdir",
    }
)

CONTAINER_VALUES = _set(
    "-e --env --env-file -v --volume --mount -w --workdir -u --user -p --publish --name --network --net -h --hostname --entrypoint -m --memory "
    "--cpus -l --label --platform --add-host --gpus --ipc --pid --shm-size --tmpfs --ulimit --cap-add --cap-drop --security-opt --link --restart "
    "--log-driver --log-opt --detach-keys --device --dns --expose --pull --runtime --cidfile -a --attach --index --userns --group-add --health-cmd"
)
COMPOSE_VALUES = CONTAINER_VALUES
KUBECTL_VALUES = _set("-n --namespace -c --container --context --kubeconfig -f --filename --pod-running-timeout")
SSH_VALUES = _set("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B")
XARGS_VALUES = _set(
    "-I -n -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file --max-chars -J -R"
)

#: Wrappers whose option carries the command as one string: option -> what it is run by.
SCRIPT_OPTIONS: dict[str, frozenset[str]] = {
    "su": _set("-c --command --session-command"),
    "runuser": _set("-c --command"),
    "script": _set("-c --command"),
    "flock": _set("-c --command"),
    "nix-shell": _set("--run --command"),
    "npx": _set("-c --call"),
    "mise": _set("-c --command"),
    "doppler": _set("--command"),
    "infisical": _set("--command -c"),
    "flyctl": _set("-C --command"),
    "fly": _set("-C --command"),
    "vagrant": _set("-c --command"),
    "lando": _set("-c --command"),
    "nodemon": _set("-x --exec"),
    "watchmedo": _set("-c --command"),
    "guix": _set("--"),
    "nix": _NONE,
    "wsl": _NONE,
}
