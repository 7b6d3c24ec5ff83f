"""
What a power cut leaves: the recorded order of a process's writes, syncs, renames and removals, replayed to every point.

    tape = record(["python", "-I", …], environ, root)     # everything that it did below `root`
    for state in tape.states():                           # each instant, in each of the ways in which a disk may keep it
        state.restore()                                   # `root` as it would be found after the cut
        …

A disk keeps what was synced. Of the rest it may keep all (`in order`), the last write in part (`torn`), the names
without the contents (`names only`: a file system that journals its metadata), or nothing since the last sync
(`last sync`). strace sees every call, SQLite's too; what is written through shared memory (`state.db-shm`) is made anew
by SQLite after a crash and is left out.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CALLS = (
    "openat,open,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fsync,fdatasync,rename,renameat,renameat2,unlink,"
    "unlinkat,mkdir,mkdirat,rmdir,lseek,close,link,linkat,symlink,symlinkat,copy_file_range,sendfile"
)
_LINE = re.compile(r"^(?:\d+ +)?(\w+)\((.*)\) += (-?\d+)")
_FD = re.compile(r"(AT_FDCWD|\d+)<([^>]*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
_BY_HANDLE = "write pwrite64 writev pwritev ftruncate fsync fdatasync lseek close".split()
_NOT_KEPT = ("-shm",)


@dataclass
class _File:
    """One file by identity: its bytes now, and as they were synced last."""

    now: bytearray
    synced: bytes = b""


@dataclass(frozen=True)
class State:
    """What would be found after a cut at one instant."""

    root: Path
    at: int
    call: str
    way: str
    files: dict[str, bytes]
    folders: frozenset[str]

    def restore(self) -> None:
        """Make `root` so."""
        for entry in self.root.iterdir():
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        for folder in sorted(self.folders):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        for path, data in self.files.items():
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(data)


@dataclass
class Tape:
    root: Path
    calls: list[tuple[str, str, int]]  # name, arguments, result
    names: dict[str, _File]
    folders: set[str]
    _positions: dict[str, int] = field(default_factory=dict)
    _appending: dict[str, bool] = field(default_factory=dict)

    def states(self, every: int = 1) -> Iterator[State]:
        """Each instant at which something had changed; with `every` each so-many-th, and each rename and removal."""
        kept = {path: file.synced for path, file in self.names.items()}
        seen = 0
        for number, (name, arguments, result) in enumerate(self.calls, start=1):
            before = self._apply(name, arguments, result)
            if before is None:
                continue
            if name in {"fsync", "fdatasync"}:
                kept = {path: file.synced for path, file in self.names.items()}
            seen += 1
            if seen % every and not name.startswith(("rename", "unlink")):
                continue
            shown = f"{name}({_plain(arguments)[:90]})"
            now = {path: bytes(file.now) for path, file in self.names.items()}
            yield self._state(number, shown, "in order", now)
            if "write" in name:
                half = {path: before[1] for path, file in self.names.items() if file is before[0]}
                yield self._state(number, shown, "torn", now | half)
            synced = {path: file.synced for path, file in self.names.items()}
            yield self._state(number, shown, "names only", synced)
            yield self._state(number, shown, "last sync", kept)

    def _state(self, at: int, call: str, way: str, files: dict[str, bytes]) -> State:
        kept = {path: data for path, data in files.items() if not path.endswith(_NOT_KEPT)}
        return State(self.root, at, call, way, kept, frozenset(self.folders))

    def _apply(self, name: str, arguments: str, result: int) -> "tuple[_File | None, bytes] | None":
        """Do what the call did; the file that it wrote with its bytes as half a write leaves them, or None for no change."""
        if result < 0:
            return None
        paths = self._paths(name, arguments)
        if not paths or not any(self._ours(path) for path in paths):
            return None
        path = paths[0]
        if name in {"open", "openat", "creat"}:
            return self._open(path, arguments)
        if name in {"write", "pwrite64", "writev", "pwritev"}:
            assert not name.endswith("v"), "a vectored write is not replayed"
            return self._write(name, path, arguments, result)
        if name == "lseek":
            self._positions[path] = result
            return None
        if name == "close":
            return None
        if name in {"fsync", "fdatasync"}:
            file = self.names.get(path)
            if file is not None:
                file.synced = bytes(file.now)
            return (file, b"")
        if name in {"ftruncate", "truncate"}:
            file, size = self.names[path], int(arguments.rpartition(",")[2])
            del file.now[size:]
            file.now.extend(b"\0" * (size - len(file.now)))
            return (file, b"")
        if name.startswith("rename"):
            moved = {
                old: new for old in self.names if (new := _moved(old, path, paths[1])) is not None
            }
            files = {new: self.names.pop(old) for old, new in moved.items()}
            self.names.update(files)
            self.folders = {_moved(folder, path, paths[1]) or folder for folder in self.folders}
            return (None, b"")
        if name in {"unlink", "unlinkat", "rmdir"}:
            self.names.pop(path, None)
            self.folders.discard(path)
        else:
            assert name in {"mkdir", "mkdirat"}, f"{name} is not replayed"
            self.folders.add(path)
        return (None, b"")

    def _open(self, path: str, arguments: str) -> "tuple[_File | None, bytes] | None":
        self._positions[path] = 0
        self._appending[path] = "O_APPEND" in arguments
        if path in self.folders:
            return None
        if path not in self.names:
            if "O_CREAT" not in arguments:
                return None
            self.names[path] = _File(bytearray())
            return (self.names[path], b"")
        if "O_TRUNC" in arguments and self.names[path].now:
            self.names[path].now.clear()
            return (self.names[path], b"")
        return None

    def _write(
        self, name: str, path: str, arguments: str, result: int
    ) -> "tuple[_File | None, bytes] | None":
        file = self.names.get(path)
        if file is None:
            return None
        match = _TEXT.search(arguments, arguments.index(">,"))
        assert match is not None
        data = bytes.fromhex(match[1].replace("\\x", ""))[:result]
        if name == "pwrite64":
            at = int(arguments.rpartition(",")[2])
        else:
            at = len(file.now) if self._appending.get(path) else self._positions.get(path, 0)
            self._positions[path] = at + len(data)
        half = bytearray(file.now)
        for target, piece in ((half, data[: len(data) // 2]), (file.now, data)):
            target.extend(b"\0" * (at - len(target)))
            target[at : at + len(piece)] = piece
        return (file, bytes(half))

    def _paths(self, name: str, arguments: str) -> list[str]:
        if name in _BY_HANDLE:
            found = _FD.match(arguments)
            return [_decoded(found[2])] if found else []
        folders = [_decoded(found[2]) for found in _FD.finditer(arguments.partition(") = ")[0])]
        names = [_decoded(text) for text in _TEXT.findall(arguments)]
        if name in {"symlink", "symlinkat", "link", "linkat"} and any(
            self._ours(path) for path in names
        ):
            raise AssertionError(f"{name} is not replayed")
        if name == "openat" or name.endswith(("at", "at2")):
            return [
                os.path.normpath(os.path.join(folder, path))
                for folder, path in zip(folders, names, strict=False)
            ]
        return [os.path.normpath(path) for path in names]

    def _ours(self, path: str) -> bool:
        return path == str(self.root) or path.startswith(f"{self.root}/")


def record(
    command: Sequence[str], environ: dict[str, str], root: Path, *, stdin: bytes = b""
) -> Tape:
    """Run a command to its end and note all that it did to files below `root`, which stand synced before it."""
    names, folders = _as_it_is(root)
    with tempfile.TemporaryDirectory() as aside:
        out = Path(aside) / "calls"
        strace = f"strace -y -xx -s 100000000 -e trace={CALLS} -o".split()
        done = subprocess.run(
            [*strace, str(out), *command],
            input=stdin,
            env=environ,
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        assert done.returncode == 0, done.stderr.decode()
        calls = [
            (match[1], match[2], int(match[3]))
            for line in out.read_text().splitlines()
            if (match := _LINE.match(line))
        ]
    return Tape(root, calls, names, folders)


def _as_it_is(root: Path) -> tuple[dict[str, _File], set[str]]:
    names, folders = {}, set()
    for folder, _, files in os.walk(root):
        folders.add(folder)
        for name in files:
            data = (Path(folder) / name).read_bytes()
            names[os.path.join(folder, name)] = _File(bytearray(data), data)
    return names, folders


def _moved(path: str, old: str, new: str) -> str | None:
    if path == old:
        return new
    return new + path[len(old) :] if path.startswith(old + "/") else None


def _decoded(text: str) -> str:
    raw = bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()
    return os.fsdecode(raw.removesuffix(b" (deleted)"))


def _plain(arguments: str) -> str:
    return _TEXT.sub(
        lambda match: repr(bytes.fromhex(match[1].replace("\\x", ""))[:40]), arguments[:4000]
    )
