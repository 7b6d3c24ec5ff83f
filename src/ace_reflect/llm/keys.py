"""Keys and addresses from the environment, with the variable's name kept for messages. Login tokens are never read."""

import re
from collections.abc import Mapping

ANTHROPIC_KEYS = ("AGENTIC_CONTEXT_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY")
ANTHROPIC_URLS = ("AGENTIC_CONTEXT_BASE_URL", "ANTHROPIC_BASE_URL")
ANTHROPIC_MODELS = ("AGENTIC_CONTEXT_MODEL", "ANTHROPIC_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL")


def first_set(environ: Mapping[str, str], names: tuple[str, ...]) -> tuple[str, str]:
    """The first of `names` that has a value, and the value; two empty strings where none has."""
    for name in names:
        value = environ.get(name, "").strip()
        if value:
            return name, value
    return "", ""


def without_login(text: str) -> str:
    """`text` with the user and password taken out of its addresses (`https://user:password@proxy.example`)."""
    return re.sub(r"(://)[^/\s@]{1,500}@", r"\1", text)
