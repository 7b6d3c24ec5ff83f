"""A bounded look at a folder tree: no symbolic link is followed, no special file opened, and there is an end to it."""

import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ENTRIES = 20_000
MAX_ENTRIES_IN_A_FOLDER = 4_000
MAX_DEPTH = 8
MAX_SECONDS = 0.6
MAX_FILE_BYTES = 512 * 1024

#: Folders that hold other people's code, build products, or samples that are no part of the project.
SKIPPED = frozenset((
    "node_modules", "bower_components", "vendor", "third_party", "target", "dist", "build", "out", "bin", "obj", "coverage", "htmlcov", "venv", "env",
    "site-packages", "__pycache__", "__snapshots__", "__fixtures__", "fixtures", "testdata", "test-data", "test_data", "Pods", "Carthage", "DerivedData",
    "deps", "_build", "zig-out", "zig-cache", "elm-stuff", "tmp", "temp", "logs",
))  # fmt: skip


class Tree:
    """The names in each folder below `root`, nearest folders first. `truncated` says that not all was looked at."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.folders: dict[str, tuple[str, ...]] = {}
        self.truncated = False
        self._entries = 0
        self._texts: dict[str, str] = {}
        self.stamps: list[str] = []
        self._walk()

    def _walk(self) -> None:
        end = time.monotonic() + MAX_SECONDS
        level = [""]
        for _ in range(MAX_DEPTH):
            following: list[str] = []
            for folder in level:
                if self._entries >= MAX_ENTRIES or time.monotonic() > end:
                    self.truncated = True
                    return
                following += self._look(folder)
            level = following
        self.truncated = self.truncated or bool(level)

    def _look(self, folder: str) -> list[str]:
        """Note the files of one folder and return the folders below it that are worth a look."""
        names, below = [], []
        try:
            with os.scandir(os.path.join(self.root, folder)) as entries:
                for count, entry in enumerate(entries):
                    if count >= MAX_ENTRIES_IN_A_FOLDER:
                        self.truncated = True
                        break
                    self._entries += 1
                    kind = _kind(entry)
                    if kind == "file":
                        names.append(entry.name)
                    elif kind == "folder" and entry.name not in SKIPPED and not entry.name.startswith("."):
                        below.append(f"{folder}/{entry.name}" if folder else entry.name)
        except OSError:
            return []
        self.folders[folder] = tuple(sorted(names))
        return sorted(below)

    def read(self, path: str) -> str:
        """The text of a file below the root; "" when there is none that can be read. Cut at `MAX_FILE_BYTES`."""
        if path not in self._texts:
            full = os.path.join(self.root, path)
            self._texts[path] = text = read_text(full)
            if text:
                self.stamps.append(stamp(full))
        return self._texts[path]

    def has(self, path: str) -> bool:
        """Whether there is such a file, also in a folder that the walk passes over."""
        folder, _, name = path.rpartition("/")
        if folder in self.folders:
            return name in self.folders[folder]
        try:
            return stat.S_ISREG(os.stat(os.path.join(self.root, path)).st_mode)
        except (OSError, ValueError):
            return False

    def below(self, folder: str, apart_from: "frozenset[str]" = frozenset()) -> "Iterator[str]":
        """Paths of files in `folder` and under it, leaving out the folders `apart_from` and what is in them."""
        prefix = folder + "/" if folder else ""
        for name, files in self.folders.items():
            if name != folder and not name.startswith(prefix):
                continue
            if apart_from and _inside(name, folder, apart_from):
                continue
            for file in files:
                yield f"{name}/{file}" if name else file


def _inside(name: str, folder: str, others: "frozenset[str]") -> bool:
    while name != folder and name:
        if name in others:
            return True
        name = name.rpartition("/")[0]
    return False


def _kind(entry: "os.DirEntry[str]") -> str:
    """Links to files count as files (CLAUDE.md is often one); links to folders are not followed, so loops cannot be."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file() else "other"
    except OSError:
        return "other"


def leads_into(path: str, folder: str) -> bool:
    """Whether a path ends below a folder, whatever links are on the way."""
    return os.path.realpath(path).startswith(os.path.realpath(folder).rstrip("/") + "/")


def read_text(path: str, limit: int = MAX_FILE_BYTES) -> str:
    """A regular file's text, at most `limit` bytes of it; "" for anything that is not one or cannot be read."""
    try:
        # O_NONBLOCK: a FIFO put there in place of a manifest must not hold the hook
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        data = os.read(handle, limit)
    except OSError:
        return ""
    finally:
        os.close(handle)
    return decode(data)


def decode(data: bytes) -> str:
    """UTF-8 and UTF-16 with a mark; anything else with its wrong bytes replaced. Newlines become `\\n`."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
    else:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def stamp(path: str) -> str:
    """A file's identity as one string: it changes when the file does."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return f"{path}\t0\t0"
    return f"{path}\t{found.st_mtime_ns}\t{found.st_size}"
