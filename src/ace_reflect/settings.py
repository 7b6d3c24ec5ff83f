"""
The settings as the hooks read them: flat, with their defaults, and the compiled form that needs neither YAML nor JSON.

`config.py` makes these out of files, variables and flags; a hook that finds its compiled copy fresh never imports that.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ace_reflect import paths
from ace_reflect.state.db import State
from ace_reflect.values import Value

#: A word of `models:`: where no model before it answered, the rules judge.
OFFLINE = "offline"
#: Every gate with its default mode; `direct_push`'s is the workflow's (`default_mode`).
GATES: dict[str, Literal["off", "warn", "block"]] = {
    "tests": "block",
    "build": "warn",
    "pr": "block",
    "ci": "warn",
    "direct_push": "warn",
    "claims": "block",
    "remaining_work": "warn",
    "completion": "block",
}
ROUTES = ("backend", "architecture", "frontend", "default")
#: Variables of ours that are no settings.
RESERVED = frozenset(
    {"HOME", "CHILD", "DIAGNOSTIC", "RETRY_BASE_S", "DISABLE", "PREFIX", "BIN", "MANAGED_SETTINGS"}
)


class Settings(Value):
    """What hooks need to know. Tuples of `name=value` stand for small tables, so that the whole stays flat."""

    enabled: bool = True
    models: tuple[str, ...] = ()  # "provider/model", tried in order; none: offline
    workflow: Literal["auto", "pull-request", "local"] = "auto"
    gates: tuple[str, ...] = ()  # "tests=warn": those that somebody chose
    max_attempts: int = 3
    assess_when: Literal["auto", "always", "never"] = "auto"
    assess_mode: Literal["background", "foreground"] = "background"
    assess_daily_tokens: int = 200_000
    learning_review: Literal["all", "untrusted", "none"] = "untrusted"
    learning_ungrounded: Literal["count", "neutral"] = "count"
    learning_on: tuple[Literal["session_end", "pre_compact"], ...] = (
        "session_end",
        "pre_compact",
    )
    injection_max_chars: int = 9_000
    routing_enabled: bool = False
    routing_models: tuple[str, ...] = ()  # "backend=openai/gpt-5.3-codex"
    review_enabled: bool = False
    review_reviewer: str = "openai/gpt-5.3-codex"
    review_auditor: str = "minimax/MiniMax-M2.5"
    notify_command: str = ""
    redaction_patterns: tuple[str, ...] = ()  # the person's own, as they are written
    faulty: bool = False  # a file or variable has an error, so that not all of it is in force

    def gate_mode(self, gate: str) -> str:
        """off, warn or block."""
        for item in self.gates:
            name, _, mode = item.partition("=")
            if name == gate:
                return mode
        return default_mode(gate, self.workflow)

    def routing_model(self, category: str) -> str:
        """The model configured for a category, or "" for the session's own."""
        for item in self.routing_models:
            name, _, model = item.partition("=")
            if name == category:
                return model
        return ""


def default_mode(gate: str, workflow: str) -> Literal["off", "warn", "block"]:
    """How a gate stands where nobody chose: whether a direct push is wrong is the workflow's to say."""
    if gate == "direct_push" and workflow != "auto":
        return "block" if workflow == "pull-request" else "off"
    return GATES[gate]


def agent_of(route: str) -> str:
    """The name of the agent that carries a route's model; its file is `<name>.md`."""
    return f"ace-{route}"


def online(models: Sequence[str]) -> tuple[str, ...]:
    """The models that may be asked, in order: those before `offline`."""
    return tuple(models[: models.index(OFFLINE)] if OFFLINE in models else models)


def dump(settings: Settings) -> str:
    """One `name<TAB>value` line for each field that differs from its default; the inverse of `parse`."""
    return "\n".join(
        f"{name}\t{_text(value)}"
        for name, value in sorted(settings.__dict__.items())
        if value != getattr(Settings, name)
    )


def parse(text: str) -> Settings:
    """Settings from their compiled form; what it does not name is at its default."""
    found: dict[str, Any] = {}
    for line in text.split("\n"):
        name, tab, value = line.partition("\t")
        if tab and name in Settings._fields:
            found[name] = _typed(value, getattr(Settings, name))
    return Settings(**found)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "1" if value else ""
    text = "\x1f".join(value) if isinstance(value, tuple) else str(value)
    return text.replace("\\", "\\\\").replace("\n", "\\n")  # a command may have several lines


def _typed(value: str, like: object) -> object:
    if isinstance(like, bool):
        return value == "1"
    if isinstance(like, int):
        return int(value)
    text = (
        "\\".join(part.replace("\\n", "\n") for part in value.split("\\\\"))
        if "\\" in value
        else value
    )
    if isinstance(like, tuple):
        return tuple(text.split("\x1f")) if text else ()
    return text


def config_files(project_dir: str, home_dir: str) -> tuple[str, str]:
    """The project's and the user's `reflection.yaml`."""
    return paths.project_config(project_dir), paths.user_config(home_dir)


def for_hooks(
    project_dir: str, home_dir: str, environ: Mapping[str, str], state: State
) -> Settings:
    """
    The settings in force, from the compiled copy in `state.db` where that is fresh; else compiled anew, once.

    Of a file with an error only what can be used counts here; `status` and `doctor` say what is wrong with it.
    """
    from ace_reflect.state import cache

    project_file, user_file = config_files(project_dir, home_dir)
    files = [cache.file_identity(project_file), cache.file_identity(user_file)]
    variables = [f"{name}={environ[name]}" for name in sorted(environ) if _is_setting(name)]
    if not any(files) and not variables:
        return Settings()
    from ace_reflect.state import trust

    # An upgrade may know other settings: what it reads from the same files is not what was kept.
    fresh = "\x1e".join(
        (
            paths.__file__,
            " ".join(Settings._fields),
            *files,
            trust.trusted_hash(state, project_file) or "-",
            *variables,
        )
    )
    kept = cache.get(state, "settings", project_file, fresh)
    if kept is not None:
        try:
            return parse(kept.decode("utf-8", "surrogatepass"))  # a variable may hold any bytes
        except ValueError:
            pass  # another version's, with a value of another type
    from functools import partial

    from ace_reflect import config

    found = config.load_usable(
        project_dir, home_dir, environ, trusted=partial(trust.trusted_hash, state)
    ).settings
    cache.put(state, "settings", project_file, fresh, dump(found).encode("utf-8", "surrogatepass"))
    return found


def _is_setting(variable: str) -> bool:
    short = variable.removeprefix("ACE_REFLECT_")
    return short != variable and short not in RESERVED
