"""`ace-reflect config show` and `ace-reflect trust`."""

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import click

from ace_reflect import config as configuration
from ace_reflect import paths
from ace_reflect.cli.options import Group, opened, project_of, project_option
from ace_reflect.cli.output import Json, Report, note, reporting, short_path, table
from ace_reflect.errors import ConfigError
from ace_reflect.llm.port import without_login
from ace_reflect.state import cache

Flags = Mapping[str, Any] | None


def load_config(project: str | None = None, flags: Flags = None) -> configuration.Config:
    """The configuration that a command works with. Raises ConfigError."""
    return load_usable(project, flags).sound()


def load_usable(project: str | None = None, flags: Flags = None) -> configuration.Config:
    """The same, as far as it can be used; `fault` says what cannot."""
    with opened() as state:
        return cache.configuration(state, project_of(project), os.environ, flags)


@click.group(cls=Group, default="show")
def config() -> None:
    """Each setting and its source; without a subcommand the same as `show`. Change the files with an editor."""


@config.command()
@project_option
@reporting
def show(project: str | None) -> Report:
    """Every setting in force, and where it comes from. Exits with 2 if a file has an error."""
    found = load_usable(project)
    for text in (*found.fault.splitlines(), *found.warnings):
        note(text)
    values = {
        key: {"value": _value(found, key), "source": found.sources[key]}
        for key in configuration.KEYS
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
    heads = ("setting", "source", "value")
    rows = []
    for key, setting in body["settings"].items():
        kind, colon, place = setting["source"].partition(": ")
        source = f"{kind}:{place.rpartition(':')[2]}" if colon else kind  # `user:4`
        rows.append((key, source, _shown(setting["value"])))
    files = [
        f"{name:8} {short_path(path)}{'' if os.path.exists(path) else ' (not there yet)'}"
        for name, path in body["files"].items()
    ]
    return "\n".join([table(heads, rows), "", *files])


def _value(found: configuration.Config, key: str) -> Any:
    """As plain data, without the password an address may hold: people paste this into reports."""
    if key != "endpoints":
        return found.value(key)
    return {
        name: {**item.model_dump(exclude_none=True), "base_url": without_login(item.base_url)}
        for name, item in found.endpoints.items()
    }


def _shown(value: Any) -> str:
    """A value as it may be written in the file."""
    if isinstance(value, str):
        return value or "-"
    return json.dumps(value, ensure_ascii=False) if value not in ([], {}, None) else "-"


@click.command()
@project_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Stop trusting it.")
@reporting
def trust(project: str | None, yes: bool, revoke: bool) -> Report:
    """Let this project's reflection.yaml choose models, endpoints and commands as well.

    The file is shown first and its hash remembered: after a change it has to be trusted again.
    """
    home = paths.home(os.environ)
    path = paths.project_config(project_of(project))
    with opened() as state:
        if revoke:
            digest, was = None, cache.identity_of(state, cache.TRUST, path)
            state.run("DELETE FROM cache WHERE kind = ? AND key = ?", (cache.TRUST, path))
            told = "No longer trusted" if was else "Was not trusted anyway"
        else:
            digest, told = _approved(path, home, yes=yes), "Trusted"
            cache.put(state, cache.TRUST, path, digest, b"")
    body = {"path": path, "trusted": not revoke, "sha256": digest}
    return Report("trust", body, f"{told}: {short_path(path)}")


def _approved(path: str, home: str, *, yes: bool) -> str:
    """The hash of the project's file as the person saw and approved it. Raises ConfigError."""
    raw = _bytes(path)
    if raw is None:
        raise ConfigError(f"{path}: there is no file to trust, or it cannot be read")
    digest = hashlib.sha256(raw).hexdigest()
    folder = os.path.dirname(os.path.dirname(path))
    configuration.load(folder, home, {}, trusted=lambda _: digest).sound()
    for number, line in enumerate(raw.decode("utf-8", "replace").rstrip("\n").split("\n"), 1):
        shown = "".join(ch if ch.isprintable() else "�" for ch in line)
        click.echo(f"{number:4}  {shown}", err=True)
    if not yes and not sys.stdin.isatty():
        raise ConfigError("no terminal to ask on: look at the file, then `ace-reflect trust --yes`")
    if not yes and not click.confirm("\nTrust this file as it is?", err=True):
        raise ConfigError(f"{path}: your answer was no; nothing was changed")
    if _bytes(path) != raw:
        raise ConfigError(f"{path}: changed while it was shown; run `ace-reflect trust` again")
    return digest


def _bytes(path: str) -> bytes | None:
    with suppress(OSError):
        return configuration.read_file(path)
    return None
