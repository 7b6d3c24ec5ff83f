from support.faults import nursery
from support.hooks import host

__all__ = ["host", "nursery"]
