"""What doctor looks at and what it finds."""

import os
import sys
from dataclasses import asdict, dataclass
from typing import Literal

from ace_reflect import paths


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `fix` is what to do, empty where nothing is wrong."""

    name: str
    state: Literal["ok", "note", "wrong"]
    says: str
    fix: str = ""

    def to_json(self) -> dict[str, str]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Command:
    """One registered hook command, as the host would start it."""

    event: str
    source: str
    argv: tuple[str, ...]
    rewakes: bool = False  # the host does not wait for it (`asyncRewake`)

    @property
    def script(self) -> str:
        return os.path.basename(self.argv[2])

    @property
    def may_be_run(self) -> bool:
        """A checkout's settings may be anybody's: of theirs only this very installation's scripts are started."""
        own = (os.path.abspath(sys.executable), "-I", os.path.join(paths.data_dir("hooks"), self.script))
        return self.source == "user" or self.argv[:3] == own
