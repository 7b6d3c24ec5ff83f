"""What the wrappers' options look like: which take a value of their own, and how many words stand before the command."""

from ace_reflect.evidence.call_words import word_set

_NONE = word_set("")

#: program -> (options that take the next word, words to pass over before the command)
PLAIN: dict[str, tuple[frozenset[str], int]] = {
    "timeout": (word_set("-s --signal -k --kill-after"), 1),
    "gtimeout": (word_set("-s --signal -k --kill-after"), 1),
    "nohup": (_NONE, 0),
    "nice": (word_set("-n --adjustment"), 0),
    "ionice": (word_set("-c -n -p --class --classdata"), 0),
    "chrt": (word_set("-p"), 1),
    "taskset": (_NONE, 1),
    "time": (word_set("-f -o --format --output"), 0),
    "gtime": (word_set("-f -o --format --output"), 0),
    "exec": (word_set("-a"), 0),
    "builtin": (_NONE, 0),
    "noglob": (_NONE, 0),
    "nocorrect": (_NONE, 0),
    "setsid": (_NONE, 0),
    "stdbuf": (word_set("-i -o -e"), 0),
    "gstdbuf": (word_set("-i -o -e"), 0),  # so coreutils' own are called on a Mac
    "gnice": (word_set("-n --adjustment"), 0),
    "gnohup": (_NONE, 0),
    "unbuffer": (_NONE, 0),
    "chronic": (_NONE, 0),
    "ts": (_NONE, 0),
    "caffeinate": (word_set("-t -w"), 0),
    "arch": (word_set("-arch -d -e"), 0),
    "taskpolicy": (word_set("-c -d -g -l -m -p -t"), 0),
    "sandbox-exec": (word_set("-D -f -n -p"), 0),
    "sudo": (word_set("-u -g -h -p -C -r -t -U -D -T --user --group --chdir"), 0),
    "doas": (word_set("-u -C"), 0),
    "gosu": (_NONE, 1),
    "su-exec": (_NONE, 1),
    "tini": (_NONE, 0),
    "dumb-init": (_NONE, 0),
    "fakeroot": (word_set("-l -s -i -u"), 0),
    "faketime": (word_set("-f"), 1),
    "chroot": (word_set("--userspec --groups"), 1),
    "unshare": (word_set("-R -w"), 0),
    "firejail": (_NONE, 0),
    "bwrap": (word_set("--bind --ro-bind --dev --proc --tmpfs --chdir"), 0),
    "systemd-run": (word_set("-p --property -u --unit -E --setenv --slice"), 0),
    "strace": (word_set("-e -o -p -s -P -E -u -O -S -a -b"), 0),
    "ltrace": (word_set("-e -o -p -s -u -n -a"), 0),
    "valgrind": (_NONE, 0),
    "catchsegv": (_NONE, 0),
    "retry": (word_set("-t -d -n -m -s --tries --delay --times --max-attempts"), 0),
    "xcrun": (word_set("-sdk --sdk -toolchain --toolchain"), 0),
    "xvfb-run": (word_set("-e -f -n -p -s -w --error-file --server-num --server-args --wait"), 0),
    "dbus-run-session": (word_set("--config-file"), 0),
    "cross-env": (_NONE, 0),
    "cross-env-shell": (_NONE, 0),
    "env-cmd": (word_set("-f -e --file --environments"), 0),
    "dotenv": (word_set("-e -f -v -c -p --file"), 0),
    "nyc": (word_set("--reporter -r --temp-dir --include -n --exclude -x --cwd"), 0),
    "c8": (word_set("--reporter -r --temp-directory --include -n --exclude -x --src -o"), 0),
    "kcov": (_NONE, 1),
    "uvx": (word_set("--from --with --python -p --index --index-url --with-requirements --with-editable -c"), 0),
    "npx": (word_set("-p --package -w --workspace --prefix --cache --userconfig"), 0),
    "pnpx": (word_set("-p --package"), 0),
    "bunx": (word_set("-p --package"), 0),
    "lima": (_NONE, 0),
    "mpirun": (word_set("-np -n -N -H -x --np --host --hostfile --map-by --bind-to"), 0),
    "mpiexec": (word_set("-np -n -N -H -x --np --host --hostfile --map-by --bind-to"), 0),
    "srun": (word_set("-n -N -c -p -t -A -J -G --ntasks --nodes --partition --time --account"), 0),
    "wsl": (word_set("-d --distribution -u --user --cd --shell-type"), 0),
}

#: (program, subcommand) -> (options that take the next word, words to pass over before the command)
SUB: dict[tuple[str, str], tuple[frozenset[str], int]] = {
    ("uv", "run"): (
        word_set(
            "--with --with-requirements --with-editable --python -p --extra --group --only-group --no-group --no-extra --env-file --directory --project "
            "--package --index --index-url --extra-index-url -i --default-index --find-links -f --refresh-package -P --upgrade-package --color --config-file --cache-dir"
        ),
        0,
    ),
    ("poetry", "run"): (_NONE, 0),
    ("pdm", "run"): (word_set("-p --project -e --env-file --venv -v"), 0),
    ("pipenv", "run"): (_NONE, 0),
    ("rye", "run"): (word_set("--pyproject"), 0),
    ("pixi", "run"): (word_set("-e --environment --manifest-path --color"), 0),
    ("pipx", "run"): (word_set("--spec --python --pip-args --index-url"), 0),
    ("conda", "run"): (word_set("-n --name -p --prefix --cwd"), 0),
    ("mamba", "run"): (word_set("-n --name -p --prefix --cwd"), 0),
    ("micromamba", "run"): (word_set("-n --name -p --prefix --cwd"), 0),
    ("bundle", "exec"): (word_set("--gemfile"), 0),
    ("rbenv", "exec"): (_NONE, 0),
    ("opam", "exec"): (word_set("--switch --root"), 0),
    ("pyenv", "exec"): (_NONE, 0),
    ("nodenv", "exec"): (_NONE, 0),
    ("asdf", "exec"): (_NONE, 0),
    ("mise", "exec"): (word_set("-C --cd -j --jobs -E --env"), 0),
    ("mise", "x"): (word_set("-C --cd -j --jobs -E --env"), 0),
    ("rtx", "exec"): (word_set("-C --cd"), 0),
    ("volta", "run"): (word_set("--node --npm --pnpm --yarn --env"), 0),
    ("fnm", "exec"): (word_set("--using --fnm-dir"), 0),
    ("nvm", "exec"): (_NONE, 1),
    ("direnv", "exec"): (_NONE, 1),
    ("doppler", "run"): (
        word_set("-p --project -c --config -t --token --scope --mount --fallback --name-transformer"),
        0,
    ),
    ("op", "run"): (word_set("--env-file --account"), 0),
    ("infisical", "run"): (word_set("--env --path --projectId --token"), 0),
    ("dotenvx", "run"): (word_set("-f --env-file -fk --env -e"), 0),
    ("varlock", "run"): (_NONE, 0),
    ("aws-vault", "exec"): (word_set("-d --duration --region"), 1),
    ("chamber", "exec"): (_NONE, 1),
    ("heroku", "run"): (word_set("-a --app -s --size -e --env"), 0),
    ("ddev", "exec"): (word_set("-s --service -d --dir"), 0),
    ("lando", "ssh"): (_NONE, 0),
    ("devbox", "run"): (word_set("-c --config -e --env --env-file"), 0),
    ("devenv", "shell"): (_NONE, 0),
    ("flox", "activate"): (word_set("-d --dir -r --remote"), 0),
    ("multipass", "exec"): (word_set("-d --working-directory"), 1),
    ("lxc", "exec"): (word_set("--cwd --env --user --group --mode"), 1),
    ("npm", "exec"): (word_set("-p --package -w --workspace --prefix"), 0),
    ("npm", "x"): (word_set("-p --package -w --workspace --prefix"), 0),
    ("pnpm", "exec"): (_NONE, 0),
    ("pnpm", "dlx"): (word_set("--package"), 0),
    ("yarn", "exec"): (_NONE, 0),
    ("yarn", "dlx"): (word_set("-p --package"), 0),
    ("bun", "x"): (word_set("-p --package"), 0),
    ("coverage", "run"): (word_set("--rcfile --source --include --omit --data-file --context --concurrency"), 0),
    ("kubectl", "exec"): (word_set("-n --namespace -c --container --context --kubeconfig -f --filename"), 1),
    ("oc", "exec"): (word_set("-n --namespace -c --container --context"), 1),
    ("go", "tool"): (_NONE, 0),
    ("composer", "exec"): (_NONE, 0),
    ("perf", "stat"): (word_set("-e -r -o -p -C"), 0),
    ("perf", "record"): (word_set("-e -o -p -F -g"), 0),
    ("sail", "exec"): (_NONE, 1),
    ("devcontainer", "exec"): (
        word_set("--workspace-folder --container-id --config --override-config --id-label --remote-env --docker-path"),
        0,
    ),
    ("distrobox", "enter"): (word_set("-n --name -a --additional-flags"), 1),
    ("toolbox", "run"): (word_set("-c --container -d --distro -r --release"), 0),
    ("apptainer", "exec"): (word_set("-B --bind --pwd -H --home --env"), 1),
    ("singularity", "exec"): (word_set("-B --bind --pwd -H --home --env"), 1),
    ("limactl", "shell"): (word_set("--workdir --shell"), 1),
    ("colima", "ssh"): (word_set("-p --profile"), 0),
    ("vagrant", "ssh"): (word_set("-c --command"), 0),
    ("gcloud", "compute"): (word_set("--command"), 2),
    ("fly", "ssh"): (word_set("-C --command"), 1),
    ("flyctl", "ssh"): (word_set("-C --command"), 1),
    ("wp-env", "run"): (word_set("--env-cwd"), 1),
    ("heroku", "local:run"): (word_set("-e --env -p --port"), 0),
    ("foreman", "run"): (word_set("-e --env -f --procfile"), 0),
    ("honcho", "run"): (word_set("-e --env -f --procfile"), 0),
    ("dotenv", "run"): (_NONE, 0),
    ("sops", "exec-env"): (_NONE, 1),
    ("firebase", "emulators:exec"): (word_set("--only --project -P --import --export-on-exit --config"), 0),
    ("lerna", "exec"): (word_set("--scope --ignore --concurrency --since"), 0),
    ("melos", "exec"): (word_set("-c --concurrency --scope --ignore"), 0),
}

#: Launchers of a few programs by their own names: `corepack pnpm test`, `fvm flutter test`; what else they do is theirs.
NAMED = {
    "corepack": word_set("npm npx pnpm pnpx yarn yarnpkg"),
    "fvm": word_set("flutter dart"),
    "puro": word_set("flutter dart"),
    "symfony": word_set("php composer"),
    "herd": word_set("php composer"),
    "lando": word_set("npm npx pnpm yarn composer php phpunit artisan node python pytest"),
    "ddev": word_set("npm npx pnpm yarn composer php phpunit artisan node"),
}
#: What is handed to a shell as one word behind the options.
SCRIPT_WORDS = word_set("sops firebase")

#: Options that stand before the subcommand and take a value; those that name a folder move the command there.
GLOBAL_VALUES = {
    "uv": word_set("--directory --project --config-file --cache-dir --color"),
    "poetry": word_set("-C --directory -P --project"),
    "pdm": word_set("-p --project -c --config"),
    "hatch": word_set("-e --env -p --project"),
    "kubectl": word_set("-n --namespace --context --kubeconfig"),
    "oc": word_set("-n --namespace --context"),
    "npm": word_set("--prefix -C -w --workspace --userconfig --loglevel"),
    "pnpm": word_set("-C --dir --filter -F --filter-prod --reporter --loglevel"),
    "yarn": word_set("--cwd"),
    "bun": word_set("--cwd -F --filter"),
    "mise": word_set("-C --cd -E --env -P --profile"),
    "docker": word_set("-H --host -c --context --config -l --log-level"),
    "docker-compose": word_set(
        "-f --file -p --project-name --env-file --profile --project-directory --ansi --progress"
    ),
    "composer": word_set("-d --working-dir"),
    "bundle": word_set("--gemfile"),
    "go": word_set("-C"),
    "pixi": word_set("--manifest-path"),
    "devbox": word_set("-c --config"),
    "doppler": word_set("-p -c -t"),
    "dotenv": word_set("-f --file -q --quote"),
    "firebase": word_set("--project -P --config"),
}
FOLDER_OPTIONS = word_set("--directory -C --dir --cwd --cd --prefix --working-dir --project-directory --chdir")

CONTAINER_VALUES = word_set(
    "-e --env --env-file -v --volume --mount -w --workdir -u --user -p --publish --name --network --net -h --hostname --entrypoint -m --memory "
    "--cpus -l --label --platform --add-host --gpus --ipc --pid --shm-size --tmpfs --ulimit --cap-add --cap-drop --security-opt --link --restart "
    "--log-driver --log-opt --detach-keys --device --dns --expose --pull --runtime --cidfile -a --attach --index --userns --group-add --health-cmd"
)
SSH_VALUES = word_set("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w -B")
XARGS_VALUES = word_set(
    "-I -n -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file --max-chars -J -R"
)

#: Those with a reader of their own in `wrapper_readers`, which is imported where one of them is met.
SPECIAL = word_set(
    "bash sh zsh dash ksh ash fish bash.exe watch entr watchexec reflex viddy hwatch npx pnpx bunx concurrently conc start-server-and-test start-test "
    "server-test docker podman nerdctl docker-compose podman-compose powershell pwsh su runuser script flock nix-shell env genv command eval xargs gxargs find "
    "ssh parallel hyperfine nix wsl cmd tmux trap rtk perl"
)
#: Wrappers whose option carries the command as one string: option -> what it is run by.
SCRIPT_OPTIONS: dict[str, frozenset[str]] = {
    "su": word_set("-c --command --session-command"),
    "runuser": word_set("-c --command"),
    "script": word_set("-c --command"),
    "flock": word_set("-c --command"),
    "nix-shell": word_set("--run --command"),
    "mise": word_set("-c --command"),
    "doppler": word_set("--command"),
    "infisical": word_set("--command -c"),
    "vagrant": word_set("-c --command"),
    "lando": word_set("-c --command"),
    "gcloud": word_set("--command"),
    "fly": word_set("-C --command"),
    "flyctl": word_set("-C --command"),
}
