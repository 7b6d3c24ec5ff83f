"""
SQLite as hooks load it: what `sqlite3` is made of, without its adapters for dates.

They bring `datetime` and `collections.abc`, and cost every hook a tenth of the interpreter's start.
"""

try:
    from _sqlite3 import Connection, Cursor, DatabaseError, Error, OperationalError, connect
except ImportError:  # an interpreter whose `sqlite3` is made of something else
    from sqlite3 import Connection, Cursor, DatabaseError, Error, OperationalError, connect

__all__ = ["Connection", "Cursor", "DatabaseError", "Error", "OperationalError", "connect"]
