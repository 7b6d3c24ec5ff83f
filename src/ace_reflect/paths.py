"""Where things are. Imported by every hook: nothing heavy here."""

import os
import zlib
from collections.abc import Mapping
from contextlib import suppress

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def home(environ: Mapping[str, str]) -> str:
    """The folder of everything that is the user's: `$ACE_REFLECT_HOME`, else `${CLAUDE_CONFIG_DIR:-~/.claude}/ace-reflect`."""
    named = environ.get("ACE_REFLECT_HOME") or os.path.join(claude_dir(environ), "ace-reflect")
    return os.path.abspath(os.path.expanduser(named))


def claude_dir(environ: Mapping[str, str]) -> str:
    """Claude Code's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    usual = os.path.join(environ.get("HOME") or "~", ".claude")
    return os.path.abspath(os.path.expanduser(environ.get("CLAUDE_CONFIG_DIR") or usual))


def sessions_dir(environ: Mapping[str, str], project: str) -> str:
    """Where Claude Code keeps a project's transcripts, and what it remembers of the project."""
    name = "".join(one if one.isascii() and one.isalnum() else "-" for one in project)
    return os.path.join(claude_dir(environ), "projects", name)


def project_dir(environ: Mapping[str, str], cwd: str | None = None) -> str:
    """The project: `$CLAUDE_PROJECT_DIR`, else the payload's `cwd`, else the working directory."""
    return environ.get("CLAUDE_PROJECT_DIR") or cwd or os.getcwd()


def make_folder(path: str, mode: int = 0o700) -> None:
    """Make a folder and missing parents; others may not write to them, whatever the umask. Raises OSError."""
    if path and not os.path.isdir(path):
        make_folder(os.path.dirname(path), 0o755)
        with suppress(FileExistsError):  # another process was faster
            os.mkdir(path, mode)


def project_playbook(project: str, home_dir: str = "", storage: str = "project") -> str:
    """In the project, or by its path under `<home>` where `storage` is "home"."""
    if storage != "home":
        return os.path.join(project, ".claude", "playbook.json")
    name = "".join(letter if letter.isalnum() else "-" for letter in project)[-60:]
    number = zlib.crc32(os.fsencode(project))  # "a/b" is not "a-b"
    return os.path.join(home_dir, "projects", f"{name}-{number:08x}", "playbook.json")


def user_playbook(home_dir: str) -> str:
    return os.path.join(home_dir, "playbook.json")


def project_config(project: str) -> str:
    return os.path.join(project, ".claude", "reflection.yaml")


def user_config(home_dir: str) -> str:
    return os.path.join(home_dir, "reflection.yaml")


def artifacts_dir(project: str) -> str:
    """Where a project's verdicts and records of stops are, for other tools."""
    return os.path.join(project, ".reflection")


def leads_into(path: str, folder: str) -> bool:
    """Whether a path leads into a folder, through whatever links."""
    return os.path.realpath(path).startswith(os.path.realpath(folder).rstrip("/") + "/")


def own_programs(environ: Mapping[str, str]) -> str:
    """PATH without what the checkout that we are in could bring along, as its `node_modules/.bin`; one that holds HOME is own."""
    home = os.path.join(environ.get("HOME") or os.path.expanduser("~"), "")
    places = filter(os.path.isabs, environ.get("PATH", os.defpath).split(os.pathsep))
    top = folder = os.path.realpath(project_dir(environ))
    while not leads_into(os.path.join(home, "x"), folder):
        top = folder if os.path.lexists(os.path.join(folder, ".git")) else top
        folder = os.path.dirname(folder)
    own = leads_into(os.path.join(home, "x"), top)
    kept = [each for each in places if own or not leads_into(os.path.join(each, "x"), top)]
    return os.pathsep.join(kept)


def data_dir(kind: str) -> str:
    """The folder of shipped data (`prompts`, `hooks`, `evals` …): in the installed package, else in the checkout."""
    installed = os.path.join(_PACKAGE, "_data", kind)
    checkout = os.path.join(os.path.dirname(os.path.dirname(_PACKAGE)), kind)
    return installed if os.path.isdir(installed) else checkout


def load_template(name: str) -> str:
    """The text of a prompt by its file's name; FileNotFoundError for an unknown one, ValueError for a path (REQ-REFL-003)."""
    if os.path.basename(name) != name or name in {"", ".", ".."}:
        raise ValueError(f"a template is named by its file name alone, not {name!r}")
    with open(os.path.join(data_dir("prompts"), name), encoding="utf-8") as file:
        return file.read()
