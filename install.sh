#!/usr/bin/env bash
# ace-reflect: set up, try, test.
#
#   ./install.sh demo            two bundled sessions, offline: a stop that is blocked, and what is learned
#   ./install.sh test [--e2e] [--long] [pytest arguments]
#   ./install.sh [install flags] install for you, and register the hooks in Claude Code (asks first)
#   ./install.sh uninstall       take the hooks out of Claude Code and remove the installed program
#
# demo and test touch nothing outside this checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$PWD
persons_path=$PATH
# Where Homebrew, python.org and uv put programs: what was started from a Mac's Dock knows none of them.
PATH=$PATH:/opt/homebrew/bin:/usr/local/bin:${HOME:-}/.local/bin

say() { printf '%s\n' "$*" >&2; }
die() { say "install.sh: $*"; exit 1; }

# The Python that shims and environments lead to. Links above it stay: Homebrew's lead into a folder that the next upgrade
# of Python removes.
python_behind() {
    "$1" -c 'import os, sys
own = os.path.join(sys.base_prefix, "bin", "python%d.%d" % sys.version_info[:2])
print(own if os.access(own, os.X_OK) else os.path.realpath(sys.executable))' 2>/dev/null
}

# The first Python >= 3.11 that really starts: version managers leave shims that do not. macOS' own is older, and where it
# was never used asks in a window to be installed.
find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python "$(managed_python)"; do
        [ -n "$candidate" ] || continue
        case $(uname):$(command -v "$candidate") in Darwin:/usr/bin/*) continue ;; esac
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python_behind "$candidate"
            return
        fi
    done
    die "needs Python 3.11 or newer, and found none. Install one (e.g. apt install python3 python3-venv, brew install python) or set PYTHON=/path/to/python3."
}

# A Python that uv installed, which may be on no PATH.
managed_python() { uv python find --no-project --managed-python '>=3.11' 2>/dev/null || true; }

# All that goes into a copy of the program, as one number.
sources() { find pyproject.toml src hooks playbook prompts commands evals -type f ! -path '*/__pycache__/*' -exec cksum {} + | LC_ALL=C sort | cksum; }

# make_environment DIR WHAT CONTENT [pip arguments]: DIR holds WHAT afterwards. Done once for each CONTENT, a checksum of
# what it is made of; one that holds "WHAT and more" will do. While it is made its stamp is called `.ace-reflect-unfinished`:
# where that is found the making was killed, whatever is there may be half of two versions, and it is made anew.
make_environment() {
    local dir=$1 what=$2 content=$3 python stamp
    shift 3
    python=$(find_python)
    stamp="$content $python $root: $what"
    if [[ "$(cat "$dir/.ace-reflect-stamp" 2>/dev/null)" == "$stamp"* ]] && "$dir/bin/python" -c 'import ace_reflect' 2>/dev/null; then
        return
    fi
    say "Setting up $what in ${dir#"$root"/} (its packages are fetched, which takes up to a minute) …"
    if [ -e "$dir/.ace-reflect-unfinished" ]; then
        rm -rf "$dir"
    elif [ -e "$dir/pyvenv.cfg" ] && [ "$(python_behind "$dir/bin/python")" != "$python" ]; then
        rm -rf "$dir" # of another Python, which may be gone: `venv` would leave its links
    fi
    mkdir -p "$dir"
    if [ -e "$dir/.ace-reflect-stamp" ]; then
        mv "$dir/.ace-reflect-stamp" "$dir/.ace-reflect-unfinished"
    else
        : >"$dir/.ace-reflect-unfinished"
    fi
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --allow-existing --python "$python" "$dir" || not_made "$dir" "uv could not make an environment in $dir"
        uv pip install --quiet --reinstall-package ace-reflect --python "$dir/bin/python" "$@" || not_made "$dir" "the packages could not be installed (see above); is a package index reachable?"
    else
        "$python" -m venv "$dir" || not_made "$dir" "python -m venv failed; on Debian and Ubuntu: apt install python3-venv"
        # Dependency groups need a pip of 2025 or newer.
        "$dir/bin/python" -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1' || not_made "$dir" "pip could not be brought up to date; is a package index reachable?"
        "$dir/bin/python" -m pip install --quiet --disable-pip-version-check "$@" || not_made "$dir" "the packages could not be installed (see above); is a package index reachable?"
    fi
    printf '%s' "$stamp" >"$dir/.ace-reflect-stamp"
    rm -f "$dir/.ace-reflect-unfinished"
}

# The installer said no, and left what was there before.
not_made() {
    mv "$1/.ace-reflect-unfinished" "$1/.ace-reflect-stamp"
    die "$2"
}

demo() {
    make_environment .venv "the program" "$(cksum pyproject.toml)" -e .
    local work
    work=.cache/demo
    rm -rf "$work" && mkdir -p "$work/home"
    cp examples/playbook.json "$work/playbook.json"
    say ""
    say "1. Claude stops without having run the tests, and later with proof. What would be said at each stop:"
    say "\$ ace-reflect check --every-stop --project examples/slugs examples/block.jsonl"
    ACE_REFLECT_HOME="$root/$work/home" .venv/bin/ace-reflect check --every-stop --project examples/slugs examples/block.jsonl || true
    say ""
    say "2. What is learned from another session, by rule:"
    say "\$ ace-reflect run examples/session.jsonl --offline --playbook $work/playbook.json"
    ACE_REFLECT_HOME="$root/$work/home" .venv/bin/ace-reflect run examples/session.jsonl --offline --playbook "$work/playbook.json"
    say ""
    say "The changed playbook is $work/playbook.json. Look around:"
    say "  .venv/bin/ace-reflect check examples/session.jsonl     was it done? with the evidence"
    say "  .venv/bin/ace-reflect --help"
}

run_tests() {
    make_environment .venv "the program and its test tools" "$(cksum pyproject.toml)" -e . --group dev
    local lint=yes argument
    for argument in "$@"; do
        case $argument in tests/* | -k) lint=no ;; esac
    done
    if [ "$lint" = yes ]; then
        .venv/bin/ruff check --quiet .
        .venv/bin/ruff format --quiet --check .
        .venv/bin/mypy
    fi
    # Where no bytecode may be written each worker would compile every test anew.
    unset PYTHONDONTWRITEBYTECODE
    # One more than the two cores of the smallest machine: many tests wait for a process, a lock or a deadline.
    exec .venv/bin/python -m pytest -q -n 3 --dist worksteal "$@"
}

install_for_user() {
    local prefix=${ACE_REFLECT_PREFIX:-${XDG_DATA_HOME:-$HOME/.local/share}/ace-reflect}
    local bin=${ACE_REFLECT_BIN:-$HOME/.local/bin}
    mkdir -p "$prefix" "$bin"
    export UV_COMPILE_BYTECODE=1 # as pip does: else the first call of a model would compile its SDK
    make_environment "$prefix/venv" "ace-reflect" "$(sources)" --upgrade .
    ln -sfn "$prefix/venv/bin/ace-reflect" "$bin/ace-reflect"
    say "Installed $("$bin/ace-reflect" --version) as $bin/ace-reflect"
    case ":$persons_path:" in *":$bin:"*) ;; *) say "Note: $bin is not on your PATH; add it, or call the program by its full path." ;; esac
    exec "$bin/ace-reflect" install "$@"
}

uninstall_for_user() {
    local prefix=${ACE_REFLECT_PREFIX:-${XDG_DATA_HOME:-$HOME/.local/share}/ace-reflect}
    local bin=${ACE_REFLECT_BIN:-$HOME/.local/bin}
    if [ -x "$prefix/venv/bin/ace-reflect" ] || [ $# -gt 0 ]; then
        # One whose Python is gone could not take its hooks out; and `--purge` may come to mind only afterwards.
        "$prefix/venv/bin/ace-reflect" --version >/dev/null 2>&1 || make_environment "$prefix/venv" "ace-reflect" "$(sources)" --upgrade .
        "$prefix/venv/bin/ace-reflect" uninstall "$@"
    fi
    [ "$(readlink "$bin/ace-reflect" 2>/dev/null)" != "$prefix/venv/bin/ace-reflect" ] || rm -f "$bin/ace-reflect"
    rm -rf "$prefix/venv"
    rmdir "$prefix" 2>/dev/null || true
    say "Removed the program."
}

# The plugin's environment: the packages that ace-reflect needs, and itself straight from this folder.
plugin_environment() {
    export UV_COMPILE_BYTECODE=1
    make_environment "$1" "ace-reflect's environment" "$(cksum pyproject.toml)" -e .
}

case ${1:-} in
    environment) plugin_environment "$2" ;;
    demo) shift; demo "$@" ;;
    test) shift; run_tests "$@" ;;
    uninstall) shift; uninstall_for_user "$@" ;;
    -h | --help | help) sed -n '2,9s/^# \{0,1\}//p' "$0" ;;
    install) shift; install_for_user "$@" ;;
    "" | -*) install_for_user "$@" ;;
    *) die "unknown word '$1'; ./install.sh --help lists what there is" ;;
esac
