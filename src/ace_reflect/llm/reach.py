"""Can a model's endpoint be reached, and is the key taken? One free request for the list of models; nothing is spent."""

import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from ace_reflect.llm import registry
from ace_reflect.llm.anthropic import DEFAULT_URL
from ace_reflect.llm.keys import ANTHROPIC_KEYS, ANTHROPIC_URLS, first_set, without_login

TIMEOUT_S = 5.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key goes to the address it was meant for, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


def why_unreachable(
    spec: str, config: Any, environ: Mapping[str, str], *, timeout_s: float = TIMEOUT_S
) -> str:
    """Why `spec` (`provider/model`) cannot be asked now; "" where its endpoint answers and takes the key. Never raises."""
    reason = registry.why_unusable(spec, config, environ)
    if reason or not (registry.is_endpoint(spec) or spec.startswith("anthropic/")):
        return reason  # a provider of another kind has no list that could be asked for
    url, headers, variable = _list_of_models(spec, config, environ)
    try:
        request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the address is checked in config and endpoints
        with urllib.request.build_opener(_NoRedirects).open(request, timeout=timeout_s):
            return ""
    except urllib.error.HTTPError as error:
        if error.code in {401, 403}:
            return f"the key in {variable} was refused ({error.code})"
        # Any other answer is one: not every endpoint lists its models.
        return "" if error.code < 500 else f"{without_login(url)} answers with {error.code}"
    except (OSError, ValueError) as error:
        return f"{without_login(url)} cannot be reached ({getattr(error, 'reason', None) or type(error).__name__})"


def _list_of_models(
    spec: str, config: Any, environ: Mapping[str, str]
) -> tuple[str, dict[str, str], str]:
    provider = spec.partition("/")[0]
    if provider == "anthropic":
        variable, key = first_set(environ, ANTHROPIC_KEYS)
        base = first_set(environ, ANTHROPIC_URLS)[1] or DEFAULT_URL
        as_token = (
            {"authorization": f"Bearer {key}"}
            if variable == "ANTHROPIC_AUTH_TOKEN"
            else {"x-api-key": key}
        )
        return (
            f"{base.rstrip('/')}/v1/models",
            {"anthropic-version": "2023-06-01", **as_token},
            variable,
        )
    endpoint = registry.endpoint_of(spec, config, environ)
    variable, key = first_set(environ, endpoint.key_variables)
    return (
        f"{endpoint.base_url.rstrip('/')}/models",
        {"authorization": f"Bearer {key}"} if key else {},
        variable,
    )
