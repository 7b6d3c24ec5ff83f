"""The part of `install` and `uninstall` that places the agents of routing, and says what it does."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from ace_reflect import config, paths
from ace_reflect.install import agents
from ace_reflect.settings import Settings

Say = Callable[[str], None]
Plan = tuple[list[agents.Step], tuple[str, ...]]


def plan(scope: str, project: str, flags: Mapping[str, Any]) -> Plan:
    """What makes exactly the agents stand there that routing calls for, none where it is off, and what to say of it."""
    return agents.plan(
        _settings_for(scope, project, flags), agents.folder(scope, project, os.environ)
    )


def take_out(scope: str, project: str, say: Say, *, dry_run: bool) -> list[str]:
    """Take exactly ours out; the files that go."""
    return carry_out(
        agents.plan(Settings(), agents.folder(scope, project, os.environ)), say, dry_run=dry_run
    )


def carry_out(planned: Plan, say: Say, *, dry_run: bool) -> list[str]:
    """Do what was planned and say so; the files that change."""
    steps, notes = planned
    changed = [step for step in steps if step.do in {"write", "remove"}]
    for step in changed:
        will = "would be " if dry_run else ""
        say(f"{step.path}: {will}{'written' if step.do == 'write' else 'taken out'}")
    for why in (*(step.why for step in steps if step.do == "keep"), *notes):
        say(f"Note: {why}")
    if not dry_run:
        agents.carry_out(steps)
    return [step.path for step in changed]


def _settings_for(scope: str, project: str, flags: Mapping[str, Any]) -> Settings:
    """What is configured for whom the agents are: the person's own settings, or the project's with them."""
    if scope == "user":
        return config.load(os.devnull, paths.home(os.environ), os.environ, flags=flags).settings
    from ace_reflect.cli.config import load_config

    return load_config(project, dict(flags)).settings
