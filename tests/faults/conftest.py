from support.faults import killer, nursery
from support.hooks import host

__all__ = ["host", "killer", "nursery"]
