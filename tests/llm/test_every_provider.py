"""What CONTRIBUTING's "Add a provider" asks for: nothing of it can be left out unseen."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from ace_reflect.errors import ModelUnavailable
from ace_reflect.llm import fast, reach, registry
from ace_reflect.llm.port import Request


def _conformance() -> Any:
    spec = spec_from_file_location("conformance", Path(__file__).with_name("conftest.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.PROVIDERS


@pytest.mark.parametrize("provider", registry._PROVIDERS)
def test_every_provider_has_fast_models_and_a_place_in_the_conformance_suite(
    provider: str, tmp_path: Path
) -> None:
    held = {
        make("http://127.0.0.1:9", tmp_path).spec.partition("/")[0]
        for make in _conformance().values()
    }

    assert provider in held, "tests/llm/conftest.py: PROVIDERS"
    assert fast.FAST.get(provider), "llm/fast.py: FAST"


class _Deaf:
    name = "deaf/one"

    async def ask(self, _: Request) -> Any:
        raise ModelUnavailable("nobody there", retry_later=True)


def test_a_provider_with_a_module_of_its_own_is_not_taken_for_an_endpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(*_: object) -> Any:
        return _Deaf()

    monkeypatch.setattr(registry, "_PROVIDERS", {**registry._PROVIDERS, "deaf": make})

    assert registry.why_unusable("deaf/one", None, {}) == ""
    assert reach.why_unreachable("deaf/one", None, {}) == ""
