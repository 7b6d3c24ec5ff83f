"""A file is whole on the disk before it is seen under its name, by the means that the system has."""

import fcntl
import os

import pytest

from ace_reflect import atomic

OF_MACOS = 51  # its F_FULLFSYNC, which Linux refuses as a network's file system on a Mac does
ANSWERED = fcntl.F_GETFD  # a call that works here, in its place


@pytest.mark.parametrize(("full", "fsyncs"), [(None, 2), (OF_MACOS, 2), (ANSWERED, 0)])
def test_a_file_is_synced_once_and_in_the_strongest_way(monkeypatch, tmp_path, full, fsyncs):
    plain, made = os.fsync, []
    monkeypatch.delattr(fcntl, "F_FULLFSYNC", raising=False)
    if full is not None:
        monkeypatch.setattr(fcntl, "F_FULLFSYNC", full, raising=False)
    monkeypatch.setattr(os, "fsync", lambda handle: (made.append(handle), plain(handle))[1])

    atomic.write(str(tmp_path / "a"), b"whole")

    assert (tmp_path / "a").read_bytes() == b"whole"
    assert len(made) == fsyncs, "the file and its folder"
