"""The settings as gates and hooks read them: flat, and made without pydantic or YAML. `config` fills them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from ace_reflect.values import Value

#: A word in `models:`: if no model before it answered, the rules judge.
OFFLINE = "offline"
#: Every gate with its default mode (`direct_push`'s is the workflow's), in the order in which a message leads with them.
GATES = {
    "claims": "block",
    "tests": "block",
    "build": "warn",
    "direct_push": "warn",
    "pr": "block",
    "completion": "block",
    "remaining_work": "warn",
    "ci": "warn",
}
ROUTES = ("backend", "architecture", "frontend", "default")
#: By these a stop is judged: a session does not change its own.
JUDGING = (
    "enabled",
    "models",
    "workflow",
    "gates",
    "max_attempts",
    "assess_when",
    "review_enabled",
)
#: The prefix of variables that set something, and ours that do not.
PREFIX = "ACE_REFLECT_"
_NO_SETTINGS = {"HOME", "CHILD", "DIAGNOSTIC", "RETRY_BASE_S", "DISABLE", "PREFIX", "BIN"}


class Settings(Value):
    """What gates and hooks need to know."""

    enabled: bool = True
    models: tuple[str, ...] = ()  # "provider/model", tried in order; none: offline
    storage: Literal["project", "home"] = "project"  # where a project's playbook stands
    workflow: Literal["auto", "pull-request", "local"] = "auto"
    gates: Mapping[str, str] = {}  # only those that somebody set
    max_attempts: int = 3
    assess_when: Literal["auto", "always", "never"] = "auto"
    assess_mode: Literal["background", "foreground"] = "background"
    assess_daily_tokens: int = 200_000
    learning_review: Literal["all", "untrusted", "none"] = "untrusted"
    learning_ungrounded: Literal["count", "neutral"] = "neutral"
    learning_on: tuple[Literal["session_end", "pre_compact"], ...] = ("session_end", "pre_compact")
    injection_max_chars: int = 9_000
    routing_enabled: bool = False
    routing_models: Mapping[str, str] = {}  # by category; without one the session's own
    review_enabled: bool = False
    review_reviewer: str = "openai/gpt-5.3-codex"
    review_auditor: str = "minimax/MiniMax-M2.5"
    notify_command: str = ""
    redaction_patterns: tuple[str, ...] = ()  # the person's own, as they are written
    faulty: bool = False  # a file or variable has an error, so that not all of it is in force

    def gate_mode(self, gate: str) -> str:
        """off, warn or block. If nobody set it, the workflow says whether a direct push is wrong."""
        mode = {"pull-request": "block", "local": "off"}.get(self.workflow)
        by_workflow = mode if gate == "direct_push" else None
        return self.gates.get(gate) or by_workflow or GATES[gate]


def agent_of(route: str) -> str:
    """The name of the agent with a route's model; its file is `<name>.md`."""
    return f"ace-{route}"


def online(models: Sequence[str]) -> tuple[str, ...]:
    """The models that may be asked, in order: those before `offline`."""
    return tuple(models[: models.index(OFFLINE)] if OFFLINE in models else models)


def setting_variables(environ: Iterable[str]) -> list[str]:
    """The names of the variables that set something, or are meant to."""
    found = [name for name in environ if name.startswith(PREFIX)]
    return sorted(name for name in found if name.removeprefix(PREFIX) not in _NO_SETTINGS)
