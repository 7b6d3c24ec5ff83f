"""
JSON for hooks that cannot afford `json`: SQLite reads and writes it.

`import json` brings `re` and costs as much as the rest of a hook, while SQLite is loaded anyway.
"""

import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Scalar = str | int | float | bool | None

MAX_TEXT = 1_000_000  # characters of one field; a prompt is kept to less by whoever stores it
_FIELDS = "SELECT key, type, CASE type WHEN 'text' THEN substr(value, 1, ?2) ELSE value END FROM json_each(?1)"
_connection: sqlite3.Connection | None = None


def read_object(raw: bytes | str) -> "dict[str, Scalar] | None":
    """
    The top-level fields of a JSON object, or None where `raw` is no JSON object.

    Strings, numbers, booleans and null come as themselves, arrays and objects as JSON text.
    Invalid UTF-8 and lone surrogates become U+FFFD; a NUL outside of an escape makes it no JSON.
    """
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else _sound(raw)
    if "\x00" in text:
        return None
    text = text.removeprefix("\ufeff")
    db = _memory()
    try:
        if db.execute("SELECT json_valid(?1) AND json_type(?1) = 'object'", (text,)).fetchone() != (1,):
            return None
        rows = db.execute(_FIELDS, (text, MAX_TEXT)).fetchall()
    except (sqlite3.Error, OverflowError):
        return None
    return {key: _scalar(kind, value) for key, kind, value in rows}


def write_object(fields: "Mapping[str, Scalar | dict[str, Scalar]]") -> str:
    """One JSON object on one line; a nested mapping one level down is written too. Lone surrogates become `?`."""
    parts: list[str] = []
    values: list[Scalar] = []
    for name, value in fields.items():
        values.append(name)
        if isinstance(value, dict):
            parts.append("?, json(?)")
            values.append(write_object(value))
        elif isinstance(value, bool):
            parts.append("?, json(?)")
            values.append("true" if value else "false")
        else:
            parts.append("?, ?")
            values.append(_sound(value) if isinstance(value, str) else value)
    (text,) = _memory().execute(f"SELECT json_object({', '.join(parts)})", values).fetchone()
    return str(text)


def _scalar(kind: str, value: "Scalar") -> "Scalar":
    if kind in {"true", "false"}:
        return kind == "true"
    return value


def _sound(text: str) -> str:
    """Without lone surrogates, which SQLite's UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _memory() -> sqlite3.Connection:
    global _connection  # noqa: PLW0603 - one connection for the life of a hook
    if _connection is None:
        _connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _connection.text_factory = _text
    return _connection


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
