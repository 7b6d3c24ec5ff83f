"""What every command that reports has for programs: `--json`, and an object on stdout."""

import json
from collections.abc import Mapping
from typing import Any

import click

as_json_option = click.option("--json", "as_json", is_flag=True, help="As JSON.")


def echo_json(schema: str, body: Mapping[str, Any]) -> None:
    """Print `body` with `"schema": "ace-reflect/<schema>/1"` before it."""
    click.echo(
        json.dumps(
            {"schema": f"ace-reflect/{schema}/1", **body}, ensure_ascii=False, indent=2, default=str
        )
    )
