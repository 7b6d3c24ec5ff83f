from support.cli import ace
from support.hooks import host

__all__ = ["ace", "host"]
