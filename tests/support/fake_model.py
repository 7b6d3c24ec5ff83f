"""A model at the port, with a queue of what it will say."""

import json
from collections.abc import Mapping
from typing import Any

from ace_reflect.errors import ModelError, ModelUnavailable
from ace_reflect.llm.port import Reply, Request, Usage


class FakeModel:
    """
    Answers with what was enqueued, in order: a text, an object, or an error to raise.

    With nothing left it is unavailable, as a model nobody expected to be asked should be.
    """

    def __init__(
        self,
        *replies: str | Mapping[str, Any] | ModelError,
        name: str = "fake/model",
    ) -> None:
        self._name = name
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
        return Reply(
            reply if isinstance(reply, str) else json.dumps(reply),
            self._name,
            Usage(100, 20, 0.001),
        )
