"""What doctor looks at and what it finds."""

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Literal

from ace_reflect import config, paths
from ace_reflect.install.registration import START


def configuration(project: str, environ: Mapping[str, str]) -> config.Config:
    """What is in force in a project. Raises ConfigError, StateError."""
    from ace_reflect.state import trust
    from ace_reflect.state.db import open_state

    home = paths.home(environ)
    with open_state(home) as state:
        return config.load(project, home, environ, trusted=partial(trust.trusted_hash, state))


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
    def place(self) -> str:
        """The script's path; earlier versions registered it without `START`."""
        return (
            self.argv[4] if self.argv[2:4] == ("-c", START) and len(self.argv) > 4 else self.argv[2]
        )

    @property
    def script(self) -> str:
        return os.path.basename(self.place)

    @property
    def may_be_run(self) -> bool:
        """A checkout's settings may be anybody's: of theirs only this very installation's scripts are started."""
        python, script = (
            os.path.abspath(sys.executable),
            os.path.join(paths.data_dir("hooks"), self.script),
        )
        own = ((python, "-I", script), (python, "-I", "-c", START, script))
        return self.source == "user" or any(self.argv[: len(start)] == start for start in own)
