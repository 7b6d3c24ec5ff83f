"""
Writes configuration.md from the schema:  python docs/make_configuration.py

Every key with what it may hold and its default comes from the program; what it means stands here. A key without a meaning,
and a meaning without a key, is an error.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ace_reflect import config, config_schema
from ace_reflect.settings import Settings

MEANING = {
    "enabled": "`false` switches the product off here",
    "models": "whom to ask, in order (`provider/model`); none: offline",
    "workflow": "a pull request: `auto` (where you ask for one), `pull-request` (always), `local` (never)",
    "gates": "each gate: `off`, `warn` (a line to you) or `block`",
    "max_attempts": "messages to a prompt, 1 to 7",
    "assess.when": "ask a model about a stop: where rules leave something open, `always` or `never`",
    "assess.mode": "`background` wakes the session later; `foreground` makes the stop wait",
    "assess.daily_tokens": "tokens a day for all of these questions",
    "learning.review": "which key points wait for your word: `all`, `untrusted` ones (read, not said by you) or `none`",
    "learning.ungrounded": "a vote without an outcome behind it: `count` it, or call it `neutral`",
    "learning.on": "when a session is learned from",
    "injection.max_chars": "room for key points in front of a prompt",
    "routing.enabled": "hand a fix to an installed agent of its kind",
    "routing.models": "the model of each kind: `backend`, `architecture`, `frontend`, `default`",
    "review.enabled": "a reviewer and an auditor look at finished work",
    "review.reviewer": "the model that reviews",
    "review.auditor": "the model that audits",
    "notify.command": "a command that gets each verdict on stdin",
    "endpoints": "OpenAI-compatible endpoints by a name of yours: `{base_url, api_key_env}`",
    "redaction.patterns": "regular expressions of your own; what fits is taken out before anything is kept or sent",
}

HEAD = """# Configuration

`~/.claude/ace-reflect/reflection.yaml` holds for you, `<project>/.claude/reflection.yaml` for one project. A flag beats
`ACE_REFLECT_*` (`ACE_REFLECT_MAX_ATTEMPTS=2`, `ACE_REFLECT_GATES_TESTS=warn`), which beats the project's file, which
beats yours. `ace-reflect config show` names the source of each value, and every error with its line.

A project's file may be somebody else's. Only the keys marked *free* count from it at once; the others count after
`ace-reflect trust`, which shows the file and remembers its hash.

Of a project's file with an error only the free keys that can be read count, and a line at the session's start says so.
YAML's bare `off` is understood.

This table is made from the schema by `python docs/make_configuration.py`.

| key | may be | default | | |
| --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The whole of configuration.md."""
    keys = {_grouped(key): key for key in config_schema.KEYS}
    if keys.keys() != MEANING.keys():
        raise SystemExit(f"without a meaning, or without a key: {keys.keys() ^ MEANING.keys()}")
    return HEAD + "".join(_row(name, key) for name, key in keys.items())


def _grouped(key: str) -> str:
    """`gates.tests` is told with all gates, `routing.models.backend` with all routes."""
    section = key.rpartition(".")[0]
    return section if section in ("gates", "routing.models") else key


def _row(name: str, key: str) -> str:
    free = "free" if config.FREE_KEYS & {name, key} else ""
    return f"| `{name}` | {_may_be(key)} | {_default(name)} | {free} | {MEANING[name]} |\n"


def _may_be(key: str) -> str:
    schema: dict[str, Any] = TypeAdapter(config_schema.FORM[key]).json_schema()
    words = schema.get("enum") or schema.get("items", {}).get("enum")
    if words:
        return ", ".join(f"`{word}`" for word in words)
    kinds = {
        "boolean": "`true`, `false`",
        "integer": "a number",
        "array": "a list",
        "object": "a table",
    }
    return kinds.get(schema.get("type", ""), "a text")


def _default(name: str) -> str:
    if name == "gates":
        return "see the README"
    value = getattr(Settings(), name.replace(".", "_"), "")
    value = list(value) if isinstance(value, tuple) else value
    return f"`{json.dumps(value)}`" if value not in ("", [], {}) else "none"


if __name__ == "__main__":
    Path(__file__).with_name("configuration.md").write_text(page(), encoding="utf-8")
