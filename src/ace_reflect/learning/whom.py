"""Whom the roles of the specification ask: the Anthropic API, by the model that is named for it, or a default."""

import os
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import AceReflectError
from ace_reflect.llm.keys import ANTHROPIC_MODELS, first_set
from ace_reflect.llm.port import Model
from ace_reflect.llm.registry import model_for

#: The default, the day on which it is switched off (as Anthropic's SDK says), and what is asked from then on.
_DEFAULT, _SWITCHED_OFF, _SUCCESSOR = "claude-sonnet-4-5", date(2026, 11, 30), "claude-sonnet-5"


def default_model(today: date) -> str:
    """The model that is asked where nobody names one."""
    return _DEFAULT if today < _SWITCHED_OFF else _SUCCESSOR


def anthropic_model(environ: Mapping[str, str]) -> Model:
    """
    `AGENTIC_CONTEXT_MODEL`, `ANTHROPIC_MODEL`, `ANTHROPIC_DEFAULT_SONNET_MODEL`, else the first `anthropic/…` of
    `models:`, else the default of today.
    """
    config = _config(environ)
    _, named = first_set(environ, ANTHROPIC_MODELS)
    listed = (
        (spec for spec in config.file.models if spec.startswith("anthropic/"))
        if config
        else iter(())
    )
    model = named or next(listed, default_model(datetime.now(UTC).date()))
    return model_for(f"anthropic/{model.removeprefix('anthropic/')}", config, environ)


def _config(environ: Mapping[str, str]) -> Any:
    """The configuration in force; None where it cannot be used, for a typo in it must not cost the votes."""
    from ace_reflect import config

    try:
        home = paths.home(environ)
        return config.load(
            paths.project_dir(environ), home, environ, trusted=lambda path: _trusted(home, path)
        )
    except (AceReflectError, OSError):
        return None


def _trusted(home: str, project_file: str) -> str | None:
    if not os.path.exists(
        project_file
    ):  # then there is nothing to trust, and no state.db to make for it
        return None
    from ace_reflect.state import trust
    from ace_reflect.state.db import open_state

    with open_state(home) as state:
        return trust.trusted_hash(state, project_file)
