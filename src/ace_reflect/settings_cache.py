"""The settings in force for a hook: from the copy in `state.db` where that is fresh, else read anew and kept there."""

import json
from collections.abc import Mapping

from ace_reflect import paths
from ace_reflect.settings import Settings, setting_variables
from ace_reflect.state import cache
from ace_reflect.state.db import State


def for_hooks(
    project_dir: str, home_dir: str, environ: Mapping[str, str], state: State
) -> Settings:
    """
    The settings in force. Of a file or variable with an error only what can be used counts; `status` and `doctor` say
    what is wrong with it.
    """
    project_file = paths.project_config(project_dir)
    files = [cache.file_identity(path) for path in (project_file, paths.user_config(home_dir))]
    variables = [f"{name}={environ[name]}" for name in setting_variables(environ)]
    if not any(files) and not variables:
        return Settings()
    trusted = cache.trusted_hash(state, project_file) or "-"
    # An upgrade may know other settings: what it reads from the same files is not what was kept.
    version = (paths.__file__, *Settings._fields)
    identity = "\x1e".join((*version, *files, trusted, *variables))
    kept = cache.get(state, "settings", project_file, identity)
    if kept is not None:
        try:
            return Settings.from_json(json.loads(kept))
        except ValueError:
            pass  # damaged: read anew
    from functools import partial

    from ace_reflect import config  # pydantic and YAML: only where something changed

    trusts = partial(cache.trusted_hash, state)
    found = config.load_usable(project_dir, home_dir, environ, trusted=trusts).settings
    text = json.dumps(found.to_json())
    cache.put(state, "settings", project_file, identity, text.encode())
    return found
