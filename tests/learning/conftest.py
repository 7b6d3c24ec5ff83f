from support.hooks import host

__all__ = ["host"]
