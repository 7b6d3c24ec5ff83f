"""Points in time (seconds since the epoch), for programs and for people."""

import calendar
import time


def iso(at: float) -> str:
    """ISO 8601 in UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def seconds(text: str) -> float | None:
    """The point in time of an ISO 8601 text in UTC, to the second; None where it is none."""
    try:
        return calendar.timegm(time.strptime(text[:19], "%Y-%m-%dT%H:%M:%S"))
    except ValueError:
        return None


def local(text: str, *, to_the_second: bool = False) -> str:
    """An ISO 8601 text in UTC as people are shown it: the local date and time."""
    at = seconds(text)
    if at is None:
        return text[: 19 if to_the_second else 16].replace("T", " ")
    return time.strftime(
        "%Y-%m-%d %H:%M:%S" if to_the_second else "%Y-%m-%d %H:%M", time.localtime(at)
    )


def day(at: float) -> str:
    """The local date and minute."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))
