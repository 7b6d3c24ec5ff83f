"""`ace-reflect config show` and `ace-reflect trust`."""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from ace_reflect import config as configuration
from ace_reflect import paths
from ace_reflect.cli.options import Group, project_of, project_option
from ace_reflect.cli.output import Json, Report, note, reporting, short_path, table
from ace_reflect.errors import ConfigError
from ace_reflect.llm.port import without_login
from ace_reflect.state import cache
from ace_reflect.state.db import open_for_command


def load_config(
    project: str | None = None, flags: Mapping[str, Any] | None = None
) -> configuration.Config:
    """The configuration that a command works with, as far as it can be used: `fault` says what cannot, `sound` raises that."""
    with open_for_command() as state:
        return cache.configuration(state, project_of(project), os.environ, flags)


@click.group(cls=Group, default="show")
def config() -> None:
    """Each setting and its source; without a subcommand the same as `show`. Change the files with an editor."""


@config.command()
@project_option
@reporting
def show(project: str | None) -> Report:
    """Every setting in force, and where it comes from. Exits with 2 if a file has an error."""
    found = load_config(project)
    for text in (*found.fault.splitlines(), *found.warnings):
        note(text)
    keys, sources = configuration.KEYS, found.sources
    values = {key: {"value": found.value(key), "source": sources[key]} for key in keys}
    # Without the password that an address may hold: people paste this into reports.
    values["endpoints"]["value"] = {
        name: {**item.model_dump(exclude_none=True), "base_url": without_login(item.base_url)}
        for name, item in found.endpoints.items()
    }
    own = paths.user_config(paths.home(os.environ))
    body: Json = {
        "files": {"user": own, "project": paths.project_config(project_of(project))},
        "settings": values,
        "warnings": found.warnings,
        "untrusted": found.untrusted,
    }
    if found.fault:
        body["error"] = found.fault
    return Report("config", body, _page, code=2 if found.fault else 0)


def _page(body: Json) -> str:
    """Each value as it may be written in a file."""
    rows = []
    for key, setting in body["settings"].items():
        kind, colon, place = setting["source"].partition(": ")
        source = f"{kind}:{place.rpartition(':')[2]}" if colon else kind  # `user:4`
        value = setting["value"]
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        rows.append((key, source, "-" if value in ("", [], {}, None) else shown))
    lines = [table(("setting", "source", "value"), rows), ""]
    for name, path in body["files"].items():
        gone = "" if os.path.exists(path) else " (not there yet)"
        lines.append(f"{name:8} {short_path(path)}{gone}")
    return "\n".join(lines)


@click.command()
@project_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Stop trusting it.")
@reporting
def trust(project: str | None, yes: bool, revoke: bool) -> Report:
    """Let this project's reflection.yaml choose models, endpoints and commands as well.

    The file is shown first and its hash remembered: after a change it has to be trusted again.
    """
    path = paths.project_config(project_of(project))
    digest = None if revoke else _approved(path, yes=yes)
    with open_for_command() as state:
        if digest:
            cache.put(state, cache.TRUST, path, digest, b"")
        else:
            state.run("DELETE FROM cache WHERE kind = ? AND key = ?", (cache.TRUST, path))
    body = {"path": path, "trusted": not revoke, "sha256": digest}
    told = "No longer trusted" if revoke else "Trusted"
    return Report("trust", body, f"{told}: {short_path(path)}")


def _approved(path: str, *, yes: bool) -> str:
    """The hash of the project's file as the person saw and approved it. Raises ConfigError."""
    folder = os.path.dirname(os.path.dirname(path))
    configuration.load(folder, paths.home(os.environ), {}).sound()
    raw = configuration.read_file(path)
    if raw is None:
        raise ConfigError(f"{path}: there is no file to trust")
    for number, line in enumerate(raw.decode("utf-8", "replace").rstrip("\n").split("\n"), 1):
        shown = "".join(ch if ch.isprintable() else "�" for ch in line)
        click.echo(f"{number:4}  {shown}", err=True)
    if not yes and not sys.stdin.isatty():
        raise ConfigError("no terminal to ask on: look at the file, then `ace-reflect trust --yes`")
    if not yes and not click.confirm("\nTrust this file as it is?", err=True):
        raise ConfigError(f"{path}: your answer was no; nothing was changed")
    if configuration.read_file(path) != raw:
        raise ConfigError(f"{path}: changed while it was shown; run `ace-reflect trust` again")
    return hashlib.sha256(raw).hexdigest()
