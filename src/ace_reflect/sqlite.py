"""
SQLite as hooks load it: what `sqlite3` is made of, without its adapters for dates.

They bring `datetime` and `collections.abc`, and cost every hook a tenth of the interpreter's start.
"""

from ace_reflect import PUBLIC_MODULES_ONLY

try:
    if PUBLIC_MODULES_ONLY:
        raise ImportError  # noqa: TRY301 - as if there were none
    from _sqlite3 import Connection, Cursor, DatabaseError, Error, OperationalError, connect
except ImportError:  # also an interpreter whose `sqlite3` is made of something else
    from sqlite3 import Connection, Cursor, DatabaseError, Error, OperationalError, connect

__all__ = ["Connection", "Cursor", "DatabaseError", "Error", "OperationalError", "connect"]
