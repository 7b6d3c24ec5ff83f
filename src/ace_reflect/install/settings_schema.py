"""Which settings files Claude Code drops whole, hooks and permissions too, for one value of the wrong kind (tried on 2.1.330)."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

#: An event of another name is passed over by the host, whatever it holds.
_EVENTS = (  # noqa: SIM905 - a line for each name would be a page
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart"
    " SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied"
).split()


class _Strict(BaseModel):
    """Other fields are the host's business; null is no value of any kind."""

    model_config = ConfigDict(strict=True)


class _Hook(_Strict):
    type: str
    command: str = ""
    args: list[str] = []
    timeout: float = Field(1, gt=0)
    statusMessage: str = ""  # noqa: N815 - the host's spelling


class _Entry(_Strict):
    hooks: list[_Hook]
    matcher: str = ""


class _Permissions(_Strict):
    allow: list[Any] = []
    ask: list[Any] = []
    deny: list[Any] = []
    additionalDirectories: list[Any] = []  # noqa: N815


class _Settings(_Strict):
    hooks: dict[str, list[_Entry]] = {}
    permissions: _Permissions = _Permissions()
    env: dict[str, Any] = {}
    enabledPlugins: dict[str, Any] = {}  # noqa: N815
    statusLine: dict[str, Any] = {}  # noqa: N815
    model: str = ""
    disableAllHooks: bool = False  # noqa: N815


def why_dropped(data: dict[str, Any]) -> str:
    """The first value for which the host drops the file, with its place; "" where it takes it."""
    hooks = data.get("hooks") or {}
    known = {event: hooks[event] for event in _EVENTS if hooks.get(event) is not None}
    try:
        _Settings.model_validate({**data, "hooks": known})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        return f"`{place}`: {first['msg'][0].lower()}{first['msg'][1:]}"
    return ""
