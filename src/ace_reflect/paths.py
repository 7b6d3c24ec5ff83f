"""Where things are. Imported by every hook: nothing but `os` here."""

import os
from collections.abc import Mapping

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def home(environ: Mapping[str, str]) -> str:
    """The folder of everything the user's own: `$ACE_REFLECT_HOME`, else `${CLAUDE_CONFIG_DIR:-~/.claude}/ace-reflect`."""
    named = environ.get("ACE_REFLECT_HOME")
    return _absolute(named) if named else os.path.join(claude_dir(environ), "ace-reflect")


def claude_dir(environ: Mapping[str, str]) -> str:
    """Claude Code's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    named = environ.get("CLAUDE_CONFIG_DIR")
    if named:
        return _absolute(named)
    return os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".claude")


def _absolute(path: str) -> str:
    return os.path.abspath(os.path.expanduser(path))


def project_dir(environ: Mapping[str, str], cwd: str | None = None) -> str:
    """The project: `$CLAUDE_PROJECT_DIR`, else the payload's `cwd`, else the working directory."""
    return environ.get("CLAUDE_PROJECT_DIR") or cwd or os.getcwd()


def make_folder(path: str, mode: int = 0o700) -> None:
    """Make a folder and those above it that are missing; others may write to none, whatever the umask. Raises OSError."""
    if os.path.isdir(path):
        return
    parent = os.path.dirname(path)
    if parent and parent != path:
        make_folder(parent, 0o755)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def project_playbook(project: str) -> str:
    return os.path.join(project, ".claude", "playbook.json")


def user_playbook(home_dir: str) -> str:
    return os.path.join(home_dir, "playbook.json")


def project_config(project: str) -> str:
    return os.path.join(project, ".claude", "reflection.yaml")


def user_config(home_dir: str) -> str:
    return os.path.join(home_dir, "reflection.yaml")


def artifacts_dir(project: str) -> str:
    """Where a project's verdicts and records of stops stand, for other tools."""
    return os.path.join(project, ".reflection")


def state_db(home_dir: str) -> str:
    return os.path.join(home_dir, "state.db")


def log_file(home_dir: str) -> str:
    return os.path.join(home_dir, "log.jsonl")


def leads_into(path: str, folder: str) -> bool:
    """Whether a path ends below a folder, whatever links are on the way."""
    return os.path.realpath(path).startswith(os.path.realpath(folder).rstrip("/") + "/")


def data_dir(kind: str) -> str:
    """The folder of shipped data (`prompts`, `hooks`, `evals` …): in the installed package, else in the checkout."""
    installed = os.path.join(_PACKAGE, "_data", kind)
    checkout = os.path.join(os.path.dirname(os.path.dirname(_PACKAGE)), kind)
    return installed if os.path.isdir(installed) else checkout


def load_template(name: str) -> str:
    """
    The text of a prompt, by file name (`"reflector.txt"`).

    Raises FileNotFoundError for an unknown name, and ValueError for one with path parts.
    Source: REQ-REFL-003.
    """
    if os.path.basename(name) != name or name in {"", ".", ".."}:
        raise ValueError(f"a template is named by its file name alone, not {name!r}")
    with open(os.path.join(data_dir("prompts"), name), encoding="utf-8") as file:
        return file.read()
