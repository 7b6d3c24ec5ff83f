"""The part of `install` and `uninstall` that places the agents of routing, and says what it does."""

import os
from collections.abc import Callable

from ace_reflect import config, paths
from ace_reflect.install import agents
from ace_reflect.settings import Settings

Say = Callable[[str], None]


def place(scope: str, project: str, say: Say, *, dry_run: bool) -> list[str]:
    """Make exactly the agents stand there that routing calls for, none where it is off; the files that change."""
    return _sync(settings_for(scope, project), scope, project, say, dry_run=dry_run)


def take_out(scope: str, project: str, say: Say, *, dry_run: bool) -> list[str]:
    """Take exactly ours out; the files that go."""
    return _sync(Settings(), scope, project, say, dry_run=dry_run)


def settings_for(scope: str, project: str) -> Settings:
    """What is configured for whom the agents are: the person's own settings, or the project's with them."""
    if scope == "user":
        return config.load(os.devnull, paths.home(os.environ), os.environ).settings
    from ace_reflect.cli.config import load_config

    return load_config(project).settings


def _sync(settings: Settings, scope: str, project: str, say: Say, *, dry_run: bool) -> list[str]:
    steps, notes = agents.plan(settings, agents.folder(scope, project, os.environ))
    changed = [step for step in steps if step.do in {"write", "remove"}]
    for step in changed:
        will = "would be " if dry_run else ""
        say(f"{step.path}: {will}{'written' if step.do == 'write' else 'taken out'}")
    for why in (*(step.why for step in steps if step.do == "keep"), *notes):
        say(f"Note: {why}")
    if not dry_run:
        agents.carry_out(steps)
    return [step.path for step in changed]
