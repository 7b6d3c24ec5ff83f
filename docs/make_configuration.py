"""
Writes configuration.md from the schema:  python docs/make_configuration.py

Keys, what they may hold and their defaults come from the program; what they mean is written here. A key without a meaning,
or a meaning without a key, is an error.
"""

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ace_reflect import config
from ace_reflect.settings import Settings

MEANING = {
    "enabled": "`false` switches ace-reflect off here",
    "models": "the models to ask, in order (`provider/model`); none: offline",
    "storage": "where a project's playbook is kept: in the `project` (`.claude/playbook.json`), or by project in your `home`",
    "workflow": "is a pull request wanted? `auto` (when you ask for one), `pull-request` (always), `local` (never)",
    "gates": "each gate: `off`, `warn` (a line to you) or `block`",
    "max_attempts": "messages to Claude per prompt, 1 to 7",
    "assess.when": "when to ask a model about a stop: `auto` (when the rules leave something open), `always`, `never`",
    "assess.mode": "`background` wakes the session later; `foreground` makes the stop wait",
    "assess.daily_tokens": "tokens per day for all such questions",
    "learning.review": "which new key points wait for your approval: `all`, `untrusted` ones (that Claude read somewhere) or `none`",
    "learning.ungrounded": "a vote that no outcome supports: `count` it, or make it `neutral`",
    "learning.on": "when to learn from a session",
    "injection.max_chars": "how many characters of key points a prompt may get",
    "routing.enabled": "hand a fix to an installed agent for that kind of work",
    "routing.models": "the model for each kind of work: `backend`, `architecture`, `frontend`, `default`",
    "review.enabled": "let a reviewer and an auditor, two other models, look at finished work",
    "review.reviewer": "the model that reviews",
    "review.auditor": "the model that audits",
    "notify.command": "a command that gets each verdict on stdin",
    "endpoints": "OpenAI-compatible endpoints, each under any name: `{base_url, api_key_env}`",
    "redaction.patterns": "your own regular expressions; whatever matches is taken out before anything is kept or sent",
}

HEAD = """# Configuration

`~/.claude/ace-reflect/reflection.yaml` applies to all your projects, `<project>/.claude/reflection.yaml` to one. A flag beats
an `ACE_REFLECT_*` variable (`ACE_REFLECT_MAX_ATTEMPTS=2`, `ACE_REFLECT_GATES_TESTS=warn`), which beats the project's file,
which beats yours. `ace-reflect config show` names the source of each value, and every error with its line.

A project's file may have been written by somebody else. Only the keys marked *free* take effect at once; the others need
`ace-reflect trust`, which shows the file and remembers its hash. If a project's file has an error, only the free keys that
can be read take effect, and a line at the start of the session says so. YAML's bare `off` is understood.

`python docs/make_configuration.py` makes this page from the schema.

| key | may be | default | | |
| --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The whole of configuration.md."""
    keys = {_grouped(key): key for key in config.KEYS}
    if keys.keys() != MEANING.keys():
        raise SystemExit(f"without a meaning, or without a key: {keys.keys() ^ MEANING.keys()}")
    return HEAD + "".join(_row(name, key) for name, key in keys.items())


def _grouped(key: str) -> str:
    """`gates.tests` shares a row with all gates, `routing.models.backend` with all routes."""
    section = key.rpartition(".")[0]
    return section if section in ("gates", "routing.models") else key


def _row(name: str, key: str) -> str:
    free = "free" if config.FREE_KEYS & {name, key} else ""
    return f"| `{name}` | {_may_be(key)} | {_default(name)} | {free} | {MEANING[name]} |\n"


def _may_be(key: str) -> str:
    schema: dict[str, Any] = TypeAdapter(config.FORM[key]).json_schema()
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
