"""Whom the roles of the specification ask: the Anthropic API, by the model of DESIGN's fine print."""

import os
from collections.abc import Mapping
from typing import Any

from ace_reflect import paths
from ace_reflect.errors import AceReflectError
from ace_reflect.llm.keys import ANTHROPIC_MODELS, first_set
from ace_reflect.llm.port import Model
from ace_reflect.llm.registry import model_for

DEFAULT_MODEL = "claude-sonnet-4-5"


def anthropic_model(environ: Mapping[str, str]) -> Model:
    """
    `AGENTIC_CONTEXT_MODEL`, `ANTHROPIC_MODEL`, `ANTHROPIC_DEFAULT_SONNET_MODEL`, else the first `anthropic/…` of
    `models:`, else claude-sonnet-4-5.
    """
    config = _config(environ)
    _, named = first_set(environ, ANTHROPIC_MODELS)
    listed = (spec for spec in config.file.models if spec.startswith("anthropic/")) if config else iter(())
    model = named or next(listed, DEFAULT_MODEL)
    return model_for(f"anthropic/{model.removeprefix('anthropic/')}", config, environ)


def _config(environ: Mapping[str, str]) -> Any:
    """The configuration in force; None where it cannot be used, for a typo in it must not cost the votes."""
    from ace_reflect import config

    try:
        home = paths.home(environ)
        return config.load(paths.project_dir(environ), home, environ, trusted=lambda path: _trusted(home, path))
    except (AceReflectError, OSError):
        return None


def _trusted(home: str, project_file: str) -> str | None:
    if not os.path.exists(project_file):  # then there is nothing to trust, and no state.db to make for it
        return None
    from ace_reflect.state import trust
    from ace_reflect.state.db import open_state

    with open_state(home) as state:
        return trust.trusted_hash(state, project_file)
