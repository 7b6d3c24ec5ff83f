"""Points in time (seconds since the epoch), for programs and for people."""

import time


def iso(at: float) -> str:
    """ISO 8601 in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def day(at: float) -> str:
    """The local date and minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
