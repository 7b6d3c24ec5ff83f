"""`ace-reflect install` and `uninstall`: our hooks into Claude Code's settings, and exactly ours out again."""

import difflib
import os
import sys
from collections.abc import Iterator
from typing import Any

import click

from ace_reflect import paths
from ace_reflect.cli import install_agents, install_questions
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.named import FOLDER
from ace_reflect.cli.terminal import tell
from ace_reflect.errors import ConfigError
from ace_reflect.install import host, registration
from ace_reflect.install.answers import as_flags, in_force, merged, write
from ace_reflect.install.settings_file import (
    SettingsFile,
    kept_if_same,
    read_settings,
    remove_copy,
    render,
    restore_if_same,
    write_settings,
)

SCOPES = click.Choice(["user", "project", "local"])


@click.command()
@click.option(
    "--scope",
    type=SCOPES,
    default="user",
    show_default=True,
    help="Whose settings: yours, the project's (shared), or this checkout's.",
)
@click.option("--project", type=FOLDER, default=".", help="The project, for the other two scopes.")
@click.option(
    "--models",
    default=None,
    help='Whom to ask, in order ("anthropic/claude-sonnet-5,claude-code/sonnet"); "none" stays offline.',
)
@click.option(
    "--workflow",
    type=click.Choice(["auto", "pull-request", "local"]),
    default=None,
    help="When a pull request belongs to being done.",
)
@click.option(
    "--review",
    type=click.Choice(["all", "untrusted", "none"]),
    default=None,
    help="Which new key points wait for you.",
)
@click.option(
    "--yes", "-y", is_flag=True, help="Ask nothing: what is not given keeps its default (offline)."
)
@click.option("--dry-run", is_flag=True, help="Show the change and make none.")
@as_json_option
def install(
    scope: str,
    project: str,
    models: str | None,
    workflow: str | None,
    review: str | None,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """
    Register the hooks in Claude Code's settings. May be run again, and upgrades.

    Nothing is sent anywhere until you name a model.

    \b
    Example:
      ace-reflect install
      ace-reflect install --yes --models claude-code/sonnet --workflow local
    """
    project = os.path.abspath(project)
    say = _Teller(quiet=as_json)
    _check_host(say, project)
    # All that can fail on what was asked for, before the first file is written.
    settings = read_settings(host.settings_path(scope, project, os.environ))
    answers = install_questions.given(models, workflow, review)
    if not (yes or as_json) and sys.stdin.isatty():
        answers = install_questions.ask(answers)
    changed = registration.with_ours(settings.data, _wanted(answers), settings.path)
    configuration = _with_answers(answers)
    agents = install_agents.plan(scope, project, as_flags(answers))
    say.diff(settings, changed)
    if not dry_run:
        _write_answers(*configuration, say)
        if changed != settings.data:
            # The copy to give back is the one from before the first of ours.
            write_settings(settings, changed, keep_copy=not registration.registered(settings.data))
        _name_other_registrations(settings.path, project, say)
    placed = install_agents.carry_out(agents, say, dry_run=dry_run)
    if plugin := host.plugin_enabled(os.environ):
        say(
            f"The plugin {plugin} is enabled too. Each event is answered once; `claude plugin uninstall {plugin}` leaves one way."
        )
    if as_json:
        _echo_done("install", settings, changed, dry_run=dry_run, answers=answers, agents=placed)
    elif not dry_run:
        where = "" if scope == "user" else f" --scope {scope}"
        say(
            f"Installed. Start a new Claude Code session; `ace-reflect doctor` proves that it works, `ace-reflect uninstall{where}` takes it out."
        )


@click.command()
@click.option(
    "--scope",
    type=SCOPES,
    default="user",
    show_default=True,
    help="Whose settings, as for install.",
)
@click.option(
    "--project", type=FOLDER, default=".", help="The project, for the scopes project and local."
)
@click.option(
    "--yes",
    "-y",
    is_flag=True,
    expose_value=False,
    help="For scripts; nothing is asked without it either.",
)
@click.option("--dry-run", is_flag=True, help="Show the change and make none.")
@as_json_option
def uninstall(scope: str, project: str, dry_run: bool, as_json: bool) -> None:
    """
    Take exactly our hooks out of Claude Code's settings. Playbooks and what was learned stay.

    \b
    Example:
      ace-reflect uninstall
    """
    project = os.path.abspath(project)
    say = _Teller(quiet=as_json)
    settings = read_settings(host.settings_path(scope, project, os.environ))
    changed = registration.without_ours(settings.data)
    say.diff(settings, changed, _text_without_ours(settings, changed))
    if not dry_run and changed != settings.data:
        _take_out(settings, changed)
    gone = install_agents.take_out(scope, project, say, dry_run=dry_run)
    if as_json:
        _echo_done("uninstall", settings, changed, dry_run=dry_run, agents=gone)
    else:
        _name_what_is_left(settings.path, project, say)
        if not dry_run and changed != settings.data:
            say(
                f"Taken out. What was learned stays in {paths.home(os.environ)} and in each project's .claude/playbook.json."
            )


class _Teller:
    """What people read, on stderr; silent under --json."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet

    def __call__(self, text: str) -> None:
        if not self.quiet:
            tell(text)

    def line(self, text: str) -> None:
        """One of a file's, as it stands there."""
        if not self.quiet:
            click.echo(text, err=True)

    def diff(
        self, settings: SettingsFile, changed: dict[str, Any], text: str | None = None
    ) -> None:
        """Print every line that changes; `text` is what will stand there, where that is not `changed` in the file's style."""
        if changed == settings.data:
            self(f"{settings.path}: nothing to change")
            return
        before = (settings.text or "").splitlines()
        after = (render(changed, settings.text) if text is None else text).splitlines()
        for line in difflib.unified_diff(
            before, after, settings.path, settings.path, n=1, lineterm=""
        ):
            self.line(line)


def _echo_done(
    schema: str, settings: SettingsFile, changed: dict[str, Any], *, dry_run: bool, **more: Any
) -> None:
    body = {"settings": settings.path, "changed": changed != settings.data, "dry_run": dry_run}
    echo_json(schema, {**body, **more})


def _wanted(answers: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The hooks' entries for the configuration in force with these answers."""
    own = in_force(answers, os.environ).settings
    return registration.entries(
        os.path.abspath(
            sys.executable
        ),  # not resolved: a virtual environment is told by the link's own place
        paths.data_dir("hooks"),
        assess=bool(own.models) or own.review_enabled,
        foreground=own.assess_mode == "foreground",
    )


def _check_host(say: _Teller, project: str) -> None:
    found = host.find_host(os.environ)
    if found.command is None:
        say(
            "No `claude` command was found. That hinders nothing: the hooks work as soon as Claude Code is there."
        )
    elif found.too_old:
        version = ".".join(map(str, found.version or ()))
        raise ConfigError(
            f"Claude Code {version} is too old; {'.'.join(map(str, host.OLDEST))} or newer is needed. Run `claude update`; nothing was changed"
        )
    for obstacle in host.obstacles(project, os.environ):
        say(f"Note: {obstacle}")


def _with_answers(answers: dict[str, Any]) -> tuple[str, str, str]:
    """The person's configuration: its path, its text, and its text with the answers."""
    path = paths.user_config(paths.home(os.environ))
    try:
        with open(path, encoding="utf-8-sig") as file:
            old = file.read()
    except FileNotFoundError:
        old = ""
    return path, old, merged(old, answers, path)


def _write_answers(path: str, old: str, new: str, say: _Teller) -> None:
    if new == old:
        return
    write(path, new)
    say(f"{path}:")
    for line in difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""):
        if line[:3] not in {"---", "+++"} and line[:2] != "@@":
            say.line(f"  {line}")


def _take_out(settings: SettingsFile, changed: dict[str, Any]) -> None:
    if restore_if_same(settings, changed):
        return
    if _is_only_ours(settings, changed):
        os.unlink(settings.path)
        return
    write_settings(settings, changed, keep_copy=False)
    remove_copy(settings)


def _is_only_ours(settings: SettingsFile, changed: dict[str, Any]) -> bool:
    """Whether the file is there only because of us."""
    return not changed and settings.text is not None and not os.path.exists(settings.copy_path)


def _text_without_ours(settings: SettingsFile, changed: dict[str, Any]) -> str | None:
    """What `_take_out` will leave, where that is not just `changed` in the file's style."""
    kept = kept_if_same(settings, changed)
    if kept is not None:
        return kept.decode("utf-8-sig")
    return "" if _is_only_ours(settings, changed) else None


def _name_other_registrations(registered_in: str, project: str, say: _Teller) -> None:
    """Say so where another settings file registers our hooks as well: each event is still answered once."""
    for scope, path in _others(registered_in, project):
        say(
            f"Note: the hooks are registered in {path} too. Each event is answered once; `ace-reflect uninstall --scope {scope}` leaves one."
        )


def _name_what_is_left(taken_out_of: str, project: str, say: _Teller) -> None:
    """Say so where our hooks go on working: in another settings file, or as the plugin."""
    for scope, path in _others(taken_out_of, project):
        say(
            f"Note: the hooks are still registered in {path}; `ace-reflect uninstall --scope {scope}` takes those out."
        )
    if plugin := host.plugin_enabled(os.environ):
        say(
            f"Note: the plugin {plugin} is still enabled; `claude plugin uninstall {plugin}` takes it out."
        )


def _others(known: str, project: str) -> Iterator[tuple[str, str]]:
    """(scope, path) of each other settings file that registers our hooks."""
    for scope, path, _ in registration.registered_files(project, os.environ):
        if not host.same_file(path, known):
            yield scope, path
