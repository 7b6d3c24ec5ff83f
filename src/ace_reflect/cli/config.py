"""`ace-reflect config show` and `ace-reflect trust`."""

import os
import sys
from functools import partial

import click

from ace_reflect import config as configuration
from ace_reflect import config_form, config_yaml, paths
from ace_reflect.cli.as_json import as_json_option, echo_json
from ace_reflect.cli.groups import Group
from ace_reflect.cli.named import project_option
from ace_reflect.cli.playbook_page import table
from ace_reflect.cli.terminal import short_path, wrapped
from ace_reflect.errors import ConfigError
from ace_reflect.llm.keys import without_login
from ace_reflect.playbook.neutral import neutralise
from ace_reflect.settings import config_files
from ace_reflect.state import trust as trusts
from ace_reflect.state.db import open_state


def load_config(
    project: str | None = None, flags: dict[str, object] | None = None
) -> configuration.Config:
    """The configuration for a command: the project is `--project`, else Claude Code's, else the working directory."""
    home = paths.home(os.environ)
    with open_state(home) as state:
        return configuration.load(
            project or paths.project_dir(os.environ),
            home,
            os.environ,
            flags=flags,
            trusted=partial(trusts.trusted_hash, state),
        )


@click.group(cls=Group, invoke_without_command=True)
@project_option
@as_json_option
@click.pass_context
def config(context: click.Context, project: str | None, as_json: bool) -> None:
    """
    Each setting with its source; without a word the same as `show`. The files it names are changed with an editor.

    \b
    Example:
      ace-reflect config show
    """
    if context.invoked_subcommand is None:
        _show(project, as_json=as_json)


@config.command()
@project_option
@as_json_option
def show(project: str | None, as_json: bool) -> None:
    """
    Every setting in force, and where it comes from.

    \b
    Example:
      ace-reflect config show --project ~/src/app
    """
    _show(project, as_json=as_json)


def _show(project: str | None, *, as_json: bool) -> None:
    found = load_config(project)
    rows = [(key, _value(found.file, key), found.sources[key]) for key in config_form.known_keys()]
    if as_json:
        values = {key: {"value": value, "source": source} for key, value, source in rows}
        body = {
            "files": {"user": found.user_file, "project": found.project_file},
            "settings": values,
            "warnings": found.warnings,
            "untrusted": found.untrusted,
        }
        echo_json("config", body)
        return
    table(
        ("setting", "left"),
        ("value", "text"),
        ("source", "left"),
        rows=[(key, _shown(value), _short_source(source)) for key, value, source in rows],
    )
    click.echo()
    for name, path in (("user", found.user_file), ("project", found.project_file)):
        there = "" if os.path.exists(path) else " (not there yet)"
        click.echo(f"{name:8} {neutralise(short_path(path))}{there}")
    for warning in found.warnings:
        click.echo(wrapped(neutralise(warning), "note: ", "  "), err=True)


def _short_source(source: str) -> str:
    """`user:4` for a line of a file; the files are named below the table."""
    kind, colon, place = source.partition(": ")
    return f"{kind}:{place.rpartition(':')[2]}" if colon else source


@click.command()
@project_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Take the trust back.")
@as_json_option
def trust(project: str | None, yes: bool, revoke: bool, as_json: bool) -> None:
    """
    Let this project's reflection.yaml choose models, endpoints and commands too.

    The file is shown first, and its hash remembered: a changed file has to be trusted again.

    \b
    Example:
      ace-reflect trust
    """
    home = paths.home(os.environ)
    path, _ = config_files(os.path.abspath(project or paths.project_dir(os.environ)), home)
    with open_state(home) as state:
        if revoke:
            digest = None
            told = (
                "No longer trusted" if trusts.revoke(state, path) else "Was not trusted, and is not"
            )
        else:
            digest, told = _approved(path, home, yes=yes), "Trusted"
            trusts.trust(state, path, digest)
    if as_json:
        echo_json("trust", {"path": path, "trusted": not revoke, "sha256": digest})
    else:
        click.echo(f"{told}: {path}", err=True)


def _approved(path: str, home: str, *, yes: bool) -> str:
    """The hash of the project's file as the person saw and approved it. Raises ConfigError."""
    digest = config_yaml.content_hash(path)
    if digest is None:
        there = os.path.lexists(path)
        why = (
            "cannot be read; mend its permissions or remove it"
            if there
            else "there is no such file to trust"
        )
        raise ConfigError(f"{path}: {why}")
    configuration.load(os.path.dirname(os.path.dirname(path)), home, {}, trusted=lambda _: digest)
    _show_and_ask(path, yes=yes)
    if config_yaml.content_hash(path) != digest:
        raise ConfigError(f"{path}: changed while it was shown; run `ace-reflect trust` again")
    return digest


def _show_and_ask(path: str, *, yes: bool) -> None:
    raw = config_yaml.read_file(path) or b""
    for number, line in enumerate(raw.decode("utf-8", "replace").rstrip("\n").split("\n"), 1):
        shown = "".join(ch if ch.isprintable() else "�" for ch in line)
        click.echo(f"{number:4}  {shown}", err=True)
    if yes:
        return
    if not sys.stdin.isatty():
        raise ConfigError(
            "there is no terminal to ask on: look at the file above, then `ace-reflect trust --yes`"
        )
    if not click.confirm("\nTrust this file, as it stands?", err=True):
        raise ConfigError(f"{path}: your answer was no; nothing was changed")


def _value(file: config_form.File, key: str) -> object:
    value: object = file
    for part in key.split("."):
        value = getattr(value, part)
    if isinstance(value, dict):
        return {
            name: _endpoint(item) if isinstance(item, config_form.Endpoint) else item
            for name, item in value.items()
        }
    return value


def _endpoint(endpoint: config_form.Endpoint) -> dict[str, str | None]:
    """What is shown may be pasted into a report: without the password that an address may hold."""
    return {**endpoint.model_dump(), "base_url": without_login(endpoint.base_url)}


def _shown(value: object) -> str:
    """A value as it is written in the file."""
    if value in ((), {}, None, ""):
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        import yaml

        return neutralise(
            yaml.safe_dump(_without_none(value), default_flow_style=True, width=10_000).strip()
        )
    return neutralise(", ".join(map(str, value)) if isinstance(value, tuple) else str(value))


def _without_none(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_none(inner) for name, inner in value.items() if inner is not None}
    return list(value) if isinstance(value, tuple) else value
