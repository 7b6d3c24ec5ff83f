"""
A prompt made fit to be kept: without secrets, capped.

`redact` needs `re`, which costs as much as the rest of the hook; so it is imported only where the text could hold a
secret at all. Every shape that `redact` knows has a long word with a digit, a telling name, or a URL with a password.
"""

from collections.abc import Mapping

from ace_reflect.state.prompts import MAX_TEXT

_TELLING = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "key", "credential", "authorization", "cookie",
    "bearer", "-----begin", "api/webhooks", "hooks.slack.com",
)  # fmt: skip
_WINDOW = (
    32_768  # characters of each end of a long prompt that are looked at: far more than are kept
)
_SECRET_NAMES = (
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSW",
    "CREDENTIAL",
    "AUTH",
    "COOKIE",
    "DSN",
    "PRIVATE",
)


def safe_text(prompt: str, environ: Mapping[str, str], patterns: tuple[str, ...] = ()) -> str:
    """
    At most `MAX_TEXT` characters of a prompt, redacted; of a longer one the beginning and the end. `patterns`: the
    user's own for secrets.
    """
    if not patterns and not may_hold_secret(prompt, environ):
        return _shortened(prompt, prompt)
    from ace_reflect.redact import configured, redact

    own = configured(patterns)
    # Redacted before it is cut: half a secret would not be known for one.
    if len(prompt) <= 2 * _WINDOW:
        clean = redact(prompt, environ, patterns=own)
        return _shortened(clean, clean)
    start, end = (
        redact(part, environ, patterns=own) for part in (prompt[:_WINDOW], prompt[-_WINDOW:])
    )
    return _shortened(start, end)


def _shortened(start: str, end: str) -> str:
    if start is end and len(start) <= MAX_TEXT:
        return start
    return f"{start[: MAX_TEXT * 3 // 4]}\n…\n{end[-MAX_TEXT // 4 + 8 :]}"


def may_hold_secret(text: str, environ: Mapping[str, str]) -> bool:
    """Whether `redact` could find anything in the text. Errs on the side of yes."""
    low = text.lower()
    if any(word in low for word in _TELLING) or ("://" in text and "@" in text):
        return True
    if any(len(word) >= 16 and any(map(str.isdigit, word)) for word in text.split()):
        return True
    return any(
        len(value) >= 8 and value in text and any(part in name.upper() for part in _SECRET_NAMES)
        for name, value in environ.items()
    )
