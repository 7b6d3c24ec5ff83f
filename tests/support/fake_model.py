"""A model at the port, with a queue of what it will say."""

from collections.abc import Mapping
from typing import Any

from ace_reflect.errors import ModelError, ModelUnavailable
from ace_reflect.llm.port import Reply, Request, Usage


class FakeModel:
    """
    Answers with what was enqueued, in order: a text, an object (as structured output too), or an error to raise.

    With nothing left it is unavailable, as a model nobody expected to be asked should be.
    """

    def __init__(
        self,
        *replies: str | Mapping[str, Any] | ModelError,
        name: str = "fake/model",
        structured: bool = False,
    ) -> None:
        self._name = name
        self._structured = structured
        self._replies = list(replies)
        self.requests: list[Request] = []

    @property
    def name(self) -> str:
        return self._name

    def enqueue(self, *replies: str | Mapping[str, Any] | ModelError) -> None:
        self._replies += replies

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        if not self._replies:
            raise ModelUnavailable(f"{self._name}: nothing was enqueued for this question")
        reply = self._replies.pop(0)
        if isinstance(reply, ModelError):
            raise reply
        return _reply(reply, self._name, structured=self._structured)


def _reply(said: str | Mapping[str, Any], name: str, *, structured: bool) -> Reply:
    usage = Usage(100, 20, 0.001)
    if isinstance(said, str):
        return Reply(said, name, usage=usage, ms=5)
    import json

    return Reply(json.dumps(said), name, structured=said if structured else None, usage=usage, ms=5)
